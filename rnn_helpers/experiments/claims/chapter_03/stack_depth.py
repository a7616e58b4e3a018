"""How deep a stack fits into one activation? (section 10.2, universality)"""

from fractions import Fraction

import numpy as np

from rnn_helpers.experiments import Summary, each_seed, experiment, mean_interval
from rnn_helpers.reference.stack import pops_before_error, saturate, soft_saturate

KINDS = {
    "float64": (float, saturate),
    "float32": (np.float32, saturate),
    "tanh": (float, soft_saturate),
}


def summarise(rows):
    """Take the mean depth that float64 holds, and mention the others."""
    mean, low, high = mean_interval([row["float64"] for row in rows])
    exact = all(row["fraction_whole"] for row in rows)
    others = {kind: mean_interval([row[kind] for row in rows])[0] for kind in ("float32", "tanh")}
    return Summary(
        mean,
        low,
        high,
        unit="bits deep in float64",
        verdict=(
            "holds if numbers are exact fractions and units are saturated-linear"
            if exact
            else "does not hold"
        ),
        text=(
            f"With exact fractions and saturated-linear units every stack of {rows[0]['depth']} "
            f"random bits came back whole. float64 holds {mean:.1f} bits ({low:.1f} to "
            f"{high:.1f}), float32 {others['float32']:.1f}; with tanh units, which (10.9) has but "
            f"the proof has not, {others['tanh']:.1f}. Only the stack was measured, not a Turing "
            "machine made of two."
        ),
    )


def _one(config: dict, seed: int) -> dict:
    bits = np.random.default_rng(seed).integers(2, size=config["depth"]).tolist()

    def holds(number, unit) -> int:
        """Deepest stack that comes back whole, as do all the shallower ones."""
        for depth in range(1, config["tried"] + 1):
            if pops_before_error(bits[:depth], number, unit) < depth:
                return depth - 1
        return config["tried"]

    return {
        "seed": seed,
        "depth": len(bits),
        "fraction_whole": pops_before_error(bits, Fraction, saturate) == len(bits),
        **{kind: holds(*how) for kind, how in KINDS.items()},
    }


@experiment(
    "stack-depth",
    claim="A recurrent network of finite size can hold a stack of any depth in one activation.",
    source="Goodfellow et al. 10.2 (P6, E-31)",
    chapter="03",
    quick={"seeds": 10, "depth": 300, "tried": 60},
    full={"seeds": 100, "depth": 1000, "tried": 60},
    summarise=summarise,
)
def run(config, seeds):
    """Push random bits onto a stack kept in one number and pop them again, with exact fractions,
    with rounded numbers, and with tanh units; find the deepest stack that comes back whole.
    """
    return each_seed(_one, config, seeds)
