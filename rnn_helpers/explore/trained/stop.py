"""The networks of the figure stop, and how they learned to write and to stop; needs torch."""

import numpy as np

from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.reference import ending_log_probability
from rnn_helpers.tasks import Ends
from rnn_helpers.training import Adam, fit

CONSTANTS = constants("stop")
WAYS, MOST, LONGEST = CONSTANTS.WAYS, CONSTANTS.MOST, CONSTANTS.LONGEST
ARRAYS = CONSTANTS.ARRAYS  # the last, d, is of those that draw a length
SOURCE = Ends((1.0,) * (LONGEST - CONSTANTS.SHORTEST + 1), CONSTANTS.SHORTEST)
UNITS = 16
RATES = (0.01, 0.03)
LARGEST = 127
_BATCH = 32


def make(seeds=range(5), steps=2000):
    """Train networks to write sequences that end in a z, each with another way to stop.

    The sequences are of length 3 to 10, all as likely: two letters in turn, then a z. All networks
    are alike: sixteen tanh units that hear the letter before. One has an end symbol; one throws a
    coin at every step but the first; three draw the length first, of which one is told nothing,
    one hears the length at every step, and one what is left of it. The loss is the negative
    log-probability of a sequence and its end. All seeds learn side by side, with Adam, its rate
    falling to 0; it is the one of two whose middle network, its weights rounded to 8 bits, has the
    smaller loss over all sequences that there are. That middle network is kept.

    Parameters
    ----------
    seeds : sequence of int
        A network for each, and for each way and rate.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for each way, in the order of ``ARRAYS``, ``whole`` numbers of at most 127
        either way, and the ``scales`` to multiply them by. ``training``, for each way: ``rate``,
        the one taken; ``losses``, for each rate those of its networks, sorted, in nats a sequence;
        and of the network kept ``loss``, and ``proper``, the probability that what it writes ends
        as it should, at whatever length up to 40.
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
    """Mean negative log-probability of all sequences that there are, in nats."""
    y, lengths, p = SOURCE.sequences()
    each = [ending_log_probability(params, y[:n, i], way) for i, n in enumerate(lengths)]
    return -float(p @ np.array(each))


def proper(params, way):
    """Probability that a network ends properly: the sum over all sequences that do."""
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
    """A network for each seed, trained side by side."""
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
