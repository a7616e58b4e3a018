"""The network of the figures sampler and progress, and how it learned a manual; needs torch."""

import re

import numpy as np

from rnn_helpers.claims.chapter_05.unit_features import weights
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.explore.characters import ORDER
from rnn_helpers.tasks import Corpus, NGram, characters

UNITS = 48
STEPS = 2800
ETA = 0.02
LARGEST = 45
"""Of the whole numbers that stand for weights, so that each can be a letter."""
MOST_LETTERS = 32_400
"""In which the bundle of the figure sampler may carry the network."""
STAGES = (1, 2, 5, 10, 20, 50, 100, 200, 400, 700, 1000, 1400, 2800)
"""Minibatches after which the figure progress shows the network."""
SENTENCE = "Note that it is actually the comma which makes a tuple, not the parentheses."
WRITTEN, MEASURED = 240, 10_000
"""Characters that the network writes at each stage, and held-out ones that measure its bits."""
ORDERS = (1, 2, 3, 5)
_WORD = re.compile(r"[A-Za-z]{3,}")


def flowing(text):
    """Return the lines of a text that have a letter, as one line with single spaces."""
    lines = [line for line in text.splitlines() if re.search("[A-Za-z]", line)]
    return " ".join(" ".join(lines).split())


def corpus():
    """Return Python's language reference as one long line; its last tenth is held out."""
    text = flowing(characters("topics").text)
    alphabet = "".join(sorted(set(text)))
    tokens = np.array([alphabet.index(character) for character in text])
    cut = round(0.9 * len(tokens))
    return Corpus("manual", text, alphabet, tokens[:cut], tokens[cut:])


def make(seed=0):
    """Train an LSTM of 48 cells on Python's language reference, and keep it and its progress.

    Adam, its rate falling from 0.02 to 0, gradients of norm at most 1, the state carried along.

    Returns
    -------
    dict
        ``alphabet``; the ``network`` after training, as `rnn_helpers.figures.characters.trained`
        stores one; the ``sentence`` whose characters are charged; the bits of ``tables`` on
        held-out text; and ``stages``: for each its number of ``minibatches``, ``bits`` per held-out
        character, a text that it ``wrote`` at temperature 1, always with the same random numbers,
        the places of the words ``known`` from the text for training, and the ``costs`` in bits of
        the sentence's characters.
    """
    text, kept = corpus(), {}

    def keep(step, params, _):
        if step in STAGES:
            kept[step] = {name: p.copy() for name, p in params.items()}

    config = {"n_h": UNITS, "steps": STEPS, "T": 32, "batch_size": 32}
    return _stored(text, Learned("LSTM", text, ETA, seed, config, on_step=keep), kept)


def _stored(text, learned, kept):
    """Return the figures' data of a network and of its parameters at each stage."""
    held_out, n = text.held_out[:MEASURED], len(text.alphabet)
    words = set(_WORD.findall(text.decode(text.train)))
    stages = [_stage(text, learned, kept[step], words) | {"minibatches": step} for step in STAGES]
    return {
        "alphabet": text.alphabet,
        "network": _packed(weights(learned)[1]),
        "sentence": SENTENCE,
        "tables": {order: round(NGram(order, text.train, n).bits(held_out), 2) for order in ORDERS},
        "stages": stages,
    }


def _stage(text, learned, params, words):
    """Return what one stage writes, and what it pays."""
    learned.params = params
    wrote = text.decode(learned.write(text.encode("The ")[:, None], [1.0], WRITTEN, 1)[:, 0, 0])
    o, _ = learned.outputs(text.encode(" " + SENTENCE)[:-1, None])
    o = o[:, 0].astype(float)
    chosen = o[np.arange(len(o)), text.encode(SENTENCE)]
    costs = (np.log(np.exp(o).sum(axis=1)) - chosen) / np.log(2)
    return {
        "bits": round(learned.bits(text.held_out[:MEASURED]), 2),
        "wrote": wrote,
        "known": [[*found.span()] for found in _WORD.finditer(wrote) if found[0] in words],
        "costs": costs.round(2).tolist(),
    }


def _packed(params):
    """Return a network's weights as whole numbers, a letter each, and the scales of its arrays."""
    scales = [float(np.abs(params[name]).max() / LARGEST) for name in ORDER["lstm"]]
    whole = [
        np.rint(params[name] / scale) for name, scale in zip(ORDER["lstm"], scales, strict=True)
    ]
    codes = (80 + np.concatenate([array.ravel() for array in whole])).astype(np.uint8)
    codes += codes >= ord("\\")  # which JSON would escape, like the quote below -45
    return {"units": UNITS, "scales": scales, "weights": codes.tobytes().decode()}
