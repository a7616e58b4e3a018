"""The exercises of chapter 15, Multiple time scales."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _counts(d, t):
    """Return the numbers of paths back over 0 .. t steps."""
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
    success="There are far more paths than edges, so even small products can add up to a large "
    "gradient.",
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
            "If k isn't a multiple of d, where would your last jump land?",
        ),
        "the rest forgotten": Wrong(
            lambda d, t: (_counts(d, t)[-1], t // d),
            "After the last long edge, some steps may remain. Which edges cover them?",
        ),
    },
)
def ways(d, k):
    """Return the number of paths back over k steps, and the number of edges of the shortest."""
    return _counts(d, k)[-1], _fewest(d, k)


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
    hint="Try h(t) = lambda^t. Which equation must lambda satisfy, and which solution dominates?",
    success="If both weights are at least 0, their sum decides whether the gradient grows, and d "
    "decides how fast.",
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
    """Return the factor by which a gradient grows per step in the long run."""
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
    """Return the mean age of the values in a running average, its time constant and half-life."""
    return alpha / (1 - alpha), -1 / np.log(alpha), np.log(0.5) / np.log(alpha)


@exercise(
    "15-loudest",
    cases=lambda: [(1,), (2,), (5,), (20,), (99,)],
    hint="Write down the weight of v(t - k) in the average. Where is its derivative with respect "
    "to alpha zero?",
    success="The best share is k / (k + 1), and the mean age is then exactly k. A unit that keeps "
    "more than that takes in too little.",
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
    """Return the share to keep that gives the value of k steps ago the largest weight."""
    return k / (k + 1)


def _values() -> list[tuple]:
    rng = np.random.default_rng(15)
    return [(rng.normal(size=6), 0.8, 2.0), (rng.normal(size=1), 0.5, -1.0), (np.ones(4), 0.0, 3.0)]


def _average(v, alpha, h):
    averages = []
    for value in v:
        h = alpha * h + (1 - alpha) * value
        averages.append(h)
    return np.array(averages)


def _late(v, alpha, h0):
    return np.array([h0, *_average(v, alpha, h0)[:-1]])


@exercise(
    "15-filters",
    cases=_values,
    hint="Compute both averages by hand for three values. Which entries agree?",
    success="The second average is the first one, a step late. In a network, that delay would cut "
    "the path from an input to the output at the same step.",
    wrong={
        "shares exchanged": Wrong(
            lambda v, alpha, h0: (_average(v, 1 - alpha, h0), _late(v, 1 - alpha, h0)),
            "Is alpha the share that is kept, or the share that is taken in?",
        ),
        "a v(0) of zero": Wrong(
            lambda v, alpha, h0: (_average(v, alpha, h0), _average([0, *v[:-1]], alpha, h0)),
            "There is no v(0). What does the second average hold at step 1?",
        ),
        "turned round": Wrong(
            lambda v, alpha, h0: (
                _average(v, alpha, h0),
                np.roll(_average(v, alpha, h0), 1),
            ),
            "`np.roll` brings the last value around to the front. Can step 1 depend on the end?",
        ),
        "late from zero": Wrong(
            lambda v, alpha, h0: (
                _average(v, alpha, h0),
                np.array([0, *_average(v, alpha, h0)[:-1]]),
            ),
            "The second average is one step late. Which value does it start from?",
        ),
    },
)
def averages(v, alpha, h0):
    """Return the running averages of the current values, and of the values one step earlier."""
    return _average(v, alpha, h0), _late(v, alpha, h0)


def _products(updates=lambda T, p: T // p, receives=lambda q, p: q >= p):
    return lambda periods, T: sum(
        updates(T, p) * sum(1 for q in periods if receives(q, p)) for p in periods
    )


@exercise(
    "15-cost",
    cases=lambda: [([1, 1, 2, 2, 4, 4, 8, 8], 16), ([1, 2, 4, 8], 13), ([3, 5, 5], 10)],
    hint="How often does a unit of period p update in T steps, and how many units does it receive "
    "each time?",
    success="With m equal groups and doubling periods, the cost is below 2/m of a full network's. "
    "At least half of it is due to the fastest group.",
    wrong={
        "a full network": Wrong(
            _products(lambda T, p: T, lambda q, p: True),
            "That is the cost without clocks. Which units don't update at a step, and which units "
            "do they receive?",
        ),
        "a unit that updates receives all": Wrong(
            _products(receives=lambda q, p: True),
            "Does a unit with period 4 receive a unit with period 2?",
        ),
        "slow units receive the fast": Wrong(
            _products(receives=lambda q, p: q <= p),
            "Does information flow from slow units to fast ones, or from fast to slow?",
        ),
        "steps from zero": Wrong(
            _products(lambda T, p: (T - 1) // p + 1),
            "The first step is t = 1. Is that a multiple of every period?",
        ),
    },
)
def cost(periods, T):
    """Return the number of products of a weight with a state that a run of T steps takes."""
    return _products()(periods, T)


def _mean_over(slowest):
    return lambda periods, onsets: sum(slowest(periods, s) for s in range(1, onsets + 1)) / onsets


def _ticking(periods, s):
    return [p for p in periods if s % p == 0]


@exercise(
    "15-ticks",
    hint="Write down the steps at which the unit ticks.",
    success="Only ticks multiply the gradient, and only ticks let an input in. So a slow clock "
    "keeps more and takes in less.",
    wrong={
        "every step": Wrong((0.5**13, 4), "Does the unit update at step 5?"),
        "one tick short": Wrong(
            (0.125, 4), "At which steps from 4 to 16 does the unit tick? Count both ends."
        ),
        "all inputs": Wrong((0.0625, 16), "What does the unit do with an input between two ticks?"),
        "whole history": Wrong((0.0625, 13), "Only inputs at which steps enter the unit?"),
    },
)
def ticks():
    """Return the derivative across four ticks and the number of inputs taken in."""
    return 0.5**4, 4


@exercise(
    "15-share",
    hint="Compute the new value first. Which two terms inside the tanh aren't zero?",
    success="The skip decides what the unit takes in, and alpha decides how much of its last state "
    "it keeps.",
    tolerance=1e-4,
    wrong={
        "skip from the last state": Wrong(
            (0.5 * 0.2 + 0.5 * np.tanh(0.2 - 0.5), 0.2), "How many steps back does w_d lead?"
        ),
        "nothing kept": Wrong(
            (0.0, 0.2), "You have the new value. Which share of the old state is kept?"
        ),
        "the clock resets": Wrong(
            (0.1, 0.0), "What does a unit with a clock do at a step without a tick?"
        ),
        "kept from three steps ago": Wrong(
            (0.25, 0.2),
            "The new value comes through the skip. Which state does the unit keep a share of?",
        ),
    },
)
def share():
    """Return the new state of a leaky unit, and of a unit whose clock doesn't tick."""
    alpha, x, states = 0.5, -0.5, {1: 0.5, 2: 0.7, 3: 0.2}
    return alpha * states[3] + (1 - alpha) * np.tanh(states[1] + x), states[3]


@exercise(
    "15-slowest",
    cases=lambda: [([1, 2, 4, 8], 16), ([1, 2, 4, 8], 13), ([2, 3, 5], 30), ([1, 10], 5)],
    hint="Make a table of the first steps: which clocks tick, and which of them is the slowest? "
    "Which step is the first in your table, and which the last?",
    success="On average, a pulse reaches only period 4, although the slowest unit has period 64. "
    "An experiment that starts at step 0 hides this.",
    wrong={
        "onsets from zero": Wrong(
            lambda periods, onsets: (
                sum(max(_ticking(periods, s), default=0) for s in range(onsets)) / onsets
            ),
            "At step 0 every clock ticks. At which step does the first input arrive?",
        ),
        "the last onset left out": Wrong(
            lambda periods, onsets: (
                sum(max(_ticking(periods, s), default=0) for s in range(1, onsets)) / onsets
            ),
            "Print the steps at which your pulse comes. Is the last one among them?",
        ),
        "one onset too few": Wrong(
            lambda periods, onsets: np.mean(
                [max(_ticking(periods, s), default=0) for s in range(1, onsets)]
            ),
            "Over how many onsets do you average?",
        ),
        "one onset too many": Wrong(
            lambda periods, onsets: np.mean(
                [max(_ticking(periods, s), default=0) for s in range(onsets + 1)]
            ),
            "Your average contains one step too many. Does a pulse come at step 0?",
        ),
        "the slowest there is": Wrong(
            lambda periods, onsets: max(periods),
            "The slowest unit takes in the pulse only if its clock ticks at that step. How often "
            "does it?",
        ),
        "any that had the time": Wrong(
            _mean_over(lambda periods, s: max((p for p in periods if p <= s), default=0)),
            "The pulse lasts one step. Does it help a unit that its clock ticked earlier?",
        ),
        "the mean of those that receive it": Wrong(
            _mean_over(lambda periods, s: np.mean(_ticking(periods, s) or [0])),
            "Several units may receive the pulse. Which of them does the exercise ask for?",
        ),
    },
)
def slowest(periods, onsets):
    """Return the mean period of the slowest unit that takes in a pulse, over its onsets."""
    return _mean_over(lambda periods, s: max(_ticking(periods, s), default=0))(periods, onsets)


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
        "At least (alpha - (1 - alpha) sigma)^k of the length remains after k steps, if the base "
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
    success="You showed that a leak guarantees a share of the gradient for any input, and that the "
    "inputs pay for it with the factor 1 - alpha.",
)


def _records() -> list[tuple]:
    rng = np.random.default_rng(20)
    return [
        (rng.normal(size=T), rng.normal(size=T), beta) for T, beta in ((8, 1.5), (5, -0.5), (12, 3))
    ]


def _slope(kept=True, old=True, new=True, logit=True):
    """Return a function for the derivative of half the squared error, with or without its parts."""

    def slope(v, y, beta):
        alpha = 1 / (1 + np.exp(-beta))
        h = by_alpha = total = 0.0
        for v_t, y_t in zip(v, y, strict=True):
            by_alpha = old * h - new * v_t + kept * alpha * by_alpha
            h = alpha * h + (1 - alpha) * v_t
            total += (h - y_t) * by_alpha
        return total * (alpha * (1 - alpha) if logit else 1)

    return slope


@exercise(
    "15-logit",
    cases=_records,
    hint="Carry a second number along: the derivative of the average with respect to alpha. "
    "What updates it?",
    success="The derivative goes forward together with the average, without storing a single step.",
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
    """Return the derivative of half the squared error with respect to the logit."""
    return _slope()(v, y, beta)
