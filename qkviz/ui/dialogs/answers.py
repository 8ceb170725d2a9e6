"""What a person may answer to a question of the program."""

from __future__ import annotations

from enum import Enum, auto


class CloseAnswer(Enum):
    """What to do with unsaved changes before the window closes."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class RestoreAnswer(Enum):
    """What to do with the unsaved work of a program that was killed."""

    RESTORE = auto()
    DISCARD = auto()
    LATER = auto()
