"""One training loop for every model that gives its loss and its gradients.

A model is a function ``loss_and_grads(params, batch) -> (loss, grads)`` on a dictionary of NumPy
arrays; where the arrays carry a leading axis of seeds, the loss is one number for each seed, and
clipping, divergence and history are kept for each seed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tqdm import tqdm

from rnn_helpers.optimizers import (
    SGD,
    Adam,
    Arrays,
    ByElement,
    ByNorm,
    Nesterov,
    RandomStep,
    _Clipping,
)
from rnn_helpers.reference.clipping import joint_norm, per_seed
from rnn_helpers.validate import as_array, as_count, as_function, as_kind, as_number, as_real, brief


@dataclass
class History:
    """The course of a training, and the trained model.

    Attributes
    ----------
    params : dict of ndarray
        The trained parameters; where training diverged, the last whose loss and gradient were
        finite.
    loss : ndarray, shape (steps,) or (steps, S)
        Loss before each step; infinite where loss or gradient was not, and for a seed from the step
        at which it diverged.
    grad_norm : ndarray, shape (steps,) or (steps, S)
        Norm of all gradients together, before clipping.
    clipped : ndarray of bool, shape (steps,) or (steps, S)
        Whether the gradients were clipped, or replaced by a random step.
    diverged_at : int, ndarray of int of shape (S,), or None
        Step (from 0) at which loss or gradient stopped being finite; None, or -1 for a seed, where
        that did not happen.
    seconds : float
        Time spent.
    state : object
        The state carried out of the last minibatch, if one is carried.
    """

    params: Arrays
    loss: np.ndarray
    grad_norm: np.ndarray
    clipped: np.ndarray
    diverged_at: int | np.ndarray | None
    seconds: float
    state: Any = field(default=None, repr=False)

    def plot(self):
        """Draw loss and gradient norm against the step."""
        from rnn_helpers.plots import training_curves

        return training_curves(self)

    def __repr__(self) -> str:
        done = f"{len(self.loss)} steps in {self.seconds:.1f} s"
        diverged = np.atleast_1d(-1 if self.diverged_at is None else self.diverged_at) >= 0
        if diverged.all():
            return f"History({done}, diverged at step {np.max(self.diverged_at)})"
        loss = self.loss.reshape(len(self.loss), -1)[:, ~diverged].mean(axis=1)
        first, last = loss[0], loss[-1]
        some = f", {diverged.sum()} of {diverged.size} seeds diverged" if diverged.any() else ""
        return f"History({done}, loss {first:.4g} -> {last:.4g}{some})"


def fit(
    loss_and_grads: Callable,
    params: Mapping[str, np.ndarray],
    batches: Iterable,
    *,
    steps: int,
    optimizer: SGD | Nesterov | Adam,
    clip: float | ByNorm | ByElement | RandomStep | None = None,
    carry_state: bool = False,
    progress: bool = False,
    on_step: Callable[[int, Arrays, Any], None] | None = None,
) -> History:
    """Train a model.

    Parameters
    ----------
    loss_and_grads : callable
        ``loss_and_grads(params, batch) -> (loss, grads)``; the loss is a number, or an array of
        shape (S,) where the parameters have a leading axis of S seeds. With `carry_state`:
        ``loss_and_grads(params, batch, state) -> (loss, grads, state)``, where the state is None at
        first.
    params : dict of ndarray
        Initial parameters; they aren't modified.
    batches : iterable
        Yields a minibatch for each step, in the form that the model takes.
    steps : int
        Number of steps, at least 1.
    optimizer : SGD, Nesterov or Adam
        Turns a gradient into a step.
    clip : float, ByNorm, ByElement or RandomStep, optional
        Treatment of gradients that are too long. A number v is ``ByNorm(v)``, the largest joint
        norm of the gradients: longer ones are scaled down (G 10.48)-(G 10.49).
    carry_state : bool
        Whether each minibatch starts from the state in which the one before it ended.
    progress : bool
        Whether to show a text progress bar, on standard error.
    on_step : callable, optional
        Called as ``on_step(step, params, loss)`` after every step, counted from 1.

    Returns
    -------
    History
        A loss or gradient that is not finite ends the training (of that seed alone, where there are
        several) unless `clip` replaces it by a random step; ``diverged_at`` is that step. No step
        is ever taken along a gradient that is not finite.

    Raises
    ------
    ValueError
        If the batches end early, or `loss_and_grads` doesn't return a loss and the gradients of all
        parameters.
    """
    *_, history = fit_in_parts(
        loss_and_grads,
        params,
        batches,
        steps=steps,
        every=steps,
        optimizer=optimizer,
        clip=clip,
        carry_state=carry_state,
        progress=progress,
        on_step=on_step,
    )
    return history


def fit_in_parts(
    loss_and_grads: Callable,
    params: Mapping[str, np.ndarray],
    batches: Iterable,
    *,
    steps: int,
    every: int,
    optimizer: SGD | Nesterov | Adam,
    clip: float | ByNorm | ByElement | RandomStep | None = None,
    carry_state: bool = False,
    progress: bool = False,
    on_step: Callable[[int, Arrays, Any], None] | None = None,
) -> Iterator[History]:
    """Train a model, and hand over the history so far every few steps.

    The same loop as :func:`fit`, for callers that draw while it runs; it stops when the caller
    stops iterating.

    Parameters
    ----------
    every : int
        Steps between two histories, at least 1. The others are those of :func:`fit`.

    Yields
    ------
    History
        After each `every` steps, and after the last.
    """
    steps = as_count("steps", steps)
    every = as_count("every", every)
    clip = _as_clipping(clip)
    as_function("loss_and_grads", loss_and_grads)
    if on_step is not None:
        as_function("on_step", on_step)
    _check_optimizer(optimizer)
    params = _as_params(params)
    batches = iter(as_kind("batches", batches, Iterable, "an iterable of minibatches"))
    loop = _Loop(loss_and_grads, params, optimizer, clip, carry_state)
    with tqdm(total=steps, disable=not progress, mininterval=0.5) as bar:
        for step in range(1, steps + 1):
            try:
                batch = next(batches)
            except StopIteration:
                raise ValueError(
                    f"batches ended after {step - 1}, expected {steps}, one for each step"
                ) from None
            loss = loop.step(batch)
            bar.update()
            if on_step:
                on_step(step, loop.params, loss)
            done = step == steps or loop.diverged.all()
            if done or step % every == 0:
                bar.set_postfix_str(f"loss {np.mean(loss):.4g}")
                yield loop.history()
            if done:
                return


def _as_clipping(clip) -> _Clipping | RandomStep:
    if clip is None:
        return ByNorm(np.inf)
    if isinstance(clip, _Clipping | RandomStep):
        return clip
    expected = "a number above 0, ByNorm, ByElement, RandomStep or None"
    return ByNorm(as_number("clip", clip, expected, lambda value: value > 0))


def _check_optimizer(optimizer) -> None:
    updates = callable(getattr(optimizer, "update", None))
    if not updates or isinstance(optimizer, type | Mapping | Set):  # those have an update too
        raise TypeError(
            f"optimizer is {brief(optimizer)}; expected SGD(lr), Nesterov(lr) or Adam(lr)"
        )


def _as_params(params) -> Arrays:
    as_kind("params", params, Mapping, "a mapping from names to arrays")
    if not params:
        raise ValueError("params is empty; expected at least one array")
    return {name: as_real(f"params[{name!r}]", p) for name, p in params.items()}


class _Loop:
    """The state of a training run, and its one step."""

    def __init__(self, loss_and_grads, params, optimizer, clip, carry_state):
        self.loss_and_grads = loss_and_grads
        self.params = params
        self.last_finite = params  # the last parameters whose loss and gradient were finite
        self.optimizer = optimizer
        self.clip = clip
        self.carry_state = carry_state
        self.memory: dict = {}  # the optimizer's
        self.state = None
        self.losses = []
        self.norms = []
        self.clipped = []
        self.diverged = np.array(False)
        self.diverged_at = np.array(-1)
        self.started = time.perf_counter()

    def step(self, batch) -> np.ndarray:
        """Take one step and return the loss before it."""
        step = len(self.losses) + 1
        # An overflow is expected here: its result is infinite, and no step is taken along that.
        with np.errstate(over="ignore", invalid="ignore"):
            loss, grads = self._loss_and_grads(batch)
            seed_axis = loss.ndim == 1
            grads, norm, clipped = self.clip.apply(grads, loss, step, seed_axis)
            updated = self.optimizer.update(self.params, grads, self.memory, step)
            bounded = np.isfinite(joint_norm(updated, seed_axis))
        finite = np.isfinite(loss) & np.isfinite(norm)
        running = (finite | self.clip.rescues) & bounded & ~self.diverged
        finite &= running
        self.diverged_at = np.where(running | self.diverged, self.diverged_at, step - 1)
        self.diverged = ~running
        self.last_finite = _choose(finite, self.params, self.last_finite)
        self.params = _choose(running, updated, self.last_finite)
        self.losses.append(np.where(finite, loss, np.inf))
        self.norms.append(np.where(finite, norm, np.inf))
        self.clipped.append(clipped & running)
        return self.losses[-1]

    def _loss_and_grads(self, batch) -> tuple[np.ndarray, Arrays]:
        """Loss and gradients of a minibatch; the state is carried on, where it is."""
        if self.carry_state:
            given = self.loss_and_grads(self.params, batch, self.state)
            loss, grads, self.state = _as_parts(given, "(loss, grads, state)")
        else:
            loss, grads = _as_parts(self.loss_and_grads(self.params, batch), "(loss, grads)")
        loss = self._check_loss(loss)
        return loss, self._check_grads(grads)

    def _check_loss(self, loss) -> np.ndarray:
        """The loss: one number, or one for each seed on the first axis of every parameter."""
        loss = as_array("loss", loss)
        if loss.dtype.kind not in "fiu":
            raise TypeError(f"loss_and_grads gave the loss {brief(loss)}; expected real numbers")
        seeds = {p.shape[:1] for p in self.params.values()}
        if loss.shape and (loss.ndim > 1 or seeds != {loss.shape}):
            raise ValueError(
                f"loss_and_grads gave a loss of shape {loss.shape}; expected one number, or one "
                "for each seed on the first axis of every parameter"
            )
        return loss

    def _check_grads(self, grads: Mapping[str, np.ndarray]) -> Arrays:
        """Keep the gradients of the parameters; a model may give more, such as that of h0."""
        as_kind("grads", grads, Mapping, "a mapping from names to arrays")
        if missing := set(self.params) - set(grads):
            raise ValueError(f"grads lack {sorted(missing)}, expected one for each parameter")
        grads = {name: np.asarray(grads[name]) for name in self.params}
        for name, g in grads.items():
            if g.shape != self.params[name].shape:
                raise ValueError(
                    f"the gradient of {name} has shape {g.shape}, "
                    f"expected {self.params[name].shape}"
                )
        return grads

    def history(self) -> History:
        """Return the history so far."""
        at = self.diverged_at
        return History(
            params=dict(self.params),
            loss=np.array(self.losses),
            grad_norm=np.array(self.norms),
            clipped=np.array(self.clipped),
            diverged_at=at if at.ndim else (int(at) if at >= 0 else None),
            seconds=time.perf_counter() - self.started,
            state=self.state,
        )


def _as_parts(given, expected: str) -> tuple | list:
    """Return the model's result if it has the expected number of parts."""
    if not isinstance(given, tuple | list) or len(given) != expected.count(",") + 1:
        raise ValueError(f"loss_and_grads gave {brief(given)}; expected {expected}")
    return given


def _choose(where: np.ndarray, these: Arrays, those: Arrays) -> Arrays:
    """Take `these` arrays for the seeds where `where` is true, `those` for the rest."""
    if where.all():
        return these
    return {name: np.where(per_seed(where, p), p, those[name]) for name, p in these.items()}
