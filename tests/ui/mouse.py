"""A hand: real mouse events on real widgets."""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def press(widget: QWidget, at: QPointF, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Press the left button."""
    QTest.mousePress(widget, LEFT, keys, _pixel(at))


def move(
    widget: QWidget, start: QPointF, end: QPointF, keys: Qt.KeyboardModifier = NO_KEYS, steps: int = 6
) -> None:
    """Move in steps with the left button down.

    QTest's own move knows neither the button nor the keyboard, so the events are made here.
    """
    for step in range(1, steps + 1):
        at = start + (end - start) * (step / steps)
        _send_move(widget, QPointF(_pixel(at)), LEFT, keys)


def release(widget: QWidget, at: QPointF, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Release the left button."""
    QTest.mouseRelease(widget, LEFT, keys, _pixel(at))
    QApplication.processEvents()


def drag(widget: QWidget, start: QPointF, end: QPointF, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Press at ``start``, move to ``end``, release."""
    press(widget, start, keys)
    move(widget, start, end, keys)
    release(widget, end, keys)


def click(widget: QWidget, at: QPointF) -> None:
    """Click with the left button."""
    QTest.mouseClick(widget, LEFT, NO_KEYS, _pixel(at))
    QApplication.processEvents()


def hover(widget: QWidget, at: QPointF) -> None:
    """Move over ``widget`` with no button down."""
    _send_move(widget, QPointF(_pixel(at)), Qt.MouseButton.NoButton, NO_KEYS)


def _send_move(widget: QWidget, at: QPointF, buttons: Qt.MouseButton, keys: Qt.KeyboardModifier) -> None:
    everywhere = QPointF(widget.mapToGlobal(at.toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, at, everywhere, Qt.MouseButton.NoButton, buttons, keys)
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()


def _pixel(at: QPointF) -> QPoint:
    return QPoint(round(at.x()), round(at.y()))


def double_click(widget: QWidget, at: QPointF) -> None:
    """Click twice, as a mouse does it: the second press is the double click."""
    click(widget, at)
    QTest.mouseDClick(widget, LEFT, NO_KEYS, _pixel(at))
    QApplication.processEvents()


def wheel(widget: QWidget, at: QPointF, notches: float) -> None:
    """Turn the wheel over ``widget``; away from the hand is positive."""
    pixel = QPointF(_pixel(at))
    event = QWheelEvent(
        pixel,
        QPointF(widget.mapToGlobal(pixel.toPoint())),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        NO_KEYS,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()


def right_click(widget: QWidget, at: QPointF) -> QMenu:
    """Ask for the menu at a point, and return the one that opened."""
    pixel = _pixel(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, pixel, widget.mapToGlobal(pixel), NO_KEYS)
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu), f"{menu} opened"
    return menu


def choose(menu: QMenu, text: str) -> None:
    """Click on the entry of an open menu that begins with ``text``; the menu closes."""
    found = [action for action in menu.actions() if action.text().replace("&", "").startswith(text)]
    assert len(found) == 1, [action.text() for action in menu.actions()]
    QTest.mouseClick(menu, LEFT, NO_KEYS, menu.actionGeometry(found[0]).center())
    QApplication.processEvents()


def leave(widget: QWidget) -> None:
    """Take the pointer away from ``widget``."""
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()


def settle() -> None:
    """Let everything happen that is under way: what panels compute beside the window, events, deletions."""
    QApplication.processEvents()
    while workers := [thread for thread in threading.enumerate() if thread.name == "qkviz task"]:
        workers[0].join(60)
        assert not workers[0].is_alive(), "a task of a panel takes a minute"
        QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
