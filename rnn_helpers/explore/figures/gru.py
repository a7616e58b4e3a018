"""The figure *gru*: a GRU of one unit whose gates the reader can set, beside an LSTM."""

import re

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import require_place
from rnn_helpers.reference import (
    cell_input,
    cell_state,
    forget_gate,
    gru_state,
    input_gate,
    reset_gate,
    target_state,
    update_gate,
)

PARAMS = constants("gru").PARAMS


def poster(state):
    """Draw the figure in a complete state."""
    x = np.array([{"0": 0.0, "1": 1.0, "-": -1.0}[letter] for letter in state["x"]])
    u, r, target, h = _unit(state, x)
    return plots.gated_updates(x, u, r, target, h, lstm=_lstm(x), at=min(state["t"], len(x)))


def check(state, given):
    """Raise ValueError if there is no input, no such step, or no such gate."""
    x = state["x"]
    if not x:
        raise ValueError("x is empty; expected at least one of the inputs 0, 1 and -")
    require_place("t", state, given, len(x), "x has the steps")
    for key in "ur":
        pairs = state[key].split()
        strange = [pair for pair in pairs if not re.fullmatch(r"\d+:(0?\.\d+|[01](\.0*)?)", pair)]
        steps = {int(pair.partition(":")[0]) for pair in pairs if pair not in strange}
        if strange or not steps <= set(range(1, len(x) + 1)):
            raise ValueError(
                f"{key} is {state[key]!r}; expected pairs like '5:0.5', a step from 1 to "
                f"{len(x)} and a gate from 0 to 1"
            )


def _held(text):
    """Return the gates that the reader holds, such as "2:0.5 5:1", by step."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(t): float(value) for t, value in pairs}


def _unit(state, x):
    """Return the gates u and r, the target and the state of the unit at each step."""
    p = PARAMS["gru"]
    us, rs = _held(state["u"]), _held(state["r"])
    h, steps = 0.0, []
    for t, now in enumerate(x, start=1):
        u = us.get(t, update_gate(p["bu"], p["Uu"] * now, p["Wu"] * h))
        r = rs.get(t, reset_gate(p["br"], p["Ur"] * now, p["Wr"] * h))
        target = target_state(p["b"], p["U"] * now, p["W"] * r * h)
        h = gru_state(u, h, target)
        steps.append([u, r, target, h])
    return np.array(steps, float).T


def _lstm(x):
    """Return the gates f and g and the state of the LSTM at each step."""
    p = PARAMS["lstm"]
    s, steps = 0.0, []
    for now in x:
        f = forget_gate(p["bf"], p["Uf"] * now, p["Wf"] * s)
        g = input_gate(p["bg"], p["Ug"] * now, p["Wg"] * s)
        s = cell_state(f, s, g, cell_input(p["b"], p["U"] * now, p["W"] * s))
        steps.append([f, g, s])
    return list(np.array(steps, float).T)
