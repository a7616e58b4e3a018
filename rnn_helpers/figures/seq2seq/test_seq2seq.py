"""The figure seq2seq has the same graph and the same path lengths as Python."""

from itertools import pairwise

import numpy as np
import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures.seq2seq import model as seq2seq
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
def test_the_arrows_agree_with_python(math, n, T, door, backwards):
    made = [tuple(map(as_node, arrow)) for arrow in math("graph", setting(n, T, door, backwards))]
    assert len(set(made)) == len(made)
    assert set(made) == seq2seq.arrows(n, T, door, backwards)


@given(lengths, lengths, doors, st.booleans())
def test_path_lengths_agree_with_python_and_with_the_formula(math, n, T, door, backwards):
    far = math("distances", setting(n, T, door, backwards))
    joined = seq2seq.arrows(n, T, door, backwards)
    for i, count in enumerate(far, start=1):
        left = i - 1 if backwards else n - i  # read after it
        through = i - 1 if door == "start" else 0  # written before it
        assert count == 1 + left + 1 + 1 + through + 1
        assert len(seq2seq.way(joined, ("x", i), ("y", i))) - 1 == count
    assert len(far) == min(n, T)


@given(lengths, lengths, doors, st.booleans())
def test_a_path_follows_arrows_and_needs_them(math, n, T, door, backwards):
    arrows = math("graph", setting(n, T, door, backwards))
    nodes = math("way", arrows, "x1", f"y{T + 1}")
    assert all([start, end] in arrows for start, end in pairwise(nodes))
    assert math("way", arrows[:1], "y1", "x1") is None
    assert seq2seq.way(set(), ("x", 1), ("y", 1)) == []


@given(lengths, doors)
def test_reading_backwards_leaves_the_mean_unchanged(math, n, door):
    """The first path becomes the shortest one, and the last path the longest one."""
    there, back = (math("distances", setting(n, n, door, way)) for way in (False, True))
    assert np.mean(there) == np.mean(back)
    assert back[0] == min(back) == 4
    assert back[-1] == max(back)


def test_the_prediction_states_the_path_lengths(math):
    assert math("distances", setting(5, 5, "start", False)) == [8] * 5
    assert math("distances", setting(5, 5, "start", True)) == [4, 6, 8, 10, 12]
    assert META["prediction"]["answer"] == "it stays the same"
    assert "the mean is still 8" in META["prediction"]["why"]


@given(doors)
def test_c_enters_the_decoder_as_in_the_reference(door):
    """A decoder without memory depends on C only at the steps to which an arrow leads."""
    reader = init_rnn(3, 4, 2, seed=1)
    writer = init_context(2, 4, 3, door, seed=2)
    read = rnn_forward(reader, [0, 1]).o[-1]
    moved = []
    for t in range(3):
        forget = writer | {"W": np.zeros((4, 4)) if t else writer["W"]}
        runs = [context_forward(forget, C, [0, 1, 2]).h for C in (read, 2 * read)]
        moved.append(bool(np.abs(runs[0][t] - runs[1][t]).max() > 1e-12))
    expected = {end[1] for start, end in seq2seq.arrows(2, 2, door) if start[0] == "C"}
    assert {t for t, changed in enumerate(moved, start=1) if changed} == expected


@pytest.mark.parametrize(("way", "arrows"), [({}, 8), ({"backwards": True, "door": "step"}, 4)])
def test_the_status_states_the_path_length(way, arrows):
    assert f"From λ to l, there are {arrows} arrows." in status("seq2seq", **way)
