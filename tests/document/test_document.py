"""Documents: labels, counts, and what they refuse."""

import pytest

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.document.document import Document, Role
from qkviz.translate import Refusal
from tests.document.documents import cross_attention, given_scores, self_attention, worked_example

ONE = DirectInputs(matrix([[1, 2]], "Q"), matrix([[3, 4]], "K"))


def test_self_attention_is_one_x_for_both_sides():
    assert self_attention().is_self_attention
    assert not cross_attention().is_self_attention
    assert not worked_example().is_self_attention
    assert not given_scores().is_self_attention


@pytest.mark.parametrize(
    "label",
    ["x" * 60, "", "👩‍🚀", "بنك", "<b>bold</b> & co", "{x}", "word\u200dword", "bank"],
    ids=["sixty letters", "empty", "joined emoji", "right to left", "markup", "braces", "joiner", "repeated"],
)
def test_a_label_is_kept_as_it_is(label):
    document = Document((label,), ("bank",), ONE)
    assert document.queries == (label,)


@pytest.mark.parametrize("breaker", ["\n", "\t", "\r", "\x00", "\x7f", "\u2028", "\ud800"])
def test_a_character_that_breaks_the_line_becomes_a_blank(breaker):
    assert Document((f"a{breaker}b",), ("k",), ONE).queries == ("a b",)


def test_an_empty_label_is_shown_as_its_position():
    Q = matrix([[1, 2], [3, 4], [5, 6]], "Q")
    document = Document(("", "b", " \n"), ("k", "", "k"), DirectInputs(Q, Q))
    assert document.shown_labels(Role.QUERY) == ("1", "b", "3")
    assert document.shown_labels(Role.KEY) == ("k", "2", "k")


def test_a_label_that_is_no_text_is_refused():
    with pytest.raises(Refusal, match="The label 3 is no text"):
        Document((3,), ("k",), ONE)


@pytest.mark.parametrize(
    ("queries", "keys", "inputs", "sentence"),
    [
        ((), ("k",), ONE, "0 labels for the queries but 1 rows of Q"),
        (("a", "b"), ("k",), ONE, "2 labels for the queries but 1 rows of Q"),
        (("a",), ("k", "l"), ONE, "2 labels for the keys but 1 rows of K"),
        (
            ("a",),
            ("k",),
            GivenScores(matrix([[1, 2, 3]], "scores")),
            "1 labels for the keys but 3 columns of scores",
        ),
        (
            ("a", "b"),
            ("k",),
            ProjectedInputs(matrix([[1]], "X"), matrix([[1]], "X"), matrix([[1]], "W"), matrix([[1]], "W")),
            "2 labels for the queries but 1 rows of X",
        ),
    ],
)
def test_labels_and_matrices_that_disagree_are_refused_with_both_counts(queries, keys, inputs, sentence):
    with pytest.raises(Refusal, match=sentence):
        Document(queries, keys, inputs)


def test_one_x_with_two_labels_for_a_token_is_refused_with_both():
    document = self_attention()
    with pytest.raises(Refusal, match="Token 2 is called “sat” as a query but “dog” as a key"):
        Document(document.queries, ("cat", "dog", "mat"), document.inputs)
