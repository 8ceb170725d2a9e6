"""What notices that a try with the copy model is done; see `checks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qkviz.attention.trace import AttentionTrace
    from qkviz.document.session import Snapshot


def only_head_off(now: Snapshot, start: AttentionTrace, *, layer: int, head: int) -> bool:
    """Whether this head of the model is off and no other."""
    captured = now.document.captured
    return captured is not None and captured.captured_text.switched_off == {(layer, head)}


def copied_from_afar(now: Snapshot, start: AttentionTrace, *, distance: int) -> bool:
    """Whether the likeliest next word is one that followed the last word at least ``distance`` words before.

    All heads have to be on.
    """
    captured = now.document.captured
    if captured is None or captured.captured_text.switched_off or not captured.captured_text.next_tokens:
        return False
    labels = [token.label for token in captured.captured_text.tokens]
    last, guess = len(labels) - 1, captured.captured_text.next_tokens[0].label
    before = [at for at in range(last) if labels[at] == labels[last]]
    return bool(before) and last - before[-1] >= distance and labels[before[-1] + 1] == guess
