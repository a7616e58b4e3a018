"""Questions on chapter 16, Gated networks."""

import math
from fractions import Fraction
from itertools import accumulate, pairwise

from course.exam import Question

# The noise of the figure's two sentences, added up, and the words with an error.
NOISE, ONES = (0.9, 1.3), (3, 1)


def half_closed(rng):
    """Read the figure of an input gate, and compute with another gate."""
    gate = float(rng.choice([0.4, 0.5, 0.8]))
    kept = float(rng.choice([0.25, 0.5]))
    wanted = float(rng.choice([0.05, 0.1]))
    ends = [one + gate * noise for one, noise in zip(ONES, NOISE, strict=True)]
    return Question(
        kind="read",
        title="An input gate, half closed",
        minutes=10,
        text=f"""In the figure, a cell counts the errors in two sentences: three in the first and
one in the second. Its input gate is 1 where there is an error and {gate:g} at all other steps,
whose cell inputs are noise. Its forget gate is 0 at step 7 and 1 elsewhere.

1. How much does the noise add to the state at the end of each sentence?
2. How much would it add if the input gate were 1 at all steps? For which gate at the noisy steps
does it add at most {wanted:g} in both sentences?
3. Now the forget gate is {kept:g} at step 7, and everything else stays as in the figure. With which
state does the second sentence end?
4. How large is then the gradient of the last state with respect to the cell input at step 3, an
error, and at step 4, noise?""",
        figure=("cell", {"stage": "input", "gate": gate}),
        key=f"""1. {ends[0]:.2f} − 3 = {gate * NOISE[0]:.2f} and {ends[1]:.2f} − 1 =
{gate * NOISE[1]:.2f} (2 points)
2. It is proportional to the gate, so divided by {gate:g}: {NOISE[0]:g} and {NOISE[1]:g}. The gate
must be at most {wanted:g}/{max(NOISE):g} = {wanted / max(NOISE):.2g} (3 points)
3. The share {kept:g} of the state after step 6 is added: {ends[1]:.2f} + {kept:g} · {ends[0]:.2f} =
{ends[1] + kept * ends[0]:.2f} (3 points)
4. {kept:g} at the error; {gate:g} · {kept:g} = {gate * kept:g} at the noise (2 points)""",
    )


PROPORTIONS = (1, 2, 3), (3, 2, 1), (1, 1, 2), (1, 3, 4), (2, 1, 3)


def gates_of_shares(rng):
    """Choose the gates of a GRU so that targets get given shares."""
    parts = PROPORTIONS[int(rng.integers(len(PROPORTIONS)))]
    keeps = bool(rng.integers(2))
    sums = list(accumulate(parts))
    kept = [Fraction(0)] + [Fraction(a, b) for a, b in pairwise(sums)]
    gates = kept if keeps else [1 - one for one in kept]
    rule = r"u\,h^{(t-1)} + (1 - u)\,c^{(t)}" if keeps else r"(1 - u)\,h^{(t-1)} + u\,c^{(t)}"
    targets = [int(one) for one in rng.choice([-1, 1], 3)]
    if len(set(targets)) == 1:
        targets[1] *= -1
    total = sums[-1]
    mean = Fraction(sum(a * c for a, c in zip(parts, targets, strict=True)), total)
    later = [Fraction(a, total) * kept[2] for a in parts]
    listed = ", ".join(map(str, gates))
    return Question(
        kind="compute",
        title="Shares in a GRU",
        minutes=12,
        text=rf"""A paper writes a unit of a GRU as $h^{{(t)}} = {rule}$, where $u$ is the update
gate at step $t$ and $c^{{(t)}}$ the target. After three steps, the targets should be in the state
in the proportion {parts[0]} : {parts[1]} : {parts[2]} (first : second : third), and nothing should
be left of the first state $h^{{(0)}}$. (Assume that a gate can be exactly 0 or 1.)

1. Which update gates does it need at the three steps?
2. Which state do you get for the targets {targets[0]}, {targets[1]} and {targets[2]}?
3. A fourth step has the same gate as the third. Which shares do the four targets have then?
4. An LSTM cell has cell inputs equal to these three targets. Its forget gates are 1 and its first
state is 0. With which input gates does each target get the share that it has in part 2? What can
the cell do with these three values that the GRU unit can't?""",
        key=f"""1. {listed}: the unit must keep {", ".join(map(str, kept))} of its state (4 points;
2 if the convention is the other one)
2. {mean} (2 points)
3. {", ".join(map(str, [*later, 1 - kept[2]]))}, which again add up to 1 (3 points)
4. {", ".join(str(Fraction(a, total)) for a in parts)}. It can add them all up with the gates 1. In
the GRU unit, the shares never add up to more than 1 (3 points: 2 and 1)""",
    )


def two_biases(rng):
    """Compute gates from a bias of ln n that may be written twice."""
    n = int(rng.choice([3, 4, 9]))
    marks = int(rng.integers(2, 4))
    T = int(rng.choice([20, 100, 1000]))
    return Question(
        kind="compute",
        title=f"A bias of ln {n}",
        minutes=12,
        text=rf"""The forget gate of an LSTM cell is $\sigma(b + u x)$, where $x$ is 1 at a mark and
0 at all other steps. The cell's other inputs don't affect this gate. (Recall that $\sigma(z) =
1/(1 + e^{{-z}})$. Leave fractions as they are.)

1. Let $b = \ln {n}$ and $u = -2 \ln {n}$. What is the gate at an ordinary step, and at a mark?
2. How much of a state is left after {marks} marks and one ordinary step, if nothing is added?
3. A program writes $b$ into both of PyTorch's bias vectors, which are added. What are the two gates
then? What has become of the mark?
4. How should $u$ change so that the gate at a mark in that program is the same as in part 1?
5. Which bias do you choose to hold something over {T:,} steps without marks? How much of the
gradient is then left on the direct path?""",
        key=f"""1. {n}/{n + 1} and 1/{n + 1} (3 points)
2. (1/{n + 1}){_power(marks)} · {n}/{n + 1} = {Fraction(n, (n + 1) ** (marks + 1))} (2 points)
3. With 2 ln {n}: {n * n}/{n * n + 1}, and σ(0) = 1/2 at a mark. The mark leaves half of the
state instead of 1/{n + 1} (3 points)
4. 2 ln {n} + u must be −ln {n}, so u = −3 ln {n} (2 points)
5. ln({T - 1:,}), or about ln {T:,} = {math.log(T):.1f}. Each step then loses the
share 1/{T:,}, and about 1/e = 0.37 is left (2 points)""",
    )


def _power(n):
    """Return an exponent as it is written on paper."""
    return "⁰¹²³⁴⁵⁶⁷⁸⁹"[n]


STEPS = {
    "gates swapped": (
        lambda f, g, c, s: g * s + f * c,
        "The forget gate and the input gate are exchanged: s = g · s + f · c, for example because "
        "weights were loaded in another order",
    ),
    "coupled": (
        lambda f, g, c, s: f * s + (1 - f) * c,
        "The input gate isn't used. 1 − f takes its place, as in a GRU: s = f · s + (1 − f) · c",
    ),
    "no input gate": (
        lambda f, g, c, s: f * s + c,
        "The input gate is missing: s = f · s + c",
    ),
    "gate on the sum": (
        lambda f, g, c, s: f * (s + g * c),
        "The forget gate multiplies the new value, too: s = f · (s + g · c)",
    ),
}


QUIET = {
    "gates swapped": "For example equal gates, f = g, at every step",
    "coupled": "For example g = 1 − f at every step",
    "no input gate": "For example g = 1 at every step (or c = 0)",
    "gate on the sum": "For example f = 1 at every step",
}


def wrong_state(rng):
    """Find the bug of an LSTM cell from a log of its gates and states."""
    bug = [*STEPS][int(rng.integers(len(STEPS)))]
    step, told = STEPS[bug]
    while True:
        log, wrong, right, ends = [], [0.0], [0.0], dict.fromkeys(STEPS, 0.0)
        for _ in range(3):
            f, g = (float(one) for one in rng.choice([0.2, 0.4, 0.5, 0.6, 0.8], 2, replace=False))
            c = float(rng.choice([-0.5, 0.5, 1.0]))
            log.append((f, g, c))
            right.append(round(f * right[-1] + g * c, 6))
            wrong.append(round(step(f, g, c, wrong[-1]), 6))
            ends = {name: one(f, g, c, ends[name]) for name, (one, _) in STEPS.items()}
        # The last state tells all bugs and the right cell apart.
        last = [*ends.values(), right[-1]]
        if all(abs(a - b) > 0.05 for i, a in enumerate(last) for b in last[:i]):
            break
    rows = [
        f"| {t} | {f:g} | {g:g} | {c:g} | {wrong[t]:.4g} |" for t, (f, g, c) in enumerate(log, 1)
    ]
    factors = [
        math.prod(one(*now, 1.0) - one(*now, 0.0) for now in log[1:])
        for one in (lambda f, g, c, s: f * s + g * c, step)
    ]
    return Question(
        kind="diagnose",
        title="A cell's log",
        minutes=10,
        text=f"""The state of an LSTM cell is 0 at first. A program logs its gates $f$ (forget) and
$g$ (input), its cell input $c$ and the state $s$ after each step. The gates and cell inputs in the
log are right, and the states aren't.

| step | $f$ | $g$ | $c$ | $s$ |
|---|---|---|---|---|
{chr(10).join(rows)}

1. Which states should the log contain?
2. What is the bug? Show that it explains all three states.
3. The gradient of the last state goes back to the state after step 1. By which factor is it
multiplied in a right cell, and by which in this one? (Gates and cell inputs are held fixed.)
4. Name gates for which a test wouldn't notice the bug.""",
        key=f"""1. {", ".join(f"{s:.4g}" for s in right[1:])} (3 points)
2. {told} (4 points: 2 for the bug, 2 for the states)
3. The product of the last two $f$, {factors[0]:.3g}; in this one {factors[1]:.3g} (2 points)
4. {QUIET[bug]} (1 point)""",
    )


def how_large(rng):
    """Prove bounds for the states of a GRU and an LSTM."""
    top = Fraction(["4/5", "9/10", "19/20"][int(rng.integers(3))])
    limit = 1 / (1 - top)
    units = int(rng.integers(3, 7))
    weight = int(rng.integers(2, 5))
    return Question(
        kind="prove",
        title="How large can a state get?",
        minutes=15,
        text=rf"""A GRU unit computes $h^{{(t)}} = u\,h^{{(t-1)}} + (1 - u)\,c^{{(t)}}$ and an LSTM
cell $s^{{(t)}} = f\,s^{{(t-1)}} + g\,c^{{(t)}}$. The gates $u$, $f$ and $g$ lie between 0 and 1 and
may differ from step to step, and each $c^{{(t)}}$ is a tanh. Both units start at 0.

1. Prove that $|h^{{(t)}}| < 1$ and $|s^{{(t)}}| < t$ for all $t \ge 1$ and all inputs.
2. Suppose that the forget gate is at most {top} at every step. Prove that $|s^{{(t)}}| < {limit}$
for all $t$, and that no smaller bound holds for all such cells.
3. The answer of a network is a weighted sum of its {units} outputs. No weight is larger than
{weight} in size, and there is no bias. Which number can the answer never reach if the network
consists of GRU units? And if it consists of LSTM cells, with outputs $q \tanh(s^{{(t)}})$, whose
states can grow?""",
        key=rf"""1. $|c^{{(t)}}| < 1$. If $|h^{{(t-1)}}| < 1$, the new state is a weighted
average of two numbers between −1 and 1, so it lies between them as well. The start, 0,
does, too. For the LSTM, $|s^{{(t)}}| \le f\,|s^{{(t-1)}}| + g\,|c^{{(t)}}| < t$, since the first
term is 0 or below $t - 1$, and the second one is below 1. (6 points: 3 and 3)
2. If $|s^{{(t-1)}}| < {limit}$, then $|s^{{(t)}}| < {top} \cdot {limit} + 1 = {limit}$. With the
forget gate {top}, an input gate near 1 and cell inputs near 1, the state approaches the sum
$1 + {top} + ({top})^2 + \ldots = {limit}$, so it gets above every smaller number. (5 points:
2 and 3)
3. All outputs lie between −1 and 1, those of the LSTM too, since a tanh and a gate bound them. So
the answer stays below {units} · {weight} = {units * weight} in both. The states of the LSTM may be
larger, but the answer depends on them only through the tanh. (4 points: 2 for
the bound, 2 for the LSTM)""",
    )


TEMPLATES = [half_closed, gates_of_shares, two_biases, wrong_state, how_large]
