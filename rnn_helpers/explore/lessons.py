"""How the networks of laboratories learn, some steps at a time."""

from collections.abc import Iterable, Iterator

from rnn_helpers.training import Adam, History, fit_in_parts


def lessons(net, batches: Iterable, *, steps: int, every: int, rate: float) -> Iterator[History]:
    """Train a network of PyTorch by Adam, whose rate falls to 0, as `fit_in_parts` does."""
    return fit_in_parts(
        net.loss_and_grads,
        net.params(),
        batches,
        steps=steps,
        every=every,
        optimizer=Adam(lambda step: rate * (1 - (step - 1) / steps)),
        clip=1.0,
    )
