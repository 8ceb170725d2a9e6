"""Times of the score functions: every size, every function, and an end on request."""

from __future__ import annotations

import pytest

from qkviz.ui import score_timing
from qkviz.ui.score_timing import measure_times


@pytest.fixture
def few_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure small cases only."""
    monkeypatch.setattr(score_timing, "TOKEN_COUNTS", (4, 64))
    monkeypatch.setattr(score_timing, "WIDTHS", (2, 8))
    monkeypatch.setattr(score_timing, "ENOUGH_SECONDS", 0.001)


@pytest.mark.usefixtures("few_tokens")
def test_every_function_has_a_time_at_every_size_and_progress_rises():
    shares: list[float] = []
    result = measure_times(16, shares.append)
    assert (result.by_tokens.sizes, result.by_tokens.fixed) == ((4, 64), 16)
    assert (result.by_width.sizes, result.by_width.fixed) == ((2, 8), score_timing.TOKENS_AT_EACH_WIDTH)
    for times in (result.by_tokens, result.by_width):
        assert list(times.of) == ["additive", "dot", "scaled_dot", "distance"]
        assert all(len(values) == 2 and min(values) > 0 for values in times.of.values())
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.usefixtures("few_tokens")
def test_more_tokens_take_longer_and_additive_longest():
    times = measure_times(16, lambda share: None).by_tokens.of
    assert times["additive"][1] > 3 * times["additive"][0]  # 256 times as many pairs
    assert times["additive"][1] > 3 * times["dot"][1]


@pytest.mark.usefixtures("few_tokens")
def test_the_report_may_end_it():
    def stop(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_times(16, stop)
