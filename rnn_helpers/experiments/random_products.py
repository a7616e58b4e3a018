"""Does the right variance keep a product of many independent weights in size? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Summary, each_seed, experiment, mean_interval

LENGTHS = [1, 5, 10, 50, 100]
LONG = 50  # the length that the headline is about


def summarise(rows):
    """Take the typical size of a long product, and mention the variance and the layers."""

    def seen(key):
        return mean_interval([row[key] for row in rows])

    median, low, high = seen(f"log10_median_{LONG}")
    factor = 10 ** (seen("log10_median_100")[0] / 100)
    sampled = np.median([row[f"variance_{LONG}"] for row in rows])
    widths = [key.removeprefix("log_norm_") for key in rows[0] if key.startswith("log_norm_")]
    layers = "; ".join(
        "{} wide: {:.2f} ({:.2f} to {:.2f})".format(width, *seen(f"log_norm_{width}"))
        for width in widths
    )
    five = "{:.2f}, {:.2f} to {:.2f}".format(*seen("variance_5"))
    return Summary(
        median,
        low,
        high,
        unit=f"log10 of the median size of a product of {LONG} weights",
        verdict="does not hold" if high < -1 or low > 1 else "holds",
        text=(
            f"The variance of the product is {rows[0]['wanted']:g} as wanted (five weights: "
            f"{five}), but rare large products make it: the median size of {LONG} weights is "
            f"10^{median:.2f} (10^{low:.2f} to 10^{high:.2f}), about {factor:.2f} to the power n, "
            f"and {rows[0]['draws']} products have a sample variance near {sampled:.0e}. Width "
            "helps: the log of a state's norm moves over 100 random layers by about -100/(2N). "
            f"{layers}."
        ),
    )


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
    "random-products",
    claim="Independent weights of variance v = (v*)^(1/n) keep a product of n of them at the "
    "wanted size, so that very deep feedforward networks need not vanish.",
    source="Goodfellow et al. 10.7 (P21, E-29)",
    chapter="13",
    quick={"seeds": 20, "draws": 2000, "wanted": 1.0, "widths": [1, 10, 100], "layers": 100},
    full={"seeds": 100, "draws": 20000, "wanted": 1.0, "widths": [1, 2, 10, 100], "layers": 100},
    summarise=summarise,
)
def run(config, seeds):
    """Multiply up to 100 independent Gaussian weights of variance 1 and take variance and median of
    many products; pass a vector through 100 independent layers of 1 to 100 units of that scaling.
    """
    return each_seed(_one, config, seeds)
