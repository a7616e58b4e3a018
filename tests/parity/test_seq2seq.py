"""The figure seq2seq joins reader and writer as Python does, and counts the arrows of a pair."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.figures import seq2seq
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import context_forward, init_context, init_rnn, rnn_forward

pytestmark = pytest.mark.chapter("10")
META = manifest()["seq2seq"]
MOST = META["controls"]["pair"]["max"]
DOORS = [option["value"] for option in META["controls"]["door"]["options"]]

lengths = st.integers(1, MOST)
doors = st.sampled_from(DOORS)


def setting(n, T, door, backwards):
    return {"n": n, "T": T, "door": door, "backwards": backwards}


def as_node(name):
    return name[0], int(name[1:] or 1)


@given(lengths, lengths, doors, st.booleans())
def test_the_arrows_are_pythons(math, n, T, door, backwards):
    made = [tuple(map(as_node, arrow)) for arrow in math("graph", setting(n, T, door, backwards))]
    assert len(set(made)) == len(made)
    assert set(made) == seq2seq.arrows(n, T, door, backwards)


@given(lengths, lengths, doors, st.booleans())
def test_a_way_is_as_long_as_pythons_and_as_the_sum_says(math, n, T, door, backwards):
    far = math("distances", setting(n, T, door, backwards))
    joined = seq2seq.arrows(n, T, door, backwards)
    for i, count in enumerate(far, start=1):
        left = i - 1 if backwards else n - i  # read after it
        through = i - 1 if door == "start" else 0  # written before it
        assert count == 1 + left + 1 + 1 + through + 1
        assert len(seq2seq.way(joined, ("x", i), ("y", i))) - 1 == count
    assert len(far) == min(n, T)


@given(lengths, lengths, doors, st.booleans())
def test_a_way_follows_arrows_and_a_graph_without_one_has_none(math, n, T, door, backwards):
    arrows = math("graph", setting(n, T, door, backwards))
    nodes = math("way", arrows, "x1", f"y{T + 1}")
    assert all([start, end] in arrows for start, end in pairwise(nodes))
    assert math("way", arrows[:1], "y1", "x1") is None
    assert seq2seq.way(set(), ("x", 1), ("y", 1)) == []


@given(lengths, doors)
def test_reading_backwards_leaves_the_average_as_it_is(math, n, door):
    """What the prediction asks; the first way becomes the shortest, the last the longest."""
    there, back = (math("distances", setting(n, n, door, way)) for way in (False, True))
    assert np.mean(there) == np.mean(back)
    assert back[0] == min(back) == 4
    assert back[-1] == max(back)


def test_the_numbers_in_the_answer(math):
    assert math("distances", setting(5, 5, "start", False)) == [8] * 5
    assert math("distances", setting(5, 5, "start", True)) == [4, 6, 8, 10, 12]
    assert META["prediction"]["answer"] == "it stays"
    assert "8 on average" in META["prediction"]["why"]


@given(doors)
def test_the_doors_are_the_references(door):
    """A writer without memory hears C at the steps to which an arrow leads, and at no others."""
    reader = init_rnn(3, 4, 2, seed=1)
    writer = init_context(2, 4, 3, door, seed=2)
    read = rnn_forward(reader, [0, 1]).o[-1]
    moved = []
    for t in range(3):
        forget = writer | {"W": np.zeros((4, 4)) if t else writer["W"]}
        runs = [context_forward(forget, C, [0, 1, 2]).h for C in (read, 2 * read)]
        moved.append(bool(np.abs(runs[0][t] - runs[1][t]).max() > 1e-12))
    told = {end[1] for start, end in seq2seq.arrows(2, 2, door) if start[0] == "C"}
    assert {t for t, changed in enumerate(moved, start=1) if changed} == told


def test_the_poster_is_the_untouched_figure_and_says_how_far_it_is():
    assert seq2seq.poster(complete("seq2seq", {})).alt.endswith("8 arrows lead from λ to l.")
    short = seq2seq.poster(complete("seq2seq", {"backwards": True, "door": "step"}))
    assert "heard by 6 states" in short.alt
    assert short.alt.endswith("4 arrows lead from λ to l.")
