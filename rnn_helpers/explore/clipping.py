"""Training in the clipping lab: a task, a kind of clipping, and an optimizer."""

from functools import cache

import numpy as np

from rnn_helpers.reference import init_recurrent, init_rnn
from rnn_helpers.tasks import (
    Adding,
    Latch,
    TemporalOrder,
    character_model,
    characters,
    minibatches,
    number_model,
)
from rnn_helpers.training import SGD, Adam, ByElement, ByNorm, Nesterov, RandomStep, fit_in_parts
from rnn_helpers.validate import as_choice, as_count, as_positive

LENGTH, BATCH, UNITS, RADIUS = 30, 16, 20, 1.2


class _Text:
    """The next character of Python's language reference."""

    @property
    def n_x(self):
        return len(_corpus().alphabet)

    n_y = n_x

    def batches(self, n_steps, batch_size, seed):
        return minibatches(_corpus().train, n_steps, batch_size, seed)


@cache
def _corpus():
    return characters("topics")


TASKS = {
    "add two numbers": (Adding(), number_model, "squared error"),
    "hold a bit": (Latch(), character_model, "loss, in nats"),
    "two in order": (TemporalOrder(), character_model, "loss, in nats"),
    "next character": (_Text(), character_model, "loss, in nats"),
}
CLIPPINGS = {
    "by norm": lambda v, seeds: ByNorm(v),
    "by element": lambda v, seeds: ByElement(v),
    "random step": lambda v, seeds: RandomStep(v, seed=seeds),
    "on the states": lambda v, seeds: None,  # the model does it, on its way back
}
OPTIMIZERS = {"SGD": SGD, "Nesterov": Nesterov, "Adam": Adam}


def clipped_and_not(task, clipping, threshold, optimizer, lr, *, steps=120, every=30, seeds=5):
    """Train networks that clip their gradients, and the same ones that do not, side by side.

    They have 20 tanh units, and a sparse recurrent matrix of spectral radius 1.2.

    Parameters
    ----------
    task, clipping, optimizer : str
        A key of `TASKS`, `CLIPPINGS` and `OPTIMIZERS`.
    threshold : float
        Threshold v of the clipping, above 0. On the states it is that of the gradient of one
        sequence's loss.
    lr : float
        Learning rate, above 0.
    steps, every : int
        Steps of training, and between two pictures.
    seeds : int
        Networks of each kind.

    Yields
    ------
    dict of str to History
        ``"not clipped"`` and the clipping's name, so far.
    """
    work, model, _ = TASKS[as_choice("task", task, TASKS)]
    as_choice("clipping", clipping, CLIPPINGS)
    as_choice("optimizer", optimizer, OPTIMIZERS)
    as_positive("threshold", threshold), as_positive("lr", lr)
    numbers = list(range(as_count("seeds", seeds)))
    runs = {}
    for name in ("not clipped", clipping):
        own = model(clip_hidden=threshold) if name == "on the states" else model()
        rule = CLIPPINGS[name](threshold, numbers) if name in CLIPPINGS else None
        parts = [np.random.default_rng(seed).spawn(3) for seed in numbers]
        others, recurrent, data = map(list, zip(*parts, strict=True))
        params = init_rnn(work.n_x, UNITS, work.n_y, seed=others, dtype=np.float32)
        params["W"] = init_recurrent("sparse", UNITS, recurrent, radius=RADIUS, dtype=np.float32)
        runs[name] = fit_in_parts(
            own,
            params,
            work.batches(LENGTH, BATCH, data),
            steps=steps,
            every=every,
            optimizer=OPTIMIZERS[optimizer](lr),
            clip=rule,
        )
    histories = {}
    while runs:
        for name, run in list(runs.items()):
            so_far = next(run, None)
            if so_far is None:  # at its end, or because all of them have diverged
                del runs[name]
            else:
                histories[name] = so_far
        if runs:
            yield dict(histories)
