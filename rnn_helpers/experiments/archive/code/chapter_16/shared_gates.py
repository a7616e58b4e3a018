"""Does any variant of the gates beat LSTM and GRU? (section 10.10.2)"""

from functools import partial

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import AS_WELL, FULL, QUICK, Counting, error_table, times
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import AT_EDGES, at_edges, either, grouped, listed

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
    known = _known(rows)
    against, against_longer = (_against(rows, column) for column in _LENGTHS)
    return {
        "known": known,
        "product": times(rows, PRODUCT, known),
        "longer": {name: times(rows, name, known, "longer") for name in against},
        "against": against,
        "against_longer": against_longer,
        "better": either(name for name, ratios in against.items() if _beats(ratios)),
        "further": listed(
            "{}", ((name,) for name, ratios in against_longer.items() if _beats(ratios))
        ),
        "of": len(grouped(rows, "seed")),
        "open": either(dict.fromkeys([*_open(against), *_open(against_longer)])),
        "edges": at_edges(rows, "network"),
    }


def _known(rows: list) -> str:
    """Return the better of LSTM and GRU."""
    return "LSTM" if times(rows, *KNOWN).value < 1 else "GRU"


def _against(rows: list, column: str) -> dict:
    """Compare the error of each variant with that of each known network."""
    variants = [name for name in grouped(rows, "network") if name not in KNOWN]
    return {name: [times(rows, name, known, column) for known in KNOWN] for name in variants}


def _beats(ratios: list) -> bool:
    """Return whether a variant has a smaller error than each known network."""
    return all(ratio.high < 1 for ratio in ratios)


def _open(against: dict) -> list:
    """Return the variants that may or may not beat the known networks."""
    return [
        name
        for name, ratios in against.items()
        if not _beats(ratios) and all(ratio.low <= 1 / AS_WELL for ratio in ratios)
    ]


def _none_beats(against: dict) -> bool:
    """Return whether all variants are known not to beat the known networks."""
    return not any(map(_beats, against.values())) and not _open(against)


def _ratios(rows, column):
    """Return the errors as multiples of the better known network's."""
    known = _known(rows)
    return claim_intervals(
        {
            name: times(rows, name, known, column)
            for name in grouped(rows, "network")
            if name != known
        },
        question=f"How large is the error of each network, compared with the {known}?",
        xlabel=f"error, as a multiple of the {known}'s, {_LENGTHS[column]}",
        unit=f"times the error of the {known}",
        spread=INTERVAL,
        reference=(1, f"the {known}"),
    )


@experiment(
    claim="When networks count the ones since the last reset, no variant (gates shared by a layer, "
    "products of a global and a local gate, coupled gates, peepholes) does better than both LSTM "
    "and GRU.",
    source="our own claim, on one task, prompted by Goodfellow et al. 10.10.2, after Greff et al. "
    "2015 and Jozefowicz et al. 2015, who tried many",
    quick={
        "seeds": 3,
        **QUICK,
        "steps": 150,
        "etas": [0.12],
        "networks": [*KNOWN, PRODUCT],
    },
    full={"seeds": 12, **FULL, "networks": list(CELLS)},
    numbers=numbers,
    headline=("product", f"error with {PRODUCT}, as a multiple of the {{known}}'s"),
    finding={
        "holds": "No variant of the gates beats both LSTM and GRU, even on longer sequences than "
        "in training.",
        "holds in part": "On sequences as long as in training, no variant of the gates beats both "
        "LSTM and GRU, but on longer sequences some do.",
        "does not hold": "On sequences as long as in training, {better} beats both LSTM and GRU.",
        "undecided": "These runs don't show whether an LSTM with {open} beats both a usual "
        "LSTM and a GRU.",
    },
    verdict=Verdict(
        holds=(
            lambda n: _none_beats(n.against) and _none_beats(n.against_longer),
            "Holds. No variant does better, not even on longer sequences than in training.",
        ),
        in_part=(
            lambda n: _none_beats(n.against) and any(map(_beats, n.against_longer.values())),
            "Holds in part, if sequences are as long as in training.",
        ),
        fails=(
            lambda n: any(map(_beats, n.against.values())),
            "Does not hold. Compared with both, {better} has a smaller error.",
        ),
        otherwise="Undecided. These runs don't show whether an LSTM with {open} beats both.",
    ),
    saw=[
        "Of LSTM and GRU, the {known} is better here.",
        (
            lambda n: n.further,
            "On sequences three times as long, these variants do better than both: {further}.",
        ),
        AT_EDGES,
    ],
    table={"Share of the variance that each network leaves": error_table},
    caveats=[
        "This is one task only.",
        "In an earlier version, gradients weren't clipped, and each network had the best of four "
        f"learning rates. With {PRODUCT}, the error was 0.82 (0.65 to 1.03) times the LSTM's, and "
        "the verdict was that the claim holds if sequences are as long as in training. But then a "
        "variant also counted as no better if there were too few networks to tell. Now the claim "
        "stays undecided in that case. Under the present settings, the first 12 seeds spoke "
        "against the claim, the first 24 left it undecided, and all 36 speak against it. We added "
        "seeds until they decided, so the interval is somewhat too narrow.",
    ],
    data={column: partial(_ratios, column=column) for column in _LENGTHS},
)
def run(config, seeds):
    """Train LSTMs of 8 units, GRUs of 9 and four variants of the LSTM with Adam for 600 steps to
    count the ones since the last reset, in sequences of 30 steps. Each has the learning rate
    between 0.005 and 1.28 that worked best for 4 other seeds. Compare the errors on new sequences,
    seed by seed.
    """
    return Counting(CELLS).run(config, seeds)
