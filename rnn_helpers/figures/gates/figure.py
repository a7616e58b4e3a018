"""The figure *gates*: small gated networks that count the ones since the last reset."""

import numpy as np

from rnn_helpers.explore.states import require_place
from rnn_helpers.reference import gru_forward, lstm_forward
from rnn_helpers.tasks import CountSinceReset

TASK = CountSinceReset(reset=0.1)
TEN = 10  # the task's targets are tenths of the count


def check(state, given):
    """Raise ValueError if the sequence is empty or shorter than the step."""
    sequence = state["sequence"]
    if not sequence:
        raise ValueError(f"sequence is {sequence!r}; expected at least one of 0, 1 and r")
    require_place("t", state, given, len(sequence), "the sequence has the steps")


def coded(sequence):
    """Return the task's inputs, shape (T, 2), for a sequence such as ``"011r"``."""
    return np.array([[symbol == "1", symbol == "r"] for symbol in sequence], float)


def forward(unit, params, x):
    """Run one of the networks on inputs of the task."""
    return {"lstm": lstm_forward, "gru": gru_forward}[unit](params, x)
