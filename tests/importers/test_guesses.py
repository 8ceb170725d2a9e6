"""What arrays are is guessed from names and shapes, as a practitioner's files have them."""

from __future__ import annotations

import numpy as np
import pytest

from qkviz.importers.found import ArrayKind, Found, FoundArray
from qkviz.importers.guesses import guessed_choices
from qkviz.translate import Phrase


def _array(name, shape, values=None):
    kind = ArrayKind.TEXT if values is not None and values.dtype.kind == "U" else ArrayKind.NUMBERS
    shown = np.zeros(shape) if values is None else values

    def read(at):
        return np.array(shown[tuple(slice(None) if one is None else one for one in at)])

    return FoundArray(name, tuple(shape), "float64", kind, read)


def _guess(*arrays, swaps_linear=False):
    found = Found("f", Phrase("f"), tuple(arrays), swaps_linear=swaps_linear)
    choices = guessed_choices(found)
    return {
        array.name: choice.role.value
        for array, choice in zip(arrays, choices.arrays, strict=True)
        if choice.role is not None
    }, choices


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["X", "W_Q", "W_K", "W_V"], ["x", "w_q", "w_k", "w_v"]),
        (["x", "wq", "wk"], ["x", "w_q", "w_k"]),
        (["Q", "K", "V"], ["q", "k", "v"]),
        (["query", "key", "value"], ["q", "k", "v"]),
        (["X", "q_proj.weight", "k_proj.weight", "v_proj.weight"], ["x", "w_q", "w_k", "w_v"]),
        (["X", "attn.self.query.weight", "attn.self.key.weight"], ["x", "w_q", "w_k"]),
        (["embeddings", "attn.to_q.weight", "attn.to_k.weight"], ["x", "w_q", "w_k"]),
        (["scores"], ["scores"]),
        (["attention_weights"], ["weights"]),
        (["attentions"], ["weights"]),
        (["Q", "K", "attn_mask"], ["q", "k", "mask"]),
        (["hidden_states", "encoder_hidden_states", "W_Q", "W_K"], ["x", "x_k", "w_q", "w_k"]),
    ],
)
def test_names(names, expected):
    guessed, _choices = _guess(*(_array(name, (4, 4)) for name in names))
    assert guessed == dict(zip(names, expected, strict=True))


def test_of_many_layers_one_is_taken_whole():
    names = ["X", *(f"h.{layer}.attn.{one}_proj.weight" for layer in range(3) for one in "qkv")]
    guessed, choices = _guess(*(_array(name, (4, 4)) for name in names), swaps_linear=True)
    assert guessed == {
        "X": "x",
        "h.0.attn.q_proj.weight": "w_q",
        "h.0.attn.k_proj.weight": "w_k",
        "h.0.attn.v_proj.weight": "w_v",
    }
    assert [choice.is_transposed for choice in choices.arrays[:4]] == [False, True, True, True]


def test_one_way_is_guessed_when_a_file_has_several():
    names = ["X", "W_Q", "W_K", "Q", "K", "scores", "weights"]
    assert set(_guess(*(_array(name, (4, 4)) for name in names))[0]) == {"X", "W_Q", "W_K"}
    assert set(_guess(*(_array(name, (4, 4)) for name in names[3:]))[0]) == {"Q", "K"}
    assert set(_guess(*(_array(name, (4, 4)) for name in names[5:]))[0]) == {"scores"}


def test_the_shape_decides_how_a_projection_stands_where_it_can():
    def turned(shape, name="W_Q"):
        found = [_array("X", (5, 4)), _array(name, shape), _array("W_K", (4, 2))]
        return _guess(*found)[1].arrays[1].is_transposed

    assert turned((2, 4))
    assert not turned((4, 2))
    assert not turned((4, 4))


def test_one_matrix_is_weights_if_its_rows_sum_to_one():
    weights = np.array([[0.25, 0.75], [1.0, 0.0]])
    assert _guess(_array("t", (2, 2), weights))[0] == {"t": "weights"}
    assert _guess(_array("t", (2, 2), weights * 2))[0] == {"t": "scores"}
    assert _guess(_array("t", (2, 2), np.array([[1.5, -0.5], [1, 0]])))[0] == {"t": "scores"}
    heads = np.stack([weights] * 6).reshape(2, 3, 2, 2)
    guessed, choices = _guess(_array("t", (2, 3, 2, 2), heads))
    assert guessed == {"t": "weights"}
    assert choices.arrays[0].place(_array("t", (2, 3, 2, 2))) == (0, 0, None, None)


def test_matrices_without_names_are_q_k_v_by_their_columns():
    arrays = [_array("arr_0", (3, 2)), _array("arr_1", (5, 2)), _array("arr_2", (5, 7))]
    assert list(_guess(*arrays)[0].values()) == ["q", "k", "v"]


def test_words_are_tokens():
    words = np.array(["a", "b"])
    arrays = [
        _array("Q", (2, 2)),
        _array("K", (2, 2)),
        _array("tokens", (2,), words),
        _array("k_tokens", (2,), words),
    ]
    assert list(_guess(*arrays)[0].values()) == ["q", "k", "tokens", "key_tokens"]


@pytest.mark.parametrize(
    ("name", "values", "allows"),
    [
        ("mask", np.tril(np.ones((3, 3))), True),
        ("mask", np.triu(np.ones((3, 3)), 1), False),
        ("key_padding_mask", np.array([0.0, 0, 1]), False),
        ("attention_mask", np.array([1.0, 1, 0]), True),
    ],
)
def test_what_a_mask_means(name, values, allows):
    arrays = [_array("Q", (3, 2)), _array("K", (3, 2)), _array(name, values.shape, values)]
    guessed, choices = _guess(*arrays)
    assert guessed[name] == "mask"
    assert choices.mask_allows is allows
