"""The networks of the figure sharing, which name the year in a sentence, and what it says of them.

``python -m rnn_helpers.explore.networks sharing`` trains them anew and writes them beside the
figure's sources; it needs torch.
"""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.weights import arrays
from rnn_helpers.reference import rnn_forward, softmax

WORDS = ["i", "went", "to", "nepal", "in", "with", "two", "old", "friends", "by", "train", "…"]
YEARS = ["2008", "2009", "2010"]
UNITS = 4
LONGEST = 12  # places for which the MLP has weights
KINDS = {"mlp": "MLP", "conv": "convolution", "rnn": "RNN"}
# training -> places of the year (from 0), words of the shortest and of the longest sentence
TRAINING = {"second": ([1], 6, 6), "short": (range(4), 2, 4), "any": (range(6), 6, 6)}


def poster(state):
    """Draw the figure in a complete state."""
    words, trained = split(state["sentence"]), state["trained"]
    tokens, places = read(words), TRAINING[trained][0]
    networks = manifest()["sharing"]["example"]["networks"][trained]
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


def reading_networks(seeds=range(10, 20), steps=500):
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
    networks : dict of str to dict of str to dict of ndarray
        For each training and each kind the parameters, to one digit: ``U`` by places, or by the
        three places of a window, where there are several; ``b``, ``W`` of an RNN, ``V``, ``c``.
    right : dict of str to dict of str to list of float
        Share of right answers at each place of six words, over all seeds, chance 1/3.
    """
    from rnn_helpers.experiments.claims.chapter_01 import sharing

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
    return networks, right


def carried():
    """What the figure carries: ``networks`` and ``right`` as `reading_networks` gives them."""
    networks, right = reading_networks()
    return {"networks": networks, "right": right}


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
