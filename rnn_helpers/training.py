"""One training loop for every model that gives its loss and its gradients.

A model is a function ``loss_and_grads(params, batch) -> (loss, grads)`` on a dictionary of NumPy
arrays; where the arrays carry a leading axis of seeds, the loss is one number for each seed, and
clipping, divergence and history are kept for each seed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from rnn_helpers.reference._validate import (
    as_array,
    as_count,
    as_floating,
    as_function,
    as_kind,
    as_number,
    as_positive,
    as_real,
    brief,
)

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class SGD:
    """Gradient descent: ``p <- p - lr * g``.

    Parameters
    ----------
    lr : float or callable
        Learning rate eta; or a function of the step (1, 2, ...), such as ``lambda t: 1 / t``.
    """

    lr: float | Callable[[int], float]

    def __post_init__(self):
        _check_rate(self.lr)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step.

        Parameters
        ----------
        params, grads : dict of ndarray
            Parameters and gradients, alike in names and shapes.
        memory : dict
            What the optimizer keeps from step to step; empty before the first.
        step : int
            Number of this step, from 1.

        Returns
        -------
        dict of ndarray
        """
        lr = _rate(self.lr, step)
        return {name: p - lr * grads[name] for name, p in params.items()}


@dataclass(frozen=True)
class Adam:
    """Descent along a running mean of gradients, each scaled by its own size (Kingma and Ba, 2015).

    Parameters
    ----------
    lr : float or callable
        Learning rate; or a function of the step (1, 2, ...).
    beta1, beta2 : float
        Shares of the running means of the gradient and of its square that are kept at a step.
    epsilon : float
        Keeps the division safe; above 0.
    """

    lr: float | Callable[[int], float] = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    def __post_init__(self):
        _check_rate(self.lr)
        for name in ("beta1", "beta2"):
            as_number(name, getattr(self, name), "a share in [0, 1)", lambda share: 0 <= share < 1)
        as_positive("epsilon", self.epsilon)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step; parameters as for :meth:`SGD.update`."""
        lr = _rate(self.lr, step)
        updated = {}
        for name, p in params.items():
            g = grads[name]
            mean, square = memory.get(name, (0.0, 0.0))
            mean = self.beta1 * mean + (1 - self.beta1) * g
            square = self.beta2 * square + (1 - self.beta2) * g**2
            memory[name] = mean, square
            # both means start at 0; dividing by what they lack corrects that
            unbiased = mean / (1 - self.beta1**step)
            size = np.sqrt(square / (1 - self.beta2**step))
            updated[name] = p - lr * unbiased / (size + self.epsilon)
        return updated


@dataclass
class History:
    """What happened while a model was trained, and the model it left.

    Attributes
    ----------
    params : dict of ndarray
        The trained parameters; where training diverged, the last whose loss and gradient were
        finite.
    loss : ndarray, shape (steps,) or (steps, S)
        Loss before each step; infinite for a seed from the step at which it diverged.
    grad_norm : ndarray, shape (steps,) or (steps, S)
        Norm of all gradients together, before clipping.
    clipped : ndarray of bool, shape (steps,) or (steps, S)
        Whether the gradients were scaled down.
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
        """Draw loss and gradient norm against the step.

        Returns
        -------
        rnn_helpers.plots.Plot
        """
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


def clip_by_norm(
    grads: Mapping[str, np.ndarray], threshold: float, seed_axis: bool = False
) -> tuple[Arrays, np.ndarray]:
    """Scale gradients down, all together, so that their joint norm is at most a threshold.

    A gradient that is not finite has no direction to keep: it is replaced by zeros, and its norm
    tells.

    Parameters
    ----------
    grads : dict of ndarray
        Gradients.
    threshold : float
        Largest norm, above 0; ``inf`` to measure only.
    seed_axis : bool
        Whether the arrays have a leading axis of seeds, each of which is clipped by itself.

    Returns
    -------
    clipped : dict of ndarray
        Like `grads`, of norm at most `threshold`.
    norm : ndarray, shape () or (S,)
        Norm before clipping; infinite or NaN where an entry was.

    Raises
    ------
    TypeError
        If `grads` is no mapping to arrays of real numbers, or `threshold` is not a number.
    ValueError
        If `threshold` is not above 0, or the arrays differ in their number of seeds.
    """
    as_number("threshold", threshold, "a number above 0", lambda value: value > 0)
    grads = as_floating("grads", grads)
    norm = joint_norm(grads, seed_axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(norm > threshold, threshold / norm, 1.0)
    finite = np.isfinite(norm)
    if finite.all() and (factor == 1.0).all():
        return dict(grads), norm
    return {
        name: np.where(_per_seed(finite, g), g, 0.0) * _per_seed(factor, g).astype(g.dtype)
        for name, g in grads.items()
    }, norm


def joint_norm(arrays: Mapping[str, np.ndarray], seed_axis: bool = False) -> np.ndarray:
    """Euclidean norm of several arrays taken as one vector.

    Parameters
    ----------
    arrays : dict of ndarray
        The arrays.
    seed_axis : bool
        Whether they have a leading axis of seeds.

    Returns
    -------
    ndarray, shape () or (S,)
        The norm, without overflow where the entries have none.

    Raises
    ------
    TypeError
        If `arrays` is no mapping to arrays of real numbers.
    ValueError
        If the arrays differ in their number of seeds.
    """
    arrays = as_floating("arrays", arrays)
    seeds = {a.shape[:1] for a in arrays.values()}
    if seed_axis and (len(seeds) > 1 or () in seeds):
        shapes = {name: a.shape for name, a in arrays.items()}
        raise ValueError(f"arrays have the shapes {shapes}; expected one number of seeds")
    rows = [np.reshape(a, (len(a), -1) if seed_axis else -1) for a in arrays.values()]
    with np.errstate(over="ignore", invalid="ignore"):
        norm = np.sqrt(sum(np.einsum("...i,...i->...", row, row) for row in rows))
        if np.isfinite(norm).all():
            return norm
        # the squares may have overflowed where the norm does not
        size = np.max([np.abs(row).max(axis=-1) for row in rows], axis=0)
        scale = np.where(np.isfinite(size) & (size > 0), size, 1.0)
        squares = [((row / scale[..., None]) ** 2).sum(axis=-1) for row in rows]
        return scale * np.sqrt(sum(squares))


def fit(
    loss_and_grads: Callable,
    params: Mapping[str, np.ndarray],
    batches: Iterable,
    *,
    steps: int,
    optimizer: SGD | Adam,
    clip: float | None = None,
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
        Parameters to start from; they are left as they are.
    batches : iterable
        Yields a minibatch for each step, in whatever form the model takes it.
    steps : int
        Number of steps, at least 1.
    optimizer : SGD or Adam
        How a gradient becomes a step.
    clip : float, optional
        Largest joint norm of the gradients; longer ones are scaled down (10.48)-(10.49).
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
        several), and ``diverged_at`` tells when: nothing that is not finite is ever stepped along.

    Raises
    ------
    TypeError
        If a setting has the wrong type, or a parameter or gradient does not hold real numbers.
    ValueError
        If a setting is out of range, the batches end early, `loss_and_grads` gives anything but
        a loss and gradients, a gradient is missing or has another shape than its parameter.
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
    optimizer: SGD | Adam,
    clip: float | None = None,
    carry_state: bool = False,
    progress: bool = False,
    on_step: Callable[[int, Arrays, Any], None] | None = None,
) -> Iterator[History]:
    """Train a model, and hand over the history so far every few steps.

    The same loop as :func:`fit`, for whoever draws while it runs; it stops when no more is asked
    for.

    Parameters
    ----------
    every : int
        Steps between two histories, at least 1. The others are those of :func:`fit`.

    Yields
    ------
    History
        After each `every` steps, and after the last.
    """
    steps, every = as_count("steps", steps), as_count("every", every)
    clip = np.inf if clip is None else clip
    as_number("clip", clip, "a number above 0, or None", lambda value: value > 0)
    as_function("loss_and_grads", loss_and_grads)
    if on_step is not None:
        as_function("on_step", on_step)
    if isinstance(optimizer, type) or not callable(getattr(optimizer, "update", None)):
        raise TypeError(f"optimizer is {brief(optimizer)}; expected SGD(lr) or Adam(lr)")
    as_kind("params", params, Mapping, "a mapping from names to arrays")
    if not params:
        raise ValueError("params is empty; expected at least one array")
    params = {name: as_real(f"params[{name!r}]", p) for name, p in params.items()}
    batches = iter(as_kind("batches", batches, Iterable, "an iterable of minibatches"))
    loop = _Loop(loss_and_grads, params, optimizer, clip, carry_state)
    bar = tqdm(total=steps, disable=not progress, mininterval=0.5)
    with bar:
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
            over = step == steps or loop.diverged.all()
            if over or step % every == 0:
                bar.set_postfix_str(f"loss {np.mean(loss):.4g}")
                yield loop.history()
            if over:
                return


class _Loop:
    """The state of a training run, and its one step."""

    def __init__(self, loss_and_grads, params, optimizer, clip, carry_state):
        self.loss_and_grads = loss_and_grads
        self.params = params
        self.before = params  # the last whose loss and gradient were finite
        self.optimizer = optimizer
        self.clip = clip
        self.carry_state = carry_state
        self.memory: dict = {}
        self.state = None
        self.losses, self.norms = [], []
        self.diverged = np.array(False)
        self.diverged_at = np.array(-1)
        self.threads = ThreadpoolController()
        self.started = time.perf_counter()

    def step(self, batch) -> np.ndarray:
        """Take one step and return the loss before it."""
        # Overflow is no accident here: what it makes is seen to be infinite, and not stepped along.
        # The matrices are small: threads within a product would only wait for one another.
        with (
            np.errstate(over="ignore", invalid="ignore"),
            self.threads.limit(limits=1),  # those of BLAS and those of torch
        ):
            carried = (self.state,) if self.carry_state else ()
            loss, grads, *state = self._parts(self.loss_and_grads(self.params, batch, *carried))
            self.state = state[0] if state else None
            loss, grads = self._check_loss(loss), self._check(grads)
            if not self.losses:
                self.diverged = np.zeros(loss.shape, bool)
                self.diverged_at = np.full(loss.shape, -1)
            seeds = loss.ndim == 1
            grads, norm = clip_by_norm(grads, self.clip, seeds)
            updated = self.optimizer.update(self.params, grads, self.memory, len(self.losses) + 1)
            bounded = np.isfinite(joint_norm(updated, seeds))
        fine = np.isfinite(loss) & np.isfinite(norm) & bounded & ~self.diverged
        self.diverged_at = np.where(~fine & ~self.diverged, len(self.losses), self.diverged_at)
        self.diverged = ~fine
        self.before, self.params = (
            _choose(fine, self.params, self.before),
            _choose(fine, updated, self.before),
        )
        self.losses.append(np.where(fine, loss, np.inf))
        self.norms.append(np.where(fine, norm, np.inf))
        return self.losses[-1]

    def _parts(self, given) -> tuple:
        """What the model gave: loss, gradients and, if it is carried, the state."""
        expected = "(loss, grads, state)" if self.carry_state else "(loss, grads)"
        if not isinstance(given, tuple | list) or len(given) != expected.count(",") + 1:
            raise ValueError(f"loss_and_grads gave {brief(given)}; expected {expected}")
        return given

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

    def _check(self, grads: Mapping[str, np.ndarray]) -> Arrays:
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
        """Return what happened so far."""
        norms = np.array(self.norms)
        at = self.diverged_at
        return History(
            params=dict(self.params),
            loss=np.array(self.losses),
            grad_norm=norms,
            clipped=norms > self.clip,
            diverged_at=at if at.ndim else (int(at) if at >= 0 else None),
            seconds=time.perf_counter() - self.started,
            state=self.state,
        )


def _choose(fine: np.ndarray, these: Arrays, those: Arrays) -> Arrays:
    """Take one set of arrays for the seeds that are fine, the other for the rest."""
    if fine.all():
        return these
    return {name: np.where(_per_seed(fine, p), p, those[name]) for name, p in these.items()}


def _per_seed(values: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Give one value for each seed (or one for all) the axes of an array."""
    return values.reshape(values.shape + (1,) * (array.ndim - values.ndim))


def _check_rate(lr: float | Callable[[int], float]) -> None:
    if not callable(lr):
        expected = "a finite number above 0, or a function of the step"
        as_number("lr", lr, expected, lambda rate: 0 < rate < np.inf)


def _rate(lr: float | Callable[[int], float], step: int) -> float:
    """Return the learning rate of a step."""
    if not callable(lr):
        return lr
    rate = lr(step)
    _check_rate(rate)
    return rate
