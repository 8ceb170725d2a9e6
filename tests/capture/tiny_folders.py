"""Folders as people have them on their disk: config, tokenizer and weights, all of them tiny."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from qkviz.capture.transformers_library import transformers_library

WORDS = ["she", "sat", "sit", "##ing", "on", "the", "bank", "of", "river", "water", "行", "河", ":"]
"""All that the tokenizers know, beside their special tokens."""

_SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}


def bert_folder(folder: Path) -> None:
    """Save a BERT of 2 layers, 4 heads and 24 positions, which takes pairs."""
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    names = {"unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]"}
    tokenizer = _tokenizer(specials, names, "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1")
    config = transformers_library().BertConfig(
        vocab_size=len(specials) + len(WORDS), max_position_embeddings=24, **_SIZES
    )
    _save(folder, config, tokenizer)


def causal_folder(folder: Path) -> None:
    """Save a Llama, whose tokenizer adds nothing and that takes no pairs."""
    specials = ["<unk>", "<s>", "</s>"]
    names = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    config = transformers_library().LlamaConfig(
        vocab_size=len(specials) + len(WORDS), max_position_embeddings=16384, num_key_value_heads=2, **_SIZES
    )
    _save(folder, config, _tokenizer(specials, names, None, None))


def pair_folder(folder: Path) -> None:
    """Save a T5, an encoder and a decoder, whose tokenizer ends a text with </s>."""
    specials = ["<pad>", "</s>", "<unk>"]
    names = {"unk_token": "<unk>", "eos_token": "</s>", "pad_token": "<pad>"}
    config = transformers_library().T5Config(
        vocab_size=len(specials) + len(WORDS),
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
    )
    _save(folder, config, _tokenizer(specials, names, "$A </s>", "$A </s> $B </s>"))


def _save(folder: Path, config: Any, tokenizer: Any) -> None:
    torch.manual_seed(0)
    model = transformers_library().AutoModel.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(6.0 if parameter.ndim > 1 else 1.0)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _tokenizer(specials: list[str], names: dict[str, str], one: str | None, two: str | None) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = [*specials, *WORDS]
    numbers = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token=names["unk_token"]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if one is not None:
        used = [(special, numbers[special]) for special in specials]
        tokenizer.post_processor = processors.TemplateProcessing(single=one, pair=two, special_tokens=used)
    return transformers_library().PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
