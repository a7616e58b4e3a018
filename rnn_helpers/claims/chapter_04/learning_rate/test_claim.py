"""The sentences, numbers and data about learning rates follow from the rows."""

import pytest
from estimates import bounds, by_line
from verdicts import about

from rnn_helpers.experiments import find

CASES = {
    "holds": {"slow": about(1), "undone": about(0.9), "gain_falling": about(0.5)},
    "holds in part": {"slow": about(1), "undone": about(0.9), "gain_falling": about(-0.5)},
    "does not hold": {"slow": about(1), "undone": about(0.2)},
    "undecided": {"slow": about(1), "undone": about(0.5)},
}
RATES = find("learning-rate")


def runs(bits, schedule="fixed"):
    """Return six networks at each rate, half of them 0.05 bits above and half below the mean."""
    return [
        {"schedule": schedule, "eta": eta, "bits": mean + more, "steps": 300, "unigram": 4.7}
        for eta, mean in bits.items()
        for more in 3 * (-0.05, 0.05)
    ]


def test_the_verdict_leaves_the_guarantee_open():
    said = RATES.sum_up(runs({0.01: 5.0, 1.0: 3.7, 30.0: 90.0}))
    assert said.verdict.startswith(
        "Holds in part, if the rate is fixed. We didn't test the guarantee"
    )
    assert (said.value, said.unit) == (
        pytest.approx(3.7),
        "bits per held-out character at a fixed rate of 1",
    )


def test_the_claim_in_part_decreasing_rates_end_lower():
    rows = runs({0.01: 5.0, 1.0: 3.7, 30.0: 90.0}) + runs({3.0: 3.5}, "1/t")
    assert RATES.sum_up(rows).verdict.startswith("Holds. After 300 steps, a rate of 0.01 costs 1.3")


@pytest.mark.parametrize(
    "bits",
    [{0.01: 3.7, 1.0: 3.71, 30.0: 90.0}, {0.01: 5.0, 1.0: 3.7, 30.0: 3.71}],
    ids=["too small is as good", "too big is as good"],
)
def test_the_claim_fails_if_a_rate_at_the_end_is_as_good(bits):
    assert RATES.sum_up(runs(bits)).kind == "does not hold"


@pytest.mark.parametrize(
    ("past", "said"),
    [(4.74, "and 30 is too large"), (4.76, "At 3, all networks are worse than")],
    ids=["one network learned something", "no network learned anything"],
)
def test_the_finding_names_the_first_rate_that_is_too_large(past, said):
    finding = RATES.sum_up(runs({30.0: 90.0, 3.0: past, 1.0: 3.7, 0.01: 5.0})).finding
    assert said in finding


def test_the_numbers_have_the_neighbors_of_each_best_rate():
    clipped = runs({10.0: 9.0, 3.0: 3.6, 0.3: 4.0, 0.1: 5.0}, "clipped")
    around = RATES.numbers(clipped + runs({1.0: 3.7}))["around"]
    assert {key: around["clipped"][key] for key in ("eta", "below", "past")} == {
        "eta": 3,
        "below": 0.3,
        "past": 10,
    }
    assert around["clipped"]["at_past"] == pytest.approx((8.95, 9.05))
    assert set(around["fixed"]) == {"eta", "best"}  # a single rate has no neighbors


def test_the_data_has_the_fixed_rates_with_and_without_clipping():
    rows = runs({3.0: 3.8, 0.3: 4.0}, "clipped") + runs({0.01: 6.0, 1.0: 4.0, 30.0: 5.5})
    rows += runs({1.0: 4.6}, "1/t")
    data = RATES.data["data"](rows)
    assert by_line(data)["no clipping"] == [(0.01, 6), (1, 4), (30, 5.5)]
    assert [rate for rate, _ in by_line(data)["gradient clipped"]] == [0.3, 3]
    assert bounds(data, "no clipping")[0] == (5.95, 6.05)
    assert data.marks == [(4.7, "frequencies alone")]
