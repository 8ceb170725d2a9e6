"""The words for heads: their names, their measures, and what a view of their weights shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from qkviz.attention.captured import CapturedText
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from qkviz.attention.head_measures import HeadMeasure, HeadMeasures
from qkviz.attention.head_views import USUAL_VIEW, CellValue, HeadView, SpecialTokens, Unit
from qkviz.presenters.number_format import format_number
from qkviz.translate import N_, _

MEASURE_NAMES: Mapping[HeadMeasure, str] = {
    HeadMeasure.DIAGONAL: N_("Looks most at itself"),
    HeadMeasure.ENTROPY: N_("Entropy / ln n"),
    HeadMeasure.DISTANCE: N_("Mean distance"),
    HeadMeasure.PREVIOUS: N_("Previous token"),
    HeadMeasure.NEXT: N_("Next token"),
    HeadMeasure.FIRST: N_("First token"),
    HeadMeasure.ITSELF: N_("On itself"),
    HeadMeasure.SPECIALS: N_("Special tokens"),
    HeadMeasure.SYMMETRY: N_("Asymmetry of QKᵀ"),
}
"""English; translated where they are shown."""

MEASURE_SENTENCES: Mapping[HeadMeasure, str] = {
    HeadMeasure.DIAGONAL: N_("Share of the rows in which no key has a larger score than the token itself."),
    HeadMeasure.ENTROPY: N_("0: all weight on one key. 1: the same weight on every key."),
    HeadMeasure.DISTANCE: N_("How many tokens away a query looks on average; special keys take no part."),
    HeadMeasure.PREVIOUS: N_("Mean weight on the token before, over the rows that have one."),
    HeadMeasure.NEXT: N_("Mean weight on the token behind, over the rows that have one."),
    HeadMeasure.FIRST: N_("Mean weight on the first token, over the rows of all others."),
    HeadMeasure.ITSELF: N_("Mean weight of a token on itself."),
    HeadMeasure.SPECIALS: N_("Mean weight on [CLS], [SEP] and their like together."),
    HeadMeasure.SYMMETRY: N_("‖S − Sᵀ‖ / ‖S‖ over words: 0 is symmetric, 1.41 unrelated, 2 antisymmetric."),
}
"""What each of them means, one sentence. All are of the rows of words, not of special tokens."""


def head_name(layer: int, head: int) -> str:
    """Return the name of a head given from 0: ``L1 H5``."""
    return f"L{layer + 1} H{head + 1}"


def kind_name(kind: AttentionKind) -> str:
    """Return whose queries look at whose keys, in a word."""
    match kind:
        case AttentionKind.ENCODER:
            return _("encoder")
        case AttentionKind.DECODER:
            return _("decoder")
        case AttentionKind.CROSS:
            return _("cross")


def has_several_kinds(text: CapturedText) -> bool:
    """Tell whether the layers of a text have to be told apart by their kinds."""
    return len({layer.kind for layer in text.layers}) > 1


def layer_label(text: CapturedText, layer: int) -> str:
    """Return ``L3``, or ``L3 cross`` where there are several kinds of layers."""
    kind = text.layers[layer].kind
    return f"L{layer + 1} {kind_name(kind)}" if has_several_kinds(text) else f"L{layer + 1}"


def measure_text(value: float | None) -> str:
    """Return a measure as a number; a dash where there is none."""
    return "–" if value is None else format_number(value)


def measure_lines(measures: HeadMeasures) -> tuple[tuple[str, str], ...]:
    """Return names and numbers of the measures that a head has."""
    found = ((measure, measures.value(measure)) for measure in HeadMeasure)
    return tuple(
        (_(MEASURE_NAMES[measure]), measure_text(value)) for measure, value in found if value is not None
    )


def key_head_words(text: CapturedText, layer: int, head: int) -> str:
    """Return which key head a query head reads, where they are not the same; else nothing."""
    captured = text.layers[layer]
    shared = captured.key_head(head)
    if captured.key_head(captured.heads - 1) == captured.heads - 1:
        return ""
    return _("query head {head} reads key head {shared}", head=head + 1, shared=shared + 1)


def head_tip(text: CapturedText, layer: int, head: int, measures: HeadMeasures | None) -> str:
    """Return a head in words: name, shared keys, and what was measured so far; a line each."""
    title = head_name(layer, head)
    if has_several_kinds(text):
        title = f"{title} · {kind_name(text.layers[layer].kind)}"
    lines = [title, key_head_words(text, layer, head)]
    if measures is not None:
        lines += [_("{name}: {value}", name=name, value=value) for name, value in measure_lines(measures)]
    return "\n".join(filter(None, lines))


def view_title(view: HeadView) -> str:
    """Return what a view shows, short enough to stand over a small picture."""
    if view == USUAL_VIEW:
        return _("softmax weights")
    parts = []
    if view.value is CellValue.CARRIED:
        parts.append(_("weight × ‖value‖"))
    if view.specials is SpecialTokens.RENORMALISED:
        parts.append(_("renormalised over words"))
    if view.specials is SpecialTokens.HIDDEN:
        parts.append(_("special tokens hidden"))
    if view.unit is Unit.WORDS:
        parts.append(_("by words"))
    return " · ".join(parts)


def view_words(view: HeadView) -> str:
    """Return what a view shows and what is done to the weights in it, one sentence."""
    if view == USUAL_VIEW:
        return _("The model's weights.")
    sentence = _("{view}.", view=view_title(view))
    parts = [sentence[:1].upper() + sentence[1:]]
    if not shows_weights(view):
        parts.append(_("These are not the model's weights."))
    elif view.specials is SpecialTokens.HIDDEN:
        parts.append(_("Rows sum to less than 1."))
    if view.unit is Unit.WORDS:
        parts.append(_("A word is the mean over its queries, the sum over its keys."))
    return reduce(lambda said, next_one: _("{sentence} {next}", sentence=said, next=next_one), parts)


def shows_weights(view: HeadView) -> bool:
    """Tell whether the cells of a view are weights of the model, or means and sums of them."""
    return view.value is CellValue.WEIGHT and view.specials is not SpecialTokens.RENORMALISED


def tells_values(text: CapturedText) -> bool:
    """Tell whether the lengths of values are known in every layer."""
    return all(isinstance(layer, CapturedLayer) and layer.V is not None for layer in text.layers)
