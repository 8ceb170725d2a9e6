"""The last choices of the export dialog as plain JSON for the settings, and back.

What belongs to one picture only is not remembered: its matrix, its row and its title.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from qkviz.presenters.matrix_looks import looks_from_data, looks_to_data
from qkviz.translate import LANGUAGES, current_language
from qkviz.ui.dialogs.export_request import ExportRequest, ExportSubject, SizeChoice, formats_for


def request_to_data(request: ExportRequest) -> dict[str, Any]:
    """Return what is to be remembered of a request."""
    choice = request.size_choice
    return {
        "subject": request.subject.value,
        "suffix": request.suffix,
        # that of the window is followed, whatever it becomes
        "language": "" if request.language == current_language() else request.language,
        "with_values": request.with_values,
        "transparent": request.transparent,
        "colored": request.colored,
        "looks": looks_to_data(request.looks),
        "size": None if choice is None else [choice.width, choice.in_mm, choice.dpi],
    }


def remembered_subject(data: Mapping[str, Any]) -> ExportSubject:
    """Return the subject chosen last; the matrices in view if there is none."""
    known = [subject for subject in ExportSubject if subject.value == data.get("subject")]
    return known[0] if known else ExportSubject.MATRICES


def with_remembered(request: ExportRequest, data: Mapping[str, Any]) -> ExportRequest:
    """Return ``request`` with the choices in ``data``; one that does not fit is left out."""
    suffixes = [one.suffix for one in formats_for(request.subject)]
    suffix = data.get("suffix")
    language = data.get("language")
    request = replace(
        request,
        suffix=suffix if suffix in suffixes else suffixes[0],
        language=language if language in LANGUAGES else request.language,
        looks=looks_from_data(data.get("looks")),
        size_choice=_size_choice(data.get("size")),
    )
    for name in ("with_values", "transparent", "colored"):
        if isinstance(data.get(name), bool):
            request = replace(request, **{name: data[name]})
    return request


def _size_choice(value: object) -> SizeChoice | None:
    match value:
        case (int() | float() as width, bool() as in_mm, int() | float() as dpi):
            if math.isfinite(width) and width > 0 and math.isfinite(dpi) and dpi > 0:
                return SizeChoice(float(width), in_mm, float(dpi))
    return None
