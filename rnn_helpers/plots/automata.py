"""Drawings of an automaton: its states, the walk of a string, and the possible next symbols."""

import numpy as np
from matplotlib.patches import Ellipse, FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import counted, enumerated, number
from rnn_helpers.reference.automata import Automaton
from rnn_helpers.validate import as_kind, as_list

_NAMED = 40  # states; of more, only those that matter have names
_LABELLED = 20  # arrows that still have room for their symbols
_RADIUS = 0.34
_LAST = 12  # symbols of a long string that are written


def automaton_graph(machine, string=()):
    """Draw the states of an automaton, a string's walk through them, and the possible next symbols.

    States with names of several words, as in intersections, share a circle with all states of the
    same last words: a copy of the first automaton for each state of the others.

    Parameters
    ----------
    machine : Automaton
        Of any number of states; of more than 40, most have no names.
    string : iterable of str
        Symbols that have been read; the last of its steps is drawn, and the arrows from its last
        state are as wide as their symbols are likely.

    Returns
    -------
    Plot
        Two circles around a state where a string may stop.
    """
    as_kind("machine", machine, Automaton, "an Automaton")
    string = as_list("string", string)
    machine, walk = machine.normalised(), machine.walk(string)
    refused = string[len(walk) - 1] if len(walk) <= len(string) else None
    here = machine.states.index(walk[-1])
    before = machine.states.index(walk[-2]) if len(walk) > 1 and refused is None else None
    arrows = {}  # of the same two states, one
    for state, token in np.argwhere(machine.weights > 0):
        arrows.setdefault((state, machine.following[state, token]), []).append(token)
    transitions = sum(map(len, arrows.values()))
    many = f"{counted(len(machine), 'state')}, {transitions} transitions"
    with style():
        figure, (axes, bars) = subplots(1, 2, height=3.5, width_ratios=(2.6, 1))
        place, away, centres = _places(machine.states)
        _draw_arrows(axes, machine, arrows, place, away, here, before)
        _draw_states(axes, machine, place, here)
        for name, centre in centres.items() if len(machine) <= _NAMED else ():
            axes.text(*centre, _plain(name), size=9, ha="center", va="center", zorder=4)
        axes.set(title=many, aspect="equal", anchor="N")
        axes.set_axis_off()
        _draw_next(bars, machine, here, refused)
        return Plot(figure, _alt(machine, many, string, walk[-1], refused))


def _places(states):
    """Center of each state, the direction that leads out of its circle, and each circle's own."""
    groups = {}
    for q, name in enumerate(states):
        groups.setdefault(name.partition(" ")[2], []).append(q)
    columns = int(np.ceil(np.sqrt(len(groups))))
    rows = -(-len(groups) // columns)
    largest = max(map(len, groups.values()))
    # far enough apart on their circle
    radius = 0 if largest == 1 else max(1.0, 3 * _RADIUS / (2 * np.sin(np.pi / largest)))
    pitch = 2 * radius + (1.6 if radius else 2.2)
    firsts = list(dict.fromkeys(name.partition(" ")[0] for name in states))
    place, away, centres = np.empty((len(states), 2)), np.empty((len(states), 2)), {}
    for i, (name, group) in enumerate(sorted(groups.items())):
        column, row = divmod(i, rows)
        turns = len(firsts) if len(groups) > 1 else len(group)
        for j, q in enumerate(group):
            angle = firsts.index(states[q].partition(" ")[0]) if len(groups) > 1 else j
            angle = np.pi / 2 - 2 * np.pi * angle / turns
            away[q] = (np.cos(angle), np.sin(angle)) if radius else (0, 1 - 2 * (row > 0))
            place[q] = pitch * np.array([column, -row]) + radius * away[q]
            centres[name] = pitch * np.array([column, -row])
    return place, away, centres if len(groups) > 1 and radius else {}


def _draw_arrows(axes, machine, arrows, place, away, here, before):
    labelled = len(arrows) <= _LABELLED
    for (source, target), tokens in arrows.items():
        came, out = (source, target) == (before, here), source == here
        ink = colour("input" if came else "output" if out else "edge")
        share = machine.weights[source, tokens].sum()
        look = {
            "color": ink,
            "alpha": 1 if came or out or labelled else 0.3,
            "linewidth": 2.4 if came else 0.6 + 4 * share * out,
            "arrowstyle": "-|>,head_length=4,head_width=2" if came or out or labelled else "-",
            "zorder": 2 if came else 1 + 0.5 * out,
            "shrinkA": 0,
            "shrinkB": 0,
        }
        if source == target:
            side = np.array([-away[source][1], away[source][0]])
            ends = [
                place[source] + _RADIUS * (0.8 * away[source] + s * 0.6 * side) for s in (1, -1)
            ]
            bend, top = "arc3,rad=-1.8", place[source] + (_RADIUS + 0.62) * away[source]
        else:
            along = place[target] - place[source]
            along = along / np.linalg.norm(along)
            ends = [place[source] + _RADIUS * along, place[target] - _RADIUS * along]
            left = np.array([-along[1], along[0]])
            bend = "arc3,rad=-0.12"
            top = (ends[0] + ends[1]) / 2 + 0.2 * left
        axes.add_patch(FancyArrowPatch(*ends, connectionstyle=bend, **look))
        if labelled:
            words = " ".join(machine.alphabet[token] for token in tokens)
            axes.annotate(_plain(words), top, size=9, color=ink, ha="center", va="center", zorder=4)


def _draw_states(axes, machine, place, here):
    alone = all(" " not in name for name in machine.states)
    for q, name in enumerate(machine.states):
        named = len(machine) <= _NAMED or q == here
        words = (name if alone else name.partition(" ")[0]).removeprefix("q_") if named else ""
        face = colour("state" if q == here else "paper")
        wide = max(1, 0.36 * len(words))
        for radius in (_RADIUS, 0.82 * _RADIUS)[: 1 + bool(machine.stop[q])]:
            edge = colour("paper" if q == here and radius < _RADIUS else "state")
            size = 2 * radius * wide, 2 * radius
            look = {"facecolor": face, "edgecolor": edge, "linewidth": 1.2, "zorder": 3}
            axes.add_patch(Ellipse(place[q], *size, **look))
        ink = colour("paper" if q == here else "ink")
        look = {"size": 9, "color": ink, "ha": "center", "va": "center_baseline", "zorder": 5}
        axes.text(*place[q], _plain(words), **look)
    low, high = place.min(axis=0) - 1.25, place.max(axis=0) + 1.25
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))


def _draw_next(axes, machine, here, refused):
    p = np.zeros(len(machine.alphabet)) if refused is not None else machine.weights[here]
    rows = np.arange(len(p))
    axes.barh(rows, p, color=colour("output"), height=0.6)
    axes.set_yticks(rows, [_plain(symbol) for symbol in machine.alphabet])
    axes.set(title="next symbol", ylim=(len(p) - 0.5, -0.5), xlim=(0, max(1.3 * p.max(), 0.1)))
    axes.grid(False)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    if len(p) <= 2 * _LAST:
        for row, share in enumerate(p):
            axes.text(share, row, f" {share:.2f}" if share else " 0", size=9, va="center")


def _plain(words):
    """Escape the characters that TeX would interpret."""
    return words.replace("$", r"\$")


def _alt(machine, many, string, state, refused):
    shown = "".join(string[-_LAST:])
    dots = "… " if len(string) > _LAST else ""
    read = f"After {dots}{shown} it is" if string else "It is"
    if refused is not None:
        read = f"In {state}, {refused} can't come next"
        return f"An automaton of {many}. {read}, so it refuses {shown}."
    p = machine.next_symbol(state)
    likely = [
        f"{machine.alphabet[token]} {number(p[token])}" for token in np.argsort(-p) if p[token] > 0
    ]
    after = f"next may come {enumerated(likely)}" if likely else "nothing may come after it"
    return f"An automaton of {many}. {read} in state {state}; {after}."
