"""The networks of the figure path, and how they learned to name the year; needs torch."""

import numpy as np

from rnn_helpers.claims.chapter_01 import sharing
from rnn_helpers.figures import constants

CONSTANTS = constants("path")
UNITS = 2
# With the year always second, this network learned all years, and it turns its state by almost
# exactly a quarter of a circle, so its path is easy to follow. The other one has the same corners.
SHOWN = {"second": 15, "any": 8}
LEARNED = 0.99


def make(seeds=range(20), steps=4000):
    """Train RNNs of two units to name one of four years, in two ways.

    All seeds are trained side by side on random words and one year, with Adam and a learning rate
    that falls from 0.02 to 0. The year is always second of six words, or anywhere in two to ten.

    Parameters
    ----------
    seeds : sequence of int
        One network for each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: the parameters of the network that is shown, for each training.
        ``right``: for each training and each network, the share of right answers at each position
        of sentences with six words (training ``"second"``) or twelve (``"any"``).
        ``turns``: for each network trained with the year second that learned all years, the angle
        in degrees by which its recurrent matrix turns a state.
    """
    config = {"fillers": len(CONSTANTS.WORDS), "n_h": UNITS, "batch_size": 32, "steps": steps}
    networks, right, turns = {}, {}, []
    for training, of in CONSTANTS.TRAINING.items():
        shortest, longest = of["words"]
        seen = np.zeros((len(CONSTANTS.YEARS), longest), bool)
        seen[:, np.subtract(of["places"], 1)] = True
        each = [(0.02, seed) for seed in seeds]
        net, params = sharing.train(sharing.RNN, seen, shortest, CONSTANTS.LONGEST, each, config)
        tested = np.ones((len(seen), 6 if training == "second" else CONSTANTS.LONGEST), bool)
        shares = sharing.measure(net, params, tested, config | {"test": 3000})
        right[training] = shares.round(2)
        shown = list(seeds).index(SHOWN[training])
        networks[training] = {
            name.removeprefix("layers.0."): np.round(p[shown].astype(float), 2)
            for name, p in params.items()
        }
        if training == "second":
            for W in params["layers.0.W"][shares[:, 1] > LEARNED]:
                largest = max(np.linalg.eigvals(W), key=abs)
                turns.append(round(abs(float(np.degrees(np.angle(largest))))))
    return {"networks": networks, "right": right, "turns": turns}
