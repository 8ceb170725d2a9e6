"""The shipped capture of the copy model is what the shipped copy model computes."""

from __future__ import annotations

import pytest
import torch

from qkviz.capture.copy_model import load_copy_model
from qkviz.capture.copy_model_file import COPY_TEXT
from qkviz.document.files import read_capture
from qkviz.resources import resource_path


def test_the_recorded_capture_is_the_models() -> None:
    recorded = read_capture(resource_path("captures", "copy_model.qkviz"))
    model = load_copy_model()
    facts = recorded.model
    assert (facts.name, facts.sha256, facts.licence) == ("copy model", model.facts.sha256, "MIT")
    assert str(facts.note) == str(model.facts.note)
    (text,) = recorded.texts
    live = model.capture(COPY_TEXT)
    assert (text.text, text.tokens, text.switched_off) == (COPY_TEXT, live.tokens, frozenset())
    for kept, made in zip(text.layers, live.layers, strict=True):
        for name in ("Q", "K", "V", "X_q"):
            torch.testing.assert_close(getattr(kept, name), getattr(made, name), atol=1e-5, rtol=1e-5)
        assert (kept.scale, kept.mask) == (made.scale, made.mask)
    for kept, made in zip(text.next_tokens, live.next_tokens, strict=True):
        assert kept.label == made.label
        assert kept.probability == pytest.approx(made.probability, abs=1e-5)
