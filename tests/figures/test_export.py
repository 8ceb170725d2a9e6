"""Pictures in files: size, resolution, text as text, colours without loss, whole or not at all."""

from __future__ import annotations

import base64
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from qkviz.figures.export import (
    PICTURE_FORMATS,
    figure_image,
    transparent,
    write_pdf,
    write_picture,
    write_png,
    write_svg,
)
from qkviz.figures.figure import PADDING, VECTOR_PIXEL, Figure, MatrixFigure, PlaneFigure, figure_size
from qkviz.figures.matrix_layout import MatrixLayout
from qkviz.figures.natural_size import natural_pitch
from qkviz.figures.picture_size import PictureSize
from qkviz.figures.style import LIGHT
from qkviz.translate import Refusal
from tests.figures.canvas import Pixels, pixels_of
from tests.figures.examples import matrix_content, plane_content

WORDS = ["猫", "坐", "垫子"]
S = [[1.42, 0.90, 0.83], [1.61, -0.14, 1.27], [1.38, 1.80, 0.55]]

needs_poppler = pytest.mark.skipif(  # un-skip: install poppler-utils
    shutil.which("pdftotext") is None, reason="pdftotext is not installed"
)


def figure(**more: object) -> MatrixFigure:
    content = matrix_content(S, rows=WORDS, columns=WORDS, subtitle="dₖ = 2", axes=("查询", "键"))
    return MatrixFigure((content,), **more)  # type: ignore[arg-type]


def write(kind: str, drawn: Figure, folder: Path, size: PictureSize | None = None) -> Path:
    path = folder / f"picture{kind}"
    write_picture(drawn, path, size or PictureSize.natural(drawn))
    return path


def pdf_text(path: Path) -> str:
    run = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, check=True)
    return run.stdout.decode()


def pdf_pixels(path: Path, dpi: int) -> Pixels:
    out = path.with_suffix("")
    command = ["pdftoppm", "-r", str(dpi), "-png", "-singlefile", str(path), str(out)]
    subprocess.run(command, check=True)
    return pixels_of(QImage(str(out.with_suffix(".png"))))


def svg_pixels(path: Path, scale: float) -> Pixels:
    renderer = QSvgRenderer(str(path))
    box = renderer.viewBoxF()
    image = QImage(round(box.width() * scale), round(box.height() * scale), QImage.Format.Format_RGB32)
    image.fill(0xFF00FF00)
    painter = QPainter(image)
    renderer.render(painter, QRectF(image.rect()))
    painter.end()
    return pixels_of(image)


def test_png_has_the_asked_pixels_and_resolution(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    write_png(figure(), path, PictureSize(800, 600, 300.0))
    data = path.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (800, 600)
    at = data.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", data[at + 4 : at + 13])
    assert unit == 1
    assert across * 0.0254 == pytest.approx(300, abs=0.02)
    assert down == across


def test_png_of_millimetres_has_that_size_on_paper(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    write_png(figure(), path, PictureSize.millimetres(84.0, 70.0, 600.0))
    image = QImage(str(path))
    assert image.width() / image.dotsPerMeterX() * 1000 == pytest.approx(84.0, abs=0.05)


def test_png_can_be_transparent(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    write_png(figure(), path, PictureSize(300, 300), transparent(LIGHT))
    image = QImage(str(path))
    assert image.hasAlphaChannel()
    assert image.pixelColor(0, 0).alpha() == 0


@pytest.mark.parametrize("dpi", [96.0, 300.0])
def test_svg_has_its_size_in_millimetres_at_96_units_an_inch(tmp_path: Path, dpi: float) -> None:
    path = tmp_path / "a.svg"
    write_svg(figure(), path, PictureSize(1000, 900, dpi))
    head = path.read_text(encoding="utf-8")[:600]
    width, height = map(float, re.search(r'<svg width="([\d.]+)mm" height="([\d.]+)mm"', head).groups())
    box = [float(part) for part in re.search(r'viewBox="([^"]+)"', head)[1].split()]
    assert width == pytest.approx(1000 / dpi * 25.4, abs=1e-3)
    assert box[:2] == [0.0, 0.0]
    assert width / box[2] == pytest.approx(25.4 / 96, rel=1e-4)
    assert height / box[3] == pytest.approx(25.4 / 96, rel=1e-4)


def test_svg_holds_its_texts_as_text_in_fonts_that_others_have(tmp_path: Path) -> None:
    svg = write(".svg", figure(title="从嵌入到权重"), tmp_path).read_text(encoding="utf-8")
    texts = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg)).replace("\n", "")
    for word in (*WORDS, "1.42", "−0.14", "QKᵀ", "从嵌入到权重", "查询"):
        assert word in texts
    families = set(re.findall(r'font-family="([^"]+)"', svg))
    assert len(families) == 1
    for family in ("Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "sans-serif"):
        assert family in families.copy().pop()


def test_markup_in_labels_stays_what_was_typed(tmp_path: Path) -> None:
    labels = ["<b>bold</b>", "a & b", "&lt;"]
    drawn = MatrixFigure((matrix_content(np.eye(3), rows=labels),))
    svg = write(".svg", drawn, tmp_path).read_text(encoding="utf-8")
    for shown in ("&lt;b&gt;bold&lt;/b&gt;", "a &amp; b", "&amp;lt;"):
        assert shown in svg
    assert "<b>" not in svg


@needs_poppler
def test_pdf_holds_its_texts_as_text(tmp_path: Path) -> None:
    labels = ["<b>the</b>", "垫子", "river & bank"]
    content = matrix_content(S, rows=labels, columns=WORDS, subtitle="dₖ = 2", axes=("查询", "键"))
    text = pdf_text(write(".pdf", MatrixFigure((content,), title="子见南子"), tmp_path))
    for word in (*labels, *WORDS, "1.42", "−0.14", "QKᵀ", "dₖ = 2", "查询", "键", "子见南子"):
        assert word in text


@needs_poppler
def test_pdf_of_the_plane_holds_its_texts(tmp_path: Path) -> None:
    drawn = PlaneFigure(plane_content([(1.0, 0.3)], [(-0.4, 1.0)]), "plane")
    text = pdf_text(write(".pdf", drawn, tmp_path))
    for word in ("q·0", "k·0", "q·k = 0.83", "‖q‖ = 1.29", "dimension 1", "95°"):
        assert word in text


@pytest.mark.parametrize("side", [2, 70])
def test_pdf_holds_no_jpeg(tmp_path: Path, side: int) -> None:
    values = np.indices((side, side)).sum(axis=0) % 2 * 2.0 - 1.0
    path = write(".pdf", MatrixFigure((matrix_content(values),)), tmp_path)
    assert b"DCTDecode" not in path.read_bytes()


@needs_poppler
@pytest.mark.parametrize("side", [2, 70])
def test_pdf_colors_are_exact(tmp_path: Path, side: int) -> None:
    values = np.indices((side, side)).sum(axis=0) % 2 * 2.0 - 1.0
    content = matrix_content(values)
    path = write(".pdf", MatrixFigure((content,), with_values=False), tmp_path)
    pixels = pdf_pixels(path, 300)
    for value in (-1.0, 1.0):
        found = (pixels == content.scale.rgb_at(value)).all(axis=2).sum()
        assert found > 0.3 * (pixels != 255).any(axis=2).sum() / 2


def colors_at_centres(path: Path, drawn: MatrixFigure) -> Pixels:
    """Return the colour (rows, columns, 3) that a viewer shows in the middle of each cell."""
    (content,) = drawn.contents
    if path.suffix == ".png":
        pixels = pixels_of(QImage(str(path)))
    else:
        pixels = pdf_pixels(path, 384) if path.suffix == ".pdf" else svg_pixels(path, 4.0)
    size = figure_size(drawn)
    room = QRectF(0.0, 0.0, size.width(), size.height()).adjusted(PADDING, PADDING, -PADDING, -PADDING)
    one_pixel = 0.5 if path.suffix == ".png" else VECTOR_PIXEL
    pitch = natural_pitch(content, LIGHT)
    layout = MatrixLayout(content, room, LIGHT, pixel=one_pixel, largest_pitch=pitch)
    scale = pixels.shape[1] / size.width()
    middles = [layout.cell_rect(at, at).center() for at in range(len(content.values))]
    across = [int(middle.x() * scale) for middle in middles]
    down = [int(middle.y() * scale) for middle in middles]
    return pixels[np.ix_(down, across)]


@needs_poppler
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
@pytest.mark.parametrize("side", [32, 64, 512])
def test_the_middle_of_every_cell_has_its_colour_without_error(
    tmp_path: Path, side: int, suffix: str
) -> None:
    content = matrix_content(np.random.default_rng(7).normal(size=(side, side)))
    drawn = MatrixFigure((content,), with_values=False)
    path = write(suffix, drawn, tmp_path, PictureSize.natural(drawn, 192.0))
    right = content.scale.table[content.scale.indexes(content.values, content.kinds)]
    assert (colors_at_centres(path, drawn) == right).all()


def cell_grid(pixels: Pixels, side: int, colors: set[tuple[int, int, int]]) -> tuple[int, int, float]:
    """Return left, top and pitch of the cells, found by their own colours."""
    known = np.zeros(pixels.shape[:2], bool)
    for color in colors:
        known |= (pixels == color).all(axis=2)
    columns, rows = np.flatnonzero(known.sum(axis=0) > side * 2), np.flatnonzero(known.sum(axis=1) > side * 2)
    left, top = int(columns[0]), int(rows[0])
    # the bar has a colour of the cells at its ends; it is narrower than the gap in front of it
    gaps = np.flatnonzero(np.diff(columns) > 8)
    right = int(columns[gaps[0]]) if gaps.size else int(columns[-1])
    return left, top, (right + 1 - left) / side


@pytest.mark.parametrize("side", [20, 32, 33, 64, 70])
def test_svg_cells_are_of_one_color_without_seams(tmp_path: Path, side: int) -> None:
    values = np.indices((side, side)).sum(axis=0) % 2 * 2.0 - 1.0
    content = matrix_content(values)
    path = write(".svg", MatrixFigure((content,), with_values=False), tmp_path)
    pixels = svg_pixels(path, 4.0)
    colors = {content.scale.rgb_at(1.0), content.scale.rgb_at(-1.0)}
    left, top, pitch = cell_grid(pixels, side, colors)
    for row in range(0, side, 7):
        for column in range(0, side, 5):
            y0, y1 = (round(top + (row + share) * pitch) for share in (0.15, 0.85))
            x0, x1 = (round(left + (column + share) * pitch) for share in (0.15, 0.85))
            assert (pixels[y0:y1, x0:x1] == content.scale.rgb_at(values[row, column])).all()
    inside = pixels[top + 4 : round(top + side * pitch) - 4, left + 4 : round(left + side * pitch) - 4]
    assert inside.min(axis=2).max() < 235, "no white line shows between two cells"


def test_up_to_32_cells_are_vectors_and_more_are_one_sharp_picture(tmp_path: Path) -> None:
    small = write(".svg", MatrixFigure((matrix_content(np.eye(32)),)), tmp_path).read_text(encoding="utf-8")
    assert "<image" not in small
    assert small.count("<rect") >= 32 * 32
    large = write(".svg", MatrixFigure((matrix_content(np.eye(33)),)), tmp_path).read_text(encoding="utf-8")
    assert large.count("<image") == 1
    assert "image-rendering: pixelated" in large


@pytest.mark.parametrize(("side", "pixels_a_cell"), [(33, 15), (64, 8), (100, 8), (300, 5), (1000, 2)])
def test_each_cell_of_the_picture_of_many_has_pixels_of_its_own(
    tmp_path: Path, side: int, pixels_a_cell: int
) -> None:
    svg = write(".svg", MatrixFigure((matrix_content(np.eye(side)),)), tmp_path).read_text(encoding="utf-8")
    data = base64.b64decode(re.search(r'xlink:href="data:image/png;base64,([^"]+)"', svg)[1])
    image = QImage.fromData(data)
    assert (image.width(), image.height()) == (side * pixels_a_cell, side * pixels_a_cell)
    pixels = pixels_of(image)
    assert (pixels[:pixels_a_cell, :pixels_a_cell] == pixels[0, 0]).all()
    assert (pixels[0, 0] != pixels[0, pixels_a_cell]).any()


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_a_million_cells_give_a_small_file_soon(tmp_path: Path, suffix: str) -> None:
    values = np.random.default_rng(3).normal(size=(1024, 1024))
    start = time.perf_counter()
    path = write(suffix, MatrixFigure((matrix_content(values),)), tmp_path)
    assert path.stat().st_size < 5_000_000
    assert time.perf_counter() - start < 20  # 5 on a machine of its own


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_figure_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    drawn = figure(title="twice")
    first = write(suffix, drawn, tmp_path).read_bytes()
    second = write(suffix, drawn, tmp_path).read_bytes()
    assert without_metadata(first) == without_metadata(second)


def without_metadata(data: bytes) -> bytes:
    data = re.sub(rb"\(D:\d+Z?\)", b"", data)
    data = re.sub(rb"(?s)<\?xpacket begin.*?<\?xpacket end[^>]*>", b"", data)
    return re.sub(rb"/ID \[.*?\]", b"", data)


HEADLESS = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
import numpy as np
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
from qkviz.figures.export import write_picture
from qkviz.figures.figure import MatrixFigure
from qkviz.figures.picture_size import PictureSize
from tests.figures.examples import matrix_content
figure = MatrixFigure((matrix_content({values!r}, rows={words!r}, columns={words!r}),), title="same")
for suffix in (".png", ".svg", ".pdf"):
    write_picture(figure, Path({folder!r}) / ("a" + suffix), PictureSize(640, 600, 150.0))
"""


@pytest.mark.parametrize("scale", ["1.25", "2"])
def test_the_result_does_not_depend_on_the_screen(tmp_path: Path, scale: str) -> None:
    results = []
    for factor in ("1", scale):
        folder = tmp_path / factor
        folder.mkdir()
        code = HEADLESS.format(root=str(Path.cwd()), values=S, words=WORDS, folder=str(folder))
        # Qt orders the fonts of a PDF by their hashes, which are seeded by chance in each process
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QT_SCALE_FACTOR": factor,
            "QT_HASH_SEED": "0",
        }
        environment.pop("DISPLAY", None)
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
        results.append(
            [without_metadata((folder / f"a{suffix}").read_bytes()) for suffix in (".png", ".svg", ".pdf")]
        )
    assert results[0] == results[1]


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_failure_leaves_the_old_file_alone(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(suffix, figure(), tmp_path)
    before = path.read_bytes()

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write(suffix, figure(), tmp_path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_picture(figure(), tmp_path / "nowhere" / "a.png", PictureSize(100, 100))


@pytest.mark.parametrize("name", ["a.PNG", "run.v2.png", "图.png"])
def test_the_suffix_says_the_format(tmp_path: Path, name: str) -> None:
    write_picture(figure(), tmp_path / name, PictureSize(100, 100))
    assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["a", "run.v2", ".png", "a.jpg"])
def test_another_suffix_is_refused_and_the_known_ones_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        write_picture(figure(), tmp_path / name, PictureSize(100, 100))
    for format_ in PICTURE_FORMATS:
        assert format_.suffix in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_an_emptied_ground_reaches_svg_and_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    write_svg(figure(), path, PictureSize(300, 300), transparent(LIGHT))
    assert tuple(svg_pixels(path, 1.0)[0, 0]) == (0, 255, 0), "the ground of the viewer shows"
    write_pdf(figure(), tmp_path / "a.pdf", PictureSize(300, 300), transparent(LIGHT))


def test_fifty_exports_leave_nothing_behind(tmp_path: Path) -> None:
    before = len(QApplication.topLevelWidgets())
    for _ in range(50):
        figure_image(figure(), PictureSize(120, 120))
    assert len(QApplication.topLevelWidgets()) == before
