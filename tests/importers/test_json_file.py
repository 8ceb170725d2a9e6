"""JSON: lists under any names; ragged, mixed and huge ones refused with their place."""

from __future__ import annotations

import math

import pytest

from qkviz.importers.found import ArrayKind
from qkviz.translate import Refusal
from tests.importers.files import found_in, only


def _file(tmp_path, text):
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    return tmp_path / "a.json"


def test_a_bare_matrix(tmp_path):
    found = only(_file(tmp_path, "[[1, 2.5], [-3e2, true]]"))
    assert (found.name, found.shape) == ("a", (2, 2))
    assert found.load().tolist() == [[1, 2.5], [-300, 1]]


def test_names_are_those_of_the_objects(tmp_path):
    text = '{"model": {"Q": [[1]], "K": [[2]]}, "tokens": ["猫"], "step": 3, "mask": [[true, false]]}'
    arrays = found_in(_file(tmp_path, text)).arrays
    assert [(one.name, one.kind, one.shape) for one in arrays] == [
        ("model.Q", ArrayKind.NUMBERS, (1, 1)),
        ("model.K", ArrayKind.NUMBERS, (1, 1)),
        ("tokens", ArrayKind.TEXT, (1,)),
        ("mask", ArrayKind.NUMBERS, (1, 2)),
    ]
    assert arrays[2].load().tolist() == ["猫"]
    assert arrays[3].load().tolist() == [[True, False]]


def test_equal_names_are_two_arrays(tmp_path):
    assert [one.name for one in found_in(_file(tmp_path, '{"a": [1], "a": [2]}')).arrays] == ["a", "a"]


def test_a_list_of_objects_is_numbered(tmp_path):
    text = '{"matrices": [{"name": "scores", "values": [[1]]}, {"values": [[2]]}]}'
    assert [one.name for one in found_in(_file(tmp_path, text)).arrays] == [
        "matrices.1.values",
        "matrices.2.values",
    ]


def test_numbers_that_are_not_finite(tmp_path):
    row = only(_file(tmp_path, '[[NaN, -Infinity, "inf", "-inf", "−∞", null, 1]]')).load()[0]
    assert math.isnan(row[0])
    assert math.isnan(row[5])
    assert row[[1, 2, 3, 4, 6]].tolist() == [-math.inf, math.inf, -math.inf, -math.inf, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[1, 2], [3]]", "row 2 of a has 1 cells, but the first row there has 2."),
        ("[[1, 2], 3]", "row 2 of a has 0 cells, but the first row there has 2."),
        ('{"Q": [[1, 2], [3, "x"]]}', "row 2, column 2 of Q is not a number."),
        ('{"Q": [[[1, 2], [3, {}]]]}', "cell 1, 2, 2 of Q is not a number."),
        ("[[1, 1e5, " + "9" * 400 + "]]", "row 1, column 3 of a is not a number."),
        ("[[1, 2]", "it is no JSON from line 1, column 8 on."),
        ("{}", "there is no list of numbers in it."),
        ('{"a": 1}', "there is no list of numbers in it."),
        ("[" * 100_000, "its JSON is nested too deeply"),
        ("[" * 20 + "]" * 20, "its JSON is nested too deeply."),
        ("[[" + "1" * 5000 + "]]", "its JSON is nested too deeply or holds a number of too many digits."),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    with pytest.raises(Refusal) as refusal:
        only(_file(tmp_path, text)).load()
    assert str(refusal.value).startswith("a.json: ")
    assert said in str(refusal.value)


def test_empty_lists_are_listed(tmp_path):
    found = only(_file(tmp_path, '{"a": []}'))
    assert found.shape == (0,)
    with pytest.raises(Refusal, match="a is 0: it has no cells"):
        found.load()


def test_other_encodings_and_sizes_are_refused(tmp_path):
    (tmp_path / "a.json").write_bytes(b'{"\xff": [1]}')
    with pytest.raises(Refusal, match="it is not UTF-8"):
        found_in(tmp_path / "a.json")
    with (tmp_path / "a.json").open("r+b") as file:
        file.truncate(33 << 20)
    with pytest.raises(Refusal, match="it is larger than 32 MB"):
        found_in(tmp_path / "a.json")
