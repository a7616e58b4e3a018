"""The figure *stop*: networks that write, and know in five ways when it is over."""

from functools import cache
from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import scaled
from rnn_helpers.reference import rnn_forward, symbol_of_coin
from rnn_helpers.tasks import Ends

CONSTANTS = constants("stop")
WAYS, MOST, LONGEST = CONSTANTS.WAYS, CONSTANTS.MOST, CONSTANTS.LONGEST
ARRAYS = CONSTANTS.ARRAYS  # the last, d, is of those that draw a length
SOURCE = Ends((1.0,) * (LONGEST - CONSTANTS.SHORTEST + 1), CONSTANTS.SHORTEST)
END = SOURCE.n_y  # the place of the end among what is drawn, after those of the letters
NAMES = {
    "symbol": "an end symbol",
    "coin": "a coin at each step",
    "length": "length, told nothing",
    "total": "length, told τ",
    "left": "length, told τ − t",
}


class Written(NamedTuple):
    """What a network has written.

    Attributes
    ----------
    tau : int or None
        The length, where it is drawn first.
    y : list of int
        Letters, as far as they are written.
    drawn : list of int
        What each step drew: a letter, or the end.
    yhat : list of ndarray, shape (4,)
        Probabilities of what each step drew from: of the letters, and of the end.
    over : bool
    """

    tau: int | None
    y: list
    drawn: list
    yhat: list
    over: bool


def poster(state):
    """Draw the figure in a complete state."""
    done = {NAMES[way]: lengths(way, state["seed"], state["n"], state["t"]) for way in WAYS}
    now = write(state["way"], dice(state["seed"], state["n"]), state["t"])
    return plots.written_lengths(
        done,
        SOURCE.probabilities,
        SOURCE.shortest,
        yhat=now.yhat,
        drawn=now.drawn,
        letters=CONSTANTS.LETTERS,
        name=NAMES[state["way"]],
    )


def network(way):
    """Weights of a network, as they were rounded: these are the network, here and in the figure.

    Parameters
    ----------
    way : {"symbol", "coin", "length", "total", "left"}
        How it comes to its end.

    Returns
    -------
    dict of ndarray
        As `ending_log_probability` takes them.
    """
    return scaled(stored("stop")["networks"][way], ARRAYS)


def dice(seed, n):
    """Numbers from 0 to 1 that the n-th sequence is drawn with, the same for all networks.

    The first is for the length, where it is drawn; the others are for the steps.
    """
    return np.random.RandomState(CONSTANTS.MANY * seed + n - 1).random_sample(MOST + 1)


def heard(way, tau, before, t):
    """What a step hears: the letter before it, or none, and what it is told of the length."""
    told = {"total": [tau], "left": [tau and tau - t]}.get(way, [])
    return np.array([*(before == np.arange(END)), *(value / LONGEST for value in told)], float)


def probabilities(way, o, t):
    """Probabilities of the letters and of the end, from the outputs of step t."""
    if way == "coin" and t > 1:
        o = symbol_of_coin(o[:END], o[END])
    elif way != "symbol":
        o = np.append(o[:END], -np.inf)
    p = np.exp(o - o.max())
    return p / p.sum()


def step(way, before, x):
    """The state and the outputs after one more step, by `rnn_forward`."""
    params = {key: array for key, array in _network(way).items() if key != "d"}
    made = rnn_forward(params, x[None], before)
    return made.h[-1], made.o[-1]


def write(way, u, most=MOST):
    """Let a network write until it stops, or until it has taken so many steps.

    Parameters
    ----------
    way : str
    u : ndarray
        Numbers from 0 to 1, as `dice` gives them.
    most : int

    Returns
    -------
    Written
    """
    tau = None
    if way not in ("symbol", "coin"):
        tau = 1 + draw(length_probabilities(way), u[0])
    y, drawn, every = [], [], []
    while len(y) != tau and len(drawn) < min(most, MOST):
        every.append(_tree(way, tau, tuple(y))[1])
        drawn.append(draw(every[-1], u[len(drawn) + 1]))
        if drawn[-1] == END:
            return Written(tau, y, drawn, every, True)
        y.append(drawn[-1])
    return Written(tau, y, drawn, every, len(y) == tau)


def draw(p, u):
    """Place in a distribution at which the sum of what lies before it passes a number."""
    return min(int((u >= np.cumsum(p)).sum()), int(np.flatnonzero(p)[-1]))


def length_probabilities(way):
    """Probabilities of the lengths from 1 on, for a network that draws it first."""
    d = np.exp(_network(way)["d"])
    return d / d.sum()


def proper(y):
    """Whether letters end as they should: in turn, and then a z."""
    return bool(SOURCE.proper(np.array(y, int), np.array(len(y)))) if y else False


def lengths(way, seed, n, t):
    """Lengths of what a network has written: of all sequences before the n-th, and that up to t.

    Returns
    -------
    list of (int, bool)
        Of each that has come to an end or was given up, its letters, and whether it ends properly.
    """
    done = [write(way, dice(seed, i)) for i in range(1, n)]
    last = write(way, dice(seed, n), t)
    if last.over or len(last.y) == MOST:
        done.append(last)
    return [(len(each.y), each.over and proper(each.y)) for each in done]


_network = cache(network)


@cache
def _tree(way, tau, y):
    """State and probabilities after some letters: few beginnings are written again and again."""
    before = _tree(way, tau, y[:-1])[0] if y else None
    t = len(y) + 1
    h, o = step(way, before, heard(way, tau, y[-1] if y else None, t))
    return h, probabilities(way, o, t)
