"""Chapter 16's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from limits import Line, changed

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_16 as answers
from rnn_helpers.reference import (
    gru_forward,
    init_gru,
    init_lstm,
    lstm_backward,
    lstm_forward,
    lstm_gradient_through_time,
    sigmoid,
)


def drawn(init, *sizes, **parts):
    rng = np.random.default_rng(16)
    params = init(*sizes, rng, **parts)
    return {name: array + rng.normal(size=array.shape) for name, array in params.items()}, rng


@pytest.mark.slow
def test_the_parameters_are_those_of_the_reference_and_of_pytorch():
    torch = pytest.importorskip("torch")
    plain, seeing = (
        sum(
            array.size
            for name, array in init_lstm(4, 3, 1, peepholes=p).items()
            if name not in "Vc"
        )
        for p in (False, True)
    )
    theirs = sum(p.numel() for p in torch.nn.LSTM(4, 3).parameters())
    assert answers.parameters(4, 3) == (plain, seeing, theirs)


@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
def test_a_step_matches_the_reference():
    params, rng = drawn(init_lstm, 4, 3, 1)
    x, h, s = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
    run = lstm_forward(params, x[None], h, s)
    sums = {
        name: answers._sums(params, part, x, h)
        for name, part in {"f": "f", "g": "g", "o": "o", "cell": ""}.items()
    }
    given = answers.lstm_step(sums, s)
    np.testing.assert_allclose(given, (run.h[0], run.s[0]), rtol=1e-12)


@pytest.mark.parametrize("T", [1, 7, 300])
def test_the_bias_leaves_half_and_the_rule_a_little_more_than_one_e_th(T):
    kept = 1 / (1 + np.exp(-answers.bias_for_half(T)))
    assert kept**T == pytest.approx(0.5)
    by_rule = (T / (T + 1)) ** T
    assert np.exp(-1) < by_rule <= 0.5


def test_the_excess_over_log_t_rises_to_its_limit():
    excess = [answers.bias_for_half(T) - np.log(T) for T in (1, 3, 10, 100, 10**6)]
    assert excess == sorted(excess)
    assert excess[-1] == pytest.approx(-np.log(np.log(2)), abs=1e-6)


@pytest.mark.equation("10.45")
def test_with_gates_of_equal_shares_the_state_is_the_mean_of_the_targets():
    targets = np.random.default_rng(3).uniform(-1, 1, size=9)
    h = 0.7  # the initial state, which the first gate erases
    for u, target in zip(answers.gates_of_equal_shares(9), targets, strict=True):
        h = u * h + (1 - u) * target
    assert h == pytest.approx(targets.mean())


def test_the_counter_counts_to_any_number_and_resets():
    x = np.array([[1, 0]] * 50 + [[1, 1], [0, 0], [1, 0]], float)
    s = lstm_forward(answers.counter(30.0), x).s[:, 0]
    np.testing.assert_allclose(s, [*range(1, 51), 0, 0, 1], atol=1e-6)


@pytest.mark.equation("10.41")
def test_with_the_printed_sigmoid_the_counter_can_count_up_too_and_never_down():
    cell = {**answers.counter(30.0), "b": np.array([-30.0]), "U": np.array([[60.0, 0.0]])}
    x = np.array([[1, 0], [0, 0], [1, 0], [0, 0], [1, 1], [1, 0]], float)
    s = lstm_forward(cell, x, squash="sigmoid").s[:, 0]
    np.testing.assert_allclose(s, [1, 1, 2, 2, 0, 1], atol=1e-6)
    down = {**cell, "U": -cell["U"]}
    assert (lstm_forward(down, x, squash="sigmoid").s >= 0).all()


@pytest.mark.equation("10.45", "10.46", "10.47")
def test_the_states_of_the_gru_match_the_reference():
    params, rng = drawn(init_gru, 3, 4, 1)
    x = rng.normal(size=(5, 3))
    given = answers.gru_states(params, x)
    np.testing.assert_allclose(given, gru_forward(params, x).h, rtol=1e-12)


@pytest.mark.equation("10.40", "10.41", "10.45")
def test_coupled_gates_without_an_output_gate_are_a_gru_that_never_resets_and_a_leaky_unit():
    params, rng = drawn(init_gru, 3, 4, 1)
    params["br"][:] = 50  # every reset gate at one, to the last digit
    x = rng.normal(size=(6, 3))
    s, alike = np.zeros(4), {**params, **{p + "f": params[p + "u"] for p in "UWb"}}
    for x_t, h in zip(x, gru_forward(params, x).h, strict=True):
        f = sigmoid(answers._sums(alike, "f", x_t, s))
        s = f * s + (1 - f) * np.tanh(answers._sums(alike, "", x_t, s))
        np.testing.assert_allclose(s, h, rtol=1e-9)
        assert (abs(s) < 1).all()


@pytest.mark.equation("10.40", "10.41", "10.42")
@pytest.mark.parametrize("peepholes", [False, True])
def test_the_gradient_through_the_state_is_that_of_the_first_state(peepholes):
    params, rng = drawn(init_lstm, 2, 3, 4, peepholes=peepholes)
    x, y, s0 = rng.normal(size=(3, 2)), rng.integers(4, size=3), rng.normal(size=3)
    # the last step alone has a loss, so that all of its gradient is at hand
    run = lstm_forward(params, x, s0=s0)
    grads = lstm_backward(params, run, y, [0, 0, 1])
    last = params["V"].T @ (run.yhat[-1] - np.eye(4)[y[-1]])
    _, grad_s = lstm_gradient_through_time(params, run, last)
    zero = np.zeros(3)
    pf, pg = params.get("pf", zero), params.get("pg", zero)
    given = answers.through_the_state(grad_s[1], s0, run.f[0], run.g[0], run.cell_input[0], pf, pg)
    np.testing.assert_allclose(given, grads["s0"], rtol=1e-10)


def test_a_peephole_can_make_the_factor_larger_than_one():
    factor = answers.through_the_state(1.0, 1.0, 0.625, 0.0, 0.0, 4.0, 0.0)
    assert factor == pytest.approx(1.5625)


@pytest.mark.equation("10.45")
def test_the_two_placements_end_at_opposite_ends():
    unit = answers.placement()
    before, after = (
        gru_forward(unit, np.zeros((1, 1)), [0.5, -0.5], reset).h[0, 1]
        for reset in ("before", "after")
    )
    assert (before, after) == (pytest.approx(1, abs=1e-6), pytest.approx(-1, abs=1e-6))


def test_one_unit_alone_does_not_mind_where_it_is_reset():
    params, rng = drawn(init_gru, 2, 1, 1)
    x = rng.normal(size=(5, 2))
    before, after = (gru_forward(params, x, [0.5], reset).h for reset in ("before", "after"))
    np.testing.assert_allclose(before, after, rtol=1e-12)


def test_any_unit_that_far_apart_is_accepted():
    swapped = {
        name: array[::-1] for name, array in answers.placement().items() if name not in "VWc"
    }
    swapped |= {"W": np.array([[0.0, -80], [0, 0]]), "V": np.zeros((1, 2)), "c": np.zeros(1)}
    assert exercises()["16-placement"].grade(swapped)


def lstm_step(cell=np.tanh, entering="cell", let_in="g"):
    def step(sums, s):
        s = sigmoid(sums["f"]) * s + sigmoid(sums[let_in]) * cell(sums[entering])
        return np.tanh(s) * sigmoid(sums["o"]), s

    return step


def gru(old=lambda r, h: r * h, swapped=False):
    def states(params, x):
        h, found = np.zeros(len(params["b"])), []
        for x_t in x:
            u, r = (
                sigmoid(params["b" + k] + params["U" + k] @ x_t + params["W" + k] @ h) for k in "ur"
            )
            u, r = (r, u) if swapped else (u, r)
            target = np.tanh(params["b"] + params["U"] @ x_t + params["W"] @ old(r, h))
            h = u * h + (1 - u) * target
            found.append(h)
        return np.array(found)

    return states


TYPICAL = {
    "16-step": {
        "no tanh on the cell input": lstm_step(cell=lambda a: a),
        "the names of PyTorch": lstm_step(entering="g", let_in="cell"),
    },
    "16-gru": {
        "reset ignored": gru(old=lambda r, h: h),
        "the reset gate the other way round": gru(old=lambda r, h: (1 - r) * h),
        "the gates exchanged": gru(swapped=True),
    },
}


HINTED = {
    "16-step": [
        (lambda *case: lstm_step()(*case)[::-1], "In which order"),
        (lambda *case: (lstm_step()(*case)[0], case[1]), "Is s wrong?"),
    ]
}


def of_counters():
    """A one that is written as tanh(U) = 0.99 makes every count one per cent too low."""

    def that_writes(one):
        return changed("16-counter", lambda net: net | {"U": np.array([[np.arctanh(one), 0.0]])})

    return Line([that_writes(0.992)], [that_writes(0.985), that_writes(0.97)])


def of_placements():
    """The second unit keeps a share of its old state: the targets, 2 apart, are nearer."""

    def that_keeps(share):
        right = exercises()["16-placement"].answer
        return right | {"bu": np.array([-20.0, np.log(share / (1 - share))])}

    return Line([that_keeps(0.04)], [that_keeps(0.06)])


LIMITS = {
    "16-kept": (0.004, 0.006),
    "16-by-hand": (0.009, 0.011),
    "16-counter": of_counters,
    "16-placement": of_placements,
}
EQUIVALENT = {
    "16-counter": [
        # The forget gate's sum is K + 1 at a one, where the gate is as open as at K.
        "_counter: …'bf': K, 'Uf': [0, -2 * K], 'bg':… -> …'bf': K, 'Uf': [1, -2 * K], 'bg':…",
        # The forget gate's sum is K - 1 at a one, where the gate is as good as open.
        "_counter: …'bf': K, 'Uf': [0, -2 * K], 'bg':… -> …'bf': K, 'Uf': [-1, -2 * K], 'bg':…",
        # A more negative sum closes the forget gate even more firmly at a reset.
        "_counter: …: K, 'Uf': [0, -2 * K], 'bg': K, … -> …: K, 'Uf': [0, -3 * K], 'bg': K, …",
        # The input gate's sum is K + 1 at a one, where the gate is as open as at K.
        "_counter: …'bg': K, 'Ug': [0, -2 * K]} -> …'bg': K, 'Ug': [1, -2 * K]}",
        # The input gate's sum is K - 1 at a one, where the gate is as good as open.
        "_counter: …'bg': K, 'Ug': [0, -2 * K]} -> …'bg': K, 'Ug': [-1, -2 * K]}",
        # A more negative sum closes the input gate even more firmly at a reset.
        "_counter: …: K, 'Ug': [0, -2 * K]} -> …: K, 'Ug': [0, -3 * K]}",
        # The cell input may read the reset, because the input gate is closed then.
        "_counter: return _cell(**{'U': [K, 0], **open_until_reset, **other}) -> "
        "return _cell(**{'U': [K, 1], **open_until_reset, **other})",
        "_counter: return _cell(**{'U': [K, 0], **open_until_reset, **other}) -> "
        "return _cell(**{'U': [K, -1], **open_until_reset, **other})",
        # The array is multiplied by 0 anyway.
        "_cell: …os = {name: 0 * array for name, array… -> "
        "…os = {name: 0 * (0 * array) for name, array…",
        # The number of outputs doesn't matter, because the check looks at the cell's state alone.
        "_cell: …init_lstm(2, 1, 1).items()} -> …init_lstm(2, 1, 2).items()}",
        # The cell for K = 20 already counts to a hundredth, and any cell that does is accepted.
        "(always the first case's answer)",
        "(K is always the first case's)",
    ],
    "16-placement": [
        # The first unit's target is the same for both placements, which differ in the second unit
        # alone.
        "…it(W=_READS, b=[0, -20], br=[20, … -> …it(W=_READS, b=[1, -20], br=[20, …",
        "…it(W=_READS, b=[0, -20], br=[20, … -> …it(W=_READS, b=[-1, -20], br=[20, …",
        # The second unit's two targets, tanh(19) and tanh(-21), are still at opposite ends.
        "…_READS, b=[0, -20], br=[20, -20],… -> …_READS, b=[0, -21], br=[20, -20],…",
        # The second unit's two targets, tanh(21) and tanh(-19), are still at opposite ends.
        "…=_READS, b=[0, -20], br=[20, -20],… -> …=_READS, b=[0, -19], br=[20, -20],…",
        # The first unit's reset gate is open either way.
        "…=[0, -20], br=[20, -20], bu=[-20,… -> …=[0, -20], br=[21, -20], bu=[-20,…",
        "…b=[0, -20], br=[20, -20], bu=[-20,… -> …b=[0, -20], br=[19, -20], bu=[-20,…",
        # The second unit's reset gate is closed either way.
        "…-20], br=[20, -20], bu=[-20, -20]… -> …-20], br=[20, -21], bu=[-20, -20]…",
        "… -20], br=[20, -20], bu=[-20, -20]… -> … -20], br=[20, -19], bu=[-20, -20]…",
        # The second unit reads the first unit's old state, so it doesn't matter whether the first
        # unit then keeps it.
        "…=[20, -20], bu=[-20, -20]) -> …=[20, -20], bu=[20, -20])",
        # The first unit's update gate is closed either way.
        "…20, -20], bu=[-20, -20]) -> …20, -20], bu=[-21, -20])",
        "…[20, -20], bu=[-20, -20]) -> …[20, -20], bu=[-19, -20])",
        # The second unit's update gate is closed either way.
        "…20], bu=[-20, -20]) -> …20], bu=[-20, -21])",
        "…-20], bu=[-20, -20]) -> …-20], bu=[-20, -19])",
        # The unset parameters don't matter: the input is 0, the weights of the gates are small, and
        # their biases decide.
        "_unit: zeros = {name: 0 * array for name, … -> zeros = {name: array for name, …",
        "_unit: zeros = {name: 0 * array for nam… -> zeros = {name: 1 * array for nam…",
        "_unit: zeros = {name: 0 * array for nam… -> zeros = {name: -1 * array for nam…",
        # The array is multiplied by 0 anyway.
        "_unit: …os = {name: 0 * array for name, array… -> "
        "…os = {name: 0 * (0 * array) for name, array…",
        # The number of outputs doesn't matter, because the check looks at the states alone.
        "_unit: … init_gru(1, 2, 1).items()} -> … init_gru(1, 2, 2).items()}",
        # The whole numbers become floats as soon as the solution computes with them.
        "_unit: …: np.array(value, float) for name, valu… -> …: np.array(value) for name, valu…",
    ],
}
