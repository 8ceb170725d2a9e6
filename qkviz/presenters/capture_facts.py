"""What there is to say of the model behind a head, and whether the numbers are its own."""

from __future__ import annotations

from pathlib import PurePath

from qkviz.attention.captured import Capture, CaptureCheck, CapturedText, CaptureWay
from qkviz.presenters.number_format import format_factor, format_percent
from qkviz.presenters.runs import Line, Run
from qkviz.translate import _

MOST_LAYERS_NAMED = 6

LEAST_SHARE = 1e-6
"""Below it a share is the rounding of float32."""


def present_capture_facts(capture: Capture, text: CapturedText) -> tuple[Line, ...]:
    """Return the lines about the model: what it is, its note, whether the capture is true, remarks."""
    model = capture.model
    verified = _("verified weights") if model.is_verified else _("weights not known to this program")
    facts = (model.architecture, _place(model.source), _licence(model.licence), verified)
    lines: list[Line] = [(Run(model.name, "strong"), Run(" · " + " · ".join(filter(None, facts)), "muted"))]
    if model.note is not None:
        lines.append((Run(str(model.note)),))
    lines.append((Run(check_words(text.check)),))
    unexplained = unexplained_words(text.check)
    if unexplained:
        lines.append((Run(unexplained),))
    lines += [(Run(str(remark), "muted"),) for remark in text.check.remarks]
    return tuple(lines)


def _licence(name: str) -> str:
    """Return the name of a licence as its own text spells it; model cards have it in lower case."""
    spelt = {"apache-2.0": "Apache-2.0", "mit": "MIT"}
    return spelt.get(name, name)


def _place(source: str) -> str:
    """Return where a model is; of a folder the end of its path, which tells it from others."""
    places = {"recorded": _("recorded"), "built in": _("built in")}
    parts = PurePath(source).parts
    return places.get(source) or ("…/" + "/".join(parts[-2:]) if len(parts) > 3 else source)


def present_least_facts(capture: Capture, text: CapturedText) -> tuple[Line, ...]:
    """Return what must be said of a model even where there is little room: its truth, and its note."""
    line = (Run(capture.model.name, "strong"), Run(f" · {check_words(text.check)}"))
    note = capture.model.note
    return (line,) if note is None else (line, (Run(str(note)),))


def check_words(check: CaptureCheck) -> str:
    """Return how the numbers were taken and how far they are from the model's own."""
    if check.way is CaptureWay.WEIGHTS:
        return _("Weights only: this model does not tell its scores.")
    if check.largest_difference is None:
        words = _("Not compared with the model's own weights")
    elif check.largest_difference == 0.0:
        words = _("Exact: largest difference {difference}", difference="0.0")
    else:
        words = _(
            "Largest difference to the model's own weights {difference}",
            difference=format_factor(check.largest_difference),
        )
    return f"{words} · {_way_words(check.way)}"


def _way_words(way: CaptureWay) -> str:
    match way:
        case CaptureWay.INTERFACE:
            return _("told by the model's attention interface")
        case CaptureWay.WATCHER:
            return _("read off at the model's own softmax")
        case CaptureWay.OWN:
            return _("computed by this program itself")
        case CaptureWay.WEIGHTS:
            return _("weights only")


def unexplained_words(check: CaptureCheck) -> str:
    """Return for which layers scale·q·k is not the whole score; empty if it is for all."""
    shares = [(layer, share) for layer, share in enumerate(check.unexplained) if share > LEAST_SHARE]
    if not shares:
        return ""
    named = [f"L{layer + 1} {_share(share)}" for layer, share in shares[:MOST_LAYERS_NAMED]]
    if len(shares) > MOST_LAYERS_NAMED:
        named.append("…")
    return _(
        "Part of the scores that is not scale · q·k (position bias, soft cap): {layers}",
        layers=_(", ").join(named),
    )


def _share(share: float) -> str:
    return _("below 1%") if share < 0.01 else format_percent(share)
