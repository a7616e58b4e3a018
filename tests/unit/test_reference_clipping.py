"""Clipping, as functions of gradients: (G 10.48), (G 10.49) and the others of section 10.11.1."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import SEEDED, P
from refusals import (
    NAN,
    POSITIVE,
    REAL,
    SEED,
)

from rnn_helpers.reference import (
    clip_by_element,
    clip_by_norm,
    clip_hidden,
    exceeds,
    init_rnn,
    joint_norm,
    random_step,
    rescale,
    rnn_backward,
    rnn_forward,
)

BOTH = [clip_by_norm, clip_by_element]


def network(seed=0, radius=3.0, n_steps=12):
    """A run whose gradient grows backward in time."""
    params = init_rnn(3, 6, 3, seed=seed)
    W = params["W"]
    size = np.abs(np.linalg.eigvals(W)).max(axis=-1)
    params["W"] = W * (radius / size[..., None, None] if W.ndim == 3 else radius / size)
    params["V"] = 5 * params["V"]
    x, y = np.random.default_rng(1).integers(3, size=(2, n_steps, 4))
    return params, rnn_forward(params, x), y


@pytest.mark.equation("10.48")
def test_a_gradient_exceeds_every_smaller_threshold():
    assert exceeds([3.0, 4.0], 4.999)
    assert not exceeds([3.0, 4.0], 5.0)  # longer, not equal
    np.testing.assert_array_equal(exceeds([[3.0, 4.0], [0.3, 0.4]], 1.0), [True, False])
    assert exceeds([1e200, 1e200], 1e199)


@pytest.mark.equation("10.49")
def test_a_rescaled_gradient_has_the_thresholds_length_and_its_own_direction():
    g = np.random.default_rng(0).standard_normal((5, 7)) * 10.0 ** np.arange(-2, 3)[:, None]
    short = rescale(g, 0.3)
    np.testing.assert_allclose(np.linalg.norm(short, axis=1), 0.3)
    np.testing.assert_allclose(short * np.linalg.norm(g, axis=1, keepdims=True), 0.3 * g)
    with pytest.raises(ValueError, match=r"g is .* expected no vector of zeros"):
        rescale([0.0, 0.0], 1.0)


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4),
    st.floats(1e-3, 1e3),
)
@pytest.mark.equation("10.48", "10.49")
def test_clipping_by_norm_is_the_two_equations_on_all_parameters_jointly(entries, threshold):
    g = {"W": np.array(entries[:2]), "b": np.array(entries[2:])}
    clipped, norm = clip_by_norm(g, threshold)
    assert norm == pytest.approx(math.hypot(*entries), rel=1e-9)
    assert joint_norm(clipped) <= threshold * (1 + 1e-12) or norm <= threshold
    if not exceeds(entries, threshold):
        assert all((clipped[name] == g[name]).all() for name in g)
    else:
        joined = np.concatenate([clipped["W"], clipped["b"]])
        np.testing.assert_allclose(joined, rescale(entries, threshold), 1e-9, 1e-12)


def test_clipping_by_element_bounds_each_entry_and_keeps_its_sign():
    g = {"W": np.array([[0.5, -7.0]]), "b": np.array([3.0, 0.0])}
    clipped, norm = clip_by_element(g, 1.0)
    np.testing.assert_array_equal(clipped["W"], [[0.5, -1.0]])
    np.testing.assert_array_equal(clipped["b"], [1.0, 0.0])
    assert norm == pytest.approx(math.hypot(0.5, 7, 3))


def test_clipping_by_element_turns_the_step_but_it_still_descends():
    g = np.random.default_rng(0).standard_cauchy((1000, 20))
    clipped = clip_by_element({"g": g}, 0.5, seed_axis=True)[0]["g"]
    inner = (g * clipped).sum(axis=1)
    cosine = inner / np.linalg.norm(g, axis=1) / np.linalg.norm(clipped, axis=1)
    assert (inner > 0).all()
    assert cosine.min() < 0.5


@pytest.mark.parametrize("clip", BOTH)
def test_each_seed_is_clipped_by_itself(clip):
    g = {"W": np.array([[3.0, 4.0], [0.3, 0.4]]), "b": np.zeros((2, 1))}
    clipped, norm = clip(g, 1.0, seed_axis=True)
    np.testing.assert_allclose(norm, [5.0, 0.5])
    for s in range(2):
        alone, _ = clip({name: a[s] for name, a in g.items()}, 1.0)
        for name, a in alone.items():
            np.testing.assert_array_equal(clipped[name][s], a)


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("clip", BOTH)
def test_a_gradient_without_direction_gives_a_zero_step_and_a_nonfinite_norm(broken, clip):
    g = {"W": np.array([[1.0, broken], [3.0, 4.0]]), "b": np.ones((2, 1))}
    clipped, norm = clip(g, 1.0, seed_axis=True)
    assert not np.isfinite(norm[0])
    np.testing.assert_array_equal(clipped["W"][0], [0, 0])
    np.testing.assert_array_equal(clipped["b"][0], [0])
    assert np.abs(clipped["W"][1]).max() > 0.1


@pytest.mark.parametrize("threshold", [0, -1, float("nan")])
def test_an_impossible_threshold_is_refused(threshold):
    for clip in BOTH:
        with pytest.raises(ValueError, match="threshold"):
            clip({"W": np.ones(2)}, threshold)


# random steps -------------------------------------------------------------------------------------


def test_a_random_step_replaces_long_and_nonfinite_gradients():
    g = {
        "W": np.array([[3.0, 4.0], [0.3, 0.4], [np.nan, 0.0], [np.inf, 1.0]]),
        "b": np.ones((4, 1)),
    }
    stepped, norm = random_step(g, 2.0, 0, seed_axis=True)
    joint = joint_norm(stepped, seed_axis=True)
    np.testing.assert_allclose(joint[[0, 2, 3]], 2.0)
    np.testing.assert_array_equal(stepped["W"][1], g["W"][1])
    assert norm[0] == pytest.approx(26**0.5)
    assert np.isnan(norm[2])
    assert np.isinf(norm[3])


def test_every_direction_of_a_random_step_is_equally_likely():
    n, g = 20_000, {"W": np.full((20_000, 2), 9.0), "b": np.full((20_000, 1), 9.0)}
    stepped, _ = random_step(g, 1.0, 0, seed_axis=True)
    points = np.concatenate([stepped["W"], stepped["b"]], axis=1)
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=5 / n**0.5)
    # on a sphere in three dimensions every coordinate is uniform (Archimedes)
    np.testing.assert_allclose((points**2).mean(axis=0), 1 / 3, atol=0.01)
    np.testing.assert_allclose((points**4).mean(axis=0), 1 / 5, atol=0.01)


def test_a_random_step_of_a_network_is_the_one_it_makes_alone():
    g = {"W": np.random.default_rng(0).standard_normal((3, 2, 2)), "b": np.ones((3, 2))}
    g["W"][1] = g["b"][1] = 0  # this one needs no clipping
    together, _ = random_step(g, 0.5, [4, 5, 6], seed_axis=True)
    for s, seed in enumerate([4, 5, 6]):
        alone, _ = random_step({name: a[s] for name, a in g.items()}, 0.5, seed)
        for name in g:
            np.testing.assert_array_equal(together[name][s], alone[name])


def test_one_generator_serves_all_networks():
    g = {"W": np.full((3, 4), 9.0)}
    all_need, _ = random_step(g, 1.0, 0, seed_axis=True)
    last_needs, _ = random_step(g, 1.0, 0, seed_axis=True, where=[False, False, True])
    np.testing.assert_array_equal(last_needs["W"][:2], g["W"][:2])
    np.testing.assert_array_equal(last_needs["W"][2], all_need["W"][2])


def test_random_steps_keep_the_floating_type():
    stepped, _ = random_step({"W": np.full(3, 9, np.float32)}, 1.0, 0)
    assert stepped["W"].dtype == np.float32


# the gradient on the states -----------------------------------------------------------------------


def gradients_on_states(recursion_of, v):
    seen = []

    def recursion(*parts):
        seen.append(recursion_of(v)(*parts))
        return seen[-1]

    params, run, y = network()
    grads = rnn_backward(params, run, y, recursion=recursion)
    return np.array(seen), grads


def test_no_gradient_on_a_state_has_an_entry_beyond_the_threshold():
    free, _ = gradients_on_states(clip_hidden, np.inf)
    clipped, grads = gradients_on_states(clip_hidden, 0.5)
    assert len(clipped) == 13  # the last state to the initial one
    assert np.abs(free[0]).max() > 0.5
    assert np.abs(free).max() > 50
    assert np.abs(clipped).max() == 0.5
    np.testing.assert_array_equal(grads["h0"], clipped[-1])


def test_clipping_on_the_way_back_leaves_the_output_layer_alone():
    params, run, y = network()
    free, clipped = (
        rnn_backward(params, run, y, **given) for given in ({}, {"recursion": clip_hidden(0.1)})
    )
    for name in "Vc":
        np.testing.assert_array_equal(clipped[name], free[name])
    assert joint_norm({"W": clipped["W"]}) < 0.1 * joint_norm({"W": free["W"]})


def test_a_high_threshold_clips_no_state():
    params, run, y = network()
    free, clipped = (
        rnn_backward(params, run, y, **given) for given in ({}, {"recursion": clip_hidden(1e9)})
    )
    for name, g in free.items():
        np.testing.assert_array_equal(clipped[name], g)


def test_states_of_several_networks_are_clipped_as_each_alone():
    params, run, y = network(seed=[0, 1])
    together = rnn_backward(params, run, y, recursion=clip_hidden(0.3))
    for s in range(2):
        alone = {name: p[s] for name, p in params.items()}
        grads = rnn_backward(alone, rnn_forward(alone, run.x[:, 0]), y, recursion=clip_hidden(0.3))
        for name, g in grads.items():
            np.testing.assert_allclose(together[name][s], g, atol=1e-12)


# torch's ------------------------------------------------------------------------------------------


@pytest.fixture
def torchs():
    torch = pytest.importorskip("torch")

    def clip(values, threshold, by_value=False):
        p = torch.zeros(len(values), dtype=torch.float64, requires_grad=True)
        p.grad = torch.tensor(values, dtype=torch.float64)
        if by_value:
            torch.nn.utils.clip_grad_value_([p], threshold)
        else:
            torch.nn.utils.clip_grad_norm_([p], threshold)
        return p.grad.numpy()

    return clip


@pytest.mark.slow
@pytest.mark.equation("10.49")
def test_torch_stops_a_little_short_of_the_threshold(torchs):
    """It divides by ``||g|| + 1e-6``, where (G 10.49) divides by ``||g||``."""
    ours, _ = clip_by_norm({"g": np.array([30.0, 40.0])}, 5.0)
    theirs = torchs([30.0, 40.0], 5.0)
    assert joint_norm(ours) == 5.0
    assert joint_norm({"g": theirs}) == pytest.approx(5 * 50 / (50 + 1e-6), rel=1e-12)
    assert joint_norm({"g": theirs}) == pytest.approx(4.9999999, rel=1e-12)
    np.testing.assert_allclose(ours["g"], theirs, rtol=1e-6)


@pytest.mark.slow
def test_torch_passes_on_nonfinite_gradients(torchs):
    np.testing.assert_array_equal(torchs([np.nan, 1.0], 5.0), [np.nan, np.nan])
    np.testing.assert_array_equal(torchs([np.inf, 1.0], 5.0), [np.nan, 0.0])
    for broken in (np.nan, np.inf):
        ours, norm = clip_by_norm({"g": np.array([broken, 1.0])}, 5.0)
        np.testing.assert_array_equal(ours["g"], [0, 0])
        assert not np.isfinite(norm)


@pytest.mark.slow
def test_torch_clips_elements_as_we_do(torchs):
    g = np.array([0.5, -7.0, 3.0, 0.0])
    np.testing.assert_array_equal(
        torchs(g, 1.0, by_value=True), clip_by_element({"g": g}, 1.0)[0]["g"]
    )


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint64, np.float32])
def test_clipping_accepts_a_threshold_of_any_number_type(kind):
    grads = {"p": np.array([-5.0, 1.0, 3.0])}
    clipped, _ = clip_by_element(grads, kind(2))
    np.testing.assert_array_equal(clipped["p"], [-2, 1, 2])


GRADS = [None, 3, {"a": "b"}, {"a": None}]

REFUSALS = {
    exceeds: ({"g": [3.0, 4.0], "v": 1.0}, {"g": [*REAL, 3.0], "v": POSITIVE}),
    rescale: ({"g": [3.0, 4.0], "v": 1.0}, {"g": [*REAL, 3.0, [0.0, 0.0]], "v": POSITIVE}),
    joint_norm: (
        {"arrays": SEEDED, "seed_axis": True},
        {
            "arrays": [*GRADS, {"a": np.ones(2), "b": np.ones(3)}, {"a": np.ones(())}],
            "seed_axis": ["no"],
        },
    ),
    clip_by_norm: (
        {"grads": P, "threshold": 1.0},
        {"grads": GRADS, "threshold": [0, -1, NAN, "a", None]},
    ),
    clip_by_element: (
        {"grads": P, "threshold": 1.0},
        {"grads": GRADS, "threshold": [0, -1, NAN, "a", None]},
    ),
    random_step: (
        {"grads": SEEDED, "threshold": 1.0, "seed": [0, 1], "seed_axis": True},
        {
            "grads": GRADS,
            "threshold": POSITIVE,
            "seed": [*SEED, [], [0], [0, 1, 2]],
            "where": [True, [True], [True, False, True]],
        },
    ),
    clip_hidden: ({"v": 1.0}, {"v": [0, -1, NAN, "a", None, [1]]}),
}
