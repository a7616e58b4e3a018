"""The figure *cell*: a cell that counts the ones of two sentences, in four stages."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import init_lstm, lstm_forward, lstm_gradient_through_time

CONSTANTS = constants("cell")
STEPS = len(CONSTANTS.SYMBOLS)
WORDS = {
    "forget": {
        "question": "What changes if the cell can forget on purpose?",
        "caption": "The forget gate is 1 at each step except step 7, where the slider sets it. "
        "Close the gate, and follow the state and the gradient of the last state.",
    },
    "input": {
        "question": "How can a cell ignore noise?",
        "caption": "The cell input is 1 for each 1, and noise at the other steps. There the slider "
        "sets the input gate. The forget gate is 0 at step 7 and 1 elsewhere.",
    },
    "output": {
        "question": "What happens if a cell hides its state?",
        "caption": "The output gate is 1 at step 6. The slider sets it at step 12, and it is 0 "
        "elsewhere. Follow the output and its gradient: the state stays the same.",
    },
}


def words(state):
    """Return the question and the caption of a later stage, which differ from the first one's."""
    return WORDS.get(state["stage"], {})


def cell(stage, gate):
    """Run the cell by the reference.

    Returns
    -------
    run : LSTMRun
        Its gates are those of the figure.
    gradient : ndarray, shape (T,)
        Gradient of the last state, with respect to each state, or, in the stage "input", to each
        cell input. In the stage "output" it is the gradient of the last output.
    """
    one = np.array([symbol == "1" for symbol in CONSTANTS.SYMBOLS])
    at = np.arange(1, STEPS + 1)
    f, g, q = np.ones((3, STEPS))
    c = one + (np.array(CONSTANTS.NOISE) if stage in ("input", "output") else 0)
    if stage == "leak":
        f[:], g[:] = gate, 1 - gate
    else:
        f[at == CONSTANTS.RESET] = gate if stage == "forget" else 0
    if stage == "input":
        g[~one] = gate
    if stage == "output":
        g[~one] = 0
        q[:-1] = at[:-1] == CONSTANTS.ENDS[0]
        q[-1] = gate
    params = {name: 0 * array for name, array in init_lstm(1, 1, 1).items()} | {"U": np.eye(1)}
    x = np.where(c == 1, 20, np.arctanh(np.where(c == 1, 0, c)))  # tanh(20) is 1 in floating point
    held = {name: values[:, None] for name, values in (("f", f), ("g", g), ("q", q))}
    run = lstm_forward(params, x[:, None], held=held)
    if stage == "output":
        params["V"] = np.eye(1)
        return run, lstm_gradient_through_time(params, run, [1.0])[1][1:, 0]
    later = np.append(np.cumprod(f[:0:-1])[::-1], 1)
    return run, later * (g if stage == "input" else 1)


def poster(state):
    """Draw the figure in a complete state."""
    stage = state["stage"]
    run, gradient = cell(stage, state["gate"])
    shown = {"state": (run.s[:, 0], "memory")}
    if stage == "output":
        shown["output"] = (run.h[:, 0], "state")
    shown["gradient"] = (gradient, "gradient")
    return plots.lines(
        np.arange(1, STEPS + 1),
        [values for values, _ in shown.values()],
        list(shown),
        kinds=[kind for _, kind in shown.values()],
        xlabel="step",
        points=True,
    )
