"""Networks side by side, each trained at its own learning rate."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rnn_helpers.training import Adam, fit


class AdamEach:
    """Adam with one learning rate for each network, all of which fall linearly to 0.

    Parameters
    ----------
    rates : sequence of float
        The rates at first, one for each network on the parameters' leading axis.
    steps : int
        Training steps, after which the rates are 0.
    """

    def __init__(self, rates: Sequence[float], steps: int):
        self.rates = np.asarray(rates, np.float32)
        self.steps = steps

    def update(self, params: dict, grads: dict, memory: dict, step: int) -> dict:
        """Return the parameters after one step, as `rnn_helpers.training.Adam.update` does."""
        whole = Adam(1.0).update(params, grads, memory, step)
        rates = self.rates * (1 - (step - 1) / self.steps)
        return {
            name: p + (rates.reshape(-1, *[1] * (p.ndim - 1)) * (whole[name] - p)).astype(p.dtype)
            for name, p in params.items()
        }


class SGDEach(AdamEach):
    """Gradient descent with one learning rate for each network, as `AdamEach` has them."""

    def update(self, params: dict, grads: dict, memory: dict, step: int) -> dict:
        """Return the parameters after one step."""
        rates = self.rates * (1 - (step - 1) / self.steps)
        return {
            name: p - rates.reshape(-1, *[1] * (p.ndim - 1)) * grads[name]
            for name, p in params.items()
        }


def trained(
    make: Callable,
    batches: Callable[[list], Iterable],
    etas: Sequence[float],
    seeds: Sequence[int],
    steps: int,
    on_step: Callable | None = None,
) -> tuple:
    """Train networks for each rate and each seed, side by side.

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
    net : module
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
