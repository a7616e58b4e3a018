"""Can the right variance keep products of many weights from vanishing? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_curves, claim_intervals
from rnn_helpers.experiments.words import Estimate, power_of_ten

LENGTHS = [1, 5, 10, 50, 100]
LONG = 50  # number of weights in the products of the headline
# Largest relative error of a variance. Even products of five weights have such heavy tails that
# their sample variance varies more than its interval suggests.
FAR = 0.2
# A judgment: a product or the length of a vector is kept if it changes by a factor below 10.
KEPT = np.log(10)


def numbers(rows):
    """Estimate the size and variance of products, and find the layer widths that keep a length."""

    def mean(key):
        return Estimate.mean(row[key] for row in rows)

    prefix = "log_norm_"
    drift = {key.removeprefix(prefix): mean(key) for key in rows[0] if key.startswith(prefix)}
    return {
        "wanted": rows[0]["wanted"],
        "draws": rows[0]["draws"],
        "log10_median": mean(f"log10_median_{LONG}"),
        "factor": 10 ** (mean("log10_median_100").value / 100),
        "variance": mean("variance_5"),
        "widest": drift[max(drift, key=int)],
        "sampled": power_of_ten(np.log10(np.median([row[f"variance_{LONG}"] for row in rows]))),
        "small": power_of_ten(mean(f"log10_median_{LONG}").value),
        "keep": sorted(int(n) for n, (_, low, high) in drift.items() if -KEPT < low <= high < KEPT),
    }


def table_products(rows):
    """Tabulate the variance and the median size of products."""
    return [
        {
            "weights in a product": n,
            "sample variance (median)": f"{np.median([row[f'variance_{n}'] for row in rows]):.2g}",
            "log10 of the median size": (
                f"{Estimate.mean(row[f'log10_median_{n}'] for row in rows):.2f}"
            ),
        }
        for n in LENGTHS
    ]


def table_layers(rows):
    """Tabulate how much 100 layers change the length of a vector, by their width."""
    widths = [key.removeprefix("log_norm_") for key in rows[0] if key.startswith("log_norm_")]
    changes = {n: Estimate.mean(row[f"log_norm_{n}"] / np.log(10) for row in rows) for n in widths}
    return [
        {"units in a layer": n, "log10 of the change in length": f"{change:.2f}"}
        for n, change in changes.items()
    ]


def data_products(rows):
    """Return the median and the root mean square of products by their number of weights."""
    curves = {
        "sample median": lambda row, n: row[f"log10_median_{n}"],
        "sample root mean square": lambda row, n: np.log10(row[f"variance_{n}"]) / 2,
    }
    return claim_curves(
        {
            name: [
                {"n": n, **Estimate.mean(log(row, n) for row in rows)._asdict()} for n in LENGTHS
            ]
            for name, log in curves.items()
        },
        "n",
        "value",
        question="How large is a product of random weights?",
        xlabel="weights in the product",
        ylabel="log10 of the size",
        unit="",
        spread=INTERVAL,
        marks=[(np.log10(rows[0]["wanted"]) / 2, "true root mean square")],
    )


def data_layers(rows):
    """Return how much 100 layers change the length of a vector, for each width."""
    widths = [key.removeprefix("log_norm_") for key in rows[0] if key.startswith("log_norm_")]
    return claim_intervals(
        {
            f"layers of width {n}": Estimate.mean(row[f"log_norm_{n}"] / np.log(10) for row in rows)
            for n in widths
        },
        question="How much do 100 layers change the length of a vector?",
        xlabel="log10 of the change in a vector's length over 100 layers",
        unit="",
        spread=INTERVAL,
        reference=(0, "unchanged"),
    )


def _as_claimed(n):
    """Return whether products have the variance v*."""
    return (1 - FAR) * n.wanted < n.variance.low and n.variance.high < (1 + FAR) * n.wanted


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    row = {"seed": seed, "wanted": config["wanted"], "draws": config["draws"]}
    for n in LENGTHS:
        deviation = config["wanted"] ** (0.5 / n)  # v is the n-th root of the wanted variance
        product = np.abs(rng.normal(0, deviation, (config["draws"], n)).prod(axis=1))
        row[f"log10_median_{n}"] = np.log10(np.median(product))
        row[f"variance_{n}"] = (product**2).mean()
    for width in config["widths"]:
        h = rng.normal(size=width)
        start = np.linalg.norm(h)
        for _ in range(config["layers"]):
            h = rng.normal(0, width**-0.5, (width, width)) @ h
        row[f"log_norm_{width}"] = np.log(np.linalg.norm(h) / start)
    return row


@experiment(
    claim="A product of n independent weights of variance v = (v*)^(1/n) has the variance v*. So "
    "in very deep feedforward networks that are carefully scaled, signals need neither vanish nor "
    "explode.",
    source="Goodfellow et al. 10.7",
    quick={"seeds": 20, "draws": 2000, "wanted": 1.0, "widths": [1, 10, 100], "layers": 100},
    full={"seeds": 100, "draws": 20000, "wanted": 1.0, "widths": [1, 2, 10, 100], "layers": 100},
    numbers=numbers,
    headline=("log10_median", f"log10 of the median size of a product of {LONG} weights"),
    finding=f"Even if the variance of a product of {LONG} weights is 1, half of these products are "
    "smaller than about {small}.",
    verdict=Verdict(
        holds=(
            lambda n: _as_claimed(n) and n.log10_median.low > -1 and n.log10_median.high < 1,
            f"Holds. Products of {LONG} weights neither vanish nor explode.",
        ),
        in_part=(
            lambda n: (
                _as_claimed(n)
                and n.log10_median.high < -1
                and n.widest.low > -KEPT
                and n.widest.high < KEPT
            ),
            "Holds in part, if the layers are wide: {keep[0]} units or more here.",
        ),
        fails=(
            lambda n: n.log10_median.high < -1 and (n.widest.high < -KEPT or n.widest.low > KEPT),
            "Does not hold. Most products of many weights vanish, and wide layers don't keep the "
            "length of a vector either.",
        ),
    ),
    saw=[
        "The variance of a product is {wanted:g}, but nearly all of it comes from products that "
        f"are large and very rare. In a sample of {{draws:,}} products of {LONG} weights, the "
        "variance is only about {sampled}. The median size of a product of n weights is about "
        "{factor:.2f}ⁿ. Wide layers don't have this problem: over 100 random layers of N units, "
        "the natural logarithm of a vector's length changes by about −100/(2N)."
    ],
    table={"Products of independent weights": table_products, "Over 100 layers": table_layers},
    data={"products": data_products, "layers": data_layers},
)
def run(config, seeds):
    """We multiplied up to 100 independent Gaussian weights with variance 1, and we computed the
    variance and the median size of many such products. We also passed a vector through 100 random
    layers with 1 to 100 units. In a layer with N units, each weight has variance 1/N.
    """
    return each_seed(_one, config, seeds)
