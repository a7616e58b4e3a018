"""The answers of chapter 07's exercises, held against the reference."""

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
