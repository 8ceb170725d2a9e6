"""Inputs with a token more or less: a row of everything that stands for it, on its sides."""

from __future__ import annotations

from dataclasses import replace

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrix_changes import (
    Matrix,
    first_vector,
    none_if_zero,
    with_new_row,
    with_zero_column,
    with_zero_row,
    without_column,
    without_row,
)
from qkviz.document.document import Role


def inputs_with_one_more(inputs: AttentionInputs, roles: frozenset[Role]) -> AttentionInputs:
    """Return ``inputs`` with one more query and key, those of ``roles``, at the end."""
    match inputs:
        case ProjectedInputs():
            X_q, X_k = _embeddings_with_one_more(inputs.X_q, inputs.X_k, roles)
            query_offsets, key_offsets = inputs.query_offsets, inputs.key_offsets
            if Role.QUERY in roles and query_offsets is not None:
                query_offsets = with_zero_row(query_offsets)  # (m + 1, d_k)
            if Role.KEY in roles and key_offsets is not None:
                key_offsets = with_zero_row(key_offsets)  # (n + 1, d_k)
            return replace(inputs, X_q=X_q, X_k=X_k, query_offsets=query_offsets, key_offsets=key_offsets)
        case DirectInputs(Q, K, V):
            X_q_now, X_k_now = inputs.X_q, inputs.X_k
            if X_q_now is not None and X_k_now is not None:
                X_q_now, X_k_now = _embeddings_with_one_more(X_q_now, X_k_now, roles)
            if Role.QUERY in roles:
                Q = with_new_row(Q, first_vector(inputs.m, inputs.d_k))  # (m + 1, d_k)
            if Role.KEY in roles:
                K = with_new_row(K, first_vector(inputs.n, inputs.d_k))  # (n + 1, d_k)
                V = None if V is None else with_zero_row(V)  # (n + 1, d_v)
            return DirectInputs(Q, K, V, X_q_now, X_k_now)
        case GivenScores(scores, V):
            if Role.QUERY in roles:
                scores = with_zero_row(scores)  # (m + 1, n)
            if Role.KEY in roles:
                scores = with_zero_column(scores)  # (m, n + 1)
                V = None if V is None else with_zero_row(V)  # (n + 1, d_v)
            return GivenScores(scores, V)


def inputs_without(inputs: AttentionInputs, roles: frozenset[Role], index: int) -> AttentionInputs:
    """Return ``inputs`` without the query and key at ``index``, those of ``roles``."""
    match inputs:
        case ProjectedInputs():
            X_q, X_k = _embeddings_without(inputs.X_q, inputs.X_k, roles, index)
            query_offsets, key_offsets = inputs.query_offsets, inputs.key_offsets
            if Role.QUERY in roles:
                query_offsets = _offsets_without(query_offsets, index)
            if Role.KEY in roles:
                key_offsets = _offsets_without(key_offsets, index)
            return replace(inputs, X_q=X_q, X_k=X_k, query_offsets=query_offsets, key_offsets=key_offsets)
        case DirectInputs(Q, K, V):
            X_q_now, X_k_now = inputs.X_q, inputs.X_k
            if X_q_now is not None and X_k_now is not None:
                X_q_now, X_k_now = _embeddings_without(X_q_now, X_k_now, roles, index)
            if Role.QUERY in roles:
                Q = without_row(Q, index)  # (m − 1, d_k)
            if Role.KEY in roles:
                K = without_row(K, index)  # (n − 1, d_k)
                V = None if V is None else without_row(V, index)  # (n − 1, d_v)
            return DirectInputs(Q, K, V, X_q_now, X_k_now)
        case GivenScores(scores, V):
            if Role.QUERY in roles:
                scores = without_row(scores, index)  # (m − 1, n)
            if Role.KEY in roles:
                scores = without_column(scores, index)  # (m, n − 1)
                V = None if V is None else without_row(V, index)  # (n − 1, d_v)
            return GivenScores(scores, V)


def _embeddings_with_one_more(X_q: Matrix, X_k: Matrix, roles: frozenset[Role]) -> tuple[Matrix, Matrix]:
    if X_q is X_k:
        X = with_new_row(X_q, first_vector(*X_q.shape))  # (m + 1, d_model), one object
        return X, X
    return (
        with_new_row(X_q, first_vector(*X_q.shape)) if Role.QUERY in roles else X_q,  # (m + 1, d_model)
        with_new_row(X_k, first_vector(*X_k.shape)) if Role.KEY in roles else X_k,  # (n + 1, d_model)
    )


def _embeddings_without(
    X_q: Matrix, X_k: Matrix, roles: frozenset[Role], index: int
) -> tuple[Matrix, Matrix]:
    if X_q is X_k:
        X = without_row(X_q, index)  # (m − 1, d_model), one object
        return X, X
    return (
        without_row(X_q, index) if Role.QUERY in roles else X_q,  # (m − 1, d_model)
        without_row(X_k, index) if Role.KEY in roles else X_k,  # (n − 1, d_model)
    )


def _offsets_without(offsets: Matrix | None, index: int) -> Matrix | None:
    """Return the offsets without row ``index``; None when nothing moved is left."""
    return None if offsets is None else none_if_zero(without_row(offsets, index))
