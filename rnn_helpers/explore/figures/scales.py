"""The figure *scales*: what a leak, a skip and a clock leave of a value."""

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import clock_moves, running_average, skip_gradient


def poster(state):
    """Draw the figure in a complete state."""
    kind, n, w, p = (state[key] for key in ("kind", "span", "w", "p"))
    k, at = np.arange(n + 1), min(state["back"], n)
    if kind == "leak":
        alpha, other = state["alpha"], state["other"]
        left = running_average(np.append(1.0, np.zeros(n)), [alpha, other])
        names = f"α = {alpha:g}", f"α = {other:g}" + (", too" if alpha == other else "")
        return plots.time_scales(
            dict(zip(names, left.T, strict=True)),
            compare={"best α": (k / (k + 1)) ** k / (k + 1)},
            at=at,
            title="what a value leaves in the unit now",
        )
    if kind == "skip":
        skip, d = state["skip"], state["d"]
        units = {f"with a skip over {d}": skip_gradient(w, skip, d, n), "w alone": w**k}
        arcs = [(i, i + d) for i in range(n - d + 1)]
        return plots.time_scales(
            units, arcs=arcs, one_step=w > 0, compare={"skips alone": skip ** (k / d)}, at=at
        )
    moves = clock_moves([p], constants("scales").NOW)[::-1, 0][: n + 1]
    ticks = np.append(0, np.cumsum(moves)[:n])
    arcs = [(i, i + p) for i in np.flatnonzero(moves) if i + p <= n]
    units = {f"period {p}": w**ticks, "period 1": w**k}
    return plots.time_scales(units, arcs=arcs, heard=moves, at=at)
