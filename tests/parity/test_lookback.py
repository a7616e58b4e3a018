"""The figure lookback sends through its door what the reference does, and tells what it says."""

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import lookback
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import output_forward, rnn_forward, through_output

pytestmark = pytest.mark.chapter("06")
META = manifest()["lookback"]
DEFAULT = complete("lookback", {})
UNITS = lookback.UNITS
SETTINGS = [(3, 4, "random"), (0, 1, "random"), (3, 4, "state"), (7, 8, "random"), (5, 2, "state")]

settings = st.fixed_dictionaries(
    {
        "k": st.integers(0, UNITS - 1),
        "width": st.integers(1, UNITS),
        "others": st.sampled_from(["random", "state"]),
    }
)


def test_the_input_and_the_random_rows_are_numpys(math):
    ours = math("given")
    x, rows = lookback.given()
    close(ours["x"], x)
    close(ours["rows"], rows)


@given(settings)
def test_the_way_back_is_the_pseudo_inverses(math, state):
    V = math("outputs", state)
    around = through_output(lookback.inside(**state))
    close(V, around["V"])
    close(math("back", V), around["R"], atol=1e-10)


@given(settings, st.integers(0, 2**32 - 1))
def test_a_step_of_either_network_is_the_references(math, state, seed):
    straight = lookback.inside(**state)
    around = through_output(straight)
    rng = np.random.default_rng(seed)
    x, o, h = rng.uniform(-1, 1), rng.normal(size=state["width"]), rng.uniform(-1, 1, UNITS)
    ours = math("step", around, x, o)
    theirs = output_forward(around, [[x]], own=True, says="output", start=o)
    close(ours["h"], theirs.h[0])
    close(ours["o"], theirs.o[0])
    close(math("stepInside", x, h), rnn_forward(straight, [[x]], h).h[0])


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_what_comes_through_is_what_python_measures(math, setting):
    state = dict(zip(("k", "width", "others"), setting, strict=True))
    ours, theirs = math("through", state), lookback.through(*setting)
    for key in ("memory", "says", "asked", "loop", "said"):
        close(ours[key], getattr(theirs, key), atol=1e-9)
    assert abs(ours["apart"] - theirs.apart) < 1e-9


@pytest.mark.parametrize("k", range(UNITS))
def test_as_many_outputs_as_units_carry_everything(k):
    made = lookback.through(k, UNITS)
    assert made.apart < 1e-13
    assert made.memory.min() > 0.99
    assert made.said > 0.99


@pytest.mark.slow
def test_no_more_inputs_are_read_than_came_through():
    for others in ("random", "state"):
        for width in range(1, UNITS):
            made = lookback.through(3, width, others)
            assert made.memory.sum() < width + 1.05
            if others == "random":
                assert made.apart > 0.1
            assert np.linalg.matrix_rank(made.loop) <= width


@pytest.mark.parametrize("k", range(UNITS))
def test_targets_that_describe_the_state_need_a_door_no_wider_than_the_delay_and_one(k):
    assert lookback.through(k, k + 1, "state").said > 0.99
    if k:
        assert lookback.through(k, k, "state").said == 0
        assert lookback.through(k, 1).said == 0


@pytest.mark.slow
def test_random_outputs_are_right_at_every_step_only_if_there_are_as_many_as_units():
    """What the prediction says."""
    said = [lookback.through(3, width).said for width in range(1, UNITS + 1)]
    assert max(said[:-1]) < 0.6
    assert said[-1] > 0.99
    assert META["prediction"]["answer"] == str(UNITS)
    assert lookback.through(3, 4, "state").said > 0.99


def test_the_words_say_the_numbers_of_the_figure():
    made = lookback.through(DEFAULT["k"], DEFAULT["width"])
    shares = [f"{share:.2f}" for share in made.memory]
    assert shares == ["1.00"] + ["0.00"] * 7
    assert "1.00, then 0.00 seven times" in META["alt"]
    assert f"correlation of {made.said:.2f}" in META["alt"]


def test_the_default_gives_no_hint_of_the_prediction():
    """One output, through which nothing comes: no choice is ruled out by what is in view."""
    assert (DEFAULT["k"], DEFAULT["width"], DEFAULT["others"]) == (3, 1, "random")
    assert str(DEFAULT["width"]) not in META["prediction"]["choices"]


@pytest.mark.slow
def test_no_setting_leaves_the_range_of_numbers():
    for k in range(UNITS):
        for width in range(1, UNITS + 1):
            for others in ("random", "state"):
                made = lookback.through(k, width, others)
                assert np.abs(made.says).max() < 3
                assert np.isfinite(made.memory).all()


@pytest.mark.slow
def test_the_poster_tells_what_the_figure_tells():
    alt = show("lookback", k=2, width=3, others="state").alt
    made = lookback.through(2, 3, "state")
    assert "through 3 outputs" in alt
    assert f"correlation of {round(made.said, 2):g} with" in alt
