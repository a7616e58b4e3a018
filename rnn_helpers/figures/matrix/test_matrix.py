"""The figure matrix writes pairs into its memory as the reference does, and reads as it does."""

import re
from itertools import combinations

import numpy as np
import pytest
from bs4 import BeautifulSoup
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from press.still import draw
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import matrix_forward, matrix_step

pytestmark = pytest.mark.chapter("18")

PAIRS = 3


def pairs(state):
    """Keys (3, 2), of length 1, and values (3,)."""
    angles = np.deg2rad([state[f"a{i + 1}"] for i in range(PAIRS)])
    values = np.array([state[f"v{i + 1}"] for i in range(PAIRS)], float)
    return np.column_stack([np.cos(angles), np.sin(angles)]), values


def written(state, passes=4):
    """The memory before the first pair, and after each: (1 + 3 passes, 2)."""
    k, v = (np.concatenate([part] * passes) for part in pairs(state))
    return matrix_forward(k, k, v[:, None], state["eta"], state["rule"]).M[:, 0]


META = manifest()["matrix"]
states = st.fixed_dictionaries(
    {f"a{i}": st.integers(0, 359) for i in (1, 2, 3)}
    | {f"v{i}": st.integers(-24, 24).map(lambda k: k / 2) for i in (1, 2, 3)}
    | {"eta": st.integers(0, 40).map(lambda k: k / 20), "t": st.integers(0, 12)}
    | {"rule": st.sampled_from(["sum", "delta"])}
)


@given(states)
def test_every_write_and_every_reading_matches_the_reference(math, state):
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
    assert second - first == 60  # as in the question


def test_the_default_asks_and_the_answer_matches_the_reference():
    state = complete("matrix", {})
    k, _ = pairs(state)
    before, after = written(state)[1] @ k.T, written(state)[2] @ k.T
    assert before[0] == pytest.approx(4)
    assert before[1] == pytest.approx(2)
    assert after[:2] == pytest.approx([8, 10])
    added = written(state | {"rule": "sum"})[2] @ k.T
    assert added[:2] == pytest.approx([9, 12])
    assert META["prediction"]["answer"] == "8"


def test_keys_at_right_angles_leave_each_other_alone():
    state = complete("matrix", {"t": 3})
    k, v = pairs(state)
    assert k[1] @ k[2] == pytest.approx(0, abs=1e-12)
    reads = k @ written(state)[3]
    assert reads[1:] == pytest.approx(v[1:])


@pytest.mark.parametrize("state", [{}, {"t": 12, "rule": "sum", "eta": 2.0}])
def test_the_status_states_the_reading_before_and_after_the_write(state):
    whole = complete("matrix", state)
    last = (whole["t"] - 1) % PAIRS
    M, k = written(whole), pairs(whole)[0][last]
    said = status("matrix", **state).replace("−", "-")
    assert all(f" {M[t] @ k:.2f}" in said for t in (whole["t"] - 1, whole["t"]))


@pytest.mark.parametrize("t", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "angles",
    [(0, 60, 150), (0, 90, 270), (0, 90, 0), (0, 20, 40)],
    ids=["three directions", "right angles", "the first key again", "close keys"],
)
def test_the_numbers_are_rounded_and_far_from_each_other(angles, t):
    drawn = draw("matrix", {f"a{i}": angle for i, angle in enumerate(angles, 1)} | {"t": t})
    assert not re.search(r"e−\d", drawn.markup + drawn.status)
    labels = BeautifulSoup(drawn.markup, "html.parser").select("text.value")
    places = [(float(label["x"]), float(label["y"])) for label in labels]
    assert len(places) == PAIRS
    for (x, y), (p, q) in combinations(places, 2):
        assert abs(x - p) > 40 or abs(y - q) > 16


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"rule": "sum", "t": 2}, "Each reading is a mixture"),
        ({"rule": "delta", "t": 2}, "older ones pay for it"),
        ({"rule": "delta", "eta": 0.5, "t": 2}, "a part of its error is left"),
    ],
)
def test_each_rule_ends_with_a_sentence(state, says):
    said = status("matrix", **state)
    assert says in said
    assert "*" not in said
