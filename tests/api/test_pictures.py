"""Pictures and numbers from Python, with an application and without one."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtGui import QImage

import qkviz
from qkviz.translate import Refusal, use_language

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.usefixtures("qapp")

MATRIX = torch.tensor([[1.0, -2.0, 0.5], [0.25, 3.0, float("-inf")]])


@pytest.fixture
def document():
    Q, K = torch.tensor([[0.8, 0.2], [0.1, 0.9]]), torch.tensor([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]])
    return qkviz.make_document(Q=Q, K=K, tokens=["q1", "猫"], key_tokens=["k1", "k2", "k3"])


def rows_of(path):
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def svg_texts(path):
    text = path.read_text(encoding="utf-8")
    return " ".join(re.findall(r"<text[^>]*>(.*?)</text>", text, re.DOTALL))


@pytest.mark.parametrize(
    "matrix",
    [MATRIX, MATRIX.requires_grad_(False).bfloat16(), MATRIX.numpy().T.copy().T, MATRIX.tolist()],
    ids=["tensor", "bfloat16", "array", "list"],
)
def test_a_heatmap_holds_numbers_labels_and_title(tmp_path, matrix):
    path = tmp_path / "矩阵 1.svg"
    qkviz.heatmap(matrix, tokens=["ab", "cd"], key_tokens=["x", "y", "猫"], path=path, title="Mine")
    texts = svg_texts(path)
    for word in ("ab", "cd", "猫", "Mine", "−2.00", "0.25", "query", "key", "masked"):
        assert word in texts


def test_numbers_in_cells_follow_the_decimals_and_can_be_left_out(tmp_path):
    path = tmp_path / "a.svg"
    qkviz.heatmap([[0.12345, 1.0]], path=path, decimals=4)
    assert "0.1235" in svg_texts(path) or "0.1234" in svg_texts(path)
    qkviz.heatmap([[0.12345, 1.0]], path=path, with_values=False)
    assert "0.12" not in svg_texts(path)


def test_tokens_label_both_sides_of_a_square_matrix(tmp_path):
    path = tmp_path / "a.csv"
    qkviz.heatmap([[1, 2], [3, 4]], tokens=["a", "b"], path=path)
    assert rows_of(path) == [
        ["", "a", "b"],
        ["a", "1.0", "2.0"],
        ["b", "3.0", "4.0"],
    ]


def test_a_notebook_shows_a_heatmap_as_a_png_twice_as_dense(qapp):
    data, size = qkviz.heatmap(MATRIX)._repr_png_()
    image = QImage.fromData(data)
    assert (image.width(), image.height()) == (2 * size["width"], 2 * size["height"])


def test_a_picture_has_the_size_asked_for_on_paper(tmp_path):
    picture = qkviz.heatmap(MATRIX, size_mm=(101.6, 50.8), dpi=300)
    image = QImage(str(picture.save(tmp_path / "a.png")))
    assert (image.width(), image.height()) == (1200, 600)
    assert 'width="101.6' in picture.save(tmp_path / "a.svg").read_text(encoding="utf-8")


def colors_of(path):
    image = QImage(str(path))
    return {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }


def test_colours_and_limits_are_those_asked_for(tmp_path):
    usual = colors_of(qkviz.heatmap([[0.0, 1.0]], with_values=False).save(tmp_path / "a.png"))
    viridis = colors_of(
        qkviz.heatmap([[0.0, 1.0]], with_values=False, colors="viridis").save(tmp_path / "b.png")
    )
    assert {"#440154", "#fde725"} <= viridis
    assert not {"#440154", "#fde725"} & usual
    path = tmp_path / "c.svg"
    qkviz.heatmap([[0.0, 1.0]], path=path, limits=(0, 4))
    assert "4" in svg_texts(path)


def test_a_map_of_weights_spans_negative_numbers_too(tmp_path):
    colors = colors_of(
        qkviz.heatmap([[-1.0, 0.0, 1.0]], with_values=False, colors="viridis").save(tmp_path / "a.png")
    )
    assert {"#440154", "#fde725"} <= colors
    assert colors & {"#21918c", "#21908c", "#20928c", "#21908d"}  # the middle of viridis


def test_the_ground_can_be_left_open(tmp_path):
    image = QImage(str(qkviz.heatmap([[1]], transparent_ground=True).save(tmp_path / "a.png")))
    assert image.pixelColor(0, 0).alpha() == 0
    image = QImage(str(qkviz.heatmap([[1]]).save(tmp_path / "b.png")))
    assert image.pixelColor(0, 0).name() == "#ffffff"


def test_a_language_holds_for_one_picture(tmp_path):
    path = tmp_path / "a.svg"
    qkviz.heatmap([[1, 2]], path=path, language="zh")
    assert "查询" in svg_texts(path)
    qkviz.heatmap([[1, 2]], path=path)
    assert "query" in svg_texts(path)
    use_language("zh")
    qkviz.heatmap([[1, 2]], path=path)
    assert "查询" in svg_texts(path)


def test_numbers_of_a_heatmap_read_back_bit_by_bit(tmp_path):
    values = torch.randn(3, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).numpy()
    qkviz.heatmap(values, path=tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert arrays["scores"].tobytes() == values.tobytes()


def test_matrices_of_a_document_are_exported_with_their_source(tmp_path, document):
    path = qkviz.export(document, tmp_path / "a.json", ["scores", "weights"])
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)
    assert "2 queries x 3 keys" in text
    path = qkviz.export(document, str(tmp_path / "b.csv"), "scores")
    rows = rows_of(path)
    assert rows[0] == ["", "k1", "k2", "k3"]
    assert [[round(float(cell), 6) for cell in row[1:]] for row in rows[1:]] == [
        [0.62, 0.32, 0.22],
        [0.34, 0.74, -0.41],
    ]


@pytest.mark.parametrize(
    "suffix", [".png", ".svg", ".pdf", ".csv", ".tsv", ".npz", ".json", ".tex", ".md", ".PNG"]
)
def test_every_format_is_written(tmp_path, document, suffix):
    assert qkviz.export(document, tmp_path / f"a{suffix}").stat().st_size > 100


def test_the_plane_of_a_document_is_drawn(tmp_path, document):
    texts = svg_texts(qkviz.export(document, tmp_path / "a.svg", "plane", title="Plane"))
    assert "q·q1" in texts
    assert "Plane" in texts


def test_the_script_of_a_document_prints_its_weights(tmp_path, document):
    path = qkviz.export(document, tmp_path / "a.py")
    ran = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    weights = qkviz.trace_attention(document.inputs, document.options).weights
    assert f"{weights[0, 0].item():.4f}"[:5] in ran.stdout


REFUSED = [
    (lambda document, folder: qkviz.heatmap(torch.ones(2, 2, 2)), "matrix is 2 × 2 × 2: it has 3 dimensions"),
    (lambda document, folder: qkviz.heatmap([[1]], tokens=["a", "b"]), "there are 2 labels for its rows"),
    (
        lambda document, folder: qkviz.heatmap([[1]], key_tokens=["a", "b"]),
        "there are 2 labels for its columns",
    ),
    (lambda document, folder: qkviz.heatmap([[1]], tokens="a"), "tokens is one text"),
    (lambda document, folder: qkviz.heatmap([[1]], colors="jet"), "There is no colour map “jet” here"),
    (lambda document, folder: qkviz.heatmap([[1]], limits=(1, 0)), "The colours cannot go from 1 to 0"),
    (
        lambda document, folder: qkviz.heatmap([[1]], language="fr"),
        "There is no language “fr”; there are zh, en.",
    ),
    (
        lambda document, folder: qkviz.heatmap([[1]], path=folder / "a.jpg"),
        "none of the suffixes that choose a format",
    ),
    (
        lambda document, folder: qkviz.export(document, folder / "a"),
        "none of the suffixes that choose a format",
    ),
    (lambda document, folder: qkviz.export(document, folder / "a.csv", "plane"), "none of the suffixes"),
    (lambda document, folder: qkviz.export(document, folder / "a.png", "x"), "so it has no X"),
    (
        lambda document, folder: qkviz.export(document, folder / "a.png", ["scores", "logits"]),
        "There is no matrix “logits”",
    ),
    (lambda document, folder: qkviz.export(document, folder / "a.png", []), "Say which matrices to export"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED, ids=[sentence[:30] for _call, sentence in REFUSED])
def test_what_cannot_be_drawn_is_refused_and_leaves_no_file(tmp_path, document, call, sentence):
    with pytest.raises(Refusal) as refused:
        call(document, tmp_path)
    assert sentence in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_the_plane_of_given_scores_says_why_there_is_none(tmp_path):
    with pytest.raises(Refusal, match="scores"):
        qkviz.export(qkviz.make_document(scores=[[1.0]]), tmp_path / "a.png", "plane")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        qkviz.heatmap([[1]], path=tmp_path / "nowhere" / "a.png")


ALONE = """
import os, sys, qkviz
os.environ.pop("QT_QPA_PLATFORM", None)
for number in range(3):
    qkviz.heatmap([[1, 2], [3, 4]], tokens=["a", "猫"], path=sys.argv[1] + f"/{number}.png")
qkviz.export(qkviz.make_document(Q=[[1, 0]], K=[[1, 0], [0, 1]]), sys.argv[1] + "/plane.svg", "plane")
from PySide6.QtGui import QGuiApplication
print(QGuiApplication.platformName(), os.environ.get("QT_QPA_PLATFORM"))
"""

IN_A_PROGRAM = """
import sys, qkviz
from PySide6.QtWidgets import QApplication, QLabel
app = QApplication(["somebody"])
label = QLabel("theirs")
qkviz.heatmap([[1, 2], [3, 4]], tokens=["a", "猫"], path=sys.argv[1] + "/0.png")
assert QApplication.instance() is app
label.show()
print(app.applicationName(), label.text())
"""


def _ran(code, folder):
    environment = {name: text for name, text in os.environ.items() if "DISPLAY" not in name}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(folder)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_without_a_display_and_an_application_one_is_made_for_pictures(tmp_path):
    ran = _ran(ALONE, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    platform, variable = ran.stdout.split()
    assert variable == "None"  # what is started later may want a screen
    if sys.platform.startswith("linux"):
        assert platform == "offscreen"
    assert (tmp_path / "0.png").read_bytes() == (tmp_path / "2.png").read_bytes()


def test_the_application_that_is_there_is_used_and_left_as_it_was(tmp_path):
    ran = _ran(IN_A_PROGRAM, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "somebody theirs\n"
    alone = tmp_path / "alone"
    alone.mkdir()
    assert _ran(ALONE, alone).returncode == 0
    assert (tmp_path / "0.png").read_bytes() == (alone / "0.png").read_bytes()
