"""Films: what came, and what a network said would come."""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_real

_MOST = 16  # frames that can be told from each other in a row


def film(true, predicted):
    """Draw the frames of a film, and below them those that were predicted for the same steps.

    Parameters
    ----------
    true : array_like, shape (T, H, W)
        Frames that came, 16 at most.
    predicted : array_like of the same shape, or mapping of str to such
        What was said of each before it came; of several networks, by name.

    Returns
    -------
    Plot
        With the mean squared error of each row at its right. Values below 0 look like 0, those
        above the largest true one, or above 1, like that.
    """
    true = as_real("true", true)
    if true.ndim != 3 or not true.size or len(true) > _MOST:
        raise ValueError(f"true has shape {true.shape}; expected (T, H, W), T at most {_MOST}")
    if not isinstance(predicted, Mapping):
        predicted = {"predicted": predicted}
    if not predicted:
        raise ValueError("predicted is empty; expected at least one film")
    rows = {name: as_real("predicted", film) for name, film in predicted.items()}
    for name, said in rows.items():
        if said.shape != true.shape:
            named = f" of {name!r}" if len(rows) > 1 else ""
            raise ValueError(f"predicted{named} has shape {said.shape}; expected {true.shape}")
    wrong = {name: ((said - true) ** 2).mean(axis=(1, 2)) for name, said in rows.items()}
    T, height, width = true.shape
    whole = T * (width + 1) - 1
    with style():
        row_height = 0.68 * WIDTH * height / whole
        figure, grid = subplots(1 + len(rows), height=(row_height + 0.12) * (1 + len(rows)) + 0.5)
        for axes, name, film in zip(grid, ["true", *rows], [true, *rows.values()], strict=True):
            strip = np.full((height, whole + 1), np.nan)  # a column of paper between two frames
            for t, frame in enumerate(film):
                strip[:, t * (width + 1) : (t + 1) * (width + 1) - 1] = frame
            axes.imshow(
                strip[:, :-1], cmap=COLOUR_MAPS["amount", "light"], vmin=0, vmax=max(1, true.max())
            )
            axes.set(yticks=[], xticks=[])
            axes.grid(False)
            axes.spines[:].set_visible(False)
            first = axes is grid[0]
            axes.set_ylabel(
                str(name).replace(" ", "\n"),
                color=colour("target" if first else "output"),
                rotation=0,
                ha="right",
                va="center",
            )
            error = "error" if first else number(wrong[name].mean())
            axes.text(1.02, 0.5, error, transform=axes.transAxes, va="center", color=colour("loss"))
        middles = np.arange(T) * (width + 1) + (width - 1) / 2
        grid[-1].set_xticks(middles, range(1, T + 1))
        grid[-1].tick_params(length=0)
        grid[-1].set_xlabel("frame")
        return Plot(figure, _alt(true, wrong))


def _alt(true, wrong):
    T, height, width = true.shape
    film = "One frame" if T == 1 else f"A film of {T} frames"
    said = "; ".join(
        f"{name}, mean squared error {number(each.mean())}"
        + (f", largest at frame {each.argmax() + 1}" if T > 1 else "")
        for name, each in wrong.items()
    )
    return f"{film} of {height} by {width} pixels, and below it what was predicted: {said}."
