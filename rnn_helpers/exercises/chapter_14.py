"""The exercises of chapter 14, Echo state networks."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
from rnn_helpers.reference import echo_state_gap, output, ridge_readout, spectral_radius


def _matrices() -> list[tuple]:
    rng = np.random.default_rng(14)
    turning = np.array([[0.3, 0.0, 0.0], [0.0, 0.1, -2.0], [0.0, 2.0, 0.1]])
    negative = np.array([[0.5, 7.0], [0.0, -3.0]])
    return [(turning, 1.0), (negative, 0.9), (rng.normal(size=(6, 6)), 1.2)]


@exercise(
    "14-rescale",
    cases=_matrices,
    hint="Print the eigenvalues of your matrix. Which one sets the spectral radius, and by "
    "which property?",
    success="Scaling a matrix scales every eigenvalue, so you can set the radius exactly. The "
    "norm can differ: for a large Gaussian matrix it is about twice the radius.",
    wrong={
        "the norm": Wrong(
            lambda W, radius: W * radius / np.linalg.norm(W, 2),
            "That sets the largest singular value. For which matrices does it equal the spectral "
            "radius?",
        ),
        "largest real part": Wrong(
            lambda W, radius: W * radius / np.linalg.eigvals(W).real.max(),
            "An eigenvalue can be complex or negative. How large is it then?",
        ),
        "the first eigenvalue": Wrong(
            lambda W, radius: W * radius / abs(np.linalg.eigvals(W)[0]),
            "In which order does NumPy list eigenvalues?",
        ),
        "to a radius of one": Wrong(
            lambda W, radius: W / spectral_radius(W),
            "Your matrix has radius 1. Which radius does the exercise ask for?",
        ),
    },
)
def rescale(W, radius):
    """Scale a matrix to a spectral radius."""
    return W * (radius / np.abs(np.linalg.eigvals(W)).max())


def _series() -> list[tuple]:
    rng = np.random.default_rng(15)

    def case(T, n_h, n_y, penalty, washout, level=2):
        states = rng.normal(0.5, 0.5, (T, n_h))
        y = states @ rng.normal(size=(n_h, n_y)) + rng.normal(level, 0.5, (T, n_y))
        y[:washout] += 5  # a readout that is fitted to the washout gets other weights
        return states, y, penalty, washout

    return [case(30, 4, 1, 2.0, 5), case(50, 3, 2, 0.5, 10), case(40, 3, 2, 1.0, 4, level=-2)]


def _ridge(H, Y, penalties):
    return np.linalg.solve(H.T @ H + np.diag(penalties), H.T @ Y).T


def _centred(h, y, penalty):
    h_mean, y_mean = h.mean(axis=0), y.mean(axis=0)
    V = _ridge(h - h_mean, y - y_mean, np.full(h.shape[1], penalty))
    return V, y_mean - V @ h_mean


def _positive_bias(V, c):
    return V, np.abs(c)


def _penalised_bias(states, y, penalty, washout):
    h = np.column_stack([states[washout:], np.ones(len(states) - washout)])
    both = _ridge(h, y[washout:], np.full(h.shape[1], penalty))
    return both[:, :-1], both[:, -1]


@exercise(
    "14-readout",
    cases=_series,
    hint="Try a penalty of 0 and no washout first: V and c are then those of ordinary least "
    "squares. Is V right there? Is c?",
    success="Training a reservoir's readout is linear regression: its exact solution takes one "
    "linear system and no gradient descent.",
    tolerance=1e-7,
    instance="""
    t = np.arange(9.0)
    states = np.sin(np.outer(t, [0.5, 1.1, 1.9]))
    y = np.stack([np.cos(t) - 3, 1 + t / 4], axis=1)

    print([readout(states, y, 0.5, 2), readout(states[:, :2], y[:, :1], 2.0, 0)])
    """,
    wrong={
        "the bias penalised": Wrong(
            _penalised_bias,
            "A column of ones is a good start. Does your penalty also apply to its weight?",
        ),
        "no penalty": Wrong(
            lambda states, y, penalty, washout: _centred(states[washout:], y[washout:], 0),
            "One argument has no effect on your answer. Which one?",
        ),
        "twice the penalty": Wrong(
            lambda states, y, penalty, washout: _centred(
                states[washout:], y[washout:], 2 * penalty
            ),
            "Both terms of the loss are squares. Does differentiating give a factor of 2 in only "
            "one of them?",
        ),
        "one step too many left out": Wrong(
            lambda states, y, penalty, washout: _centred(
                states[washout + 1 :], y[washout + 1 :], penalty
            ),
            "How many steps are left after the washout? You use one fewer.",
        ),
        "V transposed": Wrong(
            lambda states, y, penalty, washout: (
                readout(states, y, penalty, washout)[0].T,
                readout(states, y, penalty, washout)[1],
            ),
            "Your numbers are right. V multiplies a state of n_h numbers. How many columns does it "
            "have?",
        ),
        "washout forgotten": Wrong(
            lambda states, y, penalty, washout: _centred(states, y, penalty),
            "Which states still depend on the initial state of the reservoir?",
        ),
        "penalty per step": Wrong(
            lambda states, y, penalty, washout: _centred(
                states[washout:], y[washout:], penalty * (len(y) - washout)
            ),
            "The exercise adds up the errors over the steps. Is your penalty on the same scale?",
        ),
        "penalty taken off": Wrong(
            lambda states, y, penalty, washout: _centred(states[washout:], y[washout:], -penalty),
            "Do larger weights cost more or less? Follow the sign through the derivative.",
        ),
        "a bias without its sign": Wrong(
            lambda states, y, penalty, washout: _positive_bias(
                *_centred(states[washout:], y[washout:], penalty)
            ),
            "Your bias is never negative. What if all targets are far below zero?",
        ),
        "the mean as bias": Wrong(
            lambda states, y, penalty, washout: (
                _centred(states[washout:], y[washout:], penalty)[0],
                y[washout:].mean(axis=0),
            ),
            "What does your readout output at the mean state? What should it output there?",
        ),
    },
)
def readout(states, y, penalty, washout):
    """Return the output weights V and the bias c of a ridge regression."""
    return _centred(states[washout:], y[washout:], penalty)


def _memories() -> list[tuple]:
    rng = np.random.default_rng(16)

    def case(T, n_h, k):
        x = rng.uniform(-1, 1, T)
        states, h = np.empty((T, n_h)), np.zeros(n_h)
        mix, W = rng.normal(size=n_h), rng.normal(size=(n_h, n_h)) / n_h**0.5
        for t in range(T):
            h = states[t] = np.tanh(mix * x[t] + 0.9 * W @ h)
        return states, x, k

    return [case(70, 5, 2), case(81, 6, 5), case(50, 4, 0), case(61, 4, 2)]


def _predicted(states, wanted, seen, asked):
    """Return outputs and targets on the steps `asked` of a readout fitted to those `seen`."""
    readout = ridge_readout(states[seen], wanted[seen, None], 1e-8)
    return output(**readout, h=states[asked])[:, 0], wanted[asked]


def _shared(predicted, wanted):
    return np.corrcoef(predicted, wanted)[0, 1] ** 2


def _capacity(
    seen=lambda half: slice(half),
    asked=lambda half: slice(half, None),
    score=_shared,
    split=lambda pairs: pairs // 2,
):
    def capacity(states, x, k):
        wanted, states = x[: len(x) - k], states[k:]
        half = split(len(wanted))
        return score(*_predicted(states, wanted, seen(half), asked(half)))

    return capacity


def _to_come(states, x, k):
    wanted, states = x[k:], states[: len(x) - k]
    half = len(wanted) // 2
    return _shared(*_predicted(states, wanted, slice(half), slice(half, None)))


@exercise(
    "14-capacity",
    cases=_memories,
    hint="Pair the states and the inputs first: which input belongs to the state of step k + 1?",
    success="This is memory on data that the readout hasn't seen. On the N steps it learned from, "
    "a share of about n_h / N would look like memory.",
    tolerance=1e-6,
    instance="""
    def ridge_readout(states, y, penalty):
        h, middle = states - states.mean(axis=0), y.mean(axis=0)
        V = np.linalg.solve(h.T @ h + penalty * np.eye(h.shape[1]), h.T @ (y - middle)).T
        return {"V": V, "c": middle - V @ states.mean(axis=0)}

    def output(V, c, h):
        return h @ V.T + c

    t = np.arange(25.0)
    x, states = np.sin(t**2), np.sin(np.outer(t, [0.5, 1.1, 1.9]))

    print([capacity(states, x, 2), capacity(states, x, 5), capacity(states, x, 0)])
    """,
    wrong={
        "on the half it learned from": Wrong(
            _capacity(asked=lambda half: slice(half)),
            "With enough units, a readout fits any finite series. On which data do you test it?",
        ),
        "on all of it": Wrong(
            _capacity(seen=lambda half: slice(None), asked=lambda half: slice(None)),
            "Your test data contains the training data. Which steps has the readout not seen?",
        ),
        "not squared": Wrong(
            _capacity(score=lambda predicted, wanted: np.corrcoef(predicted, wanted)[0, 1]),
            "Which share of the variance does a correlation of one half explain?",
        ),
        "the error": Wrong(
            _capacity(
                score=lambda predicted, wanted: (
                    1 - np.mean((predicted - wanted) ** 2) / wanted.var()
                )
            ),
            "Your score also counts a wrong scale or mean as an error. Does a correlation?",
        ),
        "the first half rounded up": Wrong(
            _capacity(split=lambda pairs: (pairs + 1) // 2),
            "If the number of pairs is odd, which half gets the pair in the middle?",
        ),
        "a future input": Wrong(
            _to_come, "Should your readout recover a past input or a future one?"
        ),
    },
)
def capacity(states, x, k):
    """Return the squared correlation of the input from k steps ago and a readout's output."""
    return _capacity()(states, x, k)


@exercise(
    "14-chance",
    tolerance=5e-3,
    hint="How many weights does the readout have, and to how many steps is it fitted?",
    success="A fit with n weights explains about n/N of anything on its own data, so memory must "
    "be measured on new steps.",
    wrong={
        "nothing": Wrong((0, 0), "A readout has 100 free weights. Can it fit nothing at all?"),
        "one delay twice": Wrong(
            (0.1, 0.1), "You have one share per delay. How many delays are there?"
        ),
        "delays counted from 1": Wrong(
            (0.1, 20), "How many delays are there from 101 to 200, both included?"
        ),
        "exchanged": Wrong((10.0, 0.1), "Which number is for one delay, and which for all?"),
        "one weight in a hundred": Wrong(
            (0.01, 1), "How many weights are there, and how many steps?"
        ),
    },
)
def by_chance():
    """Return the share that chance explains at one delay, and over 100 delays."""
    return 0.1, 10.0


@exercise(
    "14-slopes",
    tolerance=1e-2,
    hint="By which factor does one step multiply the length of a difference?",
    success="Two thirds is far from saturation: moderate states are enough to make even this W "
    "forget.",
    wrong={
        "the factor of the weights": Wrong(
            (1.5, 0.5), "That's the factor of the weights. What must slope times factor be?"
        ),
        "h squared": Wrong((2 / 3, 1 / 3), "1 - h^2 is the slope. What is h, not h^2?"),
        "exchanged": Wrong(
            ((1 / 3) ** 0.5, 2 / 3), "Which of your two numbers is the slope, and which the state?"
        ),
        "the root of the slope": Wrong(
            (2 / 3, (2 / 3) ** 0.5), "Does your h give the right slope, 1 - h^2?"
        ),
        "any slope below 1": Wrong(
            (1.0, 0.0), "That slope leaves only the weights. What do they do to a difference?"
        ),
    },
)
def largest_slope():
    """Return the slope below which differences shrink, and the size of the state there."""
    return 2 / 3, (1 / 3) ** 0.5


@exercise(
    "14-start",
    tolerance=1e-2,
    hint="By which factor does each step multiply a difference? What do 50 such factors give?",
    success="Fifty steps at radius 0.6 leave about 10^-11 of a signal, so the gradient has "
    "nothing to work with.",
    wrong={
        "multiplied by 50": Wrong(
            (np.log10(0.6 * 50), 0.1 ** (1 / 50)),
            "You multiply by 0.6 fifty times. What is that as a power?",
        ),
        "without a sign": Wrong(
            (-50 * np.log10(0.6), 0.1 ** (1 / 50)),
            "Is the share that is left above 1 or below it? Which sign does its power of ten have?",
        ),
        "the natural logarithm": Wrong(
            (50 * np.log(0.6), 0.1 ** (1 / 50)), "Which base does your logarithm have?"
        ),
        "the share itself": Wrong(
            (0.6**50, 0.1 ** (1 / 50)), "That's the share. Which power of ten is it?"
        ),
        "a tenth divided by 50": Wrong(
            (50 * np.log10(0.6), 0.1 / 50),
            "Which number, raised to the power 50, gives 0.1?",
        ),
        "radius 0.9": Wrong(
            (50 * np.log10(0.6), 0.9),
            "0.9 to the power 50 is about 0.005. Do you need a larger or a smaller radius?",
        ),
    },
)
def left_after_fifty():
    """Return the power of ten left after 50 steps at radius 0.6, and the radius for a tenth."""
    return 50 * np.log10(0.6), 0.1 ** (1 / 50)


def _jacobians() -> list[tuple]:
    rng = np.random.default_rng(17)
    return [
        (np.array([[0.9, 5.0], [0.0, 0.5]]), 3),
        (np.array([[0.9, 5.0], [0.0, 0.5]]), 10),
        (np.array([[0.8, 0.0, 0.0], [3.0, 0.6, 0.0], [0.0, 2.0, 0.7]]), 2),
        (rng.normal(size=(4, 4)) / 2, 1),
    ]


def _eigenvector(J):
    eigenvalues, vectors = np.linalg.eig(J)
    return vectors[:, np.abs(eigenvalues).argmax()]


def _line(v):
    """Return a matrix that is the same for a vector and its negative."""
    return np.outer(v, v)


def _svd(J, n=1):
    return np.linalg.svd(np.linalg.matrix_power(J, n))


@exercise(
    "14-widest",
    cases=_jacobians,
    hint="After n steps a perturbation v has become J^n v. Which unit vector becomes longest?",
    success="The most amplified perturbation starts along a singular vector, not along the "
    "leading eigenvector. For a normal matrix the two agree.",
    tolerance=1e-6,
    measure=_line,
    instance="""
    def line(v):
        return np.outer(v, v)

    print([
        line(widest(np.array([[0.9, 5.0], [0.0, 0.5]]), 3)),
        line(widest(np.array([[0.8, 0.4], [-1.5, 2.9]]), 2)),
    ])
    """,
    wrong={
        "the eigenvector, as printed": Wrong(
            lambda J, n: _eigenvector(J),
            "Measure the length of J^n v for your v and for a few random ones. Does yours win?",
        ),
        "where it ends": Wrong(
            lambda J, n: _svd(J, n)[0][:, 0],
            "That is the direction in which the longest perturbation ends. Where does it start?",
        ),
        "widest after one step": Wrong(
            lambda J, n: _svd(J)[2][0],
            "Your direction is the one that a single step stretches most. Which matrix applies "
            "all n steps?",
        ),
        "a column for a row": Wrong(
            lambda J, n: _svd(J, n)[2][:, 0],
            "Is the last of the three factors that NumPy returns already transposed?",
        ),
    },
)
def widest(J, n):
    """Return the unit vector that n steps make longest."""
    return _svd(J, n)[2][0]


def _gradients() -> list[tuple]:
    rng = np.random.default_rng(18)
    return [
        (np.array([[0.9, 5.0], [0.0, 0.5]]), np.ones(2), np.array([1.0, 0.0]), 0.01, 1),
        (np.array([[0.9, 5.0], [0.0, 0.5]]), np.ones(2), np.array([1.0, 0.0]), 0.5, 10),
        (rng.normal(size=(3, 3)), *rng.normal(size=(2, 3)), 2.0, 4),
    ]


def _sent(J, v, n):
    return np.linalg.norm(np.linalg.matrix_power(J, n) @ v)


@exercise(
    "14-backward",
    cases=_gradients,
    hint="Write one step of back-propagation for a column of gradients. Then subtract the two "
    "gradients.",
    success="Gradients go back by the transposed Jacobian, so eigenvectors of J don't describe "
    "them. Only the eigenvalues are the same in both directions.",
    wrong={
        "J, as printed": Wrong(
            lambda J, g, v, delta, n: delta * _sent(J, v, n),
            "That is the distance between two states on the way forward. Which matrix carries a "
            "gradient back in (G 10.20)?",
        ),
        "powers of the radius": Wrong(
            lambda J, g, v, delta, n: delta * np.linalg.norm(v) * spectral_radius(J) ** n,
            "That holds along a leading eigenvector of the matrix you apply. Is v one?",
        ),
        "the radius alone": Wrong(
            lambda J, g, v, delta, n: delta * spectral_radius(J) ** n,
            "Your distance is the same for every v. For which v does each step multiply the "
            "length by the radius?",
        ),
        "the gradient itself": Wrong(
            lambda J, g, v, delta, n: _sent(J.T, g + delta * v, n),
            "That is the length of the perturbed gradient. How far is it from the other one?",
        ),
        "powers of the entries": Wrong(
            lambda J, g, v, delta, n: delta * np.linalg.norm((J.T**n) @ v),
            "`J.T**n` raises each entry to a power. Which function applies a matrix n times?",
        ),
    },
)
def apart(J, g, v, delta, n):
    """Return the distance of two gradients, one perturbed, after n steps back."""
    return delta * np.linalg.norm(np.linalg.matrix_power(J.T, n) @ v)


checklist(
    "14-enough",
    {
        "The tanh never moves two numbers apart: |tanh a - tanh b| is at most |a - b|.": (
            "What does the mean value theorem say about a function whose slope is at most 1?"
        ),
        "The input and the bias cancel in the difference of the two pre-activations.": (
            "Subtract (G 10.8) for one initial state from (G 10.8) for the other. "
            "Which terms remain?"
        ),
        "So a step multiplies the distance by at most the largest singular value of W.": (
            "Which number bounds how much W stretches any vector, not only an eigenvector?"
        ),
        "The distance after t steps is at most that number to the power of t, times the initial "
        "distance.": ("You have bounded one step. What follows for t steps?"),
        "This holds for every input and every initial state, and it assumes nothing about the "
        "radius.": ("Which of your steps depends on the input?"),
    },
    success="With all singular values of W below 1, a reservoir forgets its initial state for any "
    "input. This is the echo state property.",
)


def _how_they_end(answer):
    """Say in words whether two starts meet in a reservoir without input."""
    W, h0, other_h0 = answer
    still = {"U": np.zeros((2, 1)), "W": W, "b": np.zeros(2)}
    gap = echo_state_gap(still, np.zeros((1000, 1)), h0, other_h0)
    if spectral_radius(W) > 0.9:
        return "the radius is above 0.9"
    return "never meet" if gap[-1] > 0.1 else "meet"


@exercise(
    "14-never-meet",
    hint="Work backwards: first choose a state that should stay where it is, then find a W "
    "that keeps it there.",
    success="Your reservoir never forgets its start, although its spectral radius is below 0.9. A "
    "small radius doesn't guarantee the echo state property.",
    measure=_how_they_end,
    wrong={
        "too large a radius": Wrong(
            (np.array([[2.0, 0.0], [0.0, 2.0]]), [0.1, 0.1], [-0.1, -0.1]),
            "Your two states stay apart. How large is the largest eigenvalue of your matrix in "
            "absolute value?",
        ),
        "they meet": Wrong(
            (np.array([[0.5, 10.0], [0.0, 0.5]]), [0.0, 1.0], [0.0, -1.0]),
            "Your two states meet within 1000 steps. How could the tanh scale the two rows "
            "differently, and keep doing so?",
        ),
    },
)
def never_meet():
    """Return a matrix of small radius and two starts that stay apart."""
    return np.array([[-4.0, 8.0], [-2.0, 4.0]]), np.zeros(2), np.ones(2)


checklist(
    "14-total",
    {
        "Any invertible matrix in front of the state leaves all capacities unchanged.": (
            "A linear readout of A h is also a linear readout of h. Which A makes the units easy "
            "to work with?"
        ),
        "With uncorrelated units of variance 1, a capacity is a sum of squared correlations.": (
            "Solve the regression for the input k steps ago when the units are uncorrelated."
        ),
        "The sums over units and over delays can be exchanged.": (
            "You have one sum over the units for each delay. What do you get for one unit and all "
            "delays?"
        ),
        "Inputs of different steps are uncorrelated, so those squares add up to at most 1.": (
            "What does Bessel's inequality say about the components of a vector along orthogonal "
            "axes?"
        ),
        "There are n_h units, so the total is at most n_h.": ("How many such sums are there?"),
        "If a unit also contains something else, such as a product of two inputs, the total is "
        "smaller.": ("When is Bessel's inequality an equality? How does the tanh change that?"),
    },
    success="A reservoir of n_h units remembers at most n_h inputs linearly, and its nonlinearity "
    "takes away part of that.",
)


TARGETS = {  # by how many inputs are multiplied
    "x(t - 3)": 1,
    "x(t) x(t - 9)": 2,
    "x(t)^2": 2,
    "x(t)^3": 3,
    "x(t) x(t - 1) x(t - 2)": 3,
}


def _targets(told):
    return {target for target, factors in TARGETS.items() if told(factors)}


@exercise(
    "14-signs",
    hint="How is tanh(-a) related to tanh(a)? Follow the sign from h(0) on, then through each "
    "target.",
    success="Without a bias, the states flip their sign with the inputs, so a linear readout can "
    "follow only odd targets. A bias breaks this symmetry.",
    wrong={
        "the targets with one input": Wrong(
            _targets(lambda factors: factors == 1),
            "The tanh isn't linear: tanh a = a - a^3/3 + ... Which powers of a sum of inputs does "
            "it add?",
        ),
        "all of them": Wrong(
            _targets(bool),
            "Take any readout and flip the sign of all inputs. How must its output for x(t)^2 "
            "change?",
        ),
        "all but the product of NARMA-10": Wrong(
            TARGETS.keys() - {"x(t) x(t - 9)"},
            "How does x(t)^2 change when the input changes its sign?",
        ),
        "the even ones": Wrong(
            _targets(lambda factors: factors % 2 == 0),
            "If the output of a readout changes its sign, which targets can it follow?",
        ),
    },
)
def can_tell():
    """Return the targets that change their sign with all inputs, as the states do."""
    return _targets(lambda factors: factors % 2 == 1)


checklist(
    "14-odd",
    {
        "If all inputs change their sign, so do all states: by induction from h(0) = 0.": (
            "How is tanh(-a) related to tanh(a)? Where would b enter?"
        ),
        "The product of two inputs doesn't change its sign with them.": (
            "What is (-x)(-x')? How does the state compare with the state before the change?"
        ),
        "Both signs are equally likely, so the mean of state times product equals its own "
        "negative.": ("Average over the inputs and over their negatives. Which terms cancel?"),
        "So the readout that minimizes the squared error for the product is a constant.": (
            "Which correlations determine the weights of a linear regression?"
        ),
        "Three ways to break the symmetry: a bias, inputs that are not centered, or squares of "
        "the states in the readout.": (
            "Name something that stays the same when the inputs change their sign."
        ),
    },
    success="Centering the inputs of a reservoir without biases can make a task impossible, "
    "however many units it has.",
)


def _starts() -> list[tuple]:
    rng = np.random.default_rng(19)
    Q, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    h0 = rng.normal(size=5)
    h0 /= np.linalg.norm(h0)
    mixed = rng.normal(size=(3, 3))
    return [(1.5 * Q, 1e-12 * h0, 50), (1.5 * Q, h0, 20), (mixed, h0[:3], 6), (0.5 * Q, h0, 4)]


def _bounds(slopes="after", order="later to the left"):
    def bounds(W, h0, T):
        h, J, lengths = h0, np.eye(len(W)), [np.linalg.norm(h0)]
        for _ in range(T):
            before, h = h, np.tanh(W @ h)
            step = (1 - (h if slopes == "after" else before) ** 2)[:, None] * W
            J = step @ J if order == "later to the left" else J @ step
            lengths.append(np.linalg.norm(h))
        return max(lengths), np.linalg.norm(J, 2)

    return bounds


@exercise(
    "14-bounded",
    cases=_starts,
    hint="Run two recursions side by side: one for the state, one for its derivative with "
    "respect to h(0).",
    success="The states stay bounded, but the derivative can grow like a power of the norm of W. A "
    "bounded forward pass doesn't bound the gradient.",
    tolerance=1e-6,
    instance="""
    print([
        bounds(np.array([[0.5, 1.2], [-0.7, 0.3]]), np.array([3.0, -4.0]), 3),
        bounds(np.array([[2.0, 1.0], [0.0, 1.5]]), np.array([0.1, 0.2]), 4),
    ])
    """,
    wrong={
        "slopes of the step before": Wrong(
            _bounds(slopes="before"),
            "The tanh that produced h(t) has a slope. At which point is it taken?",
        ),
        "factors in the wrong order": Wrong(
            _bounds(order="later to the right"),
            "Which Jacobian multiplies the initial perturbation first? On which side is it?",
        ),
        "without the tanh": Wrong(
            lambda W, h0, T: (_bounds()(W, h0, T)[0], np.linalg.norm(W, 2) ** T),
            "That is the bound for a linear network. How do the slopes of the tanh change it?",
        ),
        "the state alone": Wrong(
            lambda W, h0, T: (_bounds()(W, h0, T)[0],) * 2,
            "Your second number describes the state. How does the last state change with the "
            "first?",
        ),
    },
)
def bounds(W, h0, T):
    """Return the length of the longest state and the norm of the last state's derivative."""
    return _bounds()(W, h0, T)
