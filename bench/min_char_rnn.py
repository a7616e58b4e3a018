"""Compare chapter 04's program with Karpathy's min-char-rnn after ten seconds of training.

Run by ``make bench``. Both train on the same text and on one thread. The script prints how many
training steps each one takes in ten seconds of CPU time, and the bits per held-out character after
that many steps. ``tests/computed.py`` trains both for fixed numbers of steps, taken from here, so
that the numbers in the chapter don't depend on the speed of a machine.
"""

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from press.program import FROM, PROGRAM, TO
from rnn_helpers.tasks import characters

ROOT = Path(__file__).parents[1]
SECONDS = 10


def program(old="", new=""):
    """Return the functions of the program, after a change of their text."""
    text = (ROOT / PROGRAM).read_text("utf-8").partition(FROM)[2].partition(TO)[0]
    assert old in text, old
    names = {"np": np}
    exec(text.replace(old, new), names)
    return SimpleNamespace(**names)


def trained(rnn, corpus, steps, seed=0):
    """Return the parameters of a network that the program has trained as in the chapter."""
    start = rnn.init(len(corpus.alphabet), 100, np.random.default_rng(seed))
    return rnn.train(start, *rnn.rows(corpus.train, 16), T=25, steps=steps, eta=1.0, longest=1.0)


def min_char_rnn(corpus, steps, seed=0):
    """Return the parameters of a network that is trained with the method of min-char-rnn.

    This is our own implementation. As in the original, there is one sequence with one-hot inputs.
    Each step reads 25 characters, clips every entry of the gradient to ±5 and uses Adagrad.
    """
    rng, one_hot = np.random.default_rng(seed), np.eye(n := len(corpus.alphabet))
    shapes = {"U": (100, n), "W": (100, 100), "V": (n, 100)}
    params = {name: 0.01 * rng.normal(size=shape) for name, shape in shapes.items()}
    params |= {"b": np.zeros(100), "c": np.zeros(n)}
    squares = {name: np.zeros_like(array) for name, array in params.items()}
    pieces = (len(corpus.train) - 1) // 25
    h = np.zeros(100)
    for step in range(steps):
        place = step % pieces * 25
        read = one_hot[corpus.train[place : place + 26]]
        grads, h = _gradients(params, read[:-1], read[1:], h if place else np.zeros(100))
        for name, grad in grads.items():
            grad = grad.clip(-5, 5)
            squares[name] += grad**2
            params[name] -= 0.1 * grad / np.sqrt(squares[name] + 1e-8)
    return params


def _gradients(params, x, y, h0):
    """Return the gradients of the summed loss, computed step by step, and the last state."""
    h, grad_o = [h0], []
    for now, target in zip(x, y, strict=True):
        h.append(np.tanh(params["b"] + params["W"] @ h[-1] + params["U"] @ now))
        e = np.exp(params["c"] + params["V"] @ h[-1])
        grad_o.append(e / e.sum() - target)
    grads, from_later = {name: np.zeros_like(array) for name, array in params.items()}, 0
    for t in reversed(range(len(x))):
        grad_a = (1 - h[t + 1] ** 2) * (params["V"].T @ grad_o[t] + from_later)
        from_later = params["W"].T @ grad_a
        grads["U"] += np.outer(grad_a, x[t])
        grads["W"] += np.outer(grad_a, h[t])
        grads["V"] += np.outer(grad_o[t], h[t + 1])
        grads["b"] += grad_a
        grads["c"] += grad_o[t]
    return grads, h[-1]


def bits(params, corpus):
    """Return the bits per held-out character of a trained network."""
    rnn = program()
    read, wanted = rnn.rows(corpus.held_out, 1)
    _, yhat = rnn.forward(params, read, np.zeros((1, 100), params["b"].dtype))
    return float(rnn.loss(yhat, wanted) / np.log(2))


def timed(train, *arguments):
    """Return the CPU time of a training and its result."""
    start = time.process_time()
    params = train(*arguments)
    return time.process_time() - start, params


def main():
    """Print the steps that each takes in ten seconds, and the bits after them."""
    corpus, rnn = characters("topics"), program()
    for name, train in {
        "rnn.py": lambda steps: trained(rnn, corpus, steps),
        "min-char-rnn": lambda steps: min_char_rnn(corpus, steps),
    }.items():
        steps = round(500 * SECONDS / timed(train, 500)[0])
        seconds, params = timed(train, steps)
        print(f"{name}: {steps} steps in {seconds:.1f} s, {bits(params, corpus):.2f} bits")


if __name__ == "__main__":
    main()
