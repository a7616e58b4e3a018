"""How the networks of laboratories learn, some steps at a time."""

from collections.abc import Iterable, Iterator
from functools import partial

from rnn_helpers.training import Adam, History, fit_in_parts


def lessons(
    net, batches: Iterable, *, steps: int, every: int, rate: float, **options
) -> Iterator[History]:
    """Train a network of PyTorch by Adam, whose rate falls to 0, as `fit_in_parts` does.

    Options are those of the network's ``loss_and_grads``.
    """
    return fit_in_parts(
        partial(net.loss_and_grads, **options),
        net.params(),
        batches,
        steps=steps,
        every=every,
        optimizer=Adam(lambda step: rate * (1 - (step - 1) / steps)),
        clip=1.0,
    )
