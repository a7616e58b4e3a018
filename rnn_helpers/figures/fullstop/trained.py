"""The LSTM of the figure fullstop at five moments of its training; needs torch and a minute."""

import numpy as np

from rnn_helpers.explore.weights import packed, reordered
from rnn_helpers.figures.fullstop.figure import ALPHABET, ORDER, encode, forget_gates, prose
from rnn_helpers.tasks import characters, minibatches
from rnn_helpers.training import Adam, fit

MOST_LETTERS = 20_000
"""Of base 64, in which the figure's bundle may carry all its networks."""
UNITS = 16
UPDATES = 3000
STAGES = [0, 30, 100, 400, UPDATES]
MEASURED = 6000
"""Held-out characters on which gates are measured."""
MARKS = {"stop": ".", "comma": ",", "space": " "}
LARGEST = 127


def make(seeds=range(5), updates=UPDATES):
    """Train LSTMs to predict the next letter of the English prose in Python's language reference.

    Adam, its rate falling from 0.02 to 0, gradients of norm at most 1, the state carried along,
    forget gates that start with a bias of 1; the last tenth of the text is held out. The figure
    shows the first network.

    Parameters
    ----------
    seeds : sequence of int
        One for each network.
    updates : int
        Minibatches of 32 pieces of 48 characters.

    Returns
    -------
    dict
        ``shapes`` of the arrays and, for each number of updates in ``stages``, the ``weights`` and
        ``scales`` of the first network; ``closed``: for each network, and for each kind of
        character, how many forget gates are below one half on average.
    """
    tokens = encode(prose(characters("topics").text))
    cut = int(0.9 * len(tokens))
    learned = [_trained(seed, tokens[:cut], updates) for seed in seeds]
    read = tokens[cut : cut + MEASURED]
    first = learned[0]
    gates = forget_gates(first[updates], read)
    at = _means(gates, read)
    order = np.argsort(at["space"] - at["letter"], kind="stable")
    stages = {}
    for step, params in first.items():
        kept = packed(reordered(params, order), ORDER, LARGEST)
        shapes = kept.pop("shapes")
        stages[str(step)] = kept
    closed = []
    for kept in learned:
        means = _means(forget_gates(kept[updates], read), read)
        closed.append({name: int((mean < 0.5).sum()) for name, mean in means.items()})
    return {"shapes": shapes, "stages": stages, "closed": closed}


def _means(gates, tokens):
    """Return each gate's mean at full stops, commas and spaces, and at letters."""
    at = {name: tokens == ALPHABET.index(mark) for name, mark in MARKS.items()}
    at["letter"] = ~np.any(list(at.values()), axis=0)
    return {name: gates[there].mean(axis=0) for name, there in at.items()}


def _trained(seed, tokens, updates):
    """Return the parameters of one network after each of the stages, named as in the reference."""
    import torch

    from rnn_helpers.nets import LSTM, from_torch

    net = LSTM(len(ALPHABET), UNITS, len(ALPHABET), seed=seed, forget_bias=1.0)
    kept = {0: net.params()}

    def keep(step, params, _):
        if step in STAGES or step == updates:
            kept[step] = {name: array.copy() for name, array in params.items()}

    fit(
        net.loss_and_grads,
        net.params(),
        minibatches(tokens, 48, 32, seed, contiguous=True),
        steps=updates,
        optimizer=Adam(lambda step: 0.02 * (1 - (step - 1) / updates)),
        clip=1.0,
        carry_state=True,
        on_step=keep,
    )

    def named(params):
        net.load_state_dict({name: torch.from_numpy(p) for name, p in params.items()})
        arrays = from_torch(net.recurrent, net.output)
        return {name: np.asarray(arrays[name], float) for name in ORDER}

    return {step: named(params) for step, params in kept.items()}
