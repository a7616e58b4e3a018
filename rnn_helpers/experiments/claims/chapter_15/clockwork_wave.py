"""Units that move at different frequencies, on a task made for them: to draw a wave (10.9.3)."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.counting import at_best_rate, times, typical
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.reference import clock_moves
from rnn_helpers.tasks import normalised_error, two_scales
from rnn_helpers.training import fit

CLOCKS, TOLD = "clocks", "simple, told when clocks tick"
PERIODS = sorted([1, 2, 4, 8, 16, 32, 64] * 3)
# kind of unit, how many, so that all have about 300 weights that matter, and their parts
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


def summarise(rows):
    """Take the error of units with clocks against that of the best other network, seed by seed."""
    kinds = list(dict.fromkeys(row["wave"] for row in rows))
    ratios, said, wins, at_edge = {}, [], [], []
    edges = {extreme(row["eta"] for row in rows) for extreme in (min, max)}
    for kind in kinds:
        best = at_best_rate([row for row in rows if row["wave"] == kind])
        rates = {row["network"]: row["eta"] for row in best}
        others = [name for name in rates if name != CLOCKS]
        rival = min(others, key=lambda name: typical(best, name))
        against = {name: times(best, CLOCKS, name) for name in others}
        ratios[kind] = rival, against[rival]
        if all(high < 1 for _, _, high in against.values()):
            wins.append(kind)
        at_edge += [name for name in rates if rates[name] in edges]
        said.append(
            f"{kind}: "
            + ", ".join(f"{name} {typical(best, name):.2g} (at {rates[name]:g})" for name in rates)
            + f"; clocks leave {_says(against[rival])} times what {rival} leaves"
        )
    text = f"Normalised error, at the rate that suits each: {'. '.join(said)}."
    if any(row["network"] == TOLD for row in rows):
        text += (
            " A simple network that is told when the clocks tick knows the time as they do: what "
            "it leaves less than other simple ones is the part that knowing the time explains."
        )
    if at_edge and len(edges) > 1:
        text += (
            " At the smallest or largest of the rates, so that another might suit them better: "
            f"{'; '.join(dict.fromkeys(at_edge))}."
        )
    verdict = "does not hold"
    if wins == kinds:
        ratio = " and ".join(f"{ratios[kind][1][0]:.2g}" for kind in kinds)
        verdict = (
            f"holds if the task is to draw a wave ({', '.join(kinds)}), the only one tried here: "
            f"clocks leave {ratio} times the error of the best other network"
        )
    elif wins:
        verdict = f"holds if the wave is one of {' or '.join(wins)}: otherwise others do as well"
    return Summary(
        *ratios[kinds[0]][1],
        f"times the error of the best other network, {kinds[0]}",
        verdict,
        text,
    )


def _says(ratio: tuple) -> str:
    return "{:.2g} ({:.2g} to {:.2g})".format(*ratio)


@experiment(
    "clockwork-wave",
    claim="Groups of units that are updated at different frequencies work well, on a number of "
    "benchmarks.",
    source="Goodfellow et al. 10.9.3, after Koutnik et al. 2014 and El Hihi and Bengio 1996 (P25)",
    chapter="15",
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
    summarise=summarise,
)
def run(config, seeds):
    """Let networks of about 300 weights that hear nothing draw a wave of 160 steps, each seed its
    own: the sum of a fast and a slow sine, or a random waveform; a last one is told when the clocks
    tick. Adam trains them for 1000 steps, gradients clipped at 1, each network at the one of four
    learning rates that suits it best on 4 other seeds. The error is the root of the mean square,
    divided by the deviation of the wave.
    """
    return [row for name in config["networks"] for row in _draw(name, config, seeds)]


def _draw(name: str, config: dict, seeds: Sequence[int]) -> list[dict]:
    """Train a network for each wave, rate and seed, all side by side."""
    from rnn_helpers.nets import Gated

    unit, n_h, parts = NETWORKS[name]
    others, length = separate(config["choosing"]), config["length"]
    each = list(product(config["waves"], config["etas"], [*others, *seeds]))
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
            "for": "the rate" if seed in others else "the result",
            "seed": seed,
            "error": error,
        }
        for (kind, eta, seed), error in zip(
            each, normalised_error(y[..., None], drawn), strict=True
        )
    ]
