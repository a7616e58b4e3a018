"""Set 5: vanishing gradients, reservoirs, time scales (chapters 13 to 15)."""

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Vanishing gradients, reservoirs, time scales"
CHAPTERS = "13", "14", "15"


def grows(public, hidden):
    """Choose a matrix whose states or gradients grow before they vanish (chapter 13)."""
    k, growth = int(public.integers(2, 6)), int(public.choice([10, 20, 50]))
    back, first = bool(public.integers(2)), int(public.integers(2))
    start = [0, 0]
    start[first] = 1
    if back:
        what, step, length = "gradient", "a step back", rf"The gradient {k} steps back"
        setting = rf"""In a linear network, $\boldsymbol h^{{(t)}} = \boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}}$, the loss depends only on the last state. The
gradient with respect to this state is {tuple(start)}."""
    else:
        what, step, length = "state", "a step", rf"The state after {k} steps"
        setting = rf"""A linear network computes $\boldsymbol h^{{(t)}} = \boldsymbol W \boldsymbol
h^{{(t-1)}}$, without an input. Its initial state is {tuple(start)}."""
    a = round((k - 1) / (2 * k) + k / (2 * k + 2), 3)
    later = round(k / (2 * k + 2) + (k + 1) / (2 * k + 4), 3)
    c = int(np.ceil(2 * growth / (k * a ** (k - 1))))
    row, column = (first, 1 - first) if back else (1 - first, first)
    corner = [0, 0]
    corner[column] = c
    off = [[0, 0], [0, 0]]
    off[row] = corner
    code = f'''
def grows():
    """Return the matrix W."""
    ### BEGIN SOLUTION
    W = {a} * np.eye(2) + np.array({off})
    return W
    ### END SOLUTION
'''

    def properties(W):
        """Return the longest step, whether it is long, the end, and whether W is normal."""
        W = np.asarray(W, float)
        if W.shape != (2, 2):
            raise ValueError("a matrix of another shape")
        vector, lengths = np.array(start, float), []
        for _ in range(300):
            lengths.append(np.linalg.norm(vector))
            vector = (W.T if back else W) @ vector
        normal = bool(np.allclose(W @ W.T, W.T @ W))
        vanishes = bool(max(abs(np.linalg.eigvals(W))) < 1)
        return [int(np.argmax(lengths)), bool(max(lengths) >= growth), vanishes, normal]

    return Problem(
        name="grows",
        title="First larger, then smaller",
        minutes=15,
        points=6,
        text=f"""{setting}

Write `grows()`. It returns a $2 \\times 2$ matrix `W` with these three properties:

- Both eigenvalues are below 1 in modulus, so every {what} vanishes in the end.
- {length} is longer than after any other number of steps, from 0 on.
- There, it is at least {growth} times as long as at the beginning.

Every matrix with these properties is right. Try triangular matrices, and write down
their powers as formulas. What does {step} do to each of the two numbers?""",
        code=code,
        example="print(np.shape(grows()))",
        measure=properties,
        hint="Let your matrix be triangular, with two equal eigenvalues. Write down the first four "
        f"vectors as formulas. How does the length of the {what} depend on the number of steps?",
        success="One entry beside the diagonal sets how far it grows, and the eigenvalues set when "
        "it begins to shrink. The eigenvalues alone don't show the growth.",
        mistakes={
            "the matrix is transposed": Mistake(
                "return W",
                "return W.T",
                f"Which matrix multiplies the {what}? Compute the first vector after the "
                f"{what} {tuple(start)}.",
                0.6,
            ),
            "the matrix is normal": Mistake(
                str(off),
                "[[0, 0], [0, 0]]",
                "Are the eigenvectors of your matrix at a right angle? What is then its largest "
                "singular value?",
                0.1,
            ),
            "an eigenvalue above 1": Mistake(
                f"{a} *", "1.1 *", "What happens to your vector after 300 steps?", 0.2
            ),
            "longest one step later": Mistake(
                f"{a} *",
                f"{later} *",
                f"Compare the lengths after {k} and after {k + 1} steps. Which "
                "eigenvalue makes the second one shorter?",
                0.6,
            ),
        },
    )


def memories(public, hidden):
    """Compute how much a noisy linear reservoir remembers, without any data (chapter 14)."""
    first = int(public.integers(2))
    variance = float(public.choice([0.5, 0.2, 0.1]))
    inside = bool(public.integers(2))
    if inside:
        state = r" + \boldsymbol n^{(t)}"
        read = r"\boldsymbol h^{(t)}"
        later, other = "W @ noise @ W.T", "0 * noise"
        told = "So noise goes around the loop with the state."
    else:
        state = ""
        read = r"\boldsymbol h^{(t)} + \boldsymbol n^{(t)}"
        later, other = "0 * noise", "W @ noise @ W.T"
        told = "So noise is added only where the readout reads, and doesn't go around the loop."
    code = f'''
def memories(W, U, K):
    """Return the capacities at the delays {first} to K."""
    ### BEGIN SOLUTION
    echo, noise, covariance, echoes = U, {variance} * np.eye(len(U)), 0, []
    for _ in range(1000):
        echoes.append(echo)
        covariance = covariance + np.outer(echo, echo) + noise
        echo, noise = W @ echo, {later}
    return np.array([echo @ np.linalg.solve(covariance, echo) for echo in echoes[{first} : K + 1]])
    ### END SOLUTION
'''
    example = np.array([[0.5]]), np.array([1.0]), 2
    space = {"np": np}
    exec(code, space)
    shown = space["memories"](*example).round(3).tolist()
    return Problem(
        name="memories",
        title="Memory without measurement",
        minutes=20,
        points=8,
        text=rf"""A reservoir is linear. It receives one number at each step and computes

$$\boldsymbol h^{{(t)}} = \boldsymbol W \boldsymbol h^{{(t-1)}} + \boldsymbol U x^{{(t)}}{state}.$$

All inputs are independent, with mean 0 and variance 1. The noise $\boldsymbol n^{{(t)}}$ is
independent of the inputs, in each unit and at each step, with mean 0 and variance {variance:g}.
The readout for delay $k$ is the weighted sum of the entries of **${read}$** whose mean squared
distance from $x^{{(t-k)}}$ is smallest. {told}

The capacity at delay $k$ is the squared correlation between this sum and $x^{{(t-k)}}$. Write
`memories(W, U, K)`. It returns the capacities at the delays **{first} to K**, as an array. `W` has
the shape `(n, n)` and a spectral radius of at most 0.9, and `U` has the shape `(n,)`. The
network has been running forever. Compute the capacities from the covariances, without drawing
random numbers; the answer must be right to six digits.""",
        code=code,
        example=f"print(memories(np.array([[0.5]]), np.array([1.0]), 2).round(3))  # {shown}",
        tolerance=1e-6,
        cases=[_reservoir(hidden, n, K) for n, K in ((1, 3), (2, 3), (3, 4), (3, 5))],
        hint="Begin with one unit. Write its state as a sum over all past inputs. What is its "
        "variance, and what is its covariance with the input from k steps ago?",
        success="An echo counts only as far as it stands out from all other echoes and from the "
        "noise. No test set was needed, because you know the covariances exactly.",
        mistakes={
            "the noise is forgotten": Mistake(
                f"{variance} * np.eye",
                "0 * np.eye",
                "Which parts does the variance of what the readout reads have?",
                0.5,
            ),
            "the noise is in another place": Mistake(
                f"echo, {later}",
                f"echo, {other}",
                "Follow the noise of a single step. Does the readout of a later step contain any "
                "of it?",
                0.6,
            ),
            "the first delay is another one": Mistake(
                f"echoes[{first} :",
                f"echoes[{1 - first} :",
                "At which delay does your result begin?",
                0.8,
            ),
            "the correlation isn't squared": Mistake(
                "np.array([echo @ np.linalg.solve(covariance, echo)",
                "np.array([np.sqrt(echo @ np.linalg.solve(covariance, echo))",
                "Is the capacity a correlation, or its square?",
                0.7,
            ),
            "every unit by itself": Mistake(
                "np.linalg.solve(covariance, echo)",
                "(echo / np.diag(covariance))",
                "If two units had the same state, would they tell the readout twice as much "
                "as one?",
                0.3,
            ),
            "older inputs are left out": Mistake(
                "range(1000)",
                "range(K + 1)",
                "Does an input that is older than K steps still contribute to the state?",
                0.6,
            ),
        },
    )


def _reservoir(rng, n, K):
    """Return arguments of `memories`, with a spectral radius below 0.9."""
    W = rng.normal(size=(n, n))
    W = np.round(W * rng.uniform(0.6, 0.85) / max(abs(np.linalg.eigvals(W))), 2)
    return W, np.round(rng.uniform(0.5, 1.5, n), 2) * rng.choice([-1, 1], n), K


NETWORKS = {
    "skips": "it has only skip connections through time",
    "clocks": "its units update only when their clock ticks",
    "fades": "its memory fades within a few steps",
}


def moved(public, hidden):
    """Find out from a table of right answers what a network can remember (chapters 15 and 13)."""
    kind = str(public.choice(list(NETWORKS)))
    number = int(public.choice([5, 8, 11] if kind == "fades" else [3, 4, 5]))
    last = int(public.choice([14, 15]))
    steps, ends = range(1, 13), (last, last + 2)

    def works(onset, end):
        if kind == "skips":
            return (end - onset) % number == 0
        return onset % number == 0 if kind == "clocks" else end - onset <= number

    table = "\n".join(
        f"| {s} | "
        + " | ".join(
            f"{public.integers(98, 101) if works(s, end) else public.integers(47, 54)} %"
            for end in ends
        )
        + " |"
        for s in steps
    )
    shown = int(public.choice([s for s in steps if works(s, last)]))
    known = sum(works(s, 60) for s in range(1, 61)) / 60
    right = known + (1 - known) / 2
    name = NETWORKS[kind]
    code = f'''
def moved():
    """Return the kind of network, its number, and the share of right answers."""
    ### BEGIN SOLUTION
    return {{"network": "{name}", "number": {number}, "right": {round(right, 4)}}}
    ### END SOLUTION
'''
    others = {
        f"taken for: {other}": Mistake(
            f'"{name}"',
            f'"{other}"',
            "Compare the two columns. Which steps of the bit stay good when the answer is due two "
            "steps later?",
            0.5,
        )
        for other in NETWORKS.values()
        if other != name
    }
    return Problem(
        name="moved",
        title="Move the signal by a step",
        minutes=15,
        points=6,
        text=f"""A bit, 0 or 1 with equal probability, arrives at one of many steps, and a second
input marks this step. All other inputs are noise. After the last step, a trained network has to
output the bit. A student tested a network with a bit at step {shown} and the answer due after step
{last}. It was right every time, so the student concluded: "It has learned to hold a bit."

Somebody else moved the bit, and also the answer. This is how often the network was right:

| bit at step | answer after step {ends[0]} | answer after step {ends[1]} |
|---|---|---|
{table}

The network is one of these three, and it has learned all that its connections allow:

- `"{NETWORKS["skips"]}"`: the state of step $t$ depends on the input of step $t$ and on the state
  of step $t - n$, and on nothing else.
- `"{NETWORKS["clocks"]}"`: at each step that is a multiple of $n$, all units take in the input and
  compute new states. At all other steps they keep their states.
- `"{NETWORKS["fades"]}"`: it remembers a bit that arrived at most $n$ steps before the last step,
  and nothing older.

Write `moved()`. It returns a dictionary: `"network"` is one of the three sentences in quotes;
`"number"` is $n$; and `"right"` is the share of right answers, as a number between 0 and 1, that
you expect if the answer is due after step 60 and the bit arrives at each of the steps 1 to 60
equally often.""",
        code=code,
        example="assert set(moved()) == {'network', 'number', 'right'}, 'expected three keys'",
        tolerance=2e-3,
        parts={"network": 0.4, "number": 0.3, "right": 0.3},
        hint="Mark the steps of the bit at which the network is right. What do these steps have in "
        "common, in each column?",
        success="Whether a network remembers depends on the steps at which you test it. You found "
        "its blind steps by moving the signal.",
        mistakes={
            "guesses count as wrong": Mistake(
                f'"right": {round(right, 4)}',
                f'"right": {round(known, 4)}',
                "How often is a network right that knows nothing about the bit?",
                0.8,
            ),
            "the number is one too small": Mistake(
                f'"number": {number}',
                f'"number": {number - 1}',
                "Take the first step of the bit at which the network is right. How many steps "
                "later is the next good one? And if all later ones are good, how far is the end?",
                0.7,
            ),
            **others,
        },
    )


def slow_gradient(public, hidden):
    """Prove what a leak guarantees for states and gradients (chapters 15, 14 and 13)."""
    kept, new = (r"(1 - a)", "a") if public.integers(2) else (r"\alpha", r"(1 - \alpha)")
    letter = "a" if new == "a" else r"\alpha"
    plain_kept, plain_new = ("1 - a", "a") if letter == "a" else (r"\alpha", r"(1 - \alpha)")
    share, lost = (("half", 2), ("nine tenths", 10))[int(public.integers(2))]
    noise = bool(public.integers(2))
    value = (
        rf"$a = \frac1{{{lost} k (1 + \sigma)}}$"
        if letter == "a"
        else rf"$\alpha = 1 - \frac1{{{lost} k (1 + \sigma)}}$"
    )
    if noise:
        question = r"""A student concludes: "With this leak, the network also protects a bit from
noise for $k$ steps." Suppose that at each step, noise is added to the state. What does part 2 say
about it?"""
        answer = r"""A small push of the state is multiplied by the same Jacobians as a gradient.
Its length is bounded from below in the same way, because $\boldsymbol J$ and its transpose obey
the same inequality. So a push isn't removed within $k$ steps, and the noise of many steps adds up.
What keeps the gradient keeps the noise, too."""
        point = "Part 3 says that a push keeps its length as a gradient does, so noise adds up."
    else:
        question = r"""A student concludes: "With this leak, the network learns what it should
store as quickly as a network without a leak." Look at the gradient with respect to $\boldsymbol
U$. What speaks against it?"""
        answer = rf"""At each step, $\boldsymbol U$ acts only inside the tanh, so its gradient
contains the factor ${plain_new}$, which is of the order of $1/k$. The gradient reaches back, but a
new input hardly changes the state, so with plain gradient descent at the same learning rate,
$\boldsymbol U$ learns slowly."""
        point = (
            "Part 3 names the small factor in the gradient of U, or how little a state takes in."
        )
    return Proof(
        name="slow_gradient",
        title="What does a leak guarantee?",
        minutes=25,
        text=rf"""A network of leaky units computes

$$\boldsymbol h^{{(t)}} = {kept}\, \boldsymbol h^{{(t-1)}} + {new} \tanh(\boldsymbol b +
\boldsymbol W \boldsymbol h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}}),$$

where ${letter}$ is a number between 0 and 1. Let $\sigma$ be the norm of $\boldsymbol W$, which is
its largest singular value.

1. Two runs receive the same inputs, but their initial states differ. Prove that after $k$ steps,
the distance of their states is at most $({plain_kept} + {plain_new}\sigma)^k$ times as large as at
the beginning.
2. Prove that a gradient that goes back over $k$ steps keeps at least the share $({plain_kept} -
{plain_new}\sigma)^k$ of its length, if the number in parentheses is positive. (The gradient
comes only from the last state.)
3. Use part 2 to give an ${letter}$, as a formula with $k$ and $\sigma$, with which at least
{share} of every gradient is left after $k$ steps. (For $0 \le p \le 1$, $(1 - p)^k \ge 1 - kp$.)
{question}""",
        solution=rf"""**1.** Let $\boldsymbol h$ and $\boldsymbol h'$ be the two states before a
step. The slope of tanh is at most 1, so $|\tanh p - \tanh q| \le |p - q|$, in each unit. Bias and
input cancel in the difference, so the two tanhs differ by at most $\lVert \boldsymbol
W(\boldsymbol h - \boldsymbol h') \rVert \le \sigma \lVert \boldsymbol h - \boldsymbol h' \rVert$.
By the triangle inequality, the new distance is at most ${plain_kept} + {plain_new}\sigma$ times
the old one. Apply this $k$ times.

**2.** The Jacobian of a step is $\boldsymbol J = {kept} \boldsymbol I + {new} \boldsymbol D
\boldsymbol W$, where $\boldsymbol D$ is diagonal and contains the slopes of the tanhs, which are
above 0 and at most 1. A step back turns a gradient $\boldsymbol g$ into
$\boldsymbol J^\top \boldsymbol g = {kept} \boldsymbol g + {new} \boldsymbol W^\top
\boldsymbol D \boldsymbol g$. The second term is at most ${plain_new}\sigma
\lVert \boldsymbol g \rVert$ long. By the triangle inequality, $\lVert
\boldsymbol J^\top \boldsymbol g \rVert \ge ({plain_kept} - {plain_new}\sigma) \lVert \boldsymbol g
\rVert$. If this number is positive, apply the inequality $k$ times.

**3.** The number in parentheses is $1 - p$ with $p = {plain_new}(1 + \sigma)$. With {value}, $p =
\frac1{{{lost} k}}$, and at least $1 - kp = 1 - \frac1{{{lost}}}$ is left. {answer}""",
        rubric={
            "Part 1 uses that the tanh never enlarges a difference, with the reason.": 2,
            "Part 1 adds both terms with the triangle inequality and repeats the step.": 2,
            "Part 2 has the transposed Jacobian with both of its terms.": 2,
            "Part 2 bounds the length from below and multiplies over the steps.": 2,
            "Part 3 gives a value that follows from the inequality.": 1,
            point: 2,
        },
    )


TEMPLATES = [grows, memories, moved, slow_gradient]
