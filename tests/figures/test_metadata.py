"""Every picture file says where it comes from, and other programs read it."""

from __future__ import annotations

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from qkviz.figures.export import write_picture
from qkviz.figures.figure import MatrixFigure
from qkviz.figures.picture_size import PictureSize
from qkviz.figures.style import LIGHT
from tests.figures.examples import matrix_content

PROVENANCE = {"program": "qkviz 9.9", "document": '矩阵 --> "x" & <y>', "mask": "causal"}

needs_poppler = pytest.mark.skipif(  # un-skip: install poppler-utils
    shutil.which("pdfinfo") is None, reason="pdfinfo is not installed"
)


def _written(folder: Path, suffix: str, title: str | None = "猫 <&>") -> Path:
    figure = MatrixFigure((matrix_content([[1.0, 2.0]]),), title=title)
    path = folder / f"a{suffix}"
    write_picture(figure, path, PictureSize.natural(figure), LIGHT, PROVENANCE)
    return path


def test_png_texts_hold_the_provenance(tmp_path: Path) -> None:
    image = QImage(str(_written(tmp_path, ".png")))
    assert json.loads(image.text("qkviz")) == PROVENANCE
    assert image.text("Software") == "qkviz 9.9"
    assert image.text("Title") == "猫 <&>"
    assert "mask: causal" in image.text("Description")


def test_svg_metadata_hold_the_provenance(tmp_path: Path) -> None:
    root = ET.parse(_written(tmp_path, ".svg")).getroot()
    (found,) = root.iter("{urn:qkviz:provenance}provenance")
    assert json.loads(found.text or "") == PROVENANCE
    assert root.find("{http://www.w3.org/2000/svg}title").text == "猫 <&>"  # type: ignore[union-attr]


@needs_poppler
def test_pdf_metadata_hold_the_provenance(tmp_path: Path) -> None:
    path = _written(tmp_path, ".pdf")
    xmp = subprocess.run(["pdfinfo", "-meta", str(path)], capture_output=True, check=True).stdout.decode()
    (found,) = ET.fromstring(xmp.strip()).iter("{urn:qkviz:provenance}provenance")
    assert json.loads(found.text or "") == PROVENANCE
    info = subprocess.run(["pdfinfo", str(path)], capture_output=True, check=True).stdout.decode()
    lines = dict(line.split(":", 1) for line in info.splitlines())
    assert lines["Title"].strip() == "猫 <&>"
    assert lines["Creator"].strip() == "qkviz 9.9"


def test_without_a_title_the_matrix_gives_one(tmp_path: Path) -> None:
    assert QImage(str(_written(tmp_path, ".png", None))).text("Title") == "QKᵀ"


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_picture_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    first = _written(tmp_path, suffix).read_bytes()
    assert _written(tmp_path, suffix).read_bytes() == first
