"""Units that update at different frequencies, on a task made for them: to draw a wave (10.9.3)."""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.counting import at_best_rate, times, typical
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import clock_moves
from rnn_helpers.tasks import normalised_error, two_scales
from rnn_helpers.training import fit

CLOCKS, TOLD = "clocks", "simple, told when clocks tick"
# names in the plots and texts; the other networks are called by their keys
LABELS = {
    "simple": "simple RNN",
    "simple, orthogonal": "simple RNN, orthogonal start",
    "leaky, many scales": "leaky, 16 constants",
    TOLD: "simple RNN, given the ticks",
}
PERIODS = sorted([1, 2, 4, 8, 16, 32, 64] * 3)
# kind of unit; number of units, chosen so that all have about 300 weights that matter; parts
NETWORKS = {
    CLOCKS: ("leaky", len(PERIODS), {"periods": PERIODS}),
    "simple": ("leaky", 16, {}),
    "simple, orthogonal": ("leaky", 16, {"start": "orthogonal"}),
    "leaky, many scales": ("leaky", 16, {"alpha": np.exp(-1 / np.geomspace(1, 100, 16))}),
    "skips of 10": ("leaky", 12, {"skip": 10}),
    "LSTM": ("lstm", 8, {}),
    TOLD: ("leaky", 13, {"start": "orthogonal"}),
}
TWO, RANDOM = "two waves", "random waveform"
_HARMONICS = np.arange(1, 21)


def waves(kind: str, length: int, seeds: Sequence[int]) -> np.ndarray:
    """Draw a wave (T, S) for each seed, of mean 0 and variance 1.

    It is the sum of a fast and a slow sine; or of the first twenty harmonics of the whole
    length, with random phases and powers that fall as one over their number.
    """
    if kind == TWO:
        y = two_scales(length, list(seeds), slow=length / 2).sum(axis=-1)
    else:
        phases = [np.random.default_rng(s).uniform(0, 2 * np.pi, len(_HARMONICS)) for s in seeds]
        angle = 2 * np.pi * np.arange(length)[:, None, None] * _HARMONICS / length
        y = (np.sin(angle + np.array(phases)) / np.sqrt(_HARMONICS)).sum(axis=-1)
    return (y - y.mean(axis=0)) / y.std(axis=0)


def numbers(rows):
    """Return the error of units with clocks relative to the other networks' errors."""
    etas = grouped(rows, "eta")
    waves = [_drawn(mine) for mine in grouped(rows, "wave").values()]
    at_edge = dict.fromkeys(
        name
        for wave in waves
        for name, (_, eta) in wave["errors"].items()
        if eta in (min(etas), max(etas))
    )
    return {
        "times": waves[0]["times"],
        "first": waves[0]["wave"],
        "waves": listed("{wave}", waves, " and "),
        "against": [wave["against"] for wave in waves],
        "leave": listed("{times.value:.2g}", waves, " and "),
        "at_edge": "; ".join(LABELS.get(name, name) for name in at_edge),
    }


def _errors(rows, wave):
    """Draw the errors on one kind of wave, each network at the rate that suits it."""
    best = grouped(at_best_rate(where(rows, wave=wave)), "network")
    return claim_intervals(
        {
            LABELS.get(name, name): Estimate.geometric(row["error"] for row in mine)
            for name, mine in best.items()
        },
        xlabel=f"normalized error, {wave}",
        log=True,
    )


def _drawn(rows):
    """Return each network's error and rate on one kind of wave, and the clocks' relative errors."""
    best = at_best_rate(rows)
    errors = {
        name: (typical(mine, name), mine[0]["eta"])
        for name, mine in grouped(best, "network").items()
    }
    against = {name: times(best, CLOCKS, name) for name in errors if name != CLOCKS}
    rival = min(against, key=lambda name: errors[name])
    return {
        "wave": rows[0]["wave"],
        "errors": errors,
        "rival": rival,
        "times": against[rival],
        "against": against,
    }


def table(rows):
    """Tabulate the error of each network, at its own learning rate."""
    seen = {wave: _drawn(mine)["errors"] for wave, mine in grouped(rows, "wave").items()}
    networks = dict.fromkeys(row["network"] for row in rows)
    return [
        {"network": LABELS.get(name, name)}
        | {
            f"{wave}: {what}": f"{errors[name][k]:.2g}"
            for wave, errors in seen.items()
            for k, what in enumerate(("error", "rate"))
        }
        for name in networks
    ]


@experiment(
    claim="Groups of units that are updated at different frequencies work well on a number of "
    "benchmarks.",
    source="Goodfellow et al. 10.9.3, after Koutnik et al. 2014 and El Hihi and Bengio 1996 (P25)",
    quick={
        "seeds": 3,
        "choosing": 0,
        "length": 64,
        "steps": 60,
        "etas": [0.03],
        "waves": [TWO],
        "networks": [CLOCKS, "simple"],
    },
    full={
        "seeds": 12,
        "choosing": 4,
        "length": 160,
        "steps": 1000,
        "etas": [0.003, 0.01, 0.03, 0.1],
        "waves": [TWO, RANDOM],
        "networks": list(NETWORKS),
    },
    numbers=numbers,
    headline=("times", "error with clocks, as a multiple of the best other network's, {first}"),
    finding="Units with clocks draw waves better than all other networks: on the task “{first}”, "
    "their error is {times.value:.2f} times the best other network's.",
    verdict=Verdict(
        holds_if=(
            lambda n: all(ratio.high < 1 for wave in n.against for ratio in wave.values()),
            "Holds if the task is to draw a wave, the only one that we tried here.",
        ),
        fails=(
            lambda n: all(any(ratio.low > 1 for ratio in wave.values()) for wave in n.against),
            "Does not hold. Another network draws each wave with a smaller error.",
        ),
    ),
    saw=[
        "Clocks leave {leave} times the error of the best other network on {waves}. A simple "
        "network that is given the ticks of the clocks as input knows the time as well as they do. "
        "Its advantage over other simple networks shows how much knowing the time explains."
    ],
    table={"Normalized error and learning rate": table},
    caveats=[
        (
            lambda n: n.at_edge,
            "These networks have the lowest or highest rate that we tried, so another might be "
            "better: {at_edge}.",
        ),
    ],
    plot={wave: partial(_errors, wave=wave) for wave in (TWO, RANDOM)},
)
def run(config, seeds):
    """Train networks of about 300 weights to output a wave for 160 steps: the sum of a fast and a
    slow sine, or a random waveform. Each seed has its own wave. The networks receive no input,
    except for a control, which is given the ticks of the clocks. Adam trains them for 1000 steps
    with gradients clipped at 1. Each network uses the best of four learning rates, chosen on 4
    other seeds. The error is the root of the mean squared error, divided by the standard deviation
    of the wave.
    """
    return [row for name in config["networks"] for row in _draw(name, config, seeds)]


def _draw(name: str, config: dict, seeds: Sequence[int]) -> list[dict]:
    """Train a network for each wave, rate and seed, all side by side."""
    from rnn_helpers.nets import Gated

    unit, n_h, parts = NETWORKS[name]
    choosing_seeds = separate(config["choosing"])
    length = config["length"]
    each = list(product(config["waves"], config["etas"], [*choosing_seeds, *seeds]))
    y = np.concatenate([waves(kind, length, [seed]) for kind, _, seed in each], axis=1)
    heard = np.zeros((length, 1, 1))  # nothing
    if name == TOLD:
        heard = clock_moves(sorted(set(PERIODS)), length)[:, None].astype(float)
    net = Gated(heard.shape[-1], n_h, 1, [seed for *_, seed in each], unit, **parts)
    made = fit(
        net.loss_and_grads,
        net.params(),
        ((heard, y[..., None]) for _ in range(config["steps"])),
        steps=config["steps"],
        optimizer=AdamEach([eta for _, eta, _ in each], config["steps"]),
        clip=1.0,
    )
    drawn = net.outputs(made.params, heard)[..., 0]
    return [
        {
            "wave": kind,
            "network": name,
            "eta": eta,
            "for": "the rate" if seed in choosing_seeds else "the result",
            "seed": seed,
            "error": error,
        }
        for (kind, eta, seed), error in zip(
            each, normalised_error(y[..., None], drawn), strict=True
        )
    ]
