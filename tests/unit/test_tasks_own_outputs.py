"""Waves to continue, and the truth that a network receives at random."""

import numpy as np
import pytest
from refusals import COUNT, FUNCTION, INF, NAN, POSITIVE, RAGGED, SEED, first

from rnn_helpers.tasks import Oscillator, with_coins

pytestmark = pytest.mark.chapter("06")


def test_several_seeds_give_the_same_results_as_each_alone():
    waves = next(Oscillator().batches(8, 3, [5, 6]))
    assert waves.shape == (8, 2, 3, 1)
    np.testing.assert_array_equal(waves[:, 1], next(Oscillator().batches(8, 3, 6)))


def test_the_wave_obeys_its_recursion_and_has_its_variance():
    task = Oscillator(period=23, overtone=0.5)
    wave = task.wave(23 * 40, [0.3, 1.0])[..., 0]
    np.testing.assert_allclose(wave[23:], wave[:-23], atol=1e-9)
    np.testing.assert_allclose((wave**2).mean(axis=0), task.variance)
    first, second = (2 * np.cos(2 * np.pi * k / 23) for k in (1, 2))
    # with (1 - first z + z^2)(1 - second z + z^2), four values of two waves give the next
    weights = np.convolve([1, -first, 1], [1, -second, 1])
    left = sum(w * wave[4 - k : len(wave) - k] for k, w in enumerate(weights))
    np.testing.assert_allclose(left, 0, atol=1e-9)
    with pytest.raises(ValueError, match="period is 4"):
        Oscillator(period=4)


def test_coins_have_the_given_probability_after_the_warm_up():
    waves = Oscillator().batches(110, 50, [0, 1, 2])
    coins = with_coins(waves, lambda step: [1.0, 0.8 - step / 10, 0.0], [3, 4, 5], warm_up=10)
    for step in range(2):
        x, y, own = next(coins)
        assert x is None
        assert y.shape == (110, 3, 50, 1)
        assert not own[:10].any()
        shares = own[10:].mean(axis=(0, 2))
        np.testing.assert_allclose(shares, [0, 0.2 + step / 10, 1], atol=0.02)
    _, y, own = next(with_coins(Oscillator().batches(12, 5, 0), lambda step: 0.0, 0))
    assert y.shape == (12, 5, 1)
    assert own.shape == (12, 5)
    assert own.sum() == 2 * 5


def test_a_warm_up_is_a_step_at_least():
    with pytest.raises(ValueError, match="warm_up is 0"):
        with_coins(iter(()), lambda step: 0.0, 0, warm_up=0)


WAVE = Oscillator().wave(4, [0.0])

REFUSALS = {
    Oscillator: (
        {"period": 9.5, "overtone": 0},
        {"period": [*POSITIVE, 4], "overtone": [NAN, INF, "a", None]},
    ),
    Oscillator().wave: (
        {"n_steps": 3, "phase": [0.0, 1.0]},
        {"n_steps": COUNT, "phase": [None, "a", NAN, RAGGED, [1e308]]},
    ),
    first(Oscillator().batches): (
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    first(with_coins): (
        {"waves": [WAVE], "share": lambda step: 0.5, "seed": 0, "warm_up": 2},
        {
            "waves": [None, 3],
            "share": [*FUNCTION, lambda step: 1.5, lambda step: NAN],
            "seed": [*SEED, []],
            "warm_up": COUNT,
        },
    ),
}
