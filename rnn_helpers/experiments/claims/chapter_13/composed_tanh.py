"""How wild does a tanh layer get when composed with itself? (section 10.7, figure 10.15)"""

import numpy as np

from rnn_helpers.experiments import Summary, each_seed, experiment, mean_interval
from rnn_helpers.reference import direction_changes, hidden_state, times

GAIN = 5  # the gain that the headline is about
FLAT = 0.1  # of the steepest slope
MOSTLY, MANY = 0.75, 20  # what we call most places, and many turns


def summarise(rows):
    """Take the turns at one gain, and find the least gain at which the figure is seen."""
    seen = {}
    for row in rows:
        here = seen.setdefault((row["start"], row["gain"]), {"turns": [], "flat": [], "median": []})
        for key, value in (
            ("turns", row["turns"][-1]),
            ("flat", row["flat"]),
            ("median", row["median_slope"]),
        ):
            here[key].append(value)
    means = {key: {k: mean_interval(v) for k, v in here.items()} for key, here in seen.items()}
    enough = [
        gain
        for (start, gain), here in means.items()
        if start == "random" and here["flat"][1] > MOSTLY and here["turns"][1] > MANY
    ]
    turns, low, high = means["random", GAIN]["turns"]

    def says(start):
        return ", ".join(
            f"{here['turns'][0]:.0f} at gain {gain:g} ({here['flat'][0]:.0%}, "
            f"{here['median'][0]:.2g})"
            for (place, gain), here in means.items()
            if place == start
        )

    return Summary(
        turns,
        low,
        high,
        unit=f"turns of the curve after five layers of gain {GAIN}",
        verdict=f"holds if the gain is large ({min(enough):g} or more here)"
        if enough
        else "does not hold",
        text=(
            f"Turns after five layers, with the share of the line flatter than a tenth of its "
            f"steepest place and the median slope over the steepest: {says('random')}. On a line "
            f"through the origin: {says('origin')}. We ask for {MOSTLY:.0%} flat and {MANY} turns; "
            "at gain 1, which keeps the size of a small state, the curve has but a few."
        ),
    )


def _one(config: dict, seed: int) -> list[dict]:
    rng, n_h = np.random.default_rng(seed), config["n_h"]
    W = rng.normal(0, n_h**-0.5, (n_h, n_h))
    start, direction, projection = rng.normal(size=(3, n_h))
    direction /= np.linalg.norm(direction)
    projection /= np.linalg.norm(projection)
    x = np.linspace(-config["limit"], config["limit"], config["points"])
    rows = []
    for place, h0 in (("random", start), ("origin", np.zeros(n_h))):
        for gain in config["gains"]:
            h, slope = h0 + x[:, None] * direction, np.broadcast_to(direction, (len(x), n_h))
            turns = [direction_changes(h @ projection)]
            for _ in range(config["depth"]):
                h = hidden_state(gain * times(W, h))
                slope = (1 - h**2) * gain * times(W, slope)  # dh/dx, by the chain rule
                turns.append(direction_changes(h @ projection))
            steepness = np.abs(slope @ projection)
            rows.append(
                {
                    "seed": seed,
                    "start": place,
                    "gain": gain,
                    "turns": turns,
                    "flat": np.mean(steepness < FLAT * steepness.max()),
                    "median_slope": np.median(steepness) / steepness.max(),
                }
            )
    return rows


_CURVE = {"n_h": 100, "depth": 5, "limit": 60}


@experiment(
    "composed-tanh",
    claim="Composing a tanh layer with itself gives a function with a tiny slope at most places, a "
    "large one at some, and many alternations between rising and falling.",
    source="Goodfellow et al. 10.7, figure 10.15 (P19)",
    chapter="13",
    quick={"seeds": 10, "gains": [5], "points": 2001, **_CURVE},
    full={"seeds": 20, "gains": [1, 2, 3, 5, 10], "points": 8001, **_CURVE},
    summarise=summarise,
)
def run(config, seeds):
    """Compose a random 100-unit tanh layer with itself five times, along a random line 120 long
    through a random state or through the origin, project to one number, and measure turns and
    exact slopes; the gain scales weights of standard deviation 1/sqrt(100).
    """
    return each_seed(_one, config, seeds)
