"""Train the networks of the figure bo, which name words; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed
from rnn_helpers.tasks.lexicon import Lexicon

MOST_LETTERS = 20_000
"""Of base 64, in which the figure's bundle may carry all its networks."""
TASK = Lexicon()
UNITS = 24
GRU = ("U", "Uu", "Ur", "W", "Wu", "Wr", "b", "bu", "br")
READERS = {"past": ("ahead",), "both": ("ahead", "back")}
LARGEST, RATE, BATCH, LETTERS = 127, 0.01, 32, 24


def make(steps=3000, tested=500):
    """Train a forward and a bidirectional network to name the word that each letter belongs to.

    They learn from texts of 1 to 24 letters, words run together at random, of which the last may
    be cut off. The forward network has 24 GRU units, and the bidirectional one has 24 in each
    direction. There is one network of each kind, at one rate, so they are examples and no evidence
    (`bo-words` has ten of each, with equal numbers of parameters).

    Parameters
    ----------
    steps : int
        Of Adam, with 32 utterances each, its rate falling to 0.
    tested : int
        New utterances of 24 letters.

    Returns
    -------
    dict
        ``words`` and ``letters``; ``networks``: for each, what `packed` keeps of it; ``measured``:
        for each the share of letters whose word it names, and what is possible.
    """
    from rnn_helpers.figures.bo.figure import bets

    x, y = next(TASK.batches(LETTERS, tested, 1))
    networks, measured = {}, {}
    for kind in READERS:
        networks[kind] = packed(*_train(kind, steps), LARGEST)
        said = [bets(networks[kind], TASK.spell(one)).argmax(1) for one in x.T]
        best = TASK.optimum(LETTERS, 0 if kind == "past" else None)
        measured[kind] = [round(float(np.mean(said == y.T)), 3), round(best, 3)]
    task = {"words": list(TASK.words), "letters": TASK.letters}
    return task | {"networks": networks, "measured": measured}


def _train(kind, steps):
    """Parameters of a network by their names, and these names in order."""
    from rnn_helpers.nets import BothWays, Gated
    from rnn_helpers.optimizers import Adam
    from rnn_helpers.training import fit

    reads = BothWays if kind == "both" else Gated
    net = reads(TASK.n_x, UNITS, TASK.n_y, [0], unit="gru")
    made = fit(
        net.loss_and_grads,
        net.params(),
        _utterances(),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    )
    found = {}
    for k, reader in enumerate(READERS[kind]):
        found |= {f"{reader} {name}": made.params[f"layers.{k}.{name}"][0] for name in GRU}
    found |= {name: made.params[name][0] for name in ("V", "c")}
    return {name: array.astype(float) for name, array in found.items()}, tuple(found)


def _utterances():
    """Minibatches, each of one length."""
    rng = np.random.default_rng(0)
    lengths = [TASK.batches(n, BATCH, [rng]) for n in range(1, LETTERS + 1)]
    while True:
        yield next(lengths[rng.integers(LETTERS)])
