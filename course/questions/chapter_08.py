"""Questions on chapter 08, Given a context."""

import math
from fractions import Fraction

from course.exam import Question

COIN, SAME, NEXT, BEFORE = range(4)  # rules of the figure of bits
STEPS = 6


def _lost(rules, ahead, fed):
    """Return the steps whose bit a network can't know, if x and the coins are fair."""
    sources = []
    for t, rule in enumerate(rules):
        x = t + (rule == NEXT)
        if rule == BEFORE and t:
            sources.append(sources[-1])
        elif rule in (SAME, NEXT) and x < STEPS:
            sources.append(("x", x))
        else:
            sources.append(("coin", t))
    lost = []
    for t, (kind, at) in enumerate(sources):
        seen = kind == "x" and (ahead or at <= t)
        if not seen and not (fed and sources[t] in sources[:t]):
            lost.append(t + 1)
    return lost


def four_bounds(rng):
    """Read rules from a figure, and find what four networks lose at best."""
    while True:
        rules = [int(rng.choice([COIN, SAME, NEXT])), *rng.integers(4, size=4).tolist()]
        rules.append(int(rng.choice([COIN, SAME, BEFORE])))
        none, fed, ahead, both = (
            _lost(rules, all_of_x, words)
            for all_of_x, words in ((False, False), (False, True), (True, False), (True, True))
        )
        helped = [t for t in none if t not in fed]
        if helped and len({len(none), len(fed), len(ahead), len(both)}) >= 3:
            break
    state = {"rules": sum(rule * 4**t for t, rule in enumerate(rules)), "shown": False}

    def nats(steps):
        return f"{len(steps)} · ln 2 = {len(steps) * math.log(2):.2f} nats"

    return Question(
        kind="read",
        title="What four networks can know",
        minutes=10,
        text="""In the figure, the six bits $x$ are fair coins. An arrow says that a bit $y$
repeats another bit, and the other bits $y$ are coins of their own. Four networks predict $y$, and
the first one's smallest losses are shown.

1. Give the smallest loss of each of the three others. (ln 2 ≈ 0.69)
2. The first two networks receive the same $x$. Which bits does the second predict with certainty,
although the first can't? Why?
3. Somebody feeds back the *probability* of each bit, instead of the bit that was sampled. What does
the second network lose then? Why?
4. Each $y$ is due as soon as the $x$ of its step has come. Which of the four networks can be
used?""",
        figure=("independence", state),
        key=f"""1. x so far and earlier y: {nats(fed)}. All of x: {nats(ahead)}. Both: {nats(both)}
(5 points)
2. At step {" and step ".join(map(str, helped))}: the bit repeats an earlier $y$, which was
uncertain, but which has been sampled and fed back (2 points)
3. {nats(none)}, like the first: the probability is a function of x so far and contains no coin (2
points)
4. The first two (1 point)""",
    )


def two_doors(rng):
    """Compare a vector that enters at every step with one that is the first state."""
    w = float(rng.choice([0.5, 0.25, -0.5]))
    R, S = int(rng.integers(1, 4)), int(rng.choice([2, 4, 8]))
    pair = [(1, -1), (2, 0), (3, 1)][int(rng.integers(3))]
    share = int(rng.choice([20, 50]))
    step, first, h, g = [], [], 0.0, S * float(pair[0])
    for _ in range(3):
        h, g = w * h + R * pair[0], w * g
        step.append(h)
        first.append(g)
    same = R / (1 - Fraction(w))
    apart = same * (pair[0] - pair[1])
    n = math.ceil(math.log(share) / -math.log(abs(w)))

    def listed(numbers):
        return ", ".join(f"{one:.4g}" for one in numbers)

    return Question(
        kind="compute",
        title="Two ways in",
        minutes=10,
        text=f"""A linear unit receives a picture as one number $x$. In the first network, it
computes $h^{{(t)}} = {w:g} h^{{(t-1)}} + {R} x$ and begins with $h^{{(0)}} = 0$. In the second, it
computes $h^{{(t)}} = {w:g} h^{{(t-1)}}$ and begins with $h^{{(0)}} = {S} x$. One picture has
$x = {pair[0]}$, the other $x = {pair[1]}$.

1. Compute the first three states of both networks for $x = {pair[0]}$.
2. How far apart are the states of the two pictures in the long run, in each network?
3. In the second network, after how many steps are the two pictures less than 1/{share} as far
apart as at the beginning?
4. A third network uses both ways: $h^{{(t)}} = {w:g} h^{{(t-1)}} + {R} x$ and $h^{{(0)}} = s x$.
For which $s$ does its state stay the same at all steps?
5. The picture is taken away after step 10, and $x$ is 0 from then on. In which of the first two
networks does this change a state?""",
        key=f"""1. {listed(step)}, and {listed(first)} (3 points)
2. In the first, the difference d satisfies $d = {w:g} d + {R} \\cdot {pair[0] - pair[1]}$, so it
approaches {apart}. In the second it goes to 0 (3 points)
3. After {n} steps, since $({abs(w):g})^{{{n}}}$ = {abs(w) ** n:.2g} (1 point)
4. $s = {w:g} s + {R}$, so s = {same} (2 points)
5. Only in the first: the second doesn't receive x again (1 point)""",
    )


def price_of_silence(rng):
    """Compute the losses of networks that know more or less of their own words."""
    k, m = int(rng.integers(2, 5)), int(rng.integers(4, 6))
    common = int(rng.integers(2, m))
    k_word = {2: "two", 3: "three", 4: "four"}[k]
    first = Fraction(1, k ** (m - 2))
    ordinal = {2: "second", 3: "third", 4: "fourth"}[common]
    return Question(
        kind="compute",
        title="The price of words unseen",
        minutes=10,
        text=f"""For a picture, {k_word} sentences of {m} words are true, and all are equally
likely. The {ordinal} word is the same in all of them. At every other place, no two of them have
the same word. Three networks see the whole picture at every step. The first receives none of its
own words. The second has no state, and at each step it receives the number of the step and the
word that it drew before. The third has a state and also receives the word that it drew before.
All are trained as well as possible.

1. Each network draws sentences. What share of them is true, in the long run?
2. What is the smallest loss per sentence, in multiples of ln {k}?
3. Which two words can contradict each other in a sentence of the second network? What would you
change about its input so that it needs no state?""",
        key=f"""1. The first: {m - 1} words are drawn independently, so
${k} \\cdot {k}^{{-{m - 1}}}$ = {first}. The second: it chooses once at the
beginning, and again after the common word, so 1/{k}. The third: all (4 points)
2. {m - 1}, 2 and 1 times ln {k} (4 points)
3. One before and one after the {ordinal} word. It needs to receive the last two words, or all
words so far (2 points)""",
    )


RETRIEVES, APART, LATE = range(3)


def false_captions(rng):
    """Find out from a table why captions are false."""
    found, n = int(rng.integers(3)), int(rng.choice([5, 6, 9, 10]))
    guessed = 0.5 + 0.5 / (n - 1)
    coin = math.log(2)
    rows = {
        RETRIEVES: ((100, 100, coin), (100, 0, 9.2)),
        APART: ((100, 25, 3 * coin),) * 2,
        LATE: ((100 * guessed, 100 * guessed, coin + 0.5 * math.log(n - 1)),) * 2,
    }[found]
    lines = "\n".join(
        f"| {name} | {first:.0f} % | {true:.0f} % | {loss:.2f} |"
        for name, (first, true, loss) in zip(("known pairs", "new pairs"), rows, strict=True)
    )
    reason = (
        "It writes stored sentences: each of its words fits, but a pair of digits that it has "
        "never met is replaced by one that it has. It hasn't learned the parts of a sentence",
        "Its words don't depend on each other. It isn't fed the word that was drawn (or it is fed "
        "probabilities), so it chooses the digit, the side and the other digit by three separate "
        "coins, of which two must agree with the first: 1/4, and 3 ln 2 = 2.08 nats",
        "It writes before it has seen the whole picture: half of the sentences begin with the "
        f"digit on the right, which it has to guess among {n - 1}. That makes ½ + ½ · 1/{n - 1} = "
        f"{guessed:.3g}, and ½ ln {n - 1} more than ln 2",
    )[found]
    size = (
        "No: it has room enough, and it needs a reason to combine parts, such as more different "
        "pairs in training",
        "No: an arrow is missing, not a unit. Feed back the drawn word",
        "No: no state contains what hasn't been read. It has to read the whole picture first, or "
        "always name the left digit first",
    )[found]
    return Question(
        kind="diagnose",
        title="False captions",
        minutes=10,
        text=f"""Pictures show two different ones of {n} digits side by side. For each picture, two
sentences are true and equally likely, such as *three left of seven* and *seven right of three*. A
captioner was trained on both, and some pairs of digits were never shown in training. Then it draws
many sentences about new pictures.

| pictures | first word names a digit of the picture | sentences that are true | loss in nats |
|---|---|---|---|
{lines}

Somebody says: *Its state is too small.*

1. What would the three columns be for a perfect captioner?
2. What is wrong with this captioner? Show how the table supports your answer.
3. Is the remark right? What do you recommend?""",
        key=f"""1. 100 %, 100 % and ln 2 = 0.69 nats, since one coin decides the order (2 points)
2. {reason}. (5 points: 3 for the reason, 2 for the numbers)
3. {size}. (3 points)""",
    )


def two_true_sentences(rng):
    """Prove how rarely independent words make one of two true sentences."""
    m = int(rng.integers(3, 7))
    letters = int(rng.integers(2))
    one, other = ("0", "1") if letters else ("a", "b")
    return Question(
        kind="prove",
        title="Two true sentences",
        minutes=15,
        text=rf"""For a picture, two sequences of {m} symbols are true: one has only {one}'s, the
other only {other}'s. A network without feedback has seen the whole picture. Given the picture, it
draws {m} independent symbols, and the $t$-th is {one} with probability $q_t$ and otherwise {other}.

1. Suppose that it draws both true sequences equally often. Prove that together they make up at most
$1/{2 ** (m - 1)}$ of all its sequences. (Use $q(1 - q) \le \frac14$.)
2. Suppose that it draws nothing but true sequences. Prove that it then always draws the same one.
3. In the data, each of the two sequences is the true one half of the time. Prove that the expected
loss of this network is at least {m} ln 2. What is the smallest loss of a network that is fed its
own drawn symbols?""",
        key=rf"""1. The two have the probabilities $\prod_t q_t$ and $\prod_t (1 - q_t)$. If both
equal $s$, then $s^2 = \prod_t q_t (1 - q_t) \le 4^{{-{m}}}$, so $s \le 2^{{-{m}}}$, and together
they have $2s \le 2 \cdot 2^{{-{m}}} = 1/{2 ** (m - 1)}$. (5 points: 2 for the two
products, 3 for the bound)
2. If a $q_t$ were strictly between 0 and 1, the network could draw {one} or {other} at step $t$,
whatever the others are, since they are independent. One of the two wouldn't match the other
symbols, and the sequence would be false with a positive probability. So all $q_t$ are
0 or 1, and the sequence is always the same. (5 points: 3 for the contradiction, 2 for the
conclusion)
3. The expected loss is $-\frac12 \sum_t \ln q_t - \frac12 \sum_t \ln (1 - q_t)$, and
this is $-\frac12 \sum_t \ln (q_t (1 - q_t)) \ge \frac{{{m}}}{{2}} \ln 4 = {m} \ln 2$. With
feedback, only the first symbol is uncertain: ln 2. (5 points: 4 for the bound, 1 for ln 2)""",
    )


TEMPLATES = [four_bounds, two_doors, price_of_silence, false_captions, two_true_sentences]
