"""The figure *clockwork*: networks that continue a signal, with a clock for each group of units."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import clock_moves, time_scale_forward
from rnn_helpers.tasks import two_scales

CONSTANTS = constants("clockwork")
FAST, SLOW = CONSTANTS.FAST, CONSTANTS.SLOW  # periods of the two waves
READS, LENGTH = CONSTANTS.READS, CONSTANTS.LENGTH  # steps with the signal as input, and all steps


def _of_groups(key):
    return {net: [group[key] for group in groups] for net, groups in CONSTANTS.GROUPS.items()}


# For each group, the slowest first: how many units it has, and their period.
GROUPS, PERIODS = _of_groups("units"), _of_groups("period")
_NAMES = ["slowest 4", "second 3", "third 3", "fastest 3"]


def unit_periods(kind):
    """Return the period of each unit, the slowest first."""
    return np.repeat(PERIODS[kind], GROUPS[kind])


def units(kind):
    """Return the indices of each group's units, by the group's name in the figure."""
    named = [f"period {period}" for period in PERIODS[kind]]
    names = named if kind == "clockwork" else _NAMES
    split = np.split(np.arange(sum(GROUPS[kind])), np.cumsum(GROUPS[kind])[:-1])
    return dict(zip(names, split, strict=True))


def drawn(seeds):
    """Return signals for all steps and the one after, side by side: (T + 1, n)."""
    return two_scales(LENGTH + 1, seeds, FAST, SLOW).sum(axis=-1) / 2


def signal(seed):
    """Return the signal that the figure draws for a seed: (T + 1,)."""
    bits = np.random.MT19937()
    bits.state = np.random.RandomState(seed).get_state(legacy=False)
    return drawn(np.random.Generator(bits))


def read(signals):
    """Return a network's input, (T, ..., 1): the signals and then zeros."""
    steps = np.arange(LENGTH).reshape(-1, *[1] * (signals.ndim - 1))
    return np.where(steps < READS, signals[:-1], 0)[..., None]


def forward(kind, params, x, group=None, clock=0, since=None):
    """Run a network in which one group is given another clock.

    Parameters
    ----------
    kind : {"clockwork", "rnn"}
    params : dict of ndarray
        Parameters of one network.
    x : ndarray, shape (T, ..., 1)
        Its input.
    group : int, optional
        Number of the group, from 1, the slowest.
    clock : int
        Its new period; 0 for a group that never updates.
    since : int, optional
        First step of the new clock.

    Returns
    -------
    h : ndarray, shape (T, ..., n_h)
    o : ndarray, shape (T, ...)
    moves : ndarray of bool, shape (T, n_h)
    """
    moves = clock_moves(unit_periods(kind), len(x))
    if group is not None:
        mine = np.repeat(np.arange(1, 5), GROUPS[kind]) == group
        t = np.arange(since, len(x) + 1)
        moves[since - 1 :, mine] = (t % clock == 0)[:, None] if clock else False
    h = np.zeros((len(x) + 1, *x.shape[1:-1], len(params["b"])))
    for t in range(1, len(h)):
        (moved,) = time_scale_forward(params, x[t - 1 : t], h[t - 1])
        h[t] = np.where(moves[t - 1], moved, h[t - 1])
    return h[1:], h[1:] @ params["V"][0] + params["c"][0], moves
