"""Networks on tokens: training steps, and an answer to a prompt."""

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots, unframed
from rnn_helpers.plots.words import counted, enumerated
from rnn_helpers.validate import as_kind, as_list, as_real

_MOST, _MOST_IN_A_ROW = 6, 12
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


def prompted_answer(pictures, prompt, answer):
    """Draw how a Transformer writes an answer after image tokens and a prompt.

    Parameters
    ----------
    pictures : array_like, shape (n, H, W)
        Patches of an image, from 0, the paper, to 1.
    prompt, answer : sequence of str
        Tokens. All three together are 13 at most, and none is empty.
    """
    pictures = as_real("pictures", pictures)
    if pictures.ndim != 3 or not pictures.size:
        raise ValueError(f"pictures has shape {pictures.shape}; expected (n, H, W)")
    prompt, answer = (
        _as_tokens(name, tokens, 1, _MOST_IN_A_ROW)
        for name, tokens in (("prompt", prompt), ("answer", answer))
    )
    read = [*prompt, *answer[:-1]]
    if len(pictures) + len(read) > _MOST_IN_A_ROW:
        raise ValueError(
            f"pictures, prompt and answer have {len(pictures)}, {len(prompt)} and {len(answer)} "
            f"entries; expected {_MOST_IN_A_ROW + 1} at most"
        )
    first = len(pictures) + len(prompt) - 1  # the column that predicts the first word
    with style():
        figure, axes = subplots(width=7.2, height=3.4)
        for s, picture in enumerate(pictures):
            place = (s - 0.38, s + 0.38, -0.32, 0.32)
            shades = {"cmap": COLOUR_MAPS["amount", "light"], "vmin": 0, "vmax": 1}
            axes.imshow(picture, extent=place, aspect="auto", **shades)
        for t, word in enumerate(answer, first):
            kind = "state" if t == first + len(answer) - 1 else "grid"
            for s in range(t + 1):
                _arrow(axes, (s, 0.32), (t, 1.6), kind, shrinkA=2)
            _arrow(axes, (t, 1.6), (t, 2.35), "edge")
            axes.plot(t, 1.6, "o", color=colour("state"), markersize=9, zorder=3)
            axes.text(t, 2.5, word, color=colour("output"), **_BOX)
        for s, word in enumerate(read, len(pictures)):
            axes.text(s, 0, word, color=colour("input" if s <= first else "output"), **_BOX)
        start = -0.4
        parts = {"image tokens": pictures, "prompt": prompt, "words so far": answer[:-1]}
        for name, tokens in parts.items():
            if len(tokens):
                end = start + len(tokens) - 0.2
                axes.plot([start, end], [-0.5, -0.5], color=colour("edge"))
                axes.text((start + end) / 2, -0.72, name, ha="center", va="center")
                start = end + 0.2
        limits = {"xlim": (-0.6, start - 0.2), "ylim": (-0.95, 2.8)}
        unframed(axes, **limits, xticks=(), yticks=())
        return Plot(figure, _answer_alt(len(pictures), prompt, answer))


def two_attentions(source, written):
    """Draw cross-attention, from a sentence to words of its translation, next to self-attention.

    Parameters
    ----------
    source, written : sequence of str
        From 2 to 5 words of the sentence, and from 1 to 5 of the translation, up to the word whose
        query is drawn.
    """
    source = _as_tokens("source", source, 2, _MOST - 1)
    written = _as_tokens("written", written, 1, _MOST - 1)
    with style():
        figure, (cross, within) = subplots(1, 2, width=7.2, height=2.9)
        for axes, top, kind, name in (
            (cross, written, "output", "cross-attention"),
            (within, source, "input", "self-attention"),
        ):
            last = len(top) - 1
            for t in range(len(top)):
                # The queries of a sentence's own words are all there at once.
                lit = t == last
                if lit or axes is within:
                    for s in range(len(source)):
                        _arrow(axes, (s, 0.2), (t, 1.7), "state" if lit else "edge", shrinkA=6)
            for s, word in enumerate(source):
                axes.text(s, 0, word, color=colour("input"), **_BOX)
            for t, word in enumerate(top):
                axes.text(t, 1.95, word, color=colour(kind), **_BOX)
            wide = max(len(source), len(top))
            limits = {"xlim": (-0.6, wide - 0.4), "ylim": (-0.4, 2.4)}
            unframed(axes, **limits, xticks=(), yticks=(), title=name)
        return Plot(
            figure,
            f"Two panels. In the left one, cross-attention, arrows lead from each word of "
            f"{enumerated(source)} to {written[-1]}, the last of the words {enumerated(written)} "
            f"of the translation. In the right one, self-attention, arrows lead from each word of "
            f"{enumerated(source)} to each word of the same sentence in the next layer.",
        )


def ways_back(words, answer, subject):
    """Draw the way from an answer back to one word in a recurrent network and in a Transformer.

    Parameters
    ----------
    words : sequence of str
        Words that are read, from 3 to 12.
    answer : str
        The word that follows them.
    subject : str
        One of the words, which the answer depends on.
    """
    words = _as_tokens("words", words, 3, _MOST_IN_A_ROW)
    as_kind("answer", answer, str, "a string")
    if words.count(as_kind("subject", subject, str, "a string")) != 1:
        raise ValueError(f"subject is {subject!r}; expected one of {', '.join(words)}, once")
    at, last = words.index(subject), len(words) - 1
    times = last - at
    rnn = f"recurrent network: {times} {'matrix' if times == 1 else 'matrices'} and as many slopes"
    with style():
        figure, axes = subplots(2, 1, width=7.0, height=4.3)
        for each, name in zip(
            axes.ravel(), (rnn, "Transformer: one step of attention"), strict=True
        ):
            loop = name is rnn
            for t, word in enumerate(words):
                lit = "gradient" if t == at else "grid"
                own = {**_BOX, "fontweight": "bold"} if t == at else _BOX
                each.text(t, 0, word, color=colour("input"), **own)
                if loop or t == last:
                    each.plot(t, 1, "o", color=colour("state"), markersize=9, zorder=3)
                if loop:
                    _arrow(each, (t, 1), (t, 0.16), lit, shrinkA=7)
                    if t:
                        _arrow(each, (t, 1), (t - 1, 1), "gradient" if t > at else "grid", 7)
                else:
                    _arrow(each, (last, 1), (t, 0.16), lit, shrinkA=7)
            _arrow(each, (last, 1.75), (last, 1), "gradient", shrinkA=8)
            each.text(last, 1.85, answer, color=colour("target"), **_BOX)
            unframed(each, xlim=(-0.6, last + 0.6), ylim=(-0.3, 2.1), xticks=(), yticks=())
            each.set_title(name, loc="left", fontsize="medium")
        return Plot(figure, _ways_alt(words, answer, subject, last - at))


def _visible(token):
    return token.replace(" ", "␣")


def _as_tokens(name, tokens, least=3, most=_MOST):
    """Return tokens as a list of strings, or raise an error."""
    tokens = as_list(name, tokens)
    for token in tokens:
        as_kind(name, token, str, "a string")
    if not least <= len(tokens) <= most:
        raise ValueError(f"{name} has {len(tokens)} entries; expected {least} to {most}")
    return tokens


def _bare(axes, name, n, rows, top=2.35):
    """Give a drawing of n columns its title and the names of its rows, and no frame."""
    axes.set_yticks((0, 1, 2), rows)
    unframed(axes, xlim=(-0.5, n - 0.5), ylim=(-0.35, top), xticks=(), title=name)


_BOX = {
    "ha": "center",
    "va": "center",
    "family": "monospace",
    "bbox": {"boxstyle": "round,pad=0.25", "facecolor": "none", "edgecolor": colour("edge")},
}


def _arrow(axes, start, end, kind, shrinkA=10):
    """Draw an arrow in the color of a kind of node, and thinner in the color of the grid."""
    look = {"arrowstyle": "-|>", "mutation_scale": 8, "shrinkA": shrinkA, "shrinkB": 7}
    look |= {"linewidth": 0.7, "zorder": 0.9} if kind == "grid" else {}
    axes.add_patch(FancyArrowPatch(start, end, color=colour(kind), **look))


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


def _answer_alt(n, prompt, answer):
    return (
        f"A row of tokens: {counted(n, 'image token')}, the prompt "
        f"{' '.join(prompt)}, and the words so far, {' '.join(answer[:-1]) or 'none'}. Above them "
        f"are the states that predict the answer, {' '.join(answer)}. Each state receives arrows "
        "from all tokens up to its own position, and no state leads to another."
    )


def _ways_alt(words, answer, subject, steps):
    return (
        f"Two networks that read {' '.join(words)} and predict {answer}. Arrows show the way of "
        f"the gradient. In the recurrent network it goes from {answer} to the last state, then "
        f"from state to state, {counted(steps, 'arrow')} in a row, and down to {subject}. In the "
        f"Transformer, the last state has an arrow to every word, and one of them leads straight "
        f"to {subject}."
    )
