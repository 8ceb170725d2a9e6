"""What the attention layers of a trained model computed on a text: queries, keys and values, no products.

A capture grows linearly with the text. What follows from it is computed head by head, by `trace_attention`
like everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from qkviz.attention.captured_layers import AttentionKind, Layer
from qkviz.translate import Phrase


class CaptureWay(StrEnum):
    """How the numbers were taken from the model."""

    INTERFACE = "interface"  # handed over by transformers' own attention interface
    WATCHER = "watcher"  # seen between the matrix product and the softmax
    WEIGHTS = "weights"  # the model gave its weights only; there are no scores
    OWN = "own"  # a model of this project, computed openly


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text.

    Parameters
    ----------
    label
        What stands on the axes; one line, safe to mix with other scripts.
    raw
        What the tokenizer calls it ("##ing", "Ġbank").
    start, end
        Where it stands in its text, in Unicode code points; equal for a token that stands for no text.
    word
        Number of its word within the text, counted from 0; None for a special token.
    is_special, is_unknown
        Added by the tokenizer ([CLS]); not in its vocabulary ([UNK]).
    segment
        0 for the text, 1 for its pair.
    """

    label: str
    raw: str
    start: int = 0
    end: int = 0
    word: int | None = None
    is_special: bool = False
    is_unknown: bool = False
    segment: int = 0


@dataclass(frozen=True, slots=True)
class CaptureCheck:
    """What a comparison with the model's own attention said.

    Parameters
    ----------
    way
        How the numbers were taken.
    largest_difference
        Between a weight here and the model's own; None: nothing to compare with.
    unexplained
        For each layer the share of the masked scores that is not scale·q·k, 0 … 1 (position bias, soft cap).
    remarks
        What the user should know, one sentence each.
    """

    way: CaptureWay
    largest_difference: float | None = None
    unexplained: tuple[float, ...] = ()
    remarks: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class NextToken:
    """A guess of a causal model at the token after the last one; the probability is 0 … 1."""

    label: str
    probability: float


@dataclass(frozen=True, eq=False, slots=True)
class CapturedText:
    """One text as a model saw it.

    Parameters
    ----------
    text, pair
        What was typed; the second text of a pair, or None.
    tokens
        Those of the encoder, or of a model that has one side only.
    layers
        In the order of their calls, at least one.
    check
        Whether the numbers are the model's own.
    decoder_tokens
        Of a model with an encoder and a decoder; else empty.
    next_tokens
        The likeliest next tokens, best first; empty for a model that does not predict.
    switched_off
        (layer, head) whose output was left out, 0-based.
    """

    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    layers: tuple[Layer, ...]
    check: CaptureCheck
    decoder_tokens: tuple[Token, ...] = ()
    next_tokens: tuple[NextToken, ...] = ()
    switched_off: frozenset[tuple[int, int]] = frozenset()

    @property
    def nbytes(self) -> int:
        """Bytes that its tensors take; one that several layers share counts once."""
        return _nbytes(self.layers)

    def queries(self, layer: int) -> tuple[Token, ...]:
        """Return the tokens behind the rows of a layer (0-based)."""
        return self.tokens if self.layers[layer].kind is AttentionKind.ENCODER else self.decoder_tokens

    def keys(self, layer: int) -> tuple[Token, ...]:
        """Return the tokens behind the columns of a layer (0-based)."""
        return self.decoder_tokens if self.layers[layer].kind is AttentionKind.DECODER else self.tokens


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What there is to say of a model.

    Parameters
    ----------
    name, architecture
        "all-MiniLM-L6-v2", "BertModel".
    source
        Where it is: a folder, or "recorded" or "built in".
    licence
        As its makers name it; empty if they do not.
    sha256
        Of its weights, in hexadecimal digits; empty if there is no single file.
    is_verified
        Whether that is the sum this program knows for the name.
    note
        A sentence that has to stand beside every picture of it, or None.
    """

    name: str
    architecture: str
    source: str
    licence: str = ""
    sha256: str = ""
    is_verified: bool = False
    note: Phrase | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Capture:
    """One model and what it did with one or several texts."""

    model: ModelFacts
    texts: tuple[CapturedText, ...] = field(default_factory=tuple)

    @property
    def nbytes(self) -> int:
        """Bytes that its tensors take; one that several texts share counts once."""
        return _nbytes(tuple(layer for text in self.texts for layer in text.layers))


def _nbytes(layers: tuple[Layer, ...]) -> int:
    return sum({id(tensor): tensor.nbytes for layer in layers for tensor in layer.tensors}.values())
