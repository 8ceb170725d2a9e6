"""Record what the copy model does with the sequence of lesson 14 into resources/captures.

Usage: python -m tools.record_copy_model [FILE]. To be run after the model was trained anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from qkviz.attention.captured import Capture
from qkviz.attention.matrices import MatrixName
from qkviz.capture.copy_model import load_copy_model
from qkviz.capture.copy_model_file import COPY_TEXT
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.files import SavedDocument, write_document
from qkviz.document.focus import Focus
from qkviz.resources import resource_path

SECOND_LAYER = 1
LAST, AFTER_COPY = 7, 2
"""Where the last word and the word to be copied stand in the sequence, its start counted."""


def main() -> None:
    """Record it into a file."""
    torch.set_num_threads(1)  # sums in the same order on every machine
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else resource_path("captures", "copy_model.qkviz")
    model = load_copy_model()
    head = CapturedHead(Capture(model.facts, (model.capture(COPY_TEXT),)), 0, SECOND_LAYER, 0)
    focus = Focus(step=5, query=LAST, key=AFTER_COPY, matrices=(MatrixName.WEIGHTS,))
    write_document(SavedDocument(head_document(head), focus), path)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
