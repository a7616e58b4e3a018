"""Chapter 17's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from limits import Line, changed, moved

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_17 as answers
from rnn_helpers.reference import cliff_gradient, init_rnn, rnn_backward, rnn_forward
from rnn_helpers.reference.clipping import clip_by_element, clip_by_norm, clip_hidden
from rnn_helpers.reference.information_flow import omega_terms


@pytest.mark.equation("10.48", "10.49")
def test_clipping_agrees_with_the_reference():
    for grads, v in answers._gradients():
        given, expected = answers.clip(grads, v), clip_by_norm(grads, v)[0]
        for name in grads:
            np.testing.assert_allclose(given[name], expected[name], rtol=1e-12)


@pytest.mark.slow
def test_the_factor_is_pytorchs():
    torch = pytest.importorskip("torch")
    for norms, v in exercises()["17-pytorch"].cases():
        for norm in norms:
            p = torch.zeros(2, dtype=torch.float64, requires_grad=True)
            p.grad = torch.tensor([0.6, -0.8], dtype=torch.float64) * norm
            torch.nn.utils.clip_grad_norm_([p], v)
            ours = answers.pytorch_factor(np.array([norm]), v)[0]
            assert float(p.grad.norm()) == pytest.approx(ours * norm, rel=1e-9)


def test_a_step_clipped_by_element_lowers_only_its_minibatch_loss():
    g = np.random.default_rng(51).normal(size=(1000, 7)) * 10
    clipped = clip_by_element({"g": g}, 1.0, seed_axis=True)[0]["g"]
    assert ((g * clipped).sum(1) > 0).all()
    mine, true = np.array([10.0, -1.0]), np.array([1.0, 5.0])
    assert true @ mine == 5
    assert true @ np.clip(mine, -1, 1) == -4
    assert true @ clip_by_norm({"g": mine}, 1.0)[0]["g"] == pytest.approx(0.4975, abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_the_limit_of_how_far_clipping_misleads_is_sharp(seed):
    rng = np.random.default_rng(seed)
    g = rng.normal(size=2) * 5
    most, clipped = answers.how_far(g, 1.0), np.clip(g, -1, 1)
    turns = np.linspace(0, 2 * np.pi, 10**5)
    u = np.array([np.cos(turns), np.sin(turns)])
    climbed = (g @ u / np.linalg.norm(g))[clipped @ u < 0]
    assert most - 1e-3 < climbed.max() <= most + 1e-12


def test_the_angles_of_the_solution():
    assert answers.how_far(np.array([10.0, -1.0]), 1.0) == pytest.approx(0.633, abs=1e-3)
    assert np.rad2deg(np.arccos(answers._turned(np.array([10.0, -1.0]), 1.0))) == pytest.approx(
        39.3, abs=0.1
    )
    assert answers.how_far(np.array([3.0, 4.0]), 4.0) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("n", [3, 6, 50])
def test_clipping_reverses_the_mean_of_three_and_more(n):
    g = answers.reversed_by_clipping(n)
    clipped = clip_by_norm({"g": g}, 1.0, seed_axis=True)[0]["g"]
    np.testing.assert_allclose(g.mean(0), [-1 / n, 0], atol=1e-12)
    np.testing.assert_allclose(clipped.mean(0), [(n - 2) / n, 0], atol=1e-12)


def test_clipping_never_reverses_the_mean_of_two():
    rng = np.random.default_rng(52)
    pairs = rng.normal(size=(10**4, 2, 2)) * rng.lognormal(sigma=2, size=(10**4, 2, 1))
    pairs[::2, 1] = -pairs[::2, 0] * rng.uniform(size=(5000, 1))  # half of the pairs are opposite
    norms = np.linalg.norm(pairs, axis=-1, keepdims=True)
    clipped = pairs / np.maximum(norms, 1)
    assert ((pairs.sum(1) * clipped.sum(1)).sum(-1) > -1e-9 * norms.sum((1, 2))).all()


def test_a_rotated_reversal_is_accepted():
    turned = np.array([[0.6, -0.8], [0.8, 0.6]])
    check = exercises()["17-reversed"]
    assert check.grade(lambda n: (answers.reversed_by_clipping(n) * 0.99 * n) @ turned)


@pytest.mark.parametrize("tau", [3, 4, 10, 100])
def test_newton_halves_w_in_as_many_steps(tau):
    w = steps = 1
    while w > 0.5 + 1e-12:
        w -= (tau * w ** (tau - 1)) / (tau * (tau - 1) * w ** (tau - 2))
        steps += 1
    assert answers.newton_steps(tau) == steps - 1
    first, second = 100 * 0.5**99, 100 * 99 * 0.5**98
    assert (first, second) == (pytest.approx(1.6e-28, rel=0.05), pytest.approx(3.1e-26, rel=0.05))
    assert first / second == pytest.approx(0.5 / 99)


def test_the_short_answers_follow_from_the_reference():
    y = 1 / (1 + np.exp(-0.5))
    np.testing.assert_allclose(answers.factors(), [6 * y * (1 - y), (6 * y * (1 - y)) ** 10], 0.01)
    gradient = {"h": np.array([2.0, 1.0])}
    for step in (3, 0.5):
        gradient = clip_by_element({"h": step * gradient["h"]}, 2.0)[0]
    np.testing.assert_allclose(gradient["h"], answers.clipped_on_the_way())
    lengths = np.array([1, 0.5, 0.5, 0.6])
    ratios = lengths[1:] / lengths[:-1]
    assert answers.omega_of_lengths() == pytest.approx(((ratios - 1) ** 2).sum())


def test_the_measured_steepness_agrees_with_the_factor():
    b = answers._wall(5.0) + np.linspace(-0.01, 0.01, 20001)
    largest = [np.abs(cliff_gradient(5.0, b, T)).max() for T in (20, 50, 51)]
    np.testing.assert_allclose(largest, [36.8, 5750, 6762], rtol=1e-3)
    assert largest[2] / largest[1] == pytest.approx(answers.steepness(5.0), abs=0.002)
    assert answers.steepness(5.0) == pytest.approx(1.175, abs=5e-4)
    assert answers.steepness(4.255) < 1 < answers.steepness(4.256)
    shallow = [np.abs(cliff_gradient(4.0, answers._wall(4.0), T)).max() for T in (400, 800)]
    assert shallow[0] == pytest.approx(shallow[1])


@pytest.mark.equation("10.52")
def test_omega_agrees_with_the_reference_on_a_nearly_linear_network():
    rng = np.random.default_rng(10)
    params = init_rnn(2, 4, 3, seed=0)
    params |= {"W": rng.normal(size=(4, 4)) / 2, "V": rng.normal(size=(3, 4))}
    run = rnn_forward(params, 1e-6 * rng.normal(size=(6, 2)))
    y, mask = np.zeros(6, int), [0, 0, 0, 0, 0, 1]
    last = params["V"].T @ (run.yhat[-1] - np.eye(3)[0])
    theirs = ((omega_terms(params, run, y, mask) - 1) ** 2).sum()
    assert answers.linear_omega(params["W"], last, 6) == pytest.approx(theirs, rel=1e-6)


def test_omega_is_0_for_orthogonal_and_some_other_matrices():
    rng = np.random.default_rng(11)
    Q = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    assert answers.linear_omega(Q, rng.normal(size=5), 20) == pytest.approx(0, abs=1e-25)
    assert answers.linear_omega(np.diag([1, 0.1]), np.array([1.0, 0]), 9) == 0
    example = np.array([[1.2, 0.5], [0.0, 0.7]]), np.array([1.0, 2.0])
    assert answers.linear_omega(*example, 3) == pytest.approx(0.0051, abs=5e-5)
    assert np.linalg.norm(example[0].T @ example[1]) / 5**0.5 == pytest.approx(1.005, abs=5e-4)


@pytest.mark.equation("10.26")
def test_clipping_on_the_states_bounds_every_entry_by_steps_times_threshold():
    rng = np.random.default_rng(12)
    T, v = 40, 0.01
    params = init_rnn(3, 8, 4, seed=0)
    params["W"] = rng.normal(size=(8, 8))
    x, y = rng.normal(size=(T, 3)), rng.integers(4, size=T)
    run = rnn_forward(params, x)
    free, held = (
        rnn_backward(params, run, y, **how) for how in ({}, {"recursion": clip_hidden(v)})
    )
    assert np.abs(held["W"]).max() <= T * v < np.abs(free["W"]).max()
    assert np.linalg.norm(held["W"]) <= T * v * 8
    np.testing.assert_allclose(held["V"], free["V"])


def test_adam_ignores_a_factor_that_all_gradients_share():
    from rnn_helpers.training import Adam

    rng = np.random.default_rng(13)
    grads = [rng.normal(size=5) * 10**k for k in rng.normal(size=30)]

    def course(scale):
        params, memory = {"w": np.zeros(5)}, {}
        for step, g in enumerate(grads, 1):
            params = Adam(0.01).update(params, {"w": scale(g) * g}, memory, step)
        return params["w"]

    unit = course(lambda g: 1 / np.linalg.norm(g))
    twice = course(lambda g: 2 / np.linalg.norm(g))
    np.testing.assert_allclose(twice, unit, rtol=1e-6)
    assert abs(course(lambda g: 1.0) - unit).max() > 0.01


TYPICAL = {
    "17-pytorch": {
        "the clipped norms": lambda norms, v: np.minimum(norms, norms * v / (norms + 1e-6))
    },
    "17-newton": {
        "not a whole number": lambda tau: -np.log(2) / np.log1p(-1 / (tau - 1)),
        "tau ln 2": lambda tau: -int(-tau * np.log(2) // 1),
    },
}


def clip_with_pytorchs_number(grads, v):
    norm = np.sqrt(sum(np.sum(g * g) for g in grads.values()))
    return {name: g * min(1.0, v / (norm + 1e-6)) for name, g in grads.items()}


HINTED = {
    "17-clip": [(clip_with_pytorchs_number, "PyTorch")],
    "17-how-far": [(lambda g, v: 0.5, "nearest to g")],
    "17-reversed": [
        (lambda n: np.array([[-10, 0]] + [[1, 0]] * (n - 1)), "more of them"),
        (lambda n: np.array([[0, 500]] + [[0, -1]] * (n - 1)), "more of them"),
    ],
}


def of_a_dictionary():
    line = moved("17-clip")
    return Line(line.passes, [*line.refused, changed("17-clip", lambda grads: grads | {"c": 0.0})])


def of_reversals():
    """Tilt the large gradient, so that the mean is reversed up to an angle."""

    def leaning(by):
        return lambda n: np.array([[-float(n), by]] + [[1.0, 0.0]] * (n - 1))

    along = changed("17-reversed", lambda gradients: -gradients)
    one_less = changed("17-reversed", lambda gradients: gradients[1:])
    return Line([leaning(0.02), along], [leaning(0.1), one_less, lambda n: leaning(0)(n) / n])


LIMITS = {
    "17-factor": (0.009, 0.011),
    "17-clip": of_a_dictionary,
    "17-pytorch": (5e-11, 2e-10),
    "17-how-far": (5e-7, 2e-6),
    "17-reversed": of_reversals,
    "17-states": (0.004, 0.006),
    "17-ratios": (0.0015, 0.0025),
    "17-steepness": (0.009, 0.011),
}
EQUIVALENT = {
    "17-clip": [
        # A gradient whose norm equals the threshold is multiplied by 1.
        "…/ norm if norm > v else g for na… -> …/ norm if norm >= v else g for na…",
    ],
    "17-how-far": [
        # Clipping a number between two others gives the middle one of the three, and so does
        # clipping -v between g and v.
        "clipped = np.clip(g, -v, v) -> clipped = np.clip(-v, g, v)",
        # The gradient is a vector, which transposing doesn't change.
        "cosine = g @ clipped / np.… -> cosine = g.T @ clipped / np.…",
        "…pped / np.sqrt(g @ g * (clipped … -> …pped / np.sqrt(g.T @ g * (clipped …",
        "…g @ g * (clipped @ clipped)) -> …g @ g * (clipped.T @ clipped))",
    ],
    "17-steepness": [
        # The slope changes by 0.6 %, which is within the hundredth that the exercise allows.
        "y = 1 / (1 + np.exp(-0.5)) -> y = 1 / (2 + np.exp(-0.5))",
        # The logistic function's slope is the same at 0.5 and at -0.5.
        "y = 1 / (1 + np.exp(-0.5)) -> y = 1 / (1 + np.exp(0.5))",
        "y = 1 / (1 + np.exp(-0.5)) -> y = 1 / (1 + np.exp(--0.5))",
    ],
}
