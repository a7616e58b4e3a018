"""Which parts of an LSTM are needed? One at a time is left out (section 10.10.2)."""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import at_all_rates, at_best_rate, times, typical

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


def summarise(rows):
    """Take the error without a forget gate against the whole, and put the other parts beside it."""
    asked, never = (at_best_rate([r for r in rows if bool(r["reset"]) is b]) for b in (True, False))
    names = [name for name in VARIANTS if any(row["network"] == name for row in asked)][1:]
    ratios = {name: times(asked, name, WHOLE) for name in names}
    rates = {row["network"]: row["eta"] for row in asked}
    said = "; ".join(f"{name} {_said(ratios[name])}, at {rates[name]:g}" for name in names)
    text = (
        f"Share of the variance left: {typical(asked, WHOLE):.2g}, at a learning rate of "
        f"{rates[WHOLE]:g}. Times the error of the whole LSTM, each at its own rate: {said}."
    )
    longer = times(asked, NO_FORGET, WHOLE, "longer")
    text += f" On sequences three times as long, without a forget gate: {_said(longer)}."
    conditions = []
    if never:
        seen = [name for name in VARIANTS if any(row["network"] == name for row in never)][1:]
        said = "; ".join(f"{name} {_said(times(never, name, WHOLE))}" for name in seen)
        text += f" Where nothing is ever reset: {said}."
        if not _worst(never):
            conditions.append(
                "there is something to forget: where nothing is ever reset, the forget gate is "
                "needed no more than another part"
            )
    told, upset = _by_rate([row for row in rows if row["reset"]], names)
    if upset:
        conditions.append(f"each network has its own learning rate: {'; '.join(upset)}")
    verdict = "holds" if _worst(asked) else "does not hold"
    if verdict == "holds" and conditions:
        verdict += f" if {'; and if '.join(conditions)}"
    text += told
    return Summary(
        *ratios[NO_FORGET],
        "times the error of the whole LSTM, without its forget gate",
        verdict,
        text,
    )


def _worst(rows: list) -> bool:
    """Whether it is worse, seed by seed, to lack a forget gate than nothing or another part."""
    others = {row["network"] for row in rows} & {WHOLE, *LEFT_OUT} - {NO_FORGET}
    return all(times(rows, NO_FORGET, name)[1] > 1 for name in others)


def _by_rate(rows: list, names: list) -> tuple[str, list]:
    """Say what the ratios are at one rate for all, and where another part is the worst to lack."""
    rows = [row for row in rows if row["for"] == "the result"]
    etas = sorted({row["eta"] for row in rows})
    said, upset = [], {}
    for eta in etas:
        these = [row for row in rows if row["eta"] == eta]
        ratios = {name: times(these, name, WHOLE) for name in names}
        worst = sorted(names, key=lambda name: -ratios[name][0])
        whole = typical(these, WHOLE)
        listed = ", ".join(f"{name} {_said(ratios[name])}" for name in worst[:3])
        said.append(f"at {eta:g} (the whole leaves {whole:.2g}) {listed}")
        (lacked, *_) = (name for name in worst if name in LEFT_OUT)
        if lacked != NO_FORGET:
            upset.setdefault(lacked, []).append(f"{eta:g}")
    if len(etas) == 1:
        return "", []
    told = f" At one rate for all, the worst are: {'; '.join(said)}."
    return told, [
        f"at {' or '.join(at)} for all, it is worse to have {name}" for name, at in upset.items()
    ]


def _said(ratio: tuple) -> str:
    return "{:.2g} ({:.2g} to {:.2g})".format(*ratio)


_SETTINGS = {"n_h": 8, "batch_size": 16, "length": 30}


@experiment(
    "lstm-parts",
    claim="Of the parts of an LSTM, the forget gate is the one it cannot do without.",
    source="Goodfellow et al. 10.10.2, after Greff et al. 2015 (P30)",
    chapter="16",
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
    summarise=summarise,
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
