"""A recurrent network that learns to spell, in NumPy: python rnn.py text.txt

Readers of Unfolded write it in chapter 04, Back-propagation through time. It is about as long as
Karpathy's min-char-rnn, reads 16 parts of the text side by side, and checks its own gradient.
"""

import os
import sys
from pathlib import Path

# The matrices are small. On a busy machine, several threads would make this ten times slower.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"
os.environ["VECLIB_MAXIMUM_THREADS"] = "1"

import numpy as np


# From the chapter:
def init(n, n_h, rng):
    def draw(rows, columns):
        values = rng.normal(size=(rows, columns)) / np.sqrt(columns)
        return values.astype(np.float32)

    weights = {"U": draw(n_h, n), "W": draw(n_h, n_h), "V": draw(n, n_h)}
    biases = {"b": np.zeros(n_h, np.float32), "c": np.zeros(n, np.float32)}
    return weights | biases


def loss(yhat, y):
    return -np.log(np.take_along_axis(yhat, y[..., None], axis=-1)).mean()


def forward(params, x, h0):
    h = [h0]
    for tokens in x:
        a = params["b"] + h[-1] @ params["W"].T + params["U"].T[tokens]  # (G 10.8)
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

    U, W, V = outer(grad_a, one_hot[x]), outer(grad_a, h[:-1]), outer(grad_o, h[1:])
    return {"U": U, "W": W, "V": V, "b": grad_a.sum((0, 1)), "c": grad_o.sum((0, 1))}


def quotients(loss, array):
    found = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        step = np.zeros_like(array)
        step[place] = 1e-5
        found[place] = (loss(array + step) - loss(array - step)) / 2e-5
    return found


def clip(grads, longest):
    length = np.sqrt(sum((g**2).sum() for g in grads.values()))
    return {name: min(1, longest / length) * g for name, g in grads.items()}


def rows(tokens, B):
    end = (len(tokens) - 1) // B * B
    x, y = tokens[:end], tokens[1 : end + 1]
    return x.reshape(B, -1).T, y.reshape(B, -1).T


def train(params, x, y, T, steps, eta, longest):
    state = np.zeros((x.shape[1], len(params["b"])), params["b"].dtype)
    for step in range(steps):
        i = step * T % (len(x) - T)
        h, yhat = forward(params, x[i : i + T], state)
        grads = backward(params, x[i : i + T], y[i : i + T], h, yhat)
        grads = clip(grads, longest)
        rate = eta * (1 - step / steps)
        params = {name: params[name] - rate * grads[name] for name in params}
        state = h[-1]
    return params


def sample(params, first, dice):
    h, tokens = np.zeros((1, len(params["b"])), params["b"].dtype), [first]
    for u in dice:
        states, yhat = forward(params, np.array([[tokens[-1]]]), h)
        h = states[-1]
        tokens.append(int((np.cumsum(yhat[0, 0])[:-1] <= u).sum()))
    return tokens[1:]


# To here.
def check(params, x, y):
    """Return the largest difference between the gradients and the difference quotients."""
    h0 = np.zeros((x.shape[1], len(params["b"])))
    grads = backward(params, x, y, *forward(params, x, h0))

    def loss_with(name, array):
        return loss(forward(params | {name: array}, x, h0)[1], y)

    return max(
        np.abs(quotients(lambda array, name=name: loss_with(name, array), params[name]) - g).max()
        for name, g in grads.items()
    )


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text("utf-8")
    alphabet = sorted(set(text))
    tokens = np.array([alphabet.index(character) for character in text])
    n, rng = len(alphabet), np.random.default_rng(0)

    small = {name: array.astype(float) for name, array in init(5, 4, rng).items()}
    print(f"gradient check: {check(small, *rng.integers(5, size=(2, 6, 3))):.1e}")

    cut = len(tokens) * 9 // 10
    x, y = rows(tokens[:cut], 16)
    params = train(init(n, 100, rng), x, y, T=25, steps=3000, eta=1.0, longest=1.0)
    read, wanted = rows(tokens[cut:], 1)
    _, yhat = forward(params, read, np.zeros((1, 100), np.float32))
    print(f"{loss(yhat, wanted) / np.log(2):.2f} bits for each character of the last tenth")
    print("".join(alphabet[token] for token in sample(params, tokens[0], rng.random(400))))
