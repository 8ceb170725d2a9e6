"""What the Contexts panel shows: lines, the pair and its sentences, against numbers of numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from qkviz.attention.captured import Capture
from qkviz.attention.captured_layers import CapturedLayer
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.contexts import (
    ContextsChoice,
    ContextsContent,
    CosineScope,
    WordRows,
    gather_rows,
    place_at,
    present_contexts,
)
from tests.captures import FACTS, random_capture, random_cross_text, random_text, random_weights_text
from tests.sentences import BANKS, sentence_capture


def shown(
    capture: Capture, choice: ContextsChoice | None = None, *, text: int = 0, layer: int = 0, head: int = 0
) -> ContextsContent:
    choice = ContextsChoice() if choice is None else choice
    captured = CapturedHead(capture, text, layer, head)
    return present_contexts(captured, gather_rows(captured, choice), choice)


def rows_of(captured: CapturedHead, choice: ContextsChoice) -> WordRows:
    rows = gather_rows(captured, choice)
    assert rows is not None
    return rows


def row_by_numpy(
    capture: Capture, text: int, layer: int, head: int, query: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and weights of a query in a head whose keys are its own and 4 numbers long."""
    called = capture.texts[text].layers[layer]
    assert isinstance(called, CapturedLayer)
    scores = called.K[head].numpy().astype(np.float64) @ called.Q[head, query].numpy().astype(np.float64)
    powers = np.exp(scores / 2 - (scores / 2).max())
    return scores, powers / powers.sum()


# lines


def test_without_a_capture_another_sentence_or_a_shared_word_there_is_a_reason() -> None:
    assert "lesson 4" in present_contexts(None, None, ContextsChoice()).reason
    assert "only this one sentence" in shown(random_capture()).reason
    assert "two of these 2 texts" in shown(sentence_capture("one word", "another thing")).reason


def test_the_word_that_most_texts_share_is_shown_until_another_is_chosen() -> None:
    capture = sentence_capture(*BANKS)
    content = shown(capture)
    assert content.word == "bank"
    assert content.words == (("bank", "bank · 3 texts"), ("the", "the · 2 texts"))
    assert content.headline == "“bank” in 3 of 4 texts · L1 H1"
    assert [line.text for line in content.lines] == [0, 1, 3]
    the = shown(capture, ContextsChoice("THE"))
    assert (the.word, [line.text for line in the.lines]) == ("the", [0, 1])
    assert shown(capture, ContextsChoice("loan")).word == "bank"  # it stands in one text only


def test_a_line_has_the_weights_of_the_words_row_and_writes_the_largest_three() -> None:
    capture = sentence_capture(*BANKS)
    line = shown(capture, head=1).lines[1]
    scores, weights = row_by_numpy(capture, 1, 0, 1, 5)
    assert [chip.label for chip in line.chips] == ["[CLS]", *BANKS[1].split(), "[SEP]"]
    written = {at for at, chip in enumerate(line.chips) if chip.number}
    assert written == set(np.argsort(-weights)[:3].tolist())
    for at in written:
        assert line.chips[at].number == f"{weights[at]:.2f}"
    assert [chip.is_special for chip in line.chips] == [True, *[False] * 7, True]
    assert [at for at, chip in enumerate(line.chips) if chip.is_asking] == [5]
    at = int(weights.argmax())
    number = f"{scores[at]:.2f}".replace("-", "−")
    assert f"{line.chips[at].label} {weights[at]:.2f} (score {number})".replace(" ", "\u00a0") in line.summary


def test_shades_are_on_one_scale_for_all_lines() -> None:
    capture = sentence_capture(*BANKS)
    rows = [row_by_numpy(capture, text, 2, 0, at)[1] for text, at in ((0, 5), (1, 5), (3, 1))]
    largest = max(row.max() for row in rows)
    for line, row in zip(shown(capture, layer=2).lines, rows, strict=True):
        assert [chip.shade for chip in line.chips] == pytest.approx((row / largest).tolist(), rel=1e-9)


def test_words_from_right_to_left_leave_the_numbers_in_their_places() -> None:
    content = shown(sentence_capture("هذا مصرف", "مصرف كبير"))
    assert content.words[0] == ("مصرف", "\u2068مصرف\u2069 · 2 texts")
    words = [line.summary.split("words: ")[-1] for line in content.lines]
    assert all(text.index("\u2068") < text.index("\u2069") < text.index("score") for text in words)


def test_where_a_special_token_is_the_largest_the_largest_word_is_told_too() -> None:
    capture = sentence_capture(*BANKS)
    summaries = [line.summary for layer in (0, 1, 2) for line in shown(capture, layer=layer).lines]
    special = [one for one in summaries if one.startswith(("largest: [CLS]", "largest: [SEP]"))]
    assert special
    assert all("; of the words: " in one for one in special)
    assert all("of the words" not in one for one in summaries if one not in special)


def test_of_a_repeated_word_one_place_asks_and_the_choice_is_kept_by_text() -> None:
    capture = sentence_capture(*BANKS)
    first = shown(capture).lines[2]
    assert [(chip.place, chip.is_asking) for chip in first.chips if chip.place is not None] == [
        (0, True),
        (1, False),
    ]
    second = shown(capture, ContextsChoice().with_place(3, 1)).lines[2]
    assert (second.place, second.places) == (1, 2)
    assert second.chips[3].is_asking
    assert (
        shown(capture, ContextsChoice().with_place(3, 9)).lines[2].place == 1
    )  # the text has become another
    assert ContextsChoice("bank").with_place(3, 1).with_word("the").places == ()
    assert ContextsChoice("bank").with_place(3, 1).with_word("Bank").places == ((3, 1),)


def test_a_word_of_two_tokens_says_whose_row_it_is() -> None:
    capture = Capture(FACTS, tuple(random_text(tokens=5, seed=seed) for seed in (1, 2)))
    content = shown(capture, ContextsChoice("playing"))
    assert content.note == "It is 2 tokens; the row is that of the last one, “·ing”."
    assert [chip.is_asking for chip in content.lines[0].chips] == [False, True, True, False, False]


def test_what_a_causal_mask_hides_is_shown_as_hidden() -> None:
    capture = Capture(FACTS, tuple(random_cross_text(seed=seed) for seed in (1, 2)))
    line = shown(capture, ContextsChoice("d2"), layer=1).lines[0]
    assert [chip.is_forbidden for chip in line.chips] == [False, False, True]
    assert line.chips[2].tip == "“d3”: masked"
    assert line.chips[2].shade == 0.0


def test_across_two_texts_the_word_is_none_of_the_keys() -> None:
    capture = Capture(FACTS, tuple(random_cross_text(seed=seed) for seed in (1, 2)))
    content = shown(capture, ContextsChoice("d2"), layer=2)
    assert [chip.label for chip in content.lines[0].chips] == ["[CLS]", "play", "·ing", "She", "[SEP]"]
    assert not any(chip.is_asking for chip in content.lines[0].chips)
    assert content.pair is not None
    assert not any(cell.is_word for pair in content.pair.rows for cell in pair if cell is not None)


# the pair


def marks(content: ContextsContent) -> dict[int, str]:
    return {line.text: line.mark for line in content.lines}


def test_a_is_the_text_on_the_screen_and_b_the_chosen_one() -> None:
    capture = sentence_capture(*BANKS)
    assert marks(shown(capture, text=1)) == {0: "", 1: "A", 3: "B"}
    assert marks(shown(capture, ContextsChoice(other=0), text=1)) == {0: "B", 1: "A", 3: ""}
    assert marks(shown(capture, ContextsChoice(other=1), text=1)) == {0: "", 1: "A", 3: "B"}
    without = shown(capture, text=2)  # “A loan” is on the screen
    assert marks(without) == {0: "A", 1: "B", 3: ""}
    assert not any(line.is_shown for line in without.lines)


def test_the_rows_stand_side_by_side_by_position_on_one_scale() -> None:
    capture = sentence_capture(*BANKS)
    pair = shown(capture, ContextsChoice(other=3), layer=1).pair
    assert pair is not None
    assert pair.texts == (BANKS[0], BANKS[3])
    assert len(pair.rows) == 10
    assert pair.rows[9][1] is None
    (scores, weights), (_scores, others) = (row_by_numpy(capture, *at) for at in ((0, 1, 0, 5), (3, 1, 0, 1)))
    left = [cell for cell, _other in pair.rows if cell is not None]
    assert [cell.score for cell in left] == [f"{score:.2f}".replace("-", "−") for score in scores]
    assert [cell.weight for cell in left] == [f"{weight:.2f}" for weight in weights]
    largest = max(weights.max(), others.max())
    assert [cell.share for cell in left] == pytest.approx((weights / largest).tolist(), rel=1e-9)
    assert [cell.is_largest for cell in left].index(True) == int(weights.argmax())


def test_in_the_first_layer_the_query_is_said_to_be_the_same_and_in_the_second_to_have_turned() -> None:
    capture = sentence_capture(*BANKS)
    first, second = (shown(capture, layer=layer).pair for layer in (0, 1))
    assert first is not None
    assert second is not None
    assert first.sentences[1] == (
        "The query of “bank” is the same bit by bit in both texts; "
        "the answers differ because the keys differ."
    )
    a, b = (text.layers[1].Q[:, 5].numpy().astype(np.float64).ravel() for text in capture.texts[:2])  # type: ignore[union-attr]
    cosine = a @ b / np.sqrt((a @ a) * (b @ b))
    angle = np.degrees(np.arccos(cosine))
    assert second.sentences[1] == (
        f"“bank” itself asks differently in B: its q has turned by {angle:.1f}° "
        f"(cosine {cosine:.3f}; layer 2, all heads)."
    )


def test_cosines_of_one_head_are_told_as_such() -> None:
    capture = sentence_capture(*BANKS)
    pair = shown(capture, ContextsChoice(scope=CosineScope.HEAD), layer=2, head=1).pair
    assert pair is not None
    a, b = (text.layers[2].Q[1, 5].numpy().astype(np.float64) for text in capture.texts[:2])  # type: ignore[union-attr]
    assert f"(cosine {a @ b / np.sqrt((a @ a) * (b @ b)):.3f}; L3 H2)" in pair.sentences[1].replace("−", "-")
    assert pair.scope_words == ("all heads", "head 2")


def test_the_chart_has_a_point_for_q_k_and_x_of_every_layer() -> None:
    pair = shown(sentence_capture(*BANKS), layer=1).pair
    assert pair is not None
    assert pair.chart is not None
    assert [series.name for series in pair.chart.series] == ["q", "k", "x", "this layer"]
    assert [series.xs for series in pair.chart.series[:3]] == [(1.0, 2.0, 3.0)] * 3
    assert pair.chart.series[3].xs == (2.0, 2.0, 2.0)
    assert pair.chart.y.low <= min(y for series in pair.chart.series for y in series.ys)


def test_one_sentence_twice_gives_one_row_twice() -> None:
    pair = shown(sentence_capture(BANKS[0], BANKS[0])).pair
    assert pair is not None
    assert pair.sentences[1] == (
        "The query of “river” is the same bit by bit in both texts, and so is its row."
    )


def test_at_another_position_the_reader_is_warned() -> None:
    pair = shown(sentence_capture(*BANKS), ContextsChoice(other=3)).pair
    assert pair is not None
    assert pair.sentences[-1].startswith("“bank” is token 6 in A and token 2 in B;")


def test_a_model_that_tells_weights_only_has_neither_scores_nor_a_chart() -> None:
    text = random_weights_text(tokens=7)
    content = shown(Capture(FACTS, (text, text)))
    assert content.pair is not None
    assert content.pair.chart is None
    assert content.pair.score_name == ""
    assert any("tells its weights only" in sentence for sentence in content.pair.sentences)
    assert "score" not in content.lines[0].summary


def test_a_zero_query_has_no_cosine_and_says_so() -> None:
    text = random_text(layers=1, tokens=6)
    layer = text.layers[0]
    assert isinstance(layer, CapturedLayer)
    dead = replace(text, layers=(replace(layer, Q=torch.zeros_like(layer.Q)),))
    pair = shown(Capture(FACTS, (text, dead))).pair
    assert pair is not None
    assert any("is the zero vector here" in sentence for sentence in pair.sentences)
    assert pair.chart is not None
    assert "q" not in [series.name for series in pair.chart.series]


# what stays


def test_rows_stay_for_another_text_of_the_same_head_and_go_with_anything_else() -> None:
    capture, choice = sentence_capture(*BANKS), ContextsChoice()
    rows = rows_of(CapturedHead(capture), choice)
    assert rows.is_for(CapturedHead(capture, text=1), choice)
    assert rows.is_for(CapturedHead(capture), ContextsChoice("Bank", other=1, scope=CosineScope.HEAD))
    assert not rows.is_for(CapturedHead(capture, layer=1), choice)
    assert not rows.is_for(CapturedHead(capture, head=1), choice)
    assert not rows.is_for(CapturedHead(capture), ContextsChoice("the"))
    assert not rows.is_for(CapturedHead(capture), choice.with_place(3, 1))
    assert not rows.is_for(CapturedHead(sentence_capture(*BANKS)), choice)


def test_the_word_of_a_row_is_found_if_others_share_it() -> None:
    captured = CapturedHead(sentence_capture(*BANKS), text=3)
    words = rows_of(captured, ContextsChoice()).words
    assert place_at(captured, 3, words) == ("bank", 1)
    assert place_at(captured, 2, words) is None  # “or” stands here only
    assert place_at(captured, 0, words) is None  # [CLS]
