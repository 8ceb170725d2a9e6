"""What is in a file, in words: its arrays, what they can be, and the document that comes of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs
from qkviz.document.document import Document
from qkviz.importers.found import ArrayKind, Found, FoundArray, NumberRange, number_range
from qkviz.importers.roles import ArrayRole, ImportChoices
from qkviz.presenters.number_format import format_limit
from qkviz.translate import N_, Refusal, _

MOST_LOOKED_AT = 1 << 22
"""Numbers that are read for the ranges of a whole list; 32 MB as float64."""

_MOST_AT_ONCE = 1 << 20

_ROLES = {
    ArrayRole.X: N_("X, the embeddings"),
    ArrayRole.X_K: N_("X_k, embeddings of the keys"),
    ArrayRole.W_Q: N_("W_Q, projection of the queries"),
    ArrayRole.W_K: N_("W_K, projection of the keys"),
    ArrayRole.W_V: N_("W_V, projection of the values"),
    ArrayRole.Q: N_("Q, the queries"),
    ArrayRole.K: N_("K, the keys"),
    ArrayRole.V: N_("V, the values"),
    ArrayRole.SCORES: N_("scores"),
    ArrayRole.WEIGHTS: N_("weights"),
    ArrayRole.MASK: N_("mask"),
    ArrayRole.TOKENS: N_("tokens"),
    ArrayRole.KEY_TOKENS: N_("tokens of the keys"),
}


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One array as a line of a list; every part is text.

    Attributes
    ----------
    name, shape, dtype
        As in the file.
    range
        ``"−1.2 … 3.4"``, what is not finite counted; why it cannot be used; empty if it was not looked at.
    """

    name: str
    shape: str
    dtype: str
    range: str


def role_text(role: ArrayRole | None) -> str:
    """Return what an array is, in the current language."""
    return _("not used") if role is None else _(_ROLES[role])


def role_word(role: ArrayRole) -> str:
    """Return the same in one word: the name of the matrix."""
    return role.shown if role.shown != role.value else _(_ROLES[role])


def look_at_ranges(arrays: Sequence[FoundArray]) -> list[NumberRange | None]:
    """Return the ranges of as many arrays as can be read in a moment; None for the others."""
    left = MOST_LOOKED_AT
    ranges: list[NumberRange | None] = []
    for array in arrays:
        fits = array.kind is ArrayKind.NUMBERS and 0 < array.size <= min(left, _MOST_AT_ONCE)
        try:
            ranges.append(number_range(array.load()) if fits else None)
        except Refusal:
            ranges.append(None)
        left -= array.size if fits else 0
    return ranges


def present_array(array: FoundArray, numbers: NumberRange | None) -> FoundRow:
    """Return the line of one array."""
    return FoundRow(array.name or "“”", array.shape_text, array.dtype, _range_text(array, numbers))


def _range_text(array: FoundArray, numbers: NumberRange | None) -> str:
    if array.problem is not None:
        return str(array.problem)
    if numbers is None:
        return ""
    parts = []
    if numbers.low is not None and numbers.high is not None:
        parts.append(f"{format_limit(numbers.low)} … {format_limit(numbers.high)}")
    if numbers.non_finite:
        parts.append(_("{count} not finite", count=numbers.non_finite))
    return ", ".join(parts)


def file_sentence(found: Found) -> str:
    """Return what a file is, in one line."""
    if len(found.arrays) == 1:
        return _("{name}: {format}, one array", name=found.name, format=found.format)
    return _(
        "{name}: {format}, {count} arrays", name=found.name, format=found.format, count=len(found.arrays)
    )


def document_sentence(document: Document) -> str:
    """Return how large the document is, and from what it starts."""
    inputs = document.inputs
    size = _("{m} queries × {n} keys", m=inputs.m, n=inputs.n)
    match inputs:
        case ProjectedInputs():
            return f"{size}, d_model = {inputs.X_q.shape[1]}, d_k = {inputs.d_k}"
        case DirectInputs():
            return f"{size}, d_k = {inputs.d_k}"
        case GivenScores():
            return size


def document_notes(found: Found, choices: ImportChoices, document: Document) -> tuple[str, ...]:
    """Return what a person should know of the document before it is opened."""
    chosen = {
        choice.role: array
        for array, choice in zip(found.arrays, choices.arrays, strict=True)
        if choice.role is not None
    }
    notes = []
    if ArrayRole.WEIGHTS in chosen:
        notes.append(
            _(
                "The weights are kept as their logarithms, ln w; softmax gives exactly these weights. "
                "Their q and k are unknown, so what needs q or k is off."
            )
        )
    elif isinstance(document.inputs, GivenScores):
        notes.append(
            _(
                "The scores are used as they are, without a scale. "
                "Their q and k are unknown, so what needs q or k is off."
            )
        )
    elif ArrayRole.X in chosen and ArrayRole.W_Q not in chosen:
        notes.append(_("Without W_Q and W_K every vector is compared as it is: the scores are X Xᵀ."))
    bias = _unused_bias(found, tuple(chosen.values()))
    if bias:
        notes.append(
            _(
                "The file has a bias ({name}), which qkviz’s projections have not; "
                "the scores of that layer differ from these.",
                name=bias,
            )
        )
    return tuple(notes)


def _unused_bias(found: Found, used: Collection[FoundArray]) -> str:
    """Return the name of a bias that stands beside one of the arrays in use, empty if there is none."""
    names = {array.name for array in found.arrays}
    for array in used:
        bias = array.name.removesuffix(".weight") + ".bias"
        if array.name.endswith(".weight") and bias in names:
            return bias
    return ""
