"""Do powers of eigenvalues give the state, (G 10.39), and for which matrices? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import each_seed, experiment
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import (
    eigendecompose,
    linear_state,
    modes,
    spectral_state,
    spectral_state_as_printed,
)

EXACT = 1e-9  # relative error below which two results are the same, but for rounding


def numbers(rows):
    """Typical errors of (G 10.39) as printed, and the largest of what is exact."""
    return {
        "printed": Estimate.geometric(row["printed"] for row in rows),
        "flipped": Estimate.geometric(row["flipped"] for row in rows),
        "corrected": max(row["corrected"] for row in rows),
        "rotations": len(rows),
        "refused": sum(row["rotation_refused"] for row in rows),
        "symmetric_part": Estimate.mean(row["rotation_symmetric"] for row in rows),
        "complex_form": max(row["rotation_modes"] for row in rows),
    }


def table(rows):
    """Tabulate the error of each form, relative to the state."""
    seen = numbers(rows)
    return [
        {"form": "Qᵀ first, as printed: geometric mean", "error": f"{seen['printed']:.2f}"},
        {
            "form": "the same, with the sign of one eigenvector changed: difference",
            "error": f"{seen['flipped']:.2f}",
        },
        {"form": "Q first: largest error", "error": f"{seen['corrected']:.0e}"},
        {
            "form": "rotation, from its symmetric part: mean",
            "error": f"{seen['symmetric_part']:.2f}",
        },
        {
            "form": "rotation, complex eigenvectors and their inverse: largest error",
            "error": f"{seen['complex_form']:.0e}",
        },
    ]


def plot(rows):
    """Draw the errors of (G 10.39) in both orders, and of two forms for rotations."""
    seen = numbers(rows)
    return claim_intervals(
        {
            "(G 10.39) as printed": seen["printed"],
            "sign of an eigenvector turned": seen["flipped"],
            "(G 10.39) corrected": Estimate.geometric(row["corrected"] for row in rows),
            "rotation, symmetric part": seen["symmetric_part"],
            "rotation, complex form": Estimate.mean(row["rotation_modes"] for row in rows),
        },
        xlabel="relative error of the state",
        log=True,
    )


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    n, t = int(rng.integers(3, config["largest"] + 1)), int(rng.integers(1, config["T"] + 1))
    W, h0 = rng.normal(0, n**-0.5, (n, n)), rng.normal(size=n)
    W = (W + W.T) / 2
    state = linear_state(W, h0, t)
    Q, eigenvalues = eigendecompose(W)
    Q = Q * rng.choice([-1, 1], n)  # eigenvectors have no sign of their own
    printed = spectral_state_as_printed(Q, eigenvalues, h0, t)
    turned = np.where(np.arange(n) == 0, -Q, Q)

    def error(found, exact=state):
        return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))

    angle = rng.uniform(0.1, np.pi - 0.1)
    h0_plane = rng.normal(size=2)
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    rotated = linear_state(R, h0_plane, t)  # by R^T, as in (G 10.36)
    try:
        eigendecompose(R)
        refused = False
    except ValueError:
        refused = True
    return {
        "seed": seed,
        "n_h": n,
        "t": t,
        "printed": error(printed),
        "flipped": error(spectral_state_as_printed(turned, eigenvalues, h0, t), printed),
        "corrected": error(spectral_state(Q, eigenvalues, h0, t)),
        "rotation_refused": refused,
        "rotation_modes": error(modes(R.T, h0_plane).state(t), rotated),
        "rotation_symmetric": error(linear_state((R + R.T) / 2, h0_plane, t), rotated),
    }


@experiment(
    claim="In t steps, a linear recurrence multiplies the state by Qᵀ Λᵗ Q.",
    source="Goodfellow et al. 10.7, (G 10.38) and (G 10.39) (P20, E-10, E-11)",
    quick={"seeds": 50, "largest": 10, "T": 10},
    full={"seeds": 200, "largest": 10, "T": 10},
    numbers=numbers,
    headline=("printed", "relative error of (G 10.39) as printed (geometric mean)"),
    finding="If W is symmetric, t steps multiply the state by Q Λᵗ Qᵀ, not by Qᵀ Λᵗ Q.",
    verdict=[
        (
            lambda n: max(n.corrected, n.complex_form) < EXACT < n.printed.low,
            "Holds if W is symmetric and Q and its transpose change places.",
        )
    ],
    saw=[
        "With Qᵀ first, the result even depends on the sign of each eigenvector, which (G 10.38) "
        "leaves open. With Q first, (G 10.39) is exact up to rounding. Of {rotations} rotations, "
        "{refused} have no such form, but complex eigenvectors with the inverse in place of the "
        "transpose give the right state."
    ],
    table={"Error, relative to the state": table},
    plot=plot,
)
def run(config, seeds):
    """Compare (G 10.39), as printed and corrected, with the power of (G 10.37) on random symmetric
    matrices of 3 to 10 units after 1 to 10 steps; look for the form of (G 10.38) in rotations.
    """
    return each_seed(_one, config, seeds)
