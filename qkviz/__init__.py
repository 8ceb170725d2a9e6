"""See why QKᵀ holds the relations between words.

From Python: `show` opens a window on your own matrices, `heatmap` and `export` make pictures and files
without one, `open` and `save` read and write documents, `make_document` and `trace_attention` compute. Each
is loaded when it is first used; importing qkviz loads neither Qt nor torch.
"""

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from qkviz.api.arrays import make_document
    from qkviz.api.document_files import open_document as open
    from qkviz.api.document_files import save_document as save
    from qkviz.api.picture import Picture
    from qkviz.api.pictures import export, heatmap
    from qkviz.api.windows import ShownWindow, show
    from qkviz.attention.trace import trace_attention
    from qkviz.document.document import Document
    from qkviz.translate import Refusal
else:

    def __getattr__(name: str) -> object:
        """Load a public name at its first use."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _PLACES[name].rsplit(".", 1)
        return getattr(importlib.import_module(module), attribute)

    def __dir__() -> list[str]:
        """Name what is there, loaded or not."""
        return sorted({*globals(), *_PLACES})


__all__ = [
    "Document",
    "Picture",
    "Refusal",
    "ShownWindow",
    "__version__",
    "export",
    "heatmap",
    "make_document",
    "open",
    "save",
    "show",
    "trace_attention",
]

_PLACES = {
    "show": "qkviz.api.windows.show",
    "ShownWindow": "qkviz.api.windows.ShownWindow",
    "heatmap": "qkviz.api.pictures.heatmap",
    "export": "qkviz.api.pictures.export",
    "Picture": "qkviz.api.picture.Picture",
    "open": "qkviz.api.document_files.open_document",
    "save": "qkviz.api.document_files.save_document",
    "make_document": "qkviz.api.arrays.make_document",
    "trace_attention": "qkviz.attention.trace.trace_attention",
    "Document": "qkviz.document.document.Document",
    "Refusal": "qkviz.translate.Refusal",
}
"""Public name → where it is."""
