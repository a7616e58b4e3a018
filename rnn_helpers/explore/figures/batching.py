"""The figure *batching*: real sentences, in any order, cut anywhere into minibatches."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored

LETTERS = constants("batching").LETTERS  # one for each sentence
MANY = len(LETTERS)


def poster(state):
    """Draw the figure in a complete state."""
    groups = arrangement(state)
    row = [i for group in groups for i in group].index(state["sentence"] - 1)
    steps = lengths()
    return plots.padded_minibatches(
        [steps[group] for group in groups], counted=not state["mask"], at=row + 1
    )


def lengths():
    """Steps of each sentence of the figure, one more than its words, for its end.

    Returns
    -------
    ndarray of int
    """
    return np.array([len(words.split()) for words in stored("batching")]) + 1


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
