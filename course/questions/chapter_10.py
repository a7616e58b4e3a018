"""Questions on chapter 10, Encoder and decoder."""

import math
from fractions import Fraction

from course.exam import Question

PAIRS = ("abcd", "wxyz"), ("abcde", "vwxyz"), ("tram", "wxyz"), ("plane", "uvwxy")


def half_drawn(rng):
    """Count the arrows of a drawing that the decoder hasn't finished."""
    source, target = PAIRS[int(rng.integers(len(PAIRS)))]
    backwards = bool(rng.integers(2))
    n, words = len(source), int(rng.choice([20, 30, 40]))
    steps = [i if backwards else n - 1 - i for i in range(n)]  # along the encoder
    first = [4 + step + i for i, step in enumerate(steps)]
    every = [4 + step for step in steps]

    def listed(numbers):
        return ", ".join(map(str, numbers))

    return Question(
        kind="read",
        title="Before the first symbol is written",
        minutes=9,
        text=f"""In the figure, the encoder has read *{source}*, from
{"right to left" if backwards else "left to right"}, and has passed on $C$. Next, the decoder will
write *{target}*, always from left to right. Think of the first letter of *{target}* as the output
of the first letter of *{source}*, and so on. Give all answers in the order in which *{source}* is
written.

1. $C$ is the first state of the decoder. How many arrows does the shortest path from each of the
{n} letters to its output have?
2. Now $C$ is an input of the decoder at every step. How many arrows do the paths have?
3. Now the decoder has attention, and the encoder's states are the annotations. How many arrows do
the paths have?
4. What is the price of attention? Compare sentences of {words} and of {10 * words} words.""",
        figure=(
            "seq2seq",
            {"source": source, "target": target, "backwards": backwards, "done": n + 1},
        ),
        key=f"""1. {listed(first)}. One arrow each leads into the encoder, to $C$, into the decoder
and to the output. The others are the encoder's steps after the letter and the decoder's steps
before the output (3 points)
2. {listed(every)}: only the encoder's steps are left (2 points)
3. 4 each: into the encoder, to the context of this step, into the decoder's state, and to the
output (2 points)
4. Each output needs a score for each annotation, and all annotations must be kept. With as many
outputs as words, these are about {words**2:,} and {(10 * words) ** 2:,} scores: 100 times as many
for 10 times as many words (2 points)""",
    )


# The query's two numbers are logarithms of these. The keys, and how much padding there is.
LOOKS = (
    ((2, 3), ((0, 0), (0, 1), (1, 1)), 10),
    ((2, 3), ((1, 0), (0, 0), (0, 1)), 6),
    ((4, 5), ((1, 0), (0, 1), (0, 0)), 10),
    ((2, 7), ((0, 1), (0, 0), (1, 0)), 10),
    ((2, 5), ((0, 0), (0, 1), (1, 0)), 8),
)


def a_look(rng):
    """Compute one step of attention, sharpen it, and add padding."""
    (a, b), keys, padding = LOOKS[int(rng.integers(len(LOOKS)))]
    values = [int(v) for v in rng.permutation([10, 20, 40])]
    sizes = [a**i * b**j for i, j in keys]
    total = sum(sizes)
    weights = [Fraction(size, total) for size in sizes]
    read = sum(w * v for w, v in zip(weights, values, strict=True))
    squares = [size**2 for size in sizes]
    sharp = [f"{square}/{sum(squares)} = {square / sum(squares):.3f}" for square in squares]
    best = values[sizes.index(max(sizes))]
    rows = "\n".join(
        f"| {i} | {key} | {value} |"
        for i, (key, value) in enumerate(zip(keys, values, strict=True), start=1)
    )
    less = read * Fraction(total, total + padding)
    return Question(
        kind="compute",
        title="A soft lookup",
        minutes=11,
        text=rf"""A decoder looks at three annotations. Two learned matrices have made a key and a
value of each:

| annotation | key | value |
|---|---|---|
{rows}

The query is $(\ln {a}, \ln {b})$, and a score is the dot product of the query and a key.

1. Compute the three weights and the result of the lookup.
2. The query is doubled. What are the weights now? What does the lookup return as the query grows
further?
3. In a batch, the sentence is filled up with {padding} positions of padding, whose keys and values
are 0. Somebody says: *They add nothing to the average, so nobody has to mask them.* Compute the
result of the lookup, with the query of part 1. Which score should padding have?""",
        key=f"""1. The exponentials of the scores are {", ".join(map(str, sizes))}, together
{total}: the weights are {", ".join(map(str, weights))} (3 points), and the result is
{float(read):.5g} (2 points)
2. All exponentials are squared: {", ".join(sharp)}. In the end, the lookup returns {best}, the
value of the key with the largest score (3 points)
3. A score of 0 has the exponential 1, so the sum becomes {total + padding}, and the result is only
{float(less):.6g}: padding takes weight away from the words. Its score should be −∞ (3
points)""",
    )


# Probabilities of A, B and the end symbol: at first, after an A and after a B.
DECODERS = (
    ((0.5, 0.4, 0.1), (0.4, 0.3, 0.3), (0.1, 0.1, 0.8)),
    ((0.6, 0.3, 0.1), (0.5, 0.2, 0.3), (0.04, 0.06, 0.9)),
    ((0.5, 0.4, 0.1), (0.1, 0.6, 0.3), (0.6, 0.1, 0.3)),
    ((0.3, 0.6, 0.1), (0.1, 0.1, 0.8), (0.3, 0.4, 0.3)),
)
END = "."


def beams(decoder, width, steps):
    """Return the beginnings that beam search keeps after each step, with their probabilities."""
    kept, told = [("", 1.0)], []
    for _ in range(steps):
        longer = []
        for text, p in kept:
            if text.endswith(END):
                longer.append((text, p))
                continue
            row = decoder["AB".index(text[-1]) + 1 if text else 0]
            longer += [(text + one, p * q) for one, q in zip("AB" + END, row, strict=True)]
        kept = sorted(longer, key=lambda one: -one[1])[:width]
        told.append(kept)
    return told


def which_search(rng):
    """Search for the most likely output of a decoder that never stops if it is greedy."""
    decoder = DECODERS[int(rng.integers(len(DECODERS)))]
    exact = beams(decoder, 3**6, 6)[-1]
    best, p = next(one for one in exact if one[0].endswith(END))
    greedy = beams(decoder, 1, 6)[-1][0][0]
    two = beams(decoder, 2, 6)
    found = any(text == best for text, _ in two[-1])
    finds = next(w for w in range(2, 9) if beams(decoder, w, 6)[-1][0][0] == best)
    table = "\n".join(
        f"| {name} | " + " | ".join(f"{q:g}" for q in row) + " |"
        for name, row in zip(("at the first step", "after A", "after B"), decoder, strict=True)
    )
    other = "AB" if best != "AB." else "BA"
    q = decoder[0]["AB".index(other[0])] * decoder[1 + "AB".index(other[0])]["AB".index(other[1])]
    q *= decoder[1 + "AB".index(other[1])][2]
    kept = "; ".join(
        f"step {i}: " + ", ".join(f"`{text}` {share:.3g}" for text, share in step)
        for i, step in enumerate(two[:3], start=1)
    )
    return Question(
        kind="compute",
        title="A decoder that is too greedy",
        minutes=12,
        text=f"""A decoder writes the symbols A and B and the end symbol, which we write as a
period. For one source, its predictions depend on the previous symbol alone:

| | A | B | end |
|---|---|---|---|
{table}

1. What is the probability of the output `{other}.`? What is its loss in nats?
2. What does greedy decoding write?
3. Which finished output is the most likely of all? How can you be sure, although there are
infinitely many?
4. Which beginnings does beam search of width 2 keep after steps 1, 2 and 3? (Finished outputs stay
as they are, and compete with the others.) Does it find the output of part 3? If it doesn't, which
width does?""",
        key=f"""1. {q:.4g}; the loss is −ln {q:.4g} = {-math.log(q):.3g} nats (2 points)
2. `{greedy}` and so on: it never stops (2 points)
3. `{best}`, with probability {p:.3g}. Each further symbol makes a beginning less likely. So extend
the most likely beginnings, until none that isn't finished has more than {p:.3g}; from then on,
nothing can win any more (4 points: 2 for the output, 2 for the reason)
4. {kept}. {"It finds the output" if found else f"It loses the output; width {finds} finds it"} (4
points)""",
    )


BUGS = (
    "The softmax runs over the batch instead of the words: each word of A competes with the word "
    "of B at the same position. Alone, each word has no rival and gets the weight 1",
    "Padding isn't masked. Next to B, two positions of padding are added to A, and each has a "
    "score of 0 and the exponential 1",
    "The softmax runs over all words of all sentences in the batch: the weights of A and B "
    "together add up to 1. (Padding is masked)",
)
HARMED = (
    "Both sentences, because each loses weight to the other",
    "A alone. The longest sentence of a batch has no padding, so B is computed correctly",
    "Both sentences, because all weights have the same divisor",
)


def in_company(rng):
    """Find the bug of attention weights that change in a batch."""
    found = int(rng.integers(3))
    short = [(1, 2, 1), (2, 1, 5), (3, 1, 2), (1, 1, 6)][int(rng.integers(4))]
    long = [(3, 2, 1, 1, 1), (1, 3, 2, 1, 3), (2, 3, 2, 4, 1)][int(rng.integers(3))]
    total = sum(short)
    right = [Fraction(size, total) for size in short]
    alone = [Fraction(1)] * 3 if found == 0 else right
    together = (
        [Fraction(a, a + b) for a, b in zip(short, long[:3], strict=True)] + [Fraction(0)] * 2,
        [Fraction(size, total + 2) for size in (*short, 1, 1)],
        [Fraction(size, total + sum(long)) for size in short] + [Fraction(0)] * 2,
    )[found]

    def row(numbers):
        return " | ".join(f"{float(number):.3f}" for number in numbers)

    return Question(
        kind="diagnose",
        title="Good alone and bad in company",
        minutes=10,
        text=f"""A translator with attention has learned well, one sentence at a time. Then somebody
rewrites it for batches. Sentence A has three words, and sentence B has five. At one step, the
exponentials of the scores are {", ".join(map(str, short))} for the words of A and
{", ".join(map(str, long))} for those of B. The new program prints these weights for A:

| position | 1 | 2 | 3 | 4 | 5 |
|---|---|---|---|---|---|
| A alone | {row(alone)} | | |
| A in a batch with B | {row(together)} |

1. What should the weights of A be?
2. What is the bug? Show that it leads to exactly these numbers.
3. Which of the two sentences does the bug harm in the batch?
4. Write down one test, in words, that would have found this bug.""",
        key=f"""1. {", ".join(map(str, right))}, alone and in any batch (2 points)
2. {BUGS[found]}. In the batch, the weights are {", ".join(map(str, together))} (5 points: 3 for the
bug, 2 for the numbers)
3. {HARMED[found]} (2 points)
4. For example: a sentence's weights, and its translation, are the same alone and in a batch with a
longer sentence (1 point)""",
    )


# Symbols, how many there are, numbers in C, and the values that each of them can have.
STORES = (
    ("decimal digits", 10, 3, 10),
    ("decimal digits", 10, 2, 100),
    ("letters of an alphabet of 32", 32, 5, 4),
    ("bits", 2, 3, 8),
)


def too_small(rng):
    """Prove how many lines can pass through a context of fixed size."""
    name, kinds, cells, levels = STORES[int(rng.integers(len(STORES)))]
    contexts = levels**cells
    most = round(math.log(contexts) / math.log(kinds), 6)
    fits, n = int(most), int(most) + int(rng.integers(2, 4))
    least = n * math.log(kinds) - math.log(contexts)
    return Question(
        kind="prove",
        title="Through a small door",
        minutes=15,
        text=rf"""An encoder reads lines of $n$ {name}, all of them equally likely. It passes on a
context $C$ of {cells} numbers, each of which can have only {levels} different values. A decoder
has to write the same line.

1. Let the decoder be *deterministic*: equal contexts lead to equal outputs. Prove that it gets at
most the share ${contexts} / {kinds}^n$ of all lines right.
2. Now the decoder defines a distribution $P(\boldsymbol y \mid C)$ and draws its output from it.
Prove the same bound for the probability that a line is right, averaged over all lines.
3. The loss of a line is $-\ln P(\boldsymbol x \mid C(\boldsymbol x))$. Deduce a lower bound for
the mean loss in nats. What is it for $n = {n}$, and up to which $n$ is it no obstacle?
4. Doesn't attention contradict this bound?""",
        key=rf"""1. There are at most ${levels}^{{{cells}}} = {contexts}$ different contexts, so
there are at most as many different outputs. A line is right only if it is one of the outputs. There
are ${kinds}^n$ lines. (4 points: 2 for the number of contexts, 2 for the conclusion)
2. The sum of $P(\boldsymbol x \mid C(\boldsymbol x))$ over all lines is at most
$\sum_C \sum_{{\boldsymbol y}} P(\boldsymbol y \mid C)$, because each term of the first sum also
occurs in the second. Each inner sum is at most 1, so the whole is at most {contexts}. Divide by
${kinds}^n$. (5 points: 3 for the double sum, 2 for the rest)
3. −ln is convex, so by Jensen's inequality the mean loss is at least −ln of the mean probability,
and this is at least $n \ln {kinds} - \ln {contexts}$. For $n = {n}$, that is {least:.3g} nats. Up
to $n = {fits}$, the bound isn't above 0. (4 points: 3 for the bound, 1 for the numbers)
4. No. With attention, the decoder receives all annotations, and their number grows with $n$. The
bound holds with the number of all possible sets of annotations in place of {contexts}. (2
points)""",
    )


TEMPLATES = [half_drawn, a_look, which_search, in_company, too_small]
