"""A tree over a row of words, drawn as brackets: figure 10.14."""

from collections.abc import Sequence

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import counted
from rnn_helpers.reference.trees import nodes
from rnn_helpers.validate import as_kind, as_list, brief

_LONG = 6  # letters of a word from which on words stand upright
_MOST_SAID = 4


def tree_graph(
    tree,
    words: Sequence,
    *,
    values: dict | None = None,
    title: str = "",
):
    """Draw a tree over a row of words, each node as high as it is above its deepest leaf.

    Parameters
    ----------
    tree : nested tuple
        A leaf is its place, a node a pair.
    words : sequence of str
        One for each leaf.
    values : dict of (int, int) to tuple of str and bool, optional
        What is written at the node over the leaves from ``start`` to before ``stop``, and whether
        it is right.
    title : str

    Returns
    -------
    Plot
    """
    found = nodes(tree)
    words = [str(word) for word in as_list("words", words)]
    if len(words) != found[-1].stop:
        raise ValueError(f"words has {len(words)} words; expected {found[-1].stop}, as leaves")
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
        axes.set_xticks(range(len(words)), words, rotation=90 * upright)
        axes.tick_params(length=0)
        axes.set(yticks=(), xlim=(-0.6, len(words) - 0.4))
        axes.spines[:].set_visible(False)
        axes.grid(visible=False)
        return Plot(figure, _alt(found, words, values))


def _spot(node, found):
    """Where a node stands: in the middle between the last leaf on its left and the next."""
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
    said = f"A tree over {counted(len(words), 'word')}, {' '.join(words)}: {found[-1].height} high."
    wrong = [" ".join(words[slice(*span)]) for span, (_, right) in values.items() if not right]
    if values:
        some = ": " + "; ".join(wrong[:_MOST_SAID]) if wrong else ""
        are = "is" if len(wrong) == 1 else "are"
        said += f" Of {counted(len(values), 'value')} {len(wrong)} {are} wrong{some}."
    return said
