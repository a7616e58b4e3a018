"""Train the networks of the figure clockwork; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import reordered
from rnn_helpers.figures.clockwork.figure import (
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
from rnn_helpers.reference import clock_connections
from rnn_helpers.training import fit

RATES = (0.003, 0.01, 0.03)
_HELD_FROM = 61  # first frozen step when all networks are measured
_SIGNALS = 100


def make(seeds=range(10), steps=2000):
    """Train clockworks and simple networks to continue a signal after 24 steps of input.

    The signal is half the sum of two waves with periods 7 and 48 and random phases. It is the input
    for 24 steps. Then the input is 0, and for 120 steps the target is still the signal. The loss is
    the squared error at these steps. Recurrent weights start orthogonal; with PyTorch's default,
    most simple networks never find the slow wave. All seeds of a kind are trained side by side with
    Adam. The learning rate falls to 0. Its start is the one of three with the least median error of
    five networks on separate seeds. Of each kind, the network with the median error on 100 new
    signals is kept, the lower one of the two in the middle.

    Parameters
    ----------
    seeds : sequence of int
        One network of each kind for each seed.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: the parameters for ``"clockwork"`` and ``"rnn"``, for `time_scale_forward`,
        to four digits. The clockwork's units are sorted by their periods and the simple network's
        by the share of the slow wave in their states, both the slowest first. ``training``, for
        each kind: ``tried``, the errors of five networks at each learning rate, and how much is
        `left` of the two waves when the slowest group is frozen; ``rate``, the chosen one;
        ``errors`` of all networks, sorted, as shares of the signal's variance; ``kept``, the error
        of the stored network; and ``left``, how much is `left` in each network, in the order of
        ``errors``, for each of its groups.
    """
    seeds, networks, training = list(seeds), {}, {}
    for kind in PERIODS:
        tried = _tried(kind, steps)
        rate = min(RATES, key=lambda rate: tried[rate][2][0])  # the median error
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
    """Measure five networks at each of `RATES`, on separate seeds, the least error first."""
    from rnn_helpers.experiments.choose import separate

    tried = np.repeat(RATES, 5)
    made = _train(kind, separate(5) * len(RATES), tried, steps)
    found = [
        [round(error(kind, params), 4), *(round(share, 2) for share in left(kind, params, 1))]
        for params in made
    ]
    return {rate: sorted(found[5 * i : 5 * i + 5]) for i, rate in enumerate(RATES)}


def _train(kind, seeds, rates, steps):
    """Train one network for each seed at its learning rate, and return their parameters."""
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
    every["W"] *= clock_connections(periods)
    return [
        {
            name: p.round(4)
            for name, p in _in_order(kind, {name: p[k] for name, p in every.items()}).items()
        }
        for k in range(len(seeds))
    ]


def _batches(rngs):
    """Yield 16 signals per network and step: the inputs, the targets, and which steps count."""
    while True:
        signals = drawn([rng for rng in rngs for _ in range(16)])
        x, y = read(signals), signals[1:]
        shape = (LENGTH, len(rngs), 16)
        counts = np.arange(1, LENGTH + 1)[:, None] >= READS
        yield x.reshape(*shape, 1), y.reshape(shape), np.repeat(counts, 16, axis=1)


def waves(values):
    """Return the amplitudes of the fast and the slow wave in the last 48 of series (T, ...)."""
    t = np.arange(LENGTH - SLOW + 1, LENGTH + 1)
    angles = 2 * np.pi * t[:, None] / np.array([FAST, SLOW])
    basis = np.column_stack([np.ones(SLOW), np.sin(angles), np.cos(angles)])
    last = values[-SLOW:]
    parts = np.linalg.lstsq(basis, last.reshape(SLOW, -1), rcond=None)[0]
    fast, slow = np.hypot(parts[1:3], parts[3:5]).reshape(2, *last.shape[1:])
    return fast, slow


def left(kind, params, group, clock=0, since=_HELD_FROM):
    """Return how much of the fast and the slow wave is left, on average, if a group is frozen."""
    x = read(drawn(np.random.default_rng(1).spawn(_SIGNALS)))
    return tuple(
        float(2 * amplitude.mean())
        for amplitude in waves(forward(kind, params, x, group, clock, since)[1])
    )


def error(kind, params, seed=1):
    """Return the mean squared error on 100 new signals, as a share of their variance."""
    signals = drawn(np.random.default_rng(seed).spawn(_SIGNALS))
    _, o, _ = forward(kind, params, read(signals))
    return float(np.mean((o - signals[1:])[READS - 1 :] ** 2) / (1 / 4))


def _in_order(kind, params):
    """Return the same network, with the units of a simple one sorted by how slow they are."""
    if kind == "clockwork":
        return params
    h, _, _ = forward(kind, params, read(drawn(np.random.default_rng(2).spawn(_SIGNALS))))
    fast, slow = (amplitude**2 for amplitude in waves(h))
    order = np.argsort(-slow.mean(axis=0) / (fast + slow).mean(axis=0))
    return reordered(params, order)
