"""Can gradients grow without bound through states that stay bounded? (section 10.8)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.reference import init_recurrent


def summarise(rows):
    """Compare the gradient's growth from the smallest start with the linear one, and follow it."""
    n_h, T, radius = (rows[0][key] for key in ("n_h", "T", "radius"))
    seen = {}
    for row in rows:
        seen.setdefault((row["noise"], row["start"]), []).append(row)

    def mean(key, noise, start):
        return mean_interval([row[key] for row in seen[noise, start]])

    def says(interval, digits=2):
        return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(*interval, d=digits)

    starts = sorted(start for noise, start in seen if noise == 0)
    noises = sorted({noise for noise, _ in seen if noise})
    bounded = all(row["largest"] <= np.sqrt(n_h) for row in rows)
    linear = T * np.log10(radius)
    grows = mean("log10_backward", 0, starts[0])[1] > 0.99 * linear
    late = mean("late", 0, starts[-1])
    text = (
        f"From states of norm {starts[0]:g} the gradient's norm grows to 10^"
        f"{mean('log10_backward', 0, starts[0])[0]:.2f} in {T} steps ({radius:g}^{T} = 10^"
        f"{linear:.2f}), while the state's stays below {max(r['largest'] for r in rows):.2f} "
        f"(sqrt({n_h}) = {np.sqrt(n_h):.2f}). From "
        + ", ".join(
            f"{start:g} to 10^{says(mean('log10_backward', 0, start))}"
            for start in starts[:0:-4][::-1]
        )
    )
    stopped = [s for s in starts if max(row["linear_steps"] for row in seen[0, s]) < T]
    if len(stopped) > 1:
        steps = np.array([[row["linear_steps"] for row in seen[0, s]] for s in stopped])
        slopes = -np.polyfit(np.log10(stopped), steps, 1)[0]
        text += (
            f". It keeps pace with {radius:g}^t, up to a factor of 2, for "
            f"{says(mean('linear_steps', 0, stopped[-1]), 1)} steps from norm {stopped[-1]:g}, and "
            f"for {says(mean_interval(slopes))} more with each power of ten the start is smaller"
        )
    text += (
        f". In the {rows[0]['after']} steps after the first {T}, when tanh holds the state, it "
        f"grows by {says(late, 3)} a step"
    )
    if noises:
        text += "; with noise added to what enters each unit, by " + ", ".join(
            f"{says(mean('late', noise, starts[-1]), 3)} (deviation {noise:g})" for noise in noises
        )
    return Summary(
        *late,
        unit="factor per step of the gradient's norm, once tanh holds the state, no input",
        verdict=(
            "does not hold"
            if not (bounded and grows)
            else "holds"
            if late[1] > 1
            else "holds if the state begins near 0, and for as long as it is"
        ),
        text=f"{text}.",
    )


_SETTINGS = {"n_h": 50, "radius": 1.5, "T": 50, "after": 250}


@experiment(
    "bounded-forward",
    claim="Back-propagation can grow without bound through states that stay bounded, as when all "
    "tanh units are near 0 and the spectral radius is above 1.",
    source="Goodfellow et al. 10.8 (P52)",
    chapter="14",
    quick={"seeds": 6, "starts": [1e-12, 1e-4, 1.0], "noises": [1.0], **_SETTINGS},
    full={
        "seeds": 20,
        "starts": [10.0**k for k in range(-12, 1)],
        "noises": [0.3, 1.0, 3.0],
        **_SETTINGS,
    },
    summarise=summarise,
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
    norms, largest, grown = [], np.zeros(len(W)), np.zeros(len(W))
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
