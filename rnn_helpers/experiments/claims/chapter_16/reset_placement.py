"""Does it matter where a GRU's reset gate acts, and which function makes the target? (G 10.45)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, error_table, times
from rnn_helpers.experiments.words import either, grouped, where
from rnn_helpers.plots.curves import claim_curves

AS_WELL = 1.5  # a judgment: one unit learns as well as another if its error is at most half more
BEFORE, AFTER, PRINTED = "before", "after", "before, logistic"
UNITS = {
    BEFORE: {"reset": "before"},
    AFTER: {"reset": "after"},
    PRINTED: {"reset": "before", "squash": "sigmoid"},
}


def numbers(rows):
    """Compare the logistic function, and the later reset, with the usual GRU."""
    asked = at_best_rate(rows)
    tried = where(rows, **{"for": "the result"})
    at = {eta: _ratios(mine) for eta, mine in grouped(tried, "eta").items()}
    printed, after = _ratios(asked)
    at_one = [ratio for ratio, _ in at.values()]
    return {
        "printed": printed,
        "after": after,
        "against_after": times(asked, PRINTED, AFTER),
        "at_one": at_one,
        "apart": sum(not ratio.low < 1 < ratio.high for _, ratio in at.values()),
        "rates": len(at),
        "upset": either((eta for eta, (ratio, _) in at.items() if ratio.low > 1), "g"),
    }


def _ratios(rows: list) -> tuple:
    return times(rows, PRINTED, BEFORE), times(rows, AFTER, BEFORE)


NAMES = {
    BEFORE: "reset before the product, tanh",
    AFTER: "reset after the product, tanh",
    PRINTED: "reset before the product, logistic",
}


def table_own_rates(rows):
    """Tabulate the errors, each unit at its own learning rate."""
    return [line | {"network": NAMES[line["network"]]} for line in error_table(rows)]


def table_one_rate(rows):
    """Tabulate the errors with one learning rate for all units."""
    tried = grouped(where(rows, **{"for": "the result"}), "eta")
    ratios = {eta: _ratios(mine) for eta, mine in tried.items()}
    return [
        {
            "learning rate": f"{eta:g}",
            NAMES[PRINTED]: f"{printed:.2g}",
            NAMES[AFTER]: f"{after:.2g}",
        }
        for eta, (printed, after) in ratios.items()
    ]


def plot(rows):
    """Draw the ratios at one rate for all, against that rate."""
    tried = grouped(where(rows, **{"for": "the result"}), "eta")
    series = {"logistic": [], "reset after": []}
    for eta, mine in tried.items():
        for each, ratio in zip(series.values(), _ratios(mine), strict=True):
            each.append({"eta": eta, **ratio._asdict()})
    return claim_curves(
        series,
        "eta",
        "value",
        xlabel="learning rate of all networks",
        ylabel="error, if the usual one is 1",
        log="xy",
        marks=[(1, "equal")],
    )


_SETTINGS = {"n_h": 9, "batch_size": 16, "length": 30}


@experiment(
    claim="A gated recurrent unit as printed, with the reset gate before the matrix product and "
    "the target state through the logistic function, learns as well as with tanh, or with the "
    "reset after the product.",
    source="ours, prompted by Goodfellow et al. (G 10.45), which prints it so (P31, E-13)",
    quick={
        "seeds": 3,
        "choosing": 0,
        **_SETTINGS,
        "n_h": 6,
        "length": 20,
        "etas": [0.24],
        "steps": 120,
    },
    full={
        "seeds": 20,
        "choosing": 4,
        **_SETTINGS,
        "etas": [0.02, 0.06, 0.12, 0.24, 0.48],
        "steps": 600,
    },
    numbers=numbers,
    headline=(
        "printed",
        "error of a GRU with the logistic function, as a multiple of one with tanh",
    ),
    finding={
        "holds": "A GRU whose target state passes through the logistic function learns as well as "
        "one with tanh, at any learning rate.",
        "holds if": "A GRU whose target state passes through the logistic function learns as well "
        "as one with tanh, if each has its own learning rate.",
        "does not hold": "A GRU whose target state passes through the logistic function has "
        "{printed.value:.1f} times the error of one with tanh, each at its own learning rate.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(
                ratio.high < AS_WELL for ratio in [n.printed, n.against_after, *n.at_one]
            ),
            "Holds. It learns as well as the others, also if all have the same learning rate.",
        ),
        holds_if=(
            lambda n: (
                n.printed.high < AS_WELL
                and n.against_after.high < AS_WELL
                and any(ratio.low > AS_WELL for ratio in n.at_one)
            ),
            "Holds if each unit has its own learning rate. At a rate of {upset} for all, tanh is "
            "better.",
        ),
        fails=(
            lambda n: n.printed.low > AS_WELL or n.against_after.low > AS_WELL,
            "Does not hold. Even at a learning rate of its own, it has a larger error.",
        ),
    ),
    saw=[
        "At its own learning rate, the unit that resets after the product has {after.value:.2g} "
        "times the error of the unit that resets before it."
    ],
    table={
        "Each unit at its own learning rate": table_own_rates,
        "Times the error of a unit with tanh that resets before the product": table_one_rate,
    },
    plot=plot,
)
def run(config, seeds):
    """Train GRUs of 9 units with Adam for 600 steps to count the ones since the last reset, in
    sequences of 30 steps. The reset gate acts before or after the matrix product, and the target
    passes through tanh or the logistic function. Each unit has its own learning rate, chosen from
    five on 4 other seeds. Compare the errors on new sequences, seed by seed.
    """
    return [
        row
        for name, parts in UNITS.items()
        for row in at_all_rates(name, "gru", config["n_h"], parts, config, seeds)
    ]
