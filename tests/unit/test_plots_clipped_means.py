import numpy as np
import pytest

from rnn_helpers.plots import clipped_means

pytestmark = pytest.mark.chapter("17")


def test_counts_are_copies():
    once = clipped_means([[-10, 0], [1, 0]], 1, counts=[1, 5])
    copied = clipped_means([[-10, 0], *[[1, 0]] * 5], 1)
    assert once.alt == copied.alt
    assert "their mean is (0.667, 0), 180 degrees from it: uphill" in once.alt


@pytest.mark.slow
@pytest.mark.parametrize(
    "gradients", [[[0, 0]], [[1, 2], [-1, -2]], np.random.default_rng(0).normal(size=(40, 2)) * 1e6]
)
def test_gradients_of_any_size_are_drawn(gradients):
    plot = clipped_means(gradients, 0.5, kind="element")
    assert plot.png("light") != plot.png("dark")
    assert "nan" not in plot.alt


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"gradients": [1, 2]}, ValueError, r"gradients has shape \(2,\)"),
        ({"threshold": 0}, ValueError, "threshold is 0"),
        ({"kind": "box"}, ValueError, "kind is 'box'"),
        ({"counts": [1]}, ValueError, "counts is"),
        ({"counts": [1, 0]}, ValueError, "counts is"),
        ({"counts": [1.5, 1]}, TypeError, "counts has dtype"),
    ],
)
def test_what_cannot_be_drawn_is_named(wrong, error, message):
    with pytest.raises(error, match=message):
        clipped_means(**({"gradients": [[1, 2], [3, 4]], "threshold": 1} | wrong))
