"""The recurrent network of the reference as a model of characters, ready for the training loop."""

from collections.abc import Callable, Mapping

import numpy as np

from rnn_helpers.reference import Run, rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.tasks.corpora import Corpus


def character_model(nonlinearity: str = "tanh", carry_state: bool = False) -> Callable:
    """Return loss and gradients of a network that predicts the next character.

    Both are means over the characters of a minibatch, in nats, so that a learning rate, or a
    threshold for clipping, means the same for any length and size of a minibatch; (10.12) is the
    sum.

    Parameters
    ----------
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.
    carry_state : bool
        Whether the function takes and gives a state, as ``fit(..., carry_state=True)`` needs. The
        gradient stops at the beginning of the minibatch either way.

    Returns
    -------
    callable
        ``loss_and_grads(params, batch) -> (loss, grads)`` for `rnn_helpers.training.fit`, or
        ``loss_and_grads(params, batch, state) -> (loss, grads, state)``. A batch is ``(x, y)``, as
        `minibatches` gives it, or ``(x, y, mask)``, where the mask tells which steps count.
    """

    def carrying(params: Mapping, batch: tuple, state):
        x, y, *rest = batch
        mask = rest[0] if rest else None
        run = rnn_forward(params, x, h0=state, nonlinearity=nonlinearity)
        grads = rnn_backward(params, run, y, mask)
        count = _count(run, mask)
        grads = {name: (grads[name].T / count).T for name in params}
        return rnn_loss(run, y, mask) / count, grads, run.h[-1]

    def fresh(params: Mapping, batch: tuple):
        loss, grads, _ = carrying(params, batch, None)
        return loss, grads

    return carrying if carry_state else fresh


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

    Raises
    ------
    ValueError
        If there are fewer than two tokens, or one is out of range.
    """
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or len(tokens) < 2:
        raise ValueError(f"tokens have shape {tokens.shape}, expected one axis of at least two")
    total, state = 0.0, None
    for start in range(0, len(tokens) - 1, _PIECE):
        piece = tokens[start : start + _PIECE + 1, None]
        run = rnn_forward(params, piece[:-1], h0=state, nonlinearity=nonlinearity)
        total, state = total + rnn_loss(run, piece[1:]), run.h[-1]
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
    """Let a network write: draw a character, feed it back, draw the next.

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
        Divides the outputs before the softmax: below 1 the likely characters become likelier.
        Above 0.
    prompt : str
        What the network reads first, not part of what is returned; the corpus's first character if
        empty.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a setting is out of range, the prompt holds a strange character, or the parameters have
        an axis of seeds.
    """
    if length < 1:
        raise ValueError(f"length is {length}, expected at least 1")
    if not 0 < temperature < np.inf:
        raise ValueError(f"temperature is {temperature}, expected a finite number above 0")
    if params["W"].ndim != 2:
        raise ValueError(f"W has shape {params['W'].shape}, expected one network: (n_h, n_h)")
    rng = np.random.default_rng(seed)
    read, state, written = corpus.encode(prompt or corpus.text[0]), None, []
    for _ in range(length):
        run = rnn_forward(params, read, h0=state, nonlinearity=nonlinearity)
        # the largest of the outputs plus Gumbel noise is a draw from their softmax
        noise = rng.gumbel(size=run.o.shape[-1])
        below_best = run.o[-1] - run.o[-1].max()
        written.append(int(np.argmax(below_best / temperature + noise)))
        read, state = np.array(written[-1:]), run.h[-1]
    return corpus.decode(written)
