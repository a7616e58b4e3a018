"""Expressions have the values of Python's, and parsing inverts writing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAME, NAN, NO_SEED

from rnn_helpers import tasks
from rnn_helpers.reference import trees
from rnn_helpers.tasks.expressions import LAID, MODULUS, SYMBOLS

pytestmark = pytest.mark.chapter("12")
seeds = st.integers(0, 2**16)


@given(st.integers(0, 6), seeds)
def test_an_expression_has_pythons_value_and_the_given_nesting(deep, seed):
    expression = tasks.random_expression(deep, seed)
    written = "".join(tasks.expression_symbols(expression))
    assert tasks.expression_value(expression) == eval(written) % MODULUS
    assert tasks.nesting(expression) == deep


@given(st.integers(0, 6), seeds)
def test_parsing_inverts_writing(deep, seed):
    expression = tasks.random_expression(deep, seed)
    written = " ".join(tasks.expression_symbols(expression)).replace("-", "−")
    assert tasks.parse_expression(written) == expression


def test_order_counts_and_a_sum_goes_from_left_to_right():
    assert tasks.expression_value(tasks.parse_expression("1-3")) == 3
    assert tasks.expression_value(tasks.parse_expression("3-1")) == 2
    assert tasks.parse_expression("1-2-3") == ((((("1", "-"), "2")), "-"), "3")
    assert tasks.parse_expression("-(1+2)") == ("-", (("1", "+"), "2"))


@pytest.mark.parametrize(
    "text", ["", "5", "1+", "(1", "1)", "1 2", "()", "+1", "-", "(" * 5000, None]
)
def test_a_text_that_is_no_expression_is_refused(text):
    with pytest.raises(ValueError, match="text"):
        tasks.parse_expression(text)


@given(st.sampled_from(LAID), seeds)
def test_minibatches_are_expressions_of_the_same_shapes_for_all_networks(laid, seed):
    batch = next(tasks.expression_batches(laid, [1, 2, 3], 7, [seed, seed + 1], seed))
    starts = np.cumsum([0, *(batch.forest.stop[batch.forest.roots])])
    for s in range(2):
        for b in range(7):
            leaves = [SYMBOLS[k] for k in batch.x[s, starts[b] : starts[b + 1]]]
            if laid == "parse":
                tree = _tree_of(batch.forest, b)
                worth = tasks.expression_value(trees.with_words(tree, leaves))
            else:
                worth = eval("".join(leaves)) % MODULUS
            assert worth == batch.y[s, b]


def _tree_of(forest, b):
    """Nested tuple of one tree of a forest."""
    parts = {
        place: int(forest.start[place])
        for place in range(forest.n_leaves)
        if forest.tree[place] == b
    }
    for level in forest.levels:
        places = range(level.nodes.start, level.nodes.stop)
        for place, left, right in zip(places, level.left, level.right, strict=True):
            if forest.tree[place] == b:
                parts[place] = (parts[left], parts[right])
    return parts[forest.roots[b]]


def test_answers_are_balanced():
    """No answer can be guessed: each of the five is as frequent as any other, at every nesting."""
    for deep in range(1, 5):
        y = next(tasks.expression_batches("parse", [deep], 400, range(10))).y
        share = np.bincount(y.ravel(), minlength=MODULUS) / y.size
        np.testing.assert_allclose(share, 1 / MODULUS, atol=0.03)


def test_the_same_seeds_give_the_same_batches():
    one, two = (next(tasks.expression_batches("chain", [3], 5, [1, 2], 3)) for _ in range(2))
    np.testing.assert_array_equal(one.x, two.x)
    other = next(tasks.expression_batches("chain", [3], 5, [1, 4], 3))
    np.testing.assert_array_equal(one.x[0], other.x[0])
    assert not np.array_equal(one.x[1], other.x[1])


@given(st.integers(0, 5), seeds, st.booleans())
def test_each_part_has_pythons_value(deep, seed, brackets):
    expression = tasks.random_expression(deep, seed)
    words = tasks.lay_out(expression, "chain" if brackets else "parse")[1]
    worth = tasks.part_values(expression, brackets)
    assert worth[0, len(words)] == tasks.expression_value(expression)
    if brackets:
        for (start, stop), value in worth.items():
            assert value == eval("".join(words[start:stop])) % MODULUS


def test_signs_negations_and_trees_can_be_chosen():
    batch = next(
        tasks.expression_batches(
            lambda n: trees.chain(n, "right"), [2], 50, [0], signs="-", negated=0
        )
    )
    assert SYMBOLS.index("+") not in batch.x
    assert all(np.diff(level.right).min(initial=1) > 0 for level in batch.forest.levels)
    lay = tasks.lay_out((("1", "-"), "2"), lambda n: trees.chain(n, "right"))
    assert lay == ((0, (1, 2)), ["1", "-", "2"])


EXPRESSION = ["a", 3, ("-", 3)]

REFUSALS = {
    tasks.expression_value: ({"expression": ("-", "3")}, {"expression": EXPRESSION}),
    tasks.expression_symbols: ({"expression": ("-", "3")}, {"expression": EXPRESSION}),
    tasks.nesting: ({"expression": ("-", "3")}, {"expression": EXPRESSION}),
    tasks.parse_expression: (
        {"text": "-(1+2)"},
        {"text": [None, 3, "", "5", "1+", "(1", "1 2", "(" * 5000]},
    ),
    tasks.part_values: ({"expression": ("-", "3")}, {"expression": EXPRESSION}),
    tasks.lay_out: ({"expression": ("-", "3"), "laid": "chain"}, {"laid": NAME}),
    tasks.random_expression: (
        {"deep": 3, "seed": 0},
        {"deep": [-1, 1.5, "a", None, 31], "seed": NO_SEED},
    ),
    tasks.expression_batches: (
        {"laid": "chain", "deep": [1, 2], "batch_size": 3, "seeds": [0, 1], "shapes": 0},
        {
            "laid": NAME,
            "deep": [None, 3, [], [-1], [1.5]],
            "signs": NAME,
            "negated": [-1, 1.0, "a", None, NAN],
            "batch_size": COUNT,
            "seeds": [None, 3, []],
            "shapes": NO_SEED,
        },
        {"shapes": "seed"},
    ),
}
