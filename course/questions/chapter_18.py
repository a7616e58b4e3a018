"""Questions on chapter 18, Explicit memory."""

from fractions import Fraction

import numpy as np

from course.exam import Question

COSINES = {0: 1.0, 60: 0.5, 90: 0.0, 120: -0.5, 180: -1.0}


def next_write(rng):
    """Read a matrix memory from a figure, and write the next pair."""
    second = int(rng.choice([60, 120]))
    third = second + int(rng.choice([60, 90]))
    cos = COSINES[second]
    while True:
        values = [float(2 * one) for one in rng.integers(1, 6, 3)]
        a, b, _ = values
        if b != a * cos:
            break
    far = COSINES[third - second]
    before = a * cos
    error = b - before
    return Question(
        kind="read",
        title="The next write",
        minutes=12,
        text=f"""The figure shows a matrix memory with one row, drawn as an arrow. Three keys of
length 1 have the values {values[0]:g}, {values[1]:g} and {values[2]:g}. The first pair has just
been written into the empty memory. The angle between the first two keys is {second} degrees, and
that between the last two is {third - second} degrees. (The cosines of 60, 90 and 120 degrees
are 0.5, 0 and −0.5.)

1. How long is the arrow, and why does the second key return {before:g} now?
2. The second pair is written by the sum. What do the first and the second key return then?
3. Instead, it is written by the delta rule, with the strength 1. What do these two keys return? How
much does this write change what the third key returns?
4. Which of the two rules do you choose if the same keys come again with new values? And which
property of the keys makes both rules give the same readings as long as no key comes twice?""",
        figure=(
            "matrix",
            {"rule": "sum", "t": 1, "a1": 0, "a2": second, "a3": third}
            | {f"v{i}": value for i, value in enumerate(values, start=1)},
        ),
        key=f"""1. {a:g}, along the first key. The second key returns its dot product with the
arrow, {a:g} · {_signed(cos)} = {before:g} (2 points)
2. {a:g} + {b:g} · {_signed(cos)} = {a + b * cos:g} and
{b:g} + {a:g} · {_signed(cos)} = {b + a * cos:g} (3 points)
3. The error is {b:g} − {_signed(before)} = {error:g}. The first key returns {a:g} +
{_signed(error)} · {_signed(cos)} = {a + error * cos:g} and the second {b:g}. The reading of the
third changes by {_signed(error)} · {far:g} = {error * far:g} (5 points: 2, 1 and 2)
4. The delta rule, which replaces the old value. Keys at right angles don't disturb each other (2
points)""",
    )


def _signed(x):
    """Return a number, in parentheses if it is negative."""
    return f"({x:g})" if x < 0 else f"{x:g}"


def three_small_steps(rng):
    """Compute a head's weights by gate, shift and sharpening."""
    n = int(rng.integers(4, 6))
    g = Fraction(["1/4", "3/4"][int(rng.integers(2))])
    back = bool(rng.integers(2))
    move = Fraction(["3/4", "2/3"][int(rng.integers(2))])
    old, found = (0, 2) if back else (n - 1, 1)
    gated = [Fraction(0)] * n
    gated[old] += 1 - g
    gated[found] += g
    shifted = [Fraction(0)] * n
    for i, w in enumerate(gated):
        shifted[i] += (1 - move) * w
        shifted[(i - 1 if back else i + 1) % n] += move * w
    powers = [w**2 for w in shifted]
    sharp = [w / sum(powers) for w in powers]
    top = max(sharp)
    way = "back (−1)" if back else "on (1)"

    def row(weights):
        return ", ".join(map(str, weights))

    return Question(
        kind="compute",
        title="Where does the head go?",
        minutes=10,
        text=f"""A memory has {n} cells, and after the last one comes the first. A head has all its
weight on cell {old + 1}. By its content, the key finds cell {found + 1}, with all the weight. The
gate is $g$ = {g} (the share of the weights found by content). The shift moves the share {move} of
each weight {way} by one cell, and the rest stays. The exponent is 2.

1. Compute the weights after the gate, after the shift and after sharpening. Fractions are enough.
2. Which cell is read most, and did content or location lead there?
3. How must the three settings be chosen so that the head goes through all cells in order, whatever
they contain? What goes wrong after many steps if the exponent is 1 and the shift isn't sharp?""",
        key=f"""1. Gate: {row(gated)}. Shift: {row(shifted)}. Sharpened: {row(sharp)} (6 points: 2
each)
2. Cell {sharp.index(top) + 1}, with {float(top):.2g}. {_led(g, old, found, n, back)} (2 points)
3. The gate 0, the whole shift on by 1, and any exponent; if a share stays, an exponent
above 1. Otherwise the weights spread over more and more cells (2 points)""",
    )


def _led(g, old, found, n, back):
    """Say whether content or location led to the cell with the largest weight."""
    by = "content" if 2 * g > 1 else "location"
    start = found if by == "content" else old
    target = (start - 1 if back else start + 1) % n
    return f"Cell {target + 1} is next to cell {start + 1}, so {by} led there"


def a_write_is_a_leak(rng):
    """Follow a cell through soft writes, and compare it with gates and leaks."""
    first = int(rng.choice([8, 16]))
    weights = [
        Fraction(one)
        for one in rng.permutation(["1/2", "1/4", str(rng.choice(["1/2", "3/4"]))]).tolist()
    ]
    adds = [int(one) for one in rng.choice([4, 8, 12, 16], 3, replace=False)]
    age = int(rng.choice([1, 3, 4]))
    contents, left = [Fraction(first)], Fraction(1)
    for w, a in zip(weights, adds, strict=True):
        contents.append((1 - w) * contents[-1] + w * a)
        left *= 1 - w
    total = first + sum(w * a for w, a in zip(weights, adds, strict=True))
    best = Fraction(1, age + 1)
    told = ", ".join(f"{float(one):.5g}" for one in contents[1:])
    ws = ", ".join(map(str, weights))
    return Question(
        kind="compute",
        title="Three soft writes",
        minutes=12,
        text=rf"""A cell of a memory contains one number, {first} at first. Three writes follow,
with the weights {ws} on this cell. The erase vector is 1, and the numbers to add are {adds[0]},
{adds[1]} and {adds[2]}.

1. What does the cell contain after each write?
2. A loss depends on the last content. How large is the gradient that comes back to the first
content, if it is 1 at the end?
3. An LSTM cell receives the numbers to add as its cell inputs. Which forget gates and input gates
give it the same states? (Ignore that a tanh lies between −1 and 1.) Which forget gates belong to
the erase vector 0, and what does the memory's cell contain then?
4. Every write has the same weight $w$ on this cell. Which $w$ gives the number that was added
{age} write{"s" * (age > 1)} before the last one the largest share of the content? (Chapter 15 has
the rule.)""",
        key=f"""1. {told} (3 points)
2. The product of the 1 − w: {" · ".join(str(1 - w) for w in weights)} = {left} (2 points)
3. Forget gates 1 − w, input gates w: {", ".join(str(1 - w) for w in weights)} and {ws}. With the
erase vector 0 the forget gates are 1, and the cell contains {float(total):g} (4 points: 2 and 2)
4. The cell is a leaky unit with α = 1 − w, and a value of age {age} has the share w (1 − w){
            _power(age)
        }. It is largest at α = {age}/{age + 1}, so w = {best} (3 points)""",
    )


def _power(n):
    """Return an exponent as it is written on paper, and none for 1."""
    return "" if n == 1 else "⁰¹²³⁴⁵⁶⁷⁸⁹"[n]


def _copied(bug, inputs, cells, at):
    """Return the outputs of a copying machine with a bug."""
    memory, place, n = [0] * cells, 0, len(inputs)
    for t, x in enumerate(inputs):
        if t and not (bug == "write slips" and t == at):
            place += 1
        i = place % cells
        memory[i] = x if bug != "no erase" else memory[i] + x
    place = 1 if bug == "early" else 0
    outputs = []
    for t in range(n):
        if t and not (bug == "read slips" and t == at):
            place += 1
        outputs.append(memory[place % cells])
    return outputs


MACHINES = {
    "write slips": (
        "The write head fails to move once: number {k} is written over number {j}, and all later "
        "ones are a cell too early. The last cell that is read is empty",
        "Print the write head's cell at each step",
    ),
    "read slips": (
        "The read head fails to move once: output {k} is read from the cell of output {j}, and all "
        "later outputs come one step late",
        "Print the read head's cell at each step",
    ),
    "early": (
        "The read head begins one cell too far, for example because it already moves at the mark. "
        "The last cell that it reads is empty",
        "Print the read head's cell at the first output",
    ),
    "full": (
        "The memory has only {cells} cells, so the write head comes back to the first ones and "
        "replaces what they contain",
        "Compare the number of cells with the length",
    ),
    "no erase": (
        "The memory has only {cells} cells, and nothing is erased: when the write head comes back "
        "to the first ones, the new numbers are added to the old",
        "Print the first cell before and after the write that comes back to it",
    ),
}


def bad_copy(rng):
    """Find out from a wrong copy what a machine's heads do."""
    bug = [*MACHINES][int(rng.integers(len(MACHINES)))]
    told, check = MACHINES[bug]
    n = 6
    at = int(rng.integers(2, 5))
    cells = int(rng.integers(4, 6)) if bug in ("full", "no erase") else 2 * n
    inputs = rng.choice(np.arange(1, 10), n, replace=False).tolist()
    other = rng.choice(np.arange(1, 10), n, replace=False).tolist()
    short = other[: int(rng.integers(2, 4)) + 1]
    got = _copied(bug, inputs, cells, at)
    right = sum(a == b for a, b in zip(got, inputs, strict=True))
    count = f"Only {right} of the 6 outputs {'is' if right == 1 else 'are'}"
    if not right:
        count = "None of the 6 outputs is"
    again = _copied(bug, short, cells, at)
    told = told.format(k=at + 1, j=at, cells=cells)
    return Question(
        kind="diagnose",
        title="A bad copy",
        minutes=10,
        text=f"""A machine copies sequences of numbers with a write head and a read head. Its
weights are sharp. It should write each number into a cell of its own, go back to the first cell,
and read the cells in order. An empty cell contains 0, and each output is the content of the cell
that is read. After an unlucky training it makes the same mistake with every sequence:

| | 1 | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|---|
| input | {" | ".join(map(str, inputs))} |
| output | {" | ".join(map(str, got))} |

1. What happens? Your explanation must fit all six outputs.
2. What does the machine output for the sequence {", ".join(map(str, short))}?
3. {count} right. Somebody concludes: *The
machine has forgotten the others.* For which of the six inputs is this true?
4. Name a printout that would confirm your explanation.""",
        key=f"""1. {told} (4 points)
2. {", ".join(map(str, again))} (3 points)
3. {_lost(bug, inputs, cells, at)} (2 points)
4. For example: {check[0].lower()}{check[1:]}. (1 point)""",
    )


def _lost(bug, inputs, cells, at):
    if bug == "write slips":
        return f"Only for input {at}, {inputs[at - 1]}, which was replaced. The rest is in a cell"
    if bug == "full":
        gone = len(inputs) - cells
        listed = " and ".join(str(x) for x in inputs[:gone])
        return f"For the first {gone if gone > 1 else 'one'}, {listed}. The others are in a cell"
    if bug == "no erase":
        gone = len(inputs) - cells
        which = "the first and the last" if gone == 1 else "the first two and the last two"
        return f"For {which}, of which only sums are left. The others are in a cell of their own"
    return "For none: each is in its cell. Only the reading is wrong"


def more_pairs_than_numbers(rng):
    """Prove what a matrix memory can and can't store."""
    c = [(0.6, 0.8), (0.8, 0.6), (0.6, -0.8), (0.8, -0.6)][int(rng.integers(4))]
    v = [5 * int(one) for one in rng.integers(1, 4, 2)]
    forced = c[0] * v[0] + c[1] * v[1]
    d = int(rng.choice([16, 32, 64]))
    return Question(
        kind="prove",
        title="More pairs than numbers",
        minutes=15,
        text=rf"""A matrix memory $\boldsymbol M$ is written by the delta rule with the strength 1,
$\boldsymbol M \leftarrow \boldsymbol M + (\boldsymbol v - \boldsymbol M \boldsymbol k)\,\boldsymbol
k^\top$. All keys have $d$ numbers and the length 1.

1. Prove: right after a pair $(\boldsymbol k, \boldsymbol v)$ is written, the query $\boldsymbol k$
returns exactly $\boldsymbol v$, and a query at a right angle to $\boldsymbol k$ returns the same as
before. Conclude that $d$ pairs whose keys are at right angles to each other are all returned
exactly.
2. Let $d = 2$. The keys (1, 0) and (0, 1) return {v[0]} and {v[1]}. What does the key
({c[0]:g}, {c[1]:g}) return? Prove that no matrix, however it is written, returns arbitrary values
for $d + 1$ keys.
3. A cache keeps {d + 1} pairs with different keys of length 1 and {d} numbers. It reads by a
softmax of $\beta\,\boldsymbol k_i^\top \boldsymbol q$. Prove that with the query $\boldsymbol q =
\boldsymbol k_j$, it returns $\boldsymbol v_j$ as exactly as you like if $\beta$ is large
enough.""",
        key=rf"""1. $\boldsymbol k^\top \boldsymbol k = 1$, so the new reading is $\boldsymbol M
\boldsymbol k + (\boldsymbol v - \boldsymbol M \boldsymbol k) = \boldsymbol v$. If $\boldsymbol
k^\top \boldsymbol q = 0$, the added term returns 0. So each of the $d$ writes sets its own reading
and leaves those of the others as they are. (6 points: 2, 2 and 2)
2. {c[0]:g} · {v[0]} + {_signed(c[1])} · {v[1]} = {forced:g}. Of $d + 1$ vectors with $d$ numbers,
one is a weighted sum of the others, and since $\boldsymbol M$ is linear, its reading is the same
weighted sum of their readings. So its value can't be chosen freely. (5 points: 1, 2 and 2)
3. Two different vectors of length 1 have a dot product below 1, and $\boldsymbol k_j^\top
\boldsymbol k_j = 1$. So for $i \ne j$, the ratio of the weights is $w_i/w_j = \exp(-\beta(1 -
\boldsymbol k_i^\top \boldsymbol k_j))$, which goes to 0 as $\beta$ grows. All other weights go to
0, $w_j$ goes to 1, and the reading goes to $\boldsymbol v_j$. (4 points: 2 for the dot product, 2
for the limit)""",
    )


TEMPLATES = [
    next_write,
    three_small_steps,
    a_write_is_a_leak,
    bad_copy,
    more_pairs_than_numbers,
]
