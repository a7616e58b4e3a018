"""Do single units follow features of the text? (5.2)"""

from collections.abc import Mapping, Sequence
from textwrap import fill

import numpy as np

from rnn_helpers.experiments import SIGNED, experiment
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import AtMost, Estimate, grouped
from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import lstm_forward, rnn_forward
from rnn_helpers.tasks import FEATURES, characters, text_features, unit_correlations

FOLLOWS = 0.5  # correlation from which a unit counts as following a feature
_RIDGE = 1e-3  # of a linear readout; the units' variances are at most 1
_CLAIMED = {"brackets": "being in brackets", "line": "the position in the line"}
_NAMES = {
    "brackets": "in brackets",
    "quotes": "in quotes",
    "indent": "in the indent",
    "line": "position in the line",
    "space": "after a space",
}
_LOOKS = [("ink", "o"), ("muted", "^"), ("accent", "s"), ("state", "D")]


def weights(learned: Learned) -> tuple[dict, dict]:
    """Return a network's arrays before training and after."""
    import torch  # results can be read without torch

    from rnn_helpers.nets import from_torch

    net = learned.net  # untrained; the trained parameters are in `learned.params`
    before = from_torch(net.recurrent, net.output)
    net.load_state_dict({name: torch.from_numpy(p) for name, p in learned.params.items()})
    return before, from_torch(net.recurrent, net.output)


def states(params: Mapping, tokens: np.ndarray) -> np.ndarray:
    """Return the units' values (T, n_h): h, or for an LSTM tanh(s), before the output gate."""
    return (
        np.tanh(lstm_forward(params, tokens).s) if "Uf" in params else rnn_forward(params, tokens).h
    )


def follow(h: np.ndarray, feature: np.ndarray) -> tuple[float, float]:
    """Measure how well the best unit, and a linear readout of all units, follow a feature.

    The unit is chosen and the readout fitted on the first half of the steps. The second half gives
    the absolute value of the unit's correlation and the readout's R².
    """
    half = len(feature) // 2
    best = int(np.argmax(np.abs(unit_correlations(h[:half], feature[:half]))))
    (r,) = unit_correlations(h[half:, [best]], feature[half:])
    # without a ridge, a unit that is constant on the first half could get any weight
    mean, level = h[:half].mean(axis=0), feature[:half].mean()
    seen, rest = (part.astype(float) - mean for part in (h[:half], h[half:]))
    power = seen.T @ seen + _RIDGE * half * np.eye(h.shape[1])
    V = np.linalg.solve(power, seen.T @ (feature[:half] - level))
    left = np.mean((feature[half:] - level - rest @ V) ** 2) / np.var(feature[half:])
    return float(abs(r)), float(1 - left)


def numbers(rows):
    """List the features that single units follow much better after training than before."""
    by_network = {
        network: {row["feature"]: row for row in each}
        for network, each in grouped(rows, "network").items()
    }
    followed = {
        network: [said for name, said in _CLAIMED.items() if _follows(cells[name])]
        for network, cells in by_network.items()
    }
    largest = list(by_network)[-1]
    return {
        "brackets": Estimate.mean(by_network[largest]["brackets"]["each"], SIGNED),
        "before": np.mean(by_network[largest]["brackets"]["before"]),
        "largest": _plural(largest),
        "of": len(rows[0]["each"]),
        "r": {
            network: {
                feature: {
                    "mean": np.mean(row["each"]),
                    "before": np.mean(row["before"]),
                    "most": max(row["each"]),
                    "found": sum(r >= FOLLOWS for r in row["each"]),
                }
                for feature, row in features.items()
            }
            for network, features in by_network.items()
        },
        "followed": followed,
        "which": ", or if ".join(
            f"the networks are {_plural(network)} and the feature is {' or '.join(found)}"
            for network, found in followed.items()
            if found
        ),
        "moved": AtMost(max(np.mean(row["moved"]) for row in rows)),
    }


def _plural(network: str) -> str:
    """Write the name of a network, such as "LSTM 64", in words."""
    kind, n_h = network.split()
    return f"{kind}s with {n_h} units"


def _follows(row: dict) -> bool:
    gained = Estimate.mean(np.subtract(row["each"], row["before"]))
    return np.mean(row["each"]) >= FOLLOWS and gained.low > 0


def table_units(rows):
    """Tabulate how well the best unit follows each feature."""
    return [
        {
            "networks": _plural(row["network"]),
            "feature": _NAMES[row["feature"]],
            "after training": f"{Estimate.mean(row['each'], SIGNED):.2f}",
            "before training": f"{np.mean(row['before']):.2f}",
            "with the feature moved": f"{np.mean(row['moved']):.2f}",
        }
        for row in rows
    ]


def table_bits(rows):
    """Tabulate how well the networks predict."""
    return [
        {"networks": _plural(network), "bits": f"{Estimate.mean(mine[0]['bits']):.2f}"}
        for network, mine in grouped(rows, "network").items()
    ]


def plot(rows):
    """Draw the best unit's correlation for each feature: every seed, and the mean before."""
    networks, features = list(grouped(rows, "network")), list(grouped(rows, "feature"))
    told = []
    with style():
        figure, axes = subplots(height=3.3)
        for row in rows:
            k = networks.index(row["network"])
            ink, marker = _LOOKS[k]
            x = features.index(row["feature"]) + 0.8 * ((k + 0.5) / len(networks) - 0.5)
            look = {"color": colour(ink), "marker": marker, "linestyle": "none"}
            spread = np.linspace(-0.06, 0.06, len(row["each"]))
            mean, before = np.mean(row["each"]), np.mean(row["before"])
            axes.plot(x + spread, row["each"], **look, markersize=3, alpha=0.6)
            axes.hlines(mean, x - 0.11, x + 0.11, color=colour(ink), linewidth=2.4)
            axes.plot(x, before, **look, markersize=7, markerfacecolor="none")
            told.append(
                f"{row['network']}, {_NAMES[row['feature']]}: "
                f"{number(mean)}, before {number(before)}"
            )
        for network, (ink, marker) in zip(networks, _LOOKS, strict=False):
            axes.plot([], [], color=colour(ink), marker=marker, linestyle="-", label=network)
        hollow = {"color": colour("ink"), "marker": "o", "markerfacecolor": "none"}
        axes.plot([], [], **hollow, linestyle="none", markersize=7, label="before learning")
        names = [fill(_NAMES[name], 11) for name in features]
        axes.set_xticks(range(len(features)), names)
        axes.set(ylim=(0, 1.02), ylabel="|r| of the best unit")
        figure.legend(loc="outside upper left", ncols=len(networks) + 1, columnspacing=1.4)
    return Plot(
        figure,
        "Correlation of the best unit with a feature of unseen text, mean after learning and "
        f"before. {'; '.join(told)}.",
    )


@experiment(
    claim="Networks that learn to predict a text have single units that follow features that "
    "nobody told them about, such as the position in the sentence or being inside brackets.",
    source="Chiang 5.2 (P43)",
    quick={
        "seeds": 2,
        "choosing": 0,
        "networks": {"RNN 8": [0.02], "LSTM 8": [0.05]},
        "T": 32,
        "batch_size": 16,
        "steps": 40,
        "held_out": 3000,
    },
    full={
        "seeds": 10,
        "choosing": 3,
        "networks": {
            "RNN 30": [0.005, 0.01, 0.02],
            "LSTM 30": [0.04, 0.08, 0.16],
            "LSTM 64": [0.04, 0.08, 0.16],
        },
        "T": 64,
        "batch_size": 32,
        "steps": 1000,
        "held_out": 20_000,
    },
    numbers=numbers,
    headline=(
        "brackets",
        "correlation of the best unit with being in brackets, largest LSTM",
    ),
    finding="In {largest}, the best unit's correlation with being in brackets goes from "
    "{before:.2f} before training to {brackets.value:.2f} after it.",
    verdict=[
        (
            lambda n: n.which and any(len(found) < len(_CLAIMED) for found in n.followed.values()),
            "Holds if {which}.",
        )
    ],
    saw=[
        f"We say that a unit follows a feature if its correlation with the feature is at least "
        f"{FOLLOWS} on average and clearly larger than before training. If the feature is moved by "
        f"a third of the text, the correlation is at most {{moved:.2f}} on average."
    ],
    table={
        "Correlation of the best unit with each feature of unseen code": table_units,
        "Bits per unseen character": table_bits,
    },
    plot=plot,
)
def run(config, seeds):
    """Train tanh RNNs of 30 units and LSTMs of 30 and 64 to predict the characters of the standard
    library's code, without comments and docstrings, 1000 minibatches of 32 pieces of 64; the
    learning rate is the best of three on 3 other seeds. On 20 000 unseen characters, correlate each
    unit (of an LSTM, tanh of its cell's state) with being in brackets, in quotes, in the indent,
    with the place in the line, and with a space just read. The best unit is chosen on the first
    half and measured on the second; so is a linear readout of all units. The same for the networks
    before they learned, and for features moved by a third of the text.
    """
    corpus = characters("code")
    tokens = corpus.held_out[: config["held_out"]]
    features = text_features(corpus.decode(tokens))
    rows = []
    for network, etas in config["networks"].items():
        kind, n_h = network.split()
        setting = {**config, "n_h": int(n_h)}
        eta, tried = _rate(kind, corpus, etas, setting)
        each = [_measured(Learned(kind, corpus, eta, s, setting), tokens, features) for s in seeds]
        for name in FEATURES:
            found = {key: [one[name][key] for one in each] for key in each[0][name]}
            bits = [one["bits"] for one in each]
            row = {"network": network, "feature": name, "eta": eta, "tried": tried}
            rows.append({**row, **found, "bits": bits})
    return rows


def _rate(kind, corpus, etas: Sequence[float], setting: dict) -> tuple[float, list[float]]:
    """Return the learning rate with the fewest bits on other seeds, and the bits of all rates."""
    if not (others := separate(setting["choosing"])):
        return etas[0], []
    held_out = corpus.held_out[-setting["held_out"] :]
    tried = [
        np.mean([Learned(kind, corpus, eta, s, setting).bits(held_out) for s in others])
        for eta in etas
    ]
    return etas[int(np.argmin(tried))], tried


def _measured(learned: Learned, tokens: np.ndarray, features: dict) -> dict:
    """Return a network's bits, and the measures of its units for each feature."""
    bits = learned.bits(tokens)
    before, after = (states(params, tokens) for params in weights(learned))
    measured = {"bits": bits}
    for name, feature in features.items():
        r, probe = follow(after, feature)
        r_before, probe_before = follow(before, feature)
        moved, _ = follow(after, np.roll(feature, len(feature) // 3))
        measured[name] = {
            "each": r,
            "before": r_before,
            "moved": moved,
            "probe": probe,
            "probe_before": probe_before,
        }
    return measured
