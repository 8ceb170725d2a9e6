"""About qkviz: versions to copy into a report, licence, and a warning when Qt is not a tested release."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from qkviz.diagnostics import installed_versions, untested_pyside
from qkviz.translate import _


class AboutDialog(QDialog):
    """Names the program and everything it stands on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("About qkviz"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._versions = _shown_versions()
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(10)
        column.addWidget(_label("qkviz", "headline"))
        column.addWidget(_label(_("See why QKᵀ holds the relations between words."), "muted"))
        column.addSpacing(6)
        column.addLayout(_table(self._versions))
        warning = untested_pyside(PySide6.__version__)
        if warning is not None:
            column.addWidget(_label(f"⚠ {warning}", "section"))
        column.addSpacing(6)
        licence = _("Free software under the MIT licence. The font Inter is under the SIL Open Font License.")
        column.addWidget(_label(licence, "hint"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self._copy = QPushButton(_("Copy versions"), self)
        self._copy.setAutoDefault(False)
        self._copy.clicked.connect(self._copy_versions)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

    def versions_text(self) -> str:
        """Return the versions as plain text, one a line, for a report."""
        return "\n".join(f"{name} {version}" for name, version in self._versions)

    def _copy_versions(self) -> None:
        QGuiApplication.clipboard().setText(self.versions_text())
        self._copy.setText(_("Copied"))


def _shown_versions() -> list[tuple[str, str]]:
    """Return names and versions; of Qt the one that runs, since another may be installed."""
    versions = installed_versions()
    shown = [(name, version or _("is not installed")) for name, version in versions.items()]
    where = next(
        (at for at, (name, _version) in enumerate(shown) if name.startswith("PySide6")), len(shown) - 1
    )
    shown.insert(where + 1, ("Qt", f"{qVersion()} ({QGuiApplication.platformName()})"))
    shown.append((_("System"), platform.platform()))
    return shown


def _table(versions: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(22)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(1, 1)
    for row, (name, version) in enumerate(versions):
        grid.addWidget(_label(name, "muted"), row, 0)
        grid.addWidget(_label(version, ""), row, 1)
    return grid


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setWordWrap(kind in ("hint", "section"))
    label.setProperty("kind", kind)
    return label
