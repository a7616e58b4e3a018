"""The networks of the figure value, and how they learned to evaluate expressions; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import recursive_forward

MODULUS, LEARNED, DEEPEST = 5, 3, 8
TOKENS = "01234+-()"
UNITS = {"chain": 30, "balanced": 30, "parse": 30, "tensor": 12}
NAMES = ("V", "U", "W", "b", "R", "c", "T")
LARGEST, RATE, BATCH = 127, 0.005, 64


def make(steps=4000, tested=500):
    """Train four networks to evaluate expressions modulo 5, and keep them.

    Each learns the same expressions, nested one to three deep, and only what they are worth: one
    along a chain of all symbols, one along a balanced tree of them, one along the tree that the
    brackets say, and one along that tree with a tensor node. The last has 12 units, the others 30:
    as many parameters within five in a hundred. There is one network of each, at one rate: they are
    here to be looked at, and decide nothing.

    Parameters
    ----------
    steps : int
        Of Adam, with 64 expressions each, its rate falling to 0.
    tested : int
        New expressions of each nesting.

    Returns
    -------
    dict
        ``networks``: for each, what `packed` keeps of it; ``measured``: for each the share of new
        expressions that it evaluates rightly, for each nesting from 1 to 8; and what the figure
        must know of the task.
    """
    tests = [expressions(tested, (n, n), seed=n) for n in range(1, DEEPEST + 1)]
    networks, measured = {}, {}
    for kind in UNITS:
        networks[kind] = packed(_train(kind, steps), NAMES, LARGEST)
        params = unpacked(networks[kind])
        measured[kind] = [round(_right(params, kind, test), 3) for test in tests]
    task = {"modulus": MODULUS, "learned": LEARNED, "deepest": DEEPEST, "tokens": TOKENS}
    return task | {"networks": networks, "measured": measured}


def expressions(n, nesting, seed):
    """Random expressions, each nested as deep as one of the numbers from the first to the last."""
    rng = np.random.default_rng(seed)
    return [_expression(rng, int(rng.integers(nesting[0], nesting[1] + 1))) for _ in range(n)]


def _expression(rng, depth):
    if depth == 0:
        return str(rng.integers(MODULUS))
    if rng.random() < 0.25:
        return ("-", _expression(rng, depth - 1))
    deep, other = _expression(rng, depth - 1), _expression(rng, int(rng.integers(depth)))
    left, right = (deep, other) if rng.random() < 0.5 else (other, deep)
    return ((left, "+-"[rng.integers(2)]), right)


def laid(kind, expression):
    """Tokens of an expression in the order in which a network reads them, and its tree."""
    from rnn_helpers.explore.figures.value import symbols

    if kind in ("parse", "tensor"):
        tree, words = trees.places(expression)
    else:
        words = symbols(expression)
        tree = getattr(trees, kind)(len(words))
    return [TOKENS.index(word) for word in words], tree


def _batch(kind, chosen):
    from rnn_helpers.explore.figures.value import value

    x, along = zip(*(laid(kind, expression) for expression in chosen), strict=True)
    return list(x), list(along), np.array([value(expression) for expression in chosen])


def _right(params, kind, chosen):
    x, along, y = _batch(kind, chosen)
    return float(np.mean(recursive_forward(params, x, along).yhat.argmax(1) == y))


def _train(kind, steps):
    import torch
    from torch.nn.functional import cross_entropy

    torch.manual_seed(0)
    n, draw = UNITS[kind], torch.randn
    params = {
        "V": draw(n, len(TOKENS)),
        "U": draw(n, n) / (2 * n) ** 0.5,
        "W": draw(n, n) / (2 * n) ** 0.5,
        "b": torch.zeros(n),
        "R": draw(MODULUS, n) / n**0.5,
        "c": torch.zeros(MODULUS),
    }
    if kind == "tensor":
        params["T"] = draw(n, n, n) / n
    for array in params.values():
        array.requires_grad_()
    optimizer = torch.optim.Adam(params.values(), lr=RATE)
    falls = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for step in range(steps):
        x, along, y = _batch(kind, expressions(BATCH, (1, LEARNED), seed=1000 + step))
        o = _outputs(params, np.concatenate(x), trees.forest(along))
        loss = cross_entropy(o, torch.from_numpy(y))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params.values(), 1.0)
        optimizer.step()
        falls.step()
    return {name: array.numpy(force=True).astype(float) for name, array in params.items()}


def _outputs(params, x, laid_out):
    """Scores at the roots of a forest, its nodes of one height computed at once."""
    import torch

    h = params["V"].T[torch.from_numpy(x)]
    for level in laid_out.levels:
        left, right = h[level.left], h[level.right]
        a = params["b"] + left @ params["U"].T + right @ params["W"].T
        if "T" in params:
            a = a + torch.einsum("bi,kij,bj->bk", left, params["T"], right)
        h = torch.cat([h, torch.tanh(a)])
    return h[laid_out.roots] @ params["R"].T + params["c"]
