"""Does a spectral radius below one make every change smaller? (section 10.8, needed in 10.7)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.reference import init_recurrent, power_norms

UNITS = 50  # the size that the headline is about
STEPS = 10  # after which perturbations are compared


def numbers(rows):
    """Share of matrices that stretch some state; how far and for how long those of 50 units do."""
    share = {
        n_h: Estimate.rate(row["largest"] > 1 for row in mine)
        for n_h, mine in grouped(rows, "n_h").items()
    }
    sized = where(rows, n_h=UNITS)
    means = {key: Estimate.mean(row[key] for row in sized) for key in sized[0] if key != "seed"}
    return {
        "share": share.pop(UNITS),
        "others": listed("{1.value:.0%} with {0} units", share.items()),
        "largest_symmetric": max(row["symmetric"] for row in rows),
        **means,
    }


def plot(rows):
    """Draw by how much powers of the matrices stretch, over their size."""
    columns = {
        "any step, at most": "largest",
        "first step": "norm",
        f"{STEPS} steps, at most": "best",
        f"{STEPS} steps, eigenvector": "eigenvector",
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
        xlabel="units",
        ylabel="length of a unit change",
        log="x",
        marks=[(1, "no longer, no shorter")],
    )


def _leading(W):
    """Eigenvector of the eigenvalue of largest magnitude, of length 1, for each matrix."""
    eigenvalues, vectors = np.linalg.eig(W)
    first = np.abs(eigenvalues).argmax(axis=-1)
    return np.take_along_axis(vectors, first[:, None, None], axis=-1)


@experiment(
    claim="A spectral radius below one makes the map contractive: a small change becomes smaller "
    "at each step, and the leading eigenvector is the change that is kept best.",
    source="Goodfellow et al. 10.8 (P20, E-22, E-25, E-26)",
    quick={"seeds": 20, "sizes": [2, 50], "radius": 0.95, "T": 80},
    full={"seeds": 100, "sizes": [2, 10, 50, 200], "radius": 0.95, "T": 80},
    numbers=numbers,
    headline=("share", f"share of random {UNITS}-unit matrices that stretch some state"),
    verdict=[(lambda n: n.share.low > 0, "does not hold")],
    saw=[
        f"At radius {{radius.value:g}}, {{share.value:.0%}} of Gaussian matrices with {UNITS} "
        "units stretch some state ({others}). Their norm is {norm:.2f}; that of their powers "
        "reaches {largest:.2f} and is below 1 for good after {steps.value:.0f} steps. The best "
        f"perturbation of length 1 is {{best:.2f}} long after {STEPS} steps, the leading "
        "eigenvector {eigenvector.value:.2f}; W^T makes that vector {transposed:.2f} long in one "
        "step. Symmetric matrices of that radius never exceed {largest_symmetric:.2f}."
    ],
    plot=plot,
)
def run(config, seeds):
    """Scale random Gaussian matrices to spectral radius 0.95 and take the largest singular value of
    each power, up to the 80th; compare the leading eigenvector with the best perturbation.
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
