"""What the experiment on pictures read in order measures, and that each verdict can come out."""

import pytest

from rnn_helpers.experiments import find, sequential_digits

pytestmark = pytest.mark.chapter("16")


def pictures(seeds=5, read="pixels", **changed):
    right = {"simple": 0.6, "simple, orthogonal": 0.7, "LSTM, bias 1": 0.8, "GRU": 0.75}
    return [
        {"read": read, "network": name, "seed": s, "accuracy": share + 0.001 * (-1) ** s}
        for name, share in (right | changed).items()
        for s in range(seeds)
    ]


def test_gated_networks_must_surpass_the_best_simple_one():
    rows = pictures() + pictures(read="rows")
    summary = sequential_digits.summarise(rows)
    assert summary.verdict == "holds"
    assert summary.value == pytest.approx(0.1)
    assert "by row: simple 0.600" in summary.text
    better = pictures(**{"simple, orthogonal": 0.85})
    assert sequential_digits.summarise(better).verdict.startswith("holds if the simple network's")
    assert sequential_digits.summarise(pictures(simple=0.9)).verdict == "does not hold"


def test_networks_read_all_of_a_digit_and_the_rule_gives_the_bias():
    pytest.importorskip("torch")
    config = {**find("sequential-digits").quick, "n_h": 4}
    assert sequential_digits.RULED == "LSTM, bias 5"
    for read in sequential_digits.READ:
        for name in sequential_digits.NETWORKS:
            accuracy, loss = sequential_digits._trained(read, name, 0.01, 2, config, [0, 1])
            assert accuracy.shape == loss.shape == (2,)
            assert (accuracy < 0.3).all()
