"""The networks of the figure sharing, and how they learned to name the year; needs torch."""

import numpy as np

from rnn_helpers.claims.chapter_01 import sharing
from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.figures.sharing.figure import LONGEST, TRAINING, WORDS, YEARS

UNITS = 16
# Letters of all networks together in base 64: 20 kB when zipped.
MOST_LETTERS = 26_000
NAMES = "U", "W", "b", "V", "c"


def make(seeds=range(10, 20), steps=1000):
    """Train three kinds of networks to name the year in a sentence, in two ways each.

    All seeds are trained side by side on random words and one year, with Adam and a learning rate
    that falls from 0.02 to 0. The year is always second of six words, or anywhere in two to ten.
    The network kept of each kind is the median by right answers in six words with the year
    anywhere; of two in the middle, the lower.

    Parameters
    ----------
    seeds : sequence of int
        One network for each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for each training and each kind the parameters, as `packed` returns them, a
        byte each. ``U`` has a first axis for positions, or for the three positions of a window.
        ``right``: the share of right answers at each position, over all seeds, in sentences of six
        words (training ``"second"``) or of twelve (``"any"``); chance is 1/20.
    """
    kinds = {"mlp": sharing.MLP, "conv": sharing.CONV, "rnn": sharing.RNN}
    config = {"fillers": len(WORDS), "n_h": UNITS, "batch_size": 32, "steps": steps, "test": 3000}
    networks, right = {}, {}
    for training, (places, shortest, longest) in TRAINING.items():
        seen = np.zeros((len(YEARS), longest), bool)
        seen[:, list(places)] = True
        networks[training], right[training] = {}, {}
        for name, kind in kinds.items():
            each = [(0.02, seed) for seed in seeds]
            net, params = sharing.train(kind, seen, shortest, LONGEST, each, config)
            kept = [_kept(params, s) for s in range(len(seeds))]
            params = {
                key: np.stack([unpacked(one)[key.removeprefix("layers.0.")] for one in kept])
                for key in params
            }
            params = {key: p.astype(np.float32) for key, p in params.items()}
            found, longer = (
                sharing.measure(net, params, np.ones((len(YEARS), words), bool), config)
                for words in (6, LONGEST)
            )
            middle = np.argsort(found.mean(axis=1), kind="stable")[(len(found) - 1) // 2]
            networks[training][name] = kept[middle]
            shares = longer if training == "any" else found
            right[training][name] = shares.mean(axis=0).round(3)
    return {"networks": networks, "right": right}


def _kept(params, s):
    """Pack the parameters of one seed."""
    return packed({k.removeprefix("layers.0."): p[s] for k, p in params.items()}, NAMES, 127)
