"""The library transformers, imported when a model is opened, told to stay offline and silent."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from qkviz.capture.recorder import register
from qkviz.translate import Refusal

_SWITCHES = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
}
"""Read once, while the library is being imported."""

_lock = threading.Lock()


def transformers_library() -> Any:
    """Return the module transformers, with our way of recording registered. The first call takes seconds.

    Raises
    ------
    Refusal
        If it is not installed.
    """
    with _lock:
        os.environ.update(_SWITCHES)
        try:
            import transformers  # noqa: PLC0415 -- takes seconds, and not everybody has it
            from transformers import masking_utils  # noqa: F401, PLC0415 -- an attribute once it is imported
        except ImportError as error:
            raise Refusal(
                "The package transformers is not installed; it opens models: {command}.",
                command="pip install 'qkviz[models]'",
            ) from error
        library: Any = transformers  # its annotations are incomplete
        library.utils.logging.set_verbosity(logging.CRITICAL)
        library.utils.logging.disable_progress_bar()
        register(library)
        return library
