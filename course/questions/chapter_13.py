"""Questions on chapter 13, Why gradients vanish."""

import math

import numpy as np

from course.exam import Question


def resting(w):
    """Return the positive state at which h = tanh(w h)."""
    h = 1.0
    for _ in range(1000):
        h = math.tanh(w * h)
    return h


def tens(x):
    """Write a small or large number as a product with a power of ten."""
    if 0.01 <= x < 100:
        return f"{x:.2g}"
    digits, exponent = f"{x:.1e}".split("e")
    return rf"${digits} \cdot 10^{{{int(exponent)}}}$"


def grip(rng):
    """Read where a unit rests, and what its grip costs."""
    w = float(rng.choice([1.5, 1.75, 2.0, 2.5]))
    steps = int(rng.choice([3, 4]))
    share = int(rng.choice([2, 10]))
    h = resting(w)
    slope = w * (1 - h**2)
    shown = float(f"{slope:.2f}")
    wanted = (1 / share) ** (1 / 200)
    return Question(
        kind="read",
        title="The price of a firm grip",
        minutes=10,
        text=f"""The figure shows a unit, $h$ ← tanh({w:g} $h$ + noise), that has to hold a sign for
200 steps. On the left, you see the map from one state to the next.

1. Read off the three states at which the unit can rest without noise. Which of them are
attractors? What is the slope of the map at the one in the middle?
2. A word pushes the unit by 0.1 away from the upper attractor. About how much of the push is left
after {steps} further steps without noise?
3. What is left of a gradient after 20 steps at rest?
4. Somebody wants to keep 1/{share} of the gradient over 200 steps, and changes $w$. How large must
the slope at rest be? Why would such a unit lose its
sign in the noise of the figure?""",
        figure=("latch", {"w": w}),
        key=f"""1. About −{h:.2f}, 0 and {h:.2f}. The outer two are attractors. At 0, the slope of
tanh is 1, so that of the map is {w:g}: above 1, so nearby states move away (4 points)
2. Each step multiplies it by about {shown:g}, the slope at rest: {tens(0.1 * shown**steps)} (2
points)
3. {shown:g} to the power of 20: {tens(shown**20)} (1 point)
4. {1 / share:g} to the power of 1/200: {wanted:.4f}. For this, $w$ must be close to 1. Then hardly
anything of the noise is removed, so it adds up, and the two attractors are close together: noise
carries the state across 0 (3 points)""",
    )


# The entries of a symmetric matrix with equal diagonal entries, and a start.
SYMMETRIC = (
    ((0.8, 0.3), (1, 0)),
    ((0.8, -0.3), (0, 1)),
    ((0.7, 0.5), (3, 1)),
    ((0.7, -0.5), (3, 1)),
    ((0.3, 0.8), (1, 0)),
)


def modes(rng):
    """Take a start apart into modes, and follow them."""
    (a, b), start = SYMMETRIC[int(rng.integers(len(SYMMETRIC)))]
    t = int(rng.choice([20, 30]))
    W = np.array([[a, b], [b, a]])
    plus, minus = round(a + b, 3), round(a - b, 3)
    along, across = (start[0] + start[1]) / 2, (start[0] - start[1]) / 2
    two = W @ W @ start
    large, vector = (plus, "(1, 1)") if abs(plus) > 1 else (minus, "(1, −1)")
    other = "(1, −1)" if abs(plus) > 1 else "(1, 1)"
    size = along if abs(plus) > 1 else across
    small = minus if abs(plus) > 1 else plus
    first = (along * plus, across * minus)
    late = [size * large**t, (1 if abs(plus) > 1 else -1) * size * large**t]
    turns = " (It changes its sign at every step.)" if small < 0 else ""
    sign = "−" if across < 0 else "+"
    return Question(
        kind="compute",
        title="Two modes",
        minutes=10,
        text=rf"""A linear loop computes $\boldsymbol h^{{(t)}} = \boldsymbol W \boldsymbol
h^{{(t-1)}}$ with

$$ \boldsymbol W = \begin{{pmatrix}} {a:g} & {b:g} \\ {b:g} & {a:g} \end{{pmatrix}}, \qquad
\boldsymbol h^{{(0)}} = ({start[0]}, {start[1]}). $$

1. The eigenvectors are (1, 1) and (1, −1). Which eigenvalues belong to them?
2. Write the start as a sum of eigenvectors, and compute the states after one and after two steps.
3. Which mode vanishes, and which explodes? About where is the state after {t} steps?
4. From which starts does the state vanish? Why would you hardly see that in a computer, after many
steps?""",
        key=rf"""1. {plus:g} and {minus:g} (2 points)
2. {along:g} · (1, 1) {sign} {abs(across):g} · (1, −1). After one step, this is ({sum(first):.4g},
{first[0] - first[1]:.4g}), and after two steps ({two[0]:.4g}, {two[1]:.4g}) (3 points)
3. The mode along {other} vanishes, because its eigenvalue is {small:g}.{turns} The mode along
{vector} explodes: the state is about ({late[0]:.3g}, {late[1]:.3g}) (3 points)
4. From the multiples of {other}. Rounding adds a tiny part along {vector}, which grows at every
step (2 points)""",
    )


def start_weights(rng):
    """Compute the factor of an initialization, and what it hides."""
    n, factor = [(75, 0.5), (48, 0.4), (108, 0.6), (147, 0.7)][int(rng.integers(4))]
    k = int(rng.integers(4, 8))
    slope = float(rng.choice([0.5, 0.6, 0.8]))
    left = factor**k
    return Question(
        kind="compute",
        title="Before the first update",
        minutes=11,
        text=rf"""The matrix $\boldsymbol W$ of a network with {n} tanh units is drawn evenly from
−0.1 to 0.1. At first, the states are so small that all slopes are 1. (Numbers that are drawn evenly
from $-a$ to $a$ have the variance $a^2/3$.)

1. By which factor does one step back multiply the length of a gradient, on average?
2. How much of it is left after {k} steps?
3. In each sentence, the term of the last word has length 1 and a random direction, and the term of
the word {k} steps earlier is as long as the result of part 2 and always points in the same
direction. Over how many sentences do you have to average until both are equally long?
4. From which interval should the entries be drawn to make the factor 1? Then the inputs are scaled
up until the average slope is {slope:g}. About how much is left after {k} steps now?""",
        key=rf"""1. The variance is $0.1^2/3$ = 1/300, so the factor is $\sqrt{{{n}/300}}$ =
{factor:g} (3 points)
2. ${factor:g}^{k}$ = {left:.3g} (1 point)
3. An average over $N$ random directions has a length of about $1/\sqrt N$. So $N$ = 1 /
{left:.3g}² = {1 / left**2:,.0f} (3 points)
4. $a^2/3 = 1/{n}$, so $a = \sqrt{{3/{n}}}$ = {math.sqrt(3 / n):.3g}. With the slopes, about
${slope:g}^{k}$ = {slope**k:.3g} is left: large inputs undo the good start (4 points: 2 for the
interval, 2 for the slopes)""",
    )


CAUSES = (
    "The weights are too small, as with PyTorch's default: their factor is far below 1, and the "
    "slopes are harmless. An orthogonal start repairs it",
    "The units are saturated: the slopes are small, although the weights keep lengths. The inputs "
    "are too large. Scale them, or draw $\\boldsymbol U$ smaller",
    "The weights are too large, so gradients explode, and an update can throw the weights far off. "
    "An orthogonal start repairs it, and clipping the gradients helps",
)


def no_good(rng):
    """Find out why a network learned nothing."""
    found = int(rng.integers(3))
    slope, weights = (
        [(0.96, 0.58), (0.98, 0.5), (0.95, 0.6)],
        [(0.4, 1.0), (0.3, 1.0), (0.5, 1.0)],
        [(0.9, 1.5), (0.95, 1.6), (0.9, 1.4)],
    )[found][int(rng.integers(3))]
    size = math.sqrt(1 - slope)
    step = slope * weights
    columns = " | ".join(tens(step**k) for k in (5, 10, 20))
    mean = float(rng.choice([0.97, 0.98, 0.99]))
    return Question(
        kind="diagnose",
        title="Plain networks are no good",
        minutes=10,
        text=f"""A plain tanh network and a gated one have to hold a bit for 20 steps that comes at
a random step. The gated one learns it in 9 of 10 runs, and the plain one in none. *So plain
networks can't bridge 20 steps*, somebody writes. Before training, the plain network's gradients
have these lengths, relative to that at the last step:

| 5 steps back | 10 steps back | 20 steps back |
|---|---|---|
| {columns} |

The typical state of a unit is {size:.2f} or −{size:.2f}.

1. What is the factor of one step back? What part of it comes from the slopes, and what part from
the weights?
2. What went wrong, and how would you repair it?
3. After the repair, a step has the factor {mean:g}. How much of the gradient is left after 20
steps?
4. What else has to be fair before one can compare the two architectures?""",
        key=f"""1. The fifth root of the first number: {step:.3g}. The slope is 1 − h² =
{slope:.2f}, so the weights' factor is {step:.3g} / {slope:.2f} = {weights:.2g} (4 points)
2. {CAUSES[found]} (3 points)
3. {mean:g} to the power of 20: {mean**20:.2g} (1 point)
4. For example: each architecture needs a learning rate and an initialization that suit it, and
both need as many parameters and as many runs (2 points)""",
    )


def hump(rng):
    """Prove how far a state can grow before it vanishes."""
    radius, kappa = float(rng.choice([0.5, 0.8, 0.9, 0.95])), int(rng.choice([10, 20, 50]))
    c = int(rng.integers(3, 7))
    sure = math.ceil(math.log(kappa) / -math.log(radius))
    return Question(
        kind="prove",
        title="How high is the hump?",
        minutes=15,
        text=rf"""Let $\boldsymbol W = \boldsymbol Q \boldsymbol \Lambda \boldsymbol Q^{{-1}}$ with
a diagonal matrix $\boldsymbol \Lambda$ of eigenvalues and the spectral radius $\rho$. Let $\kappa =
\|\boldsymbol Q\| \, \|\boldsymbol Q^{{-1}}\|$, where a norm is the largest singular value. States
follow $\boldsymbol h^{{(t)}} = \boldsymbol W \boldsymbol h^{{(t-1)}}$.

1. Prove $\|\boldsymbol W^k\| \le \kappa \rho^k$.
2. Prove: if the eigenvectors are real and orthogonal and have length 1, then $\|\boldsymbol W^k\| =
\rho^k$.
3. Let $\rho = {radius:g}$ and $\kappa = {kappa}$. From which step on are you sure that no state is
longer than at the start?
4. Show that $\kappa \ge {c} / \rho$ for the matrix $\begin{{pmatrix}} {radius:g} & {c} \\ 0 & 0.3
\end{{pmatrix}}$, without computing $\boldsymbol Q$.""",
        key=rf"""1. In the product of $k$ factors, each inner $\boldsymbol Q^{{-1}} \boldsymbol Q$
cancels, so $\boldsymbol W^k = \boldsymbol Q \boldsymbol \Lambda^k \boldsymbol Q^{{-1}}$. The norm
of a product is at most the product of the norms, and the norm of the diagonal matrix is its largest
entry in size, $\rho^k$. (5 points: 2 for the power, 3 for the norms)
2. Then $\boldsymbol Q$ is orthogonal and keeps all lengths, as its inverse does, so $\kappa = 1$
and $\|\boldsymbol W^k\| \le \rho^k$. And the eigenvector of the eigenvalue with the largest size is
stretched by exactly $\rho^k$. (4 points: 2 for each direction)
3. If ${kappa} \cdot {radius:g}^k \le 1$, so $k \ge \ln {kappa} / (-\ln {radius:g})$: from step
{sure} on. (3 points)
4. The vector (0, 1) becomes ({c}, 0.3), which is longer than {c}. So $\|\boldsymbol W\| \ge {c}$,
and part 1 with $k = 1$ gives $\kappa \rho \ge {c}$. (3 points)""",
    )


TEMPLATES = [grip, modes, start_weights, no_good, hump]
