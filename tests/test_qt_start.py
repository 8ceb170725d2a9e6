"""Whether a window can open is known before Qt, which would end the process, is asked."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from qkviz.qt_start import display_problem, import_problem, installation_problem, platforms
from qkviz.system_packages import LIBRARY_PACKAGES, install_lines

ROOT = Path(__file__).resolve().parent.parent
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have one platform")

BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("PySide6.Qt"):
            raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Blocked())
from qkviz.cli import main
sys.exit(main(sys.argv[1:]))
"""


@linux
@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({}, ("xcb",)),
        ({"DISPLAY": ":0"}, ("xcb",)),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ("wayland", "xcb")),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, ("offscreen",)),
        ({"QT_QPA_PLATFORM": "wayland;xcb:nograb"}, ("wayland", "xcb")),
    ],
)
def test_platforms_are_those_qt_would_try(environment: dict[str, str], names: tuple[str, ...]) -> None:
    assert platforms(environment) == names


@linux
def test_without_a_display_the_sentence_names_the_command_that_needs_none() -> None:
    assert "qkviz export" in str(display_problem({}))


@linux
def test_a_display_that_does_not_answer_is_named() -> None:
    assert "“:7431”" in str(display_problem({"DISPLAY": ":7431"}))


@linux
def test_a_wayland_socket_that_is_not_there_is_named(tmp_path: Path) -> None:
    environment = {"WAYLAND_DISPLAY": "wayland-5", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert str(tmp_path / "wayland-5") in str(display_problem(environment))
    (tmp_path / "wayland-5").touch()
    assert display_problem(environment) is None


@linux
@pytest.mark.parametrize("name", ["offscreen", "minimal"])
def test_platforms_without_a_screen_need_no_display(name: str) -> None:
    assert display_problem({"QT_QPA_PLATFORM": name}) is None


@linux
def test_an_unknown_platform_is_named_beside_those_there_are() -> None:
    sentence = str(installation_problem({"QT_QPA_PLATFORM": "paper"}))
    assert "“paper”" in sentence
    assert "offscreen" in sentence


def test_nothing_is_missing_on_the_machine_of_the_tests() -> None:
    assert installation_problem({"QT_QPA_PLATFORM": "offscreen"}) is None


def test_a_library_that_fails_at_import_is_named_with_its_package() -> None:
    error = ImportError("libxcb-cursor.so.0: cannot open shared object file: No such file or directory")
    sentence = str(import_problem(error))
    assert "libxcb-cursor.so.0" in sentence
    assert "apt-get install libxcb-cursor0" in sentence
    assert "dnf install xcb-util-cursor" in sentence
    assert "pacman -S xcb-util-cursor" in sentence


def test_an_error_that_is_not_about_qt_is_not_explained_away() -> None:
    assert import_problem(ImportError("cannot import name 'x' from 'qkviz.document'")) is None
    assert import_problem(ModuleNotFoundError("No module named 'qkviz.ui'", name="qkviz.ui")) is None


def test_a_qt_that_is_not_installed_is_said_to_be_so() -> None:
    error = ModuleNotFoundError("No module named 'PySide6'", name="PySide6")
    assert "pip install PySide6-Essentials" in str(import_problem(error))


@linux
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_blocked_import_ends_with_the_remedy_and_exit_code_2(language: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED, "--lang", language],
        env={"QT_QPA_PLATFORM": "offscreen", "PATH": "/usr/bin", "PYTHONUTF8": "1"},
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "libEGL.so.1" in ended.stderr
    assert "apt-get install libegl1" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stderr.count("\n") == 1


@linux
def test_the_installer_brings_what_the_diagnosis_would_ask_for() -> None:
    """What the script leaves out comes with another of its packages."""
    script = (ROOT / "tools" / "install_system_packages.sh").read_text(encoding="utf-8")
    listed = set(re.search(r'^qt="([^"]*)"', script, re.MULTILINE)[1].split())  # type: ignore[index]
    brought = {
        "libfreetype6", "libx11-6", "libx11-xcb1", "libxcb1", "libxcb-render0", "libxcb-shm0", "libxcb-util1",
    }  # fmt: skip
    wayland = {"libwayland-client0", "libwayland-cursor0", "libwayland-egl1"}
    named = {packages.debian for packages in LIBRARY_PACKAGES.values()}
    assert named - brought - wayland == listed


def test_a_package_is_asked_for_once() -> None:
    twice = [LIBRARY_PACKAGES["libglib-2.0.so.0"], LIBRARY_PACKAGES["libgthread-2.0.so.0"]]
    assert install_lines(twice).count("libglib2.0-0") == 1
