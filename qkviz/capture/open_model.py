"""Opens a model of the user's own: from a folder, without a network, without running what is in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import torch

from qkviz.attention.captured import ModelFacts
from qkviz.capture.free_memory import free_memory, megabytes
from qkviz.capture.model import Step, no_steps
from qkviz.capture.model_folder import ModelFolder, checked_folder, known_name
from qkviz.capture.network import EAGER, Network, first_line
from qkviz.capture.text_reader import TextReader
from qkviz.capture.transformers_library import transformers_library
from qkviz.capture.transformers_model import TransformersModel
from qkviz.capture.weight_files import count_of_numbers
from qkviz.translate import Refusal

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
"""Precisions that a model can be loaded in."""

_MOST_LAYERS = 1000
_LAYER_COUNTS = ("num_hidden_layers", "num_decoder_layers", "decoder_layers", "encoder_layers")

_SPARE = 1.15
"""Room for what loading takes beside the numbers themselves."""


def open_model(
    folder: Path,
    *,
    device: str = "cpu",
    dtype: str = "float32",
    device_map: str | None = None,
    step: Step = no_steps,
) -> TransformersModel:
    """Load the model in a folder, with its tokenizer; takes seconds, the first time more of them.

    Parameters
    ----------
    device
        Of torch: ``"cpu"``, ``"cuda"``, ``"cuda:1"``.
    dtype
        A key of `DTYPES`.
    device_map
        How to spread a large model over devices, as transformers takes it (``"auto"``); needs accelerate, and
        the device is then its affair.

    Raises
    ------
    Refusal
        If transformers is not installed, if there is no such device or precision, if the folder holds no
        model that can be loaded, or if the memory is too small for it.
    """
    if dtype not in DTYPES:
        raise Refusal("There is no precision “{name}”; choose {known}.", name=dtype, known=", ".join(DTYPES))
    checked_device(device)
    try:
        return _opened(folder, device, DTYPES[dtype], device_map, step)
    except OSError as error:  # no right to read it, or deleted in the midst
        raise Refusal(
            "{name} cannot be opened: {reason}",
            name=Path(error.filename or folder).name,
            reason=error.strerror or error,
        ) from error


def _opened(
    folder: Path, device: str, dtype: torch.dtype, device_map: str | None, step: Step
) -> TransformersModel:
    found = checked_folder(folder)
    step(0.05)
    library = transformers_library()
    step(0.3)
    _check_architecture(library, found)
    numbers = max(count_of_numbers(found.weights), _numbers_of(library, found))
    if device_map is None and torch.device(device).type == "cpu":
        _check_memory(numbers * dtype.itemsize)
    tokenizer = _loaded(library.AutoTokenizer, found)
    step(0.4)
    placed = {} if device_map is None else {"device_map": device_map}
    module, said = _loaded(
        library.AutoModel,
        found,
        dtype=dtype,
        use_safetensors=True,
        attn_implementation=EAGER,
        output_loading_info=True,
        ignore_mismatched_sizes=True,  # told below: what transformers raises tells to look at its own log
        **placed,
    )
    _check_fitting(said["mismatched_keys"])
    _check_complete(said["missing_keys"])
    step(0.8)
    module = module.eval().requires_grad_(requires_grad=False)
    module.config.use_cache = False
    network = Network(module if device_map is not None else module.to(device))
    if not network.takes_text:
        raise Refusal(
            "{architecture} takes no text; choose a model of language.", architecture=network.architecture
        )
    reader = TextReader(tokenizer, module.forward, network.most_tokens(), network.decoder_start())
    facts = _facts(found, network)
    step(1.0)
    return TransformersModel(network, reader, facts, found.remarks)


def checked_device(name: str) -> torch.device:
    """Return a device of torch that is there.

    Raises
    ------
    Refusal
        If there is none of that name.
    """
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise Refusal("There is no device “{name}”; choose cpu or cuda.", name=name) from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise Refusal("This machine has no device “{name}” that torch can use; choose cpu.", name=name)
    return device


def _check_architecture(library: Any, found: ModelFolder) -> None:
    if found.model_type in library.models.auto.configuration_auto.CONFIG_MAPPING_NAMES:
        return
    if found.brings_code:
        raise Refusal(
            "The architecture “{name}” is code in the model's folder, which is never run; "
            "choose a model that transformers knows.",
            name=found.model_type,
        )
    raise Refusal(
        "transformers {version} does not know the architecture “{name}”; choose another model.",
        version=library.__version__,
        name=found.model_type,
    )


def _numbers_of(library: Any, found: ModelFolder) -> int:
    """Count the numbers of the model that config.json describes, without room for a single one.

    transformers makes the model as config.json says, whatever the weights are: a slip there may ask for more
    memory than there is.
    """
    config = _loaded(library.AutoConfig, found)
    layers = max(int(getattr(config, name, 0) or 0) for name in _LAYER_COUNTS)
    if layers > _MOST_LAYERS:
        raise Refusal(
            "config.json asks for {count} layers, more than any model has; download the folder again.",
            count=layers,
        )
    try:
        with torch.device("meta"):
            module = library.AutoModel.from_config(config)
    except Exception as error:  # as above
        raise _not_loaded(found, error) from error
    return sum(parameter.numel() for parameter in module.parameters())


def _check_memory(size: int) -> None:
    free, need = free_memory(), int(size * _SPARE)
    if free is not None and need > free:
        raise Refusal(
            "The model needs {need} MB of memory, and {left} MB are left; close something, "
            "or load it as bfloat16.",
            need=megabytes(need),
            left=megabytes(free),
        )


def _loaded(maker: Any, found: ModelFolder, **choices: Any) -> Any:
    try:
        return maker.from_pretrained(
            str(found.path), local_files_only=True, trust_remote_code=False, **choices
        )
    except Exception as error:  # a damaged folder makes transformers raise nearly anything
        raise _not_loaded(found, error) from error


def _not_loaded(found: ModelFolder, error: Exception) -> Refusal:
    return Refusal(
        "The model in “{folder}” could not be loaded: {reason}",
        folder=found.path.name,
        reason=first_line(error),
    )


def _check_fitting(mismatched: Collection[tuple[str, Sequence[int], Sequence[int]]]) -> None:
    """Refuse weights of other shapes than config.json says; each comes with its shape and with that one."""
    if not mismatched:
        return
    name, given, wanted = min(mismatched)
    raise Refusal(
        "The weights do not fit config.json: {name} has the shape {given} instead of {wanted}; "
        "download the folder again.",
        name=name,
        given=" × ".join(map(str, given)),
        wanted=" × ".join(map(str, wanted)),
    )


def _check_complete(missing: Collection[str]) -> None:
    """Refuse weights that transformers would have made up; a pooler does not take part in attention."""
    lacking = sorted(name for name in missing if "pooler" not in name)
    if lacking:
        raise Refusal(
            "The weights lack {count} of the model's tensors, {name} for one; download the folder again.",
            count=len(lacking),
            name=lacking[0],
        )


def _facts(found: ModelFolder, network: Network) -> ModelFacts:
    sha256 = found.sha256()
    known = known_name(sha256)
    return ModelFacts(
        name=known or found.path.resolve().name,
        architecture=network.architecture,
        source=str(found.path),
        licence=found.licence(),
        sha256=sha256,
        is_verified=bool(known),
    )
