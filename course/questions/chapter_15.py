"""Questions on chapter 15, Multiple time scales."""

from math import comb

from course.exam import Question


def slow_clock(rng):
    """Read a figure of two clocks, and count ticks elsewhere."""
    p, far = int(rng.integers(5, 9)), int(rng.choice([1, 3]))
    shown = 2 * p + int(rng.integers(1, p))
    asked = far * p + int(rng.integers(1, p))
    ticks = -(-asked // p)
    back = far * p
    return Question(
        kind="read",
        title="A slow clock",
        minutes=8,
        text=f"""The figure shows two linear units. The upper one has a clock with the period {p},
and its clock ticks at the last step. At each tick it computes $h \\leftarrow 0.5\\,h + x$, and
otherwise it keeps its state. The lower one does the same at every step. The dotted line is {shown}
steps back.

1. How much of the gradient is left in the upper unit {asked} steps back, with respect to the state
there?
2. A value $x = 1$ arrives {back} steps back. How much of it is in each of the two states now? How
much if it arrives one step later?
3. A value arrives at one of the last {4 * p} steps, each with the same probability. With what
probability does the upper unit take it in?
4. How would a test have to look so that the upper unit seems to have a perfect memory? Change it so
that it is fair.""",
        figure=("scales", {"view": "one", "kind": "clock", "p": p, "back": shown}),
        key=f"""1. {ticks} ticks follow, so 0.5{_power(ticks)} = {0.5**ticks:.4g} (2 points)
2. It enters at a tick, and {far} more follow{"s" * (far == 1)}, so the upper unit holds
{0.5**far:g}, and the lower one only 0.5{_power(back)}. One step later there is no tick: the upper
unit holds 0, the lower one 0.5{_power(back - 1)} (3 points)
3. 4 of {4 * p}, that is 1/{p} (1 point)
4. The value always arrives at a tick, for example {back} steps before the answer. A fair test draws
the step at random, or moves it by a step (2 points)""",
    )


def _power(n):
    """Return an exponent as it is written on paper."""
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(n))


SHARES = (0.5, 0.75), (0.5, 0.9), (0.6, 0.8), (0.8, 0.9)


def two_averages(rng):
    """Combine a fast and a slow unit so that they return the value before the last."""
    fast, slow = SHARES[int(rng.integers(len(SHARES)))]
    leaks = bool(rng.integers(2))
    age = next(k for k in range(20) if (1 - slow) * slow**k > (1 - fast) * fast**k)
    u = 1 / (slow - fast)
    pair = (1 - fast, 1 - slow) if leaks else (fast, slow)
    told = (
        rf"the leaks $a$ = {pair[0]:.3g} and {pair[1]:.3g}: each computes $h^{{(t)}} = (1 - a) "
        r"h^{(t-1)} + a\,v^{(t)}$"
        if leaks
        else rf"the shares $\alpha$ = {pair[0]:.3g} and {pair[1]:.3g}: each computes "
        r"$h^{(t)} = \alpha h^{(t-1)} + (1 - \alpha)\,v^{(t)}$"
    )
    return Question(
        kind="compute",
        title="A fast and a slow average",
        minutes=12,
        text=rf"""A fast and a slow leaky unit receive the same values $v$. They have {told}. The
age of the last value is 0.

1. How much of a value of age 0, 1 and 2 is in each of the two states?
2. From which age on does the slow unit hold more of a value than the fast one?
3. A readout adds $c_1$ times the fast state and $c_2$ times the slow one. Choose $c_1$ and $c_2$ so
that a value of age 0 counts 0 and a value of age 1 counts 1.
4. How much does a value of age 2 count then? Why can't a single leaky unit do this, whatever
its readout weight is?""",
        key=f"""1. Fast {_weights(fast)}, slow {_weights(slow)} (3 points)
2. From age {age} on: {(1 - slow) * slow**age:.4g} against {(1 - fast) * fast**age:.4g} (2 points)
3. c₁ = {-u / (1 - fast):g} and c₂ = {u / (1 - slow):g}. The two conditions say that
{1 - fast:.3g} c₁ + {1 - slow:.3g} c₂ = 0 and {(1 - fast) * fast:.4g} c₁ + {(1 - slow) * slow:.4g}
c₂ = 1 (4 points)
4. {slow + fast:.3g}. A single unit holds most of the last value and less of each older one (3
points: 1 for the number, 2 for the reason)""",
    )


def _weights(share):
    return ", ".join(f"{(1 - share) * share**k:.4g}" for k in range(3))


def paths_that_cancel(rng):
    """Add up the paths of a network with skips of the opposite sign."""
    d, w = int(rng.integers(2, 4)), int(rng.choice([-2, -1, 1, 2]))
    skip = -(w**d) / 2
    k = d + 3
    gs, ways = [1.0], [1]
    for i in range(1, k + 1):
        gs.append(w * gs[i - 1] + (skip * gs[i - d] if i >= d else 0))
        ways.append(ways[i - 1] + (ways[i - d] if i >= d else 0))
    zero = d + 1
    kinds = [
        f"{comb(zero - j * d + j, j)} with {j} skip{'s' * (j != 1)} "
        f"({w ** (zero - j * d) * skip**j:g} each)"
        for j in range(zero // d + 1)
    ]
    multiples = " and ".join(str(i) for i in range(d, k + 1, d))
    return Question(
        kind="compute",
        title="Paths with signs",
        minutes=12,
        text=rf"""A linear unit computes $h^{{(t)}} = w\,h^{{(t-1)}} + w_d\,h^{{(t-{d})}} +
x^{{(t)}}$ with $w = {w}$ and $w_d = {skip:g}$.

1. How large is the gradient of $h^{{(t)}}$ with respect to the state $k$ steps earlier, for
$k = 0, 1, \ldots, {k}$?
2. How many paths lead {zero} steps back? List their kinds, and show how they lead to your gradient.
3. Somebody says: *A network can learn from an input if a path leads from it to the loss.* Judge
this, with a number from part 1.
4. Now the short connections are removed ($w = 0$). For which of these $k$ from 1 to {k} is the
gradient not 0?""",
        key=f"""1. {", ".join(f"{g:g}" for g in gs)} (4 points)
2. {ways[zero]} paths: {", ".join(kinds)}. Their products add up to 0 (4 points)
3. A path isn't enough. {zero} steps back, the paths cancel, so a small change of that input doesn't
change the last state, and no gradient arrives there. From a loss at other steps it could (2 points)
4. For the multiples of {d}: {multiples} (2 points)""",
    )


def which_steps(rng):
    """Find out from accuracies which connections a network has."""
    n, first = int(rng.choice([3, 4, 6])), 12
    clock = bool(rng.integers(2))
    T = 36 + int(rng.integers(1, n))
    rows = []
    for last in (T, T + 1):
        seen = [s % n == 0 if clock else (last - s) % n == 0 for s in range(1, first + 1)]
        right = [100 if one else int(rng.integers(48, 53)) for one in seen]
        rows.append(f"| {last} | {' | '.join(map(str, right))} |")
    good = next(s for s in range(1, first + 1) if (s % n if clock else (T - s) % n) == 0)
    kind = f"clocks with the period {n}" if clock else f"skips of {n} and no short connections"
    reason = (
        f"The key is remembered if its step is a multiple of {n}. With another last step, the same "
        "steps are right. With skips, they would move along, because the distance to the answer "
        "would count"
        if clock
        else f"The key is remembered if the answer comes a multiple of {n} steps later. With "
        "another last step, all of them move by one. With clocks they would stay, because only the "
        "step of the key would count"
    )
    share = (1 + 1 / n) / 2
    head = " | ".join(map(str, range(1, first + 1)))
    mend = "let some units tick at every step" if clock else "add short connections"
    return Question(
        kind="diagnose",
        title="A perfect memory",
        minutes=10,
        text=f"""A network has to remember a bit, the key, which arrives at one step of many. Its
author reports: *All test films were right: 100 %.* In the test, the key was always at step {good},
and the answer was due after step {T}. Somebody tests the network with other steps, and counts the
percentage of right answers:

| answer after step, key at | {head} |
|---|{"---|" * first}
{chr(10).join(rows)}

The network has either skip connections of one length and no short connections, or units that all
have a clock with the same period, which tick at the multiples of the period.

1. Which of the two is it, and with which number?
2. Which part of the table excludes the other one?
3. The key arrives at each of the steps 1 to {first} equally often. Which percentage of the answers
is right?
4. What was wrong with the author's test? Name one change to the network that would help.""",
        key=f"""1. {kind[0].upper()}{kind[1:]} (3 points)
2. {reason} (3 points)
3. One in {n} is right for sure and the others are guesses: {100 / n:.3g} +
{100 - 100 / n:.3g} / 2 = {100 * share:.3g} %, about (2 points)
4. The key was always at a step that suits the network. For example: {mend}, or use leaky units (2
points)""",
    )


def bounded_by_a_sum(rng):
    """Prove that gradients vanish with skips, and that the condition isn't necessary."""
    d, halvings = int(rng.integers(3, 8)), int(rng.choice([7, 10]))
    rho = float(rng.choice([0.5, 0.6, 0.8]))
    return Question(
        kind="prove",
        title="Skips and signs",
        minutes=15,
        text=rf"""A linear unit computes $h^{{(t)}} = w\,h^{{(t-1)}} + w_d\,h^{{(t-d)}} + x^{{(t)}}$
with $d \ge 2$. Its weights may be negative. Let $g_k$ be the gradient of $h^{{(t)}}$ with respect
to $h^{{(t-k)}}$, and let $0 < r < 1$ for $r = |w| + |w_d|$.

1. Prove that $|g_k| \le r^{{k/d}}$ for every $k \ge 0$.
2. For which weights is $|g_k| = r^{{k/d}}$ for infinitely many $k$? And if $r = \frac12$ and
$d = {d}$: after how many steps does part 1 guarantee that at most
$\frac{{1}}{{{2**halvings}}}$ is left?
3. Now let $d = 2$, $w = {2 * rho:g}$ and $w_d = {-(rho**2):g}$. Show that $g_k = (k + 1) \cdot
{rho:g}^k$. Must a gradient explode if $|w| + |w_d| > 1$?""",
        key=rf"""1. $g_0 = 1$, $g_k = w\,g_{{k-1}}$ for $0 < k < d$, and $g_k = w\,g_{{k-1}} +
w_d\,g_{{k-d}}$ afterward. For $k < d$, $|g_k| = |w|^k \le r^k \le r^{{k/d}}$, since $r \le 1$. For
$k \ge d$, by induction, $|g_k| \le |w|\,r^{{(k-1)/d}} + |w_d|\,r^{{(k-d)/d}}$. Since $k - 1 \ge
k - d$, this is at most $(|w| + |w_d|)\,r^{{(k-d)/d}} = r^{{k/d}}$. (8 points: 2 for the
recursion, 2 for the beginning, 4 for the step)
2. For $w = 0$, at the multiples of $d$: then $|g_k| = |w_d|^{{k/d}}$. Otherwise the last
estimate of part 1 is strict. The bound is 1/{2**halvings}, a half to the power {halvings}, at
$k/d = {halvings}$, so after {halvings * d} steps. (4 points: 2 and 2)
3. It is right for $k = 0$ and $k = 1$. If it is right up to $k - 1$, then $g_k = {2 * rho:g} \cdot
k \cdot {rho:g}^{{k-1}} - {rho**2:g}\,(k - 1) \cdot {rho:g}^{{k-2}} = (2k - (k - 1)) \cdot
{rho:g}^k$. It goes to 0 although $|w| + |w_d|$ is {2 * rho + rho**2:g}, so no. (3 points)""",
    )


TEMPLATES = [slow_clock, two_averages, paths_that_cancel, which_steps, bounded_by_a_sum]
