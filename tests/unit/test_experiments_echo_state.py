"""Measurements and verdicts of the experiments on echo state networks."""

import numpy as np
import pytest
from verdicts import rows_of, verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.claims.chapter_14 import (
    convex_readout,
    reservoir_series,
    sparse_start,
)
from rnn_helpers.experiments.words import grouped

pytestmark = pytest.mark.chapter("14")


def memory_rows(peaks, edges, left, seeds=3):
    """Make rows that have the best memory at these radii, and a share of it at radius 3."""
    return [
        {
            "radius": radius,
            "scale": scale,
            "capacity": 10 * share,
            "met": seeds * (radius <= edges[scale]),
            "of": seeds,
            "capacities": [10 * share + 0.01 * s for s in range(seeds)],
        }
        for scale, peak in peaks.items()
        for radius in (0.5, 1.0, 2.0, 3.0)
        for share in [left if radius == 3 else 1 if radius == peak else 0.5]
    ]


def test_the_memory_verdict_depends_on_the_best_radius_and_the_edge():
    near, moved = {0.1: 1.0, 1.0: 1.0}, {0.1: 1.0, 1.0: 2.0}
    said = find("reservoir-memory").sum_up(memory_rows(moved, moved, left=0.2))
    assert said.value == pytest.approx(0.2, abs=0.002)
    assert said.verdict.startswith("Holds in part, if the edge is measured with the input on")
    assert said.verdict.endswith("radius 3 loses at least 79% of the memory.")
    assert "lost at these input scales: 0.1, 1." in said.text
    assert "the best radius is 1.00 for weak inputs and 2.00 for strong" in said.finding
    for best, edge, left, kind in (
        (near, near, 0.95, "holds"),
        (near, near, 0.2, "undecided"),
        (moved, near, 0.2, "does not hold"),
        (moved, moved, 0.91, "undecided"),
    ):
        rows = memory_rows(best, edge, left)
        assert find("reservoir-memory").sum_up(rows).kind == kind


@pytest.mark.slow
def test_a_reservoir_without_the_echo_state_property_has_almost_no_memory():
    settings = {"seeds": 2, "scales": [0.1], "delays": 50, "n_steps": 4000}
    (row,) = rows_of("reservoir-memory", **settings, radii=[3.0])
    assert row["met"] == 0
    assert row["capacity"] < 0.2  # 50 delays at 2 / n_steps = 0.025, and what little is left
    (row,) = rows_of("reservoir-memory", **settings, radii=[0.5])
    assert row["met"] == row["of"] == len(row["capacities"])
    assert 10 < row["capacity"] < 20
    assert row["capacity"] == pytest.approx(np.mean(row["capacities"]), abs=1e-3)


def test_gradients_grow_at_the_linear_rate_until_the_state_saturates():
    rows = rows_of("bounded-forward", seeds=3, starts=[1e-12, 1e-4, 1.0], noises=[])
    tiny, middle, one = (
        [row for row in rows if row["start"] == start] for start in (1e-12, 1e-4, 1.0)
    )
    for row in tiny:
        assert row["log10_backward"] == pytest.approx(50 * np.log10(1.5), abs=1e-4)
        assert row["linear_steps"] == 50
    for row in middle:  # the norm would be 1 after ln(1e4) / ln(1.5) = 22.7 steps
        assert 22 < row["linear_steps"] < 35
    assert all(row["log10_backward"] < 4 for row in one)
    assert all(row["largest"] <= np.sqrt(50) for row in rows)
    assert all(row["late"] > 1 for row in rows)


def test_the_verdict_on_gradients_depends_on_their_growth_and_on_the_bound_of_the_state():
    rows = rows_of("bounded-forward", seeds=3, noises=[])

    def said(**change):
        return verdict("bounded-forward", [row | change for row in rows])

    holds = said()
    assert holds.startswith("Holds. Even after tanh has stopped")
    assert said(largest=7.07) == holds
    assert said(largest=7.08).startswith("Undecided.")
    assert said(log10_backward=0.991 * 50 * np.log10(1.5)) == holds
    assert said(log10_backward=0.989 * 50 * np.log10(1.5)).startswith("Undecided.")
    assert said(late=1.001).startswith("Holds.")
    assert said(late=0.999).startswith("Holds in part, if the state is near 0")
    assert said(late=0.999, log10_backward=-1).startswith("Does not hold.")


def series_rows(task, radius, error, score=None, n_h=200, at_edge=False):
    score = -np.log(error) if score is None else score
    row = {"task": task, "radius": radius, "n_h": n_h, "score": score, "at_edge": at_edge}
    settings = {"scale": 0.1, "bias": 0.5, "leak": 1.0}
    return [row | settings | {"seed": s, "error": error * 1.01**s} for s in range(5)]


def test_a_radius_is_compared_with_the_smaller_one_that_other_seeds_chose():
    rows = series_rows("narma", 0.9, 0.2) + series_rows("narma", 3.0, 0.6)
    said = find("reservoir-series").sum_up(rows)
    assert said.value == pytest.approx(3)
    assert said.verdict.startswith("Does not hold.")
    assert "lowest or highest" not in said.text
    lucky = series_rows("narma", 1.1, 0.1, score=0)
    larger = series_rows("narma", 0.9, 0.05, n_h=400)
    for more in (lucky, larger):
        assert find("reservoir-series").measure(rows + more).value == pytest.approx(3)
    better = series_rows("narma", 3.0, 0.2, at_edge=True)
    text = find("reservoir-series").sum_up(rows[:5] + better).text
    assert verdict("reservoir-series", rows[:5] + better).startswith("Holds. On every series")
    assert "lowest or highest that we tried for NARMA-10, radius 3, so" in text
    far = series_rows("far", 0.9, 0.2) + series_rows("far", 3.0, 0.2)
    said = verdict("reservoir-series", rows + far)
    assert said.startswith("Holds in part, if the series is Mackey–Glass 84 steps ahead")


def test_settings_are_chosen_on_seeds_that_are_not_reported(monkeypatch):
    asked = []

    def error(task, radius, n_h, setting, config, seed):
        asked.append((setting, seed))
        if seed < 100:
            return 0.5
        scale, bias, leak = setting
        return abs(np.log(scale)) + bias + (1 - leak) + 0.1

    monkeypatch.setattr(reservoir_series, "_error", error)
    for scales, at_edge in (([0.01, 0.1, 1.0, 10.0], False), ([1.0, 10.0], True)):
        grids = {"narma": [scales, [0.0, 0.5, 1.0], [1.0, 0.4, 0.2]]}
        config = {"radii": [0.9], "grids": grids, "first": {"narma": [1, 1, 1]}, "large": [400]}
        rows = rows_of("reservoir-series", seeds=2, **config)
        found = {
            (row["n_h"], row["scale"], row["bias"], row["leak"], row["at_edge"]) for row in rows
        }
        assert found == {
            (200, 1.0, 0.0, 1.0, at_edge),
            (400, 1.0, 0.0, 1.0, at_edge),
            (20, None, None, None, False),
        }
        assert rows[0]["score"] == pytest.approx(-np.log(0.1), abs=1e-4)
    assert {seed for (setting, seed) in asked if setting and setting[1] > 0} == set(separate(1))


def test_a_reservoir_predicts_a_series_from_its_own_predictions():
    sizes = {"training": 1000, "held_out": 300, "testing": 400, "runs": 20}
    config = find("reservoir-series").quick | sizes | {"penalties": [1e-12, 1e3]}
    far, near = (
        reservoir_series._error(task, 0.9, 100, (0.1, 0.5, 0.4), config, 0)
        for task in ("far", "next")
    )
    assert near < 0.01
    assert near < far < 0.3  # a constant prediction of the mean has 1
    line = reservoir_series._error("narma", None, 20, (), config, 0)
    assert line == pytest.approx(0.4, abs=0.1)  # as `rnn_helpers.tasks.narma10` says


@pytest.mark.slow
def test_descent_reaches_the_closed_form_and_momentum_is_faster():
    rows = [
        row for row in rows_of("convex-readout", seeds=2) if row["method"] != convex_readout.ADAM
    ]
    for row in rows:
        assert row["near"] == row["starts"]
        assert row["excess"] < 1e-6
        assert row["apart"] < 1e-3
    plain, momentum = (
        np.mean([row["steps"] for row in rows if row["method"] == method])
        for method in (convex_readout.PLAIN, convex_readout.MOMENTUM)
    )
    root = np.sqrt(np.mean([row["condition"] for row in rows]))
    assert root / 5 < plain / momentum < root


@pytest.mark.slow
def test_the_readout_verdict_depends_on_which_methods_reach_the_minimum():
    rows = rows_of("convex-readout", seeds=6)
    assert verdict("convex-readout", rows) == "Holds. All methods come near the minimum."
    slow = [row | {"near": 4} if row["method"] == convex_readout.PLAIN else row for row in rows]
    said = verdict("convex-readout", slow)
    assert said.startswith(
        "Holds in part, if the method suits the conditioning. Gradient descent fails"
    )
    none = verdict("convex-readout", [row | {"near": 0} for row in rows])
    assert none.startswith("Does not hold.")


def test_the_gradient_is_zero_at_the_closed_form():
    config = find("convex-readout").quick
    rngs = np.random.default_rng(0).spawn(2)
    H, y, best = convex_readout._problem(config, 0.1, *rngs)
    slope = H.T @ (H @ best - y)
    slope[:-1] += 0.1 * best[:-1]
    assert np.abs(slope).max() < 1e-9 * np.abs(H.T @ y).max()


@pytest.mark.slow
def test_memory_capacity_is_at_most_the_number_of_units():
    rows = rows_of("lossy-summary", seeds=3, sizes=[5, 20, 50], scales=[1e-5, 0.1])
    said = verdict("lossy-summary", rows)
    assert said.startswith("Holds in part, if the past is read from the state by linear readouts")
    kept = {
        cell: np.mean([row["capacity"] for row in mine])
        for cell, mine in grouped(rows, "weights", "scale", "n_h").items()
    }
    assert kept["orthogonal", 1e-5, 50] == pytest.approx(50, abs=1)  # full
    assert kept["gaussian", 0.1, 50] < 30
    for per_unit, kind in ((1.0, "holds in part"), (3.0, "does not hold")):  # 3 are asked for
        full = [row | {"capacity": row["n_h"] * per_unit} for row in rows]
        assert find("lossy-summary").sum_up(full).kind == kind


def start_rows(successes, task="first", length=100, at_edge=False):
    return [
        {"task": task, "length": length, "steps": 150, "start": name, "eta": 0.1, "seed": seed}
        | {"right": float(seed < count), "at_edge": at_edge}
        for name, count in successes.items()
        for seed in range(20)
    ]


def test_the_sparse_initialization_must_learn_more_often_than_the_default():
    rows = start_rows({"default": 0, sparse_start.CLAIMED: 20, "orthogonal": 19})
    said = find("sparse-start").sum_up(rows)
    assert said.verdict.startswith("Holds. On every task, most networks")
    assert "told apart from sparse 1.2: orthogonal" in said.text
    assert "lowest or highest" not in said.text
    edge = start_rows({"default": 0}, at_edge=True)
    text = find("sparse-start").sum_up(edge + rows[20:]).text
    assert "lowest or highest that we tried for default over 100 steps, value first (0.1)," in text
    for ours, default, kind in (
        (15, 5, "holds"),
        (14, 0, "undecided"),
        (15, 10, "undecided"),
        (3, 0, "does not hold"),
    ):
        some = start_rows({"default": default, "sparse 1.2": ours})
        assert find("sparse-start").sum_up(some).kind == kind
    marked = start_rows({sparse_start.CLAIMED: 2, "orthogonal": 18}, "marked", 50)
    assert verdict("sparse-start", rows + marked).startswith(
        "Holds in part, if the value always comes first"
    )


@pytest.mark.slow
def test_the_learning_rate_of_an_initialization_is_chosen_on_other_seeds():
    series = [["first", 10, 40, [1e-9, 0.3], [sparse_start.CLAIMED]]]
    rows = rows_of("sparse-start", seeds=2, first=2, series=series)
    assert [(row["seed"], row["eta"], row["at_edge"]) for row in rows] == [
        (0, 0.3, True),
        (1, 0.3, True),
    ]
