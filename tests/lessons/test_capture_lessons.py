"""Lessons on heads of a trained model: every number quoted, worked out apart from the recorded Q and K."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from qkviz.document.captured_head import ChooseHead, ChooseText
from qkviz.document.edits import Edit
from qkviz.document.session import Session
from qkviz.lessons.capture_claims import FUNCTION_WORDS
from qkviz.lessons.library import lesson_by_number
from qkviz.lessons.progress import LessonProgress
from qkviz.lessons.recorded import recorded_capture
from qkviz.translate import use_language
from tests.lessons import recorded
from tests.lessons.recorded import BANK, FILE, RIVER

TEXTS, LAYERS, HEADS = range(12), range(6), range(12)

LONG = 11


def numbers(lesson: int) -> Mapping[str, float]:
    return lesson_by_number(lesson).fixed_numbers


def word_rows(of_rows: Callable[[int], np.ndarray]) -> float:
    """Return the mean, over the words of all texts, of what is said of each token (n,)."""
    return float(np.concatenate([of_rows(text)[recorded.words(text)] for text in TEXTS]).mean())


# lesson 4


def test_the_numbers_of_lesson_4_in_the_first_sentence() -> None:
    found = numbers(4)
    S, W, G = recorded.scores(0, 0)[4], recorded.weights(0, 0)[4], recorded.plain(0, 0)
    expected = {
        "texts": 12,
        "river": W[BANK, RIVER],
        "score": S[BANK, RIVER],
        "back": S[RIVER, BANK],
        "self": S[BANK, BANK],
        "plain": G[BANK, RIVER],
        "plain_self": G[BANK, BANK],
        "deep_river": recorded.weights(0, 5)[7, BANK, RIVER],
        "deep_self": recorded.weights(0, 5)[7, BANK, BANK],
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    assert G[BANK].max() == G[BANK, BANK]  # "the largest of the row"
    assert found["plain"] == pytest.approx(G[RIVER, BANK], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("cash", 1, "cash"),
        ("loan", 2, "loan"),
        ("aircraft", 3, "aircraft"),
        ("stream", 4, "stream"),
        ("plane", 5, "plane"),
        ("plane_cls", 5, "[cls]"),
        ("money", 6, "money"),
    ],
)
def test_lesson_4_quotes_the_weight_on_the_word_that_it_names(name: str, text: int, word: str) -> None:
    row = recorded.weights(text, 0)[4, BANK]
    at = recorded.labels(text).index(word)
    assert recorded.labels(text)[BANK] == "bank"
    assert numbers(4)[name] == pytest.approx(row[at], abs=1e-9)
    assert (row.argmax() == at) == (name not in ("plane", "money"))


def test_the_scores_and_cosines_of_lesson_4() -> None:
    found = numbers(4)
    assert found["cash_score"] == pytest.approx(recorded.scores(1, 0)[4, BANK, RIVER], abs=1e-9)
    assert found["stream_score"] == pytest.approx(recorded.scores(4, 0)[4, BANK, RIVER], abs=1e-9)

    def cosine(text: int, other: int, at: int, layer: int) -> float:
        q, p = (recorded.layer(one, layer).Q[:, at].double().numpy().ravel() for one in (text, other))
        return float(q @ p / np.sqrt(q @ q) / np.sqrt(p @ p))

    for layer in LAYERS:
        assert found[f"turn_{layer + 1}"] == pytest.approx(cosine(0, 1, BANK, layer), abs=1e-9)
    assert found["same_4"] == pytest.approx(cosine(0, 4, BANK, 3), abs=1e-9)
    assert found["apple_6"] == pytest.approx(cosine(7, 8, 2, 5), abs=1e-9)
    assert [recorded.labels(text)[2] for text in (7, 8)] == ["apple", "apple"]


# lesson 6


def diagonal(layer: int) -> float:
    return 100 * word_rows(
        lambda text: (recorded.scores(text, layer).argmax(2) == np.arange(len(recorded.labels(text)))).mean(0)
    )


def plain_diagonal(layer: int) -> float:
    return 100 * word_rows(
        lambda text: recorded.plain(text, layer).argmax(1) == np.arange(len(recorded.labels(text)))
    )


def test_how_often_the_diagonal_wins_in_lesson_6() -> None:
    found = numbers(6)
    real, plain = [diagonal(layer) for layer in LAYERS], [plain_diagonal(layer) for layer in LAYERS]
    assert (found["real_least"], found["real_most"]) == pytest.approx((min(real), max(real)), abs=1e-9)
    assert (found["plain_least"], found["plain_most"]) == pytest.approx((min(plain), max(plain)), abs=1e-9)
    assert int(np.argmax(real)) == int(np.argmin(plain)) == 5  # "in L6", "of the same layer"
    assert max(real) < 7
    assert min(plain) > 85
    assert (found["texts"], found["heads"]) == (12, 72)


def small_word_weights(layer: int) -> tuple[float, float]:
    """Return what one content word, and one other small word, gets from a small word on the average."""
    found: tuple[list[float], list[float]] = ([], [])
    for text in TEXTS:
        labels, W = recorded.labels(text), recorded.weights(text, layer).mean(0)
        inside = range(len(labels))[recorded.words(text)]
        for query in inside:
            if labels[query] in recorded.FUNCTION_WORDS:
                for kind, means in zip((False, True), found, strict=True):
                    keys = [
                        key
                        for key in inside
                        if key != query and (labels[key] in recorded.FUNCTION_WORDS) == kind
                    ]
                    means.append(W[query, keys].mean() if keys else np.nan)
    content, small = (float(np.nanmean(means)) for means in found)
    return content, small


@pytest.mark.parametrize("layer", [1, 2, 5, 6])
def test_where_small_words_look_in_lesson_6(layer: int) -> None:
    content, small = small_word_weights(layer - 1)
    assert numbers(6)[f"content_{layer}"] == pytest.approx(content, abs=1e-9)
    assert numbers(6)[f"function_{layer}"] == pytest.approx(small, abs=1e-9)
    assert (content > 1.3 * small) == (layer in (2, 6))  # the "yes" and "no" of the text


def test_the_list_of_small_words_is_the_one_written_here_as_far_as_the_texts_go() -> None:
    met = {label for text in TEXTS for label in recorded.labels(text)}
    assert met & FUNCTION_WORDS == met & recorded.FUNCTION_WORDS


def test_what_it_looks_at_in_lesson_6() -> None:
    found, it, animal, street = numbers(6), 9, 2, 7
    for name, text in (("tired", 9), ("wide", 10)):
        labels = recorded.labels(text)
        assert (labels[it], labels[animal], labels[street], labels[-2]) == ("it", "animal", "street", name)
        rows = [recorded.weights(text, layer)[:, it] for layer in LAYERS]  # (12, n) each
        assert found[f"{name}_animal"] == pytest.approx(rows[3][1, animal], abs=1e-9)
        assert found[f"{name}_street"] == pytest.approx(rows[3][1, street], abs=1e-9)
        assert found[f"{name}_heads"] == sum((row[:, animal] > row[:, street]).sum() for row in rows)
    assert found["wide_street"] < found["wide_animal"] < found["tired_animal"]
    assert found["tired_street"] < found["wide_street"]


# lesson 10


def word_weights(text: int, layer: int) -> np.ndarray:
    inside = recorded.words(text)
    return recorded.weights(text, layer)[:, inside, inside]


def distances(layer: int) -> np.ndarray:
    """Return how far each head looks on the long sentence, (12,)."""
    W = word_weights(LONG, layer)
    at = np.arange(W.shape[1])
    return (W * np.abs(at[:, None] - at)).sum((1, 2)) / W.sum((1, 2))


def test_near_and_far_in_lesson_10() -> None:
    found = numbers(10)
    far = [distances(layer).mean() for layer in LAYERS]
    assert [found[f"far_{layer + 1}"] for layer in LAYERS] == pytest.approx(far, abs=1e-9)
    assert np.all(np.diff(far[1:]) > 0)  # "From L2 to L6 the saying holds"
    assert far[0] > far[1]
    assert found["near"] == pytest.approx(distances(0)[2], abs=1e-9)
    assert found["global"] == pytest.approx(distances(0)[9], abs=1e-9) == distances(0).max()
    n = len(recorded.labels(LONG)) - 2
    assert found["words"] == n == 33
    assert found["even"] == pytest.approx(np.abs(np.subtract.outer(range(n), range(n))).mean(), abs=1e-9)


def test_the_heads_of_neighbours_in_lesson_10_are_the_brightest_of_all() -> None:
    found, inside = numbers(10), recorded.words(LONG)
    W = np.stack([recorded.weights(LONG, layer) for layer in LAYERS])  # (6, 12, n, n)
    rows = np.arange(len(recorded.labels(LONG)))[inside]
    before, behind = W[:, :, rows, rows - 1].mean(2), W[:, :, rows, rows + 1].mean(2)
    assert found["previous"] == pytest.approx(before[0, 2], abs=1e-9) == before.max()
    assert found["next"] == pytest.approx(behind[1, 8], abs=1e-9) == behind.max()
    assert before[0, 2] > 0.999  # "and nothing else"


def test_what_special_tokens_take_and_bring_in_lesson_10() -> None:
    found, inside = numbers(10), recorded.words(LONG)
    for layer in (1, 4):
        W = recorded.weights(LONG, layer)[:, inside]  # (12, words, n)
        V = recorded.layer(LONG, layer).V
        assert V is not None
        carried = W * np.linalg.norm(V.double().numpy(), axis=2)[:, None]
        carried /= carried.sum(2, keepdims=True)
        assert found[f"specials_{layer + 1}"] == pytest.approx(100 * W[:, :, [0, -1]].sum(2).mean(), abs=1e-9)
        assert found[f"carried_{layer + 1}"] == pytest.approx(
            100 * carried[:, :, [0, -1]].sum(2).mean(), abs=1e-9
        )


def test_entropies_and_self_attention_in_lesson_10() -> None:
    found, inside = numbers(10), recorded.words(LONG)
    for layer in (1, 5):
        W = recorded.weights(LONG, layer)
        H = -(W * np.log(np.maximum(W, 1e-300))).sum(2)[:, inside].mean() / np.log(W.shape[2])
        assert found[f"entropy_{layer + 1}"] == pytest.approx(100 * H, abs=1e-9)
    itself = [
        word_rows(lambda text, layer=layer: recorded.weights(text, layer).mean(0).diagonal())
        for layer in LAYERS
    ]
    assert [found[f"itself_{layer + 1}"] for layer in LAYERS] == pytest.approx(itself, abs=1e-9)
    assert max(itself) == itself[5] > itself[0]  # "the last layer has the most"
    assert max(itself) < 0.1
    assert (np.diff(itself) > 0).any()  # "no steady fall"


# the lessons as lessons


def test_all_documents_of_one_file_are_heads_of_one_capture() -> None:
    found = [
        lesson_by_number(4).document(),
        lesson_by_number(6).document("real"),
        lesson_by_number(10).document(),
    ]
    for document in found:
        assert document.captured is not None
        assert document.captured.capture is recorded_capture(FILE)


def test_tokens_of_a_model_are_the_same_in_every_language() -> None:
    lesson = lesson_by_number(4)
    document = lesson.document()
    use_language("zh")
    assert lesson.relabelled(document) is document
    assert lesson.document().queries == document.queries
    assert lesson.title("zh") == "同一个词，不同的上下文"


def test_the_shell_exports_a_recorded_head_without_the_model(tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    script = (
        "import sys; sys.modules['transformers'] = None; from qkviz.cli import main;"
        f"sys.exit(main(['export', '--lesson', '4', '--matrix', 'scores', '--out', {str(out)!r}]))"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    rows = list(csv.reader(out.read_text(encoding="utf-8").splitlines()))
    assert [rows[0][1 + RIVER], rows[1 + BANK][0]] == ["river", "bank"]
    values = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    assert values == pytest.approx(recorded.scores(0, 0)[4], abs=1e-9)


def done_after(lesson: int, edits: list[Edit], name: str = "") -> frozenset[str]:
    opened = lesson_by_number(lesson)
    session = Session(opened.document(name), opened.focus_on(name))
    for edit in edits:
        session.apply(edit)
    return LessonProgress().with_noticed(opened, session.snapshot).done(opened)


@pytest.mark.parametrize(
    ("lesson", "name", "edits", "noticed"),
    [
        (4, "", [ChooseText(1)], {"compare"}),
        (4, "", [ChooseText(1), ChooseHead(5, 7)], set()),
        (4, "", [ChooseText(5)], {"fails"}),
        (4, "", [ChooseHead(3, 0)], {"deeper"}),
        (4, "", [ChooseHead(2, 0)], set()),
        (10, "", [ChooseHead(0, 2)], {"near"}),
        (10, "", [ChooseHead(1, 8)], {"next"}),
        (10, "", [ChooseHead(5, 3)], {"deep"}),
        (6, "real", [ChooseHead(5, 3)], {"deepest"}),
        (6, "real", [ChooseText(10)], {"pronoun"}),
        (6, "real", [ChooseText(8)], set()),
    ],
)
def test_choosing_a_head_or_a_sentence_is_noticed(
    lesson: int, name: str, edits: list[Edit], noticed: set[str]
) -> None:
    assert done_after(lesson, edits, name) == noticed
