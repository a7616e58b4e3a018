"""The networks of the figure agree, trained to choose between *is* and *are*; needs torch."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.figures import constants
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import recursive_forward

AGREE = constants("agree")
VERBS = "is", "are"
MOST = len(AGREE.NOUNS) - 1
"""The most phrases after a subject, in the figure and in the tests."""
WORDS = ["the", "old", *AGREE.PREPOSITIONS, *(word for pair in AGREE.NOUNS for word in pair)]
FIRST_PREPOSITION, FIRST_NOUN = 2, 2 + len(AGREE.PREPOSITIONS)
MOST_LETTERS = 2_000
"""The most letters of base 64 that the figure's bundle may contain for all its networks."""
KINDS = "chain", "balanced", "parse"
NAMES = ("V", "U", "W", "b", "R", "c")
RATES = 0.003, 0.01, 0.03
LARGEST, BATCH = 127, 32
OLD_SHARE = 0.25


class Shape(NamedTuple):
    """A sentence up to its verb, without its nouns and prepositions.

    Attributes
    ----------
    phrases : int
        Number of phrases such as *in the hall* that belong to the subject.
    front : bool
        Whether the last of them comes first: *in the hall the keys to the old cabinet*.
    old : tuple of bool
        Whether each noun has an adjective, the subject first.
    """

    phrases: int
    front: bool
    old: tuple


class Laid(NamedTuple):
    """The leaves of a shape and its parse tree.

    Attributes
    ----------
    roles : list of tuple
        Of each leaf: ``"the"``, ``"old"``, ``"noun"`` or ``"preposition"``, and the number of its
        phrase, which is 0 for the subject.
    parse : nested tuple
    """

    roles: list
    parse: tuple


def lay(shape) -> Laid:
    """Return the leaves of a sentence in order, and the tree that its grammar gives it."""
    phrases, front, old = shape
    order = [phrases, *range(phrases)] if front and phrases else range(phrases + 1)
    roles, starts = [], {}
    for k in order:
        starts[k] = len(roles)
        roles += [("preposition", k)] if k else []
        roles += [("the", k)] + [("old", k)] * old[k] + [("noun", k)]

    def noun(k):  # the old cabinet
        the = starts[k] + (k > 0)
        return (the, (the + 1, the + 2)) if old[k] else (the, the + 1)

    last = phrases - 1 if front and phrases else phrases
    parse = noun(last)
    for k in range(last, 0, -1):  # (the keys) (to (...))
        parse = noun(k - 1), (starts[k], parse)
    if front and phrases:
        parse = (starts[phrases], noun(phrases)), parse
    return Laid(roles, parse)


def tree_of(kind, laid):
    """Return the tree of a kind over the leaves of a sentence."""
    return laid.parse if kind == "parse" else getattr(trees, kind)(len(laid.roles))


def shown(phrases, front, plural) -> tuple[Shape, list[str]]:
    """Return the shape and the words of the figure's sentence.

    Bit k of ``plural`` is 1 if the noun of phrase k is plural.
    """
    shape = Shape(phrases, front, tuple(k == AGREE.OLD for k in range(phrases + 1)))
    words = {"the": lambda k: "the", "old": lambda k: "old"}
    words["noun"] = lambda k: AGREE.NOUNS[k][plural >> k & 1]
    words["preposition"] = lambda k: AGREE.PREPOSITIONS[k - 1]
    return shape, [words[role](k) for role, k in lay(shape).roles]


def drawn(laid, rngs):
    """Fill sentences with random words for each generator: tokens (S, L) and verbs (S, B)."""
    roles = [role for one in laid for role in one.roles]
    which = np.array([role for role, _ in roles])
    subject = (which == "noun") & np.array([k == 0 for _, k in roles])
    x, y = [], []
    for rng in rngs:
        tokens = np.where(which == "old", WORDS.index("old"), WORDS.index("the"))
        at = which == "preposition"
        tokens[at] = rng.integers(FIRST_PREPOSITION, FIRST_NOUN, at.sum())
        at = which == "noun"
        tokens[at] = rng.integers(FIRST_NOUN, len(WORDS), at.sum())
        x.append(tokens)
        y.append((tokens[subject] - FIRST_NOUN) % 2)
    return np.array(x), np.array(y)


def shapes(counts, rng) -> Iterator[Shape]:
    """Draw shapes without end; each has one of several numbers of phrases at random."""
    while True:
        n = int(rng.choice(counts))
        old = tuple((rng.random(n + 1) < OLD_SHARE).tolist())
        yield Shape(n, n > 0 and bool(rng.random() < 0.5), old)


def batches(kind, counts, size, seeds, shape_seed):
    """Draw minibatches of sentences without end; the networks share shapes, not words."""
    source = shapes(counts, np.random.default_rng(shape_seed))
    rngs = [np.random.default_rng(seed) for seed in seeds]
    while True:
        laid = [lay(next(source)) for _ in range(size)]
        x, y = drawn(laid, rngs)
        yield x, trees.forest([tree_of(kind, one) for one in laid]), y


def right(params, kind, phrases, tested=500):
    """Return the share of new sentences for which a network chooses the right verb."""
    source = shapes([phrases], np.random.default_rng(phrases))
    laid = [lay(next(source)) for _ in range(tested)]
    x, y = drawn(laid, [np.random.default_rng([0, 5])])
    words = np.split(x[0], np.cumsum([len(one.roles) for one in laid])[:-1])
    over = [tree_of(kind, one) for one in laid]
    return float((recursive_forward(params, words, over).yhat.argmax(1) == y[0]).mean())


def make(seeds=range(11), steps=2000, tested=500):
    """Train networks along a chain, balanced trees and parse trees to choose the verb.

    A network receives the words before the verb and chooses *is* or *are* at the root. Sentences in
    training have up to two phrases, and in half of those with a phrase the last one comes first.
    All networks have the same number of parameters, start as PyTorch's layers do, and are trained
    on equally many sentences. Each kind of tree has the learning rate at which its median network
    has the lowest loss on new sentences of the lengths in training. Of each kind, the figure shows
    the median network by its share of right answers on longer sentences.

    Parameters
    ----------
    seeds : sequence of int
        One for each network of a kind.
    steps : int
        Steps of Adam, each on 32 sentences; the learning rate falls to 0.
    tested : int
        Number of new sentences for each number of phrases.

    Returns
    -------
    dict
        For each kind of tree: ``networks``, the packed weights of the one that is shown; ``rates``;
        ``right``, the share of right answers of each network, by the number of phrases.
    """
    made = {"networks": {}, "rates": {}, "right": {}}
    for kind in KINDS:
        tried = [_trained(kind, rate, seeds, steps, tested) for rate in RATES]
        best = int(np.argmin([np.median(losses) for _, losses, _ in tried]))
        params, _, shares = tried[best]
        longer = shares[AGREE.LEARNED + 1 :].mean(0)
        middle = int(longer.argsort(kind="stable")[(len(longer) - 1) // 2])
        one = {name: array[middle].astype(float) for name, array in params.items()}
        made["networks"][kind] = packed(one, NAMES, LARGEST)
        made["rates"][kind] = RATES[best]
        made["right"][kind] = shares.round(3).tolist()
    return made


def network(stored, kind):
    """Return the weights of the network that the figure shows for a kind of tree."""
    return unpacked(stored["networks"][kind])


def _trained(kind, rate, seeds, steps, tested):
    """Return the networks of a rate, their losses, and their shares right by number of phrases."""
    from rnn_helpers.experiments.rates import AdamEach
    from rnn_helpers.nets.recursive import Recursive
    from rnn_helpers.training import fit

    seeds = list(seeds)
    net = Recursive(len(WORDS), AGREE.UNITS, len(VERBS), seeds)
    params = fit(
        net.loss_and_grads,
        net.params(),
        batches(kind, range(AGREE.LEARNED + 1), BATCH, [[seed, 2] for seed in seeds], 0),
        steps=steps,
        optimizer=AdamEach(np.full(len(seeds), rate), steps),
        clip=1.0,
    ).params

    def new(counts, stream):
        streams = [[seed, stream] for seed in seeds]
        return next(batches(kind, counts, tested, streams, 1 + stream))

    losses, _ = net.loss_and_grads(params, new(range(AGREE.LEARNED + 1), 3))
    shares = [net.accuracy(params, new([n], 4 + n)) for n in range(MOST + 1)]
    return params, losses, np.array(shares)
