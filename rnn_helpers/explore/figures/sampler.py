"""The texts of the figure `sampler`, written in Python."""

from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.characters import alphabet, encode, forward, params
from rnn_helpers.explore.figures import constants
from rnn_helpers.validate import as_count, as_kind, as_number

SAME = constants("sampler").SAME
"""States that differ by less in every unit count as the same."""


def poster(state):
    """Draw the figure in a complete state."""
    prompt, heat, length = (state[key] for key in ("prompt", "temperature", "at"))
    made = {
        "always the most likely": write("lstm", prompt, 0, 0, length),
        f"at temperature {heat:g}": write("lstm", prompt, heat, state["seed"], length),
    }
    looked = list(made.values())[state["lane"] == "drawn"]
    return plots.written_texts(
        {name: prompt + written.text for name, written in made.items()},
        looked.yhat[-1],
        alphabet(),
        temperature=heat if state["lane"] == "drawn" else 0.0,
        chosen=looked.tokens[-1],
    )


class Written(NamedTuple):
    """A text, and how each of its T characters was chosen.

    Attributes
    ----------
    text : str
        The characters.
    tokens : ndarray of int, shape (T,)
        Their indices in `alphabet`.
    u : ndarray, shape (T,)
        The random number, from 0 to 1, that chose each.
    yhat : ndarray, shape (T, n)
        Probabilities of all characters at each step, at temperature 1.
    states : ndarray, shape (T, n)
        State of the network before each: h, and s of an LSTM.
    """

    text: str
    tokens: np.ndarray
    u: np.ndarray
    yhat: np.ndarray
    states: np.ndarray

    @property
    def unlikely(self):
        """Count the characters that were not the most likely."""
        chosen = self.yhat[np.arange(len(self.tokens)), self.tokens]
        return int((chosen < self.yhat.max(axis=1)).sum())

    def returns(self, length):
        """Find the first character whose state is the same as `length` characters before.

        Parameters
        ----------
        length : int
            At least 1.

        Returns
        -------
        int or None
            None if there is none.
        """
        length = as_count("length", length)
        same = (np.abs(self.states[length:] - self.states[:-length]) < SAME).all(axis=1)
        return int(same.argmax()) + length if same.any() else None


def tempered(yhat, temperature):
    """Divide the logits of a softmax by a temperature.

    Parameters
    ----------
    yhat : ndarray, shape (n,)
        Probabilities.
    temperature : float
        At least 0; at 0 the most likely token gets everything.

    Returns
    -------
    ndarray, shape (n,)
    """
    if temperature == 0:
        return np.eye(len(yhat))[np.argmax(yhat)]
    heights = (yhat / yhat.max()) ** (1 / temperature)
    return heights / heights.sum()


def draw(yhat, temperature, u):
    """Find the token whose piece of the line from 0 to 1 contains u; the most likely come first.

    Parameters
    ----------
    yhat : ndarray, shape (n,)
        Probabilities at temperature 1; a piece is as long as its probability at `temperature`.
    temperature : float
        At least 0.
    u : float
        From 0 to 1.

    Returns
    -------
    int
    """
    order = np.argsort(-yhat, kind="stable")
    ends = np.cumsum(tempered(yhat, temperature)[order])
    place = np.searchsorted(ends, u, side="right")
    return int(order[place if place < len(order) else 0])


def write(net, prompt, temperature=1.0, seed=1, length=400):
    """Sample a text from one of the networks.

    Parameters
    ----------
    net : {"lstm", "rnn"}
        Which of `rnn_helpers.explore.characters`.
    prompt : str
        Text that it reads first; an end of line if empty.
    temperature : float
        At least 0; at 0 it always chooses the most likely character.
    seed : int
        Chooses the random numbers, one for each character.
    length : int
        Characters to write.

    Returns
    -------
    Written
    """
    as_kind("prompt", prompt, str, "a string")
    expected = "a finite number of at least 0"
    as_number("temperature", temperature, expected, lambda heat: 0 <= heat < np.inf)
    us = np.random.RandomState(as_count("seed", seed, 0)).random_sample(as_count("length", length))
    weights, read, state = params(net), encode(prompt or "\n"), {}
    tokens, before = [], []
    for u in us:
        run = forward(net, weights, read, **state)
        state = {f"{name}0": getattr(run, name)[-1] for name in ("h", "s") if hasattr(run, name)}
        tokens.append(draw(run.yhat[-1], temperature, u))
        before.append((run.yhat[-1], np.concatenate(list(state.values()))))
        read = np.array(tokens[-1:])
    text = "".join(alphabet()[token] for token in tokens)
    return Written(text, np.array(tokens), us, *map(np.array, zip(*before, strict=True)))
