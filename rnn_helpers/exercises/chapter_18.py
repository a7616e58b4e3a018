"""The exercises of chapter 18, Explicit memory."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _memories() -> list[tuple]:
    rng = np.random.default_rng(180)
    cases = [(rng.normal(size=(n, d)), rng.normal(size=d), beta) for n, d, beta in _SIZES]
    half = np.array([1.0, 1.0, 0.0, 0.0])  # the first half of one cell
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
    "18-read",
    tolerance=5e-3,
    hint="Weight each cell and add up. Then compare the first cell with this average.",
    success="The gradient of a score is its weight times the part in which its cell differs from "
    "the average. So a cell with a tiny weight gets a tiny gradient.",
    wrong={
        "plain mean": Wrong((2.0, 1.0), "Which weights does your average use?"),
        "not compared with the reading": Wrong(
            (2.5, 2.0), "If the weight of one cell rises, what happens to the other weights?"
        ),
        "without the weight": Wrong(
            (2.5, 1.5), "How strongly does this cell contribute to the reading at all?"
        ),
        "the best cell alone": Wrong((4.0, 0.0), "Do you read one cell, or an average of all?"),
        "opposite sign": Wrong(
            (2.5, -0.75),
            "A larger first number raises the loss. Does a higher score of cell 1 raise the "
            "first number?",
        ),
    },
)
def read():
    """Return the first number of the reading, and the gradient of the first cell's score."""
    w, column = np.array([0.5, 0.25, 0.25]), np.array([4.0, 0.0, 2.0])
    reading = w @ column
    return float(reading), float(w[0] * (column[0] - reading))


@exercise(
    "18-recall",
    cases=_memories,
    hint="Check three lines one after another: a cosine for each cell, a softmax of beta times the "
    "cosines, a weighted average of the cells. Which is the first that isn't what you expect?",
    success="Any similar key finds the cell, even one with half of its entries. The softmax keeps "
    "the reading differentiable, as in attention.",
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
        "one norm for all cells": Wrong(
            _recalls(lambda M, k, beta: beta * (M @ k) / (np.linalg.norm(M) * _lengths(k))),
            "You divide all scores by one number. How long is each cell?",
        ),
        "the lengths of the columns": Wrong(
            _recalls(lambda M, k, beta: beta * (M / np.linalg.norm(M, axis=0)) @ k / _lengths(k)),
            "A cell is a row of M. Along which axis do you compute its length?",
        ),
        "the weights": Wrong(
            lambda M, k, beta: _softmax(beta * _cosines(M, k)),
            "Your weights are right. What do you read with them?",
        ),
        "sharpness after the softmax": Wrong(
            lambda M, k, beta: beta * (_softmax(_cosines(M, k)) @ M),
            "What do your weights add up to?",
        ),
        "the best cell alone": Wrong(
            _recalls(lambda M, k, beta: _cosines(M, k), _best),
            "You read only the best cell. What gradient would the key get?",
        ),
    },
)
def recall(M, k, beta):
    """Return the average of the cells, weighted by their cosines with the key."""
    return _softmax(beta * _cosines(M, k)) @ M


@exercise(
    "18-size",
    hint="How many numbers does the matrix have, and how many does a pair take?",
    success="A cache of d/2 pairs is as large as the matrix. After that, it needs ever more room.",
    wrong={
        "keys alone": Wrong(
            (128, 78.125), "A pair is a key and a value. How many numbers is that?"
        ),
        "one row of the matrix": Wrong(
            (0.5, 20_000), "How many rows and columns does the matrix have?"
        ),
        "as many pairs as numbers in a key": Wrong(
            (128, 156.25), "How many numbers do 128 pairs take, and how many does the matrix have?"
        ),
        "times the cache of the first answer, rounded": Wrong(
            (64, 156), "Don't round the factor to a whole number. What is 10,000 / 64?"
        ),
    },
)
def size():
    """Return the pairs in a cache as large as the matrix, and how much larger 10,000 pairs are."""
    d, steps = 128, 10_000
    return d * d / (2 * d), steps * 2 * d / (d * d)


@exercise(
    "18-sharpness",
    tolerance=5e-4,  # two decimals distinguish 127 other cells from 128
    hint="All cells but one have the score 0. Write the weight of the right cell as a "
    "fraction, and solve for beta.",
    success="The sharpness that you need grows only with the logarithm of the number of cells. "
    "Almost 8,000 times as many cells need about twice the sharpness.",
    wrong={
        "one other cell": Wrong(
            (np.log(99), np.log(99)), "How many other cells share the remaining weight?"
        ),
        "all cells are others": Wrong(
            (np.log(99 * 128), np.log(99 * 10**6)),
            "One of the 128 cells is the right one. How many cells have the score 0?",
        ),
        "the weight is 1 - 1/N": Wrong(
            (np.log(128), np.log(10**6)),
            "With your beta, the right cell has about the same weight as all the others together. "
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
    """Return the sharpness that gives one cell of 128, or of a million, the weight 0.99."""
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
    """Return the standard deviation of a head's position after twenty blurred moves."""
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
    success="The write changes each cell in proportion to its weight, so gradients pass through "
    "it. With sharp weights it works like ordinary computer memory.",
    instance="""
    M = np.array([[0.9, -0.4], [0.2, 1.3], [-0.7, 0.5]])

    print(write(M, np.array([0.1, 0.2, 0.7]), np.array([0.4, 0.9]), np.array([-1.5, 0.6])))
    """,
    wrong={
        "all cells erased": Wrong(
            lambda M, w, e, a: M * (1 - e) + np.outer(w, a),
            "A cell of weight 0 should stay the same. Does it?",
        ),
        "nothing erased": Wrong(
            lambda M, w, e, a: M + np.outer(w, a),
            "One argument has no effect on your answer. Which one?",
        ),
        "added before erasing": Wrong(
            lambda M, w, e, a: (M + np.outer(w, a)) * (1 - np.outer(w, e)),
            "Let e be 1 everywhere and look at a cell of weight 1. In which order do you erase "
            "and add?",
        ),
        "replaced by its weight": Wrong(
            lambda M, w, e, a: M * (1 - w[:, None]) + np.outer(w, a),
            "What should happen where e is 0?",
        ),
        "everything added to all cells": Wrong(
            lambda M, w, e, a: M * (1 - np.outer(w, e)) + a,
            "How much is added to a cell of weight 0?",
        ),
    },
)
def write(M, w, e, a):
    """Return the memory after a write with the weights w."""
    return M * (1 - np.outer(w, e)) + np.outer(w, a)


@exercise(
    "18-slip",
    hint="Write the cells down after each step. What is in cell 3 after step 4?",
    success="One missed move overwrites a vector and shifts all later ones. So a head must be in "
    "step every time.",
    wrong={
        "vector 4 never written": Wrong((3, 4), "Vector 4 was written too. Where?"),
        "old content kept": Wrong((3, 3), "What does a write do to the old content of its cell?"),
        "only one output wrong": Wrong((4, 4), "Is vector 5 output at the fifth position?"),
        "the fourth counted as right": Wrong(
            (4, 3), "Compare position by position. Which vector comes out fourth?"
        ),
        "vector 5 in cell 3": Wrong(
            (5, 2), "Which vector is written at step 5, and into which cell?"
        ),
    },
)
def slip():
    """Return the vector that comes out third, and how many of the five outputs are right."""
    cells = dict(zip((1, 2, 3, 3, 4), (1, 2, 3, 4, 5), strict=True))
    return cells[3], sum(cells.get(i) == i for i in range(1, 6))


def _copied(program):
    """Return the readings of the last n steps of a machine that follows the program."""
    write, read, e = (np.asarray(part, float) for part in program)
    n = len(write) // 2
    if write.shape != (2 * n + 1, 3) or read.shape != write.shape or e.shape != (2 * n + 1,):
        raise ValueError("the arrays of the program have the wrong shapes")
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
    """Return programs with a rule each for the inputs, the mark and the outputs."""

    def program(n):
        times = (n, 1, n)
        return tuple(np.repeat(np.array(part), times, axis=0) for part in (write, read, e))

    return program


@exercise(
    "18-copier",
    cases=lambda: [(n,) for n in (1, 2, 5, 9)],
    tolerance=1e-3,
    measure=_copied,
    hint="Draw the cells for three vectors, and mark where each head must be at each step. "
    "What must the write head do after the mark?",
    success="Such a program copies lists of any length by three fixed rules. A controller that "
    "learns such rules can copy longer lists than those of its training.",
    instance="""
    def run(write, read, e):
        n = len(e) // 2
        x = np.arange(1.0, n + 1)
        M, w, r, found = np.zeros(len(e) + 1), np.eye(len(e) + 1)[0], np.eye(len(e) + 1)[0], []
        for t in range(len(e)):
            w = sum(share * np.roll(w, by - 1) for by, share in enumerate(write[t]))
            r = sum(share * np.roll(r, by - 1) for by, share in enumerate(read[t]))
            M = M * (1 - e[t] * w) + w * (x[t] if t < n else 0)
            found.append(r @ M)
        return found[n + 1 :]

    print([run(*program(1)), run(*program(3)), run(*program(6))])
    """,
    wrong={
        "erased after the mark": Wrong(
            _programs(e=(1.0, 1.0, 1.0)),
            "All vectors come out except the last. What does your write head do after the mark?",
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
            "Each vector overwrites the previous one. Where should the next one go?",
        ),
        "from the last to the first": Wrong(
            _programs(read=(ON, ON, BACK)),
            "Your vectors come out in reverse order. In which direction must the read head move?",
        ),
    },
)
def program(n):
    """Return the shift shares of both heads, and the share erased at each step."""
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
    hint="What does the memory return for this key now, and how far is that from v? Which "
    "matrix returns exactly the difference for the same key?",
    success="The delta rule writes only the error. So a pair that is already stored correctly "
    "changes nothing, and orthogonal keys keep their values.",
    instance=[0],
    wrong={
        "the sum": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v, k),
            "Write the same pair twice: your memory contains it twice. What should the second "
            "write change if the first is already correct?",
        ),
        "opposite sign": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(M @ k - v, k),
            "After your write, the memory returns a value farther from v than before. In which "
            "direction does gradient descent step?",
        ),
        "all forgotten": Wrong(
            lambda M, k, v, eta: (1 - eta) * M + eta * np.outer(v, k),
            "Take a key that is orthogonal to this one. Should its value change?",
        ),
        "key divided by its length": Wrong(
            lambda M, k, v, eta: M + eta * np.outer(v - M @ k, k) / (k @ k),
            "You divide by the squared length of the key. Does the gradient?",
        ),
    },
)
def delta(M, k, v, eta):
    """Return the memory after one step of gradient descent on half the squared error."""
    return M + eta * np.outer(v - M @ k, k)


def _sequences() -> list[tuple]:
    rng = np.random.default_rng(183)
    cases = [
        (rng.normal(size=(T, d)), rng.normal(size=(T, d)), rng.normal(size=(T, n)))
        for T, d, n in ((5, 3, 2), (4, 4, 4), (1, 2, 3), (6, 2, 6))
    ]
    q, k, v = cases[0]
    # the first step sees only a score that is far below zero
    low = np.array([[1.0, 0], [1, 0]]), np.array([[-4000.0, 0], [5, 0]]), np.array([[1.0], [2]])
    return [*cases, (1000 * q, k, v), low]


def _attends(seen=0, scale=True, weigh=_softmax, unseen=-np.inf):
    """Return an attention to all steps up to this one, and to `seen` later ones."""

    def attend(q, k, v):
        T, d = q.shape
        scores = q @ k.T / (np.sqrt(d) if scale else 1)
        with np.errstate(all="ignore"):
            return weigh(np.where(np.tri(T, k=seen), scores, unseen), axis=1) @ v

    return attend


def _unshifted(scores, axis):
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


@exercise(
    "18-attend",
    cases=_sequences,
    hint="Is the first row of your answer right? It is v[0]. If it is, the second row averages two "
    "values: check their scores, then their weights.",
    success="No step needs the result of another, so all steps can be computed at once. A "
    "network with a nonlinear loop has to compute its states in order.",
    wrong={
        "later steps are used": Wrong(
            _attends(seen=10**6),
            "Your first step depends on later values. Which values may it use?",
        ),
        "one step into the future": Wrong(
            _attends(seen=1), "Each of your steps also uses the pair of the next step. Should it?"
        ),
        "not divided": Wrong(
            _attends(scale=False),
            "By which number are the scores divided if the vectors have d entries?",
        ),
        "a finite mask": Wrong(
            _attends(unseen=-1000.0),
            "Your mask is a finite score. What if the true scores are lower than that?",
        ),
        "masked after the softmax": Wrong(
            lambda q, k, v: (_softmax(q @ k.T / np.sqrt(q.shape[1]), axis=1) * np.tri(len(q))) @ v,
            "What do the weights of your first step add up to?",
        ),
        "divided by d": Wrong(
            lambda q, k, v: attend(q / np.sqrt(q.shape[1]), k, v),
            "Your mask is right. By which number are the scores divided: by d?",
        ),
        "divided by the root of T": Wrong(
            lambda q, k, v: _attends(scale=False)(q / np.sqrt(len(q)), k, v),
            "Your scores depend on the length of the sequence. Should they?",
        ),
        "queries and keys exchanged": Wrong(
            lambda q, k, v: attend(k, q, v),
            "Row t of your scores should hold one query and all keys. Which of the two stays the "
            "same along a row of yours?",
        ),
        "softmax over the queries": Wrong(
            _attends(weigh=lambda scores, axis: _softmax(scores, axis=0)),
            "Add up each row of your weights: a row belongs to one query. Along which axis do they "
            "add up to 1?",
        ),
        "a score of 0 for later steps": Wrong(
            _attends(weigh=lambda scores, axis: _softmax(np.nan_to_num(scores, neginf=0.0), axis)),
            "You give later steps the score 0. What is exp(0)?",
        ),
        "out of range": Wrong(
            _attends(weigh=_unshifted),
            "What is exp(1000)? Which number can you subtract from a row without changing its "
            "weights?",
            likely=True,
        ),
    },
)
def attend(q, k, v):
    """Return at each step the weighted average of all values so far."""
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
