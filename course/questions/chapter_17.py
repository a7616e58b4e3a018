"""Questions on chapter 17, Cliffs and clipping."""

import numpy as np

from course.exam import Question

# Of the figure's 300 gradients, the number that is longer than a line, and their median.
LONGER = {0.1: 50, 0.3: 23, 1.0: 10, 3.0: 6}
MEDIAN = 0.029


def log_of_norms(rng):
    """Read a log of gradient norms, and choose a threshold."""
    line = float(rng.choice([*LONGER]))
    rate = float(rng.choice([0.1, 0.2, 0.5]))
    low = 0.001
    scale = int(rng.choice([8, 32, 64]))
    return Question(
        kind="read",
        title="A log of norms",
        minutes=10,
        text=f"""The figure shows the log of a network that was trained by plain gradient descent
without clipping. The upper curve is the loss and the lower one the norm of the gradient.

1. Suppose that these gradients were clipped at the dashed line. How many of the 300 would change?
How long could a step be at most, if the learning rate is {rate:g}?
2. Which threshold would you choose? Name the number on which you base it, and say why the largest
norm of the log wouldn't be a good basis.
3. Somebody trains with the threshold {low:g} and reports: *Twice the threshold has exactly the same
effect as twice the learning rate.* Explain this.
4. A colleague minimizes the *sum* of the losses of {scale} sequences instead of their mean, with
gradient descent. What happens to this log, and which threshold and learning rate give the same
steps as before?""",
        figure=("norms", {"line": line}),
        key=f"""1. {LONGER[line]}; {rate:g} · {line:g} = {rate * line:g} (3 points)
2. A few times the usual norm, the median of {MEDIAN:g}, so about 0.1. A single spike can make the
largest norm a hundred times as large, while the median hardly depends on it (2 points)
3. {low:g} is below all norms of the log. If every gradient is clipped, every step has the length
ηv, in which only the product of the two counts (2 points)
4. All norms are {scale} times as large. With the threshold {scale}v and the rate η/{scale}, the
steps are the same (3 points)""",
    )


# The gradients of two tensors. The threshold is half of their joint norm.
GRADIENTS = ((12, 16), 15), ((12, 9), 20), ((9, 12), 20), ((16, 12), 15), ((24, 32), 30)


def three_ways(rng):
    """Clip two tensors jointly, each on its own, and by element."""
    pair, single = GRADIENTS[int(rng.integers(len(GRADIENTS)))]
    rate = float(rng.choice([0.1, 0.2]))
    n = int(rng.choice([4, 9, 16]))
    g = np.array([*pair, single], float)
    norm = np.linalg.norm(g)
    v = norm / 2
    tensor = min(1, v / np.linalg.norm(pair))
    ways = {
        "jointly": g / 2,
        "each tensor": np.array([*(tensor * g[:2]), min(single, v)]),
        "by element": np.minimum(g, v),
    }
    told = {name: f"({', '.join(f'{x:.4g}' for x in way)})" for name, way in ways.items()}
    lengths = {name: float(np.linalg.norm(way)) for name, way in ways.items()}
    return Question(
        kind="compute",
        title="Three ways to clip",
        minutes=12,
        text=f"""A network has two tensors of parameters. Their gradients are ({pair[0]}, {pair[1]})
and ({single}). The threshold is {v:g}.

1. Clip by the norm of all gradients together; by the norm of each tensor on its own; and by
element.
2. How long is each of the three results? Which one keeps the direction of the whole gradient?
3. A network has {n} tensors with {n * 100:,} parameters in all. The learning rate is {rate:g}
and the threshold 1. How long can a step of gradient descent be at most, for each of the three ways?
4. A small enough step against any of the three results reduces the loss of the same minibatch.
Why?""",
        key=f"""1. Together {told["jointly"]}, each tensor {told["each tensor"]}, by element
{told["by element"]} (3 points)
2. {lengths["jointly"]:.3g}, {lengths["each tensor"]:.3g} and {lengths["by element"]:.3g}; only the
first (3 points)
3. {rate:g}; {rate:g} · √{n} = {rate * n**0.5:.2g}; {rate:g} · √{n * 100:,} =
{rate * 10 * n**0.5:.3g} (3 points)
4. Each entry is multiplied by a factor above 0, so the product with the gradient is a sum of terms
that aren't negative, and it is above 0 (3 points)""",
    )


def tip_of_a_pencil(rng):
    """Compute how a bias acts near a fixed point, and what clipping changes."""
    w = float(rng.choice([2.0, 3.0]))
    small = float(rng.choice([0.5, 0.25]))
    T = 10 if w == 2 else 6
    rate = float(rng.choice([0.1, 0.5]))
    grad = (w**T - 1) / (w - 1)
    return Question(
        kind="compute",
        title="A pencil on its tip",
        minutes=12,
        text=rf"""A unit computes $h^{{(t)}} = \tanh(w\,h^{{(t-1)}} + b)$ and starts at $h^{{(0)}} =
0$. At $b = 0$ it stays there. (The slope of the tanh at 0 is 1.)

1. Let $w = {w:g}$. How large is the derivative of $h^{{(t)}}$ with respect to $b$, at $b = 0$, for
$t = 1, 2, 3, 4$? And for $w = {small:g}$?
2. What is the limit for many steps with $w = {small:g}$? By which factor does one more step
multiply the derivative with $w = {w:g}$, once there are many?
3. Let $w = {w:g}$ and $T = {T}$, where the derivative is {grad:,.0f}. The target is $y = 1$ and the
loss is $\frac12 (h^{{(T)}} - y)^2$. How far does a step of gradient descent with the rate {rate:g}
move $b$? And with clipping at $v = 1$? (Only $b$ is learned.)
4. About how far from 0 can $b$ be so that this derivative still describes $h^{{(T)}}$? Compare this
with both steps, and say what clipping does and doesn't achieve.""",
        key=rf"""1. $d_t = w\,d_{{t-1}} + 1$: {_sums(w)}; {_sums(small)} (4 points)
2. 1/(1 − {small:g}) = {1 / (1 - small):.3g}; the factor is {w:g} (2 points)
3. The gradient is −1 · {grad:,.0f}, so the step is {rate:g} · {grad:,.0f} = {rate * grad:,g};
clipped, it is {rate:g} (3 points)
4. The state can't leave the interval from −1 to 1, so only up to about 1/{grad:,.0f} =
{1 / grad:.1g}. Both steps are longer: even the clipped one leaves the steep place. But it stays
near, while the other one lands where the tanh is flat. Clipping limits the step, and the wall
remains (3 points)""",
    )


def _sums(w):
    return ", ".join(f"{(w**t - 1) / (w - 1):.5g}" for t in (1, 2, 3, 4))


LOGS = {
    "after": (
        "The program clips after `optimizer.step()`. The logged norms are right, but every step "
        "was taken with the unclipped gradient",
        "clip between `backward()` and `step()`",
    ),
    "before": (
        "The program clips before `zero_grad()` and `backward()`. So it sees the gradient of the "
        "update before (0 at first), and the new one is never clipped",
        "clip between `backward()` and `step()`",
    ),
    "tensors": (
        "The program clips each tensor on its own, and the log shows the norm of one tensor. "
        "A step can be as long as that of √4 = 2 clipped gradients",
        "call the function once, with all parameters",
    ),
}


def clipped_in_vain(rng):
    """Find out from a log of norms and steps where a program clips."""
    bug = [*LOGS][int(rng.integers(len(LOGS)))]
    told, mend = LOGS[bug]
    norms = [float(one) for one in rng.choice([0.2, 0.4, 0.6, 0.8], 4, replace=False)]
    norms.insert(int(rng.integers(1, 4)), float(rng.choice([20, 30, 60])))
    rate = 0.1
    if bug == "after":
        seen, moved = norms, [rate * norm for norm in norms]
    elif bug == "before":
        seen, moved = [0.0, *norms[:-1]], [rate * norm for norm in norms]
    else:
        seen = [norm / 2 for norm in norms]
        moved = [rate * 2 * min(1, norm / 2) for norm in norms]
    right = [rate * min(1, norm) for norm in norms]
    rows = [
        f"| {i} | {norm:g} | {one:g} | {step:g} |"
        for i, (norm, one, step) in enumerate(zip(norms, seen, moved, strict=True), start=1)
    ]
    return Question(
        kind="diagnose",
        title="Clipped in vain",
        minutes=10,
        text=f"""A network has four tensors of parameters, whose gradients always have equal norms.
It is trained by plain gradient descent with the learning rate {rate:g}. The program should clip the
gradient by norm at 1. It logs the norm that the clipping function returns, which is the norm
*before* clipping. Another program measures the true norm of each gradient and the length of each
step:

| update | true norm | logged norm | length of the step |
|---|---|---|---|
{chr(10).join(rows)}

1. How long should the five steps be?
2. What does the program do wrong? Explain the last two columns.
3. How do you mend it? Which check of one line would have found the bug during training?
4. Somebody says: *The loss went down at each of the small gradients, so clipping works.* Why
doesn't this follow?""",
        key=f"""1. {", ".join(f"{step:g}" for step in right)} (2 points)
2. {told} (4 points: 2 for the bug, 1 for each column)
3. {mend[0].upper()}{mend[1:]}. For example: after each update, assert that the parameters have
moved by at most ηv = {rate:g} (2 points)
4. Gradients below the threshold aren't changed by clipping, so these updates are the same without
it (2 points)""",
    )


def acute(rng):
    """Prove that clipping keeps a mean within a right angle if gradients agree."""
    n, v = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    cosine = 2 * n / (n * n + 1)
    return Question(
        kind="prove",
        title="When gradients agree",
        minutes=15,
        text=rf"""The gradients $\boldsymbol g_1, \ldots, \boldsymbol g_m$ of $m$ examples aren't 0,
and $\boldsymbol g_i^\top \boldsymbol g_j \ge 0$ for all $i$ and $j$. Each of them is clipped by
norm at $v > 0$. Let $\boldsymbol u$ be the mean of the gradients and $\boldsymbol c$ the mean of
the clipped ones.

1. Prove that $\boldsymbol c^\top \boldsymbol u > 0$. What does this say about a small step against
$\boldsymbol c$?
2. Let $v = {v}$. One gradient is $({n * n * v}, 0)$ and {n} others are $(0, {v})$. Compute the
cosine of the angle between $\boldsymbol u$ and $\boldsymbol c$. How close to a right angle can it
get with other gradients along the two axes?
3. Find two gradients with $\boldsymbol g_1^\top \boldsymbol g_2 < 0$ so that $\boldsymbol c$ is 0,
but $\boldsymbol u$ isn't. In which kind of data does this matter?""",
        key=rf"""1. Clipping multiplies $\boldsymbol g_i$ by a factor $a_i > 0$. So
$m^2\,\boldsymbol c^\top \boldsymbol u = \sum_{{i,j}} a_i\,\boldsymbol g_i^\top \boldsymbol g_j \ge
\sum_i a_i \lVert \boldsymbol g_i \rVert^2 > 0$, because the terms with $i \ne j$ aren't negative. A
small step against $\boldsymbol c$ reduces the mean loss of these examples. (8 points: 2 for the
factor, 4 for the sum, 2 for the step)
2. $\boldsymbol u$ points along ({n}, 1) and $\boldsymbol c$ along (1, {n}), so the cosine is
{2 * n}/{n * n + 1} = {cosine:.3g}. With $n$ instead of {n} it is $2n/(n^2 + 1)$, which goes to 0:
as close as you like. (4 points: 2 and 2)
3. For example $({3 * v}, 0)$ and $({-v}, 0)$: they are clipped to opposite vectors. It matters if a
rare example with a long gradient contradicts the others, such as one with a long dependency. (3
points: 2 and 1)""",
    )


TEMPLATES = [log_of_norms, three_ways, tip_of_a_pencil, clipped_in_vain, acute]
