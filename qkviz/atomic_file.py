"""Files that are either written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target`` that replaces it when the block ends without an error.

    The old file stays as it was after any failure, and no temporary file stays behind. The suffix is kept,
    because writers choose their format by it.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    handle, name = tempfile.mkstemp(prefix=f".{target.stem[:40]}-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        # mkstemp makes the file private; give it the rights a plain open() would have given
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
