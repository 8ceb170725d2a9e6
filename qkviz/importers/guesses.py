"""Guesses what the arrays of a file are, from their names, shapes and, of small ones, their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from qkviz.importers.found import ArrayKind, Found, FoundArray
from qkviz.importers.roles import PROJECTIONS, WORDS, ArrayChoice, ArrayRole, ImportChoices, first_choice
from qkviz.translate import Refusal

_SMALL = 1 << 20
"""Numbers that are looked at for a guess."""

_NAMES: tuple[tuple[ArrayRole, str], ...] = (
    (ArrayRole.W_Q, r"w_?q(_?proj)?|(to_)?q_?(proj|lin|linear)|to_q|linear_?q"),
    (ArrayRole.W_Q, r"query_?(proj|layer)?\.weight|q\.weight"),
    (ArrayRole.W_K, r"w_?k(_?proj)?|(to_)?k_?(proj|lin|linear)|to_k|linear_?k"),
    (ArrayRole.W_K, r"key_?(proj|layer)?\.weight|k\.weight"),
    (ArrayRole.W_V, r"w_?v(_?proj)?|(to_)?v_?(proj|lin|linear)|to_v|linear_?v"),
    (ArrayRole.W_V, r"value_?(proj|layer)?\.weight|v\.weight"),
    (ArrayRole.X_K, r"x_?k|x_?keys?|memory|encoder_hidden_states?|context"),
    (ArrayRole.X, r"x|x_?q|embeddings?|inputs?_?embeds|inputs?|hidden_?states?"),
    (ArrayRole.Q, r"q|query|queries|query_?states?|query_layer"),
    (ArrayRole.K, r"k|keys?|key_?states?|key_layer"),
    (ArrayRole.V, r"v|values?|value_?states?|value_layer"),
    (ArrayRole.SCORES, r"(raw_?)?(attn_?|attention_?)?(scores?|logits)|qkt?|qk_?t|masked"),
    (ArrayRole.WEIGHTS, r"(attn_?|attention_?)?(weights|probs|probabilities|pattern)|attentions?|attn"),
    (ArrayRole.MASK, r"(attn_?|attention_?|key_?padding_?|causal_?)?mask"),
)
"""Names without their place, in small letters; a weight of a Linear keeps its “.weight”."""

_TOKENS = r"tokens?|words|labels|q(uery)?_?tokens?|(scores|weights|masked)_rows|x_rows|q_rows"
_KEY_TOKENS = r"k(eys?)?_?tokens?|key_?labels|(scores|weights|masked)_columns|k_rows"

_FORBIDS = re.compile(r"padding|forbid|masked|ignore", re.IGNORECASE)


def guessed_choices(found: Found) -> ImportChoices:
    """Return what the file most likely means; every guess can be changed in the dialog."""
    arrays = found.arrays
    roles = _by_names(arrays)
    if not any(role not in (None, *WORDS) for role in roles):
        roles = _by_shapes(arrays, roles)
    return choices_with_roles(found, roles)


def choices_with_roles(found: Found, roles: Sequence[ArrayRole | None]) -> ImportChoices:
    """Return the choices for arrays whose roles are known, one each; the rest is guessed."""
    arrays = found.arrays
    choices = [
        first_choice(array, role, found.swaps_linear and _is_linear(array.name, role))
        for array, role in zip(arrays, roles, strict=True)
    ]
    mask = next((array for array, role in zip(arrays, roles, strict=True) if role is ArrayRole.MASK), None)
    return ImportChoices(_turned_to_fit(arrays, choices), mask_allows=mask is None or _allows(mask))


def _is_linear(name: str, role: ArrayRole | None) -> bool:
    return role in PROJECTIONS and name.endswith(".weight")


def _by_names(arrays: Sequence[FoundArray]) -> list[ArrayRole | None]:
    """Give each role once, to the arrays of the first place (as “layer.0.”) that has most of them."""
    places: dict[str, dict[ArrayRole, int]] = {}
    for at, array in enumerate(arrays):
        place, role = _place_and_role(array)
        if role is not None:
            places.setdefault(place, {}).setdefault(role, at)
    chosen: list[ArrayRole | None] = [None] * len(arrays)
    taken: set[ArrayRole] = set()
    for _place, members in sorted(places.items(), key=lambda item: -len(item[1])):
        for role, at in members.items():
            if role not in taken:
                chosen[at] = role
                taken.add(role)
        if not taken <= {*WORDS, ArrayRole.X, ArrayRole.X_K, ArrayRole.MASK}:
            # other layers have nothing to add but what stands outside of all: X, mask, tokens
            rest = {ArrayRole.X, ArrayRole.X_K, ArrayRole.MASK, *WORDS} - taken
            for other in places.values():
                for role, at in other.items():
                    if role in rest and role not in taken:
                        chosen[at] = role
                        taken.add(role)
            break
    return _without_doubles(chosen)


def _without_doubles(roles: list[ArrayRole | None]) -> list[ArrayRole | None]:
    """Keep one way to the weights: X with projections before Q and K, those before finished scores."""
    have = set(roles)
    numbers = set(ArrayRole) - {ArrayRole.MASK, *WORDS}
    if {ArrayRole.X, ArrayRole.W_Q, ArrayRole.W_K} <= have:
        keep = {ArrayRole.X, ArrayRole.X_K, *PROJECTIONS}
    elif {ArrayRole.Q, ArrayRole.K} <= have:
        keep = {ArrayRole.Q, ArrayRole.K, ArrayRole.V}
    elif ArrayRole.SCORES in have:
        keep = {ArrayRole.SCORES, ArrayRole.V}
    elif ArrayRole.WEIGHTS in have:
        keep = {ArrayRole.WEIGHTS, ArrayRole.V}
    else:
        keep = numbers
    return [None if role in numbers - keep else role for role in roles]


def _place_and_role(array: FoundArray) -> tuple[str, ArrayRole | None]:
    name = array.name.lower()
    if array.kind is ArrayKind.TEXT:
        last = re.split(r"[./]", name)[-1]
        if re.fullmatch(_KEY_TOKENS, last):
            return "", ArrayRole.KEY_TOKENS
        return "", ArrayRole.TOKENS if re.fullmatch(_TOKENS, last) else None
    if array.kind is not ArrayKind.NUMBERS or not array.shape:
        return "", None
    parts = re.split(r"[./]", name)
    for count in (2, 1):  # “query.weight” before “query”
        tail = ".".join(parts[-count:])
        for role, pattern in _NAMES:
            named = re.fullmatch(pattern, tail) or (
                role in PROJECTIONS and re.fullmatch(pattern, tail.removesuffix(".weight"))
            )
            if named and (len(array.shape) >= 2 or role is ArrayRole.MASK):
                return ".".join(parts[:-count]), role
    return "", None


def _by_shapes(arrays: Sequence[FoundArray], roles: list[ArrayRole | None]) -> list[ArrayRole | None]:
    """Guess without names: one matrix is weights or scores, two with equal columns are Q and K."""
    matrices = [
        at for at, array in enumerate(arrays) if array.kind is ArrayKind.NUMBERS and len(array.shape) >= 2
    ]
    guessed = list(roles)
    if len(matrices) == 1:
        guessed[matrices[0]] = _of_one(arrays[matrices[0]])
    elif len(matrices) in (2, 3):
        first, second = matrices[:2]
        if arrays[first].shape[-1] == arrays[second].shape[-1]:
            guessed[first], guessed[second] = ArrayRole.Q, ArrayRole.K
            if len(matrices) == 3 and arrays[matrices[2]].shape[-2] == arrays[second].shape[-2]:
                guessed[matrices[2]] = ArrayRole.V
        else:
            guessed[first] = _of_one(arrays[first])
    texts = [at for at, array in enumerate(arrays) if array.kind is ArrayKind.TEXT and len(array.shape) == 1]
    if len(texts) == 1 and not any(role in WORDS for role in guessed):
        guessed[texts[0]] = ArrayRole.TOKENS
    return guessed


def _of_one(array: FoundArray) -> ArrayRole:
    """Tell weights from scores: rows that sum to 1, nothing below 0."""
    if 0 in array.shape or array.shape[-1] * array.shape[-2] > _SMALL:
        return ArrayRole.SCORES
    try:
        part = array.load((0,) * (len(array.shape) - 2)).astype(np.float64)
    except Refusal:
        return ArrayRole.SCORES
    sums = part.sum(axis=1)
    is_weights = np.isfinite(part).all() and (part >= 0).all() and np.abs(sums - 1).max() < 0.02
    return ArrayRole.WEIGHTS if is_weights and part.shape[1] > 1 else ArrayRole.SCORES


def _allows(mask: FoundArray) -> bool:
    """Tell whether 1 means “may look”: not if the name speaks of padding, or some row could see nothing."""
    if _FORBIDS.search(mask.name):
        return False
    if not mask.size or mask.shape[-1] * (mask.shape[-2] if len(mask.shape) > 1 else 1) > _SMALL:
        return True
    try:
        part = mask.load((0,) * max(len(mask.shape) - 2, 0)) != 0
    except Refusal:
        return True
    return bool(part.any(axis=-1).all()) or not bool((~part).any(axis=-1).all())


def _turned_to_fit(arrays: Sequence[FoundArray], choices: list[ArrayChoice]) -> tuple[ArrayChoice, ...]:
    """Turn projections that fit X in one way only."""
    width = next(
        (
            array.shape[-1]
            for array, choice in zip(arrays, choices, strict=True)
            if choice.role is ArrayRole.X and len(array.shape) >= 2
        ),
        None,
    )
    turned = []
    for array, choice in zip(arrays, choices, strict=True):
        if choice.role in PROJECTIONS and width is not None:
            rows, columns = array.shape[-2:]
            if rows != columns and width in (rows, columns):
                choice = first_choice(array, choice.role, columns == width)
        turned.append(choice)
    return tuple(turned)
