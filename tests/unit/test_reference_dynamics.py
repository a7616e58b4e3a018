import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, FUNCTION

from rnn_helpers.reference import (
    drive,
    hidden_state,
    init_rnn,
    iterate,
    preactivation,
    rnn_forward,
    times,
    unfolded,
)


def join(state, x=""):
    """A state that remembers how it came about."""
    return f"f({state}{x})"


@pytest.mark.chapter("02")
@pytest.mark.equation("10.1")
@given(st.integers(1, 50))
def test_each_state_is_f_of_the_one_before(t):
    assert iterate(join, "s", t + 1) == join(iterate(join, "s", t))


@pytest.mark.chapter("02")
@pytest.mark.equation("10.2", "10.3")
def test_three_steps_are_two_applications_written_out():
    assert iterate(join, "s", 3) == join(iterate(join, "s", 2)) == join(join("s")) == "f(f(s))"
    assert iterate(join, "s", 1) == "s"


@pytest.mark.chapter("02")
@pytest.mark.equation("10.4", "10.5", "10.7")
@given(st.text("abcxyz", min_size=1, max_size=20))
def test_a_driven_state_is_f_of_the_one_before_and_the_present_input(xs):
    before = "h"
    for state, x in zip(drive(join, "h", xs), xs, strict=True):
        assert state == join(before, x)
        before = state


@pytest.mark.chapter("02")
@pytest.mark.equation("10.6", "10.7")
@given(st.text("abcxyz", min_size=1, max_size=20))
def test_the_unfolded_function_of_the_whole_past_gives_the_state(xs):
    states = drive(join, "h", xs)
    for t, state in enumerate(states, start=1):
        assert unfolded(join, t)(xs[:t], "h") == state


@pytest.mark.chapter("02")
@pytest.mark.equation("10.5", "10.6")
def test_the_recurrent_network_is_a_driven_system():
    params, xs = init_rnn(3, 4, 2), np.random.default_rng(0).normal(size=(6, 3))

    def f(h, x):
        U, W, b = params["U"], params["W"], params["b"]
        return hidden_state(preactivation(b, W, h, times(U, x)))

    run = rnn_forward(params, xs)
    np.testing.assert_allclose(drive(f, np.zeros(4), xs), run.h, rtol=1e-14)
    np.testing.assert_allclose(unfolded(f, 6)(xs, np.zeros(4)), run.h[-1], rtol=1e-14)


def test_bad_input_is_rejected_by_name():
    with pytest.raises(ValueError, match="tau is 0; expected an integer of at least 1"):
        iterate(join, "s", 0)
    with pytest.raises(TypeError, match=r"tau is 2\.5; expected an integer"):
        iterate(join, "s", 2.5)
    with pytest.raises(TypeError, match="f is 'f'; expected a function"):
        iterate("f", "s", 2)
    with pytest.raises(ValueError, match="xs is empty"):
        drive(join, "h", [])
    with pytest.raises(ValueError, match="t is 0"):
        unfolded(join, 0)
    with pytest.raises(ValueError, match=r"xs has 2 inputs; g\^\(3\) takes exactly 3"):
        unfolded(join, 3)("ab", "h")


REFUSALS = {
    drive: ({"f": max, "h0": 0, "xs": [1]}, {"f": [None, *FUNCTION], "xs": [None, 3, []]}),
    iterate: ({"f": abs, "s1": 1, "tau": 2}, {"f": [None, *FUNCTION], "tau": COUNT}),
    unfolded: ({"f": max, "t": 2}, {"f": [None, *FUNCTION], "t": COUNT}),
    unfolded(max, 2): ({"xs": [1, 2], "h0": 0}, {"xs": [None, 3, [], [1]]}),
}
