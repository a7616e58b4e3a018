import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import (
    GH,
    GO,
    LSTM_RUN,
    PARAMS,
    RUN,
    SEEDED,
    P,
    Y,
)
from refusals import (
    MASK,
    NAN,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    NONLINEARITIES,
    grad_b,
    grad_c,
    grad_last_state,
    grad_output,
    grad_state,
    grad_state_as_printed,
    grad_step_loss,
    grad_U,
    grad_V,
    grad_W,
    init_rnn,
    log_softmax,
    rnn_backward,
    rnn_forward,
    rnn_loss,
    softmax,
    state_jacobian,
    step_loss,
    sum_outer,
)

N_X, N_H, N_Y, T, B, S = 3, 4, 5, 6, 2, 3
chapter = pytest.mark.chapter("04")


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def slopes(f, z, step=1e-6):
    """Derivative of every output of `f` by every input, from differences: (*output, *input)."""
    z = np.asarray(z, float)
    columns = []
    for i in np.ndindex(z.shape):
        up, down = z.copy(), z.copy()
        up[i] += step
        down[i] -= step
        columns.append((np.asarray(f(up)) - np.asarray(f(down))) / (2 * step))
    columns = np.stack(columns, axis=-1)
    return columns.reshape(*columns.shape[:-1], *z.shape)


def relative_error(actual, expected):
    """Return the difference relative to the expected value, or absolute if that is 0."""
    return np.linalg.norm(actual - expected) / (np.linalg.norm(expected) or 1)


def assert_each_as_alone(gradients, params):
    """`gradients(params)` of networks side by side are those of each by itself."""
    together = gradients(params)
    for i in range(len(params["W"])):
        one = {name: array[i] for name, array in params.items()}
        for name, grad in gradients(one).items():
            assert relative_error(together[name][i], grad) < 1e-12, name
            assert name not in one or grad.shape == one[name].shape


@chapter
@pytest.mark.equation("10.17")
def test_every_step_that_counts_counts_once():
    assert grad_step_loss() == 1
    mask = np.array([[True, False], [True, True]])
    L = np.arange(4.0).reshape(2, 2)
    total = slopes(lambda L: np.where(mask, L, 0).sum(), L)
    np.testing.assert_allclose(grad_step_loss(mask)[..., 0], total, atol=1e-9)


@chapter
@pytest.mark.equation("10.18")
def test_gradient_on_the_output_is_probability_minus_one_hot(rng):
    o, y = rng.normal(size=N_Y), np.array(2)
    numeric = slopes(lambda o: step_loss(log_softmax(o), y), o)
    np.testing.assert_allclose(grad_output(softmax(o), y), numeric, rtol=1e-7)
    np.testing.assert_allclose(grad_output(softmax(o), y), softmax(o) - np.eye(N_Y)[2])
    assert grad_output(softmax(o), y).sum() == pytest.approx(0, abs=1e-15)


@chapter
@pytest.mark.equation("10.19")
def test_the_last_state_receives_its_outputs_gradient(rng):
    V, h, y = rng.normal(size=(N_Y, N_H)), rng.normal(size=N_H), np.array(1)
    numeric = slopes(lambda h: step_loss(log_softmax(V @ h), y), h)
    actual = grad_last_state(V, grad_output(softmax(V @ h), y))
    np.testing.assert_allclose(actual, numeric, rtol=1e-7)


@chapter
@pytest.mark.equation("10.20")
@pytest.mark.parametrize("nonlinearity", NONLINEARITIES)
def test_the_jacobian_is_that_of_one_step(nonlinearity, rng):
    W, h = rng.normal(size=(N_H, N_H)), rng.normal(size=N_H)
    f, slope = NONLINEARITIES[nonlinearity].function, NONLINEARITIES[nonlinearity].slope
    numeric = slopes(lambda h: f(W @ h), h)
    np.testing.assert_allclose(state_jacobian(W, slope(f(W @ h))), numeric, rtol=1e-7)


@chapter
@pytest.mark.equation("10.20", "10.21")
def test_the_recursion_is_the_transposed_jacobian_on_columns(rng):
    W, V = rng.normal(size=(N_H, N_H)), rng.normal(size=(N_Y, N_H))
    g, grad_o, slope = rng.normal(size=N_H), rng.normal(size=N_Y), rng.uniform(size=N_H)
    by_jacobian = state_jacobian(W, slope).T @ g + V.T @ grad_o  # (G 10.20)
    actual = grad_state(W, g, slope, grad_last_state(V, grad_o))  # (G 10.21)
    np.testing.assert_allclose(actual, by_jacobian, rtol=1e-14)
    np.testing.assert_allclose(
        grad_state(W, g, slope, 0), (W.T @ np.diag(slope) @ g[:, None])[:, 0], rtol=1e-14
    )


@chapter
@pytest.mark.equation("10.21")
def test_as_printed_the_recursion_has_no_shape_and_as_rows_it_has(rng):
    W, g, slope = rng.normal(size=(N_H, N_H)), rng.normal(size=N_H), rng.uniform(size=N_H)
    column, row, diagonal = g[:, None], g[None, :], np.diag(slope)
    with pytest.raises(ValueError, match="mismatch"):
        W.T @ column @ diagonal
    as_rows = row @ diagonal @ W
    np.testing.assert_allclose(as_rows[0], grad_state(W, g, slope, 0), rtol=1e-14)


@chapter
@pytest.mark.equation("10.21")
@pytest.mark.parametrize("nonlinearity", NONLINEARITIES)
def test_the_printed_order_only_breaks_gradients_through_the_recursion(nonlinearity):
    rng = np.random.default_rng(0)
    errors = {name: [] for name in ("U", "W", "b", "h0", "V", "c")}
    for seed in range(20):
        params = init_rnn(N_X, 5, N_Y, seed=seed, scale=1)
        x, y = rng.normal(size=(7, N_X)), rng.integers(N_Y, size=7)
        run = rnn_forward(params, x, nonlinearity=nonlinearity)
        right = rnn_backward(params, run, y)
        wrong = rnn_backward(params, run, y, recursion=grad_state_as_printed)
        for name in errors:
            errors[name].append(relative_error(wrong[name], right[name]))
    assert errors["V"] == errors["c"] == [0] * 20
    for name in ("U", "W", "b", "h0"):
        assert 0.05 < np.median(errors[name]) < 10


@chapter
@pytest.mark.equation("10.22")
def test_gradient_on_c_sums_over_time_and_minibatch(rng):
    grad_o = rng.normal(size=(T, B, N_Y))
    each = [grad_o[t, i] for t in range(T) for i in range(B)]
    np.testing.assert_allclose(grad_c(grad_o), np.sum(each, axis=0), rtol=1e-13)


@chapter
@pytest.mark.equation("10.23")
def test_gradient_on_b_is_the_sum_of_diagonals_times_gradients(rng):
    slope, grad_h = rng.normal(size=(T, B, N_H)), rng.normal(size=(T, B, N_H))
    each = [np.diag(slope[t, i]) @ grad_h[t, i] for t in range(T) for i in range(B)]
    np.testing.assert_allclose(grad_b(slope, grad_h), np.sum(each, axis=0), rtol=1e-12)


@chapter
@pytest.mark.equation("10.24")
def test_gradient_on_V_is_the_sum_of_outer_products(rng):
    grad_o, h = rng.normal(size=(T, B, N_Y)), rng.normal(size=(T, B, N_H))
    by_unit = np.zeros((N_Y, N_H))
    for t, sequence, i in np.ndindex(T, B, N_Y):
        gradient_of_o_i = np.zeros((N_Y, N_H))
        gradient_of_o_i[i] = h[t, sequence]
        by_unit += grad_o[t, sequence, i] * gradient_of_o_i
    np.testing.assert_allclose(grad_V(grad_o, h), by_unit, rtol=1e-12)


def sum_over_steps_and_units(slope, grad_h, source):
    """(G 10.25) and (G 10.27) as printed: sum over t and i of dL/dh_i times gradient of h_i."""
    total = np.zeros((grad_h.shape[-1], source.shape[-1]))
    for t, sequence, i in np.ndindex(grad_h.shape):
        gradient_of_h_i = np.zeros_like(total)
        gradient_of_h_i[i] = slope[t, sequence, i] * source[t, sequence]
        total += grad_h[t, sequence, i] * gradient_of_h_i
    return total


@chapter
@pytest.mark.equation("10.25", "10.26")
def test_gradient_on_W_is_the_sum_over_steps_and_units(rng):
    slope, grad_h, h_prev = rng.normal(size=(3, T, B, N_H))
    expected = sum_over_steps_and_units(slope, grad_h, h_prev)
    np.testing.assert_allclose(grad_W(slope, grad_h, h_prev), expected, rtol=1e-12)


@chapter
@pytest.mark.equation("10.27", "10.28")
def test_gradient_on_U_is_the_sum_over_steps_and_units(rng):
    (slope, grad_h), x = rng.normal(size=(2, T, B, N_H)), rng.normal(size=(T, B, N_X))
    expected = sum_over_steps_and_units(slope, grad_h, x)
    np.testing.assert_allclose(grad_U(slope, grad_h, x), expected, rtol=1e-12)


@st.composite
def problems(draw, largest=4):
    """Parameters, inputs, initial state, targets and mask of random shapes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_x, n_h, n_y, n_steps = (draw(st.integers(1, largest)) for _ in range(4))
    seeds = draw(st.sampled_from([(), (2,)]))
    batch = draw(st.sampled_from([(2,)] if seeds else [(), (2,)]))
    lead = (n_steps, *draw(st.sampled_from([(), seeds])), *batch)
    shapes = {"U": (n_h, n_x), "W": (n_h, n_h), "V": (n_y, n_h), "b": (n_h,), "c": (n_y,)}
    params = {name: rng.normal(size=(*seeds, *shape)) for name, shape in shapes.items()}
    params["W"] /= n_h**0.5  # no chaos, which would magnify rounding
    tokens = draw(st.booleans())
    x = rng.integers(n_x, size=lead) if tokens else rng.normal(size=(*lead, n_x))
    h0 = rng.normal(size=(*seeds, *batch, n_h))
    mask = rng.integers(2, size=lead) if draw(st.booleans()) else None
    nonlinearity = draw(st.sampled_from(sorted(NONLINEARITIES)))
    return params, x, h0, rng.integers(n_y, size=lead), mask, nonlinearity


@chapter
@pytest.mark.equation("10.20", "10.21", "10.22", "10.23", "10.24", "10.26", "10.28", "5.11")
@given(problems())
def test_gradients_agree_with_finite_differences(problem):
    params, x, h0, y, mask, nonlinearity = problem
    arrays = {**params, "h0": h0}

    def loss(**change):
        moved = {**arrays, **change}
        return np.sum(rnn_loss(rnn_forward(moved, x, moved["h0"], nonlinearity), y, mask))

    grads = rnn_backward(params, rnn_forward(params, x, h0, nonlinearity), y, mask)
    assert list(grads) == ["U", "W", "V", "b", "c", "h0"]
    for name, value in arrays.items():
        numeric = slopes(lambda z, name=name: loss(**{name: z}), value)
        np.testing.assert_allclose(grads[name], numeric, rtol=1e-5, atol=1e-7)


@chapter
@pytest.mark.equation("10.22", "10.23", "10.24", "10.25", "10.27")
@given(problems())
def test_the_gradients_of_the_copies_of_each_step_sum_to_the_gradient(problem):
    params, x, h0, y, mask, nonlinearity = problem
    run = rnn_forward(params, x, h0, nonlinearity)
    copies = rnn_backward(params, run, y, mask, per_step=True)
    for name, grad in rnn_backward(params, run, y, mask).items():
        if name == "h0":
            np.testing.assert_array_equal(copies[name], grad)
        else:
            assert copies[name].shape == (len(x), *grad.shape)
            np.testing.assert_allclose(copies[name].sum(axis=0), grad, rtol=1e-10, atol=1e-13)


@chapter
@pytest.mark.equation("10.25")
def test_the_gradient_of_a_copy_moves_one_step_alone(rng):
    params = init_rnn(N_X, N_H, N_Y, scale=1)
    x, y = rng.integers(N_X, size=T), rng.integers(N_Y, size=T)
    copies = rnn_backward(params, rnn_forward(params, x), y, per_step=True)

    def loss(W_t, t):
        """Loss when step t alone uses another W."""
        before = rnn_forward(params, x[:t]).h[-1] if t else np.zeros(N_H)
        at = rnn_forward({**params, "W": W_t}, x[t : t + 1], before)
        total = rnn_loss(at, y[t : t + 1])
        if t + 1 < T:
            total += rnn_loss(rnn_forward(params, x[t + 1 :], at.h[-1]), y[t + 1 :])
        return total

    for t in range(T):
        numeric = slopes(lambda W_t, t=t: loss(W_t, t), params["W"])
        np.testing.assert_allclose(copies["W"][t], numeric, rtol=1e-6, atol=1e-8)


@chapter
def test_steps_after_the_end_of_a_sequence_have_no_gradient(rng):
    params = init_rnn(N_X, N_H, N_Y)
    x, y = rng.integers(N_X, size=(T, B)), rng.integers(N_Y, size=(T, B))
    lengths = np.array([T, 2])
    mask = np.arange(T)[:, None] < lengths
    padded = rnn_backward(params, rnn_forward(params, x), y, mask)
    total = dict.fromkeys(params, 0)
    for i, n in enumerate(lengths):
        alone = rnn_backward(params, rnn_forward(params, x[:n, i]), y[:n, i])
        np.testing.assert_allclose(padded["h0"][i], alone["h0"], rtol=1e-12)
        total = {name: total[name] + alone[name] for name in params}
    for name in params:
        np.testing.assert_allclose(padded[name], total[name], rtol=1e-12)


@chapter
def test_with_one_output_at_the_end_the_gradient_still_reaches_the_first_step(rng):
    params = init_rnn(N_X, N_H, N_Y)
    mask = np.arange(T) == T - 1  # figure 10.5
    run = rnn_forward(params, rng.integers(N_X, size=T))
    copies = rnn_backward(params, run, np.full(T, 1), mask, per_step=True)
    assert not copies["V"][:-1].any()
    assert copies["U"][0].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradients_keep_the_type_of_the_parameters(dtype):
    params = init_rnn(N_X, N_H, N_Y, dtype=dtype)
    x, y = np.zeros((T, B), int), np.zeros((T, B), int)
    for mask in (None, np.ones((T, B))):
        for grad in rnn_backward(params, rnn_forward(params, x), y, mask).values():
            assert grad.dtype == dtype


def test_the_arguments_are_left_as_they_were(rng):
    params = init_rnn(N_X, N_H, N_Y)
    x, h0, y = rng.normal(size=(T, B, N_X)), rng.normal(size=(B, N_H)), np.zeros((T, B), int)
    mask = rng.integers(2, size=(T, B))
    arguments = [*params.values(), x, h0, y, mask]
    copies = [argument.copy() for argument in arguments]
    run = rnn_forward(params, x, h0)
    states = run.states.copy()
    rnn_loss(run, y, mask)
    rnn_backward(params, run, y, mask)
    for argument, copy in zip([*arguments, run.states], [*copies, states], strict=True):
        np.testing.assert_array_equal(argument, copy)


def test_backward_rejects_arguments_that_do_not_fit_the_run():
    params, x = init_rnn(N_X, N_H, N_Y), np.zeros((T, B), int)
    run = rnn_forward(params, x)
    for sizes, message in {
        (N_X, 7, N_Y): r"params\['W'\] has shape \(7, 7\); expected \(4, 4\), as in run",
        (N_X, N_H, 9): r"params\['V'\] has shape \(9, 4\); expected \(5, 4\), as in run",
        (N_X, N_H, N_Y, (0, 1)): r"params\['W'\] has shape \(2, 4, 4\); expected \(4, 4\)",
    }.items():
        with pytest.raises(ValueError, match=message):
            rnn_backward(init_rnn(*sizes), run, x)
    with pytest.raises(ValueError, match=r"params\['U'\] has shape .*; expected 3 inputs"):
        rnn_backward(init_rnn(9, N_H, N_Y), rnn_forward(params, np.zeros((T, N_X))), x[:, 0])
    with pytest.raises(ValueError, match="x contains token 2"):
        rnn_backward(init_rnn(2, N_H, N_Y), rnn_forward(params, x + 2), x)
    with pytest.raises(ValueError, match=r"y has shape \(6,\); expected \(6, 2\)"):
        rnn_backward(params, run, x[:, 0])
    with pytest.raises(ValueError, match="y contains token 5"):
        rnn_backward(params, run, x + N_Y)
    with pytest.raises(TypeError, match="expected integer tokens"):
        rnn_backward(params, run, x + 0.5)
    with pytest.raises(ValueError, match="mask contains 2"):
        rnn_backward(params, run, x, x + 2)
    with pytest.raises(TypeError, match="recursion is 'printed'; expected a function"):
        rnn_backward(params, run, x, recursion="printed")


def test_a_mask_of_zeros_gives_zero_loss_and_zero_gradients():
    mask = np.zeros(3)
    assert rnn_loss(RUN, Y, mask) == 0
    assert all((g == 0).all() for g in rnn_backward(P, RUN, Y, mask).values())


SLOPE = 1 - RUN.h**2

REFUSALS = {
    grad_U: (
        {"slope": SLOPE, "grad_h": GH, "x": np.eye(3)},
        {"slope": REAL, "grad_h": REAL, "x": REAL},
    ),
    grad_V: ({"grad_o": GO, "h": RUN.h}, {"grad_o": REAL, "h": REAL}),
    grad_W: (
        {"slope": SLOPE, "grad_h": GH, "h_prev": RUN.h_prev},
        {"slope": REAL, "grad_h": REAL, "h_prev": REAL},
    ),
    grad_b: ({"slope": SLOPE, "grad_h": GH}, {"slope": REAL, "grad_h": REAL}),
    grad_c: ({"grad_o": GO}, {"grad_o": REAL}),
    grad_last_state: ({"V": P["V"], "grad_o": GO}, {"V": REAL, "grad_o": REAL}),
    grad_output: (
        {"yhat": RUN.yhat, "y": Y, "grad_L": 1},
        {"yhat": REAL, "y": TOKENS, "grad_L": REAL},
    ),
    **{
        function: (
            {"W": P["W"], "grad_h_next": GH[0], "slope_next": SLOPE[0], "from_output": GH[1]},
            {"W": REAL, "grad_h_next": REAL, "slope_next": REAL, "from_output": REAL},
        )
        for function in (grad_state, grad_state_as_printed)
    },
    grad_step_loss: ({"mask": np.array([True, False])}, {"mask": MASK}),
    rnn_backward: (
        {"params": P, "run": RUN, "y": Y, "mask": None},
        {
            "params": [*PARAMS, SEEDED],
            "run": [None, 3, {}, P, LSTM_RUN],
            "y": TOKENS,
            "mask": MASK,
            "recursion": [None, 3, lambda *parts: None, lambda *parts: NAN],
        },
    ),
    state_jacobian: ({"W": P["W"], "slope": SLOPE}, {"W": REAL, "slope": REAL}),
    sum_outer: ({"p": RUN.h, "q": RUN.h}, {"p": REAL, "q": REAL}),
}
