"""Which powers of eigenvalues give the state, and for which matrices? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.reference import (
    eigendecompose,
    linear_state,
    modes,
    spectral_state,
    spectral_state_as_printed,
)

EXACT = 1e-9  # relative error below which two results agree up to rounding


def numbers(rows):
    """Estimate the errors of (G 10.39) in both orders, and of the forms for rotations."""
    return {
        "printed": Estimate.geometric(row["printed"] for row in rows),
        "flipped": Estimate.geometric(row["flipped"] for row in rows),
        "corrected": max(row["corrected"] for row in rows),
        "exchanged": Estimate.geometric(row["corrected"] for row in rows),
        "rotations": len(rows),
        "refused": sum(row["rotation_refused"] for row in rows),
        "symmetric_part": Estimate.mean(row["rotation_symmetric"] for row in rows),
        "complex_form": max(row["rotation_modes"] for row in rows),
    }


def table(rows):
    """Tabulate the error of each form, relative to the length of the state."""
    seen = numbers(rows)
    return [
        {"form": "Qᵀ Λᵗ Q, as printed: geometric mean", "error": f"{seen['printed']:.2f}"},
        {
            "form": "the same: change if one eigenvector is reversed, geometric mean",
            "error": f"{seen['flipped']:.2f}",
        },
        {"form": "Q Λᵗ Qᵀ: largest error", "error": f"{seen['corrected']:.0e}"},
        {
            "form": "rotation, replaced by its symmetric part: mean",
            "error": f"{seen['symmetric_part']:.2f}",
        },
        {
            "form": "rotation, Q Λᵗ Q⁻¹ with complex eigenvectors: largest error",
            "error": f"{seen['complex_form']:.0e}",
        },
    ]


def data(rows):
    """Return the errors of (G 10.39) in both orders, and of two forms for rotations."""
    seen = numbers(rows)
    return claim_intervals(
        {
            "Qᵀ Λᵗ Q, as printed": seen["printed"],
            "change if one eigenvector is reversed": seen["flipped"],
            "Q Λᵗ Qᵀ": Estimate.geometric(row["corrected"] for row in rows),
            "rotation, symmetric part": seen["symmetric_part"],
            "rotation, complex eigenvectors": Estimate.mean(row["rotation_modes"] for row in rows),
        },
        question="How large are the errors of the two orders of the factors?",
        xlabel="relative error of the state",
        unit="",
        spread=INTERVAL,
        log=True,
    )


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    n, t = int(rng.integers(3, config["largest"] + 1)), int(rng.integers(1, config["T"] + 1))
    W, h0 = rng.normal(0, n**-0.5, (n, n)), rng.normal(size=n)
    W = (W + W.T) / 2
    state = linear_state(W, h0, t)
    Q, eigenvalues = eigendecompose(W)
    Q = Q * rng.choice([-1, 1], n)  # the sign of an eigenvector is arbitrary
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
    source="Goodfellow et al. 10.7, (G 10.38) and (G 10.39)",
    quick={"seeds": 50, "largest": 10, "T": 10},
    full={"seeds": 200, "largest": 10, "T": 10},
    numbers=numbers,
    headline=("printed", "relative error of the state with Qᵀ Λᵗ Q, as printed (geometric mean)"),
    finding={
        "holds": "If W is symmetric, t steps multiply the state by Qᵀ Λᵗ Q.",
        "does not hold": "If W is symmetric, t steps multiply the state by Q Λᵗ Qᵀ, not by Qᵀ Λᵗ "
        "Q.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.printed.high < EXACT,
            "Holds. If W is symmetric, the result is exact up to rounding.",
        ),
        fails=(
            lambda n: n.exchanged.high < EXACT < n.printed.low,
            "Does not hold. Q and its transpose have to change places, and W has to be symmetric.",
        ),
    ),
    saw=[
        "With Qᵀ on the left, the result even depends on the sign of each eigenvector, although "
        "the sign is arbitrary. With Q on the left, the result is exact up to rounding. {refused} "
        "of {rotations} rotations have no such form with real numbers. But if we use complex "
        "eigenvectors, and the inverse of Q in place of its transpose, we get the right state."
    ],
    table={"Error, relative to the state": table},
    data=data,
)
def run(config, seeds):
    """For random symmetric matrices with 3 to 10 rows, we computed the state after 1 to 10 steps
    from a power of the matrix (G 10.37) and from both orders of Q and its transpose (G 10.39). We
    also tried to write random rotations of the plane in the form Q Λ Qᵀ (G 10.38).
    """
    return each_seed(_one, config, seeds)
