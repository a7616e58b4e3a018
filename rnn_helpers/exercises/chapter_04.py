"""The exercises of chapter 04, Back-propagation through time."""

import math

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _softmax(o):
    e = np.exp(o - o.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _logits() -> list[tuple]:
    rng = np.random.default_rng(4)
    large = np.array([[1000.0, 0.0, -1000.0], [0.0, 1.0, 0.0]])
    return [
        (rng.normal(size=(3, 4)), np.array([1, 0, 3])),
        (rng.normal(size=(5, 2)), np.array([0, 1, 1, 0, 1])),
        (large, np.array([1, 1])),
    ]


def _subtracting(what, axis=1):
    """Return a solution that subtracts something else than each step's largest logit."""

    def gradient(o, y):
        with np.errstate(over="ignore", invalid="ignore"):
            e = np.exp(o - what(o))
            g = e / e.sum(axis=axis, keepdims=True)
        g[np.arange(len(y)), y] -= 1
        return g

    return gradient


@exercise(
    "04-grad-output",
    cases=_logits,
    hint="Print each row and its sum. Which row is the first that is not finite or "
    "doesn't sum to zero?",
    success="The gradient of softmax with cross-entropy is the prediction minus the target. "
    "It vanishes only where the prediction is right.",
    wrong={
        "happened minus predicted": Wrong(
            lambda o, y: -grad_logits(o, y),
            "Should the logit of the correct symbol rise or fall when we subtract the gradient?",
        ),
        "target not subtracted": Wrong(
            lambda o, y: _softmax(o), "Where does the correct symbol enter your gradient?"
        ),
        "mean over the steps": Wrong(
            lambda o, y: grad_logits(o, y) / len(y),
            "Is the loss of (G 10.13) a sum over the steps or their mean?",
        ),
        "overflow": Wrong(
            _subtracting(lambda o: 0.0),
            "What is exp(1000)? What can you subtract from a step's logits without changing "
            "a probability?",
            likely=True,
        ),
        "the largest of all steps": Wrong(
            _subtracting(np.max),
            "Suppose that all logits of one step are 1000 below those of another. What is their "
            "exp after your subtraction?",
        ),
        "softmax over the steps": Wrong(
            lambda o, y: _subtracting(lambda o: o.max(axis=0), axis=0)(o, y),
            "Should the probabilities sum to one over the symbols or over the steps?",
        ),
    },
)
def grad_logits(o, y):
    """Return the gradient (G 10.18) of the summed loss with respect to the logits."""
    g = _softmax(o)
    g[np.arange(len(y)), y] -= 1
    return g


def _steps_back() -> list[tuple]:
    rng = np.random.default_rng(21)

    def case(n_h, n_y):
        return (
            rng.normal(size=(n_h, n_h)),
            rng.normal(size=(n_y, n_h)),
            np.tanh(rng.normal(size=n_h)),
            rng.normal(size=n_h),
            rng.normal(size=n_y),
        )

    return [case(3, 3), case(4, 2), case(2, 5)]


def _printed_order(W, V, h_next, g_next, g_out):
    return (W.T @ g_next) * (1 - h_next**2) + V.T @ g_out


@exercise(
    "04-grad-state",
    cases=_steps_back,
    hint="Two quantities depend directly on the state, and each gives a term. Try your function "
    "with g_out = 0, and then with g_next = 0: which of the two terms is wrong?",
    success="A state affects the loss through its own output and through the next state, so "
    "its gradient is a sum of two terms.",
    wrong={
        "slopes after W, as printed": Wrong(
            _printed_order, "Going backward, which comes first: the tanh or the matrix?"
        ),
        "W not transposed": Wrong(
            lambda W, V, h_next, g_next, g_out: W @ ((1 - h_next**2) * g_next) + V.T @ g_out,
            "The entry in row i and column j of W connects unit j to unit i. Which matrix takes "
            "the gradient of unit i back to unit j?",
        ),
        "tanh derivative missing": Wrong(
            lambda W, V, h_next, g_next, g_out: W.T @ g_next + V.T @ g_out,
            "Should a saturated unit pass its gradient on?",
        ),
        "slopes on both terms": Wrong(
            lambda W, V, h_next, g_next, g_out: (1 - h_next**2) * (W.T @ g_next + V.T @ g_out),
            "You multiply the whole sum by the slopes. On the way from this state to its own "
            "output, is there a tanh?",
        ),
        "both terms through W": Wrong(
            lambda W, V, h_next, g_next, g_out: W.T @ ((1 - h_next**2) * (g_next + V.T @ g_out)),
            "Which of the two gradients comes from the next step? Only that one has passed W.",
        ),
        "tanh of h": Wrong(
            lambda W, V, h_next, g_next, g_out: (
                W.T @ ((1 - np.tanh(h_next) ** 2) * g_next) + V.T @ g_out
            ),
            "Which number is h_next: the argument of the tanh, or already its value?",
        ),
        "own output forgotten": Wrong(
            lambda W, V, h_next, g_next, g_out: W.T @ ((1 - h_next**2) * g_next),
            "Which output depends on this state directly?",
        ),
    },
)
def step_back(W, V, h_next, g_next, g_out):
    """Return the gradient with respect to a state, by (G 10.21)."""
    return W.T @ ((1 - h_next**2) * g_next) + V.T @ g_out


def _state_gradients() -> list[tuple]:
    rng = np.random.default_rng(26)

    def case(T, n):
        return (
            np.tanh(rng.normal(size=n)),
            np.tanh(rng.normal(size=(T, n))),
            rng.normal(size=(T, n)),
        )

    return [case(4, 3), case(1, 2), case(7, 5)]


@exercise(
    "04-grad-W",
    cases=_state_gradients,
    hint="Try a single step first: is your matrix, a column times a row, right there? If it is, "
    "what changes when there is a second step?",
    success="The gradient adds up one term per time step, because every step uses the same W.",
    wrong={
        "h(t) for h(t-1)": Wrong(
            lambda h0, h, g: ((1 - h**2) * g).T @ h, "Which state does W multiply at step t?"
        ),
        "transposed": Wrong(
            lambda h0, h, g: grad_W(h0, h, g).T,
            "The entry in row i and column j of W connects unit j to unit i. Which factor has "
            "which index?",
        ),
        "tanh derivative missing": Wrong(
            lambda h0, h, g: g.T @ np.vstack([h0, h[:-1]]),
            "The gradient you receive is on h. Does W act before or after the tanh?",
        ),
        "slopes of h(t-1)": Wrong(
            lambda h0, h, g: ((1 - np.vstack([h0, h[:-1]]) ** 2) * g).T @ np.vstack([h0, h[:-1]]),
            "W is used inside the tanh that computes h(t). At which state do you take the "
            "slope of that tanh?",
        ),
        "mean over the steps": Wrong(
            lambda h0, h, g: grad_W(h0, h, g) / len(h),
            "This is right for a single step. Does the sum in (G 10.26) divide by the number of "
            "steps?",
        ),
        "h(0) at every step": Wrong(
            lambda h0, h, g: np.outer(((1 - h**2) * g).sum(0), h0),
            "Your term for the first step is right. Which state does W multiply at the second?",
        ),
        "only the last step": Wrong(
            lambda h0, h, g: np.outer((1 - h[-1] ** 2) * g[-1], [h0, *h][-2]),
            "Your term for the last step is right. Which other steps use W?",
        ),
        "only the first step": Wrong(
            lambda h0, h, g: np.outer((1 - h[0] ** 2) * g[0], h0),
            "You return one step's term, and it is right. What happens to the terms of the later "
            "steps?",
        ),
        "a matrix for each step": Wrong(
            lambda h0, h, g: ((1 - h**2) * g)[:, :, None] * np.vstack([h0, h[:-1]])[:, None],
            "You return one matrix per step, but all steps use the same W. How do their gradients "
            "combine?",
        ),
        "tanh of h": Wrong(
            lambda h0, h, g: ((1 - np.tanh(h) ** 2) * g).T @ np.vstack([h0, h[:-1]]),
            "Which numbers are in h: the arguments of the tanh, or already its values?",
        ),
        "first step left out": Wrong(
            lambda h0, h, g: ((1 - h[1:] ** 2) * g[1:]).T @ h[:-1],
            "Does the first step use W too?",
        ),
    },
)
def grad_W(h0, h, g):
    """Return the gradient (G 10.26)."""
    before = np.vstack([h0, h[:-1]])
    return ((1 - h**2) * g).T @ before


@exercise(
    "04-runs",
    hint="How many quotients do you need, and how many losses does each quotient need?",
    success="That is why finite differences are for testing. BPTT computes all 30,000 entries at "
    "a small multiple of the cost of one forward pass.",
    wrong={
        "one pass for each parameter": Wrong(
            30_000, "How many losses does a two-sided quotient need?"
        ),
        "two passes in all": Wrong(
            2, "Can one pair of forward passes tell you about more than one parameter?"
        ),
        "every pair of parameters": Wrong(
            30_000**2, "Does each parameter have to be combined with each other one?"
        ),
    },
)
def runs_forward():
    """Return the number of forward passes that check 30,000 entries with two-sided quotients."""
    return 2 * 30_000


def _real(lengths, T):
    return np.arange(T)[:, None] < np.asarray(lengths)


def _shared(real):
    return real / real.sum()


@exercise(
    "04-loss-weights",
    cases=lambda: [([3, 1], 3), ([2, 2, 5], 6), ([4], 4)],
    hint="How many real characters are there in all? What share of the mean does each one have?",
    success="Every real character now has the same weight, no matter how long its sentence is, "
    "and padding contributes no gradient.",
    wrong={
        "padding counted": Wrong(
            lambda lengths, T: np.full((T, len(lengths)), 1 / (T * len(lengths))),
            "What weight should a step after the end of its sentence have?",
        ),
        "one step too many": Wrong(
            lambda lengths, T: _shared(_real(np.add(lengths, 1), T)),
            "Steps are counted from 0. Which step is the last one of a sentence of length 3?",
        ),
        "one step too few": Wrong(
            lambda lengths, T: _shared(_real(np.subtract(lengths, 1), T)),
            "A sentence of length 1 has one real character. What weight do you give it?",
        ),
        "sentences first": Wrong(
            lambda lengths, T: loss_weights(lengths, T).T,
            "Which axis is time on this page?",
        ),
        "a sum": Wrong(
            lambda lengths, T: _real(lengths, T).astype(float),
            "The weights of a mean add up to one. What do your weights add up to?",
        ),
        "each sentence its own mean": Wrong(
            lambda lengths, T: _real(lengths, T) / np.asarray(lengths),
            "In a mean over all characters, should a character of a short sentence count more "
            "than the others?",
        ),
    },
)
def loss_weights(lengths, T):
    """Return the values of (G 10.17) for a mean over the real characters."""
    return _shared(_real(lengths, T))


@exercise(
    "04-grad-h0",
    cases=lambda: [(W, h, g) for W, _, h, g, _ in _steps_back()],
    hint="Which quantities depend directly on the initial state? Compare each of your terms with "
    "the path that it belongs to.",
    success="The initial state feeds only the first state and no output, so only one of the "
    "two terms in (G 10.21) remains.",
    wrong={
        "tanh derivative missing": Wrong(
            lambda W, h_first, g_first: W.T @ g_first,
            "Which two operations lie between the initial state and the first state?",
        ),
        "W not transposed": Wrong(
            lambda W, h_first, g_first: W @ ((1 - h_first**2) * g_first),
            "Going forward, the state is multiplied by W. Which matrix multiplies the "
            "gradient on the way back?",
        ),
        "tanh of h": Wrong(
            lambda W, h_first, g_first: W.T @ ((1 - np.tanh(h_first) ** 2) * g_first),
            "Which number is h_first: the argument of the tanh, or already its value?",
        ),
        "slopes after W": Wrong(
            lambda W, h_first, g_first: (W.T @ g_first) * (1 - h_first**2),
            "Going backward from the first state, which comes first: the tanh or the matrix?",
        ),
    },
)
def grad_h0(W, h_first, g_first):
    """Return the gradient with respect to the initial state."""
    return W.T @ ((1 - h_first**2) * g_first)


checklist(
    "04-symmetry",
    {
        "Forward: by induction over the steps, the two units have equal states.": (
            "Suppose the two units agree at one step. What does each of them compute at the "
            "next step?"
        ),
        "Backward: by induction from the end, their states have equal gradients.": (
            "Write (G 10.21) for unit i and for unit j. Which terms could differ?"
        ),
        "So the gradients have the same symmetry as the parameters.": (
            "Each gradient is a sum of outer products. What happens to both factors?"
        ),
        "So the symmetry survives one step of gradient descent, and therefore every step.": (
            "What do you get if you add a symmetric gradient to symmetric parameters?"
        ),
    },
    success="Units that start equal stay equal forever, so weights are initialized at random "
    "to break the symmetry.",
)


@exercise(
    "04-bits",
    cases=lambda: [
        (np.log(np.full(10, 1 / 8)),),
        (np.log(np.array([0.5, 0.25, 0.125, 0.9])),),
    ],
    hint="If a model always gives the next character probability 0.5, it needs one bit per "
    "character. What does your function return for such a model?",
    success="Two to the power of this number is the perplexity: the number of equally likely "
    "characters that would be as hard to predict.",
    wrong={
        "nats": Wrong(
            lambda log_p: -np.mean(log_p),
            "Which base does the logarithm have if the unit is a bit?",
        ),
        "the whole text": Wrong(
            lambda log_p: -np.sum(log_p) / np.log(2),
            "Is your number for one character or for the whole text?",
        ),
        "mean of the probabilities": Wrong(
            lambda log_p: -np.log2(np.mean(np.exp(log_p))),
            "Should you average the probabilities or their logarithms?",
        ),
        "negative": Wrong(
            lambda log_p: np.mean(log_p) / np.log(2),
            "Can a character cost a negative number of bits?",
        ),
    },
)
def bits_per_character(log_p):
    """Return the mean cost of a character in bits."""
    return -np.mean(log_p) / np.log(2)


@exercise(
    "04-checkpoints",
    cases=lambda: [(1,), (16,), (10,), (7,), (100,), (1000,), (2025,)],
    hint="Compute the sum for every k when T is 10, by hand. Which k gives the smallest sum?",
    success="The best segment length is near the square root of T, so memory grows like that "
    "root. The price is about one extra forward pass.",
    wrong={
        "the root, rounded down": Wrong(
            lambda T: math.isqrt(T),
            "The root would be best if T / k weren't rounded up. If T is 10, is a smaller k as "
            "good as yours?",
        ),
        "the root, rounded up": Wrong(
            lambda T: math.isqrt(T - 1) + 1,
            "Near the root, several k often have the same sum. Which ones do if T is 7?",
        ),
        "the root, rounded": Wrong(
            lambda T: round(math.sqrt(T)),
            "The root is only a good guess. Try every k near it. Which smaller ones are as good "
            "as yours?",
        ),
        "the largest of several": Wrong(
            lambda T: min(range(T, 0, -1), key=lambda k: -(-T // k) + k),
            "Your sum is the smallest possible. If several values of k reach it, which one "
            "does the exercise ask for?",
        ),
        "checkpoints alone": Wrong(
            lambda T: T, "Then there is only one checkpoint. How many states does its segment have?"
        ),
        "everything kept": Wrong(lambda T: 1, "If k is 1, how many states are not stored?"),
        "half the sequence": Wrong(
            lambda T: max(1, T // 2),
            "Then there are only two checkpoints. How many states does a segment have?",
        ),
    },
)
def best_segment(T):
    """Return the segment length that keeps the fewest states in memory."""
    return min(range(1, T + 1), key=lambda k: -(-T // k) + k)
