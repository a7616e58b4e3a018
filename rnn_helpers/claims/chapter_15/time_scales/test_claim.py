"""Check the measurements and verdicts of the experiments on several time scales."""

import numpy as np
import pytest
from verdicts import about

from rnn_helpers.claims.chapter_15 import time_scales
from rnn_helpers.experiments import find
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.reference import clock_connections
from rnn_helpers.training import SGD

CASES = {
    "holds": {"gains": {"skips": about(0.5), "removing connections": about(0.5)}},
    "holds in part": {"gains": {"skips": about(0.5), "removing connections": about(-0.5)}},
    "does not hold": {"gains": {"skips": about(-0.5), "removing connections": about(-0.5)}},
    "undecided": {"gains": {"skips": about(0.5), "removing connections": about(0)}},
}


def networks(successes, of=12, **cell):
    """Return a row for each of several networks, some of which have learned."""
    return [
        {"eta": 0.01, "at_edge": False, "seed": seed, "right": 1.0 if seed < successes else 0.5}
        | cell
        for seed in range(of)
    ]


def test_sgd_with_a_rate_for_each_network_matches_plain_sgd():
    p, g = np.ones((2, 3)), np.array([[1.0, 2, 3], [4, 5, 6]])
    each = SGDEach([0.1, 0.3], steps=4)
    for step in (1, 3):
        both = each.update({"p": p}, {"p": g}, {}, step)["p"]
        for k, rate in enumerate((0.1, 0.3)):
            one = SGD(rate * (1 - (step - 1) / 4)).update({"p": p[k]}, {"p": g[k]}, {}, step)["p"]
            np.testing.assert_allclose(both[k], one, rtol=1e-6)


@pytest.mark.slow
def test_networks_with_several_time_scales_have_similar_sizes():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    for name, (n_h, parts) in time_scales.NETWORKS.items():
        net = Gated(2, n_h, 2, [0], "leaky", **parts)
        size = sum(torch.numel(p) for p in net.parameters())
        if "periods" in parts:  # weights that the clocks mask don't count
            size -= (~clock_connections(parts["periods"])).sum()
        assert abs(size - 370) < 30, (name, size)


def test_the_value_arrives_at_the_requested_step():
    x, y, mask = next(time_scales.At(marker=True, step=7).batches(20, 50, 0))
    assert (x[..., 1].argmax(axis=0) == 6).all()
    np.testing.assert_array_equal(x[6, :, 0], 2 * y[0] - 1)
    assert x[..., 1].sum() == 50
    assert mask[-1].all()


def moved(name, step, length):
    """Return a mask (T, n_h) of the states that change with the input at one step."""
    pytest.importorskip("torch")
    import torch

    from rnn_helpers.nets import Gated

    n_h, parts = time_scales.NETWORKS[name]
    net = Gated(2, n_h, 2, [0], "leaky", **parts).double()
    x = torch.zeros(length, 1, 1, 2, dtype=torch.float64)
    with torch.no_grad():
        before = net.layers[0](x)
        x[step - 1] = 1.0
        return (net.layers[0](x) != before)[:, 0, 0].numpy()


@pytest.mark.slow
def test_skips_alone_reach_back_only_by_multiples_of_their_length():
    assert [moved("skips of 5 alone", step, 20)[-1].any() for step in range(1, 21)] == [
        (20 - step) % 5 == 0 for step in range(1, 21)
    ]
    assert moved("skips of 5", 1, 20)[-1].all()


@pytest.mark.slow
def test_a_clock_ignores_inputs_between_its_ticks():
    periods = np.array(time_scales.PERIODS)
    for step in (1, 2, 4, 32):
        np.testing.assert_array_equal(moved("clocks", step, 40).any(axis=0), step % periods == 0)


def scale_rows(**successes):
    """Return rows with a number of successes out of 12 for each network, 0 if not given."""
    names = {name.replace(", ", "_").replace(" ", "_"): name for name in time_scales.NETWORKS}
    return [
        row
        for key, name in names.items()
        for length in (20, 50)
        for row in networks(
            successes.get(key, 0), when=time_scales.RANDOM, length=length, network=name
        )
    ]


TICKED = networks(12, when=time_scales.TICK, length=50, network="clocks")


def test_each_strategy_must_beat_simple_networks_with_every_initialization():
    every = {"skips_of_5": 12, "leaky_0.9": 12, "simple_orthogonal": 6}
    said = find("time-scales").sum_up([*scale_rows(**every), *TICKED])
    assert said.verdict == "Holds in part, if the strategy is skips or leaky units."
    assert said.finding.startswith("Skips and leaky units help networks to hold a bit; removing")
    assert "at most 6 of 12 simple RNNs learn. With skips of 5, 12 do." in said.text
    ticked = "If the bit arrives when all clocks tick, 12 of 12 networks with clocks"
    assert ticked in said.text
    assert said.value == 1
    for better, kind in (
        ({"clocks": 12}, "holds"),
        ({"simple_orthogonal": 10}, "undecided"),
        ({"skips_of_5": 1, "leaky_0.9": 1, "simple": 12}, "does not hold"),
    ):
        rows = [*scale_rows(**every | better), *TICKED]
        assert find("time-scales").sum_up(rows).kind == kind


def test_the_chapter_compares_five_kinds():
    data = find("time-scales").data["five"](scale_rows(skips_of_5=12))
    assert [row["label"] for row in data.rows] == [
        time_scales.label(name) for name in time_scales.FIVE
    ]


def test_the_data_counts_networks_whose_bit_arrives_at_a_random_step():
    data = find("time-scales").data["all"]([*scale_rows(skips_of_5=12), *TICKED])
    assert [row["label"] for row in data.rows] == [
        time_scales.label(name) for name in time_scales.NETWORKS
    ]
    (row,) = (row for row in data.rows if row["label"] == "skips of 5")
    assert (row["value"], row["high"], row["count"]) == (1, 1, (12, 12))
    assert row["low"] == pytest.approx(0.735, abs=1e-3)
