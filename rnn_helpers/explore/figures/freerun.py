"""The figure *freerun*: networks that go on with a wave once the truth is taken away."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import scaled
from rnn_helpers.reference import rnn_forward
from rnn_helpers.tasks import Oscillator

CONSTANTS = constants("freerun")
OSCILLATOR = Oscillator(CONSTANTS.PERIOD, CONSTANTS.OVERTONE)
READS, LENGTH = CONSTANTS.READS, CONSTANTS.LENGTH  # fewest steps at which the truth is fed, and all
NETWORKS, ARRAYS = CONSTANTS.NETWORKS, CONSTANTS.ARRAYS


class Alone(NamedTuple):
    """What a network is fed at each of T steps, its states, and what it says."""

    fed: np.ndarray
    h: np.ndarray
    o: np.ndarray


def network(name):
    """Weights of a network, as they were rounded: these are the network, here and in the figure.

    Parameters
    ----------
    name : {"truth", "mixed", "itself"}
        By what it was fed as it learned.

    Returns
    -------
    dict of ndarray
        ``R, W, b, V, c``; ``R`` leads from what is fed to the units.
    """
    return scaled(stored("freerun")["networks"][name], ARRAYS)


def signal(seed):
    """The wave that the figure draws for a seed: (T + 1,)."""
    phase = 2 * np.pi * np.random.RandomState(seed).random_sample()
    return OSCILLATOR.wave(LENGTH + 1, phase)[:, 0]


def run(params, values, since, push=0.0):
    """Feed a network the truth for `since` steps, then its own last output, the first one pushed.

    Parameters
    ----------
    params : dict of ndarray
        As `network` gives them.
    values : ndarray, shape (T + 1,) or (T + 1, B)
        Waves.
    since : int
        Steps at which the truth is fed, at least 1.
    push : float
        What is added to the first output that is fed.

    Returns
    -------
    Alone
    """
    fed = values[:-1, ..., None].copy()
    told = step(params, fed[:since])
    states, outputs = [told.h], [told.o]
    for t in range(since, len(fed)):
        fed[t] = outputs[-1][-1] + (push if t == since else 0)
        made = step(params, fed[t : t + 1], states[-1][-1])
        states.append(made.h)
        outputs.append(made.o)
    return Alone(fed[..., 0], np.concatenate(states), np.concatenate(outputs)[..., 0])


def step(params, fed, h0=None):
    """Step, or several in a row, of a network that is fed these numbers, by `rnn_forward`."""
    return rnn_forward({"U": params["R"], **{name: params[name] for name in "WVbc"}}, fed, h0)


def errors(wrong, since):
    """Root of the mean squared error over the last 23 steps, from `since` on anew."""
    told, alone = wrong[:since] ** 2, wrong[since:] ** 2
    parts = [
        part[max(i - READS + 1, 0) : i + 1] for part in (told, alone) for i in range(len(part))
    ]
    return np.sqrt([part.mean() for part in parts])
