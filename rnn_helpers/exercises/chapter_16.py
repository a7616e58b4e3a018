"""The exercises of chapter 16, Gated networks."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines
from rnn_helpers.reference import (
    gru_as_printed,
    gru_forward,
    init_gru,
    init_lstm,
    lstm_forward,
    sigmoid,
)
from rnn_helpers.tasks import CountSinceReset


@exercise(
    "16-kept",
    hint="How much is left after the first two of the five steps?",
    success="The same forget gates multiply the state and the gradient. The cell can't learn from "
    "what it has forgotten.",
    tolerance=0.005,
    wrong={
        "the mean of the gates": Wrong(
            (2 * 0.88, 0.88),
            "Do you multiply once by the mean of the five gates, or by each of them?",
        ),
        "the losses added up": Wrong(
            (2 * (1 - 0.1 - 0.5), 1 - 0.1 - 0.5),
            "The fourth step takes half of what is left. Is that half of 2, or half of less?",
        ),
        "the smallest gate alone": Wrong((2 * 0.5, 0.5), "What does the second gate do?"),
        "the gradient unchanged": Wrong(
            (0.9, 1.0),
            "If the state changes by 1 before the five steps, how much does it change afterwards?",
        ),
        "the gradient divided by the gates": Wrong(
            (0.9, 1 / 0.45), "On the way back, is a gradient multiplied by a gate or divided by it?"
        ),
    },
)
def kept():
    """Return the state after the five steps, and the factor on a gradient over them."""
    return 2 * 0.9 * 0.5, 0.9 * 0.5


@exercise(
    "16-by-hand",
    hint="How much of the old state is kept, and how much enters? Add the two first.",
    success="That is one complete step of an LSTM cell. The state is multiplied and added to, and "
    "only the output passes through tanh.",
    tolerance=0.01,
    wrong={
        "the input gate tied to the forget gate": Wrong(
            (1.4, 0.5 * np.tanh(1.4)),
            "Which gate multiplies the cell input? Is it tied to the forget gate?",
        ),
        "the output without tanh": Wrong(
            (1.6, 0.5 * 1.6),
            "Which function does the state pass through before the output gate multiplies it?",
        ),
        "the output of the old state": Wrong(
            (1.6, 0.5 * np.tanh(2)),
            "Does the output depend on the old state or on the new one?",
        ),
        "forget and input gate exchanged": Wrong(
            (1.9, 0.5 * np.tanh(1.9)), "Which gate multiplies the old state?"
        ),
        "the forget gate the other way round": Wrong(
            (1.2, 0.5 * np.tanh(1.2)), "Does a forget gate of 1 keep the state or erase it?"
        ),
    },
)
def step_by_hand():
    """Return the new state and the output of one step of a cell."""
    s = 0.6 * 2 + 0.8 * 0.5
    return s, 0.5 * np.tanh(s)


@exercise(
    "16-parameters",
    cases=lambda: [(2, 3), (1, 8), (10, 10)],
    hint="List the arrays and their shapes for n_x = 2 and n_h = 3. How many numbers do they hold?",
    success="An LSTM repeats the weights of a simple layer four times, so it has four times as "
    "many. PyTorch adds a redundant second bias to each sum.",
    wrong={
        "the cell input forgotten": Wrong(
            lambda n_x, n_h: (_parts(3, n_x, n_h), _parts(3, n_x, n_h, 3), _parts(3, n_x, n_h, 3)),
            "You count the weights of three gates. Which other part of the cell has weights?",
        ),
        "three peepholes in all, as printed": Wrong(
            lambda n_x, n_h: (_parts(4, n_x, n_h), _parts(4, n_x, n_h) + 3, _parts(4, n_x, n_h, 4)),
            "A peephole connects a gate to the state of one cell. How many cells are there?",
        ),
        "peepholes as matrices": Wrong(
            lambda n_x, n_h: (
                _parts(4, n_x, n_h),
                _parts(4, n_x, n_h) + 3 * n_h * n_h,
                _parts(4, n_x, n_h, 4),
            ),
            "Through its peephole, does a gate read the states of all cells, or of one?",
        ),
        "one bias in PyTorch": Wrong(
            lambda n_x, n_h: (_parts(4, n_x, n_h), _parts(4, n_x, n_h, 3), _parts(4, n_x, n_h)),
            "Print the names in `torch.nn.LSTM(2, 3).state_dict()`. Which of them do you not "
            "count?",
        ),
    },
)
def parameters(n_x, n_h):
    """Return the number of parameters of an LSTM, with peepholes, and in PyTorch."""
    return _parts(4, n_x, n_h), _parts(4, n_x, n_h, 3), _parts(4, n_x, n_h, 4)


def _parts(n, n_x, n_h, vectors=0):
    """Return how many numbers n sets of U, W and b and some more vectors hold."""
    return n * n_h * (n_x + n_h + 1) + vectors * n_h


def _sums(params, part, x, h):
    return params["b" + part] + params["U" + part] @ x + params["W" + part] @ h


def _steps() -> list[tuple]:
    rng = np.random.default_rng(40)

    def case(n_h):
        *sums, s = rng.normal(size=(5, n_h))
        return dict(zip(["f", "g", "o", "cell"], sums, strict=True)), 2 * s

    return [case(1), case(7)]


def _step(
    squash=np.tanh,
    gate=sigmoid,
    forget="f",
    let_in="g",
    entering="cell",
    shown=np.tanh,
    old=False,
    tied=False,
):
    def step(sums, s):
        f, g, q = (gate(sums[name]) for name in (forget, let_in, "o"))
        new = f * s + (1 - f if tied else g) * squash(sums[entering])
        return shown(s if old else new) * q, new

    return step


@exercise(
    "16-step",
    cases=_steps,
    hint="Item 0 is h and item 1 is s. Is s wrong? Print the forget gate, the input gate and "
    "the cell input. Is s right? Then look at how h follows from it.",
    success="The new state is a sum: a share of the old state plus a gated input. Along this sum, "
    "gradients can survive many steps.",
    wrong={
        "sigmoid on the cell input, as printed": Wrong(
            _step(squash=sigmoid),
            "Can your cell input be negative? Should it be?",
        ),
        "no tanh on the cell input": Wrong(
            _step(squash=lambda a: a),
            "How large can your cell input get? Which function keeps it between -1 and 1?",
        ),
        "the names of PyTorch": Wrong(
            _step(let_in="cell", entering="g"),
            "In PyTorch, g is the cell input. Which of the four sums belongs to the input gate "
            "here?",
        ),
        "the input gate tied to the forget gate": Wrong(
            _step(tied=True),
            "Your input gate is 1 minus the forget gate. Which of the four sums have you not used?",
        ),
        "sums for gates": Wrong(
            _step(gate=lambda a: a), "Between which two numbers does a gate lie? Print yours."
        ),
        "forget and input gate exchanged": Wrong(
            _step(forget="g", let_in="f"), "Which gate multiplies the old state?"
        ),
        "the old state shown": Wrong(
            _step(old=True), "Does the output depend on the old state or on the new one?"
        ),
        "the state shown as it is": Wrong(
            _step(shown=lambda s: s),
            "Which function does the state pass through before the output gate multiplies it?",
        ),
        "the two results exchanged": Wrong(
            lambda sums, s: lstm_step(sums, s)[::-1],
            "Both results are right. In which order does the exercise ask for them?",
        ),
    },
)
def lstm_step(sums, s):
    """Return h and s after one step of (G 10.40)-(G 10.44) whose four sums are given."""
    s = sigmoid(sums["f"]) * s + sigmoid(sums["g"]) * np.tanh(sums["cell"])
    return np.tanh(s) * sigmoid(sums["o"]), s


@exercise(
    "16-log-rule",
    cases=lambda: [(1,), (2,), (10,), (100,), (10**6,)],
    hint="Which share must one step keep so that half remains after T? Which bias gives that "
    "share?",
    success="For large T the bias is about ln T + 0.37, so the rule b = ln T is right up to a "
    "constant.",
    wrong={
        "the rule itself": Wrong(
            np.log, "How much does your bias leave after 100 steps? Compute it."
        ),
        "the losses added up": Wrong(
            lambda T: np.log(2 * T - 1),
            "You add up the losses of the steps. Is that how the shares of T steps combine?",
        ),
        "a time constant instead of a half-life": Wrong(
            lambda T: -np.log(np.expm1(1 / T)),
            "How much does your bias leave after T steps? Compute it.",
        ),
        "the gate for its bias": Wrong(
            lambda T: 0.5 ** (1 / T), "That is the value of the gate. Which bias gives it?"
        ),
    },
)
def bias_for_half(T):
    """Return the forget bias with which half is left after T steps."""
    return -np.log(np.expm1(np.log(2) / T))


@exercise(
    "16-shares",
    cases=lambda: [(1,), (2,), (3,), (7,)],
    hint="Do two targets by hand: how much of the first remains after the second step?",
    success="To average its targets, a GRU unit's gate must depend on how many have already "
    "arrived. An LSTM cell can simply add them.",
    wrong={
        "one constant for all": Wrong(
            lambda n: np.full(n, 1 - 1 / n),
            "Your last target has the right share. Which share does the first one have by then?",
        ),
        "the share taken instead of the share kept": Wrong(
            lambda n: 1 / np.arange(1, n + 1),
            "In (G 10.45), does a gate of 1 keep the old state or replace it?",
        ),
        "a share for the initial state": Wrong(
            lambda n: np.arange(1, n + 1) / np.arange(2, n + 2),
            "How much of the value before the first target remains in your state?",
        ),
        "the other way round": Wrong(
            lambda n: (np.arange(n) / np.arange(1, n + 1))[::-1],
            "When the last target arrives, how many targets are already in the state?",
        ),
    },
)
def gates_of_equal_shares(n):
    """Return the update gates of (G 10.45) that give n targets equal shares."""
    return np.arange(n) / np.arange(1, n + 1)


def _counts(params):
    x, _ = next(CountSinceReset(reset=0.15).batches(30, 4, seed=28))
    return lstm_forward(params, x).s


def _cell(**given):
    """Return an LSTM of one cell and two inputs. Parameters that aren't given are 0."""
    zeros = {name: 0 * array for name, array in init_lstm(2, 1, 1).items()}
    return {
        **zeros,
        **{name: np.reshape(value, zeros[name].shape) for name, value in given.items()},
    }


def _counter(K, **other):
    open_until_reset = {"bf": K, "Uf": [0, -2 * K], "bg": K, "Ug": [0, -2 * K]}
    return _cell(**{"U": [K, 0], **open_until_reset, **other})


@exercise(
    "16-counter",
    cases=lambda: [(20.0,), (40.0,)],
    hint="Print the cell's state next to the two inputs. At which step is it first wrong?",
    success="With both gates open, an LSTM cell adds without losing anything, so it can count. A "
    "GRU's state is an average and stays between -1 and 1.",
    tolerance=0.01,
    measure=_counts,
    instance="""
    def states(params, x):
        h, s, found = np.zeros(1), np.zeros(1), []
        for x_t in x:
            def total(part):
                return params["b" + part] + params["U" + part] @ x_t + params["W" + part] @ h
            f, g, o = (1 / (1 + np.exp(-total(gate))) for gate in "fgo")
            s = f * s + g * np.tanh(total(""))
            h = o * np.tanh(s)
            found.append(round(float(s[0]), 2))
        return found

    x = np.array([[1, 0], [0, 0], [1, 0], [1, 1], [1, 0], [0, 1], [0, 0], [1, 0], [1, 0]])

    print([states(counter(20.0), x), states(counter(40.0), x[::-1])])
    """,
    wrong={
        "never forgets": Wrong(
            lambda K: _counter(K, Uf=[0, 0]), "What must the forget gate be at a reset?"
        ),
        "a one at a reset counts": Wrong(
            lambda K: _counter(K, Ug=[0, 0]),
            "A one and a reset can arrive together. Which count does the exercise want then?",
        ),
        "a zero counts down": Wrong(
            lambda K: _counter(K, U=[2 * K, 0], b=-K),
            "The cell input passes through a tanh. What does yours add at a step without a one?",
        ),
        "a leaking gate": Wrong(
            lambda K: _counter(K, bf=0),
            "Between resets, your state loses a share of its value at each step. Which gate "
            "causes that?",
        ),
        "forgets unless reset": Wrong(
            lambda K: _counter(K, bf=-K, Uf=[0, 2 * K]),
            "Does a forget gate of 1 forget the state or keep it?",
        ),
    },
)
def counter(K):
    """Return a cell whose state counts the ones since the last reset."""
    return _counter(K)


def _gru_states(squash=np.tanh, after=False, keep=lambda u: u, reset=lambda r: r, names="ur"):
    def states(params, x):
        h, out = np.zeros(len(params["b"])), []
        for x_t in x:
            u, r = (sigmoid(_sums(params, gate, x_t, h)) for gate in names)
            r = reset(r)
            Wrh = r * (params["W"] @ h) if after else params["W"] @ (r * h)
            target = squash(params["b"] + params["U"] @ x_t + Wrh)
            h = keep(u) * h + (1 - keep(u)) * target
            out.append(h)
        return np.array(out)

    return states


def _late(squash):
    def states(params, x):
        return gru_as_printed(
            {**params, "V": np.zeros((1, len(params["b"]))), "c": [0.0]}, x, squash=squash
        )

    return states


def _sequences() -> list[tuple]:
    rng = np.random.default_rng(45)

    def case(n_x, n_h, T):
        params = init_gru(n_x, n_h, 1, rng)
        unit = {name: array + rng.normal(size=array.shape) for name, array in params.items()}
        del unit["V"], unit["c"]
        return unit, rng.normal(size=(T, n_x))

    return [case(7, 7, 1), case(2, 8, 6)]


@exercise(
    "16-gru",
    cases=_sequences,
    hint="Which row is the first that is wrong? At the first step the old state is 0, so neither "
    "the reset gate nor any W matters yet. From the second step on, they do.",
    success="The state depends on the input of the same step. If the target depended only on the "
    "step before, no weights could make up for that.",
    instance=lines(
        WAVE,
        """
        params = {"U": wave(1, 2, 3), "W": wave(2, 2, 2), "b": wave(3, 2)}

        params |= {"Uu": wave(4, 2, 3), "Wu": wave(5, 2, 2), "bu": wave(6, 2)}
        params |= {"Ur": wave(7, 2, 3), "Wr": wave(8, 2, 2), "br": wave(9, 2)}

        print(gru_states(params, wave(10, 4, 3)))
        """,
    ),
    wrong={
        "as printed": Wrong(
            _late("sigmoid"), "Change the last input. Does your last state change?"
        ),
        "time indices as printed": Wrong(
            _late("tanh"), "Does your state at a step depend on the input of that step?"
        ),
        "sigmoid instead of tanh, as printed": Wrong(
            _gru_states(squash=sigmoid), "Is any of your states negative? Should one be?"
        ),
        "reset after the product": Wrong(
            _gru_states(after=True),
            "That is PyTorch's unit. Does (G 10.45) reset the state, or the product?",
        ),
        "reset ignored": Wrong(
            _gru_states(reset=lambda r: 1),
            "Your first state is right. From the second step on, which gate has no effect on "
            "yours?",
        ),
        "the reset gate the other way round": Wrong(
            _gru_states(reset=lambda r: 1 - r),
            "Your first state is right. In (G 10.45), does a reset gate of 1 let the old state "
            "through or block it?",
        ),
        "the gates exchanged": Wrong(
            _gru_states(names="ru"),
            "Which gate multiplies the old state inside the tanh, and which one outside it?",
        ),
        "the update gate the other way round": Wrong(
            _gru_states(keep=lambda u: 1 - u),
            "In (G 10.45), does a gate of 1 keep the old state or replace it?",
        ),
    },
)
def gru_states(params, x):
    """Return the states of (G 10.45)-(G 10.47), which start from zeros."""
    h, states = np.zeros(len(params["b"])), []
    for x_t in x:
        u = sigmoid(_sums(params, "u", x_t, h))
        r = sigmoid(_sums(params, "r", x_t, h))
        target = np.tanh(params["b"] + params["U"] @ x_t + params["W"] @ (r * h))
        h = u * h + (1 - u) * target
        states.append(h)
    return np.array(states)


checklist(
    "16-coupled",
    {
        "With g = 1 - f and h = s, (G 10.41) becomes (G 10.45) with u = f and every reset gate "
        "at 1.": (
            "Put both conditions into (G 10.41) and compare it with (G 10.45), term by term."
        ),
        "The gates agree too: on this page, (G 10.40) and (G 10.46) are the same formula.": (
            "Do both gates depend on the same quantities?"
        ),
        "A reset gate is a sigmoid, so it can come arbitrarily close to 1 but never reaches it.": (
            "Which bias makes the reset gate exactly 1?"
        ),
        "With U^f = 0 and W^f = 0 it is a leaky unit whose alpha is the sigmoid of the bias.": (
            "When does the gate not depend on the input or the state?"
        ),
        "The coupled state stays between -1 and 1, because it is an average of an old state and a "
        "tanh.": (
            "Two weights aren't negative and add up to 1. Where does their average of two numbers "
            "lie?"
        ),
        "So it can't count by adding, as a cell with separate gates can: f = g = 1 is "
        "impossible.": ("Look at your counter: what are its two gates when a one arrives?"),
    },
    success="Coupling the gates turns an LSTM into a GRU without resets, whose bounded state "
    "can't count by adding.",
)


def _transitions() -> list[tuple]:
    rng = np.random.default_rng(48)

    def case(n, peepholes):
        grad_s, s_prev, k, pf, pg = rng.normal(size=(5, n))
        f, g = rng.uniform(size=(2, n))
        return grad_s, s_prev, f, g, np.tanh(k), peepholes * pf, peepholes * pg

    return [case(3, 0), case(3, 1), case(6, 4)]


@exercise(
    "16-through-the-state",
    cases=_transitions,
    hint="Where does s^(t-1) appear in (G 10.40) to (G 10.42), peepholes included? Write one term "
    "for each place.",
    success="Without peepholes, the factor along the state is a forget gate, which is below 1. "
    "With them, gradients can grow or change sign even on this path.",
    wrong={
        "the forget gate alone": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: f * grad_s,
            "That is complete without peepholes. What else depends on the old state with them?",
        ),
        "the gates' slopes forgotten": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (f + s_prev * pf + k * pg) * grad_s,
            "A peephole feeds a sigmoid. What is its slope, written with the gate itself?",
        ),
        "the factor that a gate multiplies forgotten": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (
                (f + f * (1 - f) * pf + g * (1 - g) * pg) * grad_s
            ),
            "If a gate changes a little, how much does the state change? What does the gate "
            "multiply?",
        ),
        "the old state under both gates": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (
                (f + s_prev * (f * (1 - f) * pf + g * (1 - g) * pg)) * grad_s
            ),
            "The forget gate multiplies the old state. Does the input gate?",
        ),
        "the forget gate's own term forgotten": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (
                (s_prev * f * (1 - f) * pf + k * g * (1 - g) * pg) * grad_s
            ),
            "Those are the paths through the gates. Which shorter path is there in (G 10.41)?",
        ),
    },
)
def through_the_state(grad_s, s_prev, f, g, k, pf, pg):
    """Return the part of the gradient on s^(t-1) that comes through s^(t)."""
    return (f + s_prev * f * (1 - f) * pf + k * g * (1 - g) * pg) * grad_s


def _how_far_apart(params):
    """Return how far apart the states of the two placements are after a step, in words."""
    x, h0 = np.zeros((1, 1)), [0.5, -0.5]
    before, after = (gru_forward(params, x, h0, reset).h[-1] for reset in ("before", "after"))
    gap = abs(before - after).max()
    return "nowhere" if gap < 1e-6 else "a little" if gap < 1.9 else "as far as can be"


def _unit(**given):
    zeros = {name: 0 * array for name, array in init_gru(1, 2, 1).items()}
    return {**zeros, **{name: np.array(value, float) for name, value in given.items()}}


_READS = [[0, 0], [80, 0]]  # the first unit feeds the second


@exercise(
    "16-placement",
    hint="Write the second unit's target twice, once for each placement. Where do the two differ?",
    success="Resetting before the product uses the sender's gate; resetting after it uses the "
    "receiver's. So weights trained for one placement compute something else in the "
    "other.",
    measure=_how_far_apart,
    wrong={
        "one value for both reset gates": Wrong(
            _unit(W=_READS, b=[0, -20], bu=[-20, -20]),
            "Your two placements agree. When can reset gates be moved past a matrix, and when "
            "can't they?",
        ),
        "a small difference": Wrong(
            _unit(W=_READS, br=[20, -20]),
            "The states differ, but too little. What keeps part of the old state, and what could "
            "push one target to the other end?",
        ),
    },
)
def placement():
    """Return a GRU in which the two placements end at opposite ends of the tanh."""
    return _unit(W=_READS, b=[0, -20], br=[20, -20], bu=[-20, -20])
