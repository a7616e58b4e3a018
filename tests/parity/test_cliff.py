"""The figure cliff computes what the reference computes, and its default keeps what it promises."""

import re

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import cliff
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import cliff_gradient, cliff_loss
from rnn_helpers.reference.cliff import TARGET

pytestmark = pytest.mark.chapter("17")
META = manifest()["cliff"]
STEPS = META["controls"]["k"]["max"]
W, B = ((spec["min"], spec["max"]) for spec in (META["controls"][key] for key in "wb"))
DEFAULT = complete("cliff", {})
KINDS = ["none", "norm", "element", "random"]
PREDICTED = {"w": 5.0}  # what the prediction asks for
CHANCE = {"b": -2.9, "lr": 0.3}  # the preset of that name


def run(math, kind="none", seed=0, **state):
    """A descent of the figure, its numbers as arrays."""
    way = math("descend", DEFAULT | state, kind, STEPS, seed)
    return {key: np.array(values, float) for key, values in way.items()}


def neighbours(math, kind="none", **state):
    """What becomes of the hundred starts beside one."""
    return done(math, "nearby", DEFAULT | state, kind)


def done(math, job, *arguments):
    """What a job of the figure has made when it is done."""
    return math.eval(
        f"""(() => {{
          const job = M.{job}(...arguments);
          let next;
          do next = job.next(); while (!next.done);
          return next.value;
        }})()""",
        arguments=arguments,
    )


def test_the_ravine_is_found_by_who_stays_and_the_picture_ends_at_its_edges(math):
    way = {"w": [W[1]], "b": [B[1]], "E": [1.0] * (STEPS - 1) + [0.001]}
    assert math("fate", way) == "on"  # the last update alone is chance
    assert math("fate", way | {"E": [0.001] * STEPS}) == "found"
    for w, b in ((W[1] + 0.1, B[0]), (W[0] - 0.1, B[0]), (W[0], B[1] + 0.1), (W[0], B[0] - 0.1)):
        assert math("fate", way | {"w": [w], "b": [b]}) == "out"
        assert math("leaves", {"w": [W[0], w], "b": [B[0], b]}) == 1


@given(st.floats(3.4, 5.8), st.floats(-3.5, -1.1), st.integers(5, 30))
def test_loss_and_gradient_are_the_references(math, w, b, T):
    ours = np.array(math("gradient", w, b, T))
    np.testing.assert_allclose(ours[0], cliff_loss(w, b, T), rtol=1e-9)
    close(ours[1:], cliff_gradient(w, b, T))
    assert math("loss", w, b, T) == pytest.approx(ours[0], rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("state", [{}, PREDICTED, CHANCE, {"v": 0.05}, {"T": 100, "lr": 1.0}])
def test_every_step_of_a_descent_is_the_references(math, kind, state):
    """From the figure's own point, for paths that wander off from each other by chaos."""
    now = DEFAULT | state
    drawn = cliff._Drawn(3)
    way = run(math, kind, 3, **state)
    points = np.transpose([way["w"], way["b"]])
    g = cliff_gradient(*points.T, now["T"])
    close(way["norm"], np.linalg.norm(g, axis=-1))
    np.testing.assert_allclose(way["E"], cliff_loss(*points.T, now["T"]), rtol=1e-9, atol=1e-15)
    for here, there, one in zip(points[:-1], points[1:], g[:-1], strict=True):
        step = cliff.step(one, kind, now["v"], drawn)
        np.testing.assert_allclose(there, here - now["lr"] * step, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_until_a_hundred_perturbations_disagree_the_paths_are_the_packages(math):
    """What comes after update 50 of the clipped path is a matter of rounding."""
    for kind, last in (("none", STEPS), ("norm", 50)):
        theirs, ours = cliff.descend(DEFAULT, kind), run(math, kind)
        ours = np.transpose([ours["w"], ours["b"]])
        np.testing.assert_allclose(ours[: last + 1], theirs[: last + 1], atol=1e-4)


def test_both_are_one_until_the_gradient_is_beyond_the_threshold(math):
    free, held = run(math), run(math, "norm")
    k = int((free["norm"] > DEFAULT["v"]).argmax())
    assert k == DEFAULT["k"] == 33
    np.testing.assert_array_equal(free["w"][: k + 1], held["w"][: k + 1])
    assert free["w"][k + 1] != held["w"][k + 1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["none", "norm"])
def test_a_hundred_perturbations_tell_the_same_story(math, kind):
    """Thrown out of the picture without clipping, in the ravine with it: all of them."""
    told = neighbours(math, kind)
    assert math.eval("[M.MANY, M.NEAR]") == [100, 1e-12]
    assert (told["out"], told["found"]) == ((100, 0) if kind == "none" else (0, 100))
    fates = {}
    rng = np.random.default_rng(0)
    for _ in range(100):  # others than the figure tries
        w, b = rng.normal(scale=1e-12, size=2)
        way = run(math, kind, w=DEFAULT["w"] + w, b=DEFAULT["b"] + b)
        fate = math("fate", way)
        fates[fate] = fates.get(fate, 0) + 1
    assert fates == ({"out": 100} if kind == "none" else {"found": 100})


def test_the_prediction_holds_under_a_hundred_perturbations(math):
    for kind in ("none", "norm"):
        assert neighbours(math, kind, **PREDICTED)["found"] == 100
    wall = run(math, **PREDICTED)["E"] > 0.2
    assert wall.sum() == 2  # "it steps onto the wall twice"
    assert META["prediction"]["answer"] == "in the ravine"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "least", "most"), [("none", 0.4, 0.65), ("norm", 0, 0)])
def test_of_the_starts_nearby_half_are_thrown_out_without_clipping(math, kind, least, most):
    """The prediction's why, on a grid around the default."""
    side = "[...Array(21).keys()].map((i) => (i - 10) / 100)"
    out = math.eval(
        f"{side}.flatMap((dw) => {side}.map((db) => M.fate(M.descend("
        "{...now, w: 4.9 + dw, b: -1.6 + db}, kind)) === 'out'))",
        now=DEFAULT,
        kind=kind,
    )
    assert least <= np.mean(out) <= most
    assert "within 0.1 of the default, about half are thrown out" in META["prediction"]["why"]


def test_where_it_is_chaotic_neighbours_end_apart(math):
    told = neighbours(math, **CHANCE)
    assert 30 < told["out"] < 90
    assert told["apart"] > 5
    assert neighbours(math, "norm", **CHANCE)["found"] == 100


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_done_with_a_gradient_that_is_long(math, kind):
    g, v = [3.0, -4.0], 1.0
    ours = math.eval("M.clipped(g, kind, v, () => 2)", g=g, kind=kind, v=v)
    wanted = {"none": g, "norm": [0.6, -0.8], "element": [1, -1], "random": [0.5**0.5] * 2}
    np.testing.assert_allclose(ours, wanted[kind], atol=1e-15)
    if kind != "none":
        np.testing.assert_allclose(
            math.eval("M.clipped([0.3, 0.4], kind, v, () => 2)", kind=kind, v=v), [0.3, 0.4]
        )


def test_the_line_along_the_gradient_has_the_losses_of_its_points(math):
    way = run(math)
    w, b = way["w"][33], way["b"][33]
    g = cliff_gradient(w, b)
    line = np.array(math("along", w, b, 50, [-0.4, 1.3], 35))
    points = np.array([w, b]) - line[:, :1] * g / np.linalg.norm(g)
    np.testing.assert_allclose(line[:, 1], cliff_loss(*points.T), rtol=1e-6)


def test_the_field_holds_the_losses_of_its_cells(math):
    n = 12
    ours = done(math, "field", 20, n)
    (w0, w1), (b0, b1) = W, B
    at = (np.arange(n) + 0.5) / n
    theirs = cliff_loss(w0 + (w1 - w0) * at, (b1 - (b1 - b0) * at)[:, None], 20)
    np.testing.assert_allclose(np.reshape(ours, (n, n)), theirs, rtol=1e-9)


def test_the_map_of_all_starts_holds_the_fate_of_each(math):
    n = 5
    out = done(math, "thrown", DEFAULT, "none", n)
    (w0, w1), (b0, b1) = W, B
    for j in range(n):
        for i in range(n):
            w, b = w0 + (w1 - w0) * (i + 0.5) / n, b1 - (b1 - b0) * (j + 0.5) / n
            assert out[j * n + i] == (math("fate", run_of(math, w, b)) == "out")
    assert 0 < sum(out) < n * n


def run_of(math, w, b):
    return math("descend", DEFAULT | {"w": w, "b": b}, "none")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("T", [5, 100])
@pytest.mark.parametrize("lr", [0.01, 1.0])
@pytest.mark.parametrize("v", [0.01, 100.0])
def test_no_setting_leaves_the_numbers(math, kind, T, lr, v):
    for w in (3.4, 4.6, 5.8):
        for b in (-3.5, 0.5 - w / (1 + np.exp(-0.5)), -1.1):
            way = run(math, kind, w=w, b=b, T=T, lr=lr, v=v)
            assert all(np.isfinite(values).all() for values in way.values())


def test_the_words_say_the_numbers_of_the_figure(math):
    free, held, alt = run(math), run(math, "norm"), META["alt"]
    assert f"one for {DEFAULT['k']} updates" in alt
    assert f"gradient is {free['norm'][33]:.1f} long" in alt
    there = re.search(r"the next point is \((.+), (.+)\)", alt).groups()
    assert there == (f"{free['w'][34]:.2f}", f"{free['b'][34]:.2f}")
    assert f"the loss stays at {free['E'][-1]:.2f}" in alt
    assert pytest.approx(free["E"][-1], rel=1e-3) == (1 - TARGET) ** 2
    assert f"after {STEPS} updates the loss is below 0.003" in alt
    assert held["E"][-1] < 0.003


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS[1:3])
def test_the_poster_draws_the_descents_of_the_figure(math, kind):
    alt = show("cliff", kind=kind).alt
    assert "without clipping: from (4.9, -1.6) out of the picture at update 34" in alt
    assert ("norm clipped" in alt) == (kind == "norm")
