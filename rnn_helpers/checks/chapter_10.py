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
    hint="Take the third of five symbols and count each arrow on its path: into the encoder, "
    "along it, to C, to the decoder, along it, and out.",
    success="Reversing the source leaves the mean distance unchanged but shortens the path for "
    "the first symbols. Early translation models reversed their sources for this reason.",
    wrong={
        "the way through C is one arrow": Wrong(
            _arrows(3),
            "C lies between the two networks. How many arrows lead into it and out of it?",
        ),
        "states alone": Wrong(
            _arrows(2),
            "You counted only arrows between states. Which arrows enter the encoder and leave the "
            "decoder?",
        ),
        "read forwards in both": Wrong(
            _arrows(4, backwards=False),
            "Read backwards, the first symbol of the source is read last. How far is it from C?",
        ),
        "the wrong one turned": Wrong(
            _arrows(4, turned=True),
            "Which of your two cases reads the source in the order in which it is written?",
        ),
        "their mean": Wrong(
            lambda n, backwards: float(n + 3),
            "That is the mean distance. The exercise asks for one number per symbol.",
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
    hint="Start with one sequence: what do its weights add up to? With several sequences, over "
    "which axis is that sum?",
    success="Your weights are differentiable, so gradient descent can learn where to look. "
    "Chapter 18 uses the same weighted average to read from a memory.",
    wrong={
        "over the sequences": Wrong(
            _looks(lambda scores: _softmax(scores, axis=1)),
            "Along which axis do your weights add up to 1? Each sequence needs separate weights.",
        ),
        "over everything": Wrong(
            _looks(lambda scores: _softmax(scores, axis=(0, 1))),
            "All your weights together add up to 1. Should one sequence affect the weights of "
            "another?",
        ),
        "the scores themselves": Wrong(
            _looks(lambda scores: scores),
            "You use the scores as weights. What should weights add up to?",
        ),
        "the best alone": Wrong(
            _looks(_hard),
            "You take only the best annotation. What gradient would the other scores get?",
        ),
        "out of range": Wrong(
            _looks(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0)),
            "What is exp(1000)? Which number can you subtract from all scores without changing "
            "the weights?",
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
    hint="Take 100 such letters. On how many is each clerk right? The second is right whenever "
    "the draw agrees with the truth.",
    success="Always choosing the most likely reading maximizes accuracy, even though it hides the "
    "probabilities. A log loss rewards the probabilities themselves.",
    wrong={
        "as good as the first": Wrong(
            (0.6, 0.6), "The draw and the truth are independent. How often do they agree?"
        ),
        "the second tosses a fair coin": Wrong(
            (0.6, 0.5), "The second clerk draws with the true probabilities. Are they equal?"
        ),
        "the likeliest is right": Wrong((1.0, 0.6), "On which letters is the first clerk wrong?"),
        "the wrong way round": Wrong((0.52, 0.6), "Which clerk's share did you put first?"),
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
    hint="Raise one score a little. Its weight grows; what happens to the other weights, and "
    "to the average?",
    success="Your gradients on the scores add up to 0 in each sequence, because a softmax depends "
    "only on differences between scores.",
    wrong={
        "weights do not compete": Wrong(
            _gradients(lambda weights, says: weights * says),
            "If one score rises, the weights of all the others fall. Where does your gradient "
            "account for that?",
        ),
        "each by its own slope": Wrong(
            _gradients(lambda weights, says: weights * (1 - weights) * says),
            "That is how a weight changes with its own score. Which other weights does the score "
            "change?",
        ),
        "on the weights": Wrong(
            _gradients(lambda weights, says: says),
            "That is the gradient on the weights. How does it get back through the softmax to the "
            "scores?",
        ),
        "less the plain mean": Wrong(
            _gradients(lambda weights, says: weights * (says - says.mean(axis=0))),
            "You subtract an average over the annotations. Should all annotations count equally "
            "in it?",
        ),
        "all annotations alike": Wrong(
            _all_alike,
            "Should an annotation with a tiny weight get the same gradient as the others?",
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
    hint="Try T = 1 first: what is the input of the first step, and which state makes its "
    "scores? Then try T = 2.",
    success="Your decoder builds a new context at each step, so the source no longer has to fit "
    "into one fixed vector.",
    wrong={
        "hears its own target": Wrong(
            _decodes(hears="now"),
            "Your step takes the symbol it should predict as its input. Which symbol is already "
            "known at that step?",
        ),
        "hears its prediction": Wrong(
            _decodes(hears="predicted"),
            "Which symbol should the next step receive: the true one, or your prediction?",
        ),
        "C at every step": Wrong(
            _decodes(looks="last"),
            "Your context is always the last annotation. Where do the attention weights come in?",
        ),
        "looks once": Wrong(
            _decodes(looks="first"),
            "Your weights come from the first step and never change. Which state should make the "
            "scores at each step?",
        ),
        "looks after the step": Wrong(
            _decodes(looks="after"),
            "Which state should make the scores: the one before the step, or the one after it?",
        ),
        "never looks": Wrong(_decodes(looks="never"), "How do the annotations reach your states?"),
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
    hint="Do two steps of width 2 by hand: how many candidates are there, and what ranks them?",
    success="Your beam keeps candidates that greedy decoding drops, so a sequence with an "
    "unlikely first symbol can still win. With width 1, it is greedy decoding.",
    wrong={
        "greedy": Wrong(
            _greedy,
            "Your answer doesn't depend on the width. Where should more than one candidate "
            "survive?",
        ),
        "ranked by the last symbol": Wrong(
            _beam(cumulative=False),
            "You rank candidates by their last symbol. What is the log-probability of a whole "
            "sequence?",
        ),
        "ranked by symbol": Wrong(
            _beam(score=lambda log_p, prefix: log_p / len(prefix)),
            "You divide by the length. Is that the most likely sequence?",
        ),
        "all are kept": Wrong(
            _beam(each=True),
            "You choose separately among the continuations of each candidate. How many should "
            "survive in all?",
        ),
        "ended ones make room": Wrong(
            _beam(drops=True),
            "When one of your sequences ends, it frees its place. Should it still compete with "
            "the others?",
        ),
    },
)
def beam(log_p, end, width, at_most):
    """Keep the likeliest beginnings of each length; the likeliest sequence of those at the end."""
    return _beam()(log_p, end, width, at_most)


@exercise(
    "10-mode",
    tolerance=5e-3,
    hint="How probable is the sequence that ends at once, and how probable is one particular "
    "symbol followed by the end? For the mean, count the steps before the end.",
    success="The most likely sequence is empty, yet 9 samples in 10 are not. So a wider beam, "
    "which comes closer to the mode, can produce worse text.",
    wrong={
        "the mean twice": Wrong(
            (9.0, 9.0), "There are 4^9 sequences of nine symbols. How likely is each one?"
        ),
        "a symbol at least": Wrong(
            (1.0, 9.0), "May a sequence end before its first symbol? Compare the two probabilities."
        ),
        "the end counted": Wrong(
            (0.0, 10.0), "A sequence takes ten steps on average. How many of them write a symbol?"
        ),
        "the wrong way round": Wrong((9.0, 0.0), "Which of the two numbers did you put first?"),
    },
)
def mode():
    """Give the length of the likeliest sequence, and the mean length of drawn ones."""
    return 0.0, 0.9 / 0.1


checklist(
    "10-same",
    {
        "A change of the weights that keeps their sum and the average has two properties: its "
        "entries add up to 0, and so do its products with the annotations.": (
            "Take the difference of two sets of weights. Which two conditions must it satisfy?"
        ),
        "These are n_c + 1 linear equations in m unknowns, and for m > n_c + 1 they have a "
        "solution other than 0.": "How many equations are there, and how many unknowns?",
        "The weights of a softmax are all above 0, so they are still above 0 after a small enough "
        "step in that direction.": (
            "Changed weights must not become negative. Why don't they, after a small change?"
        ),
        "The decoder receives only the average, so none of its states and outputs change.": (
            "How does the decoder use the weights?"
        ),
    },
    success="Different attention weights can give exactly the same output, so the weights alone "
    "don't explain an answer.",
)
