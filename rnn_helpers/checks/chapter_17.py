"""The exercises of chapter 17, Optimization for long-term dependencies."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
from rnn_helpers.reference import cliff_gradient


def _norm(grads):
    return np.sqrt(sum((g**2).sum() for g in grads.values()))


def _gradients() -> list[tuple]:
    rng = np.random.default_rng(48)

    def case(scale, v):
        shapes = {"W": (3, 3), "b": (3,)}
        return {name: scale * rng.normal(size=shape) for name, shape in shapes.items()}, v

    negative = {"W": np.array([[-3.0, -1.0], [-2.0, -5.0]]), "b": np.array([-4.0, -0.5])}
    many = {"W": np.full((20, 20), 0.1), "b": np.full(20, -0.1)}
    return [
        case(10, 1.0),
        case(0.01, 1.0),
        (negative, 2.0),
        (many, 1.5),
        case(3, 0.5),
        case(1, 5.0),
    ]


def _scaled(too_long, factor=lambda grads, v: v / _norm(grads)):
    def clip(grads, v):
        by = factor(grads, v) if too_long(grads, v) else 1.0
        return {name: g * by for name, g in grads.items()}

    return clip


def _each(clip):
    return lambda grads, v: {name: clip(g, v) for name, g in grads.items()}


@exercise(
    "17-clip",
    cases=_gradients,
    hint="One number says how long the gradient of all parameters is. What is it for W and b?",
    wrong={
        "the gradient itself compared": Wrong(
            _scaled(lambda grads, v: any((g > v).any() for g in grads.values())),
            "What is compared with v: an entry, or a length? Try a gradient that is all negative.",
        ),
        "each entry compared with the threshold": Wrong(
            lambda grads, v: {
                name: np.where(g > v, v * g / _norm(grads), g) for name, g in grads.items()
            },
            "Is yours still a multiple of the gradient that you were given?",
        ),
        "each parameter by itself": Wrong(
            _each(lambda g, v: g * min(1.0, v / np.linalg.norm(g))),
            "How long is all of it together then? And does it point where it pointed?",
        ),
        "each element by itself": Wrong(
            _each(lambda g, v: np.clip(g, -v, v)), "That is the other way to clip. Is the norm v?"
        ),
        "the square of the norm": Wrong(
            _scaled(lambda grads, v: _norm(grads) ** 2 > v, lambda grads, v: v / _norm(grads) ** 2),
            "How long is what you return? A root is missing.",
        ),
        "PyTorch's": Wrong(
            lambda grads, v: {
                name: g * min(1, v / (_norm(grads) + 1e-6)) for name, g in grads.items()
            },
            "Right to six digits. PyTorch divides by a little more than the norm; does (10.49)?",
        ),
        "short ones made longer": Wrong(
            _scaled(lambda grads, v: True), "What does (10.48) ask before (10.49) is done?"
        ),
    },
)
def clip(grads, v):
    """Clip the gradients of all parameters by their joint norm, (10.48) and (10.49)."""
    norm = np.sqrt(sum((g**2).sum() for g in grads.values()))
    return {name: g * v / norm if norm > v else g for name, g in grads.items()}


@exercise(
    "17-pytorch",
    cases=lambda: [
        (np.array([1e-9, 0.5, 0.9999995, 1.0, 2.0]), 1.0),
        (np.array([1e-5, 3.0, 1e6]), 1e-4),
        (np.array([2e-7, 1e-6, 1e-3]), 1e-7),
    ],
    tolerance=1e-10,
    hint="Its documentation gives the number that is added to the norm. What is done after it?",
    wrong={
        "(10.49) as it stands": Wrong(
            lambda norms, v: np.minimum(1, v / norms),
            "That is the book's. PyTorch adds something to the norm, lest it divide by 0.",
        ),
        "short ones made longer": Wrong(
            lambda norms, v: v / (norms + 1e-6), "Should a gradient that is short get longer?"
        ),
        "compared first": Wrong(
            lambda norms, v: np.where(norms > v, v / (norms + 1e-6), 1),
            "Almost. PyTorch asks no question, it takes the smaller of two factors. For which "
            "norms is that not the same?",
        ),
        "added to the threshold": Wrong(
            lambda norms, v: np.minimum(1, (v + 1e-6) / norms),
            "What would that do to a gradient whose norm is 0? It is to protect from that.",
        ),
    },
)
def pytorch_factor(norms, v):
    """Give the factor by which PyTorch scales gradients of such norms."""
    return np.minimum(1, v / (norms + 1e-6))


checklist(
    "17-descent",
    {
        "The product of g and clip(g) sums g_i clip(g_i), and none is negative: one sign each.": (
            "Write the product as a sum. What sign does clipping leave to an entry?"
        ),
        "It is positive unless g is 0, so that a small enough step lowers this minibatch's loss.": (
            "When is the sum 0? And what does the first order of Taylor's formula say of a step?"
        ),
        "For another loss, of gradient u, the terms u_i clip(g_i) may have either sign.": (
            "Which gradient must the step be multiplied with, if the loss is another?"
        ),
        "A counter-example with its numbers: u times g above 0, and u times clip(g) below.": (
            "Make an entry large that u hardly cares for, and clip it."
        ),
        "Clipped by norm the product is the old one times a factor above 0, and keeps its sign.": (
            "Put (10.49) into the product."
        ),
        "Norm clipping keeps a minibatch's direction; plain gradient descent alone follows it.": (
            "What do momentum and Adam add up before they take a step?"
        ),
    },
)


def _cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


def _turned(g, v):
    return _cosine(g, np.clip(g, -v, v))


@exercise(
    "17-how-far",
    cases=lambda: [
        (np.array([10.0, -1.0]), 1.0),
        (np.array([0.1, 30.0, -2.0]), 0.5),
        (np.array([3.0, 4.0]), 3.5),
    ],
    hint="Draw g and the clipped g, k. A step against k climbs for every u that is more than 90 "
    "degrees from k. Which of those u is nearest to g?",
    tolerance=1e-6,
    wrong={
        "the cosine of the turn": Wrong(
            _turned,
            "That is how far clipping turns g. How near to g can something lie that is at 90 "
            "degrees to the turned one?",
        ),
        "the angle instead of its cosine": Wrong(
            lambda g, v: np.pi / 2 - np.arccos(_turned(g, v)), "An angle was not asked for."
        ),
        "one less the cosine": Wrong(
            lambda g, v: 1 - _turned(g, v), "Angles add up to 90 degrees. Do cosines add up to 1?"
        ),
        "clipped by norm": Wrong(
            lambda g, v: 0.0, "Clipping by norm turns nothing. Which way of clipping does?"
        ),
    },
)
def how_far(g, v):
    """Give the largest cosine between g and a gradient that clipped g by element climbs."""
    clipped = np.clip(g, -v, v)
    cosine = g @ clipped / np.sqrt((g @ g) * (clipped @ clipped))
    return np.sqrt(1 - cosine**2)


def _after_clipping(gradients):
    """How many gradients there are, and what becomes of their mean, in words."""
    g = np.array(gradients, float)
    norms = np.linalg.norm(g, axis=1)
    true, clipped = g.mean(0), (g / np.maximum(norms, 1)[:, None]).mean(0)
    cosine = _cosine(true, clipped)
    if norms.max() <= 1:
        what = "nothing is clipped"
    elif abs(cosine) < 0.999:
        what = "turned"
    elif cosine < 0:
        what = "reversed"
    else:
        what = "with the longest" if true @ g[norms.argmax()] > 0 else "against the longest"
    return *g.shape, what


def _outlier(n, size, small=1.0):
    return np.array([[-size, 0.0]] + [[small, 0.0]] * (n - 1))


@exercise(
    "17-reversed",
    cases=lambda: [(3,), (4,), (10,), (10_000,)],
    hint="Try it in the figure first, with two arrows and a number of copies.",
    measure=_after_clipping,
    wrong={
        "the many win before clipping too": Wrong(
            lambda n: _outlier(n, (n - 1) / 2),
            "Which way does the true mean point: with the large one, or with the many?",
        ),
        "a large one of one size for all n": Wrong(
            lambda n: _outlier(n, 100.0),
            "Right while the many are few. What if there are more of them than yours is long?",
        ),
        "nothing clipped": Wrong(
            lambda n: _outlier(n, 0.9, 0.9 / n), "Is any of yours longer than the threshold?"
        ),
        "many too small": Wrong(
            lambda n: _outlier(n, 10 * n, 0.5 / n),
            "Clipped, the large one still has a length of 1. What do the others add up to?",
        ),
        "at a right angle": Wrong(
            lambda n: np.array([[-10.0 * n, 0.0]] + [[0.0, 1.0]] * (n - 1)),
            "The mean is turned, and not yet uphill. Which way should the many pull?",
        ),
    },
)
def reversed_by_clipping(n):
    """Give n gradients whose mean is reversed if each is clipped by norm at 1."""
    return np.array([[-n, 0.0]] + [[1.0, 0.0]] * (n - 1))


def _newton_steps(factor):
    return int(np.ceil(np.log(2) / -np.log(factor) - 1e-9))


@exercise(
    "17-newton",
    cases=lambda: [(3,), (10,), (51,), (1000,)],
    hint="Divide the first derivative of w^tau by the second. Is what is left a constant?",
    wrong={
        "the first quotient for all steps": Wrong(
            lambda tau: int(np.ceil((tau - 1) / 2)),
            "The quotient is computed anew at each step, from a smaller w.",
        ),
        "w / tau": Wrong(
            lambda tau: _newton_steps(1 - 1 / tau), "Derive once more, and count the factors."
        ),
        "one step": Wrong(
            lambda tau: 1, "One step leads to the minimum of a parabola. What is tau for that?"
        ),
    },
)
def newton_steps(tau):
    """Give the number of Newton's steps that halve w, on the loss w^tau."""
    return int(np.ceil(np.log(2) / np.log((tau - 1) / (tau - 2)) - 1e-9))


def _omega(step, power=2, last=0, anew=True):
    def omega(W, g, T):
        total = 0.0
        for _ in range(T - 1 + last):
            before = step(W, g)
            total += (np.linalg.norm(before) / np.linalg.norm(g) - 1) ** power
            g = before if anew else g
        return total

    return omega


def _linear_nets() -> list[tuple]:
    rng = np.random.default_rng(52)
    return [
        (np.array([[1.2, 0.5], [0.0, 0.7]]), np.array([1.0, 2.0]), 2),
        (rng.normal(size=(4, 4)) / 2, rng.normal(size=4), 6),
        (np.array([[0.0, -1.0], [1.0, 0.0]]), np.array([3.0, 1.0]), 5),
    ]


@exercise(
    "17-omega",
    cases=_linear_nets,
    hint="Print the length of the gradient at each step, from the last one back.",
    wrong={
        "W instead of its transpose": Wrong(
            _omega(lambda W, g: W @ g),
            "That is how a state goes on. What carries a column vector of gradients back?",
        ),
        "the same gradient at every step": Wrong(
            _omega(lambda W, g: W.T @ g, anew=False),
            "What goes back from step t is what has arrived there. Is that g at every step?",
        ),
        "not squared": Wrong(
            _omega(lambda W, g: W.T @ g, power=1),
            "A gradient that shrinks must not make up for one that grows.",
        ),
        "one term too many": Wrong(
            _omega(lambda W, g: W.T @ g, last=1),
            "From step T to step 1, how many times does a gradient go back?",
        ),
        "the largest singular value": Wrong(
            lambda W, g, T: (T - 1) * (np.linalg.norm(W, 2) - 1) ** 2,
            "That is how long W can make a gradient. How long does it make this one?",
        ),
    },
)
def omega(W, g, T):
    """Give (10.52) of a linear network whose last state has the gradient g."""
    total = 0.0
    for _ in range(T - 1):
        before = W.T @ g
        total += (np.linalg.norm(before) / np.linalg.norm(g) - 1) ** 2
        g = before
    return total


checklist(
    "17-hidden",
    {
        "dL/dW is a sum of T terms, each an outer product: slope times gradient, and a state.": (
            "Write (10.26) with what the page calls the gradient on h^(t)."
        ),
        "Each entry of a term is at most v: slope and state of a tanh are at most 1 in size.": (
            "Three factors: how large can each be?"
        ),
        "So every entry of dL/dW is at most T v, and its norm at most T v n_h.": (
            "How many terms are summed, and how many entries has W?"
        ),
        "The bound grows with T in a straight line; without clipping it can grow like a power.": (
            "What could the last gradient become on its way back through T steps, unclipped?"
        ),
        "dL/dV and dL/dc are not touched: they are made before anything goes back in time.": (
            "Which parameters' gradients do not pass through a hidden gradient?"
        ),
        "So a step is bounded, and may still be T times longer than v suggests.": (
            "Compare with the length that clipping by norm guarantees, whatever T is."
        ),
    },
)


def _wall(w):
    """Bias at which the start is a fixed point, where the cliff stands."""
    return 0.5 - w / (1 + np.exp(-0.5))


@exercise(
    "17-steepness",
    cases=lambda: [(4.5,), (5.0,), (6.0,)],
    tolerance=0.01,
    hint="Find the wall first: for which b does the state stay at 0.5? Then measure at many T.",
    wrong={
        "slope at 0": Wrong(
            lambda w: w / 4, "A state of 0 has that slope. Where does the state of the wall stay?"
        ),
        "slope at the target": Wrong(
            lambda w: w * 0.7 * 0.3, "The state is on its way for T steps. Is it at the target?"
        ),
        "the sigmoid instead of its slope": Wrong(
            lambda w: w / (1 + np.exp(-0.5)),
            "By the chain rule each step multiplies with a derivative. Of what?",
        ),
        "away from the wall": Wrong(
            lambda w: _ratio(w, -w / 2),
            "There all starts end in the same place, and a gradient shrinks. Find where they part.",
        ),
        "few steps": Wrong(
            lambda w: _ratio(w, _wall(w), 2),
            "Over the first steps other terms of the sum count as well. Take more of them.",
        ),
    },
)
def steepness(w):
    """Give the factor by which one more step makes the cliff steeper."""
    y = 1 / (1 + np.exp(-0.5))
    return w * y * (1 - y)


def _ratio(w, b, T=120):
    """The factor, as measured between T and T + 1 steps."""
    before, after = (np.linalg.norm(cliff_gradient(w, b, steps)) for steps in (T, T + 1))
    return after / before


checklist(
    "17-adam",
    {
        "Both averages are linear in what they average: c times g gives c times m, c^2 times v.": (
            "Write Adam's two averages for the gradients c g^(1), c g^(2), ..."
        ),
        "So m over the root of v stays the same, for any c above 0, but for the small epsilon.": (
            "Put them into the step, and cancel."
        ),
        "Clipping that shortens every gradient by one factor changes nothing, then.": (
            "When do (10.48) and (10.49) multiply all gradients with the same number?"
        ),
        "If every gradient exceeds it, the threshold itself does not matter: v may be doubled.": (
            "All gradients have length v then. What is c if the threshold is twice that?"
        ),
        "What clipping does under Adam: it makes one long gradient no longer than the others.": (
            "What differs if one gradient in a hundred exceeds the threshold?"
        ),
        "For plain gradient descent the same c is a change of the learning rate.": (
            "Where does the factor stand in the step of plain gradient descent?"
        ),
    },
)
