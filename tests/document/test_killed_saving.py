"""A process that is killed while it saves leaves the old file or the new one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

# One process loads the program and is forked for every moment: 50 starts would cost minutes. A child tells
# before and after each save, so that the parent can strike inside one.
KILL = """
import json, os, random, signal, sys, time
from pathlib import Path
import torch
torch.set_num_threads(1)
from qkviz.attention.inputs import DirectInputs
from qkviz.document.document import Document
from qkviz.document.files import SavedDocument, read_document, write_document

path, moments = Path(sys.argv[1]), random.Random(4)

def filled(value):
    Q = torch.full((300, 64), float(value), dtype=torch.float64)
    return SavedDocument(Document(("q",) * 300, ("k",) * 300, DirectInputs(Q, Q.clone())))

def save_for_ever(tell, number):
    while True:
        number += 1
        saved = filled(number)
        os.write(tell, b"(")
        write_document(saved, path)
        os.write(tell, b")")

start = time.perf_counter()
write_document(filled(0), path)
duration = time.perf_counter() - start
found, inside = [], 0
for moment in range(50):
    hear, tell = os.pipe()
    child = os.fork()
    if child == 0:
        save_for_ever(tell, 1000 * moment)
    os.close(tell)
    said = b""
    while said.count(b"(") < 2:
        said += os.read(hear, 1)
    strike = time.perf_counter() + moments.random() * duration
    while time.perf_counter() < strike:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(hear, 4096):
        said += more
    os.close(hear)
    begun, done = said.count(b"("), said.count(b")")
    inside += begun > done
    Q = read_document(path).document.inputs.Q
    assert (Q == Q[0, 0]).all()
    found.append([int(Q[0, 0]) - 1000 * moment, begun, done])
print(json.dumps({"found": found, "inside": inside}))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_fifty_moments_the_old_or_the_new_file_opens(tmp_path: Path) -> None:
    path = tmp_path / "文档 一.qkviz"
    ran = subprocess.run(
        [sys.executable, "-c", KILL, str(path)], cwd=ROOT,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert len(result["found"]) == 50
    for number, begun, done in result["found"]:
        assert number in (begun, done)
    assert result["inside"] >= 10, "the blows did not fall into saving"
