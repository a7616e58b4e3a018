"""Questions on chapter 07, A distribution over sequences."""

import math
from fractions import Fraction
from itertools import pairwise

from course.exam import Question


def arrows(rng):
    """Count arrows of a figure from which some states were removed."""
    tau, removed = int(rng.integers(5, 8)), int(rng.integers(1, 3))
    t = int(rng.integers(removed + 2, tau + 1))
    long = int(rng.integers(11, 13))
    longest = max(n for n in range(1, 20) if 3 * n - 2 > n * (n - 1) // 2)
    return Question(
        kind="read",
        title="Arrows and states",
        minutes=10,
        text=f"""The figure shows {tau} symbols $y$ with their states $h$. The first {removed}
{"state was" if removed == 1 else "states were"} removed, and other arrows took the place of theirs.

1. How many arrows were there before any state was removed?
2. All other states are removed, too. How many arrows are left, and how many of them end at
$y^{{({t})}}$?
3. Somebody says: *States are useful because they save arrows.* For which lengths does the drawing
with all states have more arrows than the one without states? What do the states save?
4. How many numbers does a table of all sequences of length {long} need, and how many a network of
16 units?""",
        figure=("joint", {"summed": removed, "tau": tau, "t": t}),
        key=f"""1. {tau} from a state to its symbol, {tau - 1} from state to state and {tau - 1}
from a symbol to the next state: {3 * tau - 2} (2 points)
2. One for each pair of symbols: {tau * (tau - 1) // 2}, of which {t - 1} end there (3 points)
3. 3τ − 2 arrows are more than τ(τ − 1)/2 if the length τ is at most {longest}. The states save
numbers: their arrows are of three kinds, and all of a kind share their weights (3 points)
4. $2^{{{long}}} - 1$ = {2**long - 1:,}, and 338 as at every length (2 points)""",
    )


COINS = (
    ("1/4", "1/3", "1/2", "1"),
    ("0", "1/3", "1/2", "1"),
    ("1/2", "1/2", "1/2", "1"),
    ("0", "1/2", "1/2", "1"),
)


def when_it_stops(rng):
    """Compute lengths from coins, and the probability of a whole sequence."""
    coins = [Fraction(coin) for coin in COINS[int(rng.integers(len(COINS)))]]
    p, q = [("1/5", "3/5"), ("1/4", "1/2"), ("1/4", "3/4")][int(rng.integers(3))]
    p, q = Fraction(p), Fraction(q)
    lengths, going = [], Fraction(1)
    for coin in coins:
        lengths.append(going * coin)
        going *= 1 - coin
    mean = sum(n * share for n, share in enumerate(lengths, start=1))
    text = ("010", "011", "001")[int(rng.integers(3))]
    factors, seen = [], False
    for symbol in text:
        one = q if seen else p
        factors.append(one if symbol == "1" else 1 - one)
        seen = seen or symbol == "1"
    tosses = [1 - coins[0], 1 - coins[1], coins[2]]
    whole = math.prod(factors) * math.prod(tosses)
    agree = sum(share**2 for share in lengths)

    def product(numbers):
        return " · ".join(map(str, numbers))

    return Question(
        kind="compute",
        title="When does it stop?",
        minutes=12,
        text=f"""A network writes the symbols 0 and 1. As long as it has written no 1, the next
symbol is 1 with probability {p}; afterward, it is 1 with probability {q}. After each symbol that
it has written, it tosses a coin. The coin says *stop* with probability {coins[0]} after the first
symbol, {coins[1]} after the second, {coins[2]} after the third and {coins[3]} after the fourth.

1. How likely is each length, from 1 to 4? What is the mean length?
2. How likely is it that the network writes exactly `{" ".join(text)}` and stops?
3. Somebody draws a length with the probabilities of part 1 and stops there. The network isn't told
this length, and its own coins say where it would stop. How often do the two lengths agree?
4. What is missing so that they always agree?""",
        key=f"""1. {", ".join(map(str, lengths))}; the mean is {mean} (4 points)
2. Symbols {product(factors)}, coins {product(tosses)}, together {whole} = {float(whole):.3g} (4
points)
3. The sum of the squares, {agree} = {float(agree):.3g} of the texts (3 points)
4. The length, or the number of steps left, must be an input at every step (1 point)""",
    )


def two_gaps(rng):
    """Fill two gaps in a chain, from left to right and exactly."""
    s = Fraction(["2/3", "3/4", "4/5", "9/10"][int(rng.integers(4))])
    last = int(rng.integers(2))
    q = 1 - s
    ways = {}
    for a in (0, 1):
        for b in (0, 1):
            line = (0, a, b, last)
            ways[a, b] = math.prod(s if one == other else q for one, other in pairwise(line))
    total = sum(ways.values())
    exact = (ways[0, 0] + ways[0, 1]) / total
    best = max(ways, key=ways.get)
    ties = [way for way in ways if ways[way] == ways[best]]
    gaps = int(rng.integers(3, 7))
    listed = ", ".join(f"{a} {b}: {share}" for (a, b), share in ways.items())
    told = " or ".join(f"{a} {b}" for a, b in ties)
    return Question(
        kind="compute",
        title="Two gaps",
        minutes=12,
        text=f"""In a sequence of bits, each bit equals the one before it with probability {s}. Of
four bits in a row, the two in the middle are lost: `0 ? ? {last}`.

1. Going from left to right, with what probability is the first gap a 0?
2. How likely is each of the four ways to fill the gaps, followed by the {last}, given the first 0?
3. What is the probability that the first gap is a 0, given both known bits?
4. Which ways to fill the gaps are the most likely, given all that is known? Would you find one of
them from left to right, always taking the more likely bit?
5. How many ways are there with {gaps} gaps? Why does the sum of all of them still take only a few
products for each gap here, and not for a recurrent network in general?""",
        key=f"""1. {s}, because only the bit before it counts (1 point)
2. {listed} (4 points)
3. The first two, divided by all four: {exact} = {float(exact):.3g} (3 points)
4. {told}. From left to right you find 0 0, which is one of them (2 points)
5. There are {2**gaps}. All ways that lead to the same last bit can be merged, since only this bit
affects the future. In a network, different ways lead to different states (2 points)""",
    )


ZERO, SEED, FLIP = range(3)
# Probabilities of a 1 at first, after a 0 and after a 1. The first lies between the others.
RULES = (0.2, 0.2, 0.7), (0.4, 0.2, 0.8), (0.3, 0.1, 0.6), (0.5, 0.4, 0.9), (0.3, 0.2, 0.8)
BUGS = (
    "The drawn symbol isn't fed back: the second step receives a 0, whatever was drawn. So the "
    "second symbol doesn't depend on the first, and it is as rare as after a 0",
    "Both steps use the same random number u, for example because the generator is set up again "
    "in the loop. After a 1, u is below the first probability and so also below the second. After "
    "a 0, it is above both",
    "The comparison is the wrong way around: a 1 is written if u is *above* the probability. So "
    "each symbol comes with the probability of the other one",
)
QUICK = (
    "Print the input of the second step after a first 1",
    "Print the random numbers of the two steps",
    "Set the probability to 0.01 by hand and count the ones",
)


def drawn_wrong(rng):
    """Find the bug in a program that draws sequences."""
    found = int(rng.integers(3))
    p, after_0, after_1 = RULES[int(rng.integers(len(RULES)))]

    def counts(first, after):
        return {
            (a, b): round(1000 * (first if a else 1 - first) * (after[a] if b else 1 - after[a]))
            for a in (0, 1)
            for b in (0, 1)
        }

    right = counts(p, (after_0, after_1))
    wrong = (
        counts(p, (after_0, after_0)),
        counts(p, (0.0, 1.0)),
        counts(1 - p, (1 - after_0, 1 - after_1)),
    )[found]
    line = " | ".join(str(n) for n in wrong.values())
    told = ", ".join(f"{n} of `{a} {b}`" for (a, b), n in right.items())
    return Question(
        kind="diagnose",
        title="Drawn by a program",
        minutes=10,
        text=f"""A network predicts recordings of two symbols. Fed the true symbols, it is perfect:
the first symbol is a 1 with probability {p:g}, and the second with probability {after_1:g} after a
1 and {after_0:g} after a 0. A program is meant to draw recordings from it. At each step, it takes a
random number $u$ between 0 and 1, and it writes a 1 if $u$ is below the prediction. Of 1,000
recordings, it draws on average

| 0 0 | 0 1 | 1 0 | 1 1 |
|---|---|---|---|
| {line} |

1. How many of each should it draw?
2. What is the bug? Show that it leads to exactly these numbers.
3. Does the network's loss on true recordings show the bug? Which printout of one line would?""",
        key=f"""1. {told} (3 points)
2. {BUGS[found]}. (5 points: 3 for the bug, 2 for the numbers)
3. No: the network is fed true symbols there, and nothing is drawn. For example: {QUICK[found]} (2
points)""",
    )


# Coins, a hint, and the product of all factors up to n with its limit.
ENDLESS = (
    (r"\frac{1}{t+1}", "", r"$\frac12 \cdot \frac23 \cdots \frac{n}{n+1} = \frac{1}{n+1}$", "0"),
    (
        r"\frac{1}{(t+1)^2}",
        r" (Use $1 - \frac{1}{(t+1)^2} = \frac{t}{t+1} \cdot \frac{t+2}{t+1}$.)",
        r"$\frac{1}{n+1} \cdot \frac{n+2}{2}$",
        r"\frac12",
    ),
    (
        r"\frac{1}{(t+2)^2}",
        r" (Use $1 - \frac{1}{(t+2)^2} = \frac{t+1}{t+2} \cdot \frac{t+3}{t+2}$.)",
        r"$\frac{2}{n+2} \cdot \frac{n+3}{3}$",
        r"\frac23",
    ),
    (
        r"\frac{2}{t+2}",
        "",
        r"$\frac13 \cdot \frac24 \cdot \frac35 \cdots \frac{n}{n+2} = \frac{2}{(n+1)(n+2)}$",
        "0",
    ),
)


def does_it_stop(rng):
    """Prove when coins make a distribution over sequences of any length."""
    coin, hint, product, limit = ENDLESS[int(rng.integers(len(ENDLESS)))]
    ends = "it always ends" if limit == "0" else "with this probability a text never ends"
    return Question(
        kind="prove",
        title="Does it always stop?",
        minutes=15,
        text=rf"""A network predicts one symbol after another. After symbol $t$, it tosses a coin
that says *stop* with probability $c_t$, which doesn't depend on the symbols.

1. Prove: the probabilities of all sequences of at most $n$ symbols add up to
$1 - \prod_{{t=1}}^{{n}} (1 - c_t)$.
2. Let $c_t = {coin}$.{hint} Does a text always end, that is, with probability 1?
3. Now the coin is $c_t = \sigma(\boldsymbol v^\top \boldsymbol h^{{(t)}} + c)$, where the state
$\boldsymbol h^{{(t)}}$ consists of tanh units. Prove that a text always ends, whatever the symbols
are. Can such a network have the coins of part 2 at all steps?""",
        key=rf"""1. For a fixed length, sum over the last symbol, then over the one before it, and
so on: each sum of predictions is 1. So all sequences of length $t$ together have the probability
$c_t \prod_{{s<t}} (1 - c_s)$. With $S_t = \prod_{{s \le t}} (1 - c_s)$ and $S_0 = 1$, this is
$S_{{t-1}} - S_t$, and the sum over $t = 1, \ldots, n$ is $1 - S_n$. (7 points: 2 for the sum over
symbols, 2 for the probability of a length, 3 for the sum over lengths)
2. A text ends with probability 1 if and only if the product goes to 0. Here it is
{product}, which goes to ${limit}$, so {ends}. (4 points)
3. Each unit lies between −1 and 1, so $c_t \ge \varepsilon = \sigma(c - \sum_i |v_i|) > 0$ at every
step, and the probability of not having stopped after $n$ symbols is at most
$(1 - \varepsilon)^n$, which goes to 0. It can't have those coins: they go to 0, below
every ε. (4 points)""",
    )


TEMPLATES = [arrows, when_it_stops, two_gaps, drawn_wrong, does_it_stop]
