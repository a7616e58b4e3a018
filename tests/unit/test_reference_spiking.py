"""The liquid against scalar loops, and the properties of its units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RESERVOIR, UNFIT_RESERVOIR
from refusals import (
    KEPT,
    REAL,
)

from rnn_helpers.reference import init_reservoir, liquid_states, output, ridge_readout

pytestmark = pytest.mark.chapter("14")
shares = st.floats(0, 0.95)


def liquid_by_loops(params, x, keep, trace_keep):
    """Spikes and traces of one sequence of vectors, one number at a time."""
    U, W, b = (params[name].tolist() for name in "UWb")
    units = range(len(b))
    potential, spiked, trace = ([0.0 for _ in units] for _ in range(3))
    spikes, traces = [], []
    for now in x.tolist():
        fired = []
        for i in units:
            left = 0.0 if spiked[i] else keep * potential[i]
            heard = b[i] + sum(U[i][j] * now[j] for j in range(len(now)))
            heard += sum(W[i][j] for j in units if spiked[j])
            potential[i] = left + heard
            fired.append(1.0 if potential[i] > 1 else 0.0)
            trace[i] = trace_keep * trace[i] + (1 - trace_keep) * fired[i]
        spiked = fired
        spikes.append(fired)
        traces.append(trace.copy())
    return np.array(spikes), np.array(traces)


@pytest.mark.equation("10.8")
@given(
    st.integers(1, 3), st.integers(1, 8), st.integers(1, 15), st.integers(0, 999), shares, shares
)
def test_the_spikes_and_traces_are_those_of_scalar_loops(n_x, n_h, n_steps, seed, keep, trace_keep):
    rng = np.random.default_rng(seed)
    params = init_reservoir(n_x, n_h, rng, radius=2, input_scale=2, density=0.5)
    params["b"] = rng.normal(0, 0.5, n_h)
    x = rng.normal(size=(n_steps, n_x))
    given_back = liquid_states(params, x, keep, trace_keep)
    by_loops = liquid_by_loops(params, x, keep, trace_keep)
    for one, other in zip(given_back, by_loops, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def one_unit(**given):
    return {"U": np.ones((1, 1)), "W": np.zeros((1, 1)), "b": np.zeros(1)} | given


def test_a_unit_with_weak_input_is_silent_and_with_strong_input_spikes_regularly():
    # kept in halves, inputs of g add up to 2 g at most
    assert not liquid_states(one_unit(), np.full((200, 1), 0.5))[0].any()
    spikes, _ = liquid_states(one_unit(), np.full((200, 1), 0.6))
    # 0.6, 0.9, 1.05: it spikes at every third step and restarts at 0
    np.testing.assert_array_equal(np.flatnonzero(spikes), np.arange(2, 200, 3))


def test_a_spike_arrives_one_step_later():
    chain = {"U": 2 * np.eye(4, 1), "W": 2 * np.eye(4, k=-1), "b": np.zeros(4)}
    spikes, traces = liquid_states(chain, np.eye(4, 1), trace_keep=0)
    np.testing.assert_array_equal(spikes, np.eye(4))
    np.testing.assert_array_equal(traces, spikes)


def test_a_trace_is_the_share_of_recent_steps_with_a_spike():
    x = 2.0 * (np.random.default_rng(0).random((20000, 1)) < 0.3)
    spikes, traces = liquid_states(one_unit(), x, trace_keep=0.9995)
    np.testing.assert_array_equal(spikes, x / 2)
    assert traces[-1, 0] == pytest.approx(0.3, abs=0.03)


def test_liquids_and_sequences_side_by_side_equal_each_alone():
    scales = {"radius": 2, "input_scale": 2, "density": 0.5}
    both, x = init_reservoir(2, 6, [3, 4], **scales), np.random.default_rng(0).random((9, 3, 2))
    spikes, traces = liquid_states(both, x)
    assert spikes.shape == traces.shape == (9, 2, 3, 6)
    alone = liquid_states(init_reservoir(2, 6, 4, **scales), x[:, 2])
    np.testing.assert_array_equal(spikes[:, 1, 2], alone[0])
    np.testing.assert_allclose(traces[:, 1, 2], alone[1], rtol=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_a_linear_readout_of_a_liquid_recovers_past_inputs(seed):
    x = 1.0 * (np.random.default_rng(seed).random((4000, 1)) < 0.5)
    past = np.concatenate([np.roll(x, k, axis=0) for k in range(10)], axis=1)
    one_of_two, rate = past[:, [1]] != past[:, [2]], past.mean(axis=1, keepdims=True)
    asked = np.concatenate([past[:, [2]], one_of_two, rate], axis=1)
    spikes, traces = liquid_states(init_reservoir(1, 200, seed, radius=2, input_scale=2), x)
    assert set(np.unique(spikes)) == {0, 1}

    def right(states):
        """Shares of right answers to two questions, and the squared correlation with the rate."""
        readout = ridge_readout(states[:2000], asked[:2000], 1e-3, washout=100)
        said, wanted = output(**readout, h=states[2000:]), asked[2000:]
        shares = ((said > 0.5) == wanted).mean(axis=0)
        return *shares[:2], np.corrcoef(said[:, 2], wanted[:, 2])[0, 1] ** 2

    by_inputs, by_spikes, by_traces = right(past), right(spikes), right(traces)
    assert by_spikes[0] > 0.9
    # one of two, not both, is no weighted sum of the inputs; it is one of the spikes they cause
    assert by_inputs[1] < 0.65 < 0.8 < by_spikes[1]
    # spikes describe one instant, traces many
    assert by_spikes[2] < 0.6 < 0.75 < by_traces[2]


def test_errors_state_the_expected_input():
    params = one_unit()
    with pytest.raises(ValueError, match="keep is 1; expected a number of at least 0 and below 1"):
        liquid_states(params, [[1.0]], 1)
    with pytest.raises(ValueError, match=r"trace_keep is -0.1; expected a number of at least 0"):
        liquid_states(params, [[1.0]], 0.5, -0.1)
    with pytest.raises(TypeError, match="keep is '1'; expected a number of at least 0"):
        liquid_states(params, [[1.0]], "1")
    with pytest.raises(ValueError, match="params lacks b; expected U, W and b"):
        liquid_states({name: params[name] for name in "UW"}, [[1.0]])
    with pytest.raises(ValueError, match=r"x has shape \(0, 1\)"):
        liquid_states(params, np.zeros((0, 1)))


REFUSALS = {
    liquid_states: (
        {"params": RESERVOIR, "x": np.ones((5, 1)), "keep": 0.5, "trace_keep": 0.5},
        {"params": UNFIT_RESERVOIR, "x": [*REAL, [], [1.0]], "keep": KEPT, "trace_keep": KEPT},
    )
}
