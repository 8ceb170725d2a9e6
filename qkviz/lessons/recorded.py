"""The captures that come with the program, read when a lesson opens one."""

from __future__ import annotations

from functools import cache

from qkviz.attention.captured import Capture
from qkviz.attention.head_overviews import head_trace
from qkviz.attention.trace import AttentionTrace
from qkviz.document.captured_head import CapturedHead
from qkviz.document.files import read_capture
from qkviz.lessons.lesson_parts import CapturedSource
from qkviz.resources import resource_path


@cache
def recorded_capture(file: str) -> Capture:
    """Return a capture of ``resources/captures``: one object, however often and wherever it is asked for.

    Raises
    ------
    Refusal
        If the file is missing or not sound; the next call reads it again.
    """
    return read_capture(resource_path("captures", file))


def recorded_head(source: CapturedSource) -> CapturedHead:
    """Return the head that a lesson opens.

    Raises
    ------
    Refusal
        If the capture cannot be read or has no such head.
    """
    return CapturedHead(recorded_capture(source.file), source.text, source.layer, source.head)


def recorded_trace(source: CapturedSource) -> AttentionTrace:
    """Return what follows from a head; refuses like `recorded_head`."""
    head = recorded_head(source)
    return head_trace(head.captured_text, head.layer, head.head)
