"""A head of a trained model as the document: where it comes from, and the edits that choose another."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from qkviz.attention.captured import Capture, CapturedText
from qkviz.attention.captured_layers import AttentionKind, Layer
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False, slots=True)
class CapturedHead:
    """Which head of which capture a document began as. Counted from 0, shown from 1.

    Parameters
    ----------
    capture
        All heads of the model on all its texts.
    text, layer, head
        The chosen one.
    before
        The (layer, head) that was on the screen before, to go back to; None for the first.

    Raises
    ------
    Refusal
        If the capture has no such text, layer or head.
    """

    capture: Capture
    text: int = 0
    layer: int = 0
    head: int = 0
    before: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.text < len(self.capture.texts):
            raise Refusal("The capture has no text number {number}.", number=self.text + 1)
        layers = self.captured_text.layers
        if not 0 <= self.layer < len(layers):
            raise Refusal(
                "There is no layer {layer}; the model has {count}.", layer=self.layer + 1, count=len(layers)
            )
        if not 0 <= self.head < self.captured_layer.heads:
            raise Refusal(
                "There is no head {head} in layer {layer}; it has {count}.",
                head=self.head + 1,
                layer=self.layer + 1,
                count=self.captured_layer.heads,
            )

    @property
    def captured_text(self) -> CapturedText:
        """The text that the head looks at."""
        return self.capture.texts[self.text]

    @property
    def captured_layer(self) -> Layer:
        """The layer that the head stands in."""
        return self.captured_text.layers[self.layer]


def head_document(captured: CapturedHead, lesson: str | None = None) -> Document:
    """Return the document that a head is: its queries, keys and values as the model had them."""
    text, layer = captured.captured_text, captured.captured_layer
    return Document(
        queries=tuple(token.label for token in text.queries(captured.layer)),
        keys=tuple(token.label for token in text.keys(captured.layer)),
        inputs=layer.inputs(captured.head),
        options=layer.options(captured.head),
        lesson=lesson,
        captured=captured,
    )


def strongest_pair(document: Document) -> tuple[int, int] | None:
    """Return the (query, key) of the largest weight between two different words of a head.

    Special tokens take much of the weight and say little. None if the text has no two words.
    """
    captured = captured_head(document)
    text, layer = captured.captured_text, captured.captured_layer
    queries, keys = text.queries(captured.layer), text.keys(captured.layer)
    is_crossed = layer.kind is AttentionKind.CROSS
    weights = trace_attention(document.inputs, document.options).weights.tolist()
    pairs = (
        (weights[i][j], i, j)
        for i, query in enumerate(queries)
        for j, key in enumerate(keys)
        if not query.is_special and not key.is_special and (is_crossed or i != j)
    )
    best = max(pairs, default=None)
    return None if best is None else best[1:]


def captured_head(document: Document) -> CapturedHead:
    """Return which head ``document`` began as.

    Raises
    ------
    Refusal
        If it is no head of a model.
    """
    if document.captured is None:
        raise Refusal("This document is no head of a model; open a model first.")
    return document.captured


@dataclass(frozen=True, slots=True)
class ChooseHead:
    """Make another head of the same capture the document."""

    layer: int
    head: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What it does, for the Undo menu."""
        return Phrase("Choose head L{layer} H{head}", layer=self.layer + 1, head=self.head + 1)

    def apply(self, document: Document) -> Document:
        """Return the head as the document; the one shown already gives the same document."""
        now = captured_head(document)
        if (self.layer, self.head) == (now.layer, now.head):
            return document
        chosen = replace(now, layer=self.layer, head=self.head, before=(now.layer, now.head))
        return head_document(chosen, document.lesson)


@dataclass(frozen=True, slots=True)
class GoBackToHead:
    """Make the head that was chosen before the document again."""

    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What it does, for the Undo menu."""
        return Phrase("Back to the head before")

    def apply(self, document: Document) -> Document:
        """Return the head before as the document; where there is none, the same document."""
        before = captured_head(document).before
        return document if before is None else ChooseHead(*before).apply(document)


@dataclass(frozen=True, slots=True)
class ChooseText:
    """Look with the same head at another text of the capture."""

    text: int
    gesture: Hashable | None = None

    @property
    def label(self) -> Phrase:
        """What it does, for the Undo menu."""
        return Phrase("Choose text {number}", number=self.text + 1)

    def apply(self, document: Document) -> Document:
        """Return the head on the other text as the document."""
        now = captured_head(document)
        if self.text == now.text:
            return document
        return head_document(replace(now, text=self.text), document.lesson)


@dataclass(frozen=True, eq=False, slots=True)
class ReplaceCapture:
    """Go on with a text typed anew; the same layer and head stay chosen if there are such."""

    capture: Capture
    text: int = 0
    gesture: Hashable | None = None
    label: Phrase = field(default_factory=lambda: Phrase("Type another text"))

    def apply(self, document: Document) -> Document:
        """Return the head on the new text as the document."""
        now = captured_head(document)
        layers = self.capture.texts[self.text].layers
        layer = min(now.layer, len(layers) - 1)
        head = min(now.head, layers[layer].heads - 1)
        return head_document(CapturedHead(self.capture, self.text, layer, head, now.before), document.lesson)
