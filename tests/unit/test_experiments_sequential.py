"""What the experiment on pictures read in order measures, and that each verdict can come out."""

import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_16 import sequential_digits

pytestmark = pytest.mark.chapter("16")


def pictures(seeds=5, read="pixels", **changed):
    right = {"simple": 0.6, "simple, orthogonal": 0.7, "LSTM, bias 1": 0.8, "GRU": 0.75}
    return [
        {
            "read": read,
            "network": name,
            "parameters": 9,
            "eta": 0.01,
            "seed": s,
            "accuracy": share + 0.001 * (-1) ** s,
        }
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


def test_a_simple_network_with_as_many_parameters_may_be_ahead_and_it_is_told_when_it_was_added():
    summary = sequential_digits.summarise(pictures(**{"simple, orthogonal, wide": 0.9}))
    assert summary.verdict == (
        "holds if units are counted, not parameters: LSTM, bias 1 is ahead of simple networks of "
        "as many units, not of simple, orthogonal, wide"
    )
    assert summary.value == pytest.approx(-0.1)
    assert "added, with the highest rate, after a first run on the same seeds" in summary.text
    assert "+0.100 (+0.100 to +0.100) beyond the best simple one of as many units" in summary.text
    assert "added" not in sequential_digits.summarise(pictures()).text


def test_a_rate_at_an_end_of_its_grid_is_told():
    rows = pictures()
    assert "At an end" not in sequential_digits.summarise(rows).text
    highest = [row | {"eta": 0.1} if row["network"] == "GRU" else row for row in rows]
    told = sequential_digits.summarise(highest).text
    assert told.endswith("At an end of the grid of rates: GRU (0.1).")


def test_networks_read_all_of_a_digit_and_the_rule_gives_the_bias():
    pytest.importorskip("torch")
    config = find("sequential-digits").quick
    assert sequential_digits.RULED == "LSTM, bias 5"
    sizes = {}
    for read in sequential_digits.READ:
        for name in sequential_digits.NETWORKS:
            rows = sequential_digits._rows(read, name, 1, config | {"n_h": 32}, [0, 1])
            assert all(0 <= row["accuracy"] < 0.6 for row in rows)
            sizes[read, name] = rows[0]["parameters"]
    wide, lstm = sizes["pixels", "simple, orthogonal, wide"], sizes["pixels", "LSTM, bias 1"]
    assert wide == pytest.approx(lstm, rel=0.05)


def test_the_learning_rate_is_the_one_that_ends_lowest_for_other_seeds(monkeypatch):
    pytest.importorskip("torch")
    asked, train = [], sequential_digits._trained

    def once(read, name, eta, steps, config, seeds):
        asked.append((eta, list(seeds)))
        net, made = train(read, name, eta, steps, config, seeds)
        made.loss[:] = abs(eta - 0.01)
        return net, made

    monkeypatch.setattr(sequential_digits, "_trained", once)
    config = find("sequential-digits").quick | {"grid": {"seeds": 1, "etas": [0.1, 0.01, 0.003]}}
    rows = sequential_digits._rows("rows", "simple", 1, config, [0, 1])
    assert asked == [(0.1, [1000]), (0.01, [1000]), (0.003, [1000]), (0.01, [0, 1])]
    assert [row["eta"] for row in rows] == [0.01, 0.01]
