"""A memory of texts, with cells as dark as their weights, and the reading."""

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.validate import as_count, as_kind, as_list, as_real

_MONO = FontProperties(family="DejaVu Sans Mono", weight="bold")
_BESIDE = 7.5  # room for the bars, in columns
_HIGH = 2  # height of the reading, in lines
_LEAST = 0.03  # letters with a smaller share are not drawn


def addressed_cells(cells, weights, read, letters, *, key=None, verse=None):
    """Draw a memory of texts, the weight of each cell, and the reading.

    Parameters
    ----------
    cells : sequence of sequence of str
        The texts of the n cells, line by line.
    weights : array_like, shape (n,)
        Weights from 0 to 1.
    read : array_like, shape (places, m)
        Shares of the m letters at each place, from 0 to 1, drawn as their heights.
    letters : sequence of str
    key : str, optional
    verse : int, optional
        Number of lines per verse.
    """
    lines = [
        [as_kind("cells", text, str, "lines of strings") for text in as_list("cells", line)]
        for line in as_list("cells", cells)
    ]
    texts = [text for line in lines for text in line]
    if not all(texts) or not texts or not all(lines):
        raise ValueError("cells has a line or a text that is empty; expected letters in each")
    weights = as_real("weights", weights)
    if weights.shape != (len(texts),):
        raise ValueError(
            f"weights has shape {weights.shape}; expected ({len(texts)},), one per text in cells"
        )
    if not (weights.min() >= -1e-9 and weights.max() <= 1 + 1e-9):
        raise ValueError(f"weights are {weights.min()} to {weights.max()}; expected 0 to 1")
    weights = np.clip(weights, 0, 1)
    letters = [as_kind("letters", one, str, "strings") for one in as_list("letters", letters)]
    read = as_real("read", read)
    if read.ndim != 2 or read.shape[1] != len(letters) or not read.size:
        raise ValueError(f"read has shape {read.shape}; expected (places, {len(letters)})")
    if read.min() < -1e-9 or read.max() > 1 + 1e-9:
        raise ValueError(f"read runs from {read.min()} to {read.max()}; expected shares")
    if key is not None:
        as_kind("key", key, str, "a string")
    verse = len(lines) if verse is None else as_count("verse", verse)
    wide = max(sum(map(len, line)) for line in lines)
    tops = np.array([i + 0.4 * (i // verse) for i in range(len(lines))])
    low = tops[-1] + 1 + 1.4 + _HIGH
    with style():
        figure, axes = subplots(1, 1, width=WIDTH, height=0.42 + 0.2 * low)
        axes.set(xlim=(0, wide + _BESIDE), ylim=(low + 0.1, -0.1))
        axes.set_axis_off()
        axes.set_title(_title(texts, key))
        rest = iter(weights)
        for line, top in zip(lines, tops, strict=True):
            own = [next(rest) for _ in line]
            _line(axes, line, own, top)
            _bar(axes, sum(own), wide + 0.8, top)
        axes.text(wide + 0.8, 1.02, "weight of the line", transform=axes.get_xaxis_transform(),
                  va="bottom", size=9, color=colour("muted"))  # fmt: skip
        _read(axes, np.clip(read, 0, 1), letters, wide, low)
        return Plot(figure, _alt(texts, weights, read, letters, key))


def _title(texts, key):
    return f"{counted(len(texts), 'cell')}" + (f", looked up by “{key}”" if key else "")


def _line(axes, texts, weights, top):
    start = 0
    for text, weight in zip(texts, weights, strict=True):
        box = {"xy": (start + 0.06, top + 0.06), "width": len(text) - 0.12, "height": 0.88}
        shade = float(np.sqrt(weight))
        ink = colour("paper" if shade > 0.55 else "ink")
        axes.add_patch(Rectangle(**box, fc=colour("surface"), ec="none"))
        axes.add_patch(Rectangle(**box, fc=colour("memory"), ec="none", alpha=shade))
        for i, letter in enumerate(text):
            axes.text(start + i + 0.5, top + 0.5, letter, ha="center", va="center_baseline",
                      family="DejaVu Sans Mono", size=10, color=ink, parse_math=False)  # fmt: skip
        start += len(text)


def _bar(axes, weight, x, top):
    box = {"xy": (x, top + 0.22), "height": 0.56}
    room = _BESIDE - 1
    axes.add_patch(Rectangle(width=room, **box, fill=False, ec=colour("grid"), lw=0.8))
    axes.add_patch(Rectangle(width=room * min(weight, 1), **box, fc=colour("memory")))


def _read(axes, read, letters, wide, low):
    """Stack letters at each place, the largest at the bottom; a blank leaves its share empty."""
    column = min(1.8, wide / len(read)) if len(read) < wide / 1.8 else wide / len(read)
    axes.text(0, low - _HIGH - 0.15, "the reading", size=9, color=colour("muted"), va="bottom")
    axes.plot([0, column * len(read)], [low, low], color=colour("edge"), lw=0.9)
    for place, shares in enumerate(read):
        foot = low
        for k in np.argsort(-shares, kind="stable"):
            high = _HIGH * shares[k]
            if shares[k] >= _LEAST and letters[k].strip():
                _letter(axes, letters[k], (place + 0.5) * column, foot, column, high, shares[k])
            foot -= high


def _letter(axes, letter, x, foot, column, high, share):
    path = TextPath((0, 0), letter, size=1, prop=_MONO)
    box = path.get_extents()
    scale = Affine2D().translate(-(box.x0 + box.x1) / 2, -box.y0)
    scale = scale.scale(column / 0.68, -0.94 * high / box.height).translate(x, foot)
    axes.add_patch(PathPatch(scale.transform_path(path), fc=colour("memory"), ec="none",
                             alpha=0.35 + 0.65 * min(share, 1)))  # fmt: skip


def _alt(texts, weights, read, letters, key):
    first = weights.argmax()
    most = [letters[k] if 2 * shares.sum() >= 1 else " "
            for k, shares in zip(read.argmax(axis=1), read, strict=True)]  # fmt: skip
    same = np.isclose(weights, weights[first], rtol=1e-6, atol=0).sum() - 1
    others = f", the same as {counted(same, 'other')}" if same else ""
    return (
        f"A memory of {_title(texts, key)}. The largest weight is {number(weights[first])}, that "
        f"of the cell “{texts[first]}”{others}. The reading: {''.join(most).strip() or 'nothing'}."
    )
