"""The exercises of chapter 10, Encoder and decoder."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _lengths() -> list[tuple]:
    return [(n, backwards) for n in (5, 1, 8) for backwards in (False, True)]


def _arrows(both_ends, backwards=True, turned=False):
    def distances(n, way):
        place = np.arange(n)
        if (way and backwards) != turned:
            return 2 * place + both_ends
        return np.full(n, n - 1 + both_ends)

    return distances


@exercise(
    "10-distance",
    cases=_lengths,
    hint="Put a finger on the third of five symbols, and count every arrow to what it becomes: "
    "into the reader, along it, to C, to the writer, along it, out.",
    wrong={
        "the way through C is one arrow": Wrong(
            _arrows(3), "C stands between the two networks. How many arrows lead in and out of it?"
        ),
        "states alone": Wrong(
            _arrows(2), "A symbol is no state. Which arrows lead into the reader, and out again?"
        ),
        "read forwards in both": Wrong(
            _arrows(4, backwards=False),
            "Read from its end, the first symbol is the last that is read. How far is it to C?",
        ),
        "the wrong one turned": Wrong(
            _arrows(4, turned=True),
            "Which of your two is read in the order in which it is written?",
        ),
        "their mean": Wrong(
            lambda n, backwards: float(n + 3), "That is the mean. Asked for is one number a symbol."
        ),
    },
)
def distances(n, backwards):
    """Count the arrows from each symbol to the one at its own place that is written."""
    place = np.arange(n)
    reading = place if backwards else n - 1 - place
    return 4 + reading + place


def _annotated() -> list[tuple]:
    rng = np.random.default_rng(100)
    cases = [
        (rng.normal(size=(n_c, n_h)), rng.normal(size=(B, n_h)), rng.normal(size=(m, B, n_c)))
        for n_c, n_h, m, B in ((3, 4, 5, 2), (2, 3, 4, 4), (3, 3, 1, 2))
    ]
    Q, h, notes = cases[0]
    return [*cases, (1000 * Q, h, notes)]


def _softmax(scores, axis=0):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _looks(weigh):
    def look(Q, h, notes):
        with np.errstate(over="ignore", invalid="ignore"):
            weights = weigh((notes * (h @ Q.T)).sum(axis=-1))
            return weights, (weights[..., None] * notes).sum(axis=0)

    return look


def _hard(scores):
    return (scores == scores.max(axis=0)).astype(float)


@exercise(
    "10-look",
    cases=_annotated,
    hint="First for one sequence: how many scores are there, and what do the weights add up to? "
    "Over which axis, then, if there are several sequences?",
    wrong={
        "over the sequences": Wrong(
            _looks(lambda scores: _softmax(scores, axis=1)),
            "For which axis do your weights add up to 1? Each sequence has weights of its own.",
        ),
        "over everything": Wrong(
            _looks(lambda scores: _softmax(scores, axis=(0, 1))),
            "All your weights together add up to 1. One sequence has nothing to do with another.",
        ),
        "the scores themselves": Wrong(
            _looks(lambda scores: scores), "Your weights are scores. What do they add up to?"
        ),
        "the best alone": Wrong(
            _looks(_hard),
            "You take the best annotation whole. What would its gradient tell the others?",
        ),
        "out of range": Wrong(
            _looks(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0)),
            "Your function should survive scores of 1000. What may be subtracted from all of them?",
        ),
    },
)
def look(Q, h, notes):
    """Weigh annotations by dot products with what a state asks for, and average them."""
    weights = _softmax((notes * (h @ Q.T)).sum(axis=-1))
    return weights, (weights[..., None] * notes).sum(axis=0)


@exercise(
    "10-readings",
    tolerance=5e-3,
    hint="Take a hundred such letters. For how many does the first clerk write the right date? The "
    "second is right if what is drawn and what is true fall together.",
    wrong={
        "as good as the first": Wrong(
            (0.6, 0.6), "Draws and truth do not know of each other. How often do they agree?"
        ),
        "the second tosses a fair coin": Wrong(
            (0.6, 0.5), "The second clerk draws with the true probabilities, which are not even."
        ),
        "the likeliest is right": Wrong(
            (1.0, 0.6), "The first clerk is wrong whenever the letter came from the other town."
        ),
        "the wrong way round": Wrong((0.52, 0.6), "Which of the two did you put first?"),
    },
)
def readings():
    """Give the shares that are right of always the likeliest reading, and of one that is drawn."""
    return 0.6, 0.6**2 + 0.4**2


def _averages() -> list[tuple]:
    rng = np.random.default_rng(101)
    return [
        (_softmax(rng.normal(size=(m, B))), rng.normal(size=(m, B, n_c)), rng.normal(size=(B, n_c)))
        for m, B, n_c in ((4, 2, 3), (5, 1, 2), (1, 3, 2), (3, 3, 3))
    ]


def _gradients(on_scores):
    def back(weights, notes, grad):
        says = (notes * grad).sum(axis=-1)
        return on_scores(weights, says), weights[..., None] * grad

    return back


def _all_alike(weights, notes, grad):
    return back(weights, notes, grad)[0], np.broadcast_to(grad, notes.shape)


@exercise(
    "10-back",
    cases=_averages,
    hint="Raise one score a little. Its own weight grows, and what becomes of all the others? Add "
    "up what that does to the context.",
    wrong={
        "weights do not compete": Wrong(
            _gradients(lambda weights, says: weights * says),
            "If one score rises, the weights of all the others fall. Where is that in yours?",
        ),
        "each by its own slope": Wrong(
            _gradients(lambda weights, says: weights * (1 - weights) * says),
            "That is how a weight moves with its own score. The score moves other weights too.",
        ),
        "on the weights": Wrong(
            _gradients(lambda weights, says: says),
            "That is the gradient on the weights. Asked for is that on the scores before the "
            "softmax.",
        ),
        "less the plain mean": Wrong(
            _gradients(lambda weights, says: weights * (says - says.mean(axis=0))),
            "An annotation is compared with the average. With which average?",
        ),
        "all annotations alike": Wrong(
            _all_alike, "An annotation that hardly counted cannot be to blame for all."
        ),
    },
)
def back(weights, notes, grad):
    """Give the gradients on scores and annotations from the gradient on their average."""
    says = (notes * grad).sum(axis=-1)
    return weights * (says - (weights * says).sum(axis=0)), weights[..., None] * grad


def _writers() -> list[tuple]:
    rng = np.random.default_rng(102)
    cases = []
    for n_c, n_h, n, m, B, T in ((3, 4, 5, 4, 2, 6), (2, 3, 3, 5, 3, 4), (3, 3, 3, 3, 1, 1)):
        shapes = {
            "U": (n_h, n),
            "W": (n_h, n_h),
            "V": (n, n_h),
            "b": (n_h,),
            "c": (n,),
            "R": (n_h, n_c),
            "Q": (n_c, n_h),
        }
        params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        cases.append((params, rng.normal(size=(m, B, n_c)), rng.integers(n, size=(T, B))))
    return cases


def _decodes(hears="before", looks="before"):
    def decode(params, notes, y):
        U, W, V, b, c, R, Q = (params[name] for name in "UWVbcRQ")
        symbols, B = np.eye(len(c)), notes.shape[1]
        h, heard, yhat = np.zeros((B, len(b))), np.zeros((B, len(c))), []
        for now in y:
            if hears == "now":
                heard = symbols[now]
            context = notes[-1] if looks == "last" else look(Q, h, notes)[1]
            if looks == "first":
                context = look(Q, np.zeros_like(h), notes)[1]
            a = b + h @ W.T + heard @ U.T
            if looks == "after":
                context = look(Q, np.tanh(a), notes)[1]
            h = np.tanh(a + (0 if looks == "never" else context @ R.T))
            yhat.append(_softmax(c + h @ V.T, axis=-1))
            heard = symbols[now] if hears != "predicted" else yhat[-1]
        return np.array(yhat)

    return decode


@exercise(
    "10-decode",
    cases=_writers,
    hint="Try T = 1 first: what does the first step hear, and from which state does it look? Then "
    "T = 2.",
    wrong={
        "hears its own target": Wrong(
            _decodes(hears="now"),
            "Your step hears the symbol that it is to predict. Which one is known by then?",
        ),
        "hears its prediction": Wrong(
            _decodes(hears="predicted"), "What is fed back is the true symbol, not the prediction."
        ),
        "C at every step": Wrong(
            _decodes(looks="last"), "You tell it the last annotation. Where does it look?"
        ),
        "looks once": Wrong(
            _decodes(looks="first"),
            "Your weights are those of the first step, at every step. From which state do you ask?",
        ),
        "looks after the step": Wrong(
            _decodes(looks="after"),
            "From which state are the scores to be made: that before the step, or one after it?",
        ),
        "never looks": Wrong(_decodes(looks="never"), "How does what was read reach your states?"),
    },
)
def decode(params, notes, y):
    """Run a network over true symbols that looks back at each step; its predictions."""
    return _decodes()(params, notes, y)


class _Distribution:
    """Log-probabilities of what follows any prefix, three symbols and an end."""

    def __init__(self, seed):
        self.seed = seed

    def __call__(self, prefix):
        rng = np.random.default_rng([self.seed, len(prefix), *(int(s) + 1 for s in prefix)])
        p = rng.dirichlet([0.7, 0.7, 0.7, 0.3])
        return np.log(p)


def _distributions() -> list[tuple]:
    return [
        (_Distribution(seed), end, width, at_most)
        for seed, (end, at_most) in enumerate(3 * [(3, 6), (3, 7), (3, 5), (0, 6)])
        for width in (1, 2, 4)
    ]


def _beam(score=lambda log_p, prefix: log_p, each=False, drops=False, cumulative=True):
    def beam(log_p, end, width, at_most):
        kept, over = [(0.0, [])], []
        for _ in range(at_most):
            longer = []
            for total, prefix in kept:
                if prefix and prefix[-1] == end:
                    longer.append((total, prefix))
                    continue
                more = [(cumulative * total + p, [*prefix, k]) for k, p in enumerate(log_p(prefix))]
                longer += sorted(more, key=lambda one: -one[0])[:width] if each else more
            if drops:
                over += [one for one in longer if one[1][-1] == end]
                longer = [one for one in longer if one[1][-1] != end]
            ranked = sorted(longer, key=lambda one: -score(*one))
            kept = ranked if each else ranked[:width]
        return max(kept + over, key=lambda one: score(*one))[1]

    return beam


def _greedy(log_p, end, width, at_most):
    return _beam()(log_p, end, 1, at_most)


@exercise(
    "10-beam",
    cases=_distributions,
    hint="Width 1 first: at every step the likeliest symbol, until the end. Then width 2 by hand, "
    "for two steps: how many candidates are there, and by what are they ranked?",
    wrong={
        "greedy": Wrong(_greedy, "Your answer does not depend on the width."),
        "ranked by the last symbol": Wrong(
            _beam(cumulative=False),
            "A beginning is as likely as all its symbols together. What do you add up?",
        ),
        "ranked by symbol": Wrong(
            _beam(score=lambda log_p, prefix: log_p / len(prefix)),
            "You divide by the length. Asked for is the likeliest of those that were found.",
        ),
        "all are kept": Wrong(
            _beam(each=True),
            "Among how many beginnings do you choose the few that go on: those of one parent, or "
            "all?",
        ),
        "ended ones make room": Wrong(
            _beam(drops=True),
            "In yours, a sequence that has ended gives up its place. Here it keeps it among the "
            "others, as long as it is likely enough.",
        ),
    },
)
def beam(log_p, end, width, at_most):
    """Keep the likeliest beginnings of each length; the likeliest sequence of those at the end."""
    return _beam()(log_p, end, width, at_most)


@exercise(
    "10-mode",
    tolerance=5e-3,
    hint="How probable is the sequence that ends at once? And one certain sequence of one symbol? "
    "For the mean, recall the coin of the last symbol.",
    wrong={
        "the mean twice": Wrong(
            (9.0, 9.0), "Nine symbols can be chosen in 4^9 ways. How likely is each of them?"
        ),
        "a symbol at least": Wrong(
            (1.0, 9.0), "May a sequence end before its first symbol? Compare the two."
        ),
        "the end counted": Wrong(
            (0.0, 10.0), "Ten steps on average. How many of them write a symbol?"
        ),
        "the wrong way round": Wrong((9.0, 0.0), "Which of the two did you put first?"),
    },
)
def mode():
    """Give the length of the likeliest sequence, and the mean length of drawn ones."""
    return 0.0, 0.9 / 0.1


checklist(
    "10-same",
    {
        "A direction in which weights move and the average stays has entries that add up to 0, and "
        "gives 0 with the annotations.": (
            "Write down what must hold of the difference of two sets of weights: two conditions."
        ),
        "These are n_c + 1 linear equations in m unknowns, and for m > n_c + 1 they have a "
        "solution other than 0.": "How many equations are there, and how many unknowns?",
        "Weights of a softmax are all above 0, so a short enough step along it, in either "
        "direction, leaves them weights.": (
            "Moved weights must not become negative. Why do they not, if you move them little?"
        ),
        "The writer hears the average alone, so nothing after it changes.": (
            "Which arrows leave the weights?"
        ),
    },
)
