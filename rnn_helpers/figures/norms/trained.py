"""The logs of the figure norms: losses and gradient norms of networks that learn to hold a bit."""

import numpy as np

from rnn_helpers.figures import constants
from rnn_helpers.reference import init_recurrent, init_rnn
from rnn_helpers.tasks import Latch, character_model
from rnn_helpers.training import SGD, Adam, fit

NORMS = constants("norms")
UNITS, STEPS, BATCH, SEED, RADIUS = 20, 30, 16, 4, 1.5


def make(updates=NORMS.UPDATES):
    """Train the same network on the same minibatches, with each optimizer and threshold.

    It has 20 tanh units and holds a bit for 30 steps. The recurrent matrix starts as an orthogonal
    one times 1.5, so gradients may explode.

    Returns
    -------
    dict
        For each optimizer and threshold, ``loss`` and ``norm``: the loss of each minibatch and the
        norm of its gradient before clipping, to two digits.
    """
    kinds = {"SGD": SGD, "Adam": Adam}
    return {
        name: {v: _log(kinds[name](rate), v, updates) for v in NORMS.THRESHOLDS}
        for name, rate in NORMS.RATES.items()
    }


def _log(optimizer, v, updates):
    task = Latch()
    others, recurrent, data = np.random.default_rng(SEED).spawn(3)
    params = init_rnn(task.n_x, UNITS, task.n_y, seed=others)
    params["W"] = init_recurrent("orthogonal", UNITS, recurrent, radius=RADIUS)
    history = fit(
        character_model(),
        params,
        task.batches(STEPS, BATCH, data),
        steps=updates,
        optimizer=optimizer,
        clip=None if v == "none" else float(v),
    )
    return {
        name: [float(f"{value:.2g}") for value in values]
        for name, values in (("loss", history.loss), ("norm", history.grad_norm))
    }
