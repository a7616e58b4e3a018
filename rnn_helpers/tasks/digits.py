"""Small pictures of handwritten digits.

The pictures were collected by Alpaydin and Kaynak (1998): 1797 of 8 x 8 pixels, in the selection
that scikit-learn has. A fifth of them, always the same, is held out.
"""

from functools import cache
from pathlib import Path

import numpy as np

from rnn_helpers.validate import as_switch

_HELD_OUT = 0.2


def handwritten_digits(held_out: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return pictures of digits.

    Parameters
    ----------
    held_out : bool
        Whether to return those that are kept for tests, a fifth, or the others.

    Returns
    -------
    pictures : ndarray of float, shape (N, 8, 8)
        From 0, the paper, to 1.
    labels : ndarray of int, shape (N,)
        Digits from 0 to 9.
    """
    as_switch("held_out", held_out)
    pictures, labels, held = _loaded()
    return pictures[held == held_out], labels[held == held_out]


@cache
def _loaded():
    with np.load(Path(__file__).with_name("digits.npz")) as loaded:
        pictures, labels = loaded["pictures"], loaded["labels"]
    order = np.random.default_rng(0).permutation(len(labels))
    pictures = (pictures / pictures.max()).astype(np.float32)
    return pictures, labels.astype(int), order < _HELD_OUT * len(order)
