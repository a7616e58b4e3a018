"""The exercises of chapter 16, Gated networks."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
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
    "16-parameters",
    cases=lambda: [(2, 3), (1, 8), (10, 10)],
    hint="List the arrays and their shapes, for n_x = 2 and n_h = 3, before you write a formula.",
    wrong={
        "the cell input forgotten": Wrong(
            lambda n_x, n_h: (_parts(3, n_x, n_h), _parts(3, n_x, n_h, 3), _parts(3, n_x, n_h, 3)),
            "Three gates have weights of their own. What else has?",
        ),
        "three peepholes in all, as printed": Wrong(
            lambda n_x, n_h: (_parts(4, n_x, n_h), _parts(4, n_x, n_h) + 3, _parts(4, n_x, n_h, 4)),
            "Through a peephole a gate sees the state of its own cell. How many cells are there?",
        ),
        "peepholes as matrices": Wrong(
            lambda n_x, n_h: (
                _parts(4, n_x, n_h),
                _parts(4, n_x, n_h) + 3 * n_h * n_h,
                _parts(4, n_x, n_h, 4),
            ),
            "Does a gate see the states of all cells through its peephole, or that of one?",
        ),
        "one bias in PyTorch": Wrong(
            lambda n_x, n_h: (_parts(4, n_x, n_h), _parts(4, n_x, n_h, 3), _parts(4, n_x, n_h)),
            "Print the names in `torch.nn.LSTM(2, 3).state_dict()`.",
        ),
    },
)
def parameters(n_x, n_h):
    """Count those of an LSTM, of one with peepholes, and of PyTorch's."""
    return _parts(4, n_x, n_h), _parts(4, n_x, n_h, 3), _parts(4, n_x, n_h, 4)


def _parts(n, n_x, n_h, vectors=0):
    """Numbers in n times U, W and b, and in some more vectors."""
    return n * n_h * (n_x + n_h + 1) + vectors * n_h


def _sums(params, part, x, h):
    return params["b" + part] + params["U" + part] @ x + params["W" + part] @ h


def _steps() -> list[tuple]:
    rng = np.random.default_rng(40)

    def case(n_h):
        *sums, s = rng.normal(size=(5, n_h))
        return dict(zip(["f", "g", "o", "cell"], sums, strict=True)), 2 * s

    return [case(1), case(7)]


def _step(squash=np.tanh, gate=sigmoid, forget="f", let_in="g", shown=np.tanh, old=False):
    def step(sums, s):
        f, g, q = (gate(sums[name]) for name in (forget, let_in, "o"))
        new = f * s + g * squash(sums["cell"])
        return shown(s if old else new) * q, new

    return step


@exercise(
    "16-step",
    cases=_steps,
    hint="Item 0 is h, item 1 is s. Is s wrong? Print the two gates and the cell input in it. Is h "
    "alone wrong? Print the output gate.",
    wrong={
        "sigmoid on the cell input, as printed": Wrong(
            _step(squash=sigmoid),
            "With that, can a state ever be counted down? See the note on what is printed.",
        ),
        "sums for gates": Wrong(
            _step(gate=lambda a: a), "Between which two numbers is a gate? Print yours."
        ),
        "forget and input gate exchanged": Wrong(
            _step(forget="g", let_in="f"), "Which gate multiplies what was there already?"
        ),
        "the old state shown": Wrong(
            _step(old=True), "Which state does the output see: the old one, or the new?"
        ),
        "the state shown as it is": Wrong(
            _step(shown=lambda s: s), "What does the state pass through on its way out?"
        ),
        "the two results exchanged": Wrong(
            lambda sums, s: lstm_step(sums, s)[::-1],
            "Both are right. In which order are they asked for?",
        ),
    },
)
def lstm_step(sums, s):
    """Finish one step of (10.40)-(10.44), whose four sums are given."""
    s = sigmoid(sums["f"]) * s + sigmoid(sums["g"]) * np.tanh(sums["cell"])
    return np.tanh(s) * sigmoid(sums["o"]), s


@exercise(
    "16-log-rule",
    cases=lambda: [(1,), (2,), (10,), (100,), (10**6,)],
    hint="What must one step keep, so that half is left after T? Which bias does that take?",
    wrong={
        "the rule itself": Wrong(
            np.log, "Put it to the test: how much does that bias leave after 100 steps?"
        ),
        "the losses added up": Wrong(
            lambda T: np.log(2 * T - 1), "Losses of a step multiply; they do not add up."
        ),
        "a time constant instead of a half-life": Wrong(
            lambda T: -np.log(np.expm1(1 / T)),
            "Put it to the test: how much does that bias leave after T steps?",
        ),
        "the gate for its bias": Wrong(
            lambda T: 0.5 ** (1 / T), "That is where the gate stands. Which bias puts it there?"
        ),
    },
)
def bias_for_half(T):
    """Give the forget bias that leaves half after T steps, a logit."""
    return -np.log(np.expm1(np.log(2) / T))


@exercise(
    "16-shares",
    cases=lambda: [(1,), (2,), (3,), (7,)],
    hint="For two targets, by hand: what is left of the first after the second step?",
    wrong={
        "one constant for all": Wrong(
            lambda n: np.full(n, 1 - 1 / n),
            "The last target has its share. Which share has the first by then?",
        ),
        "what is taken, not what is kept": Wrong(
            lambda n: 1 / np.arange(1, n + 1),
            "In (10.45), does a gate of one keep the old, or replace it?",
        ),
        "what was there before, too": Wrong(
            lambda n: np.arange(1, n + 1) / np.arange(2, n + 2),
            "How much of the value before the first target is left in yours?",
        ),
        "the other way round": Wrong(
            lambda n: (np.arange(n) / np.arange(1, n + 1))[::-1],
            "When the last target comes, how many are in the state already?",
        ),
    },
)
def gates_of_equal_shares(n):
    """Give the update gates with which n targets end in equal shares, by (10.45)."""
    return np.arange(n) / np.arange(1, n + 1)


def _counts(params):
    x, _ = next(CountSinceReset(reset=0.15).batches(30, 4, seed=28))
    return lstm_forward(params, x).s


def _cell(**given):
    """An LSTM of one cell and two inputs, all of whose other parameters are 0."""
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
    hint="Print the cell's state beside the two inputs. At which step does it first go astray?",
    tolerance=0.01,
    measure=_counts,
    wrong={
        "never forgets": Wrong(
            lambda K: _counter(K, Uf=[0, 0]), "What must the forget gate be at a reset?"
        ),
        "a one at a reset counts": Wrong(
            lambda K: _counter(K, Ug=[0, 0]),
            "At some steps a one and a reset come together. What does the task want then?",
        ),
        "a zero counts down": Wrong(
            lambda K: _counter(K, U=[2 * K, 0], b=-K),
            "What does the cell input add at a step without a one? It passes through a tanh.",
        ),
        "a leaking gate": Wrong(
            lambda K: _counter(K, bf=0),
            "Between resets the state loses part of what it had. What keeps it whole?",
        ),
        "forgets unless reset": Wrong(
            lambda K: _counter(K, bf=-K, Uf=[0, 2 * K]),
            "Is a forget gate of one what forgets, or what keeps?",
        ),
    },
)
def counter(K):
    """Give a cell whose state counts the ones since the last reset."""
    return _counter(K)


def _gru_states(squash=np.tanh, after=False, keep=lambda u: u):
    def states(params, x):
        h, out = np.zeros(len(params["b"])), []
        for x_t in x:
            u, r = (sigmoid(_sums(params, gate, x_t, h)) for gate in "ur")
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
    hint="Try a sequence of a single step first: which numbers may its state depend on?",
    wrong={
        "as printed": Wrong(_late("sigmoid"), "Change the last input. Does the last state notice?"),
        "time indices as printed": Wrong(
            _late("tanh"), "Does the state of a step depend on the input of that step?"
        ),
        "sigmoid, as printed": Wrong(
            _gru_states(squash=sigmoid), "Is any of your states negative? Should one be?"
        ),
        "reset after the product": Wrong(
            _gru_states(after=True),
            "That is PyTorch's unit. Which does (10.45) reset: the state, or the product?",
        ),
        "the update gate the other way round": Wrong(
            _gru_states(keep=lambda u: 1 - u),
            "In (10.45), does a gate of one keep or replace?",
        ),
    },
)
def gru_states(params, x):
    """Give the states of (10.45)-(10.47), put right, from a state of zeros on."""
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
        "With g = 1 - f and h = s, (10.41) becomes (10.45) with u = f and every reset gate at 1.": (
            "Put both conditions into (10.41) and set it beside (10.45), letter by letter."
        ),
        "The gates agree too: (10.40) and (10.46), as the page has them, are one formula.": (
            "The weights in front are the same. Are the gates made from the same things?"
        ),
        "A reset gate is a sigmoid, so it comes as near to one as you like and never gets there.": (
            "Which bias makes the reset gate exactly one?"
        ),
        "With U^f = 0 and W^f = 0 it is a leaky unit, whose alpha is the sigmoid of the bias.": (
            "When does the gate not depend on what the network reads?"
        ),
        "The coupled state stays between -1 and 1, as an average of an old state and a tanh.": (
            "Two weights that are not negative and add up to one: what do they make of two numbers?"
        ),
        "So it cannot count by adding, as a cell with free gates can: f = g = 1 is ruled out.": (
            "Look at your counter: where do its two gates stand at a one?"
        ),
    },
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
    hint="Where does s^(t-1) stand in (10.40)-(10.42), peepholes and all? One term for each place.",
    wrong={
        "the forget gate alone": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: f * grad_s,
            "That is all, without peepholes. With them, what else sees the old state?",
        ),
        "the gates' slopes forgotten": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (f + s_prev * pf + k * pg) * grad_s,
            "A peephole ends in a sigmoid. What is its slope, written with the gate itself?",
        ),
        "what the gate multiplies forgotten": Wrong(
            lambda grad_s, s_prev, f, g, k, pf, pg: (
                (f + f * (1 - f) * pf + g * (1 - g) * pg) * grad_s
            ),
            "If a gate changes a little, how much does the state change? What does it multiply?",
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
            "Those are the ways through the gates' sums. Does (10.41) have no shorter one?",
        ),
    },
)
def through_the_state(grad_s, s_prev, f, g, k, pf, pg):
    """Give the gradient on s^(t-1) that comes through s^(t), not through h^(t-1)."""
    return (f + s_prev * f * (1 - f) * pf + k * g * (1 - g) * pg) * grad_s


def _how_far_apart(params):
    """How far the two placements are from each other after a step, in words."""
    x, h0 = np.zeros((1, 1)), [0.5, -0.5]
    before, after = (gru_forward(params, x, h0, reset).h[-1] for reset in ("before", "after"))
    gap = abs(before - after).max()
    return "nowhere" if gap < 1e-6 else "a little" if gap < 1.9 else "as far as can be"


def _unit(**given):
    zeros = {name: 0 * array for name, array in init_gru(1, 2, 1).items()}
    return {**zeros, **{name: np.array(value, float) for name, value in given.items()}}


_READS = [[0, 0], [80, 0]]  # the second unit reads the first


@exercise(
    "16-placement",
    hint="Write down the second unit's target twice, once for each placement.",
    measure=_how_far_apart,
    wrong={
        "one value for both reset gates": Wrong(
            _unit(W=_READS, b=[0, -20], bu=[-20, -20]),
            "The two do not differ at all. When can a number move past a matrix, and when can a "
            "vector of gates? And who must read whom?",
        ),
        "apart, and not far": Wrong(
            _unit(W=_READS, br=[20, -20]),
            "They differ. What keeps part of the old state? And what would push one of the two "
            "targets to the other end?",
        ),
    },
)
def placement():
    """Give a unit whose two placements end at opposite ends of the tanh."""
    return _unit(W=_READS, b=[0, -20], br=[20, -20], bu=[-20, -20])
