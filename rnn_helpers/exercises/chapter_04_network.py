"""The exercises of chapter 04 that form a complete program, ``book/files/rnn.py``."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, exercise, lines


def network(seed, T=4, B=3, n_h=5, n=4):
    """Return parameters, input tokens, target tokens and an initial state."""
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
    """Return the solution with one of its parts changed."""
    h = [h0]
    for tokens in x:
        a = b * params["b"] + h[-1] @ before(params["W"]) + params["U"].T[tokens]
        h.append(nonlinearity(a))
    h = np.array(h)
    o = params["c"] + h[1:] @ params["V"].T
    e = np.exp(o - o.max(axis=axis, keepdims=True))
    return h, e / e.sum(axis=axis, keepdims=True)


# The network of the instances, for its readers to run.
NETWORK = lines(
    WAVE,
    """
    params = {
        "U": wave(1, 2, 3),
        "W": wave(2, 2, 2),
        "V": wave(3, 3, 2),
        "b": wave(4, 2),
        "c": wave(5, 3),
    }
    """,
)


@exercise(
    "04-net-forward",
    lends=True,
    cases=_runs,
    hint="Try a single step: is h right, with two entries along the time axis, h0 and one more? Is "
    "yhat? If both are, try two steps.",
    success="Only the states must be computed one after another. Once they are known, the outputs "
    "of all steps can be computed together.",
    instance=lines(
        NETWORK,
        """
        print([
            forward(params, np.array([[0], [2]]), wave(6, 1, 2)),
            forward(params | {"c": 1000 * wave(5, 3)}, np.array([[1]]), np.zeros((1, 2)))[1],
        ])
        """,
    ),
    wrong={
        "without the first state": Wrong(
            lambda params, x, h0: (forward(params, x, h0)[0][1:], forward(params, x, h0)[1]),
            "The backward pass needs the state before the first step. Is it in your h?",
        ),
        "W not transposed": Wrong(
            lambda params, x, h0: _forward(params, x, h0, before=lambda W: W),
            "Here the state of each sequence is a row. How do you write W h for rows?",
        ),
        "no tanh": Wrong(
            lambda params, x, h0: _forward(params, x, h0, nonlinearity=lambda a: a),
            "Which equation comes between (G 10.8) and (G 10.10)?",
        ),
        "the bias forgotten": Wrong(
            lambda params, x, h0: _forward(params, x, h0, b=0),
            "Which three terms does (G 10.8) add up?",
        ),
        "softmax over the sequences": Wrong(
            lambda params, x, h0: _forward(params, x, h0, axis=-2),
            "Should the probabilities sum to one over the symbols or over the sequences?",
        ),
        "overflow": Wrong(
            lambda params, x, h0: _overflowing(params, x, h0),
            "What is exp(1000)? What can you subtract from a step's logits without changing "
            "a probability?",
            likely=True,
        ),
    },
)
def forward(params, x, h0):
    """Return the states h^(0) .. h^(T) and the predictions yhat, by (G 10.8)-(G 10.11)."""
    return _forward(params, x, h0)


def _overflowing(params, x, h0):
    h, _ = forward(params, x, h0)
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(params["c"] + h[1:] @ params["V"].T)
        return h, e / e.sum(axis=-1, keepdims=True)


def _to_differentiate():
    problems = [network(5), network(6, T=1), network(7, B=1, n=6)]
    return [(params, x, y, *forward(params, x, h0)) for params, x, y, h0 in problems]


def _backward(
    params, x, y, h, yhat, *, share=None, read=0, slope=lambda h: 1 - h**2, bent=1, kept=1, turned=0
):
    """Return the solution with one of its parts changed."""
    one_hot = np.eye(len(params["c"]), dtype=h.dtype)
    grad_o = (yhat - one_hot[y]) / (share or y.size)
    grad_a = np.zeros_like(h[1:])
    from_later = 0
    for t in reversed(range(len(x))):
        grad_h = grad_o[t] @ params["V"] + kept * from_later
        grad_a[t] = slope(h[t + bent]) * grad_h
        from_later = grad_a[t] @ (params["W"].T if turned else params["W"])

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
    """Return the gradients with (G 10.21) as it is printed: the slopes after W."""
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
    hint="c and V come from the outputs alone, and b, W and U from (G 10.21). Which of the five is "
    "the first that isn't right? Try one step, then two.",
    success="This is back-propagation through time. One backward pass gives all the gradients, "
    "at a small multiple of the cost of the forward pass.",
    instance=lines(
        NETWORK,
        """
        x, y = np.array([[0, 2], [1, 0], [2, 2]]), np.array([[1, 0], [2, 2], [0, 1]])
        yhat = np.exp(wave(6, 3, 2, 3))
        yhat /= yhat.sum(axis=-1, keepdims=True)

        print(backward(params, x, y, wave(7, 4, 2, 2), yhat))
        """,
    ),
    wrong={
        "a sum over the characters": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, share=1),
            "The loss is the mean over all characters of the minibatch. What does (G 10.17) "
            "become?",
        ),
        "a mean over the steps alone": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, share=len(y)),
            "All of your gradients are too large by the same factor: the number of sequences. Over "
            "how many characters is the mean?",
        ),
        "a mean over the sequences alone": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, share=y.shape[1]),
            "All of your gradients are too large by the same factor: the number of steps. Over how "
            "many characters is the mean?",
        ),
        "slopes of h(t-1)": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, bent=0),
            "V and c are right, and so is the path back. At which state do you take the slope? The "
            "first row of h is the state before the first step.",
        ),
        "W transposed": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, turned=1),
            "With a single step, all of your gradients are right. Forward, a row of states is "
            "multiplied by W transposed. What multiplies a row of gradients on the way back?",
        ),
        "tanh of h": Wrong(
            lambda params, x, y, h, yhat: _backward(
                params, x, y, h, yhat, slope=lambda h: 1 - np.tanh(h) ** 2
            ),
            "V and c are right. Which numbers are in h: the arguments of the tanh, or already its "
            "values?",
        ),
        "h(t) for h(t-1)": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, read=1),
            "Which state does W multiply at step t?",
        ),
        "tanh derivative missing": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, slope=lambda h: 1),
            "Should a saturated unit pass the gradient on?",
        ),
        "nothing from later": Wrong(
            lambda params, x, y, h, yhat: _backward(params, x, y, h, yhat, kept=0),
            "A state affects its own output. Which other quantity does it affect?",
        ),
        "slopes after W, as printed": Wrong(
            _as_printed, "Going backward, which comes first: the tanh or the matrix?"
        ),
    },
)
def backward(params, x, y, h, yhat):
    """Return the gradients of the mean loss, by (G 10.18)-(G 10.28)."""
    return _backward(params, x, y, h, yhat)


def _losses():
    rng = np.random.default_rng(8)
    A = rng.normal(size=(3, 3))
    return [
        (lambda v: float((v**3).sum()), rng.normal(size=4)),
        (lambda M: float(np.sin(A @ M).sum() + 100 * M[0, 0]), rng.normal(size=(3, 2))),
    ]


def _quotients(loss, array, *, eps=1e-5, back=-1, apart=2, restore=True):
    """Return the solution with one of its parts changed."""
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
    hint="Do you move one entry both ways? Does every other entry keep its value?",
    success="Difference quotients need two losses for each entry, so they are too slow for "
    "training. But they can check any gradient that you derive.",
    tolerance=1e-6,
    instance="""
    print([
        quotients(lambda v: 1e5 * v[0] ** 2 + v[1] ** 3, np.array([2e-5, -2.0])),
        quotients(lambda M: 1e4 * M[0, 0] * M[0, 1] + M[1, 0], np.full((2, 2), 3e-5)),
    ])
    """,
    wrong={
        "one side only": Wrong(
            lambda loss, array: _quotients(loss, array, back=0, apart=1),
            "The error of a one-sided quotient is eps times a curvature. How can a second "
            "loss make it cancel?",
        ),
        "divided by eps": Wrong(
            lambda loss, array: _quotients(loss, array, apart=1),
            "How far apart are the two points at which you computed the loss?",
        ),
        "the other sign": Wrong(
            lambda loss, array: _quotients(loss, array, apart=-2),
            "If the loss rises with the entry, is your quotient positive?",
        ),
        "not put back": Wrong(
            lambda loss, array: _quotients(loss, array, restore=False),
            "When you move the second entry, is the first one back at its old value?",
        ),
    },
)
def quotients(loss, array):
    """Return the difference quotient of the loss for every entry of the array."""
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
    hint="If you put all the arrays into one long vector, how long is it?",
    success="Clipping by the length of the whole gradient keeps its direction. Chapter 17 "
    "shows what this does to exploding gradients.",
    instance="""
    grads = {"W": np.array([[-1.8, -0.6], [-1.5, 0.6]]), "b": np.array([0.0, 0.5])}

    print([clip(grads, 0.25), clip(grads, 10.0)])
    """,
    wrong={
        "each parameter by itself": Wrong(
            lambda grads, longest: {
                name: g * min(1, longest / np.linalg.norm(g)) for name, g in grads.items()
            },
            "You scale each array by a different factor. Does the whole gradient keep its "
            "direction?",
        ),
        "each entry by itself": Wrong(
            lambda grads, longest: {
                name: np.clip(g, -longest, longest) for name, g in grads.items()
            },
            "Does the exercise limit each entry or the length of the whole gradient?",
        ),
        "lengthened, too": Wrong(
            lambda grads, longest: _scaled(grads, longest / _norm(grads)),
            "What should happen to a gradient that is already short enough?",
        ),
        "by the square of the length": Wrong(
            lambda grads, longest: _scaled(grads, min(1, longest / _norm(grads) ** 2)),
            "Print the length of the gradient that you return. Is it `longest`?",
        ),
    },
)
def clip(grads, longest):
    """Return the gradients, scaled down together if they are longer than a limit."""
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
    """Return the solution with one of its parts changed."""
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
    keeps=True,
    seconds=180,  # it trains
    cases=_trainings,
    hint="Compare after one step, then after two. Which state does the second step start from?",
    success="The state goes on to the next training step, but the gradient doesn't. This is "
    "truncated BPTT.",
    instance=lines(
        NETWORK,
        """
        x = np.array([[0, 2], [1, 0], [2, 2], [0, 1], [1, 2], [0, 0]])

        # train uses your forward, backward and clip
        print(train(params, x, np.roll(x, -1, axis=0), 2, 3, 0.5, 0.1))
        """,
    ),
    wrong={
        "uphill": Wrong(
            lambda *case: _train(*case, up=1), "Does the loss fall or rise after one of your steps?"
        ),
        "each piece from zero": Wrong(
            lambda *case: _train(*case, carry=False),
            "In which state did the previous training step end?",
        ),
        "the rate stays": Wrong(
            lambda *case: _train(*case, slow=False),
            "The rate falls linearly from eta toward 0. What is it at the second step?",
        ),
        "clipping forgotten": Wrong(
            lambda *case: _train(*case[:-1], np.inf),
            "How long may a gradient be when you subtract it?",
        ),
    },
)
def train(params, x, y, T, steps, eta, longest):
    """Return parameters trained on pieces of T characters, by gradient descent."""
    return _train(params, x, y, T, steps, eta, longest)


def _texts():
    rng = np.random.default_rng(13)

    def case(seed, first, length, n):
        params, *_ = network(seed, n=n)
        return params, first, rng.random(length)

    return [case(14, 2, 1, 6), case(15, 4, 12, 5), case(16, 0, 40, 6), case(17, 1, 9, 3)]


def _sample(params, first, dice, *, greedy=False, keep=True, fed=True):
    """Return the solution with one of its parts changed."""
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
    hint="Try a single number in `dice`: the input is `first`, and the answer is the token whose "
    "piece of the line from 0 to 1 contains that number. If it is right, try two.",
    success="Each token that you choose becomes the next input, so the network continues its own "
    "text. Chapter 06 asks how this differs from training.",
    instance=lines(
        NETWORK,
        """
        # sample uses your forward
        print([
            sample(params, 1, np.arange(1, 10) / 10),
            sample(params, 2, np.array([0.6, 0.25, 0.9, 0.4, 0.7])),
        ])
        """,
    ),
    wrong={
        "the most likely": Wrong(
            lambda *case: _sample(*case, greedy=True),
            "Does your text change if the numbers in `dice` change?",
        ),
        "a state that is forgotten": Wrong(
            lambda *case: _sample(*case, keep=False),
            "Does your network keep its state from one token to the next?",
        ),
        "always after the first": Wrong(
            lambda *case: _sample(*case, fed=False),
            "Which token should be the input after the first one was chosen?",
        ),
        "the first taken for 0": Wrong(
            lambda params, first, dice: _sample(params, 0, dice),
            "Which token is the input of your network's first step?",
        ),
        "with the first": Wrong(
            lambda params, first, dice: [first, *_sample(params, first, dice)],
            "Should `first` be in the list that you return?",
        ),
    },
)
def sample(params, first, dice):
    """Return a token for each number in `dice`, which are between 0 and 1."""
    return _sample(params, first, dice)
