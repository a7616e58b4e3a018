"""The figure *highway*: the size of gradients by distance, in new and in trained networks."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import manifest
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import rotation
from rnn_helpers.reference import (
    gradient_through_time,
    gru_forward,
    gru_gradient_through_time,
    lstm_forward,
    lstm_gradient_through_time,
    rnn_forward,
)

CONSTANTS = constants("highway")
STEPS = manifest()["highway"]["controls"]["back"]["max"]


def poster(state):
    """Draw the figure in a complete state."""
    many = state["when"] != "one"
    lines = middle(state["when"]) if many else gradients(state["bias"], state["alpha"])
    kinds = ["memory" if "LSTM" in name else "gate" if name == "GRU" else "state" for name in lines]
    plot = plots.gradient_reach(lines, kinds=kinds, at=state["back"])
    networks = stored("highway")["networks"]
    words = f"Median of {networks} {state['when']} networks of each kind. " if many else ""
    return plots.Plot(plot.figure, words + plot.alt)


def networks():
    """Return the weights, inputs and last gradient, drawn in the figure's order.

    Returns
    -------
    sums : list of dict of ndarray
        ``U, W, b`` of the four sums of an LSTM. A GRU uses three of them, the other networks one.
    W : ndarray, shape (n, n)
        Recurrent weights of the orthogonal network.
    grad_last : ndarray, shape (n,)
    x : ndarray, shape (T, 1)
    """
    n, draw = CONSTANTS.UNITS, np.random.RandomState(CONSTANTS.SEED)

    def weights(*shape):
        return (2 * draw.random_sample(shape) - 1) / np.sqrt(n)

    sums = [{"U": weights(n, 1), "W": weights(n, n), "b": np.zeros(n)} for _ in range(4)]
    W = rotation(draw.standard_normal, n)
    grad_last = draw.standard_normal(n)
    return sums, W, grad_last, 0.5 * draw.standard_normal((STEPS, 1))


def gradients(bias, alpha):
    """Return the gradients on all states, shape (T + 1, n), for each line of the figure."""
    sums, W, last, x = networks()
    n = len(last)

    def parameters(*parts):
        output = {"V": np.eye(n), "c": np.zeros(n)}
        named = zip(parts, sums, strict=False)
        return output | {name + part: one[name] for part, one in named for name in one}

    def simple(params):
        return gradient_through_time(params, rnn_forward(params, x), last)

    def lstm(bias):
        params = parameters("", "f", "g", "o")
        params["bf"] = params["bf"] + bias
        return lstm_gradient_through_time(params, lstm_forward(params, x), last)[1]

    gated = parameters("", "u", "r")
    return {
        "plain RNN": simple(parameters("")),
        f"LSTM, bias {bias:g}": lstm(bias),
        "GRU": gru_gradient_through_time(gated, gru_forward(gated, x), last),
        "orthogonal RNN": simple(parameters("") | {"W": W}),
        "LSTM, bias 0": lstm(0),
        f"leaky, α = {alpha:g}": leaky(sums[0], alpha, x, last),
        "LSTM, bias 3": lstm(3),
    }


def leaky(params, alpha, x, grad_last):
    """Return the gradients on the states ``h <- alpha h + (1 - alpha) tanh(..)`` of leaky units."""
    h, slopes = np.zeros(len(grad_last)), []
    for now in x:
        target = np.tanh(params["b"] + params["W"] @ h + params["U"] @ now)
        h = alpha * h + (1 - alpha) * target
        slopes.append((1 - alpha) * (1 - target**2))
    grads = [grad_last]
    for slope in reversed(slopes):
        grads.append(alpha * grads[-1] + params["W"].T @ (slope * grads[-1]))
    return np.array(grads[::-1])


# Line of the figure -> its name in the experiment, and in a plot.
MEASURED = {
    "rnn": ("simple", "plain RNN"),
    "lstm1": ("LSTM, bias 1", "LSTM, bias 1"),
    "gru": ("GRU", "GRU"),
    "orthogonal": ("simple, orthogonal", "orthogonal RNN"),
    "lstm0": ("LSTM, bias 0", "LSTM, bias 0"),
    "leaky": ("leaky, 0.9", "leaky, α = 0.9"),
    "lstm3": ("LSTM, bias 3", "LSTM, bias 3"),
}


def middle(when):
    """Return the median size of the gradient, shape (T + 1, 1), for each line of the figure."""
    distances, measured = np.arange(STEPS + 1), stored("highway")
    return {
        name: 10 ** np.interp(distances, distances[:: measured["every"]], measured[when][kind][1])
        [::-1, None]
        for kind, (_, name) in MEASURED.items()
    }  # fmt: skip
