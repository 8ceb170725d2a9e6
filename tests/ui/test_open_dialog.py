"""Files of other programs and tables from the clipboard become documents, by real mouse and keys."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QSpinBox, QTableView, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, GivenScores
from qkviz.importers.sources import FileSource, TextSource
from qkviz.ui.dialogs.open_dialog import OpenDialog
from qkviz.ui.main_window import MainWindow
from tests.ui.mouse import click, settle
from tests.ui.parts import menu_entry, snapshot

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support (raise|grabbing)", extend=True)
"""The offscreen platform says so when the list of a field opens."""


def _dialog(window: QWidget, qtbot: QtBot) -> OpenDialog:
    """Return the dialog over a window once it has read its source."""
    found: list[OpenDialog] = []

    def is_there() -> bool:
        found[:] = [one for one in window.findChildren(OpenDialog) if one.isVisible()]
        return bool(found) and (found[0].document() is not None or bool(found[0].problem_text()))

    qtbot.waitUntil(is_there, timeout=20_000)
    QApplication.processEvents()
    return found[0]


def _open(window: MainWindow, qtbot: QtBot, *paths: Path) -> OpenDialog:
    assert window.documents is not None
    window.documents.open_paths(paths)
    return _dialog(window, qtbot)


def _button(dialog: OpenDialog, text: str) -> QPushButton:
    return next(one for one in dialog.findChildren(QPushButton) if one.text().replace("&", "") == text)


def _press(dialog: OpenDialog, text: str) -> None:
    button = _button(dialog, text)
    click(button, QPointF(button.rect().center()))


def _field(dialog: OpenDialog, name: str) -> QComboBox | QSpinBox:
    kinds = (QComboBox, QSpinBox)
    found = [
        one
        for kind in kinds
        for one in dialog.findChildren(kind)
        if one.accessibleName() == name and one.isVisible()
    ]
    assert len(found) == 1, (name, found)
    return found[0]


def _names(dialog: OpenDialog) -> list[str]:
    """Return the names of the fields in sight."""
    fields = [*dialog.findChildren(QComboBox), *dialog.findChildren(QSpinBox)]
    return sorted(one.accessibleName() for one in fields if one.isVisible())


def _list(dialog: OpenDialog) -> QTableView:
    (found,) = dialog.findChildren(QTableView)
    return found


def _cells(dialog: OpenDialog, row: int) -> list[str]:
    model = _list(dialog).model()
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def _click_array(dialog: OpenDialog, name: str) -> None:
    table = _list(dialog)
    rows = [row for row in range(table.model().rowCount()) if _cells(dialog, row)[0] == name]
    rect = table.visualRect(table.model().index(rows[0], 0))
    click(table.viewport(), QPointF(rect.center()))


def _choose(dialog: OpenDialog, field: str, text: str) -> None:
    """Open a list by the mouse and click on an entry."""
    box = _field(dialog, field)
    assert isinstance(box, QComboBox)
    interval = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(0)  # so long a list ignores the release after it has opened
    click(box, QPointF(box.rect().center()))
    QApplication.setDoubleClickInterval(interval)
    QApplication.processEvents()
    at = [row for row in range(box.count()) if box.itemText(row).startswith(text)]
    assert len(at) == 1, [box.itemText(row) for row in range(box.count())]
    view = box.view()
    click(view.viewport(), QPointF(view.visualRect(box.model().index(at[0], 0)).center()))
    QApplication.processEvents()


def _said(dialog: OpenDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def alone(qtbot: QtBot) -> QWidget:
    """Return a window for dialogs that need no session."""
    shown = QWidget()
    qtbot.addWidget(shown)
    shown.show()
    return shown


def _alone(alone: QWidget, qtbot: QtBot, source: FileSource | TextSource) -> OpenDialog:
    OpenDialog(source, alone).open()
    return _dialog(alone, qtbot)


@pytest.mark.parametrize("width", [6, 3])
def test_a_layer_of_torch_gives_its_own_scores(window, qtbot, tmp_path, width):
    torch.manual_seed(4)
    layer = torch.nn.ModuleDict(
        {name: torch.nn.Linear(6, width, bias=False) for name in ("q_proj", "k_proj", "v_proj")}
    )
    x = torch.randn(5, 6)
    torch.save({"X": x, "layer": layer.state_dict()}, tmp_path / "层 1.pt")
    dialog = _open(window, qtbot, tmp_path / "层 1.pt")
    _click_array(dialog, "layer.q_proj.weight")
    assert _field(dialog, "Stored as").currentText().startswith("(out, in) as torch’s Linear")
    assert [_cells(dialog, row)[4] for row in range(4)] == ["X", "W_Q", "W_K", "W_V"]
    _press(dialog, "Open")
    trace = snapshot(window).trace
    q, k, v = (layer[name](x) for name in ("q_proj", "k_proj", "v_proj"))
    torch.testing.assert_close(trace.scores.float(), q @ k.T)
    output = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0]
    torch.testing.assert_close(trace.output.float(), output)


def test_how_a_square_projection_is_stored_is_asked(window, qtbot, tmp_path):
    torch.manual_seed(4)
    x, w_q, w_k = torch.randn(3, 4), torch.randn(4, 4), torch.randn(4, 4)
    torch.save({"X": x, "W_Q": w_q, "W_K": w_k}, tmp_path / "a.pt")
    dialog = _open(window, qtbot, tmp_path / "a.pt")
    _click_array(dialog, "W_Q")
    _choose(dialog, "Stored as", "(out, in)")
    _press(dialog, "Open")
    torch.testing.assert_close(snapshot(window).trace.scores.float(), (x @ w_q.T) @ (x @ w_k).T)


def test_the_list_says_what_was_found(alone, qtbot, tmp_path):
    values = np.array([[1.5, np.nan], [-2.0, np.inf]])
    np.savez(tmp_path / "a.npz", Q=values, K=np.ones((2, 2), ">f4"), z=np.array([1j]), e=np.zeros((0, 2)))
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.npz",)))
    assert "a.npz: NumPy arrays, 4 arrays" in _said(dialog)
    assert _cells(dialog, 0) == ["Q", "2 × 2", "float64", "−2.00 … 1.50, 2 not finite", "Q"]
    assert _cells(dialog, 1)[1:3] == ["2 × 2", "float32 (big-endian)"]
    assert _cells(dialog, 2)[2:4] == [
        "complex128",
        "z holds complex numbers; save its real part, or its absolute value.",
    ]
    assert _cells(dialog, 3)[1] == "0 × 2"
    dialog.reject()


def test_roles_are_given_by_the_mouse(window, qtbot, tmp_path):
    one, two = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]])
    np.savez(tmp_path / "a.npz", first=one, second=two, third=np.zeros((4, 4)), fourth=np.zeros((4, 4)))
    dialog = _open(window, qtbot, tmp_path / "a.npz")
    assert dialog.problem_text() == "Say what the arrays are: X, or Q and K, or scores, or weights."
    assert not _button(dialog, "Open").isEnabled()
    _click_array(dialog, "first")
    _choose(dialog, "Will be", "Q, ")
    qtbot.waitUntil(lambda: dialog.problem_text() == "K is missing: say which array it is.")
    _click_array(dialog, "second")
    _choose(dialog, "Will be", "K, ")
    qtbot.waitUntil(lambda: dialog.problem_text() == "")
    assert "1 queries × 2 keys, d_k = 2" in _said(dialog)
    _press(dialog, "Open")
    assert isinstance(snapshot(window).document.inputs, DirectInputs)
    assert snapshot(window).trace.scores.tolist() == [[11.0, 17.0]]


def test_more_axes_go_through_a_chooser(window, qtbot, tmp_path):
    heads = np.random.default_rng(2).normal(size=(2, 3, 4, 4))
    np.save(tmp_path / "scores.npy", heads)
    dialog = _open(window, qtbot, tmp_path / "scores.npy")
    assert _names(dialog) == ["Columns", "Part on axis 1", "Part on axis 2", "Rows", "Will be"]
    for name, times in (("Part on axis 1", 1), ("Part on axis 2", 2)):
        field = _field(dialog, name)
        for _time in range(times):
            QTest.keyClick(field, Qt.Key.Key_Up)
    QApplication.processEvents()
    _press(dialog, "Open")
    np.testing.assert_array_equal(snapshot(window).trace.scores.numpy(), heads[1, 2])


def test_any_two_axes_are_rows_and_columns(alone, qtbot, tmp_path):
    captured = np.random.default_rng(2).normal(size=(5, 2, 3))  # position, head, dimension
    np.savez(tmp_path / "a.npz", Q=captured, K=captured)
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.npz",)))
    for name in ("Q", "K"):
        _click_array(dialog, name)
        _choose(dialog, "Rows", "axis 1")
        assert _field(dialog, "Columns").currentText() == "axis 3, length 3"
    QApplication.processEvents()
    document = dialog.document()
    assert document is not None
    np.testing.assert_array_equal(document.inputs.Q.numpy(), captured[:, 0, :])
    dialog.reject()


def test_heads_side_by_side_are_cut(alone, qtbot, tmp_path):
    random = np.random.default_rng(2)
    x, w = random.normal(size=(3, 4)), random.normal(size=(4, 4))
    np.savez(tmp_path / "a.npz", X=x, W_Q=w, W_K=w)
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.npz",)))
    QTest.keyClick(_field(dialog, "Heads side by side"), Qt.Key.Key_Up)
    QTest.keyClick(_field(dialog, "Head to show"), Qt.Key.Key_Up)
    QApplication.processEvents()
    document = dialog.document()
    assert document is not None
    np.testing.assert_array_equal(document.inputs.W_Q.numpy(), w[:, 2:])
    dialog.reject()


def test_given_weights_say_what_is_unknown(window, qtbot, tmp_path):
    (tmp_path / "权重.csv").write_text(",猫,坐\n猫,0.25,0.75\n坐,1,0\n", encoding="utf-8")
    dialog = _open(window, qtbot, tmp_path / "权重.csv")
    assert "softmax gives exactly these weights. Their q and k are unknown" in _said(dialog)
    _press(dialog, "Open")
    document = snapshot(window).document
    assert isinstance(document.inputs, GivenScores)
    assert document.queries == ("猫", "坐")
    np.testing.assert_allclose(snapshot(window).trace.weights.numpy(), [[0.25, 0.75], [1, 0]], rtol=1e-15)


def test_a_bias_that_is_left_out_is_named(alone, qtbot, tmp_path):
    layer = torch.nn.Linear(3, 3)
    torch.save(
        {"X": torch.eye(3), "q_proj": layer.state_dict(), "k_proj": layer.state_dict()}, tmp_path / "a.pt"
    )
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.pt",)))
    assert "The file has a bias (q_proj.bias)" in _said(dialog)
    dialog.reject()


def test_another_encoding_helps(alone, qtbot, tmp_path):
    (tmp_path / "a.csv").write_bytes("词,a,b\n坐,1,2\n狗,3,4".encode("gb18030"))
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.csv",)))
    assert "choose the encoding GB18030" in dialog.problem_text()
    _choose(dialog, "Encoding", "GB18030")
    qtbot.waitUntil(lambda: dialog.document() is not None)
    assert dialog.document().queries == ("坐", "狗")
    _choose(dialog, "First row", "numbers")
    qtbot.waitUntil(lambda: bool(dialog.problem_text()))
    assert dialog.problem_text() == "a.csv: Row 1, column 2: “a” is not a number."
    dialog.reject()


def test_a_slip_in_a_table_is_named_and_nothing_opens(window, qtbot, tmp_path):
    before = snapshot(window).document
    (tmp_path / "a.csv").write_text("1,2\n3,x\n5,6", encoding="utf-8")
    dialog = _open(window, qtbot, tmp_path / "a.csv")
    assert dialog.problem_text() == "a.csv: Row 2, column 2: “x” is not a number."
    assert not _button(dialog, "Open").isEnabled()
    _press(dialog, "Cancel")
    assert snapshot(window).document is before


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pt", b"\x80\x04\x95" + bytes(9), "a.pt: it is a Python pickle, which could run code"),
        ("a.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "run “git lfs pull”"),
        ("a.npy", b"", "a.npy: it is empty."),
        ("a.xyz", bytes(100), "a.xyz: its format is not known"),
    ],
)
def test_what_cannot_be_read_is_told_at_once(window, tmp_path, name, content, said):
    before = snapshot(window).document
    (tmp_path / name).write_bytes(content)
    assert window.documents is not None
    window.documents.open_path(tmp_path / name)
    assert said in window.dialogs.shown[-1]
    assert not window.findChildren(OpenDialog)
    assert snapshot(window).document is before


def test_several_files_make_one_document(window, qtbot, tmp_path):
    np.save(tmp_path / "Q.npy", np.eye(2))
    np.save(tmp_path / "K.npy", np.ones((3, 2)))
    dialog = _open(window, qtbot, tmp_path / "Q.npy", tmp_path / "K.npy")
    assert "2 files" in _said(dialog)
    _press(dialog, "Open")
    assert snapshot(window).trace.scores.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_opening_is_a_change_like_any_other(window, qtbot, tmp_path):
    before = snapshot(window).document
    np.save(tmp_path / "scores.npy", np.eye(2))
    _press(_open(window, qtbot, tmp_path / "scores.npy"), "Open")
    assert str(snapshot(window).undo_label) == "Open scores.npy"
    menu_entry(window, "Edit", "Undo").trigger()
    assert snapshot(window).document is before
    assert window.documents is not None
    assert window.documents.recent[0] == tmp_path / "scores.npy"


def test_a_table_from_the_clipboard_is_a_document(window, qtbot):
    QGuiApplication.clipboard().setText("\tcat\tsat\ncat\t1,5\t2\nsat\t3\t-4,25")
    menu_entry(window, "Edit", "Paste as document").trigger()
    dialog = _dialog(window, qtbot)
    _press(dialog, "Open")
    assert snapshot(window).trace.scores.tolist() == [[1.5, 2], [3, -4.25]]
    assert snapshot(window).document.keys == ("cat", "sat")


def test_an_empty_clipboard_is_said(window):
    QGuiApplication.clipboard().setText("  \n")
    before = snapshot(window).document
    menu_entry(window, "Edit", "Paste as document").trigger()
    assert "There is no table on the clipboard" in window.status.currentMessage() or any(
        "There is no table on the clipboard" in label.text() for label in window.status.findChildren(QLabel)
    )
    assert snapshot(window).document is before


def test_keys_alone_are_enough(window, qtbot, tmp_path):
    np.savez(
        tmp_path / "a.npz", one=np.eye(2), two=np.zeros((3, 3)), three=np.zeros((5, 5)), four=np.zeros((6, 6))
    )
    dialog = _open(window, qtbot, tmp_path / "a.npz")
    dialog.activateWindow()
    table = _list(dialog)
    assert table.hasFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 1
    QTest.keyClick(table, Qt.Key.Key_Tab)
    role = _field(dialog, "Will be")
    assert role.hasFocus()
    QTest.keyClicks(role, "sc")  # scores, as its list is searched by letters
    QApplication.processEvents()
    assert dialog.document() is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert snapshot(window).document.inputs.m == 3


def test_reading_can_be_given_up(alone, qtbot):
    dialog = OpenDialog(TextSource("1,2,3,4,5,6,7,8\n" * 400_000), alone)
    dialog.open()
    assert "Reading" in _said(dialog)
    threads = [one for one in threading.enumerate() if one.name == "qkviz task"]
    assert len(threads) == 1
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert not alone.findChildren(OpenDialog)
    threads[0].join(20.0)  # the thread is to end, not only the window
    assert not threads[0].is_alive()


def test_a_hundred_tensors_open_fast_and_one_is_read(alone, qtbot, tmp_path):
    import json
    import time

    size = 1024 * 512 * 4
    header = {
        f"layer.{at}.weight": {
            "dtype": "F32",
            "shape": [1024, 512],
            "data_offsets": [at * size, (at + 1) * size],
        }
        for at in range(100)
    }
    text = json.dumps(header).encode()
    with (tmp_path / "a.safetensors").open("wb") as file:  # sparse: 200 MB
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(file.tell() + 100 * size)
    start = time.perf_counter()
    dialog = _alone(alone, qtbot, FileSource((tmp_path / "a.safetensors",)))
    assert time.perf_counter() - start < 1.0
    assert _list(dialog).model().rowCount() == 100
    dialog.reject()


def test_in_chinese(open_window, qtbot, tmp_path):
    window = open_window(7, language="zh")
    np.save(tmp_path / "scores.npy", np.eye(2))
    dialog = _open(window, qtbot, tmp_path / "scores.npy")
    assert "scores.npy：NumPy 数组，一个数组" in _said(dialog)
    assert "2 个查询 × 2 个键" in _said(dialog)
    _press(dialog, "打开")
    assert snapshot(window).trace.scores.tolist() == [[1, 0], [0, 1]]
