"""Check the comparisons of networks with n-grams and compressors, and their verdicts."""

import pytest
from verdicts import about

from rnn_helpers.claims.chapter_05 import bits_per_character as bpc
from rnn_helpers.experiments import find
from rnn_helpers.experiments.texts import Learned, three_parts
from rnn_helpers.tasks import NGram, characters, compressed_bits

CASES = {
    "holds": {"ahead": about(0.3), "ahead_small": about(0.5)},
    "restricted": {"ahead": about(-0.3), "ahead_small": about(0.5)},
    "does not hold": {"ahead": about(-0.3), "ahead_small": about(-0.5)},
    "undecided": {"ahead": about(0), "ahead_small": about(0.5)},
}
CORPUS = characters("topics")
TINY = {"n_h": 8, "T": 8, "batch_size": 4, "steps": 2}


@pytest.mark.nightly
@pytest.mark.slow
def test_tables_and_networks_learn_the_same_part_and_are_measured_on_the_last():
    pytest.importorskip("torch")
    config = {"text": "topics", "choosing": 1, "first": 2, "etas": [0.01, 0.02],
              "orders": [1, 3], "networks": ["GRU"], **TINY}  # fmt: skip
    rows = bpc.run(config, range(2))
    _, corpus = three_parts(CORPUS)
    counted = compressed_bits(corpus) | {
        f"{n}-gram": NGram(n, corpus.train, len(CORPUS.alphabet)).bits(corpus.held_out)
        for n in (1, 3)
    }
    for seed, row in enumerate(rows):
        assert row["counted"] == counted
        assert row["characters"] == len(corpus.train) < len(CORPUS.train)
        one = Learned("GRU", corpus, row["eta"], seed, TINY)
        assert row["bits"] == one.bits(corpus.held_out) == one.bits(CORPUS.held_out)


def against_tables(**bits):
    """Return the summary of networks that need so many bits, give or take 0.1, and of tables."""
    counted = {"1-gram": 4.7, "3-gram": 2.6, "5-gram": 1.9, "gzip": 2.2}
    known = {"counted": counted, "characters": 1000, "steps": 9, "eta": 0.1, "at_edge": False}
    rows = [
        {"network": network, "seed": seed, "bits": mean + 0.1 * (seed - 1), **known}
        for network, mean in bits.items()
        for seed in range(3)
    ]
    return find("bits-per-character").sum_up(rows)


@pytest.mark.parametrize(
    ("bits", "verdict"),
    [
        (
            {"GRU": 1.2, "LSTM": 3},
            "Holds. GRUs need 1.20 (0.95 to 1.45) bits per character, and the best table, the "
            "5-gram, needs 1.90.",
        ),
        (
            {"GRU": 2.3, "LSTM": 2.2},
            "Does not hold. LSTMs, the best networks, need 2.20 (1.95 to 2.45) bits per character, "
            "and the 5-gram needs 1.90. The networks only beat a 3-gram.",
        ),
        (
            {"GRU": 2.3, "LSTM": 3},
            "Does not hold. LSTMs need more bits than a 3-gram, and all networks need more than "
            "the 5-gram.",
        ),
    ],
)
def test_the_best_network_meets_the_best_table_and_the_worst_a_small_one(bits, verdict):
    said = against_tables(**bits)
    assert said.verdict == verdict
    assert said.value == sum(mean < 1.9 for mean in bits.values()) / 2


def test_a_share_of_zero_is_written_in_words():
    assert "no network predicts better than a 5-gram" in against_tables(GRU=2.3, LSTM=3).finding
