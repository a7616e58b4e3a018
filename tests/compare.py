"""Comparisons of a figure with the package: its numbers, and the words that it shows."""

import numpy as np

from press.still import draw
from rnn_helpers.explore.states import validate


def close(ours, theirs, rtol=1e-9, atol=1e-12):
    """Hold that numbers are equal to nine digits."""
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=atol)


def close_to_the_largest(ours, theirs):
    """Compare to nine digits of the largest entry; smaller entries may be rounding errors."""
    close(ours, theirs, atol=1e-12 + 1e-9 * np.abs(theirs).max())


def status(name, **state):
    """Return the words below a figure that is drawn in a state."""
    return draw(name, validate(name, state)).status


def spoken(log):
    """Write the number with a decimal logarithm as ``spokenLog`` of the figures does."""
    near = abs(log) < 2.995
    text = f"{10**log:.{2 - int(log)}f}" if near else f"10 to the power {log:.0f}"
    return text.replace("-", "−")
