"""Options with a token more or less: what stands for single queries and keys follows."""

from __future__ import annotations

from dataclasses import replace

from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.matrix_changes import with_zero_column, with_zero_row, without_column, without_row
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Role


def options_with_one_more(options: AttentionOptions, roles: frozenset[Role]) -> AttentionOptions:
    """Return options for one more query and key, those of ``roles``, at the end (itself without a bias).

    A position bias says nothing for it, 0; no mask names it.
    """
    bias = options.bias
    if bias is None:
        return options
    if Role.QUERY in roles:
        bias = with_zero_row(bias)  # (m + 1, n)
    if Role.KEY in roles:
        bias = with_zero_column(bias)  # (m, n + 1)
    return replace(options, bias=bias)


def options_without(options: AttentionOptions, roles: frozenset[Role], index: int) -> AttentionOptions:
    """Return options after the query and key at ``index``, those of ``roles``, have gone."""
    mask, bias = options.mask, options.bias
    if Role.QUERY in roles:
        mask = mask_without_query(mask, index)
        bias = None if bias is None else without_row(bias, index)  # (m − 1, n)
    if Role.KEY in roles:
        mask = mask_without_key(mask, index)
        bias = None if bias is None else without_column(bias, index)  # (m, n − 1)
    return replace(options, mask=mask, bias=bias)


def mask_without_query(mask: Mask, index: int) -> Mask:
    """Return ``mask`` after query ``index`` has gone; later queries move up (itself if nothing changes)."""
    match mask:
        case CellMask(forbidden):
            rest = frozenset((q - (q > index), k) for q, k in forbidden if q != index)
            return CellMask(rest) if rest else NoMask()
        case NoMask() | CausalMask() | PaddingMask() | WindowMask():
            return mask


def mask_without_key(mask: Mask, index: int) -> Mask:
    """Return ``mask`` after key ``index`` has gone; later keys move up (itself if nothing changes)."""
    match mask:
        case PaddingMask(padded):
            rest = frozenset(k - (k > index) for k in padded if k != index)
            return PaddingMask(rest) if rest else NoMask()
        case CellMask(forbidden):
            cells = frozenset((q, k - (k > index)) for q, k in forbidden if k != index)
            return CellMask(cells) if cells else NoMask()
        case NoMask() | CausalMask() | WindowMask():
            return mask
