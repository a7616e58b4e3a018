"""Networks against n-grams and compressors: what is measured, and each verdict can come out."""

from dataclasses import replace

import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_05 import bits_per_character as bpc
from rnn_helpers.experiments.claims.chapter_05 import text_sizes
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Unforeseen
from rnn_helpers.tasks import NGram, characters, compressed_bits

pytestmark = pytest.mark.chapter("05")

CORPUS = characters("topics")
TINY = {"n_h": 8, "T": 8, "batch_size": 4, "steps": 2}


@pytest.mark.slow
def test_the_rows_hold_what_the_package_measures():
    pytest.importorskip("torch")
    config = {"choosing": 0, "orders": [1, 3], "rates": {"GRU": [0.01]}, **TINY}
    rows = {row["model"]: row for row in bpc.run(config, range(2))}
    table = NGram(3, CORPUS.train, len(CORPUS.alphabet))
    assert rows["3-gram"]["bits"] == table.bits(CORPUS.held_out)
    assert rows["3-gram"]["parameters"] == table.size
    assert {name: rows[name]["bits"] for name in ("gzip", "xz")} == {
        name: bits for name, bits in compressed_bits(CORPUS).items() if name != "bzip2"
    }
    one = Learned("GRU", CORPUS, 0.01, 1, TINY)
    assert rows["GRU"]["each"][1] == one.bits(CORPUS.held_out)
    assert rows["GRU"]["seconds"] > 0 < rows["3-gram"]["seconds"]
    assert rows["GRU"]["parameters"] == sum(p.numel() for p in one.net.parameters())


@pytest.mark.slow
def test_a_rate_is_chosen_on_other_seeds(monkeypatch):
    asked = []

    def made_up(network, corpus, eta, seeds, config):
        asked.append((eta, list(seeds), config["steps"]))
        return [abs(eta - 0.02) + 0.001 * (seed % 7) for seed in seeds], 1, 2.0

    monkeypatch.setattr(bpc, "_bits", made_up)
    config = {"choosing": 2, "choosing_steps": 5, "orders": [1, 5], "steps": 9,
              "rates": {"LSTM": [0.01, 0.02, 0.04]}}  # fmt: skip
    row = bpc.run(config, range(3))[-1]
    assert row["eta"] == 0.02
    assert asked[:3] == [(eta, separate(2), 5) for eta in (0.01, 0.02, 0.04)]
    assert asked[3] == (0.02, [0, 1, 2], 9)


def against_tables(*bits):
    """Return the summary of networks that need so many bits, give or take 0.1, and of tables."""
    tables = {"1-gram": 4.7, "2-gram": 3.4, "5-gram": 1.9, "gzip": 2.2}
    rows = [bpc._row(model, value) | {"characters": 100} for model, value in tables.items()]
    for model, needed in zip(("LSTM", "GRU"), bits, strict=False):
        ends = needed - 0.1, needed + 0.1
        trained = bpc._row(model, needed, 9, 2.0, *ends, [needed, needed + 0.01])
        rows.append(trained | {"eta": 0.1, "steps": 9, "characters": 100})
    return find("bits-per-character").sum_up(rows)


def test_the_verdict_on_ngrams_names_those_that_are_beaten():
    said = against_tables(3.35, 2.5)
    assert said.verdict == (
        "Holds if n is small: the LSTM is ahead of a 1-gram, the GRU is ahead of a 2-gram, and "
        "none is ahead of a better table."
    )
    assert said.value == 0
    for bits in (1.5, 9.0):  # all are beaten, or none
        with pytest.raises(Unforeseen):
            against_tables(bits)


@pytest.mark.slow
def test_texts_of_each_size_are_ends_of_the_whole():
    pytest.importorskip("torch")
    config = {"shares": [4, 1], "orders": [2], "rates": {"GRU": 0.01}, **TINY}
    rows = text_sizes.run(config, range(2))
    whole = len(CORPUS.train)
    assert [row["characters"] for row in rows] == [whole // 4] * 2 + [whole] * 2
    quarter = replace(CORPUS, train=CORPUS.train[-(whole // 4) :])
    assert rows[0]["bits"] == NGram(2, quarter.train, len(CORPUS.alphabet)).bits(CORPUS.held_out)
    assert rows[1]["each"][1] == Learned("GRU", quarter, 0.01, 1, TINY).bits(CORPUS.held_out)


def texts(gains, last=None):
    """Rows in which each network's lag shrinks by its gains, one a seed, with each doubling."""
    rows = []
    for doublings in range(4):
        size, table = {"characters": 1000 * 2**doublings}, 3 - 0.2 * doublings
        rows.append({"model": "5-gram", "bits": table, "each": []} | size)
        for network, each in gains.items():
            lags = [0.5 - gain * doublings for gain in each]
            if doublings == 3 and last:
                lags = [0.5 - 2 * gain - end for gain, end in zip(each, last, strict=True)]
            bits = [table + lag for lag in lags]
            rows.append({"model": network, "bits": 3, "low": 2, "high": 4, "each": bits} | size)
    return rows


def test_more_text_helps_the_networks_whose_lag_shrinks_with_each_doubling():
    gains = {"RNN": [0.1, -0.1], "GRU": [0.1, 0.101], "LSTM": [0.2, 0.201]}
    said = find("text-sizes").sum_up(texts(gains, last=[0.01, -0.01]))
    assert said.verdict.startswith(
        "Holds if the network is a GRU or an LSTM and the text is short."
    )
    assert said.value == pytest.approx(-0.7 * 0.1005)  # the slope through four lags


@pytest.mark.parametrize(
    ("gains", "last"),
    [
        ({"GRU": [0.1, 0.101]}, [0.01, -0.01]),  # all come closer
        ({"RNN": [0.1, -0.1], "GRU": [-0.1, -0.101]}, None),  # none does
        ({"RNN": [0.1, -0.1], "GRU": [0.1, 0.101]}, None),  # the last doubling still helps
    ],
)
def test_other_outcomes_of_more_text_have_no_words(gains, last):
    with pytest.raises(Unforeseen):
        find("text-sizes").sum_up(texts(gains, last))
