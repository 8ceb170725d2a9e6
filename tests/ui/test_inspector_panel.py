"""The Inspector: what is typed, pasted, chosen and clicked in it, by real keys and mouse."""

from __future__ import annotations

import dataclasses
import gc
import re
import weakref

import pytest
import torch
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.attention.normalizers import Hardmax, Softmax
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Additive, Cosine, ScaledDot
from qkviz.document.document import Document, Role
from qkviz.document.edits import EditableMatrix, MoveVector, ReplaceDocument, SetCell, SetMask, SetNormalizer
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Session
from qkviz.presenters.number_format import full_number
from qkviz.translate import Phrase, Refusal, use_language
from qkviz.ui.panels.inspector_panel import InspectorPanel
from qkviz.ui.panels.matrix_table import MatrixTable, MatrixView
from qkviz.ui.panels.options_form import OptionsForm
from qkviz.ui.panels.sheet_cells import CellEditor
from qkviz.ui.panels.sheet_view import SheetView
from qkviz.ui.panels.token_list import TokenList
from qkviz.ui.theme import DARK, LIGHT
from tests.ui import parts
from tests.ui.conftest import OpenWindow

LEFT = Qt.MouseButton.LeftButton
X, W_Q, W_K, Q, K = (EditableMatrix(name) for name in ("x", "w_q", "w_k", "q", "k"))


class _Window(QWidget):
    """A window with an Inspector that follows a session, as the main window has it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.panel = InspectorPanel()
        self.keys: list[int] = []
        self.edits: list[object] = []
        self.sentences: list[str] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.panel)
        self.panel.edited.connect(self._apply)
        self.panel.said.connect(self.sentences.append)
        session.subscribe(self.panel.refresh)
        self.panel.refresh(session.snapshot)

    @property
    def document(self) -> Document:
        return self.session.snapshot.document

    @property
    def options(self) -> OptionsForm:
        found = self.panel.findChild(OptionsForm)
        assert isinstance(found, OptionsForm)
        return found

    @property
    def tokens(self) -> TokenList:
        return self.panel.findChildren(TokenList)[0]

    def view(self, name: EditableMatrix) -> MatrixView:
        return self.panel.table(name).view

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Write down what nothing inside has taken."""
        self.keys.append(event.key())

    def _apply(self, edit: object) -> None:
        self.edits.append(edit)
        try:
            self.session.apply(edit)  # type: ignore[arg-type]
        except Refusal as refusal:
            self.sentences.append(str(refusal))


def _three_words() -> Document:
    embeddings = matrix([[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]], "X")
    to_queries = matrix([[1.3, 0.6], [0.4, -0.5], [0.6, 0.4], [-0.2, 0.2]], "W_Q")
    to_keys = matrix([[0.9, 0.5], [-0.4, 0.9], [0.5, -0.6], [0.3, -0.2]], "W_K")
    words = ("猫", "坐", "垫子")
    return Document(words, words, ProjectedInputs(embeddings, embeddings, to_queries, to_keys))


def _worked_example() -> Document:
    queries = matrix([[0.8, 0.2], [0.1, 0.9]], "Q")
    keys = matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K")
    return Document(("one", "two"), ("a", "b", "c"), DirectInputs(queries, keys))


def _given_scores() -> Document:
    return Document(("one", "two"), ("a", "b"), GivenScores(matrix([[1.0, 2.0], [3.0, 4.0]], "scores")))


def _wide(tokens: int = 64) -> Document:
    numbers = torch.randn(tokens, 64, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    words = tuple(f"word{number}" for number in range(tokens))
    return Document(
        words, words, ProjectedInputs(numbers, numbers, torch.eye(64).double(), torch.eye(64).double())
    )


def _shown(qtbot: QtBot, document: Document, focus: Focus | None = None) -> _Window:
    window = _Window(Session(document, focus))
    qtbot.addWidget(window)
    window.panel.restyle(LIGHT)
    window.panel.refresh(window.session.snapshot)
    window.resize(300, 1400)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def window(qtbot: QtBot) -> _Window:
    return _shown(qtbot, _three_words())


def _cell(view: SheetView, row: int, column: int) -> QPoint:
    return view.visualRect(view.model().index(row, column)).center()


def _double_click(view: SheetView, row: int, column: int) -> CellEditor:
    QTest.mouseClick(view.viewport(), LEFT, pos=_cell(view, row, column))
    QTest.mouseDClick(view.viewport(), LEFT, pos=_cell(view, row, column))
    editor = view.open_editor()
    assert editor is not None
    return editor


def _enter(view: SheetView, row: int, column: int, text: str) -> None:
    """Type over a cell; the text is set, for QTest cannot type what is not on an English keyboard."""
    editor = _double_click(view, row, column)
    editor.setText(text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def _focus_cell(view: SheetView, row: int, column: int) -> None:
    QTest.mouseClick(view.viewport(), LEFT, pos=_cell(view, row, column))
    assert view.hasFocus()


def _values(window: _Window, name: EditableMatrix) -> list[list[float]]:
    content = window.panel.table(name).content
    assert content is not None
    rows: list[list[float]] = content.values.tolist()
    return rows


# --- tables -------------------------------------------------------------------------------------------------


def test_every_matrix_of_a_self_attention_has_a_table_and_no_other(window: _Window) -> None:
    shown = [name for name in EditableMatrix if window.panel.table(name).isVisible()]
    assert shown == [X, W_Q, W_K, Q, K]
    assert _values(window, X)[1] == [0.3, -0.6, 1.2, 0.1]
    assert window.view(W_Q).model().index(1, 1).data() == "−0.50"


def test_typing_over_a_cell_and_enter_stores_the_number_and_goes_down(window: _Window) -> None:
    view = window.view(X)
    _focus_cell(view, 0, 1)
    QTest.keyClicks(view, "1")
    editor = view.open_editor()
    assert editor is not None
    QTest.keyClicks(editor, ",25")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert _values(window, X)[0] == [1.0, 1.25, -0.2, 0.8]
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, 1)
    assert view.open_editor() is None
    assert view.hasFocus()


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1,5", 1.5),
        ("1e-3", 0.001),
        ("−2", -2.0),
        ("１．５", 1.5),
        (" 0.1 ", 0.1),
        ("-0.123456789012345", -0.123456789012345),
    ],
)
def test_numbers_are_read_as_they_are_written_round_the_world(
    window: _Window, typed: str, number: float
) -> None:
    _enter(window.view(W_K), 2, 1, typed)
    assert _values(window, W_K)[2] == [0.5, number]


def test_opening_a_cell_and_pressing_enter_leaves_its_value_to_the_bit(qtbot: QtBot) -> None:
    third = 0.1 + 0.2  # shown as 0.30
    inputs = DirectInputs(matrix([[third]], "Q"), matrix([[1.0]], "K"))
    window = _shown(qtbot, Document(("a",), ("b",), inputs))
    editor = _double_click(window.view(Q), 0, 0)
    assert editor.text() == full_number(third) == "0.30000000000000004"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert window.edits == []
    assert _values(window, Q) == [[third]]


def test_the_same_number_written_otherwise_is_no_edit(window: _Window) -> None:
    _enter(window.view(X), 0, 1, "0.50")
    assert window.edits == []
    assert window.view(X).open_editor() is None


def test_text_that_is_no_number_stays_in_its_field_until_it_is_one(window: _Window) -> None:
    view = window.view(X)
    editor = _double_click(view, 0, 0)
    QTest.keyClicks(editor, "1,234.5")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "1,234.5" in window.sentences[-1]
    assert view.open_editor() is editor
    assert editor.text() == "1,234.5"
    editor.selectAll()
    QTest.keyClicks(editor, "3")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert view.open_editor() is None
    assert _values(window, X)[0][0] == 3.0


def test_a_click_elsewhere_does_not_lose_refused_text(window: _Window) -> None:
    view = window.view(X)
    editor = _double_click(view, 0, 0)
    QTest.keyClicks(editor, "two")
    QTest.mouseClick(view.viewport(), LEFT, pos=_cell(view, 2, 2))
    assert view.open_editor() is editor
    assert editor.text() == "two"
    assert editor.hasFocus()
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert view.open_editor() is None
    assert window.edits == []


@pytest.mark.parametrize("typed", ["nan", "inf", "1e7", ""])
def test_numbers_that_cannot_be_stored_are_refused_with_a_sentence(window: _Window, typed: str) -> None:
    before = window.document
    _enter(window.view(X), 0, 0, typed)
    assert window.document is before
    assert len(window.sentences) == 1


def test_escape_gives_the_typed_text_up(window: _Window) -> None:
    editor = _double_click(window.view(X), 0, 0)
    QTest.keyClicks(editor, "9")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert window.view(X).open_editor() is None
    assert window.edits == []


def test_clicking_another_cell_hands_the_typed_number_in(window: _Window) -> None:
    view = window.view(X)
    editor = _double_click(view, 0, 0)
    editor.selectAll()
    QTest.keyClicks(editor, "7")
    QTest.mouseClick(view.viewport(), LEFT, pos=_cell(view, 2, 2))
    assert _values(window, X)[0][0] == 7.0
    assert view.currentIndex().row() == 2


def test_tab_hands_in_and_goes_right_then_to_the_next_row(window: _Window) -> None:
    view = window.view(W_Q)
    editor = _double_click(view, 0, 1)
    editor.selectAll()
    QTest.keyClicks(editor, "5")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert _values(window, W_Q)[0] == [1.3, 5.0]
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, 0)
    QTest.keyClick(view, Qt.Key.Key_Backtab)
    assert (view.currentIndex().row(), view.currentIndex().column()) == (0, 1)


def test_tab_leaves_a_table_behind_its_last_cell_and_comes_in_at_the_first(window: _Window) -> None:
    _focus_cell(window.view(X), 2, 3)
    QTest.keyClick(window.view(X), Qt.Key.Key_Tab)
    assert window.view(W_Q).hasFocus()
    assert (window.view(W_Q).currentIndex().row(), window.view(W_Q).currentIndex().column()) == (0, 0)
    QTest.keyClick(window.view(W_Q), Qt.Key.Key_Backtab)
    assert window.view(X).hasFocus()


def test_tab_out_of_a_field_in_the_last_cell_hands_in_and_leaves(window: _Window) -> None:
    editor = _double_click(window.view(X), 2, 3)
    editor.selectAll()
    QTest.keyClicks(editor, "4")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert _values(window, X)[2][3] == 4.0
    assert window.view(W_Q).hasFocus()


def test_arrows_stay_in_the_table_even_at_its_edge(window: _Window) -> None:
    view = window.view(X)
    _focus_cell(view, 0, 0)
    for key in (
        Qt.Key.Key_Left,
        Qt.Key.Key_Up,
        Qt.Key.Key_Home,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_Right,
        Qt.Key.Key_Down,
    ):
        QTest.keyClick(view, key)
    assert window.keys == []
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, 1)


@pytest.mark.parametrize("key", [Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_keys_open_the_current_cell_with_its_whole_number(window: _Window, key: Qt.Key) -> None:
    view = window.view(X)
    _focus_cell(view, 0, 2)
    QTest.keyClick(view, key)
    editor = view.open_editor()
    assert editor is not None
    assert editor.text() == "−0.2"


# --- clipboard ----------------------------------------------------------------------------------------------


def test_copied_numbers_are_whole_and_have_the_minus_of_spreadsheets(qtbot: QtBot) -> None:
    inputs = DirectInputs(matrix([[1 / 3, -2.0], [0.5, 1e-7]], "Q"), matrix([[1.0, 1.0]], "K"))
    window = _shown(qtbot, Document(("a", "b"), ("c",), inputs))
    _focus_cell(window.view(Q), 0, 0)
    QTest.keyClick(window.view(Q), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.view(Q), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "0.3333333333333333\t-2\n0.5\t1e-7"


def test_a_block_of_a_spreadsheet_is_pasted_at_the_current_cell(window: _Window) -> None:
    QGuiApplication.clipboard().setText("1,5\t-2\r\n1e-3\t4\r\n")
    _focus_cell(window.view(X), 1, 2)
    QTest.keyClick(window.view(X), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert _values(window, X) == [[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.5, -2.0], [0.7, 0.9, 0.001, 4.0]]
    window.session.undo()
    assert _values(window, X)[1] == [0.3, -0.6, 1.2, 0.1]


@pytest.mark.parametrize("pasted", ["1\t2\n3", "1\tword", "1\t2\t3", "1\n2\n3\n4", "nan", ""])
def test_a_block_that_does_not_fit_is_refused_with_a_sentence(window: _Window, pasted: str) -> None:
    before = window.document
    QGuiApplication.clipboard().setText(pasted)
    _focus_cell(window.view(X), 0, 2)
    QTest.keyClick(window.view(X), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.document is before
    assert len(window.sentences) == 1


# --- moved by hand ------------------------------------------------------------------------------------------


def _moved(window: _Window) -> _Window:
    plane = Plane.of_dimensions(2, 0, 1)
    window.session.apply(MoveVector(Role.QUERY, 1, plane, 3.0, 4.0))
    window.session.apply(MoveVector(Role.KEY, 2, plane, 5.0, 6.0))
    return window


def test_a_click_on_the_sign_of_a_moved_row_puts_that_row_back(window: _Window) -> None:
    before = _values(window, Q)
    _moved(window)
    assert _values(window, Q)[1] == pytest.approx([3.0, 4.0])
    header = window.view(Q).row_header
    y = header.sectionViewportPosition(1) + header.sectionSize(1) // 2
    QTest.mouseClick(header.viewport(), LEFT, pos=QPoint(5, y))  # the label itself resets nothing
    assert _values(window, Q)[1] == pytest.approx([3.0, 4.0])
    QTest.mouseClick(header.viewport(), LEFT, pos=QPoint(header.width() - 8, y))
    assert _values(window, Q) == before
    assert _values(window, K)[2] == pytest.approx([5.0, 6.0])


def test_delete_puts_the_current_moved_row_back(window: _Window) -> None:
    before = _values(window, Q)
    _moved(window)
    _focus_cell(window.view(Q), 1, 0)
    QTest.keyClick(window.view(Q), Qt.Key.Key_Delete)
    assert _values(window, Q) == before


def test_the_button_puts_all_moved_vectors_back(window: _Window) -> None:
    before = _values(window, Q), _values(window, K)
    button = window.options.projections.reset_button
    assert not button.isEnabled()
    assert button.toolTip()
    _moved(window)
    QTest.mouseClick(button, LEFT)
    assert (_values(window, Q), _values(window, K)) == before
    assert not button.isEnabled()


def test_typing_into_q_moves_that_vector_by_hand(window: _Window) -> None:
    _enter(window.view(Q), 0, 1, "2")
    content = window.panel.table(Q).content
    assert content is not None
    assert content.moved == {0}
    assert _values(window, X)[0] == [1.0, 0.5, -0.2, 0.8]


def test_the_context_menu_offers_what_the_keys_do(window: _Window) -> None:
    _moved(window)
    view = window.view(Q)
    _focus_cell(view, 0, 0)
    menu = view.context_menu()
    states = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
    assert list(states.values()) == [True, True, False, True]  # copy, paste, this row is not moved, all rows
    menu.deleteLater()


# --- drawing only what changed ------------------------------------------------------------------------------


def test_a_drag_redraws_only_the_moved_row_of_q(window: _Window) -> None:
    changed: list[tuple[EditableMatrix, int, int]] = []

    class Listener:
        def __init__(self, name: EditableMatrix) -> None:
            self.name = name

        def hear(self, first: QModelIndex, last: QModelIndex) -> None:
            changed.append((self.name, first.row(), last.row()))

    plane = Plane.of_dimensions(2, 0, 1)
    window.session.apply(MoveVector(Role.QUERY, 1, plane, 3.0, 4.0, gesture=1))
    listeners = [Listener(name) for name in (X, W_Q, W_K, Q, K)]
    for listener in listeners:
        window.view(listener.name).model().dataChanged.connect(listener.hear)
    window.session.apply(MoveVector(Role.QUERY, 1, plane, 3.5, 4.0, gesture=1))
    assert changed == [(Q, 1, 1)]
    window.session.look_at(Focus(hover=Cell(window.session.snapshot.focus.matrices[0], 0, 0)))
    assert changed == [(Q, 1, 1)]


def test_showing_snapshots_never_asks_for_an_edit(window: _Window) -> None:
    _moved(window)
    window.session.apply(SetMask(PaddingMask(frozenset({1}))))
    window.session.apply(SetNormalizer(Hardmax()))
    window.session.apply(SetNormalizer(Softmax(0.5)))
    window.session.apply(SetCell(W_Q, 0, 0, 2.0))
    for _step in range(4):
        window.session.undo()
    window.session.redo()
    window.panel.retranslate()
    window.panel.restyle(DARK)
    window.panel.refresh(window.session.snapshot)
    assert window.edits == []


def test_what_is_being_typed_is_not_handed_in_by_a_snapshot_that_takes_its_field_away(
    window: _Window,
) -> None:
    form = window.options
    form.temperature_field.setFocus()
    QTest.keyClicks(form.temperature_field, "3")
    window.session.apply(SetNormalizer(Hardmax()))
    assert form.temperature_field.text() == ""
    window.session.apply(SetMask(PaddingMask(frozenset({1}))))
    form.padding_field.setFocus()
    QTest.keyClicks(form.padding_field, "1")
    window.session.apply(SetMask(NoMask()))
    editor = _double_click(window.view(X), 0, 0)
    QTest.keyClicks(editor, "9")
    window.panel.refresh(Session(_given_scores()).snapshot)
    assert window.view(X).open_editor() is None
    assert window.edits == []


def test_what_is_being_typed_outlives_a_snapshot(window: _Window) -> None:
    editor = _double_click(window.view(Q), 0, 0)
    editor.setText("9")
    field = window.options.scale_field
    window.session.apply(SetCell(Q, 0, 0, 5.0))
    assert editor.text() == "9"
    field.setFocus()
    assert _values(window, Q)[0][0] == 9.0
    QTest.keyClicks(field, "2")
    window.session.apply(SetCell(Q, 0, 0, 6.0))
    assert field.text() == "2"


def test_large_tables_scroll_inside_and_stay_low(qtbot: QtBot) -> None:
    window = _shown(qtbot, _wide())
    view = window.view(X)
    row = view.rowHeight(0)
    assert 6 * row < view.height() < 9 * row
    assert view.verticalScrollBar().maximum() > 0
    assert view.horizontalScrollBar().maximum() > 0
    assert view.columnWidth(0) == view.columnWidth(63)


@pytest.mark.parametrize(
    ("number", "shown"), [(-0.25, r"−0\.25"), (-12.25, r"−12\.2"), (-123.25, "−123"), (-98765.0, "−9[0-9]*…")]
)
def test_numbers_lose_decimals_in_narrow_cells_and_what_is_cut_says_so(
    qtbot: QtBot, number: float, shown: str
) -> None:
    inputs = DirectInputs(matrix([[number]], "Q"), matrix([[1.0]], "K"))
    window = _shown(qtbot, Document(("a",), ("b",), inputs))
    view = window.view(Q)
    room = view.fontMetrics().horizontalAdvance("−0.00") + 1
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    painter.setFont(view.font())
    delegate = view.sheet_delegate
    index = view.model().index(0, 0)
    text = delegate.shown_text(index, painter, room)
    painter.end()
    assert re.fullmatch(shown, text)


def test_small_tables_are_shown_whole(window: _Window) -> None:
    for name in (X, W_Q, W_K, Q, K):
        assert window.view(name).verticalScrollBar().maximum() == 0
        assert window.view(name).horizontalScrollBar().maximum() == 0


# --- tokens -------------------------------------------------------------------------------------------------


def test_a_renamed_token_is_renamed_on_both_sides(window: _Window) -> None:
    _enter(window.tokens.view, 1, 0, "<b>站 & 坐</b>")
    assert window.document.queries == window.document.keys == ("猫", "<b>站 & 坐</b>", "垫子")
    tip = str(window.tokens.view.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;" in tip  # shown as it is and not as markup


def test_insert_adds_a_token_and_opens_its_name(window: _Window) -> None:
    _focus_cell(window.tokens.view, 0, 0)
    QTest.keyClick(window.tokens.view, Qt.Key.Key_Insert)
    editor = window.tokens.view.open_editor()
    assert editor is not None
    QTest.keyClicks(editor, "dog")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert window.document.queries == ("猫", "坐", "垫子", "dog")
    assert len(_values(window, X)) == 4


def test_buttons_add_and_remove_tokens(window: _Window) -> None:
    QTest.mouseClick(window.tokens.add_button, LEFT)
    assert len(window.document.queries) == 4
    editor = window.tokens.view.open_editor()
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    _focus_cell(window.tokens.view, 0, 0)
    QTest.mouseClick(window.tokens.remove_button, LEFT)
    assert window.document.queries[:2] == ("坐", "垫子")
    assert window.tokens.view.current_row() == 0


def test_delete_removes_tokens_but_not_the_only_one(window: _Window) -> None:
    view = window.tokens.view
    _focus_cell(view, 2, 0)
    for _press in range(3):
        QTest.keyClick(view, Qt.Key.Key_Delete)
    assert window.document.queries == ("猫",)
    assert "猫" in window.sentences[-1]
    assert not window.tokens.remove_button.isEnabled()
    assert window.tokens.remove_button.toolTip()


def test_queries_and_keys_of_a_worked_example_are_two_lists(qtbot: QtBot) -> None:
    window = _shown(qtbot, _worked_example())
    queries, keys = window.panel.findChildren(TokenList)
    assert keys.isVisible()
    _enter(keys.view, 2, 0, "fish")
    _focus_cell(queries.view, 0, 0)
    QTest.keyClick(queries.view, Qt.Key.Key_Delete)
    assert window.document.queries == ("two",)
    assert window.document.keys == ("a", "b", "fish")


@pytest.mark.parametrize("label", ["m" * 60, "", " ", "👩‍👩‍👧", "שלום", "<i>x</i> & y"])
def test_odd_labels_leave_the_tables_as_they_are(qtbot: QtBot, label: str) -> None:
    inputs = DirectInputs(matrix([[0.8, 0.2]], "Q"), matrix([[0.7, 0.3]], "K"))
    plain = _shown(qtbot, Document(("word",), ("word",), inputs))
    window = _shown(qtbot, Document((label,), (label,), inputs))
    assert window.view(Q).height() == plain.view(Q).height()
    assert window.view(Q).row_header.width() < window.width() / 2
    assert str(window.view(Q).model().headerData(0, Qt.Orientation.Vertical)).strip()


# --- options ------------------------------------------------------------------------------------------------


def _choose(box: QWidget, key: Qt.Key, times: int = 1) -> None:
    box.setFocus()
    for _press in range(times):
        QTest.keyClick(box, key)


def test_keys_choose_score_functions(window: _Window) -> None:
    assert isinstance(window.document.options.score, ScaledDot)
    box = window.options.score_choice
    box.setFocus()
    for name in ("additive", "cosine"):
        while box.currentData() != name:
            before = box.currentData()
            QTest.keyClick(box, Qt.Key.Key_Down)
            assert box.currentData() != before
        expected = {"additive": Additive, "cosine": Cosine}[name]
        assert isinstance(window.document.options.score, expected)


def test_the_wheel_changes_no_choice_and_no_field(window: _Window) -> None:
    form = window.options
    window.tokens.view.setFocus()
    for widget in (
        form.score_choice,
        form.mask_choice,
        form.normalizer_choice,
        form.scale_field,
        form.temperature_field,
    ):
        middle = QPointF(widget.rect().center())
        event = QWheelEvent(
            middle,
            QPointF(widget.mapToGlobal(middle.toPoint())),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        assert not event.isAccepted()  # it goes on to the scrolling column
    assert window.edits == []
    assert form.score_choice.currentData() == "scaled_dot"


def _type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_scale_is_the_score_functions_own_until_one_is_typed(window: _Window) -> None:
    field = window.options.scale_field
    assert field.text() == ""
    assert "0.71" in field.placeholderText()
    _type_into(field, "0,25")
    assert window.document.options.scale == 0.25
    assert field.text() == "0.25"
    _type_into(field, "")
    assert window.document.options.scale is None


@pytest.mark.parametrize("typed", ["many", "-1", "0"])
def test_a_scale_that_cannot_be_used_stays_to_be_corrected(window: _Window, typed: str) -> None:
    field = window.options.scale_field
    _type_into(field, typed)
    assert window.document.options.scale is None
    assert field.text() == typed
    assert field.is_refused
    assert len(window.sentences) == 1
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not field.is_refused


def test_a_field_that_is_left_unchanged_changes_nothing(window: _Window) -> None:
    window.options.temperature_field.setFocus()
    window.options.scale_field.setFocus()
    window.tokens.view.setFocus()
    assert window.edits == []


def test_padding_is_chosen_and_its_keys_are_typed_from_one(window: _Window) -> None:
    form = window.options
    assert not form.padding_field.isVisible()
    _choose(form.mask_choice, Qt.Key.Key_Down, times=2)
    assert window.document.options.mask == PaddingMask(frozenset({2}))
    assert form.padding_field.isVisible()
    assert form.padding_field.text() == "3"
    _type_into(form.padding_field, "1, 2")
    assert window.document.options.mask == PaddingMask(frozenset({0, 1}))
    _type_into(form.padding_field, "4")
    assert "3" in window.sentences[-1]
    assert window.document.options.mask == PaddingMask(frozenset({0, 1}))


def test_a_mask_by_cells_starts_with_what_is_forbidden_now(window: _Window) -> None:
    window.session.apply(SetMask(CausalMask()))
    _choose(window.options.mask_choice, Qt.Key.Key_End)
    assert window.document.options.mask == CellMask(frozenset({(0, 1), (0, 2), (1, 2)}))
    _choose(window.options.mask_choice, Qt.Key.Key_Home)
    assert isinstance(window.document.options.mask, NoMask)


def test_only_softmax_has_a_temperature(window: _Window) -> None:
    form = window.options
    _type_into(form.temperature_field, "0.3")
    assert window.document.options.normalizer == Softmax(0.3)
    QTest.mouseClick(form.presets.buttons()[3], LEFT)
    assert window.document.options.normalizer == Softmax(2.0)
    assert form.temperature_field.text() == "2"
    assert [button.isChecked() for button in form.presets.buttons()] == [False, False, False, True, False]
    QTest.mouseClick(form.presets.buttons()[3], LEFT)
    assert form.presets.buttons()[3].isChecked()
    _choose(form.normalizer_choice, Qt.Key.Key_End)
    assert not form.temperature_field.isEnabled()
    assert form.temperature_field.toolTip()


def test_a_seed_draws_the_same_projections_again(window: _Window) -> None:
    form = window.options.projections
    _type_into(form.seed, "7")
    drawn = _values(window, W_Q), _values(window, W_K)
    QTest.mouseClick(form.next_button, LEFT)
    assert form.seed.text() == "8"
    assert (_values(window, W_Q), _values(window, W_K)) != drawn
    form.seed.setText("7")
    QTest.mouseClick(form.draw_button, LEFT)
    assert (_values(window, W_Q), _values(window, W_K)) == drawn


def test_drawn_projections_can_be_wider(window: _Window) -> None:
    _type_into(window.options.projections.width_field, "3")
    assert [len(row) for row in _values(window, W_Q)] == [3, 3, 3, 3]
    assert [len(row) for row in _values(window, Q)] == [3, 3, 3]


def test_a_seed_that_is_no_number_is_refused_in_its_field(window: _Window) -> None:
    seed = window.options.projections.seed
    _type_into(seed, "x")
    assert seed.text() == "x"
    assert seed.is_refused
    assert "x" in window.sentences[-1]
    assert window.edits == []


def test_tying_copies_w_q_and_is_off_afterwards(window: _Window) -> None:
    button = window.options.projections.tie_button
    QTest.mouseClick(button, LEFT)
    assert _values(window, W_K) == _values(window, W_Q)
    assert not button.isEnabled()
    assert button.toolTip()


# --- what a document has not got ----------------------------------------------------------------------------


def _texts(window: _Window) -> str:
    return "\n".join(label.text() for label in window.panel.findChildren(QLabel) if label.isVisible())


def test_a_worked_example_says_that_it_has_no_embeddings(qtbot: QtBot) -> None:
    window = _shown(qtbot, _worked_example())
    assert "no embeddings X" in _texts(window)
    assert not window.panel.table(X).isVisible()
    form = window.options.projections
    for button in (form.draw_button, form.tie_button, form.next_button):
        assert not button.isEnabled()
        assert "W_Q" in button.toolTip()


def test_given_scores_say_that_queries_are_not_known_and_can_be_edited(qtbot: QtBot) -> None:
    window = _shown(qtbot, _given_scores())
    assert "not known" in _texts(window)
    assert not window.options.score_choice.isEnabled()
    assert window.options.score_choice.toolTip()
    _enter(window.view(EditableMatrix.SCORES), 1, 0, "-5")
    assert _values(window, EditableMatrix.SCORES) == [[1.0, 2.0], [-5.0, 4.0]]


def test_another_kind_of_document_shows_other_tables(window: _Window) -> None:
    window.panel.refresh(Session(_given_scores()).snapshot)
    assert [name for name in EditableMatrix if window.panel.table(name).isVisible()] == [
        EditableMatrix.SCORES
    ]
    window.panel.refresh(Session(_three_words()).snapshot)
    assert window.panel.table(X).isVisible()
    assert "not known" not in _texts(window)


# --- the panel as a whole -----------------------------------------------------------------------------------


def test_every_widget_that_takes_the_keys_has_a_name(window: _Window) -> None:
    nameless = [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in window.panel.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
        if not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_column_fits_into_a_narrow_dock(qtbot: QtBot, language: str) -> None:
    use_language(language)
    window = _shown(qtbot, _three_words())
    window.resize(250, 900)
    QApplication.processEvents()
    inside = window.options.parentWidget()
    assert inside is not None
    viewport = inside.parentWidget()
    assert viewport is not None
    assert inside.width() <= viewport.width()
    for button in window.options.projections.findChildren(QWidget):
        if button.isVisible():
            assert button.width() >= button.minimumSizeHint().width() or button.minimumWidth() > 0


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("height", [720, 1600])  # with and without a scroll bar
def test_in_a_small_window_nothing_lies_below_the_scroll_bar(
    open_window: OpenWindow, language: str, height: int
) -> None:
    window = open_window(7, language=language)
    window.resize(1280, height)
    QApplication.processEvents()
    window.board.reset()
    parts.commands(window).show_panels()
    QApplication.processEvents()
    panel = window.panels["inspector"]
    assert isinstance(panel, InspectorPanel)
    assert panel.width() <= 240
    scroll = panel.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    assert (scroll.verticalScrollBar().maximum() > 0) is (height == 720)
    edge = panel.width() - scroll.verticalScrollBar().sizeHint().width()
    tables = [panel.table(name) for name in (X, W_Q, W_K, Q, K)]
    kinds = (MatrixTable, QLabel, QAbstractButton, QLineEdit, QComboBox)
    inside = [one for one in scroll.widget().findChildren(QWidget) if isinstance(one, kinds)]
    rights = {one: one.mapTo(panel, one.rect().topRight()).x() for one in inside if one.isVisible()}
    assert [(type(one).__name__, right) for one, right in rights.items() if right >= edge] == []
    for table in tables:
        assert table.view.horizontalScrollBar().maximum() == 0  # labels give way before cells
        last = table.view.model().columnCount() - 1
        assert (
            table.view.visualRect(table.view.model().index(0, last)).right() < table.view.viewport().width()
        )


def _column_bar(window: _Window) -> QScrollBar:
    scroll = window.panel.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    return scroll.verticalScrollBar()


def test_a_token_added_or_removed_leaves_the_pressed_button_below_the_pointer(window: _Window) -> None:
    window.resize(240, 400)
    QApplication.processEvents()
    _column_bar(window).setValue(window.tokens.y() - 150)
    for button in (window.tokens.add_button, window.tokens.add_button, window.tokens.remove_button):
        before = button.mapTo(window, QPoint(0, 0)).y()
        rows = window.view(X).height()
        QTest.mouseClick(button, LEFT)
        assert window.view(X).height() != rows
        assert button.mapTo(window, QPoint(0, 0)).y() == before
        QApplication.processEvents()
        assert button.mapTo(window, QPoint(0, 0)).y() == before


def test_another_lesson_is_read_from_the_top(window: _Window) -> None:
    window.resize(240, 400)
    QApplication.processEvents()
    bar = _column_bar(window)
    bar.setValue(bar.maximum())
    window.session.apply(SetMask(CausalMask()))
    assert bar.value() > 0
    other = dataclasses.replace(window.document, lesson="08-cross")
    window.session.apply(ReplaceDocument(other, Phrase("Open lesson {number}", number=8)))
    assert bar.value() == 0


def test_switching_the_language_changes_every_text_and_keeps_the_state(window: _Window) -> None:
    english = _texts(window), window.options.score_choice.currentText()
    form = window.options.projections
    form.seed.setText("12")
    _focus_cell(window.view(W_Q), 1, 1)
    use_language("zh")
    window.panel.retranslate()
    window.panel.refresh(window.session.snapshot)
    fresh = _Window(Session(_three_words()))
    assert sorted(_texts(window).splitlines()) == sorted(
        label.text()
        for label in fresh.panel.findChildren(QLabel)
        if not label.isHidden() and label.text() and label.isVisibleTo(fresh)
    )
    fresh.deleteLater()
    assert (_texts(window), window.options.score_choice.currentText()) != english
    assert form.seed.text() == "12"
    assert window.view(W_Q).currentIndex().row() == 1
    assert window.edits == []


def test_a_table_that_the_step_speaks_of_is_lit(qtbot: QtBot) -> None:
    window = _shown(qtbot, _three_words(), Focus(step=1))
    corner = QPoint(12, window.panel.table(X).height() - 2)
    lit, unlit = (window.panel.table(name).grab().toImage().pixelColor(corner).name() for name in (X, W_Q))
    assert lit == LIGHT.accent_soft
    assert unlit != LIGHT.accent_soft


def test_the_tokens_are_lit_at_the_step_that_speaks_of_them(qtbot: QtBot) -> None:
    window = _shown(qtbot, _three_words(), Focus(step=0))
    tokens = window.tokens
    assert tokens.grab().toImage().pixelColor(12, tokens.height() - 2).name() == LIGHT.accent_soft


def test_deleted_panels_are_gone(qtbot: QtBot) -> None:
    remembered = []
    for _panel in range(5):
        window = _shown(qtbot, _three_words())
        remembered.append(weakref.ref(window.panel))
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        del window
    gc.collect()
    assert [panel() for panel in remembered] == [None] * 5
