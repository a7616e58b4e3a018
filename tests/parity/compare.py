"""What it means that a figure computes the package's numbers."""

import numpy as np


def close(ours, theirs, rtol=1e-9, atol=1e-12):
    """Hold that numbers are equal to nine digits."""
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=atol)


def close_to_the_largest(ours, theirs):
    """Nine digits of the largest entry: others may be what is left of a difference."""
    close(ours, theirs, atol=1e-12 + 1e-9 * np.abs(theirs).max())
