"""The figure *missing*: a line of bits with gaps, filled in three ways."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import exact_filling, forward_filling
from rnn_helpers.tasks import NoisyParity

CONSTANTS = constants("missing")
LENGTH = CONSTANTS.LENGTH


def poster(state):
    """Draw the figure in a complete state."""
    y, places = line(state["noise"], state["seed"]), gaps(state["hidden"])
    return plots.filled_gaps(y, places, filled(state), true=state["truth"])


def filled(state):
    """What each reader that has begun says of the gaps: probabilities of a one, by name."""
    written, y = source(state["noise"]), line(state["noise"], state["seed"])
    places = gaps(state["hidden"])
    if not len(places):
        return {"forward": np.zeros(0)}
    by = {"forward": forward_filling} | ({"exact": exact_filling} if state["weigh"] else {})
    ones = {
        name: fill(written.log_probability, y, places, 2).probabilities[:, 1]
        for name, fill in by.items()
    }
    if state["at"]:
        ones["Gibbs sampling"], _ = sampled(written, y, places, state["at"], state["coins"])
    return ones


def source(noise):
    """What has written the line."""
    return NoisyParity(CONSTANTS.ORDER, noise)


def line(noise, seed):
    """Bits of the line: (LENGTH,)."""
    bits = np.random.MT19937()
    bits.state = np.random.RandomState(seed).get_state(legacy=False)
    return source(noise).sample(LENGTH, 1, np.random.Generator(bits))[:, 0]


def gaps(hidden):
    """Places, from 0, whose bit is set in `hidden`."""
    return np.flatnonzero(hidden >> np.arange(LENGTH) & 1)


def sampled(source, y, places, draws, seed):
    """Gibbs sampling, one gap at a time from the first to the last and again.

    Parameters
    ----------
    source : NoisyParity
    y : ndarray of int, shape (T,)
        What stands in the gaps is not read: at first they hold coins.
    places : ndarray of int, shape (m,)
    draws : int
        How many bits are drawn in all.
    seed : int

    Returns
    -------
    share : ndarray, shape (m,)
        Of ones among what was drawn for each gap; 1/2 where nothing was yet.
    now : ndarray of int, shape (m,)
        What the gaps hold.
    """
    coins, y = np.random.RandomState(seed), y.copy()
    y[places] = coins.random_sample(len(places)) < 0.5
    ones, times = np.zeros(len(places)), np.zeros(len(places))
    for draw, u in enumerate(coins.random_sample(draws if len(places) else 0)):
        gap = draw % len(places)
        y[places[gap]] = u < one_given_all(source, y, places[gap])
        ones[gap] += y[places[gap]]
        times[gap] += 1
    return np.divide(ones, times, np.full(len(places), 0.5), where=times > 0), y[places]


def one_given_all(source, y, place):
    """Probability that one bit is a one, given all others."""
    return exact_filling(source.log_probability, y, [place], 2).probabilities[0, 1]
