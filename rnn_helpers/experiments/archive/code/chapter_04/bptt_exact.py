"""Are the derived gradients exact? What if (G 10.21) is read as printed? (section 10.2.2)"""

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_groups
from rnn_helpers.experiments.words import AtMost, Estimate
from rnn_helpers.reference import grad_state_as_printed, init_rnn, rnn_backward, rnn_forward

PARAMETERS = ("U", "W", "V", "b", "c")


# An equation is right in all networks or in hardly any, so one half tells the two apart.
HALF = 0.5


def numbers(rows):
    """Return the share of networks with exact gradients, and the largest error of all."""
    worst = [max(row[f"error_{name}"] for name in PARAMETERS) for row in rows]
    return {
        "networks": len(rows),
        "exact": Estimate.rate(error < 1e-12 for error in worst),
        "printed": Estimate.rate(
            max(row[f"printed_{name}"] for name in PARAMETERS) < 1e-12 for row in rows
        ),
        "worst": AtMost(max(worst)),
    }


def table(rows):
    """Tabulate the error of each parameter's gradient, if (G 10.21) is read element by element."""
    printed = {name: Estimate.mean(row[f"printed_{name}"] for row in rows) for name in PARAMETERS}
    return [
        {"parameter": name, "mean relative error": f"{error:.2g}"}
        for name, error in printed.items()
    ]


def data(rows):
    """Return the errors of all gradients, and of those that the wrong order changes."""
    columns = {"corrected": ("error", PARAMETERS), "as printed": ("printed", "UWb")}
    return claim_groups(
        {
            said: {name: Estimate.mean(row[f"{kind}_{name}"] for row in rows) for name in names}
            for said, (kind, names) in columns.items()
        },
        question="How large are the errors of the gradients?",
        xlabel="relative error of the gradient",
        unit="",
        spread=INTERVAL,
        log="x",
    )


def _autograd(params: dict, x: np.ndarray, y: np.ndarray) -> dict:
    """Return the gradients of the summed loss by PyTorch's automatic differentiation."""
    import torch

    leaves = {name: torch.tensor(p, requires_grad=True) for name, p in params.items()}
    h = torch.zeros(x.shape[1], len(params["b"]), dtype=torch.float64)
    loss = 0.0
    for x_t, y_t in zip(torch.tensor(x), torch.tensor(y), strict=True):
        h = torch.tanh(leaves["b"] + h @ leaves["W"].T + leaves["U"].T[x_t])
        o = leaves["c"] + h @ leaves["V"].T
        loss = loss + torch.nn.functional.cross_entropy(o, y_t, reduction="sum")
    loss.backward()
    return {name: leaf.grad.numpy() for name, leaf in leaves.items()}


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    T, B, n_x, n_h, n_y = (int(rng.integers(2, most + 1)) for most in config["largest"])
    params = init_rnn(n_x, n_h, n_y, rng)
    x, y = rng.integers(n_x, size=(T, B)), rng.integers(n_y, size=(T, B))
    exact = _autograd(params, x, y)
    forward = rnn_forward(params, x)
    ours = rnn_backward(params, forward, y)
    printed = rnn_backward(params, forward, y, recursion=grad_state_as_printed)

    def error(grads: dict, name: str) -> float:
        return float(np.linalg.norm(grads[name] - exact[name]) / np.linalg.norm(exact[name]))

    return {
        "seed": seed,
        **dict(zip(("T", "B", "n_x", "n_h", "n_y"), (T, B, n_x, n_h, n_y), strict=True)),
        **{f"error_{name}": error(ours, name) for name in PARAMETERS},
        **{f"printed_{name}": error(printed, name) for name in PARAMETERS},
    }


@experiment(
    claim="The equations of back-propagation through time give the gradient of the loss.",
    source="Goodfellow et al. 10.2.2",
    quick={"seeds": 10, "largest": [12, 4, 6, 8, 6]},
    full={"seeds": 100, "largest": [40, 8, 16, 32, 16]},
    numbers=numbers,
    headline=("exact", "share of networks whose gradient is exact to 1e-12"),
    finding=[
        (
            lambda n: n.exact.value == 1,
            "In all {networks} random networks, the equations of back-propagation through time "
            "give the exact gradient, up to rounding.",
        ),
        (
            lambda n: True,
            "In {exact.value:.0%} of {networks} random networks, the equations of back-propagation "
            "through time give the exact gradient, up to rounding.",
        ),
    ],
    verdict=Verdict(
        holds=(
            lambda n: n.exact.low > HALF and n.printed.low > HALF,
            "Holds. It doesn't matter in which order (G 10.21) is read.",
        ),
        in_part=(
            lambda n: n.exact.low > HALF > n.printed.high,
            "Holds in part: all equations are exact but (G 10.21), whose factors have to be "
            "multiplied in another order than they are printed.",
        ),
        fails=(
            lambda n: n.exact.high < HALF,
            "Does not hold. The gradient differs from that of automatic differentiation.",
        ),
    ),
    saw=[
        "The relative difference from automatic differentiation is at most {worst:.0e} for all "
        "parameters. If (G 10.21) is read element by element, as it is printed, the gradients of "
        "U, W and b are wrong. The gradients of V and c don't depend on this equation, so they "
        "stay exact."
    ],
    table={"Error of the gradient if (G 10.21) is read element by element": table},
    data=data,
)
def run(config, seeds):
    """Compare the gradients of the reference with automatic differentiation in random networks of
    random sizes, with (G 10.21) corrected and as printed.
    """
    return each_seed(_one, config, seeds)
