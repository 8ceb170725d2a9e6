"""How much memory is left: the machine's and the container's word, and none where nobody says."""

from __future__ import annotations

import pytest

from qkviz.capture import free_memory as memory
from qkviz.capture.free_memory import free_memory, megabytes

GIGABYTE = 2**30


@pytest.fixture
def linux(tmp_path, monkeypatch):
    """A Linux that says what stands in the files of this folder."""
    monkeypatch.setattr(memory.platform, "system", lambda: "Linux")
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable: 4194304 kB\n", encoding="ascii")
    return tmp_path


def test_this_machine_has_some() -> None:
    left = free_memory()
    assert left is None or 2**20 < left < 2**50


def test_machine_says_what_is_available(linux) -> None:
    assert free_memory() == 4 * GIGABYTE


@pytest.mark.parametrize(
    ("limit", "use", "files", "left"),
    [(3, 2, 0, 1), (3, 3, 1, 1), (3, 4, 0, 0), (9, 1, 0, 4)],
)
def test_container_may_have_less(linux, limit, use, files, left) -> None:
    (linux / "memory.max").write_text(f"{limit * GIGABYTE}\n", encoding="ascii")
    (linux / "memory.current").write_text(f"{use * GIGABYTE}\n", encoding="ascii")
    (linux / "memory.stat").write_text(f"anon 7\ninactive_file {files * GIGABYTE}\n", encoding="ascii")
    assert free_memory() == left * GIGABYTE


def test_container_without_a_limit(linux) -> None:
    (linux / "memory.max").write_text("max\n", encoding="ascii")
    (linux / "memory.current").write_text("5\n", encoding="ascii")
    assert free_memory() == 4 * GIGABYTE


def test_system_that_says_nothing(linux) -> None:
    (linux / "meminfo").unlink()
    assert free_memory() is None


def test_megabytes_are_rounded_up() -> None:
    assert [megabytes(size) for size in (0, 1, 1_000_000, 1_000_001)] == [0, 1, 1, 2]
