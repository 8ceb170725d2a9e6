"""All heads of a captured text as a grid: layers down, heads across, as small pictures or as a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.head_measures import HeadMeasure, HeadMeasures
from qkviz.attention.head_overviews import HeadOverview
from qkviz.attention.head_views import USUAL_VIEW, HeadView
from qkviz.document.captured_head import CapturedHead
from qkviz.presenters.color_scales import ColorScale, sequential_scale
from qkviz.presenters.head_words import (
    MEASURE_NAMES,
    MEASURE_SENTENCES,
    head_name,
    layer_label,
    measure_text,
    view_title,
    view_words,
)
from qkviz.translate import _

CHARACTERS_OF_A_HEAD, LEAST_CHARACTERS = 10, 48
"""How many characters of a line above a picture are as wide as a head; a line has some in any case."""

Place = tuple[int, int]
"""(layer, head), from 0."""


class HeadsMode(StrEnum):
    """What the panel shows of the heads."""

    PICTURES = "pictures"
    MEASURE = "measure"
    LAYERS = "layers"


@dataclass(frozen=True, slots=True)
class HeadsOptions:
    """What the user chose to see; no part of the document."""

    mode: HeadsMode = HeadsMode.PICTURES
    measure: HeadMeasure = HeadMeasure.PREVIOUS
    view: HeadView = USUAL_VIEW


@dataclass(frozen=True, slots=True)
class LiveModel:
    """The model that can be asked again, as whoever runs it tells.

    Attributes
    ----------
    name
        The model that is loaded, whose capture is on the screen; None if there is none.
    busy
        What is being done, translated; None when nothing is.
    progress
        The share of it that is done, 0 to 1; None if nobody knows.
    problem
        Why the last text could not be captured, translated; None if it could.
    minilm_installed
        Whether all-MiniLM-L6-v2 is there to be opened.
    takes_pairs
        Whether a second text can be given beside the first.
    """

    name: str | None = None
    busy: str | None = None
    progress: float | None = None
    problem: str | None = None
    minilm_installed: bool = False
    takes_pairs: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class HeadPicture:
    """The weights of a head, pooled.

    Attributes
    ----------
    indexes
        (rows, columns) uint8 into the colours of ``scale``, which goes from 0 to the head's own largest.
    """

    indexes: NDArray[np.uint8]
    scale: ColorScale


@dataclass(eq=False, slots=True)
class FoundHeads:
    """What is known so far of the heads of one text; filled while they are computed.

    Attributes
    ----------
    pictures, measures
        By (layer, head).
    embeddings
        For every layer the share of rows of XXᵀ with the diagonal the largest, None where nobody knows.
    """

    pictures: dict[Place, HeadPicture] = field(default_factory=dict)
    measures: dict[Place, HeadMeasures] = field(default_factory=dict)
    embeddings: dict[int, float | None] = field(default_factory=dict)

    def take(self, overview: HeadOverview) -> None:
        """Keep one head."""
        place = overview.layer, overview.head
        self.pictures[place] = head_picture(overview)
        self.measures[place] = overview.measures


@dataclass(frozen=True, eq=False, slots=True)
class HeadCell:
    """One head.

    Attributes
    ----------
    layer, head
        From 0.
    label
        ``L1 H5``.
    picture
        None before it is computed.
    value, text
        The chosen measure, and as it is written; None and empty before it is computed.
    is_chosen
        Whether this head is the document.
    """

    layer: int
    head: int
    label: str
    picture: HeadPicture | None
    value: float | None
    text: str
    is_chosen: bool


@dataclass(frozen=True, eq=False, slots=True)
class HeadGridContent:
    """The whole grid.

    Attributes
    ----------
    rows
        For every layer its label and its heads; layers may differ in their number.
    scale
        The colours of the measure; None in the mode of pictures.
    caption
        What is shown, one sentence.
    """

    rows: tuple[tuple[str, tuple[HeadCell, ...]], ...]
    scale: ColorScale | None
    caption: str

    @property
    def columns(self) -> int:
        """The number of heads of the layer with most."""
        return max(len(cells) for _label, cells in self.rows)

    def cell(self, layer: int, head: int) -> HeadCell:
        """Return one head."""
        return self.rows[layer][1][head]


def head_picture(overview: HeadOverview) -> HeadPicture:
    """Return the small picture of a head in colours."""
    values = overview.picture.double().numpy()
    scale = sequential_scale(values)
    return HeadPicture(scale.indexes(values, np.zeros(values.shape, np.uint8)), scale)


def present_head_grid(captured: CapturedHead, found: FoundHeads, options: HeadsOptions) -> HeadGridContent:
    """Return the heads of the text of ``captured``, as far as they are known."""
    text = captured.captured_text
    is_measure = options.mode is HeadsMode.MEASURE
    shown = {place: one.value(options.measure) for place, one in found.measures.items()} if is_measure else {}
    chosen = captured.layer, captured.head

    def cell(place: Place) -> HeadCell:
        written = measure_text(shown[place]) if place in shown else ""
        picture = None if is_measure else found.pictures.get(place)
        return HeadCell(
            *place, head_name(*place), picture, shown.get(place), written, is_chosen=place == chosen
        )

    rows = tuple(
        (layer_label(text, number), tuple(cell((number, head)) for head in range(layer.heads)))
        for number, layer in enumerate(text.layers)
    )
    return HeadGridContent(rows, _scale(shown) if is_measure else None, _caption(options))


def present_picture_titles(captured: CapturedHead, options: HeadsOptions) -> tuple[str, ...]:
    """Return the lines above a picture of the grid: model and what is shown, the text, what must be said."""
    model, text = captured.capture.model, captured.captured_text
    is_measure = options.mode is HeadsMode.MEASURE
    shown = _(MEASURE_NAMES[options.measure]) if is_measure else view_title(options.view)
    typed = text.text if text.pair is None else f"{text.text} / {text.pair}"
    said = (typed, _caption(options), "" if model.note is None else str(model.note))
    heads = max(layer.heads for layer in text.layers)
    width = max(LEAST_CHARACTERS, CHARACTERS_OF_A_HEAD * heads)
    return f"{model.name} · {shown}", *(line for one in said for line in wrap(one, width, max_lines=3))


def _scale(values: Mapping[Place, float | None]) -> ColorScale:
    known = [value for value in values.values() if value is not None]
    return sequential_scale(np.array(known, np.float64))


def _caption(options: HeadsOptions) -> str:
    if options.mode is HeadsMode.MEASURE:
        name, sentence = _(MEASURE_NAMES[options.measure]), _(MEASURE_SENTENCES[options.measure])
        return _("{measure}. {sentence}", measure=name, sentence=sentence)
    return _(
        "{what} Rows: queries, columns: keys; each picture from 0 to its own largest.",
        what=view_words(options.view),
    )
