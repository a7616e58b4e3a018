"""The figure lookback feeds outputs back as the reference does, and its texts state its numbers."""

from types import SimpleNamespace

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import output_forward, rnn_forward, through_output

pytestmark = pytest.mark.chapter("06")
META = manifest()["lookback"]
DEFAULT = complete("lookback", {})
CONSTANTS = constants("lookback")
UNITS, GAIN, WASHOUT = CONSTANTS.UNITS, CONSTANTS.GAIN, CONSTANTS.WASHOUT
SETTINGS = [(3, 4, "random"), (0, 1, "random"), (3, 4, "state"), (7, 8, "random"), (5, 2, "state")]

settings = st.fixed_dictionaries(
    {
        "k": st.integers(0, UNITS - 1),
        "width": st.integers(1, UNITS),
        "others": st.sampled_from(["random", "state"]),
    }
)


def drawn():
    """Return the input and rows of untrained outputs, drawn in the figure's order."""
    draw = np.random.RandomState(CONSTANTS.SEED)
    x = 2 * draw.random_sample(WASHOUT + CONSTANTS.LENGTH) - 1
    return x, draw.standard_normal((UNITS, UNITS)) / GAIN


def inside(k=0, width=UNITS, others="random"):
    """Return a network of figure 10.3 whose first output is the input of k steps ago.

    At each step, unit j has the value that unit j - 1 had before. The outputs after the first one
    are random or describe the state.
    """
    eye = np.eye(UNITS) / GAIN
    rest = drawn()[1] if others == "random" else np.delete(eye, k, axis=0)
    return {
        "U": GAIN * np.eye(UNITS)[:, :1],
        "W": np.eye(UNITS, k=-1),
        "V": np.vstack([eye[k], rest[: width - 1]]),
        "b": np.zeros(UNITS),
        "c": np.zeros(width),
    }


def through(k, width, others="random"):
    """Return the memory that a number of outputs carries, by the names of the figure.

    ``memory`` is the share of the input that a linear readout finds in the units, for each delay;
    ``inputs`` and ``held`` are the last inputs at the last step shown, and what the readout finds.
    ``loop`` has the weights from units through the outputs to units.
    """
    x, _ = drawn()
    straight = inside(k, width, others)
    around = through_output(straight)
    made = output_forward(around, x[:, None], own=True, feedback="output", start=around["c"])
    exact = rnn_forward(straight, x[:, None]).h
    states, says = made.h[WASHOUT:], made.o[WASHOUT:, 0]
    past = np.array([x[WASHOUT - j : len(x) - j] for j in range(UNITS)])
    noise = CONSTANTS.PENALTY * GAIN**2 * CONSTANTS.LENGTH
    readouts = np.linalg.solve(states.T @ states + noise * np.eye(UNITS), states.T @ past.T)
    read = (states @ readouts).T
    return SimpleNamespace(
        memory=np.array([correlation(p, q) for p, q in zip(read, past, strict=True)]),
        held=read[:, CONSTANTS.SHOWN - 1],
        inputs=past[:, CONSTANTS.SHOWN - 1],
        says=says,
        asked=past[k],
        loop=around["R"] @ around["V"],
        said=correlation(says, past[k]),
        apart=float(np.abs(made.h - exact).max()),
    )


def correlation(p, q):
    """Return the squared correlation; 0 for a constant."""
    p, q = p - p.mean(), q - q.mean()
    power = p @ p
    return float((p @ q) ** 2 / (power * (q @ q))) if power > 1e-18 * len(p) else 0.0


def test_the_input_and_the_random_rows_are_numpys(math):
    ours = math("given")
    x, rows = drawn()
    close(ours["x"], x)
    close(ours["rows"], rows)


@given(settings)
def test_the_weights_of_the_output_feedback_are_those_of_the_pseudo_inverse(math, state):
    V = math("outputs", state)
    around = through_output(inside(**state))
    close(V, around["V"])
    close(math("back", V), around["R"], atol=1e-10)


@given(settings, st.integers(0, 2**32 - 1))
def test_a_step_of_either_network_matches_the_reference(math, state, seed):
    straight = inside(**state)
    around = through_output(straight)
    rng = np.random.default_rng(seed)
    x, o, h = rng.uniform(-1, 1), rng.normal(size=state["width"]), rng.uniform(-1, 1, UNITS)
    ours = math("step", around, x, o)
    theirs = output_forward(around, [[x]], own=True, feedback="output", start=o)
    close(ours["h"], theirs.h[0])
    close(ours["o"], theirs.o[0])
    close(math("stepInside", x, h), rnn_forward(straight, [[x]], h).h[0])


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_memory_through_the_outputs_is_the_one_in_python(math, setting):
    state = dict(zip(("k", "width", "others"), setting, strict=True))
    ours, theirs = math("through", state), through(*setting)
    for key in ("memory", "held", "inputs", "says", "asked", "said"):
        close(ours[key], getattr(theirs, key), atol=1e-9)
    assert abs(ours["apart"] - theirs.apart) < 1e-9


@pytest.mark.parametrize("k", range(UNITS))
def test_outputs_carry_everything_if_there_are_as_many_as_units(k):
    made = through(k, UNITS)
    assert made.apart < 1e-13
    assert made.memory.min() > 0.99
    assert made.said > 0.99


@pytest.mark.slow
def test_no_input_is_recovered_that_the_outputs_do_not_carry():
    for others in ("random", "state"):
        for width in range(1, UNITS):
            made = through(3, width, others)
            assert made.memory.sum() < width + 1.05
            if others == "random":
                assert made.apart > 0.1
            assert np.linalg.matrix_rank(made.loop) <= width


@pytest.mark.parametrize("k", range(UNITS))
def test_targets_that_describe_the_state_need_one_output_more_than_the_delay(k):
    assert through(k, k + 1, "state").said > 0.99
    if k:
        assert through(k, k, "state").said == 0
        assert through(k, 1).said == 0


@pytest.mark.slow
def test_random_outputs_are_right_at_every_step_only_if_there_are_as_many_as_units():
    """The prediction states this."""
    said = [through(3, width).said for width in range(1, UNITS + 1)]
    assert max(said[:-1]) < 0.6
    assert said[-1] > 0.99
    assert META["prediction"]["answer"] == str(UNITS)
    assert through(3, 4, "state").said > 0.99


def test_the_alternative_text_states_what_the_units_hold():
    made = through(DEFAULT["k"], DEFAULT["width"])
    assert "the present input, and nothing of the seven others" in META["alt"]
    np.testing.assert_allclose(made.memory, [1] + [0] * 7, atol=0.005)
    assert abs(made.held[0] - made.inputs[0]) < 0.01
    assert abs(made.held[1:]).max() < 0.2
    assert "the first output stays flat" in META["alt"]
    assert abs(made.says).max() < 1e-9


def test_the_default_gives_no_hint_of_the_prediction():
    """It shows one output, which carries no information, so it rules out no choice."""
    assert (DEFAULT["k"], DEFAULT["width"], DEFAULT["others"]) == (3, 1, "random")
    assert str(DEFAULT["width"]) not in META["prediction"]["choices"]


@pytest.mark.slow
def test_every_setting_gives_finite_numbers():
    for k in range(UNITS):
        for width in range(1, UNITS + 1):
            for others in ("random", "state"):
                made = through(k, width, others)
                assert np.abs(made.says).max() < 3
                assert np.isfinite(made.memory).all()


def test_the_status_states_the_correlation_and_the_readable_inputs():
    made = through(2, 3, "state")
    words = status("lookback", k=2, width=3, others="state")
    assert f"3 of {UNITS} outputs" in words
    assert f"correlation {made.said:.2f}" in words
    assert f"{made.memory.sum():.1f} inputs" in words
