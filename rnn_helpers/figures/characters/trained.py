"""The networks that read Python code, and how they were trained; needs torch and four minutes."""

import base64

import numpy as np

from rnn_helpers.claims.chapter_05.unit_features import weights
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.explore.characters import ORDER, UNITS, forward, shown
from rnn_helpers.explore.weights import reordered
from rnn_helpers.reference import rnn_loss
from rnn_helpers.tasks import characters, text_features, unit_correlations

MOST_LETTERS = 60_000
"""Of base 64, in which the figure's bundle may carry all its networks."""
SEED = 1
ETA = {"rnn": 0.01, "lstm": 0.02}
MEASURED = 50_000
"""Held-out characters on which units are put in order and compared with features."""
LARGEST = 127


def make(steps=8000):
    """Train the networks on the standard library's code, and round their weights to 8 bits.

    Adam, its rate falling to 0, gradients of norm at most 1, the state carried along; the last
    tenth of the text is held out.

    Parameters
    ----------
    steps : int
        Minibatches of 32 pieces of 64 characters.

    Returns
    -------
    dict
        ``alphabet``, and for each network its ``weights``, a byte each in base 64, in the order of
        `ORDER`; the ``scales`` of its arrays; and what was ``measured``.
    """
    corpus, networks = characters("code"), {}
    for kind, n_h in UNITS.items():
        config = {"n_h": n_h, "steps": steps, "T": 64, "batch_size": 32}
        _, learned = weights(Learned(kind.upper(), corpus, ETA[kind], SEED, config))
        networks[kind] = kept(kind, learned, corpus)
    return {"alphabet": corpus.alphabet, "networks": networks}


def kept(kind, weights, corpus):
    """Return a network's data for the figures: ordered, rounded and measured."""
    weights, tokens = _in_order(kind, weights, corpus), corpus.held_out[:MEASURED]
    scales = {name: float(np.abs(weights[name]).max() / LARGEST) for name in ORDER[kind]}
    whole = {name: np.rint(weights[name] / scale) for name, scale in scales.items()}
    rounded = {name: array * scales[name] for name, array in whole.items()}
    made = forward(kind, rounded, tokens)
    bits = rnn_loss(forward(kind, rounded, tokens[:-1]), tokens[1:]) / np.log(2)
    followed = {
        name: unit_correlations(shown(made), feature).round(2).tolist()
        for name, feature in text_features(corpus.decode(tokens)).items()
    }
    data = b"".join(array.astype(np.int8).tobytes() for array in whole.values())
    return {
        "scales": list(scales.values()),
        "weights": base64.b64encode(data).decode(),
        "measured": {"bits": round(float(bits) / (MEASURED - 1), 3), **followed},
    }


def _in_order(kind, weights, corpus):
    """The same network, its units sorted by how much they change from step to step."""
    h = shown(forward(kind, weights, corpus.held_out[:MEASURED]))
    return reordered(weights, np.argsort(np.abs(np.diff(h, axis=0)).mean(axis=0), kind="stable"))
