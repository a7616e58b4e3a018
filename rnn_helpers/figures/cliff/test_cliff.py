"""The figure cliff computes the same numbers as the reference, and its words have them."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    clip_by_element,
    clip_by_norm,
    random_step,
)
from rnn_helpers.reference.cliff import TARGET

pytestmark = pytest.mark.chapter("17")


class Drawn(np.random.Generator):
    """Generator with the normals of ``RandomState(seed)``, the figure's own."""

    def __new__(cls, seed):
        return super().__new__(cls, np.random.MT19937())

    def __init__(self, seed):
        super().__init__(np.random.MT19937())
        self._state = np.random.RandomState(seed)

    def standard_normal(self, size=None):
        return self._state.standard_normal(size)


def step(gradient, kind, v, drawn):
    """Return the vector that a step uses in place of a gradient of two entries."""
    grads = {"theta": gradient}
    if kind == "none":
        return gradient
    if kind == "random":
        return random_step(grads, v, drawn)[0]["theta"]
    return {"norm": clip_by_norm, "element": clip_by_element}[kind](grads, v)[0]["theta"]


def descend(state, kind, steps, seed=0):
    """Return the points (w, b) of a descent, shape (steps + 1, 2)."""
    theta, drawn, path = np.array([state["w"], state["b"]]), Drawn(seed), []
    for _ in range(steps + 1):
        path.append(theta)
        theta = theta - state["lr"] * step(
            cliff_gradient(*theta, state["T"]), kind, state["v"], drawn
        )
    return np.array(path)


META = manifest()["cliff"]
STEPS = META["controls"]["k"]["max"]
W, B = ((spec["min"], spec["max"]) for spec in (META["controls"][key] for key in "wb"))
DEFAULT = complete("cliff", {})
KINDS = ["none", "norm", "element", "random"]


def run(math, kind="none", seed=0, **state):
    """A descent of the figure, its numbers as arrays."""
    way = math("descend", DEFAULT | state, kind, STEPS, seed)
    return {key: np.array(values, float) for key, values in way.items()}


def done(math, job, *arguments):
    """Run a job of the figure and return its result."""
    return math.eval(
        f"""(() => {{
          const job = M.{job}(...arguments);
          let next;
          do next = job.next(); while (!next.done);
          return next.value;
        }})()""",
        arguments=arguments,
    )


def test_a_descent_leaves_the_picture_at_its_edges(math):
    for w, b in ((W[1] + 0.1, B[0]), (W[0] - 0.1, B[0]), (W[0], B[1] + 0.1), (W[0], B[0] - 0.1)):
        assert math("leaves", {"w": [W[0], w], "b": [B[0], b]}) == 1
    assert math("leaves", {"w": [W[0], W[1]], "b": [B[0], B[1]]}) == -1


@given(st.floats(3.4, 5.8), st.floats(-3.5, -1.1), st.integers(5, 30))
def test_loss_and_gradient_match_the_reference(math, w, b, T):
    ours = np.array(math("gradient", w, b, T))
    np.testing.assert_allclose(ours[0], cliff_loss(w, b, T), rtol=1e-9)
    close(ours[1:], cliff_gradient(w, b, T))
    assert math("loss", w, b, T) == pytest.approx(ours[0], rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("state", [{}, {"w": 5.0}, {"v": 0.05}, {"T": 100, "lr": 1.0}])
def test_every_step_of_a_descent_matches_the_reference(math, kind, state):
    """Each step starts from the figure's own point, because rounding errors grow along a path."""
    now = DEFAULT | state
    drawn = Drawn(3)
    way = run(math, kind, 3, **state)
    points = np.transpose([way["w"], way["b"]])
    g = cliff_gradient(*points.T, now["T"])
    close(way["norm"], np.linalg.norm(g, axis=-1))
    np.testing.assert_allclose(way["E"], cliff_loss(*points.T, now["T"]), rtol=1e-9, atol=1e-15)
    for here, there, one in zip(points[:-1], points[1:], g[:-1], strict=True):
        moved = step(one, kind, now["v"], drawn)
        np.testing.assert_allclose(there, here - now["lr"] * moved, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_the_paths_are_the_packages_until_rounding_errors_matter(math):
    """After update 50, rounding errors decide where the clipped path goes."""
    for kind, last in (("none", STEPS), ("norm", 50)):
        theirs, ours = descend(DEFAULT, kind, STEPS), run(math, kind)
        ours = np.transpose([ours["w"], ours["b"]])
        np.testing.assert_allclose(ours[: last + 1], theirs[: last + 1], atol=1e-4)


def test_the_descents_part_at_the_first_gradient_above_the_threshold(math):
    free, held = run(math), run(math, "norm")
    k = int((free["norm"] > DEFAULT["v"]).argmax())
    assert k == 33
    np.testing.assert_array_equal(free["w"][: k + 1], held["w"][: k + 1])
    assert free["w"][k + 1] != held["w"][k + 1]


@pytest.mark.slow
def test_a_hundred_perturbations_give_the_same_ends(math):
    rng = np.random.default_rng(0)
    for w, b in rng.normal(scale=1e-12, size=(100, 2)):
        start = {"w": DEFAULT["w"] + w, "b": DEFAULT["b"] + b}
        free, held = run(math, **start), run(math, "norm", **start)
        assert math("leaves", {key: list(free[key]) for key in "wb"}) == 34
        assert held["E"][100:].max() < 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_gradient_is_clipped_by_its_kind(math, kind):
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("T", [5, 100])
@pytest.mark.parametrize("lr", [0.01, 1.0])
@pytest.mark.parametrize("v", [0.01, 100.0])
def test_every_setting_gives_finite_numbers(math, kind, T, lr, v):
    for w in (3.4, 4.6, 5.8):
        for b in (-3.5, 0.5 - w / (1 + np.exp(-0.5)), -1.1):
            way = run(math, kind, w=w, b=b, T=T, lr=lr, v=v)
            assert all(np.isfinite(values).all() for values in way.values())


def test_the_texts_state_the_numbers_of_the_figure(math):
    free, prediction = run(math), META["prediction"]
    assert f"the gradient is {free['norm'][33]:.1f} long" in prediction["question"]
    assert f"the step is {DEFAULT['lr'] * free['norm'][33]:.2f} long" in prediction["why"]
    line = np.array(math("along", free["w"][33], free["b"][33], 50, [0, 6], 6001))
    lowest = line[line[:, 1].argmin(), 0]
    assert f"lowest after {lowest:.2f}" in prediction["why"]
    assert prediction["answer"] == "out of the picture"
    assert math("leaves", {key: list(free[key]) for key in "wb"}) == 34
    assert f"its loss there is {free['E'][0]:.3f}" in META["alt"]
    assert free["E"][-1] == pytest.approx((1 - TARGET) ** 2, rel=1e-3)  # it never returns


def test_the_status_states_the_loss_at_the_update(math):
    early, left = (status("cliff", k=k) for k in (10, 34))
    free = run(math)
    assert f"Update 10: the loss is {free['E'][10]:.3f}." in early
    assert f"The gradient is {free['norm'][10]:.3g} long" in early
    assert "out of the picture" not in early
    assert "Update 34 leads out of the picture" in left
