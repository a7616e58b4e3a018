"""The figure *gru*: a GRU of one unit whose gates the reader can set, next to an LSTM."""

import re

from rnn_helpers.explore.states import require_place


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
