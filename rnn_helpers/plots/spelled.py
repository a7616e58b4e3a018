"""A network that reads a word, with all its numbers, on a sheet whose coordinates are inches."""

from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference.rnn import rnn_forward
from rnn_helpers.validate import as_kind, as_params

_LINE = 0.21  # inches from one number to the next below
_MOST = 8  # numbers side by side that are still readable


def spelling(params, word, letters):
    """Draw a network that reads a word, with its numbers: one-hot inputs, states, probabilities.

    Parameters
    ----------
    params : mapping
        Arrays ``U``, ``W``, ``V``, ``b``, ``c``, as `init_rnn` gives them.
    word : str
        Of 2 to 9 letters; each but the last is read, and each but the first should come next.
    letters : str
        The alphabet, of at most 8 letters.

    Raises
    ------
    ValueError
        If there are more than 8 steps or units.
    """
    weights = as_params(params)
    for name, text in {"word": word, "letters": letters}.items():
        as_kind(name, text, str, "a string")
    if len(word) < 2 or not set(word) <= set(letters):
        raise ValueError(f"word is {word!r}; expected at least 2 of the letters {letters!r}")
    sizes = weights.V.shape[0], weights.U.shape[-1]
    if weights.W.ndim != 2 or sizes != (len(letters), len(letters)):
        raise ValueError(
            f"params['V'] has shape {weights.V.shape} and params['U'] {weights.U.shape}; expected "
            f"one network with {len(letters)} inputs and outputs, as letters is {letters!r}"
        )
    tokens = np.array([letters.index(letter) for letter in word])
    run = rnn_forward(params, tokens[:-1])
    sizes = {"word": len(tokens) - 1, "h": run.h.shape[-1], "letters": len(letters)}
    for name, size in sizes.items():
        if size > _MOST:
            raise ValueError(f"{name} has {size} entries; at most {_MOST} can be drawn as numbers")
    one_hot = np.eye(len(letters))[tokens[:-1]]
    with style():
        figure = _draw_spelling(one_hot, run, tokens[1:], word, letters)
        parts = [
            f"after {read} comes {after} with probability {number(yhat[token])}"
            for read, after, yhat, token in zip(word, word[1:], run.yhat, tokens[1:], strict=False)
        ]
        alt = (
            f"A recurrent network with {run.h.shape[-1]} units reads {', '.join(word[:-1])}, each "
            f"as a one-hot vector: {enumerated(parts, '; ')}."
        )
        return Plot(figure, alt)


def _draw_spelling(one_hot, run, targets, word, letters):
    pitch, half, gap = 1.0, 0.31, 0.27
    columns = 0.75 + pitch * (np.arange(len(run.h)) + 0.5)
    layers = {
        "x": (one_hot, "input", "U"),
        "h": (run.h, "state", "V"),
        r"\hat{y}": (run.yhat, "output", None),
    }
    middle, high, top = {}, {}, 0.36
    for name, (values, _, _) in layers.items():
        high[name] = values.shape[-1] * _LINE + 0.12
        middle[name] = top + high[name] / 2
        top += high[name] + gap
    sheet = _Sheet(columns[-1] + half + 0.3, top - gap + 0.1)
    for name, (values, meaning, above) in layers.items():
        sheet.text((0.05, middle[name]), f"${name}$", meaning, align="left", size=13)
        if meaning != "state":
            for i, letter in enumerate(letters):
                at = (0.55, middle[name] + _row(i, len(letters)))
                sheet.text(at, letter, meaning, align="right")
        for column, numbers in zip(columns, values, strict=True):
            digits = 0 if meaning == "input" else 1
            lines = [f"{value + 0.0:.{digits}f}".replace("-", "−") for value in numbers]
            sheet.box((column, middle[name]), lines, meaning, half, high[name])
            if above:
                foot = middle[name] + high[name] / 2
                sheet.arrow((column, foot), (column, foot + gap))
                sheet.text((column + 0.13, foot + gap / 2), f"${above}$", "muted")
    for before, after in pairwise(columns):
        sheet.arrow((before + half, middle["h"]), (after - half, middle["h"]))
        sheet.text(((before + after) / 2, middle["h"] + 0.14), "$W$", "muted")
    for column, read, target in zip(columns, word, targets, strict=False):
        sheet.text((column, 0.16), read, "input", weight="bold")
        at = (column + half + 0.1, middle[r"\hat{y}"] + _row(target, len(letters)))
        sheet.axes.plot(*at, marker="D", color=colour("target"), markersize=5)
    return sheet.figure


def _row(i, n):
    """Return the height of line `i` of `n` above their middle."""
    return ((n - 1) / 2 - i) * _LINE


class _Sheet:
    """A figure whose coordinates are inches."""

    def __init__(self, width, height):
        self.figure = Figure(figsize=(width, height))
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self.axes.set_axis_off()

    def text(self, at, words, meaning="ink", align="center", size=11, weight="normal"):
        """Write words in the color of the quantity they name."""
        look = {"color": colour(meaning), "size": size, "weight": weight}
        self.axes.text(*at, words, ha=align, va="center_baseline", **look)

    def arrow(self, start, end):
        """Draw an arrow between two points."""
        look = {"arrowstyle": "-|>", "mutation_scale": 7, "shrinkA": 0, "shrinkB": 0}
        edge = {"linewidth": 0.9, "color": colour("edge"), "zorder": 1}
        self.axes.add_patch(FancyArrowPatch(start, end, **look, **edge))

    def box(self, at, lines, meaning, half, high):
        """Draw a box of numbers, one below the other; the box of a state is round."""
        corner = (at[0] - half, at[1] - high / 2)
        radius = 0.14 if meaning == "state" else 0.04
        look = {"facecolor": colour("paper"), "edgecolor": colour(meaning), "linewidth": 1.1}
        shape = f"round,pad=0,rounding_size={radius}"
        self.axes.add_patch(
            FancyBboxPatch(corner, 2 * half, high, boxstyle=shape, zorder=2, **look)
        )
        for i, words in enumerate(lines):
            self.text((at[0], at[1] + _row(i, len(lines))), words)
