"""The Distribution panel: scores or weights, and the bin under the pointer in words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolTip
from pytestqt.qtbot import QtBot

from qkviz.document.edits import TieProjections
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.ui.panels.distribution_panel import DistributionPanel
from qkviz.ui.theme import LIGHT
from tests.presenters.examples import cat_mat
from tests.ui import mouse

LEFT = Qt.MouseButton.LeftButton

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")


def shown(qtbot: QtBot) -> tuple[DistributionPanel, Session]:
    session = Session(cat_mat(), Focus())
    panel = DistributionPanel()
    qtbot.addWidget(panel)
    session.subscribe(panel.refresh)
    panel.resize(640, 260)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def test_a_button_turns_scores_into_weights(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot)
    assert panel.canvas.accessibleDescription().startswith("XXᵀ: mean 0.75")
    button = next(one for one in panel.findChildren(QAbstractButton) if one.text() == "Weights")
    QTest.mouseClick(button, LEFT)
    assert panel.canvas.accessibleDescription().startswith("softmax of XXᵀ: mean 0.33")


def test_the_histogram_follows_the_document(qtbot: QtBot) -> None:
    panel, session = shown(qtbot)
    before = panel.canvas.accessibleDescription()
    session.apply(TieProjections())
    after = panel.canvas.accessibleDescription()
    assert before.split(". QKᵀ")[0] == after.split(". QKᵀ")[0]
    assert before != after


def test_the_bin_under_the_pointer_is_named_with_its_counts(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot)
    layout = panel.canvas.layout_now
    assert layout is not None
    mouse.hover(panel.canvas, layout.bin_rect(0).center())
    # −0.16 twice in XXᵀ, −0.14 once in QKᵀ
    assert panel.canvas.bin_words(0) == "−0.20 … 0.00\nXXᵀ: 2\nQKᵀ: 1"
    assert QToolTip.text() == panel.canvas.bin_words(0)
    QToolTip.hideText()
