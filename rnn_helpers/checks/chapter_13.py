"""The exercises of chapter 13, Why gradients vanish."""

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
    hint="Three stages: into the frame of the eigenvectors, stretch, back. Print each of them.",
    wrong={
        "Q and its transpose exchanged, as printed": Wrong(
            lambda Q, eigenvalues, h0, t: Q.T @ (eigenvalues**t * (Q @ h0)),
            "Which of the two gives the coordinate of h0 along the first column of Q?",
        ),
        "times t in place of to the power of t": Wrong(
            lambda Q, eigenvalues, h0, t: Q @ (eigenvalues * t * (Q.T @ h0)),
            "One step multiplies each coordinate once. And t steps?",
        ),
        "not turned back": Wrong(
            lambda Q, eigenvalues, h0, t: eigenvalues**t * (Q.T @ h0),
            "Those are coordinates along the eigenvectors. What is the state?",
        ),
    },
)
def state_at(Q, eigenvalues, h0, t):
    """Give the state of (10.39), corrected."""
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
    hint="Print the norm of every power, from the identity on. Where is the largest?",
    wrong={
        "spectral radius": Wrong(
            lambda W, T: _highest([max(abs(np.linalg.eigvals(P))) for P in _powers(W, T)]),
            "How far can one step carry a vector that is no eigenvector?",
        ),
        "entry by entry": Wrong(
            lambda W, T: _highest([np.linalg.norm(W**k, 2) for k in range(T + 1)]),
            "`W**2` squares the entries. Two steps are `W @ W`.",
        ),
        "Frobenius norm": Wrong(
            lambda W, T: _highest([np.linalg.norm(P) for P in _powers(W, T)]),
            "Without a second argument, what does `np.linalg.norm` compute for a matrix? Try it on "
            "the identity.",
        ),
        "power of the norm": Wrong(
            lambda W, T: _highest([np.linalg.norm(W, 2) ** k for k in range(T + 1)]),
            "The direction that one step stretches most need not be the one the next step "
            "stretches.",
        ),
    },
)
def peak(W, T):
    """Give the power of largest norm, and that norm."""
    return _highest([np.linalg.norm(P, 2) for P in _powers(W, T)])


def _draws() -> list[tuple]:
    rng = np.random.default_rng(29)
    return [
        (rng.normal(size=10000), 10),
        (rng.uniform(-2, 2, size=5000), 5),
        (np.array([2.0, -0.5]), 3),
    ]


@exercise(
    "13-typical",
    cases=_draws,
    hint="A product becomes a sum under the logarithm. What is the mean of one of its terms?",
    wrong={
        "mean size": Wrong(
            lambda weights, n: np.mean(np.abs(weights)) ** n,
            "That is the mean of the size of the product. Which few products make up that mean?",
        ),
        "root mean square": Wrong(
            lambda weights, n: np.mean(weights**2) ** (n / 2),
            "That is what the source scales: the mean square. Is it typical?",
        ),
        "one weight": Wrong(
            lambda weights, n: np.exp(np.mean(np.log(np.abs(weights)))),
            "That is the typical size of one weight. There are n of them.",
        ),
        "mean without absolute value": Wrong(
            lambda weights, n: np.abs(np.mean(weights)) ** n,
            "The signs cancel in the mean, and not in the size of a product.",
        ),
    },
)
def typical_size(weights, n):
    """Give the typical size of a product of n independent weights."""
    return np.exp(n * np.mean(np.log(np.abs(weights))))


checklist(
    "13-bound",
    {
        "With sigma at most 1 the bound is at most 1 for any number of steps.": (
            "Read the bound the other way round: what would a sigma of 1 allow?"
        ),
        "A gradient is multiplied by the transposed Jacobian, whose norm is the same.": (
            "The bound speaks of the Jacobian. What is done to a gradient on the way back?"
        ),
        "A network with sigma above 1 whose slopes are small enough for its gradient to vanish.": (
            "Can the slopes make up for a large W? What makes them small?"
        ),
        "Whether a spectral radius below one does, with a matrix that decides it.": (
            "Look at the first steps of the matrix with both eigenvalues one half; then ask what "
            "slopes can do to a matrix whose square is zero."
        ),
    },
)


@exercise(
    "13-default-radius",
    cases=lambda: [(0.5,), (0.1,), (1e-3,), (1e-9,)],
    hint="What is the variance of an even distribution from -a to a?",
    wrong={
        "variance for standard deviation": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(1 / 3))) + 1,
            "The radius goes with the standard deviation of an entry, not with its variance.",
        ),
        "half-width for standard deviation": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(0.5))) + 1,
            "An even distribution of half-width a is narrower than a, but not by half.",
        ),
        "one step too few": Wrong(
            lambda share: int(np.floor(np.log(share) / np.log(3**-0.5))),
            "Try it: is it below the share by then, or only after the next step?",
        ),
    },
)
def steps_left(share):
    """Give the steps after which the slowest mode of a default matrix is below a share."""
    return int(np.floor(np.log(share) / np.log(3**-0.5))) + 1


@exercise(
    "13-forget-bias",
    cases=lambda: [(0.5, 1), (0.5, 10), (0.1, 100), (0.9, 1000)],
    hint="What must be kept at each step, so that the share is left at the end? Then which b?",
    wrong={
        "the share divided among the steps": Wrong(
            lambda share, T: _logit(1 - (1 - share) / T),
            "Losses of a step multiply; they do not add up.",
        ),
        "the share itself": Wrong(
            lambda share, T: _logit(share), "That keeps the share for one step. There are T."
        ),
        "no inverse of the sigmoid": Wrong(
            lambda share, T: share ** (1 / T),
            "That is what the sigmoid should give. What must go into it?",
        ),
        "sign": Wrong(
            lambda share, T: -_logit(share ** (1 / T)),
            "To keep more, must the bias go up or down?",
        ),
    },
)
def bias_that_keeps(share, T):
    """Give the bias with which a share is left after T steps."""
    return _logit(share ** (1 / T))


def _logit(p):
    return np.log(p / (1 - p))


def _share(meets):
    return lambda d, T, onsets: sum(meets(d, T, s) for s in range(1, onsets + 1)) / onsets


@exercise(
    "13-onset",
    cases=lambda: [(5, 20, 20), (3, 10, 4), (4, 10, 3), (7, 50, 1), (1, 9, 5), (5, 12, 1)],
    hint="List the steps that can be reached from step s by jumps of d. Is T among them?",
    wrong={
        "any multiple of d": Wrong(
            _share(lambda d, T, s: s % d == 0),
            "The path begins at s and ends at T. Which of their combinations must d divide?",
        ),
        "near enough": Wrong(
            _share(lambda d, T, s: T - s >= d),
            "Enough time for one jump is not enough: the last jump must land on T.",
        ),
        "onsets from zero, or a step too many": Wrong(
            lambda d, T, onsets: sum((T - s) % d == 0 for s in range(onsets)) / onsets,
            "Yours takes every signal for a step older than it is. What is the first s, and how "
            "many steps are there from s to T?",
        ),
        "a step too few": Wrong(
            _share(lambda d, T, s: (T - s - 1) % d == 0),
            "How long is the jump from s = T - d to T? Try what yours says of it.",
        ),
        "the last onset left out": Wrong(
            lambda d, T, onsets: sum((T - s) % d == 0 for s in range(1, onsets)) / onsets,
            "Print the steps s that you look at. How many are there?",
        ),
    },
)
def share_that_arrives(d, T, onsets):
    """Give the share of onsets from which a skip of d steps leads to step T."""
    return _share(lambda d, T, s: (T - s) % d == 0)(d, T, onsets)


def _attractor(w):
    low, high = 1e-9, 1.0
    for _ in range(100):
        h = (low + high) / 2
        low, high = (h, high) if np.tanh(w * h) > h else (low, h)
    return h


@exercise(
    "13-attractor",
    cases=lambda: [(1.1,), (1.5,), (3.0,), (8.0,)],
    hint="Where does the curve tanh(wh) cross the diagonal? The slope is asked for there.",
    tolerance=1e-6,
    wrong={
        "slope at zero": Wrong(
            lambda w: w, "That is the fixed point that repels. Where does the state rest?"
        ),
        "slope of the tanh alone": Wrong(
            lambda w: 1 - _attractor(w) ** 2,
            "The map is tanh of w times h. What does the chain rule add?",
        ),
        "slope at one": Wrong(
            lambda w: w * (1 - np.tanh(w) ** 2),
            "That is the slope at h = 1, one step before the state is at rest. Iterate on.",
        ),
        "the attractor itself": Wrong(_attractor, "That is where it rests. What is the slope?"),
    },
)
def kept_by_holding(w):
    """Give the slope of h <- tanh(wh) at its attractor."""
    return w * (1 - _attractor(w) ** 2)
