"""Which parts of an LSTM are needed? One at a time is left out (section 10.10.2)."""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, times, typical
from rnn_helpers.experiments.words import grouped, listed, where
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
    """Errors with a part left out or changed: at the best rate of each, and at one rate for all."""
    with_resets = [row for row in rows if row["reset"]]
    asked, never = at_best_rate(with_resets), at_best_rate(where(rows, reset=0.0))
    rates = {row["network"]: row["eta"] for row in asked}
    ratios = _ratios(asked)
    at = {eta: _at_one(mine) for eta, mine in grouped(with_resets, "eta").items()}
    return {
        "without": ratios[NO_FORGET],
        "longer": times(asked, NO_FORGET, WHOLE, "longer"),
        "left": typical(asked, WHOLE),
        "eta": rates[WHOLE],
        "worst": _worst(asked),
        "worst_if_never": _worst(never) if never else None,
        "parts": listed(
            "{} {:.2g}, at {:g}",
            ((name, ratio, rates[name]) for name, ratio in ratios.items()),
            "; ",
        ),
        "if_never": listed("{} {:.2g}", _ratios(never).items(), "; "),
        "worse": {lacked for _, lacked, _ in at.values()} - {NO_FORGET},
        "upset": listed(
            "{:g}", ((eta,) for eta, (_, lacked, _) in at.items() if lacked != NO_FORGET), " or "
        ),
        "at_one_rate": listed(
            "at {:g} (the whole leaves {:.2g}) {}",
            ((eta, left, worst) for eta, (left, _, worst) in at.items()),
            "; ",
        ),
    }


def _ratios(rows: list) -> dict:
    """Times the error of the whole, for all that lacks something or is changed."""
    seen = {row["network"] for row in rows}
    return {name: times(rows, name, WHOLE) for name in VARIANTS if name in seen - {WHOLE}}


def _worst(rows: list) -> bool:
    """Whether it is worse, seed by seed, to lack a forget gate than nothing or another part."""
    others = {row["network"] for row in rows} & {WHOLE, *LEFT_OUT} - {NO_FORGET}
    return all(times(rows, NO_FORGET, name).low > 1 for name in others)


def _at_one(rows: list) -> tuple:
    """At one rate for all: what the whole leaves, which part is worst to lack, the worst three."""
    rows = where(rows, **{"for": "the result"})
    ratios = sorted(_ratios(rows).items(), key=lambda item: -item[1].value)
    lacked = next(name for name, _ in ratios if name in LEFT_OUT)
    return typical(rows, WHOLE), lacked, listed("{} {:.2g}", ratios[:3])


def plot(rows):
    """Draw the errors at the best rates, against that of the whole."""
    ratios = _ratios(at_best_rate([row for row in rows if row["reset"]]))
    return claim_intervals(
        sorted(
            ({"label": name, **ratio._asdict()} for name, ratio in ratios.items()),
            key=lambda row: -row["value"],
        ),
        xlabel="times the error of the whole LSTM",
        reference=(1, "the whole"),
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
    headline=("without", "times the error of the whole LSTM, without its forget gate"),
    verdict=[
        (
            lambda n: n.worst and n.worst_if_never is False and n.worse == {"no output activation"},
            "holds if there is something to forget: where nothing is ever reset, the forget gate "
            "is needed no more than another part; and if each network has its own learning rate: "
            "at {upset} for all, it is worse to have no output activation",
        )
    ],
    saw=[
        "Share of the variance left: {left:.2g}, at a learning rate of {eta:g}. Times the error of "
        "the whole LSTM, each at its own rate: {parts}. On sequences three times as long, without "
        "a forget gate: {longer:.2g}.",
        (
            lambda n: n.if_never,
            "Where nothing is ever reset: {if_never}. At one rate for all, the worst are: "
            "{at_one_rate}.",
        ),
    ],
    plot=plot,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam for 600 steps to count the ones since the last reset, in
    sequences of 30 steps, whole and with one part left out or changed, which begin alike in all
    they share, the forget gate with a bias of 1; compare errors on new sequences, seed by seed,
    each network at the one of four learning rates that suits it best on 4 other seeds.
    """
    return [
        {"reset": reset, **row}
        for reset, names in config["series"]
        for name in names
        for row in at_all_rates(
            name, "lstm", config["n_h"], VARIANTS[name], {**config, "reset": reset}, seeds
        )
    ]
