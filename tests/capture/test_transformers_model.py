"""Texts given to a model of transformers: good ones, bad ones, broken off ones, from several threads."""

from __future__ import annotations

import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

from qkviz.attention.captured import CaptureWay
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer, WeightsLayer
from qkviz.attention.trace import trace_attention
from qkviz.capture import costs, ways
from qkviz.capture.open_model import open_model
from qkviz.capture.transformers_library import transformers_library
from qkviz.capture.transformers_model import TransformersModel
from qkviz.translate import Refusal


@pytest.fixture(scope="module")
def bert(made_folders: Path) -> TransformersModel:
    return open_model(made_folders / "bert")


@pytest.fixture(scope="module")
def causal(made_folders: Path) -> TransformersModel:
    return open_model(made_folders / "causal")


@pytest.fixture(scope="module")
def pair_model(made_folders: Path) -> TransformersModel:
    return open_model(made_folders / "pair")


def raw(tokens) -> list[str]:
    return [token.raw for token in tokens]


def hooks_of(model: TransformersModel) -> int:
    modules = model._network.module.modules()
    return sum(len(module._forward_pre_hooks) + len(module._forward_hooks) for module in modules)


def test_capture_tells_what_was_typed_and_how_it_was_taken(bert) -> None:
    captured = bert.capture("She sat on the bank")
    assert raw(captured.tokens) == ["[CLS]", "she", "sat", "on", "the", "bank", "[SEP]"]
    assert (captured.text, captured.pair) == ("She sat on the bank", None)
    assert captured.check.way is CaptureWay.INTERFACE
    assert captured.check.largest_difference == 0.0
    assert captured.check.unexplained == (0.0, 0.0)
    assert captured.check.remarks == ()
    assert [layer.shape for layer in captured.layers] == [(7, 7)] * 2
    assert captured.decoder_tokens == captured.next_tokens == ()


def test_without_a_check_the_same_numbers_are_taken(bert) -> None:
    checked, unchecked = bert.capture("she sat"), bert.capture("she sat", check=False)
    assert unchecked.check.largest_difference is None
    assert torch.equal(checked.layers[1].Q, unchecked.layers[1].Q)


def test_pair_stands_behind_a_separator(bert) -> None:
    captured = bert.capture("the bank", "the river")
    assert bert.takes_pairs
    assert raw(captured.tokens) == ["[CLS]", "the", "bank", "[SEP]", "the", "river", "[SEP]"]
    assert [token.segment for token in captured.tokens] == [0, 0, 0, 0, 1, 1, 1]
    assert captured.check.largest_difference == 0.0
    types = bert._network.module.embeddings.token_type_embeddings.weight
    alone = bert.capture("the bank")
    assert torch.equal(alone.layers[0].Q[:, :3], captured.layers[0].Q[:, :3])  # the first segment is the same
    assert not torch.equal(types[0], types[1])


def test_pair_is_the_decoders_text(pair_model) -> None:
    captured = pair_model.capture("she sat", "the river")
    assert pair_model.takes_pairs
    assert raw(captured.tokens) == ["she", "sat", "</s>"]
    assert raw(captured.decoder_tokens) == ["<pad>", "the", "river"]
    assert captured.decoder_tokens[0].is_special
    assert captured.check.largest_difference == 0.0
    cross = [n for n, layer in enumerate(captured.layers) if layer.kind is AttentionKind.CROSS]
    assert raw(captured.queries(cross[0])) == ["<pad>", "the", "river"]
    assert raw(captured.keys(cross[0])) == ["she", "sat", "</s>"]


def test_without_a_pair_the_decoder_gets_the_text(pair_model) -> None:
    assert raw(pair_model.capture("she sat").decoder_tokens) == ["<pad>", "she", "sat"]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_empty_text(bert, text) -> None:
    for ask in (bert.capture, bert.cost):
        with pytest.raises(Refusal, match="The text is empty; type a sentence"):
            ask(text)


def test_empty_pair(bert) -> None:
    with pytest.raises(Refusal, match="The second text is empty"):
        bert.capture("she", " ")


def test_pair_for_a_model_of_one_text(causal) -> None:
    assert not causal.takes_pairs
    with pytest.raises(Refusal, match="one text only"):
        causal.capture("she", "sat")


@pytest.mark.parametrize("text", ["\u200b", "\x00"])
def test_text_without_tokens(bert, text) -> None:
    with pytest.raises(Refusal, match=r"makes no token of the text|is empty"):
        bert.capture(text)


def test_half_a_character(bert) -> None:
    with pytest.raises(Refusal, match="half a character at position 4"):
        bert.capture("she\ud83d")


def test_one_token(causal) -> None:
    captured = causal.capture("she")
    assert [layer.shape for layer in captured.layers] == [(1, 1)] * 2
    trace = trace_attention(captured.layers[0].inputs(0), captured.layers[0].options(0))
    assert trace.weights.item() == 1.0


def test_too_long_for_the_model(bert) -> None:
    assert bert.cost("she " * 22).most_tokens == 24
    bert.capture("she " * 22)
    for ask in (bert.capture, bert.cost):
        with pytest.raises(Refusal, match="has 25 tokens, and the model takes 24 at most"):
            ask("she " * 23)


def test_ten_thousand_tokens_have_their_price(causal) -> None:
    cost = causal.cost("she " * 10_000)
    assert cost.tokens == 10_000
    assert cost.bytes > 4 * 4 * 10_000**2  # one matrix of four heads at least
    assert cost.kept_bytes == 2 * 10_000 * ((4 + 2 * 2) * 8 + 32) * 4


def test_cost_knows_what_is_kept(causal) -> None:
    captured = causal.capture("she sat on the bank")
    tensors = [getattr(layer, name) for layer in captured.layers for name in ("Q", "K", "V", "X_q")]
    assert causal.cost("she sat on the bank").kept_bytes == sum(tensor.nbytes for tensor in tensors)


def test_model_without_attention(made_folders, tmp_path) -> None:
    library = transformers_library()
    folder = tmp_path / "mamba"
    shutil.copytree(made_folders / "causal", folder)
    config = library.MambaConfig(vocab_size=20, hidden_size=32, num_hidden_layers=2)
    library.AutoModel.from_config(config).save_pretrained(folder)
    model = open_model(folder)
    for check in (True, False):
        with pytest.raises(Refusal, match="MambaModel tells nothing of its attention; choose another model"):
            model.capture("she sat", check=check)


def test_attention_that_is_no_matrix_of_tokens(made_folders, tmp_path) -> None:
    library = transformers_library()
    folder = tmp_path / "longformer"
    shutil.copytree(made_folders / "bert", folder)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 48}
    config = library.LongformerConfig(vocab_size=20, attention_window=4, **sizes)
    library.AutoModel.from_config(config).save_pretrained(folder)
    with pytest.raises(Refusal, match="looks from 4 queries at 5 keys, but there are 4 tokens"):
        open_model(folder).capture("she sat")


def test_tokenizer_that_tells_no_places(tmp_path) -> None:
    library = transformers_library()
    (tmp_path / "v").write_text(json.dumps({"she": 0, "at": 1, "<unk>": 2}), encoding="utf-8")
    (tmp_path / "m").write_text("#version: 0.2\ns h\nsh e</w>\na t</w>\n", encoding="utf-8")
    folder = tmp_path / "ctrl"
    library.CTRLTokenizer(vocab_file=str(tmp_path / "v"), merges_file=str(tmp_path / "m")).save_pretrained(
        folder
    )
    config = library.CTRLConfig(vocab_size=9, n_embd=32, dff=48, n_layer=1, n_head=4, n_positions=16)
    library.AutoModel.from_config(config).save_pretrained(folder)
    captured = open_model(folder).capture("she at she")
    assert raw(captured.tokens) == ["she", "at", "she"]
    assert [(token.start, token.end, token.word) for token in captured.tokens] == [(0, 0, None)] * 3


def test_too_little_memory_is_told_before_the_run(bert, monkeypatch) -> None:
    monkeypatch.setattr(costs, "free_memory", lambda: 1_000)
    with pytest.raises(Refusal, match="4 tokens need 1 MB of memory, and 1 MB are left; shorten the text"):
        bert.capture("she sat")


def test_only_unknown_words(bert) -> None:
    captured = bert.capture("👍🏽 مرحبا 银")
    assert all(token.is_unknown for token in captured.tokens if not token.is_special)
    (remark,) = captured.check.remarks
    assert "knows none of these words" in str(remark)
    assert captured.check.largest_difference == 0.0


def test_known_chinese_needs_no_remark(bert) -> None:
    captured = bert.capture("行 河 银")
    assert [token.is_unknown for token in captured.tokens] == [False, False, False, True, False]
    assert captured.check.remarks == ()


def test_typed_special_token_is_told_from_the_models_own(bert) -> None:
    captured = bert.capture("[CLS] she")
    assert [token.is_special for token in captured.tokens] == [True, False, False, True]
    (remark,) = captured.check.remarks
    assert str(remark) == "“[CLS]” was typed, and the model takes it for its own special token."


def test_heads_cannot_be_switched_off(bert) -> None:
    with pytest.raises(Refusal, match="cannot be switched off"):
        bert.capture("she", switched_off=frozenset({(0, 0)}))


def test_capture_can_be_ended_at_every_step_and_made_again(bert) -> None:
    shares: list[float] = []
    whole = bert.capture("she sat", step=shares.append)
    hooks = hooks_of(bert)  # transformers has some of its own from then on
    assert len(shares) == 5
    assert shares == sorted(shares)

    class Ended(RuntimeError):
        pass

    for last in range(len(shares)):
        left = iter(range(last))

        def end(_share: float, left=left) -> None:
            if next(left, None) is None:
                raise Ended

        with pytest.raises(Ended):
            bert.capture("she sat", step=end)
        assert hooks_of(bert) == hooks
    assert torch.equal(bert.capture("she sat").layers[1].Q, whole.layers[1].Q)


def test_several_threads_capture_with_one_model(bert, causal) -> None:
    texts = ["she sat", "the bank of the river", "water", "she sat on the bank"] * 3
    expected = [(bert.capture(text).layers[1].Q, causal.capture(text).layers[1].Q) for text in texts]
    ready = threading.Barrier(4)

    def both(text: str):
        if not ready.broken:
            ready.wait(timeout=20)
        return bert.capture(text).layers[1].Q, causal.capture(text).layers[1].Q

    with ThreadPoolExecutor(4) as pool:
        for (one, other), (one_expected, other_expected) in zip(pool.map(both, texts), expected, strict=True):
            assert torch.equal(one, one_expected)
            assert torch.equal(other, other_expected)


def test_a_mask_that_is_lost_is_noticed_and_the_watcher_used(made_folders, monkeypatch) -> None:
    causal = open_model(made_folders / "causal")
    monkeypatch.delitem(transformers_library().AttentionMaskInterface._global_mapping, "qkviz")
    captured = causal.capture("she sat on the bank")
    assert captured.check.way is CaptureWay.WATCHER
    assert captured.check.largest_difference == 0.0
    assert causal.capture("she sat on", check=False).check.way is CaptureWay.WATCHER  # once known, at once


def nothing(*_arguments: object) -> ways.Taken:
    return ways.Taken(CaptureWay.INTERFACE, ())


def test_weights_alone_are_the_last_resort_and_called_so(made_folders) -> None:
    model = open_model(made_folders / "bert")
    true = model.capture("she sat").layers[0]
    model._ways = (nothing,)
    for check in (True, False):
        captured = model.capture("she sat", check=check)
        assert captured.check.way is CaptureWay.WEIGHTS
        assert "no queries, keys and scores" in str(captured.check.remarks[0])
        layer = captured.layers[0]
        assert isinstance(layer, WeightsLayer)
        for head in range(4):
            weights = trace_attention(layer.inputs(head), layer.options(head)).weights
            expected = trace_attention(true.inputs(head), true.options(head)).weights
            torch.testing.assert_close(weights, expected, atol=1e-6, rtol=0)


def test_a_way_that_tells_something_else_is_not_believed(made_folders) -> None:
    model = open_model(made_folders / "bert")

    def lying(*arguments) -> ways.Taken:
        taken = ways.by_interface(*arguments)
        first, *rest = taken.captured_layers()
        wrong = CapturedLayer(first.kind, first.Q, first.K.flip(1), first.V, first.scale)
        return ways.Taken(CaptureWay.INTERFACE, (wrong, *rest))

    model._ways = (lying,)
    assert model.capture("she sat on the bank").check.way is CaptureWay.WEIGHTS


def test_a_model_that_fails_says_so_in_one_sentence(made_folders) -> None:
    model = open_model(made_folders / "bert")
    hooks = hooks_of(model)
    model._network.module.encoder.layer[1].intermediate = torch.nn.Linear(3, 3)
    with pytest.raises(Refusal, match="BertModel failed on this text: mat1 and mat2 shapes"):
        model.capture("she sat")
    assert hooks_of(model) == hooks
