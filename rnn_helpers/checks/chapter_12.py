"""The exercises of chapter 12, Recursive networks."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
from rnn_helpers.reference.trees import balanced, chain, random_tree, with_words


def _sentences() -> list[tuple]:
    trees = [0, (0, 1), chain(5), chain(5, "right"), balanced(8), random_tree(9, 3)]
    words = ["who", "wrote", "the", "book", "that", "was", "on", "the", "table"]
    return [(with_words(tree, words[: 1 + str(tree).count(",")]),) for tree in trees]


def _folded(leaf, node):
    """Function of a nested tuple that is `leaf` of a leaf and `node` of what its children are."""

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
    hint="A word alone has depth 0. If you know how deep the left half is, and the right half, how "
    "deep is the pair of them?",
    wrong={
        "a leaf counts": Wrong(
            _folded(1, lambda left, right: 1 + max(left, right)),
            "What is the depth of a tree that is one word? No function is applied in it.",
        ),
        "all nodes": Wrong(
            _folded(0, lambda left, right: 1 + left + right),
            "You count all nodes. Depth is how many stand one above the other.",
        ),
        "the nearest leaf": Wrong(
            _folded(0, lambda left, right: 1 + min(left, right)),
            "You go down to the nearest leaf. Which one is asked for?",
        ),
        "left alone": Wrong(_left_alone, "Your depth ignores what hangs to the right."),
        "right alone": Wrong(_right_alone, "Your depth ignores what hangs to the left."),
    },
)
def depth(tree):
    """Count the compositions between the deepest word and the top."""
    return _folded(0, lambda left, right: 1 + max(left, right))(tree)


TREES = (2, (2, 0), ((1, 0), 3), (3, (1, (0, 1))), (((2, 3), (0, 0)), ((1, 2), 3)))


def _params(seed, n_x=4, n_h=3):
    rng = np.random.default_rng(seed)
    shapes = {"V": (n_h, n_x), "U": (n_h, n_h), "W": (n_h, n_h), "b": (n_h,)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def _networks() -> list[tuple]:
    return [(_params(seed), tree) for seed, tree in enumerate(TREES, start=120)]


def _forwards(swapped=False, squashed=False, bias=True, one=False, added=False):
    def forward(params, tree):
        U, W = params["W" if swapped else "U"], params["U" if swapped or one else "W"]
        if not isinstance(tree, tuple):
            leaf = params["V"][:, tree]
            return np.tanh(leaf) if squashed else leaf
        left, right = forward(params, tree[0]), forward(params, tree[1])
        a = U @ left + W @ right + bias * params["b"]
        return a if added else np.tanh(a)

    return forward


@exercise(
    "12-forward",
    cases=_networks,
    hint="Begin with a tree that is one token, then a pair of tokens: two cases, and the second "
    "calls your function twice.",
    wrong={
        "left and right exchanged": Wrong(
            _forwards(swapped=True), "Which matrix belongs to the left child, U or W?"
        ),
        "a tanh on leaves": Wrong(
            _forwards(squashed=True),
            "Look at a tree that is one token. Is there a nonlinearity at a leaf?",
        ),
        "no bias": Wrong(_forwards(bias=False), "One parameter has no influence on your answer."),
        "one matrix for both": Wrong(
            _forwards(one=True),
            "Exchange the two children of a node: your answer is the same. Should it be?",
        ),
        "no nonlinearity": Wrong(
            _forwards(added=True), "Your nodes can be larger than 1. What is missing?"
        ),
    },
)
def forward(params, tree):
    """Give the vector of the root of a nested tuple of tokens."""
    return _forwards()(params, tree)


def _gradients() -> list[tuple]:
    rng = np.random.default_rng(125)
    return [(params, tree, rng.normal(size=3)) for params, tree in _networks()]


def _backwards(copies=True, slope=True, exchanged=False, transposed=True, every=False):
    def backward(params, tree, grad):
        grads = {name: np.zeros_like(params[name]) for name in "VUWb"}

        def down(tree, grad):
            if not isinstance(tree, tuple):
                grads["V"][:, tree] += grad
                return
            left, right = forward(params, tree[0]), forward(params, tree[1])
            h = forward(params, tree)
            grad_a = (1 - h**2) * grad if slope else grad
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
    hint="Begin with one token, then one pair. What arrives at a node goes first through its tanh, "
    "then to its four neighbours: two matrices and a bias, and each child. Compare with quotients "
    "of differences, one parameter at a time.",
    wrong={
        "only the last copy": Wrong(
            _backwards(copies=False),
            "A pair is right, and a larger tree is not: every node gives to the same U, W and b.",
        ),
        "no slope": Wrong(
            _backwards(slope=False),
            "By what does a gradient change when it goes back through tanh?",
        ),
        "children exchanged": Wrong(
            _backwards(exchanged=True), "Through which matrix did the left child reach its parent?"
        ),
        "not transposed": Wrong(
            _backwards(transposed=False),
            "The way there multiplies by U. By what is the gradient multiplied on the way back?",
        ),
        "the slope for one child alone": Wrong(
            _backwards(every=True), "Do both children get what has gone through the tanh?"
        ),
    },
)
def backward(params, tree, grad):
    """Give the gradients on V, U, W and b from that on the root's vector."""
    return _backwards()(params, tree, grad)


@exercise(
    "12-not-bad",
    hint="A unit's sum is a part that comes from the left, a part that comes from the right, and a "
    "bias. By how much does it change, with 'very' on the left, if 'good' is replaced by 'bad'?",
    wrong={
        "what is meant": Wrong(
            1.0, "That is what one would want. Does 'not' know what stands on its right?"
        ),
        "very bad": Wrong(-2.0, "With 'good', 'not' and 'very' give different sums."),
        "not turns the sign": Wrong(
            2.0, "A plain node has no way to multiply: left and right are added."
        ),
        "not scales": Wrong(
            -3.0, "Compare 'very bad' with 'very good', and do the same with 'not'."
        ),
    },
)
def not_bad():
    """Give the sum at a unit for the fourth pair, from those of the other three."""
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
    hint="Write all pairs at once: the rows of `left` times the matrix times the columns of "
    "`right.T`. Which equation between matrices is that, and how is it solved?",
    wrong={
        "the table itself": Wrong(
            lambda left, right, wanted: wanted,
            "That is right where the vectors of the words are unit vectors. And if they are not?",
        ),
        "right not transposed": Wrong(
            _slices(lambda left, right, wanted: left @ wanted @ right),
            "Words are rows. On the right-hand side of the form a word is a column.",
        ),
        "left and right exchanged": Wrong(
            _slices(lambda left, right, wanted: (left @ wanted @ right.T).T),
            "Which of the two indices of the matrix belongs to the left word?",
        ),
        "not inverted": Wrong(
            lambda left, right, wanted: left.T @ wanted @ right,
            "That holds where the vectors are orthonormal. Put yours in, and see what comes out.",
        ),
    },
)
def tensor(left, right, wanted):
    """Give the matrix whose bilinear form takes the wanted value on every pair of words."""
    return _slices(lambda left, right, wanted: left @ wanted @ right.T)(left, right, wanted)


checklist(
    "12-flattest",
    {
        "A tree of depth 0 has one leaf.": "With which tree does an induction begin?",
        "Both halves of a tree of depth d are of depth d - 1 at most, and one of them is.": (
            "What is left of a tree if its root is taken away?"
        ),
        "So a tree of depth d has at most 2^d leaves, and tau leaves need 2^d to be at least tau: "
        "d is at least the logarithm, and being whole, at least its ceiling.": (
            "How many leaves have two trees of depth d - 1 together, at most?"
        ),
        "Halving as evenly as one can reaches that bound.": (
            "A bound is only the answer if some tree reaches it. Which?"
        ),
        "Each node makes one vector out of two, so tau vectors become one after tau - 1 nodes, "
        "in whichever order.": "By how much does the number of vectors change at each node?",
    },
)
