"""How deep a stack fits into one activation? (section 10.2, universality)"""

from fractions import Fraction

import numpy as np

from rnn_helpers.experiments import each_seed, experiment
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference.stack import pops_before_error, saturate, soft_saturate

KINDS = {
    "float64": (float, saturate),
    "float32": (np.float32, saturate),
    "tanh": (float, soft_saturate),
}


def numbers(rows):
    """Depth that each kind of number holds, and whether fractions hold everything."""
    return {
        "depth": rows[0]["depth"],
        "exact": all(row["fraction_whole"] for row in rows),
        **{kind: Estimate.mean(row[kind] for row in rows) for kind in KINDS},
    }


def table(rows):
    """Tabulate the depth that each kind of number holds."""
    seen = numbers(rows)
    names = {"float64": "float64", "float32": "float32", "tanh": "float64, tanh units"}
    return [{"numbers": names.get(kind, kind), "bits deep": f"{seen[kind]:.1f}"} for kind in KINDS]


def plot(rows):
    """Draw how deep a stack each kind of number holds; fractions hold all that was tried."""
    seen = numbers(rows)
    exact = {"exact fractions": [seen["depth"]] * 3} if seen["exact"] else {}
    return claim_intervals(
        exact | {f"{kind} units" if kind == "tanh" else kind: seen[kind] for kind in KINDS},
        xlabel="bits deep",
        log=True,
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
    claim="A recurrent network of finite size can hold a stack of any depth in one activation.",
    source="Goodfellow et al. 10.2 (P6, E-31)",
    quick={"seeds": 10, "depth": 300, "tried": 60},
    full={"seeds": 100, "depth": 1000, "tried": 60},
    numbers=numbers,
    headline=("float64", "depth in bits of the stack that float64 holds"),
    finding="With exact fractions, one activation holds a stack of {depth} bits, but float64 holds "
    "only {float64.value:.0f}.",
    verdict=[
        (
            lambda n: n.exact,
            "Holds if numbers are exact fractions and units are saturated-linear.",
        )
    ],
    saw=[
        "With exact fractions and saturated-linear units, every stack of {depth} random bits came "
        "back whole. The proof needs such units; (G 10.9) has tanh."
    ],
    table={"Depth of a stack that comes back whole": table},
    caveats=["We measured only the stack, not a Turing machine made of two stacks."],
    plot=plot,
)
def run(config, seeds):
    """Push random bits onto a stack kept in one number and pop them again, with exact fractions,
    with rounded numbers, and with tanh units; find the deepest stack that comes back whole.
    """
    return each_seed(_one, config, seeds)
