"""What notices that another head or another text of a capture was chosen; see `checks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def layer_chosen(now: Snapshot, start: AttentionTrace, *, layer: int) -> bool:
    """Whether a head of a layer is on the screen."""
    captured = now.document.captured
    return captured is not None and captured.layer == layer


def head_chosen(now: Snapshot, start: AttentionTrace, *, layer: int, head: int) -> bool:
    """Whether a head is on the screen, with whichever text."""
    captured = now.document.captured
    return captured is not None and (captured.layer, captured.head) == (layer, head)


def sentence_chosen(now: Snapshot, start: AttentionTrace, *, sentence: int) -> bool:
    """Whether a text of the capture is on the screen, in whichever head."""
    captured = now.document.captured
    return captured is not None and captured.text == sentence


def seen_in(now: Snapshot, start: AttentionTrace, *, sentence: int, layer: int, head: int) -> bool:
    """Whether a head is on the screen with a certain text."""
    return sentence_chosen(now, start, sentence=sentence) and head_chosen(now, start, layer=layer, head=head)


def pinned_in(
    now: Snapshot, start: AttentionTrace, *, sentence: int, layer: int, head: int, query: int, key: int
) -> bool:
    """Whether a pair is pinned in a head with a certain text."""
    return now.focus.pair == (query, key) and seen_in(now, start, sentence=sentence, layer=layer, head=head)
