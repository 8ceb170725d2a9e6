"""Parts of a script that depend on one option: the mask, and the function from masked scores to weights."""

from __future__ import annotations

from collections.abc import Iterator

from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Normalizer, Softmax, Sparsemax
from qkviz.presenters.code_arrays import is_large
from qkviz.translate import _


def mask_lines(mask: Mask, m: int, n: int) -> Iterator[str]:
    """Yield the lines that make ``mask`` (m, n): 0 allowed, −inf forbidden."""
    yield "mask = torch.zeros_like(scaled)"
    match mask:
        case NoMask():
            pass
        case CausalMask():
            yield "mask = mask.masked_fill(torch.ones_like(mask).triu(1).bool(), -inf)  # " + _(
                "no query looks at later keys"
            )
        case PaddingMask(padded):
            yield f"mask[:, {sorted(padded)}] = -inf  # " + _("nobody looks at padding")
        case WindowMask(before, after):
            yield f"outside = torch.ones_like(mask).triu({after + 1})"
            yield f"outside = outside + torch.ones_like(mask).tril({-before - 1})"
            yield "mask = mask.masked_fill(outside.bool(), -inf)  # " + _("a window of keys slides along")
        case CellMask(forbidden) if is_large(len(forbidden)):
            yield 'rows, columns = torch.from_numpy(arrays["forbidden"]).T'
            yield "mask[rows, columns] = -inf  # " + _("forbidden one by one")
        case CellMask(forbidden):
            if forbidden:
                rows, columns = zip(*sorted(forbidden), strict=True)
                yield f"mask[{list(rows)}, {list(columns)}] = -inf  # " + _("forbidden one by one")


def normalizer_lines(normalizer: Normalizer, scores: str) -> Iterator[str]:
    """Yield the lines from the matrix called ``scores`` to ``weights``.

    A row without an allowed key may come out as NaN.
    """
    match normalizer:
        case Softmax(temperature):
            if temperature == 1.0:
                yield f"weights = torch.softmax({scores}, dim=1)  # " + _("each row sums to 1")
            else:
                yield f"temperature = {temperature!r}"
                yield f"below = {scores} - {scores}.amax(1, keepdim=True)"
                yield "weights = torch.softmax(below / temperature, dim=1)  # " + _("each row sums to 1")
        case Sparsemax():
            yield from _SPARSEMAX
            yield f"weights = sparsemax({scores})"
        case Entmax15():
            yield from _ENTMAX15
            yield f"weights = entmax15({scores})"
        case Hardmax():
            yield f"best = {scores}.amax(1, keepdim=True)"
            yield "nearly = best - 4 * torch.finfo(best.dtype).eps * best.abs()  # " + _("up to rounding")
            yield f"largest = (({scores} >= nearly) | ({scores} == best)) & ({scores} != -inf)"
            yield "largest = largest.double()"
            yield "weights = largest / largest.sum(1, keepdim=True)  # " + _("equal largest scores share")


_SPARSEMAX = """
def sparsemax(masked):
    below = (masked - masked.amax(1, keepdim=True)).clamp(min=-10)
    ordered = below.sort(1, descending=True).values
    count = torch.arange(1, below.shape[1] + 1)
    sums = ordered.cumsum(1) - 1
    support = (count * ordered > sums).sum(1, keepdim=True).clamp(min=1)
    threshold = sums.gather(1, support - 1) / support
    return (below - threshold).clamp(min=0)

""".splitlines()

_ENTMAX15 = """
def entmax15(masked):
    below = (masked - masked.amax(1, keepdim=True)).clamp(min=-10) / 2
    ordered = below.sort(1, descending=True).values
    count = torch.arange(1, below.shape[1] + 1)
    mean = ordered.cumsum(1) / count
    spread = count * (ordered.square().cumsum(1) / count - mean.square())
    thresholds = mean - ((1 - spread) / count).clamp(min=0).sqrt()
    support = (thresholds <= ordered).sum(1, keepdim=True).clamp(min=1)
    return (below - thresholds.gather(1, support - 1)).clamp(min=0).square()

""".splitlines()
