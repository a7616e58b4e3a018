"""Train the networks of the figure stop, which needs torch."""

from itertools import product

import numpy as np

from rnn_helpers.explore.weights import rounded, scaled
from rnn_helpers.figures.stop.figure import ARRAYS, CONSTANTS
from rnn_helpers.reference import ending_log_probability
from rnn_helpers.training import Adam, fit

WAYS, MOST, LONGEST = CONSTANTS.WAYS, CONSTANTS.MOST, CONSTANTS.LONGEST
LENGTHS = np.arange(CONSTANTS.SHORTEST, LONGEST + 1)
DING = 2  # silence is 0, and a pop is 1
POP, POP_AGAIN = 0.2, 0.7
UNITS = 16
RATE = 0.03
LARGEST = 127
_BATCH = 32
_WHOLE = 14  # a network hardly ever writes more seconds and then a ding


def make(seeds=range(3), steps=800):
    """Train networks to write recordings of popcorn, each with another way to stop.

    A recording has a symbol for each second: silence or a pop, and a ding at the end. A pop has
    probability 0.2 before the first pop and 0.7 afterwards; all lengths from 3 to 10 are equally
    likely. Each network has 16 tanh units and receives the previous symbol. One has an end symbol,
    and one tosses a coin at every step but the first. Three draw the length first: one of them
    doesn't receive it, one receives it at every step, and one receives the number of steps left.
    The loss is the negative log-probability of a recording and its end. All seeds are trained side
    by side, with Adam and a learning rate that falls to 0, and their weights are rounded to 8 bits.
    The network with the median loss over all recordings is kept.

    Parameters
    ----------
    seeds : sequence of int
        One network is trained for each seed and way.
    steps : int
        Number of training steps.

    Returns
    -------
    dict
    ``networks`` contains for each way, in the order of ``ARRAYS``, the ``whole`` numbers, whose
        absolute values are at most 127, and the ``scales`` to multiply them by. ``training``
        contains for each way the sorted ``losses`` of the networks in nats per recording; ``loss``,
        that of the network kept; and ``proper``, the probability that it writes a recording with a
        ding at its end and nowhere else.
    """
    networks, training = {}, {}
    for way in WAYS:
        made = [rounded(net, ARRAYS, LARGEST) for net in _train(way, list(seeds), steps)]
        losses = np.array([loss(scaled(net, ARRAYS), way) for net in made])
        kept = np.argsort(losses)[len(losses) // 2]
        networks[way] = made[kept]
        training[way] = {
            "losses": np.sort(losses).round(4).tolist(),
            "loss": round(float(losses[kept]), 4),
            "proper": round(proper(scaled(networks[way], ARRAYS), way), 4),
        }
    return {"networks": networks, "training": training}


def recordings(lengths=LENGTHS):
    """Return all recordings of some lengths.

    Returns
    -------
    y : ndarray of int, shape (T, n)
        Symbols, filled up with dings.
    lengths : ndarray of int, shape (n,)
    p : ndarray, shape (n,)
        The probability of each, if all lengths are equally likely.
    """
    every = [bits for n in lengths for bits in product([0, 1], repeat=int(n) - 1)]
    y = np.full((max(lengths), len(every)), DING)
    p = np.full(len(every), 1 / len(lengths))
    for i, bits in enumerate(every):
        y[: len(bits), i] = bits
        for t, bit in enumerate(bits):
            pop = POP_AGAIN if 1 in bits[:t] else POP
            p[i] *= pop if bit else 1 - pop
    return y, np.array([len(bits) + 1 for bits in every]), p


def entropy():
    """Return the entropy of a recording in nats, the smallest possible loss."""
    _, _, p = recordings()
    return -float((p * np.log(p)).sum())


def loss(params, way):
    """Return the mean loss over all recordings, in nats."""
    y, lengths, p = recordings()
    return -float(
        sum(
            p[lengths == n] @ ending_log_probability(params, y[:n, lengths == n], way)
            for n in LENGTHS
        )
    )


def proper(params, way):
    """Return the probability of all recordings with a ding at their end and nowhere else."""
    most = _WHOLE if way in ("symbol", "coin") else LONGEST
    return float(
        sum(
            np.exp(ending_log_probability(params, recordings([n])[0], way)).sum()
            for n in range(2, most + 1)
        )
    )


def _batches(seeds):
    """Draw minibatches of recordings for several networks without end."""
    rngs = [np.random.default_rng(seed) for seed in seeds]
    y, lengths, p = recordings()
    while True:
        drawn = np.stack([rng.choice(len(p), _BATCH, p=p) for rng in rngs])
        yield y[:, drawn], lengths[drawn]


def _train(way, seeds, steps):
    """Train a network for each seed, side by side."""
    from rnn_helpers.nets import Stopping

    net = Stopping(len(CONSTANTS.SYMBOLS), UNITS, seeds, way, LONGEST)
    made = fit(
        net.loss_and_grads,
        net.params(),
        _batches(seeds),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
    names = {key: key.removeprefix("layers.0.") for key in made}
    return [
        {names[key]: array[k].astype(float) for key, array in made.items()}
        for k in range(len(seeds))
    ]
