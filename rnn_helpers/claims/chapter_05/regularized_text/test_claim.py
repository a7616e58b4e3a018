"""Check the remedies against memorizing, how their strengths are chosen, and the verdicts."""

import numpy as np
import pytest
from verdicts import about, rows_of

from rnn_helpers.claims.chapter_05 import regularized_text as claim
from rnn_helpers.experiments import find

pytestmark = pytest.mark.slow
BETTER, WORSE = (dict.fromkeys(claim.REMEDIES, about(gain)) for gain in (0.4, -0.3))
CASES = {
    "holds": {"least_gain": about(0.3), "most_gain": about(0.5), "gains": BETTER},
    "holds in part": {"least_gain": about(0), "most_gain": about(0.5), "gains": BETTER},
    "does not hold": {"least_gain": about(-0.5), "most_gain": about(-0.3), "gains": WORSE},
    "undecided": {
        "least_gain": about(-0.3),
        "most_gain": about(0),
        "gains": WORSE | {claim.DROPOUT: about(0)},
    },
}


def test_weight_decay_shrinks_matrices_alone():
    params = {"W": np.ones((2, 2)), "b": np.ones(2)}
    grads = {name: np.zeros_like(p) for name, p in params.items()}
    made = claim.Decayed(lambda step: 0.1, decay=0.5).update(params, grads, {}, 1)
    np.testing.assert_allclose(made["W"], 0.95)
    np.testing.assert_array_equal(made["b"], 1)


@pytest.mark.nightly
def test_each_remedy_has_one_strength_and_reads_the_same_text():
    pytest.importorskip("torch")
    rows = rows_of("regularized-text", steps=10, every=5)
    strengths = {row["remedy"]: row["strength"] for row in rows}
    assert strengths == {
        claim.PLAIN: 0,
        claim.EARLY: 0,
        **{remedy: each[0] for remedy, each in find("regularized-text").quick["strengths"].items()},
    }
    assert len({row["characters"] for row in rows}) == 1


def test_networks_are_compared_seed_by_seed():
    known = {"counted": {"3-gram": 3.0, "5-gram": 2.5}, "characters": 9, "steps": 1, "passes": 1.0}
    rows = [
        {"remedy": remedy, "strength": 0, "seed": seed, "bits": 3.2 + seed - gain, "choosing": 3,
         "learned": 2, "eta": 0.1, "at_edge": False, **known}
        for remedy, gain in zip((claim.PLAIN, *claim.REMEDIES), (0, 0.1, 0.2, 0.3), strict=True)
        for seed in range(3)
    ]  # fmt: skip
    made = find("regularized-text").numbers(rows)
    for remedy, gain in zip(claim.REMEDIES, (0.1, 0.2, 0.3), strict=True):
        np.testing.assert_allclose(made["gains"][remedy], gain)
    assert made["best"] == claim.DECAY
