"""The four small networks of the figure jacobian."""

import numpy as np

from rnn_helpers.reference import init_recurrent, init_rnn
from rnn_helpers.tasks import Latch, character_model
from rnn_helpers.training import Adam, fit

N_H = 8
SEED = 1
LENGTHS = range(2, 21)


def make():
    """Make the networks: three ways to begin, and one that has learned a bit.

    Those that begin differ in ``W`` alone: PyTorch's default, a random rotation, and Gaussian
    weights of spectral radius 1.5. The last began as the default and was trained on `Latch`, on
    sequences of 2 to 20 steps: of one length only, most networks keep the bit in the phase of an
    oscillation that is right at that length alone.

    Returns
    -------
    dict of str to dict of ndarray
        Parameters as `rnn_forward` takes them, to four digits, for ``"default"``,
        ``"orthogonal"``, ``"gaussian"`` and ``"trained"``.
    """
    rng = np.random.default_rng(SEED)
    start = {
        name: rng.uniform(-(N_H**-0.5), N_H**-0.5, array.shape)
        for name, array in init_rnn(1, N_H, 2).items()
    }
    start["W"] = init_recurrent("default", N_H, SEED)
    history = fit(
        character_model(), start, _batches(rng), steps=500, optimizer=Adam(0.01), clip=1.0
    )
    networks = {
        "default": start,
        "orthogonal": start | {"W": init_recurrent("orthogonal", N_H, SEED)},
        "gaussian": start | {"W": init_recurrent("gaussian", N_H, SEED, radius=1.5)},
        "trained": history.params,
    }
    return {
        kind: {name: array.round(4) for name, array in params.items()}
        for kind, params in networks.items()
    }


def _batches(rng):
    """Minibatches of `Latch`, each with its own length."""
    sources = {T: Latch().batches(T, 32, rng) for T in LENGTHS}
    while True:
        yield next(sources[int(rng.choice(LENGTHS))])
