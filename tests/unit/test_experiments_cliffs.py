"""What the experiments on cliffs and clipping measure, draw, and say under which conditions."""

import numpy as np
import pytest
from estimates import by_line, by_name
from verdicts import rows_of, verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_17 import (
    cliff_steepness,
    clipped_average,
    clipping_saves,
)
from rnn_helpers.experiments.words import where
from rnn_helpers.reference import cliff_gradient, cliff_loss, clip_by_element, clip_by_norm
from rnn_helpers.tasks import Latch, character_model

pytestmark = pytest.mark.chapter("17")


# How steep


def test_the_climb_finds_a_wall_that_is_thinner_than_any_grid():
    def step(x, T):
        z = np.exp(-np.abs(x - 0.3217) * 10.0**T)
        return np.where(x < 0.3217, z / 2, 1 - z / 2), z * 10.0**T / 2

    for (size, place), T in zip(
        cliff_steepness.climb(step, np.linspace(0, 1, 11), [2, 6, 10]), [2, 6, 10], strict=True
    ):
        assert size == pytest.approx(10.0**T / 2, rel=0.15)
        assert place == pytest.approx(0.3217, abs=2 * 10.0**-T)


@pytest.mark.slow
def test_the_steepest_place_of_the_book_is_where_the_start_is_a_fixed_point():
    """The lengths are 1.5, 5.5, 43, 6.8e3 and 2.2e7; 1.175 a step."""
    row = cliff_steepness._two_parameters({"lengths": [5, 10, 20, 50, 100], "points": 100}, seed=0)
    assert row["largest"] == pytest.approx([1.48, 5.54, 43.0, 6.77e3, 2.16e7], rel=0.01)
    assert row["predicted"] == pytest.approx(1.175, abs=5e-4)
    assert row["rate"] == pytest.approx(row["predicted"], rel=1e-3)
    assert row["off"] < 1e-6
    fine = np.linspace(-2.62, -2.6, 20_001)
    assert np.linalg.norm(cliff_gradient(5, fine), axis=-1).max() == pytest.approx(6.77e3, rel=0.01)


@pytest.mark.slow
def test_the_verdict_on_cliffs_depends_on_the_rate_and_on_where_they_stand():
    rows = rows_of("cliff-steepness")

    def said(**change):
        return verdict(
            "cliff-steepness", [row | {k: c(row) for k, c in change.items()} for row in rows]
        )

    assert said().startswith("Holds in part, if the network has only two parameters.")
    assert said(rank=lambda row: 0.9 + 0.01 * row["seed"]).startswith("Holds. With 91% of a line")
    assert said(rank=lambda row: 0.1 + 0.01 * row["seed"]).startswith("Does not hold.")
    assert said(rate=lambda row: 0.5 * row["rate"]).startswith("Does not hold.")
    shrinking = said(rate=lambda row: 0.99 if "wall" in row else row["rate"])
    assert shrinking.startswith("Undecided.")


def test_symmetric_networks_are_symmetric_and_have_their_radius():
    W = cliff_steepness._drawn("symmetric", 20, 2.0, (3, 1))["W"]
    np.testing.assert_allclose(W, W.T)
    assert np.abs(np.linalg.eigvalsh(W)).max() == pytest.approx(2)


# Who is saved


def test_on_the_wall_only_clipping_by_element_leans_along_it():
    """The gradient stands upright on ``b = 0.5 - w sigmoid(0.5)``; a corner of a box does not."""
    slope = 1 / (1 + np.exp(-0.5))
    gradient = dict(zip("wb", cliff_gradient(5, 0.5 - 5 * slope)[:, None], strict=True))
    along = np.array([1, -slope]) / np.hypot(1, slope)
    # what is gone along is minus the gradient: away from the ravine, to larger w
    for clip, leans in ((clip_by_norm, 0), (clip_by_element, (1 - slope) / np.hypot(1, slope))):
        step, norm = clip(gradient, 1.0, seed_axis=True)
        assert norm > 100
        assert -along @ [step["w"][0], step["b"][0]] == pytest.approx(leans, abs=0.01)


def test_a_step_is_what_the_package_makes_of_the_gradient():
    gradient = np.array([[3.0, 0.3, np.inf], [-4.0, 0.4, 1.0]])
    noise = np.random.default_rng(0)
    for kind, threshold, first in (
        ("none", None, [3, -4]),
        ("norm", 1.0, [0.6, -0.8]),
        ("element", 2.0, [2, -2]),
    ):
        step, norm = clipping_saves.follow(gradient, kind, threshold, noise)
        np.testing.assert_allclose(step[:, 0], first)
        np.testing.assert_allclose(step[:, 1], [0.3, 0.4])
        np.testing.assert_allclose(step[:, 2], 0)
        assert norm[0] == 5
    step, _ = clipping_saves.follow(gradient, "random", 1.0, noise)
    np.testing.assert_allclose(np.hypot(*step)[[0, 2]], 1)
    np.testing.assert_allclose(step[:, 1], [0.3, 0.4])


@pytest.mark.slow
def test_a_start_that_is_thrown_unclipped_is_saved_by_clipping(monkeypatch):
    """From (4.9, -2.9) at 0.1 to a loss of 0.09, clipped to next to nothing.

    Of a hundred starts 1e-12 around it, for processors differ in the last digit and by it in what
    becomes of one: about nine of ten are thrown, clipped none is, and all arrive.
    """
    around = {"w": (4.9 - 1e-12, 4.9 + 1e-12), "b": (-2.9 - 1e-12, -2.9 + 1e-12)}
    monkeypatch.setattr(clipping_saves, "AXES", around)
    rows = where(rows_of("clipping-saves", seeds=1, starts=100), chosen=False)
    thrown, saved = sorted(rows, key=lambda row: row["low"])
    assert (thrown["kind"], saved["kind"]) == ("none", "norm")
    assert thrown["thrown"] > 0.7
    assert thrown["loss"] == pytest.approx(0.09, rel=0.01)
    assert (saved["thrown"], saved["low"]) == (0, 1)
    assert saved["better"] > 0.7
    assert saved["loss"] < 1e-3
    assert cliff_loss(4.9, -2.9) > 0.01


def made(kind, threshold, low, lr=0.1):
    """Make the rows of a setting of the grid."""
    row = {"lr": lr, "kind": kind, "threshold": threshold, "starts": 9, "thrown": 0.5, "worse": 0}
    row |= {"exceeded": 0.1, "chosen": False}
    return [row | {"seed": seed, "low": low + 0.01 * seed} for seed in range(3)]


def chosen(**low):
    """Make the rows of each kind of clipping at the settings that it chose."""
    return [
        {"kind": kind, "lr": 0.3, "threshold": None if kind == "none" else 1.0, "seed": seed}
        | {"low": share + 0.01 * seed * (kind == "norm"), "at_edge": False, "chosen": True}
        for kind, share in low.items()
        for seed in range(3)
    ]


def test_the_verdict_on_clipping_names_the_steps_that_should_help():
    best = chosen(none=0.5, norm=0.9)
    saved = best + made("none", None, 0.2) + made("norm", 1.0, 0.6)
    said = find("clipping-saves").sum_up(saved + made("norm", 100.0, 0.2))
    assert said.verdict == (
        "Holds in part, if the longest step that clipping allows, the threshold times the learning "
        "rate, is 0.01 to 1 long. Clipping gains hardly anything if it is 10 long."
    )
    assert "clipping by norm leads 91% of the starts" in said.finding
    assert "Without clipping, 50% get there" in said.finding
    assert said.value == pytest.approx(0.41)


def test_clipping_has_to_help_inside_the_range_and_at_the_best_settings():
    def said(best, *grid):
        rows = made("none", None, 0.2) + [row for rule in grid for row in made("norm", *rule)]
        return verdict("clipping-saves", chosen(**best) + rows)

    ahead, level = {"none": 0.5, "norm": 0.9}, {"none": 0.9, "norm": 0.9}
    assert said(ahead, (1.0, 0.6), (100.0, 0.6)).startswith("Holds. ")
    assert said(level, (1.0, 0.6), (100.0, 0.6)).startswith("Does not hold. ")
    assert said(ahead, (1.0, 0.2), (100.0, 0.6)).startswith("Undecided.")


def test_each_way_to_clip_is_trained_at_its_own_settings():
    config = find("clipping-saves").quick | {"starts": 5, "steps": 3}
    contest = clipping_saves.Descents()
    made = contest.train(config, ("norm",), [(0.1, 1.0), (0.3, 2.0)], [4, 7])
    assert made.shape == (4, 5)
    for k, (lr, v) in enumerate([(0.1, 1.0), (0.3, 2.0)]):
        for s, seed in enumerate([4, 7]):
            start, _ = clipping_saves._drawn(config, seed)
            w, b = start
            for _ in range(3):
                grads = dict(zip("wb", cliff_gradient(w, b).T, strict=True))
                step, _ = clip_by_norm(grads, v, seed_axis=True)
                w, b = w - lr * step["w"], b - lr * step["b"]
            np.testing.assert_allclose(made[2 * k + s], cliff_loss(w, b))


# Where means point


def test_clipped_by_element_a_gradient_may_climb_the_true_loss():
    """Take g = (10, -1), true gradient (1, 5); the norm clipped at 1 still descends."""
    g, true = np.array([10.0, -1.0]), np.array([1.0, 5.0])
    assert g @ true == 5
    clipped, _ = clip_by_element({"g": g}, 1.0)
    assert clipped["g"] @ true == -4
    assert clipped["g"] @ g == 11  # its own loss it descends
    clipped, _ = clip_by_norm({"g": g}, 1.0)
    assert clipped["g"] @ true == pytest.approx(5 / np.sqrt(101))


def test_the_mean_of_clipped_gradients_may_be_turned_round():
    """Take (-10, 0) and five times (1, 0), clipped at 1."""
    G = np.array([[-10.0, 0], *[[1.0, 0]] * 5])
    assert G.mean(axis=0) == pytest.approx([-5 / 6, 0])
    clipped, _ = clip_by_norm({"g": G}, 1.0, seed_axis=True)
    assert clipped["g"].mean(axis=0) == pytest.approx([2 / 3, 0])
    (row,) = [
        row
        for row in clipped_average.means(G, [1], [0.5], np.random.default_rng(0))
        if row["kind"] == "norm"
    ]
    assert row["cosine"] == pytest.approx(-1)
    assert row["weight"] == pytest.approx(0.1)
    assert row["uphill"] == row["uphill_plain"] == pytest.approx(5 / 6)
    assert row["own"] == 0


def test_the_gradients_of_examples_have_the_minibatch_gradient_as_their_mean():
    model, task = character_model(), Latch()
    params, data = clipped_average.start(task, "sparse", [0], n_h=5)
    params = {name: p[0].astype(float) for name, p in params.items()}
    batch = next(task.batches(6, 8, data[0]))
    G = clipped_average.gradients(model, params, batch)
    _, whole = model(params, batch)
    whole = np.concatenate([g.ravel() for g in whole.values()])
    np.testing.assert_allclose(G.mean(axis=0), whole, atol=1e-12)


def test_clipping_each_with_a_threshold_beyond_all_is_not_clipping():
    """Trained that way, networks end as those that are not clipped."""
    rows = clipped_average._learned(rates=[1e-3], thresholds=[1e9], steps=3, seeds=2)
    plain, mean, each = rows
    assert (plain["how"], mean["how"], each["how"]) == (
        "not clipped",
        "mean clipped",
        "each clipped",
    )
    np.testing.assert_allclose(mean["accuracy"], plain["accuracy"])
    np.testing.assert_allclose(each["accuracy"], plain["accuracy"], atol=0.01)
    np.testing.assert_array_equal(each["needed"], plain["needed"])


@pytest.mark.slow
def test_the_verdict_on_clipped_means_depends_on_angle_weight_and_descent():
    rows = rows_of("clipped-average")
    row = {"part": "learned", "lr": 1.0, "threshold": 1.0, "successes": 2, "of": 3}
    learned = [
        row | {"how": "mean clipped", "needed": [100, 101, 102]},
        row | {"how": "each clipped", "needed": [100, 104, 101]},
    ]

    def said(change, learned=learned):
        changed = [row | {key: new(row) for key, new in change.items()} for row in rows]
        return verdict("clipped-average", changed + learned)

    assert said({}).startswith("Holds in part, if minibatches are small")
    assert said({}).endswith("We saw no sign that the bias is useful.")
    useful = [learned[0], learned[1] | {"needed": [10, 12, 11]}]
    assert said({}, useful).endswith("In some trainings, the bias saved steps.")
    turned = {"cosine": lambda row: 0.8 - 1e-3 * row["seed"]}
    assert said(turned, useful).startswith("Holds. The average is turned")
    assert said(turned).startswith("Undecided.")
    assert said({"cosine": lambda row: 1 - 1e-3 * row["seed"]}).startswith("Does not hold.")
    assert said({"own": lambda row: 0.1}).startswith("Does not hold.")
    assert said({"weight": lambda row: 1.0 + row["seed"]}).startswith("Undecided.")


# What they show


def test_a_line_without_a_wall_is_counted_and_not_shown():
    row = {"kind": "gaussian", "n_h": 20, "radius": 2.0, "rank": 0.2, "rank_near": 0.6}
    data = cliff_steepness.data_openness([row | {"wall": 500}, row | {"wall": 3, "rank": 0.9}])
    assert by_name(data)["20 units, radius 2 (1 of 2): of the whole line"] == 0.2


def test_of_larger_networks_the_median_grows_beside_the_first_line_of_two_parameters():
    two = {"kind": "two parameters", "lengths": [5, 9], "w": 5, "predicted": 2.0}
    net = {"kind": "gaussian", "n_h": 3, "radius": 2.0, "lengths": [5, 9]}
    rows = [two | {"largest": [1, 32]}, two | {"largest": [7, 7]}]
    rows += [net | {"largest": [k, 10 * k]} for k in (1, 2, 9)]
    assert by_line(cliff_steepness.data([*rows, net | {"kind": "symmetric"}])) == {
        "two parameters, w = 5": [(5, 1), (9, 32)],
        "2 a step": [(5, 2), (9, 32)],
        "3 units, radius 2": [(5, 2), (9, 20)],
    }


def test_the_survival_of_unclipped_paths_is_the_line_across():
    row = {"lr": 0.1, "chosen": False}
    rows = [row | {"kind": "none", "threshold": None, "low": low} for low in (0.2, 0.4)]
    rows += [row | {"kind": "norm", "threshold": v, "low": 0.5} for v in (0.1, 1.0)]
    data = clipping_saves.data(rows)
    assert data.panels[0]["marks"] == [(pytest.approx(0.3), "unclipped")]
    assert by_line(data) == {"by norm": [(0.1, 0.5), (1, 0.5)]}


def test_angles_are_those_of_the_cosines():
    rows = [
        {"part": "mean", "task": "a", "stage": "late", "batch": batch, "kind": kind, "left": 0.5,
         "cosine": cosine, "weight": 0.5}
        for batch, cosine in ((1, 0.5), (16, 1.0)) for kind in ("norm", "element")
    ]  # fmt: skip
    data = clipped_average.data(rows)
    for panel in (0, 1):
        assert by_line(data, panel) == {"a, late": [(1, pytest.approx(60, abs=0.01)), (16, 0)]}
