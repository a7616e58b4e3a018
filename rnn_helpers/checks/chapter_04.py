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
    """The solution with another number in place of each step's largest logit."""

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
    hint="Print each row and its sum. Which is the first that is not finite, or not zero in all?",
    wrong={
        "happened minus predicted": Wrong(
            lambda o, y: -grad_logits(o, y),
            "Should the logit of the symbol that came rise or fall when we step down the gradient?",
        ),
        "target not subtracted": Wrong(
            lambda o, y: _softmax(o), "Where does the symbol that really came enter?"
        ),
        "mean over the steps": Wrong(
            lambda o, y: grad_logits(o, y) / len(y),
            "The loss of (10.13) is a sum over the steps, not their mean.",
        ),
        "overflow": Wrong(
            _subtracting(lambda o: 0.0),
            "What is exp(1000)? What may be taken off a step's logits that changes no probability?",
        ),
        "the largest of all steps": Wrong(
            _subtracting(np.max),
            "A step whose logits all lie 1000 below another step's: what is left of its exp?",
        ),
        "softmax over the steps": Wrong(
            lambda o, y: _subtracting(lambda o: o.max(axis=0), axis=0)(o, y),
            "What adds up to one: the symbols at one step, or the steps?",
        ),
    },
)
def grad_logits(o, y):
    """Give the gradient (10.18) of the summed loss on the logits."""
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
    hint="Which two things does the state feed? Write one term for each.",
    wrong={
        "slopes after W, as printed": Wrong(
            _printed_order, "Going backward, which is met first: the tanh, or the matrix?"
        ),
        "W not transposed": Wrong(
            lambda W, V, h_next, g_next, g_out: W @ ((1 - h_next**2) * g_next) + V.T @ g_out,
            "W carried unit j to unit i. What carries the gradient of unit i back to unit j?",
        ),
        "tanh derivative missing": Wrong(
            lambda W, V, h_next, g_next, g_out: W.T @ g_next + V.T @ g_out,
            "Would a saturated unit pass its gradient on?",
        ),
        "own output forgotten": Wrong(
            lambda W, V, h_next, g_next, g_out: W.T @ ((1 - h_next**2) * g_next),
            "The state also feeds the output of its own step.",
        ),
    },
)
def step_back(W, V, h_next, g_next, g_out):
    """Take one step of (10.21)."""
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
    hint="Take the case with a single step first: its sum has one term, a column times a row. What "
    "is in the column, and what in the row?",
    wrong={
        "h(t) for h(t-1)": Wrong(
            lambda h0, h, g: ((1 - h**2) * g).T @ h, "Which state went through W at step t?"
        ),
        "transposed": Wrong(
            lambda h0, h, g: grad_W(h0, h, g).T,
            "Row i, column j of W carries unit j to unit i. Which factor has which index?",
        ),
        "tanh derivative missing": Wrong(
            lambda h0, h, g: g.T @ np.vstack([h0, h[:-1]]),
            "The gradient you were given is on h. W acts before the tanh.",
        ),
        "slopes of h(t-1)": Wrong(
            lambda h0, h, g: ((1 - np.vstack([h0, h[:-1]]) ** 2) * g).T @ np.vstack([h0, h[:-1]]),
            "W is used inside the tanh that made h(t). Where is the slope of that tanh taken?",
        ),
        "mean over the steps": Wrong(
            lambda h0, h, g: grad_W(h0, h, g) / len(h),
            "Right for one step. (10.26) is a sum over the steps: does it divide by their number?",
        ),
        "first step left out": Wrong(
            lambda h0, h, g: ((1 - h[1:] ** 2) * g[1:]).T @ h[:-1],
            "Is there a copy of W at the first step? What goes through it is not zero.",
        ),
    },
)
def grad_W(h0, h, g):
    """Give the gradient (10.26)."""
    before = np.vstack([h0, h[:-1]])
    return ((1 - h**2) * g).T @ before


def _real(lengths, T):
    return np.arange(T)[:, None] < np.asarray(lengths)


def _shared(real):
    return real / real.sum()


@exercise(
    "04-loss-weights",
    cases=lambda: [([3, 1], 3), ([2, 2, 5], 6), ([4], 4)],
    hint="How many real characters are there in all? Each of them has the same share.",
    wrong={
        "padding counted": Wrong(
            lambda lengths, T: np.full((T, len(lengths)), 1 / (T * len(lengths))),
            "What weight does a step beyond the end of its sentence deserve?",
        ),
        "one step too many": Wrong(
            lambda lengths, T: _shared(_real(np.add(lengths, 1), T)),
            "Steps are counted from 0 here. Which is the last of a sentence of length 3?",
        ),
        "one step too few": Wrong(
            lambda lengths, T: _shared(_real(np.subtract(lengths, 1), T)),
            "A sentence of length 1 has one real character. Which weight has yours?",
        ),
        "sentences first": Wrong(
            lambda lengths, T: loss_weights(lengths, T).T,
            "Which axis is time's on this page?",
        ),
        "a sum": Wrong(
            lambda lengths, T: _real(lengths, T).astype(float),
            "The weights of a mean add up to one. What do yours add up to?",
        ),
        "each sentence its own mean": Wrong(
            lambda lengths, T: _real(lengths, T) / np.asarray(lengths),
            "In the mean over characters, does a character of a short sentence weigh more?",
        ),
    },
)
def loss_weights(lengths, T):
    """Give what takes the place of (10.17) for a mean over real characters."""
    return _shared(_real(lengths, T))


@exercise(
    "04-grad-h0",
    cases=lambda: [(W, h, g) for W, _, h, g, _ in _steps_back()],
    hint="What does the initial state feed? One edge, one term.",
    wrong={
        "tanh derivative missing": Wrong(
            lambda W, h_first, g_first: W.T @ g_first,
            "Between the initial state and the first state lie a matrix and a tanh.",
        ),
        "W not transposed": Wrong(
            lambda W, h_first, g_first: W @ ((1 - h_first**2) * g_first),
            "Backward along an edge means the transposed Jacobian of the edge.",
        ),
        "slopes after W": Wrong(
            lambda W, h_first, g_first: (W.T @ g_first) * (1 - h_first**2),
            "Going backward from the first state, which is met first: tanh or matrix?",
        ),
    },
)
def grad_h0(W, h_first, g_first):
    """Give the gradient on the initial state."""
    return W.T @ ((1 - h_first**2) * g_first)


checklist(
    "04-symmetry",
    {
        "Forward: by induction over the steps, the two units have equal states.": (
            "Suppose they agree at one step. What does each of them compute at the next?"
        ),
        "Backward: by induction from the end, their states have equal gradients.": (
            "Write (10.21) for unit i and for unit j and compare term by term."
        ),
        "So the gradients of all parameters have the symmetry of the parameters.": (
            "Each gradient is a sum of outer products. What happens to both factors?"
        ),
        "So it survives a step of gradient descent, and hence all of them.": (
            "Add a symmetric gradient to symmetric parameters. What have you got?"
        ),
    },
)


@exercise(
    "04-bits",
    cases=lambda: [
        (np.log(np.full(10, 1 / 8)),),
        (np.log(np.array([0.5, 0.25, 0.125, 0.9])),),
    ],
    hint="What should a model pay that hesitates between two characters? One bit. Does yours?",
    wrong={
        "nats": Wrong(lambda log_p: -np.mean(log_p), "Which base has the logarithm of a bit?"),
        "the whole text": Wrong(
            lambda log_p: -np.sum(log_p) / np.log(2), "Bits for each character, not for the text."
        ),
        "mean of the probabilities": Wrong(
            lambda log_p: -np.log2(np.mean(np.exp(log_p))),
            "Which is averaged, the logarithm or the probability?",
        ),
        "negative": Wrong(
            lambda log_p: np.mean(log_p) / np.log(2), "Can a character cost less than nothing?"
        ),
    },
)
def bits_per_character(log_p):
    """Give the mean cost of a character in bits."""
    return -np.mean(log_p) / np.log(2)


@exercise(
    "04-checkpoints",
    cases=lambda: [(1,), (16,), (10,), (7,), (100,), (1000,), (2025,)],
    hint="Compute the sum for every k when T is 10, by hand. Which k give the smallest?",
    wrong={
        "the root, rounded down": Wrong(
            lambda T: math.isqrt(T),
            "The root is best where T / k need not be whole. Here it is rounded up: does a smaller "
            "k do as well as yours when T is 10?",
        ),
        "the root, rounded up": Wrong(
            lambda T: math.isqrt(T - 1) + 1,
            "Near the root the sum is flat, and ties are common. When T is 7, which k tie?",
        ),
        "the root, rounded": Wrong(
            lambda T: round(math.sqrt(T)),
            "A root is a good guess, and a guess. Try all k around it: which do as well as yours?",
        ),
        "the largest of several": Wrong(
            lambda T: min(range(T, 0, -1), key=lambda k: -(-T // k) + k),
            "Your sum is the smallest there is. Of several k that reach it, which was asked for?",
        ),
        "checkpoints alone": Wrong(
            lambda T: T, "That leaves one checkpoint. How long is the segment to recompute?"
        ),
        "everything kept": Wrong(lambda T: 1, "With k = 1, what has been saved?"),
        "half the sequence": Wrong(
            lambda T: max(1, T // 2), "Two checkpoints; and how many states in the segment?"
        ),
    },
)
def best_segment(T):
    """Give the segment length that keeps the fewest states in memory."""
    return min(range(1, T + 1), key=lambda k: -(-T // k) + k)
