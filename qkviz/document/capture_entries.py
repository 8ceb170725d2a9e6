"""What a model did with texts, in the JSON of a document file: facts, tokens, check, layers, and back."""

from __future__ import annotations

from collections.abc import Sequence

from qkviz.attention.captured import (
    Capture,
    CaptureCheck,
    CapturedText,
    CaptureWay,
    ModelFacts,
    NextToken,
    Token,
)
from qkviz.attention.captured_layers import AttentionKind
from qkviz.attention.tensor_arrays import NamedArrays
from qkviz.document.captured_head import CapturedHead
from qkviz.document.container import Array, Tensors
from qkviz.document.json_table import JsonTable
from qkviz.document.layer_entries import LayerTensors, layer_entries, read_layer
from qkviz.document.phrase_entries import number_entry, phrase_entries, read_number, read_numbers, read_phrase
from qkviz.translate import Phrase

_WAYS = {str(way): way for way in CaptureWay}

_FACTS = ("name", "architecture", "source", "licence", "sha256")


def captured_entries(captured: CapturedHead) -> tuple[dict[str, object], dict[str, Array]]:
    """Return a head with the whole capture it stands in, as JSON and tensors."""
    tensors = NamedArrays()
    texts = [
        _text_entries(text, f"capture.{number}", tensors)
        for number, text in enumerate(captured.capture.texts, start=1)
    ]
    entries: dict[str, object] = {
        "text": captured.text,
        "layer": captured.layer,
        "head": captured.head,
        "before": None if captured.before is None else list(captured.before),
        "model": _facts_entries(captured.capture.model),
        "texts": texts,
    }
    return entries, tensors.arrays


def read_captured(table: JsonTable, tensors: Tensors) -> CapturedHead:
    """Return the head that `captured_entries` has written.

    Raises
    ------
    Refusal
        If an entry or a tensor is missing or cannot be used.
    """
    shared = LayerTensors(tensors)
    texts = tuple(_read_text(one, shared) for one in table.tables("texts"))
    capture = Capture(_read_facts(table.table("model")), texts)
    return CapturedHead(
        capture, table.whole("text"), table.whole("layer"), table.whole("head"), _read_before(table)
    )


def _read_before(table: JsonTable) -> tuple[int, int] | None:
    if not table.has("before"):
        return None
    place = table.wholes("before")
    if len(place) != 2:
        table.refuse("before", Phrase("must be a layer and a head"))
    return place[0], place[1]


def _facts_entries(facts: ModelFacts) -> dict[str, object]:
    return {name: getattr(facts, name) for name in _FACTS} | {
        "is_verified": facts.is_verified,
        "note": None if facts.note is None else phrase_entries(facts.note),
    }


def _read_facts(table: JsonTable) -> ModelFacts:
    return ModelFacts(
        **{name: table.text(name) for name in _FACTS},
        is_verified=table.flag("is_verified"),
        note=read_phrase(table.table("note")) if table.has("note") else None,
    )


def _text_entries(text: CapturedText, place: str, tensors: NamedArrays) -> dict[str, object]:
    return {
        "text": text.text,
        "pair": text.pair,
        "tokens": _tokens_entries(text.tokens),
        "decoder_tokens": _tokens_entries(text.decoder_tokens),
        "layers": [
            layer_entries(layer, f"{place}.L{number:02}", tensors)
            for number, layer in enumerate(text.layers, start=1)
        ],
        "check": _check_entries(text.check),
        "next_tokens": [
            {"label": token.label, "probability": number_entry(token.probability)}
            for token in text.next_tokens
        ],
        "switched_off": [list(head) for head in sorted(text.switched_off)],
    }


def _read_text(table: JsonTable, tensors: LayerTensors) -> CapturedText:
    tokens, decoder = _read_tokens(table.table("tokens")), _read_tokens(table.table("decoder_tokens"))
    sizes = {
        AttentionKind.ENCODER: (len(tokens), len(tokens)),
        AttentionKind.DECODER: (len(decoder), len(decoder)),
        AttentionKind.CROSS: (len(decoder), len(tokens)),
    }
    layers = tuple(read_layer(layer, sizes, tensors) for layer in table.tables("layers"))
    if not layers:
        table.refuse("layers", Phrase("must hold at least one layer"))
    return CapturedText(
        text=table.text("text"),
        pair=table.text("pair") if table.has("pair") else None,
        tokens=tokens,
        layers=layers,
        check=_read_check(table.table("check")),
        decoder_tokens=decoder,
        next_tokens=tuple(
            NextToken(token.text("label"), read_number(token, "probability"))
            for token in table.tables("next_tokens")
        ),
        switched_off=frozenset(table.pairs("switched_off")),
    )


def _tokens_entries(tokens: Sequence[Token]) -> dict[str, object]:
    """Return tokens column by column; what is true of few is a list of their positions, from 0."""
    return {
        "labels": [token.label for token in tokens],
        "raw": [token.raw for token in tokens],
        "spans": [[token.start, token.end] for token in tokens],
        "words": [token.word for token in tokens],
        "special": [at for at, token in enumerate(tokens) if token.is_special],
        "unknown": [at for at, token in enumerate(tokens) if token.is_unknown],
        "of_pair": [at for at, token in enumerate(tokens) if token.segment],
    }


def _read_tokens(table: JsonTable) -> tuple[Token, ...]:
    labels, raw, spans = table.texts("labels"), table.texts("raw"), table.pairs("spans")
    words = _read_words(table)
    special, unknown, of_pair = (set(table.wholes(name)) for name in ("special", "unknown", "of_pair"))
    for name, column in (("raw", raw), ("spans", spans), ("words", words)):
        if len(column) != len(labels):
            table.refuse(name, Phrase("must hold {count} values, one for each label", count=len(labels)))
    return tuple(
        Token(label, raw[at], *spans[at], words[at], at in special, at in unknown, int(at in of_pair))
        for at, label in enumerate(labels)
    )


def _read_words(table: JsonTable) -> tuple[int | None, ...]:
    words: list[int | None] = []
    for word in table.items("words"):
        if word is not None and (not isinstance(word, int) or isinstance(word, bool) or word < 0):
            table.refuse("words", Phrase("must hold whole numbers from 0"))
        words.append(word)
    return tuple(words)


def _check_entries(check: CaptureCheck) -> dict[str, object]:
    largest = check.largest_difference
    return {
        "way": str(check.way),
        "largest_difference": None if largest is None else number_entry(largest),
        "unexplained": [number_entry(share) for share in check.unexplained],
        "remarks": [phrase_entries(remark) for remark in check.remarks],
    }


def _read_check(table: JsonTable) -> CaptureCheck:
    has_largest = table.has("largest_difference")
    return CaptureCheck(
        way=table.choice("way", _WAYS),
        largest_difference=read_number(table, "largest_difference") if has_largest else None,
        unexplained=read_numbers(table, "unexplained"),
        remarks=tuple(read_phrase(remark) for remark in table.tables("remarks")),
    )
