"""The exercises of chapter 07, A distribution over sequences."""

import itertools

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


@exercise(
    "07-markov",
    cases=lambda: [(2, 4), (10, 1), (10, 3), (3, 2), (5, 0)],
    hint="Two symbols, k = 1: write the table down. How many rows has it, and how many numbers of "
    "a row must be told?",
    wrong={
        "the last of each row told too": Wrong(
            lambda n, k: n ** (k + 1), "Each row is a distribution. What do its entries add up to?"
        ),
        "a table of the whole": Wrong(
            lambda n, k: n ** (k + 1) - 1,
            "That is a table of k + 1 symbols together. Here the first k of them are given.",
        ),
        "rows alone": Wrong(lambda n, k: n**k, "So many pasts. What stands in the row of each?"),
        "pasts added": Wrong(
            lambda n, k: n * k * (n - 1),
            "Is there a row for each symbol at each of k places, or for each way to fill all k?",
        ),
    },
)
def markov_numbers(n, k):
    """Count the numbers of a table of what follows the last k symbols."""
    return n**k * (n - 1)


class _Chain:
    """Bits of which each repeats the one before it with its own probability."""

    def __init__(self, stays):
        self.stays = stays

    def __call__(self, y):
        y = np.asarray(y)
        same = y[1:] == y[:-1]
        p = np.where(same, self.stays[: len(same)], 1 - self.stays[: len(same)])
        return float(np.log(0.3 if y[0] else 0.7) + np.log(p).sum())


def _blots() -> list[tuple]:
    rng = np.random.default_rng(70)
    return [
        (_Chain(rng.uniform(0.1, 0.9, n)), rng.integers(2, size=n), gaps)
        for n, gaps in ((6, [2, 3]), (7, [4]), (5, [0, 4]), (8, [1, 5, 6]))
    ]


def _filled(log_p, y, gaps, ways):
    whole, total, ones = np.array(y), 0, np.zeros(len(gaps))
    for way in ways(len(gaps)):
        whole[gaps] = way
        p = np.exp(log_p(whole))
        total += p
        ones += p * np.array(way)
    return ones, total


def _every(m):
    return itertools.product([0, 1], repeat=m)


def _forward(log_p, y, gaps):
    whole, ones = np.array(y), []
    for gap in gaps:
        p = []
        for bit in (0, 1):
            whole[gap] = bit
            p.append(np.exp(log_p(whole[: gap + 1])))
        ones.append(p[1] / sum(p))
        whole[gap] = p[1] > p[0]
    return np.array(ones)


def _one_by_one(log_p, y, gaps):
    ones = []
    for gap in gaps:
        one, total = _filled(log_p, y, [gap], _every)
        ones.append(one[0] / total)
    return np.array(ones)


def _likeliest(log_p, y, gaps):
    def probability(way):
        whole = np.array(y)
        whole[gaps] = way
        return log_p(whole)

    return np.array(max(_every(len(gaps)), key=probability), float)


@exercise(
    "07-one-gap",
    cases=lambda: [(log_p, y, gaps[0]) for log_p, y, gaps in _blots()],
    hint="How many ways are there to fill one gap, and what does Bayes' rule compare?",
    wrong={
        "from the left": Wrong(
            lambda log_p, y, gap: _forward(log_p, y, [gap])[0],
            "What stands after the gap has a say in it. Where do you read it?",
        ),
        "not given the rest": Wrong(
            lambda log_p, y, gap: _filled(log_p, y, [gap], _every)[0][0],
            "That is the probability of all that is read *and* a one. Given what is read, it is a "
            "share of what?",
        ),
        "the likeliest": Wrong(
            lambda log_p, y, gap: _likeliest(log_p, y, [gap])[0],
            "That is what is most likely to have stood there. How likely is it?",
        ),
        "a zero": Wrong(
            lambda log_p, y, gap: 1 - fill_one(log_p, y, gap),
            "What do the two shares add up to? Which of them is asked for?",
        ),
    },
)
def fill_one(log_p, y, gap):
    """Give the probability of a one in the gap, given all the rest."""
    (one,), total = _filled(log_p, y, [gap], _every)
    return one / total


@exercise(
    "07-fill",
    cases=_blots,
    hint="One gap: how probable is the sequence with a zero in it, and with a one? What is the "
    "share of the second? Then two gaps.",
    wrong={
        "from the left": Wrong(
            _forward, "What stands after a gap has a say in it. Where do you read it?"
        ),
        "each gap by itself": Wrong(
            _one_by_one,
            "While you fill one gap, what do you take to stand in the others? Nobody has told you.",
        ),
        "not given the rest": Wrong(
            lambda log_p, y, gaps: _filled(log_p, y, gaps, _every)[0],
            "That is the probability of all that is read *and* a one. Given what is read, it is a "
            "share of what?",
        ),
        "the likeliest": Wrong(
            _likeliest, "That is what is most likely to have stood there. How likely is it?"
        ),
    },
)
def fill(log_p, y, gaps):
    """Give the probability of a one in each gap, given all the rest."""
    ones, total = _filled(log_p, y, gaps, _every)
    return ones / total


def _lengths() -> list[tuple]:
    rng = np.random.default_rng(71)
    return [(rng.dirichlet(np.ones(n)),) for n in (5, 3, 1, 8)] + [(np.array([0, 0.5, 0, 0.5]),)]


def _left(p):
    return np.cumsum(np.asarray(p)[::-1])[::-1]


@exercise(
    "07-coins",
    cases=_lengths,
    hint="Lengths 1 and 2, each half of the time: how often does the first coin stop, and the "
    "second, once it is thrown at all?",
    wrong={
        "the lengths themselves": Wrong(
            lambda p: np.array(p), "How often is the second coin thrown at all?"
        ),
        "how many have stopped": Wrong(
            lambda p: np.cumsum(p),
            "That is the probability that it is over by then. Of those who got there, how many "
            "stop there?",
        ),
        "who is left afterwards": Wrong(
            lambda p: np.asarray(p) / np.maximum(_left(p) - p, 1e-300),
            "You divide by those who go on beyond. Who throws the coin?",
        ),
        "to go on": Wrong(
            lambda p: 1 - np.asarray(p) / _left(p), "That coin says go on. Asked for is stop."
        ),
    },
)
def coins(p):
    """Give the probability to stop after each symbol, for lengths of probabilities p."""
    return np.asarray(p) / _left(p)


class _Writer:
    """One step of a network over three symbols, and a coin."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.U, self.W, self.V = (
            rng.normal(size=(4, 3)),
            rng.normal(size=(4, 4)),
            rng.normal(size=(3, 4)),
        )
        self.v = rng.normal(size=4)

    def __call__(self, h, symbol):
        heard = np.zeros(4) if symbol is None else self.U[:, symbol]
        h = np.tanh(heard + self.W @ h)
        p = np.exp(self.V @ h)
        return h, p / p.sum(), 1 / (1 + np.exp(2 - self.v @ h))


def _writers() -> list[tuple]:
    rng = np.random.default_rng(72)
    return [
        (_Writer(seed), rng.normal(size=4), np.random.default_rng(seed), at_most)
        for seed, at_most in ((0, 30), (1, 30), (2, 5), (3, 1), (4, 40))
    ]


def _written(choose=None, hears=True, coin_first=False, forgets=False, stops=True):
    def write(step, h, rng, at_most):
        symbols, symbol, start = [], None, h
        while len(symbols) < at_most:
            h, p, stop = step(start if forgets else h, symbol if hears else None)
            if coin_first and rng.random() < stop:
                break
            symbol = choose(p) if choose else rng.choice(len(p), p=p)
            symbols.append(int(symbol))
            if stops and not coin_first and rng.random() < stop:
                break
        return symbols

    return write


@exercise(
    "07-draw",
    cases=_writers,
    hint="What does the first step hear, and the second? And what happens in one step before the "
    "coin is thrown?",
    wrong={
        "the likeliest": Wrong(
            _written(choose=np.argmax), "So every sequence would be the same. Who draws?"
        ),
        "hears nothing": Wrong(
            _written(hears=False), "Which symbol does your second step hear? It was drawn just now."
        ),
        "the coin first": Wrong(
            _written(coin_first=True),
            "Your coin is thrown before the symbol is written. It is to be over *after* it.",
        ),
        "always from the beginning": Wrong(
            _written(forgets=True), "From which state does your second step begin?"
        ),
        "never over": Wrong(_written(stops=False), "You draw well. And when is it over?"),
    },
)
def write(step, h, rng, at_most):
    """Draw symbols until the coin says that it is over."""
    symbols, symbol = [], None
    while len(symbols) < at_most:
        h, p, stop = step(h, symbol)
        symbol = rng.choice(len(p), p=p)
        symbols.append(symbol)
        if rng.random() < stop:
            break
    return symbols


@exercise(
    "07-gauss",
    tolerance=5e-3,
    hint="Write down the expected squared error for a prediction m, and look for its least value. "
    "Then what the Gaussian's logarithm is at a distance of 1.",
    wrong={
        "a branch": Wrong(
            (1.0, (2 + np.log(2 * np.pi)) / 2),
            "Half of the time that is right, and the other half? What would a prediction between "
            "the two cost?",
        ),
        "without the constant": Wrong(
            (0.0, 0.5),
            "That is half the squared error. What else stands in the logarithm of a Gaussian?",
        ),
        "the squared error itself": Wrong(
            (0.0, 1.0), "That is the mean squared error. What is it as a Gaussian's loss?"
        ),
        "as if it had two outputs": Wrong(
            (0.0, np.log(2)),
            "That is what a network pays that predicts one of two values. This one predicts a "
            "density around one number.",
        ),
    },
)
def gauss():
    """Give the prediction of least squared error, and what a value costs on average."""
    return 0.0, (1 + np.log(2 * np.pi)) / 2


def _chains() -> list[tuple]:
    rng = np.random.default_rng(73)
    rows = [
        [0, None, None, 1, None],
        [None, 2, None, None],
        [1],
        [None] * 3,
        [0, 1, None, 2, 2, None],
    ]
    return [(rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3), row) for row in rows]


def _fits(y, n):
    return np.array([np.ones(n) if symbol is None else np.eye(n)[symbol] for symbol in y])


def _messages(first, A, y, back=True, forward=True, transposed=False, normal=True):
    fits = _fits(y, len(first))
    a, b = [first * fits[0]], [np.ones(len(first))]
    for fit in fits[1:]:
        a.append((a[-1] @ A) * fit)
    for fit in fits[:0:-1]:
        b.append((A.T if transposed else A) @ (b[-1] * fit))
    p = (np.array(a) if forward else fits) * (np.array(b[::-1]) if back else 1)
    return p / p.sum(axis=1, keepdims=True) if normal else p


def _read_twice(first, A, y):
    fits = _fits(y, len(first))
    a, b = [first * fits[0]], [fits[-1]]
    for fit in fits[1:]:
        a.append((a[-1] @ A) * fit)
    for fit in fits[-2::-1]:
        b.append((A @ b[-1]) * fit)
    p = np.array(a) * (A @ np.array(b[::-1]).T).T
    return p / p.sum(axis=1, keepdims=True)


@exercise(
    "07-messages",
    cases=_chains,
    hint="Try it on three places with a gap in the middle: the probability of each symbol there is "
    "a product of two numbers, one from each side. Then let these two travel.",
    wrong={
        "forward alone": Wrong(
            lambda first, A, y: _messages(first, A, y, back=False),
            "What is read after a gap has a say in it.",
        ),
        "back alone": Wrong(
            lambda first, A, y: _messages(first, A, y, forward=False),
            "What is read before a gap has a say in it, and so have the probabilities `first`.",
        ),
        "the chain reversed": Wrong(
            lambda first, A, y: _messages(first, A, y, transposed=True),
            "On the way back: over which index of A do you sum, that of the earlier symbol or of "
            "the later?",
        ),
        "not given the rest": Wrong(
            lambda first, A, y: _messages(first, A, y, normal=False),
            "Your rows hold joint probabilities. What must each row add up to?",
        ),
        "its own place read twice": Wrong(
            _read_twice,
            "Each place is to be read once. Which of your two passes may use what stands at t?",
        ),
    },
)
def posterior(first, A, y):
    """Give the probabilities of each symbol at each place of a chain, given all that is read."""
    return _messages(first, A, y)


checklist(
    "07-independent",
    {
        "Neither a state nor a probability depends on what was drawn, by induction over steps.": (
            "Which arrows leave a symbol that was drawn? Begin with the first step."
        ),
        "So the product (10.31) is one of functions of a single symbol each.": (
            "What is the probability of the second symbol, given the first?"
        ),
        "The entropy of independent symbols is the sum of theirs, and so the difference is 0.": (
            "You have independence. What does it say of the total correlation?"
        ),
        "With inputs, symbols are independent given the inputs, but need not be without them.": (
            "Two outputs that both say what the input was: are they independent to somebody who "
            "does not know the input?"
        ),
    },
)
