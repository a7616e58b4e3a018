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
    hint="In three lines: a cosine for each cell, a softmax of the sharpness times these, and the "
    "average of the cells by these weights. What shape has each?",
    wrong={
        "the key's length counts": Wrong(
            _recalls(lambda M, k, beta: beta * (M @ k / _lengths(M))),
            "Make the key twice as long: your weights change. Does a cosine?",
        ),
        "dot products": Wrong(
            _recalls(lambda M, k, beta: beta * (M @ k)),
            "A long cell gets more than its share from you. A cosine asks for direction alone.",
        ),
        "sharpness forgotten": Wrong(
            _recalls(lambda M, k, beta: _cosines(M, k)), "One argument has no influence."
        ),
        "sharpness after the softmax": Wrong(
            lambda M, k, beta: beta * (_softmax(_cosines(M, k)) @ M),
            "What do your weights add up to?",
        ),
        "the best cell alone": Wrong(
            _recalls(lambda M, k, beta: _cosines(M, k), _best),
            "You read one cell whole. How would a gradient tell the key to move?",
        ),
    },
)
def recall(M, k, beta):
    """Average the cells of a memory by how alike the key they are."""
    return _softmax(beta * _cosines(M, k)) @ M


@exercise(
    "18-sharpness",
    tolerance=5e-4,  # two decimals, and it matters that the right cell is none of the others
    hint="All cells but one have the score 0. Write the weight of the right one as a fraction, and "
    "solve for the sharpness.",
    wrong={
        "one other cell": Wrong(
            (np.log(99), np.log(99)), "How many other cells share what is left over?"
        ),
        "all cells are others": Wrong(
            (np.log(99 * 128), np.log(99 * 10**6)),
            "How many cells have the score 0, if one of the 128 is the right one?",
        ),
        "the weight is 1 - 1/N": Wrong(
            (np.log(128), np.log(10**6)),
            "With that sharpness the right cell has as much as all the others together. Try it.",
        ),
        "logarithm to base 10": Wrong(
            (np.log10(99 * 127), np.log10(99 * 999_999)), "Which logarithm undoes exp?"
        ),
        "cosine of 0.99": Wrong(
            (np.log(127) / 0.99, np.log(999_999) / 0.99),
            "The cosine of the right cell is 1. It is the weight that is to be 0.99.",
        ),
    },
)
def sharpness():
    """Give the sharpness at which one cell among 128, and among a million, has weight 0.99."""
    return tuple(float(np.log(99 * (n - 1))) for n in (128, 10**6))


@exercise(
    "18-blur",
    tolerance=5e-3,
    hint="The distances of twenty moves add up, and no move knows of another. What do the "
    "variances of independent numbers do?",
    wrong={
        "the variance": Wrong(4.0, "In which unit is your answer, cells or their squares?"),
        "of one move": Wrong(0.2**0.5, "That is the spread of a single move."),
        "spreads add up": Wrong(
            20 * 0.2**0.5, "Some moves go too far and others not far enough. Do spreads add up?"
        ),
        "the distance": Wrong(20.0, "That is how far it has come. How uncertain is the place?"),
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
    hint="Take one cell and one number of it. What share of the old one is left? What comes to it?",
    wrong={
        "all cells erased": Wrong(
            lambda M, w, e, a: M * (1 - e) + np.outer(w, a),
            "A cell of weight 0 should stay as it is. Does it?",
        ),
        "nothing erased": Wrong(
            lambda M, w, e, a: M + np.outer(w, a), "One argument has no influence."
        ),
        "what is added is erased": Wrong(
            lambda M, w, e, a: (M + np.outer(w, a)) * (1 - np.outer(w, e)),
            "In which order? Let e be 1 everywhere, and look at a cell of weight 1.",
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
    hint="Draw the cells for three vectors, and a finger for each head. Where does each finger "
    "have to be at every step? And what does the write head do while there is nothing to write?",
    wrong={
        "erased in silence": Wrong(
            _programs(e=(1.0, 1.0, 1.0)),
            "All but the last come out. What does your write head do where it stops?",
        ),
        "read too early": Wrong(
            _programs(read=(STAY, ON, ON)),
            "Your read head is ahead by one. At which step does it have to be at the first vector?",
        ),
        "read too late": Wrong(
            _programs(write=(ON, STAY, STAY), read=(STAY, BACK, ON)),
            "Your read head lags behind by one.",
        ),
        "all in one cell": Wrong(
            _programs(write=(STAY, STAY, STAY), read=(STAY, STAY, STAY)),
            "Each vector overwrites the one before. Where should the next one go?",
        ),
        "from the last to the first": Wrong(
            _programs(read=(ON, ON, BACK)), "They come out in the opposite order."
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
    hint="What is read by this key now? What is missing? Which matrix, if it is read by the same "
    "key, gives just that?",
    wrong={
        "the sum": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v, k),
            "Write the same pair twice: your memory holds it twice. What should change when it "
            "already reads right?",
        ),
        "the other way": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(M @ k - v, k),
            "After your write, what is read is farther from the value than before.",
        ),
        "all forgotten": Wrong(
            lambda M, k, v, eta: (1 - eta) * M + eta * np.outer(v, k),
            "What is stored by a key at right angles to this one should stay as it was.",
        ),
        "made to a unit vector": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v - M @ k, k) / (k @ k),
            "You divide by the length of the key. Does the gradient?",
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
    hint="All scores at once are a matrix: which step asks stands in the row. Which of its entries "
    "must not count? And what score makes a weight 0?",
    wrong={
        "the future is heard": Wrong(
            _attends(seen=10**6),
            "Your first step hears what is written after it. What may it know?",
        ),
        "one step into the future": Wrong(
            _attends(seen=1), "Each of your steps hears the pair of the next one."
        ),
        "not divided": Wrong(
            _attends(scale=False), "By what are scores divided, where vectors have d numbers?"
        ),
        "masked after the softmax": Wrong(
            lambda q, k, v: (_softmax(q @ k.T / np.sqrt(q.shape[1]), axis=1) * np.tri(len(q))) @ v,
            "What do the weights of your first step add up to?",
        ),
        "out of range": Wrong(
            _attends(weigh=_unshifted),
            "Your function should survive scores of 1000. What may be subtracted from a row?",
        ),
    },
)
def attend(q, k, v):
    """Read at each step all pairs written so far."""
    return _attends()(q, k, v)


checklist(
    "18-unbiased",
    {
        "The mean reward is the sum of w_i R_i, with R_i the reward if cell i is read.": (
            "What is the mean of a number that depends on which cell was drawn?"
        ),
        "Its derivative by the score e_j is w_j (R_j - mean reward): a softmax's.": (
            "How does the weight of one cell change if the score of another rises?"
        ),
        "The mean of (R_i - b) (1[i = j] - w_j) over the draw i is w_j R_j - w_j times the mean "
        "reward, and a term in b.": (
            "Write the mean over the draw as a sum over the cells, each by its w_i."
        ),
        "The term in b is b times the mean of (1[i = j] - w_j), which is 0; so b changes no mean, "
        "as long as it does not depend on the draw.": (
            "What is the mean of 1[i = j] over the draw? And why must b not know what was drawn?"
        ),
    },
)
