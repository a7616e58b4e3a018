"""The figure *lookback*: what comes round if the way back leads through the outputs alone."""

from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import output_forward, rnn_forward, through_output

CONSTANTS = constants("lookback")
UNITS, GAIN, WASHOUT = CONSTANTS.UNITS, CONSTANTS.GAIN, CONSTANTS.WASHOUT


def poster(state):
    """Draw the figure in a complete state."""
    made = through(state["k"], state["width"], state["others"])
    return plots.through_door(
        made.memory,
        made.says[: CONSTANTS.SHOWN],
        made.asked[: CONSTANTS.SHOWN],
        made.loop,
        width=state["width"],
        delay=state["k"],
        said=made.said,
    )


class Through(NamedTuple):
    """What comes through.

    Attributes
    ----------
    memory : ndarray, shape (n_h,)
        For each delay, the share of the input that a linear readout finds in the units.
    says, asked : ndarray, shape (T,)
        What the first output says, and what it should.
    loop : ndarray, shape (n_h, n_h)
        What the way round amounts to, from unit to unit.
    said : float
        Squared correlation of `says` and `asked`.
    apart : float
        Largest difference of a state from that of figure 10.3.
    """

    memory: np.ndarray
    says: np.ndarray
    asked: np.ndarray
    loop: np.ndarray
    said: float
    apart: float


def given():
    """Input, and rows of outputs that nobody trains, drawn in the figure's order."""
    draw = np.random.RandomState(CONSTANTS.SEED)
    x = 2 * draw.random_sample(WASHOUT + CONSTANTS.LENGTH) - 1
    return x, draw.standard_normal((UNITS, UNITS)) / GAIN


def inside(k=0, width=UNITS, others="random"):
    """Network of figure 10.3 whose first output says the input of k steps ago.

    Parameters
    ----------
    k : int
    width : int
        Outputs.
    others : {"random", "state"}
        What those after the first say.

    Returns
    -------
    dict of ndarray
        ``U, W, V, b, c``: unit j has at each step what unit j - 1 had before.
    """
    eye = np.eye(UNITS) / GAIN
    rest = given()[1] if others == "random" else np.delete(eye, k, axis=0)
    return {
        "U": GAIN * np.eye(UNITS)[:, :1],
        "W": np.eye(UNITS, k=-1),
        "V": np.vstack([eye[k], rest[: width - 1]]),
        "b": np.zeros(UNITS),
        "c": np.zeros(width),
    }


def through(k, width, others="random"):
    """What of the last inputs comes through so many outputs.

    Parameters
    ----------
    k, width, others
        As for `inside`.

    Returns
    -------
    Through
    """
    x, _ = given()
    straight = inside(k, width, others)
    around = through_output(straight)
    made = output_forward(around, x[:, None], own=True, says="output", start=around["c"])
    exact = rnn_forward(straight, x[:, None]).h
    states, says = made.h[WASHOUT:], made.o[WASHOUT:, 0]
    past = np.array([x[WASHOUT - j : len(x) - j] for j in range(UNITS)])
    noise = CONSTANTS.PENALTY * GAIN**2 * CONSTANTS.LENGTH
    readouts = np.linalg.solve(states.T @ states + noise * np.eye(UNITS), states.T @ past.T)
    return Through(
        memory=np.array(
            [correlation(p, q) for p, q in zip((states @ readouts).T, past, strict=True)]
        ),
        says=says,
        asked=past[k],
        loop=around["R"] @ around["V"],
        said=correlation(says, past[k]),
        apart=float(np.abs(made.h - exact).max()),
    )


def correlation(p, q):
    """Squared correlation, 0 for what does not move."""
    p, q = p - p.mean(), q - q.mean()
    power = p @ p
    return float((p @ q) ** 2 / (power * (q @ q))) if power > 1e-18 * len(p) else 0.0
