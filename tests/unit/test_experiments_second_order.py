"""What the experiments on second-order methods measure, draw, and say under which conditions."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_17 import curvature_ratio, hessian_free
from rnn_helpers.palette import colour
from rnn_helpers.reference import gauss_newton_product, init_rnn, rnn_forward
from rnn_helpers.training import SGD, Adam

pytestmark = pytest.mark.chapter("17")


# curvature-ratio


@pytest.fixture
def problem():
    """Two networks, five sequences each, and a direction of the first state and of W."""
    rng = np.random.default_rng(0)
    params, x = init_rnn(1, 4, 3, seed=[0, 1]), rng.normal(size=(6, 2, 5, 1))
    h0, d_state = rng.normal(size=(2, 2, 5, 4))
    return params, x, h0, d_state, rng.normal(size=(2, 4, 4))


def test_both_derivatives_are_those_of_differences_at_every_step(problem):
    params, x, h0, d_state, d_weights = problem

    def losses(s):
        moved = params | {"W": params["W"] + s * d_weights}
        return -rnn_forward(moved, x, h0 + s * d_state).log_yhat[..., 2]

    e = 1e-4
    before, here, after = losses(-e), losses(0), losses(e)
    found = curvature_ratio.derivatives(params, rnn_forward(params, x, h0), 2, d_state, d_weights)
    np.testing.assert_allclose(found["first"], (after - before) / (2 * e), atol=1e-5)
    np.testing.assert_allclose(found["second"], (after - 2 * here + before) / e**2, atol=1e-5)


def test_the_part_that_is_kept_is_that_of_the_gauss_newton_product(problem):
    params, x, h0, d_state, d_weights = problem
    run = rnn_forward(params, x, h0)
    found = curvature_ratio.derivatives(params, run, 2, 0 * d_state, d_weights)["gauss_newton"]
    v = {name: 0 * p for name, p in params.items()} | {"W": d_weights}
    last = np.zeros((6, 5))
    last[-1] = 1
    curved = gauss_newton_product(params, run, v, last)["W"]
    np.testing.assert_allclose(found[-1].sum(axis=-1), (d_weights * curved).sum(axis=(1, 2)))


def test_a_power_of_a_weight_is_followed_exactly():
    """SEEDMAP E-70: along w itself, the ratio of h^(T) = w^T h^(0) is 1 / (T - 1)."""
    params = {name: np.zeros((1, *p.shape)) for name, p in init_rnn(1, 1, 2).items()}
    params |= {"W": np.full((1, 1, 1), 0.5), "V": np.array([[[1.0], [0.0]]])}
    run = rnn_forward(params, np.zeros((12, 1, 1, 1)), h0=[1e-9])  # so small that tanh is a line
    first, second = curvature_ratio.jets(params, run, np.zeros((1, 1, 1)), params["W"])
    steps = np.arange(2, 13)
    ratio = first[1:, 0, 0, 0] / second[1:, 0, 0, 0]
    np.testing.assert_allclose(ratio, 1 / (steps - 1), rtol=1e-9)


def rows_of(slug, **change):
    experiment = find(slug)
    config = {**experiment.quick, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


def test_the_verdict_on_the_ratio_depends_on_what_moves():
    small, large = rows_of("curvature-ratio"), rows_of("curvature-ratio", radii=[2.0])
    for row in large:  # where gradients grow the second derivative grows twice as fast
        assert row["second"] == pytest.approx(row["first"] ** 2, rel=0.1)

    def said(change):
        return verdict("curvature-ratio", [row | change(row) for row in small] + large)

    assert said(lambda row: {}).startswith("Holds if the whole second derivative is meant.")
    kept = said(lambda row: {"ratio_gauss_newton": 1.0 + 0.001 * row["seed"]})
    assert kept.startswith("Holds. The ratio to the Gauss–Newton part")
    moved = said(lambda row: {"ratio": row["first"] + 0.001 * row["seed"]})
    assert moved.startswith("Does not hold.")


def test_a_ratio_is_the_difference_of_the_logarithms_and_each_direction_has_its_column():
    steps = np.arange(1, 11)
    plot = curvature_ratio.plot(
        [
            {"what": what, "radius": 0.8, "log10_first": list(-steps + shift)}
            | {"log10_second": list(-steps - 1.0), "log10_gauss_newton": list(-2.0 * steps)}
            for what in ("the first state", "all weights")
            for shift in (-0.5, 0.5)
        ]
    )
    sizes, right, ratios, _ = plot.figure.axes
    assert sizes.get_title("left") == "along the first state"
    assert right.get_title("left") == "along all weights"
    first, second, kept = (line.get_ydata() for line in sizes.get_lines())
    np.testing.assert_allclose(first, -steps)
    by_second, by_kept = (line.get_ydata() for line in ratios.get_lines())
    np.testing.assert_allclose(by_second, first - second)
    np.testing.assert_allclose(by_kept, first - kept)
    np.testing.assert_array_equal(ratios.get_lines()[0].get_xdata(), 10 * steps)
    assert "gradient divided by second derivative goes from 10 to 10" in plot.alt
    assert "gradient divided by Gauss-Newton part goes from 10 to 1.0e10" in plot.alt
    assert plot.smallest >= 11


# hessian-free


def test_each_group_is_moved_by_its_own_optimizer():
    rng = np.random.default_rng(0)
    params = {"W": rng.normal(size=(4, 3, 3)), "b": rng.normal(size=(4, 3))}
    memory, own = {}, ({}, {})
    rules = SGD(0.1), Adam(0.01)
    each = hessian_free._Each(rules, 2)
    for step in (1, 2, 3):
        grads = {name: rng.normal(size=p.shape) for name, p in params.items()}
        moved = each.update(params, grads, memory, step)
        for k, group in enumerate([slice(0, 2), slice(2, 4)]):
            alone = rules[k].update(
                {name: p[group] for name, p in params.items()},
                {name: g[group] for name, g in grads.items()},
                own[k],
                step,
            )
            for name in params:
                np.testing.assert_array_equal(moved[name][group], alone[name])
        params = moved


@pytest.mark.slow
def test_all_methods_go_through_as_many_sequences():
    rows = rows_of("hessian-free", seeds=2, budget=2000)
    size = {row["method"]: row["spent"][-1] for row in rows}
    for method, spent in size.items():
        slack = 2 * 50 * 25 if method == hessian_free.SECOND else 2000 / 16
        assert 2000 <= spent <= 2000 + slack
    for row in rows:
        batch = 50 if row["method"] == hessian_free.SECOND else 16
        counted = row["gradients"] + row["products"] + row["losses"] / 3
        assert row["spent"][-1] == pytest.approx(batch * counted)
        assert row["learned"][-1] == row["successes"]


def test_the_second_half_is_meant_where_others_learn_as_often_and_none_falls_short():
    rates = {True: {"successes": 10, "low": 0.7, "high": 1.0, "rate": 1.0},
             False: {"successes": 0, "low": 0.0, "high": 0.3, "rate": 0.0}}  # fmt: skip

    def rows(learned):
        base = {"length": 20, "of": 10, "seconds": 1.0, "spent": [100], "tried": []}
        return [
            base | {"start": start, "method": method} | rates[(start, method) in learned]
            for start in hessian_free.STARTS
            for method in (*hessian_free.FIRST, hessian_free.SECOND)
        ]

    def said(learned):
        return verdict("hessian-free", rows(learned))

    bad, careful = hessian_free.BAD, hessian_free.CAREFUL
    second, simple = hessian_free.SECOND, hessian_free.SIMPLE
    story = {(bad, second), (bad, "Adam"), (careful, second), (careful, simple)}
    assert said(story).startswith("Holds if only the second half is meant.")
    assert said(story - {(careful, simple)}).startswith("Does not hold.")
    assert said(story - {(bad, "Adam")}).startswith("Holds. From small weights, no first-order")
    assert said(story - {(bad, "Adam"), (careful, simple)}).startswith("Not tested here.")
    longer = [row | {"length": 50} for row in rows(story - {(bad, "Adam")})]
    both = verdict("hessian-free", rows(story) + longer)
    assert both.startswith("Not tested here.")  # ahead over 50 steps alone


def test_each_method_ends_at_its_count_with_its_interval():
    ends = {"gradient descent": 0, "Nesterov": 3, "Hessian-free": 10}
    plot = hessian_free.plot(
        [
            {"length": length, "start": start, "method": method, "spent": [1000, 2000]}
            | {"learned": [0, learned], "of": 10}
            | {"low": max(learned / 10 - 0.2, 0), "high": min(learned / 10 + 0.2, 1)}
            for length in (20, 50)
            for start in ("small", "careful")
            for method, learned in ends.items()
        ]
    )
    assert len(plot.figure.axes) == 2  # only the longest span
    for axes in plot.figure.axes:
        curves = [line for line in axes.get_lines() if line.get_label()[0] != "_"]
        assert [line.get_ydata()[-1] for line in curves] == [0, 3, 10]
        assert [line.get_xdata()[-1] for line in curves] == [2, 2, 2]
        assert curves[-1].get_color() == colour("ink")
        spans = [list(line.get_ydata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
        np.testing.assert_allclose(spans, [[0, 2], [1, 5], [8, 10]])
    assert "small: gradient descent 0, Nesterov 3, Hessian-free 10" in plot.alt
    assert plot.smallest >= 11
