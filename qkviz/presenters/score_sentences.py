"""What a raw score means, in words that follow from its numbers."""

from __future__ import annotations

import math

from qkviz.attention.geometry import PairGeometry
from qkviz.attention.matrices import MatrixName
from qkviz.attention.measures import largest_keys
from qkviz.attention.score_functions import Cosine
from qkviz.document.document import Role
from qkviz.presenters.cells import cell_text
from qkviz.presenters.number_format import format_degrees, format_number
from qkviz.presenters.pinned import Pinned
from qkviz.translate import _

RIGHT_ANGLE = 1e-14
"""A cosine below this is a right angle, up to rounding errors."""


def additive_sentence(pinned: Pinned) -> str:
    """Return what an additive score says."""
    return _(
        "The additive score of {query} and {key} is {value}; not the angle decides it, but W₁, W₂ and v.",
        query=pinned.query_words,
        key=pinned.key_words,
        value=cell_text(pinned.row_kinds(MatrixName.SCORES)[pinned.key], pinned.score),
    )


def distance_sentence(pinned: Pinned, q: list[float], k: list[float]) -> str:
    """Return what −½‖q − k‖² says of q and k."""
    distance = math.dist(q, k)
    if distance == 0.0:
        return _("q and k are the same point, so the score is 0, the largest that there can be.")
    return _(
        "q and k are {distance} apart; the score {value} is never above 0 and falls with the distance.",
        distance=format_number(distance),
        value=cell_text(pinned.row_kinds(MatrixName.SCORES)[pinned.key], pinned.score),
    )


def angle_sentence(pinned: Pinned, geometry: PairGeometry) -> str:
    """Return how the sign of a dot product or cosine follows from the angle."""
    if geometry.length_q == 0.0 or geometry.length_k == 0.0:
        return _zero_sentence(pinned, geometry)
    if geometry.cosine is None or geometry.angle is None:
        return _("Not every number of q and k is finite, so there is no angle between them.")
    words = {
        "query": pinned.query_words,
        "key": pinned.key_words,
        "angle": format_degrees(geometry.angle),
        "value": _value_words(pinned.score),
    }
    if abs(geometry.cosine) < RIGHT_ANGLE:
        return _(
            "q and k are at right angles, so the score is {value}: "
            "what {key} offers has nothing of what {query} looks for.",
            **words,
        )
    if words["angle"] == "90.0°":  # the shown angle must not contradict the sentence
        if geometry.cosine > 0:
            return _("The angle is only just less than 90°, so the score is positive: {value}.", **words)
        return _("The angle is only just more than 90°, so the score is negative: {value}.", **words)
    if geometry.cosine > 0:
        return _(
            "What {query} looks for and what {key} offers are {angle} apart, less than 90°, "
            "so the score is positive: {value}.",
            **words,
        )
    return _(
        "What {query} looks for and what {key} offers are {angle} apart, more than 90°, "
        "so the score is negative: {value}.",
        **words,
    )


def _value_words(score: float) -> str:
    text = format_number(score)
    if score and text == "0.00":
        return _("{value} after rounding", value=text)
    return text


def _zero_sentence(pinned: Pinned, geometry: PairGeometry) -> str:
    is_cosine = isinstance(pinned.trace.options.score, Cosine)
    if geometry.length_q == 0.0 and geometry.length_k == 0.0:
        if is_cosine:
            return _("q and k are zero vectors without direction, so their cosine is undefined.")
        return _("q and k are zero vectors, so the score is 0 and the angle is undefined.")
    letter = "q" if geometry.length_q == 0.0 else "k"
    if is_cosine:
        return _("{letter} is the zero vector without direction, so the cosine is undefined.", letter=letter)
    return _("{letter} is the zero vector, so the score is 0 and the angle is undefined.", letter=letter)


def with_largest(pinned: Pinned, sentence: str) -> str:
    """Add which key scores highest in the row when it is not the pinned one."""
    largest = largest_keys(pinned.trace.scores[pinned.query])
    values = pinned.row(MatrixName.SCORES)
    if not largest or len(values) == 1:
        return sentence
    if pinned.key not in largest:
        more = _(
            "In this row {key} scores highest ({value}).",
            key=pinned.words(Role.KEY, largest[0]),
            value=format_number(values[largest[0]]),
        )
        if len(largest) > 1:
            more = _(
                "In this row {count} keys tie for the highest score ({value}), {key} first.",
                count=len(largest),
                key=pinned.words(Role.KEY, largest[0]),
                value=format_number(values[largest[0]]),
            )
    elif len(largest) > 1:
        more = _("It ties for the highest score of the row with {count} other keys.", count=len(largest) - 1)
    else:
        more = _("It is the highest score of the row.")
    return _("{sentence} {more}", sentence=sentence, more=more)
