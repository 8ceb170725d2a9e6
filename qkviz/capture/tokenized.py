"""What a tokenizer says of a text, before anything is written on an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """The tokens of a text, or of a text and its pair, one entry each.

    Parameters
    ----------
    raw
        What the tokenizer calls it ("##ing", "Ġbank").
    offsets
        Start and end in its text, in Unicode code points; equal for a token that stands for no text, and for
        every token of a tokenizer that does not tell.
    words
        Number of its word within its text, counted from 0; None for a token that belongs to none.
    segments
        0 for the text, 1 for its pair; a special token counts to the text that it follows.
    special
        Whether the tokenizer added it.
    unknown
        Whether it stands for what the tokenizer does not know.
    """

    raw: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]
    segments: tuple[int, ...]
    special: tuple[bool, ...]
    unknown: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.raw)


def tokenized_text(tokenizer: Any, ids: Sequence[int], encoded: Any) -> TokenizedText:
    """Return what a tokenizer of transformers made of a text.

    Parameters
    ----------
    tokenizer
        A `PreTrainedTokenizerBase`.
    ids
        The numbers of the tokens.
    encoded
        What calling the tokenizer gave, asked for ``special_tokens_mask``.
    """
    unknown = tokenizer.unk_token_id
    special = tuple(bool(mark) for mark in encoded["special_tokens_mask"])
    if encoded.is_fast:
        fast = encoded.encodings[0]
        offsets = tuple((start, end) for start, end in fast.offsets)
        words, sequences = tuple(fast.word_ids), fast.sequence_ids
    else:
        offsets, words = ((0, 0),) * len(ids), (None,) * len(ids)
        sequences = [None if mark else 0 for mark in special]
    return TokenizedText(
        raw=tuple(tokenizer.convert_ids_to_tokens(list(ids))),
        offsets=offsets,
        words=words,
        segments=_segments(sequences),
        special=special,
        unknown=tuple(token == unknown and not mark for token, mark in zip(ids, special, strict=True)),
    )


def _segments(sequences: Sequence[int | None]) -> tuple[int, ...]:
    segments, latest = [], 0
    for sequence in sequences:
        latest = latest if sequence is None else sequence
        segments.append(latest)
    return tuple(segments)
