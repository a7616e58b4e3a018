"""Questions on chapter 05, Language models."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np

from course.exam import Question

STEPS = 60  # of the figure of blocks


def blocks(rng):
    """Read the figure of a training in blocks."""
    K = int(rng.choice([10, 12, 15]))
    t = K * int(rng.integers(1, 3)) + int(rng.integers(4, K - 2))
    other = K * 3 + int(rng.integers(2, K))
    reach = other - 3 * K
    closing = 2 * K + int(rng.integers(3, 6))
    opening = closing - int(rng.integers(7, 9))
    return Question(
        kind="read",
        title="Across a cut",
        minutes=8,
        text=f"""A network is trained on {STEPS} characters in blocks, as the figure shows. The
state is carried from block to block.

1. Which steps does the gradient of the loss at step {other} reach? How many are these?
2. How often are the weights updated on these {STEPS} characters? How many losses reach no step but
their own?
3. A bracket opens at step {opening} and closes at step {closing}. Can the gradient of the loss at
step {closing} teach the network to keep this bracket? Can the prediction at step {closing} depend
on it?
4. Name one advantage and one disadvantage of blocks that are twice as long.""",
        figure=("tbptt", {"block": K, "t": t}),
        key=f"""1. From {3 * K + 1} to {other}, which are {reach} (2 points)
2. {STEPS // K} times, once for each block; also {STEPS // K}, the first loss of each block (2
points)
3. The gradient can't, because the cut before step {2 * K + 1} lies between them. The prediction
can, because the state is carried (2 points)
4. Advantage: the gradient reaches farther, so less of it is missing. Disadvantage: half as many
updates, or twice as many states in memory (2 points)""",
    )


def warmer(rng):
    """Change the temperature of a prediction by hand."""
    powers = [(1, 2, 2), (1, 2, 3, 3)][int(rng.integers(2))]
    power = int(rng.choice([2, 3]))
    p = [Fraction(1, 2**k) for k in powers]
    cold = [q**power for q in p]
    cold = [q / sum(cold) for q in cold]
    entropy = sum(q * k for q, k in zip(p, powers, strict=True))
    bits = sum(q * k for q, k in zip(cold, powers, strict=True))
    ratio = int(rng.choice([4, 8, 16]))
    names = "ABCD"[: len(p)]
    listed = ", ".join(map(str, p))
    return Question(
        kind="compute",
        title="Colder and warmer",
        minutes=10,
        text=f"""At temperature 1, a network gives the symbols {", ".join(names)} the probabilities
{listed}.

1. Which probabilities do they have at the temperature 1/{power}? Give fractions.
2. At which temperature is A {ratio} times as likely as B?
3. You draw one symbol at temperature 1, and the network charges it at temperature 1. How many bits
does the symbol cost on average? What is the perplexity? (A power of 2 will do.)
4. You draw the symbol at temperature 1/{power}, and the network still charges it at temperature 1.
How many bits is that on average? Somebody says: *Cold text is cheap, so the network has become
better.* Is this right?""",
        key=f"""1. Each probability is raised to the power {power}, and then they are divided by
their sum: {", ".join(map(str, cold))} (3 points)
2. The ratio 2 is raised to the power 1/temperature, so the temperature is
1/{int(math.log2(ratio))} (2 points)
3. {entropy} = {float(entropy):.4g} bits; the perplexity is
$2^{{{float(entropy):g}}}$ = {2 ** float(entropy):.3g} (3 points)
4. {bits} = {float(bits):.3g} bits. It isn't: the network is the same, and only the text is more
predictable. Compare networks by their bits on the same unseen text (2 points)""",
    )


# Rows of counts that, with one more for each symbol, give powers of 1/2 as probabilities.
ROWS = (3, 1, 0, 0), (7, 3, 1, 1), (0, 3, 0, 1), (1, 7, 3, 1)
SYMBOLS = "abcd"


def smoothed_table(rng):
    """Charge a smoothed table of counts, and let it write greedily."""
    while True:
        counts = np.array([rng.permutation(ROWS[i]) for i in rng.permutation(4)])
        path = rng.integers(4, size=5).tolist()
        pairs = list(pairwise(path))
        greedy = path[:1]
        while greedy[-1] not in greedy[:-1]:
            greedy.append(int(counts[greedy[-1]].argmax()))
        unseen = any(counts[pair] == 0 for pair in pairs)
        if unseen and len({*path}) > 2 and greedy[-1] != greedy[-2]:
            break
    p = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 4)
    costs = [-int(math.log2(p[pair])) for pair in pairs]
    bits = sum(costs)
    begins = greedy.index(greedy[-1])
    cycle = "".join(SYMBOLS[i] for i in greedy[begins:-1])
    wrote = "".join(SYMBOLS[i] for i in greedy)
    text = "".join(SYMBOLS[i] for i in path)
    lines = "\n".join(
        f"| **{SYMBOLS[i]}** | " + " | ".join(map(str, counts[i])) + " |" for i in range(4)
    )
    fractions = " · ".join(str(Fraction(1, 2**cost)) for cost in costs)
    unseen = next(text[k : k + 2] for k, pair in enumerate(pairs) if counts[pair] == 0)
    return Question(
        kind="compute",
        title="A table of four symbols",
        minutes=10,
        text=f"""The table counts how often each symbol of a text was followed by each symbol.

| after | a | b | c | d |
|---|---|---|---|---|
{lines}

A bigram model adds 1 to every count, and then divides each row by its sum. It has read
*{text[0]}*. Now *{text[1:]}* follows.

1. How many bits do these four symbols cost, and how many per symbol?
2. What would they cost without the added ones?
3. What does the model write after *{text[0]}* by greedy decoding? Where does its text go around in
a cycle, and how long is the cycle?
4. By greedy decoding, could a recurrent network write *{text[0]}* twice and go on differently
afterward? Give the reason in one sentence.""",
        key=f"""1. The probabilities are {fractions}, which cost {" + ".join(map(str, costs))} =
{bits} bits, or {bits / 4:g} per symbol (4 points)
2. They would be infinitely expensive: {unseen} never occurs (1 point)
3. {wrote}, and so on: it repeats {cycle}, of length {len(cycle)} (3 points)
4. Yes. Its next symbol depends on its state, which may differ although the last symbol is the
same (2 points)""",
    )


RESET, MIXED, SHORT = range(3)


def first_characters(rng):
    """Find out why the first characters of each block are expensive."""
    K, found = int(rng.choice([10, 20])), int(rng.integers(3))
    level, alone = float(rng.choice([2.0, 2.4])), float(rng.choice([4.4, 4.6]))
    over = {
        RESET: [alone - level, 1.2, 0.6, 0.2],
        MIXED: [alone - level + 2.2, 1.8, 0.8, 0.2],
        SHORT: [0.0, 0.0, 0.0, 0.0],
    }[found]
    gain = sum(over) / K
    first = ", ".join(f"{level + more:.1f}" for more in over)
    names = (
        "The state is set to zero at the beginning of each block.",
        "The state is carried, but the blocks are read in random order.",
        "Nothing is wrong in the program, and the training was too short.",
    )
    order = rng.permutation(3).tolist()
    listed = "\n".join(f"- *{name}*: {names[i]}" for name, i in zip("ABC", order, strict=True))
    letter = "ABC"[order.index(found)]
    why = (
        f"the first character costs about {alone:g} bits, as much as if the network knew nothing "
        "of what came before, and a few characters later it knows enough",
        f"the first character costs far more than {alone:g} bits. Knowing nothing would cost less, "
        "so the state must be one of a wrong text, which the network trusts",
        "the place in the block makes no difference, so the cuts do no harm",
    )[found]
    saved = (
        f"The extra bits of a block are {' + '.join(f'{m:.1f}' for m in over)} = {sum(over):.1f}, "
        f"so {gain:.2g} bits per character"
        if found != SHORT
        else "Nothing: no character of a block costs more than the later ones"
    )
    test = (
        "Print the norm of the state before the first step of the second block. If it is 0, "
        "the state was reset",
        "Print the last characters of one block and the first of the next. If they aren't "
        "neighbors in the text, the order is wrong",
        "Train for twice as many passes and compare the bits on the same held-out text",
    )[found]
    return Question(
        kind="diagnose",
        title="The beginnings of blocks",
        minutes=10,
        text=f"""A network reads a text in blocks of {K} characters. On held-out text, read in the
same way, the first four characters of a block cost on average {first} bits, and each of the
others {level:.1f} bits. A table that knows only how frequent each character is needs {alone:g}
bits. Three colleagues offer three explanations of why the network isn't better.

{listed}

1. Which explanation fits? Say how the numbers support it and speak against the two others.
2. How many bits per character would you save at most if the first four characters of a block cost
as much as the others?
3. Which experiment or printout of one line would confirm your answer?""",
        key=f"""1. {letter}: {why}. (5 points: 2 for the
explanation, 3 for the evidence)
2. {saved} (3 points)
3. For example: {test} (2 points)""",
    )


def colder_is_surer(rng):
    """Prove what the temperature does to the most or the least likely symbol."""
    n, top = int(rng.integers(3, 6)), bool(rng.integers(2))
    most, never = ("most", "decreases") if top else ("least", "increases")
    largest, sign = ("largest", r"\le") if top else ("smallest", r"\ge")
    limit = "1" if top else "0"
    return Question(
        kind="prove",
        title="Colder is surer",
        minutes=15,
        text=rf"""A network gives {n} symbols the logits $o_1, \ldots, o_{n}$, all different. At the
temperature $T > 0$, symbol $k$ has the probability $p_k(T) = e^{{o_k/T}} / \sum_j e^{{o_j/T}}$.

1. Prove: if $T$ falls, the probability of the {most} likely symbol never {never}. What does it
approach as $T$ goes to 0?
2. Does the order of the symbols, from the most to the least likely, depend on the temperature?
Prove your answer.
3. Somebody says: *If T falls, each probability moves in one direction only.* Find a counterexample
with three symbols, or describe one. (Look at the second most likely symbol.)""",
        key=rf"""1. Let $m$ be the {most} likely symbol, with the {largest} logit. Divide by its
exponential: $p_m = 1 / \sum_j e^{{(o_j - o_m)/T}}$. All $o_j - o_m {sign} 0$, so if $T$ falls, no
term of the sum {"grows" if top else "falls"}, and $p_m$ never {never}. As $T$ goes to 0, the terms
with $j \ne m$ {"vanish" if top else "grow without bound"}, and $p_m$ goes to {limit}. (7 points: 3
for the common factor, 3 for the signs, 1 for the limit)
2. No: $p_i/p_k = e^{{(o_i - o_k)/T}}$ is above 1 if and only if $o_i > o_k$, at every $T > 0$. (4
points)
3. Logits such as 1, 0 and −9: at a high temperature, all have about 1/3. As T falls, the third
loses first and the second rises to nearly 1/2, and then it falls to 0. For example, it is
{_second(100):.2f} at T = 100, {_second(5):.2f} at T = 5 and {_second(0.2):.2f} at T = 0.2. (4
points)""",
    )


def _second(T):
    """Return the probability of the second of the logits 1, 0 and -9."""
    e = np.exp(np.array([1, 0, -9]) / T)
    return e[1] / e.sum()


TEMPLATES = [blocks, warmer, smoothed_table, first_characters, colder_is_surer]
