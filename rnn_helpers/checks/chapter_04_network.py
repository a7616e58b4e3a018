"""The exercises of chapter 04 that together are a whole network: ``book/files/rnn.py``."""

import numpy as np

from rnn_helpers.checks.core import Wrong, exercise


def network(seed, T=4, B=3, n_h=5, n=4):
    """Parameters, tokens to read and to predict, and a first state."""
    rng = np.random.default_rng(seed)
    shapes = {"U": (n_h, n), "W": (n_h, n_h), "V": (n, n_h), "b": (n_h,), "c": (n,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    x, y = rng.integers(n, size=(2, T, B))
    return params, x, y, np.tanh(rng.normal(size=(B, n_h)))


def _runs():
    problems = [network(1), network(2, T=1), network(3, B=1, n=6)]
    large, x, _, h0 = network(4)
    large["c"], large["V"] = 1000 * large["c"], 1000 * large["V"]
    return [(params, x, h0) for params, x, _, h0 in problems] + [(large, x, h0)]


def _forward(params, x, h0, *, nonlinearity=np.tanh, before=lambda W: W.T, axis=-1, b=1):
    """The solution with one of its parts in another way."""
    h = [h0]
    for tokens in x:
        a = b * params["b"] + h[-1] @ before(params["W"]) + params["U"].T[tokens]
        h.append(nonlinearity(a))
    h = np.array(h)
    o = params["c"] + h[1:] @ params["V"].T
    e = np.exp(o - o.max(axis=axis, keepdims=True))
    return h, e / e.sum(axis=axis, keepdims=True)


@exercise(
    "04-net-forward",
    lends=True,
    cases=_runs,
    hint="Run the case of a single step first: its h has two entries along time, h0 and one more.",
    wrong={
        "without the first state": Wrong(
            lambda params, x, h0: (forward(params, x, h0)[0][1:], forward(params, x, h0)[1]),
            "The backward pass will ask for the state before the first step. Where is it in yours?",
        ),
        "W not transposed": Wrong(
            lambda params, x, h0: _forward(params, x, h0, before=lambda W: W),
            "States stand in rows here, one for each sequence. What does that do to W h?",
        ),
        "no tanh": Wrong(
            lambda params, x, h0: _forward(params, x, h0, nonlinearity=lambda a: a),
            "Between (10.8) and (10.10) there is one more equation.",
        ),
        "the bias forgotten": Wrong(
            lambda params, x, h0: _forward(params, x, h0, b=0),
            "Three things are added up in (10.8).",
        ),
        "softmax over the sequences": Wrong(
            lambda params, x, h0: _forward(params, x, h0, axis=-2),
            "What adds up to one: the symbols, or the sequences side by side?",
        ),
        "overflow": Wrong(
            lambda params, x, h0: _overflowing(params, x, h0),
            "What is exp(1000)? What may be taken off a step's logits that changes no probability?",
        ),
    },
)
def forward(params, x, h0):
    """Give the states h^(0) .. h^(T) and the predictions yhat, by (10.8)-(10.11)."""
    return _forward(params, x, h0)


def _overflowing(params, x, h0):
    h, _ = forward(params, x, h0)
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(params["c"] + h[1:] @ params["V"].T)
        return h, e / e.sum(axis=-1, keepdims=True)


def _to_differentiate():
    problems = [network(5), network(6, T=1), network(7, B=1, n=6)]
    return [(params, x, y, *forward(params, x, h0)) for params, x, y, h0 in problems]


def _backward(params, x, y, h, yhat, *, share=None, read=0, slope=lambda h: 1 - h**2, kept=1):
    """The solution with one of its parts in another way."""
    one_hot = np.eye(len(params["c"]), dtype=h.dtype)
    grad_o = (yhat - one_hot[y]) / (share or y.size)
    grad_a = np.zeros_like(h[1:])
    from_later = 0
    for t in reversed(range(len(x))):
        grad_h = grad_o[t] @ params["V"] + kept * from_later
        grad_a[t] = slope(h[t + 1]) * grad_h
        from_later = grad_a[t] @ params["W"]

    def outer(g, v):
        return np.tensordot(g, v, axes=([0, 1], [0, 1]))

    return {
        "U": outer(grad_a, one_hot[x]),
        "W": outer(grad_a, h[read : read + len(x)]),
        "V": outer(grad_o, h[1:]),
        "b": grad_a.sum((0, 1)),
        "c": grad_o.sum((0, 1)),
    }


def _as_printed(params, x, y, h, yhat):
    """(10.21) as it is printed: the slopes after W."""
    n = len(params["c"])
    grad_h = ((yhat - np.eye(n)[y]) / y.size) @ params["V"]
    for t in reversed(range(len(x) - 1)):
        grad_h[t] += (1 - h[t + 2] ** 2) * (grad_h[t + 1] @ params["W"])
    right = backward(params, x, y, h, yhat)
    grad_a = (1 - h[1:] ** 2) * grad_h
    return right | {
        "U": np.einsum("tbi,tbj->ij", grad_a, np.eye(n)[x]),
        "W": np.einsum("tbi,tbj->ij", grad_a, h[:-1]),
        "b": grad_a.sum((0, 1)),
    }


@exercise(
    "04-net-backward",
    lends=True,
    cases=_to_differentiate,
    hint="Take the gradients in their order: c and V need no recursion. Which is the first that "
    "differs? The gradient check below will tell you for your own numbers.",
    wrong={
        "a sum over the characters": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, share=1),
            "The loss is the mean over all characters of the minibatch. What becomes of (10.17)?",
        ),
        "h(t) for h(t-1)": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, read=1),
            "Which state went through W at step t?",
        ),
        "tanh derivative missing": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, slope=lambda h: 1),
            "Would a saturated unit pass the gradient on?",
        ),
        "nothing from later": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, kept=0),
            "A state feeds its output, and what else?",
        ),
        "slopes after W, as printed": Wrong(
            _as_printed, "Going backward, which is met first: the tanh, or the matrix?"
        ),
    },
)
def backward(params, x, y, h, yhat):
    """Give the gradients of the mean loss, by (10.18)-(10.28)."""
    return _backward(params, x, y, h, yhat)


def _losses():
    rng = np.random.default_rng(8)
    A = rng.normal(size=(3, 3))
    return [
        (lambda v: float((v**3).sum()), rng.normal(size=4)),
        (lambda M: float(np.sin(A @ M).sum() + 100 * M[0, 0]), rng.normal(size=(3, 2))),
    ]


def _quotients(loss, array, *, eps=1e-5, back=-1, apart=2, restore=True):
    """The solution with one of its parts in another way."""
    found = np.zeros_like(array)
    moved = array.copy()
    for place in np.ndindex(array.shape):
        if restore:
            moved = array.copy()
        moved[place] = array[place] + eps
        above = loss(moved)
        moved[place] = array[place] + back * eps
        found[place] = (above - loss(moved)) / (apart * eps)
    return found


@exercise(
    "04-net-quotients",
    lends=True,
    cases=_losses,
    hint="Move one entry, ask for the loss, move it the other way, ask again; begin anew for the "
    "next entry.",
    tolerance=1e-6,
    wrong={
        "one side only": Wrong(
            lambda loss, array: _quotients(loss, array, back=0, apart=1),
            "A one-sided quotient is wrong by eps times a curvature. What makes that cancel?",
        ),
        "divided by eps": Wrong(
            lambda loss, array: _quotients(loss, array, apart=1),
            "How far apart are the two places at which you asked?",
        ),
        "the other sign": Wrong(
            lambda loss, array: _quotients(loss, array, apart=-2),
            "Where the loss rises with the entry, is your quotient above zero?",
        ),
        "not put back": Wrong(
            lambda loss, array: _quotients(loss, array, restore=False),
            "When the second entry is moved, is the first where it was?",
        ),
    },
)
def quotients(loss, array):
    """Give the difference quotient of the loss at every entry of the array."""
    return _quotients(loss, array)


def _gradients():
    rng = np.random.default_rng(9)

    def case(n_h, share):
        grads = {"W": rng.normal(size=(n_h, n_h)), "b": rng.normal(size=n_h)}
        return grads, share * _norm(grads)

    return [case(3, 0.5), case(4, 2), case(2, 0.1)]


@exercise(
    "04-net-clip",
    lends=True,
    cases=_gradients,
    hint="All parameters together are one long vector. How long is it?",
    wrong={
        "each parameter by itself": Wrong(
            lambda grads, longest: {
                name: g * min(1, longest / np.linalg.norm(g)) for name, g in grads.items()
            },
            "Each array is shortened by a factor of its own: is the direction still the same?",
        ),
        "each entry by itself": Wrong(
            lambda grads, longest: {
                name: np.clip(g, -longest, longest) for name, g in grads.items()
            },
            "It is the length of the whole gradient that shall be at most so much.",
        ),
        "lengthened, too": Wrong(
            lambda grads, longest: _scaled(grads, longest / _norm(grads)),
            "What should happen to a gradient that is short enough already?",
        ),
        "by the square of the length": Wrong(
            lambda grads, longest: _scaled(grads, min(1, longest / _norm(grads) ** 2)),
            "Print the length of what you return.",
        ),
    },
)
def clip(grads, longest):
    """Shorten the gradient of all parameters together to a length."""
    return _scaled(grads, min(1, longest / _norm(grads)))


def _norm(grads):
    return np.sqrt(sum((g**2).sum() for g in grads.values()))


def _scaled(grads, factor):
    return {name: factor * g for name, g in grads.items()}


def _trainings():
    def case(seed, T, steps, eta, longest, **sizes):
        params, *_ = network(seed, **sizes)
        x, y = np.random.default_rng(seed).integers(len(params["c"]), size=(2, 23, 2))
        return params, x, y, T, steps, eta, longest

    return [case(10, 5, 1, 0.7, 0.5), case(11, 4, 3, 0.3, 0.8), case(12, 6, 9, 1.1, 0.2, n=6)]


def _train(params, x, y, T, steps, eta, longest, *, carry=True, slow=True, up=-1):
    """The solution with one of its parts in another way."""
    params = dict(params)
    state = start = np.zeros((x.shape[1], len(params["b"])), params["b"].dtype)
    for step in range(steps):
        i = step * T % (len(x) - T)
        read, wanted = x[i : i + T], y[i : i + T]
        h, yhat = forward(params, read, state)
        grads = clip(backward(params, read, wanted, h, yhat), longest)
        rate = eta * (1 - step / steps) if slow else eta
        for name in params:
            params[name] = params[name] + up * rate * grads[name]
        state = h[-1] if carry else start
    return params


@exercise(
    "04-net-train",
    lends=True,
    cases=_trainings,
    hint="Compare after one step, then after two. What does the second begin from?",
    wrong={
        "uphill": Wrong(
            lambda *case: _train(*case, up=1), "The loss shall fall. Which way does yours go?"
        ),
        "each piece from zero": Wrong(
            lambda *case: _train(*case, carry=False),
            "Where did the text stop that this piece goes on with, and in which state?",
        ),
        "the rate stays": Wrong(
            lambda *case: _train(*case, slow=False),
            "The rate falls along a straight line from eta to nothing. What is it at the second "
            "step?",
        ),
        "clipping forgotten": Wrong(
            lambda *case: _train(*case[:-1], np.inf), "How long may a gradient be?"
        ),
    },
)
def train(params, x, y, T, steps, eta, longest):
    """Go through the text in pieces of T characters, downhill."""
    return _train(params, x, y, T, steps, eta, longest)


def _texts():
    rng = np.random.default_rng(13)

    def case(seed, first, length, n):
        params, *_ = network(seed, n=n)
        return params, first, rng.random(length)

    return [case(14, 2, 1, 6), case(15, 4, 12, 5), case(16, 0, 40, 6), case(17, 1, 9, 3)]


def _sample(params, first, dice, *, greedy=False, keep=True, fed=True):
    """The solution with one of its parts in another way."""
    h = np.zeros((1, len(params["b"])), params["b"].dtype)
    tokens = [first]
    for u in dice:
        states, yhat = forward(params, np.array([[tokens[-1] if fed else first]]), h)
        h = states[-1] if keep else h
        p = yhat[0, 0]
        tokens.append(int(p.argmax() if greedy else (np.cumsum(p)[:-1] <= u).sum()))
    return tokens[1:]


@exercise(
    "04-net-sample",
    lends=True,
    cases=_texts,
    hint="Lay the probabilities end to end on the line from 0 to 1. On whose stretch lies u?",
    wrong={
        "the likeliest": Wrong(
            lambda *case: _sample(*case, greedy=True),
            "Yours writes the same whatever the dice say.",
        ),
        "a state that is forgotten": Wrong(
            lambda *case: _sample(*case, keep=False),
            "What does the network know of the symbols before the last?",
        ),
        "always after the first": Wrong(
            lambda *case: _sample(*case, fed=False),
            "What was written is what is read next.",
        ),
        "the first taken for 0": Wrong(
            lambda params, first, dice: _sample(params, 0, dice),
            "Which token does your network read at its first step?",
        ),
        "with the first": Wrong(
            lambda params, first, dice: [first, *_sample(params, first, dice)],
            "One symbol for each of the dice: the first was given.",
        ),
    },
)
def sample(params, first, dice):
    """Write a symbol for each of the dice, numbers from 0 to 1."""
    return _sample(params, first, dice)
