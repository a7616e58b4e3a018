"""LSTMs against simple networks: how they begin, and when an LSTM is better."""

import numpy as np
import pytest
from verdicts import about

from rnn_helpers.claims.chapter_16 import lstm_against_rnn
from rnn_helpers.experiments import find

CASES = {
    "holds": {"bit": about(0.3), "order": about(0.5)},
    "holds in part": {"bit": about(0), "order": about(0.5)},
    "does not hold": {"bit": about(0), "order": about(0)},
    "undecided": {"bit": about(0.3), "order": about(0)},
}


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
def test_networks_start_alike_except_for_the_compared_settings():
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
