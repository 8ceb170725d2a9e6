"""The one model that is open, and what is asked of it, one thing at a time."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from qkviz.attention.captured import CapturedText, ModelFacts
from qkviz.capture.known_models import KnownModel, is_same_model
from qkviz.capture.model import CaptureCost, Model, Step

CHECKED_TOKENS = 512
"""Up to so many tokens every text is compared with the model's own attention; that takes all its weights."""

ASKED_TOKENS = 1024
ASKED_BYTES = 2**30
"""From so many tokens or bytes on the user is asked first."""

TRACE_BYTES = 48
"""What a document takes for each pair of query and key: its stages in float64, and two masks."""


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What is wanted of a model.

    Parameters
    ----------
    text, pair
        What was typed.
    switched_off
        (layer, head), 0-based, to leave out.
    is_agreed
        Whether the user was told what it costs.
    """

    text: str
    pair: str | None = None
    switched_off: frozenset[tuple[int, int]] = frozenset()
    is_agreed: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What a request takes: told instead of doing it, where it is much and was not agreed to.

    Parameters
    ----------
    request
        What was wanted.
    tokens
        In all.
    bytes
        Memory for the run and for the document that comes out of it.
    """

    request: CaptureRequest
    tokens: int
    bytes: int


@dataclass(frozen=True, eq=False, slots=True)
class Taken:
    """What came out of a request."""

    facts: ModelFacts
    text: CapturedText


class ModelDesk:
    """Loads a model when it is first needed, and keeps it until another is wanted.

    Its methods may be called from any thread; they wait for each other.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: tuple[KnownModel, Model] | None = None  # one value: other threads look at it

    @property
    def facts(self) -> ModelFacts | None:
        """What there is to say of the open model; None if there is none."""
        now = self._open
        return None if now is None else now[1].facts

    def has(self, facts: ModelFacts) -> bool:
        """Whether the open model is the one that a capture was made of."""
        own = self.facts
        return own is not None and is_same_model(own, facts)

    @property
    def known(self) -> KnownModel | None:
        """How the open model was opened; None if there is none."""
        now = self._open
        return None if now is None else now[0]

    def take(self, known: KnownModel, request: CaptureRequest, step: Step) -> Taken | Price:
        """Open ``known`` unless it is open, and let it read a text.

        Raises
        ------
        Refusal
            If the model cannot be opened or the text not be captured. A model that was open stays open.
        """
        with self._lock:
            step(0.0)  # whoever waited here may not be wanted any more
            model = self._opened(known, step)
            cost = model.cost(request.text, request.pair)
            price = Price(request, cost.tokens, cost.bytes + TRACE_BYTES * cost.tokens**2)
            if not request.is_agreed and is_much(price):
                return price
            return Taken(model.facts, self._captured(model, cost, request, step))

    def _opened(self, known: KnownModel, step: Step) -> Model:
        if self._open is None or self._open[0] is not known:
            self._open = known, known.load(step)
        return self._open[1]

    def _captured(self, model: Model, cost: CaptureCost, request: CaptureRequest, step: Step) -> CapturedText:
        return model.capture(
            request.text,
            request.pair,
            check=is_checked(cost),
            switched_off=request.switched_off,
            step=step,
        )


def is_checked(cost: CaptureCost) -> bool:
    """Whether a text of that cost is compared with the model's own attention."""
    return cost.tokens <= CHECKED_TOKENS


def is_much(price: Price) -> bool:
    """Whether the user should be asked before it is done."""
    return price.tokens > ASKED_TOKENS or price.bytes > ASKED_BYTES
