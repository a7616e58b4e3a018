"""Which parts does an LSTM need? (section 10.10.2)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, times, typical
from rnn_helpers.experiments.words import either, grouped, where
from rnn_helpers.plots import claim_intervals

WHOLE, NO_FORGET = "whole", "no forget gate"
LEFT_OUT = {
    NO_FORGET: {"forget_gate": False},
    "no input gate": {"input_gate": False},
    "no output gate": {"output_gate": False},
    "no input activation": {"squash": None},
    "no output activation": {"output_squash": None},
    "coupled gates": {"coupled": True},
}
CHANGED = {
    "peepholes": {"peephole": True},
    "one gate for all units": {"shared": "layer"},
    "logistic input": {"squash": "sigmoid"},
}
VARIANTS = {WHOLE: {}, **LEFT_OUT, **CHANGED}


def numbers(rows):
    """Compare errors without one part, at each network's best rate and at one rate for all."""
    with_resets = [row for row in rows if row["reset"]]
    asked, never = at_best_rate(with_resets), at_best_rate(where(rows, reset=0.0))
    rates = {row["network"]: row["eta"] for row in asked}
    ratios = _ratios(asked)
    at = {eta: _at_one(mine) for eta, mine in grouped(with_resets, "eta").items()}
    return {
        "without": ratios[NO_FORGET],
        "parts": ratios,
        "never": _ratios(never),
        "longer": times(asked, NO_FORGET, WHOLE, "longer"),
        "left": typical(asked, WHOLE),
        "eta": rates[WHOLE],
        "over": _over(asked),
        "over_never": _over(never),
        "never_without": _ratios(never).get(NO_FORGET),
        "worse": set(at.values()) - {NO_FORGET},
        "upset": either((eta for eta, lacked in at.items() if lacked != NO_FORGET), "g"),
    }


def _ratios(rows: list) -> dict:
    """Return each variant's error as a multiple of the whole LSTM's."""
    seen = {row["network"] for row in rows}
    return {name: times(rows, name, WHOLE) for name in VARIANTS if name in seen - {WHOLE}}


def _over(rows: list) -> dict:
    """Compare the error without the forget gate with that without any other part, or whole."""
    seen = {row["network"] for row in rows}
    others = [name for name in (WHOLE, *LEFT_OUT) if name in seen - {NO_FORGET}]
    return {name: times(rows, NO_FORGET, name) for name in others}


def _at_one(rows: list) -> str:
    """Return the part whose absence is worst, at one rate for all."""
    ratios = _ratios(where(rows, **{"for": "the result"}))
    return max(LEFT_OUT.keys() & ratios, key=lambda name: ratios[name].value)


def table_own_rates(rows):
    """Tabulate the errors, each network at its own learning rate."""
    asked, never = (
        at_best_rate(some)
        for some in ([row for row in rows if row["reset"]], where(rows, reset=0.0))
    )
    rates = {row["network"]: row["eta"] for row in asked}
    if_never = _ratios(never)
    return [
        {"network": name, "times the error": f"{ratio:.2g}", "learning rate": f"{rates[name]:g}"}
        | ({"if nothing is ever reset": f"{if_never[name]:.2g}"} if name in if_never else {})
        for name, ratio in _ratios(asked).items()
    ]


def table_one_rate(rows):
    """Tabulate the errors with one learning rate for all networks."""
    at = grouped([r for r in rows if r["reset"] and r["for"] == "the result"], "eta")
    ratios = {eta: _ratios(mine) for eta, mine in at.items()}
    return [
        {"network": name, **{f"rate {eta:g}": f"{of[name]:.2g}" for eta, of in ratios.items()}}
        for name in next(iter(ratios.values()))
    ]


def plot(rows):
    """Draw the errors at the best rates, as multiples of the whole LSTM's."""
    ratios = _ratios(at_best_rate([row for row in rows if row["reset"]]))
    return claim_intervals(
        sorted(
            ({"label": name, **ratio._asdict()} for name, ratio in ratios.items()),
            key=lambda row: -row["value"],
        ),
        xlabel="times the error of the whole LSTM",
        reference=(1, "the whole LSTM"),
        log=True,
    )


_SETTINGS = {"n_h": 8, "batch_size": 16, "length": 30}


@experiment(
    claim="Of the parts of an LSTM, the forget gate is the one it cannot do without.",
    source="Goodfellow et al. 10.10.2, after Greff et al. 2015 (P30)",
    quick={
        "seeds": 3,
        "choosing": 0,
        **_SETTINGS,
        "length": 20,
        "etas": [0.12],
        "steps": 250,
        "series": [[0.05, [WHOLE, NO_FORGET]]],
    },
    full={
        "seeds": 12,
        "choosing": 4,
        **_SETTINGS,
        "etas": [0.02, 0.06, 0.12, 0.24],
        "steps": 600,
        "series": [[0.05, list(VARIANTS)], [0.0, [WHOLE, NO_FORGET, "no input gate"]]],
    },
    numbers=numbers,
    headline=("without", "error without the forget gate, as a multiple of the whole LSTM's"),
    finding={
        "holds": "Removing the forget gate multiplies an LSTM's error by {without.value:.0f}; "
        "removing any other part costs less, even if nothing is ever reset.",
        "holds if": "Removing the forget gate multiplies an LSTM's error by {without.value:.0f}; "
        "removing any other part costs less.",
        "does not hold": "Removing the forget gate multiplies an LSTM's error by "
        "{without.value:.0f}; removing another part costs more.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(ratio.low > 1 for ratio in [*n.over.values(), *n.over_never.values()]),
            "Holds. No other part is missed as much, even if nothing is ever reset.",
        ),
        holds_if=(
            lambda n: (
                all(ratio.low > 1 for ratio in n.over.values())
                and n.never_without
                and n.never_without.high < n.without.low
            ),
            "Holds if there is something to forget. If nothing is ever reset, removing the forget "
            "gate multiplies the error only by {never_without.value:.1f}.",
        ),
        fails=(
            lambda n: any(ratio.high < 1 for ratio in n.over.values()),
            "Does not hold. Without another part, the error is larger than without the forget "
            "gate.",
        ),
    ),
    saw=[
        "If nothing is ever reset, the forget gate is needed no more than another part. With one "
        "learning rate of {upset} for all networks, it is worse to have no output activation. On "
        "sequences three times as long, an LSTM without a forget gate has {longer.value:.2g} times "
        "the error of the whole one.",
    ],
    table={
        "Times the error of the whole LSTM, each network at its own learning rate": table_own_rates,
        "Times the error of the whole LSTM, with one learning rate for all": table_one_rate,
    },
    plot=plot,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam for 600 steps to count the ones since the last reset, in
    sequences of 30 steps. One part is left out or changed at a time. All variants of a seed start
    with the same values in the parts that they share, and with a forget bias of 1. Each has its own
    learning rate, chosen from four on 4 other seeds. Compare the errors on new sequences, seed by
    seed.
    """
    return [
        {"reset": reset, **row}
        for reset, names in config["series"]
        for name in names
        for row in at_all_rates(
            name, "lstm", config["n_h"], VARIANTS[name], {**config, "reset": reset}, seeds
        )
    ]
