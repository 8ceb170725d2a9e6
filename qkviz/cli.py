"""The command ``qkviz``: the window, the list of lessons, pictures without a window.

Nothing of Qt, torch or the lessons is imported before a command needs it: help is instant, the window is
painted before torch is there, and a machine without a display or without Qt's libraries gets a sentence.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from qkviz import __version__
from qkviz.command_line import CommandLine, language_of, one_of, whole_number
from qkviz.export_command import run_export
from qkviz.qt_start import display_problem, import_problem, installation_problem
from qkviz.translate import Refusal, _, current_language, use_language

BAD_USE = 2
"""Exit code for everything that could not be done as asked."""

THEMES = ("system", "light", "dark")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; what cannot be done becomes one sentence on stderr.

    Parameters
    ----------
    arguments
        Without the name of the program; those of this process if left out.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(level=logging.WARNING, format="qkviz: %(message)s")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without Chinese shows "?" and no traceback
            stream.reconfigure(errors="replace")
    use_language(language_of(words, os.environ))
    try:
        return _run(words)
    except Refusal as refusal:
        print(f"qkviz: {refusal}", file=sys.stderr)
        return BAD_USE
    except BrokenPipeError:  # "qkviz lessons | head -1" has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    command = COMMANDS.get(words[0]) if words else None
    try:
        return command(words[1:]) if command else open_window(words)
    finally:
        if sys.stdout is not None:  # a window started from a menu has none
            sys.stdout.flush()  # a reader who has gone is noticed here, not after the end


def open_window(words: list[str]) -> int:
    """Run ``qkviz``."""
    line = CommandLine(
        "qkviz",
        _("[options] [FILE …] | lessons | info | export | capture"),
        _("See why QKᵀ holds the relations between words: drag a vector, watch the matrix change."),
        _("Other commands, each with a --help of its own:")
        + "\n  qkviz lessons   "
        + _("list the lessons")
        + "\n  qkviz info      "
        + _("say what is in a file of matrices")
        + "\n  qkviz export    "
        + _("save pictures and numbers of a file or a lesson, without a display")
        + "\n  qkviz capture   "
        + _("save queries, keys and values of all heads of a model on a text"),
    )
    add = line.options.add_argument
    add("--lesson", metavar="N", type=whole_number, help=_("open lesson N"))
    add("--theme", metavar="|".join(THEMES), type=one_of(THEMES), help=_("colours of the window"))
    add("--version", action="store_true", help=_("print the version and stop"))
    add("--check", action="store_true", help=_("print versions and what this machine lacks, and stop"))
    line.add_argument("files", nargs="*", metavar="FILE", help=argparse.SUPPRESS)
    options = line.read(words)
    if options.version:
        print(f"qkviz {__version__}")
        return 0
    if options.check:
        return check()
    files = [_existing_file(word) for word in options.files]
    problem = installation_problem(os.environ) or display_problem(os.environ)
    if problem is not None:
        raise Refusal("{problem}", problem=problem)
    if options.lesson is not None:
        _refuse_unknown_lesson(options.lesson)
    try:
        from qkviz.app import run  # noqa: PLC0415  Qt; everything above has to work without it
    except ImportError as error:
        raise _qt_refusal(error) from error
    return run(lesson=options.lesson, language=options.lang, theme=options.theme, files=files)


def list_lessons(words: list[str]) -> int:
    """Run ``qkviz lessons``."""
    from qkviz.lessons.library import load_lessons  # noqa: PLC0415  not needed to open the window

    line = CommandLine("qkviz lessons", _("[options]"), _("List the lessons."), "")
    line.read(words)
    for lesson in load_lessons():
        print(f"{lesson.number:3}  {lesson.title(current_language())}")
    return 0


def export(words: list[str]) -> int:
    """Run ``qkviz export``."""
    try:
        run_export(words)
    except ImportError as error:  # Qt and torch are imported when something is to be drawn
        raise _qt_refusal(error) from error
    return 0


def info(words: list[str]) -> int:
    """Run ``qkviz info``."""
    from qkviz.info_command import info_lines  # noqa: PLC0415  not needed to open the window

    for line in info_lines(words):
        print(line)
    return 0


def capture(words: list[str]) -> int:
    """Run ``qkviz capture``; it says what it does on stderr, for its result is a file."""
    from qkviz.capture_command import capture_lines  # noqa: PLC0415  not needed to open the window

    for line in capture_lines(words):
        print(line, file=sys.stderr, flush=True)
    return 0


def check() -> int:
    """Run ``qkviz --check``."""
    from qkviz.diagnostics import check_machine  # noqa: PLC0415  not needed to open the window

    report = check_machine()
    print(report.text)
    return 0 if report.usable else BAD_USE


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "lessons": list_lessons,
    "info": info,
    "export": export,
    "capture": capture,
}


def _existing_file(word: str) -> Path:
    path = Path(word)
    if not path.exists():
        raise Refusal("There is no command and no file “{word}”; see qkviz --help.", word=word)
    return path


def _refuse_unknown_lesson(number: int) -> None:
    from qkviz.lessons.library import lesson_by_number  # noqa: PLC0415  not needed to open the window

    lesson_by_number(number)


def _qt_refusal(error: ImportError) -> Exception:
    problem = import_problem(error)
    return error if problem is None else Refusal("{problem}", problem=problem)
