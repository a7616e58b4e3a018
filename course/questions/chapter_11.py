"""Questions on chapter 11, Deep recurrent networks."""

import math
from fractions import Fraction

from course.exam import Question


def how_many_paths(rng):
    """Count the shortest paths of a stack, and add up their gradients."""
    floors, between = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    output = int(rng.integers(2))
    line, w = int(rng.choice([50, 80, 100])), float(rng.choice([0.5, 0.8, 0.9]))

    def arrows(k, step):
        return 1 + (floors - 1) + k * step + output + 1

    paths = math.comb(4 + floors - 1, floors - 1)
    left = w ** (4 * (between + 1))
    long = arrows(line - 1, between + 1)
    short = arrows(line - 1, 1)
    return Question(
        kind="read",
        title="Ways through a stack",
        minutes=11,
        text=f"""The figure shows a stack over five steps, with one of the shortest paths from the
first input to the last output. The small dots are hidden layers. Suppose that the stack reads a
line of {line} characters.

1. How many arrows does the shortest path from the first character to the last output have?
2. Now each loop gets a skip connection from a state to the next one, around the hidden layers. How
many arrows does the shortest path have?
3. Back to the five steps of the figure, without skip connections. How many paths from the first
input to the last output are as short as the one that stands out?
4. All units are linear, and each circle and each dot stands for one unit. All arrows that lead into
a hidden layer of a loop or out of one have the weight {w:g}, and all others have the weight 1. What
is the gradient of the last output with respect to the first input? Compare it with a network whose
stack has only one layer.""",
        figure=("depth", {"states": floors, "transition": between, "output": output}),
        key=f"""1. 1 into the stack, {floors - 1} up, {line - 1} · {between + 1} in the loop, and
{1 + output} to the output: {long} arrows (3 points)
2. The {line - 1} steps take one arrow each: {short} arrows (2 points)
3. A path climbs {"once" if floors == 2 else "twice"}, each time at any of the five steps: {paths}
paths (3 points)
4. Each of these paths contributes ${w:g}^{{{4 * (between + 1)}}}$ = {left:.3g}, and there are no
other paths: {paths} · {left:.3g} = {paths * left:.3g}. With one layer there is a single path, so
the stack has {paths} times the gradient (3 points)""",
    )


# Inputs, outputs, units of the shallow network, the design, its units, and what it looks like.
BUDGETS = (
    (10, 9, 40, "stack", 2, 25),
    (12, 7, 40, "stack", 2, 25),
    (8, 3, 20, "stack", 3, 10),
    (6, 5, 20, "stack", 3, 10),
    (20, 20, 15, "places", 3, 10),
    (4, 3, 25, "places", 2, 15),
)


def budget(rng):
    """Find how narrow a deep network has to be."""
    n_x, n_y, shallow, kind, extra, deep = BUDGETS[int(rng.integers(len(BUDGETS)))]
    k = int(rng.choice([10, 20, 30]))

    def numbers(n):
        own = n * n + n * (n_x + n_y + 1) + n_y
        return own + ((extra - 1) * (2 * n * n + n) if kind == "stack" else extra * (n * n + n))

    before = shallow**2 + shallow * (n_x + n_y + 1) + n_y
    if kind == "stack":
        design = f"a stack of {extra} layers"
        square, linear = 2 * extra - 1, n_x + n_y + extra
        longer, path = extra - 1, "the path climbs"
    else:
        design = "a network with one hidden layer after the input and one between the states"
        if extra == 3:
            design = "a network with a hidden layer in each of the three places"
        square, linear = extra + 1, n_x + n_y + 1 + extra
        longer, path = k + extra - 1, "the layer between the states adds an arrow at each step"
    return Question(
        kind="compute",
        title="The price of depth",
        minutes=10,
        text=f"""A shallow network has {n_x} inputs, {shallow} units and {n_y} outputs, and biases
at its units and at its outputs. We compare it with {design}. All of its layers have the same number
of units.

1. How many parameters does the shallow network have?
2. With exactly as many parameters, how many units does each layer of the deep network have?
3. How much longer is its path from an input to the output {k} steps later?
4. Somebody gives {shallow} units to each layer of the deep network, sees it win, and writes: *Depth
helps.* How many parameters does it have? Which network should join the comparison?""",
        key=f"""1. {shallow} · {n_x} + {shallow}² + {shallow} + {n_y} · {shallow} + {n_y} = {before}
(2 points)
2. For $n$ units, these are ${square}n^2 + {linear}n + {n_y}$ parameters, which is {before} for
$n = {deep}$ (4 points)
3. By {longer} arrow{"s" if longer > 1 else ""}: {path} (2 points)
4. {numbers(shallow)}, or {numbers(shallow) / before:.2g} times as many. A shallow network with
about as many parameters is missing: it may win, too (2 points)""",
    )


LOOPS = ("1/4", "1/2"), ("1/2", "-1/2"), ("1/2", "1/4"), ("-1/2", "1/4"), ("1/3", "1/2")


def echoes(rng):
    """Compute how a stack of two linear units responds to a pulse."""
    a, b = map(Fraction, LOOPS[int(rng.integers(len(LOOPS)))])
    first, second = [Fraction(1)], [Fraction(1)]
    for _ in range(3):
        first.append(a * first[-1])
        second.append(b * second[-1] + first[-1])
    swapped = [b**t for t in range(4)]
    limit = 1 / ((1 - a) * (1 - b))

    def told(numbers):
        return ", ".join(str(number).replace("-", "−") for number in numbers)

    if second[1]:
        told_apart = f"the ratios are {told([second[1] / second[0], second[2] / second[1]])}"
    else:
        told_apart = "the second state is 0, and all later ones would be 0, too"
    return Question(
        kind="compute",
        title="An echo of an echo",
        minutes=11,
        text=rf"""A stack consists of two linear units without biases:

$$ h_1^{{(t)}} = {_signed(a)}\, h_1^{{(t-1)}} + x^{{(t)}}, \qquad h_2^{{(t)}} = {_signed(b)}\,
h_2^{{(t-1)}} + h_1^{{(t)}} $$

Both states start at 0. The input is 1 at step 1 and 0 afterward.

1. Compute both states at the steps 1 to 4.
2. The two weights change places. Which states change, and why?
3. Now the input is 1 at every step, with the weights as above. Which numbers do the two states
approach?
4. Can a single linear unit, with any weights, have the states $h_2$ of part 1?""",
        key=f"""1. Layer 1: {told(first)}. Layer 2: {told(second)} (4 points)
2. Layer 1 changes, to {told(swapped)}. Layer 2 has the same states as before: a path to
its state $t$ chooses how many steps it takes in the first loop and how many in the second, and the
sum over all paths is the same in both orders (3 points)
3. At the limit, $h_1$ is 1 / (1 − w) = {told([1 / (1 - a)])}, with the weight w of its loop, and
$h_2$ is that, divided by 1 minus its own weight: {told([limit])} (2 points)
4. No. After the pulse, each state of a linear unit is the one before it times a fixed weight. Here
{told_apart} (2 points)""",
    )


def _signed(weight):
    sign = "-" if weight < 0 else ""
    return rf"{sign}\tfrac{{{abs(weight.numerator)}}}{{{weight.denominator}}}"


WEIGHTS = (0.5, 0.4, 0.7), (0.8, 0.5, 0.6), (0.5, 0.8, 0.5), (0.4, 0.5, 0.6)
BUGS = (
    "The way through the skip connection is missing: a step multiplies by $wu$ alone",
    "The gradient of the skip connection isn't added to the gradient of the old state but to that "
    "of the hidden layer, so it goes through $u$ as well: a step multiplies by $(w + s)\\,u$",
    "The way through the hidden layer is missing: a step multiplies by $s$ alone",
    "The two ways are multiplied instead of added: a step multiplies by $wus$",
)


def two_ways_back(rng):
    """Find the bug in the gradient of a skip connection."""
    found = int(rng.integers(4))
    w, u, s = WEIGHTS[int(rng.integers(len(WEIGHTS)))]
    right, wrong = w * u + s, (w * u, (w + s) * u, s, w * u * s)[found]
    digits, exponent = f"{wrong**20:.1e}".split("e")
    tiny = rf"${digits} \cdot 10^{{{int(exponent)}}}$"
    rows = "\n".join(f"| {k} | {right**k:.4g} | {wrong**k:.4g} |" for k in (1, 2, 3))
    return Question(
        kind="diagnose",
        title="Two ways back",
        minutes=10,
        text=rf"""A linear network has a hidden unit $z$ between its states, and a skip connection
around it:

$$ z^{{(t)}} = u\, h^{{(t-1)}}, \qquad h^{{(t)}} = w\, z^{{(t)}} + s\, h^{{(t-1)}} + x^{{(t)}} $$

The weights are $u = {u:g}$, $w = {w:g}$ and $s = {s:g}$. Somebody computes the derivative of the
state $k$ steps later with respect to a state, by difference quotients and by back-propagation:

| $k$ | difference quotient | back-propagation |
|---|---|---|
{rows}

1. Show that the difference quotients are right. How many paths lead from one state to the state
two steps later?
2. What is the bug? Show that it leads to exactly these numbers.
3. What is left of a gradient after 20 steps, truly and according to the program? What would
somebody who trusts the program conclude about this network?""",
        key=rf"""1. A step multiplies by $wu + s$ = {w * u:.2g} + {s:g} = {right:.4g}, and $k$ steps
by its power. Two steps have 4 paths, since each step offers two ways (3 points)
2. {BUGS[found]}, which is {wrong:.4g}, and the other rows are its powers (4 points: 3 for the bug,
1 for the numbers)
3. Truly {right**20:.3g}, and {tiny} according to the program. One would conclude that the
skip connection doesn't help much, and blame the design for a bug (3 points)""",
    )


def stays_long(rng):
    """Prove that a residual connection keeps a gradient's length within bounds."""
    K = int(rng.choice([10, 20, 50, 100]))
    share = int(rng.choice([2, 3, 4]))
    small = 1 - share ** (-1 / K)
    name = {2: "half", 3: "a third", 4: "a quarter"}[share]
    times = {2: "twice", 3: "three times", 4: "four times"}[share]
    return Question(
        kind="prove",
        title="Neither too long nor too short",
        minutes=15,
        text=rf"""A network has a residual connection between its states:

$$ \boldsymbol h^{{(t)}} = \boldsymbol h^{{(t-1)}} + \boldsymbol W \tanh(\boldsymbol T \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}}) $$

Let $\varepsilon = \|\boldsymbol W\| \, \|\boldsymbol T\|$, with the largest singular values as
norms, and let $\varepsilon < 1$.

1. Prove: one step back makes a gradient at most $1 + \varepsilon$ times as long, and at least
$1 - \varepsilon$ times, for every input.
2. For which $\varepsilon$ are you sure that {K} steps leave at least {name} of the length of a
gradient, and make it at most {times} as long?
3. Now an orthogonal matrix $\boldsymbol S$ multiplies the first $\boldsymbol h^{{(t-1)}}$. Are the
bounds of part 1 still true?
4. Finally, another tanh is applied to the whole right side, as in a deep transition with a skip
connection. Which of the two bounds remains true? Why does the other one fail?""",
        key=rf"""1. The Jacobian is $\boldsymbol I + \boldsymbol J$ with $\boldsymbol J =
\boldsymbol W \boldsymbol D \boldsymbol T$, where the diagonal matrix $\boldsymbol
D$ has the slopes, which are at most 1. So $\|\boldsymbol J\| \le
\varepsilon$, and the same for its transpose. The gradient $\boldsymbol g$ becomes $\boldsymbol g +
\boldsymbol J^\top \boldsymbol g$, and the triangle inequality gives both bounds: $\|\boldsymbol g\|
\pm \varepsilon \|\boldsymbol g\|$. (6 points: 2 for the Jacobian, 2 for its norm, 2
for the two bounds)
2. It is enough that $(1 - \varepsilon)^{{{K}}} \ge 1/{share}$, so $\varepsilon \le 1 -
{share}^{{-1/{K}}}$ = {small:.3g}. The other condition, $(1 + \varepsilon)^{{{K}}} \le {share}$,
then holds as well, because $(1 + \varepsilon)(1 - \varepsilon) < 1$. (4 points: 2 for each
condition)
3. Yes. The gradient becomes $\boldsymbol S^\top \boldsymbol g + \boldsymbol J^\top \boldsymbol g$,
and $\boldsymbol S^\top \boldsymbol g$ is as long as $\boldsymbol g$. (2 points)
4. The gradient is first multiplied by the slopes of the other tanh, which are at most 1, so the
upper bound remains. But these slopes can be close to 0, if units saturate, so no lower bound above
0 holds for every input. (3 points)""",
    )


TEMPLATES = [how_many_paths, budget, echoes, two_ways_back, stays_long]
