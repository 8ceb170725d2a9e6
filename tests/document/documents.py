"""Small documents of every kind, with numbers that can be checked by hand."""

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.document.document import Document

PLANE = Plane.of_dimensions(2)
PLAIN = AttentionOptions()


def self_attention(options: AttentionOptions = PLAIN, *, values: bool = False) -> Document:
    """Three tokens, d_model = 4, d_k = 2. Q = [[1.5, .5], [.5, 1], [0, −.5]]."""
    X = matrix([[1, 0, 0.5, 0], [0, 1, 0, 0.5], [0.5, -1, 0, 0]], "X")
    W_Q = matrix([[1, 0], [0.25, 0.5], [1, 1], [0.5, 1]], "W_Q")
    W_K = matrix([[0, 1], [1, 0], [0.3, 0.1], [-0.7, 0.2]], "W_K")
    W_V = matrix([[1], [2], [3], [4]], "W_V") if values else None
    labels = ("cat", "sat", "mat")
    return Document(labels, labels, ProjectedInputs(X, X, W_Q, W_K, W_V), options)


def cross_attention(options: AttentionOptions = PLAIN) -> Document:
    """Two queries, three keys, d_model = 3, d_k = 2."""
    X_q = matrix([[1, 0, 2], [0, 1, -1]], "X_q")
    X_k = matrix([[1, 1, 0], [0, 2, 0], [0.5, 0, 3]], "X_k")
    W_Q = matrix([[1, 0], [0, 1], [0.1, 0.2]], "W_Q")
    W_K = matrix([[0, 1], [1, 0], [0.4, 0.3]], "W_K")
    return Document(("a", "b"), ("x", "y", "z"), ProjectedInputs(X_q, X_k, W_Q, W_K), options)


def worked_example(options: AttentionOptions = PLAIN) -> Document:
    """Two queries and three keys, given directly, with values."""
    Q = matrix([[0.8, 0.2], [0.1, 0.9]], "Q")
    K = matrix([[0.7, 0.3], [0.2, 0.8], [0.4, -0.5]], "K")
    V = matrix([[1, 2], [3, 4], [5, 6]], "V")
    return Document(("q1", "q2"), ("k1", "k2", "k3"), DirectInputs(Q, K, V), options)


def given_scores(options: AttentionOptions = PLAIN) -> Document:
    """Scores from elsewhere, 2 × 3, one forbidden and one not a number."""
    scores = matrix([[1, 2, float("-inf")], [float("nan"), 0, 3]], "scores")
    return Document(("a", "b"), ("x", "y", "z"), GivenScores(scores, matrix([[1], [2], [3]], "V")), options)


def every_kind() -> tuple[Document, ...]:
    """One document of each kind."""
    return self_attention(), cross_attention(), worked_example(), given_scores()
