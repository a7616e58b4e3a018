"""The trained networks of the figure gates; training needs torch."""

import numpy as np

from rnn_helpers.explore.weights import reordered
from rnn_helpers.figures.gates.figure import TASK, TEN, forward
from rnn_helpers.reference import lstm_forward
from rnn_helpers.training import Adam, fit

UNITS = 4
LENGTH = 20
CELLS = {"lstm": {"forget_bias": 3.0}, "gru": {}}


def make(seeds=range(10), steps=1000):
    """Train an LSTM and a GRU to count the ones since the last reset, in sequences of 20 steps.

    All seeds are trained side by side, with Adam and a learning rate that falls from 0.05 to 0. The
    network with the (lower) median error on new sequences is kept. Its units are sorted by how much
    they move the answer.

    Parameters
    ----------
    seeds : sequence of int
        One for each network.
    steps : int
        Training steps.

    Returns
    -------
    dict
        ``networks``: for ``"lstm"`` and ``"gru"`` parameters as `lstm_forward` and `gru_forward`
        take them, with four digits. ``training``: ``length`` of the sequences; ``usual``, the count
        that one in a hundred exceeds; ``errors``, the root of each network's mean squared error, in
        ones, ``within`` the length of training and ``beyond``, at three times that length; and
        ``shut``, the number of units of each trained LSTM whose forget gate is below one half at a
        reset, on average.
    """
    from rnn_helpers.nets import Gated

    seeds = list(seeds)
    x, y = next(TASK.batches(LENGTH, 500, seed=0))  # training draws from streams that are spawned
    networks, errors, shut = {}, {}, []
    for unit, parts in CELLS.items():
        net = Gated(TASK.n_x, UNITS, TASK.n_y, seeds, unit, **parts)
        data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
        made = fit(
            net.loss_and_grads,
            net.params(),
            TASK.batches(LENGTH, 32, data),
            steps=steps,
            optimizer=Adam(lambda step: 0.05 * (1 - (step - 1) / steps)),
            clip=1.0,
        ).params
        wrong = ((net.outputs(made, x)[..., 0] - y[:, None]) ** 2).mean(axis=(0, 2))
        middle = np.argsort(wrong)[(len(seeds) - 1) // 2]
        every = {name.split(".")[-1]: p.astype(float) for name, p in made.items()}
        params = {name: p[middle] for name, p in every.items()}
        networks[unit] = {name: p.round(4) for name, p in _in_order(params, unit, x).items()}
        errors[unit] = {
            "within": error(unit, networks[unit], LENGTH),
            "beyond": error(unit, networks[unit], 3 * LENGTH),
        }
        errors[unit] = {where: round(value, 3) for where, value in errors[unit].items()}
        if unit == "lstm":
            f = np.moveaxis(lstm_forward(every, x).f, 1, 2)  # seeds after sequences
            shut = (f[x[..., 1] == 1].mean(axis=0) < 0.5).sum(axis=-1).tolist()
    usual = round(TEN * np.quantile(y, 0.99))
    training = {"length": LENGTH, "usual": usual, "errors": errors, "shut": shut}
    return {"networks": networks, "training": training}


def error(unit, params, n_steps):
    """Return the root of the mean squared error, in ones, over 500 sequences of `n_steps` steps."""
    x, y = next(TASK.batches(n_steps, 500, seed=0))
    return float(TEN * np.sqrt(np.mean((forward(unit, params, x).o[..., 0] - y) ** 2)))


def _in_order(params, unit, x):
    """Return the same network with its units sorted by how much they move the answer."""
    moves = np.abs(params["V"][0]) * forward(unit, params, x).h.std(axis=(0, 1))
    return reordered(params, np.argsort(-moves))
