"""The overview of keys and gestures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from qkviz.translate import _
from qkviz.ui.actions import ShortcutRow


class ShortcutsDialog(QDialog):
    """Shows what can be done with keys and mouse, grouped, in two columns."""

    def __init__(self, rows: Sequence[ShortcutRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Keys and gestures"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        left, right = balanced_columns(rows)
        body = QWidget()
        columns = QHBoxLayout(body)
        columns.setContentsMargins(24, 18, 24, 12)
        columns.setSpacing(44)
        for groups in (left, right):
            columns.addLayout(_column(groups), 1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setAccessibleName(_("Keys and gestures"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 14)
        column.addWidget(scroll, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 0, 24, 0)
        foot.addWidget(buttons)
        column.addLayout(foot)
        wanted = body.sizeHint()
        self.resize(min(wanted.width() + 40, 1080), min(wanted.height() + 80, 720))


def grouped(rows: Iterable[ShortcutRow]) -> dict[str, list[tuple[str, str]]]:
    """Return the rows by group, in the order in which they come."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for group, text, keys in rows:
        groups.setdefault(group, []).append((text, keys))
    return groups


def balanced_columns(
    rows: Iterable[ShortcutRow],
) -> tuple[dict[str, list[tuple[str, str]]], dict[str, list[tuple[str, str]]]]:
    """Return the groups in two columns of about equal length, without tearing or reordering them."""
    groups = grouped(rows)
    lengths = [len(lines) + 2 for lines in groups.values()]
    splits = range(len(lengths) + 1)
    best = min(splits, key=lambda split: abs(sum(lengths[:split]) - sum(lengths[split:])))
    names = list(groups)
    return {name: groups[name] for name in names[:best]}, {name: groups[name] for name in names[best:]}


def _column(groups: dict[str, list[tuple[str, str]]]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(6)
    for name, lines in groups.items():
        column.addWidget(_label(name, "section"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for row, (text, keys) in enumerate(lines):
            grid.addWidget(_label(text, ""), row, 0)
            grid.addWidget(_label(keys, "muted"), row, 1, Qt.AlignmentFlag.AlignRight)
        column.addLayout(grid)
        column.addSpacing(14)
    column.addStretch(1)
    return column


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", kind)
    return label
