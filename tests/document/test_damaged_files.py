"""Damaged document files: always one or two sentences that name the file, never another error."""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from qkviz.attention.captured import Capture
from qkviz.attention.masks import PaddingMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import draw_additive
from qkviz.document import files
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.container import Container
from qkviz.document.files import SavedDocument, read_document, write_document
from qkviz.document.focus import Focus
from qkviz.document.migrations import FORMAT, MIGRATIONS, migrated
from qkviz.translate import Phrase, Refusal, use_language
from tests.captures import FACTS, random_cross_text, random_text
from tests.document.documents import self_attention

OPTIONS = AttentionOptions(draw_additive(2, 3, 0), 0.5, PaddingMask(frozenset({1})))
SAVED = SavedDocument(self_attention(OPTIONS), Focus(query=1, key=2, plane=Plane.of_dimensions(2, 1, 0)))

DECODED = random_cross_text(heads=2, queries=3, keys=5)
CAPTURE = Capture(
    replace(FACTS, note=Phrase("Choose text {number}", number=2)), (random_text(2, 4, 5), DECODED)
)
CAPTURED = SavedDocument(head_document(CapturedHead(CAPTURE, 0, 1, 2, (0, 1))))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a sound file with something of everything in it."""
    write_document(SAVED, tmp_path / "a.qkviz")
    return tmp_path / "a.qkviz"


def problem_of(path: Path, data: bytes) -> str:
    """Write ``data``, and return what is said about it after the name of the file."""
    path.write_bytes(data)
    with pytest.raises(Refusal) as refusal:
        read_document(path)
    sentence = str(refusal.value)
    beginning = f"{path.name} cannot be opened. "
    assert sentence.startswith(beginning)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 250
    return sentence.removeprefix(beginning)


def container_file(header: object, body: bytes = b"", length: int | None = None) -> bytes:
    written = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(written) if length is None else length) + written + body


def tensor(start: int, end: int, shape: list[int], dtype: str = "F64") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


# the container


def test_cut_at_any_of_twenty_places(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(1, 21):
        problem = problem_of(path, whole[: len(whole) * place // 21])
        assert problem.startswith("It is cut short: ")


def test_a_byte_too_many_or_too_few(path: Path) -> None:
    whole = path.read_bytes()
    expected = f"It is cut short: {len(whole) - 1} of {len(whole)} bytes are there."
    assert problem_of(path, whole[:-1]) == expected
    assert problem_of(path, whole + b"\0") == "It is damaged: its list of tensors does not fit what it holds."


POINTS = "It only points to a file that was not downloaded, as Git LFS does; “git lfs pull” fetches it."
POINTER = (
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n"
)
ZEROS = "It holds nothing but zeros, as after a full disk or a power cut."
CUT = "It is cut short: it ends within its own header."
FOREIGN = "It is not a safetensors file, so it is no document of qkviz."
UNFIT = "It is damaged: its list of tensors does not fit what it holds."
UNREADABLE = "It is damaged: its header cannot be read."

CONTAINERS = {
    "empty": (b"", "It is empty."),
    "zeros": (bytes(4096), ZEROS),
    "one zero": (b"\0", ZEROS),
    "a pointer": (POINTER, POINTS),
    "a PNG": (b"\x89PNG\r\n\x1a\n" + bytes(50), FOREIGN),
    "text": ("猫坐在垫子上。".encode() * 9, FOREIGN),
    "JSON": (b"{}" * 50, FOREIGN),
    "few bytes": (b"\1\2\3", CUT),
    "a huge header": (container_file({}, length=2**60), FOREIGN),
    "the longest header": (container_file({}, length=2**64 - 1), FOREIGN),
    "a header that is no JSON": (container_file(b'{"a": '), UNREADABLE),
    "a header in Latin-1": (container_file(b'{"\xe9": 1}'), UNREADABLE),
    "a deep header": (container_file(b'{"a":' * 50_000), UNREADABLE),
    "a name twice": (container_file(b'{"a": {}, "a": {}}'), UNREADABLE),
    "NaN in the header": (container_file(b'{"a": NaN}'), UNREADABLE),
    "offsets that overlap": (container_file({"a": tensor(0, 8, [1]), "b": tensor(4, 12, [1])}, bytes(12)),
                             UNFIT),
    "offsets outside": (container_file({"a": tensor(0, 16, [2])}, bytes(8)),
                        "It is cut short: 78 of 86 bytes are there."),
    "offsets with a hole": (container_file({"a": tensor(8, 16, [1])}, bytes(16)), UNFIT),
    "offsets backwards": (container_file({"a": tensor(8, 0, [1])}, bytes(8)), UNFIT),
    "offsets that are text": (container_file({"a": tensor(0, 8, [1]) | {"data_offsets": "08"}}), UNFIT),
    "a shape that does not fit": (container_file({"a": tensor(0, 8, [3])}, bytes(8)), UNFIT),
    "a negative shape": (container_file({"a": tensor(0, 8, [-1])}, bytes(8)), UNFIT),
    "an absurd shape": (container_file({"a": tensor(0, 8, [2**62, 8])}, bytes(8)), UNFIT),
    "an unknown dtype": (container_file({"a": tensor(0, 8, [1], "F65")}, bytes(8)), UNFIT),
    "metadata that is no text": (container_file({"__metadata__": {"qkviz": 1}}), UNFIT),
    "metadata that is a list": (container_file({"__metadata__": []}), UNFIT),
    "another's tensors": (safetensors.numpy.save({"X": np.zeros((2, 2))}),
                          "It is a safetensors file, but no document of qkviz."),
    "another's f8": (container_file({"a": tensor(0, 2, [2], "F8_E4M3")}, bytes(2)),
                     "Its tensor “a” is F8_E4M3, which qkviz cannot keep."),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(CONTAINERS))
def test_a_container_that_is_none(tmp_path: Path, kind: str) -> None:
    data, problem = CONTAINERS[kind]
    assert problem_of(tmp_path / "坏 文件.qkviz", data) == problem


# what is inside

Entries = dict[str, Any]


def changed(path: Path, change: Callable[[Entries, dict[str, Any]], object]) -> bytes:
    """Return the file with entries and tensors changed by ``change``."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    entries = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["qkviz"])
    tensors = dict(safetensors.numpy.load(data))
    change(entries, tensors)
    return safetensors.numpy.save(tensors, {"qkviz": json.dumps(entries)})


def put(place: str, value: object) -> Callable[[Entries, dict[str, Any]], object]:
    *tables, name = place.split(".")

    def change(entries: Entries, _tensors: object) -> None:
        inner: Any = entries
        for table in tables:
            inner = inner[int(table) - 1] if table.isdigit() else inner[table]
        inner[name] = value

    return change


def put_tensor(name: str, value: Any) -> Callable[[Entries, dict[str, Any]], object]:
    return lambda _entries, tensors: tensors.__setitem__(name, np.asarray(value))


ENTRIES = [
    ("queries", 3, "Its entry “queries” must be a list."),
    ("queries", ["a", "b", 3], "Its entry “queries” must hold texts only."),
    ("keys", None, "Its entry “keys” is missing."),
    ("keys", ["a", "b"], "There are 2 labels for the keys but 3 rows of X; give one label for each key."),
    ("inputs", "projecting", "Its entry “inputs” is “projecting”; possible are projected, direct, scores."),
    ("inputs", "direct", "Its tensor “Q” is missing."),
    ("lesson", 7, "Its entry “lesson” must be text."),
    ("options", [], "Its entry “options” must be a table."),
    ("options.score", True, "Its entry “options.score” must be text."),
    ("options.scale", "2", "Its entry “options.scale” must be a number."),
    ("options.scale", True, "Its entry “options.scale” must be a number."),
    ("options.scale", 10**400, "Its entry “options.scale” must be a number."),
    ("options.scale", -1, "The scale is -1.0; it must be greater than 0."),
    ("options.mask", {"kind": "padding"}, "Its entry “options.mask.padded” is missing."),
    ("options.mask.padded", [1, -1], "Its entry “options.mask.padded” must hold whole numbers from 0."),
    ("options.mask.padded", [3], "The mask names key 4, but there are 3 keys."),
    ("options.mask", {"kind": "cells", "forbidden": [[1]]},
     "Its entry “options.mask.forbidden” must hold pairs of whole numbers."),
    ("options.normalizer.kind", "softmin",
     "Its entry “options.normalizer.kind” is “softmin”; possible are softmax, sparsemax, entmax15, hardmax."),
    ("options.normalizer.temperature", 0, "The temperature is 0.0; it must be greater than 0."),
    ("focus.step", 6, "There is no step 6; the steps go from 0 to 5."),
    ("focus.step", 2.0, "Its entry “focus.step” must be a whole number from 0."),
    ("focus.query", -1, "Its entry “focus.query” must be a whole number from 0."),
    ("focus.plane", ["up"], "Its entry “focus.plane” must name two axes."),
    ("focus.plane", [["dimension", "{number.__class__}"], "up"],
     "Its entry “focus.plane” must name two axes."),
    ("focus.drag", "fast", "Its entry “focus.drag” is “fast”; possible are vector, embedding, projection."),
    ("format", "1", "Its number of the format is missing or damaged."),
    ("format", 0, "Its number of the format is missing or damaged."),
    ("format", 999, "It was written by a newer qkviz (format 999; this one reads up to 2): update qkviz."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "problem"), ENTRIES, ids=[f"{one[0]} {one[1]}" for one in ENTRIES]
)
def test_an_entry_of_the_wrong_kind(path: Path, place: str, value: object, problem: str) -> None:
    assert problem_of(path, changed(path, put(place, value))) == problem


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("X", np.zeros((3, 4), np.float32), "Its tensor “X” holds float32, not float64."),
        ("X", np.zeros((3, 2, 2)), "Its tensor “X” has 3 dimensions, not 2."),
        ("X", np.zeros((0, 4)), "X is 0 × 4: it has no cells; give it at least one row and one column."),
        ("W_Q", np.zeros((3, 2)), "X is 3 × 4, but W_Q is 3 × 2"),
        ("score.v", np.zeros((3, 1)), "Its tensor “score.v” has 2 dimensions, not 1."),
        ("score.v", np.zeros(2), "W_1 is 2 × 3, but v is 2"),
        ("focus.plane", np.zeros((3, 2)), "Its tensor “focus.plane” must hold two directions."),
        ("focus.plane", np.full((2, 2), np.nan), "Its tensor “focus.plane” must hold two directions."),
    ],
)  # fmt: skip
def test_a_tensor_of_the_wrong_kind(path: Path, name: str, value: Any, problem: str) -> None:
    assert problem_of(path, changed(path, put_tensor(name, value))).startswith(problem)


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "score.W_1", "score.v", "focus.plane"])
def test_a_missing_tensor_is_named(path: Path, name: str) -> None:
    data = changed(path, lambda _entries, tensors: tensors.pop(name))
    assert problem_of(path, data) == f"Its tensor “{name}” is missing."


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"format": 1, "format": 1}', '{"format": Infinity}']
)
def test_a_description_that_is_no_strict_json(path: Path, text: str) -> None:
    data = safetensors.numpy.save({"X": np.zeros((1, 1))}, {"qkviz": text})
    expected = "It is damaged: its description of the document cannot be read."
    assert problem_of(path, data) == expected


CAPTURED_ENTRIES = [
    ("captured", 3, "Its entry “captured” must be a table."),
    ("captured.head", "x", "Its entry “captured.head” must be a whole number from 0."),
    ("captured.head", 10**400, "Its entry “captured.head” must be a whole number from 0."),
    ("captured.head", 4, "There is no head 5 in layer 2; it has 4."),
    ("captured.layer", 2, "There is no layer 3; the model has 2."),
    ("captured.text", 2, "The capture has no text number 3."),
    ("captured.before", [1], "Its entry “captured.before” must be a layer and a head."),
    ("captured.model.name", None, "Its entry “captured.model.name” is missing."),
    ("captured.model.is_verified", 1, "Its entry “captured.model.is_verified” must be true or false."),
    ("captured.texts", ["a"], "Its entry “captured.texts.1” must be a table."),
    ("captured.texts", [], "The capture has no text number 1."),
    ("captured.texts.1.text", 1, "Its entry “captured.texts.1.text” must be text."),
    ("captured.texts.1.layers", [], "Its entry “captured.texts.1.layers” must hold at least one layer."),
    ("captured.texts.2.layers.3.kind", "deep",
     "Its entry “captured.texts.2.layers.3.kind” is “deep”; possible are encoder, decoder, cross."),
    ("captured.texts.1.layers.2.form", "x",
     "Its entry “captured.texts.1.layers.2.form” is “x”; possible are vectors, weights."),
    ("captured.texts.1.layers.2.scale", "small",
     "Its entry “captured.texts.1.layers.2.scale” must be a number."),
    ("captured.texts.1.layers.2.tensors", {}, "Its entry “captured.texts.1.layers.2.tensors.Q” is missing."),
    ("captured.texts.1.layers.2.tensors.K", "Q", "Its tensor “Q” has 2 dimensions, not 3."),
    ("captured.texts.1.layers.2.tensors.K", "nowhere", "Its tensor “nowhere” is missing."),
    ("captured.texts.1.layers.2.tensors.K", "capture.2.L01.K",
     "Its tensor “capture.1.L02.V” is 4 × 5 × 4, not 2 × 5 × ?."),
    ("captured.texts.1.tokens.words", [True],
     "Its entry “captured.texts.1.tokens.words” must hold whole numbers from 0."),
    ("captured.texts.1.tokens.raw", [],
     "Its entry “captured.texts.1.tokens.raw” must hold 5 values, one for each label."),
    ("captured.texts.1.tokens.spans", [[0]],
     "Its entry “captured.texts.1.tokens.spans” must hold pairs of whole numbers."),
    ("captured.texts.1.check.way", "guess",
     "Its entry “captured.texts.1.check.way” is “guess”; possible are interface, watcher, weights, own."),
    ("captured.texts.1.check.unexplained", ["much"],
     "Its entry “captured.texts.1.check.unexplained.1” must be a number."),
    ("captured.texts.1.next_tokens", [{"label": "a"}],
     "Its entry “captured.texts.1.next_tokens.1.probability” is missing."),
    ("captured.texts.1.switched_off", [1],
     "Its entry “captured.texts.1.switched_off” must hold pairs of whole numbers."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    CAPTURED_ENTRIES,
    ids=[f"{one[0]} {str(one[1])[:9]}" for one in CAPTURED_ENTRIES],
)
def test_an_entry_of_a_capture_of_the_wrong_kind(
    tmp_path: Path, place: str, value: object, problem: str
) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)
    assert problem_of(path, changed(path, put(place, value))) == problem


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("Q", np.zeros((4, 5, 4), np.int32), "Its tensor “{}” holds int32, not floating-point numbers."),
        ("Q", np.zeros((5, 4), np.float32), "Its tensor “{}” has 2 dimensions, not 3."),
        ("Q", np.zeros((4, 6, 4), np.float32), "Its tensor “{}” is 4 × 6 × 4, not ? × 5 × ?."),
        ("Q", np.zeros((0, 5, 4), np.float32), "Its tensor “{}” is 0 × 5 × 4, not ? × 5 × ?."),
        ("K", np.zeros((3, 5, 4), np.float16), "Its tensor “{}” is 3 × 5 × 4, not 4 × 5 × 4."),
        ("K", np.zeros((4, 5, 3)), "Its tensor “{}” is 4 × 5 × 3, not 4 × 5 × 4."),
        ("V", np.zeros((2, 5, 3)), "Its tensor “{}” is 2 × 5 × 3, not 4 × 5 × ?."),
        ("X_q", np.zeros((4, 8)), "Its tensor “{}” is 4 × 8, not 5 × ?."),
    ],
)  # fmt: skip
def test_a_tensor_of_a_capture_of_the_wrong_kind(tmp_path: Path, name: str, value: Any, problem: str) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)
    stored = f"capture.1.L02.{name}"
    assert problem_of(path, changed(path, put_tensor(stored, value))) == problem.format(stored)


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        ("bias", np.zeros((3, 5, 5)), "4 × 5 × 5"),
        ("sinks", np.zeros(3), "4"),
        ("X_k", np.zeros((5, 7)), "5 × 8"),
    ],
)  # fmt: skip
def test_what_a_layer_may_have_has_to_fit_it(tmp_path: Path, field: str, value: Any, right: str) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)

    def change(entries: Entries, tensors: dict[str, Any]) -> None:
        entries["captured"]["texts"][0]["layers"][1]["tensors"][field] = "more"
        tensors["more"] = value

    shape = " × ".join(map(str, value.shape))
    assert problem_of(path, changed(path, change)) == f"Its tensor “more” is {shape}, not {right}."


@pytest.mark.parametrize(
    ("mask", "problem"),
    [
        ({"kind": "padding", "padded": [5]}, "The mask names key 6, but there are 5 keys."),
        ({"kind": "cells", "forbidden": [[5, 0]]}, "names query 6 and key 1, but the scores are 5 × 5."),
        ({"kind": "spiral"}, "spiral"),
    ],
)
def test_the_mask_of_a_layer_that_is_not_shown_has_to_fit_it(
    tmp_path: Path, mask: dict[str, Any], problem: str
) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)

    def change(entries: Entries, _tensors: dict[str, Any]) -> None:
        entries["captured"]["texts"][0]["layers"][1]["mask"] = mask

    assert problem in problem_of(path, changed(path, change))


@pytest.mark.parametrize(
    "note",
    [
        {"text": "{number.__class__}", "values": {"number": 1}},
        {"text": "{number!r}", "values": {"number": 1}},
        {"text": "{number:>9999999999}", "values": {"number": 1}},
        {"text": "{number[0]}", "values": {"number": "x"}},
        {"text": "{}", "values": {"": 1}},
        {"text": "{0}", "values": {"0": 1}},
        {"text": "{number", "values": {"number": 1}},
        {"text": "{other}", "values": {"number": 1}},
        {"text": " ", "values": {}},
        {"text": "{number}", "values": {"number": [1]}},
        {"text": "{number}", "values": {"number": True}},
        {"text": "{number}", "values": {"number": {"text": "{number.real}", "values": {"number": 1}}}},
    ],
)  # fmt: skip
def test_a_sentence_in_a_file_can_ask_for_nothing_but_its_values(tmp_path: Path, note: object) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)
    problem = problem_of(path, changed(path, put("captured.model.note", note)))
    assert problem.startswith("Its entry “captured.model.note.")


def test_sentences_inside_sentences_end_somewhere(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    write_document(CAPTURED, path)
    note: object = "x"
    for _time in range(100):
        note = {"text": "{a}", "values": {"a": note}}
    assert "is no sentence with its values" in problem_of(
        path, changed(path, put("captured.model.note", note))
    )


def test_a_focus_beyond_the_document_is_clipped_and_unknown_matrices_are_left_out(path: Path) -> None:
    def change(entries: Entries, _tensors: object) -> None:
        entries["focus"] |= {"query": 99, "matrices": ["scores", "hyperscores"]}

    path.write_bytes(changed(path, change))
    focus = read_document(path).focus
    assert (focus.query, focus.key, [str(name) for name in focus.matrices]) == (None, None, ["scores"])


def test_sentences_are_in_the_language_of_the_interface(path: Path) -> None:
    data = changed(path, put("focus.step", "x"))
    path.write_bytes(data)
    with pytest.raises(Refusal) as refusal:
        read_document(path)
    use_language("zh")
    assert str(refusal.value) == "无法打开 a.qkviz。其中的条目“focus.step”必须是不小于 0 的整数。"


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_changed_bytes_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.qkviz"
    write_document(data.draw(st.sampled_from([SAVED, CAPTURED])), path)
    whole = bytearray(path.read_bytes())
    for _time in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    with contextlib.suppress(Refusal):
        read_document(path)


# the file itself


@pytest.mark.parametrize("kind", ["missing", "a folder"])
def test_what_is_no_file_is_one_sentence(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.qkviz"
    if kind == "a folder":
        path.mkdir()
    with pytest.raises(Refusal, match=r"^a\.qkviz cannot be opened: "):
        read_document(path)


def test_a_file_beyond_all_size_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    with path.open("wb") as file:
        file.truncate(files.LARGEST_FILE + 2**20)  # takes no room on the disk
    with pytest.raises(Refusal, match=r"^a\.qkviz cannot be opened\. It has 2049 MB, but .* 2048\.$"):
        read_document(path)


# older and newer formats


def test_every_older_format_has_its_step_and_every_format_a_stored_file() -> None:
    assert sorted(MIGRATIONS) == list(range(1, FORMAT))
    stored = sorted((Path(__file__).resolve().parent.parent / "data").glob("format-*.qkviz"))
    assert [path.stem for path in stored] == [f"format-{number}" for number in range(1, FORMAT + 1)]


def test_steps_are_taken_one_after_another_from_the_number_in_the_file() -> None:
    def step(number: int) -> Any:
        return lambda entries, container: ({**entries, "way": [*entries["way"], number]}, container)

    steps = {number: step(number) for number in (1, 2, 3)}
    entries, _container = migrated({"format": 2, "way": []}, Container(), steps, newest=4)
    assert entries == {"format": 4, "way": [2, 3]}
    assert migrated({"format": 4, "way": []}, Container(), steps, newest=4)[0] == {"format": 4, "way": []}
