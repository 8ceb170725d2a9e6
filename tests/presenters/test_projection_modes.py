"""The cards of projections as content."""

from __future__ import annotations

import numpy as np
import pytest

from qkviz.attention.projection_modes import ProjectionMode, mode_projections
from qkviz.document.document import Document
from qkviz.document.edits import BlendProjections
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.projection_modes import ModeCard, favourites, mode_title, present_projection_modes
from qkviz.translate import use_language
from tests.presenters.examples import cat_mat, direct, given, snapshot
from tests.presenters.test_drag_modes import cross

Mode = ProjectionMode


def cards(document: Document, going_to: Mode | None = None, **focus: object) -> dict[Mode, ModeCard]:
    content = present_projection_modes(snapshot(document, **focus), going_to)
    return {card.mode: card for card in content.cards}


def with_mode(document: Document, *modes: Mode) -> Document:
    for mode in modes:
        goal = mode_projections(mode, document.inputs, (0, 2))
        document = BlendProjections(mode_title(mode), document.inputs, *goal).apply(document)
    return document


def test_the_lesson_begins_with_the_identity() -> None:
    shown = cards(lesson_by_number(3).document(), query=0, key=2)
    assert [mode for mode, card in shown.items() if card.chosen] == [Mode.IDENTITY]
    assert [card.title for card in shown.values()] == [
        "Identity",
        "Tied",
        "Made by hand",
        "Roles swapped",
        "Head 1",
        "Head 2",
        "Head 3",
    ]
    assert shown[Mode.IDENTITY].text == "q = k = x, so QKᵀ = XXᵀ"
    assert shown[Mode.BY_HAND].text == "“cat” looks at “mat”, and “mat” not back"


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.SWAPPED])
def test_a_chosen_card_is_marked(mode: Mode) -> None:
    shown = cards(with_mode(lesson_by_number(3).document(), mode), query=0, key=2)
    assert [mode for mode, card in shown.items() if card.chosen] == [mode]


def test_swapped_is_marked_when_another_card_is_the_other_way_round() -> None:
    document = lesson_by_number(3).document()
    swapped = cards(with_mode(document, Mode.HEAD_2, Mode.SWAPPED))
    assert [mode for mode, card in swapped.items() if card.chosen] == [Mode.SWAPPED]
    twice = cards(with_mode(document, Mode.HEAD_2, Mode.SWAPPED, Mode.SWAPPED))
    assert [mode for mode, card in twice.items() if card.chosen] == [Mode.HEAD_2]


def test_on_the_way_the_goal_is_marked() -> None:
    shown = cards(lesson_by_number(3).document(), Mode.HEAD_3)
    assert [mode for mode, card in shown.items() if card.chosen] == [Mode.HEAD_3]


def test_what_cannot_be_chosen_says_why_on_its_card() -> None:
    shown = cards(lesson_by_number(3).document())
    assert shown[Mode.SWAPPED].text == shown[Mode.SWAPPED].off_reason != ""
    assert "off the diagonal" in shown[Mode.BY_HAND].text
    assert shown[Mode.HEAD_1].off_reason == ""
    assert "one X" in cards(cross(), query=0, key=1)[Mode.BY_HAND].off_reason


def test_pictures_are_the_scores_on_one_range() -> None:
    shown = cards(lesson_by_number(3).document(), query=0, key=2)
    identity, by_hand = shown[Mode.IDENTITY].picture, shown[Mode.BY_HAND].picture
    assert identity is not None
    assert by_hand is not None
    assert identity.shape == (3, 3, 3)
    assert (identity == identity.swapaxes(0, 1)).all()  # XXᵀ is symmetric
    assert identity[0, 2].tolist() == by_hand[1, 1].tolist()  # both 0: white
    assert int(identity[0, 0, 0]) > int(identity[0, 0, 2])  # 5: red
    assert int(by_hand[2, 0, 0]) < int(by_hand[2, 0, 2])  # −4: blue
    assert shown[Mode.SWAPPED].picture is None


def test_the_picture_of_swapped_is_the_transpose_of_what_is_shown() -> None:
    document = with_mode(lesson_by_number(3).document(), Mode.HEAD_1)
    shown = cards(document)
    here, there = shown[Mode.HEAD_1].picture, shown[Mode.SWAPPED].picture
    assert here is not None
    assert there is not None
    assert np.array_equal(here.swapaxes(0, 1), there)


def test_the_sentence_names_what_each_word_looks_at() -> None:
    document = with_mode(lesson_by_number(3).document(), Mode.BY_HAND)
    assert favourites(snapshot(document)) == "Each looks most at: “cat” → “mat”, “sit” → “cat”, “mat” → “sit”"


def test_other_shapes_have_cards_too() -> None:
    shown = cards(cat_mat(), query=0, key=2)
    assert shown[Mode.IDENTITY].text == "q = k = the first 2 numbers of x"
    assert all(not card.off_reason for card in shown.values())


@pytest.mark.parametrize("document", [direct([[1.0]], [[1.0]]), given([[1.0]])])
def test_without_projections_there_are_no_cards_but_the_reason(document: Document) -> None:
    content = present_projection_modes(snapshot(document))
    assert content.cards == ()
    assert content.reason == "This document has no W_Q and W_K to choose."


def test_cards_speak_chinese() -> None:
    use_language("zh")
    shown = cards(lesson_by_number(3).document(), query=0, key=2)
    use_language("en")
    assert shown[Mode.BY_HAND].title == "手工制作"
    assert shown[Mode.BY_HAND].text == "“猫”看“垫子”，“垫子”却不看“猫”"
