"""Who hears whom in a sequence of symbols, and how many numbers it takes to say how."""

from collections.abc import Iterable, Mapping

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.validate import as_list, as_real, brief

_ROWS = {"y": ("target", 1.0), "h": ("state", 0.0)}
_LINES = (("loss", (0, (5, 2)), "D"), ("state", "-", "o"), ("output", (0, (8, 2)), "^"))


def joint_graph(arrows: Iterable, numbers: Mapping):
    """Draw a directed graph over symbols and states, and counts of numbers against the length.

    Parameters
    ----------
    arrows : iterable of (node, node)
        From and to; a node is ``("y", t)`` or ``("h", t)``, with t from 1 on.
    numbers : mapping of str to array_like, shape (T,)
        Of one to three ways to write a distribution, by name: how many numbers each needs for
        sequences of length 1 to T.

    Returns
    -------
    Plot
    """
    arrows = sorted(_as_arrow(arrow) for arrow in as_list("arrows", arrows))
    if not arrows:
        raise ValueError("arrows is empty; expected at least one")
    if not isinstance(numbers, Mapping) or not 1 <= len(numbers) <= len(_LINES):
        raise ValueError(f"numbers is {brief(numbers)}; expected a mapping of one to {len(_LINES)}")
    numbers = {name: as_real(f"numbers[{name!r}]", counts) for name, counts in numbers.items()}
    for name, counts in numbers.items():
        if counts.ndim != 1 or not counts.size or (counts <= 0).any():
            raise ValueError(
                f"numbers[{name!r}] is {brief(counts)}; expected counts above 0 in a row"
            )
    with style():
        figure, (left, right) = subplots(1, 2, height=2.9, width_ratios=(1.7, 1))
        _draw_graph(left, arrows)
        for (kind, line, marker), (name, counts) in zip(_LINES, numbers.items(), strict=False):
            right.plot(
                range(1, len(counts) + 1),
                counts,
                ls=line,
                marker=marker,
                markersize=5,
                color=colour(kind),
                label=name,
            )
        right.set(yscale="log", xlabel="length", title="numbers needed")
        right.xaxis.set_major_locator(whole())
        figure.legend(loc="outside upper right", ncols=len(numbers), handlelength=1.6)
        return Plot(figure, _alt(arrows, numbers))


def _as_arrow(arrow):
    match arrow:
        case ((("y" | "h"), int(start)), (("y" | "h"), int(end))) if min(start, end) >= 1:
            return arrow
    raise ValueError(
        f"arrows has {brief(arrow)}; expected two nodes, ('y', t) or ('h', t), t from 1 on"
    )


def _draw_graph(axes, arrows):
    for source, target in arrows:
        far = target[1] - source[1]
        over = source[0] == target[0] == "y" and far > 1
        axes.add_patch(
            FancyArrowPatch(
                (source[1], _ROWS[source[0]][1]),
                (target[1], _ROWS[target[0]][1]),
                connectionstyle=f"arc3,rad={-0.45 if over else 0}",
                arrowstyle="-|>",
                mutation_scale=8,
                shrinkA=9,
                shrinkB=9,
                color=colour("edge"),
                linewidth=0.9,
            )
        )
    nodes = sorted({node for arrow in arrows for node in arrow})
    for name, step in nodes:
        kind, height = _ROWS[name]
        axes.text(
            step,
            height,
            f"${name}_{{{step}}}$",
            ha="center",
            va="center",
            color=colour(kind),
            bbox={
                "boxstyle": "circle,pad=0.18",
                "facecolor": "none",
                "edgecolor": colour(kind),
                "linewidth": 1.2,
            },
        )
    last = max(step for _, step in nodes)
    far = max(end[1] - start[1] for start, end in arrows)
    axes.set(xlim=(0.4, last + 0.6), ylim=(-0.5, 1.4 + 0.3 * far), xticks=(), yticks=())
    axes.spines[:].set_visible(False)
    axes.grid(False)


def _alt(arrows, numbers):
    nodes = {node for arrow in arrows for node in arrow}
    symbols = sum(name == "y" for name, _ in nodes)
    among = sum(source[0] == target[0] == "y" for source, target in arrows)
    said = "; ".join(
        f"{name}, {number(counts[-1])} at length {len(counts)}" for name, counts in numbers.items()
    )
    return (
        f"A graph of {counted(symbols, 'symbol')} and {counted(len(nodes) - symbols, 'state')}: "
        f"{counted(len(arrows), 'arrow')}, {among} of them from symbol to symbol. "
        f"Numbers needed: {said}."
    )
