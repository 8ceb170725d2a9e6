"""The copy model, ready to look at what is typed: a causal model that is always there, and small."""

from __future__ import annotations

import re
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from qkviz.attention.captured import CaptureCheck, CapturedText, CaptureWay, ModelFacts, NextToken, Token
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from qkviz.attention.masks import CausalMask
from qkviz.attention.trace import trace_attention
from qkviz.capture.copy_model_file import StoredCopyModel, read_copy_model
from qkviz.capture.copy_network import LAYERS, POSITIONS, WIDTH, Ablation, HeadRun, NetworkRun
from qkviz.capture.copy_sequences import START
from qkviz.capture.free_memory import free_memory
from qkviz.capture.model import CaptureCost, Step, no_steps
from qkviz.translate import Refusal

MOST_WORDS = POSITIONS - 1
"""Words of a text; the mark of the start takes one position."""

GUESSES = 5

_FLOAT32 = 4
_NAMED = 6  # words that a refusal names, of those it could


class CopyModel:
    """The network with its vocabulary. Words are what stands between blanks, in small letters or not."""

    def __init__(self, stored: StoredCopyModel) -> None:
        self._stored = stored
        self._numbers = {word: number for number, word in enumerate(self.all_words) if number != START}

    @property
    def facts(self) -> ModelFacts:
        """What there is to say of it."""
        return self._stored.facts

    @property
    def takes_pairs(self) -> bool:
        """False: it reads one sequence."""
        return False

    @property
    def all_words(self) -> tuple[str, ...]:
        """The vocabulary in the order of its numbers, the mark of the start included."""
        return self._stored.notes.words

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that can be typed, in alphabetical order."""
        return tuple(sorted(self._numbers))

    def cost(self, text: str, pair: str | None = None) -> CaptureCost:
        """Return what a capture takes: Q, K, V and X of two heads, and at the peak their weights.

        Raises
        ------
        Refusal
            As `capture`.
        """
        n = len(self._tokens(text, pair))
        kept = LAYERS * 4 * n * WIDTH * _FLOAT32
        run = LAYERS * 2 * n * n * _FLOAT32 + n * len(self.all_words) * _FLOAT32
        return CaptureCost(n, kept + run, kept, free_memory(), POSITIONS)

    @torch.no_grad()
    def run(self, ids: Tensor, switched_off: frozenset[tuple[int, int]] = frozenset()) -> NetworkRun:
        """Run the network on numbers of words (batch, n), with the outputs of some heads at their means.

        Raises
        ------
        Refusal
            If there is no such head to switch off.
        """
        for layer, head in sorted(switched_off):
            if not 0 <= layer < LAYERS or head != 0:
                raise Refusal(
                    "The copy model has no head L{layer} H{head}; it has {layers} layers of one head each.",
                    layer=layer + 1,
                    head=head + 1,
                    layers=LAYERS,
                )
        layers = frozenset(layer for layer, _head in switched_off)
        return self._stored.network.run(ids, Ablation(layers, self._stored.means))

    @torch.no_grad()
    def capture(
        self,
        text: str,
        pair: str | None = None,
        *,
        check: bool = True,
        switched_off: frozenset[tuple[int, int]] = frozenset(),
        step: Step = no_steps,
    ) -> CapturedText:
        """Run the model on a text and keep what its heads computed.

        Raises
        ------
        Refusal
            If the text is empty, too long or has a word the model does not know, if there is a second text,
            or if there is no such head to switch off.
        """
        tokens = self._tokens(text, pair)
        ids = torch.tensor([[START] + [self._numbers[token.raw] for token in tokens[1:]]])
        run = self.run(ids, switched_off)
        layers = []
        for number, head in enumerate(run.heads, start=1):
            layers.append(_layer(head))
            step(number / LAYERS)
        return CapturedText(
            text=text,
            pair=None,
            tokens=tokens,
            layers=tuple(layers),
            check=_check(tuple(layers)) if check else CaptureCheck(CaptureWay.OWN),
            next_tokens=self._guesses(run.logits[0, -1]),
            switched_off=switched_off,
        )

    def _tokens(self, text: str, pair: str | None) -> tuple[Token, ...]:
        """Return the mark of the start and the words of ``text``."""
        if pair is not None:
            raise Refusal("The copy model reads one sequence; leave the second text empty.")
        found = list(re.finditer(r"\S+", text))
        if not found:
            raise Refusal(
                "There is no word to look at; type words such as {words}.", words=self._some_words()
            )
        if len(found) > MOST_WORDS:
            raise Refusal(
                "The text has {count} words, but the copy model takes {most} at most; shorten it.",
                count=len(found),
                most=MOST_WORDS,
            )
        start = self.all_words[START]
        tokens = [Token(start, start, is_special=True)]
        for number, word in enumerate(found):
            known = word.group().lower()
            if known not in self._numbers:
                raise Refusal(
                    "The copy model does not know the word “{word}”. It knows {count}, {words} for example; "
                    "the panel Copy machine lists them all.",
                    word=word.group(),
                    count=len(self._numbers),
                    words=self._some_words(),
                )
            tokens.append(Token(known, known, *word.span(), word=number))
        return tuple(tokens)

    def _some_words(self) -> str:
        return ", ".join(self.words[:: -(-len(self.words) // _NAMED)])

    def _guesses(self, logits: Tensor) -> tuple[NextToken, ...]:
        """Return the likeliest next words of logits (words,), best first."""
        best = logits.double().softmax(dim=0).topk(GUESSES)
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return tuple(NextToken(self.all_words[number], probability) for number, probability in pairs)


def load_copy_model() -> CopyModel:
    """Return the shipped model."""
    return CopyModel(read_copy_model())


def _layer(head: HeadRun) -> CapturedLayer:
    x = head.x[0]
    return CapturedLayer(
        kind=AttentionKind.ENCODER,
        Q=head.Q,
        K=head.K,
        V=head.V,
        scale=WIDTH**-0.5,
        mask=CausalMask(),
        X_q=x,
        X_k=x,
    )


def _check(layers: tuple[CapturedLayer, ...]) -> CaptureCheck:
    """Compare the weights with those of PyTorch's own attention, whose output for values 1 0 … they are."""
    differences = []
    for layer in layers:
        unit = torch.eye(layer.shape[1]).unsqueeze(0)  # (1, n, n)
        own = functional.scaled_dot_product_attention(layer.Q, layer.K, unit, is_causal=True)[0]  # (n, n)
        shown = trace_attention(layer.inputs(0), layer.options(0)).weights
        differences.append(float((shown - own).abs().max()))
    return CaptureCheck(CaptureWay.OWN, max(differences), (0.0,) * len(layers))
