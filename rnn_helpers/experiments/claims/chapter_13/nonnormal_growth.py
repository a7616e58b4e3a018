"""Does a spectral radius below one make every change smaller? (section 10.8, needed in 10.7)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval, rate_interval
from rnn_helpers.reference import init_recurrent, power_norms

UNITS = 50  # the size that the headline is about
STEPS = 10  # after which perturbations are compared


def summarise(rows):
    """Count the matrices that stretch some state, and say how far and for how long."""
    share = {}
    for n in dict.fromkeys(row["n_h"] for row in rows):
        grown = [row["largest"] > 1 for row in rows if row["n_h"] == n]
        share[n] = rate_interval(sum(grown), len(grown))
    sized = [row for row in rows if row["n_h"] == UNITS]
    seen = {key: mean_interval([row[key] for row in sized]) for key in sized[0] if key != "seed"}
    rate, low, high = share[UNITS]

    def says(key):
        return "{:.2f} ({:.2f} to {:.2f})".format(*seen[key])

    others = ", ".join(f"{share[n][0]:.0%} with {n} units" for n in share if n != UNITS)
    return Summary(
        rate,
        low,
        high,
        unit=f"share of random {UNITS}-unit matrices that stretch some state",
        verdict="does not hold" if low > 0 else "holds",
        text=(
            f"At radius {rows[0]['radius']:g}, {rate:.0%} of Gaussian matrices with {UNITS} units "
            f"stretch some state ({others}). Their norm is {says('norm')}; that of their powers "
            f"reaches {says('largest')} and is below 1 for good after {seen['steps'][0]:.0f} "
            f"steps. The best perturbation of length 1 is {says('best')} long after {STEPS} steps, "
            f"the leading eigenvector {seen['eigenvector'][0]:.2f}; W^T makes that vector "
            f"{says('transposed')} long in one step. Symmetric matrices of that radius never "
            f"exceed {max(row['symmetric'] for row in rows):.2f}."
        ),
    )


def _leading(W):
    """Eigenvector of the eigenvalue of largest magnitude, of length 1, for each matrix."""
    eigenvalues, vectors = np.linalg.eig(W)
    first = np.abs(eigenvalues).argmax(axis=-1)
    return np.take_along_axis(vectors, first[:, None, None], axis=-1)


@experiment(
    "nonnormal-growth",
    claim="A spectral radius below one makes the map contractive: a small change becomes smaller "
    "at each step, and the leading eigenvector is the change that is kept best.",
    source="Goodfellow et al. 10.8 (P20, E-22, E-25, E-26)",
    chapter="13",
    quick={"seeds": 20, "sizes": [2, 50], "radius": 0.95, "T": 80},
    full={"seeds": 100, "sizes": [2, 10, 50, 200], "radius": 0.95, "T": 80},
    summarise=summarise,
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
