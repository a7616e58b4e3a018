"""The exercises of chapter 12, Recursive networks."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines
from rnn_helpers.reference.trees import balanced, chain, random_tree, with_words


def _sentences() -> list[tuple]:
    trees = [0, (0, 1), chain(5), chain(5, "right"), balanced(8), random_tree(9, 3)]
    words = ["who", "wrote", "the", "book", "that", "was", "on", "the", "table"]
    return [(with_words(tree, words[: 1 + str(tree).count(",")]),) for tree in trees]


def _folded(leaf, node):
    """Return a function that folds a nested tuple: `leaf` for a leaf, `node` for a pair."""

    def fold(tree):
        return node(*map(fold, tree)) if isinstance(tree, tuple) else leaf

    return fold


def _right_alone(tree):
    return 1 + _right_alone(tree[1]) if isinstance(tree, tuple) else 0


def _left_alone(tree):
    return 1 + _left_alone(tree[0]) if isinstance(tree, tuple) else 0


@exercise(
    "12-depth",
    cases=_sentences,
    hint="A single word has depth 0. If you know the depths of the left and the right half, "
    "what is the depth of the pair?",
    success="The recursion has one case for a leaf and one for a pair. Everything that computes "
    "along a tree, such as the forward pass, has this form.",
    wrong={
        "a leaf counts": Wrong(
            _folded(1, lambda left, right: 1 + max(left, right)),
            "What is the depth of a tree that is one word? It applies no function.",
        ),
        "all nodes": Wrong(
            _folded(0, lambda left, right: 1 + left + right),
            "You count all nodes. How many of them lie on one path from the root to a word?",
        ),
        "the nearest leaf": Wrong(
            _folded(0, lambda left, right: 1 + min(left, right)),
            "You follow the path to the nearest leaf. Which leaf sets the depth?",
        ),
        "left alone": Wrong(
            _left_alone,
            "Your depth ignores the right half of each pair. When does the right half matter?",
        ),
        "right alone": Wrong(
            _right_alone,
            "Your depth ignores the left half of each pair. When does the left half matter?",
        ),
    },
)
def depth(tree):
    """Return the number of nodes on the longest path from a word to the root."""
    return _folded(0, lambda left, right: 1 + max(left, right))(tree)


TREES = (2, (2, 0), ((1, 0), 3), (3, (1, (0, 1))), (((2, 3), (0, 0)), ((1, 2), 3)))


def _params(seed, n_x=4, n_h=3):
    rng = np.random.default_rng(seed)
    shapes = {"V": (n_h, n_x), "U": (n_h, n_h), "W": (n_h, n_h), "b": (n_h,)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def _networks() -> list[tuple]:
    return [(_params(seed), tree) for seed, tree in enumerate(TREES, start=120)]


def _forwards(swapped=False, squashed=False, bias=True, one=False, added=False, row=False):
    def forward(params, tree):
        U, W = params["W" if swapped else "U"], params["U" if swapped or one else "W"]
        if not isinstance(tree, tuple):
            leaf = params["V"][tree] if row else params["V"][:, tree]
            return np.tanh(leaf) if squashed else leaf
        left, right = forward(params, tree[0]), forward(params, tree[1])
        a = U @ left + W @ right + bias * params["b"]
        return a if added else np.tanh(a)

    return forward


@exercise(
    "12-forward",
    cases=_networks,
    hint="Try a tree that is one token, then a pair of tokens, then three. Which is the first for "
    "which your vector is wrong?",
    success="One set of weights computes the vector of any tree, whatever its shape. The "
    "network shares weights across nodes as a recurrent network shares them across steps.",
    wrong={
        "left and right exchanged": Wrong(
            _forwards(swapped=True), "Which matrix belongs to the left child, U or W?"
        ),
        "a tanh on leaves": Wrong(
            _forwards(squashed=True),
            "Look at a tree that is one token. Is there a nonlinearity at a leaf?",
        ),
        "a row of V": Wrong(
            _forwards(row=True),
            "How many entries should the vector of a leaf have? Does V hold the vector of a token "
            "in a row or in a column?",
        ),
        "no bias": Wrong(
            _forwards(bias=False), "One parameter has no effect on your answer. Which one?"
        ),
        "one matrix for both": Wrong(
            _forwards(one=True),
            "Swap the two children of a node: your answer stays the same. Should it?",
        ),
        "no nonlinearity": Wrong(
            _forwards(added=True), "Your vectors can have entries larger than 1. What is missing?"
        ),
    },
)
def forward(params, tree):
    """Return the vector of the root of a nested tuple of tokens."""
    return _forwards()(params, tree)


@exercise(
    "12-halves",
    hint="How many nodes are above the word in each tree?",
    success="A balanced tree keeps far more of the gradient of the first word and less of that of "
    "the last one. It treats all words alike.",
    wrong={
        "differences of exponents": Wrong(
            (11.0, -3.0), "You counted nodes. What does each of them do to the gradient?"
        ),
        "one node too many": Wrong(
            (4096.0, 0.125), "How many nodes does a tree over 16 words have?"
        ),
        "both words alike": Wrong(
            (2048.0, 2048.0), "How many nodes are above the last word of the chain?"
        ),
        "upside down": Wrong(
            (2.0**-11, 8.0), "Which of the two trees has fewer nodes above the first word?"
        ),
        "the balanced tree alone": Wrong(
            (2.0**-4, 2.0**-4), "You computed the shares in one tree. What is their ratio?"
        ),
    },
)
def halves():
    """Return how many times as large two gradients are in a balanced tree as in a chain."""
    return 2.0 ** (15 - 4), 2.0 ** (1 - 4)


@exercise(
    "12-parts",
    hint="Write down the symbols under each node. Which of them have a value in this expression?",
    success="Along the parse tree, each operation has a node that stands for its value. Another "
    "tree has such a node only by chance.",
    wrong={
        "only the root of the chain": Wrong(
            (1, 1, 2), "Which prefixes of the expression have a value?"
        ),
        "only the roots": Wrong(
            (1, 1, 1), "Is the root the only node of the parse tree that has a value?"
        ),
        "all nodes": Wrong((6, 6, 4), "You counted all nodes. Does ( 4 have a value?"),
        "a balanced node over the bracket": Wrong(
            (2, 2, 2), "Where does the balanced tree divide the seven symbols?"
        ),
        "without the roots": Wrong(
            (1, 0, 1), "Which symbols are below the root? Do they have a value?"
        ),
        "digits counted": Wrong((5, 4, 5), "You counted the digits. Are they nodes or leaves?"),
    },
)
def parts():
    """Return the numbers of nodes with a value: in the chain, balanced tree and parse tree."""
    return 2, 1, 2


def _gradients() -> list[tuple]:
    rng = np.random.default_rng(125)
    return [(params, tree, rng.normal(size=3)) for params, tree in _networks()]


def _backwards(
    copies=True, slope=True, exchanged=False, transposed=True, every=False, leaves=True, bent=False
):
    def backward(params, tree, grad):
        grads = {name: np.zeros_like(params[name]) for name in "VUWb"}

        def down(tree, grad):
            if not isinstance(tree, tuple):
                grads["V"][:, tree] = leaves * grads["V"][:, tree] + grad
                return
            left, right = forward(params, tree[0]), forward(params, tree[1])
            h = forward(params, tree)
            grad_a = (1 - (np.tanh(h) if bent else h) ** 2) * grad if slope else grad
            parts = {"U": np.outer(grad_a, left), "W": np.outer(grad_a, right), "b": grad_a}
            for name, part in parts.items():
                grads[name] = part + copies * grads[name]
            U, W = (params[name] for name in ("WU" if exchanged else "UW"))
            down(tree[0], (U.T if transposed else U) @ grad_a)
            down(tree[1], (W.T if transposed else W) @ (grad if every else grad_a))

        down(tree, grad)
        return grads

    return backward


@exercise(
    "12-backward",
    cases=_gradients,
    hint="Start with one token, then a pair, then a tree in which a token occurs twice. Which "
    "gradient is the first that differs from its difference quotient?",
    success="Each node adds one term to the gradients of U, W and b, just as each time step does "
    "in back-propagation through time.",
    instance=lines(
        WAVE,
        """
        params = {
            "V": wave(1, 2, 2),
            "U": wave(2, 2, 2),
            "W": wave(3, 2, 2),
            "b": wave(4, 2),
        }

        print(backward(params, (1, (0, (0, 1))), wave(5, 2)))
        """,
    ),
    wrong={
        "only the last copy": Wrong(
            _backwards(copies=False),
            "A pair is right, but a larger tree isn't. How many nodes use the same U?",
        ),
        "only the last occurrence of a token": Wrong(
            _backwards(leaves=False),
            "U, W and b are right. If a token occurs twice in the tree, how many gradients does "
            "its column of V get?",
        ),
        "tanh of h": Wrong(
            _backwards(bent=True),
            "Which numbers are in a node's vector: the arguments of the tanh, or already its "
            "values?",
        ),
        "no slope": Wrong(
            _backwards(slope=False),
            "What multiplies a gradient on its way back through a tanh?",
        ),
        "children exchanged": Wrong(
            _backwards(exchanged=True), "Through which matrix did the left child reach its parent?"
        ),
        "not transposed": Wrong(
            _backwards(transposed=False),
            "The forward step multiplies by U. What multiplies the gradient on the way back?",
        ),
        "the slope for one child alone": Wrong(
            _backwards(every=True),
            "You treat the two children differently. Has the gradient passed back through the "
            "tanh for both?",
        ),
    },
)
def backward(params, tree, grad):
    """Return the gradients on V, U, W and b from that on the root's vector."""
    return _backwards()(params, tree, grad)


@exercise(
    "12-not-bad",
    hint="A unit's sum has a part from the left, a part from the right, and a bias. With "
    "'very' on the left, how does it change from 'good' to 'bad'?",
    success="A plain node adds its two children before the tanh, so 'not' can't reverse the word "
    "next to it. A tensor node can.",
    wrong={
        "what is meant": Wrong(
            1.0,
            "That is the value you would want. Can the part from 'not' depend on the word next to "
            "it?",
        ),
        "very bad": Wrong(
            -2.0, "That is the sum for 'very bad'. Does 'not' contribute the same as 'very'?"
        ),
        "not turns the sign": Wrong(
            2.0, "A plain node adds its left and right parts. Can a sum flip the sign of one part?"
        ),
        "not scales": Wrong(
            -3.0,
            "How much do 'good' and 'bad' differ next to 'very'? How much must they differ next "
            "to 'not'?",
        ),
    },
)
def not_bad():
    """Return the sum at a unit for the fourth pair, from those of the other three."""
    return -1.0 + (-2.0 - 2.0)


def _tables() -> list[tuple]:
    rng = np.random.default_rng(126)
    told = [
        (rng.normal(size=(n, n)) + 2 * np.eye(n), rng.normal(size=(n, n)), rng.normal(size=(n, n)))
        for n in (2, 3, 4)
    ]
    return [(np.eye(2), np.eye(2), np.array([[2.0, -2.0], [-1.0, 1.0]])), *told]


def _slices(solve):
    return lambda left, right, wanted: solve(np.linalg.inv(left), np.linalg.inv(right), wanted)


@exercise(
    "12-tensor",
    cases=_tables,
    hint="Write all pairs at once as one equation between matrices. How do you solve it for "
    "the matrix in the middle?",
    success="With linearly independent word vectors, a bilinear form can hold any table of pairs. "
    "A sum of two parts can't: its rows differ only by constants.",
    wrong={
        "the table itself": Wrong(
            lambda left, right, wanted: wanted,
            "That is right when the word vectors are one-hot. What if they aren't?",
        ),
        "right not transposed": Wrong(
            _slices(lambda left, right, wanted: left @ wanted @ right),
            "The words are rows of `right`. Is a word on the right of the bilinear form a row or "
            "a column?",
        ),
        "left and right exchanged": Wrong(
            _slices(lambda left, right, wanted: (left @ wanted @ right.T).T),
            "Which of the two indices of the matrix belongs to the left word?",
        ),
        "not inverted": Wrong(
            lambda left, right, wanted: left.T @ wanted @ right,
            "That is right when the word vectors are orthonormal. Which values does your matrix "
            "give here?",
        ),
    },
)
def tensor(left, right, wanted):
    """Return the matrix whose bilinear form has the wanted value for every pair of words."""
    return _slices(lambda left, right, wanted: left @ wanted @ right.T)(left, right, wanted)


checklist(
    "12-flattest",
    {
        "A tree of depth 0 has one leaf.": "With which tree does the induction start?",
        "Both halves of a tree of depth d have depth at most d - 1, and at least one of them has "
        "exactly that depth.": ("What remains of a tree without its root?"),
        "So a tree of depth d has at most 2^d leaves. With tau leaves, 2^d is at least tau, so d "
        "is at least log2(tau) and, as a whole number, at least its ceiling.": (
            "How many leaves can two trees of depth d - 1 have together?"
        ),
        "Halving the leaves as evenly as possible reaches that bound.": (
            "A bound is tight only if some tree reaches it. Which tree does?"
        ),
        "Each node turns two vectors into one, so tau vectors become one after tau - 1 nodes, in "
        "any order.": "How does each node change the number of vectors?",
    },
    success="A balanced tree has as many nodes as a chain, but its longest path has only about "
    "log2(tau) of them instead of tau - 1.",
)
