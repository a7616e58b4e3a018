"""The networks of the figure sharing, and how they learned to name the year; needs torch."""

import numpy as np

from rnn_helpers.experiments.claims.chapter_01 import sharing
from rnn_helpers.explore.figures.sharing import LONGEST, TRAINING, WORDS, YEARS

UNITS = 4


def make(seeds=range(10, 20), steps=500):
    """Train three kinds of networks to name the year in a sentence, in three ways each.

    All seeds are trained side by side, with Adam, its learning rate falling from 0.1 to 0, on
    random words and one year: second of six words, anywhere in two to four, or anywhere in six. Of
    each kind the network is kept that is in the middle by its right answers in six words, the year
    anywhere; the lower of two in the middle.

    Parameters
    ----------
    seeds : sequence of int
        A network each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``, for each training and each kind the parameters, to one digit: ``U`` by places,
        or by the three places of a window, where there are several; ``b``, ``W`` of an RNN, ``V``,
        ``c``. ``right``, the share of right answers at each place of six words, over all seeds,
        chance 1/3.
    """
    kinds = {"mlp": sharing.MLP, "conv": sharing.CONV, "rnn": sharing.RNN}
    config = {"fillers": len(WORDS), "n_h": UNITS, "batch_size": 32, "steps": steps, "test": 3000}
    networks, right = {}, {}
    for training, (places, shortest, longest) in TRAINING.items():
        seen = np.zeros((len(YEARS), longest), bool)
        seen[:, list(places)] = True
        networks[training], right[training] = {}, {}
        for name, kind in kinds.items():
            each = [(0.1, seed) for seed in seeds]
            net, params = sharing.train(kind, seen, shortest, LONGEST, each, config)
            params = {key: p.round(1) for key, p in params.items()}
            found = sharing.measure(net, params, np.ones((len(YEARS), 6), bool), config)
            middle = np.argsort(found.mean(axis=1), kind="stable")[(len(found) - 1) // 2]
            networks[training][name] = {
                key.removeprefix("layers.0."): p[middle].astype(float).round(1) + 0.0
                for key, p in params.items()
            }
            right[training][name] = found.mean(axis=0).round(3)
    return {"networks": networks, "right": right}
