"""The window around the panels: commands, docks, keys, lessons, refusals, names for screen readers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QLineEdit,
    QMenu,
    QMenuBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from qkviz.attention.masks import PaddingMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.plane import Plane
from qkviz.document.document import Role
from qkviz.document.edits import MoveVector, RemoveToken, SetMask, SetScale
from qkviz.lessons.library import load_lessons
from qkviz.settings import Settings
from qkviz.ui.actions import ACTIONS, STEP_KEYS, ActionRow
from qkviz.ui.appearance import Appearance
from qkviz.ui.capturing import Capturing
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.dock_board import DockBoard
from qkviz.ui.document_commands import DocumentCommands
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panel_table import PANELS
from qkviz.ui.session_commands import SessionCommands
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import (
    apply,
    cell_point,
    commands,
    matrix_canvas,
    menu,
    menu_entry,
    plane_canvas,
    session,
    snapshot,
    tip,
)
from tests.ui.recording_dialogs import RecordingDialogs

# the offscreen platform has no windows to order and no keyboard
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

MENUS = ("File", "Edit", "View", "Steps", "Lessons", "Help")
PLANE = Plane.of_dimensions(2, 0, 1)


def trigger(window: MainWindow, action: str) -> None:
    window.menus.actions[action].trigger()
    QApplication.processEvents()


def press(
    window: MainWindow, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key as the keyboard does: it goes to what has the focus."""
    QTest.keyClick(window.windowHandle(), key, keys)
    QApplication.processEvents()


# the table of commands

OWNERS = {
    "window": MainWindow,
    "appearance": Appearance,
    "board": DockBoard,
    "dialogs": DialogService,
    "commands": SessionCommands,
    "documents": DocumentCommands,
    "models": Capturing,
}


@pytest.mark.parametrize("row", ACTIONS, ids=lambda row: row.id)
def test_a_row_of_the_table_names_a_method_without_arguments(row: ActionRow) -> None:
    for name in filter(None, (row.method, row.checked)):
        method = getattr(OWNERS[row.owner], name)
        if not inspect.isfunction(method):
            assert name in ("close", "isFullScreen")  # Qt's own
            continue
        signature = inspect.signature(method)
        required = [
            one
            for one in list(signature.parameters.values())[1:]
            if one.default is inspect.Parameter.empty and one.kind is not inspect.Parameter.VAR_POSITIONAL
        ]
        assert not required, f"{name}{signature}"


def test_ids_and_keys_of_the_table_are_unique() -> None:
    ids = [row.id for row in ACTIONS]
    keys = [QKeySequence(key).toString() for row in ACTIONS for key in row.keys]
    plain = [*STEP_KEYS, *"012345"]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)
    assert "" not in keys
    assert not set(keys) & set(plain)


def test_every_command_is_in_exactly_one_menu(window: MainWindow) -> None:
    inside = [action for title in MENUS for action in menu(window, title).actions()]
    for name, action in window.menus.actions.items():
        assert inside.count(action) == 1, name
        assert action.text()


def test_no_two_entries_of_a_menu_read_alike(window: MainWindow) -> None:
    for title in MENUS:
        texts = [action.text() for action in menu(window, title).actions() if not action.isSeparator()]
        assert len(set(texts)) == len(texts), title


def test_every_command_can_be_called(window: MainWindow) -> None:
    for row in ACTIONS:
        if row.id not in ("quit", "export"):  # the dialog has its own tests
            trigger(window, row.id)  # an error in a slot fails the test


def test_the_overview_of_keys_lists_every_shortcut(window: MainWindow) -> None:
    trigger(window, "shortcuts")
    dialogs = window.dialogs
    assert isinstance(dialogs, RecordingDialogs)
    shown = " ".join(str(row) for row in dialogs.rows)
    for action in window.menus.actions.values():
        for key in action.shortcuts():
            assert key.toString(QKeySequence.SequenceFormat.NativeText) in shown


@pytest.fixture
def shell(qtbot: QtBot) -> MainWindow:
    """Return the window as it is while torch is loading."""
    window = MainWindow(Settings(language="en"), RecordingDialogs)
    qtbot.addWidget(window)
    window.show()
    QApplication.processEvents()
    return window


def test_without_a_session_only_what_needs_none_is_on(shell: MainWindow) -> None:
    for row in ACTIONS:
        assert shell.menus.actions[row.id].isEnabled() is not row.needs_session, row.id


def test_without_a_session_the_panels_say_loading(shell: MainWindow) -> None:
    for dock in shell.docks.values():
        if dock.isVisible():
            assert any(
                "Loading" in label.text() for label in dock.findChildren(QWidget) if hasattr(label, "text")
            )


def test_without_a_session_keys_menus_and_switches_do_no_harm(shell: MainWindow) -> None:
    for key in (Qt.Key.Key_Right, Qt.Key.Key_5, Qt.Key.Key_Space, Qt.Key.Key_Escape):
        QTest.keyClick(shell, key)
    for name in ("theme", "theme_system", "language", "language", "reset_layout", "shortcuts", "about"):
        trigger(shell, name)
    assert shell.settings_now().lesson == 0


def test_with_a_session_everything_is_on_but_undo_and_redo(window: MainWindow) -> None:
    off = {name for name, action in window.menus.actions.items() if not action.isEnabled()}
    assert off == {"undo", "redo"}


# docks


def switches(window: MainWindow) -> dict[str, QAction]:
    """Return the entries of the View menu that open and close docks, by the name of the dock."""
    entries = menu(window, "View").actions()
    found = {}
    for name, dock in window.docks.items():
        mine = [action for action in entries if action.text() == dock.windowTitle()]
        assert len(mine) == 1, name
        found[name] = mine[0]
    return found


def test_the_view_menu_lists_every_dock(window: MainWindow) -> None:
    assert list(switches(window)) == [row.name for row in PANELS]


def test_every_closed_dock_comes_back_from_the_view_menu_and_shows_the_present(window: MainWindow) -> None:
    for dock in window.docks.values():
        dock.close()
    QApplication.processEvents()
    assert not any(dock.isVisible() for dock in window.docks.values())
    apply(window, MoveVector(Role.QUERY, 0, PLANE, 0.25, 0.5, "while closed"))
    commands(window).look_at(replace(snapshot(window).focus, query=0, key=0, step=3))
    for name, action in switches(window).items():
        action.trigger()
        QApplication.processEvents()
        assert window.docks[name].isVisible(), name
        assert not window.docks[name].is_empty(), name
    canvas = plane_canvas(window)
    assert canvas.content is not None
    arrow = next(one for one in canvas.content.arrows if (one.role, one.index) == (Role.QUERY, 0))
    assert (arrow.x, arrow.y) == pytest.approx((0.25, 0.5), abs=1e-12)
    assert "0.25 ×" in window.panels["steps"].shown_text()


@pytest.mark.parametrize("name", ["lessons", "plane", "matrices", "steps", "inspector"])
def test_the_cross_of_a_dock_closes_it(window: MainWindow, name: str) -> None:
    dock = window.docks[name]
    cross = next(one for one in dock.findChildren(QToolButton) if "Close" in one.toolTip())
    mouse.click(cross, QPointF(cross.rect().center()))
    assert dock.isHidden()
    assert not switches(window)[name].isChecked()


def test_the_other_button_floats_a_dock_and_puts_it_back(window: MainWindow) -> None:
    dock = window.docks["matrices"]
    button = next(one for one in dock.findChildren(QToolButton) if "Take out" in one.toolTip())
    mouse.click(button, QPointF(button.rect().center()))
    assert dock.isFloating()
    mouse.click(button, QPointF(button.rect().center()))
    assert not dock.isFloating()


def places(docks: Iterable[QDockWidget]) -> dict[str, tuple[bool, bool, tuple[int, int, int, int]]]:
    QApplication.processEvents()
    return {
        dock.objectName(): (
            dock.isVisible(),
            dock.isFloating(),
            dock.geometry().getRect() if dock.isVisible() else (0, 0, 0, 0),  # type: ignore[dict-item]
        )
        for dock in docks
    }


def make_a_mess(window: MainWindow, kind: str) -> None:
    docks = list(window.docks.values())
    for dock in docks:
        if kind == "closed":
            dock.close()
        elif kind == "floating":
            dock.show()
            dock.setFloating(True)
            dock.move(50, 60)
        elif kind == "tabbed" and dock is not docks[0]:
            dock.show()
            window.tabifyDockWidget(docks[0], dock)
        elif kind == "right":
            window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    QApplication.processEvents()


@pytest.mark.parametrize("kind", ["closed", "floating", "tabbed", "right"])
def test_reset_layout_puts_everything_back(window: MainWindow, kind: str) -> None:
    before = places(window.docks.values())
    make_a_mess(window, kind)
    assert places(window.docks.values()) != before
    trigger(window, "reset_layout")
    after = places(window.docks.values())
    for name, (visible, floating, rect) in before.items():
        assert after[name][:2] == (visible, floating), name
        assert max(abs(one - two) for one, two in zip(after[name][2], rect, strict=True)) <= 2, name


def test_a_dock_behind_a_tab_shows_the_present_when_it_comes_to_the_front(window: MainWindow) -> None:
    window.tabifyDockWidget(window.docks["steps"], window.docks["plane"])
    window.board.bring_to_front("steps")
    QApplication.processEvents()
    apply(window, MoveVector(Role.KEY, 0, PLANE, 0.5, -0.25, "behind"))
    window.board.bring_to_front("plane")
    QApplication.processEvents()
    canvas = plane_canvas(window)
    assert canvas.content is not None
    arrow = next(one for one in canvas.content.arrows if (one.role, one.index) == (Role.KEY, 0))
    assert (arrow.x, arrow.y) == pytest.approx((0.5, -0.25), abs=1e-12)


# keys


def test_nothing_but_the_window_has_the_keys_at_the_start(window: MainWindow) -> None:
    assert window.isActiveWindow()
    assert QApplication.focusWidget() is window


@pytest.mark.parametrize(
    ("key", "step"),
    [
        (Qt.Key.Key_Right, 3),
        (Qt.Key.Key_PageDown, 3),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_PageUp, 1),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 5),
        (Qt.Key.Key_0, 0),
        (Qt.Key.Key_1, 1),
        (Qt.Key.Key_2, 2),
        (Qt.Key.Key_3, 3),
        (Qt.Key.Key_4, 4),
        (Qt.Key.Key_5, 5),
        (Qt.Key.Key_6, 2),
        (Qt.Key.Key_9, 2),
    ],
)
def test_a_key_goes_to_its_step(window: MainWindow, key: Qt.Key, step: int) -> None:
    commands(window).go_to_step(2)
    press(window, key)
    assert snapshot(window).focus.step == step


def test_keys_of_the_number_block_count_too(window: MainWindow) -> None:
    press(window, Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier)
    assert snapshot(window).focus.step == 5


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier])
def test_a_key_with_another_one_held_is_no_step_key(
    window: MainWindow, modifier: Qt.KeyboardModifier
) -> None:
    step = snapshot(window).focus.step
    press(window, Qt.Key.Key_End, modifier)
    assert snapshot(window).focus.step == step


def test_the_steps_stop_at_both_ends(window: MainWindow) -> None:
    for _time in range(8):
        press(window, Qt.Key.Key_Right)
    assert snapshot(window).focus.step == 5
    for _time in range(8):
        press(window, Qt.Key.Key_Left)
    assert snapshot(window).focus.step == 0


def test_space_plays_and_stops(window: MainWindow) -> None:
    press(window, Qt.Key.Key_Space)
    assert window.panels["steps"].is_playing()
    press(window, Qt.Key.Key_Space)
    assert not window.panels["steps"].is_playing()


def test_space_with_the_steps_closed_opens_them(window: MainWindow) -> None:
    window.docks["steps"].close()
    QApplication.processEvents()
    press(window, Qt.Key.Key_Space)
    assert window.docks["steps"].isVisible()
    assert window.panels["steps"].is_playing()


def test_escape_unpins(window: MainWindow) -> None:
    assert snapshot(window).focus.pair is not None
    press(window, Qt.Key.Key_Escape)
    assert snapshot(window).focus.pair is None


def text_field(window: MainWindow) -> QLineEdit:
    fields = [
        one for one in window.docks["inspector"].findChildren(QLineEdit) if one.accessibleName() == "Scale"
    ]
    assert len(fields) == 1
    return fields[0]


def test_keys_go_to_a_text_field_that_has_the_focus(window: MainWindow) -> None:
    field = text_field(window)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    step = snapshot(window).focus.step
    for key in (
        Qt.Key.Key_2,
        Qt.Key.Key_Period,
        Qt.Key.Key_5,
        Qt.Key.Key_Left,
        Qt.Key.Key_Home,
        Qt.Key.Key_0,
    ):
        press(window, key)
    assert field.text() == "02.5"
    assert snapshot(window).focus.step == step


def test_after_a_click_on_the_ground_of_the_plane_the_keys_stay_with_the_steps(
    window: MainWindow,
) -> None:
    canvas = plane_canvas(window)
    layout = canvas.layout_now()
    assert layout is not None
    mouse.click(canvas, QPointF(layout.plane.left() + 6, layout.plane.top() + 6))
    step = snapshot(window).focus.step
    press(window, Qt.Key.Key_Right)
    assert snapshot(window).focus.step == step + 1


@pytest.mark.parametrize("name", ["inspector", "lessons", "matrices", "compare"])
def test_arrow_keys_on_a_button_of_a_panel_walk_through_the_steps(window: MainWindow, name: str) -> None:
    window.board.bring_to_front(name)
    QApplication.processEvents()
    buttons = [one for one in window.docks[name].findChildren(QAbstractButton) if one.isVisible()]
    button = next(one for one in buttons if one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus)
    for key, way in ((Qt.Key.Key_Left, -1), (Qt.Key.Key_Right, 1)):
        step = snapshot(window).focus.step
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, key)
        assert snapshot(window).focus.step == step + way


def test_arrow_keys_move_a_chosen_tip_and_no_step(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    mouse.click(canvas, tip(canvas, Role.QUERY, 1))
    before = snapshot(window)
    press(window, Qt.Key.Key_Right)
    assert snapshot(window).focus.step == before.focus.step
    assert snapshot(window).trace.Q[1, 0] > before.trace.Q[1, 0]


def test_keys_pressed_in_a_floating_dock_reach_the_steps(window: MainWindow) -> None:
    dock = window.docks["steps"]
    dock.setFloating(True)
    QApplication.processEvents()
    step = snapshot(window).focus.step
    QTest.keyClick(dock, Qt.Key.Key_Left)
    assert snapshot(window).focus.step == step - 1


def test_a_shortcut_works_from_the_window(window: MainWindow) -> None:
    apply(window, MoveVector(Role.QUERY, 0, PLANE, 0.0, 1.0, "one"))
    moved = snapshot(window).document
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert snapshot(window).document is not moved
    press(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert snapshot(window).document is moved


def test_tab_leaves_every_panel(window: MainWindow) -> None:
    seen: list[QWidget] = []
    for _time in range(300):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        assert now is not None
        seen.append(now)
        if len(seen) > 1 and now is seen[0]:
            break
    reached = {name for name, dock in window.docks.items() if any(dock.isAncestorOf(one) for one in seen)}
    assert reached == {name for name, dock in window.docks.items() if dock.isVisible()}


# lessons


def lesson_entries(window: MainWindow) -> list[QAction]:
    return [action for action in menu(window, "Lessons").actions() if isinstance(action.data(), int)]


def marked(window: MainWindow) -> list[int]:
    return [action.data() for action in lesson_entries(window) if action.isChecked()]


def test_the_lessons_menu_lists_all_and_marks_the_open_one(window: MainWindow) -> None:
    numbers = [action.data() for action in lesson_entries(window)]
    assert numbers == sorted(lesson.number for lesson in load_lessons())
    assert marked(window) == [7]


def test_a_lesson_of_the_menu_opens_and_one_undo_brings_the_work_back(window: MainWindow) -> None:
    apply(window, MoveVector(Role.QUERY, 0, PLANE, 0.3, 0.4, "mine"))
    mine = snapshot(window).document
    menu_entry(window, "Lessons", "8 ·").trigger()
    mouse.settle()
    assert snapshot(window).document.lesson == "08-queries-times-keys"
    assert snapshot(window).trace.scores.shape == (2, 3)
    assert "m queries × n keys" in window.windowTitle()
    assert marked(window) == [8]
    trigger(window, "undo")
    mouse.settle()
    assert snapshot(window).document is mine
    assert "From embedding to weight" in window.windowTitle()
    assert marked(window) == [7]


def test_next_and_previous_lesson_walk_and_stand_still_at_the_ends(window: MainWindow) -> None:
    numbers = [lesson.number for lesson in load_lessons()]
    for action, ends in (("next_lesson", numbers[numbers.index(7) :]), ("previous_lesson", numbers[::-1])):
        walked = [commands(window).course.current.number]
        for _time in numbers:
            trigger(window, action)
            walked.append(commands(window).course.current.number)
        assert walked == [*ends, *[ends[-1]] * (len(walked) - len(ends))]


def test_restoring_a_lesson_gives_its_first_numbers_and_undo_gives_the_work_back(window: MainWindow) -> None:
    start = snapshot(window).trace.scores.tolist()
    apply(window, MoveVector(Role.KEY, 1, PLANE, 0.3, 0.4, "mine"))
    mine = snapshot(window).document
    trigger(window, "restore_lesson")
    assert snapshot(window).trace.scores.tolist() == start
    trigger(window, "undo")
    assert snapshot(window).document is mine


def test_a_lesson_opens_with_its_vectors_in_view(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    mouse.wheel(canvas, QPointF(canvas.rect().center()), 12)
    trigger(window, "next_lesson")
    layout, content = canvas.layout_now(), canvas.content
    assert layout is not None
    assert content is not None
    assert all(layout.plane.contains(layout.to_pixels(arrow.x, arrow.y)) for arrow in content.arrows)


def test_opening_a_lesson_ends_playing(window: MainWindow) -> None:
    press(window, Qt.Key.Key_Home)
    press(window, Qt.Key.Key_Space)
    assert window.panels["steps"].is_playing()
    trigger(window, "next_lesson")
    assert not window.panels["steps"].is_playing()


# refusals


@pytest.mark.parametrize(
    "edit",
    [
        RemoveToken(Role.QUERY, 0),
        MoveVector(Role.QUERY, 0, PLANE, float("nan"), 0.0, "nan"),
        MoveVector(Role.QUERY, 9, PLANE, 0.0, 0.0, "nobody"),
        SetScale(float("inf")),
        SetMask(PaddingMask(frozenset({7}))),
    ],
    ids=["last token", "NaN", "no such query", "infinite scale", "no such key"],
)
def test_a_refusal_is_a_sentence_and_the_document_stays(open_window: OpenWindow, edit: object) -> None:
    window = open_window(1)  # one query, one key
    before = snapshot(window)
    apply(window, edit)  # type: ignore[arg-type]
    assert snapshot(window) is before
    assert len(window.status.text.split()) >= 4
    assert window.status.text[-1] in ".!"
    assert not window.menus.actions["undo"].isEnabled()


def test_what_cannot_be_read_is_a_sentence_and_stays_to_be_corrected(window: MainWindow) -> None:
    before, field = snapshot(window), text_field(window)
    field.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(field, "two")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert snapshot(window).document is before.document
    assert "two" in window.status.text
    assert field.text() == "two"


def test_the_sentence_of_a_refusal_gives_way_to_the_next_hovered_numbers(window: MainWindow) -> None:
    apply(window, SetScale(float("inf")))
    refused = window.status.text
    canvas = matrix_canvas(window, MatrixName.SCORES)
    mouse.hover(canvas, cell_point(canvas, 1, 1))
    assert window.status.text != refused
    assert window.status.text.startswith("query 2 “sit” → key 2 “sit”")


# names for a screen reader


def spoken_name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("lesson", [1, 7, 8])
def test_everything_that_can_have_the_keys_has_a_name(
    open_window: OpenWindow, lesson: int, language: str
) -> None:
    window = open_window(lesson, language=language)
    for dock in window.docks.values():
        dock.show()
    commands(window).look_at(replace(snapshot(window).focus, query=0, key=0))
    QApplication.processEvents()
    nameless = [
        f"{type(one).__name__} in {type(one.parent()).__name__}"
        for one in window.findChildren(QWidget)
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus
        and one.focusProxy() is None  # it hands the keys on
        and one.isVisibleTo(window)
        and not isinstance(one, QMenu | QMenuBar)
        and not spoken_name(one)
    ]
    assert nameless == []


def test_the_plane_describes_itself_in_words(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    interface = QAccessible.queryAccessibleInterface(canvas)
    assert "q·k = 0.83" in interface.text(QAccessible.Text.Description)
    apply(window, MoveVector(Role.QUERY, 0, PLANE, 1.0, 0.0, "one"))
    assert "q·k = 0.32" in interface.text(QAccessible.Text.Description)


# the session behind it


def test_hovering_costs_no_new_trace(window: MainWindow) -> None:
    before = snapshot(window)
    session(window).look_at(replace(before.focus, step=1))
    assert snapshot(window).trace is before.trace
