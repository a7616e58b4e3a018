"""Networks that read and write, trained side by side: each rate and seed has one of its own."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.training import fit


def trained(
    make: Callable,
    batches: Callable[[list], Iterable],
    etas: Sequence[float],
    seeds: Sequence[int],
    steps: int,
    on_step: Callable | None = None,
) -> tuple:
    """Train a pair of networks for each rate and each seed.

    Parameters
    ----------
    make : callable
        ``make(seeds)`` gives the networks.
    batches : callable
        ``batches(seeds)`` gives minibatches side by side; each of these seeds is a pair, whose
        first number is that of a network.
    etas : sequence of float
        Rates of Adam at first; they fall to 0.
    seeds : sequence of int
    steps : int
    on_step : callable, optional
        As ``fit`` takes it, with the networks before the rest.

    Returns
    -------
    net : Translator
    params : dict of ndarray
        On their leading axis all seeds of the first rate, then of the next.
    """
    each = [seed for _ in etas for seed in seeds]
    net = make(each)
    made = fit(
        net.loss_and_grads,
        net.params(),
        batches([[seed, 2] for seed in each]),
        steps=steps,
        optimizer=AdamEach(np.repeat(etas, len(seeds)), steps),
        clip=1.0,
        on_step=on_step and (lambda *of: on_step(net, *of)),
    )
    return net, made.params


def scores(tries: Sequence[tuple], score: Callable) -> list:
    """Scores of pairs of a method and a rate, for each method of all its rates at once.

    Parameters
    ----------
    tries : sequence of (method, rate)
    score : callable
        ``score(method, rates)`` gives an array (rates, seeds).
    """
    found = {}
    for method in dict.fromkeys(method for method, _ in tries):
        etas = [eta for other, eta in tries if other == method]
        each = np.reshape(score(method, etas), (len(etas), -1))
        found |= zip(((method, eta) for eta in etas), each, strict=True)
    return [found[one] for one in tries]
