"""The figure *sharing*: three kinds of network that name the year in a sentence."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import arrays
from rnn_helpers.reference import rnn_forward, softmax

CONSTANTS = constants("sharing")
WORDS, YEARS = CONSTANTS.WORDS, CONSTANTS.YEARS
LONGEST = CONSTANTS.LONGEST  # places for which the MLP has weights
KINDS = {"mlp": "MLP", "conv": "convolution", "rnn": "RNN"}
# training -> places of the year (from 0), words of the shortest and of the longest sentence
TRAINING = {
    name: ([place - 1 for place in training["places"]], *training["words"])
    for name, training in CONSTANTS.TRAINING.items()
}


def poster(state):
    """Draw the figure in a complete state."""
    words, trained = split(state["sentence"]), state["trained"]
    tokens, places = read(words), TRAINING[trained][0]
    networks = stored("sharing")["networks"][trained]
    answers = [said(kind, params, tokens) for kind, params in networks.items()]
    return plots.places_found(
        found=[found(kind, params, tokens) for kind, params in networks.items()],
        met=[[kind != "mlp" or t in places for t in range(len(words))] for kind in networks],
        of=len(YEARS),
        names=[KINDS[kind] for kind in networks],
        words=words,
        said=[f"{YEARS[int(p.argmax())]}, {p.max():.2f}" for p in answers],
        # The figure asks what becomes of a year at another place than in training.
        told=(tokens >= len(WORDS)) | (trained != "second"),
    )


def check(state, given):
    """Raise ValueError if the networks know no year of the sentence."""
    sentence = state["sentence"]
    if not (read(split(sentence)) >= len(WORDS)).any():
        raise ValueError(f"sentence is {sentence!r}; expected one of the years {', '.join(YEARS)}")


def split(sentence: str) -> list[str]:
    """Words of a sentence as they are written; those beyond the twelfth are left out."""
    return [word for word in sentence.split() if _bare(word)][:LONGEST]


def read(words: list[str]) -> np.ndarray:
    """Numbers of words: those that the networks know, then the years; any other is the word "…"."""
    symbols = [*WORDS, *YEARS]
    bare = [_bare(word) for word in words]
    return np.array([symbols.index(w if w in symbols else "…") for w in bare], dtype=np.intp)


def _bare(word: str) -> str:
    return word.strip(".,;:!?").lower()


def said(kind: str, params: dict, tokens: np.ndarray) -> np.ndarray:
    """Probability of each year, by a network of the figure that reads a sentence.

    Parameters
    ----------
    kind : {"mlp", "conv", "rnn"}
    params : dict of array_like
        As `reading_networks` gives them.
    tokens : ndarray of int, shape (T,)
        As `read` gives them.

    Returns
    -------
    ndarray, shape (n_y,)
    """
    p = arrays(params)
    if kind == "rnn":
        return rnn_forward(p, tokens).yhat[-1]
    if kind == "mlp":
        h = np.tanh(p["b"] + p["U"][np.arange(len(tokens)), :, tokens].sum(axis=0))
    else:
        x = np.pad(np.eye(p["U"].shape[2])[tokens], ((1, 1), (0, 0)))  # 0 beyond the ends
        windows = sum(x[k : k + len(tokens)] @ p["U"][k].T for k in range(3))
        h = np.tanh(p["b"] + windows).max(axis=0)
    return softmax(p["c"] + p["V"] @ h)


def found(kind: str, params: dict, tokens: np.ndarray) -> list[int]:
    """How many of the three years a network names, with the year of a sentence at each place."""
    at = int((tokens >= len(WORDS)).argmax())
    others = np.delete(tokens, at)
    return [
        sum(
            int(said(kind, params, np.insert(others, place, len(WORDS) + year)).argmax()) == year
            for year in range(len(YEARS))
        )
        for place in range(len(tokens))
    ]
