"""What the experiments on networks that count measure."""

import numpy as np
import pytest

from rnn_helpers.experiments import counting
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.training import Adam

pytestmark = pytest.mark.chapter("16")


def rows_of(errors, seeds=10, **others):
    """Rows of networks whose errors are these, give or take a little from seed to seed."""
    others = {"eta": 0.06, "at_edge": False} | others
    return [
        {"network": name, "seed": s, "error": e * 1.01**s, "longer": e * 1.01**s, **others}
        for name, e in errors.items()
        for s in range(seeds)
    ]


def test_ratios_are_taken_seed_by_seed():
    rows = rows_of({"a": 0.1, "b": 0.3})
    assert counting.times(rows, "b", "a") == pytest.approx((3, 3, 3))


@pytest.mark.slow
def test_a_network_that_has_learned_nothing_does_worse_than_to_know_the_mean():
    pytest.importorskip("torch")
    contest = counting.Counting({"none": ("lstm", 4, {})})
    config = counting.QUICK | {"networks": ["none"], "etas": [1e-9], "steps": 1, "reset": 0.5}
    rows = contest.run(config, [0, 1])
    assert [(row["network"], row["seed"], row["eta"]) for row in rows] == [
        ("none", 0, 1e-9),
        ("none", 1, 1e-9),
    ]
    assert all(row["error"] > 1 and row["longer"] > 1 for row in rows)
    assert rows[0]["error"] != rows[1]["error"]
    inputs, _ = next(contest.batches(config, ("none",), 99, [[0, 2]]))
    assert inputs[..., 1].mean() == pytest.approx(0.5, abs=0.1)


def test_side_by_side_each_network_has_its_own_learning_rate():
    g = {"p": np.array([[1.0, -2.0], [1.0, -2.0]], np.float32)}
    p, memory = {"p": np.zeros((2, 2), np.float32)}, {}
    together = AdamEach([0.1, 0.3], steps=4)
    for step in (1, 2):
        p = together.update(p, g, memory, step)
    for row, rate in zip(p["p"], (0.1, 0.3), strict=True):
        alone, memory = {"p": np.zeros(2)}, {}
        optimizer = Adam(lambda step, rate=rate: rate * (1 - (step - 1) / 4))
        for step in (1, 2):
            alone = optimizer.update(alone, {"p": g["p"][0]}, memory, step)
        np.testing.assert_allclose(row, alone["p"], rtol=1e-5)
    assert not set(separate(5)) & set(range(100))
