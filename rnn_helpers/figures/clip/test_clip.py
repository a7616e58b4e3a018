"""The figure clip clips gradients and averages them as the reference does."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference.clipping import clip_by_element, clip_by_norm

pytestmark = pytest.mark.chapter("17")
META = manifest()["clip"]
CLIPS = {"norm": clip_by_norm, "element": clip_by_element}
# The minibatch (10, -1) with the true gradient (1, 5), from the preset "by element".
TURNED = {
    **{"kind": "element", "x1": 10.0, "y1": -1.0, "x2": 2.0, "y2": 9.0, "m2": 1},
    **{"x3": -3.0, "y3": 7.0, "m3": 1, "x4": -5.0, "y4": 5.0, "m4": 1},
}

part = st.integers(-120, 120).map(lambda k: k / 10)
states = st.fixed_dictionaries(
    {f"{axis}{i}": part for axis in "xy" for i in range(1, 5)}
    | {f"m{i}": st.integers(i == 1, 9) for i in range(1, 5)}
    | {"v": st.floats(0.1, 10), "kind": st.sampled_from(sorted(CLIPS))}
)


def rows(state):
    held = [i for i in "1234" if state[f"m{i}"]]
    return (
        np.array([[state[f"x{i}"], state[f"y{i}"]] for i in held], float),
        [state[f"m{i}"] for i in held],
    )


@given(states)
@pytest.mark.equation("10.48")
@pytest.mark.equation("10.49")
def test_every_clipped_gradient_and_every_mean_matches_the_reference(math, state):
    run = math("compute", state)
    g, counts = rows(state)
    clipped = CLIPS[state["kind"]]({"g": g}, state["v"], seed_axis=True)[0]["g"]
    mean = np.average(g, axis=0, weights=counts)
    expected = {
        "mean": mean,
        "after": CLIPS[state["kind"]]({"g": mean}, state["v"])[0]["g"],
        "before": np.average(clipped, axis=0, weights=counts),
    }
    found = [arrow["clipped"]["vector"] for arrow in run["arrows"]]
    close(found, clipped)
    for name, vector in expected.items():
        close(run[name]["vector"], vector)
        assert run[name]["product"] == pytest.approx(vector @ mean, rel=1e-9, abs=1e-12)
        if run[name]["cosine"] is not None:
            lengths = np.linalg.norm(vector) * np.linalg.norm(mean)
            cosine = vector @ mean / lengths
            assert run[name]["cosine"] == pytest.approx(cosine, abs=1e-9)
            assert np.cos(np.deg2rad(run[name]["angle"])) == pytest.approx(cosine, abs=1e-9)
            ways = {True: {"up"}, False: {"down"}}
            assert abs(cosine) < 2e-9 or run[name]["way"] in ways[bool(cosine < 0)]
    if np.linalg.norm(mean) > 1e-6:
        up = (
            clipped @ mean < -1e-9 * np.linalg.norm(clipped, axis=1) * np.linalg.norm(mean)
        ) @ counts
        assert run["uphill"] == up


@given(states)
def test_a_clipped_gradient_still_descends_its_own_loss(math, state):
    """The loss is that of its minibatch; clipping by norm doesn't turn the gradient at all."""
    for arrow in math("compute", state)["arrows"]:
        own = math("compare", arrow["clipped"]["vector"], arrow["g"])
        assert own["way"] == ("down" if any(arrow["g"]) else "none")
        if state["kind"] == "norm" and any(arrow["g"]):
            assert own["cosine"] == pytest.approx(1, abs=1e-12)


def test_the_untouched_figure_reverses_the_mean(math):
    """The figure's alternative text states these numbers."""
    state = complete("clip", {})
    run = math("compute", state)
    assert run["total"] == 6
    assert (run["mean"]["way"], run["before"]["way"], run["uphill"]) == ("down", "up", 5)
    said = re.findall(r"−?\d+(?:\.\d+)?", META["alt"])
    mean, before = (
        f"{run[name]['vector'][0]:.2f}".replace("-", "−") for name in ("mean", "before")
    )
    angle = f"{run['before']['angle']:.0f}"
    assert said == ["−10", "0", "1", "0", mean, "0", "1", before, "0", angle, "1"]


@pytest.mark.parametrize(("v", "way"), [(4.99, "up"), (5, "none"), (5.01, "down"), (10, "down")])
def test_the_sign_returns_at_the_predicted_step(math, v, way):
    run = math("compute", complete("clip", {}) | {"v": v})
    assert run["before"]["way"] == way
    assert META["prediction"]["answer"] == "5"


@pytest.mark.parametrize(
    ("kind", "product", "way"), [("element", -4, "up"), ("norm", 0.4975, "down")]
)
def test_a_minibatch_clipped_by_element_may_raise_the_true_loss(math, kind, product, way):
    run = math("compute", complete("clip", TURNED) | {"kind": kind})
    assert run["mean"]["vector"] == [1, 5]
    turned = run["arrows"][0]["clipped"]
    assert (turned["product"], turned["way"]) == (pytest.approx(product, abs=1e-4), way)


def test_every_setting_gives_finite_numbers(math):
    zero = {f"{axis}{i}": 0 for axis in "xy" for i in range(1, 5)}
    for state in ({}, zero, zero | {"x2": 5e-324}, {"v": 0.1}, {"v": 10, "m2": 0}):
        for kind in CLIPS:
            run = math("compute", complete("clip", {}) | state | {"kind": kind})
            for name in ("mean", "after", "before"):  # JSON turns NaN into null
                assert None not in run[name]["vector"]
                assert (run[name]["cosine"] is None) == (run[name]["way"] == "none")


@pytest.mark.parametrize("state", [{}, TURNED, {"v": 10.0, "m4": 9}])
def test_the_status_states_where_the_clipped_mean_goes(math, state):
    run = math("compute", complete("clip", state))
    said = status("clip", **state)
    assert f"is at {run['before']['angle']:.0f}° to the true gradient" in said
    assert f"goes {run['before']['way']}hill on the true loss" in said
