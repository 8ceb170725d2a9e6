"""What is wanted of a model, and for which document: the one on the screen may be another when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qkviz.attention.captured import Capture, CapturedText
from qkviz.capture.known_models import KnownModel, is_same_model
from qkviz.capture.model_desk import CaptureRequest, Taken
from qkviz.document.captured_head import CapturedHead
from qkviz.document.document import Document
from qkviz.translate import Refusal


def is_same_capture(asked: CapturedHead, now: CapturedHead) -> bool:
    """Whether the texts are the same; another head or another of the texts may be chosen."""
    return now.capture is asked.capture


def is_same_text(asked: CapturedHead, now: CapturedHead) -> bool:
    """Whether the same text is chosen, with whichever head."""
    return is_same_capture(asked, now) and now.text == asked.text


@dataclass(frozen=True, slots=True)
class Wish:
    """What is being done, and what to do with its result.

    Parameters
    ----------
    known, request
        The model, and what it shall read.
    finish
        Takes the result.
    head
        The head whose model is asked; None: a model is opened, whatever the document.
    remains
        Whether a head that is shown later still is what ``head`` was, so that the result belongs there.
    """

    known: KnownModel
    request: CaptureRequest
    finish: Callable[[Taken], None]
    head: CapturedHead | None = None
    remains: Callable[[CapturedHead, CapturedHead], bool] = is_same_capture

    def fits(self, document: Document) -> bool:
        """Whether the result belongs to a document."""
        if self.head is None:
            return True
        return document.captured is not None and self.remains(self.head, document.captured)


def with_text_replaced(head: CapturedHead, taken: Taken) -> Capture:
    """Return the capture with a new text in the place of the one of ``head``.

    Raises
    ------
    Refusal
        If the other texts were read by other weights.
    """
    texts = head.capture.texts
    return _capture(head, taken, (*texts[: head.text], taken.text, *texts[head.text + 1 :]))


def with_text_added(head: CapturedHead, taken: Taken) -> Capture:
    """Return the capture with one more text behind the others.

    Raises
    ------
    Refusal
        If the other texts were read by other weights.
    """
    return _capture(head, taken, (*head.capture.texts, taken.text))


def _capture(head: CapturedHead, taken: Taken, texts: tuple[CapturedText, ...]) -> Capture:
    """Return a capture of one model: it is found by its name, and its weights may be of another release."""
    if len(texts) > 1 and not is_same_model(taken.facts, head.capture.model):
        raise Refusal(
            "The other texts were read by other weights of {name}; open the model for a text of your own.",
            name=taken.facts.name,
        )
    return Capture(taken.facts, texts)
