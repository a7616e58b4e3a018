"""What the experiments on gated networks measure, and under which conditions they say what."""

from itertools import product

import numpy as np
import pytest
from estimates import by_line

from rnn_helpers.claims.chapter_16 import (
    accumulate_forget,
    forget_bias,
    lstm_against_rnn,
)
from rnn_helpers.experiments import counting, find
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


def counting_rows(errors):
    """Return two networks of each kind, whose errors are 10 % above and below these."""
    return [
        {"network": name, "seed": seed, "eta": 0.1, "at_edge": False, "longer": error}
        | {"error": error * (1 + 0.1 * (-1) ** seed)}
        for name, error in errors.items()
        for seed in range(2)
    ]


def test_gates_are_needed_only_if_every_network_without_them_is_far_behind():
    def said(**left):
        names = accumulate_forget.NETWORKS
        errors = {name: left.get("gated", 0.001) for name in accumulate_forget.GATED}
        errors |= {name: left["others"] for name in names if name not in errors}
        errors["simple"] = left.get("best", left["others"])
        return find("accumulate-forget").sum_up(counting_rows(errors))

    assert said(others=0.02, best=0.01).verdict.startswith(
        "Holds in part: gated networks learn when to forget. But the best network without gates"
    )
    assert said(others=0.02, best=0.01).value == pytest.approx(10)
    assert said(others=0.9).kind == "holds"
    assert said(others=0.02, best=0.001).kind == "does not hold"
    assert said(others=0.9, gated=0.8).kind == "does not hold"


@pytest.mark.slow
def test_networks_that_are_compared_have_about_as_many_parameters():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    sizes = [
        sum(torch.numel(p) for p in Gated(2, n_h, 1, [0], unit, **parts).parameters())
        for unit, n_h, parts in accumulate_forget.NETWORKS.values()
    ]
    assert all(abs(size - 360) < 30 for size in sizes), sizes


def networks_of(n, of, **cell):
    """Return a row for each of several networks, of which the first n learn."""
    columns = cell | {"eta": 0.01, "at_edge": False}
    return [columns | {"seed": seed, "right": float(seed < n)} for seed in range(of)]


def bias_rows(least, biases=range(5), lengths=(10, 20, 50), starts=("default", "orthogonal")):
    """Return rows where just those learn whose bias is at least that of `least`, by length."""
    return [
        row
        for start, length, bias in product(starts, lengths, biases)
        for row in networks_of(
            20 * (bias >= least[length]), 20, task="first", length=length, start=start, bias=bias
        )
    ]


def test_a_bias_of_one_has_to_help_with_orthogonal_matrices_too():
    def said(least, orthogonal=None):
        rows = bias_rows(least, starts=["default"])
        rows += bias_rows(orthogonal or least, starts=["orthogonal"])
        return find("forget-bias").sum_up(rows)

    helps, none = {10: 0, 20: 1, 50: 2}, {10: 0, 20: 0, 50: 2}
    assert said(helps).verdict.startswith("Holds. Over 20 steps, 20 of 20 networks learn with a")
    assert said(helps).finding.endswith("Over 50 steps, a bias of 1 is too small.")
    assert said(helps, none).verdict.startswith(
        "Holds in part, if the recurrent matrices start small"
    )
    assert said(none).kind == said({10: 0, 20: 9, 50: 9}).kind == "does not hold"


def test_the_least_bias_that_is_enough_is_told_for_each_span():
    said = find("forget-bias").sum_up(bias_rows({10: 0, 20: 1, 50: 5})).text
    assert "learn is 0 over 10, 1 over 20, none over 50 steps." in said


def test_a_rate_at_the_edge_means_little_where_no_network_learns():
    rows = bias_rows({10: 0, 20: 1, 50: 2})
    edges = {(20, "orthogonal", 0), (50, "default", 3)}
    for row in rows:
        row["at_edge"] = (row["length"], row["start"], row["bias"]) in edges
    said = find("forget-bias").sum_up(rows).text
    assert "tried for first, 50 steps, default, bias 3 (0.01), so another rate might be" in said
    assert "means little. It is the lowest or highest that we tried for first, 20 steps, o" in said


def test_there_is_a_line_for_each_longer_span_over_its_own_biases():
    rows = bias_rows({10: 0, 20: 1, 50: 2}, range(4)) + bias_rows({100: 3}, range(1, 6), [100])
    drawn = by_line(find("forget-bias").data["data"](rows))
    assert drawn["50 steps"] == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert drawn["100 steps"] == [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1)]
    assert "10 steps" not in drawn


@pytest.mark.slow
def test_biases_and_matrices_differ_and_nothing_else_does():
    pytest.importorskip("torch")
    contest, config = forget_bias.BiasContest(), find("forget-bias").full
    cells = [("marked", 10, "default", 1), ("marked", 10, "default", 5)]
    cells.append(("marked", 10, "orthogonal", 1))
    one, five, orthogonal = (
        contest.params(config, cell, contest.net(config, cell, [0, 1]), [0, 1]) for cell in cells
    )
    assert (one["layers.0.bf"] == 1).all()
    assert (five["layers.0.bf"] == 5).all()
    for name, p in one.items():
        if name != "layers.0.bf":
            np.testing.assert_array_equal(p, five[name])
        assert (p == orthogonal[name]).all() == (name not in forget_bias.MATRICES)


def against_rows(lstm, simple, of=15):
    """Make rows in which so many LSTMs and simple networks learn each task over 50 steps."""
    counts = {lstm_against_rnn.LSTM: lstm, lstm_against_rnn.SIMPLE: simple}
    counts |= {("LSTM", "default", "0"): (0, 0), ("simple", "default", "0"): (1, 0)}
    return [
        {"task": task, "length": length, "network": network, "start": start, "bias": bias}
        | {"seed": seed, "right": float(length == 20 or seed < learned), "eta": 0.01}
        | {"at_edge": False}
        for (network, start, bias), each in counts.items()
        for task, learned in zip(lstm_against_rnn.TASKS, each, strict=True)
        for length in (20, 50)
        for seed in range(of)
    ]


@pytest.mark.parametrize(
    ("lstm", "simple", "expected"),
    [
        (
            (15, 15),
            (3, 1),
            "Holds. Over 50 steps, 15 of 15 LSTMs with a forget bias of ln T hold a bit",
        ),
        (
            (15, 13),
            (14, 1),
            "Holds in part, if the task is to tell the order of two letters: over 50 steps",
        ),
        ((14, 14), (15, 15), "Does not hold."),
        ((15, 5), (3, 4), "Undecided."),  # a bit alone
    ],
)
def test_an_lstm_has_to_beat_the_simple_network_that_is_well_initialized(lstm, simple, expected):
    rows = against_rows(lstm, simple)
    said = find("lstm-against-rnn").sum_up(rows)
    assert said.verdict.startswith(expected)
    assert said.value == pytest.approx((lstm[1] - simple[1]) / 15)
    (counts,) = find("lstm-against-rnn").tabulate(rows).values()
    assert counts[0] == {
        "network": "LSTM, bias ln T",
        "marked bit, 20 steps": "15 of 15",
        "marked bit, 50 steps": f"{lstm[0]} of 15",
        "order, 20 steps": "15 of 15",
        "order, 50 steps": f"{lstm[1]} of 15",
    }


@pytest.mark.slow
def test_networks_begin_alike_but_for_what_is_compared():
    pytest.importorskip("torch")
    contest, config = lstm_against_rnn.Ways("order", 10), {}

    def params(*way):
        net = contest.net(config, way, [0, 1])
        return contest.params(config, way, net, [0, 1])

    plain, opened, orthogonal = (
        params("LSTM", *way)
        for way in (("default", "0"), ("default", "ln T"), ("orthogonal", "ln T"))
    )
    for name, p in plain.items():
        if name == "layers.0.bf":
            np.testing.assert_array_equal(p, 0)
            np.testing.assert_allclose(opened[name], np.log(10), rtol=1e-6)
            np.testing.assert_allclose(orthogonal[name], np.log(10), rtol=1e-6)
        elif name.startswith("layers.0.W"):
            np.testing.assert_array_equal(opened[name], p)
            eye = orthogonal[name] @ np.swapaxes(orthogonal[name], -1, -2)
            np.testing.assert_allclose(eye, np.broadcast_to(np.eye(8), eye.shape), atol=1e-5)
        else:
            np.testing.assert_array_equal(opened[name], p)
            np.testing.assert_array_equal(orthogonal[name], p)
    assert params("GRU", "default", "ln T")["layers.0.bu"] == pytest.approx(np.log(10))
