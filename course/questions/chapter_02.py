"""Questions on chapter 02, Unfolding."""

from course.exam import Question


def rounds_and_products(rng):
    """Read the figure of two plans for the same chain."""
    T, now = int(rng.integers(5, 9)), int(rng.integers(2, 5))
    return Question(
        kind="read",
        title="Two ways to compute a chain",
        minutes=8,
        text=f"""The figure shows the temperature of a cup of tea over {T} steps, after
round {now}. In each round, every temperature is computed whose arrows come from known numbers.

1. How many more rounds does the left side need?
2. How many products will each side have computed in the end?
3. Which side would you choose for a chain of 1,000 steps, on one processor? Give the reason in
one sentence.""",
        figure=("pairs", {"T": T, "round": now}),
        key=f"""1. {T - now} (2 points)
2. Left 2 · {T} = {2 * T}, right 2 + 3 + … + {T + 1} = {T * (T + 3) // 2} (4 points)
3. The left: 2,000 products instead of about 500,000, and one processor can't use the parallel
rounds (2 points)""",
    )


def share_of_a_room(rng):
    """Follow one input through three steps."""
    q = float(rng.choice([0.2, 0.25, 0.5]))
    start = int(rng.choice([60, 80, 100]))
    rooms = rng.choice([0, 4, 8, 12, 16, 20, 24], 3, replace=False).tolist()
    states = [start]
    for room in rooms:
        states.append((1 - q) * states[-1] + q * room)
    said = ", ".join(f"{h:.4g}" for h in states[1:])
    share = q * (1 - q) ** 2 * rooms[0]
    return Question(
        kind="compute",
        title="What is left of the first room",
        minutes=8,
        text=f"""A cup of tea is at {start} degrees. At each step, its temperature moves by {q:g}
of the difference toward that of the room. It spends a step in each of three rooms, at {rooms[0]},
{rooms[1]} and {rooms[2]} degrees.

1. Compute the temperature after each step.
2. How many degrees of the last temperature come from the first room? How many come from the
start?
3. Write the last temperature as a weighted sum of the four numbers. What do the weights add up
to?""",
        key=f"""1. {said} (3 points)
2. {q:g} · {1 - q:g}² · {rooms[0]} = {share:.4g}, and {1 - q:g}³ · {start} =
{(1 - q) ** 3 * start:.4g} (3 points)
3. {(1 - q) ** 3:.4g} · {start} + {q * (1 - q) ** 2:.4g} · {rooms[0]} + {q * (1 - q):.4g} ·
{rooms[1]} + {q:g} · {rooms[2]}; the weights add up to 1 (2 points)""",
    )


def paths_and_arrows(rng):
    """Count arrows, initial states and paths of an unfolded graph with two loops."""
    d, T = int(rng.integers(2, 4)), int(rng.integers(5, 7))
    arrows = 2 * T + 2 * T
    ways = {1: 1}
    for t in range(2, T + 1):
        ways[t] = ways[t - 1] + ways.get(t - d, 0)
    listed = ", ".join(str(ways[t]) for t in range(1, T + 1))
    return Question(
        kind="compute",
        title="Two loops",
        minutes=10,
        text=rf"""A circuit has the edges $x \to h$ and $h \to o$ without a delay, $h \to h$ with
a delay of 1, and another one $h \to h$ with a delay of {d}. It is unfolded for {T} steps.

1. How many arrows does the unfolded graph have? Count those that begin at initial states.
2. How many initial states does it need?
3. How many different paths lead from $h^{{(1)}}$ to $h^{{({T})}}$? Show how you count.""",
        key=f"""1. Four arrows end in each step: 4 · {T} = {arrows} (3 points)
2. {d} (2 points)
3. The number of paths to step t is that to t − 1 plus that to t − {d}: {listed}. So {ways[T]} (5
points)""",
    )


LOOP = """```python
def states(f, h0, xs):
    found = []
{lines}
    return found
```"""
LOOPS = (
    (
        "    for x in xs:\n        h = h0\n        h = f(h, x)\n        found.append(h)",
        "Two sequences that differ only in their first input give the same states from step 2 on.",
        "The state is reset in the loop: `h = h0` belongs before `for`.",
        "Change an early input. A later state must change, unless f ignores its state.",
    ),
    (
        "    h = h0\n    for x in xs:\n        found.append(h)\n        h = f(h, x)",
        "If only the last of the inputs is changed, no state changes.",
        "Each state is stored before the step: `append` belongs after `h = f(h, x)`.",
        "For one input, the list must be [f(h0, x)].",
    ),
    (
        "    h = h0\n    for x in reversed(xs):\n        h = f(h, x)\n        found.append(h)",
        "If the last input is changed, every state changes, even the first.",
        "The inputs are taken from the end: `reversed` is wrong here.",
        "Change the last input. Only the last state may change.",
    ),
)


def broken_loop(rng):
    """Find the bug in a loop from a symptom."""
    lines, symptom, bug, test = LOOPS[int(rng.integers(len(LOOPS)))]
    return Question(
        kind="diagnose",
        title="A wrong loop",
        minutes=8,
        text=f"""This function should return the states after each step.

{LOOP.format(lines=lines)}

Somebody notices: *{symptom}*

1. What is the bug, and how do you correct it?
2. For `f(h, x) = h / 2 + x`, `h0 = 0` and the inputs 4, 2, 8, what does the function return, and
what should it return?
3. Describe a test of two lines that would have found the bug.""",
        key=f"""1. {bug} (3 points)
2. It returns {_loop(lines)}; right is [4.0, 4.0, 10.0] (3 points)
3. For example: {test} (2 points)""",
    )


def _loop(lines):
    """Return what a wrong loop returns for the inputs 4, 2, 8."""
    space = {}
    exec(f"def states(f, h0, xs):\n    found = []\n{lines}\n    return found", space)
    return [float(h) for h in space["states"](lambda h, x: h / 2 + x, 0, [4, 2, 8])]


def not_a_state(rng):
    """Prove that a statistic of the last inputs is no state."""
    k = int(rng.integers(2, 4))
    name, pair = (
        ("largest", ([1] + [0] * (k - 1), [0] * (k - 1) + [1])),
        ("smallest", ([0] + [1] * (k - 1), [1] * (k - 1) + [0])),
    )[int(rng.integers(2))]
    new = 1 if name == "smallest" else 0
    first, second = ([*past[1:], new] for past in pair)
    take = max if name == "largest" else min
    return Question(
        kind="prove",
        title="Is it a state?",
        minutes=15,
        text=rf"""Let $m^{{(t)}}$ be the {name} of the last {k} inputs, $x^{{(t)}}$ to
$x^{{(t-{k - 1})}}$.

1. Prove that no function $f$ satisfies $m^{{(t)}} = f(m^{{(t-1)}}, x^{{(t)}})$ for all sequences.
2. Name a state from which $m^{{(t)}}$ can be computed, and give the rule of its step.
3. The {name} of *all* inputs so far is different. Give its $f$.""",
        key=f"""1. The inputs {pair[0]} and {pair[1]} both have {take(pair[0])} as their {name}.
If the next input is {new}, the last {k} inputs are {first} and {second}, whose {name} is
{take(first)} and {take(second)}. But f would have to give one value for both. (8 points: 4 for
two pasts with equal m, 4 for the contradiction)
2. For example the last {k} inputs: drop the oldest, add the new one. ({k - 1} are enough if the
new input is at hand.) (4 points)
3. f(m, x) = {take.__name__}(m, x) (3 points)""",
    )


TEMPLATES = [rounds_and_products, share_of_a_room, paths_and_arrows, broken_loop, not_a_state]
