"""What is said of losses near their optima follows from the runs."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_08 import exact_optima
from rnn_helpers.experiments import find
from rnn_helpers.reference import expected_losses, rule_joint

CASES = {
    "holds": {"worst": about(0.01, 0.01), "below": 0.0},
    "holds in part": {"worst": about(0.2), "below": 0.0},
    "does not hold": {"worst": about(0.01, 0.01), "below": -0.1},
    "undecided": {"worst": about(0.5), "below": 0.0},
}
SEEDS = range(10)


def test_a_step_receives_only_its_declared_inputs():
    rng = np.random.default_rng(0)
    x, y = rng.integers(2, size=(2, 6, 3))
    for hears, all_of_x, of_y in (
        ("inputs", False, False),
        ("outputs", False, True),
        ("all inputs", True, False),
        ("all", True, True),
    ):
        told = exact_optima.inputs_of(x, y, hears)
        for k in range(6):
            other_x, other_y = x.copy(), y.copy()
            other_x[k], other_y[k] = 1 - x[k], 1 - y[k]
            moved = (exact_optima.inputs_of(other_x, y, hears) != told).any(axis=(1, 2))
            assert moved.tolist() == [all_of_x or t == k for t in range(6)]
            moved = (exact_optima.inputs_of(x, other_y, hears) != told).any(axis=(1, 2))
            assert moved.tolist() == [of_y and t == k + 1 for t in range(6)]


@pytest.mark.parametrize("world", exact_optima.WORLDS)
def test_pairs_that_are_possible_have_all_the_probability(world):
    pairs, p = exact_optima._pairs(world)
    assert p.sum() == pytest.approx(1)
    joint = rule_joint(exact_optima.WORLDS[world])
    np.testing.assert_array_equal(joint[tuple(pairs)], p)


def optima_rows(above=0.001):
    return [
        {"world": world, "hears": hears, "seed": seed, "eta": 0.01, "at_edge": hears == "all of x"}
        | {"nats": float(least + above * (1 + seed / 10)), "optimum": float(least)}
        for world, rules in exact_optima.WORLDS.items()
        for hears, kind in exact_optima.GIVEN.items()
        for least in [expected_losses(rule_joint(rules), kind).sum()]
        for seed in SEEDS
    ]


def test_networks_come_to_their_optimum_or_not_quite_or_below_it():
    said = find("exact-optima").sum_up(optima_rows())
    assert said.verdict.endswith("the loss stays at 4.16 nats.")
    assert "loss of 0.69 nats" in said.text or "loss of 0.70 nats" in said.text
    assert "lowest or highest that we tried" in said.text
    assert verdict("exact-optima", optima_rows(0.2)).startswith("Holds in part, if networks reach")
    assert verdict("exact-optima", optima_rows(0.5)).startswith("Does not hold.")
    assert verdict("exact-optima", optima_rows(-0.1)).startswith("Does not hold.")
