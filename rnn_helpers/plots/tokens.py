"""A training step on tokens, in a recurrent network and in a Transformer."""

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import enumerated
from rnn_helpers.validate import as_kind, as_list

_MOST = 6
_WAYS = {"recurrent network": False, "Transformer": True}


def next_tokens(tokens):
    """Draw how a recurrent network and a Transformer learn to predict each next token.

    Parameters
    ----------
    tokens : sequence of str
        From 3 to 6. Each but the last is an input, and each but the first a target.

    Raises
    ------
    ValueError
        If there are fewer or more.
    """
    tokens = as_list("tokens", tokens)
    for token in tokens:
        as_kind("tokens", token, str, "a string")
    if not 3 <= len(tokens) <= _MOST:
        raise ValueError(f"tokens has {len(tokens)} entries; expected 3 to {_MOST}")
    shown = [token.replace(" ", "␣") for token in tokens]
    n = len(tokens) - 1
    with style():
        figure, axes = subplots(1, 2, width=5.4, height=2.3)
        for each, (name, all_before) in zip(axes.ravel(), _WAYS.items(), strict=True):
            for t in range(n):
                before = range(t + 1) if all_before else [t]
                for s in before:
                    _arrow(each, (s, 0), (t, 1), "state" if t == n - 1 else "edge")
                if t and not all_before:
                    _arrow(each, (t - 1, 1), (t, 1), "state")
                _arrow(each, (t, 1), (t, 2), "edge")
                each.text(t, 0, shown[t], color=colour("input"), **_BOX)
                each.plot(t, 1, "o", color=colour("state"), markersize=9)
                each.text(t, 2, shown[t + 1], color=colour("target"), **_BOX)
            each.set(xlim=(-0.5, n - 0.5), ylim=(-0.35, 2.35), xticks=(), title=name)
            each.set_yticks((0, 1, 2), ("input", "state", "target"))
            each.tick_params(length=0)
            each.spines[:].set_visible(False)
            each.grid(False)
        return Plot(figure, _alt(shown))


_BOX = {
    "ha": "center",
    "va": "center",
    "family": "monospace",
    "bbox": {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": colour("edge")},
}


def _arrow(axes, start, end, kind):
    arrow = {"arrowstyle": "-|>", "mutation_scale": 8, "shrinkA": 10, "shrinkB": 7}
    axes.add_patch(FancyArrowPatch(start, end, color=colour(kind), **arrow))


def _alt(tokens):
    inputs, targets = enumerated(tokens[:-1]), enumerated(tokens[1:])
    return (
        f"Two networks with the same inputs, {inputs}, and the same targets, {targets}. In the "
        "recurrent network, each state receives an arrow from its own input and one from the state "
        "before it. In the Transformer, each state receives an arrow from its own input and from "
        "every earlier input, and no arrow joins two states. Each state has an arrow to its target."
    )
