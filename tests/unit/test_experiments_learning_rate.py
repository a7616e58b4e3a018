"""What is said of learning rates follows from the runs."""

import pytest

from rnn_helpers.experiments.claims.chapter_04.learning_rate import summarise

pytestmark = pytest.mark.chapter("04")


def runs(bits):
    """Two networks at each fixed rate, half a tenth of a bit to either side."""
    return [
        {"schedule": "fixed", "eta": eta, "bits": mean + more, "steps": 300, "unigram": 4.7}
        for eta, mean in bits.items()
        for more in (-0.05, 0.05)
    ]


def test_a_guarantee_is_not_confirmed_by_so_many_steps():
    verdict = summarise(runs({0.01: 5.0, 1.0: 3.7, 30.0: 90.0})).verdict
    assert verdict.startswith("holds if it is said of fixed rates")
    assert "not tested" in verdict


@pytest.mark.parametrize(
    "bits",
    [{0.01: 3.7, 1.0: 3.71, 30.0: 90.0}, {0.01: 5.0, 1.0: 3.7, 30.0: 3.71}],
    ids=["too small is as good", "too big is as good"],
)
def test_it_does_not_hold_where_a_rate_at_the_end_is_as_good(bits):
    assert summarise(runs(bits)).verdict == "does not hold"
