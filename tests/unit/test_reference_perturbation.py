"""Two runs of one linear map, section 10.8: eigenvectors, and the directions that separate most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RUN, P
from refusals import (
    REAL,
    SQUARE,
    TIME,
)

from rnn_helpers.reference import power_norms, separation, widest_perturbation

pytestmark = pytest.mark.chapter("14")
J = np.array([[0.9, 5.0], [0.0, 0.5]])
both_ways = pytest.mark.parametrize("backward", [False, True])


@st.composite
def matrices(draw):
    n, rng = draw(st.integers(1, 6)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.normal(size=(n, n)) / n**0.5, rng


@both_ways
@pytest.mark.parametrize(
    ("n", "widest", "along"), [(1, 5.10, 0.90), (3, 7.59, 0.73), (10, 4.36, 0.35)]
)
def test_the_eigenvector_is_far_from_the_widest(n, widest, along, backward):
    """The source's claim fails in both directions; the numbers are the counterexample's."""
    assert widest_perturbation(J, n, backward=backward)[1] == pytest.approx(widest, abs=5e-3)
    values, vectors = np.linalg.eig(J.T if backward else J)
    q = vectors[:, np.abs(values).argmax()].real  # since NumPy 2.5, complex for any matrix
    assert separation(J, q, n, backward=backward)[n] == pytest.approx(along, abs=5e-3)


def test_an_eigenvector_of_the_jacobian_is_not_one_of_its_transpose():
    assert separation(J, [1, 0], 1)[1] == pytest.approx(0.9)
    assert separation(J, [1, 0], 1, backward=True)[1] == pytest.approx(5.08, abs=5e-3)


@both_ways
@given(matrices(), st.integers(0, 9))
def test_two_runs_have_the_stated_distance_from_any_start(backward, problem, n):
    W, rng = problem
    g, v = rng.normal(size=(2, 3, len(W)))
    one, other = g, g + v
    apart = separation(W, v, n, backward=backward)
    assert apart.shape == (n + 1, 3)
    for k in range(n + 1):
        np.testing.assert_allclose(apart[k], np.linalg.norm(other - one, axis=-1), atol=1e-9)
        one, other = (run @ (W if backward else W.T) for run in (one, other))


@both_ways
@given(matrices(), st.integers(0, 9))
def test_no_direction_separates_more_than_the_widest(backward, problem, n):
    W, rng = problem
    v, growth = widest_perturbation(W, n, backward=backward)
    assert np.linalg.norm(v) == pytest.approx(1)
    assert v[np.abs(v).argmax()] > 0
    assert growth == pytest.approx(power_norms(W, n)[n], rel=1e-9)
    assert separation(W, v, n, backward=backward)[n] == pytest.approx(growth, rel=1e-9, abs=1e-12)
    others = rng.normal(size=(50, len(W)))
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert (separation(W, others, n, backward=backward)[n] <= growth * (1 + 1e-12)).all()


@given(matrices(), st.integers(1, 9))
def test_of_a_normal_matrix_the_eigenvector_is_the_widest(problem, n):
    W, _ = problem
    W = W + W.T
    growth = widest_perturbation(W, n)[1]
    assert growth == pytest.approx(np.abs(np.linalg.eigvalsh(W)).max() ** n, rel=1e-9)


def test_overflowing_values_are_refused():
    with pytest.raises(ValueError, match=r"n is 400, but J\^\d+ v overflows"):
        separation([[10.0]], [1.0], 400)
    with pytest.raises(ValueError, match=r"n is 400, but J\^400 overflows"):
        widest_perturbation([[10.0]], 400)
    with pytest.raises(TypeError, match="backward is 'yes'; expected True or False"):
        widest_perturbation(J, 1, backward="yes")


REFUSALS = {
    separation: (
        {"J": P["W"], "v": RUN.h[0], "n": 3, "backward": True},
        {"J": [*SQUARE, 1e200 * P["W"]], "v": REAL, "n": TIME, "backward": ["yes", None, 1]},
    ),
    widest_perturbation: (
        {"J": P["W"], "n": 3, "backward": True},
        {"J": [*SQUARE, 1e200 * P["W"]], "n": TIME, "backward": ["yes", None, 1]},
    ),
}
