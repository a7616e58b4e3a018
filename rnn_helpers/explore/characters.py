"""Two small networks that read Python, for the figures that run them in the page.

``python -m rnn_helpers.explore.characters`` trains them anew and writes `characters.json`, which
the package and the figures read alike; it needs torch, and some four minutes. The standard library
changes from one version of Python to the next, so another version gives other networks.
"""

import base64
import json
from functools import cache
from pathlib import Path

import numpy as np

from rnn_helpers.explore.weights import reordered
from rnn_helpers.reference import lstm_forward, rnn_forward, rnn_loss
from rnn_helpers.tasks import characters, text_features, unit_correlations
from rnn_helpers.tasks.corpora import UNKNOWN
from rnn_helpers.validate import as_choice, as_kind

UNITS = {"rnn": 30, "lstm": 40}
SEED = 1
ETA = {"rnn": 0.01, "lstm": 0.02}
ORDER = {
    "rnn": ["U", "W", "b", "V", "c"],
    "lstm": [M + part for M in "UWb" for part in ("", "f", "g", "o")] + ["V", "c"],
}
"""The arrays of each network in the order in which their weights are stored."""
MEASURED = 50_000
"""Held-out characters on which units are put in order and compared with features."""
FILE = Path(__file__).with_name("characters.json")
_LARGEST = 127


@cache
def _stored():
    return json.loads(FILE.read_text("utf-8"))


def alphabet():
    """Characters that the networks know; a character's token is its place.

    Returns
    -------
    str
    """
    return _stored()["alphabet"]


def measured(kind):
    """What was measured of a network when it was made, on text it had not seen.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        Which network.

    Returns
    -------
    dict
        ``bits`` per character; and for each of
        `rnn_helpers.tasks.text_features` the correlations of all units with it, on 50 000 such
        characters.
    """
    return _network(kind)["measured"]


def encode(text):
    """Turn a text into tokens, characters that the networks do not know into a bullet's.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    TypeError
        If `text` is not a string.
    """
    known = alphabet()
    strange = known.index(UNKNOWN)
    places = {character: token for token, character in enumerate(known)}
    as_kind("text", text, str, "a string")
    return np.array([places.get(character, strange) for character in text], dtype=np.intp)


def params(kind):
    """Weights of a network, as they were rounded: these are the network, here and in the figures.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        30 tanh units, or 40 LSTM cells; the first unit changes least from step to step.

    Returns
    -------
    dict of ndarray
        As `rnn_forward` or `lstm_forward` takes them.
    """
    stored, n_y = _network(kind), len(alphabet())
    whole = np.frombuffer(base64.b64decode(stored["weights"]), np.int8).astype(float)
    made, at = {}, 0
    for name, scale in zip(ORDER[kind], stored["scales"], strict=True):
        shape = _shape(name, UNITS[kind], n_y)
        size = int(np.prod(shape))
        made[name], at = (whole[at : at + size] * scale).reshape(shape), at + size
    return made


def run(kind, text):
    """Let a network read a text, from a state of zeros.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
        Which network.
    text : str
        At least one character.

    Returns
    -------
    Run or LSTMRun
        With ``h``, of the LSTM ``s`` too, and ``yhat``, after each character.
    """
    return forward(kind, params(kind), encode(text))


def shown(run):
    """What the figure `units` shows of each unit: h, or of an LSTM tanh(s), from -1 to 1.

    Parameters
    ----------
    run : Run or LSTMRun
        What `run` gives.

    Returns
    -------
    ndarray, shape (T, ..., n_h)
    """
    return np.tanh(run.s) if hasattr(run, "cells") else run.h


def _network(kind):
    return _stored()["networks"][as_choice("kind", kind, tuple(UNITS))]


def forward(kind, weights, tokens, **state):
    """Run a network of this kind, with these weights, over tokens.

    Parameters
    ----------
    kind : {"rnn", "lstm"}
    weights : dict of ndarray
        As `params` gives them.
    tokens : ndarray of int, shape (T, ...)
    **state
        ``h0``, of an LSTM ``s0`` too, to begin with; zeros by default.

    Returns
    -------
    Run or LSTMRun
    """
    return {"rnn": rnn_forward, "lstm": lstm_forward}[kind](weights, tokens, **state)


def _shape(name, n_h, n_y):
    return {"U": (n_h, n_y), "W": (n_h, n_h), "b": (n_h,), "V": (n_y, n_h), "c": (n_y,)}[name[0]]


def character_networks(steps=8000):
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
        What `characters.json` holds: ``alphabet``, and for each network its ``weights``, a byte
        each in base 64, in the order of `ORDER`; the ``scales`` of its arrays; and what was
        ``measured``.
    """
    from rnn_helpers.experiments.claims.chapter_05.unit_features import weights
    from rnn_helpers.experiments.texts import Learned

    corpus, networks = characters("code"), {}
    for kind, n_h in UNITS.items():
        config = {"n_h": n_h, "steps": steps, "T": 64, "batch_size": 32}
        _, learned = weights(Learned(kind.upper(), corpus, ETA[kind], SEED, config))
        networks[kind] = stored(kind, learned, corpus)
    return {"alphabet": corpus.alphabet, "networks": networks}


def stored(kind, weights, corpus):
    """What `characters.json` holds of a network: put in order, rounded, and measured."""
    weights, tokens = _in_order(kind, weights, corpus), corpus.held_out[:MEASURED]
    scales = {name: float(np.abs(weights[name]).max() / _LARGEST) for name in ORDER[kind]}
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


if __name__ == "__main__":
    FILE.write_text(json.dumps(character_networks(), separators=(",", ":")) + "\n", "utf-8")
