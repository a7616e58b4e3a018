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
        ``found``: for each threshold (``"none"`` without clipping), kind and rate a text with a
        letter for each start, row by row from the largest bias: ``1`` if the descent ends with a
        low loss and ``0`` otherwise.
    """
    w, b = (_middles(*limits, side) for limits in (FAIR.W, FAIR.B))
    start = np.array([each.ravel() for each in np.meshgrid(w, b[::-1])])
    rules = [("none", None)]
    rules += [(kind, v) for v in FAIR.THRESHOLDS for kind in FAIR.KINDS[1:]]
    jobs = [(rate, *rule) for rule in rules for rate in FAIR.RATES]
    p, *_ = descend(np.stack([start] * len(jobs)), jobs, updates, np.random.default_rng(0))
    low = cliff_loss(p[:, 0], p[:, 1]) < FAIR.LOW
    texts = ["".join("01"[one] for one in ends) for ends in low.astype(int)]
    n = len(FAIR.RATES)
    return {
        "found": {
            f"{kind} {v:g}" if v else kind: texts[i * n : (i + 1) * n]
            for i, (kind, v) in enumerate(rules)
        }
    }


def _middles(low, high, cells):
    """Return the middles of cells between two ends."""
    return low + (high - low) * (np.arange(cells) + 0.5) / cells
