"""Which shared libraries a file of Qt needs, and which of them this machine has not got (Linux only).

Read from the file itself and not with ``ldd``, which a slim machine need not have; the loader of the system
then says of each one whether it is there.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

_SEGMENT_LOADED, _SEGMENT_DYNAMIC = 1, 2
_ENTRY_NEEDED, _ENTRY_STRING_TABLE = 1, 5


def needed_libraries(file: Path) -> tuple[str, ...]:
    """Return the names that a 64-bit little-endian ELF file asks the loader for, in its order.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is no such ELF file.
    """
    with file.open("rb") as opened:
        if opened.read(6) != b"\x7fELF\x02\x01":
            raise ValueError(f"{file} is not a 64-bit little-endian ELF file")
        # mapped, because some are 30 MB and only a few pages are looked at
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                return _needed(data)
            except (struct.error, ValueError) as error:
                raise ValueError(f"{file} is cut short") from error


def missing_libraries(files: Iterable[Path], folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the libraries ``files`` need, directly or through others, that are not there.

    Parameters
    ----------
    files
        Shared libraries or plugins to look into.
    folders
        Where the libraries shipped with them lie; these are looked into as well. All others are the system's.
    """
    waiting = list(files)
    seen: set[str] = set()
    missing: set[str] = set()
    while waiting:
        for name in needed_libraries(waiting.pop()):
            if name in seen:
                continue
            seen.add(name)
            shipped = next((folder / name for folder in folders if (folder / name).is_file()), None)
            if shipped is not None:
                waiting.append(shipped)
            else:
                missing.update(_missing_of_system(name))
    return tuple(sorted(missing))


def _missing_of_system(name: str) -> set[str]:
    try:
        ctypes.CDLL(name)
    except OSError as error:
        # "libxcb-util.so.1: cannot open shared object file: …": it may be a library that this one needs
        return {str(error).split(":", 1)[0]} if "cannot open shared object" in str(error) else {name}
    return set()


def _needed(data: mmap.mmap) -> tuple[str, ...]:
    (table,) = struct.unpack_from("<Q", data, 32)
    entry_size, count = struct.unpack_from("<HH", data, 54)
    loaded: list[tuple[int, int, int]] = []  # address, offset in the file, size there
    dynamic = (0, 0)
    for index in range(count):
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", data, table + index * entry_size)
        if kind == _SEGMENT_LOADED:
            loaded.append((address, offset, size))
        elif kind == _SEGMENT_DYNAMIC:
            dynamic = (offset, size)
    entries = [struct.unpack_from("<qQ", data, dynamic[0] + at) for at in range(0, dynamic[1], 16)]
    strings = next((value for tag, value in entries if tag == _ENTRY_STRING_TABLE), 0)
    base = next((offset + strings - at for at, offset, size in loaded if at <= strings < at + size), 0)
    names = (base + value for tag, value in entries if tag == _ENTRY_NEEDED)
    return tuple(data[start : data.find(b"\0", start)].decode() for start in names)
