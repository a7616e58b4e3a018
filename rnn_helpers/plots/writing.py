"""Texts that networks write, and how they come about."""

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style
from rnn_helpers.plots.words import number
from rnn_helpers.validate import (
    as_count,
    as_kind,
    as_list,
    as_number,
    as_real,
    brief,
)

_LINES = 9  # of a text
_BARS = 10
_SIGNS = {" ": "␣", "\n": "↵"}
_WORDS = {" ": "a space", "\n": "an end of line"}


def written_texts(texts, yhat, symbols, *, temperature=1.0, chosen=None):
    """Draw the ends of texts side by side, and what a character was drawn from.

    Parameters
    ----------
    texts : dict of str to str
        One to three texts by name.
    yhat : array_like, shape (n,)
        Probabilities of the next character; above 0 somewhere.
    symbols : sequence of str
        The n characters.
    temperature : float
        The bars show the probabilities at this temperature; at 0 the most likely gets all.
    chosen : int, optional
        Place of the character that came next, to mark.
    """
    as_kind("texts", texts, dict, "a dict from names to texts")
    if not 1 <= len(texts) <= 3:
        raise ValueError(f"texts has {len(texts)} entries; expected one to three")
    for name, text in texts.items():
        as_kind(f"texts[{name!r}]", text, str, "a string")
    yhat, symbols = as_real("yhat", yhat), as_list("symbols", symbols)
    symbols = [as_kind("symbols", symbol, str, "strings") for symbol in symbols]
    if yhat.shape != (len(symbols),) or not (yhat >= 0).all() or not yhat.any():
        raise ValueError(
            f"yhat is {brief(yhat)}; expected a probability for each of {len(symbols)} symbols"
        )
    expected = "a finite number of at least 0"
    as_number("temperature", temperature, expected, lambda heat: 0 <= heat < np.inf)
    if chosen is not None and as_count("chosen", chosen, 0) >= len(yhat):
        raise ValueError(f"chosen is {chosen}; expected a place from 0 to {len(yhat) - 1}")
    heights = yhat / yhat.max()
    after = heights ** (1 / temperature) if temperature else np.arange(len(yhat)) == yhat.argmax()
    yhat, after = yhat / yhat.sum(), after / after.sum()
    order = np.argsort(-yhat, kind="stable")[:_BARS]
    places = np.arange(len(order))
    with style():
        figure = Figure(figsize=(WIDTH, 3.6), layout="constrained")
        rows = figure.add_gridspec(2, len(texts), height_ratios=(4, 3))
        for i, (name, text) in enumerate(texts.items()):
            axes = figure.add_subplot(rows[0, i])
            axes.set_axis_off()
            axes.set_title(name)
            axes.text(
                0, 1, _end(text, 74 // len(texts) - 2), va="top", family="DejaVu Sans Mono",
                size=8, linespacing=1.35, transform=axes.transAxes, parse_math=False,
            )  # fmt: skip
        axes = figure.add_subplot(rows[1, :])
        ink = colour("output")
        axes.bar(places - 0.2, yhat[order], 0.36, fill=False, edgecolor=ink, label="as it is")
        axes.bar(
            places + 0.2, after[order], 0.36, color=ink, label=f"at temperature {temperature:g}"
        )
        axes.set_xticks(places, [_SIGNS.get(symbols[i], symbols[i]) for i in order], size=11)
        for tick, i in zip(axes.get_xticklabels(), order, strict=True):
            tick.set_parse_math(False)
            if i == chosen:
                tick.set_bbox({"facecolor": "none", "edgecolor": colour("accent"), "pad": 2.5})
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.legend(loc="upper right")
        told = [
            f"{_WORDS.get(symbols[i], symbols[i])} {number(yhat[i])} and {number(after[i])}"
            for i in order[:3]
        ]
        said = (
            f" {_WORDS.get(symbols[chosen], symbols[chosen])} was written."
            if chosen is not None
            else ""
        )
        ends = "; ".join(
            f"{name}: … {' '.join(text[-60:].split())}" for name, text in texts.items()
        )
        return Plot(
            figure,
            f"The ends of {len(texts)} texts. {ends}. The most likely next characters, as "
            f"they are and at temperature {temperature:g}: {', '.join(told)}.{said}",
        )


def _end(text, wide):
    """The last lines of a text, none of them too wide."""
    lines = [
        piece
        for line in text.split("\n")
        for piece in textwrap.wrap(line, wide, drop_whitespace=False, replace_whitespace=False)
        or [""]
    ]
    # What would be an empty page is seen to be written.
    return "\n".join(line.replace(" ", "·") if line.isspace() else line for line in lines[-_LINES:])
