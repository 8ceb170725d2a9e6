"""How much memory the machine has left, for refusing a run rather than being killed in it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def free_memory() -> int | None:
    """Return how many bytes can still be taken without swapping; None if the system does not say."""
    system = platform.system()
    if system == "Windows":
        return _windows()
    if system == "Linux":
        known = [size for size in (_linux(), _left_in_group()) if size is not None]
        return min(known) if known else None
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):  # macOS has no such name
        return None


def megabytes(size: int) -> int:
    """Return ``size`` bytes in whole MB, upwards."""
    return -(-size // 1_000_000)


def _linux() -> int | None:
    for line in _text(_MEMINFO).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _left_in_group() -> int | None:
    """Return what a container or a service has left; None: it has no limit of its own."""
    limit, use = _text(_GROUP / "memory.max").strip(), _text(_GROUP / "memory.current").strip()
    if not (limit.isdigit() and use.isdigit()):
        return None
    lines = (line.split() for line in _text(_GROUP / "memory.stat").splitlines())
    files = next((int(size) for name, size in lines if name == "inactive_file"), 0)  # given back when needed
    return max(int(limit) - int(use) + files, 0)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def _windows() -> int | None:
    import ctypes  # noqa: PLC0415 -- what follows is there on Windows only

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            *((name, ctypes.c_uint64) for name in ("total", "available", "t1", "t2", "t3", "t4", "t5")),
        )

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 -- mypy on Linux knows no such name
    return int(status.available) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else None
