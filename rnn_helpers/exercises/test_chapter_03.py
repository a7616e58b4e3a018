"""Chapter 03's exercises: tests of the solutions, and the tables of tests/declared.py."""

from fractions import Fraction

import numpy as np
import pytest
from limits import Line, changed

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_03 as answers
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    hidden_state,
    init_rnn,
    one_hot,
    output,
    rnn_forward,
    rnn_loss,
)
from rnn_helpers.reference.stack import nonempty, pop, push, top


@pytest.fixture
def params():
    rng = np.random.default_rng(1)
    params = init_rnn(4, 4, 4, seed=rng, scale=1.0)
    return {**params, "b": rng.normal(size=4), "c": rng.normal(size=4)}


def test_the_forward_pass_is_the_reference(params):
    tokens = [2, 0, 1, 0]
    assert answers.forward(params, one_hot(tokens, 4)) == pytest.approx(
        rnn_forward(params, tokens).yhat, abs=1e-12
    )


def test_the_network_read_by_hand_is_that_of_the_figure():
    weights = constants("step").PARAMS["tanh"]
    assert answers._U.tolist() == weights["U"]
    assert answers._W.tolist() == weights["W"]


def test_log_probability_is_minus_the_loss(params):
    word = [0, 1, 0, 3]
    run = rnn_forward(params, [2, *word[:-1]])
    assert answers.log_probability(params, word, 2) == pytest.approx(-rnn_loss(run, word))


def test_the_parameters_are_counted_right(params):
    assert answers.count_parameters(4, 4, 4) == sum(array.size for array in params.values())


@pytest.mark.equation("5.5", "10.9")
def test_a_sigmoid_network_converted_to_tanh_gives_the_same_probabilities(params):
    his = [params[name] for name in ("W", "U", "b", "V", "c")]
    ours, h0 = answers.to_tanh(*his)
    tokens = [2, 0, 1, 0, 3]
    assert rnn_forward(ours, tokens, h0=h0).yhat == pytest.approx(
        rnn_forward(params, tokens, nonlinearity="sigmoid").yhat, abs=1e-12
    )


def test_a_loop_through_an_invertible_output_reproduces_figure_10_3(params):
    U, W, V, b, c = (params[name] for name in "UWVbc")
    W_o, b_o = answers.through_output(W, V, b, c)
    x = one_hot([2, 0, 1, 0, 3], 4)
    o, outputs = c, []  # from h^(0) = 0
    for x_t in x:
        o = output(c, V, hidden_state(b_o + W_o @ o + U @ x_t))
        outputs.append(o)
    assert np.array(outputs) == pytest.approx(rnn_forward(params, x).o, abs=1e-9)


TYPICAL = {
    "03-read-and-predicted": {
        "the end forgotten": lambda w: ([".", *w[:-1]], w),
        "no end among the targets": lambda w: ([".", *w], w),
    },
    "03-count-parameters": {
        "a second vector for the hidden units": lambda n_x, n_h, n_y: (
            n_h * n_x + n_h * n_h + n_y * n_h + n_h + n_y + n_h
        )
    },
}


def top_unasked(q, symbol):
    """Never asks whether the stack is empty."""
    if symbol in "([":
        q = push(q, "([".index(symbol))
    elif top(q) != ")]".index(symbol):
        return None
    else:
        q = pop(q)
    return q, ")]"[int(top(q))] if nonempty(q) else ""


def in_a_list(q, symbol):
    stack = [] if q == 0 else [int(top(q))]
    if symbol in "([":
        stack.append("([".index(symbol))
    elif not stack or stack.pop() != ")]".index(symbol):
        return None
    return stack, ")]"[stack[-1]] if stack else ""


def in_a_list_outside(q, symbol, stack=[]):  # noqa: B006
    if symbol in "([":
        stack.append("([".index(symbol))
    elif not stack or stack.pop() != ")]".index(symbol):
        return None
    return Fraction(len(stack)), ")]"[stack[-1]] if stack else ""


HINTED = {
    "03-two-steps": [
        ([[0, 1], [0.9, 0.1]], "Add up the terms"),
        ([[0, -1], [1, -1]], "Add up the terms"),
    ],
    "03-latch": [((1.09, 4.0), "Wait a thousand steps")],
    "03-may-close": [
        (top_unasked, "`top` return for an empty stack"),
        (in_a_list, "What is q"),
        (in_a_list_outside, "What is q"),
    ],
}


def test_a_wrong_second_state_leads_from_the_first_to_its_product_with_W():
    message = exercises()["03-two-steps"].grade([[0, 1], [0.9, 1]]).message
    assert "the first at [1, 0]" in message
    assert "What is row 2 of W times the old state" in message


def of_strings_read():
    name = "03-read-and-predicted"
    swapped = changed(name, lambda pair: pair[::-1])
    longer = changed(name, lambda pair: (pair[0], [*pair[1], "."]))
    other_end = changed(name, lambda pair: ([*pair[0][:-1], "."], pair[1]))
    return Line([changed(name, list)], [swapped, longer, other_end])


def of_latches():
    """A rest of 1/2 needs w = arctanh(1/2) / (1/2) = 1.0986; a turn to -1/2, u = w h + 0.549."""
    refused = [(1.09, 3.0), (2.0, 2.54), (2.0, 3.01), (-1.11, 3.0), (1.11, -3.0)]
    return Line([(1.11, 3.0), (2.0, 2.56)], refused)


def of_brackets():
    name = "03-may-close"
    tiny = Fraction(1, 4**99)

    def unless_refused(change):
        return changed(name, lambda answer: answer and change(*answer))

    return Line(
        [unless_refused(lambda q, closing: [q, closing])],
        [
            unless_refused(lambda q, closing: (q + tiny, closing)),
            unless_refused(lambda q, closing: (q, closing or ")")),
            unless_refused(lambda q, closing: (q, closing.replace("]", ")"))),
            changed(name, lambda answer: answer or (Fraction(0), "")),
        ],
    )


LIMITS = {
    "03-read-and-predicted": of_strings_read,
    "03-two-steps": (0.0055, 0.0065),
    "03-logits": (0.0045, 0.0055),
    "03-latch": of_latches,
    "03-to-tanh": (1e-10, 1e-6),
    "03-may-close": of_brackets,
    "03-through-output": (5e-7, 2e-6),
}
EQUIVALENT = {
    "03-log-probability": [
        # The network reads one token more, but no term of the sum uses its last prediction.
        "run = rnn_forward(params, np.array([start, *symbols[:-1]])) -> "
        "run = rnn_forward(params, np.array([start, *symbols[:]]))",
    ],
    "03-two-steps": [
        # From these states, too, the tanh of unit 2 is 1 to two decimals.
        *(
            f"_states: h, states = (np.array((1, -1)), []) -> h, states = (np.array({start}), [])"
            for start in ("(2, -1)", "(1, 1)", "(1, -0)")
        ),
    ],
    "03-may-close": [
        # The empty stack is the fraction 0, which Python treats as false.
        "if not nonempty(q) or top(q) != ')]'.index(symbol): -> "
        "if not q or top(q) != ')]'.index(symbol):",
        "return (q, ')]'[int(top(q))] if nonempty(q) else '') -> "
        "return (q, ')]'[int(top(q))] if q else '')",
    ],
}
