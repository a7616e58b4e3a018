"""The untrained network of the figure terms, and the vectors of its words."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import init_recurrent

TERMS = constants("terms")


def make(seed=TERMS.SEED, n_h=TERMS.N_H):
    """Draw an orthogonal matrix, a vector for each word, and the gradient at the last state.

    Returns
    -------
    dict of str to ndarray
        ``"Q"``, the recurrent weights at size 1; ``"x"``, what each word of the sentence adds to
        the units, with variance 1, the same for *The* and *the*; and ``"g"``, the gradient. All
        have three digits.
    """
    rng = np.random.default_rng(seed)
    words = [word.lower() for word in TERMS.WORDS]
    known = list(dict.fromkeys(words))
    vectors = rng.normal(size=(len(known), n_h))
    return {
        "Q": init_recurrent("orthogonal", n_h, seed).round(3),
        "x": vectors[[known.index(word) for word in words]].round(3),
        "g": rng.normal(size=n_h).round(3),
    }
