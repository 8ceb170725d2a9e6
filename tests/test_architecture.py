"""The arrows of docs/architecture.md hold, and their breach is noticed."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "qkviz").rglob("*.py"))

BREACHES = {
    # contract: a module that exists, and the line that may not stand in it
    "imports point downwards": [
        ("qkviz/attention/geometry.py", "import qkviz.document.document"),
        ("qkviz/document/focus.py", "import qkviz.presenters.number_format"),
        ("qkviz/lessons/lesson.py", "import qkviz.presenters.number_format"),
        ("qkviz/importers/roles.py", "import qkviz.lessons.lesson"),
        ("qkviz/presenters/cells.py", "import qkviz.figures.style"),
        ("qkviz/figures/style.py", "import qkviz.ui.theme"),
        ("qkviz/translate.py", "import qkviz.settings"),
        ("qkviz/app.py", "import qkviz.api.windows"),
    ],
    "Qt only in api, figures, ui and app": [
        ("qkviz/attention/geometry.py", "from PySide6 import QtCore"),
        ("qkviz/presenters/cells.py", "def late():\n    from PySide6.QtGui import QColor"),
        ("qkviz/settings.py", "import shiboken6"),
    ],
    "pyqtgraph only in ui.panels and ui.items": [
        ("qkviz/figures/style.py", "import pyqtgraph"),
        ("qkviz/ui/theme.py", "import pyqtgraph"),
    ],
    "torch only in attention, capture and start_model": [
        ("qkviz/document/focus.py", "import torch"),
        ("qkviz/presenters/cells.py", "import torch.nn.functional"),
        ("qkviz/ui/theme.py", "import torch"),
        ("qkviz/lessons/lesson.py", "import entmax"),
        ("qkviz/importers/torch_file.py", "import torch"),
    ],
    "transformers only in capture": [("qkviz/attention/geometry.py", "import transformers")],
}

QT_FREE = [
    "attention", "document", "importers", "lessons", "presenters", "exporters", "settings", "translate",
    "resources", "atomic_file", "diagnostics", "qt_start", "command_line", "info_command", "capture_command",
    "cli",
]  # fmt: skip
"""Packages and modules that a machine without Qt can import, down to the last module."""

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    module = importlib.import_module("qkviz." + name)
    for found in pkgutil.walk_packages(getattr(module, "__path__", []), module.__name__ + "."):
        importlib.import_module(found.name)
print(sorted({name.split(".")[0] for name in sys.modules} & {"PySide6", "shiboken6", "pyqtgraph"}))
"""


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the import contracts of the project in ``folder``."""
    code = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); "
        "from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_every_contract_is_kept() -> None:
    linted = _lint(ROOT)
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_every_contract_has_a_breach_below() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    assert {contract["name"] for contract in contracts["contracts"]} == set(BREACHES)


@pytest.mark.parametrize(
    ("contract", "module", "line"),
    [(contract, *breach) for contract, breaches in BREACHES.items() for breach in breaches],
    ids=lambda value: re.sub(r"\W+", "-", value)[:50],
)
def test_a_breach_is_reported(tmp_path: Path, contract: str, module: str, line: str) -> None:
    shutil.copytree(ROOT / "qkviz", tmp_path / "qkviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")

    linted = _lint(tmp_path)

    assert linted.returncode == 1, linted.stderr
    assert f"{contract} BROKEN" in linted.stdout
    assert module.removesuffix(".py").replace("/", ".") in linted.stdout.split("Broken contracts")[1]


def test_a_module_outside_the_layers_is_reported(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "qkviz", tmp_path / "qkviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "qkviz" / "helpers.py").write_text('"""New."""\n', encoding="utf-8")
    linted = _lint(tmp_path)
    assert linted.returncode != 0
    assert "helpers" in linted.stdout + linted.stderr


def test_a_fresh_interpreter_imports_every_qt_free_module_without_qt() -> None:
    imported = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *QT_FREE], capture_output=True, text=True, timeout=120, check=False
    )
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.strip() == "[]"


def test_a_fresh_interpreter_imports_the_command_without_torch_and_numpy() -> None:
    code = "import sys, qkviz.cli; print(sorted({'torch', 'numpy', 'transformers'} & set(sys.modules)))"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout == "[]\n"


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []


def test_no_module_is_named_after_nothing() -> None:
    empty_names = {"utils", "helpers", "misc", "common", "manager", "base"}
    assert [path for path in MODULES if path.stem in empty_names] == []


def test_no_class_builds_on_two_classes_of_qt_or_on_its_paint_engine() -> None:
    """Both break with every other release of PySide6."""
    fragile = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).split(".")[-1] for base in node.bases]
                if sum(bool(re.match(r"Q[A-Z]", base)) for base in bases) > 1 or "QPaintEngine" in bases:
                    fragile.append(f"{path}: {node.name}")
    assert fragile == []
