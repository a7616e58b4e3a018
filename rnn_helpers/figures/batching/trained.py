"""The sentences of the figure batching."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.tasks import sentences

SEED = 5
MANY = len(constants("batching").LETTERS)  # one for each sentence


def make():
    """Draw sentences of Python's language reference at random; they stay in the text's order.

    Returns
    -------
    list of str
        Words with spaces between them.
    """
    everything = sentences("topics")
    places = np.random.default_rng(SEED).choice(len(everything), MANY, replace=False)
    return [" ".join(everything[i]) for i in np.sort(places)]
