"""How irregular is a tanh layer that is composed with itself? (section 10.7, figure 10.15)"""

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.reference import direction_changes, hidden_state, times

GAIN = 5  # gain of the headline
FLAT = 0.1  # a place is flat if its slope is below this fraction of the steepest slope
MOSTLY, MANY = 0.75, 20  # judgments: thresholds for "most places" and "many turns"


def _seen(rows):
    """Estimate the turns, the flat share and the median slope for each start and gain."""
    return {
        cell: {
            "turns": Estimate.mean(row["turns"][-1] for row in mine),
            "flat": Estimate.mean(row["flat"] for row in mine),
            "slope": Estimate.mean(row["median_slope"] for row in mine),
        }
        for cell, mine in grouped(rows, "start", "gain").items()
    }


def _irregular(here):
    """Whether the curve is flat at most places and turns many times."""
    return here["flat"].low > MOSTLY and here["turns"].low > MANY


def _smooth(here):
    """Whether the curve clearly lacks one of the two."""
    return here["flat"].high < MOSTLY or here["turns"].high < MANY


def _tabulate(start):
    """Return a function that tabulates the rows of one start by gain."""

    def table(rows):
        return [
            {
                "gain": f"{gain:g}",
                "turns": f"{seen['turns']:.0f}",
                "share that is flat": f"{seen['flat']:.0%}",
                "median slope over the steepest": f"{seen['slope'].value:.2g}",
            }
            for (place, gain), seen in _seen(rows).items()
            if place == start
        ]

    return table


def numbers(rows):
    """Estimate the turns at the gain of the headline, and find the smallest sufficient gain."""
    seen = _seen(rows)
    enough = [
        gain
        for (start, gain), here in seen.items()
        if start == "random" and here["flat"].low > MOSTLY and here["turns"].low > MANY
    ]
    return {
        "seen": {f"{gain:g}": here for (start, gain), here in seen.items() if start == "random"},
        "turns": seen["random", GAIN]["turns"],
        "least_gain": min(enough, default=0),
    }


def _curves(rows, column, **words):
    """Return a column over the gain, for lines through a random state and through the origin."""
    series = {
        f"through {place}": [
            {"gain": gain, **Estimate.mean(row[column] for row in mine)._asdict()}
            for gain, mine in grouped(where(rows, start=start), "gain").items()
        ]
        for start, place in {"random": "a random state", "origin": "the origin"}.items()
    }
    return claim_curves(
        series, "gain", "value", xlabel="gain of the layer", spread=INTERVAL, **words
    )


def data_turns(rows):
    """Return the number of turns after all layers against the gain."""
    last = [row | {"last": row["turns"][-1]} for row in rows]
    return _curves(
        last,
        "last",
        question="How often does a line turn after five layers?",
        ylabel="turns after five layers",
        unit="turns",
        log="xy",
        marks=[(MANY, "many")],
    )


def data_flat(rows):
    """Return the share of the line that is flat against the gain."""
    return _curves(
        rows,
        "flat",
        question="How much of the line is flat after five layers?",
        ylabel="flat part of the line",
        unit="of the line are flat",
        share=True,
        log="x",
        marks=[(MOSTLY, "most")],
    )


def _one(config: dict, seed: int) -> list[dict]:
    rng = np.random.default_rng(seed)
    n_h = config["n_h"]
    W = rng.normal(0, n_h**-0.5, (n_h, n_h))
    start, direction, projection = rng.normal(size=(3, n_h))
    direction /= np.linalg.norm(direction)
    projection /= np.linalg.norm(projection)
    x = np.linspace(-config["limit"], config["limit"], config["points"])
    rows = []
    for place, h0 in (("random", start), ("origin", np.zeros(n_h))):
        for gain in config["gains"]:
            h = h0 + x[:, None] * direction
            slope = np.broadcast_to(direction, (len(x), n_h))
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
    claim="Composing a tanh layer with itself gives a function with a tiny slope at most places, a "
    "large one at some, and many alternations between rising and falling.",
    source="Goodfellow et al. 10.7, figure 10.15",
    quick={"seeds": 10, "gains": [5], "points": 2001, **_CURVE},
    full={"seeds": 20, "gains": [1, 2, 3, 5, 10], "points": 8001, **_CURVE},
    numbers=numbers,
    headline=(
        "turns",
        f"changes between rising and falling along the line, after five layers of gain {GAIN}",
    ),
    finding={
        "holds": "A composition of five tanh layers is mostly flat and alternates often between "
        "rising and falling.",
        "holds in part": "A composition of five tanh layers is mostly flat and alternates often "
        "between rising and falling, but only if the gain is at least {least_gain:g}.",
        "does not hold": "A composition of five tanh layers is not mostly flat, or it doesn't "
        "alternate often between rising and falling.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(_irregular(here) for here in n.seen.values()),
            "Holds. With every gain that we tried, the curve is flat at most places and alternates "
            "many times.",
        ),
        in_part=(
            lambda n: (
                any(_irregular(here) for here in n.seen.values())
                and any(_smooth(here) for here in n.seen.values())
            ),
            "Holds in part, if the gain is large: {least_gain:g} or more here.",
        ),
        fails=(
            lambda n: all(_smooth(here) for here in n.seen.values()),
            "Does not hold. With no gain that we tried is the curve flat at most places and "
            "alternates many times.",
        ),
    ),
    saw=[
        "A place counts as flat if its slope is less than a tenth of the steepest one. We ask for "
        f"{MOSTLY:.0%} of the line to be flat and for at least {MANY} turns. At gain 1, which "
        "keeps the size of a small state, the curve turns only a few times.",
    ],
    table={
        "After five layers, along a line through a random state": _tabulate("random"),
        "After five layers, along a line through the origin": _tabulate("origin"),
    },
    data={"turns": data_turns, "flat": data_flat},
)
def run(config, seeds):
    """We applied a random tanh layer with 100 units five times to the points of a straight line of
    length 120, which passes through a random state or through the origin. The gain multiplies
    weights with a standard deviation of 0.1. We projected the result to one number, counted its
    turns along the line, and computed its slope exactly.
    """
    return each_seed(_one, config, seeds)
