"""Bits that are the parity of earlier bits, and their information."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, INF, NAN, RAGGED, SEED, first

from rnn_helpers.tasks import NoisyParity

pytestmark = pytest.mark.chapter("07")

SOURCES = st.builds(NoisyParity, st.integers(1, 5), st.floats(0.01, 0.5))


@given(SOURCES, st.integers(1, 8))
def test_the_probabilities_of_all_sequences_are_a_distribution_of_this_entropy(source, n_steps):
    every = np.array(list(product([0, 1], repeat=n_steps))).T
    log_p = source.log_probability(every)
    np.testing.assert_allclose(np.exp(log_p).sum(), 1)
    np.testing.assert_allclose(-(np.exp(log_p) * log_p).sum(), source.entropy(n_steps))


@given(SOURCES, st.integers(0, 10**6))
def test_a_bit_is_the_parity_of_those_before_it_unless_noise_turns_it(source, seed):
    y = source.sample(9, 20, seed)
    assert y.shape == (9, 20)
    p = source.following(y)
    assert p.shape == (10, 20)
    assert (p[: source.order] == 0.5).all()
    for t in range(source.order, 10):
        odd = y[t - source.order : t].sum(axis=0) % 2
        np.testing.assert_array_equal(p[t], np.where(odd, 1 - source.noise, source.noise))
    chosen = np.where(y, p[:-1], 1 - p[:-1])
    np.testing.assert_allclose(source.log_probabilities(y), np.log(chosen))


def test_the_mean_loss_of_samples_is_the_entropy():
    source = NoisyParity()
    costs = -source.log_probability(source.sample(12, 20_000, seed=0))
    assert abs(costs.mean() - source.entropy(12)) < 4 * costs.std() / 20_000**0.5
    assert source.entropy(12) == pytest.approx(5.373, abs=5e-4)


def test_fewer_bits_give_chance_level():
    y = NoisyParity(order=3).sample(40, 4000, seed=0)
    two = 2 * y[:-2] + y[1:-1]
    for before in range(4):
        assert abs(y[2:][two == before].mean() - 0.5) < 0.01


def test_before_the_first_bit_there_is_a_coin_and_several_seeds_are_drawn_side_by_side():
    source = NoisyParity(2)
    assert source.following([]).tolist() == [0.5]
    both = next(source.batches(7, 3, [5, 6]))
    assert both.shape == (7, 2, 3)
    for s, seed in enumerate([5, 6]):
        np.testing.assert_array_equal(both[:, s], next(source.batches(7, 3, seed)))


REFUSALS = {
    NoisyParity: (
        {"order": 2, "noise": 0.1},
        {"order": [*COUNT, 31], "noise": [0, 0.6, NAN, INF, "a", None, [1]]},
    ),
    NoisyParity().entropy: ({"n_steps": 3}, {"n_steps": COUNT}),
    **{
        getattr(NoisyParity(), name): (
            {"y": [0, 1]},
            {"y": [None, "a", 1, [2], [-1], [0.5], RAGGED]},
        )
        for name in ("following", "log_probabilities", "log_probability")
    },
    NoisyParity().sample: (
        {"n_steps": 3, "size": 2, "seed": 0},
        {"n_steps": COUNT, "size": COUNT, "seed": SEED},
    ),
    first(NoisyParity().batches): (
        {"n_steps": 3, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
