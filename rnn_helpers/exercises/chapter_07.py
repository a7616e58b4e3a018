"""The exercises of chapter 07, A distribution over sequences."""

import itertools

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise, lines


@exercise(
    "07-product",
    tolerance=2e-3,
    hint="What is the probability of a pop in each second, given the seconds before it?",
    success="The loss of a sequence is minus the logarithm of its probability, so the losses of "
    "single steps add up.",
    wrong={
        "one symbol back": Wrong(
            (0.2 * 0.3 * 0.2, -np.log(0.2 * 0.3 * 0.2)),
            "Does the first pop still matter after a silent second?",
        ),
        "the rule before the first pop": Wrong(
            (0.2 * 0.8 * 0.2, -np.log(0.2 * 0.8 * 0.2)), "What changes after the first pop?"
        ),
        "probabilities of pops alone": Wrong(
            (0.2 * 0.7 * 0.7, -np.log(0.2 * 0.7 * 0.7)),
            "Which probability does a silent second contribute?",
        ),
        "bits": Wrong((0.042, -np.log2(0.042)), "Which base does your logarithm have?"),
        "without a sign": Wrong((0.042, np.log(0.042)), "Can a loss be negative here?"),
    },
)
def product():
    """Return the probability of 1, 0, 1 and its loss."""
    return 0.2 * 0.3 * 0.7, -np.log(0.2 * 0.3 * 0.7)


@exercise(
    "07-by-hand",
    hint="Before each draw, ask: has there been a pop yet?",
    success="That is ancestral sampling: each drawn symbol can change the probabilities of the "
    "next one.",
    wrong={
        "the first probability throughout": Wrong(
            (0, 1, 0, 0), "What does the network predict after the first pop?"
        ),
        "a pop above the probability": Wrong(
            (1, 0, 0, 1), "Is a number below or above the probability a pop?"
        ),
        "the most likely symbol": Wrong((0, 0, 0, 0), "Where do the random numbers enter?"),
        "pops forever": Wrong((0, 1, 1, 1), "After the first pop, can a second still be silent?"),
    },
)
def by_hand():
    """Return the four drawn symbols."""
    return 0, 1, 1, 0


@exercise(
    "07-markov",
    cases=lambda: [(2, 4), (10, 1), (10, 3), (3, 2), (5, 0)],
    hint="Write down the table for two symbols and k = 1. How many rows does it have, "
    "and how many free numbers per row?",
    success="A table grows exponentially with the number of symbols it looks back. A "
    "network's state can look back any distance with a fixed number of parameters.",
    wrong={
        "the last of each row counted too": Wrong(
            lambda n, k: n ** (k + 1),
            "Each row is a distribution. If you know all its entries but one, is the last "
            "one free?",
        ),
        "a table of the whole": Wrong(
            lambda n, k: n ** (k + 1) - 1,
            "That is a table for k + 1 symbols together. Here the first k are given. How "
            "many rows does that make?",
        ),
        "rows alone": Wrong(
            lambda n, k: n**k, "That is the number of rows. How many numbers does each row need?"
        ),
        "pasts added": Wrong(
            lambda n, k: n * k * (n - 1),
            "Is there one row per symbol and position, or one row for each way to fill all k "
            "positions?",
        ),
    },
)
def markov_numbers(n, k):
    """Return how many numbers a table needs that looks back k symbols."""
    return n**k * (n - 1)


class _Chain:
    """Log-probability of bits that repeat the previous one with a probability for each step."""

    def __init__(self, stays):
        self.stays = stays

    def __call__(self, y):
        y = np.asarray(y)
        same = y[1:] == y[:-1]
        p = np.where(same, self.stays[: len(same)], 1 - self.stays[: len(same)])
        return float(np.log(0.3 if y[0] else 0.7) + np.log(p).sum())


def _gaps() -> list[tuple]:
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


def _most_likely(log_p, y, gaps):
    def probability(way):
        whole = np.array(y)
        whole[gaps] = way
        return log_p(whole)

    return np.array(max(_every(len(gaps)), key=probability), float)


CHAIN = """
def log_p(y):
    y, bonus = np.array(y), np.array([1.2, -0.5, 0.4, 0.9, -0.7])
    return y @ bonus[: len(y)] + 0.8 * (y[1:] == y[:-1]).sum() - 5
"""


@exercise(
    "07-one-gap",
    cases=lambda: [(log_p, y, gaps[0]) for log_p, y, gaps in _gaps()],
    hint="In how many ways can you fill one gap, and which of their probabilities does "
    "Bayes' rule compare?",
    success="Filling one gap takes two runs of the model. The symbols after the gap matter "
    "too, through the probabilities that the model gives them.",
    instance=lines(
        CHAIN,
        """
        print([
            fill_one(log_p, np.array([0, 1, 1, 0, 1]), 2),
            fill_one(log_p, np.array([0, 1, 0, 0, 0]), 0),
            fill_one(log_p, np.array([1, 0, 0, 1, 1]), 3),
        ])
        """,
    ),
    wrong={
        "from the left": Wrong(
            lambda log_p, y, gap: _forward(log_p, y, [gap])[0],
            "Do the bits after the gap change your answer? They should.",
        ),
        "not given the rest": Wrong(
            lambda log_p, y, gap: _filled(log_p, y, [gap], _every)[0][0],
            "That is the joint probability of the known bits and a one. By which total do "
            "you divide to condition on the known bits?",
        ),
        "the most likely": Wrong(
            lambda log_p, y, gap: _most_likely(log_p, y, [gap])[0],
            "You give the most likely bit. How probable is a one?",
        ),
        "a zero": Wrong(
            lambda log_p, y, gap: 1 - fill_one(log_p, y, gap),
            "Which of the two probabilities does the exercise ask for, that of a one or of a zero?",
        ),
    },
)
def fill_one(log_p, y, gap):
    """Return the probability of a one in the gap, given all other bits."""
    (one,), total = _filled(log_p, y, [gap], _every)
    return one / total


@exercise(
    "07-fill",
    cases=_gaps,
    hint="With one gap, how probable is the sequence with a zero in it, and with a one? "
    "What changes with two gaps?",
    success="The sum works for any model, but it has 2^m terms for m gaps. In a Markov chain, far "
    "fewer operations are enough.",
    instance=lines(
        CHAIN,
        """
        print([
            fill(log_p, np.array([0, 1, 1, 0, 1]), [1, 2]),
            fill(log_p, np.array([1, 1, 0, 0, 1]), [3, 0, 4]),
        ])
        """,
    ),
    wrong={
        "from the left": Wrong(
            _forward, "Do the bits after a gap change your answer? They should."
        ),
        "each gap by itself": Wrong(
            _one_by_one,
            "While you fill one gap, which values do you assume in the other gaps? They are "
            "unknown too.",
        ),
        "not given the rest": Wrong(
            lambda log_p, y, gaps: _filled(log_p, y, gaps, _every)[0],
            "That is the joint probability of the known bits and a one. By which total do "
            "you divide to condition on the known bits?",
        ),
        "the most likely": Wrong(
            _most_likely, "You give the most likely bit. How probable is a one?"
        ),
    },
)
def fill(log_p, y, gaps):
    """Return the probability of a one in each gap, given all known bits."""
    ones, total = _filled(log_p, y, gaps, _every)
    return ones / total


def _lengths() -> list[tuple]:
    rng = np.random.default_rng(71)
    return [(rng.dirichlet(np.ones(n)),) for n in (5, 3, 1, 8)] + [(np.array([0, 0.5, 0, 0.5]),)]


def _at_least(p):
    return np.cumsum(np.asarray(p)[::-1])[::-1]


@exercise(
    "07-coins",
    cases=_lengths,
    hint="Suppose lengths 1 and 2 are equally likely. How often does the first coin "
    "stop, and how often the second once it is tossed?",
    success="Any distribution of lengths can be produced by one coin per step. A network can "
    "do so only if its state counts the steps.",
    wrong={
        "the lengths themselves": Wrong(
            lambda p: np.array(p), "How often is the second coin tossed at all?"
        ),
        "the probability of having stopped": Wrong(
            lambda p: np.cumsum(p),
            "That is the probability of having stopped by then. Of the sequences that get "
            "there, which share stops there?",
        ),
        "divided by those that go further": Wrong(
            lambda p: np.asarray(p) / np.maximum(_at_least(p) - p, 1e-300),
            "You divide by the probability of going further. In which cases is this coin tossed?",
        ),
        "the probability of going on": Wrong(
            lambda p: 1 - np.asarray(p) / _at_least(p),
            "Is that the probability of going on or of stopping?",
        ),
    },
)
def coins(p):
    """Return the probability of stopping after each symbol, for lengths with probabilities p."""
    return np.asarray(p) / _at_least(p)


class _Writer:
    """A step of a network with three symbols and a coin."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.U, self.W, self.V = (
            rng.normal(size=(4, 3)),
            rng.normal(size=(4, 4)),
            rng.normal(size=(3, 4)),
        )
        self.v = rng.normal(size=4)

    def __call__(self, h, symbol):
        received = np.zeros(4) if symbol is None else self.U[:, symbol]
        h = np.tanh(received + self.W @ h)
        p = np.exp(self.V @ h)
        return h, p / p.sum(), 1 / (1 + np.exp(2 - self.v @ h))


def _writers() -> list[tuple]:
    rng = np.random.default_rng(72)
    return [
        (_Writer(seed), rng.normal(size=4), np.random.default_rng(seed), at_most)
        for seed, at_most in ((0, 30), (1, 30), (2, 5), (3, 1), (4, 40))
    ]


def _written(
    choose=None, feeds_back=True, at_once=False, together=False, forgets=False, stops=True
):
    def write(step, h, rng, at_most):
        symbols, symbol, start = [], None, h
        while len(symbols) < at_most:
            h, p, stop = step(start if forgets else h, symbol if feeds_back else None)
            early = stops and not together and (symbols or at_once)
            if early and rng.random() < stop:
                break
            symbol = choose(p) if choose else rng.choice(len(p), p=p)
            symbols.append(int(symbol))
            if together and rng.random() < stop:
                break
        return symbols

    return write


@exercise(
    "07-draw",
    cases=_writers,
    hint="Which symbol does the first step receive, and the second? After which call of `step` "
    "has the network received the symbol that you drew last?",
    success="Sampling follows (G 10.31) one factor at a time: each drawn symbol is an input to the "
    "step that predicts the next one.",
    instance="""
    class Dice:
        last = 0.0

        def random(self):
            self.last = (self.last + 0.618) % 1
            return self.last

        def choice(self, n, p):
            return int((np.cumsum(p)[:-1] <= self.random()).sum())

    def step(h, symbol):
        h = h / 2 + (0 if symbol is None else symbol - 1)
        p = np.exp(-abs(h - np.arange(3)))
        return h, p / p.sum(), 0.3 / (1 + h**2)

    print([
        write(step, 1.0, Dice(), 9),
        write(step, -0.5, Dice(), 5),
        write(step, 2.0, Dice(), 5),
    ])
    """,
    wrong={
        "the most likely": Wrong(
            _written(choose=np.argmax),
            "You always take the most likely symbol. Where does `rng` enter?",
        ),
        "the drawn symbol not fed back": Wrong(
            _written(feeds_back=False),
            "Which symbol does your second step receive? It should be the one just drawn.",
        ),
        "a coin before the first symbol": Wrong(
            _written(at_once=True),
            "You also toss a coin at the first step. Can a sequence end before its first symbol?",
        ),
        "the coin together with the symbol": Wrong(
            _written(together=True),
            "Your coin belongs to the previous symbol. Which call of `step` has received the "
            "symbol you just drew?",
        ),
        "the first state throughout": Wrong(
            _written(forgets=True), "Which state does your second step start from?"
        ),
        "no stop": Wrong(
            _written(stops=False), "The symbols are drawn correctly. When does your sequence end?"
        ),
    },
)
def write(step, h, rng, at_most):
    """Draw symbols until the coin says stop."""
    symbols, symbol = [], None
    while len(symbols) < at_most:
        h, p, stop = step(h, symbol)
        if symbols and rng.random() < stop:
            break
        symbol = rng.choice(len(p), p=p)
        symbols.append(symbol)
    return symbols


@exercise(
    "07-gauss",
    tolerance=5e-3,
    hint="Which prediction m makes the expected squared error smallest? What is minus "
    "the log of a Gaussian at that distance?",
    success="Squared error predicts the mean, even when the mean never occurs. An output that "
    "gives each value its own probability avoids this.",
    wrong={
        "one of the two values": Wrong(
            (1.0, (2 + np.log(2 * np.pi)) / 2),
            "Half of the time that is exactly right. What is the loss in the other half, "
            "and would a prediction in between have a smaller loss on average?",
        ),
        "without the constant": Wrong(
            (0.0, 0.5),
            "That is half the squared error. Which other term does the logarithm of a "
            "Gaussian have?",
        ),
        "the squared error itself": Wrong(
            (0.0, 1.0), "That is the mean squared error. How does it enter the loss of a Gaussian?"
        ),
        "as if it had two outputs": Wrong(
            (0.0, np.log(2)),
            "That is the loss of a network that chooses between two values. Which density "
            "does this network predict?",
        ),
    },
)
def gauss():
    """Return the prediction with the smallest squared error, and its average loss."""
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


def _used_twice(first, A, y):
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
    hint="Take three positions with a gap in the middle. Which two numbers, one from each "
    "side, give the probability of a symbol there?",
    success="The two passes visit each position once per direction, because one symbol separates "
    "past from future. In a network, the whole state does.",
    instance="""
    A = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.1, 0.4]])
    first = np.array([0.5, 0.2, 0.3])

    print([posterior(first, A, [None, 2, None]), posterior(first, A, [0, None, None, 1])])
    """,
    wrong={
        "only forward": Wrong(
            lambda first, A, y: _messages(first, A, y, back=False),
            "Does your answer use the symbols after a gap?",
        ),
        "only backward": Wrong(
            lambda first, A, y: _messages(first, A, y, forward=False),
            "Does your answer use the symbols before a gap, and the probabilities `first`?",
        ),
        "the chain reversed": Wrong(
            lambda first, A, y: _messages(first, A, y, transposed=True),
            "On the way back, do you sum over the index of the earlier symbol or of the later one?",
        ),
        "not given the rest": Wrong(
            lambda first, A, y: _messages(first, A, y, normal=False),
            "Your rows contain joint probabilities. What should each row add up to?",
        ),
        "the symbol at t used twice": Wrong(
            _used_twice,
            "Do both of your passes use the symbol at t? It should count only once.",
        ),
    },
)
def posterior(first, A, y):
    """Return the probability of each symbol at each position, given all known symbols."""
    return _messages(first, A, y)


checklist(
    "07-independent",
    {
        "By induction over the steps, no state and no prediction depends on a drawn symbol.": (
            "Which quantities depend on a symbol that was drawn? Start with the first step."
        ),
        "So the product (G 10.31) consists of functions of a single symbol each.": (
            "What is the probability of the second symbol, given the first?"
        ),
        "The entropy of independent symbols is the sum of their entropies, so the difference is "
        "0.": "If the symbols are independent, what is their total correlation?",
        "Given the inputs, the symbols are independent, but otherwise they may not be.": (
            "If two outputs both depend on the input, are they independent when you don't "
            "know the input?"
        ),
    },
    success="To make the symbols of a sequence depend on one another, a network must receive "
    "the symbols that were drawn.",
)
