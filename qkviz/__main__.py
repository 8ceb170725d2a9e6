"""``python -m qkviz`` is the command ``qkviz``."""

from __future__ import annotations

import sys

from qkviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
