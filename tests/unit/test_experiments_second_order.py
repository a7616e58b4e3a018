"""What the experiments on second-order methods measure, draw, and say under which conditions."""

import numpy as np
import pytest
from estimates import by_line
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_17 import curvature_ratio, hessian_free
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.palette import colour
from rnn_helpers.reference import gauss_newton_product, init_rnn, rnn_forward

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
    """Along w itself, the ratio of h^(T) = w^T h^(0) is 1 / (T - 1)."""
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

    assert said(lambda row: {}).startswith(
        "Holds in part, if the whole second derivative is meant."
    )
    kept = said(lambda row: {"ratio_gauss_newton": 1.0 + 0.001 * row["seed"]})
    assert kept.startswith("Holds. The ratio to the Gauss–Newton part")
    moved = said(lambda row: {"ratio": row["first"] + 0.001 * row["seed"]})
    assert moved.startswith("Does not hold.")


def test_a_ratio_is_the_difference_of_the_logarithms_and_each_direction_has_its_column():
    steps = np.arange(1, 11)
    data = curvature_ratio.data(
        [
            {"what": what, "radius": 0.8, "log10_first": list(-steps + shift)}
            | {"log10_second": list(-steps - 1.0), "log10_gauss_newton": list(-2.0 * steps)}
            for what in ("the first state", "all weights")
            for shift in (-0.5, 0.5)
        ]
    )
    assert [panel["title"] for panel in data.panels] == [
        "size along the first state",
        "ratio along the first state",
        "size along all weights",
        "ratio along all weights",
    ]
    sizes, ratios = (by_line(data, panel) for panel in (0, 1))
    np.testing.assert_allclose(sizes["gradient"], np.stack([10 * steps, 10.0**-steps], 1))
    for name in ("second derivative", "Gauss-Newton part"):
        expected = [10.0**-k / size for k, (_, size) in enumerate(sizes[name], 1)]
        ratio = [value for _, value in ratios[f"gradient / {name}"]]
        np.testing.assert_allclose(ratio, expected, rtol=1e-4)


# hessian-free


def learned_rows(n=20, **changed):
    """Return rows in which all networks learn, except as many as `changed` says of a method."""
    rows = []
    for kind, method in hessian_free.CELLS:
        count = changed.get(f"{kind} {method}", n)
        rows += [
            {"start": kind, "method": method, "seed": seed, "right": 1.0 if seed < count else 0.5}
            | {"steps": 50, "spent": [1000, 2000], "learned": [0, int(seed < count)]}
            | {"rate": 0.1, "more": None, "at_edge": False}
            for seed in range(n)
        ]
    return rows


BAD, CAREFUL = hessian_free.BAD, hessian_free.CAREFUL
BEHIND = {f"{BAD} {method}": 4 for method in hessian_free.FIRST}


@pytest.mark.slow
def test_all_methods_go_through_as_many_sequences():
    rows = rows_of("hessian-free", seeds=2, budget=2000)
    for row in rows:
        # a step of the Hessian-free method can't be cut short
        slack = 2 * 50 * 25 if row["method"] == hessian_free.SECOND else 2000 / 16
        assert 2000 <= row["spent"][-1] <= 2000 + slack
        assert row["learned"][-1] == (row["right"] > SUCCESS)
        assert len(row["learned"]) == len(row["spent"])
    assert {(row["start"], row["method"]) for row in rows} == set(hessian_free.CELLS)


def test_networks_of_a_seed_do_not_depend_on_the_setting_before():
    config = find("hessian-free").quick | {"budget": 320, "tests": 2}
    contest, cell = hessian_free.Learners(), (BAD, hessian_free.SIMPLE)
    both = contest.train(config, cell, [(0.3, 0.5), (0.1, 0.9)], [3, 4])
    (alone,) = contest.train(config, cell, [(0.1, 0.9)], [3, 4])
    np.testing.assert_array_equal(both[1][1], alone[1])


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "Does not hold. From small weights, 20 of 20 networks learn with gradient descent"),
        (BEHIND, "Holds. From small weights, 4 of 20 networks learn with the best"),
        (
            BEHIND | {f"{BAD} {hessian_free.ADAM}": 20},
            "Holds in part, if the other methods don't adapt the step of each parameter. From "
            "small weights, 20 of 20",
        ),
        (BEHIND | {f"{BAD} {hessian_free.SIMPLE}": 20}, "Does not hold."),
        (BEHIND | {f"{CAREFUL} {hessian_free.SIMPLE}": 4}, "Does not hold."),
        (BEHIND | {f"{BAD} {hessian_free.PLAIN}": 18}, "Undecided."),
    ],
)
def test_older_methods_from_small_weights_and_momentum_from_careful_ones_decide(changed, expected):
    assert verdict("hessian-free", learned_rows(**changed)).startswith(expected)


def test_a_method_at_the_edge_of_its_grid_is_named():
    rows = learned_rows()
    assert "lowest or highest" not in find("hessian-free").sum_up(rows).text
    rows[0] |= {"at_edge": True}
    said = f"highest that we tried for gradient descent from {BAD}, so another"
    assert said in find("hessian-free").sum_up(rows).text


def test_a_table_counts_who_learns_and_gives_the_settings():
    lines = hessian_free.table(learned_rows(**BEHIND))
    assert lines[0]["networks that learn"] == "4 of 20"
    assert lines[3]["networks that learn"] == "20 of 20"
    assert lines[0]["momentum or products"] == "–"


def test_each_method_ends_at_its_count_with_its_interval():
    plot = hessian_free.plot(learned_rows(10, **{f"{BAD} {hessian_free.SIMPLE}": 3}))
    counts = [10, 3, 10, 10], [10, 10]
    for axes, expected in zip(plot.figure.axes, counts, strict=True):
        curves = [line for line in axes.get_lines() if line.get_label()[0] != "_"]
        assert [line.get_ydata()[-1] for line in curves] == expected
        assert [line.get_xdata()[-1] for line in curves] == [2] * len(expected)
        assert curves[-1].get_color() == colour("ink")
        spans = [list(line.get_ydata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
        for (low, high), count in zip(spans, expected, strict=True):
            assert low <= count <= high
    said = f"{BAD}: gradient descent 10, Nesterov 3, Adam 10, Hessian-free 10"
    assert said in plot.alt
    assert plot.smallest >= 11
