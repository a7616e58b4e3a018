"""Tests of chapter 13's experiments: measurements, and the conditions of their verdicts."""

import numpy as np
import pytest
from estimates import by_line
from verdicts import rows_of, verdict

from rnn_helpers.claims.chapter_13 import length_success
from rnn_helpers.experiments import find
from rnn_helpers.experiments.words import where
from rnn_helpers.reference import modes, power_norms

pytestmark = pytest.mark.chapter("13")


def test_a_gradient_along_a_shrinking_eigenvector_can_grow():
    J = np.array([[0.9, 5], [0, 0.5]])
    v = modes(J, [1, 0]).vectors[:, 0]
    assert np.linalg.norm(J @ v) == pytest.approx(0.9)
    assert np.linalg.norm(J.T @ v) == pytest.approx(5.08, abs=0.005)
    assert power_norms(J, 10)[[1, 3, 10]] == pytest.approx([5.10, 7.59, 4.36], abs=0.01)


def test_single_units_hold_bits_and_gradients_as_theory_predicts():
    rows = {(row["unit"], row["w"]): row for row in rows_of("robust-bit", seeds=2)}
    assert rows["linear", 1.0]["log10_gradient"] == 0
    assert rows["linear", 1.0]["kept"] / 400 == pytest.approx(0.64, abs=0.07)  # random walk
    assert rows["tanh", 3.0]["kept"] == 400
    assert rows["tanh", 3.0]["log10_gradient"] == pytest.approx(-303, abs=2)


def test_the_verdict_on_bits_depends_on_the_gradients_of_robust_units():
    rows = rows_of("robust-bit", seeds=2)
    said = "Holds in part, if the network is a single unit whose state stays bounded."
    assert verdict("robust-bit", rows) == said
    weakest = [r["log10_gradient"] for r in rows if (r["unit"], r["w"]) == ("tanh", 1.5)]
    assert find("robust-bit").measure(rows).value == pytest.approx(np.mean(weakest))  # 1.2 is not
    for unit, gradient, other in (
        ("tanh", -10.1, said),
        ("tanh", -9.9, "Undecided."),
        ("tanh", -0.9, "Does not hold."),
        ("linear", -0.9, said),
        ("linear", -1.1, "Undecided."),
        ("linear", -10.1, "Holds. The gradient of every unit"),
    ):
        changed = [r | {"log10_gradient": gradient} if r["unit"] == unit else r for r in rows]
        assert verdict("robust-bit", changed).startswith(other)


def reach_rows(still, moving, kept=1.0):
    """Make rows of untrained networks, and of two kinds of trained ones with the given factors."""
    start = {"cell": "default", "when": "at the start", "learned": False, "period": 1, "kept": 0.5}
    made = {"cell": "default", "when": "trained", "learned": True, "kept": kept}
    return [
        row | {"factor": factor + s}
        for row, factor in (
            (start, 0.67),
            (made | {"period": 2}, still),
            (made | {"period": 0}, moving),
        )
        for s in (-0.01, 0.0, 0.01)
    ]


def test_oscillations_are_an_exception_only_if_they_keep_gradient_and_bit():
    said = verdict("gradient-reach", reach_rows(0.4, 1.0))
    assert said.startswith("Does not hold. 3 of the 6 networks")
    assert verdict("gradient-reach", reach_rows(0.4, 0.93, kept=0.96)) == said
    for unclear in (reach_rows(0.4, 0.92), reach_rows(0.4, 1.0, kept=0.95)):
        assert verdict("gradient-reach", unclear).startswith("Undecided.")
    assert verdict("gradient-reach", reach_rows(0.4, 0.8)).startswith("Holds. In the 6 networks")
    assert verdict("gradient-reach", reach_rows(0.98, 1.0)).startswith("Does not hold.")


def learned(successes, **others):
    """Make rows of 20 networks, so many of which learned the task."""
    return [{"seed": seed, "right": float(seed < successes)} | others for seed in range(20)]


def rows_by_length(lengths, **successes):
    """Make rows by length, from the number of successes out of 20 for each initialization."""
    return [
        row
        for start, each in successes.items()
        for length, made in zip(lengths, each, strict=True)
        for row in learned(made, start=start, length=length, eta=3, at_edge=False)
    ]


def length_rows(default=(20, 16), orthogonal=(19, 15), late=(15, 5), late_orthogonal=(20, 17)):
    """Make rows for both tasks: lengths 20 and 200 for early values, 10 and 20 for late ones."""
    first = rows_by_length((20, 200), default=default, orthogonal=orthogonal)
    marked = rows_by_length((10, 20), default=late, orthogonal=late_orthogonal)
    return [row | {"task": "first"} for row in first] + [row | {"task": "marked"} for row in marked]


def test_the_claim_on_lengths_in_part_networks_must_learn_when_to_listen():
    said = verdict("length-success", length_rows())
    assert said.startswith(
        "Holds in part, if the network has to find out when to listen and its recurrent"
    )
    assert said.endswith("then 5 of 20 networks learn the task over 20 steps.")
    text = find("length-success").sum_up(length_rows()).text
    assert "at least 15 of 20 networks learn to hold it over 20 to 200 steps" in text
    assert "17 of 20 networks with orthogonal weights learn the task" in text
    assert find("length-success").measure(length_rows()).value == 1
    for other in (
        {"default": (14, 20)},  # the interval would contain 0.5
        {"orthogonal": (20, 14)},
        {"late": (14, 5)},
        {"late": (15, 6)},
        {"late_orthogonal": (20, 14)},
    ):
        assert verdict("length-success", length_rows(**other)).startswith("Undecided.")
    assert verdict("length-success", length_rows(late=(18, 18))).startswith(
        "Does not hold. Over 20"
    )
    hard = length_rows(default=(5, 5), orthogonal=(0, 0))
    assert verdict("length-success", hard).startswith("Holds. Over 20 steps, at most 5 of 20")


def test_tables_show_all_learning_rates_and_the_text_names_extreme_ones():
    experiment, rows = find("length-success"), length_rows()
    first, late, rates, _ = experiment.tabulate(rows).values()
    assert first[0] == {
        "initialization": "default",
        "20 steps": "20 of 20",
        "200 steps": "16 of 20",
    }
    assert late[1] == {
        "initialization": "orthogonal",
        "10 steps": "20 of 20",
        "20 steps": "17 of 20",
    }
    assert rates[0] == {"initialization": "default", "20 steps": "3", "200 steps": "3"}
    assert "another rate might be better" not in experiment.sum_up(rows).text
    for row in where(rows, task="first", start="default", length=200):
        row |= {"at_edge": True, "eta": 30}
    assert "that we tried for first, default, 200 steps (30)," in experiment.sum_up(rows).text
    fixed = learned(7, task="first", start=length_success.FIXED, length=20, eta=0.1)
    first, _, rates, _ = experiment.tabulate([*rows, *fixed]).values()
    assert first[-1] == {"initialization": length_success.FIXED, "20 steps": "7 of 20"}
    assert len(rates) == 2


def test_the_data_has_the_median_gradient_of_each_group():
    rows = [row | {"log10_norms": [0, -10 * row["factor"]]} for row in reach_rows(0.4, 1.0)]
    ends = [points[-1] for points in by_line(find("gradient-reach").data["data"](rows)).values()]
    np.testing.assert_allclose(ends, [(5, 10**-6.7), (5, 1e-4), (5, 1e-10)], rtol=1e-3)
