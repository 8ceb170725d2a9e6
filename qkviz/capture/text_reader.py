"""A text as a model takes it: numbers for the tokens, and the tokens for the axes."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from qkviz.attention.captured import Token
from qkviz.capture.token_labels import token_labels
from qkviz.capture.tokenized import TokenizedText, tokenized_text
from qkviz.translate import Phrase, Refusal


@dataclass(frozen=True, eq=False, slots=True)
class ReadText:
    """A text that a model can take.

    Parameters
    ----------
    arguments
        What the model is called with, (1, tokens) each.
    tokens, decoder_tokens
        Those of the axes; no decoder tokens for a model without a decoder.
    remarks
        What the user should know of them, one sentence each.
    """

    arguments: dict[str, Tensor]
    tokens: tuple[Token, ...]
    decoder_tokens: tuple[Token, ...] = ()
    remarks: tuple[Phrase, ...] = ()


class TextReader:
    """The tokenizer of a model.

    A model with an encoder and a decoder gives its decoder a text too: the pair, or the text itself where
    there is none, behind the token that such a decoder starts with.

    Parameters
    ----------
    tokenizer
        A `PreTrainedTokenizerBase`.
    forward
        What the model is called by; it gets only what it has a parameter for.
    most_tokens
        What the model takes at most; None if it has no limit.
    decoder_start
        Number of the token that the decoder starts with; None: the model has no decoder.
    """

    def __init__(
        self,
        tokenizer: Any,
        forward: Callable[..., object],
        most_tokens: int | None,
        decoder_start: int | None,
    ) -> None:
        self._tokenizer = tokenizer
        self._accepted = frozenset(inspect.signature(forward).parameters)
        self.most_tokens = most_tokens
        self._decoder_start = decoder_start
        self._lock = threading.Lock()  # a fast tokenizer refuses a second thread

    @property
    def has_decoder(self) -> bool:
        """Whether the model has an encoder and a decoder."""
        return self._decoder_start is not None

    @property
    def takes_pairs(self) -> bool:
        """Whether a second text can be given: to the decoder, or behind a separator."""
        return self.has_decoder or self._tokenizer.sep_token_id is not None

    def read(self, text: str, pair: str | None = None) -> ReadText:
        """Return a text as the model takes it.

        Raises
        ------
        Refusal
            If it is empty or no text, if the model takes no pairs, or if there are more tokens than it takes.
        """
        _check_typed(text, Phrase("The text"))
        if pair is not None:
            _check_typed(pair, Phrase("The second text"))
            if not self.takes_pairs:
                raise Refusal("This model takes one text only; leave the second one out.")
        if self._decoder_start is None:
            return self._read_side(text, pair)
        encoder = self._read_side(text, None)
        ids, tokens = self._decoder_side(pair or text, self._decoder_start)
        arguments = encoder.arguments | self._accepted_of(
            {"decoder_input_ids": ids, "decoder_attention_mask": [1] * len(ids)}
        )
        return ReadText(arguments, encoder.tokens, tokens, encoder.remarks)

    def _read_side(self, text: str, pair: str | None) -> ReadText:
        with self._lock:
            encoded = self._tokenizer(text, pair, return_special_tokens_mask=True, verbose=False)
        ids = encoded["input_ids"]
        tokenized = tokenized_text(self._tokenizer, ids, encoded)
        self._check_count(tokenized)
        given = {name: values for name, values in encoded.items() if name != "special_tokens_mask"}
        return ReadText(
            self._accepted_of(given),
            token_labels(text, pair, tokenized),
            remarks=self._remarks(ids, tokenized),
        )

    def _decoder_side(self, text: str, start: int) -> tuple[list[int], tuple[Token, ...]]:
        with self._lock:
            encoded = self._tokenizer(text_target=text, return_special_tokens_mask=True, verbose=False)
        ids = encoded["input_ids"]
        tokenized = tokenized_text(self._tokenizer, ids, encoded)
        ends = ids[-1] == self._tokenizer.eos_token_id
        count = len(ids) - 1 if ends else len(ids)
        tokenized = TokenizedText(
            raw=(self._tokenizer.convert_ids_to_tokens(start), *tokenized.raw[:count]),
            offsets=((0, 0), *tokenized.offsets[:count]),
            words=(None, *tokenized.words[:count]),
            segments=(0, *tokenized.segments[:count]),
            special=(True, *tokenized.special[:count]),
            unknown=(False, *tokenized.unknown[:count]),
        )
        self._check_count(tokenized)
        return [start, *ids[:count]], token_labels(text, None, tokenized)

    def _accepted_of(self, given: dict[str, list[int]]) -> dict[str, Tensor]:
        return {name: torch.tensor([values]) for name, values in given.items() if name in self._accepted}

    def _check_count(self, tokenized: TokenizedText) -> None:
        if all(tokenized.special):
            raise Refusal("The model's tokenizer makes no token of the text; type a word.")
        if self.most_tokens is not None and len(tokenized) > self.most_tokens:
            raise Refusal(
                "The text has {count} tokens, and the model takes {most} at most; shorten it.",
                count=len(tokenized),
                most=self.most_tokens,
            )

    def _remarks(self, ids: list[int], tokenized: TokenizedText) -> tuple[Phrase, ...]:
        typed = [
            known for known, special in zip(tokenized.unknown, tokenized.special, strict=True) if not special
        ]
        remarks = (
            [Phrase("The model knows none of these words; to it they are all the same.")]
            if all(typed)
            else []
        )
        names = set(self._tokenizer.all_special_ids) - {self._tokenizer.unk_token_id}
        remarks += [
            Phrase("“{token}” was typed, and the model takes it for its own special token.", token=raw)
            for number, raw, special in zip(ids, tokenized.raw, tokenized.special, strict=True)
            if number in names and not special
        ]
        return tuple(remarks)


def _check_typed(text: str, which: Phrase) -> None:
    if not text.strip():
        raise Refusal("{which} is empty; type a sentence.", which=which)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refusal(
            "{which} holds half a character at position {place}; delete it.",
            which=which,
            place=error.start + 1,
        ) from error
