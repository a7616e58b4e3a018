import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import (
    DRAW,
    GH,
    GRU_RUN,
    LSTM,
    LSTM_RUN,
    RUN,
    UNFIT,
    UNFIT_DRAW,
    X,
    Y,
)
from refusals import (
    INF,
    MASK,
    NAME,
    NAN,
    REAL,
    TOKENS,
)
from test_reference_bptt import assert_each_as_alone, relative_error, slopes

from rnn_helpers.reference import (
    cell_input,
    cell_output,
    cell_state,
    forget_gate,
    init_lstm,
    input_gate,
    lstm_backward,
    lstm_forward,
    lstm_gradient_through_time,
    output_gate,
    rnn_loss,
)

pytestmark = pytest.mark.chapter("16")
N_X, N_H, N_Y, T, B, S = 3, 4, 5, 6, 2, 3
sizes = st.integers(1, 5)


@st.composite
def problems(draw):
    """Parameters with everything in them, a batch of vectors, and initial output and state."""
    n_x, n_h, n_y, n_steps, batch = (draw(sizes) for _ in range(5))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    params = init_lstm(n_x, n_h, n_y, rng, peepholes=draw(st.booleans()))
    for name, array in params.items():
        params[name] = array + rng.normal(size=array.shape)
    x = rng.normal(size=(n_steps, batch, n_x))
    h0, s0 = rng.normal(size=(2, batch, n_h))
    return params, x, h0, s0, draw(st.sampled_from(["tanh", "sigmoid"])), rng


@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
@given(problems())
def test_every_step_is_the_five_equations_one_after_the_other(problem):
    P, x, h, s, squash, _ = problem
    run = lstm_forward(P, x, h, s, squash)

    def sums(part, t, h, *peephole):
        return P["b" + part], x[t] @ P["U" + part].T, h @ P["W" + part].T, *peephole

    for t in range(len(x)):
        seen = {name: P.get(name, 0) * s for name in ("pf", "pg")}
        f = forget_gate(*sums("f", t, h, seen["pf"]))
        g = input_gate(*sums("g", t, h, seen["pg"]))
        s = cell_state(f, s, g, cell_input(*sums("", t, h), squash))
        q = output_gate(*sums("o", t, h, P.get("po", 0) * s))
        h = cell_output(s, q)
        for name, value in {"f": f, "g": g, "s": s, "q": q, "h": h}.items():
            # A gate is computed as (1 + tanh) / 2, which rounds at 1e-16 however small it is.
            np.testing.assert_allclose(
                getattr(run, name)[t], value, rtol=1e-12, atol=1e-15, err_msg=name
            )


@pytest.mark.equation("10.41", "10.43")
@given(problems())
def test_with_the_sigmoid_as_printed_no_state_is_ever_negative(problem):
    P, x, h0, s0, _, _ = problem
    run = lstm_forward(P, x, h0, abs(s0), "sigmoid")
    assert (run.s >= 0).all()
    assert ((run.h >= 0) & (run.h < 1)).all()
    # Without forgetting, it cannot fall either.
    kept = lstm_forward(P, x, h0, s0, "sigmoid", held={"f": 1})
    assert (np.diff(kept.cells, axis=0) >= 0).all()


@pytest.mark.equation("10.41")
def test_with_tanh_a_state_goes_both_ways():
    run = lstm_forward(init_lstm(N_X, N_H, N_Y), np.random.default_rng(0).normal(size=(T, B, N_X)))
    assert run.s.min() < 0 < run.s.max()
    assert run.h.min() < 0 < run.h.max()


def test_peepholes_are_three_numbers_for_each_cell():
    plain, seeing = init_lstm(N_X, N_H, N_Y), init_lstm(N_X, N_H, N_Y, peepholes=True)
    extra = seeing.keys() - plain.keys()
    assert extra == {"pf", "pg", "po"}
    assert sum(seeing[name].size for name in extra) == 3 * N_H


@pytest.mark.equation("10.40", "10.42", "10.44")
def test_the_output_gate_sees_the_new_state_and_the_others_the_old_one():
    P = {name: 0 * array for name, array in init_lstm(1, 1, 1, peepholes=True).items()}
    P |= {"pf": np.ones(1), "pg": np.ones(1), "po": np.ones(1), "b": np.ones(1)}
    run = lstm_forward(P, np.zeros((T, 1)), s0=[2.0])
    for gate, seen in ((run.f, run.s_prev), (run.g, run.s_prev), (run.q, run.s)):
        np.testing.assert_allclose(gate, 1 / (1 + np.exp(-seen)), rtol=1e-14)


def test_a_given_gate_value_is_fixed_and_other_gates_are_computed():
    P, x = init_lstm(N_X, N_H, N_Y), np.random.default_rng(0).normal(size=(T, N_X))
    held = np.full((T, N_H), np.nan)
    held[2:, 1] = 0.25
    run, free = lstm_forward(P, x, held={"f": held}), lstm_forward(P, x)
    assert (run.f[2:, 1] == 0.25).all()
    np.testing.assert_array_equal(run.f[:3, [0, 2, 3]], free.f[:3, [0, 2, 3]])
    np.testing.assert_array_equal(run.f[:2], free.f[:2])
    shut = lstm_forward(P, x, s0=np.ones(N_H), held={"f": 1, "g": 0, "q": 0})
    assert (shut.s == 1).all()
    assert (shut.h == 0).all()


@pytest.mark.parametrize("tokens", [False, True])
def test_networks_side_by_side_equal_each_alone(tokens):
    rng = np.random.default_rng(0)
    P = init_lstm(N_X, N_H, N_Y, seed=range(S), peepholes=True)
    P = {name: array + rng.normal(size=array.shape) for name, array in P.items()}
    x = rng.integers(N_X, size=(T, B)) if tokens else rng.normal(size=(T, S, B, N_X))
    run = lstm_forward(P, x)
    for i in range(S):
        one = {name: array[i] for name, array in P.items()}
        alone = lstm_forward(one, x if tokens else x[:, i])
        np.testing.assert_allclose(run.s[:, i], alone.s, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(run.o[:, i], alone.o, rtol=1e-12, atol=1e-14)


def test_one_sequence_and_tokens_give_the_same_result_as_a_batch_of_vectors():
    P, tokens = init_lstm(N_X, N_H, N_Y), np.random.default_rng(0).integers(N_X, size=T)
    run = lstm_forward(P, tokens)
    batch = lstm_forward(P, np.eye(N_X)[tokens][:, None])
    np.testing.assert_allclose(run.h, batch.h[:, 0], rtol=1e-13)
    assert lstm_forward(init_lstm(N_X, N_H, N_Y, dtype=np.float32), tokens).h.dtype == np.float32


def test_forget_biases_are_one_and_random_weights_depend_only_on_the_seed():
    P = init_lstm(N_X, N_H, N_Y, seed=3)
    assert (P["bf"] == 1).all()
    assert not any(P[name].any() for name in ("b", "bg", "bo", "c"))
    again = init_lstm(N_X, N_H, N_Y, seed=3, forget_bias=5, peepholes=True)
    for name in P.keys() - {"bf"}:
        np.testing.assert_array_equal(P[name], again[name])
    stacked = init_lstm(N_X, N_H, N_Y, seed=[1, 3])
    np.testing.assert_array_equal(stacked["Wg"][1], P["Wg"])
    assert not np.array_equal(P["Wg"], P["Wf"])


def by_autograd(P, x, h0, s0, y, mask, squash, held):
    """Loss and gradients by PyTorch's autograd from the equations."""
    torch = pytest.importorskip("torch")
    leaves = {
        name: torch.tensor(array, requires_grad=True)
        for name, array in {**P, "h0": h0, "s0": s0}.items()
    }
    h, s, L = leaves["h0"], leaves["s0"], 0
    x, y, mask = torch.tensor(x), torch.tensor(y), torch.tensor(mask)

    def sums(part):
        U, W, b = (leaves[name + part] for name in "UWb")
        return b + x[t] @ U.T + h @ W.T

    def gate(name, part, s):
        value = torch.sigmoid(sums(part) + leaves.get("p" + part, torch.zeros(1)) * s)
        fixed = torch.tensor(held.get(name, np.full(x.shape[:2] + h.shape[-1:], np.nan))[t])
        return torch.where(fixed.isnan(), value, fixed)

    for t in range(len(x)):
        f, g = gate("f", "f", s), gate("g", "g", s)
        s = f * s + g * getattr(torch, squash)(sums(""))
        q = gate("q", "o", s)
        h = torch.tanh(s) * q
        o = leaves["c"] + h @ leaves["V"].T
        L = L + (mask[t] * torch.nn.functional.cross_entropy(o, y[t], reduction="none")).sum()
    L.backward()
    return L.item(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}


@pytest.mark.slow
@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
@given(problems(), st.sets(st.sampled_from("fgq")))
def test_loss_and_gradients_agree_with_autograd(problem, hold):
    P, x, h0, s0, squash, rng = problem
    y, mask = rng.integers(len(P["c"]), size=x.shape[:2]), rng.integers(2, size=x.shape[:2])
    held = {name: rng.uniform(size=(*x.shape[:2], len(P["b"]))) for name in sorted(hold)}
    for values in held.values():
        values[rng.integers(2, size=values.shape) == 0] = np.nan
    loss, grads = by_autograd(P, x, h0, s0, y, mask, squash, held)
    run = lstm_forward(P, x, h0, s0, squash, held)
    np.testing.assert_allclose(rnn_loss(run, y, mask), loss, rtol=1e-12, atol=1e-14)
    actual = lstm_backward(P, run, y, mask)
    assert actual.keys() == grads.keys()
    for name, grad in actual.items():
        assert relative_error(grad, grads[name]) < 1e-12, name


@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
@settings(max_examples=4)
@given(problems())
def test_gradients_agree_with_finite_differences(problem):
    P, x, h0, s0, squash, rng = problem
    y = rng.integers(len(P["c"]), size=x.shape[:2])
    arrays = {**P, "h0": h0, "s0": s0}

    def loss(name, array):
        changed = {**arrays, name: array}
        return rnn_loss(lstm_forward(changed, x, changed["h0"], changed["s0"], squash), y)

    grads = lstm_backward(P, lstm_forward(P, x, h0, s0, squash), y)
    for name, array in arrays.items():
        numeric = slopes(lambda array, name=name: loss(name, array), array)
        np.testing.assert_allclose(grads[name], numeric, rtol=1e-5, atol=1e-7, err_msg=name)


@given(problems())
def test_the_gradient_on_every_state_is_that_of_the_rest_of_the_sequence(problem):
    P, x, h0, s0, squash, rng = problem
    run, last = lstm_forward(P, x, h0, s0, squash), rng.normal(size=h0.shape)
    grad_h, grad_s = lstm_gradient_through_time(P, run, last)
    np.testing.assert_array_equal(grad_h[-1], last)
    t = len(x) // 2  # h^(t) and s^(t) start the rest of the sequence

    def answer(h, s):
        return (lstm_forward(P, x[t:], h, s, squash).h[-1] * last).sum()

    h, s = run.states[t], run.cells[t]
    by_h, by_s = slopes(lambda h: answer(h, s), h), slopes(lambda s: answer(h, s), s)
    np.testing.assert_allclose(grad_h[t], by_h, rtol=1e-5, atol=1e-8)
    through_h = 0  # s^(t) also acts through h^(t), unless it is where everything starts
    if t:
        through_h = grad_h[t] * run.q[t - 1] * (1 - np.tanh(s) ** 2)
        if "po" in P:
            q = run.q[t - 1]
            through_h += P["po"] * grad_h[t] * np.tanh(s) * q * (1 - q)
    np.testing.assert_allclose(grad_s[t], by_s + through_h, rtol=1e-5, atol=1e-8)


@pytest.mark.equation("10.41")
def test_with_gates_held_the_gradient_on_the_state_is_the_product_of_the_forget_gates():
    P, x = init_lstm(N_X, N_H, N_Y), np.random.default_rng(0).normal(size=(T, N_X))
    P = {name: 0 * array if name[0] == "W" else array for name, array in P.items()}
    run = lstm_forward(P, x, held={"f": 0.5})
    _, grad_s = lstm_gradient_through_time(P, run, np.ones(N_H))
    np.testing.assert_allclose(grad_s, grad_s[-1] * 0.5 ** np.arange(T, -1, -1)[:, None])


def test_gradients_of_networks_side_by_side_equal_each_alone():
    rng = np.random.default_rng(0)
    P = init_lstm(N_X, N_H, N_Y, seed=range(S), peepholes=True)
    P = {name: array + rng.normal(size=array.shape) for name, array in P.items()}
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    assert_each_as_alone(lambda P: lstm_backward(P, lstm_forward(P, x), y), P)


REFUSALS = {
    init_lstm: (
        DRAW,
        {**UNFIT_DRAW, "forget_bias": [None, NAN, INF, "a", [1]], "peepholes": [None, 1, "pf"]},
    ),
    lstm_forward: (
        {"params": LSTM, "x": X, "h0": None, "s0": None, "squash": "tanh", "held": {"f": 1}},
        {
            "params": UNFIT["lstm"],
            "x": TOKENS,
            "h0": REAL[1:],
            "s0": REAL[1:],
            "squash": NAME,
            "held": [3, "f", {"o": 1}, {"f": 2}, {"g": -1}, {"q": "a"}, {"f": [1, 1]}],
        },
    ),
    **{
        function: (
            {"b": LSTM["b"], "Ux": LSTM_RUN.f, "Wh": LSTM_RUN.g, "seen": LSTM_RUN.s},
            dict.fromkeys(["b", "Ux", "Wh", "seen"], REAL),
        )
        for function in (forget_gate, input_gate, output_gate)
    },
    cell_input: (
        {"b": LSTM["b"], "Ux": LSTM_RUN.f, "Wh": LSTM_RUN.g, "squash": "sigmoid"},
        {"b": REAL, "Ux": REAL, "Wh": REAL, "squash": NAME},
    ),
    cell_state: (
        {"f": LSTM_RUN.f, "s_prev": LSTM_RUN.s_prev, "g": LSTM_RUN.g, "cell_input": LSTM_RUN.f},
        dict.fromkeys(["f", "s_prev", "g", "cell_input"], REAL),
    ),
    cell_output: ({"s": LSTM_RUN.s, "q": LSTM_RUN.q}, {"s": REAL, "q": REAL}),
    lstm_backward: (
        {"params": LSTM, "run": LSTM_RUN, "y": Y, "mask": None},
        {
            "params": [*UNFIT["lstm"], {name: p[None] for name, p in LSTM.items()}],
            "run": [None, 3, {}, RUN, GRU_RUN],
            "y": TOKENS,
            "mask": MASK,
        },
    ),
    lstm_gradient_through_time: (
        {"params": LSTM, "run": LSTM_RUN, "grad_last": GH[-1]},
        {"params": UNFIT["lstm"], "run": [None, 3, RUN], "grad_last": [*REAL, [1, 2], 1]},
    ),
}
