"""Tests that the figure lstm matches the reference forward and backward, also with held gates."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.figures.lstm.figure import held_gates
from rnn_helpers.reference import (
    cell_input,
    cell_output,
    cell_state,
    forget_gate,
    input_gate,
    lstm_forward,
    lstm_gradient_through_time,
    output_gate,
)

pytestmark = pytest.mark.chapter("16")

CONSTANTS = constants("lstm")


def lstm_arguments(state):
    """Return the arguments with which `lstm_forward` runs the cell in a complete state."""
    T, keep = len(CONSTANTS.NOISE), CONSTANTS.KEEP
    params = {"V": np.eye(1), "c": np.zeros(1)}
    for name, value in CONSTANTS.PARAMS.items():
        if state["cell"] == "peepholes" or not name.startswith("p"):
            params[name] = np.array(value, float).reshape((1, -1) if name[0] in "UW" else 1)
    x = np.zeros((T, 2))
    x[:, 0] = CONSTANTS.NOISE
    x[keep - 1], x[-1, 1] = (state["value"], 1), -1
    held = {gate: np.full((T, 1), np.nan) for gate in "gfq"}
    for (gate, t), value in held_gates(state["held"]).items():
        held[gate][t - 1] = value
    return {"params": params, "x": x, "held": held}


META = manifest()["lstm"]
STEPS, KEEP = len(CONSTANTS.NOISE), CONSTANTS.KEEP
DEFAULT = complete("lstm", {})
CELLS = META["controls"]["cell"]["options"]
LETTER = {"f": "f", "g": "g", "q": "o"}

numbers = st.floats(-3, 3)
gates = st.one_of(st.none(), st.floats(0, 1))


@st.composite
def cells(draw):
    params = {part + letter: draw(numbers) for letter in ["", *"fgo"] for part in "bW"}
    params |= {"U" + letter: [draw(numbers), draw(numbers)] for letter in ["", *"fgo"]}
    if draw(st.booleans()):
        params |= {"p" + letter: draw(numbers) for letter in "fgo"}
    held = {name: draw(gates) for name in "fgq"}
    return params, {name: value for name, value in held.items() if value is not None}


@st.composite
def settings_of_the_figure(draw):
    held = draw(st.dictionaries(st.sampled_from("fgq"), st.integers(1, STEPS)))
    return DEFAULT | {
        "cell": draw(st.sampled_from(CELLS)),
        "value": draw(st.floats(-1, 1)),
        "held": ",".join(f"{g}{t}:{draw(st.sampled_from([0, 0.25, 1]))}" for g, t in held.items()),
    }


@given(cells(), numbers, numbers, numbers, numbers)
@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
def test_a_step_from_any_state_matches_the_reference(math, cell, x1, x2, s, h):
    (params, held), x = cell, np.array([x1, x2])
    now = math("step", params, [x1, x2], s, h, held)

    def sums(letter):
        return params["b" + letter], x @ params["U" + letter], params["W" + letter] * h

    f = held.get("f", forget_gate(*sums("f"), params.get("pf", 0) * s))
    g = held.get("g", input_gate(*sums("g"), params.get("pg", 0) * s))
    c = cell_input(*sums(""))
    after = cell_state(f, s, g, c)
    q = held.get("q", output_gate(*sums("o"), params.get("po", 0) * after))
    expected = {"f": f, "g": g, "c": c, "s": after, "q": q, "h": cell_output(after, q)}
    for name, value in expected.items():
        close(now[name], value)


@pytest.mark.slow
@given(cells(), *[numbers] * 6)
def test_a_step_backward_matches_automatic_differentiation(math, cell, x1, x2, s, h, dh, ds):
    torch = pytest.importorskip("torch")
    params, held = cell
    now = math("step", params, [x1, x2], s, h, held)
    ours = math("back", params, now, dh, ds, held)
    s, h = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (s, h))

    def gate(name, state):
        letter = LETTER[name]
        u1, u2 = params["U" + letter]
        a = params["b" + letter] + u1 * x1 + u2 * x2 + params["W" + letter] * h
        return torch.sigmoid(a + params.get("p" + letter, 0) * state)

    u1, u2 = params["U"]
    fresh = torch.tanh(params["b"] + u1 * x1 + u2 * x2 + params["W"] * h)
    f, g = held.get("f", gate("f", s)), held.get("g", gate("g", s))
    after = f * s + g * fresh
    answer = dh * torch.tanh(after) * held.get("q", gate("q", after)) + ds * after
    whole, back_s, back_h = torch.autograd.grad(answer, [after, s, h], allow_unused=True)
    close([ours["s"], ours["ds"]], [whole, back_s])
    close(ours["dh"], 0 if back_h is None else back_h)


@given(settings_of_the_figure())
def test_every_step_of_a_run_matches_the_reference(math, state):
    steps = math("compute", state)["steps"]
    arguments = lstm_arguments(state)
    run = lstm_forward(**arguments)
    for name in "fgqsh":
        close([now[name] for now in steps], getattr(run, name)[:, 0])
    close([now["c"] for now in steps], run.cell_input[:, 0])
    close([now["x"] for now in steps], run.x)
    _, grad_s = lstm_gradient_through_time(arguments["params"], run, [1.0])
    close([now["grad"] for now in steps], grad_s[1:, 0])
    later = [np.prod(run.f[t:]) for t in range(1, STEPS + 1)]
    close([now["path"] for now in steps], later)


def test_the_value_enters_is_kept_and_comes_out_as_the_texts_state(math):
    steps = math("compute", DEFAULT)["steps"]
    assert [now["g"] > 0.5 for now in steps] == [t == KEEP for t in range(1, STEPS + 1)]
    assert [now["q"] > 0.5 for now in steps] == [t == STEPS for t in range(1, STEPS + 1)]
    kept, last = steps[KEEP - 1], steps[-1]
    assert min(now["f"] for now in steps[KEEP:]) > 0.98
    assert kept["grad"] / last["grad"] == pytest.approx(kept["path"], abs=0.01)
    held = [now["s"] for now in steps[KEEP - 1 :]]
    stated = {float(text) for text in re.findall(r"\d\.\d+", META["alt"])}
    shown = [DEFAULT["value"], kept["g"], 0.98, min(held), max(held), last["h"]]
    assert stated == {round(value, 2) for value in [*shown, last["grad"], kept["grad"]]}


@pytest.mark.parametrize("cell", ["output", "peepholes"])
def test_closing_one_forget_gate_ends_memory_and_gradient(math, cell):
    state = DEFAULT | {"cell": cell, "held": "f5:0"}
    steps = math("compute", state)["steps"]
    assert steps[3]["s"] > 0.75
    assert all(abs(now["s"]) < 0.02 for now in steps[4:])
    assert all(abs(now["grad"]) < 0.005 for now in steps[:4])
    assert all(now["grad"] > 0.9 for now in steps[4:])
    assert META["prediction"]["answer"] == "next to nothing"
    if cell == "output":
        assert abs(steps[1]["grad"]) < 0.001  # "less than a thousandth"


def test_the_state_takes_the_sign_of_the_value(math):
    assert math("compute", DEFAULT | {"value": -0.8})["steps"][-1]["s"] < -0.7


@given(settings_of_the_figure())
def test_states_and_gradients_stay_bounded(math, state):
    steps = math("compute", state)["steps"]
    for now in steps:
        assert None not in now.values()
        assert abs(now["s"]) <= STEPS
        assert abs(now["grad"]) <= 8
    assert math("write", math("read", state["held"])) == ",".join(
        sorted(part.replace("1.0", "1") for part in state["held"].split(","))
    )


def test_the_figure_ignores_and_show_refuses_unknown_gates(math):
    assert math("read", "f5:0.25,q8:7,g9:0,h1:0,f:,,f5,.g1:.5") == {"f5": 0.25, "q8": 1}
    assert held_gates("f5:0.25,g1:.5,q8:1") == {("f", 5): 0.25, ("g", 1): 0.5, ("q", 8): 1}
    for bad in ("f9:0", "f5", "f5:1.5", "h1:0"):
        with pytest.raises(ValueError, match="held"):
            show("lstm", held=bad)


@pytest.mark.parametrize("held", ["", "f5:0.75,q8:0.5"])
def test_the_status_states_the_output_and_the_gradient(held):
    arguments = lstm_arguments(DEFAULT | {"held": held})
    run = lstm_forward(**arguments)
    said = status("lstm", held=held)
    assert f"The output h({STEPS}) is {run.h[-1, 0]:.2f}." in said
    kept = np.prod(run.f[KEEP:, 0])
    assert f"f({KEEP + 1}) ⋯ f({STEPS}), leave {kept:.2f}" in said
