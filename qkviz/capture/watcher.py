"""Watches a model for a product of matrices that goes into a softmax: attention, whatever it is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from qkviz.capture.attention_call import AttentionCall, TakeCall, scaled_scores
from qkviz.capture.captured_layers import forbidden_by
from qkviz.capture.places import Places
from qkviz.capture.products import Product, product_of, weighted_values

_ROUNDING = 1e-6
"""Up to this share of the largest score, what is left beside scale·q·k is rounding: the model divided where
we multiply."""

_MULTIPLYING = frozenset({"mul", "mul_", "multiply", "__mul__", "__rmul__", "__imul__"})
_DIVIDING = frozenset({"div", "div_", "divide", "true_divide", "__truediv__", "__itruediv__"})
_RESHAPING = frozenset(
    {"contiguous", "expand", "flatten", "permute", "reshape", "transpose", "unflatten", "view"}
    | {"bfloat16", "float", "half", "to", "type", "type_as"}
)
_ADDING = frozenset(
    {"__add__", "__iadd__", "__isub__", "__radd__", "__sub__", "add", "add_", "sub", "sub_"}
    | {"clamp", "dropout", "masked_fill", "masked_fill_", "max", "maximum", "where"}
)


@dataclass(frozen=True, eq=False, slots=True)
class _Trail:
    """What is known of a tensor.

    Parameters
    ----------
    factor
        What it was multiplied by.
    product
        Of which it is made, if any.
    before
        What the two operands of the product had been multiplied by.
    """

    factor: float
    product: Product | None = None
    before: tuple[float, float] = (1.0, 1.0)


class Watcher(TorchFunctionMode):
    """Tells of every call of attention that happens inside ``with``, in this thread.

    It follows tensors from the product of two matrices through numbers, masks and biases to a softmax. What
    was added on the way it takes from the softmax itself: its input, less scale·q·k.

    Parameters
    ----------
    take
        Told of the calls.
    places
        Where the model is.
    """

    def __init__(self, take: TakeCall, places: Places) -> None:
        super().__init__()
        self._take = take
        self._places = places
        self._trails: MutableMapping[Tensor, _Trail] = WeakTensorKeyDictionary()  # by identity
        self._weights: MutableMapping[Tensor, None] = WeakTensorKeyDictionary()  # those of the latest call
        self._latest: AttentionCall | None = None  # still without its values

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)  # type: ignore[no-untyped-call]
        if raised[0] is None:
            self._tell()

    def __torch_function__(
        self,
        function: Callable[..., Any],
        _types: Iterable[type],
        arguments: Sequence[Any] = (),
        named: Mapping[str, Any] | None = None,
    ) -> Any:
        named = named or {}
        result = function(*arguments, **named)
        name = getattr(function, "__name__", "")
        if isinstance(result, Tensor) and name:
            self._see(name, arguments, named, result)
        return result

    def _see(self, name: str, arguments: Sequence[Any], named: Mapping[str, Any], result: Tensor) -> None:
        tensors = [argument for argument in arguments if isinstance(argument, Tensor)]
        if not tensors:
            return
        if name == "softmax":
            self._see_softmax(tensors[0], result)
        elif self._takes_values(name, arguments):
            self._tell()
        elif (product := product_of(name, arguments, named)) is not None:
            self._trails[result] = _Trail(product.factor, product, self._factor(product))
        elif name in _MULTIPLYING:
            self._follow_number(arguments, result, lambda factor, number: factor * number)
        elif name in _DIVIDING:
            self._follow_number(arguments, result, lambda factor, number: factor / number)
        elif name in _RESHAPING:
            self._follow_shape(tensors[0], result)
        elif name in _ADDING:
            self._follow_sum(tensors, result)

    def _factor(self, product: Product) -> tuple[float, float]:
        """Return what the operands of a product were multiplied by before."""
        left, right = self._trails.get(product.left), self._trails.get(product.right)
        return 1.0 if left is None else left.factor, 1.0 if right is None else right.factor

    def _follow_number(
        self, arguments: Sequence[Any], result: Tensor, changed: Callable[[float, float], float]
    ) -> None:
        tensor, number = arguments[0], _number(arguments[1]) if len(arguments) > 1 else None
        trail = self._trails.get(tensor) if isinstance(tensor, Tensor) else None
        if number is not None:
            trail = _Trail(1.0) if trail is None else trail
            self._trails[result] = replace(trail, factor=changed(trail.factor, number))
        elif trail is not None and trail.product is not None:
            self._trails[result] = trail

    def _follow_shape(self, tensor: Tensor, result: Tensor) -> None:
        if (trail := self._trails.get(tensor)) is not None:
            self._trails[result] = trail
        if tensor in self._weights:
            self._weights[result] = None

    def _follow_sum(self, tensors: Sequence[Tensor], result: Tensor) -> None:
        trails = (self._trails.get(tensor) for tensor in tensors)
        trail = next((trail for trail in trails if trail is not None and trail.product is not None), None)
        if trail is not None:
            self._trails[result] = trail
        if tensors[0] in self._weights:
            self._weights[result] = None

    def _see_softmax(self, scores: Tensor, weights: Tensor) -> None:
        trail = self._trails.get(scores)
        if trail is None or trail.product is None or scores.ndim not in (3, 4):
            return
        self._tell()
        call = _call(scores if scores.ndim == 4 else scores.unsqueeze(0), trail, trail.product)
        if call is not None:
            entering = self._places.entering(call.query.shape[0], call.query.shape[2])
            self._latest = replace(call, place=self._places.here(), entering=entering)
            self._weights = WeakTensorKeyDictionary()
            self._weights[weights] = None

    def _takes_values(self, name: str, arguments: Sequence[Any]) -> bool:
        """Give the latest call its values if this is where its weights are multiplied with them."""
        found = weighted_values(name, arguments)
        if found is None or self._latest is None or found[0] not in self._weights:
            return False
        texts, n = self._latest.key.shape[0], self._latest.key.shape[2]
        values = found[1].reshape(texts, -1, n, found[1].shape[-1])
        self._latest = replace(self._latest, value=values)
        return True

    def _tell(self) -> None:
        latest, self._latest = self._latest, None
        if latest is not None:
            self._take(latest)


def _call(masked: Tensor, trail: _Trail, product: Product) -> AttentionCall | None:
    """Return what went into a softmax of (b, heads, m, n); None if the product is not of these shapes."""
    texts, heads, m, n = masked.shape
    width = product.rows.shape[-1]
    if product.rows.shape[-2] != m or product.columns.shape[-2] != n:
        return None
    if product.rows.numel() != texts * heads * m * width or product.columns.numel() % (texts * n * width):
        return None
    by_query, by_key = trail.before
    query = product.rows.reshape(texts, heads, m, width).contiguous() / by_query
    key = product.columns.reshape(texts, -1, n, width).contiguous() / by_key
    scale = trail.factor * by_query * by_key
    forbidden = forbidden_by(masked)
    added = masked.double() - scaled_scores(query, key, scale).double()  # exact: the sum gives masked again
    added = added.masked_fill_(forbidden, 0.0)
    is_rounding = added.abs().max() <= _ROUNDING * masked.masked_fill(forbidden, 0.0).abs().max()
    return AttentionCall(
        place="",
        query=query,
        key=key,
        value=None,
        scale=scale,
        mask=~forbidden if bool(forbidden.any()) else None,
        position_bias=None if bool(is_rounding) else added,
    )


def _number(value: object) -> float | None:
    """Return a positive number that a tensor may have been scaled by; None: it is nothing of the kind."""
    match value:
        case nn.Parameter():
            return None
        case int() | float():
            number = float(value)
        case Tensor(ndim=0):
            number = float(value)
        case _:
            return None
    return number if 0.0 < number < math.inf else None
