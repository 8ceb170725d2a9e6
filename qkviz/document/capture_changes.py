"""What of a document is no longer as the model had it."""

from __future__ import annotations

from qkviz.attention.matrix_changes import same_values
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.document import Document


def changes_since_capture(document: Document, captured: CapturedHead) -> tuple[str, ...]:
    """Return the fixed names of what was changed by hand since the head was chosen; empty if nothing was.

    Out of: tokens, Q, K, V, X_q, X_k, scores, score function, scale, mask, normalizer, soft cap, position
    bias, sink.
    """
    began = head_document(captured)
    before, now = began.options, document.options
    changed = {"tokens": (began.queries, began.keys) != (document.queries, document.keys)}
    changed |= {
        name: not same_values(getattr(began.inputs, name, None), getattr(document.inputs, name, None))
        for name in ("Q", "K", "V", "X_q", "X_k", "scores")
    }
    changed |= {
        "score function": before.score != now.score,
        "scale": before.scale != now.scale,
        "mask": before.mask != now.mask,
        "normalizer": before.normalizer != now.normalizer,
        "soft cap": before.soft_cap != now.soft_cap,
        "position bias": not same_values(before.bias, now.bias),
        "sink": before.sink != now.sink,
    }
    return tuple(name for name, is_other in changed.items() if is_other)
