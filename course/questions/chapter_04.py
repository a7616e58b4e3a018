"""Questions on chapter 04, Back-propagation through time."""

import numpy as np

from course.exam import Question


def gradient_in_a_figure(rng):
    """Read states from a figure, and go back through them."""
    T, last = int(rng.integers(3, 6)), float(rng.choice([1.0, 1.5, -2.0, 0.8]))
    states = {3: [0.8, 0.5, 0.6], 4: [0.8, 0.5, 0.5, 0.6], 5: [0.8, 0.5, 0.5, 0.5, 0.6]}[T]
    g, told = last, []
    for h in reversed(states[1:]):
        g *= 0.5 * (1 - h**2)
        told.append(f"{g:.4g}")
    return Question(
        kind="read",
        title="Back to the first word",
        minutes=8,
        text=f"""The figure shows a network with one unit. The arrows between steps have the
weight 0.5. Suppose that the gradient of some loss with respect to the last state is {last:g}, and
that no other state affects this loss directly.

1. Compute the gradients with respect to the states before it, down to the first.
2. Which of the states passes the smallest share of its gradient on, and why?""",
        figure=("bptt", {"T": T}),
        key=f"""1. Each step back multiplies by 0.5 (1 − h²), with the *later* state:
{", ".join(told)} (6 points; 3 if the slope is taken at the earlier state)
2. The last: its state, 0.6, is the farthest from 0 among those that the gradient passes, so its
slope, 0.64, is the smallest. (2 points)""",
    )


def softmax_step(rng):
    """Compute the gradient of a softmax with cross-entropy, and a step."""
    p = [(0.5, 0.3, 0.2), (0.6, 0.3, 0.1), (0.1, 0.2, 0.7)][int(rng.integers(3))]
    target, rate = int(rng.integers(3)), float(rng.choice([0.1, 0.5, 1.0]))
    g = np.array(p) - np.eye(3)[target]
    return Question(
        kind="compute",
        title="One step down",
        minutes=8,
        text=f"""At one step, a network gives its three symbols A, B and C the probabilities
{p[0]:g}, {p[1]:g} and {p[2]:g}. The target is {"ABC"[target]}.

1. What is the gradient of the loss with respect to the three logits?
2. If the logits themselves took a step of gradient descent with the learning rate {rate:g}, by
how much would each change? Which symbols would become less likely?
3. Why do the entries of the gradient add up to 0?""",
        key=f"""1. ({", ".join(f"{v:.4g}" for v in g)}) (3 points)
2. ({", ".join(f"{-rate * v:.4g}" for v in g)}); all but {"ABC"[target]} (3 points)
3. Both the probabilities and the one-hot target add up to 1. (Or: adding a number to all logits
changes nothing.) (2 points)""",
    )


def three_steps_back(rng):
    """Compute a gradient of a linear network by hand."""
    w, xs = float(rng.choice([0.5, -0.5, 2.0])), rng.integers(1, 4, 3).tolist()
    hs = [0.0]
    for x in xs:
        hs.append(w * hs[-1] + x)
    y = hs[-1] - int(rng.choice([-2, 1, 2]))
    e = hs[-1] - y
    parts = [e * w ** (3 - t) * hs[t - 1] for t in (1, 2, 3)]
    return Question(
        kind="compute",
        title="Three steps back",
        minutes=10,
        text=rf"""A linear network with one unit computes $h^{{(t)}} = w h^{{(t-1)}} + x^{{(t)}}$
with $w = {w:g}$ and $h^{{(0)}} = 0$. The inputs are {xs[0]}, {xs[1]} and {xs[2]}, and the loss is
$\frac12 (h^{{(3)}} - y)^2$ with $y = {y:g}$.

1. Compute the states and the loss.
2. Compute the gradients with respect to the three states.
3. Compute the gradient with respect to $w$, and name the share of each step.""",
        key=f"""1. {", ".join(f"{h:g}" for h in hs[1:])}; the loss is {e * e / 2:g} (3 points)
2. {", ".join(f"{e * w ** (3 - t):g}" for t in (1, 2, 3))} (3 points)
3. {" + ".join(f"({part:g})" for part in parts)} = {sum(parts):g} (4 points; 2 if h(t) stands for
h(t−1))""",
    )


CHECKS = (
    (
        "only the last step counts",
        "The gradient of W leaves out all steps but the last. The shares of the copies must be "
        "added (`+=` instead of `=`).",
    ),
    (
        "the slope is missing",
        "The slope of the tanh, 1 − h², is missing, so even one step is wrong, and each further "
        "step adds to it.",
    ),
    (
        "divided by T",
        "The gradient is divided by the number of steps, while the loss is a sum (or the loss is a "
        "mean in one place only). The ratio is exactly 1/T.",
    ),
)


def gradient_check(rng):
    """Find the bug in a back-propagation from a table of gradient checks."""
    bug, explained = CHECKS[int(rng.integers(len(CHECKS)))]
    w, u = float(rng.choice([0.6, 0.8, 0.9])), float(rng.choice([0.5, 0.7]))
    rows = []
    for T in (1, 2, 3, 4):
        hs = [0.4]
        for _ in range(T):
            hs.append(np.tanh(w * hs[-1] + u))
        right = wrong = g = 0.0
        slope_free = 0.0
        for t in range(T, 0, -1):
            g += 1.0
            d = g * (1 - hs[t] ** 2)
            right += d * hs[t - 1]
            g = w * d
        g = 0.0
        for t in range(T, 0, -1):
            g += 1.0
            slope_free += g * hs[t - 1]
            g = w * g
        last = (1 - hs[T] ** 2) * hs[T - 1]
        wrong = {CHECKS[0][0]: last, CHECKS[1][0]: slope_free, CHECKS[2][0]: right / T}[bug]
        rows.append(f"| {T} | {right:.4f} | {wrong:.4f} |")
    table = "\n".join(rows)
    return Question(
        kind="diagnose",
        title="A gradient check fails",
        minutes=10,
        text=rf"""A network with one tanh unit has a loss that is the sum of its states. For
sequences of length $T$, somebody compares the gradient of the weight $w$ by back-propagation with
difference quotients:

| $T$ | difference quotient | back-propagation |
|---|---|---|
{table}

1. Which of the two columns do you trust, and why?
2. What is the bug? Say how each row of the table supports your answer.
3. How small should the distance of a difference quotient be? What goes wrong if it is much
smaller?""",
        key=f"""1. The difference quotient: it uses only the loss, which is simpler to get right
(2 points)
2. {explained} (6 points: 3 for the bug, 3 for the evidence)
3. With two sides, about 10⁻⁵. Below, the loss's rounding errors are divided by a tiny number. (2
points)""",
    )


def masked_future(rng):
    """Prove that steps after the last loss have no gradient."""
    m = int(rng.integers(3, 7))
    T = m + int(rng.integers(2, 5))
    return Question(
        kind="prove",
        title="After the last loss",
        minutes=15,
        text=rf"""A network computes $\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}} + \boldsymbol b)$ for $t = 1, \ldots, {T}$. Its
loss is $L = \sum_{{t \le {m}}} L^{{(t)}}$, where $L^{{(t)}}$ depends on $\boldsymbol h^{{(t)}}$
alone: the other steps are masked.

1. Prove that the gradient of $L$ with respect to $\boldsymbol h^{{(t)}}$ is 0 for every $t >
{m}$.
2. Prove that the gradient with respect to $\boldsymbol W$ is the same as that of a network that
stops after step {m}.
3. Somebody masks the *inputs* after step {m} with zeros and keeps all losses. Are the gradients
of part 1 still 0?""",
        key=f"""1. Backward from t = {T}: the last state has no loss and no next state, so its
gradient is 0. If it is 0 at t + 1 and t > {m}, then at t it is Wᵀ D · 0 + 0 = 0. (Or: no path
leads from it to a loss.) (7 points: 2 for the first case, 3 for the step, 2 for the two ways on
which a state affects L)
2. The gradient of W is a sum over the steps, and the share of step t has the gradient of h(t) as
a factor. So the shares after {m} are 0. The others are equal, because the gradient of h({m}) is
that of its own loss alone in both networks. (5 points)
3. No. The losses after step {m} depend on the states, whatever the inputs are. (3 points)""",
    )


TEMPLATES = [gradient_in_a_figure, softmax_step, three_steps_back, gradient_check, masked_future]
