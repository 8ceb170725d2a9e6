"""A Python prompt and a Jupyter kernel in processes of their own, driven line by line."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).resolve().parent.parent.parent

PATIENCE = 90.0

FUNCTIONS = """
def has_session():
    return w._shown.window.commands is not None

def edit(value):
    from qkviz.document.edits import EditableMatrix, SetCell
    w._shown.window.commands.apply(SetCell(EditableMatrix.Q, 0, 0, value))

def discard():
    from PySide6.QtWidgets import QApplication, QMessageBox
    for box in QApplication.topLevelWidgets():
        if isinstance(box, QMessageBox) and box.isVisible():
            box.button(QMessageBox.StandardButton.Discard).click()

"""
"""For the other side: a change as the panels make it, and the answer to the question at the end."""


class Side(Protocol):
    """Something that evaluates Python."""

    def run(self, code: str) -> None:
        """Execute statements."""

    def value(self, expression: str) -> str:
        """Return the ``repr`` of an expression."""


def wait_for(side: Side, expression: str, wanted: str = "True") -> None:
    """Ask again and again, leaving the other side free in between, until it answers what is wanted."""
    deadline = time.monotonic() + PATIENCE
    pause = threading.Event()
    while (said := side.value(expression)) != wanted:
        assert time.monotonic() < deadline, f"{expression} stays {said}"
        pause.wait(0.1)  # the other process handles its events meanwhile


def environment(folder: Path, **more: str) -> Mapping[str, str]:
    """Return the variables of a process with its own settings and state."""
    own = {"QKVIZ_CONFIG_DIR": str(folder), "QKVIZ_STATE_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, "WAYLAND_DISPLAY": "", "LC_ALL": "C.UTF-8", "LANGUAGE": "en", **more}


class Prompt:
    """``python -i``, whose lines come through a pipe."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-i", "-q", "-u"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=variables, cwd=ROOT,
        )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def run(self, code: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"exec({code!r})\n")
        self.process.stdin.flush()

    def value(self, expression: str) -> str:
        self.run(f"print('=', repr({expression}))")
        return self._lines.get(timeout=PATIENCE).removeprefix("= ")

    def end(self) -> tuple[int, str]:
        """Leave the prompt, and return exit code and what was complained of."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        said = self.process.stderr.read().replace(">>> ", "").replace("... ", "")
        return code, said.strip()

    def kill(self) -> None:
        """End the process, however it is."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


class Kernel:
    """A kernel of Jupyter and its client."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def run(self, code: str) -> None:
        said = self._executed(code, {})
        assert said["status"] == "ok", "\n".join(said.get("traceback", []))

    def value(self, expression: str) -> str:
        said = self._executed("", {"value": expression})["user_expressions"]["value"]
        return str(said["data"]["text/plain"] if said["status"] == "ok" else said["evalue"])

    def display(self, expression: str) -> Mapping[str, object]:
        """Return what the notebook would show of an expression, by its type."""
        said = self._executed("", {"value": expression})["user_expressions"]["value"]
        return dict(said["data"])

    def _executed(self, code: str, expressions: Mapping[str, str]) -> dict:  # type: ignore[type-arg]
        request = self._client.execute(code, user_expressions=dict(expressions), store_history=False)
        deadline = time.monotonic() + PATIENCE
        while True:
            reply = self._client.get_shell_msg(timeout=deadline - time.monotonic())
            if reply["parent_header"].get("msg_id") == request:
                return dict(reply["content"])


@contextmanager
def prompt(variables: Mapping[str, str]) -> Iterator[Prompt]:
    """Hold a Python prompt."""
    side = Prompt(variables)
    try:
        yield side
    finally:
        side.kill()


@contextmanager
def kernel(variables: Mapping[str, str]) -> Iterator[Kernel]:
    """Hold a kernel of this Python."""
    manager = KernelManager()
    manager.start_kernel(env=dict(variables), cwd=str(ROOT))
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
