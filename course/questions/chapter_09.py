"""Questions on chapter 09, Bidirectional networks."""

from course.exam import Question


def steps(which):
    """Name some steps: a run by its ends."""
    which = list(which)
    if len(which) > 2 and which == list(range(which[0], which[-1] + 1)):
        return f"{which[0]} to {which[-1]}"
    return ", ".join(map(str, which)) or "none"


def ticks(rng):
    """Read when outputs come and on what they depend."""
    tau, d = int(rng.integers(8, 11)), int(rng.integers(1, 4))
    at, j = int(rng.integers(2, 5)), int(rng.integers(5, 8))
    width = int(rng.choice([3, 5]))
    half = width // 2
    late = [i for i in range(1, tau + 1) if i + d >= j]
    near = [i for i in range(1, tau + 1) if abs(i - j) <= half]
    longest = d + int(rng.integers(1, 3))
    able = "The bidirectional network" + (" and the convolution" if half >= longest else "")
    needs = f"a delay of {longest} or a window of {2 * longest + 1} inputs"
    return Question(
        kind="read",
        title="What changes, and when?",
        minutes=10,
        text=f"""In the figure, a one-way network answers with a delay. One input arrives per
tick, and computing takes no time.

1. Input {j} is changed. Which outputs of this network may change?
2. A convolution whose window has {width} inputs takes its place, centered at each step. Which
outputs may change with input {j}? At which tick does output {at} come?
3. Now a bidirectional network takes its place. Which outputs may change with input {j}? At which
tick does output {at} come?
4. Each output has to depend on something that happens {longest} steps later. Which of the three
networks can do this as they are? Which delay and which window would be enough?""",
        figure=("both", {"listener": "one", "wait": d, "steps": tau, "at": at}),
        key=f"""1. Output i depends on the inputs up to i + {d}, so outputs {steps(late)} (3 points)
2. Outputs {steps(near)}; at tick {at + half} (3 points)
3. All {tau}; at tick {tau}, when the last input has come (2 points)
4. {able}. Enough would be {needs} (2 points)""",
    )


def sweep(weight, xs):
    """Return the states of a linear unit."""
    h, states = 0.0, []
    for x in xs:
        h = weight * h + x
        states.append(h)
    return states


def two_sweeps(rng):
    """Compute a bidirectional network, and what padding does to it."""
    ahead, back = [(0.5, 2.0), (2.0, 0.5), (-1.0, 0.5), (0.5, -1.0)][int(rng.integers(4))]
    sign = int(rng.choice([1, -1]))
    xs = rng.choice([0, 1, 2, 4, -2], 4, replace=False).tolist()
    pad = int(rng.choice([2, 4]))
    h, g = sweep(ahead, xs), sweep(back, xs[::-1])[::-1]
    padded = sweep(back, [pad, *xs[::-1]])[:0:-1]
    shift = [one - other for one, other in zip(padded, g, strict=True)]

    def listed(numbers):
        return ", ".join(f"{one:g}" for one in numbers)

    return Question(
        kind="compute",
        title="There and back by hand",
        minutes=12,
        text=f"""A forward unit computes its state as {ahead:g} times its previous state plus the
input, and a backward unit {back:g} times its previous state plus the input. Both begin at 0. The
output of each step is the forward state {"plus" if sign > 0 else "minus"} the backward state. The
input is {listed(xs)}.

1. Compute the forward states, the backward states and the outputs.
2. The sequence is padded with one more input at its end, which is {pad}. By mistake, the backward
unit reads the padding first. Which backward states of the four steps change, and by how much?
3. With the same mistake, do the forward states of the four steps change? Does a mask that leaves
the padding out of the loss repair the mistake?
4. To guess the input of step 2 from all the others, which two states may an output read? What are
they here, without padding?""",
        key=f"""1. h: {listed(h)}; g: {listed(g)}; o: {
            listed(one + sign * other for one, other in zip(h, g, strict=True))
        } (5 points)
2. All, by {listed(shift)}: the padding's {pad} is multiplied by {back:g} at each step back (3
points)
3. No, they have read only what comes before. The mask doesn't repair it, because the wrong states
are those of steps that count (2 points)
4. The forward state of step 1 and the backward state of step 3: {h[0]:g} and {
            g[2]:g} (2 points)""",
    )


LISTS = (
    "sing ring song long king kiss sink rink sits kits",
    "late gate lane lake cake tale lace game case gale",
    "bend send bell tell best test belt tent bent sell",
    "cold bold corn born cord card bolt colt cart barn",
)


def either_end(rng):
    """Count how good the best guess is from either end."""
    pool = LISTS[int(rng.integers(len(LISTS)))].split()
    words = rng.permutation(pool)[:6].tolist()
    n = len(words)
    ahead = [len({word[:i] for word in words}) for i in (1, 2)]
    back = [len({word[-i:] for word in words}) for i in (1, 2)]
    ends = len({(word[0], word[-1]) for word in words})
    alike = max(
        next(i for i in range(5) if i == 4 or one[i] != other[i])
        for one in words
        for other in words
        if one != other
    )
    waited = len({word[:3] for word in words})
    return Question(
        kind="compute",
        title="From the left or from the right",
        minutes=10,
        text=f"""These {n} words of four letters are equally likely, and each reader knows the list:
*{", ".join(words)}*.

1. One network reads from the left, another from the right. For each, what share of the words does
the best guess name after one letter, and after two?
2. A third network is given the first and the last letter only. What is its share?
3. The network that reads from the left may wait: it names the word two letters after the first.
What share does it reach? How long must it wait to know every word?
4. Can better training raise any of these shares? Give the reason in one sentence.""",
        key=f"""1. It is the number of different beginnings, or endings, divided by {n}. From the
left: {ahead[0]}/{n} and {ahead[1]}/{n}; from the right: {back[0]}/{n} and {back[1]}/{n} (4 points)
2. {ends}/{n}, the number of different pairs (2 points)
3. It has read three letters: {waited}/{n}. Two words share at most their first {alike}
{"letter" if alike == 1 else "letters"}, so it has to wait for {alike} after the first (3 points)
4. No: what hasn't been read can't be in a state (1 point)""",
    )


TURNED, SAME_WAY, AROUND = range(3)


def half_as_good(rng):
    """Find out from the accuracy at each step which states a network reads."""
    found = int(rng.integers(3))
    tau, k = int(rng.integers(8, 11)), int(rng.integers(2, 4))

    def known(t):
        inside = t + k <= tau
        if found == TURNED:  # inputs 1 to t, and tau + 1 - t to tau
            return not inside or t + k >= tau + 1 - t
        if found == SAME_WAY:
            return not inside
        return False

    shares = [100 if known(t) else 50 for t in range(1, tau + 1)]
    head = " | ".join(map(str, range(1, tau + 1)))
    lines = "|---" * (tau + 1) + "|"
    listed = " | ".join(map(str, shares))
    names = (
        "the backward network's states weren't brought back into the order of the steps",
        "nothing was reversed for the backward network, so both networks read from left to right",
        "the output at step t reads the forward state of step t − 1 and the backward state of "
        "step t + 1",
    )
    order = rng.permutation(3).tolist()
    options = "\n".join(f"- *{name}*: {names[i]}" for name, i in zip("ABC", order, strict=True))
    first = next((t for t in range(1, tau + 1) if known(t)), None)
    why = (
        f"Row t of the output reads h of step t and g of step {tau + 1} − t, so inputs 1 to t and "
        f"{tau + 1} − t to {tau}. Input t + {k} is among them if t + {k} ≥ {tau + 1} − t, which is "
        f"so from step {first} on",
        f"Input t + {k} hasn't been read at step t. Only from step {first} on is there no such "
        "input, and the bit of step t alone decides",
        "No state has read the input of step t itself, which is a fair coin. So every sum is a "
        "guess, even where the later bit is known or missing",
    )[found]
    rows = "the last row does" if found == TURNED else "all rows do"
    test = (
        "Change the input of one step. The output of this step doesn't change"
        if found == AROUND
        else "Change the first input. Of the backward states, only the first row may change, "
        f"but {rows}"
    )
    return Question(
        kind="diagnose",
        title="Right at some steps",
        minutes=12,
        text=f"""Sequences of {tau} fair bits are given to a bidirectional network. At step $t$,
it has to output the number of ones among the bits of steps $t$ and $t + {k}$. (If there is no step
$t + {k}$, only the bit of step $t$ counts.) After training until nothing improves, the percentage
of right outputs is about

| step | {head} |
{lines}
| right | {listed} |

Three bugs are possible:

{options}

1. Which one is it? Derive which steps must be right.
2. What would the table look like with each of the two other bugs?
3. Which quick test, without any training, would show the bug?""",
        key=f"""1. {"ABC"[order.index(found)]}. {why} (6 points: 2 for the bug, 4 for the steps)
2. {_others(found, tau, k, order)} (4 points)
3. For example: {test} (2 points)""",
    )


def _others(found, tau, k, order):
    """Say what the table looks like with the other bugs."""
    inside = range(1, tau + 1)
    told = (
        f"right from step {next(t for t in inside if t + k >= tau + 1 - t)} on",
        f"right from step {tau - k + 1} on",
        "50 everywhere",
    )
    return "; ".join(f"{'ABC'[order.index(bug)]}: {told[bug]}" for bug in range(3) if bug != found)


def turned_around(rng):
    """Prove what a bidirectional network with shared weights does to a reversed sequence."""
    minus = bool(rng.integers(2))
    sign = "-" if minus else ""
    joined = "-" if minus else "+"
    effect = "reversed and multiplied by −1" if minus else "reversed"
    total = "goes to its negative" if minus else "stays the same"
    tail = (
        "it is 0 for every sentence that is its own reversal, so *tea or tea* and *sea or sea* get "
        "the same sum"
        if minus
        else "*cats see birds* and *birds see cats* get the same sum, whoever is seen"
    )
    return Question(
        kind="prove",
        title="The other way around",
        minutes=15,
        text=rf"""In a bidirectional network, the forward and the backward network have the same
weights: $\boldsymbol h^{{(t)}} = f(\boldsymbol h^{{(t-1)}}, \boldsymbol x^{{(t)}})$ and
$\boldsymbol g^{{(t)}} = f(\boldsymbol g^{{(t+1)}}, \boldsymbol x^{{(t)}})$, with
$\boldsymbol h^{{(0)}} = \boldsymbol g^{{(\tau+1)}} = \boldsymbol 0$. The output is
$\boldsymbol o^{{(t)}} = \boldsymbol V \boldsymbol h^{{(t)}} {joined} \boldsymbol V
\boldsymbol g^{{(t)}}$.

1. The input is reversed: $\tilde{{\boldsymbol x}}^{{(t)}} = \boldsymbol x^{{(\tau+1-t)}}$. Prove
that the outputs are then {effect}.
2. Show by an example of two steps that this can fail if the two networks have different weights.
3. The sum of all outputs serves as the summary of a sentence. What happens to it if the order of
the words is reversed? Name two sentences of three words, with different meanings, that have the
same summary.""",
        key=rf"""1. Claim: $\tilde{{\boldsymbol h}}^{{(t)}} = \boldsymbol g^{{(\tau+1-t)}}$. At
$t = 0$ both are 0. If it holds at $t - 1$, then $\tilde{{\boldsymbol h}}^{{(t)}} =
f(\boldsymbol g^{{(\tau+2-t)}}, \boldsymbol x^{{(\tau+1-t)}}) = \boldsymbol
g^{{(\tau+1-t)}}$. In the same way, from the other end, $\tilde{{\boldsymbol g}}^{{(t)}} =
\boldsymbol h^{{(\tau+1-t)}}$. So $\tilde{{\boldsymbol o}}^{{(t)}} = \boldsymbol V \boldsymbol
g^{{(\tau+1-t)}} {joined} \boldsymbol V \boldsymbol h^{{(\tau+1-t)}} = {sign}\boldsymbol
o^{{(\tau+1-t)}}$. (8 points: 2 for the claim, 4 for the induction, 2 for the outputs)
2. For example linear units that multiply their state by 1 (forward) and 0 (backward), with V = 1.
The input 1, 0 gives the outputs {_example((1, 0), minus)}, and the input 0, 1 gives
{_example((0, 1), minus)}, not {_turned((1, 0), minus)}. (4 points)
3. It {total}: {tail}. (3 points)""",
    )


def _example(xs, minus):
    """Return the outputs of the example with the weights 1 and 0."""
    h, g = sweep(1.0, xs), sweep(0.0, xs[::-1])[::-1]
    outputs = [a - b if minus else a + b for a, b in zip(h, g, strict=True)]
    return " and ".join(f"{one:g}" for one in outputs)


def _turned(xs, minus):
    """Return what the outputs of the reversed input would be if the claim held."""
    outputs = [float(one) for one in _example(xs, minus).split(" and ")][::-1]
    return " and ".join(f"{-one if minus and one else one:g}" for one in outputs)


TEMPLATES = [ticks, two_sweeps, either_end, half_as_good, turned_around]
