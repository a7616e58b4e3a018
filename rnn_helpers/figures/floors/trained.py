"""Train the stack of the figure floors to predict characters; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.reference import Depth, deep_forward
from rnn_helpers.tasks import characters, minibatches

FLOORS, UNITS = 3, 24
MOST_LETTERS = 25_000
"""The number of letters of base 64 that the figure's bundle may use for all its networks."""
NAMES = (*(f"{letter}{k}" for k in range(1, FLOORS + 1) for letter in "UWb"), "V", "c")
LARGEST, RATE, BATCH, LENGTH = 127, 0.01, 16, 50


def make(steps=6000, streams=20, measured=400):
    """Train a stack of three layers to predict the next character of Python's language reference.

    It is a single network with the learning rate that `where-to-be-deep` chose for stacks of two.
    No result rests on it; `memory-by-floor` has ten networks.

    Parameters
    ----------
    steps : int
        Number of steps of Adam, with 16 pieces of 50 characters each. The rate falls to 0.
    streams, measured : int
        Number of streams of held-out text, and of characters measured in each.

    Returns
    -------
    dict
        ``alphabet``; ``networks``: the stack before and after training, as `packed` stores it; for
        each of these, ``bits`` per held-out character, and ``spread``: for each layer, the root
        mean square distance between its states at two places.
    """
    corpus = characters("topics")
    starts = np.arange(streams) * (len(corpus.held_out) - measured - 1) // streams
    text = corpus.held_out[starts + np.arange(measured + 1)[:, None]]
    networks, bits, spread = {}, {}, {}
    for name, params in _trained(corpus, steps).items():
        networks[name] = packed(params, NAMES, LARGEST)
        run = deep_forward(unpacked(networks[name]), Depth(FLOORS), text[:-1])
        log_p = np.take_along_axis(run.log_yhat, text[1:, :, None], -1)
        bits[name] = round(float(-log_p.mean() / np.log(2)), 3)
        apart = [2 * states[1:].reshape(-1, UNITS).var(0).sum() for states in run.each]
        spread[name] = [round(float(value) ** 0.5, 4) for value in apart]
    alphabet = "".join(corpus.alphabet)
    return {"alphabet": alphabet, "networks": networks, "bits": bits, "spread": spread}


def _trained(corpus, steps):
    """Return the parameters before and after training."""
    from rnn_helpers.nets.deep import Deep
    from rnn_helpers.optimizers import Adam
    from rnn_helpers.training import fit

    n = len(corpus.alphabet)
    net = Deep(Depth(FLOORS), n, UNITS, n, [0])
    before = net.params()
    made = fit(
        net.loss_and_grads,
        before,
        minibatches(corpus.train, LENGTH, BATCH, [np.random.default_rng(0)]),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    )
    return {
        name: {key: array[0].astype(float) for key, array in params.items()}
        for name, params in (("before", before), ("after", made.params))
    }
