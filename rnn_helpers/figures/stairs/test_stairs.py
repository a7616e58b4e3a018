"""The figure stairs counts the same paths as the package, and its texts state its numbers."""

import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import skip_gradient, ways_back

pytestmark = pytest.mark.chapter("15")
META = manifest()["stairs"]
SPEC = META["controls"]
DEFAULT = complete("stairs", {})
WEIGHTS = constants("stairs")
steps = st.integers(SPEC["k"]["min"], SPEC["k"]["max"])
jumps = st.integers(SPEC["d"]["min"], SPEC["d"]["max"])


def paths(k, d):
    """Return every path over k steps, as the list of its moves."""
    if k == 0:
        return [[]]
    return [[move, *rest] for move in (1, d) if move <= k for rest in paths(k - move, d)]


@given(steps, jumps)
def test_the_groups_hold_all_paths_and_the_whole_gradient(math, k, d):
    groups = math("groups", k, d)
    assert sum(group["count"] for group in groups) == ways_back(d, k)
    close(
        sum(group["together"] for group in groups),
        skip_gradient(WEIGHTS.W, WEIGHTS.JUMP, d, k)[k],
    )


@pytest.mark.parametrize(("k", "d"), [(4, 2), (9, 3), (11, 2)])
def test_the_ranks_of_a_group_list_all_its_paths(math, k, d):
    every = paths(k, d)
    for group in math("groups", k, d):
        ranked = [math("pathOf", k, d, group["jumps"], rank) for rank in range(group["count"])]
        assert ranked == [path for path in every if path.count(d) == group["jumps"]]
        assert [math("rankOf", path, d) for path in ranked] == list(range(group["count"]))


def test_the_story_and_the_prediction_state_the_numbers(math):
    for words in (META["story"], META["words"][0]["story"]):
        assert f"{WEIGHTS.W} for a single step and {WEIGHTS.JUMP} for a jump" in words
    groups = math("groups", 30, 5)
    most = max(groups, key=lambda group: group["together"])
    assert META["prediction"]["answer"] == f"{most['jumps']} jumps, {most['singles']} single steps"
    assert f"{most['count']} of them" in META["prediction"]["why"]
    assert groups[6]["each"] / most["each"] == pytest.approx(13, abs=0.5)


def test_the_alternative_text_states_the_default_path(math):
    *others, last = math("groups", DEFAULT["k"], DEFAULT["d"])
    assert last["jumps"] == DEFAULT["jumps"] == len(others)
    assert f"as high as {last['each']:.2g}" in META["alt"]


def test_the_status_states_the_numbers_of_the_selected_column():
    said = status("stairs", k=30, d=5, jumps=5, all=True)
    assert "252 paths with 5 jumps and 5 single steps" in said
    assert "which is 0.0806 together" in said
    assert "All 2,328 paths together bring back 0.111 of the gradient." in said
