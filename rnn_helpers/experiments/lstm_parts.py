"""Which parts of an LSTM are needed? One at a time is left out (section 10.10.2)."""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import times, trained, typical

WHOLE = "whole"
LEFT_OUT = {
    "no forget gate": {"forget_gate": False},
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


def summarise(rows):
    """Take the error without a forget gate against the whole, and put the other parts beside it."""
    asked = [row for row in rows if row["reset"] > 0]
    never = [row for row in rows if row["reset"] == 0]
    ratios = {
        name: times(asked, name, WHOLE)
        for name in VARIANTS
        if name != WHOLE and any(row["network"] == name for row in asked)
    }
    forget = ratios["no forget gate"]
    others = {name: ratios[name] for name in ratios.keys() & LEFT_OUT.keys() - {"no forget gate"}}
    said = "; ".join(f"{name} {_said(ratio)}" for name, ratio in ratios.items())
    text = (
        f"Share of the variance left: {typical(asked, WHOLE):.3g}. Times the error of the whole "
        f"LSTM: {said}."
    )
    longer = times(asked, "no forget gate", WHOLE, "longer")
    text += f" On sequences three times as long, without a forget gate: {_said(longer)}."
    worst = forget[1] > max([1.0, *(high for _, _, high in others.values())])
    verdict = "holds" if worst else "does not hold"
    if never:
        without = times(never, "no forget gate", WHOLE)
        text += f" Where nothing is ever reset, without a forget gate: {_said(without)}."
        if worst and without[1] <= 1:
            verdict = (
                "holds if there is something to forget: where nothing is ever reset, an LSTM "
                "without a forget gate is no worse"
            )
    return Summary(
        *forget, "times the error of the whole LSTM, without its forget gate", verdict, text
    )


def _said(ratio: tuple) -> str:
    return "{:.2g} ({:.2g} to {:.2g})".format(*ratio)


_SETTINGS = {"n_h": 8, "batch_size": 16, "length": 30, "eta": 0.02}


@experiment(
    "lstm-parts",
    claim="Of the parts of an LSTM, the forget gate is the one it cannot do without.",
    source="Goodfellow et al. 10.10.2, after Greff et al. 2015 (P30)",
    chapter="16",
    quick={
        "seeds": 3,
        **_SETTINGS,
        "eta": 0.03,
        "steps": 200,
        "series": [[0.05, [WHOLE, "no forget gate"]]],
    },
    full={
        "seeds": 20,
        **_SETTINGS,
        "steps": 600,
        "series": [[0.05, list(VARIANTS)], [0.0, [WHOLE, "no forget gate", "no input gate"]]],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam, at a learning rate of 0.02, for 600 steps to count the ones
    since the last reset, in sequences of 30 steps, whole and with one part left out or changed,
    which begin alike in all they share, the forget gate with a bias of 1; compare errors on new
    sequences, seed by seed.
    """
    return [
        {"reset": reset, **row}
        for reset, names in config["series"]
        for name in names
        for row in trained(
            name, "lstm", config["n_h"], VARIANTS[name], {**config, "reset": reset}, seeds
        )
    ]
