"""The recurrent network of the reference as a model of characters or of numbers, ready to train."""

from collections.abc import Callable, Mapping

import numpy as np

from rnn_helpers.reference import NONLINEARITIES, Run, rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.reference.bptt import grad_state, through_time
from rnn_helpers.reference.clipping import clip_hidden as clipped
from rnn_helpers.tasks.corpora import Corpus
from rnn_helpers.tasks.drawing import drawn
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_generator,
    as_kind,
    as_mask,
    as_number,
    as_numbers,
    as_params,
    as_params_of,
    as_positive,
    as_tokens,
    brief,
)


def character_model(
    nonlinearity: str = "tanh", carry_state: bool = False, clip_hidden: float | None = None
) -> Callable:
    """Return loss and gradients of a network that predicts the next character.

    Both are means over the characters of a minibatch, in nats, so that a learning rate, or a
    threshold for clipping, means the same for any length and size of a minibatch; (G 10.12) is the
    sum.

    Parameters
    ----------
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.
    carry_state : bool
        Whether the function takes and gives a state, as ``fit(..., carry_state=True)`` needs. The
        gradient stops at the beginning of the minibatch either way.
    clip_hidden : float, optional
        Largest size of an entry of the gradient on a state, to which it is clipped at every step
        back; see `rnn_helpers.reference.clip_hidden`. It is the gradient of the sum of one
        sequence's losses, before the mean is taken, so it too means the same for any size of a
        minibatch: in the gradient of the mean over n characters, the threshold is
        ``clip_hidden / n``.

    Returns
    -------
    callable
        ``loss_and_grads(params, batch) -> (loss, grads)`` for `rnn_helpers.training.fit`, or
        ``loss_and_grads(params, batch, state) -> (loss, grads, state)``. A batch is ``(x, y)``, as
        `minibatches` gives it, or ``(x, y, mask)``, where the mask selects the steps that count.
    """
    recursion = _recursion(nonlinearity, clip_hidden)

    def carrying(params: Mapping, batch: tuple, state):
        x, y, mask = _parts(batch)
        run = rnn_forward(params, x, h0=state, nonlinearity=nonlinearity)
        grads = rnn_backward(params, run, y, mask, recursion=recursion)
        count = _count(run, mask)
        grads = {name: (grads[name].T / count).T for name in params}
        return rnn_loss(run, y, mask) / count, grads, run.h[-1]

    def fresh(params: Mapping, batch: tuple):
        loss, grads, _ = carrying(params, batch, None)
        return loss, grads

    return carrying if carry_state else fresh


def number_model(nonlinearity: str = "tanh", clip_hidden: float | None = None) -> Callable:
    """Return loss and gradients of a network whose one output is to be a number, as in `Adding`.

    The loss is the mean of the squared errors over the steps that count.

    Parameters
    ----------
    nonlinearity, clip_hidden
        As for `character_model`.

    Returns
    -------
    callable
        ``loss_and_grads(params, batch) -> (loss, grads)``. A batch is ``(x, y)`` or
        ``(x, y, mask)``, where y holds a real number for each step.
    """
    recursion = _recursion(nonlinearity, clip_hidden)

    def loss_and_grads(params: Mapping, batch: tuple):
        x, y, mask = _parts(batch)
        run = rnn_forward(params, x, nonlinearity=nonlinearity)
        if run.o.shape[-1] != 1:
            raise ValueError(f"params have {run.o.shape[-1]} outputs, expected 1")
        counts = as_mask(mask, run.o.shape[:-1])
        shape = run.o.shape[:-1]
        y = as_numbers("y", y, shape, counts, run.o.dtype)
        off = run.o[..., 0] - y if counts is None else np.where(counts, run.o[..., 0] - y, 0)
        grads = through_time(
            as_params_of(run, params), run, 2 * off[..., None], recursion=recursion
        )
        count = _count(run, mask)
        loss = (off.astype(float) ** 2).sum(axis=(0, 2) if off.ndim == 3 else None)
        return loss / count, {name: (grads[name].T / count).T for name in params}

    return loss_and_grads


def _recursion(nonlinearity, clip_hidden):
    """The step back in time, after a check of the settings that models share."""
    as_choice("nonlinearity", nonlinearity, NONLINEARITIES)
    if clip_hidden is None:
        return grad_state
    expected = "a number above 0, or None"
    return clipped(as_number("clip_hidden", clip_hidden, expected, lambda value: value > 0))


def _parts(batch) -> tuple:
    """Inputs, targets and mask (or None) of a minibatch."""
    if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
        raise ValueError(f"batch is {brief(batch)}; expected (x, y) or (x, y, mask)")
    return (*batch, None)[:3]


def _count(run: Run, mask) -> np.ndarray:
    """Count the predictions of a run: one number, or one for each seed where masks differ."""
    shape = run.h.shape[:-1]
    counts = np.ones(shape) if mask is None else np.asarray(mask)
    axes = (0, 2) if counts.ndim == 3 else None
    count = counts.sum(axis=axes).astype(run.h.dtype)
    if not count.all():
        raise ValueError("the mask of a minibatch counts no step, expected at least one")
    return count


def bits_per_character(
    params: Mapping, tokens: np.ndarray, nonlinearity: str = "tanh"
) -> float | np.ndarray:
    """Mean number of bits a network needs for each character of a text, given those before it.

    The network reads the text from its beginning to its end, so every prediction is made from all
    that came before; the first character is given.

    Parameters
    ----------
    params : dict of ndarray
        The network, or S networks on a leading axis.
    tokens : ndarray of int, shape (n,)
        The text, such as ``corpus.held_out``; at least two characters.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    float, or ndarray of shape (S,)
        ``-log2`` of the probability of the text's characters, per character.
    """
    tokens = as_array("tokens", tokens)
    if tokens.ndim != 1 or len(tokens) < 2:
        raise ValueError(f"tokens have shape {tokens.shape}, expected one axis of at least two")
    as_tokens("tokens", tokens, as_params(params).U.shape[-1])
    total, state = 0.0, None
    for start in range(0, len(tokens) - 1, _PIECE):
        piece = tokens[start : start + _PIECE + 1, None]
        run = rnn_forward(params, piece[:-1], h0=state, nonlinearity=nonlinearity)
        total = total + rnn_loss(run, piece[1:])
        state = run.h[-1]
    return total / (len(tokens) - 1) / np.log(2)


# Steps that are kept in memory at a time.
_PIECE = 2000


def sample(
    params: Mapping,
    corpus: Corpus,
    length: int,
    seed: int | np.random.Generator = 0,
    temperature: float = 1.0,
    prompt: str = "",
    nonlinearity: str = "tanh",
) -> str:
    """Sample text from a network: draw a character, feed it back, draw the next.

    Parameters
    ----------
    params : dict of ndarray
        The network, without an axis of seeds.
    corpus : Corpus
        Gives the alphabet.
    length : int
        Number of characters to write, at least 1.
    seed : int or Generator
        Chooses the characters.
    temperature : float
        Divides the outputs before the softmax: below 1 likely characters become even more likely.
        Above 0.
    prompt : str
        The network's first input, which isn't returned; the corpus's first character if empty.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.
    """
    as_kind("corpus", corpus, Corpus, "what characters(...) returns")
    as_kind("prompt", prompt, str, "a string")
    as_positive("temperature", temperature)
    weights = as_params(params)
    n = len(corpus.alphabet)
    if weights.W.ndim != 2:
        raise ValueError(
            f"params['W'] has shape {weights.W.shape}, expected one network: (n_h, n_h)"
        )
    if (weights.U.shape[-1], len(weights.c)) != (n, n):
        raise ValueError(
            f"params have {weights.U.shape[-1]} inputs and {len(weights.c)} outputs, expected {n}, "
            "one for each character of the corpus"
        )
    rng = as_generator(seed)
    read = corpus.encode(prompt or corpus.text[0])
    state = None
    written = []
    for _ in range(as_count("length", length)):
        run = rnn_forward(params, read, h0=state, nonlinearity=nonlinearity)
        written.append(drawn(run.o[-1], temperature, rng))
        read = np.array(written[-1:])
        state = run.h[-1]
    return corpus.decode(written)
