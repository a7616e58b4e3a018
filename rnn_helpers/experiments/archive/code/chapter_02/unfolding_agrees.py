"""Do a recurrence and its unfolded graph compute the same states? (section 10.1)"""

import numpy as np

from rnn_helpers.circuits import FIGURES
from rnn_helpers.experiments import each_seed, experiment
from rnn_helpers.experiments.data import claim_dots
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.reference import drive, init_rnn, rnn_forward, unfolded


def numbers(rows):
    """Count the networks whose four computations agree, and summarize the lengths."""
    lengths = [row["T"] for row in rows]
    agree = Estimate.rate(row["difference"] < 1e-12 for row in rows)
    return {
        "networks": len(rows),
        "agree": agree,
        "agreeing": round(agree.value * len(rows)),
        "shortest": min(lengths),
        "longest": max(lengths),
        "worst": max(row["difference"] for row in rows),
        "copied_each_step": all(row["copies_of_W"] == row["T"] for row in rows),
        "sizes": {row["parameters"] for row in rows},
    }


def data(rows):
    """Return the largest difference between the four computations, by length."""
    rounding = np.finfo(float).eps
    roundings = [row | {"roundings": row["difference"] / rounding} for row in rows]
    return claim_dots(
        {"": roundings},
        "T",
        "roundings",
        question="How far are the four computations of the states apart?",
        xlabel="length of the sequence",
        ylabel="largest relative difference, in units of 2.2 × 10⁻¹⁶",
        unit="times 2.2 × 10⁻¹⁶",
        dots="network",
    )


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    T, n_x, n_h = (int(rng.integers(1, most + 1)) for most in (config["T"], 8, 16))
    params = init_rnn(n_x, n_h, 3, rng, scale=1.5 / np.sqrt(n_h))
    U, W, b = params["U"], params["W"], params["b"]
    xs, h0 = rng.standard_normal((T, n_x)), rng.standard_normal(n_h)

    def f(h, x):
        return np.tanh(b + W @ h + U @ x)

    graph = FIGURES["10.3"].unfold(T)
    values = {("x", t): xs[t - 1] for t in range(1, T + 1)} | {("h", 0): h0}
    values |= {("y", t): None for t in range(1, T + 1)}
    functions = {
        "h": lambda x, h: f(h, x),
        "o": lambda h: params["c"] + params["V"] @ h,
        "L": lambda o, y: None,
    }
    by_node = graph.evaluate(functions, values)
    recurrence = np.array(drive(f, h0, xs))
    others = [
        np.array([unfolded(f, t)(xs[:t], h0) for t in range(1, T + 1)]),
        np.array([by_node["h", t] for t in range(1, T + 1)]),
        rnn_forward(params, np.stack([xs, xs[::-1]], axis=1), np.stack([h0, h0])).h[:, 0],
    ]
    scale = np.abs(recurrence).max()
    return {
        "seed": seed,
        "T": T,
        "n_x": n_x,
        "n_h": n_h,
        "difference": max(np.abs(other - recurrence).max() for other in others) / scale,
        "nodes": len(graph.nodes),
        "copies_of_W": len(graph.copies("W")),
        "parameters": len(graph.parameters),
    }


@experiment(
    claim="A recurrence and its unfolded graph compute the same states. They use the same weights "
    "at every step and for every length.",
    source="Goodfellow et al. 10.1",
    quick={"seeds": 5, "T": 10},
    full={"seeds": 40, "T": 60},
    numbers=numbers,
    headline=("agree", "share of networks whose four computations agree to 1e-12"),
    finding="In {agreeing} of {networks} random networks, the loop and its unfolded graph compute "
    "the same states.",
    verdict=[
        (
            lambda n: n.agree.value == 1 and n.copied_each_step and n.sizes == {3},
            "Holds. The largest relative difference is {worst:.0e}.",
        ),
    ],
    saw=[
        "We computed the states of each network in four ways: by the loop, as one function g^(t) "
        "of all inputs, node by node in the unfolded graph, and in a minibatch of two sequences. "
        "The sequences have {shortest} to {longest} steps. The graph has one copy of W for each "
        "step, and it has the same three weight matrices at any length."
    ],
    data=data,
)
def run(config, seeds):
    """Compute the states of random networks in four ways and compare them.

    The four ways are the loop (G 10.5), the function g^(t) of all inputs (G 10.6), the unfolded
    graph node by node, and the reference network, with a second sequence beside the first.
    """
    return each_seed(_one, config, seeds)
