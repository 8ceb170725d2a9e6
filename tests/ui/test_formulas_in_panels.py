"""Formulas on the screen: beside the steps, in the lessons, over the script; in the colours of the theme."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from qkviz.attention.normalizers import Sparsemax
from qkviz.attention.score_functions import Cosine
from qkviz.document.edits import SetNormalizer, SetScoreFunction
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.code_panel import CodePanel
from qkviz.ui.panels.lesson_view import LessonView
from qkviz.ui.panels.runs_view import RunsView
from qkviz.ui.panels.steps_panel import StepsPanel
from qkviz.ui.theme import DARK, LIGHT
from tests.figures.canvas import pixels_of
from tests.ui.conftest import OpenWindow
from tests.ui.parts import apply, commands


def steps(window: MainWindow) -> StepsPanel:
    panel = window.panels["steps"]
    assert isinstance(panel, StepsPanel)
    return panel


def test_each_step_shows_its_formula(window: MainWindow) -> None:
    for number, formula in ((2, "k_j = x_j W_K"), (3, "S_ij = q_i · k_j"), (5, "A_ij = e^Z_ij/Σ_l e^Z_il")):
        commands(window).go_to_step(number)
        assert formula in steps(window).shown_text()


def test_the_formulas_follow_score_function_and_normaliser(window: MainWindow) -> None:
    apply(window, SetScoreFunction(Cosine()))
    commands(window).go_to_step(3)
    assert "S_ij = q_i · k_j/(‖q_i‖ ‖k_j‖)" in steps(window).shown_text()
    apply(window, SetNormalizer(Sparsemax()))
    commands(window).go_to_step(5)
    assert "A_ij = max(0, Z_ij − θ_i)" in steps(window).shown_text()


def test_a_screen_reader_hears_the_formula_in_words(window: MainWindow) -> None:
    commands(window).go_to_step(3)
    heard = [view.accessibleName() for view in steps(window).findChildren(RunsView)]
    assert any("S_ij = q_i · k_j" in name for name in heard)


def test_the_lesson_reads_its_formulas_in_words_without_dollar_signs(window: MainWindow) -> None:
    texts = [view.text() for view in window.panels["lessons"].findChildren(RunsView)]
    assert any("A = softmax(QKᵀ/√d_k)" in text for text in texts)
    assert not any("$" in text or "\\" in text for text in texts)
    assert window.panels["lessons"].findChildren(LessonView)


def test_the_formula_of_the_document_stands_over_its_script_alone(window: MainWindow) -> None:
    window.board.bring_to_front("code")
    QApplication.processEvents()
    panel = window.panels["code"]
    assert isinstance(panel, CodePanel)
    assert panel.formula_text().startswith("A = softmax(QKᵀ/√d_k)")
    apply(window, SetNormalizer(Sparsemax()))
    assert panel.formula_text().startswith("A = sparsemax(QKᵀ/√d_k)")
    panel.choice.setFocus()
    panel.choice.activated.emit(2)
    assert panel.formula_text() == ""


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_formula_has_the_colours_of_the_theme(open_window: OpenWindow, theme) -> None:
    window = open_window(7, theme=theme.name)
    window.board.bring_to_front("code")
    QApplication.processEvents()
    view = next(view for view in window.panels["code"].findChildren(RunsView) if "QKᵀ" in view.text())
    pixels = pixels_of(view.grab().toImage()).astype(int)
    for color in (theme.query, theme.key, theme.weight):
        wanted = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
        assert (np.abs(pixels - wanted) <= 12).all(axis=2).any(), color
