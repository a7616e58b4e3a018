"""Does a spectral radius below 1 make every change smaller? (section 10.8, needed in 10.7)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.reference import init_recurrent, power_norms

UNITS = 50  # size of the matrices in the headline
MOST = 0.5  # a judgment: the claim is about most matrices
STEPS = 10  # number of steps after which perturbations are compared


def _shares(rows):
    """Estimate the share of matrices that stretch some state, by number of units."""
    return {
        n_h: Estimate.rate(row["largest"] > 1 for row in mine)
        for n_h, mine in grouped(rows, "n_h").items()
    }


def table_shares(rows):
    """Tabulate the share of matrices that stretch some state."""
    return [{"units": n_h, "share": f"{share:.0%}"} for n_h, share in _shares(rows).items()]


def table_sizes(rows):
    """Tabulate how far the matrices with 50 units stretch a state, on average."""
    seen = numbers(rows)
    sizes = {
        "norm of the matrix": "norm",
        "largest norm of one of its powers": "largest",
        f"longest result after {STEPS} steps from a perturbation of length 1": "best",
        f"the same, for the leading eigenvector of length 1, after {STEPS} steps": "eigenvector",
        "length of that eigenvector after one step with Wᵀ": "transposed",
        "steps until the norm stays below 1": "steps",
    }
    return [{"quantity": name, "mean": f"{seen[key]:.2f}"} for name, key in sizes.items()]


def numbers(rows):
    """Estimate the share of matrices that stretch some state, and the growth with 50 units."""
    sized = where(rows, n_h=UNITS)
    means = {key: Estimate.mean(row[key] for row in sized) for key in sized[0] if key != "seed"}
    return {
        "share": _shares(rows)[UNITS],
        "stretching": sum(row["largest"] > 1 for row in sized),
        "of": len(sized),
        "shares": list(_shares(rows).values()),
        "smallest": min(row["n_h"] for row in rows),
        "largest_symmetric": max(row["symmetric"] for row in rows),
        **means,
    }


def data(rows):
    """Return how far the powers of the matrices stretch a state against the number of units."""
    columns = {
        "longest at any step": "largest",
        "longest after 1 step": "norm",
        f"longest after {STEPS} steps": "best",
        f"eigenvector, {STEPS} steps": "eigenvector",
    }
    series = {
        name: [
            {"n_h": n_h, **Estimate.mean(row[column] for row in mine)._asdict()}
            for n_h, mine in grouped(rows, "n_h").items()
        ]
        for name, column in columns.items()
    }
    return claim_curves(
        series,
        "n_h",
        "value",
        question="How far do the powers of a matrix stretch a state?",
        xlabel="units",
        ylabel="length of the state",
        unit="times the first state",
        spread=INTERVAL,
        log="x",
        marks=[(1, "unchanged")],
    )


def _leading(W):
    """Return a unit eigenvector for the largest eigenvalue in modulus, for each matrix."""
    eigenvalues, vectors = np.linalg.eig(W)
    first = np.abs(eigenvalues).argmax(axis=-1)
    return np.take_along_axis(vectors, first[:, None, None], axis=-1)


@experiment(
    claim="A spectral radius below 1 makes the map contractive: a small change becomes smaller "
    "at each step, and a change along the leading eigenvector is kept best.",
    source="Goodfellow et al. 10.8",
    quick={"seeds": 20, "sizes": [2, 50], "radius": 0.95, "T": 80},
    full={"seeds": 100, "sizes": [2, 10, 50, 200], "radius": 0.95, "T": 80},
    numbers=numbers,
    headline=("share", f"share of random {UNITS}-unit matrices that make some state longer"),
    finding={
        "holds": "At a spectral radius of {radius.value:g}, most random matrices make no state "
        "longer.",
        "holds in part": "At a spectral radius of {radius.value:g}, most random matrices make some "
        f"state longer if they have {UNITS} units, but not if they have {{smallest}}.",
        "does not hold": "A spectral radius below 1 doesn't make the map contractive: at radius "
        f"{{radius.value:g}}, {{stretching}} of {{of}} random matrices with {UNITS} units make "
        "some state longer.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(share.high < MOST for share in n.shares),
            "Holds. Most of these matrices make no state longer.",
        ),
        in_part=(
            lambda n: n.shares[0].high < MOST < n.shares[-1].low,
            "Holds in part, if the network is small. Most matrices with {smallest} units make no "
            "state longer.",
        ),
        fails=(
            lambda n: all(share.low > MOST for share in n.shares),
            "Does not hold. The norm of these matrices is {norm.value:.2f} on average, so they "
            "make some state longer in a single step.",
        ),
    ),
    saw=[
        "The norm of the powers of a matrix stays below 1 only after {steps.value:.0f} steps on "
        f"average. After {STEPS} steps, the perturbation that grows most is longer than at "
        "the start, but the leading eigenvector has shrunk to {eigenvector.value:.2f}. Symmetric "
        "matrices of the same radius never stretch a state."
    ],
    table={
        "Random matrices that make some state longer": table_shares,
        f"Random matrices with {UNITS} units": table_sizes,
    },
    data=data,
)
def run(config, seeds):
    """We scaled random Gaussian matrices to spectral radius 0.95 and computed the largest singular
    value of each power, up to the 80th. We also compared the leading eigenvector with the start of
    length 1 that grows most.
    """
    rows = []
    for n_h in config["sizes"]:
        W = init_recurrent("gaussian", n_h, seeds, radius=config["radius"])
        norms = power_norms(W, config["T"])
        symmetric = W + W.mT
        symmetric *= config["radius"] / np.abs(np.linalg.eigvalsh(symmetric)).max(-1)[:, None, None]
        seen = {
            "norm": norms[1],
            "largest": norms[1:].max(axis=0),
            "at": norms[1:].argmax(axis=0) + 1,
            "steps": [np.flatnonzero(norms[:, s] >= 1)[-1] + 1 for s in range(len(seeds))],
            "best": norms[STEPS],
            "eigenvector": np.full(len(seeds), config["radius"] ** STEPS),
            "transposed": np.linalg.norm(W.mT @ _leading(W), axis=(-2, -1)),
            "symmetric": power_norms(symmetric, config["T"])[1:].max(axis=0),
        }
        rows += [
            {"n_h": n_h, "radius": config["radius"], "seed": seed}
            | {key: values[s] for key, values in seen.items()}
            for s, seed in enumerate(seeds)
        ]
    return rows
