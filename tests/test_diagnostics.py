"""What an error report should name."""

from __future__ import annotations

import importlib.metadata
import platform

import pytest

from qkviz.diagnostics import check_machine, installed_versions, untested_pyside


@pytest.mark.parametrize("version", ["6.8.1", "6.8.3", "6.9.0", "6.9.2", "6.10.0", "6.11.3", "6.11"])
def test_a_release_in_the_tested_range_brings_no_warning(version: str) -> None:
    assert untested_pyside(version) is None


@pytest.mark.parametrize("version", ["6.7.3", "6.8.0", "6.9.1", "6.10.1", "6.12.0", "7.0.0", "5.15.2", ""])
def test_a_release_outside_it_is_named_in_the_warning(version: str) -> None:
    assert f"PySide6 {version} is not one of" in str(untested_pyside(version))


def test_the_range_is_that_of_the_packages_metadata() -> None:
    """Nobody can install by pip what the program then warns of."""
    required = importlib.metadata.requires("qkviz") or []
    qt = next(line for line in required if line.lower().startswith("pyside6-essentials"))
    assert set(qt.lower().removeprefix("pyside6-essentials").split(",")) == {
        ">=6.8.1", "!=6.9.1", "!=6.10.1", "<6.12",
    }  # fmt: skip


def test_versions_are_those_installed() -> None:
    versions = installed_versions()
    assert versions["Python"] == platform.python_version()
    assert versions["torch"] == importlib.metadata.version("torch")
    assert versions["PySide6-Essentials"] == importlib.metadata.version("PySide6-Essentials")


def test_the_check_names_what_it_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    report = check_machine()
    assert report.usable
    assert f"torch {importlib.metadata.version('torch')}" in report.text
    assert "A window can open" in report.text
    assert "Chinese font: " in report.text


def test_the_check_says_what_keeps_the_window_from_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "paper")
    report = check_machine()
    assert not report.usable
    assert "“paper”" in report.text
