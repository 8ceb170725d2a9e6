"""Settings: what one process writes, the next reads; damage costs one entry or the file, never the start."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from qkviz.settings import Settings, load_settings, save_settings, settings_path

EVERYTHING = Settings(
    language="zh",
    theme="dark",
    geometry="AdnQywADAAAAAAJ=",
    layout="AAAA/wAAAAD9",
    layout_version=3,
    lesson=8,
    progress={"07-from-embedding-to-weight": {"answered": True, "tries": 2, "share": 0.5, "steps": [0, 3]}},
    matrices=("xxt", "scores", "weights"),
    export_folder="/home/李/图片",
    export={"suffix": ".tex", "looks": {"range": [-1.5, 2], "decimals": 3}, "colored": True},
    recent=("/home/李/一.qkviz", "b.qkviz"),
)
"""Every entry unlike its default."""

READ_IN_ANOTHER_PROCESS = """
import dataclasses, sys
from pathlib import Path
from qkviz.settings import load_settings
print(ascii(dataclasses.asdict(load_settings(Path(sys.argv[1])))))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_another_process_reads_every_entry_with_value_and_type(path: Path) -> None:
    assert save_settings(EVERYTHING, path)
    text = subprocess.run(
        [sys.executable, "-c", READ_IN_ANOTHER_PROCESS, str(path)],
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    assert eval(text) == {
        "language": "zh",
        "theme": "dark",
        "geometry": "AdnQywADAAAAAAJ=",
        "layout": "AAAA/wAAAAD9",
        "layout_version": 3,
        "lesson": 8,
        "progress": {
            "07-from-embedding-to-weight": {"answered": True, "tries": 2, "share": 0.5, "steps": [0, 3]}
        },
        "matrices": ("xxt", "scores", "weights"),
        "export_folder": "/home/李/图片",
        "export": {"suffix": ".tex", "looks": {"range": [-1.5, 2], "decimals": 3}, "colored": True},
        "recent": ("/home/李/一.qkviz", "b.qkviz"),
        "unknown": {},
    }


def test_a_first_start_sees_the_defaults_and_writes_nothing(path: Path) -> None:
    assert load_settings(path) == Settings()
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("language", "fr"),
        ("language", 1),
        ("language", ["zh"]),
        ("theme", "pink"),
        ("theme", None),
        ("geometry", 7),
        ("layout", {"a": 1}),
        ("layout", "a\0b"),
        ("layout_version", True),
        ("layout_version", -1),
        ("lesson", "8"),
        ("lesson", 1.5),
        ("progress", [1]),
        ("progress", "done"),
        ("matrices", "scores"),
        ("matrices", ["scores", 3]),
        ("export_folder", False),
        ("export", ["png"]),
    ],
)
def test_a_wrong_entry_falls_back_alone(path: Path, entry: str, value: object) -> None:
    save_settings(EVERYTHING, path)
    entries = json.loads(path.read_text(encoding="utf-8"))
    entries[entry] = value
    damaged = json.dumps(entries)
    path.write_text(damaged, encoding="utf-8")

    loaded = load_settings(path)

    assert getattr(loaded, entry) == getattr(Settings(), entry)
    for other in set(Settings.__dataclass_fields__) - {entry}:
        assert getattr(loaded, other) == getattr(EVERYTHING, other)
    assert path.with_name("settings.json.damaged").read_text(encoding="utf-8") == damaged


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"\0" * 4096,
        random.Random(5).randbytes(4096),
        b"\xff\xfe{}",
        b'{"lesson": NaN}',
        b'{"progress": {"a": -Infinity}}',
        b'{"progress": {"a": 1e999}}',
        b"[" * 100_000,
        b'{"lesson": ' + b"9" * 5000 + b"}",
    ],
    ids=[
        "empty", "cut", "list", "nul", "random", "utf-16", "nan", "infinity", "overflow", "deep", "digits",
    ],
)  # fmt: skip
def test_a_damaged_file_is_kept_as_a_copy_and_replaced_at_the_next_save(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert load_settings(path) == Settings()
    assert path.with_name("settings.json.damaged").read_bytes() == content
    assert save_settings(EVERYTHING, path)
    assert load_settings(path) == EVERYTHING


def test_a_file_cut_at_any_place_starts_the_program(path: Path) -> None:
    save_settings(EVERYTHING, path)
    whole = path.read_bytes()
    for end in range(0, len(whole) - 2, len(whole) // 20):
        path.write_bytes(whole[:end])
        assert load_settings(path) == Settings()


def test_a_folder_in_its_place_neither_stops_the_start_nor_the_end(path: Path) -> None:
    path.mkdir()
    assert load_settings(path) == Settings()
    assert save_settings(EVERYTHING, path) is False
    assert list(path.parent.iterdir()) == [path]


def test_a_place_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    path = tmp_path / "file" / "qkviz" / "settings.json"
    assert load_settings(path) == Settings()
    assert save_settings(EVERYTHING, path) is False


def test_entries_of_a_later_version_survive(path: Path) -> None:
    later = {"format": 999, "theme": "dark", "speech": {"on": True, "voices": ["a", "b"]}, "zoom": 1.25}
    path.write_text(json.dumps(later), encoding="utf-8")

    loaded = load_settings(path)
    assert loaded.theme == "dark"
    save_settings(loaded, path)

    entries = json.loads(path.read_text(encoding="utf-8"))
    assert entries["speech"] == {"on": True, "voices": ["a", "b"]}
    assert entries["zoom"] == 1.25
    assert not path.with_name("settings.json.damaged").exists()


def test_text_that_is_no_unicode_survives(path: Path) -> None:
    undecodable = Settings(export_folder="/tmp/\udcff")  # how Python names a folder that is not UTF-8
    assert save_settings(undecodable, path)
    assert load_settings(path) == undecodable


def test_a_number_that_json_has_not_is_refused_before_the_old_file_is_touched(path: Path) -> None:
    save_settings(EVERYTHING, path)
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_settings(Settings(progress={"a": float("nan")}), path)
    assert load_settings(path) == EVERYTHING


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKVIZ_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert settings_path() == tmp_path / "elsewhere" / "settings.json"


def test_without_it_the_folder_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("QKVIZ_CONFIG_DIR")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path().name == "settings.json"
    assert settings_path().parent.name == "qkviz"
