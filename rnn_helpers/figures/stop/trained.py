"""Train the networks of the figure stop, which needs torch."""

import numpy as np

from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.figures.stop.figure import ARRAYS, CONSTANTS
from rnn_helpers.reference import ending_log_probability
from rnn_helpers.tasks import Ends
from rnn_helpers.training import Adam, fit

WAYS, MOST, LONGEST = CONSTANTS.WAYS, CONSTANTS.MOST, CONSTANTS.LONGEST
SOURCE = Ends((1.0,) * (LONGEST - CONSTANTS.SHORTEST + 1), CONSTANTS.SHORTEST)
UNITS = 16
RATES = (0.01, 0.03)
LARGEST = 127
_BATCH = 32


def make(seeds=range(5), steps=2000):
    """Train networks to write sequences that end in a z, each with another way to stop.

    In the sequences, two letters alternate and a z follows; all lengths from 3 to 10 are equally
    likely. Each network has 16 tanh units and receives the previous letter. One has an end symbol,
    and one tosses a coin at every step but the first. Three draw the length first: one of them
    doesn't receive it, one receives it at every step, and one receives the number of steps left.
    The loss is the negative log-probability of a sequence and its end. All seeds are trained side
    by side, with Adam and a learning rate that falls to 0. Of two rates, the one is kept whose
    median network, with its weights rounded to 8 bits, has the smaller loss over all sequences;
    and of its networks, the median one.

    Parameters
    ----------
    seeds : sequence of int
        One network is trained for each seed, way and rate.
    steps : int
        Number of training steps.

    Returns
    -------
    dict
        ``networks`` contains for each way, in the order of ``ARRAYS``, the ``whole`` numbers, whose
        absolute values are at most 127, and the ``scales`` to multiply them by. ``training``
        contains for each way the chosen ``rate``; ``losses``, the sorted losses of the networks in
        nats per sequence for each rate; ``loss``, that of the network kept; and ``proper``, the
        probability that it writes a proper sequence of at most 40 letters.
    """
    networks, training = {}, {}
    for way in WAYS:
        learned = [
            [rounded(net, ARRAYS, LARGEST) for net in _train(way, list(seeds), r, steps)]
            for r in RATES
        ]
        losses = np.array([[loss(scaled(net, ARRAYS), way) for net in nets] for nets in learned])
        best, kept = middle(losses)
        networks[way] = learned[best][kept]
        training[way] = {
            "rate": RATES[best],
            "losses": {
                str(rate): np.sort(row).round(4).tolist()
                for rate, row in zip(RATES, losses, strict=True)
            },
            "loss": round(float(losses[best, kept]), 4),
            "proper": round(proper(scaled(networks[way], ARRAYS), way), 4),
        }
    return {"networks": networks, "training": training}


def loss(params, way):
    """Return the mean loss over all sequences, in nats."""
    y, lengths, p = SOURCE.sequences()
    each = [ending_log_probability(params, y[:n, i], way) for i, n in enumerate(lengths)]
    return -float(p @ np.array(each))


def proper(params, way):
    """Return the probability that a network writes a proper sequence, summed over all of them."""
    most = MOST if way in WAYS[:2] else LONGEST
    return float(
        sum(
            np.exp(
                ending_log_probability(params, [*((first + t) % 2 for t in range(n - 1)), 2], way)
            )
            for n in range(2, most + 1)
            for first in (0, 1)
        )
    )


def _train(way, seeds, rate, steps):
    """Train a network for each seed, side by side."""
    from rnn_helpers.nets import Stopping

    net = Stopping(SOURCE.n_y, UNITS, seeds, way, LONGEST)
    made = fit(
        net.loss_and_grads,
        net.params(),
        SOURCE.batches(_BATCH, seeds),
        steps=steps,
        optimizer=Adam(lambda step: rate * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
    names = {key: key.removeprefix("layers.0.") for key in made}
    return [
        {names[key]: array[k].astype(float) for key, array in made.items()}
        for k in range(len(seeds))
    ]
