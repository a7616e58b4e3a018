"""A margin says which seeds decide, and how near a deciding threshold is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.experiments import Verdict, experiments, find, load
from rnn_helpers.experiments.margins import margin
from rnn_helpers.experiments.store import stored_slugs
from rnn_helpers.experiments.words import Estimate

SEEDS = range(5)


def claim(holds, fails=None, numbers=None):
    """Make an experiment with conditions of its verdict; by default, rows have a gain."""
    mean = numbers or (lambda rows: {"gain": Estimate.mean(row["gain"] for row in rows)})
    verdict = Verdict((holds, "Holds."), fails=fails and (fails, "Does not hold."))
    return replace(find("longer-path"), numbers=mean, verdict=verdict)


def gains(*values):
    return [{"seed": seed, "gain": value} for seed, value in zip(SEEDS, values, strict=True)]


@given(st.floats(-5, 5), st.floats(0.1, 3))
def test_the_distance_is_counted_in_half_widths_of_the_interval(value, half):
    gain = Estimate(value, value - half, value + 2 * half)
    found = margin(claim(lambda n: n.gain.low > 0, numbers=lambda rows: {"gain": gain}), [], [])
    assert found.distance == pytest.approx(abs(value) / (2 * half if value < 0 else half))
    assert found.narrow == (found.distance <= 2)


def test_a_seed_decides_if_the_verdict_is_another_without_it():
    entry = claim(lambda n: n.gain.value > 0.5, lambda n: True)
    assert margin(entry, gains(0, 0, 0, 0, 3), SEEDS).deciding == [4]
    assert margin(entry, gains(1, 1, 1, 1, 1), SEEDS).deciding == []
    assert margin(entry, gains(0, 0, 0, 0, 3), SEEDS).narrow


def test_a_comparison_that_changes_nothing_does_not_count():
    def near_and_far(n):
        return n.far.low > 0 or n.near.low > 0

    numbers = {"near": Estimate(0.1, -1, 1.2), "far": Estimate(10, 9, 11)}
    entry = claim(near_and_far, lambda n: True, numbers=lambda rows: numbers)
    assert margin(entry, [], []).distance == 10


def test_two_estimates_are_compared_by_the_width_of_their_difference():
    numbers = {"by": {"a": Estimate(5, 2, 9), "b": Estimate(0, -1, 4)}}
    entry = claim(lambda n: n.by["a"].value > n.by["b"].value, numbers=lambda rows: numbers)
    assert margin(entry, [], []).distance == pytest.approx(1)


def test_an_undecided_outcome_is_another_verdict():
    entry = claim(lambda n: n.gain.low > 0)
    assert margin(entry, gains(1, 1.1, 1.2, 1.1, -0.5), SEEDS).deciding == [4]
    assert margin(entry, gains(0.2, 0.3, 0.2, 0.3, -0.02), SEEDS).deciding == [0, 1, 2, 3]


def test_counts_of_networks_are_counted_again():
    entry = claim(
        lambda n: n.learned == 4, lambda n: True,
        numbers=lambda rows: {"learned": rows[0]["successes"]},
    )  # fmt: skip
    rows = [{"successes": 4, "of": 5, "accuracy": [1.0, 1.0, 0.5, 1.0, 0.96]}]
    assert margin(entry, rows, SEEDS).deciding == [0, 1, 3, 4]


@pytest.mark.nightly("length-success")
@pytest.mark.parametrize("slug", sorted(stored_slugs()))
def test_every_verdict_has_a_margin(slug):
    result = load(slug)
    found = margin(experiments()[slug], result.rows, result.seeds)
    assert set(found.deciding) <= set(result.seeds)
