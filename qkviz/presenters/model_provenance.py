"""Where a head of a trained model comes from, as it is written into files: in English everywhere."""

from __future__ import annotations

from qkviz.attention.captured import CaptureCheck
from qkviz.document.capture_changes import changes_since_capture
from qkviz.document.document import Document


def model_entries(document: Document) -> dict[str, str]:
    """Return the model, layer, head and text that a document began as; empty for one of nobody's model."""
    captured = document.captured
    if captured is None:
        return {}
    model, text, layer = captured.capture.model, captured.captured_text, captured.captured_layer
    entries = {"model": f"{model.name} ({model.architecture})", "source": model.source}
    if model.licence:
        entries["licence"] = model.licence
    if model.sha256:
        entries["weights"] = f"SHA-256 {model.sha256}, {'known' if model.is_verified else 'unknown'}"
    if model.note is not None:
        entries["note"] = model.note.template.format(**model.note.values)
    entries |= {
        "layer": f"{captured.layer + 1} of {len(text.layers)} ({layer.kind.value})",
        "head": f"{captured.head + 1} of {layer.heads}",
        "text": text.text,
    }
    if layer.key_head(captured.head) != captured.head:
        entries["key head"] = str(layer.key_head(captured.head) + 1)
    if text.pair is not None:
        entries["pair"] = text.pair
    if text.switched_off:
        entries["switched off"] = ", ".join(
            f"L{at + 1} H{head + 1}" for at, head in sorted(text.switched_off)
        )
    entries["check"] = _check(text.check)
    entries["changed by hand"] = ", ".join(changes_since_capture(document, captured)) or "nothing"
    return entries


def _check(check: CaptureCheck) -> str:
    if check.largest_difference is None:
        return f"none; way: {check.way.value}"
    return (
        f"largest difference to the model's own weights {check.largest_difference!r}; way: {check.way.value}"
    )
