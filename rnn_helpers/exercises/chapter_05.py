"""The exercises of chapter 05, Language models."""

import bz2
from itertools import pairwise

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
    "05-charge",
    hint="What is the probability of all three characters together, one after the other?",
    success="The bits of a text add up to −log₂ of its probability. Here that is one in ten.",
    tolerance=0.01,
    wrong={
        "natural logarithm": Wrong(
            (-np.log(0.1), -np.log(0.1) / 3),
            "How many bits does a probability of 1/2 cost with your logarithm?",
        ),
        "the given character counted": Wrong(
            (-np.log2(0.1), -np.log2(0.1) / 4), "For which characters does the table pay?"
        ),
        "smoothed": Wrong(
            (-np.log2(3 / 11 * 2 / 10 * 2 / 7), -np.log2(3 / 11 * 2 / 10 * 2 / 7) / 3),
            "Did you add 1 to the counts?",
        ),
        "no logarithm": Wrong((0.1, 0.1 / 3), "How many bits does a probability of 1/2 cost?"),
        "the space after e": Wrong(
            (-np.log2(0.1 / 4), -np.log2(0.1 / 4) / 3),
            "Which character comes before the space? Which characters follow it in the table?",
        ),
    },
)
def charged():
    """Return the bits of e, a and a space after an s, and the bits per character."""
    bits = -np.log2(2 / 5 * 1 / 4 * 1)
    return bits, bits / 3


@exercise(
    "05-reach",
    hint="At which step does the block of step 58 begin?",
    success="No gradient gets from the first twelve losses of a block to their brackets.",
    tolerance=0.001,
    wrong={
        "the whole block": Wrong(
            (20, 0.4), "Does the gradient of the loss at step 58 go forward to step 60?"
        ),
        "its own step not counted": Wrong((17, 0.4), "Does a loss reach its own step?"),
        "no cut": Wrong((58, 1), "Where does the gradient stop?"),
        "the bracket one step later": Wrong(
            (18, 0.45), "If a bracket closes at step 12 of a block, where did it open?"
        ),
        "those that are cut off": Wrong(
            (18, 0.6), "Which share do you have: in reach, or cut off?"
        ),
        "the block before, too": Wrong((38, 1), "Does a gradient cross a cut?"),
    },
)
def reach():
    """Return the steps that one loss reaches, and the share of the brackets in reach."""
    return 58 - 40, (20 - 12) / 20


@exercise(
    "05-bits",
    cases=lambda: [(2000.0, 1000, 200), (30.0, 20, 5), (7.5, 3, 2), (640.0, 320, 64)],
    hint="How many bits does it take to guess among that many equally likely symbols, "
    "and how many bits does one word take?",
    success="Bits add up along a text, while perplexities multiply. So compare models by the "
    "bits they need on the same text.",
    wrong={
        "base e": Wrong(
            _converted(
                lambda bits, characters, words: np.exp(bits / characters),
                lambda bits, characters, words: np.exp(bits / words),
            ),
            "Choosing one of two equally likely symbols costs one bit. Which perplexity do "
            "you get for one bit?",
        ),
        "word perplexity by a product": Wrong(
            _converted(_perplexity, lambda b, c, w: c / w * 2 ** (b / c)),
            "The bits of a word's characters add up. What happens to their perplexities?",
        ),
        "a word counted like a character": Wrong(
            _converted(_perplexity, lambda b, c, w: 2 ** (b / c)),
            "Is a word as easy to guess as one of its characters?",
        ),
        "bits per word": Wrong(
            _converted(_perplexity, lambda b, c, w: b / w),
            "Should the third number be in bits?",
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


def _shifted_by_the_smallest(o, temperature, u):
    with np.errstate(all="ignore"):
        p = np.exp((o - o.min()) / temperature)
        return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))


def _outputs() -> list[tuple]:
    o = np.array([0.5, 2.0, -1.0, 1.5])
    cases = [(o, t, u) for t in (0.5, 1.0, 3.0) for u in (0.02, 0.12, 0.35, 0.58, 0.83, 0.97)]
    large = np.array([700.0, 1000.0, 998.0])
    far = np.array([0.0, 0, 998, 0, 0, 0, 0, 1000, 0, 0, 0, 0])  # far above the mean and the median
    return [
        *cases,
        *((large, 1.0, 0.95), (large, 4.0, 0.3), (o, 0.01, 0.5), (-large, 0.5, 0.999)),
        *((far, 1.0, 0.06), (far, 1.0, 0.95)),
    ]


@exercise(
    "05-draw",
    cases=_outputs,
    hint="Print the probabilities of the case that fails. Do they add up to 1, and is the largest "
    "where it should be? If so, which piece of the line from 0 to 1 contains u?",
    success="Dividing the outputs by a temperature raises each probability to the power "
    "1/temperature: low temperatures sharpen the distribution, high ones flatten it.",
    instance="""
    o = np.array([1000.0, 998.0, 1001.0, 999.5])

    print([
        [draw(o, 2.0, u) for u in (0.1, 0.3, 0.4, 0.7, 0.9)],
        [draw(o, 0.5, u) for u in (0.01, 0.12, 0.13, 0.5, 0.96)],
        [draw(np.array([0.0, 1000.0, 998.0]), 1.0, u) for u in (0.0, 0.8, 0.9)],
    ])
    """,
    wrong={
        "the most likely": Wrong(
            lambda o, temperature, u: int(np.argmax(o)), "Where does the random number u enter?"
        ),
        "no temperature": Wrong(
            _drawn(lambda o, temperature: _softmax(o)),
            "At a high temperature, rare characters should become more likely. Does a "
            "factor that all probabilities share survive the normalization?",
        ),
        "multiplied": Wrong(
            _drawn(lambda o, temperature: _softmax(o * temperature)),
            "Does a high temperature favor one character or make all of them more alike?",
        ),
        "overflow": Wrong(
            _drawn(_overflowing),
            "What is exp(1000)? What can you subtract from every output without changing a "
            "probability?",
            likely=True,
        ),
        "another shift": Wrong(
            _shifted_by_the_smallest,
            "Which number do you subtract from the outputs? Try it on 0, 1,000 and 998.",
        ),
        "softmax of probabilities": Wrong(
            _drawn(lambda o, temperature: _softmax(_softmax(o) / temperature)),
            "How many times do you apply a softmax, and where does the temperature belong?",
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
        "The next state and character depend only on the current ones: nothing is random.": (
            "Write one step as a function. Which arguments does it have if the most likely "
            "character is fed back?"
        ),
        "There are finitely many such pairs: n_h numbers of 64 bits have at most 2^(64 n_h) "
        "values.": ("How many different states can a computer write down?"),
        "So some pair must occur twice. From then on everything repeats: the text is in a cycle.": (
            "What must happen when there are more steps than pairs, and what follows after that?"
        ),
        "The character alone isn't enough: in another state, the same character has another "
        "successor.": (
            "In 'the t' and 'that', different characters can follow each t. Which quantity "
            "differs between them?"
        ),
        "No text is as long as this bound allows, so the bound doesn't explain short cycles.": (
            "How many years would 2^64 steps take? What makes nearby states converge long "
            "before that?"
        ),
        "Sampled text needn't end in a cycle, because the random numbers matter too.": (
            "Which part of the first point fails if the characters are drawn at random?"
        ),
    },
    success="Greedy text must end in a cycle because the next state and character depend only "
    "on the current ones.",
)


def _padded() -> list[tuple]:
    rng = np.random.default_rng(55)

    def case(lengths, n):
        T, B = max(lengths), len(lengths)
        o = 2 * rng.normal(size=(T, B, n))
        yhat = np.exp(o) / np.exp(o).sum(axis=-1, keepdims=True)
        return yhat, rng.integers(n, size=(T, B)), np.array(lengths)

    impossible = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]])  # in the padding
    return [
        *(case([3, 5, 1], 4), case([2, 2], 3), case([7, 4, 4, 1], 6)),
        (impossible, np.zeros((2, 2), int), np.array([1, 2])),
    ]


def _bits(count, total=np.sum):
    def loss(yhat, y, lengths):
        p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
        mask = count(np.arange(len(y))[:, None], lengths)
        with np.errstate(divide="ignore"):
            return total(-np.log2(np.where(mask, p, 1.0)), mask)

    return loss


def _masked_too_late(yhat, y, lengths):
    p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
    with np.errstate(all="ignore"):
        return -(np.log2(p) * (np.arange(len(y))[:, None] < lengths)).sum()


def _sum(bits, mask):
    return bits.sum()


def _inside(t, lengths):
    return t < lengths


@exercise(
    "05-masked",
    cases=_padded,
    hint="Compute a minibatch of one sentence by hand, then one of two sentences of different "
    "lengths. Which is the first for which your total is wrong?",
    success="Because the mask removes every padded step, the total is the same as if you had "
    "run the sentences one by one.",
    instance="""
    yhat = np.array([
        [[0.5, 0.25, 0.25], [0.1, 0.3, 0.6]],
        [[0.2, 0.7, 0.1], [0.35, 0.05, 0.6]],
        [[0.3, 0.3, 0.4], [0.0, 0.8, 0.2]],
    ])
    y = np.array([[0, 2], [1, 1], [2, 0]])

    print([
        masked_bits(yhat, y, np.array([3, 1])),
        masked_bits(yhat, y, np.array([2, 2])),
        masked_bits(0.1 + 0.7 * yhat, y, np.array([1, 2])),
    ])
    """,
    wrong={
        "padding counted": Wrong(
            _bits(lambda t, lengths: t < np.inf * lengths, _sum),
            "Is there a target at every step of the shorter sentences?",
        ),
        "mask times logarithm": Wrong(
            _masked_too_late,
            "The padding may contain a probability of 0. What does Python give for 0 times the "
            "logarithm of 0?",
        ),
        "one step too many": Wrong(
            _bits(lambda t, lengths: t <= lengths, _sum),
            "Steps are counted from 0 here. Which is the last of a sentence of length 3?",
        ),
        "the sign forgotten": Wrong(
            _bits(_inside, lambda bits, mask: -bits.sum()),
            "Which sign does the logarithm of a probability have? Can a text cost a negative "
            "number of bits?",
        ),
        "all symbols": Wrong(
            lambda yhat, y, lengths: (
                -np.log2(yhat[_inside(np.arange(len(y))[:, None], lengths)]).sum()
            ),
            "You add up the bits of every symbol that might come. Which of them did come?",
        ),
        "a total for each sentence": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum(axis=0)),
            "Your totals are right, one for each sentence. How many numbers does the exercise ask "
            "for?",
        ),
        "the mean of sentences' means": Wrong(
            _bits(_inside, lambda bits, mask: (bits.sum(0) / mask.sum(0)).mean()),
            "Does a short sentence count as much as a long one? The exercise asks for a total.",
        ),
        "the mean over all steps": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() / mask.size),
            "The exercise asks for a total. Would your mean change if one sentence were longer?",
        ),
        "another base": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() * np.log(2)),
            "What do you get for two equally likely symbols? It should be one bit.",
        ),
        "the mean of the steps that count": Wrong(
            _bits(_inside, lambda bits, mask: bits.sum() / mask.sum()),
            "You computed a mean. Which quantity does the exercise ask for?",
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
    hint="Draw the minibatch as a rectangle. How wide and how high is it, and which of "
    "its cells are words?",
    success="Minibatches of sentences with similar lengths waste fewer steps. The price is "
    "that a minibatch no longer mixes short and long sentences.",
    instance="""
    print([
        padding(np.array([5, 1, 4, 2, 9]), 2),
        padding(np.array([3, 1, 1, 6, 2, 2, 8]), 3),
    ])
    """,
    wrong={
        "padded to the longest of all": Wrong(
            _shares(
                lambda batches: (
                    1
                    - sum(b.sum() for b in batches)
                    / (sum(map(len, batches)) * max(b.max() for b in batches))
                )
            ),
            "How long does a minibatch have to be for its own sentences?",
        ),
        "mean of the minibatches' shares": Wrong(
            _shares(lambda batches: np.mean([_of_cells([b]) for b in batches])),
            "Do minibatches of long and of short sentences have equally many cells?",
        ),
        "compared with the words": Wrong(
            _shares(lambda batches: 1 / (1 - _of_cells(batches)) - 1),
            "Which total is your share a part of? It can be more than 1.",
        ),
        "never sorted": Wrong(
            _shares(_of_cells, lambda n: n),
            "For your second number, did you sort the sentences first?",
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
    hint="A loss at step j of its block reaches j steps, with factors w^0 to w^(j-1). "
    "What would it reach without blocks?",
    success="For w above 0, the lost share falls only like 1/K: however long a block is, "
    "losses near its beginning reach back just a few steps.",
    wrong={
        "every loss reaches K steps": Wrong(
            lambda w, K: w**K,
            "That is the share for the last loss of a block. What is it for the first loss?",
        ),
        "its own step left out": Wrong(
            lambda w, K: sum(w**j for j in range(K)) / K,
            "Which step contributes to a loss without any factor w?",
        ),
        "the sum instead of the mean": Wrong(
            lambda w, K: sum(w ** (j + 1) for j in range(K)),
            "There are K losses in a block. Which share do they lose on average?",
        ),
        "not as a share": Wrong(
            lambda w, K: sum(w ** (j + 1) for j in range(K)) / K / (1 - w),
            "That is the amount lost. How large was the whole gradient?",
        ),
        "what is kept": Wrong(
            lambda w, K: 1 - sum(w ** (j + 1) for j in range(K)) / K,
            "For K = 1 and w = 0 nothing is lost. What do you get?",
        ),
    },
)
def lost_share(w, K):
    """Give the share of the gradient that blocks of K steps cut off, for h <- w h + x + b."""
    return w * (1 - w**K) / (K * (1 - w))


@exercise(
    "05-mean",
    cases=lambda: [(0.1, 5.0, 640), (1e-3, 5.0, 32), (0.5, 1.0, 1)],
    hint="Write down both clipped steps. For which rate and threshold are they equal, "
    "with clipping and without it?",
    success="A clipping threshold only makes sense together with the loss: for the mean over "
    "n words, the same threshold is n times as permissive.",
    wrong={
        "the threshold forgotten": Wrong(
            lambda eta, v, n: (eta * n, v),
            "The gradient of the mean is n times shorter. When does it exceed v?",
        ),
        "the rate forgotten": Wrong(
            lambda eta, v, n: (eta, v / n),
            "For a gradient that isn't clipped, is your step as long as theirs?",
        ),
        "both smaller": Wrong(
            lambda eta, v, n: (eta / n, v / n),
            "If the gradient gets shorter, should the rate grow or shrink to keep the step "
            "the same?",
        ),
        "both larger": Wrong(
            lambda eta, v, n: (eta * n, v * n),
            "If the gradient gets shorter, should the threshold grow or shrink to clip in "
            "the same cases?",
        ),
        "the other way round": Wrong(
            lambda eta, v, n: (eta / n, v * n),
            "Is the gradient of the mean longer than the gradient of the sum?",
        ),
    },
)
def for_the_mean(eta, v, n):
    """Give the rate and the threshold with which the mean of n losses is stepped like their sum."""
    return eta * n, v / n


checklist(
    "05-shuffle",
    {
        "After shuffling, every order is equally likely, whatever order the sentences had "
        "before.": (
            "If you shuffle a sorted pack of cards well, can you tell afterwards that it "
            "was sorted?"
        ),
        "So the share of padding has the same distribution as without sorting, not just the same "
        "mean.": ("Which things does the share of padding depend on, apart from the order?"),
        "Cut the sorted sentences into minibatches first, then shuffle the minibatches. Each one "
        "keeps its sentences, and only the order of the minibatches is random.": (
            "What can you shuffle without separating sentences of similar lengths?"
        ),
        "The price: in every pass, the same sentences share a minibatch.": (
            "Which sentences share a minibatch in the second pass?"
        ),
        "A remedy: before each pass, shuffle sentences of equal or similar length among "
        "themselves.": ("Sorting fixes the order of the lengths. Which orders does it leave free?"),
    },
    success="Shuffling whole minibatches keeps the padding low, but sentences of equal length "
    "then always train together.",
)


def _size(text):
    # not by zlib, whose sizes depend on the system's build of it
    return len(bz2.compress(text.encode()))


def _other_size(text):
    """Return the size of a list of the pairs of bytes that occur."""
    return 2 * len({*pairwise(text.encode())})


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
    hint="How many bytes does `text` add to the compressed training text, and how many "
    "bits per character is that?",
    success="A compressor is a language model too, so its bits per character are a baseline that "
    "your network should beat.",
    instance="""
    def size(text):
        return 20 + len(set(text.encode()))

    print([
        compressed_bits("to be", "or not to be", size),
        compressed_bits("und", "Über Bäche", size),
    ])
    """,
    wrong={
        "bytes": Wrong(
            lambda train, text, size: (size(train + text) - size(train)) / len(text),
            "How many bits are in a byte?",
        ),
        "the text alone": Wrong(
            lambda train, text, size: 8 * size(text) / len(text),
            "A language model can learn from the training text. Has your compressor read it?",
        ),
        "both texts' bytes": Wrong(
            lambda train, text, size: 8 * size(train + text) / len(text),
            "Which of these bytes belong to the training text alone?",
        ),
        "per byte": Wrong(
            lambda train, text, size: 8 * (size(train + text) - size(train)) / len(text.encode()),
            "In UTF-8, is one character one byte? Look at the ü.",
        ),
        "the mean over both": Wrong(
            lambda train, text, size: 8 * size(train + text) / len(train + text),
            "That is the mean over all characters. How much do only the held-out characters cost?",
        ),
    },
)
def compressed_bits(train, text, size):
    """Return the bits per character that a text costs a compressor, after the training text."""
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
    feature = np.repeat([0, 1, 1, 0, 1, 0, 0], 8).astype(float)
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
    hint="Subtract each mean and divide by both lengths. What do you do for a unit whose "
    "length is 0?",
    success="A large correlation makes a unit worth a look. To trust it, test the unit on "
    "text that you didn't use to choose it.",
    instance="""
    t = np.arange(8.0)
    h = np.stack([np.cos(t), 0 * t + 3, 9 * np.cos(2 * t) - 5, 0.4 * np.sin(t)], axis=1)

    print([
        best_unit(h, np.array([0, 0, 1, 1, 0, 1, 0, 0])),
        best_unit(h, np.array([0, 1, 1, 0, 0, 0, 0, 1])),
    ])
    """,
    wrong={
        "the largest, sign and all": Wrong(
            _best(_correlations, pick=np.positive),
            "Is a unit that is low where the feature is on less informative than one that is "
            "high there?",
        ),
        "products without subtracting the means": Wrong(
            _best(lambda h, f: f @ h / np.sqrt((h**2).sum(0) * (f**2).sum())),
            "A unit that is always near 0.9 has a large product with anything. How can you "
            "remove its constant part?",
        ),
        "covariance": Wrong(
            _best(lambda h, f: (f - f.mean()) @ (h - h.mean(0)) / len(f)),
            "A unit with a larger range has a larger covariance. How can you make units "
            "comparable?",
        ),
        "a unit that never moves gives nan": Wrong(
            _best(_undivided),
            "One of the units never moves, and 0 / 0 is nan. Which correlation does the "
            "exercise give it?",
        ),
        "the size alone": Wrong(
            _best(lambda h, f: np.abs(_correlations(h, f))),
            "Does your correlation show whether the unit is high or low where the feature is on?",
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
        "The report says how you cleaned the text, how many characters you held out, and that the "
        "network was never trained on them.": (
            "Could a reader with your text get your number? And did the network see any of "
            "the held-out part?"
        ),
        "It gives the bits per character on the held-out part for at least three seeds, and their "
        "spread.": ("How much would the number change with another random initialization?"),
        "It compares them with those of an n-gram and of xz on the same characters. Both have "
        "received the rest of the text before.": (
            "Which score do you get from counting alone, or from compressing alone?"
        ),
        "It says how you chose the learning rate without the held-out part.": (
            "Which text did you look at when you chose the rate? Is it still held out?"
        ),
        "It tries blocks of at least two lengths, with equally many characters per training "
        "step.": (
            "If the longer block reads more characters per training step, which difference "
            "do you measure?"
        ),
        "It shows a sample, its temperature, and one mistake that spans a long distance.": (
            "Which brackets does it close, and which name does it still get right ten lines later?"
        ),
    },
    success="With a baseline on the same characters and the spread over seeds, a reader can "
    "judge what your number means.",
)
