"""An encoder and a decoder, as a graph."""

from collections.abc import Iterable
from itertools import pairwise

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots, unframed
from rnn_helpers.plots.words import counted
from rnn_helpers.validate import as_list, brief

_ROWS = {
    "x": ("input", 0.0),
    "h": ("state", 1.0),
    "C": ("memory", 1.0),
    "c": ("memory", 0.0),
    "g": ("state", 1.0),
    "y": ("output", 2.0),
}


def translation_graph(source, target, arrows: Iterable, path: Iterable = (), names=None):
    """Draw an encoder, a decoder and the context between them, one for all steps or one for each.

    Parameters
    ----------
    source, target : str or sequence of str
        The input and the output, one letter or word at each step; the end symbol follows.
    arrows : iterable of (node, node)
        From and to. A node is a letter and a step from 1 on: ``("x", 3)`` is the source's third
        symbol, ``("h", 3)`` the encoder's state after three steps, ``("C", 1)`` the context
        of all steps, ``("c", 2)`` the one that attention computes for the decoder's second step,
        ``("g", 2)`` and ``("y", 2)`` the decoder's second state and symbol.
    path : iterable of node, optional
        A path through the graph that stands out.
    names : dict of str, optional
        Other names for the nodes of a letter, such as ``{"h": "a"}``; the step becomes an index.

    Returns
    -------
    Plot
    """
    source, target = _as_symbols("source", source), _as_symbols("target", target)
    names = {} if names is None else _as_names(names)
    most = dict.fromkeys("xh", len(source)) | {"C": 1} | dict.fromkeys("cgy", len(target) + 1)
    arrows = [_as_arrow(arrow, most) for arrow in as_list("arrows", arrows)]
    if not arrows:
        raise ValueError("arrows is empty; expected at least one")
    path = [_as_node("path", node, most) for node in as_list("path", path)]
    way = set(pairwise(path))
    if not way <= set(arrows):
        raise ValueError(f"path is {brief(path)}; expected nodes that arrows join")
    place = _places(arrows, len(source))
    with style():
        # Words need more space than letters.
        wide = {"width": 7.2} if any(len(one) > 1 for one in [*source, *target]) else {}
        figure, axes = subplots(height=3.0, **wide)
        for start, end in sorted(arrows, key=lambda arrow: arrow in way):
            axes.add_patch(_drawn(start, end, place, (start, end) in way))
        for node in sorted({node for arrow in arrows for node in arrow}):
            kind = colour(_ROWS[node[0]][0])
            lit = node in path
            axes.text(
                *place[node],
                word := _label(node, source, target, names),
                ha="center",
                va="center",
                color=kind,
                weight="bold" if lit else "normal",
                bbox={
                    "boxstyle": "round,pad=0.25" if _is_word(word) else "circle,pad=0.2",
                    "facecolor": "none",
                    "edgecolor": kind,
                    "linewidth": 2.2 if lit else 1.1,
                },
            )
        columns = len(source) + len(target) + 2
        unframed(axes, xlim=(0.4, columns + 0.6), ylim=(-0.45, 2.45), xticks=(), yticks=())
        return Plot(figure, _alt(source, target, arrows, path))


def _as_symbols(name, text):
    """Return the symbols of a text, which is a string or a sequence of words, as a list."""
    match list(text) if isinstance(text, str) else text:
        case [*words] if words and all(isinstance(word, str) and word for word in words):
            return words
    raise ValueError(f"{name} is {brief(text)}; expected a string or words, not empty")


def _as_names(names):
    match names:
        case dict() if names.keys() <= set("hg") and all(
            isinstance(name, str) and name for name in names.values()
        ):
            return names
    raise ValueError(f"names is {brief(names)}; expected names for h and g, such as {{'h': 'a'}}")


def _is_word(label):
    return len(label) > 1 and not label.startswith("$")


def _as_node(name, node, most):
    match node:
        case (str(letter), int(step)) if 1 <= step <= most.get(letter, 0):
            return letter, step
    raise ValueError(f"{name} has {brief(node)}; expected a node such as ('x', 1) or ('C', 1)")


def _as_arrow(arrow, most):
    if not isinstance(arrow, tuple | list) or len(arrow) != 2:
        raise ValueError(f"arrows has {brief(arrow)}; expected two nodes, from and to")
    return _as_node("arrows", arrow[0], most), _as_node("arrows", arrow[1], most)


def _places(arrows, n):
    """Return the places of the nodes: each source symbol is under the state that receives it."""
    heard = {start: end[1] for start, end in arrows if start[0] == "x"}
    place = {}
    for node in {node for arrow in arrows for node in arrow}:
        letter, step = node
        column = {"x": heard.get(node, step), "h": step, "C": n + 1}.get(letter, n + 1 + step)
        place[node] = (column, _ROWS[letter][1])
    return place


def _drawn(start, end, place, lit):
    far = place[end][0] - place[start][0]
    return FancyArrowPatch(
        place[start],
        place[end],
        # from C, an arrow to a later state of the decoder passes under those between
        connectionstyle=f"arc3,rad={0.35 if start[0] == 'C' and far > 1 else 0}",
        arrowstyle="-|>",
        mutation_scale=9,
        shrinkA=10,
        shrinkB=10,
        color=colour("accent" if lit else "edge"),
        linewidth=2.2 if lit else 0.9,
    )


def _label(node, source, target, names=()):
    letter, step = node
    if letter in names:
        return f"${names[letter]}_{step}$"
    if letter == "x":
        return source[step - 1]
    if letter == "y":
        return target[step - 1] if step <= len(target) else "■"
    return f"${letter}$"


def _text(symbols):
    """Return letters as a word, and words as a sentence."""
    return ("" if all(len(symbol) == 1 for symbol in symbols) else " ").join(symbols)


def _alt(source, target, arrows, path):
    said = (
        f"An encoder reads {_text(source)} in {counted(len(source), 'step')}, and a decoder writes "
        f"{_text(target)} and the end symbol in {len(target) + 1}."
    )
    told = sum(start[0] == "C" for start, _ in arrows)
    if told:
        said += f" Between them is one vector, C, with arrows to {counted(told, 'state')} of the "
        said += "decoder."
    for context in sorted({end for _, end in arrows if end[0] == "c"}):
        heard = sum(start[0] == "h" for start, end in arrows if end == context)
        said += f" The context of step {context[1]}, c, has arrows from {counted(heard, 'state')} "
        said += "of the encoder and from the decoder's state before the step."
    if len(path) < 2:
        return said
    ends = [_label(node, source, target) for node in (path[0], path[-1])]
    return f"{said} {counted(len(path) - 1, 'arrow')} lead from {ends[0]} to {ends[1]}."
