"""The exercises of chapter 15, Multiple time scales."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _counts(d, t):
    """Ways back over 0 .. t steps."""
    n = [1]
    for step in range(1, t + 1):
        n.append(n[step - 1] + (n[step - d] if step >= d else 0))
    return n


def _fewest(d, t):
    return t // d + t % d


@exercise(
    "15-ways",
    cases=lambda: [(2, 5), (3, 11), (5, 20), (10, 9), (4, 0)],
    hint="The last edge of a path is long or short. How many paths end with each?",
    success="The number of paths grows exponentially with t. So the many longer paths together "
    "can carry more gradient than the shortest one.",
    wrong={
        "numbers of long edges": Wrong(
            lambda d, t: (t // d + 1, _fewest(d, t)),
            "You count the possible numbers of long edges. With one long edge, how many paths are "
            "there?",
        ),
        "long or short, block by block": Wrong(
            lambda d, t: (2 ** (t // d), _fewest(d, t)),
            "May a long edge start only at multiples of d?",
        ),
        "skips of two": Wrong(
            lambda d, t: (_counts(2, t)[-1], _fewest(d, t)),
            "How many steps back does a long edge lead?",
        ),
        "one jump too far": Wrong(
            lambda d, t: (_counts(d, t)[-1], -(-t // d)),
            "If t isn't a multiple of d, where would your last jump land?",
        ),
        "the rest forgotten": Wrong(
            lambda d, t: (_counts(d, t)[-1], t // d),
            "After the last long edge, some steps may remain. Which edges cover them?",
        ),
    },
)
def ways(d, t):
    """Give the number of ways back over t steps, and the number of edges of the shortest."""
    return _counts(d, t)[-1], _fewest(d, t)


def _roots(w, w_skip, d):
    coefficients = np.zeros(d + 1)
    coefficients[[0, 1, d]] = 1, -w, -w_skip
    return np.roots(coefficients)


@exercise(
    "15-growth",
    cases=lambda: [
        (0.5, 0.4, 5),
        (0.0, 0.9, 5),
        (1.1, 0.3, 5),
        (-0.5, 0.9, 4),
        (0.7, -0.5, 3),
        (0.5, 0.9, 2),
    ],
    hint="Put h(t) = lambda^t into the recursion. Which lambda are possible, and which one "
    "dominates?",
    success="If both weights are at least 0, their sum decides whether a gradient explodes. The "
    "length d of the skip decides how fast.",
    wrong={
        "the sum": Wrong(
            lambda w, w_skip, d: abs(w + w_skip),
            "That would be right if both edges led one step back. How far does the long one lead?",
        ),
        "the larger weight": Wrong(
            lambda w, w_skip, d: max(abs(w), abs(w_skip)),
            "How many steps does one jump cover? How do the two kinds of edges combine?",
        ),
        "the skip alone": Wrong(
            lambda w, w_skip, d: abs(w_skip) ** (1 / d),
            "That is exact without the short edges. What do the short edges add?",
        ),
        "the better of the two alone": Wrong(
            lambda w, w_skip, d: max(abs(w), abs(w_skip) ** (1 / d)),
            "Most paths use both kinds of edges. Where does your answer include them?",
        ),
        "the largest real root": Wrong(
            lambda w, w_skip, d: max(root.real for root in _roots(w, w_skip, d)),
            "A root can be complex or negative. How large is it then?",
        ),
    },
)
def growth(w, w_skip, d):
    """Give the factor by which a gradient grows in a step, in the long run."""
    return np.abs(_roots(w, w_skip, d)).max()


@exercise(
    "15-ages",
    cases=lambda: [(0.5,), (0.9,), (0.99,), (0.2,)],
    hint="Write the average as a sum over all past values. What is the weight of the value of "
    "age k?",
    success="The mean age, the time constant and the half-life differ: at alpha = 0.9 they are 9, "
    "9.5 and 6.6 steps. So always say which one you mean.",
    tolerance=1e-6,
    wrong={
        "1 / (1 - alpha) for all": Wrong(
            lambda alpha: (1 / (1 - alpha),) * 3,
            "That is a rule of thumb for alpha near 1. What is each of the three exactly?",
        ),
        "an age of one for the newest": Wrong(
            lambda alpha: (1 / (1 - alpha), -1 / np.log(alpha), np.log(0.5) / np.log(alpha)),
            "How old is v(t) at step t? Is it in the average?",
        ),
        "near one taken as exact": Wrong(
            lambda alpha: (alpha / (1 - alpha), 1 / (1 - alpha), np.log(2) / (1 - alpha)),
            "You replace the logarithm of alpha by alpha - 1. Are they equal?",
        ),
        "logarithm to another base": Wrong(
            lambda alpha: (alpha / (1 - alpha), -1 / np.log2(alpha), -1 / np.log2(alpha)),
            "Solve alpha^k = 1/e, then alpha^k = 1/2. Do they have the same solution?",
        ),
    },
)
def ages(alpha):
    """Give the mean age of what is in a running average, its time constant and its half-life."""
    return alpha / (1 - alpha), -1 / np.log(alpha), np.log(0.5) / np.log(alpha)


@exercise(
    "15-loudest",
    cases=lambda: [(1,), (2,), (5,), (20,), (99,)],
    hint="What is the weight of v(t - k) in the average? Plot it against alpha for k = 5.",
    success="At alpha = k / (k + 1) the mean age is exactly k. With a larger alpha, a unit keeps "
    "values longer but takes in less of each.",
    tolerance=1e-4,
    wrong={
        "as near one as can be": Wrong(
            lambda k: 1 - 1e-9,
            "Almost nothing is forgotten then. How much weight does a value get when it enters?",
        ),
        "the rule of thumb": Wrong(
            lambda k: 1 - 1 / k,
            "That sets 1 / (1 - alpha) to k. For k = 1, how much of the old value is kept?",
        ),
        "half is left": Wrong(
            lambda k: 0.5 ** (1 / k),
            "That keeps half of the weight with which a value entered. How does that weight "
            "depend on alpha?",
        ),
        "a time constant of k": Wrong(
            lambda k: np.exp(-1 / k),
            "That keeps 1/e of the weight with which a value entered. How does that weight depend "
            "on alpha?",
        ),
    },
)
def loudest(k):
    """Give the share to keep that hears the value of k steps ago loudest."""
    return k / (k + 1)


def _values() -> list[tuple]:
    rng = np.random.default_rng(15)
    return [(rng.normal(size=6), 0.8, 2.0), (rng.normal(size=1), 0.5, -1.0), (np.ones(4), 0.0, 3.0)]


def _average(v, alpha, mu):
    averages = []
    for value in v:
        mu = alpha * mu + (1 - alpha) * value
        averages.append(mu)
    return np.array(averages)


def _late(v, alpha, mu0):
    return np.array([mu0, *_average(v, alpha, mu0)[:-1]])


@exercise(
    "15-filters",
    cases=_values,
    hint="Try alpha = 0 first: what is each of the two averages then?",
    success="The second average is the first one, a step late. In a network, that delay would cut "
    "the path from an input to the output at the same step.",
    wrong={
        "shares exchanged": Wrong(
            lambda v, alpha, mu0: (_average(v, 1 - alpha, mu0), _late(v, 1 - alpha, mu0)),
            "Is alpha the share that is kept, or the share that is taken in?",
        ),
        "a v(0) of zero": Wrong(
            lambda v, alpha, mu0: (_average(v, alpha, mu0), _average([0, *v[:-1]], alpha, mu0)),
            "There is no v(0). What does the second average hold at step 1?",
        ),
        "turned round": Wrong(
            lambda v, alpha, mu0: (
                _average(v, alpha, mu0),
                np.roll(_average(v, alpha, mu0), 1),
            ),
            "`np.roll` brings the last value around to the front. Can step 1 depend on the end?",
        ),
        "late from zero": Wrong(
            lambda v, alpha, mu0: (
                _average(v, alpha, mu0),
                np.array([0, *_average(v, alpha, mu0)[:-1]]),
            ),
            "The second average is one step late. Which value does it start from?",
        ),
    },
)
def averages(v, alpha, mu0):
    """Give the running averages that take in v(t), and v(t-1)."""
    return _average(v, alpha, mu0), _late(v, alpha, mu0)


def _products(moves=lambda T, p: T // p, hears=lambda q, p: q >= p):
    return lambda periods, T: sum(
        moves(T, p) * sum(1 for q in periods if hears(q, p)) for p in periods
    )


@exercise(
    "15-cost",
    cases=lambda: [([1, 1, 2, 2, 4, 4, 8, 8], 16), ([1, 2, 4, 8], 13), ([3, 5, 5], 10)],
    hint="Go unit by unit: at how many steps does it move, and how many units does it read then?",
    success="With g equal groups and doubling periods, a clockwork network costs less than 2/g of "
    "a full one. At least half of that is the fastest group.",
    wrong={
        "a full network": Wrong(
            _products(lambda T, p: T, lambda q, p: True),
            "That is the cost without clocks. Which units don't move at a step, and which are "
            "never read?",
        ),
        "a unit that moves hears all": Wrong(
            _products(hears=lambda q, p: True),
            "Which connections does a clockwork network leave out?",
        ),
        "slow units hear the fast": Wrong(
            _products(hears=lambda q, p: q <= p),
            "Does information flow from slow units to fast ones, or from fast to slow?",
        ),
        "steps from zero": Wrong(
            _products(lambda T, p: (T - 1) // p + 1),
            "The first step is t = 1. Is that a multiple of every period?",
        ),
    },
)
def cost(periods, T):
    """Count the products of a weight of W and a state in T steps of a clockwork network."""
    return _products()(periods, T)


def _mean_over(heard):
    return lambda periods, onsets: sum(heard(periods, s) for s in range(1, onsets + 1)) / onsets


def _hearing(periods, s):
    return [p for p in periods if s % p == 0]


@exercise(
    "15-slowest",
    cases=lambda: [([1, 2, 4, 8], 16), ([1, 2, 4, 8], 13), ([2, 3, 5], 30), ([1, 10], 5)],
    hint="Write down which units move at each onset from s = 1 to 8.",
    success="A pulse at a random step reaches slow units rarely. An experiment that always puts "
    "it at step 0 wakes every clock and flatters the network.",
    wrong={
        "onsets from zero": Wrong(
            lambda periods, onsets: (
                sum(max(_hearing(periods, s), default=0) for s in range(onsets)) / onsets
            ),
            "At step 0 every clock ticks. At which step does the first input arrive?",
        ),
        "the slowest there is": Wrong(
            lambda periods, onsets: max(periods),
            "The slowest unit receives the pulse only if it moves at that step. How often does it?",
        ),
        "any that had the time": Wrong(
            _mean_over(lambda periods, s: max((p for p in periods if p <= s), default=0)),
            "The pulse lasts one step. Does it help a unit that it moved earlier?",
        ),
        "the mean of those that hear": Wrong(
            _mean_over(lambda periods, s: np.mean(_hearing(periods, s) or [0])),
            "Several units may receive the pulse. Which of them does the exercise ask for?",
        ),
    },
)
def slowest(periods, onsets):
    """Give the mean period of the slowest unit that hears a pulse, over its onsets."""
    return _mean_over(lambda periods, s: max(_hearing(periods, s), default=0))(periods, onsets)


checklist(
    "15-survives",
    {
        "The Jacobian of a step is alpha times the identity plus (1 - alpha) diag(slopes) W.": (
            "Differentiate the leaky update with respect to h(t-1). In which two places does "
            "h(t-1) appear?"
        ),
        "The length of a sum is at least the length of its first part minus the length of its "
        "second.": ("You need a lower bound. What does the reverse triangle inequality say?"),
        "The second part is at most (1 - alpha) sigma times as long as the gradient.": (
            "How large can the slopes of the tanh be? What is the norm of the transpose of W?"
        ),
        "At least (alpha - (1 - alpha) sigma)^T of the length remains after T steps, if the base "
        "is above 0.": (
            "You have bounded one step. What must be true of the factor before you may take its "
            "power?"
        ),
        "With alpha = 0 there is no such bound: saturated units or a singular W can remove all of "
        "the gradient.": (
            "Can you name a network with alpha = 0 through which no gradient comes back?"
        ),
        "The price: everything a step writes into the state is multiplied by 1 - alpha.": (
            "Look at the other term of the update. How does alpha scale a new input?"
        ),
    },
    success="With alpha close enough to 1, part of every gradient survives, but each step writes "
    "less into the state.",
)


def _records() -> list[tuple]:
    rng = np.random.default_rng(20)
    return [
        (rng.normal(size=T), rng.normal(size=T), beta) for T, beta in ((8, 1.5), (5, -0.5), (12, 3))
    ]


def _slope(kept=True, old=True, new=True, logit=True):
    """Derivative of half the squared error, or what is left of it without some of its factors."""

    def slope(v, y, beta):
        alpha = 1 / (1 + np.exp(-beta))
        mu = by_alpha = total = 0.0
        for v_t, y_t in zip(v, y, strict=True):
            by_alpha = old * mu - new * v_t + kept * alpha * by_alpha
            mu = alpha * mu + (1 - alpha) * v_t
            total += (mu - y_t) * by_alpha
        return total * (alpha * (1 - alpha) if logit else 1)

    return slope


@exercise(
    "15-logit",
    cases=_records,
    hint="Carry a second number along: the derivative of the average with respect to alpha. "
    "What updates it?",
    success="The derivative can be carried forward with the average, so no step needs to be "
    "stored. Learning the logit keeps alpha between 0 and 1.",
    wrong={
        "one step back alone": Wrong(
            _slope(kept=False),
            "The old average depends on alpha as well. What does the product rule add?",
        ),
        "by alpha itself": Wrong(
            _slope(logit=False),
            "That is the derivative with respect to alpha. What is the slope of the sigmoid?",
        ),
        "the new value forgotten": Wrong(
            _slope(new=False), "In how many places does alpha appear in one update?"
        ),
        "the old average forgotten": Wrong(
            _slope(old=False), "What does alpha multiply in the first term of the update?"
        ),
    },
)
def slope(v, y, beta):
    """Give the derivative by the logit of half the squared error of a running average."""
    return _slope()(v, y, beta)
