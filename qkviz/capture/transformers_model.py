"""A model of transformers that can be captured, and how it is proved that the capture is true."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from qkviz.attention.captured import CaptureCheck, CapturedText, ModelFacts
from qkviz.attention.captured_layers import AttentionKind
from qkviz.capture.captured_layers import on_cpu
from qkviz.capture.costs import capture_cost
from qkviz.capture.free_memory import megabytes
from qkviz.capture.model import CaptureCost, Step, no_steps
from qkviz.capture.network import Network
from qkviz.capture.self_check import Weights, largest_difference, unexplained
from qkviz.capture.text_reader import ReadText, TextReader
from qkviz.capture.ways import Taken, Way, by_interface, by_watching, by_weights, own_weights
from qkviz.translate import Phrase, Refusal

_FAITHFUL, _FAITHFUL_IN_HALVES = 1e-4, 2e-2
"""Up to this difference of a weight a capture is the model's own; the second for numbers of two bytes."""


@dataclass(frozen=True, eq=False, slots=True)
class _Judged:
    """What was taken, and how far it is from the model's own weights; None: not compared."""

    taken: Taken
    difference: float | None


class TransformersModel:
    """A model of transformers with its tokenizer. Texts are captured one at a time, from any thread.

    Parameters
    ----------
    network, reader
        The model and its tokenizer.
    facts
        What there is to say of it.
    remarks
        What the user should know with every capture, one sentence each.
    """

    def __init__(
        self, network: Network, reader: TextReader, facts: ModelFacts, remarks: tuple[Phrase, ...] = ()
    ) -> None:
        self._network = network
        self._reader = reader
        self._facts = facts
        self._remarks = remarks
        self._ways: tuple[Way, ...] = (by_interface, by_watching)
        self._lock = threading.Lock()  # its attention implementation is one for all runs

    @property
    def facts(self) -> ModelFacts:
        """What there is to say of it."""
        return self._facts

    @property
    def takes_pairs(self) -> bool:
        """Whether a second text can be given: to the decoder, or behind a separator."""
        return self._reader.takes_pairs

    def cost(self, text: str, pair: str | None = None) -> CaptureCost:
        """Return what a capture of a text would take, with the comparison. Only tokenizes.

        Raises
        ------
        Refusal
            If nothing can be made of the text: it is empty, or has more tokens than the model takes.
        """
        read = self._reader.read(text, pair)
        return capture_cost(
            self._network, (len(read.tokens), len(read.decoder_tokens)), self._reader.most_tokens
        )

    def capture(
        self,
        text: str,
        pair: str | None = None,
        *,
        check: bool = True,
        switched_off: frozenset[tuple[int, int]] = frozenset(),
        step: Step = no_steps,
    ) -> CapturedText:
        """Run the model on a text and keep what its attention layers computed.

        The pair of a model with an encoder and a decoder is the decoder's text; without one the decoder gets
        the text too.

        Raises
        ------
        Refusal
            If the text cannot be captured: empty, too long for the model, too large for the memory; if the
            model fails on it or gives no attention; if a head is to be switched off.
        """
        if switched_off:
            raise Refusal("The heads of this model cannot be switched off.")
        read = self._reader.read(text, pair)
        self._check_memory(read)
        with self._lock:
            judged = self._compared(read, step) if check else self._uncompared(read, step)
        _check_shapes(read, judged.taken, self._network.architecture)
        step(1.0)
        return CapturedText(
            text=text,
            pair=pair,
            tokens=read.tokens,
            layers=tuple(on_cpu(judged.taken.layers)),
            check=CaptureCheck(
                way=judged.taken.way,
                largest_difference=judged.difference,
                unexplained=tuple(map(unexplained, judged.taken.captured_layers())),
                remarks=(*self._remarks, *read.remarks, *judged.taken.remarks),
            ),
            decoder_tokens=read.decoder_tokens,
        )

    def _compared(self, read: ReadText, step: Step) -> _Judged:
        """Return the best way whose weights are the model's own."""
        theirs: Weights | None = None
        for way in self._ways:
            taken = way(self._network, read.arguments, _part(step, 0.0, 0.5))
            if not taken.layers:
                continue
            if theirs is None:
                theirs = own_weights(self._network, read.arguments, _part(step, 0.5, 1.0))
            if not theirs:
                remark = Phrase("The model gives no weights of its own to compare with.")
                return _Judged(replace(taken, remarks=(*taken.remarks, remark)), None)
            difference = largest_difference(taken.captured_layers(), theirs)
            if difference <= self._largest_faithful():
                self._ways = (way, *(other for other in self._ways if other is not way))  # first, next time
                return _Judged(taken, difference)
        return self._weights_only(read, theirs, step)

    def _uncompared(self, read: ReadText, step: Step) -> _Judged:
        """Return the first way that gives layers."""
        for way in self._ways:
            taken = way(self._network, read.arguments, step)
            if taken.layers:
                return _Judged(taken, None)
        return self._weights_only(read, None, step)

    def _weights_only(self, read: ReadText, theirs: Weights | None, step: Step) -> _Judged:
        taken = by_weights(own_weights(self._network, read.arguments, step) if theirs is None else theirs)
        if not taken.layers:
            raise Refusal(
                "{architecture} tells nothing of its attention; choose another model.",
                architecture=self._network.architecture,
            )
        return _Judged(taken, None)

    def _largest_faithful(self) -> float:
        return _FAITHFUL if self._network.bytes_of_number >= 4 else _FAITHFUL_IN_HALVES

    def _check_memory(self, read: ReadText) -> None:
        counts = (len(read.tokens), len(read.decoder_tokens))
        cost = capture_cost(self._network, counts, self._reader.most_tokens)
        if cost.available_bytes is not None and cost.bytes > cost.available_bytes:
            raise Refusal(
                "{tokens} tokens need {need} MB of memory, and {left} MB are left; shorten the text.",
                tokens=cost.tokens,
                need=megabytes(cost.bytes),
                left=megabytes(cost.available_bytes),
            )


def _part(step: Step, start: float, end: float) -> Step:
    """Return what tells ``step`` of a part of the whole."""
    return lambda share: step(start + (end - start) * share)


def _check_shapes(read: ReadText, taken: Taken, architecture: str) -> None:
    counts = {
        AttentionKind.ENCODER: (len(read.tokens), len(read.tokens)),
        AttentionKind.DECODER: (len(read.decoder_tokens), len(read.decoder_tokens)),
        AttentionKind.CROSS: (len(read.decoder_tokens), len(read.tokens)),
    }
    for layer in taken.layers:
        if layer.shape != counts[layer.kind]:
            raise Refusal(
                "{architecture} looks from {queries} queries at {keys} keys, but there are {tokens} tokens; "
                "such attention is not shown.",
                architecture=architecture,
                keys=layer.shape[1],
                queries=layer.shape[0],
                tokens=len(read.tokens),
            )
