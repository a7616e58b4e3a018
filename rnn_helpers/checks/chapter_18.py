"""The exercises of chapter 18, Explicit memory."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _memories() -> list[tuple]:
    rng = np.random.default_rng(180)
    cases = [(rng.normal(size=(n, d)), rng.normal(size=d), beta) for n, d, beta in _SIZES]
    half = np.array([1.0, 1.0, 0.0, 0.0])  # half of a cell that is found whole
    return [*cases, (np.array([[1.0, 1, -1, 1], [3, -3, 3, 3], [-1, 1, 1, 1]]), half, 20.0)]


_SIZES = ((5, 3, 1.0), (4, 4, 5.0), (3, 3, 0.5), (6, 2, 3.0))


def _lengths(vectors):
    return np.sqrt((vectors**2).sum(axis=-1))


def _softmax(scores, axis=0):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _cosines(M, k):
    return M @ k / (_lengths(M) * _lengths(k))


def _recalls(score, weigh=_softmax):
    return lambda M, k, beta: weigh(score(M, k, beta)) @ M


def _best(scores):
    return (scores == scores.max()).astype(float)


@exercise(
    "18-recall",
    cases=_memories,
    hint="Write three lines: a cosine for each cell, a softmax of beta times the cosines, and "
    "a weighted average. Which shape does each result have?",
    success="Reading by content finds a cell from any similar key, even from half of its entries. "
    "A softmax keeps the reading differentiable, as in attention.",
    wrong={
        "the key's length counts": Wrong(
            _recalls(lambda M, k, beta: beta * (M @ k / _lengths(M))),
            "Make the key twice as long: your weights change. Would a cosine?",
        ),
        "dot products": Wrong(
            _recalls(lambda M, k, beta: beta * (M @ k)),
            "Your scores favor long cells. Does a cosine?",
        ),
        "sharpness forgotten": Wrong(
            _recalls(lambda M, k, beta: _cosines(M, k)),
            "One argument has no effect on your answer. Which one?",
        ),
        "sharpness after the softmax": Wrong(
            lambda M, k, beta: beta * (_softmax(_cosines(M, k)) @ M),
            "What do your weights add up to?",
        ),
        "the best cell alone": Wrong(
            _recalls(lambda M, k, beta: _cosines(M, k), _best),
            "You read only the best cell. Which gradient would the key get?",
        ),
    },
)
def recall(M, k, beta):
    """Average the cells of a memory by how alike the key they are."""
    return _softmax(beta * _cosines(M, k)) @ M


@exercise(
    "18-sharpness",
    tolerance=5e-4,  # two decimals, and it matters that the right cell is none of the others
    hint="All cells but one have the score 0. Write the weight of the right cell as a "
    "fraction, and solve for beta.",
    success="The sharpness needed grows only with the logarithm of the number of cells: about "
    "8,000 times as many cells take about twice the sharpness.",
    wrong={
        "one other cell": Wrong(
            (np.log(99), np.log(99)), "How many other cells share the remaining weight?"
        ),
        "all cells are others": Wrong(
            (np.log(99 * 128), np.log(99 * 10**6)),
            "How many cells have the score 0, if one of the 128 is the right one?",
        ),
        "the weight is 1 - 1/N": Wrong(
            (np.log(128), np.log(10**6)),
            "With your beta, the right cell weighs about as much as all the others together. "
            "Which weight should it have?",
        ),
        "logarithm to base 10": Wrong(
            (np.log10(99 * 127), np.log10(99 * 999_999)), "Which logarithm is the inverse of exp?"
        ),
        "cosine of 0.99": Wrong(
            (np.log(127) / 0.99, np.log(999_999) / 0.99),
            "The cosine of the right cell is 1. Which quantity should be 0.99?",
        ),
    },
)
def sharpness():
    """Give the sharpness at which one cell among 128, and among a million, has weight 0.99."""
    return tuple(float(np.log(99 * (n - 1))) for n in (128, 10**6))


@exercise(
    "18-blur",
    tolerance=5e-3,
    hint="The 20 moves are independent and their distances add up. How do the variances of "
    "independent numbers combine?",
    success="The spread grows with the square root of the number of moves. So a head loses its "
    "place over a long sequence unless it sharpens its weights.",
    wrong={
        "the variance": Wrong(4.0, "Is your answer in cells, or in squared cells?"),
        "of one move": Wrong(
            0.2**0.5, "That is the spread of a single move. How does it grow over 20 moves?"
        ),
        "spreads add up": Wrong(
            20 * 0.2**0.5,
            "Some moves go too far and others not far enough. Do their spreads add up?",
        ),
        "the distance": Wrong(
            20.0, "That is the mean distance of the head. How uncertain is its position?"
        ),
    },
)
def blur():
    """Give the standard deviation of a head's place after twenty moves that are not sharp."""
    return float(np.sqrt(20 * (0.1 + 0.1)))


def _writes() -> list[tuple]:
    rng = np.random.default_rng(181)
    return [
        (rng.normal(size=(n, d)), _softmax(rng.normal(size=n)), rng.random(d), rng.normal(size=d))
        for n, d in ((4, 3), (3, 3), (2, 5), (5, 1))
    ]


@exercise(
    "18-write",
    cases=_writes,
    hint="Take one number of one cell. Which share of the old value remains, and how much is "
    "added?",
    success="Your write changes each cell in proportion to its weight, so gradients pass through "
    "it. With sharp weights it works like ordinary computer memory.",
    wrong={
        "all cells erased": Wrong(
            lambda M, w, e, a: M * (1 - e) + np.outer(w, a),
            "A cell of weight 0 should stay the same. Does it?",
        ),
        "nothing erased": Wrong(
            lambda M, w, e, a: M + np.outer(w, a),
            "One argument has no effect on your answer. Which one?",
        ),
        "what is added is erased": Wrong(
            lambda M, w, e, a: (M + np.outer(w, a)) * (1 - np.outer(w, e)),
            "Let e be 1 everywhere and look at a cell of weight 1. In which order do you erase "
            "and add?",
        ),
        "replaced by its weight": Wrong(
            lambda M, w, e, a: M * (1 - w[:, None]) + np.outer(w, a),
            "What should happen where e is 0?",
        ),
        "all cells get all": Wrong(
            lambda M, w, e, a: M * (1 - np.outer(w, e)) + a,
            "How much is added to a cell of weight 0?",
        ),
    },
)
def write(M, w, e, a):
    """Give the memory after a write by the weights w."""
    return M * (1 - np.outer(w, e)) + np.outer(w, a)


def _copied(program):
    """What the read head finds at the last n steps, if a machine follows the program."""
    write, read, e = (np.asarray(part, float) for part in program)
    n = len(write) // 2
    if write.shape != (2 * n + 1, 3) or read.shape != write.shape or e.shape != (2 * n + 1,):
        raise ValueError("the program has other shapes than it should")
    shown = np.zeros((2 * n + 1, 4))
    shown[:n] = np.random.default_rng(n).normal(size=(n, 4))
    M = np.zeros((2 * n + 2, 4))
    w = r = np.eye(2 * n + 2)[0]
    found = []
    for t in range(2 * n + 1):
        w, r = _moved(w, write[t]), _moved(r, read[t])
        M = M * (1 - e[t] * w[:, None]) + np.outer(w, shown[t])
        found.append(r @ M)
    return np.array(found[n + 1 :])


def _moved(w, s):
    return sum(share * np.roll(w, by) for by, share in zip((-1, 0, 1), s, strict=True))


STAY, ON, BACK = np.eye(3)[[1, 2, 0]]


def _programs(write=(ON, STAY, STAY), read=(STAY, STAY, ON), e=(1.0, 0.0, 0.0)):
    """Programs that do one thing while they are shown, one at the mark, and one in silence."""

    def program(n):
        times = (n, 1, n)
        return tuple(np.repeat(np.array(part), times, axis=0) for part in (write, read, e))

    return program


@exercise(
    "18-copier",
    cases=lambda: [(n,) for n in (1, 2, 5, 9)],
    tolerance=1e-3,
    measure=_copied,
    hint="Draw the cells for three vectors and mark where each head must be at every step. "
    "What does the write head do in silence?",
    success="Your program copies lists of any length by three fixed rules. A trained controller "
    "that finds such rules can copy longer lists than it has seen.",
    wrong={
        "erased in silence": Wrong(
            _programs(e=(1.0, 1.0, 1.0)),
            "All vectors but the last come out. What does your write head do where it stops?",
        ),
        "read too early": Wrong(
            _programs(read=(STAY, ON, ON)),
            "Your read head is one cell ahead. At which step must it be at the first vector?",
        ),
        "read too late": Wrong(
            _programs(write=(ON, STAY, STAY), read=(STAY, BACK, ON)),
            "Your read head is one cell behind. At which step must it be at the first vector?",
        ),
        "all in one cell": Wrong(
            _programs(write=(STAY, STAY, STAY), read=(STAY, STAY, STAY)),
            "Each vector overwrites the one before. Where should the next one go?",
        ),
        "from the last to the first": Wrong(
            _programs(read=(ON, ON, BACK)),
            "Your vectors come out in reverse order. In which direction must the read head move?",
        ),
    },
)
def program(n):
    """Give the shifts of both heads, and what is erased, for a machine that copies n vectors."""
    return _programs()(n)


def _pairs() -> list[tuple]:
    rng = np.random.default_rng(182)
    cases = [
        (rng.normal(size=(n, d)), rng.normal(size=d), rng.normal(size=n), beta)
        for n, d, beta in ((2, 3, 0.5), (3, 3, 0.3), (1, 4, 1.0))
    ]
    M, k, v, _ = cases[1]
    return [*cases, (M, k / _lengths(k), v, 1.0)]


@exercise(
    "18-delta",
    cases=_pairs,
    hint="What does this key read now, and what is missing? Which matrix gives exactly the "
    "missing part when read by the same key?",
    success="The delta rule writes only the error. So a pair that already reads correctly changes "
    "nothing, and orthogonal keys keep their values.",
    wrong={
        "the sum": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v, k),
            "Write the same pair twice: your memory holds it twice. What should change if it "
            "already reads correctly?",
        ),
        "the other way": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(M @ k - v, k),
            "After your write, the key reads a value farther from v than before. In which "
            "direction does gradient descent step?",
        ),
        "all forgotten": Wrong(
            lambda M, k, v, eta: (1 - eta) * M + eta * np.outer(v, k),
            "Take a key at a right angle to this one. Should its value change?",
        ),
        "made to a unit vector": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v - M @ k, k) / (k @ k),
            "You divide by the squared length of the key. Does the gradient?",
        ),
    },
)
def delta(M, k, v, eta):
    """Take one step down the gradient of half the squared error of reading by a key."""
    return M + eta * np.outer(v - M @ k, k)


def _sequences() -> list[tuple]:
    rng = np.random.default_rng(183)
    cases = [
        (rng.normal(size=(T, d)), rng.normal(size=(T, d)), rng.normal(size=(T, n)))
        for T, d, n in ((5, 3, 2), (4, 4, 4), (1, 2, 3), (6, 2, 6))
    ]
    q, k, v = cases[0]
    return [*cases, (1000 * q, k, v)]


def _attends(seen=0, scale=True, weigh=_softmax):
    """Attention to all steps up to this one, and as many more as `seen` says."""

    def attend(q, k, v):
        T, d = q.shape
        scores = q @ k.T / (np.sqrt(d) if scale else 1)
        with np.errstate(all="ignore"):
            return weigh(np.where(np.tri(T, k=seen), scores, -np.inf), axis=1) @ v

    return attend


def _unshifted(scores, axis):
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


@exercise(
    "18-attend",
    cases=_sequences,
    hint="All scores form a matrix with one row per query. Which entries must not count, and "
    "which score gives a weight of 0?",
    success="No step needs the result of another, so all steps can be computed at once. A "
    "recurrent network has to compute its states in order.",
    wrong={
        "the future is heard": Wrong(
            _attends(seen=10**6),
            "Your first step depends on later values. Which values may it use?",
        ),
        "one step into the future": Wrong(
            _attends(seen=1), "Each of your steps also uses the pair of the next step. Should it?"
        ),
        "not divided": Wrong(
            _attends(scale=False),
            "Which number divides the scores when the vectors have d entries?",
        ),
        "masked after the softmax": Wrong(
            lambda q, k, v: (_softmax(q @ k.T / np.sqrt(q.shape[1]), axis=1) * np.tri(len(q))) @ v,
            "What do the weights of your first step add up to?",
        ),
        "out of range": Wrong(
            _attends(weigh=_unshifted),
            "What is exp(1000)? Which number can you subtract from a row without changing its "
            "weights?",
        ),
    },
)
def attend(q, k, v):
    """Read at each step all pairs written so far."""
    return _attends()(q, k, v)


checklist(
    "18-unbiased",
    {
        "The mean reward is the sum of w_i R_i, where R_i is the reward for reading cell i.": (
            "What is the mean of a number that depends on the drawn cell?"
        ),
        "Its derivative with respect to the score e_j is w_j (R_j - mean reward), by the "
        "derivative of a softmax.": (
            "How does the weight of one cell change if the score of another rises?"
        ),
        "The mean of (R_i - b) (1[i = j] - w_j) over the draw i is w_j R_j - w_j times the mean "
        "reward, and a term in b.": (
            "Write the mean over the draw as a sum over the cells, weighted by w_i. Which terms "
            "contain b?"
        ),
        "The term in b is b times the mean of (1[i = j] - w_j), which is 0. So b doesn't change "
        "the mean, as long as b doesn't depend on the draw.": (
            "What is the mean of 1[i = j] over the draw? Why must b not depend on the draw?"
        ),
    },
    success="A baseline leaves the mean of the gradient unchanged, so you may choose it to reduce "
    "the variance.",
)
