"""Questions on chapter 14, Echo state networks."""

import math
import re
from fractions import Fraction
from functools import cache

from course.exam import Question
from press import still

# A spectral radius, an input scale and a delay.
MEMORIES = (0.9, 0.1, 25), (0.5, 0.1, 15), (1.0, 1.0, 10), (0.95, 0.1, 28)


@cache
def shown(radius, scale, k):
    """Return the memory and the share at delay k that the figure shows."""
    status = still.draw(
        "reservoir", {"view": "memory", "radius": radius, "scale": scale, "k": k}
    ).status
    memory, share = re.search(r"recover ([\d.]+) past .* (\d+) %\.", status).groups()
    return float(memory), int(share) / 100


def what_comes_back(rng):
    """Read the memory of a reservoir from its curve."""
    radius, scale, k = MEMORIES[int(rng.integers(len(MEMORIES)))]
    memory, share = shown(radius, scale, k)
    few = int(rng.choice([10, 20, 30]))
    if few < memory:
        bound = f"No: {few} units have a memory of at most {few}"
    else:
        bound = f"The bound of {few} doesn't exclude it, but random units stay far below it"
    return Question(
        kind="read",
        title="What comes back",
        minutes=10,
        text=f"""The figure shows the memory of a reservoir of 100 tanh units with the spectral
radius {radius:g} and the input scale {scale:g}. The inputs are independent.

1. At the marked delay of {k} steps, how large is the typical error of the readout, compared with
the standard deviation of the input?
2. What happens to the number of recovered inputs if the radius becomes 3, and what if the units get
a leak of 0.1? Give a reason for each.
3. Could another reservoir, of {few} units, have the same memory?
4. What does the readout for a delay of 80 steps look like in the chart on the right?""",
        figure=("reservoir", {"view": "memory", "radius": radius, "scale": scale, "k": k}),
        key=f"""1. It explains the share {share:.2g} of the variance, so the error has the share
{1 - share:.2g}, and its square root is {math.sqrt(1 - share):.2f} (3 points)
2. Both make it smaller. At radius 3 the network is chaotic: an input leaves a different trace after
each past. With a leak, the echoes are slow and nearly alike, so that sums of them can't tell one
step from the next (3 points)
3. {bound} (2 points)
4. Nothing of this input is left in the state, so the best readout is constant: a flat line near
the input's mean, 0 (2 points)""",
    )


RATES = ("1/2", "1/4"), ("1/2", "-1/4"), ("1/2", "-1/2"), ("3/4", "1/4"), ("3/4", "-1/4")


def told(numbers):
    """List fractions."""
    return ", ".join(map(str, numbers))


def two_echoes(rng):
    """Fit a readout of two units by hand."""
    a, b = map(Fraction, RATES[int(rng.integers(len(RATES)))])
    first, second = [a**k for k in range(4)], [b**k for k in range(4)]
    weight = 1 / (a - b)
    summed = [weight * (p - q) for p, q in zip(first, second, strict=True)]
    share = 1 / sum(s**2 for s in summed)
    near = a - Fraction(1, 100)
    return Question(
        kind="compute",
        title="Two echoes",
        minutes=12,
        text=rf"""Two linear units receive the same input $x$, independent numbers of the same size.
They aren't connected. At each step, the state of the first is multiplied by {a}, that of the second
by {b}, and then $x$ is added to both.

1. The input is 1 at one step and 0 at all others. What are the two states 0, 1, 2 and 3 steps
later?
2. Which weighted sum of the two states is 0 at once and 1 after one step? What is it after 2 and
after 3 steps?
3. Which share of this sum's variance comes from the input of one step ago? Count the delays 0 to 3
only.
4. The factor {b} is replaced by {float(near):g}. Which weights are needed now? What is the
problem?""",
        key=rf"""1. {told(first)}, and {told(second)} (3 points)
2. The weights $v$ and $-v$, with $v$ · ({a} − ({b})) = 1, so $v$ = {weight}. The sum is
{told(summed)} (4 points: 2 for the weights, 2 for the sum)
3. 1 / ({" + ".join(f"({s})²" for s in summed)}) = {float(share):.3g} (2 points)
4. ±{float(1 / (a - near)):g}. The two echoes are nearly alike, and their small difference has to be
enlarged. So is everything else in the states, for example what the tanh of a real unit adds (3
points)""",
    )


def slow_or_alike(rng):
    """Compute what a leak does to three modes."""
    a, size = float(rng.choice([0.1, 0.2, 0.5])), float(rng.choice([0.8, 0.9]))
    wild = float(rng.choice([1.5, 2.0]))
    plus, minus, turn = 1 - a + a * size, 1 - a - a * size, math.hypot(1 - a, a * size)

    def steps(factor):
        return math.ceil(math.log(0.1) / math.log(factor) - 1e-9)

    return Question(
        kind="compute",
        title="What a leak slows down",
        minutes=12,
        text=rf"""A linear reservoir has a leak $a = {a:g}$:

$$ \boldsymbol h^{{(t)}} = (1 - a)\, \boldsymbol h^{{(t-1)}} + a\, (\boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}}) $$

Among the eigenvalues of $\boldsymbol W$ are {size:g}, $-{size:g}$ and the pair $\pm {size:g}\,i$.

1. By which factor does one step multiply the size of each of these modes, without a leak and with
it?
2. After how many steps is at most a tenth of each mode left, without a leak and with it?
3. Why does the reservoir remember *less* with the leak, though one echo lasts longer? For which
inputs is the leak right?
4. Another matrix has the eigenvalues {wild:g} and $-{wild:g}$. Which of these two modes still grow
with the leak?""",
        key=rf"""1. Without: {size:g} each. With: 1 − {a:g} + {a:g} · {size:g} = {plus:.4g}; 1 −
{a:g} − {a:g} · {size:g} = {minus:.4g}; and for the pair,
$\sqrt{{{1 - a:.2g}^2 + {a * size:.2g}^2}}$ = {turn:.4g} (4 points)
2. Without: {steps(size)} each. With: {steps(plus)}, {steps(abs(minus))} and {steps(turn)} (3
points)
3. The modes that change their sign or turn tell one step from the next. With the leak, they
die sooner than the smooth one, and soon it is all that is left, so the long echoes are alike. It is
right for inputs that change slowly themselves (3 points)
4. The first, by {1 - a + a * wild:.3g} at each step. The second is multiplied by
{1 - a - a * wild:.3g}, so it shrinks (2 points)""",
    )


CAUSES = (
    "The capacity is measured on the steps that the readout was fitted to. There, 100 weights "
    "explain a share of 100 / (N − 1) of any target by chance",
    "The inputs aren't independent: each number is held for {d} steps. So the present input alone "
    "tells much about the inputs before it",
    "The delays are counted wrong, by one: what is called delay k is the input of k − 1 steps ago. "
    "So delay 1 is the present input, and delay 0 is a future one",
)


def too_good(rng):
    """Find out why a reservoir seems to remember more than it does."""
    found, d = int(rng.integers(3)), int(rng.choice([4, 5, 10]))
    fitted = int(rng.choice([401, 501, 1001]))
    chance = 100 / (fitted - 1)
    delays = (0, 1, 2, 3, 20)
    held = [max(0.0, 1 - k / d) ** 2 for k in delays]
    loopless = ([1, 0, 0, 0, 0], held, [0, 1, 0, 0, 0])[found]
    other = [chance if found == 0 else 0.0] * 5
    extra = (100 * chance, sum((1 - k / d) ** 2 for k in range(1, d)), 1.0)[found]
    why = (
        f"up to 100 · {chance:.3g} = {extra:.3g}, wherever nothing is left of the input",
        f"at least {extra:.3g}, the sum that even one unit without any memory gets",
        "1, the capacity for the present input, which isn't a memory",
    )[found]
    numbers = (
        f"100 / {fitted - 1} = {chance:.3g} (the single unit has one weight, so chance gives it "
        f"only {1 / (fitted - 1):.2g})",
        f"After k steps, the same number is still held with probability 1 − k/{d}. So the "
        f"correlation is 1 − k/{d}, and the square of that is in the table",
        "The unit without a loop contains only the present input, and it is found at delay 1",
    )[found]

    def row(shares):
        return " | ".join(f"{share:.2f}" for share in shares)

    return Question(
        kind="diagnose",
        title="A memory that is too good",
        minutes=10,
        text=f"""Somebody measures the memory of a reservoir of 100 units: the sum of the capacities
at the delays 1 to 100, from fits on {fitted:,} steps. It looks too good. So the same program
measures two controls: a single linear unit without a loop, whose state is the present input, and
100 units that received *another*, unrelated input. Their capacities are

| delay | 0 | 1 | 2 | 3 | 20 |
|---|---|---|---|---|---|
| unit without a loop | {row(loopless)} |
| unrelated input | {row(other)} |

1. Which numbers should the two rows contain?
2. What is wrong with the measurement? Show that it leads to these numbers.
3. By about how much is the memory of the reservoir overestimated?
4. How should one measure?""",
        key=f"""1. 1 at delay 0 and 0 elsewhere; and 0 everywhere, apart from a little chance (2
points)
2. {CAUSES[found].format(d=d)}. {numbers} (5 points: 3 for the cause, 2 for the numbers)
3. By {why} (2 points)
4. With independent inputs, on steps that weren't used in the fit, and with a control whose result
is known (1 point)""",
    )


def washout(rng):
    """Prove how long a leaky reservoir remembers its start."""
    sigma, a = float(rng.choice([0.8, 0.9, 0.95])), float(rng.choice([0.1, 0.2, 0.5]))
    n = int(rng.choice([100, 400]))
    rate = 1 - a + a * sigma
    steps = math.ceil(math.log(1e-3 / (2 * math.sqrt(n))) / math.log(rate))
    return Question(
        kind="prove",
        title="How long is the washout?",
        minutes=15,
        text=rf"""A reservoir of {n} units has a leak $a$ between 0 and 1:

$$ \boldsymbol h^{{(t)}} = (1 - a)\, \boldsymbol h^{{(t-1)}} + a \tanh(\boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}}) $$

The largest singular value of $\boldsymbol W$ is $\sigma < 1$. Two copies start in different states,
with all entries between −1 and 1, and receive the same inputs.

1. Prove that each step multiplies their distance by at most $1 - a + a \sigma$.
2. Let $\sigma = {sigma:g}$ and $a = {a:g}$. After how many steps are you sure that the copies are
less than 0.001 apart, whatever the starts and the inputs are?
3. A readout has the weights $\boldsymbol V$, one row for one output. How far apart can the outputs
of the two copies then be?
4. Now a single unit has $W = 2$ and no input. Show that for *every* leak, there are two starts that
never meet.""",
        key=rf"""1. The inputs cancel in the difference of the arguments, which is $\boldsymbol W$
times the difference of the states, so at most $\sigma$ times as long. The slope of tanh is at most
1, so tanh doesn't enlarge any entry's difference. With the triangle inequality, the new distance is
at most $(1 - a)$ times plus $a \sigma$ times the old one. (6 points: 2 for each sentence)
2. The rate is {rate:.4g}. Each entry differs by at most 2, so the copies start at most
$2 \sqrt{{{n}}}$ = {2 * math.sqrt(n):g} apart. {2 * math.sqrt(n):g} · ${rate:.4g}^t$ < 0.001 from
step {steps} on. (4 points: 2 for the start, 2 for the step)
3. By the inequality of Cauchy and Schwarz, at most $0.001 \, \|\boldsymbol V\|$: with large
weights, the washout has to be longer. (2 points)
4. The equation $h = \tanh(2h)$ has the solutions 0 and ±0.957. At such a state, the unit becomes
$(1 - a) h + a h = h$: it stays there with every leak, so two starts at different solutions never
meet. (3 points)""",
    )


TEMPLATES = [what_comes_back, two_echoes, slow_or_alike, too_good, washout]
