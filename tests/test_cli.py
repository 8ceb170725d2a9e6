"""The command: one sentence and exit code 2 for what cannot be done; only the window needs a display."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import qkviz
from qkviz.cli import main
from qkviz.command_line import language_of
from qkviz.translate import use_language

CHINESE = "[一-鿿]"


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


def _refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run the command, expect a refusal, and return its sentence."""
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("qkviz: ")
    return printed.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["draw"], ["“draw”", "qkviz --help"]),
        (["--colour"], ["“--colour”"]),
        (["--les", "7"], ["“--les”"]),
        (["--lesson"], ["--lesson", "missing"]),
        (["--lesson", "seven"], ["--lesson", "“seven”"]),
        (["--lesson", "-1"], ["--lesson"]),
        (["--lesson", "0"], ["--lesson", "“0”"]),
        (["--lesson", "７"], ["--lesson", "“７”"]),
        (["--lesson", "9999999999999999999999"], ["--lesson"]),
        (["--lang", "fr"], ["--lang", "“fr”", "zh, en"]),
        (["--theme", "pink"], ["--theme", "“pink”", "system, light, dark"]),
        (["lessons", "7"], ["“7”", "qkviz lessons --help"]),
    ],
)
def test_bad_use_is_one_sentence_that_names_it(
    arguments: list[str], named: list[str], no_display: None, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = _refused(arguments, capsys)
    assert all(word in sentence for word in named), sentence


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_a_display_the_window_is_refused_and_the_way_round_named(
    no_display: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "qkviz export --lesson" in _refused([], capsys)


def test_a_lesson_that_is_not_there_is_refused_before_a_window_opens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    sentence = _refused(["--lesson", "99", "--lang", "en"], capsys)
    assert "lesson 99" in sentence
    assert "7, 8" in sentence


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"qkviz {qkviz.__version__}\n"


@pytest.mark.parametrize(
    ("language", "first", "seventh"), [("en", "Dot product", "From embedding"), ("zh", "点积", "从嵌入")]
)
def test_lessons_are_listed_with_number_and_title(
    language: str, first: str, seventh: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lessons", "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split(maxsplit=1)[0] == "1"
    assert first in lines[0]
    assert any(line.split()[0] == "7" and seventh in line for line in lines)


@pytest.mark.parametrize("command", [[], ["lessons"], ["export"]], ids=" ".join)
def test_help_is_in_the_language_asked_for(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    helps = {}
    for language in ("en", "zh"):
        with pytest.raises(SystemExit) as ended:
            main([*command, "--help", "--lang", language])
        assert ended.value.code == 0
        helps[language] = capsys.readouterr().out
        use_language("en")
    assert "Options" in helps["en"]
    assert not re.search(CHINESE, helps["en"])
    described = [line for line in helps["zh"].splitlines() if re.match(r"\S|  -.*  \S|  qkviz ", line)]
    assert [line for line in described if not re.search(CHINESE, line)] == []


@pytest.mark.parametrize(
    ("words", "environment", "language"),
    [
        ([], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, "zh"),
        ([], {"LANG": "zh_TW.UTF-8"}, "en"),
        ([], {"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        (["--lang", "zh"], {"LANG": "en_US.UTF-8"}, "zh"),
        (["--lang=en"], {"LANG": "zh_CN.UTF-8"}, "en"),
        (["--lang", "fr"], {"LANG": "zh_CN.UTF-8"}, "zh"),
        (["--lang"], {"LANG": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_errors_speak_the_language_asked_for_else_that_of_the_system(
    words: list[str], environment: dict[str, str], language: str
) -> None:
    assert language_of(words, environment) == language


@pytest.mark.parametrize("argument", ["lessons", "--help", "--version"])
def test_a_reader_that_stops_early_gets_no_traceback(argument: str) -> None:
    """As in ``qkviz lessons | true``."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-m", "qkviz", argument],
        env=environment, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_a_terminal_without_chinese_gets_question_marks_and_no_traceback(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "QKVIZ_CONFIG_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-m", "qkviz", "lessons", "--lang", "zh"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0
    assert ran.stdout.isascii()
    assert ran.stderr == ""
