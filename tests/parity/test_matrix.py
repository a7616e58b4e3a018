"""The figure matrix writes pairs into its memory as the reference does, and reads as it does."""

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures.matrix import pairs, written
from rnn_helpers.explore.states import complete
from rnn_helpers.plots import matrix_memory
from rnn_helpers.reference import matrix_step

pytestmark = pytest.mark.chapter("18")
META = manifest()["matrix"]
states = st.fixed_dictionaries(
    {f"a{i}": st.integers(0, 359) for i in (1, 2, 3)}
    | {f"v{i}": st.integers(-20, 20).map(lambda k: k / 20) for i in (1, 2, 3)}
    | {"eta": st.integers(0, 40).map(lambda k: k / 20), "t": st.integers(0, 12)}
    | {"rule": st.sampled_from(["sum", "delta"])}
)


@given(states)
def test_every_write_and_every_reading_is_the_references(math, state):
    run = math("compute", state)
    k, v = pairs(state)
    close(run["all"], written(state))
    M = np.array(run["all"])
    for t in range(12):
        expected = matrix_step(M[t, None], k[t % 3], v[t % 3, None], state["eta"], state["rule"])
        close(M[t + 1], expected[0])
    close([pair["read"] for pair in run["pairs"]], k @ M[state["t"]])
    assert run["next"] == state["t"] % 3
    if not state["t"]:
        assert (run["last"], run["before"]) == (None, None)
        return
    assert run["last"] == (state["t"] - 1) % 3
    close(run["before"], M[state["t"] - 1] @ k[run["last"]])


def test_the_keys_start_at_the_angles_that_the_alternative_text_names():
    state = complete("matrix", {})
    first, second, third = (state[f"a{i}"] for i in (1, 2, 3))
    assert f"three keys on it, at {first}, {second} and {third} degrees" in META["alt"]
    assert second - first == 45  # as the question says


def test_the_default_asks_and_the_answer_is_the_references():
    state = complete("matrix", {})
    k, _ = pairs(state)
    before, after = written(state)[1] @ k.T, written(state)[2] @ k.T
    assert before[0] == pytest.approx(0.9)
    assert before[1] == pytest.approx(0.636, abs=1e-3)
    assert after[:2] == pytest.approx([0.026, -0.6], abs=1e-3)
    added = written(state | {"rule": "sum"})[2] @ k.T
    assert added[:2] == pytest.approx([0.476, 0.036], abs=1e-3)
    assert META["prediction"]["answer"] == "about 0"


def test_keys_at_right_angles_leave_each_other_alone():
    state = complete("matrix", {"t": 3})
    k, v = pairs(state)
    assert k[1] @ k[2] == pytest.approx(0, abs=1e-12)
    reads = k @ written(state)[3]
    assert reads[1:] == pytest.approx(v[1:])


@pytest.mark.parametrize("state", [{}, {"t": 0}, {"t": 12, "rule": "sum", "eta": 2.0}])
def test_the_poster_tells_what_is_read(state):
    whole = complete("matrix", state)
    k, v = pairs(whole)
    plot = matrix_memory(k, v, written(whole)[: whole["t"] + 1])
    assert f"after {whole['t']} writes" in plot.alt
    assert show("matrix", **state).alt == plot.alt
