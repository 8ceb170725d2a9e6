"""Opening a model: what it says of itself, and every reason not to open it."""

from __future__ import annotations

import json
import logging
import shutil
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from qkviz.capture import open_model as opening
from qkviz.capture.open_model import open_model
from qkviz.capture.transformers_library import transformers_library
from qkviz.capture.weight_files import INDEX, SINGLE
from qkviz.translate import Refusal


def refusal(folder: Path, **choices: str) -> str:
    with pytest.raises(Refusal) as refused:
        open_model(folder, **choices)
    return str(refused.value)


def change_config(folder: Path, **entries: object) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | entries), encoding="utf-8")


def test_a_model_says_what_it_is(folder) -> None:
    shares: list[float] = []
    facts = open_model(folder, step=shares.append).facts
    assert (facts.name, facts.architecture, facts.source) == (folder.name, "BertModel", str(folder))
    assert len(facts.sha256) == 64
    assert not facts.is_verified
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_sharded_model_opens(folder) -> None:
    weights = load_file(folder / SINGLE)
    names = sorted(weights)
    files = {name: f"part-{number % 2}.safetensors" for number, name in enumerate(names)}
    for file in set(files.values()):
        save_file(
            {name: weights[name] for name in names if files[name] == file}, folder / file, {"format": "pt"}
        )
    (folder / SINGLE).unlink()
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": files}), encoding="utf-8")
    model = open_model(folder)
    assert model.facts.sha256 == ""
    assert model.capture("she sat").check.largest_difference == 0.0


def test_opening_says_nothing(folder, capfd, caplog) -> None:
    with caplog.at_level(logging.DEBUG):
        open_model(folder).capture("she sat on the bank")
    assert capfd.readouterr() == ("", "")


def test_progress_can_end_the_opening(folder) -> None:
    def stop(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_model(folder, step=stop)


def test_unknown_architecture(folder) -> None:
    change_config(folder, model_type="brain")
    sentence = refusal(folder)
    assert "does not know the architecture “brain”" in sentence
    assert "transformers 5." in sentence


def test_architecture_that_is_code_in_the_folder(folder) -> None:
    change_config(folder, model_type="brain", auto_map={"AutoModel": "own.Model"})
    assert "is code in the model's folder, which is never run" in refusal(folder)


def test_code_in_the_folder_is_not_run(folder) -> None:
    marker = folder.parent / "was-run"
    (folder / "own.py").write_text(f"open({str(marker)!r}, 'w')\nclass Own: pass\n", encoding="utf-8")
    change_config(folder, auto_map={"AutoConfig": "own.Own", "AutoModel": "own.Own"})
    tokenizer = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    tokenizer["auto_map"] = {"AutoTokenizer": ["own.Own", None]}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    captured = open_model(folder).capture("she sat")
    assert not marker.exists()
    assert any("it was not run" in str(remark) for remark in captured.check.remarks)


def test_model_of_pictures(folder) -> None:
    library = transformers_library()
    config = library.ViTConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=48
    )
    library.AutoModel.from_config(config).save_pretrained(folder)
    assert "ViTModel takes no text" in refusal(folder)


def test_weights_that_transformers_would_make_up(folder) -> None:
    weights = load_file(folder / SINGLE)
    query = next(name for name in weights if "query.weight" in name)
    del weights[query]
    save_file(weights, folder / SINGLE, {"format": "pt"})
    assert query in refusal(folder)


def test_weights_of_another_size(folder) -> None:
    rows = load_file(folder / SINGLE)["embeddings.word_embeddings.weight"].shape[0]
    change_config(folder, vocab_size=7)
    told = f"embeddings.word_embeddings.weight has the shape {rows} × 32 instead of 7 × 32"
    assert told in refusal(folder)


def test_weights_that_cannot_be_read(folder) -> None:
    (folder / SINGLE).unlink()
    (folder / SINGLE).mkdir()
    assert refusal(folder) == "model.safetensors cannot be opened: Is a directory"


def test_folder_that_is_deleted_while_it_is_opened(folder) -> None:
    def delete(share: float) -> None:
        if share >= 0.8 and folder.exists():
            shutil.rmtree(folder)

    with pytest.raises(Refusal, match=r"model\.safetensors cannot be opened: No such file"):
        open_model(folder, step=delete)


def test_damaged_tokenizer(folder) -> None:
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")
    assert "could not be loaded" in refusal(folder)


def test_config_without_sense(folder) -> None:
    change_config(folder, hidden_size="wide")
    assert "could not be loaded" in refusal(folder)


def test_too_little_memory_is_told_before_loading(folder, monkeypatch) -> None:
    monkeypatch.setattr(opening, "free_memory", lambda: 50_000)
    sentence = refusal(folder)
    assert "and 1 MB are left" in sentence


def test_unknown_precision(folder) -> None:
    assert "float32, bfloat16, float16" in refusal(folder, dtype="int4")


@pytest.mark.parametrize("device", ["tpu-9", "cuda:99"])
def test_device_that_is_not_there(folder, device) -> None:
    assert device in refusal(folder, device=device)


def test_half_precision(folder) -> None:
    captured = open_model(folder, dtype="bfloat16").capture("she sat on the bank")
    assert captured.layers[0].Q.dtype is torch.bfloat16
    assert captured.check.largest_difference == 0.0


def test_without_transformers(folder, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert "pip install 'qkviz[models]'" in refusal(folder)


def test_open_model_outlives_its_folder(folder) -> None:
    model = open_model(folder)
    before = model.capture("she sat on the bank")
    shutil.rmtree(folder)
    after = model.capture("she sat on the bank")
    assert torch.equal(before.layers[0].Q, after.layers[0].Q)


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ({"num_hidden_layers": 1_000_000}, "config.json asks for 1000000 layers"),
        ({"vocab_size": 10**12}, "MB of memory"),
        ({"hidden_size": 4_000_000}, "MB of memory"),
        ({"hidden_size": "wide"}, "could not be loaded"),
    ],
)
def test_a_config_that_asks_for_too_much_is_refused_before_anything_is_made(folder, entries, named) -> None:
    change_config(folder, **entries)
    assert named in refusal(folder)  # made, the last but one would take 4 TB
