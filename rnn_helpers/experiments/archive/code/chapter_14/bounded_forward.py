"""Can gradients grow without bound through states that stay bounded? (section 10.8)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import Estimate, grouped, power_of_ten, where
from rnn_helpers.reference import init_recurrent


def table_grown(rows):
    """Tabulate how far the gradient grows, by the norm of the first state."""
    starts = sorted(grouped(where(rows, noise=0), "start").items())
    return [
        {
            "norm of the first state": f"{start:g}",
            "log10 of the gradient's norm": (
                f"{Estimate.mean(row['log10_backward'] for row in mine):.2f}"
            ),
        }
        for start, mine in starts
    ]


def table_late(rows):
    """Tabulate the factor per step once tanh holds the state, by the noise."""
    start = max(row["start"] for row in rows if not row["noise"])
    noises = grouped((row for row in rows if row["noise"] or row["start"] == start), "noise")
    return [
        {
            "deviation of the noise": f"{noise:g}",
            "factor per step": f"{Estimate.mean(row['late'] for row in mine):.3f}",
        }
        for noise, mine in sorted(noises.items())
    ]


def numbers(rows):
    """Growth of the gradient from each start, for how long as without tanh, and with noise."""
    settings = {key: rows[0][key] for key in ("n_h", "T", "radius", "after")}
    starts = dict(sorted(grouped(where(rows, noise=0), "start").items()))
    grown = [
        (start, Estimate.mean(row["log10_backward"] for row in mine))
        for start, mine in starts.items()
    ]
    steps = {start: [row["linear_steps"] for row in mine] for start, mine in starts.items()}
    steps = {start: each for start, each in steps.items() if max(each) < settings["T"]}
    more = -np.polyfit(np.log10(list(steps)), list(steps.values()), 1)[0]
    *_, (largest_start, at_largest) = starts.items()
    return {
        **settings,
        "linear": settings["T"] * np.log10(settings["radius"]),
        "smallest": grown[0][0],
        "from_smallest": grown[0][1],
        "grown": power_of_ten(grown[0][1].value),
        "largest": max(row["largest"] for row in rows),
        "bound": np.sqrt(settings["n_h"]),
        "start": largest_start,
        "steps": Estimate.mean(steps[largest_start]),
        "more": Estimate.mean(more),
        "late": Estimate.mean(row["late"] for row in at_largest),
    }


def _curve(rows, over, column, **words):
    """Return the mean of a column over another."""
    estimates = [
        {over: at, **Estimate.mean(row[column] for row in mine)._asdict()}
        for at, mine in grouped(rows, over).items()
    ]
    return claim_curves({"": estimates}, over, "value", spread=INTERVAL, **words)


def data_growth(rows):
    """Return the growth of the gradient over the size of the first state, without noise."""
    T, radius = rows[0]["T"], rows[0]["radius"]
    return _curve(
        where(rows, noise=0),
        "start",
        "log10_backward",
        question="How much does a gradient grow, by the size of the first state?",
        xlabel="norm of the first state",
        ylabel=f"log10 of growth in {T} steps",
        unit="",
        log="x",
        marks=[(T * np.log10(radius), f"{radius:g}^{T}")],
    )


def data_late(rows):
    """Return the growth at each step after tanh has stopped the state, over the noise."""
    return _curve(
        where(rows, start=max(row["start"] for row in rows)),
        "noise",
        "late",
        question="By which factor does a gradient grow at each later step, by the noise?",
        xlabel="deviation of the noise",
        ylabel="factor for each later step",
        unit="times as large at each step",
        marks=[(1, "no growth")],
    )


_SETTINGS = {"n_h": 50, "radius": 1.5, "T": 50, "after": 250}


@experiment(
    claim="Back-propagated gradients can grow without bound although the states stay bounded, for "
    "example when all tanh units are near 0 and the spectral radius is above 1.",
    source="Goodfellow et al. 10.8",
    quick={"seeds": 6, "starts": [1e-12, 1e-4, 1.0], "noises": [1.0], **_SETTINGS},
    full={
        "seeds": 20,
        "starts": [10.0**k for k in range(-12, 1)],
        "noises": [0.3, 1.0, 3.0],
        **_SETTINGS,
    },
    numbers=numbers,
    headline=(
        "late",
        "factor on the gradient's norm per step, after tanh has stopped the state's growth, no "
        "noise",
    ),
    finding="In {T} steps a gradient grows to about {grown}, while the norm of the state stays "
    "below {largest:.1f}.",
    verdict=Verdict(
        holds=(
            lambda n: (
                n.largest <= n.bound and n.from_smallest.low > 0.99 * n.linear and n.late.low > 1
            ),
            "Holds. Even after tanh has stopped the growth of the state, the gradient grows by a "
            "factor of {late.value:.2f} per step.",
        ),
        in_part=(
            lambda n: (
                n.largest <= n.bound and n.from_smallest.low > 0.99 * n.linear and n.late.high < 1
            ),
            "Holds in part, if the state is near 0, where the gradient keeps pace with "
            "{radius:g}^t. After tanh has stopped the growth of the state, the gradient shrinks.",
        ),
        fails=(
            lambda n: n.from_smallest.high < 0 and n.late.high < 1,
            "Does not hold. Even while the state is near 0, the gradient shrinks.",
        ),
    ),
    saw=[
        "Near zero, tanh changes little and the gradient keeps pace with {radius:g}^t, up to a "
        "factor of 2. From a norm of {start:g} it does so for {steps.value:.0f} steps, and for "
        "{more.value:.1f} more with each power of ten that the first state is smaller. No state "
        "can have a norm above √{n_h} = {bound:.2f}."
    ],
    table={
        "The gradient after the first steps, without noise": table_grown,
        "Growth of the gradient once tanh holds the state": table_late,
    },
    data={"growth": data_growth, "late": data_late},
)
def run(config, seeds):
    """Start tanh networks of 50 units, whose W is 1.5 times orthogonal, at states of norm 1e-12 to
    1, take the largest singular value of the Jacobian of the state after 50 steps, and follow a
    small change for 250 steps more, without input and with noise.
    """
    conditions = [(start, 0.0) for start in config["starts"]]
    conditions += [(config["starts"][-1], noise) for noise in config["noises"]]
    return [row for each in conditions for row in _rows(*each, config, seeds)]


def _rows(start, noise, config, seeds):
    n_h, T = config["n_h"], config["T"]
    rngs = [np.random.default_rng(seed) for seed in seeds]
    W = init_recurrent("orthogonal", n_h, rngs, radius=config["radius"])
    direction, change = np.stack([rng.normal(size=(2, n_h)) for rng in rngs], axis=1)
    h = start * direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    J = np.broadcast_to(np.eye(n_h), W.shape)
    norms = []
    largest = np.zeros(len(W))
    grown = np.zeros(len(W))
    for t in range(T + config["after"]):
        entering = noise * np.stack([rng.normal(size=n_h) for rng in rngs])
        h = np.tanh((W @ h[..., None])[..., 0] + entering)
        slope = (1 - h**2)[..., None]
        largest = np.maximum(largest, np.linalg.norm(h, axis=-1))
        if t < T:
            J = slope * (W @ J)
            norms.append(np.linalg.norm(J, 2, axis=(-2, -1)))
        else:
            change = (slope * (W @ change[..., None]))[..., 0]
            size = np.linalg.norm(change, axis=-1, keepdims=True)
            if t >= T + config["after"] // 5:  # once it points where changes grow most
                grown += np.log(size[:, 0])
            change = change / size
    linear = config["radius"] ** np.arange(1, T + 1)[:, None]
    settings = {key: config[key] for key in ("n_h", "radius", "T", "after")}
    return [
        {
            "start": start,
            "noise": noise,
            "seed": seed,
            "largest": largest[s],
            "log10_backward": np.log10(norms[-1][s]),
            "linear_steps": int(np.sum(np.array(norms)[:, s] > linear[:, 0] / 2)),
            "late": np.exp(grown[s] / (config["after"] - config["after"] // 5)),
            **settings,
        }
        for s, seed in enumerate(seeds)
    ]
