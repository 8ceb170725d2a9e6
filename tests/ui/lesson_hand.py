"""What a hand does in a lesson: guesses, looks at the tries, chooses in the toolbar."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QToolButton, QWidget

from qkviz.document.document import Role
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.choice_buttons import ChoiceButtons
from qkviz.ui.panels.lesson_view import LessonView
from qkviz.ui.panels.runs_view import RunsView
from qkviz.ui.panels.try_row import TryRow
from tests.ui import mouse, parts


def click(widget: QWidget) -> None:
    """Click on the middle of a widget."""
    mouse.click(widget, QPointF(widget.rect().center()))


def button(panel: QWidget, name: str) -> QAbstractButton:
    """Return the button with a text or accessible name."""
    buttons = panel.findChildren(QAbstractButton)
    found = [one for one in buttons if name in (one.text(), one.accessibleName())]
    assert len(found) == 1, [one.accessibleName() or one.text() for one in buttons]
    return found[0]


def done(window: MainWindow) -> list[bool]:
    """Return which tries are ticked, in order."""
    return [row.is_done() for row in window.panels["lessons"].findChildren(TryRow)]


def done_tries(window: MainWindow) -> list[str]:
    """Return the ids of the tries that are ticked, in order."""
    tries = parts.commands(window).course.current.tries
    return [one.id for one, ticked in zip(tries, done(window), strict=True) if ticked]


def remark(window: MainWindow, try_id: str) -> str:
    """Return the text of a try, with its remark once it is done."""
    ids = [one.id for one in parts.commands(window).course.current.tries]
    return window.panels["lessons"].findChildren(TryRow)[ids.index(try_id)].text()


def lesson_text(window: MainWindow) -> str:
    """Return every word of the open lesson."""
    view = window.panels["lessons"].findChild(LessonView)
    assert view is not None
    return "\n".join(part.text() for part in view.findChildren(RunsView))


def guess(window: MainWindow, number: int) -> None:
    """Choose an answer by clicking on it."""
    choices = window.panels["lessons"].findChild(ChoiceButtons)
    assert choices is not None
    answer = choices.buttons()[number]
    scroll = window.panels["lessons"].findChild(QScrollArea)
    assert scroll is not None
    scroll.ensureWidgetVisible(answer)
    QApplication.processEvents()
    click(answer)


def choose_score(window: MainWindow, text: str) -> None:
    """Choose a score function from the menu of the toolbar."""
    tools = window.menus.toolbar.findChildren(QToolButton)
    tool = next(one for one in tools if one.text().startswith(("Score:", "分数:", "分数：")))
    menu = tool.menu()
    menu.popup(tool.mapToGlobal(tool.rect().bottomLeft()))
    mouse.choose(menu, text)


def drag_tip(
    window: MainWindow,
    role: Role,
    index: int,
    x: float,
    y: float,
    keys: Qt.KeyboardModifier = mouse.NO_KEYS,
) -> None:
    """Drag a tip of the vector plane to (x, y), as near as a pixel allows."""
    canvas = parts.plane_canvas(window)
    layout = canvas.layout_now()
    assert layout is not None
    mouse.drag(canvas, parts.tip(canvas, role, index), layout.to_pixels(x, y), keys)


def nudge_tip(window: MainWindow, role: Role, index: int, x: float, y: float) -> None:
    """Click on a tip and press arrow keys until it is at (x, y), as near as their steps allow."""
    canvas = parts.plane_canvas(window)
    layout, content = canvas.layout_now(), canvas.content
    assert layout is not None
    assert content is not None
    arrow = next(arrow for arrow in content.arrows if (arrow.role, arrow.index) == (role, index))
    mouse.click(canvas, parts.tip(canvas, role, index))
    step = layout.view.grid_step / 10
    across, up = round((x - arrow.x) / step), round((y - arrow.y) / step)
    for count, key, back in (
        (across, Qt.Key.Key_Right, Qt.Key.Key_Left),
        (up, Qt.Key.Key_Up, Qt.Key.Key_Down),
    ):
        for _press in range(abs(count)):
            QTest.keyClick(canvas, key if count > 0 else back)
    QApplication.processEvents()


def press_key(window: MainWindow, key: Qt.Key) -> None:
    """Press a key as the keyboard does: it goes to what has the focus."""
    QTest.keyClick(window.windowHandle(), key)
    QApplication.processEvents()
