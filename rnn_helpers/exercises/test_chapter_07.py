"""Chapter 07's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest

from rnn_helpers.exercises import chapter_07 as answers
from rnn_helpers.reference import exact_filling
from rnn_helpers.tasks import NoisyParity


@pytest.mark.parametrize("gaps", [[5], [0], [3, 4, 9]])
def test_gaps_are_filled_as_by_the_reference(gaps):
    source = NoisyParity(order=3, noise=0.2)
    y = source.sample(n_steps=10, size=1, seed=3)[:, 0]

    def log_p(y):
        return source.log_probability(np.asarray(y)[:, None])[0]

    ones = exact_filling(source.log_probability, y, gaps, n=2).probabilities[:, 1]
    np.testing.assert_allclose(answers.fill(log_p, y, gaps), ones, rtol=1e-9)
    if len(gaps) == 1:
        assert answers.fill_one(log_p, y, *gaps) == pytest.approx(ones[0])


LIMITS = {"07-product": (0.0015, 0.0025), "07-gauss": (0.004, 0.006)}
EQUIVALENT = {
    "07-draw": [
        # They differ only if the random number equals the probability exactly, which has
        # probability 0.
        "if symbols and rng.random() < stop: -> if symbols and rng.random() <= stop:",
    ],
    "07-messages": [
        # The message is a vector, which transposing doesn't change.
        "_messages: a.append(a[-1] @ A * fit) -> a.append(a[-1].T @ A * fit)",
    ],
    "07-one-gap": [
        # With one gap, the two ways to fill it are the bits 0 and 1 themselves.
        "_every: return itertools.product([0, 1], repeat=m) -> return [0, 1]",
        # With one gap, a single repetition is the default.
        "_every: return itertools.product([0, 1], repeat=m) -> return itertools.product([0, 1])",
        # With one gap, m is 1.
        "_every: return itertools.product([0, 1], repeat=m) -> "
        "return itertools.product([0, 1], repeat=1)",
    ],
}
