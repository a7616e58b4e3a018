"""Bits to say again, waves to continue, and who is told the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.tasks import DelayedBit, Oscillator, with_coins

pytestmark = pytest.mark.chapter("06")


@given(st.integers(0, 4), st.booleans(), st.integers(0, 10**6))
def test_the_bit_of_so_many_steps_ago_is_to_be_said(delay, whole, seed):
    task = DelayedBit(delay, whole)
    x, y, mask = next(task.batches(9, 3, seed))
    assert x.shape == y.shape == mask.shape == (9, 3)
    assert 0 <= y.min() <= y.max() < task.n_y
    assert not mask[:delay].any()
    assert mask[delay:].all()
    np.testing.assert_array_equal(task.bit(y)[delay:], x[: 9 - delay])
    assert not task.bit(y)[:delay].any()
    if whole:  # what was said a step ago and what is heard now tell what is to be said
        np.testing.assert_array_equal(y[1:], (2 * y[:-1] + x[1:]) % task.n_y)


def test_the_last_target_does_not_tell_the_next_if_the_delay_is_one():
    x, y, _ = next(DelayedBit(1).batches(4000, 1, 0))
    pairs = np.stack([x[2:, 0], y[1:-1, 0], y[2:, 0]])
    assert abs(np.corrcoef(pairs)[2, :2]).max() < 0.05


def test_several_seeds_give_what_each_gives():
    for task in (DelayedBit(2), DelayedBit(1, whole=True)):
        both = next(task.batches(8, 3, [5, 6]))
        for s, seed in enumerate([5, 6]):
            for array, one in zip(both, next(task.batches(8, 3, seed)), strict=True):
                np.testing.assert_array_equal(array[:, s], one)
    waves = next(Oscillator().batches(8, 3, [5, 6]))
    assert waves.shape == (8, 2, 3, 1)
    np.testing.assert_array_equal(waves[:, 1], next(Oscillator().batches(8, 3, 6)))


@pytest.mark.parametrize("bad", [{"delay": -1}, {"delay": 2.5}])
def test_a_delay_is_a_number_of_steps(bad):
    with pytest.raises((TypeError, ValueError), match="delay"):
        DelayedBit(**bad)


def test_a_delay_is_shorter_than_the_sequence():
    with pytest.raises(ValueError, match="n_steps is 3; expected more than the delay of 3"):
        DelayedBit(3).batches(3, 2, 0)


def test_the_wave_obeys_its_recursion_and_has_its_variance():
    task = Oscillator(period=23, overtone=0.5)
    wave = task.wave(23 * 40, [0.3, 1.0])[..., 0]
    np.testing.assert_allclose(wave[23:], wave[:-23], atol=1e-9)
    np.testing.assert_allclose((wave**2).mean(axis=0), task.variance)
    first, second = (2 * np.cos(2 * np.pi * k / 23) for k in (1, 2))
    # two waves together: (1 - first z + z^2)(1 - second z + z^2), the four values before tell all
    weights = np.convolve([1, -first, 1], [1, -second, 1])
    left = sum(w * wave[4 - k : len(wave) - k] for k, w in enumerate(weights))
    np.testing.assert_allclose(left, 0, atol=1e-9)
    with pytest.raises(ValueError, match="period is 4"):
        Oscillator(period=4)


def test_coins_fall_as_often_as_the_share_says_and_never_in_the_warm_up():
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
