"""What notices that another head or another text of a capture was chosen; see `checks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def text_chosen(now: Snapshot, start: AttentionTrace, *, text: int) -> bool:
    """Whether a text of the capture is on the screen, in whichever head."""
    captured = now.document.captured
    return captured is not None and captured.text == text


def layer_chosen(now: Snapshot, start: AttentionTrace, *, layer: int) -> bool:
    """Whether a head of a layer is on the screen."""
    captured = now.document.captured
    return captured is not None and captured.layer == layer


def head_chosen(now: Snapshot, start: AttentionTrace, *, layer: int, head: int) -> bool:
    """Whether a head is on the screen, on whichever text."""
    captured = now.document.captured
    return captured is not None and (captured.layer, captured.head) == (layer, head)


def seen_in(now: Snapshot, start: AttentionTrace, *, text: int, layer: int, head: int) -> bool:
    """Whether a head is on the screen on a certain text."""
    return text_chosen(now, start, text=text) and head_chosen(now, start, layer=layer, head=head)
