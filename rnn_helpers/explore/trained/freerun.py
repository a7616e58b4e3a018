"""The networks of the figure freerun, and how they learned what comes next; needs torch."""

import numpy as np

from rnn_helpers.explore.figures.freerun import (
    ARRAYS,
    LENGTH,
    NETWORKS,
    OSCILLATOR,
    READS,
    run,
)
from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.tasks import with_coins
from rnn_helpers.training import Adam, fit

UNITS = 20
RATES = (0.003, 0.01)
LARGEST = 2047  # at 127, what goes on alone would drift for the rounding alone
_LEARNED_ON = 80  # steps of a wave
_BATCH = 16
_PHASES = 50


def make(seeds=range(5), steps=1000):
    """Train networks to say what comes next of a wave, each fed something else as it learns.

    The wave has a period of 23 steps and an overtone, and any phase. All networks are alike: twenty
    tanh units that hear one another and what is fed. For 23 steps that is the truth; then, for 57,
    it is the truth again (teacher forcing), the network's own last output, or at each step one or
    the other (scheduled sampling), the truth with a probability that falls from 1 to 0 over
    training. The gradient goes back through outputs that are fed. The loss is the mean squared
    error at these 57 steps. All seeds learn side by side, with Adam, its rate falling to 0; it is
    the one of two whose middle network, its weights rounded to 12 bits, has the smaller error when
    left to itself after 23 steps of a wave. That middle network is kept.

    Parameters
    ----------
    seeds : sequence of int
        A network for each, and for each kind and rate.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for each kind, in the order of ``ARRAYS``, ``whole`` numbers of at most 2047
        either way, and the ``scales`` to multiply them by. ``training``, for each kind: ``rate``,
        the one taken; ``alone``, for each rate the errors of its networks, sorted, roots of the
        mean square over all steps alone; and of the network kept ``told``, its error when fed the
        truth, and ``kept``, that when alone.
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
    """Root of the mean squared error over the steps after the 23rd, of waves of 50 phases.

    Parameters
    ----------
    params : dict of ndarray
    told : bool
        Whether the truth is fed at these steps too.
    """
    phases = 2 * np.pi * np.arange(_PHASES) / _PHASES
    waves = OSCILLATOR.wave(LENGTH + 1, phases)[..., 0]
    o = run(params, waves, LENGTH if told else READS).o
    return float(np.sqrt(np.mean((o - waves[1:])[READS:] ** 2)))


def _train(kind, seeds, rate, steps):
    """A network for each seed, trained side by side."""
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
