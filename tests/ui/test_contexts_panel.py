"""The Contexts panel by mouse and keys: what it shows, and what it asks of document, focus and model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from qkviz.attention.captured import Capture
from qkviz.attention.captured_layers import CapturedLayer
from qkviz.document.captured_head import CapturedHead, ChooseHead, ChooseText, captured_head, head_document
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.figures.style import mixed
from qkviz.presenters.contexts import CosineScope
from qkviz.presenters.heads import LiveModel
from qkviz.translate import use_language
from qkviz.ui.items.context_flow import INKS, ink_on
from qkviz.ui.panels.contexts_panel import SIDE_BY_SIDE, ContextsPanel
from qkviz.ui.theme import DARK, LIGHT
from tests.captures import random_capture
from tests.presenters.examples import cat_mat
from tests.sentences import BANKS, sentence_capture
from tests.ui import mouse

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

LEFT = Qt.MouseButton.LeftButton
LIVE = LiveModel(name="random-model")


def shown(
    qtbot: QtBot, document: Document, focus: Focus | None = None, width: int = 620
) -> tuple[ContextsPanel, Session]:
    session = Session(document, Focus() if focus is None else focus)
    panel = ContextsPanel()
    qtbot.addWidget(panel)
    panel.edited.connect(session.apply)
    panel.looked.connect(session.look_at)
    session.subscribe(panel.refresh)
    panel.resize(width, 760)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def banks(text: int = 0, layer: int = 0) -> Document:
    return head_document(CapturedHead(sentence_capture(*BANKS), text=text, layer=layer))


def on_screen(session: Session) -> tuple[int, int | None, int | None]:
    """Return the text, the chosen query and the pinned key."""
    snapshot = session.snapshot
    return captured_head(snapshot.document).text, snapshot.focus.query, snapshot.focus.key


def marks(panel: ContextsPanel) -> dict[int, str]:
    return {line.text: line.mark for line in panel.list.lines}


def choose(panel: ContextsPanel, name: str, text: str) -> None:
    """Choose an entry of a list with the keys, as a user does."""
    choice = {"word": panel.choices.word, "layer": panel.choices.layer, "head": panel.choices.head}[name]
    at = choice.findText(text)
    assert at >= 0, [choice.itemText(row) for row in range(choice.count())]
    choice.setFocus()
    way = Qt.Key.Key_Down if at > choice.currentIndex() else Qt.Key.Key_Up
    for _step in range(abs(at - choice.currentIndex())):
        QTest.keyClick(choice, way)
    QApplication.processEvents()


# lines


def test_a_click_on_a_line_makes_it_the_document_and_pins_the_row_of_the_word(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks(), Focus(query=2, key=1))
    mouse.click(panel.list, panel.list.chip_rect(1, 2).center())
    assert on_screen(session) == (1, 5, None)
    assert session.snapshot.undo_label is not None
    assert marks(panel) == {0: "B", 1: "A", 3: ""}  # B was clicked, so the two have changed places
    session.undo()
    assert on_screen(session)[0] == 0
    assert marks(panel)[0] == "A"


def test_a_click_on_another_place_of_the_word_asks_from_there(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    mouse.click(panel.list, panel.list.chip_rect(2, 3).center())
    assert on_screen(session) == (3, 3, None)
    line = panel.list.lines[2]
    assert [chip.is_asking for chip in line.chips] == [False, False, False, True, False]
    mouse.click(panel.list, panel.list.chip_rect(2, 1).center())
    assert on_screen(session) == (3, 1, None)


def test_a_click_on_a_letter_holds_the_line_against_the_document(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    before = session.snapshot
    assert marks(panel) == {0: "A", 1: "B", 3: ""}
    mouse.click(panel.list, panel.list.badge_rect(2).center())
    assert marks(panel) == {0: "A", 1: "", 3: "B"}
    assert session.snapshot is before
    assert "token 6 in A and token 2 in B" in panel.pair.sentences.text()


def test_the_pointer_is_told_the_weight_and_the_score_of_any_token(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    mouse.hover(panel.list, panel.list.chip_rect(0, 3).center())
    layer = captured_head(session.snapshot.document).captured_layer
    assert isinstance(layer, CapturedLayer)
    q, keys = (part[0].numpy().astype(np.float64) for part in (layer.Q, layer.K))
    scores = keys @ q[5]
    powers = np.exp(scores / 2)
    expected = f"“on”: weight {powers[3] / powers.sum():.4g}, score {scores[3]:.4g}"
    assert QToolTip.text() == expected.replace("-", "−")
    mouse.hover(panel.list, panel.list.badge_rect(2).center())
    assert QToolTip.text() == "Hold against the text on the screen"
    QToolTip.hideText()


def test_the_keys_go_through_lines_and_places(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)  # there are three
    assert on_screen(session) == (0, None, None)
    QTest.keyClick(panel.list, Qt.Key.Key_B)
    assert marks(panel)[3] == "B"
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert on_screen(session) == (3, 1, None)
    QTest.keyClick(panel.list, Qt.Key.Key_Right)
    assert on_screen(session) == (3, 3, None)
    QTest.keyClick(panel.list, Qt.Key.Key_Left)
    assert on_screen(session) == (3, 1, None)
    QTest.keyClick(panel.list, Qt.Key.Key_Up)
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    assert on_screen(session) == (1, 5, None)


# word, layer, head


def test_another_word_is_chosen_and_its_row_pinned(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    choose(panel, "word", "the · 2 texts")
    assert [line.text for line in panel.list.lines] == [0, 1]
    assert on_screen(session) == (0, 4, None)
    assert panel.headline.text().startswith("“the” in 2 of 4 texts")


def test_layer_and_head_are_chosen_and_shown(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    choose(panel, "layer", "3")
    choose(panel, "head", "2")
    chosen = captured_head(session.snapshot.document)
    assert (chosen.layer, chosen.head) == (2, 1)
    assert panel.headline.text() == "“bank” in 3 of 4 texts · L3 H2"
    session.apply(ChooseHead(1, 0))
    assert (panel.choices.layer.currentText(), panel.choices.head.currentText()) == ("2", "1")


def test_the_word_follows_the_row_that_is_chosen_elsewhere_if_others_share_it(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks(text=3), Focus(query=3))
    assert panel.list.lines[2].place == 1  # of “Bank or bank” the second
    session.look_at(Focus(query=2))  # “or” stands nowhere else
    assert panel.headline.text().startswith("“bank”")
    session.apply(ChooseText(0))
    session.look_at(Focus(query=4))
    assert panel.headline.text().startswith("“the”")


def test_another_text_alone_does_not_change_the_word(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks(), Focus(query=5))
    session.apply(ChooseText(1))
    session.look_at(Focus(query=4))
    assert panel.headline.text().startswith("“the”")
    session.apply(ChooseText(0))
    assert panel.headline.text().startswith("“the”")


# the pair


def test_bars_of_both_rows_are_on_one_scale_and_grow_from_the_middle(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    rows = panel.pair.rows
    lines = {line.mark: line for line in panel.list.lines if line.mark}
    scale = max(chip.shade for line in lines.values() for chip in line.chips)
    room = rows.boxes(0, 0).bar.width()
    for side, mark in enumerate(("A", "B")):
        for row, chip in enumerate(lines[mark].chips):
            assert rows.bar_rect(row, side).width() == pytest.approx(chip.shade / scale * room, abs=0.01)
    middle = rows.boxes(0, 0).bar.right(), rows.boxes(0, 1).bar.left()
    for row in range(len(lines["B"].chips)):  # the shorter one
        assert rows.bar_rect(row, 0).right() == pytest.approx(middle[0])
        assert rows.bar_rect(row, 1).left() == pytest.approx(middle[1])
    assert 0 < middle[1] - middle[0] < 4


def test_the_cosines_of_one_head_are_a_click_away(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks(layer=1))
    assert "all heads" in panel.pair.sentences.text()
    all_heads = panel.pair.chart.content
    QTest.mouseClick(panel.pair.scope_button(CosineScope.HEAD), LEFT)
    assert "L2 H1)" in panel.pair.sentences.text()
    assert panel.pair.chart.content != all_heads
    assert panel.pair.scope_button(CosineScope.HEAD).isChecked()
    assert not panel.pair.scope_button(CosineScope.LAYER).isChecked()


def test_what_did_not_change_is_not_made_anew(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    lines = panel.list.lines
    session.look_at(Focus(query=5, step=3))
    assert panel.list.lines is lines


# a sentence of one's own


def test_a_sentence_is_handed_to_the_model_by_enter_and_by_the_button(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    panel.show_live(LIVE)
    assert not panel.own.button.isEnabled()
    QTest.keyClicks(panel.own.field, "  The bank closed ")
    with qtbot.waitSignal(panel.text_added, timeout=1000) as caught:
        QTest.keyClick(panel.own.field, Qt.Key.Key_Return)
    assert caught.args == ["The bank closed"]
    panel.show_live(LiveModel("random-model", busy="Reading …", progress=0.5))
    assert panel.own.words == "Reading … 50%"
    assert not panel.own.button.isEnabled()
    panel.show_live(LIVE)
    assert panel.own.field.text() == ""
    QTest.keyClicks(panel.own.field, "A bank")
    with qtbot.waitSignal(panel.text_added, timeout=1000):
        QTest.mouseClick(panel.own.button, LEFT)


def test_a_sentence_that_was_refused_stays_and_says_why(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    panel.show_live(LIVE)
    QTest.keyClicks(panel.own.field, "too long")
    QTest.mouseClick(panel.own.button, LEFT)
    panel.show_live(LiveModel("random-model", busy="Reading …"))
    panel.show_live(LiveModel("random-model", problem="The text is too long."))
    assert panel.own.field.text() == "too long"
    assert panel.own.field.is_refused
    assert panel.own.words == "The text is too long."


def test_without_a_model_it_is_said_how_to_get_one(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    assert not panel.own.field.isVisible()
    assert "menu Model" in panel.own.words
    panel.show_live(LiveModel(minilm_installed=True))
    assert "all-MiniLM-L6-v2, which is installed" in panel.own.words


def test_a_sentence_more_keeps_word_and_pair(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    mouse.click(panel.list, panel.list.badge_rect(2).center())
    more = sentence_capture(*BANKS, "No bank at all")
    panel.refresh(Session(head_document(CapturedHead(more)), session.snapshot.focus).snapshot)
    assert marks(panel) == {0: "A", 1: "", 3: "B", 4: ""}


# nothing to show


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (cat_mat(), "Open lesson 4"),
        (head_document(CapturedHead(random_capture())), "only this one sentence"),
        (head_document(CapturedHead(sentence_capture("one word", "another thing"))), "No word stands in two"),
    ],
    ids=("no capture", "one text", "no shared word"),
)
def test_an_empty_panel_explains_itself_and_wakes_up(qtbot: QtBot, document: Document, words: str) -> None:
    panel, _session = shown(qtbot, document)
    assert words in panel.headline.text()
    assert not panel.list.isVisible()
    assert not panel.pair.isVisible()
    assert not panel.choices.isVisible()
    assert panel.own.isVisible() is (document.captured is not None)
    panel.refresh(Session(banks()).snapshot)
    assert panel.list.isVisible()
    assert panel.pair.isVisible()
    panel.refresh(Session(document).snapshot)
    assert words in panel.headline.text()
    assert not panel.list.isVisible()


# room, language, theme


def test_long_sentences_wrap_inside_a_narrow_panel(qtbot: QtBot) -> None:
    long = " ".join(["bank", *(f"word{number}" for number in range(40))])
    panel, _session = shown(qtbot, head_document(CapturedHead(sentence_capture(long, "the bank"))), width=480)
    boxes = [panel.list.chip_rect(0, token) for token in range(43)]
    assert max(box.right() for box in boxes) <= panel.list.width()
    assert len({box.top() for box in boxes}) > 3
    for one, other in pairwise(boxes):
        assert other.top() > one.top() or other.left() >= one.right()
    assert panel.list.height() >= panel.list.line_rect(1).bottom() - 1


def test_nothing_is_cut_off_when_a_scroll_bar_takes_some_of_the_width(qtbot: QtBot) -> None:
    sentences = [" ".join(["bank"] + ["word"] * count) for count in range(4, 16)]
    panel, _session = shown(qtbot, head_document(CapturedHead(sentence_capture(*sentences))), width=480)
    for width in range(480, 520, 4):
        panel.resize(width, 760)
        QApplication.processEvents()
        assert panel.list.height() >= panel.list.line_rect(len(sentences) - 1).bottom()


def test_the_pair_stands_beside_the_lines_where_there_is_room(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks(), width=SIDE_BY_SIDE + 100)
    assert origin(panel, panel.pair).x() > origin(panel, panel.list).x() + 300
    panel.resize(600, 760)
    QApplication.processEvents()
    assert origin(panel, panel.pair).y() > origin(panel, panel.list).y() + 60


def origin(panel: ContextsPanel, part: object) -> QPoint:
    assert part in (panel.pair, panel.list)
    return (panel.pair if part is panel.pair else panel.list).mapTo(panel, QPoint(0, 0))


def test_right_to_left_words_stand_in_boxes_of_their_own(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, head_document(CapturedHead(sentence_capture("مصرف كبير", "هذا مصرف"))))
    boxes = [panel.list.chip_rect(0, token) for token in range(4)]
    assert [box.left() for box in boxes] == sorted(box.left() for box in boxes)
    assert panel.headline.text().startswith("“\u2068مصرف\u2069” in 2 of 2 texts")


def test_another_language_reaches_every_text(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, banks())
    try:
        use_language("zh")
        panel.retranslate()
        fresh, _session = shown(qtbot, session.snapshot.document)
        assert panel.headline.text() == fresh.headline.text()
        assert panel.pair.sentences.text() == fresh.pair.sentences.text()
        assert panel.list.lines == fresh.list.lines
        assert panel.pair.chart.content == fresh.pair.chart.content
    finally:
        use_language("en")


def test_another_theme_is_painted(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    light = panel.list.grab().toImage()
    panel.restyle(DARK)
    assert panel.list.grab().toImage() != light


def test_the_shade_of_a_token_is_its_share_of_the_largest_weight(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, banks())
    image = panel.list.grab().toImage()
    ratio = image.devicePixelRatio()
    found = []
    for at, line in enumerate(panel.list.lines):
        for token, chip in enumerate(line.chips):
            corner = panel.list.chip_rect(at, token).topLeft() + QPointF(5, 4)
            red = image.pixelColor(int(corner.x() * ratio), int(corner.y() * ratio)).red()
            found.append((chip.shade, red))
    # from white to #5b3aa6
    assert all(abs(red - (255 - shade * (255 - 0x5B))) <= 4 for shade, red in found)


def test_a_hundred_tokens_in_each_of_five_texts_are_shown(qtbot: QtBot) -> None:
    capture: Capture = sentence_capture(*(" ".join(["bank"] + ["word"] * count) for count in range(120, 125)))
    panel, _session = shown(qtbot, head_document(CapturedHead(capture)))
    assert [len(line.chips) for line in panel.list.lines] == [123, 124, 125, 126, 127]


def test_one_of_the_inks_can_be_read_on_every_shade_of_every_theme():
    for theme in (LIGHT, DARK):
        for shade in range(101):
            ground = mixed(theme.weight, theme.surface, shade / 100)
            ink = ink_on(ground, *INKS)
            light, dark = sorted((_luminance(ground), _luminance(ink)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def _luminance(color: str) -> float:
    """By the formula of WCAG 2.2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
