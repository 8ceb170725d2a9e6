"""The copy model's heads as content: chips, guesses, and sentences that are true of them."""

from __future__ import annotations

import pytest

from qkviz.attention.captured import Capture
from qkviz.capture.copy_accuracy import CopyAccuracies
from qkviz.capture.copy_model import CopyModel, load_copy_model
from qkviz.capture.copy_model_file import COPY_TEXT
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.copy_machine import (
    FIRST,
    SECOND,
    CopyMachineContent,
    accuracy_sentence,
    copy_machine_head,
    present_accuracies,
    present_copy_machine,
)
from tests.captures import random_capture


@pytest.fixture(scope="module")
def model() -> CopyModel:
    return load_copy_model()


def shown(model: CopyModel, text: str, *off: tuple[int, int], layer: int = 1) -> CopyMachineContent:
    captured = model.capture(text, switched_off=frozenset(off))
    return present_copy_machine(CapturedHead(Capture(model.facts, (captured,)), 0, layer, 0))


def test_only_heads_of_the_copy_model_are_shown(model: CopyModel) -> None:
    ours = CapturedHead(Capture(model.facts, (model.capture(COPY_TEXT),)))
    other = CapturedHead(random_capture())
    assert copy_machine_head(head_document(ours)) is ours
    assert copy_machine_head(head_document(other)) is None
    assert copy_machine_head(lesson_by_number(7).document()) is None


def test_the_weights_are_the_models_own(model: CopyModel) -> None:
    content = shown(model, COPY_TEXT)
    run = model.run(model_ids(model, COPY_TEXT))
    last, fox = len(COPY_TEXT.split()), 2
    rows = [(SECOND, last), (FIRST, fox), (FIRST, last)]
    assert [(look.place, at_query(look)) for look in content.looks] == rows
    for look, (place, query) in zip(content.looks, rows, strict=True):
        own = run.heads[place[0]].weights[0, query].tolist()
        assert [word.weight for word in look.words] == pytest.approx(own, abs=1e-6)
        assert [word.label for word in look.words] == ["<s>", *COPY_TEXT.split()]
        for word in look.words:
            assert word.text == (f"{word.weight:.2f}" if word.weight >= 0.05 else "")


def at_query(look) -> int:
    """Return the one position that looks."""
    (query,) = (at for at, word in enumerate(look.words) if word.is_looking)
    return query


def model_ids(model: CopyModel, text: str):
    import torch

    return torch.tensor([[0, *(model.all_words.index(word) for word in text.split())]])


def test_guesses_are_bars(model: CopyModel) -> None:
    guesses = shown(model, COPY_TEXT).guesses
    captured = model.capture(COPY_TEXT)
    assert [(bar.name, bar.share) for bar in guesses] == [
        (guess.label, guess.probability) for guess in captured.next_tokens
    ]
    assert guesses[0].text == f"{guesses[0].share:.2f}"


def test_the_story_of_a_copy(model: CopyModel) -> None:
    first, reason, outcome = shown(model, COPY_TEXT).story
    assert first.startswith("L2 H1 looks from “red” most at “fox” (0.")
    assert "L1 H1 looks from “fox” at the word before" in reason
    assert "that is “red” too" in reason
    assert outcome.startswith("So the model says “fox” once more")


def test_without_an_earlier_copy_the_story_says_so(model: CopyModel) -> None:
    _first, reason, outcome = shown(model, "red fox wind").story
    assert reason == "“wind” was not there before, so there is nothing to copy."
    assert outcome.startswith("The likeliest next word is")


def test_one_word_alone_is_told(model: CopyModel) -> None:
    content = shown(model, "red")
    assert len(content.looks[0].words) == 2
    assert "not there before" in content.story[1]


def test_a_copy_that_is_not_found_is_admitted(model: CopyModel) -> None:
    content = shown(model, "red red")  # the second head rests on the start
    assert content.looks[1].title == "from “<s>”, found by L2 H1"
    assert content.story[1] == "“red” was there before, but L2 H1 did not find what followed."


def test_heads_that_are_off_are_told(model: CopyModel) -> None:
    first = shown(model, COPY_TEXT, FIRST)
    assert [look.is_off for look in first.looks] == [False, True, True]
    assert first.story[1].startswith("L1 H1 is off")
    assert "once more" not in first.story[2]
    second = shown(model, COPY_TEXT, SECOND)
    assert [look.is_off for look in second.looks] == [True, False, False]
    assert second.story[2] == "L2 H1 is off: it looks, but hands nothing on."


def test_the_head_of_the_document_is_marked(model: CopyModel) -> None:
    assert [look.is_chosen for look in shown(model, COPY_TEXT).looks] == [True, False, False]
    assert [look.is_chosen for look in shown(model, COPY_TEXT, layer=0).looks] == [False, True, True]


def test_every_word_it_knows_is_listed(model: CopyModel) -> None:
    content = shown(model, COPY_TEXT)
    assert content.words.startswith("It knows 61 words: ")
    assert all(word in content.words for word in model.words)
    assert "artificial sequences" in content.note


def test_accuracies_are_three_bars_and_a_sentence() -> None:
    measured = CopyAccuracies(200, 4, 0.9931, 0.0751, 0.0134)
    assert [(bar.name, bar.text) for bar in present_accuracies(measured)] == [
        ("both on", "0.99"),
        ("L1 H1 off", "0.08"),
        ("L2 H1 off", "0.01"),
    ]
    assert "200 fresh sequences, seed 4" in accuracy_sentence(measured)
    assert "0.02" in accuracy_sentence(measured)  # 1 / 61
