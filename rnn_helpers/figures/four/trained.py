"""Train the network that decides whether a path joins two marks; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.tasks import Joined

MOST_LETTERS = 14_000
"""Of base 64, in which the figure's bundle may carry all its networks."""
TASK = Joined()
UNITS, LAYERS, LARGEST = 12, 2, 127
RATE, BATCH = 0.012, 32


def make(steps=2500, tested=1000):
    """Train a network that sweeps over pictures to say whether two marks are joined, and keep it.

    It learns from pictures of 8 by 8 cells, whose paths have 5 to 11 of them. There is one
    network, at one rate: it is here to be looked at, and decides nothing.

    Parameters
    ----------
    steps : int
        Of Adam, with 32 pictures each, its rate falling to 0.
    tested : int
        New pictures of each length.

    Returns
    -------
    dict
        ``networks``: what `packed` keeps of it; ``measured``: the share of new pictures that it
        judges rightly, by the cells of the path.
    """
    kept = packed(_train(steps), names(), LARGEST)
    params = unpacked(kept)
    measured = {str(length): round(right(params, length, tested), 3) for length in TASK.lengths}
    return {"networks": {"sweeps": kept}, "measured": measured}


def names():
    """Arrays of the network, in the order in which they are kept."""
    parts = [letter + gate for letter in "UWb" for gate in ("u", "r", "")]
    sweeps = [
        f"sweeps.{k}.{back}.{part}" for k in range(2 * LAYERS) for back in (0, 1) for part in parts
    ]
    return (*sweeps, "V", "c")


def right(params, length, n):
    """Share of new pictures with paths of this length that a network judges rightly."""
    from rnn_helpers.nets.four_ways import FourWays

    net = FourWays(TASK.n_x, UNITS, TASK.n_y, [0], LAYERS)
    many = {name: p[None].astype(np.float32) for name, p in params.items()}
    return float(net.right(many, next(Joined(TASK.size, [length]).batches(n, 1))).mean())


def _train(steps):
    from rnn_helpers.nets.four_ways import FourWays
    from rnn_helpers.optimizers import Adam
    from rnn_helpers.training import fit

    net = FourWays(TASK.n_x, UNITS, TASK.n_y, [0], LAYERS)
    made = fit(
        net.loss_and_grads,
        net.params(),
        TASK.batches(BATCH, [0]),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    )
    return {name: array[0].astype(float) for name, array in made.params.items()}
