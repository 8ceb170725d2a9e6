"""Every block of code in docs/guide/from_python.md runs as it stands there, from top to bottom."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.api.sessions import environment

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guide" / "from_python.md"

WRITTEN = ["attention.py", "both.svg", "cat.qkviz", "noise.png", "plane.png", "weights.csv", "weights.pdf"]

PROMPT = "import sys\nsys.ps1 = '>>> '\nsys.stdin = open(__file__)\n"
"""A prompt of an editor: the window of the page then runs in a process of its own, and nothing waits."""


def test_every_block_of_the_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 5
    script = tmp_path / "script.py"
    script.write_text(PROMPT + "\n".join(blocks), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env=environment(tmp_path / "own", QT_QPA_PLATFORM="offscreen"),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    # the sentence behind the last print is what is printed
    assert ran.stdout.strip() in blocks[-1].split("print(refusal)  # ")[1]
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix and path != script) == WRITTEN
    rows = np.genfromtxt(tmp_path / "weights.csv", delimiter=",", skip_header=1)[:, 1:]
    assert np.allclose(rows.sum(axis=1), 1)
    assert (np.triu(rows, 1) == 0).all()
