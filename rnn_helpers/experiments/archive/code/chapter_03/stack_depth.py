"""How deep a stack can one hidden unit hold? (section 10.2, universality)"""

from fractions import Fraction

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.reference.stack import pops_before_error, saturate, soft_saturate

KINDS = {
    "float64": (float, saturate),
    "float32": (np.float32, saturate),
    "tanh": (float, soft_saturate),
}
NAMES = {"tanh": "float64, tanh units"}
DIGITS = 53  # binary digits of a float64; a deeper stack is more than rounding would allow
MOST = 0.5  # a judgment: share of the stacks that have to come back whole


def numbers(rows):
    """Return the depth that each kind of number holds, and whether fractions hold everything."""
    return {
        "of": len(rows),
        "depth": rows[0]["depth"],
        "exact": all(row["fraction_whole"] for row in rows),
        "whole": Estimate.rate(row["fraction_whole"] for row in rows),
        **{kind: Estimate.mean(row[kind] for row in rows) for kind in KINDS},
    }


def table(rows):
    """Tabulate the depth that each kind of number holds."""
    seen = numbers(rows)
    return [
        {"numbers": NAMES.get(kind, kind), "depth in bits": f"{seen[kind]:.1f}"} for kind in KINDS
    ]


def data(rows):
    """Return the depth of the stacks that come back whole, for each kind of number."""
    seen = numbers(rows)
    exact = {"exact fractions": [seen["depth"]] * 3} if seen["exact"] else {}
    return claim_intervals(
        exact | {NAMES.get(kind, kind): seen[kind] for kind in KINDS},
        question="How deep a stack does a single number hold?",
        xlabel="depth of the stack, in bits",
        unit="bits",
        spread=INTERVAL,
        log=True,
    )


def _one(config: dict, seed: int) -> dict:
    bits = np.random.default_rng(seed).integers(2, size=config["depth"]).tolist()

    def holds(number, unit) -> int:
        """Return the greatest depth up to which every stack comes back whole."""
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
    claim="A recurrent network of finite size can hold a stack of any depth in one activation.",
    source="Goodfellow et al. 10.2",
    quick={"seeds": 10, "depth": 300, "tried": 60},
    full={"seeds": 100, "depth": 1000, "tried": 60},
    numbers=numbers,
    headline=("float64", "depth in bits of the stack that float64 holds"),
    finding={
        "holds": "With float64 numbers, one hidden unit holds a stack of {float64.value:.0f} bits "
        "on average.",
        "holds in part": "With exact fractions, one hidden unit can hold a stack of {depth:,} "
        "bits. With float64 numbers, it holds {float64.value:.0f} on average.",
        "does not hold": "Even with exact fractions, one hidden unit can't hold a stack of "
        "{depth:,} bits.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.whole.low > MOST and n.tanh.low > DIGITS,
            "Holds. Even with tanh units and rounded numbers, a stack comes back whole up to a "
            "depth of {tanh.value:.0f} bits.",
        ),
        in_part=(
            lambda n: n.whole.low > MOST and n.tanh.high < DIGITS,
            "Holds in part, if numbers are exact fractions and units are saturated-linear: all "
            "{of} stacks of {depth:,} bits came back whole.",
        ),
        fails=(
            lambda n: n.whole.high < MOST,
            "Does not hold. Even with exact fractions, most stacks of {depth:,} bits don't come "
            "back whole.",
        ),
    ),
    saw=[
        "With float64, a stack came back whole up to a depth of {float64.value:.0f} bits on "
        "average, with float32 up to {float32.value:.0f}, and with tanh units in float64 up to "
        "{tanh.value:.0f}."
    ],
    table={"Depth of a stack that comes back whole": table},
    caveats=[
        "We tested a single stack, but a Turing machine needs two. The proof assumes "
        "saturated-linear units, and (G 10.9) has tanh."
    ],
    data=data,
)
def run(config, seeds):
    """Push random bits onto a stack stored in one number, and pop them again: with exact fractions,
    with rounded numbers and with tanh units. Find the greatest depth up to which every stack comes
    back whole.
    """
    return each_seed(_one, config, seeds)
