"""The Measures panel: values follow the hand, and each explains itself on hover."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.document.edits import TieProjections
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.ui.panels.measures_panel import MeasuresPanel
from qkviz.ui.theme import LIGHT
from tests.presenters.examples import cat_mat, worked_example


def shown(qtbot: QtBot) -> tuple[MeasuresPanel, Session]:
    session = Session(cat_mat(), Focus())
    panel = MeasuresPanel()
    qtbot.addWidget(panel)
    session.subscribe(panel.refresh)
    panel.resize(240, 620)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def test_all_measures_of_the_product_are_there(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot)
    assert list(panel.rows) == [
        "asymmetry",
        "antisymmetric",
        "diagonal",
        "entropy",
        "effective",
        "distance",
        "variance",
        "rank",
    ]
    assert panel.rows["asymmetry"].shown() == ("largest asymmetry", "0.70")


def test_hover_tells_sentence_formula_and_every_digit(qtbot: QtBot) -> None:
    panel, session = shown(qtbot)
    sentence, formula, exact = panel.rows["asymmetry"].toolTip().split("\n")
    assert sentence.startswith("The most that")
    assert formula == "max |S_ij − S_ji|"
    S = session.snapshot.trace.scores
    assert float(exact) == (S - S.T).abs().max().item()


def test_values_follow_the_document(qtbot: QtBot) -> None:
    panel, session = shown(qtbot)
    session.apply(TieProjections())
    assert panel.rows["asymmetry"].shown()[1] == "0.00"
    session.undo()
    assert panel.rows["asymmetry"].shown()[1] == "0.70"


def test_what_has_no_value_is_a_dash_that_says_why(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot)
    panel.refresh(Session(worked_example(), Focus()).snapshot)
    assert panel.rows["asymmetry"].shown()[1] == "–"
    assert "2 × 3" in panel.rows["asymmetry"].toolTip()


def test_nothing_is_cut_in_a_narrow_dock(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot)
    panel.resize(200, 620)
    QApplication.processEvents()
    for row in panel.rows.values():
        assert row.width() <= 200
        assert row.height() >= row.heightForWidth(row.width())
