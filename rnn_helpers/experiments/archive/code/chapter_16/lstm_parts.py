"""Which parts does an LSTM need? (section 10.10.2)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import FULL, QUICK, Counting, times
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import AT_EDGES, at_edges, grouped, where

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
RESETS, NEVER = 0.05, 0.0  # probability of a reset at a step


def numbers(rows):
    """Compare errors without one part, with resets and without."""
    asked, never = where(rows, reset=RESETS), where(rows, reset=NEVER)
    parts, if_never = _ratios(asked), _ratios(never)
    return {
        "without": parts[NO_FORGET],
        "parts": parts,
        "never": if_never,
        "never_without": if_never[NO_FORGET],
        "longer": times(asked, NO_FORGET, WHOLE, "longer"),
        "over": _over(asked),
        "over_never": _over(never),
        "of": len(grouped(rows, "seed")),
        "edges": at_edges(rows, "network", "reset", each="{} and a reset probability of {}"),
    }


def _ratios(rows: list) -> dict:
    """Return each variant's error as a multiple of the whole LSTM's."""
    return {name: times(rows, name, WHOLE) for name in grouped(rows, "network") if name != WHOLE}


def _over(rows: list) -> dict:
    """Compare the error without the forget gate with that without any other part, or whole."""
    others = grouped(rows, "network").keys() - {NO_FORGET, *CHANGED}
    return {name: times(rows, NO_FORGET, name) for name in sorted(others)}


def table(rows):
    """Tabulate the errors as multiples of the whole LSTM's."""
    asked, if_never = where(rows, reset=RESETS), _ratios(where(rows, reset=NEVER))
    rates = {row["network"]: row["eta"] for row in asked}
    return [
        {"network": name, "times the error": f"{ratio:.2g}", "learning rate": f"{rates[name]:g}"}
        | ({"if nothing is ever reset": f"{if_never[name]:.2g}"} if name in if_never else {})
        for name, ratio in _ratios(asked).items()
    ]


def data(rows):
    """Return the errors as multiples of the whole LSTM's."""
    ratios = _ratios(where(rows, reset=RESETS))
    return claim_intervals(
        dict(sorted(ratios.items(), key=lambda one: -one[1].value)),
        question="How much larger is the error without each part of the LSTM?",
        xlabel="error, as a multiple of the whole LSTM's",
        unit="times the error of the whole LSTM",
        spread=INTERVAL,
        reference=(1, "the whole LSTM"),
        log=True,
    )


@experiment(
    claim="Of the parts of an LSTM, the forget gate is the one it cannot do without.",
    source="Goodfellow et al. 10.10.2, after Greff et al. 2015",
    quick={
        "seeds": 3,
        **QUICK,
        "steps": 250,
        "etas": [0.12],
        "series": [[RESETS, [WHOLE, NO_FORGET]], [NEVER, [WHOLE, NO_FORGET, "no input gate"]]],
    },
    full={
        "seeds": 12,
        **FULL,
        "series": [[RESETS, list(VARIANTS)], [NEVER, [WHOLE, NO_FORGET, "no input gate"]]],
    },
    numbers=numbers,
    headline=("without", "error without the forget gate, as a multiple of the whole LSTM's"),
    finding={
        "holds": "Removing the forget gate multiplies an LSTM's error by {without.value:.0f}; "
        "removing any other part costs less, even if nothing is ever reset.",
        "holds in part": "Removing the forget gate multiplies an LSTM's error by "
        "{without.value:.0f}; removing any other part costs less.",
        "does not hold": "Removing the forget gate multiplies an LSTM's error by "
        "{without.value:.0f}; removing another part costs more.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(ratio.low > 1 for ratio in [*n.over.values(), *n.over_never.values()]),
            "Holds. No other part is missed as much, even if nothing is ever reset.",
        ),
        in_part=(
            lambda n: (
                all(ratio.low > 1 for ratio in n.over.values())
                and n.never_without.high < n.without.low
            ),
            "Holds in part, if there is something to forget. If nothing is ever reset, removing "
            "the forget gate multiplies the error only by {never_without.value:.1f}.",
        ),
        fails=(
            lambda n: any(ratio.high < 1 for ratio in n.over.values()),
            "Does not hold. Without another part, the error is larger than without the forget "
            "gate.",
        ),
    ),
    saw=[
        "If nothing is ever reset, removing the input gate multiplies the error by "
        "{never[no input gate].value:.1f}. On sequences three times as long, an LSTM without a "
        "forget gate has {longer.value:.2g} times the error of the whole one.",
        AT_EDGES,
    ],
    table={"Times the error of the whole LSTM": table},
    caveats=[
        "In an earlier version, gradients weren't clipped, and each kind of network had the best "
        "of four learning rates. The verdict was the same. But without an output activation, the "
        "error was 5.2 times that of the whole LSTM, and now it is {parts[no output "
        "activation].value:.2g} times.",
    ],
    data=data,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam for 600 steps to count the ones since the last reset, in
    sequences of 30 steps. One part is left out or changed at a time. All variants of a seed start
    with the same values in the parts that they share, and with a forget bias of 1. Each has the
    learning rate between 0.005 and 1.28 that worked best for 4 other seeds. Compare the errors on
    new sequences, seed by seed.
    """
    contest = Counting({name: ("lstm", 8, parts) for name, parts in VARIANTS.items()})
    return [
        {"reset": reset} | row
        for reset, networks in config["series"]
        for row in contest.run(config | {"reset": reset, "networks": networks}, seeds)
    ]
