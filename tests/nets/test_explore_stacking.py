"""The lab of chapter 11 trains a network with the chosen depth."""

import pytest

from rnn_helpers.explore.stacking import UNITS, build, named
from rnn_helpers.reference import Depth, deep_shapes

pytestmark = [pytest.mark.chapter("11"), pytest.mark.slow]


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"depth": 3}, "depth"),
        ({"length": 5}, "length"),
        ({"steps": 0}, "steps"),
        ({"every": 0}, "every"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_refused(bad, name):
    with pytest.raises((TypeError, ValueError), match=name):
        build(**{"depth": Depth(), **bad})


def test_a_network_comes_with_its_parameters_its_path_and_its_right_answers():
    depth = Depth(2, 1, 1, 0, skip=True)
    first, last = build(depth, 12, steps=3, every=2)
    shapes = deep_shapes(depth, 6, UNITS, 4).values()
    assert last.weights == sum(
        a * b for a, b in (shape + (1,) * (2 - len(shape)) for shape in shapes)
    )
    assert (first.steps, last.steps, last.arrows) == ([2], [2, 3], 1 + 1 + 11 + 1 + 1)
    assert len(last.right) == 2
    assert all(0 <= share <= 1 for share in last.right)


def test_a_network_is_named_by_its_extra_layers():
    assert named(Depth()) == "shallow"
    assert named(Depth(2, 0, 1, 0, skip=True)) == "stack of 2, 1 layer between states, skip"
    with pytest.raises(TypeError, match="depth"):
        named("deep")


def test_with_twenty_letters_a_layer_between_states_needs_a_skip_connection():
    shares = [
        list(build(depth, 20))[-1].right[-1]
        for depth in (Depth(), Depth(transition=1), Depth(transition=1, skip=True))
    ]
    assert shares[0] > 0.95
    assert shares[1] < 0.6
    assert shares[2] > 0.95
