"""Questions on chapter 12, Recursive networks."""

from collections import Counter
from fractions import Fraction

from course.exam import Question

SHAPES = (
    ((0, ((1, 2), 3)), (4, 5)),
    ((0, (1, (2, 3))), (4, 5)),
    ((0, 1), ((2, (3, 4)), 5)),
    (((0, 1), 2), ((3, 4), (5, 6))),
    ((0, (1, 2)), ((3, 4), (5, 6))),
)
WORDS = ["old", "dogs", "bark", "at", "very", "young", "cats"]


def leaves(tree, way=""):
    """Return the way from the root to each leaf, in the order of the words."""
    if isinstance(tree, int):
        return [way]
    return leaves(tree[0], way + "L") + leaves(tree[1], way + "R")


def heights(tree):
    """Return the height of a tree, and those of all its nodes."""
    if isinstance(tree, int):
        return 0, []
    (left, below), (right, beside) = heights(tree[0]), heights(tree[1])
    own = 1 + max(left, right)
    return own, [*below, *beside, own]


def brackets(tree):
    """Write a tree for the figure."""
    return WORDS[tree] if isinstance(tree, int) else f"({brackets(tree[0])} {brackets(tree[1])})"


def rounds_and_shares(rng):
    """Read a tree: what is computed when, and which gradient a word gets."""
    tree = SHAPES[int(rng.integers(len(SHAPES)))]
    u, w = [
        Fraction(text) for text in (("1/2", "1"), ("1", "1/2"), ("1/2", "1/4"))[rng.integers(3)]
    ]
    ways = leaves(tree)
    n = len(ways)
    computed = Counter(heights(tree)[1])
    shares = [u ** way.count("L") * w ** way.count("R") for way in ways]
    word = int(rng.integers(1, n))
    again = len(ways[word])
    listed = ", ".join(f"*{name}* {share}" for name, share in zip(WORDS, shares, strict=False))
    return Question(
        kind="read",
        title="Grown along a sentence",
        minutes=10,
        text=f"""The figure shows a tree for a line of {n} words. A circle is a node.

1. In each round, all nodes are computed whose two children are ready. How many nodes are computed
in each round?
2. Each node multiplies the gradient by {u} on the way to its left child and by {w} on the way to
its right child. The gradient at the root is 1. What is the gradient of each word?
3. The word *{WORDS[word]}* is replaced by another one. How many nodes have to be computed again?
How many would that be in the left chain over the same words?
4. With the factors of part 2, what are the gradients of the first and of the last word in the left
chain?""",
        figure=(
            "tree",
            {"tree": "own", "text": brackets(tree)[1:-1], "from": 1, "to": n},
        ),
        key=f"""1. {", then ".join(str(computed[h]) for h in sorted(computed))} (3 points)
2. One factor for each node above a word: {listed} (4 points)
3. Only the nodes above it: {again}. In the chain, {n - word} (2 points)
4. {u ** (n - 1)} and {w} (1 point)""",
    )


GROUPED = ((2, 1), (1, 2, 3)), ((2, -1), (1, 3, 2)), ((3, 1), (1, 1, 2)), ((-1, 2), (2, 1, 3))


def which_grouping(rng):
    """Compute two groupings, and find out when they agree."""
    (u, w), (x, y, z) = GROUPED[int(rng.integers(len(GROUPED)))]
    chain, other = u * (u * x + w * y) + w * z, u * x + w * (u * y + w * z)
    return Question(
        kind="compute",
        title="Does the grouping matter?",
        minutes=12,
        text=rf"""A recursive network has one linear unit in each node, $h = u \cdot
h_\text{{left}} + w \cdot h_\text{{right}}$. Three words have the values $x$, $y$ and $z$.

1. Let $u = {u}$, $w = {w}$ and $(x, y, z) = ({x}, {y}, {z})$. Compute the root for ((x y) z) and
for (x (y z)).
2. For any $u$ and $w$, what are the derivatives of the root with respect to the three words, in
both trees?
3. For which pairs $(u, w)$ do both trees agree for all words? What does the root contain in each of
these cases?
4. Now each node applies a tanh to its sum. Do both trees still agree for $u = w = 1$?""",
        key=rf"""1. {chain} and {other} (2 points)
2. In ((x y) z): $u^2$, $uw$ and $w$. In (x (y z)): $u$, $uw$ and $w^2$ (3 points)
3. The derivatives must be equal: $u^2 = u$ and $w^2 = w$, so each weight is 0 or 1. (1, 1): the sum
of the words. (1, 0): the first word. (0, 1): the last word. (0, 0): nothing (5 points: 3 for the
pairs, 2 for the contents)
4. No. For example, (1, 0, 0) gives tanh(tanh 1) = 0.64 and tanh 1 = 0.76: the word passes a
different number of tanhs (2 points)""",
    )


def what_a_sum_says(rng):
    """Find the node that computes a table."""
    b, u, w = (int(v) for v in rng.choice([-2, -1, 1, 2], 3))
    t = int(rng.choice([-3, -1, 2, 3]))
    low = int(rng.choice([0, -1]))
    units = int(rng.choice([10, 20, 50]))

    def table(product):
        return [
            [b + u * left + w * right + product * left * right for right in (low, 1)]
            for left in (low, 1)
        ]

    both = [(0, table(0)), (t, table(t))]
    if rng.integers(2):
        both.reverse()
    plain = "AB"[[product for product, _ in both].index(0)]
    cells = [" | ".join(str(table[row][k]) for _, table in both for k in (0, 1)) for row in (0, 1)]
    cells = [cell.replace("-", "−") for cell in cells]
    (one, two), (three, four) = table(t)
    times = "" if low == 0 else f"{(1 - low) ** 2} "
    return Question(
        kind="compute",
        title="What a sum can't say",
        minutes=10,
        text=rf"""The left child of a node is *not* or *very*, and the right child is *bad* or
*good*. *Not* and *bad* have the value {low}, *very* and *good* the value 1. Before its tanh, the
node should have these values, according to two tables A and B:

| | A: bad | A: good | B: bad | B: good |
|---|---|---|---|---|
| not | {cells[0]} |
| very | {cells[1]} |

1. Which of the two tables can a plain node compute, with $b + u \, h_\text{{left}} + w \,
h_\text{{right}}$? Why not the other?
2. For the other table, find the numbers of a tensor node: $b + u \, h_\text{{left}} + w \,
h_\text{{right}} + t \, h_\text{{left}} h_\text{{right}}$.
3. How many parameters do the nodes of a network with {units} units have, plain and with tensors?
(Leave out the words' vectors and the output.)""",
        key=rf"""1. {plain}. In the other table, the step from *bad* to *good* is {two - one} after
*not* and {four - three} after *very*. In a sum, both steps are equal (3 points)
2. $t = {t}$, $u = {u}$, $w = {w}$ and $b = {b}$. The difference of the two steps is
${times}t$ = {four - three - two + one}; then the four equations give the rest (5 points: 2
for $t$, 3 for the others)
3. $2 \cdot {units}^2 + {units}$ = {2 * units**2 + units:,}, and ${units}^3$ more with tensors:
{units**3 + 2 * units**2 + units:,} (2 points)""",
    )


BUGS = (
    "The term of each node is assigned to the gradient instead of added. The program goes from the "
    "root down, so the node that it visits last overwrites the others",
    "The two factors are swapped on the way down: the left child receives the gradient times $w$, "
    "and the right child receives it times $u$",
    "Only the root's term is counted: nothing is passed on to the nodes below",
    "The gradient isn't multiplied by $u$ or $w$ on the way down: all nodes receive the root's 1",
)
NUMBERS = ((2, 3), (1, 2, 3, 1)), ((3, 2), (2, 1, 1, 3)), ((2, 5), (1, 3, 2, 2))
TESTED = {"(A B)": (0, 1), "((A B) C)": ((0, 1), 2), "(A (B C))": (0, (1, 2))}


def slopes(tree, words, u, w, bug=None):
    """Return the derivative of a linear network's root with respect to `u`."""
    terms = []

    def value(tree):
        return words[tree] if isinstance(tree, int) else u * value(tree[0]) + w * value(tree[1])

    def down(tree, g):
        if isinstance(tree, int):
            return
        terms.append(g * value(tree[0]))
        left, right = ((u, w), (w, u), (0, 0), (1, 1))[bug or 0]
        down(tree[0], g * left)
        down(tree[1], g * right)

    down(tree, 1)
    return terms, (terms[-1] if bug == 0 else sum(terms))


def wrong_along_a_tree(rng):
    """Find the bug in a back-propagation along trees."""
    found = int(rng.integers(4))
    (u, w), words = NUMBERS[int(rng.integers(len(NUMBERS)))]
    rows, true = [], {}
    for name, tree in TESTED.items():
        true[name] = slopes(tree, words, u, w)
        rows.append(f"| {name} | {true[name][1]} | {slopes(tree, words, u, w, found)[1]} |")
    terms = {name: " + ".join(map(str, one)) for name, (one, _) in true.items()}
    wrong = [slopes(tree, words, u, w, found)[0] for tree in list(TESTED.values())[1:]]
    kept = "; ".join(f"{one[0]} and {one[1]}" if len(one) > 1 else str(one[0]) for one in wrong)
    table = "\n".join(rows)
    return Question(
        kind="diagnose",
        title="A pair passes",
        minutes=10,
        text=rf"""A recursive network has one linear unit in each node, $h = u \cdot
h_\text{{left}} + w \cdot h_\text{{right}}$, with $u = {u}$ and $w = {w}$. The words A, B and C have
the values {words[0]}, {words[1]} and {words[2]}. Somebody computes the derivative of the root with
respect to $u$ by difference quotients and by back-propagation:

| tree | difference quotient | back-propagation |
|---|---|---|
{table}

1. Compute the derivative for ((A B) C) by hand. Which term does each node contribute?
2. What is the bug? Show that it leads to exactly these numbers.
3. Why does the first tree pass? Which trees should a gradient check contain?""",
        key=rf"""1. The root contributes the value of its left child, and the lower node contributes
$u$ times A, since the gradient is multiplied by $u$ on the way to it: {terms["((A B) C)"]} =
{true["((A B) C)"][1]} (3 points)
2. {BUGS[found]}. With this bug, the terms of the root and of the lower node in the second and in
the third tree are {kept} (5 points: 3 for the bug, 2 for the numbers)
3. It has one node, so nothing is added up and nothing is passed on to another node. A check needs
trees with a node as a left child and with a node as a right child (2 points)""",
    )


def fair_shares(rng):
    """Prove that all trees distribute the same sum of gradients."""
    d = int(rng.integers(3, 6))
    tau = 2**d
    p = float(rng.choice([0.9, 0.95, 0.99]))
    q = round(1 - p, 2)
    tiny = f"{q**d:.12f}".rstrip("0")
    return Question(
        kind="prove",
        title="Fair shares",
        minutes=15,
        text=rf"""In a binary tree over $\tau$ words, the gradient at the root is 1, and each node
passes half of its gradient on to each of its two children.

1. Prove that the gradients of all words add up to 1, whatever the tree is.
2. Deduce: some word receives at most $1/\tau$. And if *no* word receives less than $1/\tau$, then
all words have equally many nodes above them. Can that happen for every $\tau$?
3. Now each node passes the share {p:g} on to its left child and {q:g} to its right child. Is the
sum still 1? What do the first and the last of {tau} words receive in a left chain, and what do they
receive in a balanced tree?
4. Which lesson of the chapter does part 3 illustrate?""",
        key=rf"""1. By induction over the number of words. One word is the root itself and has the
gradient 1. In a larger tree, the root passes 1/2 on to each of two smaller trees. All gradients in
them are half of those with 1 at their own roots, so they add up to 1/2 each. (Or: going down, each
node replaces its gradient by two that add up to it.) (5 points)
2. If all $\tau$ gradients were above $1/\tau$, their sum would be above 1. If none is below, all
must be equal to $1/\tau$. A word with $d$ nodes above it receives $2^{{-d}}$, so all have the same
$d$, and $\tau = 2^d$: it happens only for powers of 2. (5 points: 2 for the first claim, 2 for the
second, 1 for the powers)
3. Yes, since {p:g} + {q:g} = 1. In the chain: ${p:g}^{{{tau - 1}}}$ = {p ** (tau - 1):.2g}, and
{q:g}. In the balanced tree: ${p:g}^{{{d}}}$ = {p**d:.2g} and ${q:g}^{{{d}}}$ = {tiny}. (4
points: 1 for the sum, 1 for the chain, 2 for the tree)
4. A long chain needn't lose the first word: the factors count, not only the depth. With a left
factor near 1, as with an orthogonal $\boldsymbol U$ and a small $\boldsymbol W$, far more of its
gradient arrives than with two halves. (1 point)""",
    )


TEMPLATES = [rounds_and_shares, which_grouping, what_a_sum_says, wrong_along_a_tree, fair_shares]
