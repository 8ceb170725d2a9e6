"""What is said of a model, and of the truth of what was taken from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qkviz.attention.captured import Capture, CaptureCheck, CaptureWay
from qkviz.presenters.capture_facts import (
    check_words,
    present_capture_facts,
    present_least_facts,
    unexplained_words,
)
from qkviz.presenters.runs import line_text
from qkviz.translate import Phrase
from tests.captures import FACTS, random_text


def lines(model=FACTS, check: CaptureCheck | None = None) -> list[str]:
    text = random_text()
    text = text if check is None else replace(text, check=check)
    return [line_text(line) for line in present_capture_facts(Capture(model, (text,)), text)]


def test_name_source_and_licence_stand_first():
    first = lines()[0]
    for fact in ("random-model", "RandomModel", "/models/random", "Apache-2.0", "not known"):
        assert fact in first
    assert "verified" in lines(replace(FACTS, is_verified=True))[0]


def test_of_a_long_path_its_end_is_shown():
    model = replace(FACTS, source="/home/somebody/models/language/small")
    assert "…/language/small" in lines(model)[0]
    assert "somebody" not in lines(model)[0]


def test_the_note_of_a_model_stands_beside_it():
    model = replace(FACTS, note=Phrase("It knows no language."))
    assert "It knows no language." in lines(model)
    least = [line_text(line) for line in present_least_facts(Capture(model, (random_text(),)), random_text())]
    assert least[0].startswith("random-model · Exact")
    assert least[1:] == ["It knows no language."]


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (CaptureCheck(CaptureWay.INTERFACE, 0.0), "Exact: largest difference 0.0"),
        (CaptureCheck(CaptureWay.WATCHER, 3e-5), "difference to the model's own weights 3e−5"),
        (CaptureCheck(CaptureWay.WATCHER, 0.0), "read off at the model's own softmax"),
        (CaptureCheck(CaptureWay.WEIGHTS), "Weights only: this model does not tell its scores."),
        (CaptureCheck(CaptureWay.OWN), "Not compared"),
        (CaptureCheck(CaptureWay.OWN), "computed by this program"),
    ],
)
def test_how_true_the_numbers_are(check: CaptureCheck, said: str):
    assert said in check_words(check)
    assert any(said in line for line in lines(check=check))


def test_what_is_not_scale_times_q_times_k_is_named_by_layer():
    check = CaptureCheck(CaptureWay.WATCHER, 0.0, (0.0, 0.12, 1e-9, 0.004, 0.99))
    assert unexplained_words(check).endswith("L2 12%, L4 below 1%, L5 99%")
    assert any("L2 12%" in line for line in lines(check=check))
    assert unexplained_words(CaptureCheck(CaptureWay.INTERFACE, 0.0, (0.0, 1e-12))) == ""


def test_many_layers_are_not_all_named():
    words = unexplained_words(CaptureCheck(CaptureWay.WATCHER, 0.0, (0.5,) * 30))
    assert words.endswith("L6 50%, …")


def test_remarks_are_shown():
    check = CaptureCheck(CaptureWay.INTERFACE, 0.0, remarks=(Phrase("One argument was not known."),))
    assert lines(check=check)[-1] == "One argument was not known."


def test_a_licence_is_spelt_as_its_own_text_spells_it():
    assert "Apache-2.0" in lines(replace(FACTS, licence="apache-2.0"))[0]
    assert "own-licence-1" in lines(replace(FACTS, licence="own-licence-1"))[0]
