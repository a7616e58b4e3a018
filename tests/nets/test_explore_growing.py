"""The lab of chapter 12 trains a network to compute expressions."""

import pytest

from rnn_helpers import plots
from rnn_helpers.explore.growing import grow
from rnn_helpers.reference import trees

pytestmark = [pytest.mark.chapter("12"), pytest.mark.slow]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"text": "1+"}, "text"),
        ({"tree": "oak"}, "laid"),
        ({"steps": 0}, "steps"),
        ({"signs": ""}, "signs"),
        ({"negated": 2}, "negated"),
        ({"deep": 9}, "deep"),
    ],
)
def test_impossible_settings_are_refused(bad, named):
    with pytest.raises(ValueError, match=named):
        list(grow(**{"text": "1-3", "steps": 1, **bad}))


OWN = pytest.param(lambda n: trees.chain(n, "right"), id="own")


@pytest.mark.parametrize("tree", ["parse", "balanced", "chain", OWN])
@pytest.mark.parametrize("tensor", [False, True])
def test_it_yields_the_value_of_each_part_for_the_drawing(tree, tensor):
    first, last = grow("1-(2+-3)", tree, tensor=tensor, steps=3, every=2, deep=1)
    assert (first.steps, last.steps) == (2, 3)
    assert set(last.right) == {1, 2, 3}
    assert "".join(last.words).strip("()").startswith("1")
    whole = last.values[0, len(last.words)]
    assert whole[1] == (whole[0] == "2")
    assert plots.tree_graph(last.tree, last.words, values=last.values).alt


@pytest.mark.nightly(files=["rnn_helpers/explore/growing", "rnn_helpers/nets/"])
def test_with_default_settings_it_learns_expressions_nested_two_deep():
    *_, last = grow("3-(1+4)")
    assert last.right[1] > 0.9
    assert last.right[2] > 0.6
