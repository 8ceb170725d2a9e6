"""The export dialog: what it lets one choose, what it refuses in place, and what it remembers."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document
from qkviz.document.files import read_document
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.figures.fonts import load_fonts
from qkviz.figures.picture_size import PictureSize
from qkviz.presenters.color_maps import color_table
from qkviz.presenters.matrix_looks import MatrixLooks
from qkviz.settings import Settings, save_settings
from qkviz.ui.dialogs.export_dialog import ExportDialog
from qkviz.ui.dialogs.export_memory import request_to_data, with_remembered
from qkviz.ui.dialogs.export_request import (
    ExportRequest,
    ExportSubject,
    SizeChoice,
    first_request,
    requested_contents,
    requested_provenance,
)
from qkviz.ui.dialogs.export_writing import write_request
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
Ask = Callable[..., tuple[ExportDialog, list[ExportRequest]]]


def _snapshot(focus: Focus | None = None) -> Snapshot:
    inputs = DirectInputs(
        matrix([[0.8, 0.2], [0.1, 0.9]], "Q"), matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K"), None
    )
    shown = focus or Focus(query=0, key=1, matrices=(MatrixName.SCORES, MatrixName.WEIGHTS))
    return Session(Document(("q1", "q2"), ("k1", "k2", "k3"), inputs), shown).snapshot


@pytest.fixture
def ask(qtbot: QtBot) -> Ask:
    load_fonts()
    window = QWidget()
    window.resize(320, 200)
    qtbot.addWidget(window)
    window.show()

    def ask_it(start: ExportRequest | None = None, snapshot: Snapshot | None = None):
        answers: list[ExportRequest] = []
        shown = snapshot or _snapshot()
        begin = start or first_request(shown, ExportSubject.MATRIX, MatrixName.SCORES)
        DialogService(window).ask_export(shown, begin, answers.append)
        QApplication.processEvents()
        (dialog,) = (one for one in window.findChildren(ExportDialog) if one.isVisible())
        return dialog, answers

    return ask_it


def _box(dialog: QWidget, name: str) -> QComboBox:
    return next(one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name)


def _field(dialog: QWidget, name: str) -> QLineEdit:
    return next(one for one in dialog.findChildren(QLineEdit) if one.accessibleName() == name)


def _pick(dialog: QWidget, name: str, text: str) -> None:
    """Choose an entry as a user does: with the keyboard."""
    box = _box(dialog, name)
    wanted = [box.itemText(at) for at in range(box.count())].index(text)
    box.setFocus()
    for _press in range(box.count()):
        if box.currentIndex() != wanted:
            QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < wanted else Qt.Key.Key_Up)
    assert box.currentText() == text
    QApplication.processEvents()


def _type(dialog: QWidget, name: str, text: str) -> None:
    field = _field(dialog, name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QApplication.processEvents()


def _tick(dialog: QWidget, text: str) -> None:
    box = next(one for one in dialog.findChildren(QCheckBox) if one.text() == text)
    QTest.keyClick(box, Qt.Key.Key_Space)
    QApplication.processEvents()


def _save(dialog: QWidget) -> QAbstractButton:
    return next(one for one in dialog.findChildren(QAbstractButton) if one.text() == "Save as…")


def _has_color(image: QImage, name: str, index: int) -> bool:
    """Say whether a colour of a map is anywhere on the lattice of every third pixel of an image."""
    red, green, blue = color_table(name)[index].tolist()
    wanted = red << 16 | green << 8 | blue
    return any(
        image.pixel(x, y) & 0xFFFFFF == wanted
        for x in range(0, image.width(), 3)
        for y in range(0, image.height(), 3)
    )


def test_a_colour_map_is_seen_in_the_preview_at_once(ask: Ask) -> None:
    dialog, answers = ask()
    assert not _has_color(dialog.preview_image(), "vik", 255)
    _pick(dialog, "Colours of scores", "Vik: blue – white – brown")
    assert _has_color(dialog.preview_image(), "vik", 255)
    assert not _box(dialog, "Colours of weights").isEnabled()
    QTest.mouseClick(_save(dialog), LEFT)
    assert answers[0].looks == MatrixLooks("vik")


def test_only_the_maps_of_what_is_drawn_can_be_chosen(ask: Ask) -> None:
    dialog, _answers = ask()

    def enabled() -> list[bool]:
        return [_box(dialog, f"Colours of {what}").isEnabled() for what in ("scores", "weights")]

    _pick(dialog, "Matrix", "softmax weights")
    assert enabled() == [False, True]
    _pick(dialog, "What", "The matrices in view")
    assert enabled() == [True, True]
    _pick(dialog, "What", "The vector plane")
    assert [_box(dialog, f"Colours of {what}").isEnabled() for what in ("scores", "weights")] == [
        False,
        False,
    ]
    dialog.close()


def test_a_typed_range_begins_with_that_of_the_matrix_and_is_kept(ask: Ask) -> None:
    dialog, answers = ask()
    _pick(dialog, "Range of the colours", "from … to …")
    ends = [_field(dialog, f"{end} end of the colours").text() for end in ("Low", "High")]
    assert ends == ["−0.74", "0.74"]
    assert "beyond" not in requested_contents(dialog.request(), _snapshot())[0].note
    _type(dialog, "Low end of the colours", "-1,5")
    _type(dialog, "High end of the colours", "2")
    QTest.mouseClick(_save(dialog), LEFT)
    assert answers[0].looks.range == (-1.5, 2.0)


@pytest.mark.parametrize(("low", "high"), [("2", "1"), ("1", "1"), ("a", "1"), ("", "1"), ("nan", "1")])
def test_a_range_the_wrong_way_round_is_refused_in_place_and_the_old_one_kept(
    ask: Ask, low: str, high: str
) -> None:
    start = first_request(_snapshot(), ExportSubject.MATRIX, MatrixName.SCORES)
    dialog, answers = ask(replace(start, looks=MatrixLooks(range=(-1.0, 3.0))))
    before = dialog.preview_image()
    _type(dialog, "High end of the colours", high)
    assert dialog.note_text() == ""
    field = _field(dialog, "Low end of the colours")
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClicks(field, low)
    QApplication.processEvents()
    assert dialog.note_text().endswith(".")
    QTest.mouseClick(_save(dialog), LEFT)
    assert answers == []
    assert dialog.request().looks.range in ((-1.0, 1.0), (-1.0, 3.0))
    assert field.text() == low
    _tick(dialog, "Transparent background")  # another choice does not hide the problem
    assert dialog.note_text().endswith(".")
    _type(dialog, "Low end of the colours", "-1")
    _type(dialog, "High end of the colours", "3")
    _tick(dialog, "Transparent background")
    assert dialog.note_text() == ""
    assert dialog.preview_image() == before
    dialog.close()


def test_scores_share_a_range_or_have_each_its_own(ask: Ask) -> None:
    snapshot = _snapshot(Focus(matrices=(MatrixName.SCORES, MatrixName.SCALED)))
    dialog, _answers = ask(first_request(snapshot, ExportSubject.MATRICES), snapshot)

    def ranges() -> set[str]:
        found = requested_provenance(dialog.request(), snapshot)
        return {value for name, value in found.items() if name.startswith("range")}

    assert len(ranges()) == 1
    _pick(dialog, "Range of the colours", "each its own")
    assert len(ranges()) == 2
    dialog.close()


def test_more_decimals_make_the_picture_larger_until_the_user_gives_a_size(ask: Ask) -> None:
    dialog, _answers = ask()
    natural = dialog.request().size.width
    _pick(dialog, "Decimals", "8")
    assert dialog.request().looks.decimals == 8
    assert dialog.request().size.width > natural
    _type(dialog, "Width", "500")
    _pick(dialog, "Decimals", "2")
    assert dialog.request().size.width == 500
    dialog.close()


def test_the_bars_of_any_row_and_stage(ask: Ask, tmp_path: Path) -> None:
    snapshot = _snapshot()
    dialog, answers = ask(None, snapshot)
    _pick(dialog, "What", "The bars of a row")
    _pick(dialog, "Matrix", "QKᵀ")
    _pick(dialog, "Query", "2 · q2")
    _tick(dialog, "Numbers in the cells")
    QTest.mouseClick(_save(dialog), LEFT)
    request = answers[0]
    assert (request.subject, request.matrix, request.query) == (ExportSubject.ROW, MatrixName.SCORES, 1)
    assert not request.with_values
    write_request(request, snapshot, tmp_path / "r.png")
    told = json.loads(QImage(str(tmp_path / "r.png")).text("qkviz"))
    assert (told["subject"], told["query"]) == ("row of scores", "2")


def test_the_window_is_painted_at_the_size_asked_for(ask: Ask, tmp_path: Path) -> None:
    dialog, answers = ask()
    _pick(dialog, "What", "The whole window")
    assert (dialog.request().size.width, dialog.request().size.height) == (640, 400)
    assert dialog.preview_image().width() == 640
    assert not _box(dialog, "Language of the picture").isEnabled()
    _type(dialog, "Width", "960")
    QTest.mouseClick(_save(dialog), LEFT)
    for suffix in (".png", ".svg", ".pdf"):
        write_request(answers[0], _snapshot(), tmp_path / f"w{suffix}")
    image = QImage(str(tmp_path / "w.png"))
    assert (image.width(), image.height()) == (960, 600)
    assert json.loads(image.text("qkviz"))["subject"] == "window"


def test_the_document_is_written_as_a_file_or_as_a_script(ask: Ask, tmp_path: Path) -> None:
    snapshot = _snapshot()
    dialog, answers = ask(None, snapshot)
    _pick(dialog, "What", "The document")
    assert "Q @ K.T" in dialog.preview_text()
    assert not _box(dialog, "Decimals").isEnabled()
    _pick(dialog, "Format", "qkviz document")
    assert dialog.preview_text() == ""
    QTest.mouseClick(_save(dialog), LEFT)
    write_request(answers[0], snapshot, tmp_path / "d.qkviz")
    saved = read_document(tmp_path / "d.qkviz")
    assert saved.document.queries == ("q1", "q2")
    assert saved.focus.pair == (0, 1)


def test_the_handout_shows_its_first_page_and_is_written_with_its_source(ask: Ask, tmp_path: Path) -> None:
    snapshot = _snapshot()
    dialog, answers = ask(None, snapshot)
    _pick(dialog, "What", "The handout")
    english = dialog.preview_image()
    assert (english.width(), english.height()) == (2244, 1586)
    assert _box(dialog, "Format").currentText() == "PDF document"
    assert not _field(dialog, "Width").isEnabled()
    _pick(dialog, "Language of the picture", "中文")
    assert dialog.preview_image() != english
    QTest.mouseClick(_save(dialog), LEFT)
    write_request(answers[0], snapshot, tmp_path / "h.pdf")
    pdf = (tmp_path / "h.pdf").read_bytes()
    assert pdf.count(b"/Type /Page\n") == 5  # given Q and K: no step of embeddings
    assert b"&quot;subject&quot;: &quot;handout&quot;" in pdf


def test_the_preview_of_numbers_is_the_text_of_the_file(ask: Ask, tmp_path: Path) -> None:
    snapshot = _snapshot()
    dialog, _answers = ask(None, snapshot)
    for label, suffix in (
        ("CSV table", ".csv"),
        ("Markdown table", ".md"),
        ("JSON", ".json"),
        ("LaTeX", ".tex"),
    ):
        _pick(dialog, "Format", label)
        path = tmp_path / f"a{suffix}"
        write_request(dialog.request(), snapshot, path)
        assert dialog.preview_text() == path.read_text(encoding="utf-8").rstrip("\n")
    dialog.close()


def test_cells_of_a_latex_table_are_coloured_on_request(ask: Ask) -> None:
    dialog, _answers = ask()
    _pick(dialog, "Format", "LaTeX")
    assert "cellcolor" not in dialog.preview_text()
    assert not _box(dialog, "Colours of scores").isEnabled()
    _tick(dialog, "Coloured cells")
    assert dialog.preview_text().count("cellcolor[RGB]") == 6
    assert _box(dialog, "Colours of scores").isEnabled()
    _pick(dialog, "Decimals", "4")
    assert "0.6200" in dialog.preview_text()
    dialog.close()


def test_labels_of_tables_are_in_the_language_of_the_picture(ask: Ask) -> None:
    dialog, _answers = ask()
    _pick(dialog, "Format", "LaTeX")
    _pick(dialog, "Language of the picture", "中文")
    assert r"查询 $\times$ 键" in dialog.preview_text()
    assert dialog.preview_text().startswith("% !TEX program = xelatex")
    dialog.close()


@pytest.mark.parametrize("subject", list(ExportSubject))
def test_every_subject_can_be_the_first(ask: Ask, subject: ExportSubject) -> None:
    dialog, _answers = ask(first_request(_snapshot(), subject, MatrixName.Q))
    assert dialog.note_text() == ""
    assert _save(dialog).isEnabled()
    dialog.close()


# what is remembered

CHOSEN = ExportRequest(
    ExportSubject.MATRICES,
    MatrixName.SCORES,
    ".pdf",
    PictureSize(1, 1),
    "zh",
    with_values=False,
    transparent=True,
    looks=MatrixLooks("broc", "greys", (-2.5, 4.0), 3),
    size_choice=SizeChoice(160.0, in_mm=True, dpi=600.0),
)

READ_IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from qkviz.settings import load_settings
from qkviz.ui.dialogs.export_memory import remembered_subject, with_remembered
from qkviz.ui.dialogs.export_request import ExportRequest
from qkviz.attention.matrices import MatrixName
from qkviz.figures.picture_size import PictureSize
data = load_settings(Path(sys.argv[1])).export
subject = remembered_subject(data)
it = with_remembered(ExportRequest(subject, MatrixName.Q, ".png", PictureSize(1, 1), "en"), data)
print(ascii((it.subject.value, it.suffix, it.language, it.with_values, it.transparent, it.colored, it.looks,
             it.size_choice)))
"""


def test_a_new_process_begins_with_the_last_choice(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert save_settings(Settings(export=request_to_data(CHOSEN)), path)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [sys.executable, "-c", READ_IN_ANOTHER_PROCESS, str(path)],
        capture_output=True, text=True, check=True, timeout=120, env=environment,
    )  # fmt: skip
    expected = ("matrices", ".pdf", "zh", False, True, False, CHOSEN.looks, CHOSEN.size_choice)
    assert ran.stdout.strip() == ascii(expected)


def test_what_is_chosen_is_the_start_of_the_next_dialog(ask: Ask) -> None:
    start = with_remembered(first_request(_snapshot(), ExportSubject.MATRICES), request_to_data(CHOSEN))
    dialog, answers = ask(start)
    assert _field(dialog, "Width").text() == "160"
    assert _field(dialog, "Low end of the colours").text() == "−2.5"
    QTest.mouseClick(_save(dialog), LEFT)
    assert (answers[0].size.width, answers[0].size.dpi) == (3780, 600)  # 160 / 25.4 × 600
    assert request_to_data(answers[0]) == request_to_data(CHOSEN)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"suffix": ".exe", "language": "fr", "looks": 3, "size": [1]},
        {"suffix": 7, "with_values": "no", "size": [float("inf"), True, 96]},
        {"size": [-5, False, 96], "looks": {"range": [3, 1]}},
    ],
)
def test_what_cannot_be_read_is_as_at_the_first_time(data: dict[str, object]) -> None:
    first = first_request(_snapshot(), ExportSubject.MATRIX)
    assert with_remembered(first, data) == first


def test_the_window_remembers_over_a_whole_export(
    open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_window(7)
    window.dialogs.save_to = tmp_path / "s.csv"  # type: ignore[attr-defined]
    window.commands.export()  # type: ignore[union-attr]
    QApplication.processEvents()
    dialog = window.findChild(ExportDialog)
    _pick(dialog, "Format", "CSV table")
    QTest.mouseClick(_save(dialog), LEFT)
    with (tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) > 3
    settings = window.settings_now()
    assert settings.export["suffix"] == ".csv"
    assert save_settings(settings, tmp_path / "settings.json")
