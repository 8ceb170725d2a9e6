"""What the program remembers between two starts.

One typed table in one JSON file. JSON and not Qt's settings, because those give text back: ``False`` comes
back as the truthy ``'false'``, ``3`` as ``'3'``, and that only shows in the next process.
"""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from qkviz.atomic_file import atomic_path

_log = logging.getLogger(__name__)

FORMAT = 1
"""Version written into the file. A file of a later version is read field by field like any other."""

_LARGEST_FILE = 4_000_000
"""Bytes. Nothing the program writes comes near; a larger file is damaged and is not read into memory."""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_names(value: object) -> bool:
    return isinstance(value, tuple) and all(_is_text(name) for name in value)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _one_of(*choices: str) -> Callable[[object], bool]:
    return lambda value: value in choices


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything remembered; the defaults are what a first start sees.

    Attributes
    ----------
    language
        ``"zh"``, ``"en"``, or empty for that of the system.
    theme
        ``"system"``, ``"light"`` or ``"dark"``.
    geometry, layout
        Place of the window and of its panels, as Qt wrote them, in base64. Empty: the first layout.
    layout_version
        Number of the set of panels that ``layout`` was saved with; another number makes it void.
    lesson
        Number of the lesson shown last; 0 for none.
    progress
        What was done in each lesson, by its id. Values are plain JSON.
    matrices
        Names of the matrices shown.
    export_folder
        Where the last picture went. Empty: none yet.
    export
        The last choices of the export dialog, plain JSON; one that does not fit is as usual.
    recent
        Files opened or saved, the newest first.
    unknown
        Entries of a later version of the program, kept for it.
    """

    language: str = field(default="", metadata={"check": _one_of("", "zh", "en")})
    theme: str = field(default="system", metadata={"check": _one_of("system", "light", "dark")})
    geometry: str = field(default="", metadata={"check": _is_text})
    layout: str = field(default="", metadata={"check": _is_text})
    layout_version: int = field(default=0, metadata={"check": _is_count})
    lesson: int = field(default=0, metadata={"check": _is_count})
    progress: Mapping[str, Any] = field(default_factory=dict, metadata={"check": _is_table})
    matrices: tuple[str, ...] = field(default=(), metadata={"check": _is_names})
    export_folder: str = field(default="", metadata={"check": _is_text})
    export: Mapping[str, Any] = field(default_factory=dict, metadata={"check": _is_table})
    recent: tuple[str, ...] = field(default=(), metadata={"check": _is_names})
    unknown: Mapping[str, Any] = field(default_factory=dict)


_ENTRIES = {entry.name: entry.metadata["check"] for entry in fields(Settings) if "check" in entry.metadata}


def settings_path() -> Path:
    """Return the file of this user's settings; ``QKVIZ_CONFIG_DIR`` names another folder for it."""
    chosen = os.environ.get("QKVIZ_CONFIG_DIR")
    folder = Path(chosen) if chosen else platformdirs.user_config_path("qkviz", appauthor=False, roaming=True)
    return folder / "settings.json"


def load_settings(path: Path) -> Settings:
    """Read the settings, falling back to the default field by field.

    A file that has anything wrong in it is copied to ``<name>.damaged`` before the next save replaces it.
    No error leaves this function: a program that cannot read its settings still starts.
    """
    try:
        entries = _read(path)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("settings %s are not readable: %s", path, error)
        _keep_copy(path)
        return Settings()
    known = {name: value for name, value in entries.items() if name in _ENTRIES}
    good = {name: value for name, value in known.items() if _ENTRIES[name](value)}
    bad = sorted(known.keys() - good.keys())
    if bad:
        _log.warning("settings %s: no such value for %s; the default is used", path, ", ".join(bad))
        _keep_copy(path)
    unknown = {name: value for name, value in entries.items() if name not in known and name != "format"}
    return Settings(**good, unknown=unknown)


def save_settings(settings: Settings, path: Path) -> bool:
    """Write the settings whole or not at all.

    Returns
    -------
    bool
        Whether they were written. A folder that cannot be written to is logged, not raised: it must not keep
        the program from closing.
    """
    entries: dict[str, object] = {"format": FORMAT, **settings.unknown}
    entries.update({name: getattr(settings, name) for name in _ENTRIES})
    text = json.dumps(entries, indent=1, sort_keys=True, allow_nan=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        _log.warning("settings %s are not written: %s", path, error)
        return False
    return True


def _read(path: Path) -> dict[str, Any]:
    """Return the entries of the file, its lists as tuples.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it is not one JSON object of sound size and UTF-8 text.
    """
    if path.stat().st_size > _LARGEST_FILE:
        raise ValueError(f"{path.stat().st_size} bytes")
    text = path.read_text(encoding="utf-8")
    entries = json.loads(text, parse_constant=_finite, parse_float=_finite)
    if not isinstance(entries, dict):
        raise ValueError(f"{type(entries).__name__} where an object was expected")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()}


def _finite(word: str) -> float:
    """Read a number; ``NaN``, ``Infinity`` and ``1e999`` are no JSON and could not be written again."""
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word} is not a JSON number")
    return number


def _keep_copy(path: Path) -> None:
    try:
        shutil.copyfile(path, path.with_name(path.name + ".damaged"))
    except OSError as error:  # a folder in its place, a full disk: then there is nothing to keep
        _log.warning("no copy of %s was kept: %s", path, error)
