"""The networks of the figure bo, and how they learned to name words; needs torch."""

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
    """Train two networks to say of each letter which of ten words it is in.

    They learn from utterances of 1 to 24 letters, words run together at random, the last perhaps
    cut short: one reads from left to right, one reads both ways. Both have GRU of 24 units, the
    second twice. There is one of each, at one rate: they are here to be looked at, and decide
    nothing (`bo-words` has ten, with equally many parameters).

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
    from rnn_helpers.explore.figures.bo import bets

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
