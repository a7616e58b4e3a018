"""Where the descents of the figure fair end, computed as in the experiment clipping-saves."""

import numpy as np

from rnn_helpers.claims.chapter_17.clipping_saves import descend
from rnn_helpers.figures import constants
from rnn_helpers.reference import cliff_loss

FAIR = constants("fair")


def make(side=FAIR.SIDE, updates=FAIR.UPDATES):
    """Follow descents from a grid of starts around the cliff, for each rate, kind and threshold.

    Returns
    -------
    dict
        ``found``: for each threshold (``"none"`` without clipping), kind and rate a hexadecimal
        number with a bit for each start, row by row from the largest bias: 1 if the descent ends
        with a low loss and 0 otherwise.
    """
    rules = [("none", None)]
    rules += [(kind, v) for v in FAIR.THRESHOLDS for kind in FAIR.KINDS[1:]]
    low = found([(rate, *rule) for rule in rules for rate in FAIR.RATES], side, updates)
    texts = [np.packbits(ends).tobytes().hex() for ends in low]
    n = len(FAIR.RATES)
    return {
        "found": {
            f"{kind} {v:g}" if v else kind: texts[i * n : (i + 1) * n]
            for i, (kind, v) in enumerate(rules)
        }
    }


def starts(side=FAIR.SIDE):
    """Return the grid of starts, row by row from the largest bias, as an array of shape (2, S)."""
    w, b = (_middles(*limits, side) for limits in (FAIR.W, FAIR.B))
    return np.array([each.ravel() for each in np.meshgrid(w, b[::-1])])


def found(jobs, side=FAIR.SIDE, updates=FAIR.UPDATES):
    """Return whether descents end with a low loss, shape (jobs, S); see `descend` for the jobs."""
    start = np.stack([starts(side)] * len(jobs))
    p, *_ = descend(start, jobs, updates, np.random.default_rng(0))
    return cliff_loss(p[:, 0], p[:, 1]) < FAIR.LOW


def _middles(low, high, cells):
    """Return the middles of cells between two ends."""
    return low + (high - low) * (np.arange(cells) + 0.5) / cells
