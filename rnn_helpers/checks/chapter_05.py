"""The exercises of chapter 05, Language models."""

import bz2
import zlib

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _converted(per_character, per_word=lambda bits, characters, words: 2 ** (bits / words)):
    def convert(bits, characters, words):
        return (
            bits / characters,
            per_character(bits, characters, words),
            per_word(bits, characters, words),
        )

    return convert


def _perplexity(bits, characters, words):
    return 2 ** (bits / characters)


@exercise(
    "05-bits",
    cases=lambda: [(2000.0, 1000, 200), (30.0, 20, 5), (7.5, 3, 2), (640.0, 320, 64)],
    hint="A perplexity says among how many equally likely symbols one would have to guess. How "
    "many bits does such a guess take, and how many of them has one word?",
    wrong={
        "base e": Wrong(
            _converted(
                lambda bits, characters, words: np.exp(bits / characters),
                lambda bits, characters, words: np.exp(bits / words),
            ),
            "One of two equally likely symbols costs one bit. What does yours give for one bit?",
        ),
        "word perplexity by a product": Wrong(
            _converted(_perplexity, lambda b, c, w: c / w * 2 ** (b / c)),
            "The bits of a word's characters add up. What happens to their perplexities?",
        ),
        "a word counted like a character": Wrong(
            _converted(_perplexity, lambda b, c, w: 2 ** (b / c)),
            "Is it as hard to guess a word as to guess one of its characters?",
        ),
        "bits per word": Wrong(
            _converted(_perplexity, lambda b, c, w: b / w),
            "The third number is not in bits.",
        ),
    },
)
def convert(bits, characters, words):
    """Give bits per character, perplexity per character and perplexity per word."""
    return bits / characters, 2 ** (bits / characters), 2 ** (bits / words)


def _drawn(weights):
    def draw(o, temperature, u):
        p = weights(o, temperature)
        return int(np.searchsorted(np.cumsum(p), u * p.sum(), side="right"))

    return draw


def _softmax(o):
    p = np.exp(o - o.max())
    return p / p.sum()


def _overflowing(o, temperature):
    with np.errstate(over="ignore"):
        return np.exp(o / temperature)


def _outputs() -> list[tuple]:
    o = np.array([0.5, 2.0, -1.0, 1.5])
    cases = [(o, t, u) for t in (0.5, 1.0, 3.0) for u in (0.02, 0.12, 0.35, 0.58, 0.83, 0.97)]
    large = np.array([700.0, 1000.0, 998.0])
    return [*cases, (large, 1.0, 0.95), (large, 4.0, 0.3), (o, 0.01, 0.5), (-large, 0.5, 0.999)]


@exercise(
    "05-draw",
    cases=_outputs,
    hint="Lay the probabilities side by side on a line from 0 to 1. On whose piece does u fall?",
    wrong={
        "the likeliest": Wrong(
            lambda o, temperature, u: int(np.argmax(o)), "What is the random number u for?"
        ),
        "no temperature": Wrong(
            _drawn(lambda o, temperature: _softmax(o)),
            "At a high temperature rare characters should come more often. Do they? (A factor that "
            "all probabilities share is gone as soon as they sum to 1.)",
        ),
        "multiplied": Wrong(
            _drawn(lambda o, temperature: _softmax(o * temperature)),
            "Which way does a high temperature go: to one character, or to all alike?",
        ),
        "overflow": Wrong(
            _drawn(_overflowing),
            "What is exp(1000)? Take something off every output first that changes no probability.",
        ),
        "softmax of probabilities": Wrong(
            _drawn(lambda o, temperature: _softmax(_softmax(o) / temperature)),
            "The temperature goes with the outputs, before the softmax, and there is one softmax.",
        ),
    },
)
def draw(o, temperature, u):
    """Give the index of the character drawn from outputs at a temperature, by a number u."""
    p = np.exp((o - o.max()) / temperature)
    return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))


checklist(
    "05-cycle",
    {
        "The next state and character follow from the present pair alone: nothing is drawn.": (
            "Write a step as a function. What are its arguments, if the likeliest character is fed "
            "back and ties are broken in a fixed way?"
        ),
        "There are finitely many pairs: n_h numbers of 64 bits have at most 2^(64 n_h) values.": (
            "How many different states can a computer write down?"
        ),
        "So some pair comes a second time, and from there on everything repeats: a cycle.": (
            "What must happen when there are more steps than pairs? And what comes after it?"
        ),
        "The character alone decides nothing: after equal characters, other states go on other"
        " ways.": (
            "'the t' and 'that': after each t something else may follow. What knows the difference?"
        ),
        "The bound is far beyond any text: it does not explain why cycles are short.": (
            "How many years is 2^64 steps? And what pulls nearby states together long before?"
        ),
        "Drawn characters need not cycle: the next pair hangs on the random number as well.": (
            "Which part of the first point fails if a character is drawn?"
        ),
    },
)


def _padded() -> list[tuple]:
    rng = np.random.default_rng(55)

    def case(lengths, n):
        T, B = max(lengths), len(lengths)
        o = 2 * rng.normal(size=(T, B, n))
        yhat = np.exp(o) / np.exp(o).sum(axis=-1, keepdims=True)
        return yhat, rng.integers(n, size=(T, B)), np.array(lengths)

    return [case([3, 5, 1], 4), case([2, 2], 3), case([7, 4, 4, 1], 6)]


def _bits(count, total=np.sum):
    def loss(yhat, y, lengths):
        p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
        mask = count(np.arange(len(y))[:, None], lengths)
        return total(-np.log2(np.where(mask, p, 1.0)), mask)

    return loss


def _sum(bits, mask):
    return bits.sum()


def _inside(t, lengths):
    return t < lengths


@exercise(
    "05-masked",
    cases=_padded,
    hint="Make a table of which steps have a target. What should a step without one add?",
    wrong={
        "padding counted": Wrong(
            _bits(lambda t, lengths: t < np.inf * lengths, _sum),
            "Is there a target at every step of the shorter sentences?",
        ),
        "one step too many": Wrong(
            _bits(lambda t, lengths: t <= lengths, _sum),
            "Steps are counted from 0 here. Which is the last of a sentence of length 3?",
        ),
        "the mean of sentences' means": Wrong(
            _bits(_inside, lambda bits, mask: (bits.sum(0) / mask.sum(0)).mean()),
            "A short sentence then counts as much as a long one. What was asked is a total.",
        ),
        "the mean over all steps": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() / mask.size),
            "What was asked is a total. And would that mean change with one longer sentence?",
        ),
        "another base": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() * np.log(2)),
            "Two equally likely symbols should cost one bit.",
        ),
        "the mean of the steps that count": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() / mask.sum()),
            "Good to compare with others, but what was asked is a total.",
        ),
    },
)
def masked_bits(yhat, y, lengths):
    """Give the bits that a padded minibatch costs, padding left out."""
    mask = np.arange(len(y))[:, None] < lengths
    p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
    return -np.log2(p[mask]).sum()


def _shares(share, order=np.sort):
    def padding(lengths, batch_size):
        def of(ordered):
            cut = range(0, len(ordered), batch_size)
            return share([ordered[first : first + batch_size] for first in cut])

        return of(lengths), of(order(lengths))

    return padding


def _of_cells(batches):
    cells = sum(len(batch) * batch.max() for batch in batches)
    return 1 - sum(batch.sum() for batch in batches) / cells


def _lengths() -> list[tuple]:
    rng = np.random.default_rng(41)
    return [
        (np.array([5, 1, 4, 2, 9]), 2),
        (rng.geometric(0.05, size=200), 16),
        (rng.integers(1, 30, size=64), 8),
    ]


@exercise(
    "05-padding",
    cases=_lengths,
    hint="Draw the minibatch as a rectangle: how wide, how high? Which of its cells are words?",
    wrong={
        "padded to the longest of all": Wrong(
            _shares(
                lambda batches: (
                    1
                    - sum(b.sum() for b in batches)
                    / (sum(map(len, batches)) * max(b.max() for b in batches))
                )
            ),
            "A minibatch need be no longer than its own longest sentence.",
        ),
        "mean of the minibatches' shares": Wrong(
            _shares(lambda batches: np.mean([_of_cells([b]) for b in batches])),
            "A minibatch of long sentences has more cells than one of short ones.",
        ),
        "compared with the words": Wrong(
            _shares(lambda batches: 1 / (1 - _of_cells(batches)) - 1),
            "A share of what? Yours can be more than 1.",
        ),
        "never sorted": Wrong(
            _shares(_of_cells, lambda n: n), "Are the second number's minibatches in another order?"
        ),
    },
)
def padding(lengths, batch_size):
    """Give the share of padding in minibatches as the lengths come, and sorted."""

    def share(ordered):
        batches = [ordered[i : i + batch_size] for i in range(0, len(ordered), batch_size)]
        return 1 - ordered.sum() / sum(len(batch) * batch.max() for batch in batches)

    return share(lengths), share(np.sort(lengths))


@exercise(
    "05-blocks",
    cases=lambda: [(0.5, 10), (0.9, 10), (0.9, 1), (0.99, 100), (-0.5, 4), (0.0, 3)],
    hint="A loss at place j of its block hears j steps, w^0 to w^(j-1). What would all steps give? "
    "Then take the mean over the places.",
    wrong={
        "every loss reaches K steps": Wrong(
            lambda w, K: w**K, "That is the last loss of a block. What does the first one hear?"
        ),
        "a loss does not hear its own step": Wrong(
            lambda w, K: sum(w**j for j in range(K)) / K,
            "What reaches the state of the loss's own step, without any factor w?",
        ),
        "the sum instead of the mean": Wrong(
            lambda w, K: sum(w ** (j + 1) for j in range(K)),
            "There are K losses in a block. What is asked is a share, for all of them together.",
        ),
        "not as a share": Wrong(
            lambda w, K: sum(w ** (j + 1) for j in range(K)) / K / (1 - w),
            "That is how much is lost. How much was there?",
        ),
        "what is kept": Wrong(
            lambda w, K: 1 - sum(w ** (j + 1) for j in range(K)) / K,
            "For K = 1 and w = 0 nothing is lost. What does yours say?",
        ),
    },
)
def lost_share(w, K):
    """Give the share of the gradient that blocks of K steps cut off, for h <- w h + x + b."""
    return w * (1 - w**K) / (K * (1 - w))


@exercise(
    "05-mean",
    cases=lambda: [(0.1, 5.0, 640), (1e-3, 5.0, 32), (0.5, 1.0, 1)],
    hint="Write down both steps, clipped, and see to it that both parts of each are equal: the "
    "factor that is compared with 1, and the step when nothing is clipped.",
    wrong={
        "the threshold forgotten": Wrong(
            lambda eta, v, n: (eta * n, v),
            "The gradient is n times shorter now. When is it longer than v?",
        ),
        "the rate forgotten": Wrong(
            lambda eta, v, n: (eta, v / n),
            "Take a gradient that is not clipped. Is your step as long as the old one?",
        ),
        "both smaller": Wrong(
            lambda eta, v, n: (eta / n, v / n), "A shorter gradient wants which kind of rate?"
        ),
        "both larger": Wrong(
            lambda eta, v, n: (eta * n, v * n), "A shorter gradient wants which kind of threshold?"
        ),
        "the other way round": Wrong(
            lambda eta, v, n: (eta / n, v * n), "Is the mean's gradient longer than the sum's?"
        ),
    },
)
def for_the_mean(eta, v, n):
    """Give the rate and the threshold with which the mean of n losses is stepped like their sum."""
    return eta * n, v / n


checklist(
    "05-shuffle",
    {
        "Each order of the shuffled sentences is equally likely, whatever order they had.": (
            "A pack of cards is sorted, then shuffled well. Can you tell that it was sorted?"
        ),
        "So padding is as much as if nobody had sorted: in distribution, not in the mean only.": (
            "What does the share of padding depend on, besides the order?"
        ),
        "Cut first, then shuffle the minibatches: each keeps its lengths, their order is random.": (
            "Which things may be shuffled without tearing neighbours apart?"
        ),
        "What is lost: sentences of one length only ever meet each other, in every pass.": (
            "Who shares a minibatch with whom, this way, in the second pass?"
        ),
        "A way out: mix the sentences of one length, or of nearby ones, before each pass.": (
            "Sorting asks for lengths in order. What does it leave open?"
        ),
    },
)


def _size(text):
    return len(zlib.compress(text.encode(), 9))


def _other_size(text):
    return len(bz2.compress(text.encode()))


def _texts() -> list[tuple]:
    first = "the state goes on from block to block, the gradient does not. " * 3
    more = "the gradient goes on from block to block; the state does not, or so it seems. "
    german = "Über Brücken und Bächen blühen die Bäume. Große Flüsse führen überall hin. "
    return [
        (first, "the state does not go on. ", _size),
        (first + german, german[:40], _size),
        (german, more * 2, _size),
        (german, first, _other_size),
    ]


@exercise(
    "05-compressed",
    cases=_texts,
    hint="A compressor that has read the training text writes the rest of it shorter. How many "
    "bytes does the rest add, and how many bits is that for each character?",
    wrong={
        "bytes": Wrong(
            lambda train, text, size: (size(train + text) - size(train)) / len(text),
            "How many bits has a byte?",
        ),
        "the text alone": Wrong(
            lambda train, text, size: 8 * size(text) / len(text),
            "Your model was allowed to learn from the training text. The compressor was not.",
        ),
        "both texts' bytes": Wrong(
            lambda train, text, size: 8 * size(train + text) / len(text),
            "The training text costs bytes too. Are they the held-out text's?",
        ),
        "per byte": Wrong(
            lambda train, text, size: 8 * (size(train + text) - size(train)) / len(text.encode()),
            "In UTF-8, is one character one byte? Look at the ü.",
        ),
        "the mean over both": Wrong(
            lambda train, text, size: 8 * size(train + text) / len(train + text),
            "That is the mean over all characters. What do those cost that were held out?",
        ),
    },
)
def compressed_bits(train, text, size):
    """Give the bits per character of a text that a compressor needs which has read another."""
    return 8 * (size(train + text) - size(train)) / len(text)


def _correlations(h, feature):
    h, feature = h - h.mean(0), feature - feature.mean()
    sizes = np.sqrt((h**2).sum(0) * (feature**2).sum())
    return np.divide(feature @ h, sizes, out=np.zeros(len(sizes)), where=sizes > 0)


def _undivided(h, feature):
    h, feature = h - h.mean(0), feature - feature.mean()
    with np.errstate(invalid="ignore"):
        return feature @ h / np.sqrt((h**2).sum(0) * (feature**2).sum())


def _units() -> list[tuple]:
    rng = np.random.default_rng(43)
    feature = np.repeat([0, 1, 1, 0, 1, 0, 0], 30).astype(float)
    h = 0.3 * rng.normal(size=(len(feature), 6))
    h[:, 1] = 0.875  # never moves, and its mean is exact
    h[:, 2] -= 0.8 * feature  # closed where the feature is on
    h[:, 4] += 0.5 * feature
    still = h.copy()
    still[:, 2] = -0.5
    high = rng.normal(size=(40, 3)) + np.array([8.0, 0.0, -9.0])
    high[:, 1] += np.arange(40) / 20
    # A power of two keeps the mean of the unit that never moves exact.
    return [(h, feature), (still, feature), (high, np.arange(40.0)), (h / 1024, feature)]


def _best(score, pick=np.abs):
    def unit(h, feature):
        scores = score(h, feature)
        k = int(np.argmax(pick(scores)))
        return k, scores[k]

    return unit


@exercise(
    "05-unit",
    cases=_units,
    hint="Take off each mean, and divide by both lengths. What will you do with a unit that has "
    "none?",
    wrong={
        "the largest, sign and all": Wrong(
            _best(_correlations, pick=np.positive),
            "A unit that shuts where the feature is on knows of it no less than one that opens.",
        ),
        "products without taking off the means": Wrong(
            _best(lambda h, f: f @ h / np.sqrt((h**2).sum(0) * (f**2).sum())),
            "A unit that always stands at 0.9 goes along with anything. Does it know anything?",
        ),
        "covariance": Wrong(
            _best(lambda h, f: (f - f.mean()) @ (h - h.mean(0)) / len(f)),
            "A unit that swings more has more of that. How is it made comparable?",
        ),
        "a unit that never moves gives nan": Wrong(
            _best(_undivided),
            "One of the units never moves, and 0 / 0 is nan. What does it know of the feature?",
        ),
        "the size alone": Wrong(
            _best(lambda h, f: np.abs(_correlations(h, f))),
            "Keep the sign: it says whether the unit opens or shuts.",
        ),
    },
)
def best_unit(h, feature):
    """Give the unit whose correlation with a feature is largest in size, and the correlation."""
    h, feature = h - h.mean(axis=0), feature - feature.mean()
    size = np.linalg.norm(h, axis=0) * np.linalg.norm(feature)
    r = feature @ h / np.where(size > 0, size, 1.0)
    return int(np.argmax(np.abs(r))), r[np.argmax(np.abs(r))]


checklist(
    "05-own-text",
    {
        "Says what was cleaned away, how many characters were held out, and that none was learned"
        " from.": (
            "Would somebody with your text get your number? And did the network see any of it?"
        ),
        "Gives bits per character on the held-out part for at least three seeds, with their"
        " spread.": "How much would the number change if you had begun with other weights?",
        "Compares with an n-gram and with xz on the same held-out characters, xz having read the"
        " rest.": "What does somebody reach who only counts, or only compresses?",
        "Says how the learning rate was chosen, without the held-out part.": (
            "Which text did you look at when you chose? Then it is held out no longer."
        ),
        "Takes blocks of at least two lengths, with equal characters per training step.": (
            "If the longer block reads more characters at each step, what do you compare?"
        ),
        "Shows a sample, its temperature, and one thing that it gets wrong at a distance.": (
            "Which brackets does it close? Whose name does it still know ten lines later?"
        ),
    },
)
