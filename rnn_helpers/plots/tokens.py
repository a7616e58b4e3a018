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
    tokens = _as_tokens("tokens", tokens)
    shown = [_visible(token) for token in tokens]
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
            _bare(each, name, n, ("input", "state", "target"))
        return Plot(figure, _alt(shown))


def two_stages(tokens, written, reward):
    """Draw how a Transformer learns from a text, and then from an answer that it wrote itself.

    Parameters
    ----------
    tokens, written : sequence of str
        From 3 to 6 each. The first is given, and the others follow it in the text or are written.
    reward : str
        What the written tokens get.
    """
    tokens, written = _as_tokens("tokens", tokens), _as_tokens("written", written)
    as_kind("reward", reward, str, "a string")
    texts = [[_visible(token) for token in each] for each in (tokens, written)]
    with style():
        figure, axes = subplots(1, 2, width=7.0, height=3.1)
        left, right = axes.ravel()
        for each, shown, kind in ((left, texts[0], "target"), (right, texts[1], "output")):
            for t, token in enumerate(shown[:-1]):
                for s in range(t + 1):
                    _arrow(each, (s, 0), (t, 1), "edge")
                _arrow(each, (t, 1), (t, 2), "edge")
                own = kind == "output" and t > 0
                each.text(t, 0, token, color=colour("output" if own else "input"), **_BOX)
                each.plot(t, 1, "o", color=colour("state"), markersize=9)
                each.text(t, 2, shown[t + 1], color=colour(kind), **_BOX)
        n = [len(shown) - 1 for shown in texts]
        for t in range(n[0]):
            _arrow(left, (t, 3), (t, 2.1), "loss")
            left.text(t, 3, "loss", color=colour("loss"), ha="center", va="center")
        middle = (n[1] - 1) / 2
        for t in range(n[1]):
            _arrow(right, (middle, 3), (t, 2.1), "loss")
            if t:
                _arrow(right, (t - 1, 1.95), (t, 0.05), "output")
        label = {**_BOX, "bbox": {**_BOX["bbox"], "facecolor": colour("paper")}}
        right.text(middle, 3, reward, color=colour("loss"), **label)
        _bare(left, "pretraining: fed the truth", n[0], ("input", "state", "target"), 3.3)
        _bare(right, "practice: fed its own tokens", n[1], ("input", "state", "output"), 3.3)
        return Plot(figure, _stages_alt(*texts, reward))


def _visible(token):
    return token.replace(" ", "␣")


def _as_tokens(name, tokens):
    """Return tokens as a list of strings, or raise an error."""
    tokens = as_list(name, tokens)
    for token in tokens:
        as_kind(name, token, str, "a string")
    if not 3 <= len(tokens) <= _MOST:
        raise ValueError(f"{name} has {len(tokens)} entries; expected 3 to {_MOST}")
    return tokens


def _bare(axes, name, n, rows, top=2.35):
    """Give a drawing of n columns its title and the names of its rows, and no frame."""
    axes.set(xlim=(-0.5, n - 0.5), ylim=(-0.35, top), xticks=(), title=name)
    axes.set_yticks((0, 1, 2), rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.grid(False)


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


def _stages_alt(tokens, written, reward):
    return (
        "Two drawings of the same Transformer, in which each state receives an arrow from its own "
        "input and from all earlier ones. In pretraining, the inputs are "
        f"{enumerated(tokens[:-1])}, the targets are {enumerated(tokens[1:])}, and each target has "
        f"a loss of its own. In practice, the first input is {written[0]}, each output is also the "
        f"next input, the outputs are {enumerated(written[1:])}, and all of them get one reward: "
        f"{reward}."
    )
