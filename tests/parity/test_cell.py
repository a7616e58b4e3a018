"""Tests that the figure cell matches the reference, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures.cell import CONSTANTS, WORDS, cell
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("16")
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


def test_no_constant_leak_tells_three_ones_from_one(math):
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
    assert questions == {META["question"]} | {words["question"] for words in WORDS.values()}


@pytest.mark.parametrize("stage", STAGES)
def test_the_poster_describes_each_stage(stage):
    alt = show("cell", stage=stage, gate=1).alt
    assert "state" in alt
    assert ("output" in alt) == (stage == "output")
