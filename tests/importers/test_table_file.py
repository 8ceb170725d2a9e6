"""Text tables in the wild: separators, decimal signs, labels, encodings; every unreadable cell named."""

from __future__ import annotations

import numpy as np
import pytest

from qkviz.importers.found import ArrayKind, TableChoices, unheard
from qkviz.importers.table_file import read_text, table_arrays
from qkviz.translate import Refusal
from tests.importers.files import found_in, only

SIGNS = (
    "Row 2, column 2: “4,5” and cells before it have different decimal signs; "
    "use one of “.” and “,” everywhere."
)
NAN, INF = float("nan"), float("inf")


def _read(text, **choices):
    return table_arrays(text, "t", TableChoices(**choices))[0]


@pytest.mark.parametrize(
    ("text", "expected", "rows", "columns"),
    [
        ("1,2\n3,4\n", [[1, 2], [3, 4]], (), ()),
        ("1;2\r\n3;4\r\n", [[1, 2], [3, 4]], (), ()),
        ("1\t2\r3\t4", [[1, 2], [3, 4]], (), ()),
        ("1 2\n3 4", [[1, 2], [3, 4]], (), ()),
        ("  1.0   -2.5\n  3.0    4e-3\n", [[1, -2.5], [3, 0.004]], (), ()),
        ("1, 2\n3, 4", [[1, 2], [3, 4]], (), ()),
        ("1,2,\n3,4,\n", [[1, 2], [3, 4]], (), ()),
        ("1,5;2,5\n3,5;4,5", [[1.5, 2.5], [3.5, 4.5]], (), ()),
        ("1,5\t2\n3\t4,25", [[1.5, 2], [3, 4.25]], (), ()),
        ("1,5 2,5\n3,5 4,5", [[1.5, 2.5], [3.5, 4.5]], (), ()),
        ('"1,5","2,5"\n"3,5","4,5"', [[1.5, 2.5], [3.5, 4.5]], (), ()),
        ("a,b\n1,2\n3,4", [[1, 2], [3, 4]], (), ("a", "b")),
        ("cat,1,2\nsat,3,4", [[1, 2], [3, 4]], ("cat", "sat"), ()),
        (",a,b\ncat,1,2\nsat,3,4", [[1, 2], [3, 4]], ("cat", "sat"), ("a", "b")),
        (",0,1\n0,1,2\n1,3,4", [[1, 2], [3, 4]], ("0", "1"), ("0", "1")),
        ("token,0,1,2\n猫,1,2,9\n坐,3,4,9", [[1, 2, 9], [3, 4, 9]], ("猫", "坐"), ("0", "1", "2")),
        ("token,a,b\n猫,1,2\n坐,3,4", [[1, 2], [3, 4]], ("猫", "坐"), ("a", "b")),
        ("a b\ncat 1 2\nsat 3 4", [[1, 2], [3, 4]], ("cat", "sat"), ("a", "b")),
        (
            ',"a,b","say ""x"""\n"the\ncat",1,2\nsat,3,4',
            [[1, 2], [3, 4]],
            ("the\ncat", "sat"),
            ("a,b", 'say "x"'),
        ),
        ("# made by numpy\n1 2\n3 4", [[1, 2], [3, 4]], (), ()),
        ("\n1,2\n\n3,4\n\n", [[1, 2], [3, 4]], (), ()),
        ("−1,2\n３,4", [[-1, 2], [3, 4]], (), ()),
        ("nan,-inf\ninf,−∞", [[NAN, -INF], [INF, -INF]], (), ()),
        ("0.62", [[0.62]], (), ()),
        ("1,2,3", [[1, 2, 3]], (), ()),
        ("##ing,the\n1,2\n3,4", [[1, 2], [3, 4]], (), ("##ing", "the")),
    ],
)
def test_tables_are_read_right(text, expected, rows, columns):
    found = _read(text)
    np.testing.assert_array_equal(found.load(), expected)
    assert (found.row_labels, found.column_labels) == (rows, columns)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2\n3,x\n5,6", "Row 2, column 2: “x” is not a number."),
        ("1,2\nx,4\n5,6", "Row 2, column 1: “x” is not a number."),
        ("1,2,3\n4,,6", "Row 2, column 2 is empty; a number belongs there."),
        (",a,b\ncat,1,2\nsat,3,NA", "Row 3, column 3: “NA” is not a number."),
        ("1;2\n3;1,234.5", "Row 2, column 2: “1,234.5” is not a number."),
        ("1,2\n3,1e999", "Row 2, column 2: “1e999” is not a number."),
        ("1,2\n3,1_0", "Row 2, column 2: “1_0” is not a number."),
        ("1,2\n3,0x1p3", "Row 2, column 2: “0x1p3” is not a number."),
        ("1,2\n3,(1+2j)", "Row 2, column 2: “(1+2j)” is not a number."),
        ("1.5;2\n3;4,5", SIGNS),
        ("1,2\n3,4,5\n6,7", "Row 2 has 3 cells, but row 1 has 2; every row needs the same count."),
        ("1,2\n\n3,4,5\n6,7", "Row 3 has 3 cells, but row 1 has 2; every row needs the same count."),
        ("", "there is nothing in it."),
        (" \n\t\n", "there is nothing in it."),
    ],
)  # fmt: skip
def test_the_place_of_a_slip_is_named(text, said):
    with pytest.raises(Refusal) as refusal:
        _read(text).load()
    assert str(refusal.value) == said


def test_rows_are_counted_as_an_editor_does():
    with pytest.raises(Refusal, match="Row 4, column 2: “x”"):
        _read('a,b\n"two\nlines",1\ncat,x\nsat,3')


def test_words_alone_are_tokens():
    for text in ("猫\n坐\n垫子", "猫,坐,垫子"):
        found = _read(text)
        assert found.kind is ArrayKind.TEXT
        assert found.load().tolist() == ["猫", "坐", "垫子"]


def test_choices_go_before_guesses():
    assert _read("1,5\n2,5", separator=";").load().tolist() == [[1.5], [2.5]]
    assert _read("7,8\n1,2", has_header=True).column_labels == ("7", "8")
    assert _read("7,8\n1,2", has_labels=True).row_labels == ("7", "1")
    with pytest.raises(Refusal, match="Row 1, column 1: “a” is not a number"):
        _read("a,b\n1,2", has_header=False)


def test_encodings(tmp_path):
    path = tmp_path / "a.csv"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes("token,a\n猫,1\n狗,2".encode(encoding))
        assert only(path).row_labels == ("猫", "狗"), encoding
    path.write_bytes("token,a\n坐,1\n狗,2".encode("gb18030"))
    with pytest.raises(Refusal, match=r"a\.csv: Row 2 is not UTF-8; choose the encoding GB18030"):
        found_in(path)
    assert only(path, encoding="gb18030").row_labels == ("坐", "狗")


def test_several_tables_with_names_are_several_arrays(tmp_path):
    (tmp_path / "a.csv").write_text("scores\n,a,b\nx,1,2\n\nweights\n,a,b\nx,0.5,0.5\n", encoding="utf-8")
    arrays = found_in(tmp_path / "a.csv").arrays
    assert [(one.name, one.shape) for one in arrays] == [("scores", (1, 2)), ("weights", (1, 2))]
    assert arrays[1].load().tolist() == [[0.5, 0.5]]


def test_what_qkviz_writes_is_read_back(tmp_path):
    from qkviz.attention.inputs import GivenScores, matrix
    from qkviz.attention.matrices import MatrixName
    from qkviz.document.document import Document
    from qkviz.document.session import Session
    from qkviz.exporters.csv_table import write_csv
    from qkviz.presenters.matrix import present_matrix

    values = [[0.1, 1 / 3, -1e-17], [2.5, -INF, 7.0]]
    snapshot = Session(Document(("猫, 1", "b"), ("x", '"y"', "z"), GivenScores(matrix(values, "s")))).snapshot
    write_csv([present_matrix(snapshot, MatrixName.SCORES)], tmp_path / "a.csv")
    found = only(tmp_path / "a.csv")
    assert found.load().tolist() == values
    assert (found.row_labels, found.column_labels) == (("猫, 1", "b"), ("x", '"y"', "z"))


@pytest.mark.parametrize(
    "text",
    [
        "0.5\t1.5\n2.5\t3.5",
        "[[0.5, 1.5],\n [2.5, 3.5]]",
        "[[0.5 1.5]\n [2.5 3.5]]",
        "((0.5, 1.5), (2.5, 3.5))",
    ],
)
def test_the_clipboard_is_read(text):
    (found,) = read_text(text, TableChoices(), unheard).arrays
    assert found.load().tolist() == [[0.5, 1.5], [2.5, 3.5]]


def test_reading_tells_how_far_it_is_and_can_be_ended():
    text = "1,2\n" * 20_000
    told: list[float] = []
    table_arrays(text, "t", TableChoices(), told.append)
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1

    class Ended(Exception):
        pass

    def end(_share: float) -> None:
        raise Ended

    with pytest.raises(Ended):
        table_arrays(text, "t", TableChoices(), end)


def test_large_files_are_refused_unread(tmp_path):
    with (tmp_path / "a.csv").open("wb") as file:
        file.write(b"1,2\n3,4\n" * 600)
        file.truncate(65 << 20)
    with pytest.raises(Refusal, match="it is larger than 64 MB"):
        found_in(tmp_path / "a.csv")
