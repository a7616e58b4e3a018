"""Does a memory with complex or negative eigenvalues oscillate? (section 10.8)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import claim_dots
from rnn_helpers.experiments.words import Estimate, where
from rnn_helpers.reference import init_recurrent, init_rnn, rnn_forward

MOST = 0.9  # a judgment: share of networks that have to oscillate as predicted
ALONE = 0.98  # below this ratio of the second modulus to the first, the first one dominates


def numbers(rows):
    """Estimate the share of networks that oscillate at the angle of their leading eigenvalue."""
    return {
        "agree": Estimate.rate(row["agrees"] for row in rows),
        "alone": Estimate.rate(row["agrees"] for row in rows if row["second"] < ALONE),
        "networks": len(rows),
        "agreeing": sum(row["agrees"] for row in rows),
    }


def table(rows):
    """Tabulate how many networks oscillate, by their leading eigenvalue."""
    groups = {
        "complex or negative": [row for row in rows if row["angle"] > 0],
        "positive": where(rows, angle=0),
    }
    return [
        {
            "leading eigenvalue": name,
            "networks": len(mine),
            "networks that oscillate": sum(row["measured"] > 0 for row in mine),
        }
        for name, mine in groups.items()
    ]


def data(rows):
    """Return the measured angle of each network against the angle of its leading eigenvalue."""
    alone = [row for row in rows if row["second"] < ALONE]
    rest = [row for row in rows if row["second"] >= ALONE]
    share = f"{1 - ALONE:.0%}"
    return claim_dots(
        {f"next eigenvalue at least {share} smaller": alone, "next one closer": rest},
        "angle",
        "measured",
        question="At which angle does a network ring, by the angle of its leading eigenvalue?",
        unit="radians",
        dots="network",
        xlabel="angle of the leading eigenvalue (radians)",
        ylabel="measured angle (radians)",
    )


def _spectrum(W):
    """Return the angle of the leading eigenvalue, and the next modulus divided by the first."""
    eigenvalues = np.linalg.eigvals(W)
    eigenvalues = eigenvalues[eigenvalues.imag >= 0]  # one of each conjugate pair
    first, second = eigenvalues[np.argsort(-np.abs(eigenvalues))][:2]
    return np.angle(first), np.abs(second) / np.abs(first)


@experiment(
    claim="Complex or negative eigenvalues make the network's memory of the past oscillate.",
    source="Goodfellow et al. 10.8",
    quick={"seeds": 40, "n_h": 20, "radius": 0.98, "impulse": 0.1, "wait": 200, "listen": 200},
    full={"seeds": 400, "n_h": 20, "radius": 0.98, "impulse": 0.1, "wait": 200, "listen": 200},
    numbers=numbers,
    headline=("agree", "share of networks that oscillate at the angle of the leading eigenvalue"),
    finding="In {agreeing} of {networks} random tanh networks, the leading eigenvalue predicts "
    "whether the output oscillates and how fast.",
    verdict=Verdict(
        holds=(
            lambda n: n.agree.low > MOST,
            "Holds. In {agreeing} of {networks} networks, the output oscillates at the angle of "
            "the leading eigenvalue, or not at all if that eigenvalue is positive.",
        ),
        in_part=(
            lambda n: n.agree.high < MOST < n.alone.low,
            "Holds in part, if one eigenvalue, or one conjugate pair, is clearly larger than the "
            "rest.",
        ),
        fails=(
            lambda n: n.alone.high < MOST,
            "Does not hold. Even if one eigenvalue, or one conjugate pair, is clearly larger than "
            "the rest, only {alone.value:.0%} of the networks oscillate at its angle.",
        ),
    ),
    saw=[
        "We compared the angle per step at which the output oscillates with the angle of the "
        "leading eigenvalue. If the modulus of the next eigenvalue is at least "
        f"{1 - ALONE:.0%} smaller, the two angles agree in {{alone.value:.0%}} of the networks."
    ],
    table={"Networks that oscillate": table},
    data=data,
)
def run(config, seeds):
    """We started random tanh networks of 20 units with spectral radius 0.98 from a small random
    state. After 200 steps, we counted the sign changes of the output over another 200 steps. If the
    leading eigenvalue sets the frequency, the output changes sign once per half turn. We count a
    network as oscillating at the predicted angle if it is off by fewer than two sign changes.
    """
    n_h, wait, listen = config["n_h"], config["wait"], config["listen"]
    W = init_recurrent("gaussian", n_h, seeds, radius=config["radius"])
    params = init_rnn(1, n_h, 1, seeds) | {"W": W}
    h0 = np.stack([np.random.default_rng(s).normal(0, config["impulse"], (1, n_h)) for s in seeds])
    output = rnn_forward(params, np.zeros((wait + listen, 1, 1)), h0).o[wait:, :, 0, 0]
    changes = np.diff(np.signbit(output), axis=0).sum(axis=0)
    rows = []
    for s, seed in enumerate(seeds):
        angle, second = _spectrum(W[s])
        measured = np.pi * changes[s] / (listen - 1)
        rows.append(
            {
                "seed": seed,
                "angle": angle,
                "second": second,
                "measured": measured,
                "agrees": bool(abs(measured - angle) < 2 * np.pi / listen),
            }
        )
    return rows
