import numpy as np
import pytest

from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, rnn_loss


@pytest.mark.parametrize("nonlinearity", ["tanh", "sigmoid"])
@pytest.mark.parametrize("seeds", [False, True])
def test_gradients_agree_with_finite_differences(nonlinearity, seeds):
    rng = np.random.default_rng(1)
    params = init_rnn(3, 4, 5, seed=[1, 2] if seeds else 1)
    x, y = rng.integers(3, size=(6, 2)), rng.integers(5, size=(6, 2))
    mask = rng.integers(2, size=(6, 2))
    h0 = rng.normal(size=(2, 2, 4) if seeds else (2, 4))

    def loss(params, h0):
        return np.sum(rnn_loss(rnn_forward(params, x, h0, nonlinearity), y, mask))

    grads = rnn_backward(params, rnn_forward(params, x, h0, nonlinearity), y, mask)
    for name, value in {**params, "h0": h0}.items():
        numeric = np.empty_like(value)
        for i in np.ndindex(value.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = value.copy()
                moved[i] += step
                arrays = {**params, "h0": h0, name: moved}
                ends.append(loss(arrays, arrays["h0"]))
            numeric[i] = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(grads[name], numeric, rtol=1e-6, atol=1e-8)
