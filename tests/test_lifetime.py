"""Nothing is left behind: not by 20 000 moves, not by panels opened and closed, not by the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import Run

_MOVES = """
import gc

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

def move_many(number, gesture):
    from qkviz.attention.plane import Plane
    from qkviz.document.document import Role
    from qkviz.document.edits import MoveVector
    plane, commands = Plane.of_dimensions(2, 0, 1), window().commands
    for at in range(number):
        role = Role.QUERY if at % 2 else Role.KEY
        commands.apply(MoveVector(role, at % 3, plane, (at % 97) / 40, (at % 89) / 40, (gesture, at // 20)))
        if at % 40 == 39:
            app.processEvents()

def measure():
    settle()
    gc.collect()
    return resident(), sys.getrefcount(None), sys.getrefcount(True), len(gc.get_objects())

def story():
    yield is_alive
    for name in ("matrices", "steps", "inspector", "lessons"):
        window().docks[name].close()
    move_many(4_500, "warm")  # the history of 200 steps is full now
    few = [measure()]
    for round in range(2):
        move_many(9_000, round)
        few.append(measure())
    for name in ("matrices", "steps", "inspector", "lessons"):
        window().docks[name].show()
    settle()
    move_many(600, "warm again")
    all_open = [measure()]
    for round in range(2):
        move_many(1_000, (round, "all"))
        all_open.append(measure())
    tell(few=few, all_open=all_open)
    window().close()
    yield is_asked  # nothing of it is saved
    discard()
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no way to read the memory in use here")
def test_twenty_thousand_moves_leave_memory_and_reference_counts_flat(tmp_path: Path) -> None:
    told = Run(_MOVES, tmp_path, ["--lesson", "7"]).ended().check()
    for name, moves in (("few", 9_000), ("all_open", 1_000)):
        start, *later = told[name]
        for memory, nones, trues, _objects in later:
            assert memory - start[0] < 4, told[name]
            # a binding that loses or keeps one reference a move would be off by thousands
            assert abs(nones - start[1]) < moves / 20, told[name]
            assert abs(trues - start[2]) < moves / 20, told[name]
        # kept texts and colours have all been met in the first round
        assert abs(later[1][3] - later[0][3]) < moves / 20, told[name]


_PANELS = """
import gc
from collections import Counter

def count():
    settle()
    gc.collect()
    settle()
    kinds = Counter(type(one).__name__ for one in gc.get_objects())
    return dict(kinds), len(app.allWidgets())

def open_and_close(times):
    for _time in range(times):
        for dock in window().docks.values():
            dock.close()
        settle()
        window().commands.go_to_step(_time % 6)  # so that every panel has something to catch up with
        for dock in window().docks.values():
            dock.toggleViewAction().trigger()
        settle()

def story():
    yield is_alive
    for _time in range(2):  # every step once; and counting leaves something the first time itself
        open_and_close(6)
        count()
    before, widgets = count()
    open_and_close(50)
    after, widgets_after = count()
    more = {name: number - before.get(name, 0) for name, number in after.items()}
    tell(more={name: number for name, number in more.items() if number > 5}, widgets=widgets_after - widgets)
    window().close()
"""


def test_opening_and_closing_every_panel_fifty_times_leaves_no_object_behind(tmp_path: Path) -> None:
    told = Run(_PANELS, tmp_path, ["--lesson", "7"]).ended().check()
    assert told == {"more": {}, "widgets": 0}


_MATRICES = """
import gc

def story():
    yield is_alive
    from dataclasses import replace
    from qkviz.attention.matrices import MatrixName
    from qkviz.ui.items.matrix_canvas import MatrixCanvas
    names = tuple(MatrixName)

    def look(*chosen):
        focus = window().commands.session.snapshot.focus
        window().commands.look_at(replace(focus, matrices=chosen))
        settle()

    for _time in range(50):
        look(*names)
        look()
    gc.collect()
    settle()
    tell(alive=sum(type(one) is MatrixCanvas for one in gc.get_objects()))
    window().close()
"""


def test_choosing_all_matrices_and_none_fifty_times_leaves_no_canvas_behind(tmp_path: Path) -> None:
    assert Run(_MATRICES, tmp_path, ["--lesson", "7"]).ended().check() == {"alive": 0}


_CLOSING = """
import gc, weakref

def story():
    yield is_alive
    from qkviz.attention.plane import Plane
    from qkviz.document.document import Role
    from qkviz.document.edits import MoveVector
    now = window()
    for dock in now.docks.values():
        dock.show()
    settle()
    panels = {name: weakref.ref(panel) for name, panel in now.panels.items()}
    docks = {name: weakref.ref(dock) for name, dock in now.docks.items()}
    session = now.commands.session
    now.close()
    told = now.status.text
    session.apply(MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 9.0, 9.0, "after"))
    heard = now.status.text != told
    the_window = weakref.ref(now)
    program = next(one for one in gc.get_objects() if type(one).__name__ == "Program")
    del program.window
    now.deleteLater()
    del now, dock
    for _time in range(3):
        settle()
        gc.collect()
    tell(
        heard=heard,
        window=the_window() is not None,
        panels=[name for name, one in panels.items() if one() is not None],
        docks=[name for name, one in docks.items() if one() is not None],
        widgets=[type(one).__name__ for one in app.topLevelWidgets()],
    )
    app.quit()
"""


def test_a_closed_window_hears_nothing_and_leaves_no_panel_alive(tmp_path: Path) -> None:
    told = Run(_CLOSING, tmp_path, ["--lesson", "7"]).ended().check()
    assert told == {"heard": False, "window": False, "panels": [], "docks": [], "widgets": []}
