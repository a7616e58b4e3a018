"""The reset gate before the product or after it, and the target state as printed (10.45)."""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, times, typical

BEFORE, AFTER, PRINTED = "before", "after", "before, logistic"
UNITS = {
    BEFORE: {"reset": "before"},
    AFTER: {"reset": "after"},
    PRINTED: {"reset": "before", "squash": "sigmoid"},
}


def summarise(rows):
    """Take the error of the printed unit against that with tanh, and the two placements beside."""
    asked = at_best_rate(rows)
    printed, after = _ratios(asked)
    rates = {row["network"]: row["eta"] for row in asked}
    units = "; ".join(f"{name} {typical(asked, name):.2g}, at {rates[name]:g}" for name in UNITS)
    text = (
        f"Share of the variance left, each at its own learning rate: {units}. Times the error of "
        "the unit that resets before the product, with tanh: the logistic function instead, "
        f"{_said(printed)}; the reset after the product, {_said(after)}."
    )
    tried = [row for row in rows if row["for"] == "the result"]
    etas = sorted({row["eta"] for row in tried})
    at = {eta: _ratios([row for row in tried if row["eta"] == eta]) for eta in etas}
    if len(etas) > 1:
        said = (f"at {eta:g} {' and '.join(map(_said, ratios))}" for eta, ratios in at.items())
        text += f" The same at one rate for all: {'; '.join(said)}."
    upset = " or ".join(f"{eta:g}" for eta, (ratio, _) in at.items() if ratio[1] > 1)
    verdict = "holds"
    if printed[1] > 1 or after[2] < 1:
        verdict = "does not hold"
    elif upset:
        verdict = (
            f"holds if each unit has its own learning rate: at {upset} for all, the target "
            "state had better pass through tanh"
        )
    return Summary(
        *printed, "times the error of a GRU with tanh, with the logistic function", verdict, text
    )


def _ratios(rows: list) -> tuple:
    """Errors with the logistic function, and with the reset after, against neither of the two."""
    return times(rows, PRINTED, BEFORE), times(rows, AFTER, BEFORE)


def _said(ratio: tuple) -> str:
    return "{:.2g} ({:.2g} to {:.2g})".format(*ratio)


_SETTINGS = {"n_h": 9, "batch_size": 16, "length": 30}


@experiment(
    "reset-placement",
    claim="A gated recurrent unit as printed, with the reset gate before the matrix product and "
    "the target state through the logistic function, learns as well as with tanh, or with the "
    "reset after the product.",
    source="ours, prompted by Goodfellow et al. (10.45), which prints it so (P31, E-13)",
    chapter="16",
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
    summarise=summarise,
)
def run(config, seeds):
    """Train gated recurrent units, 9 of them, with Adam for 600 steps to count the ones since the
    last reset, in sequences of 30 steps: with the reset gate before or after the matrix product,
    and with tanh or the logistic function; compare errors on new sequences, seed by seed, each
    unit at the one of five learning rates that suits it best on 4 other seeds.
    """
    return [
        row
        for name, parts in UNITS.items()
        for row in at_all_rates(name, "gru", config["n_h"], parts, config, seeds)
    ]
