"""The three ways to take attention from a model, from the best to the last resort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from qkviz.attention.captured import CaptureWay
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, Layer, WeightsLayer
from qkviz.capture.attention_call import AttentionCall, TakeCall
from qkviz.capture.captured_layers import LayerMaker
from qkviz.capture.model import Step
from qkviz.capture.network import EAGER, Network
from qkviz.capture.recorder import NAME, Recorder, recording
from qkviz.capture.self_check import Weights, weights_of
from qkviz.capture.watcher import Watcher
from qkviz.translate import Phrase

Arguments = dict[str, Tensor]


@dataclass(frozen=True, eq=False, slots=True)
class Taken:
    """What one way gave.

    Parameters
    ----------
    way
        Which it was.
    layers
        In the order of their calls; none if the way does not work for this model.
    remarks
        What the user should know, one sentence each.
    """

    way: CaptureWay
    layers: tuple[Layer, ...]
    remarks: tuple[Phrase, ...] = ()

    def captured_layers(self) -> tuple[CapturedLayer, ...]:
        """Return the layers that have queries and keys."""
        return tuple(layer for layer in self.layers if isinstance(layer, CapturedLayer))


Way = Callable[[Network, Arguments, Step], Taken]
"""Runs a model once, telling its progress."""


def by_interface(network: Network, arguments: Arguments, step: Step) -> Taken:
    """Take what transformers hands to an attention function of our own."""
    layers: list[Layer] = []
    places = network.places(step)
    recorder = Recorder(_made_into(layers, network), places)
    network.use(NAME)
    with recording(recorder):
        network.run(arguments, places)
    unknown = ", ".join(sorted(recorder.unknown))
    remark = Phrase("The model also used {names}, which this program does not know.", names=unknown)
    remarks = (remark,) if unknown else ()
    return Taken(CaptureWay.INTERFACE, tuple(layers), remarks + _left_out(network, len(layers)))


def by_watching(network: Network, arguments: Arguments, step: Step) -> Taken:
    """Take what goes into the product before a softmax, whatever the model is made of."""
    layers: list[Layer] = []
    places = network.places(step)
    network.use(EAGER)
    with Watcher(_made_into(layers, network), places):
        network.run(arguments, places)
    return Taken(CaptureWay.WATCHER, tuple(layers), _left_out(network, len(layers)))


def by_weights(weights: Weights) -> Taken:
    """Take the weights that the model gave, which tell nothing of queries and keys."""
    layers = tuple(WeightsLayer(kind, given) for kind in AttentionKind for given in weights.get(kind, ()))
    remark = Phrase("The model gives its weights only: there are no queries, keys and scores to show.")
    return Taken(CaptureWay.WEIGHTS, layers, (remark,))


def own_weights(network: Network, arguments: Arguments, step: Step) -> Weights:
    """Return the weights of the model's own eager attention; empty if it gives none."""
    network.use(EAGER)
    return weights_of(network.run(arguments, network.places(step), output_attentions=True))


def _left_out(network: Network, taken: int) -> tuple[Phrase, ...]:
    """Return the remark that a model of mixed layers needs, whose layers are counted by their attention."""
    count = network.layer_count()
    if network.has_decoder or not 0 < taken < count:
        return ()
    remark = Phrase(
        "{left} of the model's {count} layers have no attention of this kind; "
        "the others are counted without them.",
        left=count - taken,
        count=count,
    )
    return (remark,)


def _made_into(layers: list[Layer], network: Network) -> TakeCall:
    maker = LayerMaker(has_decoder=network.has_decoder)

    def take(call: AttentionCall) -> None:
        layers.append(maker.layer(call))

    return take
