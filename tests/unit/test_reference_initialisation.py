import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAME, POSITIVE, SEED

from rnn_helpers.reference import (
    INITIALISATIONS,
    init_lstm,
    init_recurrent,
    init_reservoir,
    init_rnn,
    spectral_radius,
)

pytestmark = pytest.mark.chapter("13")
each_kind = pytest.mark.parametrize("kind", INITIALISATIONS)


@each_kind
@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.floats(0.1, 3))
def test_the_spectral_radius_is_the_one_asked_for(kind, n_h, seed, radius):
    W = init_recurrent(kind, n_h, seed, radius=radius)
    assert W.shape == (n_h, n_h)
    np.testing.assert_allclose(spectral_radius(W), radius, rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "radius"), [("gaussian", 1), ("orthogonal", 1), ("identity", 1), ("sparse", 1.2)]
)
def test_each_kind_has_a_radius_of_its_own(kind, radius):
    assert spectral_radius(init_recurrent(kind, 30)) == pytest.approx(radius, abs=1e-12)


def test_the_default_is_uniform_and_small():
    W = init_recurrent("default", 100, range(20))
    assert np.abs(W).max() <= 0.1
    assert np.abs(W).max() > 0.0999
    assert abs(W.mean()) < 1e-3
    assert spectral_radius(W).mean() == pytest.approx(3**-0.5, rel=0.1)


def test_an_orthogonal_matrix_keeps_every_length_and_is_any_rotation():
    W = init_recurrent("orthogonal", 20, range(50))
    np.testing.assert_allclose(W.mT @ W, np.broadcast_to(np.eye(20), W.shape), atol=1e-12)
    signs = np.linalg.det(W)
    assert 10 < np.sum(signs > 0) < 40
    assert abs(W[:, 0, 0].mean()) < 0.15  # without the signs, QR makes the diagonal negative


def test_the_identity_is_scaled_alone():
    np.testing.assert_array_equal(init_recurrent("identity", 3, radius=0.5), 0.5 * np.eye(3))


@pytest.mark.parametrize(("n_h", "connections"), [(5, 5), (15, 15), (40, 15)])
def test_a_sparse_row_has_fifteen_weights_or_all(n_h, connections):
    W = init_recurrent("sparse", n_h, range(3))
    np.testing.assert_array_equal((W != 0).sum(axis=-1), connections)
    assert ((W[0] != 0) == (W[1] != 0)).all() == (n_h <= 15)


def test_gaussian_entries_are_normal():
    W = init_recurrent("gaussian", 200)
    z = (W / W.std()).ravel()
    assert abs((z**4).mean() - 3) < 0.1
    assert W.std() * 200**0.5 == pytest.approx(1, abs=0.1)


@each_kind
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_seeds_side_by_side_equal_each_alone(kind, dtype):
    W = init_recurrent(kind, 6, [3, 4], dtype=dtype)
    assert W.dtype == dtype
    for s, seed in enumerate([3, 4]):
        np.testing.assert_array_equal(W[s], init_recurrent(kind, 6, seed, dtype=dtype))
    params = init_rnn(2, 6, 2, [3, 4])
    assert (params | {"W": W})["W"].shape == params["W"].shape


def test_bad_input_is_rejected_by_name():
    with pytest.raises(ValueError, match="kind is 'normal'; expected one of 'default', 'gaussian'"):
        init_recurrent("normal", 3)
    with pytest.raises(ValueError, match="radius is 0; expected a finite number above 0"):
        init_recurrent("gaussian", 3, radius=0)


def test_weights_that_overflow_their_dtype_are_refused():
    for scale, dtype in ((1e308, float), (1e38, np.float32), (1e5, np.float16)):
        with pytest.raises(ValueError, match=r"scale is .*; expected weights that float"):
            init_rnn(30, 30, 30, scale=scale, dtype=dtype)
    with pytest.raises(ValueError, match="radius is 1e"):
        init_recurrent("gaussian", 30, 0, radius=1e40, dtype=np.float32)
    with pytest.raises(ValueError, match=r"radius is 1\.7e"):
        init_reservoir(1, 30, radius=1.7e308)
    with pytest.raises(ValueError, match="forget_bias is 1e"):
        init_lstm(2, 3, 2, forget_bias=1e40, dtype=np.float32)


REFUSALS = {
    init_recurrent: (
        {"kind": "gaussian", "n_h": 3, "seed": 0, "radius": 0.9, "dtype": float},
        {
            "kind": NAME,
            "n_h": COUNT,
            "seed": [*SEED, []],
            "radius": [value for value in POSITIVE if value is not None],
            "dtype": [int, "no", object, complex, 3],
        },
    )
}
