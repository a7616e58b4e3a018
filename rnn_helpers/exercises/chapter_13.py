"""Exercises of chapter 13, Why gradients vanish."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _symmetric() -> list[tuple]:
    rng = np.random.default_rng(39)

    def case(n, t):
        Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
        return Q, rng.uniform(-1.2, 1.2, size=n), rng.normal(size=n), t

    return [case(2, 1), case(3, 4), case(5, 7), case(4, 0)]


@exercise(
    "13-power",
    cases=_symmetric,
    hint="Which three steps do you see in the formula if you read it from right to left? Print the "
    "result of each.",
    success="Each coordinate along an eigenvector is multiplied only by powers of its own "
    "eigenvalue. So one part of a state can vanish while another explodes.",
    instance="""
    Q = np.array([[2, 1, 2], [-2, 2, 1], [1, 2, -2]]) / 3

    print([
        state_at(Q, np.array([0.9, -0.5, 1.1]), np.array([1.0, 2.0, -1.0]), 4),
        state_at(Q[:, ::-1], np.array([0.3, 0.7, -1.0]), np.array([0.5, -2.0, 1.0]), 3),
    ])
    """,
    wrong={
        "Q and its transpose exchanged": Wrong(
            lambda Q, eigenvalues, h0, t: Q.T @ (eigenvalues**t * (Q @ h0)),
            "Which of Q and its transpose gives the coordinate of h0 along the first column of Q?",
        ),
        "eigenvalues times t": Wrong(
            lambda Q, eigenvalues, h0, t: Q @ (eigenvalues * t * (Q.T @ h0)),
            "One step multiplies each coordinate once. What do t steps do?",
        ),
        "left in the basis of eigenvectors": Wrong(
            lambda Q, eigenvalues, h0, t: eigenvalues**t * (Q.T @ h0),
            "Those are coordinates along the eigenvectors. How do you get the state from them?",
        ),
    },
)
def state_at(Q, eigenvalues, h0, t):
    """Return the state after t steps, (G 10.39)."""
    return Q @ (eigenvalues**t * (Q.T @ h0))


def _matrices() -> list[tuple]:
    rng = np.random.default_rng(22)
    return [
        (np.array([[0.5, 10.0], [0.0, 0.5]]), 10),
        (np.array([[0.9, 5.0], [0.0, 0.8]]), 40),
        (np.diag([0.9, 0.3]), 5),
        (rng.normal(size=(4, 4)) / 2, 6),
    ]


def _highest(norms) -> tuple[int, float]:
    k = int(np.argmax(norms))
    return k, float(norms[k])


def _powers(W, T) -> list[np.ndarray]:
    return [np.linalg.matrix_power(W, k) for k in range(T + 1)]


@exercise(
    "13-peak",
    cases=_matrices,
    hint="Print the norm of each power, starting with the identity. Where is it largest?",
    success="The powers of a matrix can grow at first even if its spectral radius is below 1. The "
    "spectral radius sets only the rate in the long run.",
    instance="""
    print([
        peak(np.array([[0.9, 5.0], [0.0, 0.5]]), 10),
        peak(np.array([[0.8, -0.6], [0.6, 0.8]]) / 2, 6),
        peak(np.array([[1.2, 1.0], [0.0, 0.9]]), 3),
    ])
    """,
    wrong={
        "spectral radius": Wrong(
            lambda W, T: _highest([max(abs(np.linalg.eigvals(P))) for P in _powers(W, T)]),
            "How far can one step stretch a vector that isn't an eigenvector?",
        ),
        "entry by entry": Wrong(
            lambda W, T: _highest([np.linalg.norm(W**k, 2) for k in range(T + 1)]),
            "`W**2` squares the entries. Which operator applies W twice?",
        ),
        "Frobenius norm": Wrong(
            lambda W, T: _highest([np.linalg.norm(P) for P in _powers(W, T)]),
            "Without a second argument, what does `np.linalg.norm` compute for a matrix? Try it on "
            "the identity.",
        ),
        "power of the norm": Wrong(
            lambda W, T: _highest([np.linalg.norm(W, 2) ** k for k in range(T + 1)]),
            "One step stretches some direction most. Does the next step stretch the result most?",
        ),
    },
)
def peak(W, T):
    """Return the step with the largest norm of a power, and that norm."""
    return _highest([np.linalg.norm(P, 2) for P in _powers(W, T)])


def _draws() -> list[tuple]:
    rng = np.random.default_rng(29)
    return [
        (rng.normal(size=500), 10),
        (rng.uniform(-2, 2, size=300), 5),
        (np.array([2.0, -0.5]), 3),
    ]


@exercise(
    "13-typical",
    cases=_draws,
    hint="The logarithm turns a product into a sum. What is the mean of one of its terms?",
    success="Unless all weights have the same size, the typical product is exponentially smaller "
    "than the root mean square. A variance of 1 doesn't prevent vanishing.",
    instance="""
    print([
        typical_size(np.array([0.5, -2.0, 3.0, 0.1]), 3),
        typical_size(np.array([-1.5, 0.4]), 10),
        typical_size(np.array([2.0, 4.0, -4.0]), 1),
    ])
    """,
    wrong={
        "mean size": Wrong(
            lambda weights, n: np.mean(np.abs(weights)) ** n,
            "That is the mean size of the product. Which few products dominate that mean?",
        ),
        "root mean square": Wrong(
            lambda weights, n: np.mean(weights**2) ** (n / 2),
            "That is the root mean square of the product. Is a typical product that large?",
        ),
        "one weight": Wrong(
            lambda weights, n: np.exp(np.mean(np.log(np.abs(weights)))),
            "That is the typical size of one weight. How many weights does the product have?",
        ),
        "mean without absolute value": Wrong(
            lambda weights, n: np.abs(np.mean(weights)) ** n,
            "Signs cancel in the mean of the weights. Do they cancel in the size of a product?",
        ),
    },
)
def typical_size(weights, n):
    """Return the typical size of a product of n independent weights."""
    return np.exp(n * np.mean(np.log(np.abs(weights))))


@exercise(
    "13-left",
    hint="At most 0.95 is left after one step. How much is left after two?",
    success="Each step can take away only 5 %, but after 100 steps at most 0.006 of the gradient "
    "is left.",
    tolerance=5e-4,
    wrong={
        "times the number of steps": Wrong(
            0.95 * 100,
            "Can a share be larger than 1? How do you write 100 multiplications by one number?",
        ),
        "one step": Wrong(
            0.95, "That share is left after one step. What do the other 99 steps do?"
        ),
        "5 % lost at each step, added up": Wrong(
            0.0,
            "The first step takes 5 % of the gradient. What does the second one take 5 % of?",
        ),
        "lost in one step": Wrong(
            1 - 0.95,
            "Is that the share that a step keeps, or the share it takes away?",
        ),
    },
)
def share_left():
    """Return the largest share of a gradient left after 100 steps with a norm of 0.95."""
    return 0.95**100


checklist(
    "13-bound",
    {
        "With sigma at most 1, the bound is at most 1 for any number of steps.": (
            "How large can the bound be if sigma is 1 or less?"
        ),
        "A gradient is multiplied by the transposed Jacobian, which has the same norm.": (
            "The bound is about the Jacobian. Which matrix multiplies a gradient on the way back?"
        ),
        "An example in which sigma is above 1, but the slopes are so small that gradients "
        "vanish.": ("Can small slopes make up for a large W? What makes slopes small?"),
        "An answer for a spectral radius below 1, with a matrix that proves it.": (
            "Take a matrix whose square is zero. What can the slopes do to its spectral radius?"
        ),
    },
    success="A largest singular value below 1 guarantees that gradients vanish. A spectral radius "
    "below 1 doesn't.",
)


@exercise(
    "13-default-radius",
    cases=lambda: [(0.5,), (0.1,), (1e-3,), (1e-9,)],
    hint="By which factor does one step multiply the slowest mode? Find it from the variance of an "
    "entry. Then count the steps for a share of a half by hand.",
    success="PyTorch's default has a spectral radius near 0.58, so after 13 steps less than a "
    "thousandth of each mode is left. An experiment with this default tests the initialization.",
    wrong={
        "variance for standard deviation": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(1 / 3))) + 1,
            "Is the radius proportional to the variance of an entry, or to its standard deviation?",
        ),
        "half-width for standard deviation": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(0.5))) + 1,
            "You used a/2 as the standard deviation of an entry. What is it exactly?",
        ),
        "not a whole number": Wrong(
            lambda share: np.log(share) / np.log(3**-0.5),
            "Your factor is right. After which whole number of steps is the mode first below the "
            "share?",
        ),
        "the nearest whole number": Wrong(
            lambda share: round(np.log(share) / np.log(3**-0.5)),
            "You round to the nearest step. How much of the mode is left at that step: less than "
            "the share?",
        ),
        "one step too few": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(3**-0.5))),
            "After your number of steps, is the mode below the share, or only one step later?",
        ),
    },
)
def steps_left(share):
    """Return the first step at which the slowest mode of a default matrix is below a share."""
    return int(np.floor(np.log(share) / np.log(3**-0.5))) + 1


@exercise(
    "13-forget-bias",
    cases=lambda: [(0.5, 1), (0.5, 10), (0.1, 100), (0.9, 1000)],
    hint="Which share must each step keep so that the given share remains after T steps? Which "
    "b gives that?",
    success="To keep a fixed share over T steps, the bias must grow like ln T. Chapter 16 uses "
    "this rule to initialize forget gates.",
    wrong={
        "the share divided among the steps": Wrong(
            lambda share, T: _logit(1 - (1 - share) / T),
            "You add up the losses of the steps. Is that how the shares of T steps combine?",
        ),
        "the share itself": Wrong(
            lambda share, T: _logit(share),
            "That keeps the share for one step. What happens over T steps?",
        ),
        "no inverse of the sigmoid": Wrong(
            lambda share, T: share ** (1 / T),
            "That is the output of the sigmoid. Which input gives it?",
        ),
        "wrong sign": Wrong(
            lambda share, T: -_logit(share ** (1 / T)),
            "To keep more, must the bias go up or down?",
        ),
    },
)
def bias_that_keeps(share, T):
    """Return the bias with which a share is left after T steps."""
    return _logit(share ** (1 / T))


def _logit(p):
    return np.log(p / (1 - p))


def _share(meets):
    return lambda d, T, onsets: sum(meets(d, T, s) for s in range(1, onsets + 1)) / onsets


@exercise(
    "13-onset",
    cases=lambda: [(5, 20, 20), (3, 10, 4), (4, 10, 3), (7, 50, 1), (1, 9, 5), (5, 12, 1)],
    hint="List the steps that you can reach from step s by jumps of d. Is T among them?",
    success="A signal reaches step T from only about one step in d. If it always comes at the same "
    "step, a skip connection looks perfect or useless by accident.",
    instance="""
    print([
        share_that_arrives(6, 13, 13),
        share_that_arrives(2, 10, 1),
        share_that_arrives(5, 6, 4),
    ])
    """,
    wrong={
        "any multiple of d": Wrong(
            _share(lambda d, T, s: s % d == 0),
            "The path starts at s and ends at T. Which number must be a multiple of d?",
        ),
        "at least one jump": Wrong(
            _share(lambda d, T, s: T - s >= d),
            "Enough time for one jump isn't sufficient. Where must the last jump land?",
        ),
        "steps counted from zero": Wrong(
            lambda d, T, onsets: sum((T - s) % d == 0 for s in range(onsets)) / onsets,
            "What is the first possible step s, and how many steps are there from s to T?",
        ),
        "a step too few": Wrong(
            _share(lambda d, T, s: (T - s - 1) % d == 0),
            "How long is the jump from s = T - d to T? Does your function count that step?",
        ),
        "the last step left out": Wrong(
            lambda d, T, onsets: sum((T - s) % d == 0 for s in range(1, onsets)) / onsets,
            "Print the steps s that you try. How many are there?",
        ),
    },
)
def share_that_arrives(d, T, onsets):
    """Return the share of steps from which jumps over d steps lead to step T."""
    return _share(lambda d, T, s: (T - s) % d == 0)(d, T, onsets)


def _attractor(w):
    low, high = 1e-9, 1.0
    for _ in range(100):
        h = (low + high) / 2
        low, high = (h, high) if np.tanh(w * h) > h else (low, h)
    return h


def _settled(w, steps):
    h = 1.0
    for _ in range(steps):
        h = np.tanh(w * h)
    return h


@exercise(
    "13-attractor",
    cases=lambda: [(1.1,), (1.5,), (3.0,), (8.0,)],
    hint="First find the attractor: does tanh(wh) give back your h to nine digits? If it does, "
    "take the slope of the map there.",
    success="The more safely a unit holds its bit, the smaller its slope at the attractor. So "
    "less of the gradient reaches the step that wrote the bit.",
    tolerance=1e-6,
    wrong={
        "slope at zero": Wrong(
            lambda w: w,
            "That is the slope at h = 0, which repels the state. Where does the state settle?",
        ),
        "slope of the tanh alone": Wrong(
            lambda w: 1 - _attractor(w) ** 2,
            "That is the slope of tanh alone. What does the chain rule add for tanh(wh)?",
        ),
        "slope at one": Wrong(
            lambda w: w * (1 - np.tanh(w) ** 2),
            "That is the slope at h = 1, before the state has settled. Where does it settle?",
        ),
        "too few iterations": Wrong(
            lambda w: w * (1 - _settled(w, 10) ** 2),
            "For a w near 1, the state settles slowly. Does your h still change in the last "
            "iteration?",
            likely=True,
        ),
        "the attractor itself": Wrong(
            _attractor, "That is the attractor. What is the slope there?"
        ),
    },
)
def kept_by_holding(w):
    """Return the slope of h <- tanh(wh) at its attractor."""
    return w * (1 - _attractor(w) ** 2)
