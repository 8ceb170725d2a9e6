"""The reader of ELF files says what readelf says, and finds what is not there."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from qkviz.shared_libraries import missing_libraries, needed_libraries

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF is Linux's")

PYSIDE = Path(PySide6.__file__).parent
XCB_PLUGIN = PYSIDE / "Qt" / "plugins" / "platforms" / "libqxcb.so"


def _elf(folder: Path, name: str, *needed: str) -> Path:
    """Write the smallest ELF file that needs the libraries named."""
    strings = b"\0" + b"".join(library.encode() + b"\0" for library in needed)
    starts = [strings.index(library.encode() + b"\0") for library in needed]
    dynamic_at, address = 64 + 2 * 56, 0x400000
    entries = [(1, start) for start in starts]
    strings_at = dynamic_at + 16 * (len(entries) + 2)
    entries += [(5, address + strings_at), (0, 0)]
    dynamic = b"".join(struct.pack("<qQ", *entry) for entry in entries)
    size = strings_at + len(strings)
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    loaded = struct.pack("<IIQQQQQQ", 1, 4, 0, address, address, size, size, 4096)
    length = len(dynamic)
    pointed = struct.pack("<IIQQQQQQ", 2, 4, dynamic_at, address + dynamic_at, 0, length, length, 8)
    file = folder / name
    file.write_bytes(header + loaded + pointed + dynamic + strings)
    return file


def test_names_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    file = _elf(tmp_path, "plugin.so", "libc.so.6", "libnowhere.so.3", "libm.so.6")
    assert needed_libraries(file) == ("libc.so.6", "libnowhere.so.3", "libm.so.6")


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed; un-skip with binutils")
def test_qts_own_plugin_reads_as_readelf_reads_it() -> None:
    said = subprocess.run(
        ["readelf", "-d", str(XCB_PLUGIN)], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert list(needed_libraries(XCB_PLUGIN)) == re.findall(r"\(NEEDED\).*\[(.+)\]", said)


def test_a_missing_library_behind_a_shipped_one_is_found(tmp_path: Path) -> None:
    plugin = _elf(tmp_path, "plugin.so", "libc.so.6", "libshipped.so.1")
    _elf(tmp_path, "libshipped.so.1", "libnowhere.so.7", "libshipped.so.1")
    assert missing_libraries([plugin], [tmp_path]) == ("libnowhere.so.7",)


def test_nothing_is_missing_where_everything_is_there(tmp_path: Path) -> None:
    assert missing_libraries([_elf(tmp_path, "plugin.so", "libc.so.6")], []) == ()


@pytest.mark.parametrize("content", [b"", b"MZ", b"\x7fELF\x01\x01", b"\x7fELF\x02\x01" + bytes(20)])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.so"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"ELF|cut short"):
        needed_libraries(file)
