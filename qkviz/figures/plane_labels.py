"""What is written beside the tips of the plane: one label for tips that lie on one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF

from qkviz.document.document import Role
from qkviz.figures.fonts import Face, line_height, one_line, shortened, text_width
from qkviz.figures.label_placement import Wanted
from qkviz.figures.plane_parts import CROWD, PlaneFaces, handle_radius
from qkviz.presenters.plane import ArrowContent

TOGETHER = 2.0
"""Distance in pixels up to which tips count as one."""

LABELLED = 20
"""At most so many labels."""

CANDIDATES = 60
"""Of a crowd at most so many tips are looked at for labels; several may lie together."""


@dataclass(frozen=True, slots=True)
class TipLabel:
    """The label of one tip, or of several on one point.

    Attributes
    ----------
    arrow
        The topmost of those that are named, one of the active pair where there is one.
    pieces
        Texts one after the other, each in the colour of an arrow.
    face
        The font.
    wanted
        Where and how large it has to be placed.
    """

    arrow: ArrowContent
    pieces: tuple[tuple[str, ArrowContent], ...]
    face: Face
    wanted: Wanted

    @property
    def key(self) -> tuple[Role | None, int]:
        """Role and index of ``arrow``."""
        return self.arrow.role, self.arrow.index

    @property
    def text(self) -> str:
        """All pieces."""
        return "".join(text for text, _arrow in self.pieces)


def tip_labels(
    seen: Sequence[tuple[ArrowContent, QPointF]], faces: PlaneFaces, width: float
) -> tuple[TipLabel, ...]:
    """Return the labels that are wanted, the most important first.

    Parameters
    ----------
    seen
        The arrows with a tip in sight, and the tips in pixels; in the order of painting.
    faces
        The fonts.
    width
        Of the plane in pixels; a label takes a part of it.
    """
    if len(seen) > CROWD:  # only the longest have a chance
        lengths = [math.inf if arrow.active else math.hypot(arrow.x, arrow.y) for arrow, _tip in seen]
        least = sorted(lengths)[-CANDIDATES]
        seen = [one for one, length in zip(seen, lengths, strict=True) if length >= least]
    groups: list[tuple[QPointF, list[ArrowContent]]] = []
    near: dict[tuple[int, int], list[int]] = {}  # groups by square: not all are compared with all
    for arrow, tip in reversed(seen):
        x, y = tip.x(), tip.y()
        column, row = round(x / TOGETHER), round(y / TOGETHER)
        squares = ((column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1))
        found = [number for square in squares for number in near.get(square, ())]
        for number in sorted(found):
            at, group = groups[number]
            if math.hypot(at.x() - x, at.y() - y) <= TOGETHER:
                group.append(arrow)
                break
        else:
            near.setdefault((column, row), []).append(len(groups))
            groups.append((tip, [arrow]))
    if len(groups) > LABELLED:  # the active pair and the longest: in the thick of many nothing can be read
        groups.sort(key=lambda one: (not one[1][0].active, -math.hypot(one[1][0].x, one[1][0].y)))
    return tuple(_label(tip, group, faces, width) for tip, group in groups[:LABELLED])


def _label(tip: QPointF, group: list[ArrowContent], faces: PlaneFaces, width: float) -> TipLabel:
    lead = group[0]
    face = faces.active if lead.active else faces.faint
    most = max(40.0, min(160.0, width / 3) if len(group) == 1 else min(240.0, width / 2))
    pieces = _pieces(group, face, most)
    size = sum(text_width(text, face) for text, _arrow in pieces), line_height(face)
    radius = max(map(handle_radius, group))
    wanted = Wanted((lead.role, lead.index), tip.x(), tip.y(), radius, *size, lead.active)
    return TipLabel(lead, pieces, face, wanted)


def _pieces(group: list[ArrowContent], face: Face, most: float) -> tuple[tuple[str, ArrowContent], ...]:
    """Return "q·mat" of one arrow, "q, k, x · mat" of several of one word, else all labels with commas."""
    lead = group[0]
    if len(group) == 1:
        return ((shortened(lead.label, face, most), lead),)
    parts = [arrow.label.partition("·") for arrow in group]
    pieces: list[tuple[str, ArrowContent]] = []
    if len({word for _letter, _dot, word in parts}) == 1:
        letters = {letter: arrow for (letter, _dot, _word), arrow in zip(parts, group, strict=True)}
        for letter in sorted(letters, key=_ORDER.find):
            pieces += [(", ", lead), (letter, letters[letter])] if pieces else [(letter, letters[letter])]
        pieces.append((f" · {one_line(parts[0][2])}", lead))
    else:
        for label, arrow in {arrow.label: arrow for arrow in reversed(group)}.items():
            pieces += [(", ", lead), (label, arrow)] if pieces else [(label, arrow)]
    return _cut(pieces, face, most)


_ORDER = "qkx"
"""Letters of the vectors in the order of reading."""


def _cut(
    pieces: list[tuple[str, ArrowContent]], face: Face, most: float
) -> tuple[tuple[str, ArrowContent], ...]:
    """Return the pieces up to a width, the last of them shortened."""
    kept: list[tuple[str, ArrowContent]] = []
    for text, arrow in pieces:
        room = most - sum(text_width(one, face) for one, _arrow in kept)
        fitting = shortened(text, face, max(room, text_width("…", face)))
        kept.append((fitting, arrow))
        if fitting != text:
            break
    return tuple(kept)
