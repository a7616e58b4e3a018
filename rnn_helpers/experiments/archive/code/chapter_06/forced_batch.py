"""How much faster is teacher forcing if all time steps are computed at once? (section 10.2.1)"""

import time

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import lines
from rnn_helpers.experiments.words import Estimate

EQUAL = 1e-9  # relative difference below which two gradients are equal up to rounding
# Two ways to compute a gradient agree in all networks or in hardly any; one half tells these apart.
HALF = 0.5
HOW = ["all at once", "one after the other", "one after the other, with a state"]


def _ratios(rows):
    """Estimate how many times as long the computation takes step by step, by length."""
    return {
        length: Estimate.geometric(
            row["seconds"][HOW[1]][k] / row["seconds"][HOW[0]][k] for row in rows
        )
        for k, length in enumerate(rows[0]["lengths"])
    }


def table(rows):
    """Tabulate how many times as long the computation takes step by step."""
    return [
        {"steps": length, "times as long": f"{ratio:.2g}"}
        for length, ratio in _ratios(rows).items()
    ]


def numbers(rows):
    """Return the largest difference of gradients and the ratios of times."""
    ratio = list(_ratios(rows).values())
    return {
        "networks": len(rows),
        "difference": max(row["difference"] for row in rows),
        "equal": Estimate.rate(row["difference"] < EQUAL for row in rows),
        "others": min(row["others"] for row in rows),
        "least": min(ratio, key=lambda each: each.low),
        "ratio": ratio[-1],
        "longest": rows[0]["lengths"][-1],
    }


def data(rows):
    """Return the time of a gradient by length, for three ways to compute it."""
    seconds = np.array([[row["seconds"][how] for how in HOW] for row in rows])
    means = 1000 * np.exp(np.log(seconds).mean(axis=0))
    low, high = (1000 * np.percentile(seconds, p, axis=0) for p in (5, 95))
    return lines(
        rows[0]["lengths"],
        means,
        HOW,
        low=low,
        high=high,
        question="How long does a gradient take, computed in three ways?",
        xlabel="length of the sequence",
        ylabel="ms for a gradient",
        unit="ms",
        spread="90 % of the networks",
        log="xy",
    )


@experiment(
    claim="If hidden units have no recurrent connections to each other, teacher forcing decouples"
    " all time steps, so that the gradient of each can be computed by itself and training can be "
    "parallelized.",
    source="Goodfellow et al. 10.2.1; Favaro's slides on teacher forcing",
    quick={"seeds": 3, "lengths": [4, 256], "repeats": 1},
    full={"seeds": 20, "lengths": [4, 16, 64, 256], "repeats": 3},
    numbers=numbers,
    headline=("ratio", "time for one step after another, as a multiple of one batch"),
    finding={
        "holds": "Without weights between hidden units, all steps can be computed as one batch. "
        "The gradients are equal, and computing {longest} steps one after another takes "
        "{ratio.value:.0f} times as long.",
        "holds in part": "Without weights between hidden units, all steps can be computed as one "
        "batch, but only for long sequences is this faster.",
        "does not hold": "Even without weights between hidden units, nothing is gained by "
        "computing all steps as one batch.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.equal.low > HALF and n.least.low > 1,
            "Holds. Without weights between hidden units, one batch gives the same gradients in "
            "less time, for short sequences as well as for long ones. With such weights, its "
            "gradients would be off by {others:.0%} or more.",
        ),
        in_part=(
            lambda n: n.equal.low > HALF and n.least.high < 1 < n.ratio.low,
            "Holds in part, if the sequences are long. For {longest} steps, one after another "
            "takes {ratio.value:.0f} times as long as one batch.",
        ),
        fails=(
            lambda n: n.equal.high < HALF or n.ratio.high < 1,
            "Does not hold. One batch doesn't give the same gradients in less time.",
        ),
    ),
    saw=[
        "In {networks} networks without such weights, the gradients of the two ways differ by at "
        "most {difference:.0e} of the largest entry."
    ],
    table={"Time for one step after another, as a multiple of one batch": table},
    caveats=[
        "On one core, one large product is cheaper than many small ones. With many cores or a "
        "graphics card the gain is larger. The networks are small. The ratio also depends on the "
        "processor: on another one it was about twice as large, for three networks."
    ],
    in_seconds="whether the gradients are the same, not how long they take",
    data=data,
    timed={"seconds": {}},
)
def run(config, seeds):
    """Compute the gradients of networks of random size that are fed the truth, with all time steps
    as one batch and with one step after another, by automatic differentiation on one core. Compare
    the gradients, and the least of several times. Then do the same for networks that also have
    weights between hidden units: how wrong is the gradient if you compute all steps at once anyway?
    """
    return each_seed(_one, config, seeds)


def _one(config: dict, seed: int) -> dict:
    from rnn_helpers.nets import OutputRecurrent

    rng = np.random.default_rng(seed)
    n_h, B = int(rng.integers(16, 49)), int(rng.integers(1, 5))
    nets = [OutputRecurrent(8, n_h, 8, [seed], hears).double() for hears in ("output", "both")]
    data = [
        [np.eye(8)[rng.integers(8, size=(T, 1, B))] for _ in range(2)] for T in config["lengths"]
    ]
    ways = dict(zip(HOW, [(nets[0], True), (nets[0], False), (nets[1], False)], strict=True))
    seconds = {how: np.full(len(data), np.inf) for how in ways}
    # The ways take turns, so that a slow moment of the machine doesn't affect only one of them. The
    # least of several times counts, because other programs can only add time.
    for _ in range(config["repeats"]):
        for place, batch in enumerate(data):
            for how, (net, at_once) in ways.items():
                gradients(net, *batch, at_once)  # fills the caches
                start = time.thread_time()
                gradients(net, *batch, at_once)
                spent = time.thread_time() - start
                seconds[how][place] = min(seconds[how][place], spent)
    off = [_off(net, batch) for net in nets for batch in data]
    return {
        "seed": seed,
        "n_h": n_h,
        "B": B,
        "lengths": config["lengths"],
        "difference": max(off[: len(data)]),
        "others": min(off[len(data) :]),
        "seconds": seconds,
    }


def _off(net, batch) -> float:
    """Return the largest difference of the two ways, relative to the largest gradient."""
    at_once, in_turn = (gradients(net, *batch, once) for once in (True, False))
    return max(
        np.abs(at_once[name] - grad).max() / np.abs(grad).max()
        for name, grad in in_turn.items()
        if name in at_once
    )


def gradients(net, x, y, at_once: bool) -> dict:
    """Return the gradients of a network that is fed the truth; all steps at once ignore its state.

    Parameters
    ----------
    net : OutputRecurrent
    x, y : ndarray of float, shape (T, 1, B, n)
        Inputs and true outputs, as vectors.
    at_once : bool
        Whether time is an axis of the batch; otherwise the steps are computed one after another.
    """
    import torch

    x, y = torch.tensor(x), torch.tensor(y)
    fed = torch.cat([torch.zeros_like(y[:1]), y[:-1]])
    steps = [(x, fed)] if at_once else zip(x.split(1), fed.split(1), strict=True)
    outputs, h = [], None
    for x_t, fed_t in steps:
        a = net.b[:, None] + x_t @ net.U.mT + fed_t @ net.R.mT
        if h is not None and hasattr(net, "W"):
            a = a + h @ net.W.mT
        h = torch.tanh(a)
        outputs.append(net.c[:, None] + h @ net.V.mT)
    net.zero_grad()
    (-(y * torch.log_softmax(torch.cat(outputs), dim=-1)).sum()).backward()
    grads = {name: p.grad for name, p in net.named_parameters() if p.grad is not None}
    return {name: grad.numpy().copy() for name, grad in grads.items()}
