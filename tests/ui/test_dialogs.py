"""The dialogs: what they say, what they ask, and that a name always gets the suffix of its format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import PySide6
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from qkviz import __version__
from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Session, Snapshot
from qkviz.figures.export import figure_image
from qkviz.figures.fonts import load_fonts
from qkviz.figures.picture_size import PictureSize
from qkviz.translate import current_language
from qkviz.ui.dialogs.export_dialog import ExportDialog
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    first_request,
    formats_for,
    matrices_in_view,
    picture_style,
    requested_contents,
    requested_figure,
)
from qkviz.ui.dialogs.save_path import FileFormat, path_with_suffix
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.dialogs.shortcuts_dialog import balanced_columns

LEFT = Qt.MouseButton.LeftButton
PNG, SVG = FileFormat("PNG picture", ".png"), FileFormat("SVG drawing", ".svg")


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    load_fonts()
    shown = QWidget()
    qtbot.addWidget(shown)
    shown.show()
    return shown


def _snapshot(focus: Focus | None = None) -> Snapshot:
    inputs = DirectInputs(
        matrix([[0.8, 0.2], [0.1, 0.9]], "Q"), matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K"), None
    )
    shown = focus or Focus(query=0, key=1, matrices=(MatrixName.SCORES, MatrixName.WEIGHTS))
    return Session(Document(("q1", "q2"), ("k1", "k2", "k3"), inputs), shown).snapshot


def _the(window: QWidget, kind: type[QDialog]) -> QDialog:
    QApplication.processEvents()
    found = [one for one in window.findChildren(kind) if one.isVisible()]
    assert len(found) == 1, found
    return found[0]


def _words(dialog: QWidget) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def _button(dialog: QWidget, text: str) -> QAbstractButton:
    return next(one for one in dialog.findChildren(QAbstractButton) if one.text().replace("&", "") == text)


# names of files


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("a", "a.png"),
        ("a.png", "a.png"),
        ("a.PNG", "a.PNG"),
        ("a.svg", "a.svg"),
        ("run.v2", "run.v2.png"),
        ("run.", "run.png"),
        (".png", "scores.png"),
        (".hidden", ".hidden.png"),
        ("猫.svg", "猫.svg"),
    ],
)
def test_a_name_gets_the_suffix_it_means_once(typed, expected):
    assert path_with_suffix(Path("/tmp") / typed, (PNG, SVG), PNG, "scores") == Path("/tmp") / expected


def test_the_filter_decides_when_the_name_does_not():
    assert path_with_suffix(Path("a"), (PNG, SVG), SVG, "scores") == Path("a.svg")


# asking where to save


def _file_dialog(window: QWidget, folder: Path, then: Callable[[Path], None]) -> QFileDialog:
    DialogService(window).ask_save_path(folder / "scores.png", (PNG, SVG), PNG, then)
    dialog = _the(window, QFileDialog)
    assert isinstance(dialog, QFileDialog)
    return dialog


def test_the_chosen_path_comes_back_with_its_suffix(window, tmp_path):
    answers: list[Path] = []
    dialog = _file_dialog(window, tmp_path, answers.append)
    assert dialog.selectedFiles() == [str(tmp_path / "scores.png")]
    dialog.selectNameFilter(SVG.filter)
    dialog.findChild(QLineEdit).setText("run.v2")
    dialog.accept()
    assert answers == [tmp_path / "run.v2.svg"]


def test_cancelling_answers_nothing(window, tmp_path):
    answers: list[Path] = []
    dialog = _file_dialog(window, tmp_path, answers.append)
    dialog.reject()
    assert answers == []


@pytest.mark.parametrize(("button", "count"), [("Replace", 1), ("Cancel", 0)])
def test_a_file_that_the_suffix_makes_the_name_of_is_replaced_only_when_agreed(
    window, tmp_path, button, count
):
    (tmp_path / "old.png").write_text("old")
    answers: list[Path] = []
    dialog = _file_dialog(window, tmp_path, answers.append)
    dialog.findChild(QLineEdit).setText("old")
    dialog.accept()
    assert answers == []
    box = _the(window, QMessageBox)
    assert all(button.icon().isNull() for button in box.buttons())  # Qt's own are coloured
    assert "old.png exists already" in _words(box)
    QTest.mouseClick(_button(box, button), LEFT)
    assert answers == [tmp_path / "old.png"] * count
    assert (tmp_path / "old.png").read_text() == "old"


# telling


def test_about_tells_the_versions_and_copies_them(window):
    DialogService(window).show_about()
    dialog = _the(window, QDialog)
    assert PySide6.__version__ in _words(dialog)
    assert "MIT" in _words(dialog)
    QTest.mouseClick(_button(dialog, "Copy versions"), LEFT)
    copied = QGuiApplication.clipboard().text().splitlines()
    assert f"qkviz {__version__}" in copied
    assert any(line.startswith("torch ") for line in copied)
    QTest.mouseClick(_button(dialog, "Close"), LEFT)
    assert not dialog.isVisible()


def test_an_untested_qt_is_warned_of(window, monkeypatch):
    monkeypatch.setattr(PySide6, "__version__", "6.12.0")
    DialogService(window).show_about()
    dialog = _the(window, QDialog)
    assert "PySide6 6.12.0 is not one of the releases" in _words(dialog)
    dialog.close()


def test_all_rows_of_the_overview_are_in_sight_or_a_scroll_away(window):
    rows = [
        ("Steps", "Next step", "→"),
        ("Steps", "Play & pause", "Space"),
        ("Plane", "Move <b>it</b>", "drag"),
    ]
    DialogService(window).show_shortcuts(rows)
    dialog = _the(window, QDialog)
    shown = _words(dialog).splitlines()
    assert [text for text in shown if text in ("→", "Space", "drag")] == ["→", "Space", "drag"]
    assert "Move <b>it</b>" in shown
    dialog.close()


def test_columns_of_the_overview_keep_groups_whole_and_in_order():
    rows = [("a", str(n), "") for n in range(6)] + [("b", "0", ""), ("c", "0", ""), ("b", "1", "")]
    left, right = balanced_columns(rows)
    assert list(left) == ["a"]
    assert {name: len(lines) for name, lines in right.items()} == {"b": 2, "c": 1}


def test_an_error_is_shown_as_plain_text_with_its_details(window):
    DialogService(window).show_error("Cannot write <b>x</b>.png: disk full.", "Traceback …")
    box = _the(window, QMessageBox)
    assert isinstance(box, QMessageBox)
    assert "Cannot write <b>x</b>.png: disk full." in _words(box)
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert box.detailedText() == "Traceback …"
    box.close()


# asking what to export


@pytest.fixture
def ask(window: QWidget) -> Callable[..., tuple[ExportDialog, list[ExportRequest]]]:
    def ask_it(snapshot: Snapshot, subject: ExportSubject = ExportSubject.MATRIX):
        answers: list[ExportRequest] = []
        DialogService(window).ask_export(snapshot, first_request(snapshot, subject), answers.append)
        dialog = _the(window, ExportDialog)
        assert isinstance(dialog, ExportDialog)
        return dialog, answers

    return ask_it


def _pick(dialog: QWidget, name: str, text: str) -> None:
    """Choose an entry as a user does: with the keyboard."""
    box = next(one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name)
    wanted = [box.itemText(at) for at in range(box.count())].index(text)
    box.setFocus()
    for _press in range(box.count()):
        if box.currentIndex() != wanted:
            QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < wanted else Qt.Key.Key_Up)
    assert box.currentText() == text
    QApplication.processEvents()


def _type(dialog: QWidget, name: str, text: str) -> None:
    field = next(one for one in dialog.findChildren(QLineEdit) if one.accessibleName() == name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QApplication.processEvents()


def _tick(dialog: QWidget, text: str) -> None:
    box = next(one for one in dialog.findChildren(QCheckBox) if one.text() == text)
    QTest.keyClick(box, Qt.Key.Key_Space)
    QApplication.processEvents()


def test_what_is_chosen_is_what_comes_back(ask):
    dialog, answers = ask(_snapshot())
    _pick(dialog, "Matrix", "softmax weights")
    _pick(dialog, "Format", "SVG drawing")
    _pick(dialog, "Language of the picture", "English")
    _tick(dialog, "Numbers in the cells")
    _tick(dialog, "Title")
    _type(dialog, "Text of the title", "Lesson 8")
    _tick(dialog, "Transparent background")
    _tick(dialog, "Height follows the picture")
    _type(dialog, "Width", "1200")
    _type(dialog, "Height", "900")
    QTest.mouseClick(_button(dialog, "Save as…"), LEFT)
    assert len(answers) == 1
    request = answers[0]
    assert (request.subject, request.matrix, request.suffix) == (
        ExportSubject.MATRIX,
        MatrixName.WEIGHTS,
        ".svg",
    )
    assert (request.size.width, request.size.height) == (1200, 900)
    assert (request.language, request.title) == ("en", "Lesson 8")
    assert (request.with_values, request.transparent) == (False, True)


def test_cancelled_there_is_no_request(ask):
    dialog, answers = ask(_snapshot())
    QTest.mouseClick(_button(dialog, "Cancel"), LEFT)
    assert answers == []


def test_the_preview_is_the_picture_itself_at_its_final_size(ask):
    snapshot = _snapshot()
    dialog, _answers = ask(snapshot)
    _type(dialog, "Width", "640")
    request = dialog.request()
    assert request.size.width == 640
    wanted = figure_image(requested_figure(request, snapshot), request.size, picture_style(request))
    assert dialog.preview_image() == wanted
    assert dialog.preview_image().width() == 640
    dialog.close()


def test_the_height_follows_the_width_in_the_proportions_of_the_picture(ask):
    dialog, _answers = ask(_snapshot())
    before = dialog.request().size
    _type(dialog, "Width", str(before.width * 2))
    after = dialog.request().size
    assert after.height == pytest.approx(before.height * 2, abs=1)
    dialog.close()


def test_millimetres_and_dpi_give_the_pixels_of_the_file(ask):
    dialog, _answers = ask(_snapshot())
    _pick(dialog, "Unit of the size", "millimetres")
    _tick(dialog, "Height follows the picture")
    _type(dialog, "Width", "89")
    _type(dialog, "Height", "60,5")
    _type(dialog, "Dots per inch", "600")
    size = dialog.request().size
    assert (size.width, size.height, size.dpi) == (2102, 1429, 600)  # 89 / 25.4 × 600, 60.5 / 25.4 × 600
    dialog.close()


@pytest.mark.parametrize("typed", ["", "abc", "0", "99999", "1e300", "1,234.5"])
def test_an_impossible_width_is_refused_with_a_sentence_and_cannot_be_saved(ask, typed):
    dialog, answers = ask(_snapshot())
    before = dialog.request()
    field = next(one for one in dialog.findChildren(QLineEdit) if one.accessibleName() == "Width")
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClicks(field, typed)
    assert dialog.note_text().endswith(".")
    _tick(dialog, "Transparent background")
    _tick(dialog, "Transparent background")
    assert dialog.note_text().endswith(".")
    QTest.mouseClick(_button(dialog, "Save as…"), LEFT)
    assert answers == []
    assert dialog.isVisible()
    _type(dialog, "Width", str(before.size.width))
    assert dialog.note_text() == ""
    QTest.mouseClick(_button(dialog, "Save as…"), LEFT)
    assert [answer.size for answer in answers] == [before.size]


def test_characters_without_a_font_are_warned_of_before_saving(ask):
    dialog, _answers = ask(_snapshot())
    assert dialog.note_text() == ""
    _tick(dialog, "Title")
    field = next(one for one in dialog.findChildren(QLineEdit) if one.accessibleName() == "Text of the title")
    field.setText("\U000e1234")  # a code point that is not assigned
    QTest.keyClicks(field, "x")
    QApplication.processEvents()
    assert "No installed font has these characters: \U000e1234" in dialog.note_text()
    assert _button(dialog, "Save as…").isEnabled()
    dialog.close()


def test_numbers_need_no_size_and_the_plane_has_no_numbers(ask):
    dialog, _answers = ask(_snapshot())
    _pick(dialog, "Format", "CSV table")
    width = next(one for one in dialog.findChildren(QLineEdit) if one.accessibleName() == "Width")
    assert not width.isEnabled()
    assert dialog.preview_image().isNull()
    _pick(dialog, "What", "The vector plane")
    assert dialog.request().suffix == ".png"
    assert width.isEnabled()
    assert not dialog.preview_image().isNull()
    dialog.close()


def test_a_transparent_picture_has_no_ground(ask):
    dialog, _answers = ask(_snapshot(), ExportSubject.PLANE)
    assert dialog.preview_image().pixelColor(0, 0).name() == "#ffffff"
    _tick(dialog, "Transparent background")
    assert dialog.preview_image().pixelColor(0, 0).alpha() == 0
    dialog.close()


def test_a_document_of_scores_alone_can_be_exported(ask):
    scores = matrix([[1.0, 2.0], [0.5, 0.25]], "scores")
    document = Document(("a", "b"), ("x", "y"), GivenScores(scores, None))
    dialog, _answers = ask(
        Session(document, Focus(matrices=(MatrixName.Q,))).snapshot, ExportSubject.MATRICES
    )
    _pick(dialog, "What", "The vector plane")
    _pick(dialog, "What", "One matrix")
    assert dialog.request().matrix is MatrixName.SCORES
    dialog.close()


def test_the_language_of_the_picture_leaves_that_of_the_window(ask):
    dialog, _answers = ask(_snapshot())
    _pick(dialog, "Language of the picture", "中文")
    assert current_language() == "en"
    assert dialog.windowTitle() == "Export"
    content = requested_contents(dialog.request(), _snapshot())[0]
    assert (content.row_axis, content.column_axis) == ("查询", "键")
    dialog.close()


def test_every_field_has_a_name(ask):
    dialog, _answers = ask(_snapshot())
    fields = [*dialog.findChildren(QLineEdit), *dialog.findChildren(QComboBox)]
    assert [field for field in fields if not field.accessibleName() and field.isVisible()] == []
    dialog.close()


# what a request means


def test_the_matrices_in_view_are_those_that_the_document_has():
    focus = Focus(matrices=(MatrixName.WEIGHTS, MatrixName.XXT, MatrixName.SCORES))
    assert matrices_in_view(_snapshot(focus)) == (MatrixName.WEIGHTS, MatrixName.SCORES)
    assert matrices_in_view(_snapshot(Focus(matrices=(MatrixName.XXT,)))) == (MatrixName.SCORES,)


def test_a_request_shows_the_matrices_of_its_subject():
    snapshot = _snapshot()
    one = first_request(snapshot, ExportSubject.MATRIX, MatrixName.Q)
    assert [content.name for content in requested_contents(one, snapshot)] == [MatrixName.Q]
    several = replace(one, subject=ExportSubject.MATRICES)
    shown = [content.name for content in requested_contents(several, snapshot)]
    assert shown == [MatrixName.SCORES, MatrixName.WEIGHTS]


def test_the_pointer_leaves_no_trace_in_a_picture():
    hovered = _snapshot(Focus(hover=Cell(MatrixName.SCORES, 1, 2)))
    request = first_request(hovered, ExportSubject.MATRIX, MatrixName.SCORES)
    assert requested_contents(request, hovered)[0].outlines == ()


def test_only_matrices_have_formats_of_numbers():
    assert [one.suffix for one in formats_for(ExportSubject.PLANE)] == [".png", ".svg", ".pdf"]
    assert [one.suffix for one in formats_for(ExportSubject.MATRICES)] == [
        ".png",
        ".svg",
        ".pdf",
        ".csv",
        ".tsv",
        ".npz",
        ".json",
        ".tex",
        ".md",
    ]


def test_the_first_size_is_the_natural_one(window):
    snapshot = _snapshot()
    request = first_request(snapshot, ExportSubject.PLANE)
    assert request.size == PictureSize.natural(requested_figure(request, snapshot), 192)
