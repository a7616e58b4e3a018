"""The exercises of chapter 02, Unfolding."""

from fractions import Fraction
from functools import reduce

from rnn_helpers.checks.core import Wrong, checklist, exercise


@exercise(
    "02-cup",
    hint="By how many degrees does the cup cool from time 1 to time 2? And from 2 to 3?",
    success="You applied the same rule twice. The second difference is smaller than the first, "
    "so the cup cools more slowly.",
    tolerance=5e-3,
    wrong={
        "a quarter of the temperature": Wrong(
            60 * 0.75**2,
            "Does the cup lose a quarter of its temperature, or a quarter of the difference?",
        ),
        "the same loss twice": Wrong(
            40.0, "Is the difference to the room still 40 degrees at time 2?"
        ),
        "one application": Wrong(50.0, "That is the temperature at time 2. What comes next?"),
        "three applications": Wrong(36.875, "How many steps lead from time 1 to time 3?"),
        "the difference": Wrong(
            22.5, "That is the difference to the room. What does the thermometer show?"
        ),
    },
)
def cup():
    """Return the temperature at time 3 of a cup that starts at 60 degrees."""
    cup = 60.0
    for _ in range(2):
        cup = cup + 0.25 * (20 - cup)
    return cup


def _decay(h, x):
    return 0.5 * h + x


def _subtract(h, x):
    return x - h


def _spell(h, x):
    return h + x


def _running_sums() -> list[tuple]:
    """Return cases in which a wrong order, start or delay changes the result."""
    return [
        (_decay, 1.0, [4.0, 0.0, 2.0]),
        (_subtract, 3.0, [1.0, 5.0, 2.0, 2.0]),
        (_spell, "", ["u", "n", "f"]),
        (_decay, 2.0, []),
    ]


def _without_state(f, h0, xs):
    return [f(h0, x) for x in xs]


def _with_start(f, h0, xs):
    return [h0, *run(f, h0, xs)]


def _backwards(f, h0, xs):
    return run(f, h0, list(reversed(xs)))


def _only_last(f, h0, xs):
    return reduce(f, xs, h0)


@exercise(
    "02-run",
    cases=_running_sums,
    hint="Compute the second state of the first case on paper. Which state does it depend on?",
    success="One short loop runs every recurrence of this form, because f is the same "
    "function at each step.",
    instance="""
    print([
        run(lambda h, x: h / 2 + x, 1.0, [4.0, 0.0, 3.0]),
        run(lambda h, x: x - h, 3.0, [1.0, 5.0]),
        run(lambda h, x: x - h, 3.0, []),
    ])
    """,
    wrong={
        "always from h0": Wrong(
            _without_state, "Does your second state depend on the first input?"
        ),
        "h0 in the list": Wrong(
            _with_start, "Does your list have as many states as there are inputs?"
        ),
        "inputs reversed": Wrong(_backwards, "Which input should be read first?"),
        "last state only": Wrong(_only_last, "How many states should the list contain?"),
    },
)
def run(f, h0, xs):
    """Apply (G 10.5) to one input after another."""
    states, h = [], h0
    for x in xs:
        h = f(h, x)
        states.append(h)
    return states


@exercise(
    "02-stored",
    hint="Draw the first two steps. How many arrows does the second step add, and does it add "
    "any numbers to store?",
    success="Each step adds two arrows to the drawing and nothing to the memory. That is why a "
    "longer sentence needs no larger model.",
    wrong={
        "a matrix for each copy": Wrong(
            (20, 150), "Does each copy of W have numbers of its own, or do the copies share them?"
        ),
        "matrices instead of numbers": Wrong(
            (20, 2), "How many numbers does a matrix with 3 rows and 3 columns contain?"
        ),
        "first copy of W forgotten": Wrong(
            (19, 15), "Which arrow reaches the first state from the left?"
        ),
        "nodes instead of arrows": Wrong((21, 15), "Did you count the nodes or the arrows?"),
        "only the copies of W": Wrong((10, 15), "Which arrow leads from each input to its state?"),
        "arrows of the circuit": Wrong(
            (2, 15), "That is the circuit. How often is each of its arrows copied?"
        ),
    },
)
def stored():
    """Count the arrows of a loop unfolded over 10 steps, and the numbers in its U and W."""
    n_x, n_h, T = 2, 3, 10
    return 2 * T, n_h * n_x + n_h * n_h


def _arrows(arrows):
    """Count the arrows and collect them in a set. Pairs may be lists."""
    arrows = [((source, int(s)), (target, int(t))) for (source, s), (target, t) in arrows]
    return {"the number of arrows": len(arrows), "the arrows": set(arrows)}


def _without_delay(edges, T):
    return unfold([(source, target, 0) for source, target, _ in edges], T)


def _from_each_step(edges, T):
    return [
        ((source, t), (target, t + delay))
        for t in range(1, T + 1)
        for source, target, delay in edges
    ]


def _without_start(edges, T):
    return [arrow for arrow in unfold(edges, T) if arrow[0][1] >= 1]


@exercise(
    "02-unfold",
    cases=lambda: [
        ([("x", "h", 0), ("h", "h", 1)], 3),
        ([("h", "h", 1), ("h", "h", 3)], 4),
        ([("x", "h", 0), ("h", "o", 0), ("o", "h", 1)], 1),
        ([("a", "b", 2), ("b", "c", 0), ("c", "a", 1)], 5),
    ],
    measure=_arrows,
    hint="Take the case with the fewest edges that is wrong, and one edge of it. List its copies "
    "on paper: where does each one start and end?",
    success="Each edge is copied once per step, and its delay says how many steps earlier the "
    "copy starts. Starts before step 1 are initial values.",
    instance="""
    print([
        sorted(unfold([("x", "h", 0), ("h", "h", 2)], 3)),
        sorted(unfold([("x", "y", 1)], 2)),
    ])
    """,
    wrong={
        "delays ignored": Wrong(
            _without_delay, "At which step does a copy of an edge with delay 1 start?"
        ),
        "every delay taken for 1": Wrong(
            lambda edges, T: unfold([(source, target, 1) for source, target, _ in edges], T),
            "All of your arrows start one step before they end. Which edges have a delay of 1?",
        ),
        "every delay above 0 taken for 1": Wrong(
            lambda edges, T: unfold([(a, b, min(delay, 1)) for a, b, delay in edges], T),
            "Your copies of an edge with delay 1 are right. Where does a copy of an edge with "
            "delay 3 start?",
        ),
        "an arrow beyond the end": Wrong(
            _from_each_step,
            "Do any of your arrows end after step T?",
        ),
        "nothing before the start": Wrong(
            _without_start, "What does the first state depend on, apart from the first input?"
        ),
        "one step too few": Wrong(
            lambda edges, T: unfold(edges, T - 1), "How many copies does an edge have in T steps?"
        ),
    },
)
def unfold(edges, T):
    """List the arrows of the unfolded graph."""
    return [
        ((source, t - delay), (target, t))
        for t in range(1, T + 1)
        for source, target, delay in edges
    ]


@exercise(
    "02-unfold-by-hand",
    cases=lambda: [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (3.0, -2.0, 8.0)],
    hint="Write the last step with a letter for the previous state. What can you "
    "substitute for that letter?",
    success="An input that is k steps old has weight 1/2^k. This geometric decay returns when "
    "we ask why gradients vanish.",
    wrong={
        "oldest input first": Wrong(
            lambda x3, x2, x1: x1 + x2 / 2 + x3 / 4,
            "Which input is the newest, and how often has it been halved?",
        ),
        "newest input halved": Wrong(
            lambda x3, x2, x1: x3 / 2 + x2 / 4 + x1 / 8,
            "Does f halve the state, or the input?",
        ),
        "a plain sum": Wrong(
            lambda x3, x2, x1: x3 + x2 + x1, "How often does an old input pass through f?"
        ),
    },
)
def g3(x3, x2, x1):
    """Compute the third state of h/2 + x, starting at zero."""
    return x3 + x2 / 2 + x1 / 4


@exercise(
    "02-pairs",
    hint="Try three words first. Which steps can begin at once? How many weights does the third "
    "position compute?",
    success="The loop waits a hundred times and the layer doesn't, but the layer computes fifty "
    "times as many numbers. That is the trade between the two.",
    wrong={
        "every pair twice": Wrong(
            (100, 10000), "Does the first position compute a weight for the last one?"
        ),
        "without itself": Wrong((100, 4950), "Does a position compute a weight for itself, too?"),
        "one weight for each position": Wrong(
            (100, 100), "How many earlier positions does the last word have?"
        ),
        "the loop all at once": Wrong(
            (1, 5050), "Can the loop begin its second step before the first one is done?"
        ),
        "the first step is free": Wrong(
            (99, 5050), "How many steps does a loop need for a single word?"
        ),
    },
)
def pairs():
    """Count the steps of a loop, and the weights of a causal layer, over 100 positions."""
    T = 100
    return T, T * (T + 1) // 2


@exercise(
    "02-pushed",
    hint="Which digit stands for the bit 1? Do the first step alone: what is (0 + digit) / 4?",
    success="The number lies below 0.5, so the newest bit is 0. Undo that step, and the next bit "
    "appears.",
    tolerance=1e-3,
    wrong={
        "bits stored in the other order": Wrong(0.953125, "Which bit is stored first?"),
        "the bits themselves as digits": Wrong(
            0.078125, "Which digit stands for the bit 1, and which for the bit 0?"
        ),
        "base 2": Wrong(0.375, "By which number does each step divide?"),
        "one step too few": Wrong(0.9375, "How many bits have you stored?"),
        "never divided": Wrong(7.0, "What does each step do after it has added the digit?"),
    },
)
def pushed():
    """Store the bits 1, 1, 0 as digits 3, 3, 1 in base 4."""
    h = 0.0
    for bit in (1, 1, 0):
        h = (h + 2 * bit + 1) / 4
    return h


@exercise(
    "02-graph-size",
    cases=lambda: [(1,), (2,), (5,), (40,)],
    hint="Draw the graph for T = 1 and count. What does a second step add?",
    success="The unfolded graph grows linearly with T, but the number of parameters doesn't "
    "grow at all, because the copies share them.",
    wrong={
        "initial state forgotten": Wrong(
            lambda T: (5 * T, 5 * T), "Where does the first copy of W start? That is a node too."
        ),
        "first step without W": Wrong(
            lambda T: (5 * T + 1, 5 * T - 1), "Which edge reaches the first state from the left?"
        ),
        "size of the circuit": Wrong(
            lambda T: (5, 5),
            "That is the size of the circuit. What does each further step add to the "
            "unfolded graph?",
        ),
    },
)
def graph_size(T: int) -> tuple[int, int]:
    """Count the nodes and edges of the unfolded loop with outputs and losses."""
    return 5 * T + 1, 5 * T


def _compositions_without_order(delays, T):
    ways = [1] + [0] * (T - 1)
    for d in delays:
        for t in range(d, T):
            ways[t] += ways[t - d]
    return ways[T - 1]


@exercise(
    "02-count-paths",
    cases=lambda: [([1], 6), ([1, 2], 7), ([1, 3], 9), ([2], 4), ([2], 5), ([1, 2, 4], 1)],
    hint="From which nodes can the last edge of a path come? Count the paths to each of those.",
    success="Each of these paths becomes one term of the gradient. There can be exponentially "
    "many, so back-propagation never lists them one by one.",
    wrong={
        "one step too many": Wrong(
            lambda delays, T: count_paths(delays, T + 1),
            "How many steps lie between time 1 and time T? Try T = 1.",
        ),
        "order ignored": Wrong(
            _compositions_without_order,
            "Is a step of 1 followed by a step of 2 the same path as 2 followed by 1?",
        ),
        "one path per delay": Wrong(
            lambda delays, T: len(delays),
            "Can one path use different delays? Draw all paths for T = 4.",
        ),
    },
)
def count_paths(delays, T):
    """Count the paths from the first state to the T-th."""
    paths = {1: 1}
    for t in range(2, T + 1):
        paths[t] = sum(paths.get(t - d, 0) for d in delays)
    return paths[T]


def _as_base_2(bits: list[int]) -> Fraction:
    return reduce(lambda h, bit: (h + bit) / 2, bits, Fraction(0))


def _recall_oldest_first(h, n):
    return recall_base_2(h, n)[::-1]


def _recall_without_removing(h, n):
    return [int(h >= Fraction(1, 2))] * n


def _recall_in_floats(h, n):
    bits, h = [], float(h)
    for _ in range(n):
        bits.append(int(h >= 0.5))
        h = 2 * h - bits[-1]
    return bits


@exercise(
    "02-recall",
    cases=lambda: [
        (_as_base_2([1, 0, 0, 0]), 4),
        (_as_base_2([0, 1, 0, 0, 1]), 3),
        (_as_base_2([1, 1, 0] * 30), 90),
    ],
    hint="Undo one step of `keep`: which bit was added last, and what was h before?",
    success="One exact number can store as many bits as you like. A float64 keeps only about "
    "53 of them.",
    instance="""
    h = sum(Fraction(1, 2**k) for k in (1, 2, 5, 50, 60))

    print([recall_base_2(Fraction(9, 16), 4), recall_base_2(h, 60)])
    """,
    wrong={
        "oldest first": Wrong(_recall_oldest_first, "Which bit comes out of the state first?"),
        "the bit not removed": Wrong(
            _recall_without_removing,
            "Once you have read a bit, what was the state before that bit was stored?",
        ),
        "floats": Wrong(
            _recall_in_floats, "How many binary digits does a float keep? Stay with Fraction."
        ),
    },
)
def recall_base_2(h, n):
    """Read the newest n bits back, newest first."""
    bits = []
    for _ in range(n):
        bits.append(int(h >= Fraction(1, 2)))
        h = 2 * h - bits[-1]
    return bits


@exercise(
    "02-enlarge-state",
    cases=lambda: [((0.0, 0.0, 0.0), 3.0), ((1.0, 3.0, 0.0), 7.0), ((5.0, 7.0, 2.0), -3.5)],
    hint="Print your triple after one step: the average, the newest input and the second newest, "
    "in this order. Which of the three is wrong?",
    success="A rule that looks further back becomes a recurrence once the state includes "
    "every past input that the rule still needs.",
    wrong={
        "average of an average": Wrong(
            lambda state, x: ((x + state[0] + state[1]) / 3, x, state[1]),
            "Which three numbers should the first entry average?",
        ),
        "the old average corrected": Wrong(
            lambda state, x: ((3 * state[0] + x - state[2]) / 3, x, state[1]),
            "You correct the old average. Which input leaves it at this step, and is that input "
            "still in your state?",
        ),
        "memory not shifted": Wrong(
            lambda state, x: ((x + state[1] + state[2]) / 3, state[1], state[2]),
            "Your average is right this time. Which two inputs will the next step need?",
        ),
        "the memory in the other order": Wrong(
            lambda state, x: (sum(state[1:], x) / 3, state[1], x),
            "You kept the right two inputs. Which of them is the newest, once x is read?",
        ),
        "whole thirds": Wrong(
            lambda state, x: (sum(state[1:], x) // 3, x, state[1]),
            "What does `//` do in Python? Print the average of 0, 0 and 1.",
        ),
        "shifted too early": Wrong(
            lambda state, x: ((x + x + state[1]) / 3, x, state[1]),
            "How often does your average count the newest input?",
        ),
    },
)
def step(state, x):
    """Advance (average, newest input, second newest) by one input."""
    _, newest, older = state
    return (x + newest + older) / 3, x, newest


checklist(
    "02-acyclic",
    {
        "Along an edge of the unfolded graph, the step never decreases.": (
            "Between which two steps does an edge of delay d run?"
        ),
        "So all edges of a cycle lie within one step and have delay zero.": (
            "A cycle returns to the step where it began. What does that imply about its delays?"
        ),
        "If you ignore the steps, such a cycle is a cycle of the circuit.": (
            "If you ignore the step of each node, what do the edges form in the circuit?"
        ),
        "Conversely, a delay-free cycle of the circuit is copied into every step.": (
            "Take a cycle of the circuit without any delay. What does it become when you "
            "unfold one step?"
        ),
    },
    success="A circuit can be unfolded exactly when each of its cycles contains a delay.",
)
