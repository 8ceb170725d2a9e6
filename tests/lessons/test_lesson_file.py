"""Lesson files: whatever is wrong in one is said with file and field, and keeps no other lesson away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qkviz.attention.inputs import GivenScores
from qkviz.attention.matrices import MatrixName
from qkviz.lessons.lesson_file import read_lesson
from qkviz.lessons.lesson_source import MATRICES
from qkviz.lessons.library import read_library
from qkviz.resources import resource_path
from qkviz.translate import Refusal

GOOD = resource_path("lessons", "07-from-embedding-to-weight", "lesson.toml").read_text(encoding="utf-8")


def written(folder: Path, text: str, name: str = "07-good") -> Path:
    path = folder / name / "lesson.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return path


def test_the_text_that_the_damage_is_done_to_is_good(tmp_path: Path) -> None:
    assert read_lesson(written(tmp_path, GOOD)).number == 7


def test_the_matrices_a_lesson_may_show_are_those_of_the_model_layer() -> None:
    assert set(MATRICES) == {name.value for name in MatrixName}


DAMAGE = [
    ("format = 1", "format = 2", "“format” is 2; this qkviz reads up to 1"),
    ("format = 1", "", "“format” is missing"),
    ("format = 1", "format = true", "“format” must be a whole number"),
    ("format = 1", "format = [", "cannot be read"),
    ("[title]", "[titel]", "“title” is missing"),
    ('en = "From embedding to weight in six steps"', "", "“title.en” is missing"),
    ('en = "From embedding to weight in six steps"', 'en = " "', "“title.en” is empty"),
    ('en = "From embedding to weight in six steps"', "en = 7", "“title.en” must be text"),
    ('zh = "从嵌入到权重：六步"', 'zh = "六步"\nfr = "x"', "“title.fr” is not known"),
    ("[opening]", "new = 1\n[opening]", "“document.new” is not known"),
    ("W_Q = [[1.3, 0.6],", "W_Q = [[1.3],", "“document.W_Q” has rows of different length"),
    ("W_Q = [[1.3, 0.6],", "W_Q = [", "“document.W_Q” is 3 × 2; labels and other matrices ask for 4 × 2"),
    ("W_Q = [[1.3, 0.6],", "W_Q = [[1.3, inf],", "“document.W_Q” must be rows of numbers"),
    ("W_Q = [[1.3, 0.6],", 'W_Q = [[1.3, "0.6"],', "“document.W_Q” must be rows of numbers"),
    ("W_K =", "W_k =", "“document.W_K” is missing"),
    ('{ zh = "坐", en = "sit" }, ', "", "“document.X” is 3 × 4; labels and other matrices ask for 2 × 4"),
    (
        'check = "largest_weight"',
        'check = "biggest"',
        "“tries[2].check” is “biggest”; possible are angle_near,",
    ),
    ("degrees = 90\n", "", "“tries[1].degrees” is missing"),
    ("degrees = 90\n", "degrees = 90\nturns = 1\n", "“tries[1].turns” is not known"),
    ("degrees = 90\n", 'degrees = "90"\n', "“tries[1].degrees” must be a number"),
    ("right = true", "", "“choices” must have exactly one right answer"),
    ("right = true", "right = 1", "“choices[2].right” must be true or false"),
    ('id = "no"', 'id = "yes"', "“choices” must have different ids"),
    ('id = "column"', 'id = "favourite"', "“tries” must have different ids"),
    ('change = "turn_perpendicular"', 'change = "turn"', "“what_if.turned.change” is “turn”; possible are"),
    (
        'in = "turned"',
        'in = "later"',
        "“numbers.turned_score.in” is “later”; possible are start, now, turned",
    ),
    ('quantity = "xxt"', 'quantity = "xx"', "“numbers.xxt.quantity” is “xx”; possible are score,"),
    ('quantity = "xxt", query = 1', 'quantity = "xxt", query = 4', "“numbers.xxt.query” must be from 1 to 3"),
    ("step = 3\n", "step = 6\n", "“opening.step” must be from 0 to 5"),
    ("step = 3\n", "step = -1\n", "“opening.step” must be a whole number from 0"),
    ('matrices = ["xxt"', 'matrices = ["xxx"', "“opening.matrices” names xxx, which is no matrix"),
    ('matrices = ["xxt"', 'matrices = [3, "xxt"', "“opening.matrices” must hold texts only"),
    ('panels = ["lessons"', 'panels = "lessons" #', "“panels” must be a list"),
    (
        "cat→mat gets {weight}",
        "cat→mat gets {wait}",
        "“story” quotes other numbers in Chinese than in English",
    ),
    ("\n[numbers]\n", "\n[numbers_]\n", "“numbers_” is not known"),
    ("back_weight = {", "back_wait = {", "“tries” quotes {back_weight}, which is not among the numbers"),
    ("cat→mat gets {weight}", "cat→mat gets {weight", "“story” has a brace without its partner"),
    ("cat→mat gets {weight}", "cat→mat $ gets {weight}", "“story” has a dollar sign without its partner"),
    ("[opening]", "[[opening]]", "“opening” must be a table"),
]


@pytest.mark.parametrize(("good", "bad", "sentence"), DAMAGE)
def test_damage_is_named_with_file_and_field(tmp_path: Path, good: str, bad: str, sentence: str) -> None:
    assert good in GOOD
    path = written(tmp_path, GOOD.replace(good, bad, 1))
    with pytest.raises(Refusal, match=re.escape(sentence)) as refused:
        read_lesson(path)
    assert "07-good/lesson.toml" in str(refused.value)
    assert str(tmp_path) not in str(refused.value)


SEVERAL = resource_path("lessons", "08-queries-times-keys", "lesson.toml").read_text(encoding="utf-8")

DAMAGE_OF_SEVERAL = [
    (
        "X_k = [[0.2, 0.1, 0.3], ",
        "X_k = [",
        "“variants[1].document.X_k” is 3 × 3; labels and other matrices ask for 4 × 3",
    ),
    (
        "\nX_k = [[0.2, 0.1, 0.3]",
        "\nX_k = [[0.2, 0.1]",
        "“variants[1].document.X_k” has rows of different length",
    ),
    ("W_K = [[1.4, -0.3]", "W_k = [[1.4, -0.3]", "“variants[1].document.W_K” is missing"),
    ('key = 2\nmatrices = ["q"', 'key = 5\nmatrices = ["q"', "“variants[1].opening.key” must be from 1 to 4"),
    ("[first_title]", "[second_title]", "“first_title” is missing"),
    ('in = "cross"\ntext', 'in = "crass"\ntext', "“tries[5].in” is “crass”; possible are cross"),
    ('id = "cross"', 'id = "added"', "“tries[5].in” is “cross”; possible are added"),
    (
        '{ quantity = "keys", in = "cross"',
        '{ quantity = "keys", in = "new"',
        "“numbers.cross_n.in” is “new”; possible are start, now, cross, added",
    ),
    ('key = 4, in = "cross" }', 'key = 5, in = "cross" }', "“numbers.cross_down.key” must be from 1 to 4"),
    ("{cross_down}。", "{cross_up}。", "“variants” quotes other numbers in Chinese than in English"),
]


@pytest.mark.parametrize(("good", "bad", "sentence"), DAMAGE_OF_SEVERAL)
def test_damage_of_another_document_is_named_too(tmp_path: Path, good: str, bad: str, sentence: str) -> None:
    assert good in SEVERAL
    with pytest.raises(Refusal, match=re.escape(sentence)):
        read_lesson(written(tmp_path, SEVERAL.replace(good, bad, 1)))


CAPTURED = resource_path("lessons", "04-same-word-other-context", "lesson.toml").read_text(encoding="utf-8")

DAMAGE_OF_CAPTURED = [
    ('capture = "minilm.qkviz"', "capture = 7", "“document.capture” must be text"),
    (
        'capture = "minilm.qkviz"',
        'capture = "../minilm.qkviz"',
        "“document.capture” must be the name of a file",
    ),
    ("head = 5\n\n[opening]", "head = 0\n\n[opening]", "“document.head” must be a whole number from 1"),
    ("head = 5\n\n[opening]", "heads = 5\n\n[opening]", "“document.heads” is not known"),
    (
        "query = 6\nkey = 9\nmatrices",
        "query = 0\nkey = 9\nmatrices",
        "“opening.query” must be a whole number",
    ),
    ('quantity = "texts"', 'quantity = "text"', "“numbers.texts.quantity” is “text”; possible are score,"),
    ("text = 1, other = 2, query = 6, layer = 1 }", "text = 1, query = 6, layer = 1 }", "other” is missing"),
    ("query = 6, key = 8 }", "query = 6, key = 8, wide = 1 }", "“numbers.aircraft.wide” is not known"),
    ("sentence = 2\n", "", "“tries[2].sentence” is missing"),
]


@pytest.mark.parametrize(("good", "bad", "sentence"), DAMAGE_OF_CAPTURED)
def test_damage_of_what_is_said_of_a_capture_is_named(
    tmp_path: Path, good: str, bad: str, sentence: str
) -> None:
    assert good in CAPTURED
    with pytest.raises(Refusal, match=re.escape(sentence)):
        read_lesson(written(tmp_path, CAPTURED.replace(good, bad, 1)))


@pytest.mark.parametrize("number", ['{ quantity = "texts" }', '{ quantity = "weight", head = 5 }'])
def test_a_number_of_a_capture_needs_one(tmp_path: Path, number: str) -> None:
    text = GOOD.replace("\n[numbers]\n", f"\n[numbers]\nnew = {number}\n")
    with pytest.raises(Refusal, match=re.escape("“numbers.new.in” must name a document that is a head")):
        read_lesson(written(tmp_path, text))


@pytest.mark.parametrize(
    ("good", "bad", "sentence"),
    [
        ('capture = "minilm.qkviz"', 'capture = "none.qkviz"', "none.qkviz cannot be opened: "),
        ("text = 1\nlayer", "text = 99\nlayer", "The capture has no text number 99."),
        ("head = 5\n\n[opening]", "head = 13\n\n[opening]", "There is no head 13 in layer 1; it has 12."),
    ],
)
def test_a_head_that_is_not_there_is_refused_when_it_opens(
    tmp_path: Path, good: str, bad: str, sentence: str
) -> None:
    lesson = read_lesson(written(tmp_path, CAPTURED.replace(good, bad, 1)))
    with pytest.raises(Refusal, match=re.escape(sentence)):
        lesson.document()


def test_another_document_may_have_panels_of_its_own(tmp_path: Path) -> None:
    lesson = read_lesson(resource_path("lessons", "06-is-the-diagonal-the-largest", "lesson.toml"))
    assert "heads" in lesson.panels_for("real")
    assert "heads" not in lesson.panels_for("") == lesson.panels
    other = read_lesson(written(tmp_path, SEVERAL))
    assert other.panels_for("cross") == other.panels


def test_a_lesson_may_begin_with_given_scores(tmp_path: Path) -> None:
    head, _, tail = SEVERAL.partition("Q = [[0.8")
    scores = "scores = [[1, 0.5, -2], [0, 0, 0]]"
    rest = tail[tail.index("\n\n[opening]") :]
    document = read_lesson(written(tmp_path, head + scores + rest)).document()
    assert isinstance(document.inputs, GivenScores)
    assert document.inputs.scores.tolist() == [[1, 0.5, -2], [0, 0, 0]]
    with pytest.raises(
        Refusal, match=re.escape("“document.scores” is 2 × 2; labels and other matrices ask for 2 × 3")
    ):
        read_lesson(written(tmp_path, head + "scores = [[1, 0.5], [0, 0]]" + rest, "08-narrow"))


def test_a_story_of_plain_texts_is_refused(tmp_path: Path) -> None:
    head, _, tail = GOOD.partition("[[story]]")
    rest = tail[tail.index("[question]") :]
    panels = "panels = ["
    path = written(tmp_path, head.replace(panels, f'story = ["one"]\n{panels}') + rest)
    with pytest.raises(Refusal, match=re.escape("“story[1]” must be a table")):
        read_lesson(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refusal, match="cannot be read"):
        read_lesson(path)


def test_a_folder_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="must begin with its number"):
        read_lesson(written(tmp_path, GOOD, "seven-words"))


def test_a_damaged_lesson_keeps_no_other_away(tmp_path: Path) -> None:
    written(tmp_path, GOOD, "10-ten")
    written(tmp_path, GOOD.replace("[title]", "[titel]"), "08-broken")
    written(tmp_path, GOOD, "09-nine")
    library = read_library(tmp_path)
    assert [lesson.number for lesson in library.lessons] == [9, 10]
    assert [str(refusal) for refusal in library.damaged] == [
        "In the lesson file 08-broken/lesson.toml, “title” is missing."
    ]


def test_no_folder_is_no_lesson(tmp_path: Path) -> None:
    assert read_library(tmp_path / "nothing").lessons == ()
