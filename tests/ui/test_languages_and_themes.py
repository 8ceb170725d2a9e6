"""Language and theme change while the program runs, as if it had been started so, and nothing else does."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.document.document import Role
from qkviz.document.edits import RenameToken
from qkviz.ui.main_window import MainWindow
from qkviz.ui.theme import DARK, LIGHT, Theme
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import apply, commands, picture, plane_canvas, show_document, snapshot, tip
from tests.ui.texts import texts_of

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")


def open_every_dock(window: MainWindow) -> None:
    for dock in window.docks.values():
        dock.show()
    commands(window).look_at(replace(snapshot(window).focus, query=0, key=2))
    mouse.settle()


def press(window: MainWindow, action: str) -> None:
    window.menus.actions[action].trigger()
    mouse.settle()


def drag_first_query(window: MainWindow) -> None:
    canvas = plane_canvas(window)
    start = tip(canvas, Role.QUERY, 0)
    mouse.drag(canvas, start, start + QPointF(-50, -60))


# language


@pytest.mark.parametrize("lesson", [1, 7, 8])
@pytest.mark.parametrize(("before", "after"), [("en", "zh"), ("zh", "en")])
def test_after_a_switch_every_text_is_that_of_a_fresh_start(
    open_window: OpenWindow, lesson: int, before: str, after: str
) -> None:
    fresh = open_window(lesson, language=after)
    open_every_dock(fresh)
    expected = texts_of(fresh)
    fresh.close()
    switched = open_window(lesson, language=before)
    open_every_dock(switched)
    assert texts_of(switched) != expected
    press(switched, "language")
    texts = texts_of(switched)
    label = switched.menus.actions["undo"]  # what it would take back is no text of the interface
    texts["QAction", "text", label.text()] -= 1
    expected["QAction", "text", label.iconText()] -= 1
    assert texts - expected == {}
    assert expected - texts == {}


def test_the_choice_of_a_plane_follows_the_language(open_window: OpenWindow) -> None:
    texts = []
    for before in ("zh", "en"):
        window = open_window(7, language=before)
        document = snapshot(window).document
        show_document(window, replace(document, inputs=four_dimensions(), lesson=None))
        if before == "en":
            press(window, "language")
        boxes = window.docks["plane"].findChildren(QComboBox)
        texts.append(
            [(box.itemText(row), box.accessibleName()) for box in boxes for row in range(box.count())]
        )
        texts[-1].append((str(boxes[0].isVisibleTo(window)), ""))
    assert texts[0] == texts[1]
    assert texts[0][-1] == ("True", "")


def four_dimensions() -> DirectInputs:
    rows = [[1.0, 2.0, 0.5, -1.0], [0.0, 1.0, 1.0, 0.25], [2.0, 0.0, -0.5, 1.0]]
    return DirectInputs(matrix(rows, "Q"), matrix(rows[::-1], "K"), None)


def test_in_chinese_no_english_sentence_is_left(open_window: OpenWindow) -> None:
    window = open_window(7, language="zh")
    open_every_dock(window)
    left = {text for _kind, _part, text in texts_of(window) if re.search(r"[a-z]{3,} [a-z]{3,}", text)}
    assert left <= {"softmax weights"}, left


def test_qts_own_texts_follow(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(7, language="en")
    press(window, "language")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.buttons()[0].text().replace("&", "") == "取消"


def test_a_switch_keeps_numbers_focus_and_layout(window: MainWindow) -> None:
    drag_first_query(window)
    commands(window).go_to_step(4)
    window.docks["lessons"].hide()
    QApplication.processEvents()
    before = snapshot(window)
    visible = {name: dock.isVisible() for name, dock in window.docks.items()}
    press(window, "language")
    after = snapshot(window)
    assert after.document.inputs is before.document.inputs
    assert after.document.options is before.document.options
    assert after.focus == before.focus
    assert {name: dock.isVisible() for name, dock in window.docks.items()} == visible
    assert after.document.queries == ("猫", "坐", "垫子")


def test_a_switch_keeps_the_labels_somebody_has_typed(window: MainWindow) -> None:
    apply(window, RenameToken(Role.QUERY, 0, "tiger"))
    press(window, "language")
    assert snapshot(window).document.queries == ("tiger", "坐", "垫子")


def test_undo_after_a_switch_takes_the_last_change_of_the_user_back(window: MainWindow) -> None:
    before = snapshot(window).trace.Q.tolist()
    drag_first_query(window)
    press(window, "language")
    press(window, "undo")
    assert snapshot(window).trace.Q.tolist() == before


def test_a_switch_leaves_nothing_to_undo_where_there_was_nothing(window: MainWindow) -> None:
    press(window, "language")
    assert not window.menus.actions["undo"].isEnabled()


def test_redo_after_a_switch_brings_the_drag_back(window: MainWindow) -> None:
    drag_first_query(window)
    moved = snapshot(window).trace.Q.tolist()
    press(window, "undo")
    press(window, "language")
    assert window.menus.actions["redo"].isEnabled()
    press(window, "redo")
    assert snapshot(window).trace.Q.tolist() == moved


def test_the_name_of_what_undo_takes_back_follows_the_language(window: MainWindow) -> None:
    show_document(
        window, replace(snapshot(window).document, lesson=None)
    )  # its labels are nobody's to change
    apply(window, RenameToken(Role.QUERY, 0, "tiger"))
    english = window.menus.actions["undo"].text()
    press(window, "language")
    assert window.menus.actions["undo"].text() != english
    press(window, "language")
    assert window.menus.actions["undo"].text() == english


def test_there_and_back_is_where_it_was(window: MainWindow) -> None:
    open_every_dock(window)
    before = texts_of(window)
    press(window, "language")
    press(window, "language")
    texts = texts_of(window)
    for found in (before, texts):
        for key in [key for key in found if key[2].startswith("Undo")]:
            del found[key]
    assert texts == before


# theme


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(QColor(one)), luminance(QColor(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ground(image: QImage) -> str:
    """Return the commonest colour of a picture."""
    width, height = image.width(), image.height()
    colors: dict[str, int] = {}
    for x in range(1, width, 3):
        for y in range(1, height, 3):
            name = image.pixelColor(QPoint(x, y)).name()
            colors[name] = colors.get(name, 0) + 1
    return max(colors, key=lambda name: colors[name])


@pytest.mark.parametrize(("before", "after"), [("light", "dark"), ("dark", "light")])
def test_after_a_switch_the_window_looks_as_after_a_start_in_that_theme(
    open_window: OpenWindow, before: str, after: str
) -> None:
    fresh = open_window(7, theme=after)
    open_every_dock(fresh)
    expected = picture(fresh)
    fresh.close()
    switched = open_window(7, theme=before)
    open_every_dock(switched)
    assert picture(switched) != expected
    press(switched, "theme")
    image = picture(switched)
    assert image.size() == expected.size()
    different = [
        (x, y)
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
        if image.pixel(x, y) != expected.pixel(x, y)
        and not isinstance(switched.childAt(QPoint(x, y)), QScrollBar)  # of them the next test speaks
    ]
    assert not different, f"{len(different)} places: {names_at(switched, different[:5])}"


def test_a_switch_of_theme_leaves_as_much_to_scroll_as_there_was(window: MainWindow) -> None:
    open_every_dock(window)
    picture(window)
    bars = [bar for bar in window.findChildren(QScrollBar) if bar.isVisible()]
    before = [bar.maximum() for bar in bars]
    press(window, "theme")
    picture(window)
    assert [bar.maximum() for bar in bars] == before


def names_at(window: MainWindow, places: list[tuple[int, int]]) -> list[str]:
    def name(widget: QWidget | None) -> str:
        return "" if widget is None else f"{type(widget).__name__} {widget.objectName()}"

    return [name(window.childAt(QPoint(*place))) for place in places]


@pytest.mark.parametrize(("theme", "surface"), [("light", LIGHT.surface), ("dark", DARK.surface)])
def test_every_panel_stands_on_the_ground_of_the_theme(
    open_window: OpenWindow, theme: str, surface: str
) -> None:
    window = open_window(7, theme="dark" if theme == "light" else "light")
    open_every_dock(window)
    press(window, "theme")
    for name, dock in window.docks.items():
        assert ground(picture(dock)) == surface, name


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_its_ground(theme: Theme) -> None:
    inks = {name: getattr(theme, name) for name in ("text", "muted", "accent", "bad")}
    inks |= {tone: theme.tone(tone) for tone in ("query", "key", "embedding", "weight")}
    low = {name: contrast(ink, theme.surface) for name, ink in inks.items()}
    low |= {
        "text on the window": contrast(theme.text, theme.window),
        "text on the accent": contrast(theme.on_accent, theme.accent),
    }
    assert {name: value for name, value in low.items() if value < 4.5} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_mark_of_what_is_done_can_be_seen(theme: Theme) -> None:
    assert contrast(theme.good, theme.surface) >= 3  # it is no text


def test_a_switch_of_theme_changes_no_document_and_no_focus(window: MainWindow) -> None:
    drag_first_query(window)
    before = snapshot(window)
    press(window, "theme")
    assert snapshot(window) is before


def test_the_switch_says_what_is_on(open_window: OpenWindow) -> None:
    window = open_window(7, theme="system")
    assert window.menus.actions["theme_system"].isChecked()
    press(window, "theme")
    assert not window.menus.actions["theme_system"].isChecked()
    assert window.settings_now().theme == "dark"  # offscreen the system says nothing, which is light
    press(window, "theme_system")
    assert window.settings_now().theme == "system"
