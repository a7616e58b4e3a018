"""Lengths of vectors whose squares no float can hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.reference import (
    cosines,
    exceeds,
    gradient_size,
    joint_norm,
    rescale,
    sharpen_weights,
)

SIZES = {np.float32: st.integers(-36, 36), np.float64: st.integers(-300, 300)}


@pytest.mark.parametrize("kind", SIZES)
@given(st.data())
def test_a_length_is_exact_at_every_size(kind, data):
    size = kind(10.0 ** data.draw(SIZES[kind]))
    g = np.array([3, 4], kind) * size
    assert joint_norm({"W": g}) == pytest.approx(5 * size, rel=1e-6)
    assert gradient_size(g) == pytest.approx(5 * size, rel=1e-6)
    assert exceeds(g, 4.9 * size)
    assert not exceeds(g, 5.1 * size)


def test_each_network_of_several_has_its_own_length():
    g = np.array([[3e-25, 4e-25], [3.0, 4.0], [3e25, 4e25]], np.float32)
    np.testing.assert_allclose(joint_norm({"W": g}, True), [5e-25, 5, 5e25], rtol=1e-6)


def test_a_tiny_gradient_can_be_made_longer():
    g = np.array([3e-25, 4e-25], np.float32)
    np.testing.assert_allclose(rescale(g, 1), [0.6, 0.8], rtol=1e-6)


@pytest.mark.parametrize("size", [1e-7, 1, 1e170])
def test_a_cosine_does_not_depend_on_the_length(size):
    v = size * np.array([3.0, 4.0])
    np.testing.assert_allclose(cosines(v[None], v), [1])


def test_equal_weights_stay_equal_at_every_sharpness():
    np.testing.assert_allclose(sharpen_weights(np.full(128, 1 / 128), 160.0), np.full(128, 1 / 128))
