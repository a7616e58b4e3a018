"""The figure *bptt*: a small network's forward and backward computation, step by step."""

import re

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import complete, manifest
from rnn_helpers.explore.weights import arrays

CONSTANTS = constants("bptt")


def poster(state):
    """Draw the figure in a complete state."""
    T = state["T"]
    tokens = CONSTANTS.SENTENCES[str(T)]
    kind, t = _place(state["at"])
    back_to = int(t or (T + 1 if kind == "dL" else 1)) if kind[0] == "d" else T + 1
    plot = plots.bptt_numbers(
        arrays(CONSTANTS.PARAMS),
        tokens,
        [CONSTANTS.VERB] * T,
        [state["loss"] == "every" or i == T - 1 for i in range(T)],
        back_to=None if kind == "start" else back_to,
        words=[CONSTANTS.WORDS[token] for token in tokens],
        outputs=CONSTANTS.VERBS,
    )
    if state == complete("bptt", {}):
        plot.alt = manifest()["bptt"]["alt"]
    return plot


def check(state, given):
    """Raise ValueError if the figure has no such step, or the step has no loss."""
    kind, t = _place(state["at"])
    last = state["T"]
    unscored = state["loss"] == "last" and kind in ("o", "L", "do") and t and int(t) < last
    if t and (int(t) > last or unscored):
        raise ValueError(
            f"at is {state['at']!r}; T={last}, loss={state['loss']!r} has no such step"
        )


def _place(at):
    """Split the name of a step into its kind and its digits, if any: "dh3" is "dh" and "3"."""
    return re.fullmatch(r"(\D+)(\d*)", at).groups()
