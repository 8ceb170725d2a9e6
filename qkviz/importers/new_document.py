"""From the arrays of a file to a document, as the user chose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Document
from qkviz.importers.found import ArrayKind, Found, FoundArray, Values
from qkviz.importers.given_mask import mask_of
from qkviz.importers.given_weights import scores_of_weights
from qkviz.importers.roles import HAS_HEADS, WORDS, ArrayChoice, ArrayRole, ImportChoices
from qkviz.translate import Refusal

MOST_TOKENS = 2048
"""Queries or keys of a document; a trace holds a dozen matrices of their product."""

Chosen = Mapping[ArrayRole, tuple[FoundArray, ArrayChoice]]


def document_from(found: Found, choices: ImportChoices) -> Document:
    """Make the document that the choices describe.

    Q and K go before everything, X with its projections before finished scores. X without projections is
    compared with itself: both projections are the identity, and the scores are X Xᵀ.

    Given weights are held as the logarithms of the weights with scale 1, which softmax turns back into them.

    Raises
    ------
    Refusal
        If something is missing, does not fit, or cannot be read; names the arrays and shapes.
    """
    chosen = _chosen(found, choices)
    inputs, scale = _inputs(chosen, choices)
    queries, keys = _labels(chosen, inputs)
    options = AttentionOptions(scale=choices.scale if choices.scale is not None else scale)
    if ArrayRole.MASK in chosen:
        array, choice = chosen[ArrayRole.MASK]
        mask = mask_of(_mask_values(array, choice), array.name, inputs.m, inputs.n, choices.mask_allows)
        options = AttentionOptions(scale=options.scale, mask=mask)
    return Document(queries, keys, inputs, options)


def matrix_values(array: FoundArray, choice: ArrayChoice, choices: ImportChoices) -> Values:
    """Return the matrix (rows, columns) that a choice makes of an array.

    Raises
    ------
    Refusal
        If the array is no matrix or has no such part.
    """
    if array.kind is ArrayKind.TEXT:
        raise Refusal("{name} holds words, not numbers.", name=array.name)
    if len(array.shape) < 2:
        raise Refusal("{name} has {count} axes; a matrix has two.", name=array.name, count=len(array.shape))
    if choice.row_axis == choice.column_axis:
        raise Refusal("Rows and columns of {name} need two different axes.", name=array.name)
    values = array.load(choice.place(array))
    if (choice.row_axis > choice.column_axis) is not choice.is_transposed:
        values = values.T
    if choice.role in HAS_HEADS and choices.heads > 1:
        width, rest = divmod(values.shape[1], choices.heads)
        if rest:
            raise Refusal(
                "{name} has {columns} columns, which cannot be cut into {heads} heads.",
                name=array.name,
                columns=values.shape[1],
                heads=choices.heads,
            )
        values = values[:, choices.head * width : (choices.head + 1) * width]
    return values


def _chosen(found: Found, choices: ImportChoices) -> Chosen:
    chosen: dict[ArrayRole, tuple[FoundArray, ArrayChoice]] = {}
    for array, choice in zip(found.arrays, choices.arrays, strict=True):
        if choice.role is None:
            continue
        if choice.role in chosen:
            raise Refusal(
                "{one} and {other} are both {role}; choose one of them.",
                one=chosen[choice.role][0].name,
                other=array.name,
                role=choice.role.shown,
            )
        chosen[choice.role] = (array, choice)
    return chosen


def _inputs(chosen: Chosen, choices: ImportChoices) -> tuple[AttentionInputs, float | None]:
    """Return the matrices, and the scale that belongs to them."""
    have = set(chosen) - WORDS - {ArrayRole.MASK}
    ways = [
        {ArrayRole.Q, ArrayRole.K} & have,
        {ArrayRole.X, ArrayRole.X_K, ArrayRole.W_Q, ArrayRole.W_K, ArrayRole.W_V} & have,
        {ArrayRole.SCORES} & have,
        {ArrayRole.WEIGHTS} & have,
    ]
    used = [way for way in ways if way]
    if not used:
        raise Refusal("Say what the arrays are: X, or Q and K, or scores, or weights.")
    if len(used) > 1:
        raise Refusal(
            "{one} and {other} lead to weights in two ways; use one and leave the other out.",
            one=", ".join(role.shown for role in ArrayRole if role in used[0]),
            other=", ".join(role.shown for role in ArrayRole if role in used[1]),
        )
    in_order = [role for role in ArrayRole if role in have]  # the first fault named is always the same
    for role in in_order:
        _check_size(role, *chosen[role])
    values = {role: matrix_values(*chosen[role], choices) for role in in_order}

    V = matrix(values[ArrayRole.V], "V") if ArrayRole.V in values else None
    if ways[0]:
        return DirectInputs(
            matrix(_given(values, ArrayRole.Q), "Q"), matrix(_given(values, ArrayRole.K), "K"), V
        ), None
    if ways[1]:
        if V is not None:
            raise Refusal("V belongs to Q and K, or to scores; with X choose W_V.")
        return _projected(values), None
    if ways[2]:
        return GivenScores(matrix(values[ArrayRole.SCORES], "scores"), V), 1.0
    name = chosen[ArrayRole.WEIGHTS][0].name
    return GivenScores(matrix(scores_of_weights(values[ArrayRole.WEIGHTS], name), "weights"), V), 1.0


def _given(values: Mapping[ArrayRole, Values], role: ArrayRole) -> Values:
    if role not in values:
        raise Refusal("{role} is missing: say which array it is.", role=role.shown)
    return values[role]


def _projected(values: Mapping[ArrayRole, Values]) -> ProjectedInputs:
    x = matrix(_given(values, ArrayRole.X), "X")  # (m, d_model)
    x_k = matrix(values[ArrayRole.X_K], "X_k") if ArrayRole.X_K in values else x  # (n, d_model)
    if ArrayRole.W_Q not in values and ArrayRole.W_K not in values:
        same = np.eye(x.shape[1])
        w_q, w_k = matrix(same, "W_Q"), matrix(same, "W_K")
    else:
        w_q = matrix(_given(values, ArrayRole.W_Q), "W_Q")
        w_k = matrix(_given(values, ArrayRole.W_K), "W_K")
    w_v = matrix(values[ArrayRole.W_V], "W_V") if ArrayRole.W_V in values else None
    return ProjectedInputs(x, x_k, w_q, w_k, w_v)


def _check_size(role: ArrayRole, array: FoundArray, choice: ArrayChoice) -> None:
    """Refuse, before anything is read, more tokens than a document can hold."""
    if role in HAS_HEADS - {ArrayRole.Q, ArrayRole.K, ArrayRole.V} or len(array.shape) < 2:
        return
    axes = [choice.row_axis]
    if role in (ArrayRole.SCORES, ArrayRole.WEIGHTS):
        axes.append(choice.column_axis)
    for axis in axes:
        if array.shape[axis] > MOST_TOKENS:
            raise Refusal(
                "{name} is {shape}: {count} tokens, but a document holds at most {most}; save a part of it.",
                name=array.name,
                shape=array.shape_text,
                count=array.shape[axis],
                most=MOST_TOKENS,
            )


def _mask_values(array: FoundArray, choice: ArrayChoice) -> Values:
    if array.kind is ArrayKind.TEXT:
        raise Refusal("{name} holds words, not numbers.", name=array.name)
    if len(array.shape) == 1:
        return array.load()
    return matrix_values(array, choice, ImportChoices(()))


def _labels(chosen: Chosen, inputs: AttentionInputs) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels: those given as tokens, else those that stand beside the numbers, else none."""
    rows, columns = _labels_beside(chosen)
    tokens = _words(chosen, ArrayRole.TOKENS)
    key_tokens = _words(chosen, ArrayRole.KEY_TOKENS)
    queries = tokens or (rows if len(rows) == inputs.m else ()) or ("",) * inputs.m
    if isinstance(inputs, ProjectedInputs) and inputs.is_self_attention:
        return queries, queries
    same = queries if inputs.m == inputs.n and (tokens or not columns) else ()
    keys = key_tokens or (columns if len(columns) == inputs.n and not same else ()) or same
    return queries, keys or ("",) * inputs.n


def _labels_beside(chosen: Chosen) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of queries and of keys that a table brought along."""
    for role in (ArrayRole.SCORES, ArrayRole.WEIGHTS):
        if role in chosen:
            return chosen[role][0].row_labels, chosen[role][0].column_labels
    rows = next((chosen[role][0].row_labels for role in (ArrayRole.Q, ArrayRole.X) if role in chosen), ())
    columns = next(
        (chosen[role][0].row_labels for role in (ArrayRole.K, ArrayRole.X_K) if role in chosen), ()
    )
    return rows, columns


def _words(chosen: Chosen, role: ArrayRole) -> tuple[str, ...]:
    if role not in chosen:
        return ()
    array, choice = chosen[role]
    if len(array.shape) > 1:
        if array.size > MOST_TOKENS:
            raise Refusal("{name} is {shape}; tokens are one list.", name=array.name, shape=array.shape_text)
        place = tuple(choice.at[:-1])
    else:
        place = ()
    if array.size > 64 * MOST_TOKENS or not array.shape:
        raise Refusal("{name} is {shape}; tokens are one list.", name=array.name, shape=array.shape_text)
    words = array.load(place)
    if array.kind is ArrayKind.TEXT:
        return tuple(str(word) for word in words.tolist())
    return tuple(f"{number:.15g}" for number in words.astype(np.float64).tolist())
