"""The networks of the figure ntm, and how they learned to copy; needs torch."""

import numpy as np

from rnn_helpers.experiments.rates import trained
from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.figures.ntm.figure import BITS, CELLS, CONSTANTS, WIDTH, inputs, lstm, run, said
from rnn_helpers.tasks import CopyBits

MOST_LETTERS = 14_000
"""Of base 64, in which the figure's bundle may carry all its networks."""
TASK = CopyBits(BITS)
LARGEST = 127
UNITS = {"machine": 24, "lstm": 32}
RATES = {"machine": (0.02,), "lstm": (0.003, 0.01, 0.03)}
LENGTHS = (8, 16, 24, 32)
_GATES = ("", "f", "g", "o")
_BATCH = 16


def names(way):
    """Arrays of a network."""
    layer = {"machine": "controller", "lstm": "layers.0"}[way]
    heads = ["heads.W", "heads.b"] if way == "machine" else []
    return [f"{layer}.{letter}{gate}" for letter in "UWb" for gate in _GATES] + heads + ["V", "c"]


def make(seeds=range(6), steps=6000, tested=500):
    """Train machines and LSTMs to copy one to eight columns of four bits, and keep one of each.

    The machine has 40 cells of 8 numbers and a controller of 24 LSTM units; the LSTM has 32 units,
    and a few more parameters. All learn with Adam, 16 sequences a minibatch, the rate falling to 0:
    the machines at 0.02, the LSTMs at each of three rates. Their weights are rounded to 8 bits. The
    network of each kind with the most right bits on 8 columns, to three digits, is kept; ties are
    decided on 24 columns. So the figure shows the best of each kind, and ``every`` the accuracy of
    all.

    Parameters
    ----------
    seeds : sequence of int
        A network for each, and for each rate.
    steps : int
        Steps of training.
    tested : int
        Sequences of each length.

    Returns
    -------
    dict
        ``networks``: for each kind ``weights``, whole numbers of at most 127 either way in base
        64, and the ``shapes`` and ``scales`` of their arrays. ``measured``: for each kind its
        ``parameters`` and, by the number of columns, on sequences not used for the choice, the
        share of ``right`` bits of the network kept, and those of ``every`` network, sorted.
    """
    networks, measured = {}, {}
    for way in UNITS:
        every = [packed(params, names(way), LARGEST) for params in _trained(way, seeds, steps)]
        chosen = [
            (
                round(_right(way, kept, CONSTANTS.KNOWN, tested, 1), 3),
                _right(way, kept, 24, tested, 1),
            )
            for kept in every
        ]
        kept = chosen.index(max(chosen))
        right = {n: [round(_right(way, one, n, tested, 2), 4) for one in every] for n in LENGTHS}
        networks[way] = every[kept]
        measured[way] = {
            "parameters": sum(array.size for array in unpacked(every[kept]).values()),
            "right": {str(n): shares[kept] for n, shares in right.items()},
            "every": {str(n): sorted(shares) for n, shares in right.items()},
        }
    return {"networks": networks, "measured": measured}


def _trained(way, seeds, steps):
    from rnn_helpers.nets.bits import Bits
    from rnn_helpers.nets.machine import Machine

    def new(seeds):
        if way == "machine":
            return Machine(TASK.n_x, UNITS[way], TASK.n_y, seeds, CELLS, WIDTH)
        return Bits(TASK.n_x, UNITS[way], TASK.n_y, seeds, "lstm")

    def batches(seeds):
        return TASK.batches(range(1, CONSTANTS.KNOWN + 1), _BATCH, seeds)

    _, params = trained(new, batches, RATES[way], list(seeds), steps)
    n = len(params["V"])
    return [{name: array[i].astype(float) for name, array in params.items()} for i in range(n)]


def _right(way, kept, n, tested, seed):
    """Share of bits that a network copies right, on random columns (n, tested, 4)."""
    shown = np.random.default_rng([seed, n]).integers(2, size=(n, tested, BITS))
    params = unpacked(kept)
    o = run(shown, params).o if way == "machine" else lstm(params, inputs(shown))
    return float((said(o) == shown).mean())
