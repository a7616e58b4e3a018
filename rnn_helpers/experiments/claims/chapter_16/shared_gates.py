"""Does any variant of the gates beat LSTM and GRU? (section 10.10.2)"""

from functools import partial

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import (
    at_all_rates,
    at_best_rate,
    error_table,
    times,
    typical,
)
from rnn_helpers.experiments.words import either, listed
from rnn_helpers.plots import claim_intervals

PRODUCT = "global times local gates"
# A product of two gates starts at the same value as one gate: sigma(1.775)^2 = sigma(1).
CELLS = {
    "LSTM": ("lstm", 8, {}),
    "GRU": ("gru", 9, {}),
    PRODUCT: ("lstm", 8, {"shared": "product", "forget_bias": 1.775}),
    "one gate for all units": ("lstm", 8, {"shared": "layer"}),
    "coupled gates": ("lstm", 8, {"coupled": True}),
    "peepholes": ("lstm", 8, {"peephole": True}),
}
KNOWN = ("LSTM", "GRU")
_LENGTHS = {"error": "lengths as in training", "longer": "three times as long"}


def numbers(rows):
    """Compare the variants with LSTM and GRU, also on longer sequences."""
    rows = at_best_rate(rows)
    seen = dict.fromkeys(row["network"] for row in rows)
    known = min((name for name in KNOWN if name in seen), key=lambda name: typical(rows, name))
    variants = [name for name in seen if name not in KNOWN]
    return {
        "known": known,
        "product": times(rows, PRODUCT, known),
        "longer": {name: times(rows, name, known, "longer") for name in variants},
        # The claim is that no variant is known to do better. So one counts only if its whole
        # interval is below 1, against each of the known networks.
        "against": _against(rows, variants, "error"),
        "against_longer": _against(rows, variants, "longer"),
        "better": either(_beating(rows, variants, "error")),
        "further": listed("{}", ((name,) for name in _beating(rows, variants, "longer"))),
    }


def table_times(rows):
    """Tabulate the errors as multiples of those of the better of LSTM and GRU."""
    known, rows = numbers(rows)["known"], at_best_rate(rows)
    return [
        {"network": name}
        | {words: f"{times(rows, name, known, column):.2g}" for column, words in _LENGTHS.items()}
        for name in dict.fromkeys(row["network"] for row in rows if row["network"] not in KNOWN)
    ]


def _beating(rows: list, variants: list, column: str) -> list:
    """Return the variants with a smaller error, seed by seed, than each known network."""
    against = _against(rows, variants, column)
    return [name for name, ratios in against.items() if _beats(ratios)]


def _beats(ratios: list) -> bool:
    """Return whether a variant has a smaller error than each known network."""
    return all(ratio.high < 1 for ratio in ratios)


def _against(rows: list, variants: list, column: str) -> dict:
    """Compare the error of each variant with that of each known network."""
    known = [name for name in KNOWN if name in {row["network"] for row in rows}]
    return {name: [times(rows, name, other, column) for other in known] for name in variants}


def _ratios(rows, column):
    """Draw the errors at the best rates, as multiples of the better known network's."""
    known, rows = numbers(rows)["known"], at_best_rate(rows)
    names = dict.fromkeys(row["network"] for row in rows if row["network"] != known)
    return claim_intervals(
        {name: times(rows, name, known, column) for name in names},
        xlabel=f"times the error of the {known}, {_LENGTHS[column]}",
        reference=(1, f"the {known}"),
    )


_SETTINGS = {"batch_size": 16, "length": 30}


@experiment(
    claim="When networks count the ones since the last reset, no variant (gates shared by a layer, "
    "products of a global and a local gate, coupled gates, peepholes) does better than both LSTM "
    "and GRU.",
    source="ours, on one task, prompted by Goodfellow et al. 10.10.2, after Greff et al. 2015 and "
    "Jozefowicz et al. 2015, who tried many",
    quick={
        "seeds": 3,
        "choosing": 0,
        **_SETTINGS,
        "length": 20,
        "etas": [0.12],
        "steps": 150,
        "cells": ["LSTM", PRODUCT],
    },
    full={
        "seeds": 12,
        "choosing": 4,
        **_SETTINGS,
        "etas": [0.02, 0.06, 0.12, 0.24],
        "steps": 600,
        "cells": list(CELLS),
    },
    numbers=numbers,
    headline=("product", f"error with {PRODUCT}, as a multiple of the {{known}}'s"),
    finding={
        "holds": "No variant of the gates beats both LSTM and GRU, even on longer sequences than "
        "in training.",
        "holds if": "On sequences as long as in training, no variant of the gates beats both LSTM "
        "and GRU, but on longer sequences some do.",
        "does not hold": "On sequences as long as in training, {better} beats both LSTM and GRU.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                not any(map(_beats, n.against.values()))
                and not any(map(_beats, n.against_longer.values()))
            ),
            "Holds. No variant does better, not even on longer sequences than in training.",
        ),
        holds_if=(
            lambda n: not any(map(_beats, n.against.values())),
            "Holds if sequences are as long as in training.",
        ),
        fails=(
            lambda n: any(map(_beats, n.against.values())),
            "Does not hold. Compared with both, {better} has a smaller error.",
        ),
    ),
    saw=[
        "Of LSTM and GRU, the {known} is better here. On sequences three times as long, these "
        "variants do better than both: {further}."
    ],
    table={
        "Share of the variance that each network leaves": partial(
            error_table, error="at the length of training", longer="three times as long"
        ),
        "Error of each variant, as a multiple of the better of LSTM and GRU": table_times,
    },
    caveats=["This is one task only."],
    plot={column: partial(_ratios, column=column) for column in _LENGTHS},
)
def run(config, seeds):
    """Train LSTMs of 8 units, GRUs of 9 and four variants of the LSTM with Adam for 600 steps to
    count the ones since the last reset, in sequences of 30 steps. Each has its own learning rate,
    chosen from four on 4 other seeds. Compare the errors on new sequences, seed by seed.
    """
    return [
        row for name in config["cells"] for row in at_all_rates(name, *CELLS[name], config, seeds)
    ]
