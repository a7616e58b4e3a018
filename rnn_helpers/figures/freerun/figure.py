"""The figure *freerun*: networks that are fed a wave and then run free."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.weights import scaled
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import rnn_forward
from rnn_helpers.tasks import Oscillator

CONSTANTS = constants("freerun")
OSCILLATOR = Oscillator(CONSTANTS.PERIOD, CONSTANTS.OVERTONE)
READS, LENGTH = (
    CONSTANTS.READS,
    CONSTANTS.LENGTH,
)  # least number of steps with the truth, and all steps
NETWORKS, ARRAYS = CONSTANTS.NETWORKS, CONSTANTS.ARRAYS


class Alone(NamedTuple):
    """The inputs, states and outputs of a network at each of T steps."""

    fed: np.ndarray
    h: np.ndarray
    o: np.ndarray


def network(name):
    """Return the rounded weights of a network.

    Parameters
    ----------
    name : {"truth", "mixed", "itself"}
        The kind of input that it was trained on.

    Returns
    -------
    dict of ndarray
        ``R, W, b, V, c``; ``R`` contains the weights from what is fed to the units.
    """
    return scaled(stored("freerun")["networks"][name], ARRAYS)


def signal(seed):
    """Return the wave that the figure draws for a seed, of shape (T + 1,)."""
    phase = 2 * np.pi * np.random.RandomState(seed).random_sample()
    return OSCILLATOR.wave(LENGTH + 1, phase)[:, 0]


def run(params, values, since, push=0.0):
    """Feed a network the truth for `since` steps, and then its own last output.

    Parameters
    ----------
    params : dict of ndarray
        From `network`.
    values : ndarray, shape (T + 1,) or (T + 1, B)
        Waves.
    since : int
        Number of steps that are fed the truth, at least 1.
    push : float
        Added to the first output that is fed.

    Returns
    -------
    Alone
    """
    fed = values[:-1, ..., None].copy()
    forced = step(params, fed[:since])
    states, outputs = [forced.h], [forced.o]
    for t in range(since, len(fed)):
        fed[t] = outputs[-1][-1] + (push if t == since else 0)
        made = step(params, fed[t : t + 1], states[-1][-1])
        states.append(made.h)
        outputs.append(made.o)
    return Alone(fed[..., 0], np.concatenate(states), np.concatenate(outputs)[..., 0])


def step(params, fed, h0=None):
    """Run a network on the numbers that it is fed, for one or several steps."""
    return rnn_forward({"U": params["R"], **{name: params[name] for name in "WVbc"}}, fed, h0)


def errors(wrong, since):
    """Return the root mean squared error over the last 23 steps; it starts again at `since`."""
    forced, free = wrong[:since] ** 2, wrong[since:] ** 2
    parts = [
        part[max(i - READS + 1, 0) : i + 1] for part in (forced, free) for i in range(len(part))
    ]
    return np.sqrt([part.mean() for part in parts])
