"""The networks of the figure clockwork, and how they learned to go on; needs torch."""

import numpy as np

from rnn_helpers.explore.figures.clockwork import (
    FAST,
    LENGTH,
    PERIODS,
    READS,
    SLOW,
    drawn,
    forward,
    read,
    unit_periods,
)
from rnn_helpers.explore.weights import reordered
from rnn_helpers.reference import clock_hears
from rnn_helpers.training import fit

RATES = (0.003, 0.01, 0.03)
_HELD_FROM = 61  # in what is measured of all networks
_SIGNALS = 100


def make(seeds=range(10), steps=2000):
    """Train clockworks and simple networks to go on with a signal that they read at first.

    The signal is half the sum of two waves, of periods 7 and 48 and of any phase. It is read for 24
    steps; after that the input is 0, and for 120 steps the output should be the signal all the
    same. The loss is the squared error at these. Recurrent weights begin orthogonal; with the
    default of PyTorch most of the simple networks never find the slow wave. All seeds of a kind are
    trained side by side, with Adam, its learning rate the one of three whose middle network, of
    five on separate seeds, has the least error; it falls to 0. Of each kind the network is kept
    that has the middle error, the lower of two in the middle, on 100 new signals.

    Parameters
    ----------
    seeds : sequence of int
        A network of each kind each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for ``"clockwork"`` and ``"rnn"`` parameters as `time_scale_forward` takes
        them, to four digits; the units of the former are sorted by their periods, those of the
        latter by the share of the slow wave in what they do, both the slowest first. ``training``,
        for each kind: ``tried``, for each learning rate of five networks the error, and what is
        `left` of the two waves when the slowest group is held still; ``rate``, the one taken;
        ``errors`` of all networks, sorted, as shares of the signal's variance; ``kept``, that of
        the network kept; and ``left``, what is `left` in each network, in the order of ``errors``,
        for each of its groups.
    """
    seeds, networks, training = list(seeds), {}, {}
    for kind in PERIODS:
        tried = _tried(kind, steps)
        rate = min(RATES, key=lambda rate: tried[rate][2][0])  # by the middle one
        made = _train(kind, seeds, np.full(len(seeds), rate), steps)
        errors = np.array([error(kind, params) for params in made])
        order = np.argsort(errors)
        middle = order[(len(seeds) - 1) // 2]
        networks[kind] = made[middle]
        training[kind] = {
            "rate": rate,
            "tried": tried,
            "errors": errors[order].round(4).tolist(),
            "kept": round(float(errors[middle]), 4),
            "left": [
                [[round(share, 2) for share in left(kind, made[k], group)] for group in range(1, 5)]
                for k in order
            ],
        }
    return {"networks": networks, "training": training}


def _tried(kind, steps):
    """Five networks at each of `RATES`, on seeds of their own, the least error first."""
    from rnn_helpers.experiments.rates import separate

    tried = np.repeat(RATES, 5)
    made = _train(kind, separate(5) * len(RATES), tried, steps)
    found = [
        [round(error(kind, params), 4), *(round(share, 2) for share in left(kind, params, 1))]
        for params in made
    ]
    return {rate: sorted(found[5 * i : 5 * i + 5]) for i, rate in enumerate(RATES)}


def _train(kind, seeds, rates, steps):
    """Networks of a kind, one for each seed, each at its learning rate: a list of parameters."""
    from rnn_helpers.experiments.rates import AdamEach
    from rnn_helpers.nets import Gated

    periods = unit_periods(kind)
    clocks = {"periods": periods.tolist()} if kind == "clockwork" else {}
    net = Gated(1, len(periods), 1, seeds, "leaky", start="orthogonal", **clocks)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    made = fit(
        net.loss_and_grads,
        net.params(),
        _batches(data),
        steps=steps,
        optimizer=AdamEach(rates, steps),
        clip=1.0,
    ).params
    every = {name.split(".")[-1]: p.astype(float) for name, p in made.items()}
    every["W"] *= clock_hears(periods)
    return [
        {
            name: p.round(4)
            for name, p in _in_order(kind, {name: p[k] for name, p in every.items()}).items()
        }
        for k in range(len(seeds))
    ]


def _batches(rngs):
    """Sixteen signals at each step for each network: what is read, what comes, and what counts."""
    while True:
        signals = drawn([rng for rng in rngs for _ in range(16)])
        x, y = read(signals), signals[1:]
        shape = (LENGTH, len(rngs), 16)
        counts = np.arange(1, LENGTH + 1)[:, None] >= READS
        yield x.reshape(*shape, 1), y.reshape(shape), np.repeat(counts, 16, axis=1)


def waves(values):
    """Amplitudes of the fast and of the slow wave in the last 48 of series (T, ...)."""
    t = np.arange(LENGTH - SLOW + 1, LENGTH + 1)
    angles = 2 * np.pi * t[:, None] / np.array([FAST, SLOW])
    basis = np.column_stack([np.ones(SLOW), np.sin(angles), np.cos(angles)])
    last = values[-SLOW:]
    parts = np.linalg.lstsq(basis, last.reshape(SLOW, -1), rcond=None)[0]
    fast, slow = np.hypot(parts[1:3], parts[3:5]).reshape(2, *last.shape[1:])
    return fast, slow


def left(kind, params, group, clock=0, since=_HELD_FROM):
    """How much is left of the fast and of the slow wave, on average, when a group is held still."""
    x = read(drawn(np.random.default_rng(1).spawn(_SIGNALS)))
    return tuple(
        float(2 * amplitude.mean())
        for amplitude in waves(forward(kind, params, x, group, clock, since)[1])
    )


def error(kind, params, seed=1):
    """Mean squared error of what is generated of 100 new signals, as a share of their variance."""
    signals = drawn(np.random.default_rng(seed).spawn(_SIGNALS))
    _, o, _ = forward(kind, params, read(signals))
    return float(np.mean((o - signals[1:])[READS - 1 :] ** 2) / (1 / 4))


def _in_order(kind, params):
    """The same network, the units of a simple one sorted by how slow they are."""
    if kind == "clockwork":
        return params
    h, _, _ = forward(kind, params, read(drawn(np.random.default_rng(2).spawn(_SIGNALS))))
    fast, slow = (amplitude**2 for amplitude in waves(h))
    order = np.argsort(-slow.mean(axis=0) / (fast + slow).mean(axis=0))
    return reordered(params, order)
