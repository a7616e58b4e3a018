"""How far gradients reach: measurements, and conditions of the verdict."""

import numpy as np
import pytest
from estimates import by_line
from verdicts import about, verdict

from rnn_helpers.claims.chapter_13.gradient_reach import CELLS
from rnn_helpers.experiments import find
from rnn_helpers.experiments.reach import reach
from rnn_helpers.reference import rnn_forward
from rnn_helpers.tasks import Latch

CASES = {
    "holds": {
        "default": about(0.7),
        "factor_still": about(0.4),
        "moving": 9,
        "factor_moving": about(0.6),
    },
    "restricted": {
        "default": about(0.7),
        "factor_still": about(0.4),
        "moving": 9,
        "factor_moving": about(0.99, 0.01),
        "kept": about(0.99, 0.01),
    },
    "does not hold": {"default": about(0.7), "factor_still": about(0.95, 0.01)},
    "undecided": {
        "default": about(0.7),
        "factor_still": about(0.4),
        "moving": 9,
        "factor_moving": about(0.9),
    },
}


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


def test_the_data_has_the_median_gradient_of_each_group():
    rows = [row | {"log10_norms": [0, -10 * row["factor"]]} for row in reach_rows(0.4, 1.0)]
    ends = [points[-1] for points in by_line(find("gradient-reach").data["data"](rows)).values()]
    np.testing.assert_allclose(ends, [(5, 10**-6.7), (5, 1e-4), (5, 1e-10)], rtol=1e-3)


@pytest.fixture(scope="module")
def reached():
    config = {"n_h": 6, "learned": 4, "steps": 30, "eta": 0.3, "batch_size": 8}
    config |= {"length": 25, "sequences": 20, "nearest": 5}
    return reach("Gaussian, radius 0.5", CELLS["Gaussian, radius 0.5"], config, [0, 1])


def test_with_small_weights_the_gradient_shrinks_like_the_spectral_radius(reached):
    for row in reached:
        if row["when"] == "at the start":
            # The untrained network is almost linear, so the factor is its spectral radius.
            assert row["factor"] == pytest.approx(0.5, abs=0.05)
            assert row["period"] == 1
            assert row["log10_norms"][0] == 0


def test_gradients_of_a_cell_match_finite_differences():
    cell = CELLS["default"]
    params, _ = cell.start(Latch(), [0, 1], 4)
    x, y, _ = next(Latch().batches(6, 3, seed=0))
    grads = cell.gradients(params, x, y)
    assert grads.shape == cell.states(params, x).shape == (7, 2, 3, 4)
    params = {name: p.astype(float) for name, p in params.items()}
    t, step = 2, 1e-6

    def loss(h):
        log_yhat = rnn_forward(params, x[t:], h0=h).log_yhat[-1]
        return -np.take_along_axis(log_yhat, np.broadcast_to(y[-1], (2, 3))[..., None], -1)[..., 0]

    h = cell.states(params, x)[t]
    for unit in range(4):
        e = step * np.eye(4)[unit]
        slope = (loss(h + e) - loss(h - e)) / (2 * step)
        np.testing.assert_allclose(grads[t, ..., unit], slope, rtol=1e-6, atol=1e-10)
