"""What the figure batching arranges: real sentences, in any order, cut anywhere into minibatches.

``python -m rnn_helpers.explore.networks batching`` draws the sentences again; as the text comes
with Python, another version may give others.
"""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.tasks import sentences

SEED = 5
MANY = 64
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def poster(state):
    """Draw the figure in a complete state."""
    groups = arrangement(state)
    row = [i for group in groups for i in group].index(state["sentence"] - 1)
    steps = lengths()
    return plots.padded_minibatches(
        [steps[group] for group in groups], counted=not state["mask"], at=row + 1
    )


def drawn():
    """Draw sentences of Python's language reference at random; they stay in the text's order.

    Returns
    -------
    list of str
        Words with spaces between them.
    """
    everything = sentences("topics")
    places = np.random.default_rng(SEED).choice(len(everything), MANY, replace=False)
    return [" ".join(everything[i]) for i in np.sort(places)]


def lengths():
    """Steps of each sentence of the figure, one more than its words, for its end.

    Returns
    -------
    ndarray of int
    """
    return (
        np.array([len(words.split()) for words in manifest()["batching"]["example"]["sentences"]])
        + 1
    )


def arrangement(state):
    """Sentences of each minibatch of a state of the figure, by their places in the text.

    Parameters
    ----------
    state : dict
        Its controls ``order``, ``size``, ``seed`` and ``own``. The last, if it is not empty, has a
        letter for each sentence and a dot at each cut.

    Returns
    -------
    list of list of int
    """
    order, size, own = state["order"], state["size"], state["own"]
    groups = [[LETTERS.index(letter) for letter in part] for part in own.split(".")]
    if all(groups) and sorted(np.concatenate(groups)) == list(range(MANY)):
        return groups
    chance = np.random.RandomState(state["seed"])
    places = np.arange(MANY)
    if order == "random":
        places = chance.random_sample(MANY).argsort()
    elif order != "given":
        places = np.argsort(lengths(), kind="stable")
    groups = [places[first : first + size].tolist() for first in range(0, MANY, size)]
    if order == "groups":
        groups = [groups[i] for i in chance.random_sample(len(groups)).argsort()]
    return groups
