r"""Formulas in words: what a screen reader says, and what stands where nothing can be drawn.

The part of LaTeX that the program's formulas use, and ``\query{…}``, ``\key{…}``, ``\embedding{…}``,
``\weight{…}``, which set their content in the colour of that role.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from qkviz.lessons.formula_text import pieces_of
from qkviz.presenters.runs import Line, Run, Tone

TONES: tuple[Tone, ...] = ("query", "key", "embedding", "weight")

USUAL = (
    r"S_{ij} = \query{q_i} \cdot \key{k_j}",
    r"Z_{ij} = S_{ij} / \sqrt{d_k}",
    r"\weight{A_{ij}} = e^{Z_{ij}} / \sum\nolimits_l e^{Z_{il}}",
    r"\query{q_i} = \embedding{x_i} \query{W_Q}",
    r"\key{k_j} = \embedding{x_j} \key{W_K}",
    r"\embedding{x_i} \cdot \embedding{x_j}",
)
"""Those that most documents need: worth typesetting before they are asked for."""

_TOKEN = re.compile(r"\\text\{[^{}]*\}|\\[A-Za-z]+|\\.|\S")
_ENDS_IN_NAME = re.compile(r"[_^]\w+$|(max|min|log|exp)$")
_GROUPS = (*TONES, "mathrm", "operatorname", "mathbf", "mathbb")
_NOTHING = ("left", "right", "!", "displaystyle", "limits", "nolimits")
_SIGNS = {
    "cdot": " · ", "times": " × ", "pm": " ± ", "top": "ᵀ", "sum": "Σ", "prod": "∏", "lVert": "‖",
    "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ",
    "neq": " ≠ ", "approx": " ≈ ", "in": " ∈ ", "to": " → ", "sim": " ∼ ", "infty": "∞", "partial": "∂",
    "quad": "   ", "qquad": "    ", ",": " ", ";": " ", ":": " ",
    " ": " ", "{": "{", "}": "}", "|": "‖", "dots": "…", "cdots": "…", "ldots": "…",
    "alpha": "α", "beta": "β", "delta": "δ", "Delta": "Δ", "varepsilon": "ε", "theta": "θ", "lambda": "λ",
    "mu": "μ", "sigma": "σ", "tau": "τ", "max": "max", "min": "min", "arg": "arg ", "exp": "exp",
    "log": "log", "cos": "cos", "sin": "sin", "tanh": "tanh",
}  # fmt: skip
_RAISED = {"2": "²", "3": "³", "−1": "⁻¹", "+": "⁺", "ᵀ": "ᵀ"}
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@lru_cache(256)
def formula_words(latex: str) -> str:
    r"""Return a formula as one line of text: ``\frac{q_i \cdot k_j}{\sqrt{d_k}}`` as ``(q_i · k_j)/√d_k``."""
    tokens = iter(_TOKEN.findall(latex))
    return re.sub(r" {2,}(?! )", " ", _sequence(tokens, end="")).strip()


def runs_of(text: str, tone: Tone = "plain", **values: object) -> Line:
    """Return a text with ``$formulas$`` as runs.

    Parameters
    ----------
    text
        Its words may have ``{names}``; braces inside formulas are LaTeX's own.
    tone
        Of all runs.
    values
        What stands for the names; as it is, a dollar sign in it too.
    """
    return tuple(
        formula_run(piece.text, tone)
        if piece.is_formula
        else Run(piece.text.format_map(values) if values else piece.text, tone)
        for piece in pieces_of(text)
    )


def formula_run(latex: str, tone: Tone = "plain") -> Run:
    """Return a formula that is drawn, with its words."""
    return Run(formula_words(latex), tone, latex)


def _sequence(tokens: Iterator[str], end: str) -> str:
    words = ""
    for token in tokens:
        if token == end:
            break
        word = "−" if token == "-" and not words else _one(token, tokens)
        # x_i W would otherwise be read as x with the index iW, and min S as one word
        is_apart = word[:1].isalpha() and word[0] != "ᵀ" and _ENDS_IN_NAME.search(words)
        words += f" {word}" if is_apart else word
    return words


def _one(token: str, tokens: Iterator[str]) -> str:
    """Return what ``token``, and what it takes from ``tokens``, is in words."""
    if token == "{":
        return _sequence(tokens, end="}")
    if token == "^":
        raised = _argument(tokens)
        return _RAISED.get(raised, f"^{_enclosed(raised)}")
    if token == "_":
        lowered = _argument(tokens)
        return lowered.translate(_LOWERED) if lowered.isdigit() else f"_{_enclosed(lowered)}"
    if not token.startswith("\\"):
        return _plain(token)
    if token.startswith("\\text{"):
        return token[len("\\text{") : -1]
    name = token[1:]
    if name in ("frac", "tfrac", "dfrac"):
        above, below = _argument(tokens), _argument(tokens)
        return "½" if (above, below) == ("1", "2") else f"{_enclosed(above)}/{_enclosed(below)}"
    if name == "sqrt":
        return f"√{_enclosed(_argument(tokens))}"
    if name in _GROUPS:
        return _argument(tokens)
    return "" if name in _NOTHING else _SIGNS.get(name, name)


def _argument(tokens: Iterator[str]) -> str:
    token = next(tokens, "")
    return _one(token, tokens).strip() if token else ""


def _enclosed(words: str) -> str:
    """Return ``words`` in parentheses where they are more than one name."""
    return words if re.fullmatch(r"√?[^\W_]*(_\w+)?[ᵀ²]?|[\d.]+|.", words) else f"({words})"


def _plain(token: str) -> str:
    return {"-": " − ", "+": " + ", "=": " = ", "~": " ", ",": ", ", "<": " < ", ">": " > "}.get(token, token)
