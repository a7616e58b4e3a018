"""The reset gate before the product or after it, and the target state as printed (10.45)."""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import times, trained, typical

BEFORE, AFTER, PRINTED = "before", "after", "before, logistic"
UNITS = {
    BEFORE: {"reset": "before"},
    AFTER: {"reset": "after"},
    PRINTED: {"reset": "before", "squash": "sigmoid"},
}


def summarise(rows):
    """Take the error of the printed unit against that with tanh, and the two placements beside."""
    printed, after = times(rows, PRINTED, BEFORE), times(rows, AFTER, BEFORE)
    said = "{:.2g} ({:.2g} to {:.2g})".format
    text = (
        "Share of the variance left: "
        + "; ".join(f"{name} {typical(rows, name):.2g}" for name in UNITS)
        + f". Times the error of the unit that resets before the product, with tanh: the logistic "
        f"function instead, {said(*printed)}; the reset after the product, {said(*after)}."
    )
    verdict = "holds"
    if printed[1] > 1:
        verdict = "holds if the target state passes through tanh instead"
        if after[1] <= 1 <= after[2]:
            verdict += "; the reset may here as well come after the product, as in PyTorch"
    if after[2] < 1:
        verdict = "does not hold"
    return Summary(
        *printed, "times the error of a GRU with tanh, with the logistic function", verdict, text
    )


_SETTINGS = {"n_h": 9, "batch_size": 16, "length": 30, "eta": 0.02}


@experiment(
    "reset-placement",
    claim="In a gated recurrent unit the reset gate acts on the state before the matrix product, "
    "and the target state passes through the logistic function.",
    source="Goodfellow et al. (10.45) (P31, E-13)",
    chapter="16",
    quick={"seeds": 3, "n_h": 6, "batch_size": 16, "length": 20, "eta": 0.03, "steps": 100},
    full={"seeds": 20, **_SETTINGS, "steps": 600},
    summarise=summarise,
)
def run(config, seeds):
    """Train gated recurrent units, 9 of them, with Adam, at a learning rate of 0.02, for 600 steps
    to count the ones since the last reset, in sequences of 30 steps: with the reset gate before or
    after the matrix product, and with tanh or the logistic function; compare errors on new
    sequences, seed by seed.
    """
    rows = []
    for name, parts in UNITS.items():
        rows += trained(name, "gru", config["n_h"], parts, config, seeds)
    return rows
