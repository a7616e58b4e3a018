"""Set 6: gates, clipping, explicit memory (chapters 16 to 18)."""

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Gates, clipping, memory"
CHAPTERS = "16", "17", "18"

OPEN, AT_MARK, BETWEEN = "always", "only at a mark", "only between marks"
CELLS = (
    (
        "the sum of all values that came with a mark",
        {"f": (OPEN, BETWEEN), "g": (AT_MARK, OPEN)},
    ),
    (
        "the value that came with the latest mark (and 0 before the first mark)",
        {"f": (BETWEEN, OPEN), "g": (AT_MARK, OPEN)},
    ),
    (
        "the sum of the values since the latest mark, including the value at this mark (and of all "
        "values before the first mark)",
        {"f": (BETWEEN, OPEN), "g": (OPEN, AT_MARK)},
    ),
)
HINTS = {
    "f": "Should anything that the cell holds survive a mark? Follow the forget gate through one.",
    "g": "At which steps should a value enter the cell? Follow the input gate with and without a "
    "mark.",
}


def set_cell(public, hidden):
    """Choose the weights of an LSTM cell that follows marks (chapter 16)."""
    task, gates = CELLS[int(public.integers(3))]
    mark = int(public.integers(2))  # the second input at a mark

    def gate(when):
        if when == OPEN:
            return "[0, 0, K]"
        return "[0, 2 * K, -K]" if (when == AT_MARK) == (mark == 1) else "[0, -2 * K, K]"

    code = f'''
def set_cell():
    """Return the weights of the cell input, the forget gate and the input gate."""
    ### BEGIN SOLUTION
    K = 20
    cell = [K, 0, 0]
    f = {gate(gates["f"][0])}
    g = {gate(gates["g"][0])}
    return {{"cell": cell, "f": f, "g": g}}
    ### END SOLUTION
'''
    fixed = [(1, 1), (-1, 0), (1, 0), (-1, 1), (-1, 0), (0, 1), (1, 0), (1, 1), (-1, 0), (-1, 1)]
    sequences = [
        fixed,
        *np.stack([hidden.integers(-1, 2, (4, 25)), hidden.integers(2, size=(4, 25))], 2),
    ]

    def states(answer):
        """Return the states, each as a whole number, or 99 if it isn't close to one."""
        rows = [np.asarray(answer[name], float) for name in ("cell", "f", "g")]
        if len(answer) != 3 or any(row.shape != (3,) for row in rows):
            raise ValueError("a cell of another form")
        found = []
        for sequence in sequences:
            s = 0.0
            for value, marked in sequence:
                x = np.array([value, marked if mark else 1 - marked, 1.0])
                new, *gates = (row @ x for row in rows)
                f, g = (1 / (1 + np.exp(-np.clip(z, -500, 500))) for z in gates)
                s = f * s + g * np.tanh(new)
                found.append(round(s) if abs(s - round(s)) < 0.05 else 99)
        return found

    mistakes = {
        f"the {name} gate is open {other}": Mistake(
            f"{letter} = {gate(right)}", f"{letter} = {gate(other)}", HINTS[letter], 0.5
        )
        for letter, name in (("f", "forget"), ("g", "input"))
        for right, other in [gates[letter]]
    }
    return Problem(
        name="set_cell",
        title="Set a cell by hand",
        minutes=15,
        points=6,
        text=rf"""An LSTM cell without connections to its own output computes

$$s^{{(t)}} = f^{{(t)}} s^{{(t-1)}} + g^{{(t)}} \tanh(z^{{(t)}}), \qquad s^{{(0)}} = 0.$$

The first input, $x_1$, is a value: −1, 0 or 1. The second, $x_2$, is **{mark}** at a mark and
**{1 - mark}** at all other steps. The sum $z$ of the cell input and the sums of both gates have
the form $u_1 x_1 + u_2 x_2 + b$, and the gates are sigmoids of their sums.

The state should be **{task}**.
It is tried on up to 25 steps and may be off by at most 0.05.

Write `set_cell()`. It returns a dictionary with the keys `"cell"`, `"f"` and `"g"`, for the cell
input, the forget gate and the input gate. Each entry is the list $[u_1, u_2, b]$. Every cell with
this property is right.""",
        code=code,
        example="print({name: np.shape(row) for name, row in set_cell().items()})",
        measure=states,
        hint="Make a table with the four kinds of steps: with and without a mark, with and without "
        "a value. Which gates should be open in each of them? Compute their sums.",
        success="You wrote a small program with two gates: one decides what stays, the other what "
        "enters.",
        mistakes={
            **mistakes,
            "the gates are only ajar": Mistake(
                "K = 20",
                "K = 2",
                "How far from 0 and from 1 are your gates, and how much of the state is lost in 25 "
                "steps?",
                0.6,
            ),
            "the mark is the wrong way round": Mistake(
                'return {"cell": cell, "f": f, "g": g}',
                'return {"cell": cell, "f": [f[0], -f[1], f[2] + f[1]], '
                '"g": [g[0], -g[1], g[2] + g[1]]}',
                "Which number does the second input have at a mark?",
                0.7,
            ),
        },
    )


def _together(a, b, before, v, rate):
    factor = min(1.0, v / np.hypot(a, b))
    return factor * a, factor * b


CLIPPERS = {
    "each matrix is clipped by itself": lambda a, b, before, v, rate: (min(a, v), min(b, v)),
    "short gradients are made longer": lambda a, b, before, v, rate: (
        v * a / np.hypot(a, b),
        v * b / np.hypot(a, b),
    ),
    "the norm comes from the update before": lambda a, b, before, v, rate: (
        a * min(1.0, v / before),
        b * min(1.0, v / before),
    ),
    "the norm is the sum of both lengths": lambda a, b, before, v, rate: (
        a * min(1.0, v / (a + b)),
        b * min(1.0, v / (a + b)),
    ),
    "the change is clipped instead of the gradient": lambda a, b, before, v, rate: (
        a * min(1.0, v / rate / np.hypot(a, b)),
        b * min(1.0, v / rate / np.hypot(a, b)),
    ),
}


def clip_log(public, hidden):
    """Find the bug of a program that clips, from its log (chapter 17)."""
    bug = str(public.choice(list(CLIPPERS)))
    triples = [(3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5), (0.3, 0.4), (0.4, 0.3)]
    while True:
        v, rate = float(public.choice([1, 2])), float(public.choice([0.5, 0.1]))
        rows = [triples[i] for i in public.permutation(len(triples))[:5]]

        def changes(clip, rows=rows, v=v, rate=rate):
            before = 0.1  # the norm before the first update; nothing is clipped
            found = []
            for a, b in rows:
                found.append([rate * change for change in clip(a, b, before, v, rate)])
                before = np.hypot(a, b)
            return np.array(found)

        right = changes(_together)
        runs = {name: changes(clip) for name, clip in CLIPPERS.items()}
        logs = [right, *runs.values()]
        far = min(abs(p - q).max() for p in logs for q in logs if p is not q)
        faults = ~np.isclose(runs[bug], right).all(axis=1)
        short = [np.hypot(*row) < 1 for row in rows]
        if far > 0.02 and 1 <= sum(short) <= 2 and not faults[0]:
            break
    row = int(np.argmax(faults))
    answer = right[row].round(4).tolist()
    table = "\n".join(
        f"| {n} | {a:g} | {b:g} | {p:.3f} | {q:.3f} |"
        for n, ((a, b), (p, q)) in enumerate(zip(rows, runs[bug], strict=True), 1)
    )
    mistakes = {}
    if not np.allclose(runs[bug][row], right[row] / rate):
        mistakes["gradients instead of changes"] = Mistake(
            f'"changes": {answer}',
            f'"changes": {(right[row] / rate).round(4).tolist()}',
            "How does the length of a change follow from that of a clipped gradient?",
            0.7,
        )
    code = f'''
def clip_log():
    """Return the bug, the first wrong update, and what it should have changed."""
    ### BEGIN SOLUTION
    return {{"bug": "{bug}", "update": {row + 1}, "changes": {answer}}}
    ### END SOLUTION
'''
    return Problem(
        name="clip_log",
        title="A log of clipped gradients",
        minutes=15,
        points=6,
        text=rf"""A network has two matrices, `W` and `U`, and no other
parameters. A program trains it by plain gradient descent with a learning rate of {rate:g}. It
should clip the gradient by norm at $v = {v:g}$, as in (G 10.48) and (G 10.49). The log shows the
lengths of both gradients before clipping, and by how much the update changed each matrix (the
length of the change). Before update 1, there was an update with a gradient of length 0.1.

| update | gradient of `W` | gradient of `U` | change of `W` | change of `U` |
|---|---|---|---|---|
{table}

The program has one bug. Write `clip_log()`. It returns a dictionary: `"bug"` is one of the
sentences below, `"update"` is the number of the first update that is wrong, and `"changes"` is a
list of the two changes that should stand there, with at least three decimals.

"""
        + "\n".join(f'- `"{name}"`' for name in CLIPPERS),
        code=code,
        example="assert set(clip_log()) == {'bug', 'update', 'changes'}, 'expected three keys'",
        tolerance=2e-3,
        parts={"bug": 0.4, "update": 0.2, "changes": 0.4},
        hint="Both gradients together are one vector. How long is it at each update, and by which "
        "factor should clipping multiply it?",
        success="The lengths in the log are enough to tell one way of clipping from another, "
        "so it is worth logging them.",
        mistakes={
            "the changes of the log": Mistake(
                f'"changes": {answer}',
                f'"changes": {runs[bug][row].round(3).tolist()}',
                "Are these the changes of the program with the bug, or of the right one?",
                0.6,
            ),
            **mistakes,
            **{
                f"taken for: {other}": Mistake(
                    f'"{bug}"',
                    f'"{other}"',
                    "Compute all updates with the bug that you name. Do you get the log?",
                    0.5,
                )
                for other in CLIPPERS
                if other != bug
            },
        },
    )


def old_shares(public, hidden):
    """Find the weight of each value in a reading of a matrix memory (chapters 18 and 16)."""
    after = bool(public.integers(2))
    keep = float(public.choice([0.5, 0.8, 0.9]))
    newest = bool(public.integers(2))
    if after:
        rule = rf"""\boldsymbol M \leftarrow {keep:g} \boldsymbol M + \eta\, (\boldsymbol v -
{keep:g} \boldsymbol M \boldsymbol k)\, \boldsymbol k^\top"""
        told = "after the old content has faded"
    else:
        rule = rf"""\boldsymbol M \leftarrow {keep:g} \boldsymbol M + \eta\, (\boldsymbol v -
\boldsymbol M \boldsymbol k)\, \boldsymbol k^\top"""
        told = "before the old content fades"
    steps = (f"{keep} * (q - eta * k * (k @ q))", f"{keep} * q - eta * k * (k @ q)")
    right, other = steps if after else steps[::-1]
    order, reverse = ("shares", "shares[::-1]") if newest else ("shares[::-1]", "shares")
    code = f'''
def old_shares(keys, query, eta):
    """Return the weight of each value in the reading, {"newest" if newest else "oldest"} first."""
    ### BEGIN SOLUTION
    q, shares = query, []
    for k in keys[::-1]:
        shares.append(eta * (k @ q))
        q = {right}
    return np.array({order})
    ### END SOLUTION
'''
    first = "newest" if newest else "oldest"
    example = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([1.0, 0.0]), 1.0
    space = {"np": np}
    exec(code, space)
    shown = space["old_shares"](*example).round(3).tolist()
    return Problem(
        name="old_shares",
        title="What is left of old values?",
        minutes=20,
        points=8,
        text=rf"""A matrix memory forgets like a cell with a forget gate of {keep:g}, and it
corrects its readings by the delta rule. It begins at $\boldsymbol M = \boldsymbol 0$ and receives
$T$ pairs of a key $\boldsymbol k$ and a value $\boldsymbol v$, one after the other. Each time, it
computes

$$ {rule}. $$

So the error is measured **{told}**. At the end, a query $\boldsymbol q$ reads $\boldsymbol M
\boldsymbol q$. This reading is a weighted sum of the values, $\sum_i a_i \boldsymbol v^{{(i)}}$. As
in attention, the weights $a_i$ don't depend on the values.

Write `old_shares(keys, query, eta)`. It returns the weights of all values as an array, the one of
the **{first}** value first. `keys` has the shape `(T, d)`, the oldest key first, and `query` has
the shape `(d,)`. You may compute the weights in any way; the shortest is a recursion that goes
back in time.""",
        code=code,
        example="keys = np.array([[1.0, 0.0], [0.6, 0.8]])\n"
        f"print(old_shares(keys, np.array([1.0, 0.0]), 1.0).round(3))  # {shown}",
        cases=[
            (
                np.round(hidden.normal(size=(T, 2)), 2),
                np.round(hidden.normal(size=2), 2),
                float(hidden.choice([0.3, 0.5, 0.7])),
            )
            for T in (1, 2, 3, 5)
        ],
        hint="Write the memory after the last pair as the memory before it, plus something. What "
        "does the old memory multiply when the query reads?",
        success="Going back in time, the query loses what newer keys have overwritten. A gradient "
        "goes back through the same factors.",
        mistakes={
            "the values are in the other order": Mistake(
                f"np.array({order})",
                f"np.array({reverse})",
                "Which value does your first weight belong to?",
                0.7,
            ),
            "nothing is corrected": Mistake(
                right,
                f"{keep} * q",
                "If a key comes twice, what is left of its first value?",
                0.3,
            ),
            "nothing fades": Mistake(
                right,
                "q - eta * k * (k @ q)",
                "Let all keys be at right angles. What is left of the oldest value?",
                0.5,
            ),
            "the error is measured at another time": Mistake(
                right,
                other,
                "Is the reading that the rule corrects one of the faded memory or of the old one?",
                0.6,
            ),
            "from the oldest key to the newest": Mistake(
                f"for k in keys[::-1]:\n        shares.append(eta * (k @ q))\n        q = {right}\n"
                f"    return np.array({order})",
                f"for k in keys:\n        shares.append(eta * (k @ q))\n        q = {right}\n"
                f"    return np.array({reverse})",
                "Which pairs can change what the memory holds of the first one: older or newer "
                "ones?",
                0.4,
            ),
        },
    )


def soft_gate(public, hidden):
    """Prove that a gated average is a soft read (chapters 16, 17 and 18)."""
    takes_in = bool(public.integers(2))  # whether the gate is the share of the new value
    gate = "a" if takes_in else "u"
    keep, new = gate, f"1 - {gate}"
    if takes_in:
        keep, new = new, keep
        closed, gates = "1", rf"{gate}^{{(1)}} = 1"
        found = rf"{gate}^{{(t)}} = \frac{{w_t}}{{w_1 + \dots + w_t}}"
    else:
        closed, gates = "0", rf"{gate}^{{(1)}} = 0"
        found = rf"{gate}^{{(t)}} = \frac{{w_1 + \dots + w_{{t-1}}}}{{w_1 + \dots + w_t}}"

    def at(part, step):
        """Return a part, such as 1 - f, at a step, in parentheses if it is a difference."""
        text = part.replace(gate, f"{gate}^{{({step})}}")
        return f"({text})" if "-" in part else text

    weight = rf"{at(new, 'i')} \prod_{{t=i+1}}^T {at(keep, 't')}"
    if public.integers(2):
        question = r"""Let $w_1, \dots, w_T$ be any positive numbers that add up to 1, for example
the weights of a softmax. Find gates with which the unit has exactly these weights, and prove it.
Why can't such a unit replace attention, nevertheless?"""
        answer = rf"""Choose ${found}$. Then ${gates}$, as required. The share that stays at step
$t$ is $(w_1 + \dots + w_{{t-1}}) / (w_1 + \dots + w_t)$, and the share that is taken in is $w_t /
(w_1 + \dots + w_t)$. In the product for weight $i$, each denominator cancels the next numerator;
what remains is $w_i / (w_1 + \dots + w_T) = w_i$. Attention computes its weights when the query is
known, and other ones for each query. The gates have to be chosen as the values come in, and a
value that has been averaged away can't be read later."""
        points = {
            "Part 3 gives the right gates.": 1,
            "Part 3 proves it: the product telescopes.": 1,
            "Part 3 says that the weights are fixed before the query is known.": 1,
        }
    else:
        question = r"""Prove that no two values can both have a weight above $\frac12$. Then change
one thing in the equation so that a unit can keep two values with the weight 1 each, as an LSTM
cell does. What does your change do to the bound of part 2?"""
        answer = r"""All weights are at least 0 and add up to 1, so two of them add up to at
most 1, and not both can be above $\frac12$. An LSTM cell has an input gate of its own, $s^{(t)} =
f^{(t)} s^{(t-1)} + g^{(t)} v^{(t)}$. With $f = g = 1$ at both steps, and $f = 1$, $g = 0$ later,
both weights are 1. No derivative is larger than that of the last state, but their absolute
values no longer add up to it: the sum can be $T$ times as large."""
        points = {
            "Part 3 proves the statement from the sum of the weights.": 1,
            "Part 3 frees the input gate from the forget gate, with gates that keep both.": 1,
            "Part 3 says that the sum may now be up to T times as large, but no single term.": 1,
        }
    return Proof(
        name="soft_gate",
        title="A gate that reads",
        minutes=25,
        text=rf"""At each step, a unit computes a gate ${gate}^{{(t)}}$ between 0 and 1 and a new
value $v^{{(t)}}$. Both depend on the input of this step only, not on the state. The unit begins at
$h^{{(0)}} = 0$ and averages:

$$h^{{(t)}} = {at(keep, "t")}\, h^{{(t-1)}} + {at(new, "t")}\, v^{{(t)}}.$$

The first gate is {closed}, so that $h^{{(1)}} = v^{{(1)}}$.

1. Prove that $h^{{(T)}} = \sum_{{i=1}}^T w_i v^{{(i)}}$ with $w_i = {weight}$, and that the
weights are at least 0 and add up to 1. So the state is a soft read of all values.
2. The loss depends only on $h^{{(T)}}$. Prove that the absolute values of its derivatives with
respect to $v^{{(1)}}, \dots, v^{{(T)}}$ add up to exactly $|\partial L / \partial h^{{(T)}}|$.
What does this say about exploding and about vanishing gradients?
3. {question}""",
        solution=rf"""**1.** By induction over $T$. For $T = 1$, the only weight is
${at(new, "1")}$, which is 1. Suppose that it holds for $T - 1$. Step $T$ multiplies
$h^{{(T-1)}}$, and so all old weights, by ${at(keep, "T")}$, which adds one factor to each product.
The new value has
the weight ${at(new, "T")}$, whose product is empty. All factors are at least 0. The old weights
added up to 1, so the sum is now ${at(keep, "T")} \cdot 1 + {at(new, "T")} = 1$.

**2.** The weights don't depend on the values, so $\partial L / \partial v^{{(i)}} = w_i\, \partial
L / \partial h^{{(T)}}$. The absolute values add up to $(\sum_i w_i)\, |\partial L / \partial
h^{{(T)}}|$, and the sum of the weights is 1. So no gradient explodes. Single ones may vanish, but
never all of them: whatever some values lose, others have.

**3.** {answer}""",
        rubric={
            "Part 1 is an induction, with its first case.": 2,
            "Part 1 shows that the weights are at least 0 and add up to 1.": 2,
            "Part 2 has the derivative, because the weights don't depend on the values.": 2,
            "Part 2 concludes that gradients can't explode, and that single ones may vanish.": 2,
            **points,
        },
    )


TEMPLATES = [set_cell, clip_log, old_shares, soft_gate]
