"""The exercises of chapter 17, Cliffs and clipping."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
from rnn_helpers.reference import cliff_gradient


@exercise(
    "17-factor",
    hint="By what is a small distance from 0.5 multiplied at each step?",
    success="The factor is above 1, so the wall gets steeper with every step, and after many "
    "steps it is a cliff.",
    tolerance=0.01,
    wrong={
        "ten times the factor": Wrong(
            (1.41, 14.1), "Does each step add to the factor or multiply it? Try two steps."
        ),
        "the slope of the sigmoid": Wrong(
            (0.235, 0.235**10), "That is the slope of the sigmoid. What else multiplies the state?"
        ),
        "the weight of the section": Wrong(
            (5 * 0.235, (5 * 0.235) ** 10), "Which weight does the question give?"
        ),
        "the weight alone": Wrong((6, 6**10), "Does the sigmoid pass on the whole change?"),
    },
)
def factors():
    """Return the factors by which one step and ten steps steepen the wall at w = 6."""
    return 6 * 0.235, (6 * 0.235) ** 10


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
    hint="Try a gradient that is shorter than v, then one that is longer. Which of the two goes "
    "wrong? Print the length of W and b together, before and after.",
    success="One factor scales the gradient of all parameters, so clipping by norm keeps its "
    "direction. Scaling each parameter or entry separately can turn it.",
    instance="""
    def clipped(scale, *grads):
        grads = {name: scale * np.array(g) for name, g in zip("Wb", grads)}
        return [g / scale for g in clip(grads, 2 * scale).values()]

    print([
        clipped(1, [[3.0, -1.0], [2.0, -4.0]], [0.5]),
        clipped(1, [[-0.9, 1.1]], [0.2]),
        clipped(1e-6, [[-1.0, -1.0]], [-1.9]),
    ])
    """,
    wrong={
        "the gradient itself compared": Wrong(
            _scaled(lambda grads, v: any((g > v).any() for g in grads.values())),
            "Do you compare an entry with v, or a length? Try a gradient whose entries are all "
            "negative.",
        ),
        "each entry compared with the threshold": Wrong(
            lambda grads, v: {
                name: np.where(g > v, v * g / _norm(grads), g) for name, g in grads.items()
            },
            "Is your result still a multiple of the original gradient?",
        ),
        "each parameter by itself": Wrong(
            _each(lambda g, v: g * min(1.0, v / np.linalg.norm(g))),
            "How long is your whole gradient then? Does it still point in the same direction?",
        ),
        "each element by itself": Wrong(
            _each(lambda g, v: np.clip(g, -v, v)),
            "That is clipping by element. What is the norm of your result?",
        ),
        "the square of the norm": Wrong(
            _scaled(lambda grads, v: _norm(grads) ** 2 > v, lambda grads, v: v / _norm(grads) ** 2),
            "How long is your result? Check how you compute the norm.",
        ),
        "PyTorch's": Wrong(
            lambda grads, v: {
                name: g * min(1, v / (_norm(grads) + 1e-6)) for name, g in grads.items()
            },
            "That agrees to six digits. PyTorch divides by a little more than the norm; does "
            "(G 10.49)?",
        ),
        "short ones made longer": Wrong(
            _scaled(lambda grads, v: True),
            "Which condition does (G 10.48) set before (G 10.49) applies?",
        ),
    },
)
def clip(grads, v):
    """Clip the gradients of all parameters by their joint norm, (G 10.48) and (G 10.49)."""
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
    hint="Try a norm far below the threshold, one far above it and one almost equal to it. Which "
    "factor is wrong? The documentation of PyTorch's function gives its formula.",
    success="PyTorch's extra 10^-6 hardly matters at norms near 1. But it halves a clipped "
    "gradient whose norm is 10^-6, so tiny gradients need care.",
    instance="""
    print([
        pytorch_factor(np.array([0.5, 4.0]), 1.0),
        pytorch_factor(np.array([5e-7, 4e-6, 1e-9]), 1e-6),
    ])
    """,
    wrong={
        "(G 10.49) as it stands": Wrong(
            lambda norms, v: np.minimum(1, v / norms),
            "That is (G 10.49). What does PyTorch do so that it never divides by 0?",
        ),
        "short ones made longer": Wrong(
            lambda norms, v: v / (norms + 1e-6), "Should a short gradient get longer?"
        ),
        "compared first": Wrong(
            lambda norms, v: np.where(norms > v, v / (norms + 1e-6), 1),
            "Almost right. PyTorch doesn't compare first; it takes the smaller of two factors. "
            "For which norms does that differ?",
        ),
        "the clipped norms": Wrong(
            lambda norms, v: norms * np.minimum(1, v / (norms + 1e-6)),
            "Those are the norms after clipping. By which factors were the gradients multiplied?",
        ),
        "added to the threshold": Wrong(
            lambda norms, v: np.minimum(1, (v + 1e-6) / norms),
            "What does your factor become when the norm is 0?",
        ),
    },
)
def pytorch_factor(norms, v):
    """Return the factors by which PyTorch scales gradients with these norms."""
    return np.minimum(1, v / (norms + 1e-6))


checklist(
    "17-descent",
    {
        "The product of g and clip(g) is the sum of g_i clip(g_i), and no term is negative, "
        "because clipping keeps each sign.": (
            "Write the product as a sum. Which sign does a clipped entry have?"
        ),
        "It is positive unless g is 0, so a small enough step lowers this minibatch's loss.": (
            "When is the sum 0? What does a first-order Taylor expansion say about a small step?"
        ),
        "For another loss, with gradient u, the terms u_i clip(g_i) can have either sign.": (
            "Which gradient do you multiply the step by if the loss is a different one?"
        ),
        "A counterexample with numbers: u times g is above 0, and u times clip(g) is below 0.": (
            "Make an entry of g large where u is small, and clip it."
        ),
        "Clipping by norm multiplies the product by a factor above 0, so the product keeps its "
        "sign.": ("Put (G 10.49) into the product. What changes?"),
        "Clipping by norm keeps a minibatch's direction, but only plain gradient descent steps "
        "along it.": (
            "What do momentum and Adam compute from the gradients before they take a step?"
        ),
    },
    success="A step clipped by element lowers the minibatch's loss, but it can raise the true "
    "loss.",
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
    hint="Draw g and the clipped g. A step against the clipped g goes uphill for every u at more "
    "than 90 degrees to it. Which such u is nearest to g?",
    success="The further clipping by element turns a gradient, the more easily its step goes "
    "uphill on the true loss. Clipping by norm never turns a gradient.",
    tolerance=1e-6,
    wrong={
        "the cosine of the turn": Wrong(
            _turned,
            "That is the cosine between g and the clipped g. How near to g can a vector be that "
            "is at 90 degrees to the clipped one?",
        ),
        "the angle instead of its cosine": Wrong(
            lambda g, v: np.pi / 2 - np.arccos(_turned(g, v)),
            "You return an angle. Which quantity does the exercise ask for?",
        ),
        "one minus the cosine": Wrong(
            lambda g, v: 1 - _turned(g, v),
            "The angles add up to 90 degrees. Do their cosines add up to 1?",
        ),
        "clipped by norm": Wrong(
            lambda g, v: 0.0,
            "Clipping by norm doesn't turn a gradient. Which kind of clipping does the exercise "
            "use?",
        ),
    },
)
def how_far(g, v):
    """Return the largest cosine with g of a true gradient whose loss the clipped step climbs."""
    clipped = np.clip(g, -v, v)
    cosine = g @ clipped / np.sqrt((g @ g) * (clipped @ clipped))
    return np.sqrt(1 - cosine**2)


def _after_clipping(gradients):
    """Return the gradients' shape and a description of what clipping does to their mean."""
    g = np.array(gradients, float)
    norms = np.linalg.norm(g, axis=1)
    true, clipped = g.mean(0), (g / np.maximum(norms, 1)[:, None]).mean(0)
    cosine = true @ clipped / (np.linalg.norm(true) * np.linalg.norm(clipped))
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
    hint="Try it in the figure first, with two arrows and several copies of one of them.",
    success="Clipping each gradient before averaging can reverse the mean when one rare gradient "
    "outweighs many small ones. Clipping the mean itself can't.",
    measure=_after_clipping,
    instance="""
    def report(n):
        g = reversed_by_clipping(n)
        norms = np.linalg.norm(g, axis=1, keepdims=True)
        mean, clipped = g.mean(axis=0), (g / np.maximum(norms, 1)).mean(axis=0)
        cosine = mean @ clipped / np.sqrt((mean @ mean) * (clipped @ clipped))
        leads = bool(mean @ g[norms.argmax()] > 0)
        return g.shape == (n, 2), round(float(cosine), 3), leads, bool((norms > 1).any())

    print([report(3), report(10), report(10_000)])
    """,
    wrong={
        "the many win before clipping too": Wrong(
            lambda n: _outlier(n, (n - 1) / 2),
            "In which direction does your unclipped mean point: that of the large gradient, or "
            "that of the small ones?",
        ),
        "a large one of one size for all n": Wrong(
            lambda n: _outlier(n, 100.0),
            "That works while the small gradients are few. What if there are more of them than "
            "your large one is long?",
        ),
        "nothing clipped": Wrong(
            lambda n: _outlier(n, 0.9, 0.9 / n),
            "Is any of your gradients longer than the threshold?",
        ),
        "many too small": Wrong(
            lambda n: _outlier(n, 10 * n, 0.5 / n),
            "After clipping, the large gradient still has length 1. How long is the sum of the "
            "others?",
        ),
        "at a right angle": Wrong(
            lambda n: np.array([[-10.0 * n, 0.0]] + [[0.0, 1.0]] * (n - 1)),
            "Your mean is turned but not reversed. In which direction should the many gradients "
            "point?",
        ),
    },
)
def reversed_by_clipping(n):
    """Return n gradients whose mean is reversed if each is clipped by norm at 1."""
    return np.array([[-n, 0.0]] + [[1.0, 0.0]] * (n - 1))


@exercise(
    "17-states",
    hint="What is (6, 3) after clipping each entry at 2?",
    success="Clipping on the states bounds each entry, but it turned the gradient from (2, 1) to "
    "(1, 1).",
    tolerance=0.005,
    wrong={
        "not clipped": Wrong((3, 1.5), "What happens to the entries after the first step?"),
        "clipped once, at the end": Wrong((2, 1.5), "Is the gradient clipped only at the end?"),
        "one step": Wrong((2, 2), "What does the second step do?"),
        "by norm": Wrong((2 / 5**0.5, 1 / 5**0.5), "Is the length limited, or each entry?"),
    },
)
def clipped_on_the_way():
    """Return the gradient (2, 1) after two steps back, with each entry clipped at 2."""
    return 1.0, 1.0  # (6, 3) is clipped to (2, 2), and halving leaves nothing to clip


def _newton_steps(factor):
    return int(np.ceil(np.log(2) / -np.log(factor)))


@exercise(
    "17-newton",
    cases=lambda: [(3,), (10,), (51,), (1000,)],
    hint="Divide the first derivative of w^tau by the second. Is the quotient a constant?",
    success="Both derivatives vanish exponentially in tau, but their quotient shrinks only like "
    "1/tau. So Newton's method halves w in about tau ln 2 steps.",
    wrong={
        "the first quotient for all steps": Wrong(
            lambda tau: int(np.ceil((tau - 1) / 2)),
            "You use the first quotient at every step. Does it stay the same when w gets smaller?",
        ),
        "w / tau": Wrong(
            lambda tau: _newton_steps(1 - 1 / tau),
            "Differentiate w^tau twice. Which factors remain in the quotient?",
        ),
        "not a whole number": Wrong(
            lambda tau: np.log(2) / np.log((tau - 1) / (tau - 2)),
            "Your factor is right. After which whole number of steps has w fallen to a half or "
            "less?",
        ),
        "tau ln 2": Wrong(
            lambda tau: int(np.ceil(tau * np.log(2))),
            "That is nearly right for a large tau. By which factor exactly does one step multiply "
            "w?",
        ),
        "one step": Wrong(
            lambda tau: 1,
            "One step leads to the minimum of a parabola. What is tau for a parabola?",
        ),
    },
)
def newton_steps(tau):
    """Return the number of Newton steps that halve w, on the loss w^tau."""
    return int(np.ceil(np.log(2) / np.log((tau - 1) / (tau - 2))))


@exercise(
    "17-ratios",
    hint="What is the ratio of the new length to the old one at each step?",
    success="Ω punishes each step's change, in both directions.",
    tolerance=0.002,
    wrong={
        "the whole way at once": Wrong((0.6 - 1) ** 2, "Does Ω compare the ends, or every step?"),
        "lengths instead of ratios": Wrong(
            2 * (0.5 - 1) ** 2 + (0.6 - 1) ** 2, "With which length is each one compared?"
        ),
        "not squared": Wrong(0.5 + 0.2, "What happens to each distance from 1 before the sum?"),
    },
)
def omega_of_lengths():
    """Return Ω of a gradient whose lengths are 1, 0.5, 0.5 and 0.6 on its way back."""
    return 0.5**2 + 0.2**2  # the ratios are 0.5, 1 and 1.2


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
    success="Omega measures how much the lengths of the actual gradients change. It is 0 for "
    "every orthogonal W, but other matrices can reach 0 as well.",
    wrong={
        "W instead of its transpose": Wrong(
            _omega(lambda W, g: W @ g),
            "That is how a state moves forward. Which matrix carries a column of gradients back?",
        ),
        "the same gradient at every step": Wrong(
            _omega(lambda W, g: W.T @ g, anew=False),
            "You use the same g at every step. Which gradient has arrived at step t?",
        ),
        "not squared": Wrong(
            _omega(lambda W, g: W.T @ g, power=1),
            "Your terms can cancel. Should a gradient that shrinks make up for one that grows?",
        ),
        "one term too many": Wrong(
            _omega(lambda W, g: W.T @ g, last=1),
            "From step T to step 1, how many times does a gradient go back?",
        ),
        "the largest singular value": Wrong(
            lambda W, g, T: (T - 1) * (np.linalg.norm(W, 2) - 1) ** 2,
            "That is the most that W can stretch a gradient. How much does it stretch this one?",
        ),
    },
)
def linear_omega(W, g, T):
    """Return (G 10.52) of a linear network whose last state has the gradient g."""
    total = 0.0
    for _ in range(T - 1):
        before = W.T @ g
        total += (np.linalg.norm(before) / np.linalg.norm(g) - 1) ** 2
        g = before
    return total


checklist(
    "17-hidden",
    {
        "dL/dW is a sum of T terms, each an outer product of two vectors: slope times gradient, "
        "and a state.": (
            "Write (G 10.26) with the gradient with respect to h^(t). How many terms does it have?"
        ),
        "Each entry of a term is at most v, because the slopes and states of a tanh are at most 1 "
        "in size.": ("An entry has three factors. How large can each one be?"),
        "So every entry of dL/dW is at most T v, and its norm is at most T v n_h.": (
            "How many terms are added up, and how many entries does W have?"
        ),
        "The bound grows linearly with T. Without clipping it can grow exponentially.": (
            "How large could the gradient become on its way back through T steps without clipping?"
        ),
        "dL/dV and dL/dc don't change: they are computed before any gradient goes back in time.": (
            "Which parameters' gradients never go back through a state?"
        ),
        "So a step is bounded, but it can still be T times longer than v suggests.": (
            "Which length does clipping by norm guarantee, whatever T is?"
        ),
    },
    success="Clipping on the states turns an exponential bound on the gradient of W into a linear "
    "one.",
)


def _wall(w):
    """Return the bias at which the initial state is a fixed point, so that the cliff is there."""
    return 0.5 - w / (1 + np.exp(-0.5))


@exercise(
    "17-steepness",
    cases=lambda: [(4.5,), (5.0,), (6.0,)],
    tolerance=0.01,
    hint="Find the cliff first: for which b does the state stay at 0.5? Then measure at several "
    "large T.",
    success="The slope at the unstable fixed point sets how fast the cliff steepens. Below w = "
    "4.26 that slope is less than 1, and the cliff no longer steepens exponentially.",
    wrong={
        "slope at 0": Wrong(
            lambda w: w / 4,
            "That is the slope at a state of 0. At which state does the network stay when b is at "
            "the cliff?",
        ),
        "slope at the target": Wrong(
            lambda w: w * 0.7 * 0.3,
            "That is the slope at the target. Is the state there during its T steps?",
        ),
        "the sigmoid instead of its slope": Wrong(
            lambda w: w / (1 + np.exp(-0.5)),
            "By the chain rule, each step multiplies by a derivative. Which function's derivative?",
        ),
        "away from the wall": Wrong(
            lambda w: _ratio(w, -w / 2),
            "At your b, all starting points end in the same place, so gradients shrink. At which "
            "b do they part?",
        ),
        "few steps": Wrong(
            lambda w: _ratio(w, _wall(w), 2),
            "Over the first steps, other terms of the sum count as well. What do you measure at a "
            "larger T?",
        ),
    },
)
def steepness(w):
    """Return the factor by which one more step makes the cliff steeper."""
    y = 1 / (1 + np.exp(-0.5))
    return w * y * (1 - y)


def _ratio(w, b, T=120):
    """Measure the factor between T and T + 1 steps."""
    before, after = (np.linalg.norm(cliff_gradient(w, b, steps)) for steps in (T, T + 1))
    return after / before


checklist(
    "17-adam",
    {
        "Both averages are weighted sums: multiplying every gradient by c multiplies m by c, and s "
        "by c^2.": (
            "Write Adam's two averages for the gradients c g^(1), c g^(2), ... What can you "
            "factor out?"
        ),
        "So m over the root of s stays the same for any c above 0, apart from the small epsilon.": (
            "Put both averages into Adam's step. What cancels?"
        ),
        "So clipping that shortens every gradient by the same factor changes nothing.": (
            "When do (G 10.48) and (G 10.49) multiply all gradients by the same number?"
        ),
        "If every gradient exceeds the threshold, doubling the threshold changes nothing.": (
            "How long are all clipped gradients then? What is c if the threshold doubles?"
        ),
        "The effect that remains under Adam: clipping makes one long gradient no longer than the "
        "others.": ("What changes if one gradient in 100 exceeds the threshold?"),
        "For plain gradient descent, the same c is a change of the learning rate.": (
            "Where does the factor c appear in a step of plain gradient descent?"
        ),
    },
    success="Adam ignores a scale that all gradients share, so clipping only limits the rare long "
    "ones.",
)
