"""Chapter 16's statements on misprints that no test of the reference covers."""

import numpy as np
import pytest

from rnn_helpers.reference import forget_gate, init_lstm, lstm_forward

pytestmark = pytest.mark.chapter("16")


@pytest.mark.equation("10.40", "10.41")
def test_a_forget_gate_that_sees_the_new_state_can_have_three_fixed_points():
    def fault(s):
        """Return s minus the state that its gate gives, with s^(t-1) = 1 and g = 0."""
        return s - forget_gate(-5, 0, 0, 10 * s) * 1

    roots = [0.00719, 0.5, 0.99281]
    for low, high in ((0, 0.1), (0.4, 0.6), (0.9, 1)):
        assert fault(low) * fault(high) < 0
    np.testing.assert_allclose([fault(s) for s in roots], 0, atol=1e-5)
    # The state before gives one.
    cell = {name: 0 * array for name, array in init_lstm(1, 1, 1, peepholes=True).items()}
    cell |= {"bf": np.array([-5.0]), "pf": np.array([10.0])}
    s = lstm_forward(cell, np.zeros((1, 1)), s0=[1.0], held={"g": 0}).s[0, 0]
    assert s == pytest.approx(1 / (1 + np.exp(-5)))


def test_a_product_of_pictures_as_matrices_has_no_shape_or_mixes_places():
    f, s = np.full((3, 4), 0.9), np.zeros((3, 4))
    with pytest.raises(ValueError, match="matmul"):
        f @ s
    square, lit = np.full((4, 4), 0.9), np.zeros((4, 4))
    lit[1, 2] = 1
    assert (square @ lit)[:, 2].all()  # one place has lit a whole column
    np.testing.assert_array_equal((square * lit).nonzero(), lit.nonzero())


@pytest.mark.slow
def test_in_the_layer_the_state_of_a_place_stays_there():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import ConvLSTM

    state = torch.zeros(1, 1, 3, 4, 1)
    state[0, 0, 1, 2] = 1
    sums = {part: torch.zeros_like(state) for part in ("", "f", "g", "o")}
    _, new = ConvLSTM(1, 1, [0]).step(sums, state)
    assert torch.equal(new, state / 2)  # gates of 0.5, no input
