"""The figure *ntm*: a neural Turing machine and an LSTM copy a pattern."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.states import require_place
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import (
    address_forward,
    lstm_forward,
    sigmoid,
    softmax,
    weighted_average,
    write_cells,
)

CONSTANTS = constants("ntm")
BITS, CELLS, WIDTH = CONSTANTS.BITS, CONSTANTS.CELLS, CONSTANTS.WIDTH
_ADDRESS = (WIDTH, 1, 1, 3, 1)  # k, beta, g, s, gamma
_HEADS = (*_ADDRESS, WIDTH, WIDTH, *_ADDRESS)  # of the write head with e, a; of the read head


def check(state, given):
    """Refuse a step after the last."""
    length = state["length"]
    require_place("t", state, given, 2 * length + 1, f"{length} columns take the steps")


class Run(NamedTuple):
    """The steps of the machine; the axis of a minibatch follows that of the cells.

    Attributes
    ----------
    o : ndarray, shape (T, n_y)
    written, read : ndarray, shape (T, n_cells)
        Weights.
    M : ndarray, shape (T, n_cells, width)
        The memory after the write.
    """

    o: np.ndarray
    written: np.ndarray
    read: np.ndarray
    M: np.ndarray


class State(NamedTuple):
    """The state of the machine.

    Attributes
    ----------
    h, s : ndarray, shape (n_h,)
        State and cell state of its LSTM units.
    M : ndarray, shape (n_cells, width)
    r : ndarray, shape (width,)
        The last reading.
    written, read : ndarray, shape (n_cells,)
        Weights.
    """

    h: np.ndarray
    s: np.ndarray
    M: np.ndarray
    r: np.ndarray
    written: np.ndarray
    read: np.ndarray


def network(way):
    """Return the rounded weights of ``"machine"`` or ``"lstm"``."""
    return unpacked(stored("ntm")["networks"][way])


def columns(pattern, length):
    """Return the bits (n, 4) of a pattern of hexadecimal digits; missing columns are 0."""
    digits = [int(digit, 16) for digit in pattern[:length].ljust(length, "0")]
    return np.array(digits)[:, None] >> np.arange(BITS)[::-1] & 1


def inputs(shown):
    """Return the inputs (2 n + 1, ..., 5): columns (n, ..., 4), the mark and n zeros."""
    n = len(shown)
    x = np.zeros((2 * n + 1, *shown.shape[1:-1], BITS + 1))
    x[:n, ..., :-1], x[n, ..., -1] = shown, 1
    return x


def said(o):
    """Return the output bits (n, ..., 4) of the last n of 2 n + 1 steps."""
    return (o[len(o) // 2 + 1 :] > 0).astype(int)


def start(n_h, batch=()):
    """Return the state before the first step: an empty memory, both heads on its first cell."""
    first = np.zeros((CELLS, *batch))
    first[0] = 1
    h, r = np.zeros((*batch, n_h)), np.zeros((*batch, WIDTH))
    return State(h, h, np.zeros((CELLS, *batch, WIDTH)), r, first, first)


def step(params, x, before):
    """Return the state after one step of the machine, and its output."""
    units = lstm_forward(_cell(params, "controller"), _hears(x, before), before.h, before.s)
    h, s = units.h[-1], units.s[-1]
    parts = np.split(h @ params["heads.W"].T + params["heads.b"], np.cumsum(_HEADS)[:-1], axis=-1)
    *to_write, e, a = parts[: len(_ADDRESS) + 2]
    written = address_forward(before.M, _head(*to_write), before.written).weights
    M = write_cells(before.M, written, sigmoid(e), np.tanh(a))
    read = address_forward(M, _head(*parts[len(_ADDRESS) + 2 :]), before.read).weights
    r = weighted_average(read, M)
    o = np.concatenate([h, r], axis=-1) @ params["V"].T + params["c"]
    return State(h, s, M, r, written, read), o


def run(shown, params=None):
    """Run the machine on columns (n, 4), or (n, B, 4)."""
    params = network("machine") if params is None else params
    state = start(len(params["controller.b"]), shown.shape[1:-1])
    steps = []
    for x in inputs(shown):
        state, o = step(params, x, state)
        steps.append((o, state.written, state.read, state.M))
    return Run(*map(np.array, zip(*steps, strict=True)))


def lstm(params, x):
    """Return the outputs of the LSTM for inputs (T, 5), or (T, B, 5)."""
    own = {name.removeprefix("layers.0."): array for name, array in params.items()}
    return lstm_forward(own, x).o


def _hears(x, before):
    return np.concatenate([x, before.r], axis=-1)[None]


def _cell(params, name):
    own = {n.removeprefix(f"{name}."): p for n, p in params.items() if n.startswith(f"{name}.")}
    return without_output(own)


def _head(k, beta, g, s, gamma):
    """Return the numbers of a head, each brought into its range."""
    return {
        "k": np.tanh(k),
        "beta": np.logaddexp(0, beta[..., 0]),
        "g": sigmoid(g[..., 0]),
        "s": np.moveaxis(softmax(s), -1, 0),
        "gamma": 1 + np.logaddexp(0, gamma[..., 0]),
    }
