"""The attention weights of a decoder."""

import numpy as np
from matplotlib.colors import to_rgb

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_kind, as_list, as_real, brief


def attention_weights(weights, read, written, right=None, *, names=("read", "written")):
    """Draw attention weights: a row for each step, a column for each input symbol.

    Parameters
    ----------
    weights : array_like, shape (T, m)
        From 0 to 1.
    read, written : sequence of str
        The m input symbols and the T output symbols; a string stands for its characters.
    right : dict of str to float, optional
        Shares from 0 to 1 for the title, by their names.
    names : (str, str)
        Labels of the columns and of the rows.

    Returns
    -------
    Plot
    """
    weights = as_real("weights", weights)
    if weights.ndim != 2 or not weights.size:
        raise ValueError(f"weights has shape {weights.shape}; expected (T, m)")
    if weights.min() < 0 or weights.max() > 1 + 1e-9:
        raise ValueError(f"weights run from {weights.min()} to {weights.max()}; expected 0 to 1")
    for name, symbols, n in (("read", read, weights.shape[1]), ("written", written, len(weights))):
        many = len([as_kind(name, one, str, "strings") for one in as_list(name, symbols)])
        if many != n:
            raise ValueError(f"{name} has {many} symbols; expected {n}, as weights has")
    if len(as_list("names", names)) != 2:
        raise ValueError(f"names is {brief(names)}; expected two, of columns and of rows")
    across, down = (as_kind("each of names", name, str, "a string") for name in names)
    T, m = weights.shape
    right = as_kind("right", {} if right is None else right, dict, "a dict of names and shares")
    shares = "; ".join(f"{name} {_share(name, share):.0%}" for name, share in right.items())
    with style():
        figure, axes = subplots(1, 1, width=WIDTH, height=0.9 + 0.24 * T + 0.3 * bool(shares))
        if shares:
            figure.suptitle(f"correct: {shares}")
        shades = np.zeros((T, m, 4))
        shades[..., :3] = to_rgb(colour("memory"))
        shades[..., 3] = weights
        axes.imshow(shades, aspect="auto")
        axes.set_xticks(
            range(m), [symbol.replace(" ", "␣" if symbol == " " else "\n") for symbol in read]
        )
        axes.set_yticks(range(T), list(written))
        axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        axes.grid(visible=False)
        axes.set(xlabel=across, ylabel=down)
        axes.xaxis.set_label_position("top")
        most = weights.argmax(axis=1)
        looks = "; ".join(
            f"{symbol} at {read[k]} {number(weights[t, k])}"
            for t, (symbol, k) in enumerate(zip(written, most, strict=True))
        )
        return Plot(
            figure,
            f"Weights of {m} symbols ({across}), at {T} steps ({down})."
            + bool(shares) * f" Correct: {shares}."
            + f" A sample: The largest weight of each step: {looks}.",
        )


def _share(name, value):
    share = as_real(f"right[{name!r}]", value)
    if share.ndim or not 0 <= share <= 1:
        raise ValueError(f"right[{name!r}] is {share}; expected a share, from 0 to 1")
    return float(share)
