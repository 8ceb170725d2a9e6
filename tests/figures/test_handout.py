"""The handout: a page a step, every word and number as text, nothing cut, nothing in the margins."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from PySide6.QtGui import QImage

from qkviz.document.document import Role
from qkviz.document.edits import RenameToken
from qkviz.document.session import Session
from qkviz.figures.handout import COLUMN, MARGIN, PAGE, missing_in_handout, write_handout
from qkviz.figures.style import DARK, LIGHT
from qkviz.lessons.library import lesson_by_number, load_lessons
from qkviz.presenters.handout import HandoutContent, present_handout
from qkviz.translate import use_language
from tests.figures.canvas import Pixels, pixels_of

pytestmark = pytest.mark.skipif(  # un-skip: install poppler-utils
    shutil.which("pdftotext") is None, reason="poppler is not installed"
)

LESSONS = [lesson.number for lesson in load_lessons()]


def content(number: int, language: str = "en") -> HandoutContent:
    use_language(language)
    lesson = lesson_by_number(number)
    return present_handout(Session(lesson.document(), lesson.focus).snapshot, lesson)


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()


def page_text(path: Path, page: int) -> str:
    return squeezed(run("pdftotext", "-f", str(page), "-l", str(page), str(path), "-"))


def words_of_page(path: Path, page: int) -> str:
    """Return the text of the left column, which would be mixed with that of the pictures otherwise."""
    width = str(round((MARGIN + COLUMN) * 72 / 96))
    column = ("-x", "0", "-y", "0", "-W", width, "-H", "595", "-f", str(page), "-l", str(page))
    return squeezed(run("pdftotext", *column, str(path), "-"))


def squeezed(text: str) -> str:
    """Return a text without blanks, which lines and columns put anywhere."""
    return re.sub(r"[\s\u2068\u2069]", "", normalize("NFC", text))


def page_pixels(path: Path, page: int) -> Pixels:
    out = path.with_name(f"page{page}")
    run("pdftoppm", "-r", "48", "-f", str(page), "-l", str(page), "-png", "-singlefile", str(path), str(out))
    return pixels_of(QImage(str(out.with_suffix(".png"))))


def has_ink_in_margin(pixels: Pixels) -> bool:
    """Tell whether anything but white is outside the margins, of which a tenth is left for round letters."""
    edge = int(0.9 * MARGIN * pixels.shape[1] / PAGE.width())
    inner = np.zeros(pixels.shape[:2], bool)
    inner[edge:-edge, edge:-edge] = True
    return bool((pixels[..., :3][~inner] < 250).any())


def test_lesson_7_in_chinese_has_six_pages_of_a4_on_its_side(tmp_path: Path) -> None:
    path = tmp_path / "h.pdf"
    write_handout(content(7, "zh"), path)
    told = run("pdfinfo", str(path))
    assert re.search(r"Pages:\s+6\b", told)
    assert re.search(r"Page size:\s+842 x 595 pts", told)
    assert re.search(r"Title:\s+从嵌入到权重：六步", told)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("number", LESSONS)
def test_every_page_has_its_words_and_numbers_as_text_inside_the_margins(
    tmp_path: Path, number: int, language: str
) -> None:
    path, shown = tmp_path / "h.pdf", content(number, language)
    write_handout(shown, path)
    for at, page in enumerate(shown.pages, start=1):
        words, text = words_of_page(path, at), page_text(path, at)
        for one in page.texts:
            for run_ in one.line:
                if not run_.formula:
                    assert squeezed(run_.raised or run_.text) in words
        for matrix in page.matrices:
            assert all(squeezed(label) in text for label in matrix.row_labels)
        assert squeezed(shown.title) in text
        assert not has_ink_in_margin(page_pixels(path, at))
    assert b"DCTDecode" not in path.read_bytes()
    assert missing_in_handout(shown) == ""


def test_the_arithmetic_of_lesson_7_is_there(tmp_path: Path) -> None:
    path = tmp_path / "h.pdf"
    write_handout(content(7), path)
    assert "1.22×0.32+0.43×1.02=0.83" in words_of_page(path, 4)
    assert "0.83/√2=0.83/1.41=0.59" in words_of_page(path, 5)
    assert "=1.80/6.42=0.28" in words_of_page(path, 6)
    assert "page4of6" in page_text(path, 4)


def test_the_story_and_question_are_on_the_first_page_and_the_answer_on_the_last() -> None:
    shown = content(7)
    first, last = shown.pages[0].words(), shown.pages[-1].words()
    assert "a table gives each an embedding" in first
    assert "Does the weight of cat→mat become 0?" in first
    assert "only a mask makes a weight exactly 0" in last
    assert "only a mask" not in first


def test_a_document_of_nobodys_has_the_six_steps_alone() -> None:
    lesson = lesson_by_number(7)
    other = lesson_by_number(8)
    shown = present_handout(Session(lesson.document(), lesson.focus).snapshot, other)
    assert len(shown.pages) == 6
    assert "Guess first" not in shown.pages[0].words()
    assert shown.title == "Six steps from words to weights"


def test_without_a_pinned_pair_the_largest_key_of_the_first_query_is_taken() -> None:
    lesson = lesson_by_number(8)
    shown = present_handout(Session(lesson.document()).snapshot, lesson)
    assert "query 1 “cat’s colour” → key 1 “black kitten”" in shown.pages[0].words()


def test_steps_of_which_the_document_has_nothing_are_left_out() -> None:
    assert [page.step for page in content(8).pages] == [0, 2, 3, 4, 5]
    assert [page.step for page in content(12).pages] == [0, None, 3, 4, 5]


def chart_titles(shown: HandoutContent) -> list[str]:
    """Return the titles inside the picture of a lesson's own page."""
    page = shown.pages[1]
    assert page.picture is not None
    return [title for block in page.picture.blocks for one in block if (title := getattr(one, "title", ""))]


TITLES = {
    (2, "en"): ["XXᵀ", "QKᵀ"],
    (3, "en"): ["Identity", "Tied", "Made by hand", "Head 1", "Head 2", "Head 3"],
    (9, "en"): [
        "Var(q·k)",
        "Var(q·k / √dₖ)",
        "Largest of 16 weights",
        "Entropy of the weights, nats",
        "Gradient of softmax, ‖∂w/∂s‖",
    ],
    (9, "zh"): [
        "Var(q·k)",
        "Var(q·k / √dₖ)",
        "16 个权重中的最大者",
        "权重的熵（nat）",
        "softmax 的梯度，‖∂w/∂s‖",
    ],
    (12, "en"): ["query 1 “it”", "softmax", "softmax, τ = 0.5", "entmax-1.5", "sparsemax", "hardmax"],
    (13, "en"): [
        "dot product",
        "dot product: softmax weights",
        "scaled dot product",
        "scaled dot product: softmax weights",
        "cosine",
        "cosine: softmax weights",
    ],
}


@pytest.mark.parametrize(("number", "language"), TITLES)
def test_the_second_page_has_the_picture_of_which_the_story_speaks(number: int, language: str) -> None:
    assert chart_titles(content(number, language)) == TITLES[number, language]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("number", [2, 3, 5, 6, 9, 12, 13])
def test_the_titles_of_its_parts_are_text_in_the_file(tmp_path: Path, number: int, language: str) -> None:
    shown, path = content(number, language), tmp_path / "h.pdf"
    write_handout(shown, path)
    text = page_text(path, 2)
    titles = chart_titles(shown)
    assert len(titles) >= 2
    for title in titles:
        assert squeezed(title) in text


def test_the_picture_of_lesson_5_has_scores_and_weights_of_all_three_functions() -> None:
    titles = chart_titles(content(5))
    for function in ("Additive", "Dot product", "Scaled dot product"):
        assert sum(title.startswith(f"{function}: ") for title in titles) == 2


def test_lesson_12_says_which_weights_are_exactly_0(tmp_path: Path) -> None:
    path = tmp_path / "h.pdf"
    write_handout(content(12), path)
    assert "sparsemax2of4above00.600.4000" in words_of_page(path, 2)


def test_the_bars_of_lesson_6_are_the_rows_of_the_document(tmp_path: Path) -> None:
    lesson = lesson_by_number(6)
    path, count = tmp_path / "h.pdf", len(lesson.document().queries)
    shown = content(6)
    write_handout(shown, path)
    assert len(chart_titles(shown)) == count


@pytest.mark.parametrize("number", [1, 7, 8])
def test_other_lessons_have_no_page_of_their_own(number: int) -> None:
    assert None not in [page.step for page in content(number).pages]


@pytest.mark.parametrize("number", [2, 7, 13])
def test_numbers_on_the_page_of_the_plane_are_not_a_thumbnail(tmp_path: Path, number: int) -> None:
    """Cells of QKᵀ are at least 13 mm apart."""
    path, shown = tmp_path / "h.pdf", content(number)
    write_handout(shown, path)
    at = next(at for at, page in enumerate(shown.pages, start=1) if page.step == 3)
    box = run("pdftotext", "-f", str(at), "-l", str(at), "-bbox", str(path), "-")
    places = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="[\d.]+" yMax="[\d.]+">([^<]+)<', box)
    keys = set(shown.pages[at - 1].matrices[0].column_labels)
    lines: dict[float, list[float]] = {}
    for left, top, word in places:
        if word in keys:
            lines.setdefault(round(float(top)), []).append(float(left))
    row = max(lines.values(), key=len)
    assert len(row) == len(keys)
    assert (max(row) - min(row)) / (len(keys) - 1) > 13 * 72 / 25.4


@pytest.mark.parametrize("label", ["Donaudampfschifffahrtsgesellschaft " * 4, "漢字" * 200, "W" * 900])
def test_long_labels_are_not_cut_and_stay_on_the_page(tmp_path: Path, label: str) -> None:
    lesson = lesson_by_number(7)
    session = Session(lesson.document(), lesson.focus)
    session.apply(RenameToken(Role.QUERY, 0, label))
    shown, path = present_handout(session.snapshot, lesson), tmp_path / "h.pdf"
    write_handout(shown, path)
    for at in range(1, len(shown.pages) + 1):
        assert squeezed(label).rstrip("␣") in words_of_page(path, at)
        assert not has_ink_in_margin(page_pixels(path, at))


def test_words_have_the_colours_of_the_style(tmp_path: Path) -> None:
    path = tmp_path / "h.pdf"
    for style in (LIGHT, DARK):
        write_handout(content(7), path, style)
        out = path.with_name("page")
        run("pdftoppm", "-r", "150", "-f", "4", "-l", "4", "-png", "-singlefile", str(path), str(out))
        pixels = pixels_of(QImage(str(out.with_suffix(".png"))))[..., :3]
        for color in (style.query, style.key):
            wanted = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
            words = pixels[:, : pixels.shape[1] * 380 // 1122].astype(int)
            near = (np.abs(words - wanted) <= 6).all(axis=2)
            mirrored = (np.abs(words - wanted[::-1]) <= 6).all(axis=2)
            assert near.sum() + mirrored.sum() > 50


def test_a_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "h.pdf"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)
    try:
        if not _may_write(tmp_path):  # root may write anywhere
            with pytest.raises(OSError):
                write_handout(content(7), path)
            assert path.read_bytes() == b"old"
    finally:
        tmp_path.chmod(0o700)
    with pytest.raises(OSError):
        write_handout(content(7), tmp_path)
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".pdf"] in ([], ["config"])


def _may_write(folder: Path) -> bool:
    try:
        (folder / "probe").write_bytes(b"")
    except OSError:
        return False
    (folder / "probe").unlink()
    return True
