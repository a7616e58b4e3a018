"""Drawings of binary trees over words, and of recursive networks: figure 10.14."""

from collections.abc import Mapping, Sequence

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots, unframed
from rnn_helpers.plots.words import counted
from rnn_helpers.reference.trees import nodes
from rnn_helpers.validate import as_kind, as_list, brief

_LONG = 6  # words with more letters are rotated
_MOST_LISTED = 4


def tree_graph(
    tree,
    words: Sequence,
    *,
    values: dict | None = None,
    title: str = "",
):
    """Draw a tree over a row of words, each node at its height above its deepest leaf.

    Parameters
    ----------
    tree : nested tuple
        A leaf is an integer, its place among the words; a node is a pair.
    words : sequence of str
        One for each leaf.
    values : dict of (int, int) to tuple of str and bool, optional
        For the leaves from ``start`` up to but not including ``stop``, the label of the node over
        them, and whether it is right.
    title : str

    Returns
    -------
    Plot
    """
    found = nodes(tree)
    words = _as_words(words, found)
    spans = {(node.start, node.stop): node for node in found}
    values = as_kind("values", {} if values is None else values, dict, "a dict of values by spans")
    for span, value in values.items():
        if span not in spans or not isinstance(value, tuple) or len(value) != 2:
            raise ValueError(
                f"values has {brief((span, value))}; expected a text and whether it is right, "
                f"for a node from start to stop"
            )
    with style():
        high = 0.8 + 0.22 * max(3, found[-1].height)
        figure, axes = subplots(width=WIDTH, height=min(high, 4.2))
        if title:
            axes.set_title(title)
        _draw(axes, found)
        for span, (value, right) in values.items():
            axes.text(
                *_spot(spans[span], found),
                value,
                ha="center",
                va="center",
                color=colour("ink" if right else "loss"),
                weight="normal" if right else "bold",
                bbox={
                    "boxstyle": "round,pad=0.2",
                    "facecolor": colour("paper"),
                    "edgecolor": colour("output" if right else "loss"),
                },
            )
        upright = max(map(len, words)) * len(words) > 60 or max(map(len, words)) > _LONG
        _write_words(axes, words, rotation=90 * upright)
        return Plot(figure, _alt(found, words, values))


def tree_row(trees: Mapping):
    """Draw several trees side by side, each over its own words.

    Parameters
    ----------
    trees : mapping of str to (nested tuple, sequence of str)
        A tree and its words, by title.

    Returns
    -------
    Plot
    """
    trees = as_kind("trees", trees, Mapping, "a dict of trees and their words by titles")
    drawn = {}
    for name, pair in trees.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ValueError(f"trees has {brief((name, pair))}; expected a tree and its words")
        found = nodes(pair[0])
        drawn[name] = found, _as_words(pair[1], found)
    if not drawn:
        raise ValueError("trees is empty; expected at least one tree")
    with style():
        figure, row = subplots(ncols=len(drawn), height=2.8, squeeze=False, sharey=True)
        alt = []
        for axes, (name, (found, words)) in zip(row[0], drawn.items(), strict=True):
            axes.set_title(f"{name}\ndepth {found[-1].height}")
            _draw(axes, found)
            _write_words(axes, words)
            parts = "; ".join(_part(node, words) for node in found if node.left is not None)
            alt.append(f"{name}, depth {found[-1].height}, nodes over {parts or 'nothing'}.")
        return Plot(figure, " ".join(alt))


def recursive_graph(tree, words: Sequence, values: Sequence):
    """Draw a recursive network over one tree, with a value at each leaf and node.

    Parameters
    ----------
    tree : nested tuple
        As for `tree_graph`.
    words : sequence of str
        One for each leaf.
    values : sequence of str
        Those of the leaves, then those of the nodes, children before parents.

    Returns
    -------
    Plot
    """
    found = nodes(tree)
    words = _as_words(words, found)
    values = [str(value) for value in as_list("values", values)]
    if len(values) != len(found):
        raise ValueError(f"values has length {len(values)}; expected {len(found)}, one per node")
    order = sorted(range(len(found)), key=lambda k: found[k].left is not None)
    label = dict(zip(order, values, strict=True))
    arrow = {"arrowstyle": "->", "color": colour("ink"), "shrinkA": 18, "shrinkB": 18}
    with style():
        figure, axes = subplots(width=0.6 * WIDTH, height=3.3)
        for k, node in enumerate(found):
            x, y = _spot(node, found)
            if node.left is None:
                axes.annotate("", (x, y), (x, -0.8), arrowprops=arrow | {"shrinkA": 0})
                axes.text(x + 0.07, -0.55, "$V$", va="center")
            else:
                for child, letter, side in ((node.left, "U", -1), (node.right, "W", 1)):
                    a, b = _spot(found[child], found)
                    axes.annotate("", (x, y), (a, b), arrowprops=arrow)
                    middle = (x + a) / 2 + 0.12 * side, (y + b) / 2
                    axes.text(*middle, f"${letter}$", ha="center")
            edge = colour("input" if node.left is None else "state")
            axes.plot(x, y, "o", markersize=34, color=colour("paper"), markeredgecolor=edge)
            axes.text(x, y, label[k], ha="center", va="center")
        _write_words(axes, words)
        axes.set(ylim=(-0.9, found[-1].height + 0.5))
        return Plot(figure, _network_alt(found, words, label))


def _as_words(words, found):
    """Return one string for each leaf, or raise an error."""
    words = [str(word) for word in as_list("words", words)]
    if len(words) != found[-1].stop:
        raise ValueError(f"words has {len(words)} words; expected {found[-1].stop}, as leaves")
    return words


def _write_words(axes, words, rotation=0):
    """Write the words below their leaves, and leave out frame and grid."""
    labels = ["−" if word == "-" else word for word in words]
    axes.set_xticks(range(len(words)), labels, rotation=rotation)
    unframed(axes, yticks=(), xlim=(-0.6, len(words) - 0.4))


def _spot(node, found):
    """Return the position of a leaf, or of a node in the gap that it closes, and its height."""
    return node.start if node.left is None else found[node.right].start - 0.5, node.height


def _draw(axes, found):
    for node in found:
        for child in (node.left, node.right):
            if child is None:
                continue
            (x0, y0), (x1, y1) = _spot(node, found), _spot(found[child], found)
            axes.plot(
                [x0, x1, x1],
                [y0, y0, y1],
                color=colour("state"),
                linewidth=1.2,
                solid_joinstyle="round",
                zorder=1,
            )
    inner = [_spot(node, found) for node in found if node.left is not None]
    leaves = [_spot(node, found) for node in found if node.left is None]
    for places, marker, kind in ((inner, "o", "state"), (leaves, "s", "input")):
        if places:
            axes.plot(*zip(*places, strict=True), marker, color=colour(kind), markersize=5)


def _alt(found, words, values):
    whole = f"{counted(len(words), 'word')}, {' '.join(words)}"
    said = f"A tree over {whole}: depth {found[-1].height}."
    wrong = [" ".join(words[slice(*span)]) for span, (_, right) in values.items() if not right]
    if values:
        some = ": " + "; ".join(wrong[:_MOST_LISTED]) if wrong else ""
        are = "is" if len(wrong) == 1 else "are"
        said += f" Of {counted(len(values), 'value')} {len(wrong)} {are} wrong{some}."
    return said


def _part(node, words):
    return " ".join(words[node.start : node.stop]).replace("-", "−")


def _network_alt(found, words, label):
    """Describe the network from the leaves to the root."""
    leaves = [label[k] for k, node in enumerate(found) if node.left is None]
    said = [
        f"A recursive network over {_part(found[-1], words)}.",
        f"An arrow V leads from each word to a leaf. The leaves' values are {', '.join(leaves)}.",
    ]
    for k, node in enumerate(found):
        if node.left is not None:
            left, right = (_part(found[child], words) for child in (node.left, node.right))
            name = "the root" if k == len(found) - 1 else "a node"
            said.append(f"Arrows U from {left} and W from {right} lead to {name}: {label[k]}.")
    return " ".join(said)
