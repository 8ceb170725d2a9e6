"""Models with a few random numbers, of every architecture that the capture is tried on. No download."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkviz.capture.network import EAGER, Network
from qkviz.capture.transformers_library import transformers_library

_BERT = {
    "vocab_size": 99,
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 96,
    "max_position_embeddings": 64,
}
_GROUPED = _BERT | {
    "num_key_value_heads": 2,
    "head_dim": 16,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_GPT2 = {
    "vocab_size": 99,
    "n_embd": 64,
    "n_layer": 3,
    "n_head": 4,
    "n_positions": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
_PAIR = {
    "vocab_size": 99,
    "d_model": 64,
    "encoder_layers": 3,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
}
_WINDOW = {"sliding_window": 4}

BY_INTERFACE: dict[str, tuple[str, dict[str, Any]]] = {
    "BERT": ("Bert", _BERT),
    "RoBERTa": ("Roberta", _BERT),
    "XLM-R": ("XLMRoberta", _BERT),
    "DistilBERT": (
        "DistilBert",
        {"vocab_size": 99, "dim": 64, "n_layers": 3, "n_heads": 4, "hidden_dim": 96},
    ),
    "ELECTRA": ("Electra", _BERT | {"embedding_size": 32}),
    "ALBERT": ("Albert", _BERT | {"embedding_size": 32}),
    "ModernBERT": ("ModernBert", _BERT | {"local_attention": 4, "pad_token_id": 0}),
    "GPT-2": ("GPT2", _GPT2),
    "GPT-2, scaled by layer": ("GPT2", _GPT2 | {"scale_attn_by_inverse_layer_idx": True}),
    "GPT-2, upcast": ("GPT2", _GPT2 | {"reorder_and_upcast_attn": True}),
    "GPT-NeoX": ("GPTNeoX", _BERT),
    "Phi": ("Phi", _BERT),
    "Phi-3": ("Phi3", _GROUPED),
    "OLMo 2": ("Olmo2", _GROUPED),
    "SmolLM3": ("SmolLM3", _GROUPED),
    "OPT": ("OPT", _BERT | {"ffn_dim": 96, "word_embed_proj_dim": 64, "pad_token_id": 0}),
    "Llama": ("Llama", _GROUPED),
    "Llama, one key head": ("Llama", _GROUPED | {"num_key_value_heads": 1}),
    "Llama, odd head": ("Llama", _GROUPED | {"head_dim": 10}),
    "Qwen 2": ("Qwen2", _GROUPED),
    "Qwen 3": ("Qwen3", _GROUPED),
    "Mistral": ("Mistral", _GROUPED | _WINDOW),
    "Gemma 2": ("Gemma2", _GROUPED | _WINDOW | {"attn_logit_softcapping": 5.0, "query_pre_attn_scalar": 16}),
    "Gemma 3": ("Gemma3Text", _GROUPED | _WINDOW | {"query_pre_attn_scalar": 16}),
    "GPT-OSS": ("GptOss", _GROUPED | _WINDOW | {"num_local_experts": 2, "num_experts_per_tok": 1}),
    "Qwen 3 Next": (
        "Qwen3Next",
        _GROUPED
        | {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
        | {"shared_expert_intermediate_size": 32, "linear_num_value_heads": 4, "linear_num_key_heads": 2}
        | {"linear_key_head_dim": 16, "linear_value_head_dim": 16}
        | {"layer_types": ["linear_attention", "full_attention", "full_attention"]},
    ),
    "DeepSeek V3": (
        "DeepseekV3",
        _BERT
        | {"num_key_value_heads": 4, "q_lora_rank": 16, "kv_lora_rank": 16, "qk_rope_head_dim": 8}
        | {"qk_nope_head_dim": 8, "v_head_dim": 12, "n_routed_experts": 4, "num_experts_per_tok": 2}
        | {"n_group": 1, "topk_group": 1, "moe_intermediate_size": 32, "first_k_dense_replace": 1},
    ),
    "T5": ("T5", {"vocab_size": 99, "d_model": 64, "d_kv": 16, "d_ff": 96, "num_layers": 3, "num_heads": 4}),
    "BART": ("Bart", _PAIR),
    "Marian": ("Marian", _PAIR),
}
"""Name; class of transformers and arguments of its config: models whose attention it can exchange."""

BY_WATCHING: dict[str, tuple[str, dict[str, Any]]] = {
    "MPNet": ("MPNet", _BERT),
    "DeBERTa": (
        "DebertaV2",
        _BERT | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 8},
    ),
    "BLOOM": ("Bloom", {"vocab_size": 99, "hidden_size": 64, "n_layer": 3, "n_head": 4}),
    "Falcon": ("Falcon", _BERT | {"multi_query": True, "bos_token_id": 1, "eos_token_id": 2}),
    "GPT-Neo": (
        "GPTNeo",
        {"vocab_size": 99, "hidden_size": 64, "num_layers": 2, "num_heads": 4, "window_size": 4}
        | {"attention_types": [[["global", "local"], 1]], "max_position_embeddings": 64}
        | {"bos_token_id": 1, "eos_token_id": 2},
    ),
    "XGLM": ("XGLM", {"vocab_size": 99, "d_model": 64, "ffn_dim": 96, "num_layers": 3, "attention_heads": 4}),
    "MPT": ("Mpt", {"vocab_size": 99, "d_model": 64, "n_heads": 4, "n_layers": 3}),
    "RoFormer": ("RoFormer", _BERT),
    "XLNet": ("XLNet", {"vocab_size": 99, "d_model": 64, "n_layer": 3, "n_head": 4, "d_inner": 96}),
}
"""The same of models with attention code of their own."""

WIDER = 6.0
"""What the random weights are multiplied by, or all rows would be nearly uniform and every mistake small."""

TOKENS = 9


def tiny_network(name: str) -> Network:
    """Return the model of that name with random weights that are the same every time."""
    library = transformers_library()
    kind, choices = (BY_INTERFACE | BY_WATCHING)[name]
    config = getattr(library, f"{kind}Config")(**choices)
    torch.manual_seed(0)
    module = library.AutoModel.from_config(config, attn_implementation=EAGER).eval().requires_grad_(False)
    with torch.no_grad():
        for place, parameter in module.named_parameters():
            if parameter.ndim > 1:
                parameter.mul_(WIDER)
            elif place.endswith("sinks"):
                parameter.uniform_(0.0, 3.0)
    module.config.use_cache = False
    return Network(module)


def one_text(network: Network) -> dict[str, Tensor]:
    """Return the arguments for one text of `TOKENS` tokens; a decoder gets two less."""
    torch.manual_seed(1)
    arguments = {
        "input_ids": torch.randint(5, 99, (1, TOKENS)),
        "attention_mask": torch.ones(1, TOKENS, dtype=torch.long),
    }
    if network.has_decoder:
        arguments["decoder_input_ids"] = torch.randint(5, 99, (1, TOKENS - 2))
    return arguments


def padded_texts(network: Network) -> dict[str, Tensor]:
    """Return the arguments for two texts, the first three tokens shorter and padded at its end."""
    first = one_text(network)
    texts = {name: torch.cat((values, values.flip(1))) for name, values in first.items()}
    texts["attention_mask"][0, -3:] = 0
    return texts
