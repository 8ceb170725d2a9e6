"""The sentence box as content."""

from __future__ import annotations

from dataclasses import replace

from qkviz.attention.captured import Capture
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.heads import LiveModel
from qkviz.presenters.sentence_box import SentenceMark, present_mark, present_sentence
from tests.captures import FACTS, random_text

ONE = random_text()
LIVE = LiveModel("random-model")


def box(live: LiveModel, *texts, chosen: int = 0):
    return present_sentence(CapturedHead(Capture(FACTS, texts or (ONE,)), chosen), live)


def test_without_a_model_the_text_is_there_to_read():
    content = box(LiveModel())
    assert (content.text, content.can_type, content.has_pair) == ("playing She", False, False)
    assert "open the model" in content.status


def test_with_a_model_it_can_be_typed():
    content = box(LIVE)
    assert content.can_type
    assert (content.status, content.problem) == ("", "")


def test_what_the_model_does_is_told_with_its_share():
    assert box(replace(LIVE, busy="Reading …")).status == "Reading …"
    assert box(replace(LIVE, busy="Reading …", progress=0.4)).status == "Reading … 40%"
    assert box(LiveModel(busy="Loading …")).status == "Loading …"
    assert box(replace(LIVE, problem="The text is empty.")).problem == "The text is empty."


def test_a_pair_has_a_field_of_its_own():
    paired = replace(ONE, pair="the other")
    assert box(LIVE, paired).pair == "the other"
    assert box(LIVE, paired).has_pair
    assert box(replace(LIVE, takes_pairs=True)).has_pair
    assert not box(LiveModel(takes_pairs=True)).has_pair


def test_several_texts_can_be_chosen_from():
    content = box(LIVE, ONE, replace(ONE, text="b " * 80), chosen=1)
    assert content.chosen == "1"
    assert content.texts[0] == ("0", "1 · playing She")
    assert content.texts[1][1].endswith("…")
    assert len(content.texts[1][1]) == 64
    assert box(LIVE).texts == ()


def test_the_chosen_query_is_marked_as_qt_counts():
    captured = CapturedHead(Capture(FACTS, (ONE,)))  # [CLS] play ·ing She [SEP] of "playing She"
    marks = [present_mark(captured, query) for query in (None, 0, 1, 2, 3, 9)]
    assert marks == [None, None, SentenceMark(0, 0, 4), SentenceMark(0, 4, 7), SentenceMark(0, 8, 11), None]
    smiling = replace(ONE, text="😀aying She")  # one code point, two units of UTF-16
    assert present_mark(CapturedHead(Capture(FACTS, (smiling,))), 2) == SentenceMark(0, 5, 8)


def test_a_query_of_the_second_text_is_marked_there():
    tokens = (*ONE.tokens[:3], replace(ONE.tokens[3], segment=1, start=2, end=5), ONE.tokens[4])
    pair = replace(ONE, pair="a she", tokens=tokens)
    assert present_mark(CapturedHead(Capture(FACTS, (pair,))), 3) == SentenceMark(1, 2, 5)
