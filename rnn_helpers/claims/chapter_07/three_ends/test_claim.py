"""Ways to end a sequence, and what is said of them."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_07 import three_ends
from rnn_helpers.experiments import find

CASES = {
    "holds": {"abrupt": about(0.1), "early": about(0.95, 0.01), "worst": about(0.95, 0.01)},
    "holds in part": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.95, 0.01)},
    "does not hold": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.6)},
    "undecided": {"abrupt": about(0.1), "early": about(0.1), "worst": about(0.85)},
}
SEEDS = range(10)


def end_rows(**proper):
    shares = {
        three_ends.SYMBOL: 0.99,
        three_ends.COIN: 0.98,
        three_ends.EARLY: 0.12,
        three_ends.LENGTH: 0.12,
        three_ends.TOTAL: 0.97,
        three_ends.LEFT: 0.99,
    }
    shares |= {getattr(three_ends, name): share for name, share in proper.items()}
    return [
        {
            "way": way,
            "seed": s,
            "eta": 0.03,
            "at_edge": way == three_ends.LEFT,
            "nats": 2.8,
            "proper": share * (1 + 0.001 * s),
            "ended": 1.0,
            "kl": 0.01,
        }
        for way, share in shares.items()
        for s in SEEDS
    ]


def test_a_length_must_be_an_input_and_a_coin_must_follow_its_letter():
    said = find("three-ends").sum_up(end_rows())
    assert said.verdict.startswith("Holds in part, if the coin is tossed after the last symbol")
    assert "With all other ways, 0.97 (0.97 to 0.98) or more" in said.text
    assert "the two agree for one length in eight" in said.text
    assert "told what is left (0.03)" in said.text
    assert said.value == pytest.approx(0.12, abs=0.002)
    for kind, other in (
        ("Holds.", {"EARLY": 0.97}),
        ("Undecided", {"EARLY": 0.5}),
        ("Undecided", {"LENGTH": 0.498}),
        ("Undecided", {"TOTAL": 0.896}),
        ("Does not hold.", {"LENGTH": 0.51}),
        ("Does not hold.", {"TOTAL": 0.89}),
        ("Does not hold.", {"SYMBOL": 0.5}),
    ):
        assert verdict("three-ends", end_rows(**other)).startswith(kind)


def test_lengths_that_are_never_written_cost_much():
    even = np.tile(three_ends.SOURCE.lengths, 250)
    assert three_ends.divergence(even) < 1e-3
    assert 0.1 < three_ends.divergence(np.where(even == 10, 9, even)) < 2
