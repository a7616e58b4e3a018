"""The networks of the figure value, trained to compute expressions modulo 5; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.reference.recursive import recursive_forward
from rnn_helpers.tasks import expression_batches, expression_value, lay_out, random_expression
from rnn_helpers.tasks.expressions import MODULUS, SYMBOLS

LEARNED, DEEPEST = 3, 8
MOST_LETTERS = 20_000
"""The most letters of base 64 that the figure's bundle may contain for all its networks."""
UNITS = {"chain": 30, "balanced": 30, "parse": 30, "tensor": 12}
NAMES = ("V", "U", "W", "b", "R", "c", "T")
LARGEST, RATE, BATCH = 127, 0.01, 64


def make(steps=3000, tested=500):
    """Train four networks to compute the values of expressions modulo 5.

    They are trained on expressions nested one to three deep, and the only target is the value of
    the whole. One runs along a chain of all symbols, one along a balanced tree of them, one along
    the parse tree, and one along the parse tree with tensor nodes. The last has 12 units and the
    others 30, so that the numbers of parameters differ by at most 6%. There is one network of each
    kind, trained once at one learning rate, so they serve as examples; no claim is based on them.

    Parameters
    ----------
    steps : int
        Steps of Adam, each on 64 expressions; the learning rate falls to 0.
    tested : int
        Number of new expressions of each nesting.

    Returns
    -------
    dict
        ``networks``: the packed weights of each; ``measured``: for each, the share of new
        expressions that are right, for each nesting from 1 to 8; and the constants of the task.
    """
    tests = [expressions(tested, nesting, seed=nesting) for nesting in range(1, DEEPEST + 1)]
    networks, measured = {}, {}
    for kind in UNITS:
        networks[kind] = packed(_train(kind, steps), NAMES, LARGEST)
        params = unpacked(networks[kind])
        measured[kind] = [round(right(params, kind, test), 3) for test in tests]
    task = {"modulus": MODULUS, "learned": LEARNED, "deepest": DEEPEST, "symbols": SYMBOLS}
    return task | {"networks": networks, "measured": measured}


def expressions(n, nesting, seed):
    """Draw random expressions of one nesting."""
    rng = np.random.default_rng(seed)
    return [random_expression(nesting, rng) for _ in range(n)]


def laid(kind):
    """Return the name of a network's tree for `tasks.lay_out`."""
    return "parse" if kind == "tensor" else kind


def run(params, kind, chosen):
    """Return the result of `recursive_forward` on several expressions."""
    over, words = zip(*(lay_out(one, laid(kind)) for one in chosen), strict=True)
    tokens = [[SYMBOLS.index(word) for word in each] for each in words]
    return recursive_forward(params, tokens, list(over))


def right(params, kind, chosen):
    """Return the share of expressions for which a network is right."""
    said = run(params, kind, chosen).yhat.argmax(1)
    return float(np.mean(said == [expression_value(one) for one in chosen]))


def _train(kind, steps):
    from rnn_helpers.nets.recursive import Recursive
    from rnn_helpers.optimizers import Adam
    from rnn_helpers.training import fit

    net = Recursive(len(SYMBOLS), UNITS[kind], MODULUS, [0], tensor=kind == "tensor")
    made = fit(
        net.loss_and_grads,
        net.params(),
        expression_batches(laid(kind), range(1, LEARNED + 1), BATCH, [0]),
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    )
    return {name: array[0].astype(float) for name, array in made.params.items()}
