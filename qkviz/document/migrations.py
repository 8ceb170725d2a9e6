"""From the format of an older document file to the present one, one number at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qkviz.document.container import Container
from qkviz.translate import Refusal

FORMAT = 2
"""Number of the present format. It grows when an older program would misread the file."""

Entries = dict[str, object]
Migration = Callable[[Entries, Container], tuple[Entries, Container]]


def _unchanged(entries: Entries, container: Container) -> tuple[Entries, Container]:
    """Take a file as it is: the newer format only adds what an older program would leave out."""
    return entries, container


MIGRATIONS: Mapping[int, Migration] = {1: _unchanged}  # 2: soft cap, bias and sink; X beside Q; captures
"""From format n to n + 1, by n. Every number below `FORMAT` has its step, and a file in tests/data."""


def migrated(
    entries: Entries,
    container: Container,
    steps: Mapping[int, Migration] = MIGRATIONS,
    newest: int = FORMAT,
) -> tuple[Entries, Container]:
    """Return entries and tensors in the format ``newest``.

    Raises
    ------
    Refusal
        If there is no number of a format, or one that this program does not know yet.
    """
    number = entries.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Refusal("Its number of the format is missing or damaged.")
    if number > newest:
        raise Refusal(
            "It was written by a newer qkviz (format {number}; this one reads up to {newest}): update qkviz.",
            number=number,
            newest=newest,
        )
    for step in range(number, newest):
        entries, container = steps[step](entries, container)
    return entries | {"format": newest}, container
