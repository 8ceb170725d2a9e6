"""What a report of an error should name: versions, the tested range of Qt, libraries, fonts."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from qkviz import __version__
from qkviz.qt_start import display_problem, installation_problem, platforms
from qkviz.settings import settings_path
from qkviz.system_packages import CHINESE_FONT, install_lines
from qkviz.translate import Phrase, _

TESTED_PYSIDE = "6.8.1 – 6.11"
"""The releases of PySide6 that the suite was run with."""

_FIRST_TESTED, _FIRST_UNTESTED = (6, 8, 1), (6, 12)
_BROKEN_PYSIDE = {(6, 9, 1), (6, 10, 1)}
_PACKAGES_SHOWN = ("PySide6-Essentials", "pyqtgraph", "torch", "numpy", "entmax", "cmap", "ziamath")

_PROBE = """
import json
import sys
sys.path.insert(0, sys.argv[1])
from PySide6.QtGui import QFont, QGuiApplication, QTextLayout
from qkviz.figures.style import FONT_FAMILIES
application = QGuiApplication([])
font = QFont()
font.setFamilies(FONT_FAMILIES)
layout = QTextLayout("中文", font)
layout.beginLayout()
layout.createLine()
layout.endLayout()
runs = layout.glyphRuns()
has_glyphs = bool(runs) and all(glyph for run in runs for glyph in run.glyphIndexes())
print(json.dumps(runs[0].rawFont().familyName() if has_glyphs else ""))
"""
"""Run in a process of its own, because Qt ends the process in which it cannot start."""


@dataclass(frozen=True, slots=True)
class Report:
    """What ``qkviz --check`` found.

    Attributes
    ----------
    text
        For a person, in the current language.
    usable
        Whether Qt works here. A machine without a display is usable: it can export.
    """

    text: str
    usable: bool


def untested_pyside(version: str) -> Phrase | None:
    """Return a warning if ``version`` of PySide6 is outside the tested range, else nothing."""
    numbers = tuple(int(part) for part in version.split(".")[:3] if part.isdigit())
    if len(numbers) >= 2 and _FIRST_TESTED <= numbers < _FIRST_UNTESTED and numbers not in _BROKEN_PYSIDE:
        return None
    return Phrase(
        "PySide6 {version} is not one of the releases qkviz is tested with ({tested}); "
        "it may crash or draw wrongly.",
        version=version,
        tested=TESTED_PYSIDE,
    )


def installed_versions() -> dict[str, str]:
    """Return name and version of the program and of what it stands on; missing ones have an empty version."""
    found = {"qkviz": __version__, "Python": platform.python_version()}
    for name in _PACKAGES_SHOWN:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = ""
    return found


def check_machine() -> Report:
    """Find out whether the window can open here, without opening one."""
    versions = installed_versions()
    lines = [f"{name} {version or _('is not installed')}" for name, version in versions.items()]
    lines.append(platform.platform())
    pyside = versions["PySide6-Essentials"]
    if pyside:
        tested = _("PySide6 is in the tested range, {tested}", tested=TESTED_PYSIDE)
        lines.append(str(untested_pyside(pyside) or tested))
    lines.append(_("Settings: {path}", path=settings_path()))

    problem = installation_problem(os.environ)
    if problem is not None:
        return Report("\n".join([*lines, str(problem)]), usable=False)
    lines.append(_("Platforms Qt will try: {names}", names=", ".join(platforms(os.environ))))
    no_display = display_problem(os.environ)
    lines.append(str(no_display) if no_display else _("A window can open"))
    try:
        chinese = _chinese_font()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Report("\n".join([*lines, _("Qt does not start: {error}", error=error)]), usable=False)
    if chinese:
        lines.append(_("Chinese font: {name}", name=chinese))
    else:
        install = install_lines([CHINESE_FONT])
        lines.append(_("No font here has Chinese signs. Install — {install}", install=install))
    return Report("\n".join(lines), usable=True)


def _chinese_font() -> str:
    """Return the font in which Qt draws Chinese in the window and in pictures; empty if no font has it.

    Raises
    ------
    OSError, ValueError, subprocess.SubprocessError
        If Qt does not start; the last line it printed is in the error.
    """
    environment = dict(os.environ)
    if sys.platform.startswith("linux"):
        environment["QT_QPA_PLATFORM"] = "offscreen"  # has the same fonts as the window and needs no display
    command = [sys.executable, "-c", _PROBE, str(Path(__file__).parents[1])]
    probe = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    if probe.returncode != 0:
        last = probe.stderr.strip().splitlines()[-1:] or [f"exit code {probe.returncode}"]
        raise ValueError(last[0])
    family: str = json.loads(probe.stdout)
    return family
