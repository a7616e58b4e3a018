"""Does the right variance keep a product of many independent weights in size? (section 10.7)"""

import numpy as np

from rnn_helpers.experiments import Summary, each_seed, experiment, mean_interval

LENGTHS = [1, 5, 10, 50, 100]
LONG = 50  # the length that the headline is about
# a variance that is off by this share is not the wanted one; products of five have tails so heavy
# that their sample variance scatters more than its interval says
FAR = 0.2
KEPT = np.log(10)  # a vector whose length changed by less than this factor has kept its size


def summarise(rows):
    """Take the typical size of a long product; see whether variance and layers are as wanted."""

    def seen(key):
        return mean_interval([row[key] for row in rows])

    median, low, high = seen(f"log10_median_{LONG}")
    factor = 10 ** (seen("log10_median_100")[0] / 100)
    sampled = np.median([row[f"variance_{LONG}"] for row in rows])
    prefix = "log_norm_"
    drift = {key.removeprefix(prefix): seen(key) for key in rows[0] if key.startswith(prefix)}
    layers = "; ".join(
        "{} wide: {:.2f} ({:.2f} to {:.2f})".format(width, *moved) for width, moved in drift.items()
    )
    variance = seen("variance_5")
    five = "{:.2f}, {:.2f} to {:.2f}".format(*variance)
    wide = sorted(
        int(width) for width, (_, least, most) in drift.items() if -KEPT < least <= most < KEPT
    )
    if abs(variance[0] / rows[0]["wanted"] - 1) > FAR:
        verdict = "does not hold"
    elif low < 1 and high > -1:
        verdict = "holds"
    else:
        size = f"its typical size is not, 10^{median:.2f} for {LONG} weights"
        verdict = (
            f"holds if layers are wide, {wide[0]} units or more here: the variance of a product is "
            f"as promised, {size}"
            if wide
            else f"holds if it is the variance alone that counts: {size}, and none of the layers "
            "tried keeps a vector's length"
        )
    return Summary(
        median,
        low,
        high,
        unit=f"log10 of the median size of a product of {LONG} weights",
        verdict=verdict,
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
    claim="A product of n independent weights of variance v = (v*)^(1/n) has the variance v*, so "
    "that very deep feedforward networks, carefully scaled, need neither vanish nor explode.",
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
