"""A window from Python: from a script, a plain prompt, IPython and Jupyter."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from qkviz.api.arrays import make_document
from qkviz.attention.masks import Mask
from qkviz.document.document import Document
from qkviz.document.focus import LAST_STEP, Focus
from qkviz.qt_start import display_problem, installation_problem
from qkviz.translate import Refusal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

FIRST_FOCUS = Focus(step=LAST_STEP, query=0, key=0)
"""A pinned pair, so that plane, steps and row have something to show."""


class ShownWindow(Protocol):
    """The handle of a window that `show` has opened."""

    @property
    def document(self) -> Document:
        """What the window shows now, with everything the user changed; the last state once it is closed."""

    @property
    def is_open(self) -> bool:
        """Whether the window is there."""

    def wait(self) -> None:
        """Block until the user has closed the window.

        Raises
        ------
        KeyboardInterrupt
            At Ctrl+C; the window stays.
        """

    def close(self) -> None:
        """Close the window. Where something is unsaved, it asks the user first."""


def show(
    document: Document | None = None,
    /,
    *,
    Q: ArrayLike | None = None,
    K: ArrayLike | None = None,
    V: ArrayLike | None = None,
    X: ArrayLike | None = None,
    X_k: ArrayLike | None = None,
    W_Q: ArrayLike | None = None,
    W_K: ArrayLike | None = None,
    W_V: ArrayLike | None = None,
    scores: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    mask: Mask | str | ArrayLike | None = None,
    scale: float | None = None,
    block: bool | None = None,
) -> ShownWindow:
    """Open a window on your own matrices.

    In a script the window runs in the process of the script, which goes on when it is closed. At a Python
    prompt, and in IPython or Jupyter after ``%gui qt``, it runs beside the prompt in the same process. In
    Jupyter without ``%gui qt``, in a script with ``block=False``, and wherever Qt is taken by something else,
    it runs in a process of its own that is given the document through a temporary file. The handle is alike.

    Parameters
    ----------
    document
        A document of `make_document` or `open`, instead of matrices.
    Q, K, V, X, X_k, W_Q, W_K, W_V, scores, weights, tokens, key_tokens, mask, scale
        As for `make_document`.
    block
        Whether to return only when the window has been closed; left out, in a script and not at a prompt.

    Returns
    -------
    ShownWindow
        Its ``document`` is what the user has made of yours.

    Raises
    ------
    Refusal
        If the matrices do not go together (both shapes are named), or no window can be opened here.
    """
    given = {
        "Q": Q, "K": K, "V": V, "X": X, "X_k": X_k, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "scores": scores,
        "weights": weights, "tokens": tokens, "key_tokens": key_tokens, "mask": mask, "scale": scale,
    }  # fmt: skip
    if document is None:
        document = make_document(
            Q=Q, K=K, V=V, X=X, X_k=X_k, W_Q=W_Q, W_K=W_K, W_V=W_V, scores=scores, weights=weights,
            tokens=tokens, key_tokens=key_tokens, mask=mask, scale=scale,
        )  # fmt: skip
    elif any(value is not None for value in given.values()):
        raise Refusal("Give a document or matrices, not both.")
    problem = installation_problem(os.environ) or display_problem(os.environ)
    if problem is not None:
        raise Refusal("{problem}", problem=problem)
    if block is None:
        block = not _at_a_prompt()
    window = _open_here(document) if _runs_here(block) else _open_elsewhere(document)
    if block:
        window.wait()
    return window


def _open_here(document: Document) -> ShownWindow:
    from qkviz.api.window_here import WindowHere  # noqa: PLC0415  loads Qt

    return WindowHere(document, FIRST_FOCUS)


def _open_elsewhere(document: Document) -> ShownWindow:
    from qkviz.api.window_elsewhere import WindowElsewhere  # noqa: PLC0415  not needed for the other way

    return WindowElsewhere(document, FIRST_FOCUS)


def _at_a_prompt() -> bool:
    return _ipython() is not None or hasattr(sys, "ps1") or bool(sys.flags.interactive)


def _ipython() -> object | None:
    """Return the shell of IPython or of a kernel, if this process is one."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def _runs_here(block: bool) -> bool:
    """Decide whether the window can live in this process: somebody has to run Qt's events here."""
    if threading.current_thread() is not threading.main_thread() or _has_other_binding():
        return False
    shell = _ipython()
    if shell is not None:
        has_loop = str(getattr(shell, "active_eventloop", None) or "").startswith("qt")
    elif _at_a_prompt():
        # Python's own prompt lets Qt run while it waits for a line; prompts of editors do not
        has_loop = block or sys.stdin is sys.__stdin__
    else:
        has_loop = block
    if "PySide6.QtCore" not in sys.modules:
        return has_loop
    from qkviz.api.window_here import may_share_application  # noqa: PLC0415  Qt is there

    return may_share_application(has_loop)


def _has_other_binding() -> bool:
    """Tell whether another binding has Qt in this process: two of them do not go together."""
    return any(f"{name}.QtCore" in sys.modules for name in ("PyQt6", "PyQt5", "PySide2"))
