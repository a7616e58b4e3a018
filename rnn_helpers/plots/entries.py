"""Ways for a context to enter a network that generates a sequence."""

import numpy as np
from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots
from rnn_helpers.plots.words import counted
from rnn_helpers.validate import as_kind, as_list, as_real

_MOST = 12  # tokens in a row

_KINDS = {"x": "input", "h": "state", "y": "output"}
_AT = {"x": (1, 0), "h0": (0, 1), "h1": (1, 1), "h2": (2, 1), "y1": (1, 2), "y2": (2, 2)}
_LOOP = {
    ("h0", "h1"): "W",
    ("h1", "h2"): "W",
    ("h1", "y1"): "V",
    ("h2", "y2"): "V",
    ("y1", "h2"): "U",
}
_WAYS = {"every step": ["h1", "h2"], "first state": ["h0"], "both": ["h0", "h1", "h2"]}


def vector_entries():
    """Draw three ways for a vector to enter a recurrent network: every step, first state, both."""
    with style():
        figure, axes = subplots(1, 3, width=6.6, height=2.7)
        for each, (name, entered) in zip(axes.ravel(), _WAYS.items(), strict=True):
            ways = _LOOP | {("x", state): "S" if state == "h0" else "R" for state in entered}
            for (start, end), letter in ways.items():
                _arrow(each, _AT[start], _AT[end], letter, "input" if start == "x" else "edge")
            for node, xy in _AT.items():
                kind = colour(_KINDS[node[0]])
                label = "$x$" if node == "x" else f"${node[0]}^{{({node[1]})}}$"
                box = {"boxstyle": "circle,pad=0.15", "facecolor": "none", "edgecolor": kind}
                each.text(*xy, label, color=kind, ha="center", va="center", bbox=box)
            _bare(each, (-0.4, 2.4), (-0.35, 2.4))
            each.set(title=name)
        return Plot(figure, _ALT)


def _arrow(axes, start, end, letter, kind):
    arrow = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 13, "shrinkB": 13}
    axes.add_patch(FancyArrowPatch(start, end, color=colour(kind), **arrow))
    (x0, y0), (x1, y1) = start, end
    place = [(x0 + x1) / 2, (y0 + y1) / 2]
    if x0 == x1:
        place[0] += 0.14
    elif y0 == y1:
        place[1] += 0.15
    else:  # beside an oblique arrow, away from the middle of the drawing
        place = [each + 0.14 * np.sign(each - 1) for each in place]
    shade = colour("input" if kind == "input" else "parameter")
    axes.text(*place, f"${letter}$", color=shade, ha="center", va="center")


def _bare(axes, xlim, ylim):
    axes.set(xlim=xlim, ylim=ylim, xticks=(), yticks=())
    axes.spines[:].set_visible(False)
    axes.grid(False)


_ALT = (
    "Three drawings of the same network with two steps. The states h0, h1 and h2 stand in a row; "
    "each state leads to the next through W, h1 and h2 lead to the outputs y1 and y2 through V, "
    "and y1 also leads to h2 through U. Below stands the vector x. At every step: x leads to h1 "
    "and h2 through R. First state: x leads only to h0, through S. Both: x leads to all three "
    "states."
)


def prompted_answer(pictures, prompt, answer):
    """Draw how a Transformer writes an answer after image tokens and a prompt.

    Parameters
    ----------
    pictures : array_like, shape (n, H, W)
        Patches of an image, from 0, the paper, to 1.
    prompt, answer : sequence of str
        Tokens. All three together are 13 at most, and none is empty.
    """
    pictures = as_real("pictures", pictures)
    if pictures.ndim != 3 or not pictures.size:
        raise ValueError(f"pictures has shape {pictures.shape}; expected (n, H, W)")
    prompt, answer = _as_tokens("prompt", prompt), _as_tokens("answer", answer)
    read = [*prompt, *answer[:-1]]
    if len(pictures) + len(read) > _MOST:
        raise ValueError(
            f"pictures, prompt and answer have {len(pictures)}, {len(prompt)} and {len(answer)} "
            f"entries; expected {_MOST + 1} at most"
        )
    first = len(pictures) + len(prompt) - 1  # the column that predicts the first word
    with style():
        figure, axes = subplots(width=7.2, height=3.4)
        for s, picture in enumerate(pictures):
            place = (s - 0.38, s + 0.38, -0.32, 0.32)
            shades = {"cmap": COLOUR_MAPS["amount", "light"], "vmin": 0, "vmax": 1}
            axes.imshow(picture, extent=place, aspect="auto", **shades)
        for t, word in enumerate(answer, first):
            kind = "state" if t == first + len(answer) - 1 else "grid"
            for s in range(t + 1):
                _link(axes, (s, 0.32), (t, 1.6), kind)
            _link(axes, (t, 1.6), (t, 2.35), "edge")
            axes.plot(t, 1.6, "o", color=colour("state"), markersize=9, zorder=3)
            axes.text(t, 2.5, word, color=colour("output"), **_BOX)
        for s, word in enumerate(read, len(pictures)):
            axes.text(s, 0, word, color=colour("input" if s <= first else "output"), **_BOX)
        start = -0.4
        parts = {"image tokens": pictures, "prompt": prompt, "words so far": answer[:-1]}
        for name, tokens in parts.items():
            if len(tokens):
                end = start + len(tokens) - 0.2
                axes.plot([start, end], [-0.5, -0.5], color=colour("edge"))
                axes.text((start + end) / 2, -0.72, name, ha="center", va="center")
                start = end + 0.2
        _bare(axes, (-0.6, start - 0.2), (-0.95, 2.8))
        return Plot(figure, _answer_alt(len(pictures), prompt, answer))


def _as_tokens(name, value):
    tokens = as_list(name, value)
    for token in tokens:
        as_kind(name, token, str, "a string")
    if not tokens:
        raise ValueError(f"{name} is empty; expected one token or more")
    return tokens


def _link(axes, start, end, kind):
    arrow = {"arrowstyle": "-|>", "mutation_scale": 8, "shrinkA": 2, "shrinkB": 6}
    arrow |= {"linewidth": 0.7, "zorder": 1} if kind == "grid" else {"zorder": 2}
    axes.add_patch(FancyArrowPatch(start, end, color=colour(kind), **arrow))


def _answer_alt(n, prompt, answer):
    return (
        f"A row of tokens: {counted(n, 'image token')}, the prompt "
        f"{' '.join(prompt)}, and the words so far, {' '.join(answer[:-1]) or 'none'}. Above them "
        f"are the states that predict the answer, {' '.join(answer)}. Each state receives arrows "
        "from all tokens up to its own position, and no state leads to another."
    )


_BOX = {
    "ha": "center",
    "va": "center",
    "family": "monospace",
    "bbox": {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": colour("edge")},
}
