"""Units that update at different frequencies, on a task made for them: to draw a wave (10.9.3)."""

from collections.abc import Sequence
from functools import partial
from itertools import product, repeat

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.counting import ratios
from rnn_helpers.experiments.data import INTERVAL, claim_intervals
from rnn_helpers.experiments.words import (
    AT_EDGES,
    Estimate,
    at_edges,
    crossed,
    grouped,
    listed,
    where,
)
from rnn_helpers.reference import clock_moves
from rnn_helpers.tasks import normalised_error, two_scales

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
_RATES = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0]
# where the grid of each kind of network begins in these rates
_LOWEST = {
    CLOCKS: 3,
    "simple": 0,
    "simple, orthogonal": 1,
    "leaky, many scales": 3,
    "skips of 10": 2,
    "LSTM": 2,
    TOLD: 1,
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
    against = {
        wave: {
            name: Estimate.median(ratios(mine, CLOCKS, name)) for name in grouped(mine, "network")
        }
        for wave, mine in grouped(rows, "wave").items()
    }
    for others in against.values():
        del others[CLOCKS]
    best = {wave: max(others.values()) for wave, others in against.items()}
    first, *_ = best
    return {
        "times": best[first],
        "first": first,
        "waves": " and ".join(best),
        "against": list(against.values()),
        "leave": listed("{:.2g}", best.values(), " and "),
        "edges": at_edges(rows, "network", "wave"),
    }


def _errors(rows, wave):
    """Return the errors on one kind of wave."""
    by_network = grouped(where(rows, wave=wave), "network")
    return claim_intervals(
        {LABELS.get(name, name): _error(mine) for name, mine in by_network.items()},
        question=f"How well does each network output {wave}?",
        xlabel=f"normalized error, {wave}",
        unit="",
        spread=INTERVAL,
        log=True,
    )


def _error(rows):
    return Estimate.geometric(row["error"] for row in rows)


def _by_wave(rows, cell):
    """Tabulate a value of the rows by network and wave."""
    named = [row | {"network": LABELS.get(row["network"], row["network"])} for row in rows]
    return crossed(named, "network", "wave", cell)


def table_errors(rows):
    """Tabulate the error of each network."""
    return _by_wave(rows, lambda some: f"{_error(some):.2g}")


def table_rates(rows):
    """Tabulate the chosen learning rates."""
    return _by_wave(rows, lambda some: f"{some[0]['eta']:g}")


@experiment(
    claim="Groups of units that are updated at different frequencies work well on a number of "
    "benchmarks.",
    source="Goodfellow et al. 10.9.3, after Koutnik et al. 2014 and El Hihi and Bengio 1996",
    quick={
        "seeds": 3,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "length": 64,
        "batch_size": 1,
        "steps": 60,
        "waves": [TWO],
        "networks": [CLOCKS, "simple"],
    },
    full={
        "seeds": 12,
        "choosing": 4,
        "first": 3,
        "etas": {name: _RATES[k : k + 7] for name, k in _LOWEST.items()},
        "length": 160,
        "batch_size": 1,
        "steps": 1000,
        "waves": [TWO, RANDOM],
        "networks": list(NETWORKS),
    },
    numbers=numbers,
    headline=("times", "error with clocks, as a multiple of the best other network's, {first}"),
    finding={
        "holds in part": "Units with clocks draw waves better than all other networks: on the task "
        "“{first}”, their error is {times.value:.2f} times the best other network's.",
        "does not hold": "Units with clocks don't draw waves best: on the task “{first}”, their "
        "error is {times.value:.2f} times the best other network's.",
    },
    verdict=Verdict(
        in_part=(
            lambda n: all(ratio.high < 1 for wave in n.against for ratio in wave.values()),
            "Holds in part, if the task is to draw a wave, the only one that we tried here.",
        ),
        fails=(
            lambda n: all(any(ratio.low > 1 for ratio in wave.values()) for wave in n.against),
            "Does not hold. Another network draws each wave with a smaller error.",
        ),
    ),
    saw=[
        "Clocks leave {leave} times the error of the best other network on {waves}. A simple "
        "network that is given the ticks of the clocks as input knows the time as well as they do. "
        "Its advantage over other simple networks shows how much knowing the time explains.",
        AT_EDGES,
    ],
    table={"Normalized error": table_errors, "Chosen learning rates": table_rates},
    data={wave: partial(_errors, wave=wave) for wave in (TWO, RANDOM)},
)
def run(config, seeds):
    """Train networks of about 300 weights to output a wave for 160 steps: the sum of a fast and a
    slow sine, or a random waveform. Each seed has its own wave. The networks receive no input,
    except for a control, which is given the ticks of the clocks. Adam trains them for 1000 steps
    with gradients clipped at 1. On each kind of wave, each kind of network uses the learning
    rate that worked best for 4 other seeds. The error is the root of the mean squared error,
    divided by the standard deviation of the wave.
    """
    return Waves().run(config, seeds)


class Waves(Contest):
    """Kinds of networks that draw the wave of their seed."""

    columns = "network", "wave"
    apart = "wave"

    def cells(self, config):
        """Pair each kind of network with each kind of wave."""
        return list(product(config["networks"], config["waves"]))

    def net(self, config, cell, seeds):
        """Make networks of the kind that the cell names."""
        from rnn_helpers.nets import Gated

        unit, n_h, parts = NETWORKS[cell[0]]
        n_x = len(set(PERIODS)) if cell[0] == TOLD else 1
        return Gated(n_x, n_h, 1, seeds, unit, **parts)

    def batches(self, config, cell, size, seeds):
        """Repeat the wave of each seed, with no input or the ticks of the clocks."""
        name, kind = cell
        length = config["length"]
        x = np.zeros((length, 1, 1))
        if name == TOLD:
            x = clock_moves(sorted(set(PERIODS)), length)[:, None].astype(float)
        return repeat((x, waves(kind, length, [seed for seed, _ in seeds])[..., None]))

    def score(self, config, cell, made, seeds):
        """Return minus the logarithm of the error."""
        net, params = made
        x, y = next(self.batches(config, cell, 1, [[seed, 3] for seed in seeds]))
        return -np.log(normalised_error(y, net.outputs(params, x)[..., 0]))

    def rows(self, config, cell, made, seeds, scores):
        """Return the error of each network."""
        errors = np.exp(-scores)
        return [{"seed": s, "error": error} for s, error in zip(seeds, errors, strict=True)]
