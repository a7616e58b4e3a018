"""The small networks that a figure carries with it, and how they came to be.

``python -m rnn_helpers.explore.networks NAME ...`` writes what these figures carry beside their
sources, from a checkout.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np

from rnn_helpers.explore.figures import batching, highway, reservoir, sharing
from rnn_helpers.explore.figures.clockwork import clockwork_networks
from rnn_helpers.explore.figures.gates import counting_networks
from rnn_helpers.reference import init_recurrent, init_rnn
from rnn_helpers.tasks import Latch, character_model
from rnn_helpers.training import Adam, fit

N_H = 8
SEED = 1
LENGTHS = range(2, 21)


def jacobian_networks():
    """Four networks for the figure jacobian: three ways to begin, and one that has learned a bit.

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
    """Minibatches of `Latch`, each of a length of its own."""
    sources = {T: Latch().batches(T, 32, rng) for T in LENGTHS}
    while True:
        yield next(sources[int(rng.choice(LENGTHS))])


def _trained(train):
    networks, training = train()
    return {"networks": networks, "training": training}


# figure -> its file, and what it holds
DATA = {
    "batching": ("sentences.json", batching.drawn),
    "jacobian": ("networks.json", jacobian_networks),
    "gates": ("networks.json", partial(_trained, counting_networks)),
    "clockwork": ("networks.json", partial(_trained, clockwork_networks)),
    "highway": ("measured.json", highway.measurements),
    "reservoir": ("measured.json", reservoir.measurements),
    "sharing": ("networks.json", sharing.carried),
}


def _write(name):
    file, make = DATA[name]
    text = json.dumps(make(), separators=(",", ":"), default=np.ndarray.tolist) + "\n"
    checkout = Path(__file__).parents[2]
    (checkout / "explorables/figures" / name / file).write_text(text, "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _write(name)
