"""A network that learns to spell, in NumPy: python rnn.py text.txt

Readers of Unfolded write it in chapter 04, Back-propagation through
time. It is about as long as Karpathy's min-char-rnn, reads 16 parts
of the text side by side, and checks its own gradient.
"""

import os
import sys
from pathlib import Path

# The matrices are small. On a busy machine, several threads would
# make this ten times slower.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
os.environ["VECLIB_MAXIMUM_THREADS"] = "1"

import numpy as np


# From the chapter:
def init(n, n_h, rng):
    def draw(rows, columns):
        values = rng.normal(size=(rows, columns)) / np.sqrt(columns)
        return values.astype(np.float32)

    U, W, V = draw(n_h, n), draw(n_h, n_h), draw(n, n_h)
    b, c = np.zeros(n_h, np.float32), np.zeros(n, np.float32)
    return {"U": U, "W": W, "V": V, "b": b, "c": c}


def loss(yhat, y):
    return -np.log(np.take_along_axis(yhat, y[..., None], -1)).mean()


def forward(params, x, h0):
    h = [h0]
    for tokens in x:
        before = h[-1] @ params["W"].T
        a = params["b"] + before + params["U"].T[tokens]  # (G 10.8)
        h.append(np.tanh(a))  # (G 10.9)
    h = np.array(h)
    o = params["c"] + h[1:] @ params["V"].T  # (G 10.10)
    e = np.exp(o - o.max(axis=-1, keepdims=True))
    return h, e / e.sum(axis=-1, keepdims=True)  # (G 10.11)


def backward(params, x, y, h, yhat):
    one_hot = np.eye(len(params["c"]), dtype=h.dtype)
    grad_o = (yhat - one_hot[y]) / y.size  # (G 10.18)
    grad_a = np.zeros_like(h[1:])
    from_later = 0
    for t in reversed(range(len(x))):
        grad_h = grad_o[t] @ params["V"] + from_later  # (G 10.21)
        grad_a[t] = (1 - h[t + 1] ** 2) * grad_h
        from_later = grad_a[t] @ params["W"]

    def outer(g, v):
        return np.tensordot(g, v, axes=([0, 1], [0, 1]))

    U, W = outer(grad_a, one_hot[x]), outer(grad_a, h[:-1])
    V, b = outer(grad_o, h[1:]), grad_a.sum((0, 1))
    return {"U": U, "W": W, "V": V, "b": b, "c": grad_o.sum((0, 1))}


def quotients(loss, array):
    found = np.zeros_like(array)
    for i in np.ndindex(array.shape):
        step = np.zeros_like(array)
        step[i] = 1e-5
        found[i] = (loss(array + step) - loss(array - step)) / 2e-5
    return found


def clip(grads, longest):
    length = np.sqrt(sum((g**2).sum() for g in grads.values()))
    scale = min(1, longest / length)
    return {name: scale * g for name, g in grads.items()}


def rows(tokens, B):
    end = (len(tokens) - 1) // B * B
    return [tokens[i : i + end].reshape(B, -1).T for i in (0, 1)]


def train(params, x, y, T, steps, eta, longest):
    state = np.tile(np.zeros_like(params["b"]), (x.shape[1], 1))
    for step in range(steps):
        i = step * T % (len(x) - T)  # start over at the end
        h, yhat = forward(params, x[i : i + T], state)
        grads = backward(params, x[i : i + T], y[i : i + T], h, yhat)
        grads = clip(grads, longest)
        rate = eta * (1 - step / steps)
        params = {k: p - rate * grads[k] for k, p in params.items()}
        state = h[-1]
    return params


def sample(params, first, dice):
    h, tokens = np.zeros_like(params["b"][None]), [first]
    for u in dice:
        states, yhat = forward(params, np.array([[tokens[-1]]]), h)
        h = states[-1]
        tokens.append(int((np.cumsum(yhat[0, 0])[:-1] <= u).sum()))
    return tokens[1:]


# To here.
def check(params, x, y):
    """Return the largest difference from the quotients."""
    h0 = np.zeros((x.shape[1], len(params["b"])))
    grads = backward(params, x, y, *forward(params, x, h0))
    differences = []
    for name, g in grads.items():

        def loss_with(array, name=name):
            return loss(forward(params | {name: array}, x, h0)[1], y)

        difference = quotients(loss_with, params[name]) - g
        differences.append(np.abs(difference).max())
    return max(differences)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python rnn.py text.txt")
    text = Path(sys.argv[1]).read_text("utf-8")
    alphabet = sorted(set(text))
    tokens = np.array([alphabet.index(symbol) for symbol in text])
    n, rng = len(alphabet), np.random.default_rng(0)

    small = {k: v.astype(float) for k, v in init(5, 4, rng).items()}
    worst = check(small, *rng.integers(5, size=(2, 6, 3)))
    print(f"gradient check: {worst:.1e}")

    cut = len(tokens) * 9 // 10
    x, y = rows(tokens[:cut], 16)
    start, settings = init(n, 100, rng), {"eta": 1.0, "longest": 1.0}
    params = train(start, x, y, T=25, steps=3000, **settings)
    read, wanted = rows(tokens[cut:], 1)
    _, yhat = forward(params, read, np.zeros((1, 100), np.float32))
    bits = loss(yhat, wanted) / np.log(2)
    print(f"{bits:.2f} bits for each character of the last tenth")
    written = sample(params, tokens[0], rng.random(400))
    print("".join(alphabet[token] for token in written))
