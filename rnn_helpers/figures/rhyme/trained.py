"""The network of the figure rhyme, and how it learned the rhyme."""

from itertools import repeat

import numpy as np

from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.figures.rhyme.figure import ALPHABET, CONSTANTS, mistakes, truth
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import character_model
from rnn_helpers.training import Adam, fit

UNITS = 32
RATE = 0.01
LARGEST = 2047


def make(seeds=range(5), steps=600):
    """Train networks on the rhyme by teacher forcing, and keep one of them.

    All networks have 32 tanh units. At each step, the input is the true letter before, and at the
    first step it is the line break that ends the rhyme. The loss is the mean over the letters, the
    optimizer is Adam with a rate that falls to 0, and weights are rounded to 12 bits. The network
    with the median number of slips without a further mistake is kept.

    Parameters
    ----------
    seeds : sequence of int
        A network is trained for each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``whole`` numbers of at most 2047 in absolute value, in the order of ``ARRAYS``, and the
        ``scales`` by which they are multiplied.
    """
    networks = [rounded(_train(seed, steps), CONSTANTS.ARRAYS, LARGEST) for seed in seeds]
    lost = [np.count_nonzero(mistakes(scaled(net, CONSTANTS.ARRAYS))) for net in networks]
    return networks[middle(np.array([lost]))[1]]


def _train(seed, steps):
    """Return the weights of a trained network."""
    n, y = len(ALPHABET), truth()
    return fit(
        character_model(),
        init_rnn(n, UNITS, n, seed),
        repeat((np.roll(y, 1)[:, None], y[:, None])),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
