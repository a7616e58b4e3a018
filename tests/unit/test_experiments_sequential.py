"""What the experiment on pictures read in order measures, and when it says what."""

import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_16 import sequential_digits

pytestmark = pytest.mark.chapter("16")


def pictures(seeds=5, read="pixels", **changed):
    right = {"simple": 0.6, "simple, orthogonal": 0.7, "simple, orthogonal, wide": 0.9}
    right |= {"LSTM, bias 1": 0.8, "GRU": 0.75}
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


DIGITS = find("sequential-digits")


def test_gated_networks_must_surpass_the_best_simple_one_of_as_many_units():
    said = DIGITS.sum_up(pictures() + pictures(read="rows"))
    assert said.verdict.startswith("Holds if networks with as many units are compared")
    assert said.finding.endswith("but a wider simple network beats the LSTM, bias 1.")
    assert said.value == pytest.approx(-0.1)
    shares, differences = DIGITS.tabulate(pictures() + pictures(read="rows")).values()
    assert shares[0]["row by row"].startswith("0.600")
    assert differences[1]["difference in accuracy"] == "+0.100 (+0.100 to +0.100)"
    for name, share, kind in (
        ("simple", 0.85, "does not hold"),
        ("simple, orthogonal", 0.85, "does not hold"),
        (sequential_digits.WIDE, 0.7, "holds"),
    ):
        assert DIGITS.sum_up(pictures(**{name: share})).kind == kind


def test_a_rate_at_an_end_of_its_grid_is_told():
    rows = pictures() + pictures(read="rows")
    assert "lowest or highest" not in DIGITS.sum_up(rows).text
    highest = [row | {"eta": 0.1} if row["network"] == "GRU" else row for row in rows]
    told = DIGITS.sum_up(highest).text
    assert told.endswith("is the lowest or highest that we tried for GRU (0.1).")


@pytest.mark.slow
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


@pytest.mark.slow
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
