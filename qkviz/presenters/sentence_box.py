"""The sentence that a model looked at: to be typed where the model is live, else to be read."""

from __future__ import annotations

from dataclasses import dataclass

from qkviz.capture.token_labels import utf16_span
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.heads import LiveModel
from qkviz.presenters.number_format import format_percent
from qkviz.translate import _

LONGEST_CHOICE = 60
"""Characters of a text in the list of texts."""


@dataclass(frozen=True, slots=True)
class SentenceContent:
    """What the box shows.

    Attributes
    ----------
    text, pair
        Of the text on the screen; the pair is empty if there is none.
    has_pair
        Whether there is a second field.
    can_type
        Whether a model is there to be asked.
    status, problem
        What is going on, or how to type one's own; and why the last text was refused. May be empty.
    texts
        What there is to choose from, as id and text; empty where there is but one.
    chosen
        The id of the one on the screen.
    """

    text: str
    pair: str
    has_pair: bool
    can_type: bool
    status: str
    problem: str
    texts: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class SentenceMark:
    """The part of a text that a query stands for.

    Attributes
    ----------
    segment
        0 for the text, 1 for its pair.
    start, end
        In UTF-16 units, as Qt counts.
    """

    segment: int
    start: int
    end: int


def present_mark(captured: CapturedHead, query: int | None) -> SentenceMark | None:
    """Return where the chosen query stands in what was typed; None without one, or for a special token."""
    text = captured.captured_text
    tokens = text.queries(captured.layer)
    if query is None or query >= len(tokens):  # a token may have been added by hand
        return None
    token = tokens[query]
    whole = (text.text, text.pair or text.text)[token.segment]
    start, end = utf16_span(whole, token)
    return None if start == end else SentenceMark(token.segment, start, end)


def present_sentence(captured: CapturedHead, live: LiveModel) -> SentenceContent:
    """Return the texts of a capture as the box shows them."""
    shown = captured.captured_text
    can_type = live.name is not None
    texts = captured.capture.texts
    choices = tuple((str(at), f"{at + 1} · {_shortened(one.text, one.pair)}") for at, one in enumerate(texts))
    return SentenceContent(
        text=shown.text,
        pair=shown.pair or "",
        has_pair=shown.pair is not None or (can_type and live.takes_pairs),
        can_type=can_type,
        status=_status(live),
        problem=live.problem or "",
        texts=choices if len(texts) > 1 else (),
        chosen=str(captured.text),
    )


def live_status(live: LiveModel) -> str:
    """Return what the model is busy with and how far it is; empty when it is at rest."""
    if live.busy is None:
        return ""
    return live.busy if live.progress is None else f"{live.busy} {format_percent(live.progress)}"


def _status(live: LiveModel) -> str:
    if live.name is None and live.busy is None:
        return _("Recorded. To type your own, open the model.")
    return live_status(live)


def _shortened(text: str, pair: str | None) -> str:
    whole = " ".join((text if pair is None else f"{text} / {pair}").split())
    return whole if len(whole) <= LONGEST_CHOICE else f"{whole[: LONGEST_CHOICE - 1]}…"
