"""The networks of the figure freerun and their training, which needs torch."""

import numpy as np

from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.figures.freerun.figure import (
    ARRAYS,
    LENGTH,
    NETWORKS,
    OSCILLATOR,
    READS,
    run,
)
from rnn_helpers.tasks import with_coins
from rnn_helpers.training import Adam, fit

UNITS = 20
RATES = (0.003, 0.01)
LARGEST = 2047  # with 127, rounding would make a network that runs free drift
_LEARNED_ON = 80  # steps of a wave in training
_BATCH = 16
_PHASES = 50


def make(seeds=range(5), steps=1000):
    """Train networks to predict the next value of a wave, with different inputs in training.

    The wave has a period of 23 steps, an overtone and a random phase. All networks have 20 tanh
    units with a state. They are fed the truth for 23 steps. For the next 57 steps, they are fed the
    truth again (teacher forcing), their own last output, or one of the two at random (scheduled
    sampling), where the share of truth falls from 1 to 0 during training. The gradient passes
    through outputs that are fed back. The loss is the mean squared error at these 57 steps. All
    seeds are trained side by side by Adam with a rate that falls to 0. Of two rates, the one is
    chosen whose median network, with weights rounded to 12 bits, has the smaller error when it runs
    free after 23 steps of a wave. This network is kept.

    Parameters
    ----------
    seeds : sequence of int
        A network is trained for each, and for each kind and rate.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for each kind, in the order of ``ARRAYS``, ``whole`` numbers of at most 2047
        in absolute value, and the ``scales`` by which they are multiplied. ``training``: for each
        kind, the chosen ``rate``; in ``alone``, the sorted root mean squared errors of all networks
        over the steps at which they run free, for each rate; and the error of the network that is
        kept if it is fed the truth (``told``) and if it runs free (``kept``).
    """
    networks, training = {}, {}
    for kind in NETWORKS:
        learned = [
            [rounded(net, ARRAYS, LARGEST) for net in _train(kind, list(seeds), r, steps)]
            for r in RATES
        ]
        alone = np.array([[error(scaled(net, ARRAYS)) for net in nets] for nets in learned])
        best, kept = middle(alone)
        networks[kind] = learned[best][kept]
        training[kind] = {
            "rate": RATES[best],
            "alone": {
                str(rate): np.sort(row).round(4).tolist()
                for rate, row in zip(RATES, alone, strict=True)
            },
            "told": round(error(scaled(networks[kind], ARRAYS), told=True), 4),
            "kept": round(float(alone[best, kept]), 4),
        }
    return {"networks": networks, "training": training}


def error(params, told=False):
    """Return the root mean squared error after step 23, over waves of 50 phases.

    Parameters
    ----------
    params : dict of ndarray
    told : bool
        Whether the network is fed the truth at these steps, too.
    """
    phases = 2 * np.pi * np.arange(_PHASES) / _PHASES
    waves = OSCILLATOR.wave(LENGTH + 1, phases)[..., 0]
    o = run(params, waves, LENGTH if told else READS).o
    return float(np.sqrt(np.mean((o - waves[1:])[READS:] ** 2)))


def _train(kind, seeds, rate, steps):
    """Train a network for each seed, side by side."""
    from rnn_helpers.nets import OutputRecurrent

    net = OutputRecurrent(0, UNITS, 1, seeds)
    data = [np.random.default_rng(seed).spawn(2) for seed in seeds]
    waves = OSCILLATOR.batches(_LEARNED_ON, _BATCH, [rng for rng, _ in data])
    share = {"truth": lambda _: 1.0, "mixed": lambda s: 1 - s / steps, "itself": lambda _: 0.0}
    coins = with_coins(waves, share[kind], [rng for _, rng in data], READS)
    counts = np.broadcast_to((np.arange(_LEARNED_ON) >= READS)[:, None], (_LEARNED_ON, _BATCH))
    made = fit(
        net.loss_and_grads,
        net.params(),
        ((*batch, counts) for batch in coins),
        steps=steps,
        optimizer=Adam(lambda step: rate * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
    return [{name: made[name][k].astype(float) for name in ARRAYS} for k in range(len(seeds))]
