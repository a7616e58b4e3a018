"""What the experiments on long-term dependencies measure, and that either verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import (
    composed_tanh,
    find,
    nonnormal_growth,
    power_form,
    random_products,
    ringing,
    robust_bit,
)
from rnn_helpers.reference import modes, power_norms

pytestmark = pytest.mark.chapter("13")


def rows_of(slug, **change):
    experiment = find(slug)
    config = {**experiment.quick, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


def test_a_symmetric_matrix_grows_nothing_and_would_save_the_claim():
    rows = rows_of("nonnormal-growth", seeds=3, sizes=[50])
    assert nonnormal_growth.summarise(rows).verdict == "does not hold"
    assert all(row["symmetric"] == pytest.approx(0.95) for row in rows)
    rows = [row | {"largest": row["symmetric"]} for row in rows]
    assert nonnormal_growth.summarise(rows * 2).verdict == "holds"


def test_gradients_and_perturbations_grow_where_eigenvectors_shrink():
    J = np.array([[0.9, 5], [0, 0.5]])  # SEEDMAP E-25, E-26
    v = modes(J, [1, 0]).vectors[:, 0]
    assert np.linalg.norm(J @ v) == pytest.approx(0.9)
    assert np.linalg.norm(J.T @ v) == pytest.approx(5.08, abs=0.005)
    assert power_norms(J, 10)[[1, 3, 10]] == pytest.approx([5.10, 7.59, 4.36], abs=0.01)


def test_only_q_first_is_right_and_a_rotation_has_no_such_form():
    rows = rows_of("power-form", seeds=10)
    assert power_form.summarise(rows).verdict.startswith("holds if W is symmetric and Q and")
    assert all(row["rotation_refused"] for row in rows)
    exact = [row | {"printed": 1e-16 * (1 + row["t"])} for row in rows]
    assert power_form.summarise(exact).verdict == "holds"
    assert power_form.summarise([row | {"corrected": 1} for row in rows]).verdict == "does not hold"


def test_products_have_the_wanted_variance_and_are_small():
    rows = rows_of("random-products", seeds=4, draws=20000, widths=[50], layers=20, wanted=4.0)
    for row in rows:
        assert row["variance_1"] == pytest.approx(4, rel=0.1)
        assert row["log10_median_100"] == pytest.approx(100 * np.log10(0.53) + np.log10(2), abs=0.5)
    assert random_products.summarise(rows).verdict == "does not hold"
    kept = [row | {"log10_median_50": 0.01 * row["seed"]} for row in rows]
    assert random_products.summarise(kept).verdict == "holds"


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
    row = {"seed": 0, "start": "random", "turns": [0, 50], "flat": 0.9, "median_slope": 0.01}
    rows = [row | {"gain": gain} for gain in (3, 5) for _ in range(2)]
    assert composed_tanh.summarise(rows).verdict == "holds if the gain is large (3 or more here)"
    tame = [row | {"turns": [0, 2]} for row in rows]
    assert composed_tanh.summarise(tame).verdict == "does not hold"


def test_a_bit_is_held_by_the_units_that_theory_says():
    rows = {(row["unit"], row["w"]): row for row in rows_of("robust-bit", seeds=2)}
    assert rows["linear", 1.0]["log10_gradient"] == 0
    assert rows["linear", 1.0]["kept"] / 400 == pytest.approx(0.64, abs=0.07)  # random walk
    assert rows["tanh", 3.0]["kept"] == 400
    assert rows["tanh", 3.0]["log10_gradient"] == pytest.approx(-303, abs=2)


def test_the_verdict_on_bits_depends_on_the_gradients_of_robust_units():
    rows = rows_of("robust-bit", seeds=2)
    assert robust_bit.summarise(rows).verdict == "holds if the state stays bounded"
    tanh = [row for row in rows if row["unit"] == "tanh"]
    assert robust_bit.summarise(tanh).verdict == "holds"
    kept = [row | {"log10_gradient": 0.0} for row in tanh]
    assert robust_bit.summarise(kept).verdict == "does not hold"
    with pytest.raises(ValueError, match="no tanh unit keeps 99%"):
        robust_bit.summarise([row for row in tanh if row["w"] < 1.5])


def test_networks_ring_at_the_angle_of_a_leading_eigenvalue_that_stands_alone():
    rows = rows_of("ringing")
    alone = [row for row in rows if row["second"] < 0.95]
    assert len(alone) > 20
    assert all(row["agrees"] for row in alone)
    assert ringing.summarise(rows).verdict.startswith("holds")
    silent = [row | {"agrees": False} for row in rows]
    assert ringing.summarise(silent).verdict == "does not hold"
