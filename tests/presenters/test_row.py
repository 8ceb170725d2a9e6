"""The chosen row and its largest key."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.attention.normalizers import Hardmax
from qkviz.document.document import Document
from qkviz.presenters.row import RowContent, present_row
from tests.presenters.examples import (
    cat_mat,
    direct,
    given,
    of_all_kinds,
    snapshot,
    with_options,
    worked_example,
)


def row(document: Document, query: int) -> RowContent:
    content = present_row(snapshot(document, query=query))
    assert content is not None
    return content


def test_a_row_has_its_numbers_at_every_stage() -> None:
    content = row(worked_example(), 1)
    assert content.title == "query 2 “dog size”"
    assert content.key_labels == ("black cat", "brown dog", "red car")
    np.testing.assert_allclose(content.scores, [0.34, 0.74, -0.41], atol=1e-12)
    np.testing.assert_allclose(content.scaled, np.array([0.34, 0.74, -0.41]) / math.sqrt(2), atol=1e-12)
    np.testing.assert_allclose(content.weights, [0.3430, 0.4551, 0.2018], atol=1e-4)
    assert content.largest == (1,)
    assert content.kinds.tolist() == [0, 0, 0]
    assert not content.weights.flags.writeable


def test_without_a_chosen_row_there_is_nothing() -> None:
    assert present_row(snapshot(worked_example())) is None


@pytest.mark.parametrize(
    ("document", "query", "largest", "sentence"),
    [
        (worked_example(), 1, (1,), "“dog size” looks most at “brown dog” (0.46)."),
        (cat_mat(), 0, (0,), "“猫” looks most at itself (0.42)."),
        (cat_mat(), 2, (1,), "“垫子” looks most at “坐” (0.46)."),
        (given([[2.0, 2.0, 1.0]]), 0, (0, 1),
         "A tie: “q0” looks most at 2 keys alike (0.42 each), “k0” first."),
        (given([[1.0, 1.0, 1.0]]), 0, (0, 1, 2), "“q0” looks at all its 3 keys alike (0.33 each)."),
        (given([[0.1 + 0.2, 0.3, -1.0]]), 0, (0, 1),
         "A tie: “q0” looks most at 2 keys alike (0.44 each), “k0” first."),
        (given([[-7.0]]), 0, (0,), "“q0” may look at “k0” only, so it gets the whole weight."),
        (given([[1.0, -math.inf]]), 0, (0,), "“q0” may look at “k0” only, so it gets the whole weight."),
        (given([[math.nan, 1.0]]), 0, (),
         "The row of “q0” holds what is not a number, so it has no weights."),
        (given([[-math.inf, -math.inf]]), 0, (), "“q0” has no weights: the mask leaves it no key."),
        (of_all_kinds(), 1, (), "“b” has no weights: its scores are undefined or masked."),
        (of_all_kinds(), 2, (), "“c” has no weights: the mask leaves it no key."),
        (with_options(given([[1.0, 3.0, 3.0]]), normalizer=Hardmax()), 0, (1, 2),
         "A tie: “q0” looks most at 2 keys alike (0.50 each), “k1” first."),
        (direct([[1.0], [2.0]], [[1.0], [3.0]], ("bank", "bank"), ("river", "bank")), 1, (1,),
         "query 2 “bank” looks most at “bank” (0.98)."),
    ],
)  # fmt: skip
def test_the_sentence_follows_from_the_weights(
    document: Document, query: int, largest: tuple[int, ...], sentence: str
) -> None:
    content = row(document, query)
    assert (content.largest, content.sentence) == (largest, sentence)
