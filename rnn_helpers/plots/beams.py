"""A tree of outputs with two symbols, and the part of it that a beam search keeps."""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots, unframed
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_count, as_kind, as_number, brief

_EXPECTED = "a dict from each first symbol to its probability and a dict of second symbols"


def beam_tree(tree: dict, width: int):
    """Draw the outputs of two symbols as a tree, with the greedy path and the most likely one.

    Parameters
    ----------
    tree : dict of str to (float, dict of str to float)
        For each first symbol its probability, and the probabilities of the symbols after it.
    width : int
        Number of beginnings that the beam search keeps; their nodes are filled.

    Returns
    -------
    Plot
    """
    p, width = _probabilities(tree), as_count("width", width)
    total = {path: p[path] * p[path[:1]] for path in p if len(path) == 2}
    after = {one: [path for path in total if path[:1] == one] for one in p if len(one) == 1}
    kept = _largest(after, p, width)
    ended = _largest([path for one in kept for path in after[one]], total, width)
    (greedy,) = _largest(after[_largest(after, p, 1)[0]], p, 1)
    (likely,) = _largest(total, total, 1)
    place = {path: (2, -i) for i, path in enumerate(total)}
    place |= {one: (1, np.mean([place[path][1] for path in after[one]])) for one in after}
    place[()] = (0, np.mean([place[one][1] for one in after]))
    with style():
        figure, axes = subplots(width=WIDTH, height=0.7 + 0.32 * len(total))
        unframed(axes, xlim=(-0.2, 3.75), ylim=(0.6 - len(total), 1.1), xticks=(), yticks=())
        for path in p:
            ends = np.array([place[path[:-1]], place[path]])
            on_likely, on_greedy = (way[: len(path)] == path for way in (likely, greedy))
            axes.plot(
                *ends.T,
                color=colour("accent" if on_likely else "ink" if on_greedy else "edge"),
                linestyle=(0, (2, 1)) if on_greedy and not on_likely else "-",
                linewidth=0.8 + 5 * p[path],
                zorder=1,
            )
            axes.text(
                *([0.4, 0.6] @ ends),
                f"{p[path]:g}",
                **{"ha": "center", "va": "center", "size": 10},
                bbox={"boxstyle": "round,pad=0.1", "facecolor": colour("paper"), "lw": 0},
            )
        for path, (x, y) in place.items():
            face = colour("output" if path in (*kept, *ended) else "paper")
            axes.plot(x, y, "o", color=colour("output"), markerfacecolor=face, markersize=7)
            if path in total:
                axes.text(x + 0.1, y, path[-1], va="center")
            else:
                axes.text(x, y + 0.36, path[-1] if path else "start", ha="center")
        for path, value in total.items():
            names = ["greedy"] * (path == greedy) + ["most likely"] * (path == likely)
            axes.text(
                *(2.8, place[path][1], "  ".join([f"{value:.2g}", *names])),
                va="center",
                color=colour("accent" if path == likely else "ink"),
                weight="bold" if names else "normal",
            )
        axes.text(2.8, 0.6, "probability")
        filled = f"filled: kept by a\nbeam of width {width}"
        axes.text(-0.15, 1 - len(total), filled, color=colour("muted"), size=10, va="center")
    starts = _listed(f"{one[0]} has probability {number(p[one])}" for one in after)
    said = [f"From the start, {starts}."]
    for one, paths in after.items():
        words, products = (
            _listed(path[1] for path in paths),
            [number(total[path]) for path in paths],
        )
        said.append(f"After {one[0]}, {words} lead to products of {_listed(products)}.")
    first, then = (_listed(map(" ".join, paths)) for paths in (kept, ended))
    return Plot(
        figure,
        f"A tree from left to right. {' '.join(said)} Greedy decoding ends at {' '.join(greedy)}; "
        f"the most likely output is {' '.join(likely)}. A beam of width {width} keeps {first}, "
        f"then {then}.",
    )


def _probabilities(tree):
    """Return the probability of the last symbol of every path, by path."""
    found = {}
    for first, branch in as_kind("tree", tree, Mapping, _EXPECTED).items():
        if not isinstance(branch, tuple) or len(branch) != 2 or not branch[1]:
            raise ValueError(f"tree has {brief(branch)}; expected {_EXPECTED}")
        found[first,] = branch[0]
        found |= {(first, second): p for second, p in branch[1].items()}
    for p in found.values():
        as_number("a probability in tree", p, "a number from 0 to 1", lambda p: 0 <= p <= 1)
    if not found:
        raise ValueError(f"tree is empty; expected {_EXPECTED}")
    return found


def _largest(paths, values, n):
    return sorted(paths, key=values.get, reverse=True)[:n]


def _listed(items):
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last
