"""Tests that the figure cell matches the reference, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import init_lstm, lstm_forward, lstm_gradient_through_time

pytestmark = pytest.mark.chapter("16")

CONSTANTS = constants("cell")
STEPS = len(CONSTANTS.SYMBOLS)


def cell(stage, gate):
    """Run the cell by the reference.

    Returns
    -------
    run : LSTMRun
        Its gates are those of the figure.
    gradient : ndarray, shape (T,)
        Gradient of the last state, with respect to each state, or, in the stage "input", to each
        cell input. In the stage "output" it is the gradient of the last output.
    """
    one = np.array([symbol == "1" for symbol in CONSTANTS.SYMBOLS])
    at = np.arange(1, STEPS + 1)
    f, g, q = np.ones((3, STEPS))
    c = one + (np.array(CONSTANTS.NOISE) if stage in ("input", "output") else 0)
    if stage == "leak":
        f[:], g[:] = gate, 1 - gate
    else:
        f[at == CONSTANTS.RESET] = gate if stage == "forget" else 0
    if stage == "input":
        g[~one] = gate
    if stage == "output":
        g[~one] = 0
        q[:-1] = at[:-1] == CONSTANTS.ENDS[0]
        q[-1] = gate
    params = {name: 0 * array for name, array in init_lstm(1, 1, 1).items()} | {"U": np.eye(1)}
    x = np.where(c == 1, 20, np.arctanh(np.where(c == 1, 0, c)))  # tanh(20) is 1 in floating point
    held = {name: values[:, None] for name, values in (("f", f), ("g", g), ("q", q))}
    run = lstm_forward(params, x[:, None], held=held)
    if stage == "output":
        params["V"] = np.eye(1)
        return run, lstm_gradient_through_time(params, run, [1.0])[1][1:, 0]
    later = np.append(np.cumprod(f[:0:-1])[::-1], 1)
    return run, later * (g if stage == "input" else 1)


META = manifest()["cell"]
STAGES = META["controls"]["stage"]["options"]
FIRST, LAST = CONSTANTS.ENDS
stages = st.sampled_from(STAGES)
gates = st.floats(0, 1)


def column(steps, name):
    return np.array([now[name] for now in steps], float)


def ends(math, stage, gate, name="s"):
    values = column(math("run", stage, gate), name)
    return values[FIRST - 1], values[LAST - 1]


@given(stages, gates)
@pytest.mark.equation("10.41", "10.43")
def test_gates_states_and_outputs_match_the_reference(math, stage, gate):
    steps = math("run", stage, gate)
    run, gradient = cell(stage, gate)
    for name in "fgqsh":
        close(column(steps, name), getattr(run, name)[:, 0])
    close(column(steps, "c"), run.cell_input[:, 0])
    close(column(steps, "gradient"), gradient)


@given(stages, gates, st.integers(0, LAST - 1))
def test_the_gradient_matches_a_finite_difference(math, stage, gate, at):
    f, g, q, c, s, gradient = (
        column(math("run", stage, gate), name) for name in ("f", "g", "q", "c", "s", "gradient")
    )

    def last(change):
        state = s[at] + (g[at] if stage == "input" else 1) * change
        for t in range(at + 1, LAST):
            state = f[t] * state + g[t] * c[t]
        return q[-1] * np.tanh(state) if stage == "output" else state

    close(gradient[at], (last(1e-5) - last(-1e-5)) / 2e-5, atol=1e-8)


def test_gates_at_their_ends_count_both_sentences(math):
    count = math("counts")
    assert (count[FIRST - 1], count[LAST - 1]) == (3, 1)
    assert ends(math, "forget", 1) == (3, 4)
    for stage, gate in (("forget", 0), ("input", 0), ("output", 1)):
        close(column(math("run", stage, gate), "s"), count)
    close(ends(math, "input", 1), (3.9, 2.3))


def test_no_constant_leak_separates_three_ones_from_one(math):
    ratios = [np.divide(*ends(math, "leak", alpha)[::-1]) for alpha in np.arange(0.01, 1, 0.01)]
    assert min(ratios) > 0.9


def test_the_slider_sets_some_gates_of_each_stage_and_no_others(math):
    for stage, name in {"leak": "f", "forget": "f", "input": "g", "output": "q"}.items():
        low, high = (math("run", stage, gate) for gate in (0, 1))
        moved = column(low, name) != column(high, name)
        assert moved.tolist() == [math("isSet", stage, now) for now in low]


def test_the_texts_state_the_numbers(math):
    default = complete("cell", {})
    steps = math("run", default["stage"], default["gate"])
    said = [float(text) for text in re.findall(r"\d\.\d{3}", META["alt"])]
    states, gradients = column(steps, "s"), column(steps, "gradient")
    shown = [*states[[2, 5, 9, 10, 11]], *gradients[[5, 0]]]
    assert said == [round(value, 3) for value in shown]
    assert f"keeps {default['gate']:.2f}" in META["alt"]
    assert META["alt"].split("inputs ")[1].startswith(", ".join(CONSTANTS.SYMBOLS))
    answer = META["prediction"]
    alpha = float(re.search(r"α = (\d\.\d+)", answer["question"])[1])
    three, one = ends(math, "leak", alpha)
    assert re.findall(r"\d\.\d+", answer["why"]) == [f"{three:.3f}", f"{one:.3f}"]
    assert one > three
    assert answer["answer"] == "after one"


def test_each_stage_asks_its_own_question():
    questions = {show("cell", stage=stage).payload["question"] for stage in STAGES}
    assert len(questions) == len(STAGES)
    assert questions == {META["question"]} | {words["question"] for words in META["words"]}


@pytest.mark.parametrize("stage", ["leak", "forget", "input"])
def test_the_status_states_the_states_at_the_ends_of_both_sentences(stage):
    s = cell(stage, 0.6)[0].s[:, 0]
    said = re.findall(
        r"fter (?:three 1s the state|one 1 it) is (\d+(?:\.\d+)?)",
        status("cell", stage=stage, gate=0.6),
    )
    np.testing.assert_allclose(np.array(said, float), s[[FIRST - 1, LAST - 1]], atol=6e-4)


def test_the_status_of_the_last_stage_states_the_output():
    run, _ = cell("output", 1)
    assert f"the output is {run.h[-1, 0]:.3f}" in status("cell", stage="output", gate=1)
