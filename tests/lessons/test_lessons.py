"""The lessons: what they say is true of their numbers, and what they ask can be done by hand."""

from __future__ import annotations

import ast
import math
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.plane import Plane
from qkviz.attention.trace import trace_attention
from qkviz.document.document import Document, Role
from qkviz.document.edits import AddToken, Edit, MoveVector
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.formula_text import pieces_of, words_of
from qkviz.lessons.lesson import BothLanguages, Lesson
from qkviz.lessons.library import lesson_by_number, load_lessons
from qkviz.lessons.progress import LessonProgress
from qkviz.resources import resource_path
from qkviz.translate import Refusal, use_language
from qkviz.ui.panel_table import PANELS

PLANE = Plane.of_dimensions(2, 0, 1)

NUMBERS = tuple(lesson.number for lesson in load_lessons())


def move(role: Role, index: int, x: float, y: float) -> MoveVector:
    return MoveVector(role, index, PLANE, x, y, gesture=None)


def scores_of(document: Document) -> np.ndarray:
    return trace_attention(document.inputs, document.options).scores.numpy()


def texts_of(lesson: Lesson) -> list[BothLanguages]:
    """Return every text of a lesson but its labels."""
    texts = [lesson.titles, lesson.question, lesson.answer, *lesson.paragraphs]
    texts += [choice.text for choice in lesson.choices]
    texts += [text for one in lesson.variants for text in (one.title, one.text)]
    return texts + [text for one in lesson.tries for text in (one.text, one.remark)]


def test_the_lessons_are_in_order() -> None:
    assert list(NUMBERS) == sorted(set(NUMBERS))
    folders = sorted(path.parent.name for path in resource_path("lessons").glob("*/lesson.toml"))
    assert [lesson.id for lesson in load_lessons()] == folders


def test_an_unknown_number_is_refused_with_the_numbers_there_are() -> None:
    numbers = ", ".join(map(str, NUMBERS))
    with pytest.raises(Refusal, match=f"no lesson 99; the lessons are {numbers}\\."):
        lesson_by_number(99)


def test_titles_and_labels_follow_the_language() -> None:
    lesson = lesson_by_number(7)
    assert lesson.document().queries == ("cat", "sit", "mat")
    assert lesson.title("zh") == "从嵌入到权重：六步"
    use_language("zh")
    assert lesson.document().queries == ("猫", "坐", "垫子")
    assert lesson_by_number(8).document().keys == ("黑色猫咪", "棕色小狗", "红色汽车")


def test_a_change_of_language_renames_only_the_lessons_own_labels() -> None:
    lesson = lesson_by_number(8)
    document = AddToken(Role.KEY, "blue bicycle").apply(lesson.document())
    use_language("zh")
    renamed = lesson.relabelled(document)
    assert renamed.queries == ("猫的颜色", "狗的大小")
    assert renamed.keys == ("黑色猫咪", "棕色小狗", "红色汽车", "blue bicycle")
    assert renamed.inputs is document.inputs
    assert lesson.relabelled(renamed) is renamed


def test_lesson_1_has_lengths_2_and_2_5_and_score_4() -> None:
    inputs = lesson_by_number(1).document().inputs
    assert isinstance(inputs, DirectInputs)
    assert (inputs.Q.tolist(), inputs.K.tolist()) == ([[1.2, 1.6]], [[2.4, 0.7]])
    numbers = lesson_by_number(1).fixed_numbers
    assert numbers["length_a"] == pytest.approx(2.0, abs=1e-12)
    assert numbers["length_b"] == pytest.approx(2.5, abs=1e-12)
    assert numbers["projection"] == pytest.approx(1.6, abs=1e-12)
    assert numbers["score"] == pytest.approx(4.0, abs=1e-12)
    assert numbers["angle"] == pytest.approx(math.degrees(math.acos(0.8)), abs=1e-9)


def test_the_answer_of_lesson_1_slides_along_the_line_and_keeps_score_and_shadow() -> None:
    numbers = lesson_by_number(1).fixed_numbers
    a = np.array([numbers["slid_1"], numbers["slid_2"]])
    assert a == pytest.approx([0.5, 4.0], abs=1e-12)  # (1.2, 1.6) + 2.5 · (−0.28, 0.96)
    assert numbers["slid_score"] == pytest.approx(a @ [2.4, 0.7], abs=1e-12) == pytest.approx(4.0, abs=1e-12)
    assert numbers["slid_projection"] == pytest.approx(1.6, abs=1e-12)
    assert numbers["slid_length"] == pytest.approx(math.sqrt(16.25), abs=1e-12)
    assert numbers["slid_angle"] == pytest.approx(math.degrees(math.acos(1.6 / math.sqrt(16.25))), abs=1e-9)


def test_lesson_7_is_the_sources_x_with_d_k_2() -> None:
    document = lesson_by_number(7).document()
    assert document.is_self_attention
    inputs = document.inputs
    assert isinstance(inputs, ProjectedInputs)
    assert inputs.X_q.tolist() == [[1.0, 0.5, -0.2, 0.8], [0.3, -0.6, 1.2, 0.1], [0.7, 0.9, 0.4, -0.5]]
    assert inputs.d_k == 2
    trace = trace_attention(document.inputs, document.options)
    assert trace.V is not None
    assert trace.V.numpy() == pytest.approx(np.array([[1.5, 0.5], [1.5, 1.5], [0.0, 1.5]]), abs=1e-12)
    # by hand: q·cat = (1.22, 0.43), k·mat = (0.32, 1.02)
    assert trace.scores[0, 2].item() == pytest.approx(1.22 * 0.32 + 0.43 * 1.02, abs=1e-12)
    assert trace.weights.numpy() == pytest.approx(
        np.array([[0.4243, 0.2956, 0.2801], [0.4806, 0.1400, 0.3794], [0.3446, 0.4643, 0.1911]]), abs=5e-5
    )


def test_the_numbers_of_lesson_7() -> None:
    numbers = lesson_by_number(7).fixed_numbers
    assert numbers["score"] == pytest.approx(0.8290, abs=1e-12)
    assert numbers["back"] == pytest.approx(1.61 * 0.84 + 0.03 * 0.91, abs=1e-12)
    assert numbers["xxt"] == pytest.approx(0.67, abs=1e-12)
    assert numbers["weight"] == pytest.approx(0.2801, abs=5e-5)
    assert numbers["back_weight"] == pytest.approx(0.3446, abs=5e-5)
    assert (numbers["d_model"], numbers["d_k"]) == (4, 2)


def test_the_answer_of_lesson_7_is_what_a_right_angle_gives() -> None:
    numbers = lesson_by_number(7).fixed_numbers
    q, k = np.array([1.22, 0.43]), np.array([[0.84, 0.91], [1.14, -1.13], [0.32, 1.02]])
    turned = (
        np.hypot(*q) * np.array([1.02, -0.32]) / np.hypot(0.32, 1.02)
    )  # the nearer right angle: clockwise
    powers = np.exp(k @ turned / math.sqrt(2))
    assert numbers["turned_score"] == pytest.approx(0.0, abs=1e-12)
    assert numbers["turned_weight"] == pytest.approx(powers[2] / powers.sum(), abs=1e-12)
    assert numbers["turned_weight"] > 0.1  # "still earns a share"


def test_lesson_8_is_the_worked_example() -> None:
    document = lesson_by_number(8).document()
    assert not document.is_self_attention
    trace = trace_attention(document.inputs, document.options)
    assert trace.scores.numpy() == pytest.approx(
        np.array([[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]]), abs=1e-12
    )
    assert trace.weights.numpy() == pytest.approx(
        np.array([[0.3902, 0.3157, 0.2941], [0.3430, 0.4551, 0.2018]]), abs=1e-4
    )


def test_the_numbers_of_lesson_8() -> None:
    numbers = lesson_by_number(8).fixed_numbers
    assert [numbers[name] for name in ("m", "n", "d_k", "count", "added_m", "added_n")] == [2, 3, 2, 6, 2, 4]
    assert numbers["s11"] == numbers["added_s11"] == pytest.approx(0.62, abs=1e-12)
    assert numbers["s23"] == pytest.approx(-0.41, abs=1e-12)
    assert numbers["w23"] == pytest.approx(0.2018, abs=5e-5)
    powers = np.exp(np.array([0.62, 0.32, 0.22, 0.8 * 0.6 + 0.2 * 0.6]) / math.sqrt(2))
    assert numbers["added_w11"] == pytest.approx(powers[0] / powers.sum(), abs=1e-12)
    assert (numbers["new_1"], numbers["new_2"]) == (0.6, 0.6)


def test_the_answer_of_lesson_8_a_new_key_leaves_the_old_scores_alone() -> None:
    before = lesson_by_number(8).document()
    after = move(Role.KEY, 3, 0.6, 0.6).apply(AddToken(Role.KEY, "new").apply(before))
    assert (scores_of(after)[:, :3] == scores_of(before)).all()


@pytest.mark.parametrize("number", [7, 8])
def test_the_remarks_are_right_that_a_query_rules_a_row_and_a_key_a_column(number: int) -> None:
    before = lesson_by_number(number).document()
    query_changed = scores_of(move(Role.QUERY, 0, -0.7, 0.9).apply(before)) != scores_of(before)
    key_changed = scores_of(move(Role.KEY, 2, -0.7, 0.9).apply(before)) != scores_of(before)
    assert query_changed[0].all()
    assert not query_changed[1:].any()
    assert key_changed[:, 2].all()
    assert not key_changed[:, :2].any()


def test_the_story_of_lesson_8_is_right_about_what_is_highest() -> None:
    scores = scores_of(lesson_by_number(8).document())
    assert scores.argmax(axis=1).tolist() == [0, 1]
    assert scores.min() == scores[1, 2] < 0


def turned(x: float, y: float, degrees: float, factor: float = 1.0) -> tuple[float, float]:
    """Return (x, y) turned to the left and stretched."""
    c, s = factor * math.cos(math.radians(degrees)), factor * math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


A = (1.2, 1.6)  # 36.87° to the left of b
Q_CAT = (1.22, 0.43)  # 53.15° to the right of k·mat
TO_RIGHT_ANGLE_WITH_B = 90 - math.degrees(math.acos(0.8))
TO_RIGHT_ANGLE_WITH_MAT = -(90 - math.degrees(math.atan2(1.02, 0.32) - math.atan2(0.43, 1.22)))

ALMOST = [
    # a hand that stops just short of the aim
    (1, "perpendicular", [move(Role.QUERY, 0, *turned(*A, TO_RIGHT_ANGLE_WITH_B - 2.1))]),
    (1, "opposite", [move(Role.QUERY, 0, *turned(*A, 132.9))]),
    (1, "line", [move(Role.QUERY, 0, 1.2 - 0.28 * 0.99, 1.6 + 0.96 * 0.99)]),
    (1, "line", [move(Role.QUERY, 0, 1.2 - 0.28 * 1.5, 1.6 + 0.96 * 1.5 + 0.2)]),
    (1, "stretch", [move(Role.QUERY, 0, *turned(*A, 3.5, 2.0))]),
    (1, "stretch", [move(Role.QUERY, 0, *turned(*A, 0, 1.85))]),
    (1, "stretch", [move(Role.QUERY, 0, *turned(*A, 0, 2)), move(Role.KEY, 0, 2.4, 0.8)]),
    (7, "perpendicular", [move(Role.QUERY, 0, *turned(*Q_CAT, TO_RIGHT_ANGLE_WITH_MAT + 2.1))]),
    (7, "favourite", [move(Role.QUERY, 0, 0.1, 0.3)]),
    (7, "column", [move(Role.KEY, 2, -2.0, 1.0)]),
    (8, "row", [move(Role.QUERY, 0, 0.8, 0.75)]),
    (8, "column", [move(Role.KEY, 2, 0.9, -0.1)]),
    (8, "fourth", [AddToken(Role.QUERY, "one more")]),
]

DONE = [
    (1, "perpendicular", [move(Role.QUERY, 0, *turned(*A, TO_RIGHT_ANGLE_WITH_B + 1.5))]),
    (1, "opposite", [move(Role.QUERY, 0, *turned(*A, 135.0))]),
    (1, "line", [move(Role.QUERY, 0, 0.5, 4.0)]),
    (1, "line", [move(Role.QUERY, 0, 1.2 + 0.28 * 1.1, 1.6 - 0.96 * 1.1)]),
    (1, "stretch", [move(Role.QUERY, 0, *turned(*A, 2.0, 2.02))]),
    (7, "perpendicular", [move(Role.QUERY, 0, *turned(*Q_CAT, TO_RIGHT_ANGLE_WITH_MAT - 1.5))]),
    (7, "favourite", [move(Role.QUERY, 0, -0.3, 1.2)]),
    (7, "column", [move(Role.KEY, 2, -3.0, -2.0)]),
    (8, "row", [move(Role.QUERY, 0, 0.1, 0.9)]),
    (8, "column", [move(Role.KEY, 2, 0.4, 0.2)]),
    (8, "fourth", [AddToken(Role.KEY, "blue bicycle")]),
]


def done_after(number: int, edits: Sequence[Edit], focus: Focus | None = None) -> frozenset[str]:
    """Return the tries noticed in a session that opened the lesson and made the edits."""
    lesson = lesson_by_number(number)
    session = Session(lesson.document(), focus or lesson.focus)
    for edit in edits:
        session.apply(edit)
    return LessonProgress().with_noticed(lesson, session.snapshot).done(lesson)


@pytest.mark.parametrize("number", NUMBERS)
def test_nothing_is_done_when_a_lesson_opens(number: int) -> None:
    assert done_after(number, []) == frozenset()


@pytest.mark.parametrize(("number", "name", "edits"), DONE)
def test_a_try_is_noticed_when_it_is_done(number: int, name: str, edits: list[Edit]) -> None:
    assert name in done_after(number, edits)


@pytest.mark.parametrize(("number", "name", "edits"), ALMOST)
def test_a_try_is_not_noticed_before(number: int, name: str, edits: list[Edit]) -> None:
    assert name not in done_after(number, edits)


@pytest.mark.parametrize(("number", "name", "query", "key"), [(7, "backwards", 2, 0), (8, "negative", 1, 2)])
def test_looking_at_a_cell_in_the_last_step_is_noticed(number: int, name: str, query: int, key: int) -> None:
    assert name in done_after(number, [], Focus(step=5, query=query, key=key))
    assert name not in done_after(number, [], Focus(step=4, query=query, key=key))
    assert name not in done_after(number, [], Focus(step=5, query=key, key=query - 1))


def test_the_try_of_another_document_of_a_lesson_is_noticed_on_that_document_only() -> None:
    lesson = lesson_by_number(8)
    session = Session(lesson.document("cross"), lesson.focus_on("cross"))
    assert LessonProgress().with_noticed(lesson, session.snapshot).done(lesson) == frozenset()
    session.apply(AddToken(Role.QUERY, "one more"))
    assert LessonProgress().with_noticed(lesson, session.snapshot).done(lesson) == {"crossing"}
    questions = [AddToken(Role.QUERY, "one more"), AddToken(Role.KEY, "one more")]
    assert "crossing" not in done_after(8, questions)


def test_the_cross_attention_of_lesson_8_multiplies_other_embeddings_with_the_same_projections() -> None:
    document = lesson_by_number(8).document("cross")
    inputs = document.inputs
    assert isinstance(inputs, ProjectedInputs)
    assert not inputs.is_self_attention
    assert (inputs.m, inputs.n) == (2, 4)
    X_q, X_k = np.array([[1.0, 0.1, 0.2], [0.1, 1.0, 0.6]]), inputs.X_k.numpy()
    W_Q = np.array([[1.5, -0.4], [-0.3, 1.2], [0.1, 0.8]])
    W_K = np.array([[1.4, -0.3], [-0.2, 1.3], [-0.3, 0.5]])
    scores = X_q @ W_Q @ W_K.T @ X_k.T
    assert scores_of(document) == pytest.approx(scores, abs=1e-12)
    weights = np.exp(scores / math.sqrt(2))
    weights /= weights.sum(axis=1, keepdims=True)
    numbers = lesson_by_number(8).fixed_numbers
    assert numbers["cross_cat"] == pytest.approx(weights[0, 1], abs=1e-12) == weights[0].max()
    assert [numbers["cross_sat"], numbers["cross_down"]] == pytest.approx(weights[1, 2:], abs=1e-12)
    assert [numbers["cross_m"], numbers["cross_n"]] == [2, 4]


def test_labels_of_another_document_of_a_lesson_follow_the_language() -> None:
    lesson = lesson_by_number(8)
    document = lesson.document("cross")
    assert document.queries == ("chat", "assis")
    use_language("zh")
    assert lesson.relabelled(document).queries == ("猫", "坐下")
    assert lesson.relabelled(lesson_by_number(7).document()).queries == ("猫", "坐", "垫子")


@pytest.mark.parametrize("number", NUMBERS)
def test_every_try_of_every_lesson_is_walked_by_hand(number: int) -> None:
    """By mouse and keys, in a file of its own; each try is there by its id."""
    path = Path(__file__).parent.with_name("ui").joinpath(f"test_lesson_{number:02}.py")
    texts = {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {one.id for one in lesson_by_number(number).tries} - texts == set()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_opens_on_a_cell_and_panels_that_exist(number: int) -> None:
    lesson = lesson_by_number(number)
    focus = lesson.focus
    assert focus.fitting(lesson.document()) == focus
    assert focus.pair is not None
    assert set(lesson.panels) <= {row.name for row in PANELS}


def spoken(texts: Iterable[BothLanguages]) -> Iterator[BothLanguages]:
    """Yield the texts without their formulas, which are the same in both languages."""
    for text in texts:
        formulas = [sorted(one for one in pieces_of(words) if one.is_formula) for words in (text.zh, text.en)]
        assert formulas[0] == formulas[1]
        if words_of(text.zh):
            yield BothLanguages(words_of(text.zh), words_of(text.en))


@pytest.mark.parametrize("number", NUMBERS)
def test_both_languages_are_whole_and_written_in_their_own_marks(number: int) -> None:
    for text in spoken(texts_of(lesson_by_number(number))):
        assert not re.search("[\u3000-\u9fff\uff00-\uffef]", text.en), text.en
        assert re.search("[\u4e00-\u9fff]", text.zh), text.zh
        assert not re.search("[\u4e00-\u9fff][,.;:?!]", text.zh), text.zh
        assert "-" not in re.sub(r"[A-Za-z]-[A-Za-z\d]", "", text.zh + text.en), text
        # W_Q or q_i among the words: it belongs between dollar signs, and is then typeset
        assert not re.search(r"[A-Za-z]_[A-Za-z]", re.sub(r"{\w+}", "", text.zh + text.en)), text


@pytest.mark.parametrize("number", NUMBERS)
def test_every_number_is_quoted(number: int) -> None:
    lesson = lesson_by_number(number)
    quoted = {name for text in spoken(texts_of(lesson)) for name in re.findall(r"{(\w+)}", text.en)}
    assert quoted == set(lesson.numbers)


def test_reading_lessons_needs_no_torch() -> None:
    script = (
        "import sys; from qkviz.lessons.library import load_lessons; import qkviz.presenters.lesson;"
        "print(len(load_lessons()), 'torch' in sys.modules, 'PySide6' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.split() == [str(len(NUMBERS)), "False", "False"], told.stderr
