"""What `pip install` of the wheel gives: all files, honest metadata, a command that works from anywhere."""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with nothing but the wheel in it; what it needs comes from the environment."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index"]
    command = [*pip, "--target", str(folder), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def _needs(metadata: Message) -> list[Requirement]:
    return [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]


def _run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONUTF8": "1", "LANG": "C.UTF-8"}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LANGUAGE", "LC_ALL"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip


def test_every_file_of_the_resources_is_in_the_wheel_byte_for_byte(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        for file in (ROOT / "resources").rglob("*"):
            name = f"qkviz/_resources/{file.relative_to(ROOT / 'resources').as_posix()}"
            if file.is_file() and "__pycache__" not in name:
                assert name in packed
                assert archive.read(name) == file.read_bytes()


def test_every_module_is_in_the_wheel_and_no_test(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.endswith(".py")}
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "qkviz").rglob("*.py")} <= packed
    assert not [name for name in packed if not name.startswith("qkviz/")]


def test_the_wheel_carries_both_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/licenses/" in name]
    assert {name.split("/licenses/")[1] for name in names} == {"LICENSE", "resources/fonts/OFL.txt"}


def test_the_metadata_name_the_python_and_the_packages_it_was_tested_with(metadata: Message) -> None:
    assert metadata["Requires-Python"] == ">=3.11"
    required = {need.name.lower(): str(need.specifier) for need in _needs(metadata) if need.marker is None}
    assert required.keys() == {
        "torch", "numpy", "pyside6-essentials", "pyqtgraph", "entmax", "cmap", "platformdirs", "pygments",
        "safetensors", "ziamath",
    }  # fmt: skip
    assert all(">=" in versions for versions in required.values())


def test_the_pinned_set_lies_in_the_ranges_and_names_no_build(metadata: Message) -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    assert pins["torch"] == "2.13.0"
    assert not [name for name, version in pins.items() if "+" in version or "/" in version]
    for need in _needs(metadata):
        if need.name not in {"qkviz", "transformers"}:
            assert need.specifier.contains(pins[need.name.lower()]), need


def test_the_desktop_entry_starts_the_command_under_our_icon() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(ROOT / "resources" / "qkviz.desktop", encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert entry["Desktop Entry"]["Exec"] in project["scripts"]
    icon = entry["Desktop Entry"]["Icon"]
    assert QSvgRenderer(str(ROOT / "resources" / "icons" / f"{icon}.svg")).isValid()


@pytest.mark.parametrize(("language", "word"), [("en", "Dot product"), ("zh", "点积")])
def test_the_installed_command_lists_the_lessons_from_another_folder(
    installed: Path, tmp_path: Path, language: str, word: str
) -> None:
    listed = _run(installed, tmp_path, "-m", "qkviz", "lessons", "--lang", language)
    assert listed.returncode == 0, listed.stderr
    assert word in listed.stdout.splitlines()[0]
    assert listed.stderr == ""


def test_the_installed_package_is_the_one_that_ran(installed: Path, tmp_path: Path) -> None:
    code = "from qkviz import resources as r; print(r.__file__, r.resource_path('fonts').is_dir())"
    ran = _run(installed, tmp_path, "-c", code)
    assert ran.stdout.split() == [str(installed / "qkviz" / "resources.py"), "True"]


def test_the_installed_script_knows_its_version(installed: Path, tmp_path: Path, metadata: Message) -> None:
    ran = _run(installed, tmp_path, str(installed / "bin" / "qkviz"), "--version")
    assert ran.stdout == f"qkviz {metadata['Version']}\n"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_installed_command_checks_the_machine(installed: Path, tmp_path: Path, language: str) -> None:
    ran = _run(installed, tmp_path, "-m", "qkviz", "--check", "--lang", language)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "torch 2." in ran.stdout
