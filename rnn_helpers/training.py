"""One training loop for every model that gives its loss and its gradients.

A model is a function ``loss_and_grads(params, batch) -> (loss, grads)`` on a dictionary of NumPy
arrays; where the arrays carry a leading axis of seeds, the loss is one number for each seed, and
clipping, divergence and history are kept for each seed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import ThreadpoolController
from tqdm import tqdm

from rnn_helpers.reference.clipping import (
    clip_by_element,
    clip_by_norm,
    joint_norm,
    per_seed,
    random_step,
)
from rnn_helpers.validate import (
    as_array,
    as_count,
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
class Nesterov:
    """Descent with a velocity, along the gradient at the point to which the velocity leads.

    With velocity ``m`` and point ``q`` (Sutskever et al., 2013)::

        m <- momentum * m - lr * gradient(q + momentum * m),   q <- q + m

    The parameters that are trained, measured and returned are the point looked ahead to,
    ``p = q + momentum * m``: a loop that asks for the gradient at the parameters asks there.

    Parameters
    ----------
    lr : float or callable
        Learning rate; or a function of the step (1, 2, ...).
    momentum : float
        Share of the velocity that is kept at a step, in [0, 1).
    """

    lr: float | Callable[[int], float]
    momentum: float = 0.9

    def __post_init__(self):
        _check_rate(self.lr)
        as_number("momentum", self.momentum, "a share in [0, 1)", lambda share: 0 <= share < 1)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step; parameters as for :meth:`SGD.update`."""
        lr = _rate(self.lr, step)
        updated = {}
        for name, p in params.items():
            slowed = self.momentum * memory.get(name, 0.0)
            memory[name] = velocity = slowed - lr * grads[name]
            # from p, back to q, a step with the velocity, ahead again
            updated[name] = p - slowed + velocity + self.momentum * velocity
        return updated


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


@dataclass(frozen=True)
class _Clipping:
    """What :class:`ByNorm` and :class:`ByElement` share; `_clip` tells them apart."""

    threshold: float
    rescue: int | Sequence[int] | None = None

    def __post_init__(self):
        if self.rescues:
            as_positive("threshold", self.threshold)
            _drawn_at(1, "rescue", self.rescue)
        else:
            as_number("threshold", self.threshold, "a number above 0", lambda value: value > 0)

    @property
    def rescues(self) -> bool:
        """Whether training goes on where the loss or the gradient is not finite."""
        return self.rescue is not None

    def apply(
        self, grads: Arrays, loss: np.ndarray, step: int, seed_axis: bool = False
    ) -> tuple[Arrays, np.ndarray, np.ndarray]:
        """Clip the gradients of one step.

        Parameters
        ----------
        grads : dict of ndarray
            Gradients; with `seed_axis`, of several networks on a leading axis.
        loss : ndarray, shape () or (S,)
            Loss at this step.
        step : int
            Number of this step, from 1; with the seed, it determines what is drawn.
        seed_axis : bool
            Whether there is an axis of networks, each of which is clipped by itself.

        Returns
        -------
        clipped : dict of ndarray
            Like `grads`.
        norm : ndarray, shape () or (S,)
            Joint norm before clipping.
        changed : ndarray of bool, shape () or (S,)
            Whether the gradients are other ones now.
        """
        clipped, norm, changed = self._clip(grads, seed_axis)
        lost = ~(np.isfinite(norm) & np.isfinite(loss))
        if self.rescues and lost.any():
            rng = _drawn_at(step, "rescue", self.rescue)
            clipped, _ = random_step(clipped, self.threshold, rng, seed_axis, where=lost)
            changed = changed | lost
        return clipped, norm, changed


class ByNorm(_Clipping):
    """Gradients longer than a threshold are scaled down, all together: (10.48), (10.49).

    Parameters
    ----------
    threshold : float
        Largest joint norm v, above 0; ``inf`` to measure only.
    rescue : int or sequence of int, optional
        Where the loss or the gradient is not finite, a random vector of length v stands in for the
        gradient, and training goes on. This is the seed that draws it, or one for each network.
        Without it, training ends there.

    Raises
    ------
    ValueError
        If the threshold is infinite where there is a rescue.
    """

    def _clip(self, grads, seed_axis):
        clipped, norm = clip_by_norm(grads, self.threshold, seed_axis)
        return clipped, norm, norm > self.threshold


class ByElement(_Clipping):
    """Entries of the gradients larger than a threshold are clipped to it, each by itself.

    Parameters
    ----------
    threshold : float
        Largest size of an entry, above 0; ``inf`` to measure only.
    rescue : int or sequence of int, optional
        As for :class:`ByNorm`; the random vector is `threshold` long.
    """

    def _clip(self, grads, seed_axis):
        clipped, norm = clip_by_element(grads, self.threshold, seed_axis)
        beyond = [
            (np.abs(g) > self.threshold).any(axis=tuple(range(int(seed_axis), np.ndim(g))))
            for g in grads.values()
        ]
        return clipped, norm, np.any(beyond, axis=0)


@dataclass(frozen=True)
class RandomStep:
    """Gradients longer than a threshold, or not finite, become random vectors of that length.

    Parameters
    ----------
    threshold : float
        Largest joint norm v that is let through, above 0.
    seed : int or sequence of int
        Draws the directions; or one for each network, so that each is drawn what it would be alone.
    """

    rescues: ClassVar[bool] = True

    threshold: float
    seed: int | Sequence[int] = 0

    def __post_init__(self):
        as_positive("threshold", self.threshold)
        _drawn_at(1, "seed", self.seed)

    def apply(
        self, grads: Arrays, loss: np.ndarray, step: int, seed_axis: bool = False
    ) -> tuple[Arrays, np.ndarray, np.ndarray]:
        """Replace the gradients of one step where needed, as :meth:`ByNorm.apply` does."""
        norm = joint_norm(grads, seed_axis)
        over = ~(norm <= self.threshold) | ~np.isfinite(loss)
        if over.any():
            rng = _drawn_at(step, "seed", self.seed)
            grads, _ = random_step(grads, self.threshold, rng, seed_axis, where=over)
        return grads, norm, over


@dataclass
class History:
    """What happened while a model was trained, and the model it left.

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
        Parameters to start from; they are left as they are.
    batches : iterable
        Yields a minibatch for each step, in whatever form the model takes it.
    steps : int
        Number of steps, at least 1.
    optimizer : SGD, Nesterov or Adam
        How a gradient becomes a step.
    clip : float, ByNorm, ByElement or RandomStep, optional
        What is done to gradients that are too long. A number v is ``ByNorm(v)``, the largest joint
        norm of the gradients: longer ones are scaled down (10.48)-(10.49).
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
        several) unless `clip` puts a random step in its place, and ``diverged_at`` tells when:
        nothing that is not finite is ever stepped along.

    Raises
    ------
    ValueError
        If the batches end early, or `loss_and_grads` gives anything but a loss and the
        gradients of all parameters.
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
    if not isinstance(clip, _Clipping | RandomStep):
        expected = "a number above 0, ByNorm, ByElement, RandomStep or None"
        clip = ByNorm(as_number("clip", clip, expected, lambda value: value > 0))
    as_function("loss_and_grads", loss_and_grads)
    if on_step is not None:
        as_function("on_step", on_step)
    is_one = callable(getattr(optimizer, "update", None))
    if not is_one or isinstance(optimizer, type | Mapping | Set):  # those have an update too
        raise TypeError(
            f"optimizer is {brief(optimizer)}; expected SGD(lr), Nesterov(lr) or Adam(lr)"
        )
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
        self.losses, self.norms, self.clipped = [], [], []
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
            seeds, step = loss.ndim == 1, len(self.losses) + 1
            grads, norm, clipped = self.clip.apply(grads, loss, step, seeds)
            updated = self.optimizer.update(self.params, grads, self.memory, step)
            bounded = np.isfinite(joint_norm(updated, seeds))
        finite = np.isfinite(loss) & np.isfinite(norm)
        fine = (finite | self.clip.rescues) & bounded & ~self.diverged
        self.diverged_at = np.where(~fine & ~self.diverged, len(self.losses), self.diverged_at)
        self.diverged = ~fine
        finite &= fine
        self.before, self.params = (
            _choose(finite, self.params, self.before),
            _choose(fine, updated, self.before),
        )
        self.losses.append(np.where(finite, loss, np.inf))
        self.norms.append(np.where(finite, norm, np.inf))
        self.clipped.append(clipped & fine)
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


def _choose(fine: np.ndarray, these: Arrays, those: Arrays) -> Arrays:
    """Take one set of arrays for the seeds that are fine, the other for the rest."""
    if fine.all():
        return these
    return {name: np.where(per_seed(fine, p), p, those[name]) for name, p in these.items()}


def _drawn_at(step: int, name: str, seed: int | Sequence[int]):
    """Generators for what is drawn at one step, whatever was drawn at others."""
    several = isinstance(seed, Sequence | np.ndarray)
    if several and not len(seed):
        raise ValueError(f"{name} is empty; expected at least one seed")
    rngs = [
        np.random.default_rng([as_count(name, one, 0), step])
        for one in (seed if several else [seed])
    ]
    return rngs if several else rngs[0]


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
