"""What the experiments on long-term dependencies measure, and when their verdicts are said."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_13 import composed_tanh
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.reference import modes, power_norms

pytestmark = pytest.mark.chapter("13")


def rows_of(slug, **change):
    experiment = find(slug)
    config = {**experiment.quick, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


def test_a_symmetric_matrix_grows_nothing_and_would_save_the_claim():
    rows = rows_of("nonnormal-growth", seeds=3, sizes=[50])
    assert verdict("nonnormal-growth", rows) == "does not hold"
    assert all(row["symmetric"] == pytest.approx(0.95) for row in rows)
    rows = [row | {"largest": row["symmetric"]} for row in rows]
    assert verdict("nonnormal-growth", rows * 2) is None


def test_gradients_and_perturbations_grow_where_eigenvectors_shrink():
    J = np.array([[0.9, 5], [0, 0.5]])  # SEEDMAP E-25, E-26
    v = modes(J, [1, 0]).vectors[:, 0]
    assert np.linalg.norm(J @ v) == pytest.approx(0.9)
    assert np.linalg.norm(J.T @ v) == pytest.approx(5.08, abs=0.005)
    assert power_norms(J, 10)[[1, 3, 10]] == pytest.approx([5.10, 7.59, 4.36], abs=0.01)


def test_only_q_first_is_right_and_a_rotation_has_no_such_form():
    rows = rows_of("power-form", seeds=10)
    assert verdict("power-form", rows).startswith("holds if W is symmetric and Q and its transpose")
    assert all(row["rotation_refused"] for row in rows)
    exact = [row | {"printed": 1e-16 * (1 + row["t"])} for row in rows]
    assert verdict("power-form", exact) is None
    assert verdict("power-form", [row | {"corrected": 1} for row in rows]) is None


@pytest.mark.slow
def test_products_have_the_wanted_variance_and_are_small():
    rows = rows_of("random-products", seeds=4, draws=20000, widths=[50], layers=20, wanted=4.0)
    for row in rows:
        assert row["variance_1"] == pytest.approx(4, rel=0.1)
        assert row["log10_median_100"] == pytest.approx(100 * np.log10(0.53) + np.log10(2), abs=0.5)


def product_rows(variance=1.0, **drift):
    """Rows of products that are typically small, and of what becomes of a vector by width."""
    return [
        {"wanted": 1.0, "draws": 9, "log10_median_50": -14 + s, "log10_median_100": -28 + s}
        | {"variance_5": variance + s, "variance_50": 1e-8}
        | {f"log_norm_{width[1:]}": moved + s for width, moved in drift.items()}
        for s in (-0.1, 0.0, 0.1)
    ]


def test_the_claim_on_variances_holds_for_layers_in_which_nothing_vanishes():
    said = verdict("random-products", product_rows(w1=-64, w100=-0.5, w10=-5))
    assert said.startswith("holds if layers are wide, 100 units or more here: the variance of")
    assert "its typical size is not, 10^-14.00 for 50 weights" in said
    assert verdict("random-products", product_rows(1.15, w100=0)) == said
    assert verdict("random-products", product_rows(1.25, w100=0)) is None
    assert verdict("random-products", product_rows(w1=-64, w10=5)) is None
    large = [row | {"log10_median_50": row["log10_median_50"] + 13} for row in product_rows(w100=0)]
    assert verdict("random-products", large) is None


def test_a_curve_turns_where_the_exact_slope_changes_sign():
    (row,) = (
        row
        for row in composed_tanh._one(
            {"n_h": 100, "depth": 1, "limit": 60, "gains": [1], "points": 2001}, seed=3
        )
        if row["start"] == "random"
    )
    assert row["turns"][0] == 0  # a projection of a line
    assert 0 < row["median_slope"] < 1
    assert 0 < row["flat"] < 1


def test_the_verdict_on_composition_names_the_gain_from_which_it_holds():
    def said(flat, turns):
        row = {"seed": 0, "start": "random", "turns": [0, turns], "flat": flat}
        rows = [row | {"gain": gain, "median_slope": 0.01} for gain in (3, 5) for _ in range(2)]
        return verdict("composed-tanh", rows)

    assert said(0.76, 21) == "holds if the gain is large (3 or more here)"
    assert said(0.75, 21) is said(0.76, 20) is None


def test_a_bit_is_held_by_the_units_that_theory_says():
    rows = {(row["unit"], row["w"]): row for row in rows_of("robust-bit", seeds=2)}
    assert rows["linear", 1.0]["log10_gradient"] == 0
    assert rows["linear", 1.0]["kept"] / 400 == pytest.approx(0.64, abs=0.07)  # random walk
    assert rows["tanh", 3.0]["kept"] == 400
    assert rows["tanh", 3.0]["log10_gradient"] == pytest.approx(-303, abs=2)


def test_the_verdict_on_bits_depends_on_the_gradients_of_robust_units():
    rows = rows_of("robust-bit", seeds=2)
    said = "holds if the network is a single unit whose state stays bounded"
    assert verdict("robust-bit", rows) == said
    weakest = [r["log10_gradient"] for r in rows if (r["unit"], r["w"]) == ("tanh", 1.5)]
    assert find("robust-bit").measure(rows).value == pytest.approx(np.mean(weakest))  # 1.2 is not
    for unit, gradient, same in (
        ("tanh", -10.1, said),
        ("tanh", -9.9, None),
        ("linear", -0.9, said),
        ("linear", -1.1, None),
    ):
        changed = [r | {"log10_gradient": gradient} if r["unit"] == unit else r for r in rows]
        assert verdict("robust-bit", changed) == same


def test_networks_ring_at_the_angle_of_a_leading_eigenvalue_that_stands_alone():
    rows = rows_of("ringing")
    alone = [row for row in rows if row["second"] < 0.95]
    assert len(alone) > 20
    assert all(row["agrees"] for row in alone)
    assert verdict("ringing", [row | {"agrees": False} for row in rows]) is None
    both = [row | {"second": k % 2, "agrees": k % 2 == 0} for k, row in enumerate(rows)]
    said = "holds if one eigenvalue, or pair, is larger than the rest"
    assert verdict("ringing", both) == said
    assert verdict("ringing", [row | {"agrees": True} for row in both]) is None


def reach_rows(still, moving, kept=1.0):
    """Rows of networks that lose a third of their gradient at first, and learn in two ways."""
    start = {"cell": "default", "when": "at the start", "learned": False, "period": 1, "kept": 0.5}
    made = {"cell": "default", "when": "trained", "learned": True, "kept": kept}
    return [
        row | {"factor": factor + s}
        for row, factor in (
            (start, 0.67),
            (made | {"period": 2}, still),
            (made | {"period": 0}, moving),
        )
        for s in (-0.01, 0.0, 0.01)
    ]


def test_an_oscillation_is_an_exception_only_if_it_keeps_gradient_and_bit():
    said = verdict("gradient-reach", reach_rows(0.4, 1.0))
    assert said.startswith("holds if the bit is kept in a state that rests or repeats")
    assert verdict("gradient-reach", reach_rows(0.4, 0.93, kept=0.96)) == said
    assert verdict("gradient-reach", reach_rows(0.4, 0.92)) is None
    assert verdict("gradient-reach", reach_rows(0.4, 1.0, kept=0.95)) is None
    assert verdict("gradient-reach", reach_rows(0.98, 1.0)) is None


def learned(successes, **others):
    rate, low, high = rate_interval(successes, 20)
    return {"successes": successes, "of": 20, "rate": rate, "low": low, "high": high} | others


def length_rows(default, orthogonal, etas=(0.1,), marked=()):
    """Rows in which so many of 20 learn over 20 and over 30 steps, at every rate alike."""
    rows = [
        learned(made, task="first", eta=eta, start=start, length=length)
        for eta in etas
        for start, each in (("default", default), ("orthogonal", orthogonal))
        for length, made in zip((20, 30), each, strict=True)
    ]
    return rows + [
        learned(made, task="marked", eta=0.1, start=start, length=20)
        for start, made in zip(("default", "orthogonal"), marked, strict=False)
    ]


def test_the_verdict_on_lengths_names_the_rates_that_were_tried_and_what_came_of_them():
    said = verdict("length-success", length_rows((7, 0), (19, 16), (0.1, 0.5)))
    assert said.startswith("holds if the learning rate is 0.1 or 0.5 (no other was tried) and")
    assert "near 0.6: then 7 of 20 over 20 steps and 0 of 20 over 30 steps learn; begun" in said
    assert said.endswith("begun orthogonal, most networks learn where these fail")
    marked = verdict("length-success", length_rows((7, 0), (19, 16), marked=(0, 4)))
    assert marked.endswith("but only if the value always comes at the same step")
    more = verdict("length-success", length_rows((7, 0), (19, 16), marked=(0, 6)))
    assert more.endswith("fail")
    assert verdict("length-success", length_rows((7, 0), (8, 1))) is None
    assert verdict("length-success", length_rows((20, 20), (20, 20))) is None


def opposite_rows(default, orthogonal):
    """Rows in which so many of 20 learn over 20 steps, at a rate of 0.003 and of 0.01."""
    return [
        learned(made, eta=eta, start=start, length=20)
        for start, each in (("default", default), ("orthogonal", orthogonal))
        for eta, made in zip((0.003, 0.01), each, strict=True)
    ]


def test_the_verdict_on_same_and_opposite_names_each_rate_and_what_came_of_it():
    said = verdict("same-opposite", opposite_rows((1, 10), (19, 18)))
    assert "Adam's learning rate is 0.003 or 0.01 (no other was tried)" in said
    assert "at 0.003 1 of 20 learn it over 20 steps, begun orthogonal 19;" in said
    assert said.endswith("at 0.01 10 of 20 learn it over 20 steps, begun orthogonal 18")
    assert verdict("same-opposite", opposite_rows((1, 1), (2, 18))) is None
    assert verdict("same-opposite", opposite_rows((20, 20), (20, 20))) is None


def test_gradients_are_drawn_as_the_median_of_each_group():
    rows = [row | {"log10_norms": [0, -10 * row["factor"]]} for row in reach_rows(0.4, 1.0)]
    (axes,) = find("gradient-reach").pictures["plot"](rows).figure.axes
    ends = [line.get_xydata()[-1] for line in axes.lines]
    np.testing.assert_allclose(ends, [(5, 10**-6.7), (5, 1e-4), (5, 1e-10)])
