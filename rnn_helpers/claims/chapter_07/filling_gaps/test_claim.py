"""Ways to fill a gap, and what is said of them."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_07 import filling_gaps
from rnn_helpers.experiments import find, sequences
from rnn_helpers.reference import exact_filling, forward_filling, init_rnn, log_joint

CASES = {
    "holds": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0.3)},
    "holds in part": {"lost": about(0.3), "gibbs": about(0.3), "both": about(-0.1)},
    "does not hold": {"lost": about(-0.1), "gibbs": about(0.3), "both": about(-0.1)},
    "undecided": {"lost": about(0.3), "gibbs": about(0.3), "both": about(0)},
}
SEEDS = range(10)
PARAMS = init_rnn(2, 5, 2, seed=[0, 1], scale=2.0)
Y = np.random.default_rng(0).integers(2, size=(7, 2, 3))
GAP = np.array([2, 3, 4])


def of_seed(s):
    return {name: array[s] for name, array in PARAMS.items()}


def all_seeds(y):
    return sequences.log_probabilities(PARAMS, y).sum(axis=0)


def test_gaps_are_filled_as_the_reference_fills_them():
    by_all = filling_gaps.enumerated(all_seeds, Y, GAP)
    from_left = filling_gaps.from_left(PARAMS, Y, GAP)
    again = filling_gaps.drawn_again(all_seeds, Y, GAP, 800, 0)
    for s in (0, 1):
        for k in range(3):
            alone = (lambda y, s=s: log_joint(of_seed(s), y)), Y[:, s, k], GAP, 2
            exact = exact_filling(*alone)
            np.testing.assert_array_equal(by_all[:, s, k], exact.symbols)
            np.testing.assert_array_equal(from_left[:, s, k], forward_filling(*alone).symbols)
            sure = np.abs(exact.probabilities[:, 1] - 0.5) > 0.05
            np.testing.assert_array_equal(again[sure, s, k], exact.symbols[sure])


def test_what_stands_in_a_gap_is_not_read():
    other = Y.copy()
    other[GAP] ^= 1
    for fill in (
        lambda y: filling_gaps.enumerated(all_seeds, y, GAP),
        lambda y: filling_gaps.from_left(PARAMS, y, GAP),
        lambda y: filling_gaps.drawn_again(all_seeds, y, GAP, 5, 0),
    ):
        np.testing.assert_array_equal(fill(Y), fill(other))


def test_gaps_to_learn_from_are_of_every_length_and_anywhere():
    y = next(filling_gaps.SOURCE.batches(filling_gaps.T, 400, [0]))
    rngs = [np.random.default_rng(0)]
    x, target, missing = filling_gaps._with_gaps(y, rngs, {"gaps": [1, 10]})
    assert set(missing.sum(axis=0).ravel()) == set(range(1, 11))
    assert missing[0].any()
    assert missing[-1].any()
    assert (np.abs(np.diff(missing.astype(int), axis=0)).sum(axis=0) <= 2).all()  # in one piece
    np.testing.assert_array_equal(x[missing], 2)
    np.testing.assert_array_equal(x[~missing], y[~missing])
    assert target is y


def fill_rows(forward=0.66, gibbs=0.58, both=0.77, single=0.91):
    right = {
        filling_gaps.BEST: (0.99, 0.78),
        filling_gaps.EXACT: (0.99, 0.78),
        filling_gaps.FORWARD: (0.92, forward),
        filling_gaps.GIBBS: (0.99, gibbs),
        filling_gaps.BOTH: (single, both),
    }
    costs = dict(zip(filling_gaps.WAYS, [1024, 1024, 20, 1000, 1], strict=True))
    return [
        {
            "way": way,
            "gap": gap,
            "seed": s,
            "right": share + 0.001 * s,
            "evaluations": costs[way],
            "nats": 6.7,
            "eta": 0.03,
            "at_edge": way == filling_gaps.BOTH,
        }
        for way, shares in right.items()
        for gap, share in zip((1, 10), shares, strict=True)
        for s in SEEDS
    ]


def test_filling_is_hard_for_a_network_that_reads_in_one_direction():
    said = find("filling-gaps").sum_up(fill_rows())
    assert said.verdict.startswith("Holds in part, if the network reads in one direction.")
    assert "all 1,024 ways" in said.verdict
    assert said.value == pytest.approx(0.12)
    assert "Gibbs sampling, which computes 1,000 probabilities" in said.text
    assert "0.08 (0.08 to 0.08) lower" in said.text
    assert "reads both ways (0.03)" in said.text
    for kind, other in (
        ("Holds. From left to right", {"both": 0.7}),
        ("Does not hold.", {"forward": 0.74}),
        ("Does not hold.", {"gibbs": 0.75}),
    ):
        assert verdict("filling-gaps", fill_rows(**other)).startswith(kind)
    assert "lower" not in find("filling-gaps").sum_up(fill_rows(single=0.95)).text
    assert "seldom leaves" not in find("filling-gaps").sum_up(fill_rows(gibbs=0.66)).text
