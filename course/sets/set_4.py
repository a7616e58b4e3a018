"""Set 4: depth within a step, and networks along trees (chapters 11 and 12)."""

import numpy as np

from course.problem import Mistake, Problem, Proof

TITLE = "Deep and recursive networks"
CHAPTERS = "11", "12"


def arrives(public, hidden):
    """Add up all paths through a stack of linear units (chapters 11 and 02)."""
    delayed, every = bool(public.integers(2)), bool(public.integers(2))
    time, below, other = ("t-1", "before[l]", "h[l]") if delayed else ("t", "h[l]", "before[l]")
    climbs = "with a delay of one step" if delayed else "within the same step"
    output, result, wrong = (
        (r"\sum_l h_l^{(t)}", "h.sum()", "h[-1]") if every else (r"h_L^{(t)}", "h[-1]", "h.sum()")
    )
    layers = (
        "the sum of all states, because skip connections lead from every layer to the output"
        if every
        else "the state of the top layer"
    )
    code = f'''
def arrives(keeps, up, k):
    """Return the derivative of an output with respect to the input k steps before it."""
    ### BEGIN SOLUTION
    h, x = np.zeros(len(keeps)), 1.0
    for _ in range(k + 1):
        before, below, x = h.copy(), x, 0.0
        for l, keep in enumerate(keeps):
            h[l] = keep * before[l] + up * below
            below = {below}
    return {result}
    ### END SOLUTION
'''
    return Problem(
        name="arrives",
        title="Up the stack or through time?",
        minutes=15,
        points=6,
        text=rf"""A stack has one linear unit in each of its layers $1, \dots, L$. They compute

$$h_1^{{(t)}} = w_1 h_1^{{(t-1)}} + u\, x^{{(t)}}, \qquad
h_l^{{(t)}} = w_l h_l^{{(t-1)}} + u\, h_{{l-1}}^{{({time})}} \text{{ for }} l > 1.$$

The output is **{layers}**: $o^{{(t)}} = {output}$. All states begin at 0.

Write `arrives(keeps, up, k)`. It returns $\partial o^{{(t+k)}} / \partial x^{{(t)}}$, for any $t$.
The list `keeps` contains $w_1, \dots, w_L$, and `up` is $u$. Mind the step in
$h_{{l-1}}^{{({time})}}$: a signal climbs a layer **{climbs}**.""",
        code=code,
        example=f"print(arrives([0.5, 0.5], 1, 2))  # {_run(code, 'arrives', [0.5, 0.5], 1, 2):g}",
        cases=[
            (np.round(hidden.uniform(0.2, 1.2, L), 1).tolist(), float(up), k)
            for L, up, k in zip(
                [1, 2, 2, 3, 3], hidden.choice([0.5, 0.8, 2, 3], 5), [3, 1, 4, 2, 5], strict=True
            )
        ],
        hint="Let one input be 1 and all others 0, and write down the states of two layers for "
        "three steps. Which of these numbers does your function return?",
        success="A signal may climb at any step, so there are many paths, and the output adds them "
        "all up. That's why a stack answers late.",
        mistakes={
            "only the path that climbs at once": Mistake(
                f"return {result}",
                "return up ** len(keeps) * keeps[-1] ** k",
                "Take two layers and several steps. In which layers can a signal spend its time "
                "before it reaches the output?",
                0.2,
            ),
            "climbs at another step": Mistake(
                f"below = {below}",
                f"below = {other}",
                "How many steps does a signal need to climb one layer? Look at the step of the "
                "lower state in the equation.",
                0.6,
            ),
            "the output reads other layers": Mistake(
                f"return {result}",
                f"return {wrong}",
                "Which layers does the output read?",
                0.6,
            ),
            "one step too few": Mistake(
                "range(k + 1)",
                "range(k)",
                "For k = 0, the input and the output belong to the same step. What does your "
                "function return then, for a single layer?",
                0.5,
            ),
            "one weight for all layers": Mistake(
                "keep * before[l]",
                "keeps[0] * before[l]",
                "Do all layers keep the same share of their states?",
                0.4,
            ),
        },
    )


def _run(code, name, *arguments):
    """Return the result of a solution."""
    space = {"np": np}
    exec(code, space)
    return space[name](*arguments)


COUNT = (
    "contains **the letter {one} at least twice**",
    {
        "V": [[1, -1], [-1, -1]],  # is there one, are there two
        "U": [[1, 0], [1, 2]],
        "W": [[1, 0], [1, 2]],
        "b": [1, 3],
        "R": [0, 1],
        "c": 0,
    },
    {"W": [[1, 0], [1, 0]], "b": [1, 1]},
    "Your network works along left chains. Draw a tree whose right child contains everything that "
    "matters. Does the parent notice?",
)
ORDER = (
    "contains **{an_one} somewhere before {an_two}** (not necessarily next to it)",
    {
        "V": [[1, -1], [-1, 1], [-1, -1]],  # is there a one, is there a two, in this order
        "U": [[1, 0, 0], [0, 1, 0], [1, 0, 2]],
        "W": [[1, 0, 0], [0, 1, 0], [0, 1, 2]],
        "b": [1, 1, 3],
        "R": [0, 0, 1],
        "c": 0,
    },
    {"W": [[1, 0, 0], [0, 1, 0], [0, 1, 0]], "b": [1, 1, 1]},
    COUNT[3],
)
ENDS = (
    "**begins with {one} and ends with {two}**",
    {
        "V": [[1, -1], [-1, 1]],  # is the first a one, is the last a two
        "U": [[1, 0], [0, 0]],
        "W": [[0, 0], [0, 1]],
        "b": [0, 0],
        "R": [1, 1],
        "c": -1,
    },
    {"U": [[1, 0], [0, 1]], "W": [[1, 0], [0, 1]], "b": [1, 1]},
    "Your network notices whether a letter occurs anywhere. What must a node forget about its "
    "children to keep only the ends?",
)


def any_tree(public, hidden):
    """Choose weights that compute the same answer along every tree (chapters 12 and 03)."""
    task, weights, wrong, hint = (COUNT, ORDER, ENDS)[int(public.integers(3))]
    first = int(public.integers(2))  # the token of the letter that the task calls one
    sign = int(public.choice([-1, 1]))
    yes = "positive" if sign > 0 else "negative"
    letters = {"one": "ab"[first], "two": "ab"[1 - first]}
    letters |= {"an_one": ["an a", "a b"][first], "an_two": ["a b", "an a"][first]}
    weights = {**weights, "R": [sign * r for r in weights["R"]], "c": sign * weights["c"]}
    weights["V"] = [row[:: -1 if first else 1] for row in weights["V"]]
    lines = {
        "U": f"U = 5 * np.array({weights['U']})",
        "W": f"W = 5 * np.array({weights['W']})",
        "b": f"b = 5 * np.array({weights['b']})",
    }
    changed = [name for name in lines if name in wrong]
    old = "\n    ".join(lines[name] for name in changed)
    new = "\n    ".join(f"{name} = 5 * np.array({wrong[name]})" for name in changed)
    order = "\n    ".join(lines[name] for name in lines)
    code = f'''
def any_tree():
    """Return the weights V, U, W, b, R, c of the network."""
    ### BEGIN SOLUTION
    V = np.array({weights["V"]})
    {order}
    R, c = np.array({weights["R"]}), {weights["c"]}
    return V, U, W, b, R, c
    ### END SOLUTION
'''
    sequences = [hidden.integers(2, size=n).tolist() for n in (2, 3, 3, 4, 4, 4, 5, 5)]
    sequences += [[i, j] for i in (0, 1) for j in (0, 1)] + [[i] * 4 for i in (0, 1)]
    sequences += [[i, j, j, j] for i, j in ((0, 1), (1, 0))]
    sequences += [[j, j, i, k] for i, j, k in ((0, 1, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0))]
    sequences += [[i, *[j] * 9, k] for i, j, k in ((0, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0))]

    def outputs(answer):
        """Return all outputs as -1, 0 (too close to call) and 1."""
        V, U, W, b, R, c = (np.asarray(part, float) for part in answer)
        n = len(b)
        shapes = [(n, 2), (n, n), (n, n), (n,), (n,), ()]
        if n > 3 or [part.shape for part in (V, U, W, b, R, c)] != shapes:
            raise ValueError("a network of another form")

        def vector(tree):
            if not isinstance(tree, tuple):
                return V[:, tree]
            return np.tanh(b + U @ vector(tree[0]) + W @ vector(tree[1]))

        found = []
        for sequence in sequences:
            for tree in _trees(sequence) if len(sequence) < 6 else _chains(sequence):
                o = R @ vector(tree) + c
                found.append(int(np.sign(o)) if abs(o) >= 0.1 else 0)
        return found

    mistakes = {
        "the output is negated": Mistake(
            "return V, U, W, b, R, c",
            "return V, U, W, b, -R, -c",
            "Which sign of the output stands for yes?",
            0.7,
        ),
        "right along some trees only": Mistake(old, new, hint, 0.4),
        "the signal fades": Mistake(
            "5 *",
            "0.5 *",
            "Follow a single letter up through ten nodes. How large is its trace at the root?",
            0.4,
        ),
        "the letters are confused": Mistake(
            "return V, U",
            "return V[:, ::-1], U",
            "Which column of `V` belongs to which letter?",
            0.7,
        ),
    }
    return Problem(
        name="any_tree",
        title="The same answer along every tree",
        minutes=25,
        points=9,
        text=rf"""A recursive network with at most three units receives sequences of at least
two letters, each of which is a (token 0) or b (token 1). A leaf has the vector $\boldsymbol V
\boldsymbol x$, which is column 0 or column 1 of $\boldsymbol V$. Each node computes

$$\boldsymbol h = \tanh(\boldsymbol b + \boldsymbol U \boldsymbol h_\text{{left}} +
\boldsymbol W \boldsymbol h_\text{{right}}),$$

and the root has the output $o = c + \boldsymbol R \cdot \boldsymbol h$. The sign of the output
should tell whether the sequence {task.format(**letters)}.
A *{yes}* output stands for yes. It must be right **along every binary
tree**, not only along one, and at least 0.1 away from 0.

Write `any_tree()`. It returns `V`, `U`, `W`, `b`, `R`, `c`, of the shapes `(n, 2)`, `(n, n)`,
`(n, n)`, `(n,)`, `(n,)`, and a number. Every network with this property is right. It is tried on
sequences and trees that you don't know, some with ten nodes above a leaf.

*Begin with a question:* what do you have to know about each of two parts, so that you know
the same about the whole?""",
        code=code,
        example="print([np.shape(part) for part in any_tree()])",
        measure=outputs,
        hint="Give each unit a sentence about the letters below a node that is true (+1) or false "
        "(−1). Does every sentence about a parent follow from those about its two children?",
        success="What your vectors tell about two halves is enough for the whole, however the "
        "sequence is cut. So the tree may be chosen freely, for example a flat one.",
        mistakes=mistakes,
    )


def _trees(leaves):
    """Return all binary trees over some leaves."""
    if len(leaves) == 1:
        return leaves
    return [
        (left, right)
        for k in range(1, len(leaves))
        for left in _trees(leaves[:k])
        for right in _trees(leaves[k:])
    ]


def _chains(leaves):
    """Return the left chain and the right chain over some leaves."""
    left, right = leaves[0], leaves[-1]
    for leaf in leaves[1:]:
        left = left, leaf
    for leaf in leaves[-2::-1]:
        right = leaf, right
    return [left, right]


FLAWS = (
    "one network has many more parameters",
    "the only start that was tried makes gradients small",
    "the learning rate was chosen for one network only",
    "there are too few runs to exclude chance",
)


def fair(public, hidden):
    """Find the flaw of a comparison between a shallow and a deep network (11 and 12)."""
    which = int(public.integers(4))
    between = which == 1 or bool(public.integers(2))
    place = "between states" if between else str(public.choice(["from the input", "to the output"]))
    n_x, n = int(public.choice([10, 20])), int(public.choice([40, 50, 60]))
    k = int(public.choice([20, 30, 40]))
    shallow = n * n + (2 * n_x + 1) * n + n_x
    widths = np.arange(10, n)
    deep_counts = 2 * widths**2 + (2 * n_x + 2) * widths + n_x
    m = n if which == 0 else int(widths[np.argmin(np.abs(deep_counts - shallow))])
    deep = 2 * m * m + (2 * n_x + 2) * m + n_x
    better = which in (0, 3)
    base = int(public.integers(70, 80))
    gain = 2 if which == 3 else 12
    scores = base, base + gain if better else base - gain
    runs = 1 if which == 3 else 20
    started = "small" if which == 1 else "small and orthogonal"
    rates = "0.001, 0.003, 0.01"
    told = [
        f"{score} of 100" if which == 3 else f"{score} % ({score - 2} to {score + 2})"
        for score in scores
    ]
    arrows = k + 2, 2 * k + 2 if between else k + 3
    rows = [
        ("hidden layer", "none", f"one, {place}"),
        ("units in the state (and in the hidden layer)", n, m),
        ("networks trained", runs, runs),
        ("starts tried, the better one taken" if which != 1 else "start", started, started),
        ("learning rates tried, the best one taken", rates, "0.003, the best for A"),
        ("new sequences answered right" + ("" if which == 3 else ", median (range)"), *told),
    ]
    if which != 2:
        rows[4] = (rows[4][0], rates, rates)
    table = "\n".join(f"| {name} | {a} | {b} |" for name, a, b in rows)
    flaw = FLAWS[which]
    without = [
        n * n + 2 * n_x * n,
        2 * m * m + 2 * n_x * m,
    ]
    code = f'''
def fair():
    """Return the flaw, the parameters of both networks, and the arrows on both paths."""
    ### BEGIN SOLUTION
    return {{"flaw": "{flaw}", "parameters": [{shallow}, {deep}], "arrows": {[*arrows]}}}
    ### END SOLUTION
'''
    taken = "better" if better else "worse"
    return Problem(
        name="fair",
        title="A conclusion that came too soon",
        minutes=15,
        points=6,
        text=f"""A student compares a shallow network, A, with a deeper one, B. Both receive one of
{n_x} letters at each step, as a one-hot vector, and have {n_x} outputs. After the last step they
output the letter that they received {k} steps before. The hidden layer of B is a tanh layer, as
in chapter 11.

| | A | B |
|---|---|---|
{table}

The student concludes: "A hidden layer {place} makes a network {taken} at this task." The
conclusion may be true, but the comparison doesn't show it, because it has one serious flaw.

Write `fair()`. It returns a dictionary:

- `"flaw"`: one of four sentences;
- `"parameters"`: the numbers of parameters of A and of B, with all biases, as a list;
- `"arrows"`: the numbers of arrows on the shortest path from an input to the output {k} steps
  later, in A and in B, as a list.

The four sentences about the flaw are these:

"""
        + "\n".join(f'- `"{one}"`' for one in FLAWS),
        code=code,
        example="assert set(fair()) == {'flaw', 'parameters', 'arrows'}, 'expected three keys'",
        parts={"flaw": 0.5, "parameters": 0.3, "arrows": 0.2},
        hint="Go through the table row by row. Could one of the rows explain the last one, without "
        "the hidden layer?",
        success="Before you ask why one network wins, you asked what else differs, or whether "
        "anything differs at all.",
        mistakes={
            "biases are forgotten": Mistake(
                f"[{shallow}, {deep}]",
                str(without),
                "Which vectors does a network add, besides its products with matrices?",
                0.8,
            ),
            "the same path in both": Mistake(
                str([*arrows]),
                str([arrows[0], arrows[0]]),
                "Draw the path in B. How often does it go through the hidden layer?",
                0.8,
            ),
            "the layer is on another part of the path": Mistake(
                str([*arrows]),
                str([arrows[0], k + 3 if between else 2 * k + 2]),
                "Does the path go through the hidden layer at every step, or only once?",
                0.8,
            ),
            **{
                f"taken for: {other}": Mistake(
                    f'"{flaw}"',
                    f'"{other}"',
                    "Check the row of the table that belongs to your sentence. Do A and B differ "
                    "there, or could another choice have changed the last row?",
                    0.5,
                )
                for other in FLAWS
                if other != flaw
            },
        },
    )


def same_root(public, hidden):
    """Prove when a linear recursive network doesn't depend on its tree (12, 11 and 07)."""
    biased, ends = bool(public.integers(2)), bool(public.integers(2))
    b, extra = (
        r"\boldsymbol b + ",
        r", and $\boldsymbol U \boldsymbol b = \boldsymbol W \boldsymbol b$",
    )
    if not biased:
        b = extra = ""
    constants = (
        r" The constant terms are $\boldsymbol b + \boldsymbol U \boldsymbol b$ and $\boldsymbol b "
        r"+ \boldsymbol W \boldsymbol b$; they are equal if all words are 0."
        if biased
        else ""
    )
    if ends:
        bias = " Choose a $\\boldsymbol b$, too." if biased else ""
        question = rf"""Find such a network with two units whose root may change if the words are
reordered. Neither matrix may be 0 or $\boldsymbol I$.{bias} Which
numbers of which words does its root contain, if there are many words?"""
        zero = r" and $\boldsymbol b = 0$" if biased else ""
        answer = rf"""Let $\boldsymbol U$ be diagonal with the entries 1 and 0, $\boldsymbol W$
with 0 and 1{zero}. All conditions hold. The root of (p, q) is $(p_1, q_2)$, and that of
(q, p) is $(q_1, p_2)$. With many words, the root contains the first
number of the first word and the second number of the last word, and nothing else."""
        worth = {
            "Part 3 gives matrices that fulfill the conditions.": 1,
            "Part 3 says what the root contains: a part of the first and of the last word.": 2,
        }
    else:
        question = r"""Orthogonal matrices keep the length of a gradient. Suppose that
$\boldsymbol U$ and $\boldsymbol W$ are *orthogonal*, too. Which matrices are possible?
What is the root, and what does it not tell about the sequence?"""
        sum_ = (
            r"the sum of all word vectors, plus $(\tau - 1)\boldsymbol b$"
            if biased
            else "the sum of all word vectors"
        )
        answer = rf"""An orthogonal matrix has an inverse, so $\boldsymbol U^2 = \boldsymbol U$
gives $\boldsymbol U = \boldsymbol I$, and likewise $\boldsymbol W = \boldsymbol I$. The root is
{sum_}. It doesn't change if the words are reordered, so it tells nothing about their order."""
        worth = {
            "Part 3 concludes that both matrices are I, because they have inverses.": 2,
            "Part 3 says that the root is a sum, so the order is lost.": 1,
        }
    return Proof(
        name="same_root",
        title="Does the tree matter?",
        minutes=25,
        text=rf"""A recursive network has no tanh: each node computes

$$\boldsymbol h = {b}\boldsymbol U \boldsymbol h_\text{{left}} + \boldsymbol W
\boldsymbol h_\text{{right}}.$$

1. There are two trees over three words. Prove that they give the same root for all word vectors
if and only if $\boldsymbol U^2 = \boldsymbol U$, $\boldsymbol W^2 = \boldsymbol W$, $\boldsymbol U
\boldsymbol W = \boldsymbol W \boldsymbol U${extra}.
2. Prove that under these conditions, *all* trees over $\tau$ words give the same root, for every
$\tau$.
3. {question}""",
        solution=rf"""**1.** For the words $\boldsymbol p, \boldsymbol q, \boldsymbol r$,
the roots of ((p q) r) and (p (q r)) are

$${b}\boldsymbol U({b}\boldsymbol U \boldsymbol p + \boldsymbol W \boldsymbol q) + \boldsymbol W
\boldsymbol r \quad\text{{and}}\quad {b}\boldsymbol U \boldsymbol p + \boldsymbol W({b}\boldsymbol U
\boldsymbol q + \boldsymbol W \boldsymbol r).$$

Under the conditions, they agree term by term. Conversely, let them agree for all words.{constants}
If only $\boldsymbol p$ isn't 0, what remains is $\boldsymbol U^2 \boldsymbol p = \boldsymbol U
\boldsymbol p$ for all $\boldsymbol p$, so $\boldsymbol U^2 = \boldsymbol U$. In the same way,
$\boldsymbol q$ gives $\boldsymbol U \boldsymbol W = \boldsymbol W \boldsymbol U$, and $\boldsymbol
r$ gives $\boldsymbol W = \boldsymbol W^2$.

**2.** By induction over $\tau$, every tree has the same root as the left chain. For $\tau \le 2$
there is only one tree. Let $\tau > 2$, and let the children of the root have the vectors
$\boldsymbol l$ and $\boldsymbol r$. If the right child is a single word, then by induction
$\boldsymbol l$ is the root of a left chain, and with the last word the whole is a left chain.
Otherwise, by induction, we may replace the right child by the left chain over its words, so it
combines some vector $\boldsymbol r'$ with the last word $\boldsymbol x$. Part 1 holds for any
three vectors, so (l (r' x)) has the same root as ((l r') x). Now (l r') is a tree over the first
$\tau - 1$ words, and by induction it has the root of their left chain. The last word follows, so
the whole has the root of the left chain.

**3.** {answer}""",
        rubric={
            "Both roots over three words are written out, and the conditions make them equal.": 2,
            "The conditions are necessary, shown by choosing words that are 0.": 2,
            "Part 2 is an induction over all trees, with its first case.": 2,
            "Part 2 applies part 1 to the vectors of subtrees, not only to words.": 2,
            **worth,
        },
    )


TEMPLATES = [arrives, any_tree, fair, same_root]
