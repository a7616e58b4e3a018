"""The figure *sharing*: networks that name the year in a sentence, with the year moved around."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import require_place
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import rnn_forward, softmax

CONSTANTS = constants("sharing")
WORDS, YEARS, YEAR = CONSTANTS.WORDS, CONSTANTS.YEARS, CONSTANTS.YEAR
LONGEST = CONSTANTS.LONGEST  # positions for which the MLP has weights
KINDS = {"mlp": "MLP", "conv": "convolution", "rnn": "RNN"}
# training -> positions of the year (from 0), words of the shortest and of the longest sentence
TRAINING = {
    name: ([place - 1 for place in training["places"]], *training["words"])
    for name, training in CONSTANTS.TRAINING.items()
}


def poster(state):
    """Draw the figure in a complete state."""
    kinds = shown(state["view"])
    place, words, trained = state["place"], state["words"], state["trained"]
    place = min(place, words)
    networks = {kind: params(trained, kind) for kind in kinds}
    tokens = sentence(place, words)
    answers = [said(kind, p, tokens) for kind, p in networks.items()]
    return plots.places_found(
        found=[found(kind, p, words) for kind, p in networks.items()],
        of=len(YEARS),
        names=[KINDS[kind] for kind in kinds],
        words=written(place, words),
        place=place,
        said=[YEARS[int(p.argmax())] for p in answers],
        # With the year always second, the figure asks what happens at the other positions.
        told=(np.arange(1, words + 1) == place) | (trained != "second"),
    )


def check(state, given):
    """Raise ValueError if the sentence has no such position."""
    require_place("place", state, given, state["words"], "the sentence has the positions")


def shown(view: str) -> list[str]:
    """Return the kinds of networks in a view of the figure, ``"one"`` or ``"three"``."""
    return list(KINDS) if view == "three" else ["mlp"]


def params(trained: str, kind: str) -> dict[str, np.ndarray]:
    """Return the weights of one of the figure's networks."""
    return unpacked(stored("sharing")["networks"][trained][kind])


def sentence(place: int, words: int, year: int | None = None) -> np.ndarray:
    """Return the tokens of the figure's sentence with a year at a position.

    Parameters
    ----------
    place : int
        Position of the year, from 1.
    words : int
        Number of words, the year included.
    year : int, optional
        Index of the year in `YEARS`; by default that of `YEAR`.

    Returns
    -------
    ndarray of int, shape (words,)
        Indices of the words in `WORDS` followed by `YEARS`. The word *in* stands before the year,
        or after a year at the first position.
    """
    others = list(range(1, words - 1))
    others.insert(max(place - 2, 0), WORDS.index("in"))
    others.insert(place - 1, len(WORDS) + (YEARS.index(YEAR) if year is None else year))
    return np.array(others, dtype=np.intp)


def written(place: int, words: int) -> list[str]:
    """Return the words of the figure's sentence as they are shown."""
    symbols = [*WORDS, *YEARS]
    proper = {"i": "I", "nepal": "Nepal"}
    spelled = [proper.get(symbols[token], symbols[token]) for token in sentence(place, words)]
    return [spelled[0][0].upper() + spelled[0][1:], *spelled[1:]]


def said(kind: str, p: dict, tokens: np.ndarray) -> np.ndarray:
    """Return the probability that a network of the figure gives to each year.

    Parameters
    ----------
    kind : {"mlp", "conv", "rnn"}
    p : dict of ndarray
        As `params` returns them.
    tokens : ndarray of int, shape (T,)
        As `sentence` returns them.

    Returns
    -------
    ndarray, shape (n_y,)
    """
    if kind == "rnn":
        return rnn_forward(p, tokens).yhat[-1]
    if kind == "mlp":
        h = np.tanh(p["b"] + p["U"][np.arange(len(tokens)), :, tokens].sum(axis=0))
    else:
        x = np.pad(np.eye(p["U"].shape[2])[tokens], ((1, 1), (0, 0)))  # 0 beyond the ends
        windows = sum(x[k : k + len(tokens)] @ p["U"][k].T for k in range(3))
        h = np.tanh(p["b"] + windows).max(axis=0)
    return softmax(p["c"] + p["V"] @ h)


def found(kind: str, p: dict, words: int) -> list[int]:
    """Count the years that a network names with the year at each position of the sentence."""
    return [
        sum(
            int(said(kind, p, sentence(place, words, year)).argmax()) == year
            for year in range(len(YEARS))
        )
        for place in range(1, words + 1)
    ]
