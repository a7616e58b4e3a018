"""Networks side by side, each trained at a learning rate of its own."""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.training import Adam


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


def separate(n: int) -> list[int]:
    """Seeds on which a learning rate can be chosen: none of those that are reported."""
    return list(range(10_000, 10_000 + n))
