from functools import reduce

import numpy as np
import pytest
from matplotlib.patches import Ellipse, FancyArrowPatch
from networks import AUTOMATON, P
from refusals import (
    STRING,
)

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.reference import END, automaton, bigram_automaton, bracket_automaton, intersect

pytestmark = pytest.mark.chapter("01")

ALPHABET = [*"a()[]", END]
ROUND = bracket_automaton("(", ")", ALPHABET, 1, 3)
SQUARE = bracket_automaton("[", "]", ALPHABET)
LETTERS = bigram_automaton(ALPHABET[:-1], np.ones((6, 6)))
FULL = reduce(intersect, [LETTERS, ROUND, SQUARE])


def parts(plot, kind):
    return [patch for patch in plot.figure.axes[0].patches if isinstance(patch, kind)]


def widths(plot):
    return [bar.get_width() for bar in plot.figure.axes[1].patches]


@pytest.mark.parametrize("machine", [ROUND, LETTERS, intersect(ROUND, SQUARE), FULL])
def test_each_state_is_a_circle_two_where_a_string_may_stop_and_each_pair_an_arrow(machine):
    plot = plots.automaton_graph(machine)
    circles = parts(plot, Ellipse)
    assert len(circles) == len(machine) + machine.stop.sum()
    assert len({tuple(np.round(circle.center, 6)) for circle in circles}) == len(machine)
    led = {(q, to) for q, row in enumerate(machine.following) for to in row if to >= 0}
    assert len(parts(plot, FancyArrowPatch)) == len(led)


@pytest.mark.slow
def test_no_state_lies_on_another():
    for machine in (FULL, bigram_automaton([chr(97 + i) for i in range(20)], np.ones((21, 21)))):
        circles = parts(plots.automaton_graph(machine), Ellipse)
        centres = np.unique([np.round(circle.center, 6) for circle in circles], axis=0)
        apart = np.linalg.norm(centres[:, None] - centres, axis=-1) + 9 * np.eye(len(centres))
        assert apart.min() > circles[0].height


def test_the_bars_are_the_possible_next_symbols_and_the_state_is_filled():
    plot = plots.automaton_graph(FULL, "(a[")
    state = FULL.walk("(a[")[-1]
    assert state == "q_[ q1 q1"
    np.testing.assert_allclose(widths(plot), FULL.next_symbol(state))
    assert "After (a[ it is in state q_[ q1 q1" in plot.alt
    filled = [c for c in parts(plot, Ellipse) if plots_colour(c) == colour("state")]
    assert len(filled) == 1


def plots_colour(patch):
    from matplotlib.colors import to_hex

    return to_hex(patch.get_facecolor())


def test_an_impossible_symbol_is_reported():
    plot = plots.automaton_graph(intersect(ROUND, SQUARE), "a(]a")
    assert "In q1 q0, ] can't come next" in plot.alt
    assert not any(widths(plot))


@pytest.mark.slow
def test_the_readers_own_automaton_is_labelled():
    steps = {("even", "a"): ("odd", 1), ("odd", "a"): ("even", 1), ("odd", "$"): ("odd", 2)}
    plot = plots.automaton_graph(automaton("a$", steps, "even", ["even"]), "aaa")
    words = {text.get_text() for text in plot.figure.axes[0].texts}
    assert {"a", r"\$", "even", "odd"} <= words
    assert plot.png("light") != plot.png("dark")
    alone = automaton("a", {("q", "a"): ("q", 1)}, "q", [])
    assert "1 state, 1 transitions" in plots.automaton_graph(alone).alt
    ended = automaton("a", {("q", "a"): ("r", 1)}, "q", ["r"])
    assert "nothing may come" in plots.automaton_graph(ended, "a").alt


@pytest.mark.slow
def test_many_states_are_drawn_without_names():
    brackets = [side + str(k) for k in range(6) for side in "()"]
    features = [bracket_automaton(f"({k}", f"){k}", brackets) for k in range(6)]
    plot = plots.automaton_graph(reduce(intersect, features), ["(3"])
    assert plot.png()
    assert "64 states" in plot.alt
    names = [text.get_text() for text in plot.figure.axes[0].texts if text.get_text()]
    assert len(names) == 1


REFUSALS = {
    plots.automaton_graph: (
        {"machine": AUTOMATON},
        {"machine": [None, 3, "ab", P], "string": STRING},
    )
}
