"""Connections around layers: in a recurrent network, and in networks of today."""

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots, unframed

_RISE = 0.95  # of a layer above the connection around it
_TRANSFORMER = "attention", "MLP", "attention", "MLP"


def skip_connections():
    """Draw a skip connection around a layer between states beside a residual connection."""
    with style():
        figure, axes = subplots(1, 2, width=6.6, height=2.2)
        left, right = axes.ravel()
        for x, step in ((0, "step $t-1$"), (2.6, "step $t$")):
            _circle(left, (x, 0), "$h$", "state")
            left.text(x, -0.42, step, color=colour("muted"), ha="center", va="center")
        _circle(left, (1.3, _RISE), "$z$", "state")
        _arrow(left, (0, 0), (1.3, _RISE), "$T$", (-0.16, 0.12))
        _arrow(left, (1.3, _RISE), (2.6, 0), "$W$", (0.18, 0.12))
        _arrow(left, (0, 0), (2.6, 0), "$S$", (0, 0.16), accent=True)
        _circle(right, (0, 0), "$x$", "state")
        _box(right, (1.3, _RISE), "$f$")
        _circle(right, (2.6, 0), "$+$", "state")
        _arrow(right, (0, 0), (1.3, _RISE))
        _arrow(right, (1.3, _RISE), (2.6, 0))
        _arrow(right, (0, 0), (2.6, 0), "unchanged", (0, 0.16), accent=True)
        right.annotate(
            "$x + f(x)$",
            (2.85, 0),
            (3.35, 0),
            va="center",
            arrowprops={"arrowstyle": "<|-", "color": colour("edge"), "shrinkA": 2, "shrinkB": 0},
        )
        titles = "skip connection, design (c)", "residual connection"
        for each, title, end in zip((left, right), titles, (3.1, 4.3), strict=True):
            unframed(each, xlim=(-0.45, end), ylim=(-0.6, 1.35), xticks=(), yticks=(), title=title)
        return Plot(figure, _SKIPS_ALT)


def residual_stream():
    """Draw two layers of a Transformer: each of their parts adds to what passes below it."""
    with style():
        figure, each = subplots(width=6.6, height=1.8)
        _circle(each, (0, 0), "$x$", "input")
        last = 0
        for k, name in enumerate(_TRANSFORMER):
            plus = last + 1.5
            _circle(each, (plus, 0), "$+$", "state")
            _box(each, (plus - 0.75, _RISE), name)
            _arrow(each, (last + 0.15 * (k > 0), 0), (plus - 0.75, _RISE))
            _arrow(each, (plus - 0.75, _RISE), (plus, 0))
            _arrow(each, (last, 0), (plus, 0), accent=True)
            last = plus
        _circle(each, (last + 1, 0), "$o$", "output")
        _arrow(each, (last, 0), (last + 1, 0), accent=True)
        unframed(each, xlim=(-0.4, last + 1.4), ylim=(-0.4, 1.35), xticks=(), yticks=())
        return Plot(figure, _STREAM_ALT)


def _circle(axes, at, label, kind):
    ink = colour(kind)
    box = {"boxstyle": "circle,pad=0.2", "facecolor": "none", "edgecolor": ink}
    axes.text(*at, label, color=ink, ha="center", va="center", bbox=box)


def _box(axes, at, label):
    ink = colour("state")
    box = {"boxstyle": "round,pad=0.35", "facecolor": (ink, 0.12), "edgecolor": ink}
    axes.text(*at, label, color=ink, ha="center", va="center", bbox=box)


def _arrow(axes, start, end, label="", shift=(0, 0), *, accent=False):
    look = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 14, "shrinkB": 14}
    width = {"linewidth": 2 if accent else 1.1, "color": colour("accent" if accent else "edge")}
    axes.add_patch(FancyArrowPatch(start, end, **look, **width))
    middle = [(a + b) / 2 + s for a, b, s in zip(start, end, shift, strict=True)]
    if label:
        axes.text(*middle, label, color=colour("parameter"), ha="center", va="center")


_SKIPS_ALT = (
    "Two drawings side by side. On the left, a skip connection: the state h of step t − 1 leads "
    "through T to the layer z, and z through W to the state h of step t; a thick arrow S leads "
    "from the first state straight to the second. On the right, a residual connection: x leads "
    "to f, and f to a plus sign; a thick arrow leads from x straight to the plus sign, unchanged. "
    "The result is x + f(x)."
)
_STREAM_ALT = (
    "A thick line leads from the input x through four plus signs to the output o. Above it are "
    "four boxes: attention, MLP, attention, MLP. Each box receives the vector on the line before "
    "a plus sign, and its result is added there."
)
