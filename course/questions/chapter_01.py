"""Questions on chapter 01, Why a state."""

from fractions import Fraction

from course.exam import Question

PAIRS = {"(": ")", "[": "]"}
STRINGS = "(a[b", "[b(a", "a[b", "(a)b(a", "[a](b", "(b)[a(", "b(a"


def two_brackets(rng):
    """Read the state of an automaton that tracks two kinds of brackets."""
    text = STRINGS[int(rng.integers(len(STRINGS)))]
    kinds = int(rng.integers(3, 6))
    opened = [symbol for symbol in PAIRS if text.rfind(symbol) > text.rfind(PAIRS[symbol])]
    ends = [PAIRS[symbol] for symbol in opened]
    shortest = " or ".join({"".join(ends): 0, "".join(reversed(ends)): 0})
    crossed, deep = ("([)]", "((a))") if rng.integers(2) else ("[(])", "[[b]]")
    same = "".join(opened)
    return Question(
        kind="read",
        title="Where may it end?",
        minutes=8,
        text=f"""The figure shows an automaton that has read the string `{text}`. A string may end
only in a state with a double ring.

1. What is the shortest text that may follow, so that the string may end? Give all of them if there
are several.
2. Name a string of at most two symbols that leads to the same state. What does it mean for the
rest of the text that the two share a state?
3. Does the automaton accept `{crossed}`, and does it accept `{deep}`? What does it know about
nesting?
4. How many states does an automaton need in the same way for {kinds} kinds of brackets?""",
        figure=(
            "automaton",
            {"bigram": False, "square": True, "weights": False, "text": text, "t": len(text)},
        ),
        key=f"""1. {shortest} (2 points)
2. For example {same}. Whatever follows, both strings are accepted or both are refused (2 points)
3. It accepts {crossed} and refuses {deep}. It knows of each kind whether one is open, but neither
the order in which they were opened nor the depth (3 points)
4. $2^{kinds}$ = {2**kinds} (1 point)""",
    )


def switch(rng):
    """Find the thresholds with which a unit is a switch."""
    w, u = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    strict = bool(rng.integers(2))
    theta = Fraction(1, 2)
    xs = [*rng.permutation([0, 1]).tolist(), *rng.permutation([0, 0, -1]).tolist(), 1, 0]
    h, hs = 0, []
    for x in xs:
        h = int(u * x + w * h > theta)
        hs.append(h)
    above = "is above θ" if strict else "is θ or more"
    hold = f"0 ≤ θ < {w}" if strict else f"0 < θ ≤ {w}"
    off, bound = "≤" if strict else "<", float(w - theta)
    least = f"at least {bound:g}" if strict else f"above {bound:g}"
    return Question(
        kind="compute",
        title="A switch",
        minutes=10,
        text=f"""A unit receives an input $x$, which is 1, 0 or −1, and its own last value $h$,
which is 0 at the start. Its new value is 1 if $u x + {w} h$ {above}, and otherwise 0.

1. Let $u = {u}$ and θ = 0.5. The inputs are {", ".join(map(str, xs))}. What are the values of the
unit?
2. For which thresholds θ does the unit keep its value, be it 0 or 1, as long as the inputs are 0?
3. Let θ = 0.5. For which positive $u$ does an input of −1 always turn the unit off?
4. Which fact about its inputs does the unit remember if $u$ and θ are chosen in this way? One
sentence.""",
        key=f"""1. {", ".join(map(str, hs))} (3 points)
2. From 0, the sum is 0 and must leave it off. From 1, the sum is {w} and must leave it on. So
{hold} (3 points)
3. From 0 it stays off in any case. From 1 it turns off if {w} − u {off} 0.5, so u must be {least}
(3 points)
4. Whether the last input that wasn't 0 was 1 or −1 (1 point)""",
    )


def shared_step(rng):
    """Compare a step of training with separate and with shared weights."""
    words = [
        ("never", "say", "never", "again"),
        ("time", "after", "time", "we", "ask"),
        ("bit", "by", "bit"),
    ][int(rng.integers(3))]
    d, rate = float(rng.choice([-0.5, -2.0, 0.5])), float(rng.choice([0.1, 0.2]))
    double = words[0]
    T = len(words)
    counts = {word: words.count(word) for word in words}
    one = -rate * d
    own, shared = T * one, sum(n * n for n in counts.values()) * one
    moved = (*words[1:3], double)
    old = sum(a == b for a, b in zip(moved, words, strict=False)) * one
    new = sum(counts[word] for word in moved) * one
    listed = " + ".join(f"{n}²" for n in counts.values())
    return Question(
        kind="compute",
        title="One step, two networks",
        minutes=10,
        text=f"""Two networks read the sentence *{" ".join(words)}*. In each, a unit adds up one
weight per word, without a bias. The first network has its own weights for each position. The
second uses the same weights at every position. For both, the derivative of the loss with respect
to the unit's sum is {d:g}, and they take one step of gradient descent with the learning rate
{rate:g}.

1. By how much does each network change its weights of *{double}*?
2. By how much does the sum change if the same sentence is read again? Compute it for both.
3. And if they read *{" ".join(moved)}* instead? By how much has this sentence's sum changed?
4. Which of the two networks can tell this sentence from the same words in another order?""",
        key=f"""1. With its own weights: {one:g} at positions 1 and 3, and 0 elsewhere. Shared: the
derivative is 2 · {d:g}, so its weight changes by {2 * one:g} (3 points)
2. Own: {T} weights change by {one:g} each, together {own:g}. Shared: each word counts as often as
it occurs, ({listed}) · {one:g} = {shared:g} (3 points)
3. Own: {old:g}; only a word in its old position has weights that moved. Shared: {new:g}
(3 points)
4. Only the first; the sum with shared weights ignores the order (1 point)""",
    )


def three_networks(rng):
    """Tell three networks apart by where they find a year, and judge a conclusion."""
    period = int(rng.integers(2, 5))
    T, place = int(rng.integers(7, 9)), int(rng.integers(2, 4))
    years = int(rng.choice([10, 20]))
    chance = 100 / years

    def row(right):
        return [
            int(rng.integers(97, 101)) if t in right else int(chance + rng.integers(-2, 3))
            for t in range(1, T + 1)
        ]

    turned = [t for t in range(1, T + 1) if (t - place) % period == 0]
    kinds = {
        "MLP": row([place]),
        "convolution": row(range(1, T + 1)),
        "recurrent network": row(turned),
    }
    order = [list(kinds)[i] for i in rng.permutation(3)]
    names = dict(zip(order, "ABC", strict=True))
    lines = "\n".join(
        f"| {names[kind]} | " + " | ".join(map(str, kinds[kind])) + " |" for kind in order
    )
    head = " | ".join(map(str, range(1, T + 1)))
    line = "|---" * (T + 1) + "|"
    later = place + 4 * period + 1
    longer = later + T - place
    return Question(
        kind="diagnose",
        title="Where is the year?",
        minutes=12,
        text=f"""An MLP, a convolution with max pooling and a recurrent network were trained to name
one of {years} years in sentences of {T} words. In training, the year was always word {place}. The
table shows, for each position of the year, the percentage of test sentences in which it is named
correctly.

| | {head} |
{line}
{lines}

Somebody concludes: *Training failed for the two networks that miss years, because they have too
few units.*

1. Which row belongs to which network? Give the evidence.
2. Why is the conclusion wrong? What did the recurrent network learn instead?
3. The recurrent network now reads a sentence of {longer} words, with the year at position {later}.
(The words before the year don't matter.) Will it name the year? Give the reason.
4. Change one thing about the training so that it helps, with the same networks.""",
        key=f"""1. {names["MLP"]} is the MLP: only word {place}'s weights were trained.
{names["convolution"]} is the convolution, right everywhere. {names["recurrent network"]} is the
recurrent network: it is right at every position that is a multiple of {period} away from
{place} (3 points)
2. Both are right at position {place}, so they have units enough. The MLP's weights at other
positions had no gradient. In the recurrent network, the state turns: after every {period} words
it is where it was, and training asked for it after exactly {T - place} words only (4 points)
3. {T - place} words follow the year, as in training, so it is right: only the number of words
after the year counts (3 points)
4. Put the year at all positions, in sentences of different lengths (2 points)""",
    )


def enough_states(rng):
    """Prove how many states a delayed answer needs."""
    n, k = [(2, 3), (2, 4), (3, 2), (4, 2)][int(rng.integers(4))]
    after = bool(rng.integers(2))
    power = k + 1 if after else k
    source = "the new state alone" if after else "the old state and the new symbol"
    return Question(
        kind="prove",
        title="How many states does a delay cost?",
        minutes=15,
        text=rf"""A machine reads one of {n} symbols at each step. Its new state is a function of
its old state and the new symbol. At each step $t > {k}$, it must output $x^{{(t-{k})}}$, the symbol
that it read {k} steps before. The output at a step is a function of {source}.

1. Prove that the machine needs at least ${n}^{power}$ states.
2. Show that ${n}^{power}$ states are enough: name a state, its step, and the output.
3. Another machine outputs only *whether* the new symbol equals the one {k} steps before. Somebody
says: *It answers one bit, so two states must be enough.* What is wrong with this argument?""",
        key=f"""1. Suppose there are fewer. The last {power} symbols can be ${n}^{power}$ =
{n**power} sequences, so two different ones lead to the same state at some step t. They differ at
a place j, counted from 0 for the last symbol to {power - 1} for the oldest. Let the same symbols
follow both. From step t on, all states agree, and so do the outputs from step
{"t" if after else "t + 1"} on. But the symbol at place j is due at step t − j + {k}, which is not
before {"t" if after else "t + 1"}, and there the two right outputs differ. (8 points: 3 for two
pasts with the same state, 2 for the same continuation, 3 for the step at which the outputs must
differ)
2. The last {power} symbols: drop the oldest, add the new one. The output is the oldest symbol of
the {"new" if after else "old"} state. At the start, any symbols take the place of those that are
missing. (4 points)
3. A state must keep all differences between pasts that can still change an answer, and not just
the next answer. Each of the last {k} symbols will still be compared. (3 points)""",
    )


TEMPLATES = [two_brackets, switch, shared_step, three_networks, enough_states]
