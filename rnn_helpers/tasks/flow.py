"""A network that is asked to let gradients flow while it learns, ready for the training loop."""

from collections.abc import Callable, Mapping

import numpy as np

from rnn_helpers.reference import (
    NONLINEARITIES,
    omega_gradient,
    rnn_backward,
    rnn_forward,
    rnn_loss,
)
from rnn_helpers.reference.information_flow import CONSTANT
from rnn_helpers.tasks.language import _count, _parts
from rnn_helpers.validate import as_choice, as_real, brief


def flow_model(
    alpha: float | np.ndarray, constant: str = "gradients", nonlinearity: str = "tanh"
) -> Callable:
    """Return loss and gradients of the reference's network, with Omega of (G 10.52) added.

    The loss is the one `character_model` gives, a mean in nats, plus `alpha` times the mean of
    Omega over the sequences of a minibatch.

    Parameters
    ----------
    alpha : float or ndarray, shape (S,)
        Weight of Omega, at least 0; one for each seed if there are seeds.
    constant : {"gradients", "states", "nothing"}
        What is held constant in the gradient of Omega; see `omega_gradient`. With ``"nothing"``
        it is exact.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    callable
        ``loss_and_grads(params, batch) -> (loss, grads)`` for `rnn_helpers.training.fit`. A batch
        is ``(x, y)`` or ``(x, y, mask)``, of at least two steps.
    """
    alpha = as_real("alpha", alpha)
    if alpha.ndim > 1 or not alpha.size or alpha.min() < 0:
        raise ValueError(f"alpha is {brief(alpha)}; expected numbers of at least 0")
    as_choice("constant", constant, CONSTANT)
    as_choice("nonlinearity", nonlinearity, NONLINEARITIES)

    def loss_and_grads(params: Mapping, batch: tuple):
        x, y, mask = _parts(batch)
        run = rnn_forward(params, x, nonlinearity=nonlinearity)
        count = _count(run, mask)
        grads = rnn_backward(params, run, y, mask)
        value, of_omega = omega_gradient(params, run, y, mask, constant=constant)
        loss = rnn_loss(run, y, mask) / count + alpha * value
        return loss, {
            name: (grads[name].T / count + alpha * of_omega[name].T).T.astype(run.h.dtype)
            for name in params
        }

    return loss_and_grads
