"""The figure both joins nodes as Python does, and says what is heard, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import both
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("09")
META = manifest()["both"]
DEFAULT = complete("both", {})
states = st.builds(
    lambda listener, wait, width, steps, at: (
        {"listener": listener, "wait": wait, "width": width, "steps": steps, "at": min(at, steps)}
    ),
    st.sampled_from(both.NAMES),
    st.integers(0, 4),
    st.sampled_from([1, 3, 5, 7]),
    st.integers(3, 12),
    st.integers(1, 12),
)


def as_node(name):
    return name[0], int(name[1:])


@given(states)
def test_the_arrows_are_pythons(math, state):
    made = [tuple(map(as_node, pair)) for pair in math("arrows", state)]
    assert len(set(made)) == len(made)
    assert set(made) == both.arrows(state)


@given(states)
def test_what_is_heard_and_when_it_is_said_are_pythons(math, state):
    assert math("heard", state, state["at"]) == both.heard(state, state["at"])
    assert math("ready", state, state["at"]) == both.ready(state, state["at"])


@given(states)
def test_an_answer_is_given_when_all_that_it_hears_has_come(state):
    """And, of who waits beyond the end, after so much silence as was promised."""
    last = both.heard(state, state["at"])[-1]
    late = max(0, state["at"] + state["wait"] - state["steps"]) * (state["listener"] == "one")
    assert both.ready(state, state["at"]) == last + late


@given(states)
def test_who_reads_both_ways_hears_everything_and_who_waits_so_much_ahead(state):
    T, at, hears = state["steps"], state["at"], both.heard(state, state["at"])
    ahead = {"both": T, "one": at + state["wait"], "window": at + state["width"] // 2}
    assert hears[-1] == min(T, ahead[state["listener"]])
    assert hears[0] == (max(1, at - state["width"] // 2) if state["listener"] == "window" else 1)


def test_the_words_say_the_ticks_of_the_figure():
    assert (DEFAULT["listener"], DEFAULT["steps"], DEFAULT["at"]) == ("one", 8, 4)
    assert both.heard(DEFAULT, 4) == [1, 2, 3, 4]
    assert both.ready(DEFAULT | {"listener": "both"}, 1) == 8
    assert META["prediction"]["answer"] == "tick 8"
    assert "Who waits two ticks has its first answer at tick 3" in META["prediction"]["why"]
    assert both.ready(DEFAULT | {"wait": 2}, 1) == 3


@pytest.mark.slow
def test_the_poster_answers_the_question_only_where_it_has_been_asked():
    assert "both ways" not in show("both").alt
    assert "both ways" in show("both", listener="both").alt
