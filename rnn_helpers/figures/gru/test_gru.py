"""Tests that the figure gru matches the reference, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    cell_input,
    cell_state,
    forget_gate,
    gru_forward,
    gru_state,
    input_gate,
    reset_gate,
    target_state,
    update_gate,
)

pytestmark = pytest.mark.chapter("16")

PARAMS = constants("gru").PARAMS


META = manifest()["gru"]
DEFAULT = complete("gru", {})
values = st.floats(-3, 3)
cells = st.fixed_dictionaries(dict.fromkeys(PARAMS["gru"], values))
stores = st.fixed_dictionaries(dict.fromkeys(PARAMS["lstm"], values))


def gates(p, x, h):
    u = update_gate(p["bu"], p["Uu"] * x, p["Wu"] * h)
    r = reset_gate(p["br"], p["Ur"] * x, p["Wr"] * h)
    return {"u": float(u), "r": float(r)}


def target(p, x, h, r):
    return target_state(p["b"], p["U"] * x, p["W"] * (r * h))


@given(cells, values, values)
@pytest.mark.equation("10.45", "10.46", "10.47")
def test_a_step_from_any_state_matches_the_reference(math, p, x, h):
    now = math("gates", p, x, h)
    expected = gates(p, x, h)
    close([now["u"], now["r"]], [expected["u"], expected["r"]])
    goal = target(p, x, h, expected["r"])
    mixed = math("mix", p, x, h, now)
    close(mixed["fresh"], goal)
    close(mixed["h"], gru_state(expected["u"], h, goal))


@given(stores, values, values)
@pytest.mark.equation("10.40", "10.41", "10.42")
def test_a_step_of_the_lstm_matches_the_reference(math, p, x, s):
    now = math("store", p, x, s)
    f = forget_gate(p["bf"], p["Uf"] * x, p["Wf"] * s)
    g = input_gate(p["bg"], p["Ug"] * x, p["Wg"] * s)
    close([now["f"], now["g"]], [f, g])
    close(now["s"], cell_state(f, s, g, cell_input(p["b"], p["U"] * x, p["W"] * s)))


@pytest.mark.parametrize("x", ["0100100100", "-1-01", "1"])
def test_gates_and_states_match_the_reference(math, x):
    now = math("run", DEFAULT | {"x": x})
    inputs = np.array(math("read", x), float)[:, None]
    p = PARAMS["gru"]
    params = {name: np.full((1, 1) if name[0] in "UW" else 1, float(p[name])) for name in p}
    run = gru_forward(params | {"V": np.ones((1, 1)), "c": np.zeros(1)}, inputs)
    for name, array in (("u", run.u), ("r", run.r), ("fresh", run.target), ("h", run.h)):
        close([one[name] for one in now["gru"]], array[:, 0])


HANDS = [{}, {"u": "5:0.5 8:0.67"}, {"u": "1:0 3:1", "r": "2:1 5:0.25", "x": "01-010--1011"}]


@pytest.mark.parametrize("hands", HANDS)
def test_steps_with_gates_set_by_hand_match_the_reference(math, hands):
    state = DEFAULT | hands
    p, h = PARAMS["gru"], 0.0
    hand = {key: math("held", state[key]) for key in "ur"}
    for t, (one, x) in enumerate(
        zip(math("run", state)["gru"], math("read", state["x"]), strict=True)
    ):
        own = {key: hand[key].get(str(t + 1)) for key in "ur"}
        u, r = (free if own[key] is None else own[key] for key, free in gates(p, x, h).items())
        goal = target(p, x, h, r)
        h = float(gru_state(u, h, goal))
        close([one["u"], one["r"], one["fresh"], one["h"]], [u, r, goal, h])


@given(
    st.text("01-", min_size=1, max_size=12),
    st.dictionaries(st.integers(1, 12), st.sampled_from([0, 0.25, 0.5, 1]), max_size=6),
)
def test_the_shares_of_a_gru_add_up_to_1_and_make_its_last_state(math, x, hand):
    now = math("run", DEFAULT | {"x": x, "u": math("hold", hand)})
    keeps = [one["u"] for one in now["gru"]]
    assert sum(now["gruShares"]) + np.prod(keeps) == pytest.approx(1, abs=1e-12)
    candidates = [one["fresh"] for one in now["gru"]]
    close(now["gru"][-1]["h"], np.dot(now["gruShares"], candidates))
    lstm = now["lstm"]
    close(lstm[-1]["s"], np.dot(now["lstmShares"], [one["fresh"] for one in lstm]))
    flat = [one[key] for one in now["gru"] for key in "urh"] + now["gruShares"]
    assert None not in flat
    assert max(map(abs, flat)) <= 1


def test_the_shares_are_those_of_the_story_and_the_prediction(math):
    now = math("run", DEFAULT)
    xs = math("read", DEFAULT["x"])
    assert math("total", xs, now["gruShares"]) < 1
    assert math("total", xs, now["lstmShares"]) > 2.9
    thirds = math("run", DEFAULT | {"u": "5:0.5 8:0.67"})
    assert [thirds["gruShares"][i] for i in (1, 4, 7)] == pytest.approx([1 / 3] * 3, abs=0.01)
    assert META["prediction"]["answer"] == "1"


def test_the_alternative_text_states_the_numbers(math):
    now = math("run", DEFAULT)
    stated = [float(text) for text in re.findall(r"\d\.\d+", META["alt"])]
    shares = [now[name][i] for name in ("gruShares", "lstmShares") for i in (1, 4, 7)]
    shown = [now["gru"][1]["h"], now["gru"][-1]["h"], now["lstm"][-1]["s"], *shares]
    assert stated == [round(value, 2) for value in shown]


@pytest.mark.parametrize("text", ["", "nonsense", "3:", ":5 7", "99:0.5", "5:7", "5:0.5 5:0.25"])
def test_odd_texts_in_an_address_are_ignored(math, text):
    now = math("run", DEFAULT | {"u": text, "r": text})
    assert all(0 <= one[key] <= 1 for one in now["gru"] for key in "ur")
    assert math("run", DEFAULT | {"x": ""})["gru"] == []


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"x": ""}, "x is empty"),
        ({"x": "012"}, "x"),
        ({"t": 11}, "the steps 1 to 10"),
        ({"u": "11:0.5"}, "a step from 1 to 10"),
        ({"r": "5:1.5"}, "a gate from 0 to 1"),
    ],
)
def test_a_state_that_the_figure_cannot_show_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        show("gru", **state)


@pytest.mark.parametrize("hands", HANDS)
def test_the_status_states_the_numbers_of_the_step(math, hands):
    now, t = math("run", DEFAULT | hands), DEFAULT["t"] - 1
    said = status("gru", **hands)
    assert f"keeps {now['gru'][t]['u']:.2f} and takes in {1 - now['gru'][t]['u']:.2f}" in said
    assert f"h is {now['gru'][t]['h']:.2f}, the LSTM's s is {now['lstm'][t]['s']:.2f}" in said
