import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import (
    DRAW,
    GH,
    GRU,
    GRU_RUN,
    LSTM_RUN,
    RUN,
    UNFIT,
    UNFIT_DRAW,
    X,
    Y,
)
from refusals import (
    MASK,
    NAME,
    REAL,
    TOKENS,
)
from test_reference_bptt import assert_each_as_alone, relative_error, slopes

from rnn_helpers.reference import (
    gru_as_printed,
    gru_backward,
    gru_forward,
    gru_gradient_through_time,
    gru_state,
    init_gru,
    reset_gate,
    rnn_loss,
    target_state,
    update_gate,
)

pytestmark = pytest.mark.chapter("16")
N_X, N_H, N_Y, T, B, S = 3, 4, 5, 6, 2, 3
sizes = st.integers(1, 5)
resets = st.sampled_from(["before", "after"])
each_reset = pytest.mark.parametrize("reset", ["before", "after"])


@st.composite
def problems(draw, reset=resets):
    """Parameters with everything in them, a batch of vectors, and an initial state."""
    n_x, n_h, n_y, n_steps, batch = (draw(sizes) for _ in range(5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    reset = draw(reset)
    params = init_gru(n_x, n_h, n_y, rng, reset=reset)
    for name, array in params.items():
        params[name] = array + rng.normal(size=array.shape)
    x, h0 = rng.normal(size=(n_steps, batch, n_x)), rng.normal(size=(batch, n_h))
    return params, x, h0, reset, draw(st.sampled_from(["tanh", "sigmoid"])), rng


@pytest.mark.equation("10.45", "10.46", "10.47")
@given(problems())
def test_every_step_is_the_three_equations_with_the_state_before(problem):
    P, x, h, reset, squash, _ = problem
    run = gru_forward(P, x, h, reset, squash)
    for t in range(len(x)):
        u = update_gate(P["bu"], x[t] @ P["Uu"].T, h @ P["Wu"].T)
        r = reset_gate(P["br"], x[t] @ P["Ur"].T, h @ P["Wr"].T)
        Wrh = (r * h) @ P["W"].T if reset == "before" else r * (h @ P["W"].T + P["bh"])
        h = gru_state(u, h, target_state(P["b"], x[t] @ P["U"].T, Wrh, squash))
        for name, value in {"u": u, "r": r, "h": h}.items():
            np.testing.assert_allclose(getattr(run, name)[t], value, rtol=1e-12, err_msg=name)


@pytest.mark.equation("10.45", "10.46", "10.47")
@given(problems(reset=st.just("before")))
def test_as_printed_every_state_is_one_step_late_and_independent_of_its_input(problem):
    P, x, h0, _, squash, rng = problem
    printed, right = gru_as_printed(P, x, h0, squash), gru_forward(P, x, h0, "before", squash)
    np.testing.assert_array_equal(printed[0], h0)
    np.testing.assert_array_equal(printed[1:], right.h[:-1])
    for t in range(len(x)):
        other = x.copy()
        other[t] += rng.normal(size=x[t].shape)
        # dh^(t)/dx^(t) = 0, exactly, as printed; not so with the right indices.
        np.testing.assert_array_equal(gru_as_printed(P, other, h0, squash)[t], printed[t])
        assert (gru_forward(P, other, h0, "before", squash).h[t] != right.h[t]).any()


@pytest.mark.equation("10.45")
@given(problems())
def test_with_the_sigmoid_as_printed_no_state_is_ever_negative(problem):
    P, x, _, reset, _, _ = problem
    h = gru_forward(P, x, None, reset, "sigmoid").h
    assert ((h > 0) & (h < 1)).all()


@pytest.mark.equation("10.45")
def test_before_and_after_the_product_are_different_networks():
    rng = np.random.default_rng(0)
    P, x = init_gru(N_X, N_H, N_Y), rng.normal(size=(T, N_X))
    h0 = rng.normal(size=N_H)
    before, after = (gru_forward(P, x, h0, reset).h for reset in ("before", "after"))
    assert abs(before - after).max() > 0.01
    # Where every reset gate has the same value, the product does not mind.
    P["Ur"], P["Wr"] = 0 * P["Ur"], 0 * P["Wr"]
    before, after = (gru_forward(P, x, h0, reset).h for reset in ("before", "after"))
    np.testing.assert_allclose(before, after, rtol=1e-12)


@pytest.mark.equation("10.46")
def test_the_update_gate_keeps_the_old_state():
    P, x, h0 = init_gru(N_X, N_H, N_Y), np.ones((T, N_X)), np.linspace(-1, 1, N_H)
    kept = gru_forward({**P, "bu": P["bu"] + 100}, x, h0)
    np.testing.assert_allclose(kept.h, np.broadcast_to(h0, (T, N_H)))
    replaced = gru_forward({**P, "bu": P["bu"] - 100}, x, h0)
    np.testing.assert_allclose(replaced.h, replaced.target)


@each_reset
@pytest.mark.parametrize("tokens", [False, True])
def test_networks_side_by_side_equal_each_alone(tokens, reset):
    rng = np.random.default_rng(0)
    P = init_gru(N_X, N_H, N_Y, seed=range(S), reset=reset)
    P = {name: array + rng.normal(size=array.shape) for name, array in P.items()}
    x = rng.integers(N_X, size=(T, B)) if tokens else rng.normal(size=(T, S, B, N_X))
    run = gru_forward(P, x, reset=reset)
    for i in range(S):
        one = {name: array[i] for name, array in P.items()}
        alone = gru_forward(one, x if tokens else x[:, i], reset=reset)
        np.testing.assert_allclose(run.o[:, i], alone.o, rtol=1e-12, atol=1e-14)


def test_one_sequence_and_tokens_give_the_same_result_as_a_batch_of_vectors():
    P, tokens = init_gru(N_X, N_H, N_Y), np.random.default_rng(0).integers(N_X, size=T)
    run = gru_forward(P, tokens)
    batch = gru_forward(P, np.eye(N_X)[tokens][:, None])
    np.testing.assert_allclose(run.h, batch.h[:, 0], rtol=1e-13)
    assert gru_forward(init_gru(N_X, N_H, N_Y, dtype=np.float32), tokens).h.dtype == np.float32


def by_autograd(P, x, h0, y, mask, reset, squash):
    """Loss and gradients by PyTorch's autograd from the equations."""
    torch = pytest.importorskip("torch")
    leaves = {
        name: torch.tensor(array, requires_grad=True) for name, array in {**P, "h0": h0}.items()
    }
    h, L = leaves["h0"], 0
    x, y, mask = torch.tensor(x), torch.tensor(y), torch.tensor(mask)
    for t in range(len(x)):
        u, r = (
            torch.sigmoid(leaves["b" + k] + x[t] @ leaves["U" + k].T + h @ leaves["W" + k].T)
            for k in "ur"
        )
        W = leaves["W"].T
        Wrh = (r * h) @ W if reset == "before" else r * (h @ W + leaves["bh"])
        h = u * h + (1 - u) * getattr(torch, squash)(leaves["b"] + x[t] @ leaves["U"].T + Wrh)
        o = leaves["c"] + h @ leaves["V"].T
        L = L + (mask[t] * torch.nn.functional.cross_entropy(o, y[t], reduction="none")).sum()
    L.backward()
    return L.item(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}


@pytest.mark.slow
@pytest.mark.equation("10.45", "10.46", "10.47")
@given(problems())
def test_loss_and_gradients_agree_with_autograd(problem):
    P, x, h0, reset, squash, rng = problem
    y, mask = rng.integers(len(P["c"]), size=x.shape[:2]), rng.integers(2, size=x.shape[:2])
    loss, grads = by_autograd(P, x, h0, y, mask, reset, squash)
    run = gru_forward(P, x, h0, reset, squash)
    np.testing.assert_allclose(rnn_loss(run, y, mask), loss, rtol=1e-12, atol=1e-14)
    actual = gru_backward(P, run, y, mask)
    assert actual.keys() == grads.keys()
    for name, grad in actual.items():
        assert relative_error(grad, grads[name]) < 1e-12, name


@pytest.mark.equation("10.45", "10.46", "10.47")
@settings(max_examples=4)
@given(problems())
def test_gradients_agree_with_finite_differences(problem):
    P, x, h0, reset, squash, rng = problem
    y = rng.integers(len(P["c"]), size=x.shape[:2])
    arrays = {**P, "h0": h0}

    def loss(name, array):
        changed = {**arrays, name: array}
        h0 = changed.pop("h0")
        return rnn_loss(gru_forward(changed, x, h0, reset, squash), y)

    grads = gru_backward(P, gru_forward(P, x, h0, reset, squash), y)
    for name, array in arrays.items():
        numeric = slopes(lambda array, name=name: loss(name, array), array)
        np.testing.assert_allclose(grads[name], numeric, rtol=1e-5, atol=1e-7, err_msg=name)


@given(problems())
def test_the_gradient_on_every_state_is_that_of_the_rest_of_the_sequence(problem):
    P, x, h0, reset, squash, rng = problem
    run, last = gru_forward(P, x, h0, reset, squash), rng.normal(size=h0.shape)
    grad_h = gru_gradient_through_time(P, run, last)
    np.testing.assert_array_equal(grad_h[-1], last)
    t = len(x) // 2

    def answer(h):
        return (gru_forward(P, x[t:], h, reset, squash).h[-1] * last).sum()

    numeric = slopes(answer, run.states[t])
    np.testing.assert_allclose(grad_h[t], numeric, rtol=1e-5, atol=1e-8)


@each_reset
def test_gradients_of_networks_side_by_side_equal_each_alone(reset):
    rng = np.random.default_rng(0)
    P = init_gru(N_X, N_H, N_Y, seed=range(S), reset=reset)
    P = {name: array + rng.normal(size=array.shape) for name, array in P.items()}
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    assert_each_as_alone(lambda P: gru_backward(P, gru_forward(P, x, reset=reset), y), P)


REFUSALS = {
    init_gru: (DRAW, {**UNFIT_DRAW, "reset": NAME}),
    gru_forward: (
        {"params": GRU, "x": X, "h0": None, "reset": "before", "squash": "tanh"},
        {
            "params": [*UNFIT["gru"], {**GRU, "bh": GRU["b"]}],
            "x": TOKENS,
            "h0": REAL[1:],
            "reset": NAME,
            "squash": NAME,
        },
    ),
    gru_as_printed: (
        {"params": GRU, "x": X, "h1": None, "squash": "sigmoid"},
        {"params": UNFIT["gru"], "x": TOKENS, "h1": REAL[1:], "squash": NAME},
    ),
    **{
        function: (
            {"b": GRU["b"], "Ux": GRU_RUN.u, "Wh": GRU_RUN.r},
            dict.fromkeys(["b", "Ux", "Wh"], REAL),
        )
        for function in (update_gate, reset_gate)
    },
    target_state: (
        {"b": GRU["b"], "Ux": GRU_RUN.u, "Wrh": GRU_RUN.r, "squash": "sigmoid"},
        {"b": REAL, "Ux": REAL, "Wrh": REAL, "squash": NAME},
    ),
    gru_state: (
        {"u": GRU_RUN.u, "h_prev": GRU_RUN.h_prev, "target": GRU_RUN.target},
        dict.fromkeys(["u", "h_prev", "target"], REAL),
    ),
    gru_backward: (
        {"params": GRU, "run": GRU_RUN, "y": Y, "mask": None},
        {
            "params": [*UNFIT["gru"], {name: p[None] for name, p in GRU.items()}],
            "run": [None, 3, {}, RUN, LSTM_RUN],
            "y": TOKENS,
            "mask": MASK,
        },
    ),
    gru_gradient_through_time: (
        {"params": GRU, "run": GRU_RUN, "grad_last": GH[-1]},
        {"params": UNFIT["gru"], "run": [None, 3, RUN], "grad_last": [*REAL, [1, 2], 1]},
    ),
}
