"""The figure *forcing*: a network that tells a lift's floor, and what it is fed at each step."""

from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import output_forward

CONSTANTS = constants("forcing")
MOVES = CONSTANTS.MOVES
STEPS = len(MOVES)


def poster(state):
    """Draw the figure in a complete state."""
    made = run(state)
    return plots.forced_steps(made.yhat, truth(), made.said, made.forced, at=state["t"])


class Fed(NamedTuple):
    """What each of T steps is fed, as a token, whether that is the truth, and what comes of it."""

    fed: np.ndarray
    forced: np.ndarray
    h: np.ndarray
    yhat: np.ndarray
    said: np.ndarray

    @property
    def logp(self):
        """Log probability of the true floor at each step."""
        return np.log(self.yhat[np.arange(len(self.yhat)), truth()])

    @property
    def rounds(self):
        """For each step, the round in which it can be computed: 1, if it waits for no other."""
        rounds = []
        for forced in self.forced:
            rounds.append(1 if forced else rounds[-1] + 1)
        return np.array(rounds)


def floor_after(floor, move):
    """Floor on which the lift stands after a move."""
    if move == "ground":
        return 0
    return int(np.clip(floor + (1 if move == "up" else -1), 0, CONSTANTS.FLOORS - 1))


def inputs():
    """What the lift hears, as tokens."""
    return np.array([CONSTANTS.KINDS.index(move) for move in MOVES])


def truth():
    """Floors on which the lift is, from the ground floor."""
    floors = [0]
    for move in MOVES:
        floors.append(floor_after(floors[-1], move))
    return np.array(floors[1:])


def network():
    """Weights of a network of figure 10.4, set by hand.

    Returns
    -------
    dict of ndarray
        ``U, R, V, b, c``; ``R`` leads from the output that is fed to the hidden units, of which
        there is one for each floor and move.
    """
    n, kinds, sharp = CONSTANTS.FLOORS, CONSTANTS.KINDS, CONSTANTS.SHARP
    units = [(floor, move) for floor in range(n) for move in kinds]
    R = sharp * np.eye(n)[[floor for floor, _ in units]]
    U = sharp * np.eye(len(kinds))[[kinds.index(move) for _, move in units]]
    high = np.arange(n)[:, None] - [floor_after(*unit) for unit in units]
    V = -np.where(high < 0, *CONSTANTS.DOUBT) * np.abs(high) / 2
    return {"U": U, "R": R, "V": V, "b": np.full(len(units), -1.5 * sharp), "c": V.sum(axis=1)}


def switches(share, flips=0, seed=0):
    """Whether each step from the second on is fed the truth: (T - 1,)."""
    coins = np.random.RandomState(seed).random_sample(STEPS - 1) < share
    return coins ^ ((flips >> np.arange(STEPS - 1)) & 1).astype(bool)


def run(state):
    """Go through all steps, each fed what its switch says.

    Parameters
    ----------
    state : dict
        ``share``, ``flips``, ``seed``, ``own`` and ``slip`` of the figure.

    Returns
    -------
    Fed
    """
    params, y, x = network(), truth(), inputs()
    forced = np.append(True, switches(state["share"], state["flips"], state["seed"]))
    coins = np.random.RandomState(state["seed"] + 1000).random_sample(STEPS)
    fed, hs, shares, said = [], [], [], []
    for t in range(STEPS):
        fed.append(0 if t == 0 else y[t - 1] if forced[t] else said[-1])
        h, yhat = step(params, x[t], fed[-1])
        order = np.argsort(-yhat, kind="stable")
        free = np.searchsorted(np.cumsum(yhat), coins[t], side="right")
        told = order[0] if state["own"] == "likeliest" else min(free, len(yhat) - 1)
        said.append(int(order[1] if state["slip"] == t + 1 else told))
        hs.append(h)
        shares.append(yhat)
    return Fed(np.array(fed), forced, np.array(hs), np.array(shares), np.array(said))


def step(params, x, fed):
    """One step of figure 10.4: hidden units and probabilities from an input and a fed output."""
    made = output_forward(params, [x], own=True, start=np.eye(CONSTANTS.FLOORS)[fed])
    return made.h[0], made.yhat[0]
