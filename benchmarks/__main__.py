"""``python -m benchmarks [name …]``: run all benchmarks, or those named, and print one table each."""

from __future__ import annotations

import importlib
import sys

from benchmarks.table import print_rows

NAMES = ("start", "interaction", "idle", "export", "sampling", "capture")


def main(names: list[str]) -> int:
    """Run and print; the exit code says how many goals were missed."""
    missed = 0
    for name in names or NAMES:
        print(f"\n{name}")
        rows = importlib.import_module(f"benchmarks.{name}").rows()
        print_rows(rows)
        missed += sum(not row.holds for row in rows)
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
