"""Set 1: unfolding, recurrent networks, back-propagation through time (chapters 02 to 04)."""

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Unfolding, recurrent networks, back-propagation"
CHAPTERS = "02", "03", "04"


def rounds(public, hidden):
    """Time an unfolded graph on a machine that computes many nodes at once (chapter 02)."""
    loads = int(public.integers(2))
    rule = (
        "Inputs, which have no arrow to them, have to be loaded. All of them are loaded in round 1."
        if loads
        else "Inputs, which have no arrow to them, are known from the beginning, in round 0."
    )
    delay = int(public.integers(2, 4))
    example = [("x", "h", 0), ("h", "h", delay), ("h", "o", 0)]
    code = f'''
def rounds(edges, node, T):
    """Return the round in which a node of step T is ready."""
    ### BEGIN SOLUTION
    known = {{}}

    def ready(name, t):
        arrows = [(source, t - delay) for source, target, delay in edges if target == name]
        if t < 1:
            return 0
        if not arrows:
            return {loads}
        if (name, t) not in known:
            known[name, t] = 1 + max(ready(*arrow) for arrow in arrows)
        return known[name, t]

    return ready(node, T)
    ### END SOLUTION
'''
    return Problem(
        name="rounds",
        title="How long does the graph take?",
        minutes=15,
        points=6,
        text=f"""A circuit is given as a list of edges `(source, target, delay)`. It is unfolded
for the steps 1 to $T$. A machine computes the nodes in rounds. In each round it computes all
nodes, as many as there are, whose arrows come from nodes that were known before the round.

- {rule}
- The values from before step 1 are known from the beginning, in round 0.

Write `rounds(edges, node, T)`. It returns the number of the round in which the node called `node`
is ready at step $T$. No node is computed from itself within a step, and $T$ is at most 8.""",
        code=code,
        example=f"print(rounds({example}, 'o', {delay}))  # {loads + 2}",
        cases=[*_telling(hidden), *(_circuit(hidden) for _ in range(5))],
        hint="Draw two steps of the circuit x -> h -> o, where h has a loop. Write beside each "
        "node the round in which it is ready. Does your function return these numbers?",
        success="A node waits for the longest path that leads to it, and a longer delay makes the "
        "longest path shorter.",
        mistakes={
            "the shortest path": Mistake(
                "max(",
                "min(",
                "Two arrows end in a node. One begins at a node of round 1, the other at a node of "
                "round 3. In which round can the node be computed?",
                0.4,
            ),
            "arrows within a step take no time": Mistake(
                "known[name, t] = 1 + max(ready(*arrow) for arrow in arrows)",
                "known[name, t] = max((arrow[1] < t) + ready(*arrow) for arrow in arrows)",
                "In a chain of three nodes without a delay, can the machine compute the last node "
                "in the round of the first?",
                0.4,
            ),
            "the other rule for inputs": Mistake(
                f"return {loads}",
                f"return {1 - loads}",
                "In which round are the inputs known? Read the first rule again.",
                0.7,
            ),
            "initial states take a round": Mistake(
                "if t < 1:\n            return 0",
                "if t < 1:\n            return 1",
                "In which round are the values from before step 1 known?",
                0.7,
            ),
            "every step takes a round": Mistake(
                "return ready(node, T)",
                "return T",
                "Suppose that the only loop has a delay of 2. Does step 2 have to wait for step 1?",
                0.1,
            ),
        },
    )


def _telling(rng):
    """Return arguments of `rounds` that tell the mistakes apart, with random steps."""
    slow, short, chain = (int(T) for T in rng.integers(4, 9, size=3))
    return [
        ([("h", "h", 1), ("h", "o", 0)], "o", slow),
        ([("x", "h", 0), ("h", "o", 0)], "h", slow),
        ([("x", "h", 0), ("h", "h", 2), ("h", "o", 0)], "o", short),
        ([("x", "g", 0), ("g", "h", 0), ("h", "g", 1), ("x", "o", 0), ("h", "o", 0)], "o", chain),
    ]


def _circuit(rng):
    """Return random arguments of `rounds`: delays between 0 and 3, no cycle without a delay."""
    names = ["x", "z", "g", "h", "o"]
    edges = [("x", "g", int(rng.integers(3))), ("g", "h", 0), ("h", "o", 0)]
    edges += [("z", "h", int(rng.integers(2))), ("h", "h", int(rng.integers(1, 4)))]
    for _ in range(2):
        source, target = rng.integers(2, 5, size=2)
        delay = int(rng.integers(1, 4)) if source >= target else int(rng.integers(3))
        edges.append((names[source], names[target], delay))
    rng.shuffle(edges)
    node = str(rng.choice(["h", "o"]))
    return [(str(a), str(b), int(delay)) for a, b, delay in edges], node, int(rng.integers(3, 9))


BUGS = {
    "W is transposed": lambda W, U, b, h, x, before, t, k: np.tanh(W.T @ h + U * x + b),
    "b is added after the tanh": lambda W, U, b, h, x, before, t, k: np.tanh(W @ h + U * x) + b,
    "the input is one step late": lambda W, U, b, h, x, before, t, k: np.tanh(
        W @ h + U * before + b
    ),
    "the state is reset once": lambda W, U, b, h, x, before, t, k: np.tanh(
        W @ (h * (t != k)) + U * x + b
    ),
    "W has the wrong sign": lambda W, U, b, h, x, before, t, k: np.tanh(-W @ h + U * x + b),
}


def _states(rule, W, U, b, xs, k):
    h, before, states = np.zeros(2), 0.0, []
    for t, x in enumerate(xs, 1):
        h = rule(W, U, b, h, x, before, t, k)
        before = x
        states.append(h)
    return np.array(states)


def _right(W, U, b, h, x, before, t, k):
    return np.tanh(W @ h + U * x + b)


def diagnose(public, hidden):
    """Find the bug in the printed states of a run (chapter 03)."""
    bug = str(public.choice(list(BUGS)))
    while True:
        W, U, b = (np.round(public.uniform(-0.9, 0.9, size), 1) for size in ((2, 2), 2, 2))
        xs = np.round(public.uniform(-2, 2, 4), 1)
        k = int(public.integers(3, 5))
        runs = {name: _states(rule, W, U, b, xs, k) for name, rule in BUGS.items()}
        right = _states(_right, W, U, b, xs, k)
        different = [*runs.values(), right]
        if min(np.abs(p - q).max() for p in different for q in different if p is not q) > 0.05:
            faults = np.abs(runs[bug] - right).max(axis=1) > 0.005
            if (np.abs(runs[bug] - right).max(axis=1)[faults] > 0.03).all():
                break
    step = int(np.argmax(faults)) + 1
    table = "\n".join(
        f"| {t} | {x:g} | {h[0]:.3f} | {h[1]:.3f} |"
        for t, (x, h) in enumerate(zip(xs, runs[bug], strict=True), 1)
    )
    answer = right[step - 1].round(4).tolist()
    code = f'''
def diagnose():
    """Return the bug, the first wrong step, and the right state at this step."""
    ### BEGIN SOLUTION
    return {{"bug": "{bug}", "step": {step}, "h": {answer}}}
    ### END SOLUTION
'''
    others = {
        f"taken for: {other}": Mistake(
            f'"{bug}"',
            f'"{other}"',
            "Compute one step with the bug that you name. Does it give the printed state?",
            0.5,
        )
        for other in BUGS
        if other != bug
    }
    return Problem(
        name="diagnose",
        title="Find the bug",
        minutes=15,
        points=6,
        text=rf"""A program was written to compute $\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W
\boldsymbol h^{{(t-1)}} + \boldsymbol U x^{{(t)}} + \boldsymbol b)$ with $\boldsymbol h^{{(0)}} =
0$ and

`W = {W.tolist()}`, `U = {U.tolist()}`, `b = {b.tolist()}`.

It has one bug. It printed these states:

| $t$ | $x^{{(t)}}$ | $h_1$ | $h_2$ |
|---|---|---|---|
{table}

Write `diagnose()`. It returns a dictionary: `"bug"` is one of the sentences below, `"step"` is
the first step whose printed state is wrong, and `"h"` is the state that should have been printed
there, as a list of two numbers with at least three decimals.

"""
        + "\n".join(f'- `"{name}"`' for name in BUGS),
        code=code,
        example="assert set(diagnose()) == {'bug', 'step', 'h'}, 'expected these three keys'",
        tolerance=2e-3,
        parts={"bug": 0.4, "step": 0.2, "h": 0.4},
        hint="Compute the first states by hand or with NumPy. At which step does the printed state "
        "first differ from yours?",
        success="To find a bug, you compared a run with numbers that you trust, and then each "
        "suspect with the run.",
        mistakes={
            "the printed state, not the right one": Mistake(
                str(answer),
                str(runs[bug][step - 1].round(3).tolist()),
                "Is the state that you give that of the program with the bug, or that of the right "
                "network?",
                0.6,
            ),
            "steps counted from 0": Mistake(
                f'"step": {step}',
                f'"step": {step - 1}',
                "Which number does the table give to the first step?",
                0.8,
            ),
            **others,
        },
    )


def remember(public, hidden):
    """Choose the weights of a network that computes a function of the last inputs (02 and 03)."""
    task, V, c, short, small = (
        ("the input two steps ago, $x^{(t-2)}$", [0, 0, 1], 0, [0, 1, 0], 0),
        ("the negative of the input two steps ago, $-x^{(t-2)}$", [0, 0, -1], 0, [0, -1, 0], 0),
        ("the majority of the last three inputs", [1, 1, 1], 0, [1, 1, 0], 1),
        ("+1 if at least one of the last three inputs is +1", [1, 1, 1], 2, [1, 1, 0], 1),
        ("+1 only if all of the last three inputs are +1", [1, 1, 1], -2, [1, 1, 0], -1),
    )[int(public.integers(5))]
    sign = int(public.choice([-1, 1]))
    meaning = f"A *{'positive' if sign > 0 else 'negative'}* output stands for +1."
    V, short = [sign * v for v in V], [sign * v for v in short]
    c, small = sign * c, sign * small
    runs = np.repeat([[-1.0, 1.0], [1.0, -1.0]], 6, axis=1)
    xs = np.concatenate([runs, hidden.choice([-1.0, 1.0], size=(5, 12))])
    code = f'''
def remember():
    """Return the weights W, U, b, V, c of the network."""
    ### BEGIN SOLUTION
    W = 5 * np.eye(3, k=-1)
    U = np.array([5.0, 0, 0])
    b = np.zeros(3)
    V = np.array({V})
    c = {c}
    return W, U, b, V, c
    ### END SOLUTION
'''

    def outputs(weights):
        """Return the outputs from step 3 on as -1, 0 (too close to call) and 1."""
        W, U, b, V, c = (np.asarray(part, float) for part in weights)
        n = len(U)
        if n > 3 or W.shape != (n, n) or b.shape != (n,) or V.shape != (n,) or c.ndim:
            raise ValueError("a network of another form")
        found = []
        for sequence in xs:
            h = np.zeros(n)
            for t, x in enumerate(sequence, 1):
                h = np.tanh(W @ h + U * x + b)
                o = V @ h + c
                if t >= 3:
                    found.append(int(np.sign(o)) if abs(o) >= 0.1 else 0)
        return found

    return Problem(
        name="remember",
        title="Build a memory",
        minutes=15,
        points=6,
        text=rf"""The inputs are +1 or −1, one number at each step. A network with at most three
units computes

$$\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W \boldsymbol h^{{(t-1)}} + \boldsymbol U x^{{(t)}} +
\boldsymbol b), \qquad o^{{(t)}} = \boldsymbol V \cdot \boldsymbol h^{{(t)}} + c,$$

with $\boldsymbol h^{{(0)}} = 0$. From step 3 on, its output should tell **{task}**. {meaning} The
output must be at least 0.1 away from 0, because noise could change its sign otherwise.

Write `remember()`. It returns `W`, `U`, `b`, `V`, `c`: an array of shape `(n, n)`, three arrays
of shape `(n,)`, and a number. Every network with this property is right. It is tried on sequences
that you don't know, so test yours on sequences of your own.""",
        code=code,
        example="print([np.shape(part) for part in remember()])",
        measure=outputs,
        hint="Follow a single +1 among many −1 through your units. At which step does each unit "
        "notice it, and for how long?",
        success="Your units hand the inputs on, so that a state of three numbers holds the last "
        "three inputs, and the output is a vote among them.",
        mistakes={
            "the output is negated": Mistake(
                "return W, U, b, V, c",
                "return W, U, b, -V, -c",
                "Which sign of the output stands for +1?",
                0.7,
            ),
            "the memory is one step too short": Mistake(
                f"V = np.array({V})\n    c = {c}",
                f"V = np.array({short})\n    c = {small}",
                "How many steps ago did your oldest input arrive?",
                0.5,
            ),
            "the units hand nothing on": Mistake(
                "k=-1",
                "k=1",
                "`W[i, j]` connects unit j to unit i. Which unit receives the input, and from "
                "which units does the next one receive anything?",
                0.3,
            ),
            "the first input stays forever": Mistake(
                "5 * np.eye(3, k=-1)\n    U = np.array([5.0, 0, 0])",
                "9 * np.eye(3)\n    U = np.full(3, 5.0)",
                "Let the inputs be +1, −1, −1, −1. Does your state ever forget the +1?",
                0.2,
            ),
        },
    )


def gradients(public, hidden):
    """Derive back-propagation for another update rule and a masked loss (chapter 04)."""
    if public.integers(2):
        keep, new = (0.75, 0.25) if public.integers(2) else (0.5, 0.5)
        rule = rf"{keep} \boldsymbol h^{{(t-1)}} + {new} \boldsymbol a^{{(t)}}"
    else:
        keep, new = 1, float(public.choice([0.5, 0.25]))
        rule = rf"\boldsymbol h^{{(t-1)}} + {new} \boldsymbol a^{{(t)}}"
    skips, mean = bool(public.integers(2)), bool(public.integers(2))
    marks = "doesn't count" if skips else "counts"
    counts, reverse = ("1 - mask", "mask") if skips else ("mask", "1 - mask")
    total, other = ("counts.sum()", "1") if mean else ("1", "counts.sum()")
    loss = "the mean" if mean else "the sum"
    arguments = "W, U, b, V, c, h0, xs, ys, mask"
    code = f'''
def gradients({arguments}):
    """Return the gradients of the loss with respect to W and h0."""
    ### BEGIN SOLUTION
    counts = {counts}
    h, states, slopes = h0, [h0], []
    for x in xs:
        a = np.tanh(W @ h + U @ x + b)
        h = {keep} * h + {new} * a
        states.append(h)
        slopes.append(1 - a**2)
    dW, g = np.zeros(W.shape), np.zeros(len(h0))
    for t in reversed(range(len(xs))):
        g = g + counts[t] * (V @ states[t + 1] + c - ys[t]) * V
        d = {new} * slopes[t] * g
        dW += np.outer(d, states[t])
        g = {keep} * g + W.T @ d
    total = {total}
    return dW / total, g / total
    ### END SOLUTION
'''
    return Problem(
        name="gradients",
        title="Back through another network",
        minutes=25,
        points=10,
        text=rf"""A network computes

$$\boldsymbol a^{{(t)}} = \tanh(\boldsymbol W \boldsymbol h^{{(t-1)}} + \boldsymbol U \boldsymbol
x^{{(t)}} + \boldsymbol b), \qquad \boldsymbol h^{{(t)}} = {rule}, \qquad o^{{(t)}} = \boldsymbol
V \cdot \boldsymbol h^{{(t)}} + c.$$

The loss of a step is $\frac12 (o^{{(t)}} - y^{{(t)}})^2$. A step whose `mask` is 1 **{marks}**;
for any other step, `mask` is 0. The loss of the sequence is **{loss}** of the losses of the steps
that count.

Write `gradients({arguments})`. It returns the gradients of the loss of the sequence with respect
to $\boldsymbol W$ and to $\boldsymbol h^{{(0)}}$, computed in one pass backward. `xs` has a row
for each step, and `ys` and `mask` have a number for each. The answer must be right to eight
digits, which finite differences aren't. They are good enough to test it.""",
        code=code,
        example=_zero_loss(counts),
        cases=[_network(hidden, int(n), int(t)) for n, t in ((2, 4), (3, 5), (2, 6))],
        hint="Take one unit and two steps, and write down every path from the loss to W. How many "
        "ways lead from one state to the next?",
        success="A state reaches the next one in two ways, directly and through the tanh, so its "
        "gradient is a sum over both.",
        mistakes={
            "the mask is forgotten": Mistake(
                "counts[t] * ", "", "Does a step that doesn't count change your gradient?", 0.5
            ),
            "the mask is the wrong way round": Mistake(
                f"counts = {counts}",
                f"counts = {reverse}",
                "Which steps does a 1 in the mask mark?",
                0.7,
            ),
            "the direct way is forgotten": Mistake(
                f"g = {keep} * g + W.T @ d",
                "g = W.T @ d",
                "Suppose that W is 0. Does a state still affect the next one?",
                0.4,
            ),
            "W is not transposed": Mistake(
                "W.T @ d",
                "W @ d",
                "`W[i, j]` connects unit j to unit i. Which matrix takes the gradient of unit i "
                "back to unit j?",
                0.6,
            ),
            "the slope of the tanh is taken from the state": Mistake(
                "1 - a**2",
                "1 - h**2",
                "Of which number is the derivative of tanh one minus its square?",
                0.5,
            ),
            "the factor of the tanh is forgotten": Mistake(
                f"d = {new} * slopes",
                "d = slopes",
                "How much of the tanh goes into the new state?",
                0.6,
            ),
            "h(t) for h(t-1)": Mistake(
                "np.outer(d, states[t])",
                "np.outer(d, states[t + 1])",
                "Which state does W multiply at step t?",
                0.5,
            ),
            "the mean for the sum" if not mean else "the sum for the mean": Mistake(
                f"total = {total}", f"total = {other}", "Is the loss a sum or a mean?", 0.7
            ),
            "later losses are lost": Mistake(
                "g = g + counts",
                "g = counts",
                "Can the last loss still change W at the first step?",
                0.2,
            ),
        },
    )


def _network(rng, n, T):
    """Return arguments of `gradients`, with at least two steps that count and two that don't."""
    mask = rng.integers(2, size=T)
    mask[rng.permutation(T)[:4]] = 0, 1, 0, 1
    sizes = (n, n), (n, 2), n, n, (), n, (T, 2), T
    return (*(np.round(rng.normal(size=size), 2) for size in sizes), mask)


def _zero_loss(counts):
    return """# If no output misses its target, the gradients are 0.
V, xs, mask = np.zeros(2), np.ones((3, 1)), np.array([1, 0, 1])
print(gradients(np.eye(2), np.ones((2, 1)), np.zeros(2), V, 5.0, V, xs, np.full(3, 5.0), mask))"""


def same_outputs(public, hidden):
    """Prove that different weights compute the same outputs (chapters 03 and 04)."""
    if public.integers(2):
        change = (
            r"$\boldsymbol P$ is a permutation matrix: each row and each column has a single 1, "
            r"and all other entries are 0. So $\boldsymbol P^\top \boldsymbol P = \boldsymbol I$"
        )
        reason = r"the tanh is taken of each entry by itself, so it commutes with a reordering"
        other = "a rotation by 45 degrees"
    else:
        change = (
            r"$\boldsymbol P$ is a diagonal matrix whose entries are 1 or −1. So "
            r"$\boldsymbol P^\top \boldsymbol P = \boldsymbol I$"
        )
        reason = r"the tanh is odd and taken of each entry by itself, so it commutes with signs"
        other = "a diagonal matrix with the entries 2 and 1/2"
    return Proof(
        name="same_outputs",
        title="Two networks that nobody can tell apart",
        minutes=20,
        text=rf"""A network computes $\boldsymbol h^{{(t)}} = \tanh(\boldsymbol W \boldsymbol
h^{{(t-1)}} + \boldsymbol U \boldsymbol x^{{(t)}} + \boldsymbol b)$ and $\boldsymbol o^{{(t)}} =
\boldsymbol V \boldsymbol h^{{(t)}} + \boldsymbol c$. {change}. A second network has the weights
$\boldsymbol P \boldsymbol W \boldsymbol P^\top$, $\boldsymbol P \boldsymbol U$, $\boldsymbol P
\boldsymbol b$, $\boldsymbol V \boldsymbol P^\top$, $\boldsymbol c$ and the initial state
$\boldsymbol P \boldsymbol h^{{(0)}}$.

1. Prove that both networks give the same outputs for every sequence of inputs.
2. Let $\boldsymbol G$ be the gradient of a loss of the outputs with respect to $\boldsymbol W$,
in the first network. What is it in the second, at its own weights? Prove it.
3. Where does your proof of part 1 fail if $\boldsymbol P$ is {other}?""",
        solution=rf"""**1.** Let $\tilde{{\boldsymbol h}}$ be the state of the second network. We
show $\tilde{{\boldsymbol h}}^{{(t)}} = \boldsymbol P \boldsymbol h^{{(t)}}$ by induction. For
$t = 0$ it is given. If it holds for $t-1$, the argument of the second tanh is $\boldsymbol P
\boldsymbol W \boldsymbol P^\top \boldsymbol P \boldsymbol h^{{(t-1)}} + \boldsymbol P \boldsymbol
U \boldsymbol x^{{(t)}} + \boldsymbol P \boldsymbol b$, which is $\boldsymbol P$ times the
argument of the first. Because {reason}, the new state is $\boldsymbol P \boldsymbol h^{{(t)}}$.
The output is $\boldsymbol V \boldsymbol P^\top \boldsymbol P \boldsymbol h^{{(t)}} + \boldsymbol
c = \boldsymbol o^{{(t)}}$.

**2.** $\boldsymbol P \boldsymbol G \boldsymbol P^\top$. By part 1, the loss of the second network
at $\tilde{{\boldsymbol W}}$ is that of the first at $\boldsymbol W = \boldsymbol P^\top
\tilde{{\boldsymbol W}} \boldsymbol P$ (the other weights stay). So the change
$d\tilde{{\boldsymbol W}}$ changes the loss by $\langle \boldsymbol G, \boldsymbol P^\top
d\tilde{{\boldsymbol W}} \boldsymbol P \rangle = \langle \boldsymbol P \boldsymbol G \boldsymbol
P^\top, d\tilde{{\boldsymbol W}} \rangle$.

**3.** At the step from the argument to the state: for this $\boldsymbol P$, $\tanh(\boldsymbol P
\boldsymbol z)$ isn't $\boldsymbol P \tanh(\boldsymbol z)$.""",
        rubric={
            "The state is P h, proved by induction with its first case.": 2,
            "The tanh commutes with P, with the reason.": 2,
            "The outputs are equal because the two P cancel.": 1,
            "The gradient is P G Pᵀ, derived with the chain rule or from a change of W.": 3,
            "Part 3 names the step of the tanh.": 2,
        },
    )


TEMPLATES = [rounds, diagnose, remember, gradients, same_outputs]
