"""Boxes of numbers, arrows and tiles on a sheet whose coordinates are inches."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from rnn_helpers.palette import colour
from rnn_helpers.validate import as_list

FONT = 11
LINE = 0.21  # inches from one number to the next below
_MOST = 8  # boxes beside each other whose numbers can still be read
_SYMBOLS = {"y": r"\hat{y}"}


def signed(value, digits):
    """Number with a true minus sign."""
    return f"{value + 0.0:.{digits}f}".replace("-", "−")


def row(i, n):
    """Height of line `i` of `n` above their middle."""
    return ((n - 1) / 2 - i) * LINE


def check_few(sizes):
    """Raise an error that names what has more numbers than can be drawn beside each other."""
    for name, size in sizes.items():
        if size > _MOST:
            raise ValueError(f"{name} has {size} entries; at most {_MOST} can be drawn as numbers")


def names_of(argument, names, n):
    """Names of n units, which by default are numbered from 1, or an error."""
    if names is None:
        return [str(i + 1) for i in range(n)]
    names = as_list(argument, names)
    if len(names) != n:
        raise ValueError(f"{argument} has {len(names)} names; expected {n}")
    return [str(name) for name in names]


def symbol(name, below=None, above=None):
    """Formula of a quantity, with an index below and a time above."""
    below = "" if below is None else rf"_{{\mathrm{{{below}}}}}"
    above = "" if above is None else f"^{{({above})}}"
    return f"${_SYMBOLS.get(name, name)}{below}{above}$"


class Sheet:
    """A figure whose coordinates are inches."""

    def __init__(self, width, height):
        self.figure = Figure(figsize=(width, height))
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, height))
        self.axes.set_axis_off()

    def text(self, at, words, meaning="ink", align="center", size=FONT, weight="normal"):
        """Words in the colour of what they name."""
        self.axes.text(
            *at,
            words,
            color=colour(meaning),
            ha=align,
            va="center_baseline",
            size=size,
            weight=weight,
        )

    def line(self, start, end, ink, width=1.0, dashed=False):
        """Line between two points."""
        ends = np.transpose([start, end])
        self.axes.plot(
            *ends, color=ink, linewidth=width, dashes=(2.2, 1.3) if dashed else (), zorder=1
        )

    def arrow(self, start, end, gradient=None):
        """Arrow forwards, or backwards in the gradient's colour and as thick as it is large."""
        back = gradient is not None
        width = min(0.9 + 1.8 * np.linalg.norm(gradient), 6) if back else 0.9
        self.axes.add_patch(
            FancyArrowPatch(
                *((end, start) if back else (start, end)),
                arrowstyle="-|>",
                mutation_scale=8 + width if back else 7,
                shrinkA=0,
                shrinkB=0,
                linewidth=width,
                color=colour("gradient" if back else "edge"),
                alpha=0.75 if back else 1,
                zorder=1,
            )
        )

    def box(
        self, at, lines, meaning, half, high, *, round_=False, strong=False, fill=0.0, size=FONT
    ):
        """Box of numbers or words, one below the other; `fill` is the share that is filled."""
        corner = (at[0] - half, at[1] - high / 2)
        shape = f"round,pad=0,rounding_size={0.14 if round_ else 0.04}"
        outline = FancyBboxPatch(
            corner,
            2 * half,
            high,
            boxstyle=shape,
            facecolor=colour("paper"),
            edgecolor=colour(meaning),
            linewidth=2.4 if strong else 1.1,
            zorder=2,
        )
        self.axes.add_patch(outline)
        level, alpha = (1, 0.12) if meaning == "gradient" else (fill, 0.3)
        tint = {"facecolor": colour(meaning), "alpha": alpha, "zorder": 2}
        shade = self.axes.add_patch(Rectangle(corner, 2 * half, level * high, **tint))
        shade.set_clip_path(outline)
        for i, entry in enumerate(lines):
            words = entry if isinstance(entry, str) else signed(entry, 2)
            ink = meaning if meaning == "gradient" else "ink"
            place = (at[0], at[1] + row(i, len(lines)))
            self.text(place, words, ink, size=size, weight="bold" if strong else "normal")

    def tile(self, at, side, matrix, limit):
        """Matrix as squares: their area is the size of an entry, hollow ones are negative."""
        corner = (at[0] - side / 2, at[1] - side / 2)
        empty = matrix is None
        frame = {"facecolor": "none", "edgecolor": colour("edge"), "linewidth": 0.8}
        self.axes.add_patch(Rectangle(corner, side, side, linestyle=":" if empty else "-", **frame))
        if empty:
            return
        cell = side / max(matrix.shape)
        for (i, j), value in np.ndenumerate(matrix):
            edge = 0.86 * cell * np.sqrt(abs(value) / limit)
            middle = (corner[0] + (j + 0.5) * cell, corner[1] + side - (i + 0.5) * cell)
            self.axes.add_patch(
                Rectangle(
                    (middle[0] - edge / 2, middle[1] - edge / 2),
                    edge,
                    edge,
                    facecolor=colour("gradient") if value > 0 else "none",
                    edgecolor=colour("gradient"),
                    linewidth=1.1,
                )
            )
