"""Texts that networks write: how they come about, and what becomes of them."""

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import BAND, line_looks, logarithmic, name_rule, rule
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import (
    as_count,
    as_kind,
    as_list,
    as_number,
    as_real,
    as_rows,
    brief,
)

_SHARES = {"words": "output", "pairs": "target", "brackets": "state"}
_NAMES = {"words": "words", "pairs": "pairs of words", "brackets": "closed brackets"}
_DOTS = (0, (1.2, 1.6))
_LINES = 9  # of a text
_BARS = 10
_SIGNS = {" ": "␣", "\n": "↵"}
_WORDS = {" ": "a space", "\n": "an end of line"}


def training_stages(rows):
    """Draw how well a network predicts, and how much of what it writes the text has, by training.

    Parameters
    ----------
    rows : sequence of dict
        A stage each, with ``steps``, one number for each network in ``bits``, ``words``, ``pairs``
        and ``brackets``, and in ``text`` the shares of the text itself, as those of the experiment
        ``training-stages``.

    Returns
    -------
    Plot
        Means over the networks, with bands from the least to the largest; the text's own dashed.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, or a key is missing.
    """
    rows = as_rows(rows, ("steps", "bits", "text", *_SHARES))
    steps = as_real("rows['steps']", [row["steps"] for row in rows])
    if not (steps > 0).all():
        raise ValueError(f"rows['steps'] are {brief(steps)}; expected numbers above 0")
    order = np.argsort(steps)
    rows, steps = [rows[i] for i in order], steps[order]
    own = as_rows([rows[0]["text"]], _SHARES)[0]
    own = {key: float(as_real(f"rows['text'][{key!r}]", own[key])) for key in _SHARES}
    told = []
    with style():
        figure, (left, right) = subplots(1, 2, height=3.2)
        panels = [(left, "bits", "loss"), *((right, *share) for share in _SHARES.items())]
        for axes, key, kind in panels:
            each = _each(rows, key)
            (look,) = line_looks([kind], 1)
            ends = each.min(axis=1), each.max(axis=1)
            axes.fill_between(steps, *ends, color=look["color"], alpha=BAND, linewidth=0)
            axes.plot(steps, each.mean(axis=1), **look, label=_NAMES.get(key))
            if key in own:
                axes.axhline(own[key], color=look["color"], lw=1.2, linestyle=_DOTS)
            told.append(
                f"{_NAMES.get(key, 'bits a character')} "
                + ", ".join(map(number, each.mean(axis=1)))
                + (f", in the text {number(own[key])}" if key in own else "")
            )
        left.set_title("bits a character")
        left.set_ylim(0)
        right.set_title("share of what is written")
        right.set_ylim(0, 1)
        right.yaxis.set_major_formatter(PercentFormatter(1))
        for axes in (left, right):
            logarithmic(axes, "x")
            axes.set_xticks(steps, [f"{step:g}" for step in steps], minor=False)
        right.plot([], [], color=colour("muted"), lw=1.2, linestyle=_DOTS, label="text")
        figure.supxlabel("minibatches", size=11)
        figure.legend(
            *right.get_legend_handles_labels(),
            loc="outside upper right",
            ncols=4,
            columnspacing=1.2,
        )
        after = ", ".join(f"{step:g}" for step in steps)
        return Plot(figure, f"After {after} minibatches: {'; '.join(told)}.")


def fed_back(rows):
    """Draw how many texts end in a cycle, and how much in them is distinct, by temperature.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``network``, ``temperature``, one number for each network in ``loops`` and
        ``distinct``, and in ``text`` the text's own share of distinct pieces, as those of the
        experiment ``greedy-loops``.

    Returns
    -------
    Plot
        Means over the networks, with bands from the least to the largest.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, or a key is missing.
    """
    rows = as_rows(rows, ("network", "temperature", "loops", "distinct", "text"))
    networks = list(dict.fromkeys(row["network"] for row in rows))
    text = float(as_real("rows['text']", rows[0]["text"]))
    told = []
    with style():
        figure, panels = subplots(1, 2, height=3.1)
        for network, look in zip(networks, line_looks(None, len(networks)), strict=True):
            mine = [row for row in rows if row["network"] == network]
            heat = as_real("rows['temperature']", [row["temperature"] for row in mine])
            for axes, key in zip(panels, ("loops", "distinct"), strict=True):
                each = _each(mine, key)
                ends = each.min(axis=1), each.max(axis=1)
                axes.fill_between(heat, *ends, color=look["color"], alpha=BAND, linewidth=0)
                axes.plot(heat, each.mean(axis=1), **look | {"marker": "o"}, label=network)
                told.append(
                    f"{network}, {'in cycles' if key == 'loops' else 'distinct'} "
                    + ", ".join(
                        f"{number(share)} at {h:g}"
                        for share, h in zip(each.mean(axis=1), heat, strict=True)
                    )
                )
        panels[0].set_title("texts that end in a cycle")
        panels[1].set_title("distinct pieces of 4")
        rule(panels[1], text)
        for axes in panels:
            axes.set_ylim(0, 1.02)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
        name_rule(panels[1], text, "the text")
        figure.supxlabel("temperature", size=11)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
        return Plot(
            figure,
            f"By temperature: {'; '.join(told)}. The text itself: {number(text)}.",
        )


def _each(rows, key):
    """Numbers of each row of a result, one for each network."""
    each = as_real(f"rows[{key!r}]", [row[key] for row in rows])
    if each.ndim != 2 or not each.size:
        raise ValueError(f"rows[{key!r}] has shape {each.shape}; expected one for each network")
    return each


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
        The bars beside show the probabilities at this temperature; at 0 the likeliest has all.
    chosen : int, optional
        Place of the character that came next, to mark.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there are no texts or more than three, a shape does not fit, a probability or the
        temperature is below 0, or there is no such place.
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
            f"The ends of {len(texts)} texts. {ends}. The likeliest characters to come next, as "
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
