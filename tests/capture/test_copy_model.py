"""The shipped copy model: what it can do, what it captures, and what it refuses."""

from __future__ import annotations

import hashlib
import json
from random import Random

import pytest
import torch
from safetensors import safe_open
from torch.nn import functional

from qkviz.attention.captured import CaptureWay
from qkviz.attention.masks import CausalMask
from qkviz.attention.trace import trace_attention
from qkviz.capture.copy_accuracy import copy_accuracy, fresh_sequences
from qkviz.capture.copy_model import MOST_WORDS, CopyModel, load_copy_model
from qkviz.capture.copy_model_file import COPY_MODEL_PATH, COPY_TEXT, copy_words
from qkviz.capture.copy_network import POSITIONS
from qkviz.translate import Refusal

FIRST, SECOND = (0, 0), (1, 0)


@pytest.fixture(scope="module")
def model() -> CopyModel:
    return load_copy_model()


def plain_logits(words: list[int]) -> torch.Tensor:
    """The model written out once more in float64, with PyTorch's attention and none of the program's code."""
    with safe_open(COPY_MODEL_PATH, framework="pt") as file:
        tensor = {name: file.get_tensor(name).double() for name in file.keys()}  # noqa: SIM118 -- no mapping
    stream = tensor["word.weight"][words] + tensor["position.weight"][: len(words)]
    for layer in ("layers.0.", "layers.1."):
        norm = tensor[layer + "norm.weight"], tensor[layer + "norm.bias"]
        x = functional.layer_norm(stream, (64,), *norm)
        q, k, v = (x @ tensor[f"{layer}W_{part}.weight"].T for part in "QKV")
        seen = functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]
        stream = stream + seen @ tensor[layer + "W_O.weight"].T
    x = functional.layer_norm(stream, (64,), tensor["norm.weight"], tensor["norm.bias"])
    return x @ tensor["unembedding.weight"].T


# what it can do


def test_it_copies_and_needs_both_heads_for_it(model: CopyModel) -> None:
    assert copy_accuracy(model, sequences=300, seed=11) >= 0.97
    assert copy_accuracy(model, frozenset({FIRST}), sequences=300, seed=11) <= 0.2
    assert copy_accuracy(model, frozenset({SECOND}), sequences=300, seed=11) <= 0.1


def test_the_accuracy_is_that_of_another_implementation(model: CopyModel) -> None:
    ids, is_predictable = fresh_sequences(12, len(model.all_words), seed=3)
    right = total = 0
    for words, known in zip(ids.tolist(), is_predictable.tolist(), strict=True):
        guesses = plain_logits(words).argmax(dim=1).tolist()
        hits = [guesses[at - 1] == words[at] for at in range(1, len(words)) if known[at]]
        right, total = right + sum(hits), total + len(hits)
    assert copy_accuracy(model, sequences=12, seed=3) == right / total


@pytest.mark.parametrize("distance", [2, 10, 20, 44])
def test_it_copies_from_any_distance(model: CopyModel, distance: int) -> None:
    random = Random(distance)
    texts = torch.tensor([random.sample(range(1, 62), distance) for _text in range(100)])
    ids = torch.cat((torch.zeros(100, 1, dtype=torch.int64), texts, texts[:, :1]), dim=1)
    guesses = model.run(ids).logits[:, -1].argmax(dim=1)
    assert (guesses == texts[:, 1]).float().mean() >= 0.97


def test_the_same_seed_measures_the_same_and_tells_how_far_it_is(model: CopyModel) -> None:
    shares: list[float] = []
    first = copy_accuracy(model, frozenset({FIRST}), sequences=50, seed=8, step=shares.append)
    assert copy_accuracy(model, frozenset({FIRST}), sequences=50, seed=8) == first
    assert copy_accuracy(model, frozenset({FIRST}), sequences=50, seed=9) != first
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_words_are_predictable_only_where_a_phrase_comes_again() -> None:
    ids, is_predictable = fresh_sequences(100, 62, seed=1)
    assert ids.shape == (100, POSITIONS)
    assert 0.2 < is_predictable.float().mean() < 0.8
    for words, known in zip(ids.tolist(), is_predictable.tolist(), strict=True):
        for at in range(1, POSITIONS):
            before = [words[i + 1] for i in range(at - 1) if words[i] == words[at - 1]]
            if known[at]:  # every earlier copy of the word before was followed by this word
                assert before
                assert set(before) == {words[at]}


# a capture


def test_guesses_are_those_of_another_implementation(model: CopyModel) -> None:
    captured = model.capture(COPY_TEXT)
    numbers = [0, *(model.all_words.index(word) for word in COPY_TEXT.split())]
    best = plain_logits(numbers)[-1].softmax(dim=0).topk(5)
    assert [guess.label for guess in captured.next_tokens] == [model.all_words[at] for at in best.indices]
    assert [guess.probability for guess in captured.next_tokens] == pytest.approx(
        best.values.tolist(), abs=1e-5
    )
    assert captured.next_tokens[0].label == "fox"
    assert captured.next_tokens[0].probability > 0.7


def test_the_trace_of_a_captured_head_is_the_models_own_attention(model: CopyModel) -> None:
    captured = model.capture(COPY_TEXT)
    ids = torch.tensor([[0, *(model.all_words.index(word) for word in COPY_TEXT.split())]])
    run = model.run(ids)
    for layer, head in zip(captured.layers, run.heads, strict=True):
        trace = trace_attention(layer.inputs(0), layer.options(0))
        assert trace.options.mask == CausalMask()
        assert trace.scale == pytest.approx(1 / 8)
        torch.testing.assert_close(trace.weights.float(), head.weights[0], atol=1e-6, rtol=0)
        assert trace.output is not None
        torch.testing.assert_close(trace.output.float(), head.output[0], atol=1e-5, rtol=0)
    assert captured.check.way is CaptureWay.OWN
    assert captured.check.largest_difference is not None
    assert 0.0 < captured.check.largest_difference < 1e-6
    assert captured.check.unexplained == (0.0, 0.0)


def test_the_heads_do_what_the_lesson_says(model: CopyModel) -> None:
    captured = model.capture(COPY_TEXT)
    first, second = (trace_attention(layer.inputs(0), layer.options(0)).weights for layer in captured.layers)
    labels = [token.label for token in captured.tokens]
    assert labels == ["<s>", *COPY_TEXT.split()]
    assert float(first.diagonal(-1).min()) > 0.9  # the previous word, from every word of a short text
    assert int(second[-1].argmax()) == labels.index("fox")  # what followed the earlier copy
    assert float(second[-1].max()) > 0.7


def test_tokens_know_where_they_stand(model: CopyModel) -> None:
    captured = model.capture("  Red\tfox \n JUMPS")
    assert [token.label for token in captured.tokens] == ["<s>", "red", "fox", "jumps"]
    assert [captured.text[token.start : token.end] for token in captured.tokens] == [
        "",
        "Red",
        "fox",
        "JUMPS",
    ]
    assert [token.word for token in captured.tokens] == [None, 0, 1, 2]
    assert [token.is_special for token in captured.tokens] == [True, False, False, False]


def test_without_its_first_head_the_guess_is_lost(model: CopyModel) -> None:
    captured = model.capture(COPY_TEXT, switched_off=frozenset({FIRST}))
    assert captured.switched_off == {FIRST}
    assert captured.next_tokens[0].probability < 0.3
    on = model.capture(COPY_TEXT)
    # the first head still looks; what it hands on is missing, so the second one looks elsewhere
    torch.testing.assert_close(captured.layers[0].Q, on.layers[0].Q)
    assert not torch.allclose(captured.layers[1].Q, on.layers[1].Q)


def test_progress_is_told_and_may_end_the_capture(model: CopyModel) -> None:
    shares: list[float] = []
    model.capture(COPY_TEXT, step=shares.append)
    assert shares == [0.5, 1.0]

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.capture(COPY_TEXT, step=stop)


def test_the_longest_text_is_taken(model: CopyModel) -> None:
    text = " ".join(["red", "fox"] * 24)[: -len(" fox")]
    assert len(text.split()) == MOST_WORDS
    captured = model.capture(text)
    assert len(captured.tokens) == POSITIONS
    assert captured.next_tokens[0].label == "fox"
    cost = model.cost(text)
    kept = sum(
        part.numel() * 4 for layer in captured.layers for part in (layer.Q, layer.K, layer.V, layer.X_q)
    )
    assert (cost.tokens, cost.kept_bytes, cost.most_tokens) == (POSITIONS, kept, POSITIONS)
    assert cost.kept_bytes < cost.bytes < 1_000_000


# what it refuses


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no word"),
        (" \t\n", "no word"),
        ("red elephant", "“elephant”"),
        ("red, fox", "“red,”"),
        ("红 狐狸", "“红”"),
        ("<s> red", "“<s>”"),
        ("red " * 48, "48 words"),
        ("red " * 10_000, "10000 words"),
    ],
)
def test_a_text_it_cannot_read_is_refused(model: CopyModel, text: str, said: str) -> None:
    for attempt in (model.capture, model.cost):
        with pytest.raises(Refusal) as caught:
            attempt(text)
        assert said in str(caught.value)


def test_an_unknown_word_is_told_which_words_are_known(model: CopyModel) -> None:
    with pytest.raises(Refusal) as caught:
        model.capture("red elephant")
    named = str(caught.value)
    assert "61" in named
    assert sum(f" {word}," in named or f" {word} for" in named for word in model.words) == 6
    assert "Copy machine" in named


def test_a_second_text_is_refused(model: CopyModel) -> None:
    assert not model.takes_pairs
    with pytest.raises(Refusal, match="one sequence"):
        model.capture("red fox", "red")


@pytest.mark.parametrize("place", [(2, 0), (0, 1), (-1, 0)])
def test_a_head_it_has_not_cannot_be_switched_off(model: CopyModel, place: tuple[int, int]) -> None:
    with pytest.raises(Refusal, match=f"L{place[0] + 1} H{place[1] + 1}"):
        model.capture("red fox", switched_off=frozenset({place}))


# the file


def test_the_file_says_what_it_is(model: CopyModel) -> None:
    with safe_open(COPY_MODEL_PATH, framework="pt") as file:
        notes = json.loads(file.metadata()["copy_model"])
    assert notes["licence"] == "MIT"
    assert "artificial sequences" in notes["label"]
    assert notes["words"] == list(model.all_words) == list(copy_words())
    assert notes["measured"]["accuracy"] > 0.98
    assert (notes["seed"], notes["steps"]) == (1, 3000)
    assert len(model.words) == len(set(model.words)) == 61
    assert COPY_MODEL_PATH.stat().st_size < 200_000


def test_its_sum_is_the_one_the_program_knows(model: CopyModel) -> None:
    assert model.facts.sha256 == hashlib.sha256(COPY_MODEL_PATH.read_bytes()).hexdigest()
    assert model.facts.is_verified
    assert "artificial sequences" in str(model.facts.note)
