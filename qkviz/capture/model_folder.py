"""A folder with a model, looked at before transformers is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qkviz.capture.minilm import NAMES_BY_SUM
from qkviz.capture.weight_files import SINGLE, sum_of, weight_files
from qkviz.translate import Phrase, Refusal

_CONFIG = "config.json"
_TOKENIZERS = (
    "tokenizer.json",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "vocab.txt",
    "vocab.json",
)
_OWN_CODE = "auto_map"
_TOKENIZER_CONFIG = "tokenizer_config.json"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a folder says of the model in it.

    Parameters
    ----------
    path
        The folder.
    config
        What its config.json says.
    weights
        The safetensors files, each of them whole.
    remarks
        What the user should know, one sentence each.
    """

    path: Path
    config: dict[str, Any]
    weights: tuple[Path, ...]
    remarks: tuple[Phrase, ...]

    @property
    def model_type(self) -> str:
        """How transformers calls the architecture ("bert")."""
        return str(self.config.get("model_type", ""))

    @property
    def brings_code(self) -> bool:
        """Whether the model wants code of its folder to be run; it never is."""
        return _OWN_CODE in self.config

    def licence(self) -> str:
        """Return the licence that the model card names; empty if it names none."""
        try:
            card = (self.path / "README.md").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        head = card.split("---", 2)[1] if card.startswith("---") and card.count("---") > 1 else ""
        lines = (line.partition(":") for line in head.splitlines())
        return next((value.strip() for name, _colon, value in lines if name == "license"), "")

    def sha256(self) -> str:
        """Return the sum of the weights; empty if they are in several files."""
        return sum_of(self.weights[0]) if len(self.weights) == 1 else ""


def checked_folder(path: Path) -> ModelFolder:
    """Look at a folder with a model. No weights are read and no code in it is run.

    Raises
    ------
    Refusal
        If it is no folder, if it lacks the config, the tokenizer or the weights, or if one of them cannot be
        used; says what to do.
    """
    if not path.is_dir():
        raise Refusal("There is no folder “{folder}”.", folder=path)
    weights = weight_files(path)
    missing = _missing(path, weights)
    if missing:
        raise Refusal(
            "“{folder}” is no folder of a model: {missing} is missing. "
            "Choose the folder that has config.json, tokenizer.json and model.safetensors.",
            folder=path.name,
            missing=", ".join(missing),
        )
    config = _config(path / _CONFIG)
    with_code = [name for name in (_CONFIG, _TOKENIZER_CONFIG) if _brings_code(path / name)]
    own_code = Phrase(
        "The model brings code of its own ({name} in {file}); it was not run.",
        name=_OWN_CODE,
        file=", ".join(with_code),
    )
    return ModelFolder(path, config, weights, (own_code,) if with_code else ())


def known_name(sha256: str) -> str:
    """Return the name that this program knows for weights of that sum; empty: none."""
    return NAMES_BY_SUM.get(sha256, "")


def _missing(path: Path, weights: tuple[Path, ...]) -> list[str]:
    missing = [] if (path / _CONFIG).is_file() else [_CONFIG]
    if not any((path / name).is_file() for name in _TOKENIZERS):
        missing.append(_TOKENIZERS[0])
    return missing if weights else [*missing, SINGLE]


def _brings_code(file: Path) -> bool:
    return file.is_file() and _OWN_CODE in _config(file)


def _config(file: Path) -> dict[str, Any]:
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refusal("{file} is damaged; download it again.", file=file.name) from error
    if not isinstance(config, dict):
        raise Refusal("{file} is damaged; download it again.", file=file.name)
    return config
