"""A memory of texts, its cells as dark as their weights, and what is read by them."""

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.validate import as_choice, as_count, as_kind, as_list, as_real

_MONO = FontProperties(family="DejaVu Sans Mono", weight="bold")
_LARGE = 0.15  # a gradient of this size is as dark as can be, and fills half a bar
_BESIDE = 7.5  # room for the bars, in columns
_HIGH = 2  # of what is read, in lines
_LEAST = 0.03  # a letter of a smaller share is not drawn


def addressed_cells(cells, values, read, letters, *, shows="weights", key=None, verse=None):
    """Draw a memory of texts, a value for each of its cells, and what is read of them.

    Parameters
    ----------
    cells : sequence of sequence of str
        The texts of the n cells, line by line.
    values : array_like, shape (n,)
        Weights from 0 to 1; or gradients on scores, where a cell whose score is to fall is filled
        and one whose score is to rise is framed.
    read : array_like, shape (places, m)
        At each place the shares, from 0 to 1, of the m letters: each is drawn as high as it is.
    letters : sequence of str
    shows : {"weights", "gradient", "write"}
        What is drawn of the cells: "write" draws how much of each, ``1 - weight``, is still its
        own.
    key : str, optional
        What was looked for.
    verse : int, optional
        Lines that stand together.
    """
    as_choice("shows", shows, ("weights", "gradient", "write"))
    lines = [
        [as_kind("cells", text, str, "lines of strings") for text in as_list("cells", line)]
        for line in as_list("cells", cells)
    ]
    texts = [text for line in lines for text in line]
    if not all(texts) or not texts or not all(lines):
        raise ValueError("cells has a line or a text that is empty; expected letters in each")
    values = as_real("values", values)
    if values.shape != (len(texts),):
        raise ValueError(f"values has shape {values.shape}; expected ({len(texts)},), as the cells")
    if shows != "gradient" and not (values.min() >= -1e-9 and values.max() <= 1 + 1e-9):
        raise ValueError(
            f"values run from {values.min()} to {values.max()}; expected weights from 0 to 1"
        )
    letters = [as_kind("letters", one, str, "strings") for one in as_list("letters", letters)]
    read = as_real("read", read)
    if read.ndim != 2 or read.shape[1] != len(letters) or not read.size:
        raise ValueError(f"read has shape {read.shape}; expected (places, {len(letters)})")
    if read.min() < -1e-9 or read.max() > 1 + 1e-9:
        raise ValueError(f"read runs from {read.min()} to {read.max()}; expected shares")
    if key is not None:
        as_kind("key", key, str, "a string")
    verse = len(lines) if verse is None else as_count("verse", verse)
    values = values if shows == "gradient" else np.clip(values, 0, 1)
    wide = max(sum(map(len, line)) for line in lines)
    tops = np.array([i + 0.4 * (i // verse) for i in range(len(lines))])
    low = tops[-1] + 1 + 1.4 + _HIGH
    with style():
        figure, axes = subplots(1, 1, width=WIDTH, height=0.42 + 0.2 * low)
        axes.set(xlim=(0, wide + _BESIDE), ylim=(low + 0.1, -0.1))
        axes.set_axis_off()
        axes.set_title(_title(texts, key))
        rest = iter(values)
        for line, top in zip(lines, tops, strict=True):
            own = np.array([next(rest) for _ in line])
            _line(axes, line, own, top, shows)
            share = own.sum() if shows != "write" else _still_own(line, own)
            _bar(axes, share, wide + 0.8, top, shows)
        heading = {"weights": "weight", "gradient": "gradient", "write": "still its own"}[shows]
        axes.text(wide + 0.8, 1.02, heading, transform=axes.get_xaxis_transform(),
                  va="bottom", size=9, color=colour("muted"))  # fmt: skip
        _read(axes, np.clip(read, 0, 1), letters, wide, low)
        return Plot(figure, _alt(texts, values, read, letters, shows, key))


def _title(texts, key):
    return f"{counted(len(texts), 'cell')}" + (f", looked up by “{key}”" if key else "")


def _line(axes, texts, values, top, shows):
    start = 0
    for text, value in zip(texts, values, strict=True):
        box = {"xy": (start + 0.06, top + 0.06), "width": len(text) - 0.12, "height": 0.88}
        axes.add_patch(Rectangle(**box, fc=colour("surface"), ec="none"))
        size = abs(value) / _LARGE if shows == "gradient" else value
        shade = float(np.sqrt(min(size, 1)))
        filled = {"weights": 0.55, "gradient": 0.75, "write": 2}[
            shows
        ]  # so dark that letters are light
        ink = colour("paper" if value > 0 and shade > filled else "ink")
        if shows == "weights":
            axes.add_patch(Rectangle(**box, fc=colour("memory"), ec="none", alpha=shade))
        elif shows == "gradient":
            look = {"fc": colour("gradient"), "ec": "none"} if value > 0 else {
                "fc": "none", "ec": colour("gradient"), "lw": 1.2}  # fmt: skip
            axes.add_patch(Rectangle(**box, **look, alpha=shade))
        else:
            foot = box | {"xy": (start + 0.06, top + 0.82), "height": 0.12}
            foot["width"] *= 1 - value
            axes.add_patch(Rectangle(**foot, fc=colour("memory"), ec="none"))
        for i, letter in enumerate(text):
            axes.text(start + i + 0.5, top + 0.5, letter, ha="center", va="center_baseline",
                      family="DejaVu Sans Mono", size=10, color=ink, parse_math=False,
                      alpha=1 - value if shows == "write" else None)  # fmt: skip
        start += len(text)


def _still_own(texts, weights):
    many = np.array([len(text) for text in texts])
    return ((1 - weights) * many).sum() / many.sum()


def _bar(axes, value, x, top, shows):
    room = _BESIDE - 1
    box = {"height": 0.56}
    axes.add_patch(Rectangle((x, top + 0.22), room, **box, fill=False, ec=colour("grid"), lw=0.8))
    if shows == "gradient":
        end = room / 2 * np.clip(value / _LARGE, -1, 1)
        start = x + room / 2 + min(end, 0)
        axes.add_patch(Rectangle((start, top + 0.22), abs(end), **box, fc=colour("gradient")))
        axes.plot([x + room / 2] * 2, [top, top + 1], color=colour("edge"), lw=0.9)
    else:
        length = room * float(np.clip(value, 0, 1))
        axes.add_patch(Rectangle((x, top + 0.22), length, **box, fc=colour("memory")))


def _read(axes, read, letters, wide, low):
    """A stack at each place, the likeliest letter undermost; a blank leaves its share empty."""
    column = min(1.8, wide / len(read)) if len(read) < wide / 1.8 else wide / len(read)
    axes.text(0, low - _HIGH - 0.15, "what is read", size=9, color=colour("muted"), va="bottom")
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


def _alt(texts, values, read, letters, shows, key):
    order = np.argsort(-np.abs(values), kind="stable")
    first = order[0]
    what = {
        "weights": "The largest weight",
        "gradient": "The largest gradient on a score",
        "write": "A note is written with these weights, the largest of which",
    }[shows]
    most = [letters[k] if 2 * shares.sum() >= 1 else " "
            for k, shares in zip(read.argmax(axis=1), read, strict=True)]  # fmt: skip
    same = np.isclose(values, values[first], rtol=1e-6, atol=0).sum()
    others = (
        f", as {'have' if same > 2 else 'has'} {counted(same - 1, 'other')}" if same > 1 else ""
    )
    return (
        f"A memory of {counted(len(texts), 'cell')}"
        + (f", looked up by “{key}”" if key else "")
        + f". {what} is {number(values[first])}, of the cell “{texts[first]}”{others}. "
        + f"What is read: {''.join(most).strip() or 'nothing'}."
    )
