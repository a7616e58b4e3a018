"""The figure *attention*: two networks that write dates, one of them with attention."""

from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import (
    attention_weights,
    beam_search,
    dot_scores,
    gru_forward,
    log_softmax,
    softmax,
    weighted_average,
)
from rnn_helpers.tasks import Dates

CONSTANTS = constants("attention")
OUTPUT = Dates.OUTPUT


class Written(NamedTuple):
    """A network's output.

    Attributes
    ----------
    written : str
    yhat : list of ndarray, shape (12,)
        Probabilities of the symbols and of the end symbol, at each step.
    scores, weights : list of ndarray, shape (m,)
        One for each character of the input, at each step; empty without attention.
    """

    written: str
    yhat: list
    scores: list
    weights: list


def network(way):
    """Return the rounded weights of a network, which are its weights here and in the figure."""
    return unpacked(stored("attention")["networks"][way])


def cleaned(text):
    """Return a text in lower case, without characters that the networks never read in training."""
    return "".join(c for c in text.lower() if c in stored("attention")["alphabet"])


def read(params, text):
    """Return the annotation of each character, the states of both readers: shape (m, 32)."""
    alphabet = stored("attention")["alphabet"]
    x = np.eye(len(alphabet))[[alphabet.index(c) for c in text]]
    on = _gated(params, "on", x).h
    return np.concatenate([on, _gated(params, "back", x[::-1]).h[::-1]], axis=1)


def step(params, notes, before, h, sharpness=1.0):
    """Return the scores, weights, context, state and outputs of one step of the writer.

    Parameters
    ----------
    params : dict
    notes : ndarray, shape (m, 32)
        As `read` returns them.
    before : int or None
        Place of the previous symbol.
    h : ndarray, shape (n_h,)
    sharpness : float
        Factor of the scores in the softmax.
    """
    half = notes.shape[1] // 2
    scores = weights = np.array([])
    context = np.concatenate([notes[-1, :half], notes[0, half:]])
    if "Q" in params:
        scores = dot_scores(params["Q"], h, notes)
        weights = attention_weights(sharpness * scores)
        context = weighted_average(weights, notes)
    x = np.concatenate([np.arange(len(OUTPUT) + 1) == before, context])
    state = _gated(params, "writer", x[None], h).h[-1]
    return scores, weights, context, state, params["V"] @ state + params["c"]


def translate(params, text, sharpness=1.0):
    """Write a date with greedy decoding.

    Parameters
    ----------
    params : dict
    text : str
        Characters of the alphabet.
    sharpness : float
    """
    notes, h, before = read(params, text), params["h0"], None
    written, every, scores, weights = "", [], [], []
    while len(every) < CONSTANTS.MOST:
        score, weight, _, h, o = step(params, notes, before, h, sharpness)
        every.append(softmax(o))
        scores.append(score)
        weights.append(weight)
        before = int(o.argmax())
        if before == len(OUTPUT):
            break
        written += OUTPUT[before]
    return Written(written, every, scores, weights if "Q" in params else [])


def readings(params, text, sharpness=1.0):
    """Return the most likely dates, which a beam search finds, with their probabilities."""
    notes = read(params, text)
    after = {(): (params["h0"], None)}  # the state and the last symbol after each prefix

    def next_log_probability(prefix):
        prefix = tuple(prefix.tolist())
        h, before = after[prefix]
        *_, state, o = step(params, notes, before, h, sharpness)
        after.update({(*prefix, k): (state, k) for k in range(len(o))})
        return log_softmax(o)

    end = len(OUTPUT)
    found = beam_search(next_log_probability, end, CONSTANTS.BEAM, CONSTANTS.MOST)
    return [
        ("".join(OUTPUT[k] for k in one.symbols[:-1]), float(np.exp(one.log_probability)))
        for one in found
        if one.symbols[-1] == end
    ]


def _gated(params, part, x, h0=None):
    own = {name: params[f"{part}_{name}"] for name in CONSTANTS.GRU}
    return gru_forward(without_output(own), x, h0, reset="after")
