"""What a file says of its source: the document, what was computed, and in which range it is drawn."""

from __future__ import annotations

import json

from qkviz import __version__
from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CausalMask, PaddingMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Softmax
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.matrix import present_matrix
from qkviz.presenters.provenance import present_provenance, provenance_json, provenance_line
from qkviz.translate import use_language


def _masked():
    inputs = DirectInputs(matrix([[1.0, 0.0], [0.0, 1.0]], "Q"), matrix([[3.0, 0.0], [0.0, -1.0]], "K"), None)
    options = AttentionOptions(scale=0.25, mask=CausalMask(), normalizer=Softmax(2.0))
    return Session(Document(("a", "b"), ("x", "y"), inputs, options), Focus(query=1, key=0)).snapshot


def test_the_entries_say_what_was_computed() -> None:
    snapshot = _masked()
    contents = [present_matrix(snapshot, MatrixName.SCORES)]
    found = dict(present_provenance(snapshot, "matrices", contents))
    assert found == {
        "program": f"qkviz {__version__}",
        "document": "own document",
        "subject": "matrices",
        "shape": "2 queries x 2 keys",
        "inputs": "Q, K; d_k = 2",
        "score": "scaled dot",
        "scale": "0.25",
        "mask": "causal",
        "normalizer": "softmax, temperature 2.0",
        "matrices": "scores",
        "range of scores": "-3.0 to 3.0",
        "query": "2",
        "key": "1",
    }


def test_a_lesson_is_named_by_its_id_and_a_file_by_its_name() -> None:
    lesson = lesson_by_number(7)
    snapshot = Session(lesson.document()).snapshot
    assert present_provenance(snapshot, "plane")["document"] == lesson.id
    assert present_provenance(snapshot, "plane", document="mine.qkviz")["document"] == "mine.qkviz"


def test_given_scores_and_hidden_keys_are_named() -> None:
    options = AttentionOptions(mask=PaddingMask(frozenset({1})))
    document = Document(("a",), ("x", "y"), GivenScores(matrix([[1.0, 2.0]], "scores"), None), options)
    found = present_provenance(Session(document).snapshot, "matrices")
    assert (found["inputs"], found["score"], found["mask"]) == ("scores", "given", "padding of keys 2")


def test_it_is_the_same_in_every_language() -> None:
    english = dict(present_provenance(_masked(), "plane"))
    use_language("zh")
    assert dict(present_provenance(_masked(), "plane")) == english


def test_its_text_is_ascii_and_reads_back() -> None:
    found = {"document": "矩阵", "mask": "none"}
    assert provenance_json(found).isascii()
    assert json.loads(provenance_json(found)) == found
    assert provenance_line(found) == "document: 矩阵; mask: none"
