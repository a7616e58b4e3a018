# ruff: noqa: E402  (the number of threads is read when NumPy and PyTorch are imported)
"""Reference against PyTorch: time of forward and backward pass, and memory against length.

Run by ``make bench``. Both sides compute in float32 on two threads, inputs are one-hot of 64
symbols (to the reference as tokens, and for comparison as the vectors PyTorch takes), the loss is a
sum of cross-entropies over 64 classes. The sides take turns, in a new order each round, so that
whatever else the machine does falls on all of them alike. A turn begins when the threads of the one
before, which go on waiting for work for a while, have gone to sleep, and with a call that is not
timed; what is printed is the median of the others.
"""

import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "2"

import time
import tracemalloc
from functools import partial
from statistics import median

import numpy as np
import torch

from rnn_helpers.nets import to_torch
from rnn_helpers.nets.convert import STACKED
from rnn_helpers.reference import (
    gru_backward,
    gru_forward,
    init_gru,
    init_lstm,
    init_rnn,
    lstm_backward,
    lstm_forward,
    one_hot,
    rnn_backward,
    rnn_forward,
    rnn_loss,
)

NETWORKS = {
    "RNN": (init_rnn, rnn_forward, rnn_backward),
    "LSTM": (init_lstm, lstm_forward, lstm_backward),
    "GRU": (partial(init_gru, reset="after"), partial(gru_forward, reset="after"), gru_backward),
}
SIZES = [(16, 20, 1), (64, 50, 1), (64, 50, 32), (128, 64, 32), (256, 100, 64)]
LENGTHS = [50, 100, 200, 400, 800]
N_SYMBOLS = 64
GATED_SIZES = [(64, 50, 1), (64, 50, 32), (128, 64, 32)]
SECONDS = 4  # spent on each row
PAUSE = 0.05  # seconds, after which waiting threads sleep
TURN = 5  # timed calls


def problem(init, n_h, n_steps, batch):
    """Parameters, inputs and targets of one size."""
    rng = np.random.default_rng(0)
    params = init(N_SYMBOLS, n_h, N_SYMBOLS, rng, dtype=np.float32)
    x, y = rng.integers(N_SYMBOLS, size=(2, n_steps, batch))
    return params, x, y


def reference(forward, backward, params, x, y):
    """Forward pass, loss and gradients by the reference."""
    run = forward(params, x)
    return rnn_loss(run, y), backward(params, run, y)


def autograd(module, linear, x, y):
    """Forward pass, loss and gradients by PyTorch."""
    module.zero_grad()
    linear.zero_grad()
    h, _ = module(x)
    loss = torch.nn.functional.cross_entropy(linear(h).flatten(0, 1), y.flatten(), reduction="sum")
    loss.backward()
    return loss.item(), module.weight_hh_l0.grad.numpy()


def alternate(*calls):
    """Median milliseconds of each call, all of them called in turn."""
    rng = np.random.default_rng(0)
    times = [[] for _ in calls]
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(times[0]) < 2 * TURN:
        for i in rng.permutation(len(calls)):
            time.sleep(PAUSE)
            calls[i]()
            for _ in range(TURN):
                start = time.perf_counter()
                calls[i]()
                times[i].append(1000 * (time.perf_counter() - start))
    return list(map(median, times))


def compare(network, n_h, n_steps, batch):
    """Medians of PyTorch, the reference on tokens, and the reference on vectors."""
    init, *passes = NETWORKS[network]
    params, x, y = problem(init, n_h, n_steps, batch)
    vectors = one_hot(x, N_SYMBOLS).astype(np.float32)
    torch_arguments = (*to_torch(params), torch.tensor(vectors), torch.tensor(y))
    loss, grads = reference(*passes, params, x, y)
    torch_loss, torch_grad = autograd(*torch_arguments)
    np.testing.assert_allclose(loss, torch_loss, rtol=1e-4)
    grad = np.concatenate([grads["W" + part] for part in STACKED[type(torch_arguments[0])]])
    size = np.abs(grad).max()
    np.testing.assert_allclose(grad / size, torch_grad / size, atol=1e-3)
    return alternate(
        lambda: autograd(*torch_arguments),
        lambda: reference(*passes, params, x, y),
        lambda: reference(*passes, params, vectors, y),
    )


def peak_memory(n_h, n_steps, batch):
    """Largest memory that the reference allocates, in MB."""
    init, *passes = NETWORKS["RNN"]
    arguments = problem(init, n_h, n_steps, batch)
    tracemalloc.start()
    reference(*passes, *arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main():
    """Print both tables."""
    torch.set_num_threads(2)
    print(f"forward + backward, float32, NumPy {np.__version__}, PyTorch {torch.__version__}")
    print("net   n_h    T  batch   torch ms  tokens ms   ratio  vectors ms   ratio")
    rows = [("RNN", *size) for size in SIZES]
    rows += [(network, *size) for network in ("LSTM", "GRU") for size in GATED_SIZES]
    for network, n_h, n_steps, batch in rows:
        by_torch, tokens, vectors = compare(network, n_h, n_steps, batch)
        print(
            f"{network:4} {n_h:4} {n_steps:4} {batch:6} {by_torch:10.3f} {tokens:10.3f} "
            f"{by_torch / tokens:7.2f} {vectors:11.3f} {by_torch / vectors:7.2f}"
        )
    print("\npeak memory of the reference, RNN, n_h = 100, batch 16")
    print("    T      MB   kB per step")
    for n_steps in LENGTHS:
        peak = peak_memory(100, n_steps, 16)
        print(f"{n_steps:5} {peak:7.2f} {1000 * peak / n_steps:13.1f}")


if __name__ == "__main__":
    main()
