"""Exercises of chapter 10, Encoder and decoder."""

from functools import cache

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines


@exercise(
    "10-cost",
    tolerance=5e-3,
    hint="What is the probability of the whole translation, with its end symbol? What is the loss "
    "of an output with that probability?",
    success="The loss of a sequence is the sum of its symbols' losses, and the end symbol is one "
    "of them.",
    wrong={
        "probability": Wrong(0.36, "That is the probability. How do you turn it into a loss?"),
        "without the end": Wrong(-np.log(0.4), "Does the end symbol cost anything?"),
        "mean over symbols": Wrong(
            -np.log(0.36) / 3, "Is the loss of a sequence a sum or a mean here?"
        ),
        "logarithm to base 10": Wrong(
            -np.log10(0.36), "You used the logarithm to base 10. Which one gives nats?"
        ),
        "bits": Wrong(-np.log2(0.36), "That is the loss in bits. Which logarithm gives nats?"),
    },
)
def cost():
    """Return the loss of two symbols and the end symbol, in nats."""
    return -np.log(0.5 * 0.8 * 0.9)


def _lengths() -> list[tuple]:
    return [(n, backwards) for n in (5, 1, 8) for backwards in (False, True)]


def _arrows(both_ends, backwards=True, swapped=False):
    def distances(n, way):
        place = np.arange(n)
        if (way and backwards) != swapped:
            return 2 * place + both_ends
        return np.full(n, n - 1 + both_ends)

    return distances


@exercise(
    "10-distance",
    cases=_lengths,
    hint="Take the third of five symbols and count each arrow on its path: into the encoder, "
    "along it, to C, to the decoder, along it, and out.",
    success="Reversing the source leaves the mean distance unchanged but shortens the path for "
    "the first symbols. The authors of an early translator believed that this helps.",
    wrong={
        "C as one arrow": Wrong(
            _arrows(3),
            "C lies between the two networks. How many arrows lead into it and out of it?",
        ),
        "arrows between states": Wrong(
            _arrows(2),
            "You counted only arrows between states. Which arrows enter the encoder and leave the "
            "decoder?",
        ),
        "forward in both cases": Wrong(
            _arrows(4, backwards=False),
            "Read backwards, the first symbol of the source is read last. How far is it from C?",
        ),
        "reversed in the wrong case": Wrong(
            _arrows(4, swapped=True),
            "Which of your two cases reads the source in the order in which it is written?",
        ),
        "mean distance": Wrong(
            lambda n, backwards: float(n + 3),
            "That is the mean distance. The exercise asks for one number per symbol.",
        ),
    },
)
def distances(n, backwards):
    """Return the number of arrows from each input symbol to the output at the same position."""
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
    hint="Compute one sequence of two annotations by hand: two scores, two weights, one context. "
    "Which is the first that your function gets wrong?",
    success="The weights are differentiable, so gradient descent can learn where to look. Chapter "
    "18 uses the same weighted average to read from a memory.",
    instance=lines(
        WAVE,
        """
        Q, h, notes = 2 * wave(1, 2, 3), wave(2, 2, 3), wave(3, 3, 2, 2)

        print([look(Q, h, notes), look(1000 * Q, h, notes)[1]])
        """,
    ),
    wrong={
        "softmax over the sequences": Wrong(
            _looks(lambda scores: _softmax(scores, axis=1)),
            "Along which axis do your weights add up to 1? Each sequence needs separate weights.",
        ),
        "softmax over everything": Wrong(
            _looks(lambda scores: _softmax(scores, axis=(0, 1))),
            "All your weights together add up to 1. Should one sequence affect the weights of "
            "another?",
        ),
        "scores as weights": Wrong(
            _looks(lambda scores: scores),
            "You use the scores as weights. What should weights add up to?",
        ),
        "hard choice": Wrong(
            _looks(_hard),
            "You take only the best annotation. What gradient would the other scores get?",
        ),
        "overflow": Wrong(
            _looks(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0)),
            "What is exp(1000)? Which number can you subtract from all scores without changing "
            "the weights?",
            likely=True,
        ),
        "divided as in a Transformer": Wrong(
            lambda Q, h, notes: look(Q / np.sqrt(len(Q)), h, notes),
            "You divide the scores by a root, as a Transformer does. Are they divided here?",
        ),
        "divided by the root of the state's size": Wrong(
            lambda Q, h, notes: look(Q / np.sqrt(h.shape[1]), h, notes),
            "Your scores are smaller than those of this chapter. Does its formula contain a root?",
        ),
        "context divided by the number of annotations": Wrong(
            lambda Q, h, notes: (look(Q, h, notes)[0], look(Q, h, notes)[1] / len(notes)),
            "Your weights are right. They add up to 1 already: should you divide by m as well?",
        ),
        "a plain mean": Wrong(
            lambda Q, h, notes: (look(Q, h, notes)[0], notes.mean(axis=0)),
            "Your weights are right, but your context is the same whatever they are. Where do they "
            "enter?",
        ),
        "context not summed": Wrong(
            lambda Q, h, notes: (look(Q, h, notes)[0], look(Q, h, notes)[0][..., None] * notes),
            "Your weights are right. How do they make one vector of a sequence's annotations?",
            likely=True,
        ),
    },
)
def look(Q, h, notes):
    """Return the attention weights from dot products, and the weighted average."""
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
        "equally good": Wrong(
            (0.6, 0.6), "The draw and the truth are independent. How often do they agree?"
        ),
        "fair coin": Wrong(
            (0.6, 0.5), "The second clerk draws with the true probabilities. Are they equal?"
        ),
        "most likely reading always right": Wrong(
            (1.0, 0.6), "On which letters is the first clerk wrong?"
        ),
        "exchanged": Wrong((0.52, 0.6), "Which clerk's share did you put first?"),
    },
)
def readings():
    """Return the accuracy of the most likely reading and that of a random draw."""
    return 0.6, 0.6**2 + 0.4**2


def _averages() -> list[tuple]:
    rng = np.random.default_rng(101)
    return [
        (_softmax(rng.normal(size=(m, B))), rng.normal(size=(m, B, n_c)), rng.normal(size=(B, n_c)))
        for m, B, n_c in ((4, 2, 3), (5, 1, 2), (1, 3, 2), (3, 3, 3))
    ]


def _gradients(on_scores):
    def back(weights, notes, grad):
        on_weights = (notes * grad).sum(axis=-1)
        return on_scores(weights, on_weights), weights[..., None] * grad

    return back


def _unweighted(weights, notes, grad):
    return back(weights, notes, grad)[0], np.broadcast_to(grad, notes.shape)


@exercise(
    "10-back",
    cases=_averages,
    hint="Raise one score a little. Its weight grows; what happens to the other weights, and "
    "to the average?",
    success="The gradients on the scores add up to 0 in each sequence, because a softmax depends "
    "only on differences between scores.",
    instance=lines(
        WAVE,
        """
        weights = np.array([[0.1, 0.5], [0.2, 0.2], [0.7, 0.3]])

        print(back(weights, wave(1, 3, 2, 1), wave(2, 2, 1)))
        """,
    ),
    wrong={
        "no competition": Wrong(
            _gradients(lambda weights, on_weights: weights * on_weights),
            "If one score rises, the weights of all the others fall. Where does your gradient "
            "account for that?",
        ),
        "diagonal of the Jacobian": Wrong(
            _gradients(lambda weights, on_weights: weights * (1 - weights) * on_weights),
            "That is how a weight changes with its own score. Which other weights does the score "
            "change?",
        ),
        "gradient on the weights": Wrong(
            _gradients(lambda weights, on_weights: on_weights),
            "That is the gradient on the weights. How does it get back through the softmax to the "
            "scores?",
        ),
        "minus the plain mean": Wrong(
            _gradients(
                lambda weights, on_weights: weights * (on_weights - on_weights.mean(axis=0))
            ),
            "You subtract an average over the annotations. Should all annotations count equally "
            "in it?",
        ),
        "same gradient for all annotations": Wrong(
            _unweighted,
            "Should an annotation with a tiny weight get the same gradient as the others?",
        ),
    },
)
def back(weights, notes, grad):
    """Return the gradients on scores and annotations, from the gradient on their average."""
    on_weights = (notes * grad).sum(axis=-1)
    return weights * (on_weights - (weights * on_weights).sum(axis=0)), weights[..., None] * grad


def _decoders() -> list[tuple]:
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


def _decodes(symbol="before", context="before"):
    def decode(params, notes, y):
        U, W, V, b, c, R, Q = (params[name] for name in "UWVbcRQ")
        symbols, B = np.eye(len(c)), notes.shape[1]
        h, x, yhat = np.zeros((B, len(b))), np.zeros((B, len(c))), []
        for now in y:
            if symbol == "now":
                x = symbols[now]
            average = notes[-1] if context == "last" else look(Q, h, notes)[1]
            if context == "first":
                average = look(Q, np.zeros_like(h), notes)[1]
            a = b + h @ W.T + x @ U.T
            if context == "after":
                average = look(Q, np.tanh(a), notes)[1]
            h = np.tanh(a + (0 if context == "never" else average @ R.T))
            yhat.append(_softmax(c + h @ V.T, axis=-1))
            x = symbols[now] if symbol != "predicted" else yhat[-1]
        return np.array(yhat)

    return decode


@exercise(
    "10-decode",
    cases=_decoders,
    hint="Try T = 1 first: what is the input of the first step, and which state makes its "
    "scores? Then try T = 2.",
    success="The decoder builds a new context at each step, so the source no longer has to fit "
    "into one fixed vector.",
    instance=lines(
        WAVE,
        """
        params = {
            "U": wave(1, 2, 3),
            "W": wave(2, 2, 2),
            "V": 2 * wave(3, 3, 2),
            "b": wave(4, 2),
            "c": wave(5, 3),
            "Q": wave(6, 2, 2),
            "R": wave(7, 2, 2),
        }

        # decode uses your look
        print(decode(params, 2 * wave(8, 3, 2, 2), np.array([[0, 2], [1, 0], [2, 1]])))
        """,
    ),
    wrong={
        "target as input": Wrong(
            _decodes(symbol="now"),
            "Your step takes the symbol it should predict as its input. Which symbol is already "
            "known at that step?",
        ),
        "prediction as input": Wrong(
            _decodes(symbol="predicted"),
            "Which symbol should the next step receive: the true one, or your prediction?",
        ),
        "last annotation at every step": Wrong(
            _decodes(context="last"),
            "Your context is always the last annotation. Where do the attention weights come in?",
        ),
        "weights of the first step": Wrong(
            _decodes(context="first"),
            "Your weights come from the first step and never change. Which state should make the "
            "scores at each step?",
        ),
        "query after the step": Wrong(
            _decodes(context="after"),
            "Which state should make the scores: the one before the step, or the one after it?",
        ),
        "no context": Wrong(_decodes(context="never"), "How do the annotations reach your states?"),
    },
)
def decode(params, notes, y):
    """Return the predictions of a decoder with attention, given the true symbols."""
    return _decodes()(params, notes, y)


@cache
def _log_probabilities(seed, prefix):
    # the legacy generator, whose numbers are the same with each version of NumPy
    rng = np.random.RandomState([seed, len(prefix), *(symbol + 1 for symbol in prefix)])
    return np.log(rng.dirichlet([0.7, 0.7, 0.7, 0.3]))


class _Distribution:
    """Log-probabilities of three symbols and an end symbol after any prefix."""

    def __init__(self, seed):
        self.seed = seed

    def __call__(self, prefix):
        return _log_probabilities(self.seed, tuple(map(int, prefix))).copy()


def _distributions() -> list[tuple]:
    cases = [
        (_Distribution(seed), end, width, at_most)
        for seed, (end, at_most) in enumerate(3 * [(3, 6), (3, 7), (3, 5), (0, 6)])
        for width in (1, 2, 4)
    ]
    # here a place that a finished sequence frees lets a better one into the beam
    return [*cases, (_Distribution(38), 3, 4, 7)]


def _beam(score=lambda log_p, prefix: log_p, each=False, drops=False, frees=False, cumulative=True):
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
            if frees:
                over += [one for one in kept if one[1][-1] == end]
                kept = [one for one in kept if one[1][-1] != end]
        return max(kept + over, key=lambda one: score(*one))[1]

    return beam


def _greedy(log_p, end, width, at_most):
    return _beam()(log_p, end, 1, at_most)


def _endless(log_p, end, width, at_most):
    """Extend finished sequences, too."""
    return _beam()(log_p, None, width, at_most)


def _cut(sequence, end):
    return sequence[: sequence.index(end) + 1] if end in sequence else sequence


@exercise(
    "10-beam",
    cases=_distributions,
    hint="Do two steps of width 2 by hand: how many candidates are there, and what ranks them? "
    "Then let one of them end.",
    success="A beam keeps candidates that greedy decoding drops, so a sequence with an unlikely "
    "first symbol can still win. With width 1, it is greedy decoding.",
    instance="""
    def log_p(prefix):
        seen = sum((symbol + 2) * 3**k for k, symbol in enumerate(prefix))
        p = np.exp(3 * np.sin(0.9 + seen * np.array([5.2, 0.5, 4.7, 5.4])))
        return np.log(p / p.sum())

    print([
        [beam(log_p, 3, width, 7) for width in (1, 2, 3, 4)],
        beam(log_p, 0, 2, 5),
    ])
    """,
    wrong={
        "greedy": Wrong(
            _greedy,
            "Your answer doesn't depend on the width. Where should more than one candidate "
            "survive?",
        ),
        "finished sequences go on": Wrong(
            _endless,
            "Your beam adds symbols after the end symbol. What can follow a sequence that has "
            "ended?",
        ),
        "cut at the end": Wrong(
            lambda log_p, end, width, at_most: _cut(_endless(log_p, end, width, at_most), end),
            "You cut off what follows the end symbol. Did those symbols change the total by which "
            "you rank the sequence?",
        ),
        "ranked by the last symbol": Wrong(
            _beam(cumulative=False),
            "You rank candidates by their last symbol. What is the log-probability of a whole "
            "sequence?",
        ),
        "divided by the length": Wrong(
            _beam(score=lambda log_p, prefix: log_p / len(prefix)),
            "You divide by the length. Is that the most likely sequence?",
        ),
        "separate beams": Wrong(
            _beam(each=True),
            "You choose separately among the continuations of each candidate. How many should "
            "survive in all?",
        ),
        "finished sequences never compete": Wrong(
            _beam(drops=True),
            "When one of your sequences ends, it frees its place. Should it still compete with "
            "the others?",
        ),
        "finished sequences free their places": Wrong(
            _beam(frees=True),
            "Your beam sets a sequence aside as soon as it has ended. How many unfinished "
            "sequences survive the next step, and how many should?",
        ),
    },
)
def beam(log_p, end, width, at_most):
    """Return the most likely sequence that a beam finds."""
    return _beam()(log_p, end, width, at_most)


@exercise(
    "10-mode",
    tolerance=5e-3,
    hint="How probable is the sequence that ends at once, and how probable is one particular "
    "symbol followed by the end? For the mean, count the steps before the end.",
    success="The most likely sequence is empty, yet 9 samples in 10 are not. So a wider beam, "
    "which comes closer to the mode, can produce worse text.",
    wrong={
        "mean twice": Wrong(
            (9.0, 9.0), "There are 4^9 sequences of nine symbols. How likely is each one?"
        ),
        "at least one symbol": Wrong(
            (1.0, 9.0), "May a sequence end before its first symbol? Compare the two probabilities."
        ),
        "end symbol counted": Wrong(
            (0.0, 10.0), "A sequence takes ten steps on average. How many of them write a symbol?"
        ),
        "exchanged": Wrong((9.0, 0.0), "Which of the two numbers did you put first?"),
    },
)
def mode():
    """Return the length of the most likely sequence and the mean length of samples."""
    return 0.0, 0.9 / 0.1


checklist(
    "10-same",
    {
        "If a change of the weights keeps their sum and the average, then its entries add up to 0, "
        "and so do its products with the annotations.": (
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


@exercise(
    "10-other",
    tolerance=5e-3,
    hint="Compute the context from the given weights. Which weights of the first two annotations "
    "alone give the same context?",
    success="You found different weights with the same context, so no output can tell them apart.",
    wrong={
        "unchanged": Wrong(0.2, "Without the third annotation, does the context stay the same?"),
        "rescaled": Wrong(1 / 3, "You rescaled the two weights. Is the context still the same?"),
        "second weight": Wrong(0.6, "Which of the two weights did you give?"),
        "equal weights": Wrong(0.5, "Compute the context first: what is its first number?"),
    },
)
def other():
    """Return the first weight that leaves the context unchanged when the third weight is 0."""
    return 0.2 + 0.4 / 2
