"""Ready scripts: short experiments in plain PyTorch, shipped as files that run as they are."""

from __future__ import annotations

from qkviz.presenters.code import CodeContent
from qkviz.resources import resource_path


def present_experiments(language: str) -> tuple[CodeContent, ...]:
    """Return the experiments in a language, "zh" or "en", in their order.

    The first line of a file, a comment, is its title. A file added to the folder is an experiment more.
    """
    return tuple(
        CodeContent(text.partition("\n")[0].removeprefix("# "), text, path.name)
        for path in sorted(resource_path("experiments", language).glob("*.py"))
        for text in [path.read_text(encoding="utf-8")]
    )
