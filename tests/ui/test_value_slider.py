"""The slider: it follows hand and keys, says what it is asked for, and nothing when it is set."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qkviz.ui.panels.normalizers_panel import TemperatureStops
from qkviz.ui.panels.value_slider import ValueSlider
from tests.ui import mouse


@dataclass(frozen=True)
class Tenths:
    """0, 0.1, … 2."""

    @property
    def last(self) -> int:
        return 20

    def value(self, stop: int) -> float:
        return stop / 10

    def position(self, value: float) -> float:
        return value * 10


class Told:
    """What a slider said, and the slider showing it as a panel would."""

    def __init__(self, slider: ValueSlider) -> None:
        self.moves: list[tuple[float, object]] = []
        self._slider = slider
        slider.moved.connect(self.hear)

    def hear(self, value: float, gesture: object) -> None:
        self.moves.append((value, gesture))
        self._slider.show_value(value)


@pytest.fixture
def slider(qtbot: QtBot) -> ValueSlider:
    made = ValueSlider(Tenths())
    qtbot.addWidget(made)
    made.resize(218, 26)  # 10 pixels a stop
    made.show()
    made.show_value(1.0)
    return made


def test_one_drag_is_one_gesture_and_ends_where_the_hand_is(slider: ValueSlider) -> None:
    told = Told(slider)
    mouse.drag(slider, slider.handle(), slider.place_of(1.7))
    assert slider.value == 1.7
    assert len({gesture for _value, gesture in told.moves}) == 1
    mouse.drag(slider, slider.handle(), slider.place_of(0.2))
    assert slider.value == 0.2
    assert len({gesture for _value, gesture in told.moves}) == 2


def test_a_drag_beyond_the_ends_stays_at_the_ends(slider: ValueSlider) -> None:
    _told = Told(slider)
    mouse.drag(slider, slider.handle(), QPointF(900, 13))
    assert slider.value == 2.0
    mouse.drag(slider, slider.handle(), QPointF(-900, 13))
    assert slider.value == 0.0


def test_a_click_on_the_track_goes_there(slider: ValueSlider) -> None:
    _told = Told(slider)
    mouse.click(slider, slider.place_of(0.3))
    assert slider.value == 0.3


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Qt.Key.Key_Right, 1.1),
        (Qt.Key.Key_Up, 1.1),
        (Qt.Key.Key_Left, 0.9),
        (Qt.Key.Key_Down, 0.9),
        (Qt.Key.Key_PageUp, 2.0),
        (Qt.Key.Key_PageDown, 0.0),
        (Qt.Key.Key_Home, 0.0),
        (Qt.Key.Key_End, 2.0),
    ],
)
def test_keys_move_it(slider: ValueSlider, key: Qt.Key, value: float) -> None:
    _told = Told(slider)
    QTest.keyClick(slider, key)
    assert slider.value == value


def test_setting_it_says_nothing_and_a_value_between_the_stops_is_shown_as_it_is(slider: ValueSlider) -> None:
    told = Told(slider)
    slider.show_value(0.555)
    assert told.moves == []
    assert slider.value == 0.555
    assert slider.handle().x() == pytest.approx(9 + 55.5)


def test_neither_wheel_nor_click_takes_anything(slider: ValueSlider) -> None:
    told = Told(slider)
    mouse.wheel(slider, slider.handle(), 3)
    mouse.click(slider, slider.handle())
    assert told.moves == []
    assert not slider.focusPolicy() & Qt.FocusPolicy.ClickFocus


def test_temperatures_hold_1_and_grow_to_both_ends() -> None:
    stops = TemperatureStops()
    values = [stops.value(stop) for stop in range(stops.last + 1)]
    assert (values[0], values[40], values[-1]) == (0.01, 1.0, 100.0)
    assert values == sorted(set(values))
    assert [stops.position(value) for value in values] == list(range(81))
