"""Sharing: do networks find a year at positions and lengths that training left out? (10.0)"""

import textwrap
from collections.abc import Sequence
from itertools import product

import numpy as np
from matplotlib.ticker import FixedLocator, PercentFormatter

from rnn_helpers.experiments import SHARE, SIGNED, experiment, mean_interval
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.words import AtLeast, Estimate, crossed, grouped
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import BAND, DASHES
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.training import fit

YEARS, PLACES, LONGER = 20, 10, 15
HALF, ALL, LENGTH = "half of the years early", "all years early", "longer sentences"
MLP, EMBEDDED, CONV, RNN, GRU = "MLP", "MLP, embedded", "convolution", "RNN", "GRU"
SHARING = CONV, RNN, GRU  # those whose weights are the same at every position
# Short names of the settings and networks for the numbers that pages state.
_SETTING_KEYS = {HALF: "half", ALL: "early", LENGTH: "longer"}
_NETWORK_KEYS = {MLP: "mlp", EMBEDDED: "embedded", CONV: "conv", RNN: "rnn", GRU: "gru"}
_TITLES = {
    HALF: "half of the years early in training",
    ALL: "years early in training",
    LENGTH: "shorter sentences in training",
}
_EARLY, _SHORTEST = 5, 5  # positions of years in training, and words of the shortest sentences
_LEARNED = 0.95
_LOOKS = [
    {"color": colour(ink), "marker": marker, "linestyle": DASHES[dash]}
    for ink, marker, dash in (
        ("muted", "x", 0),
        ("muted", "s", 2),
        ("accent", "D", 1),
        ("state", "o", 0),
        ("ink", "^", 3),
    )
]
_CLEARLY = 0.005  # a rate at the edge is reported if it is better than the next one by more


def pairs(setting: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the allowed positions of each year in training and in the test: (years, T) each."""
    if setting == LENGTH:
        return np.ones((YEARS, PLACES), bool), np.ones((YEARS, LONGER), bool)
    seen = np.ones((YEARS, PLACES), bool)
    seen[YEARS // 2 if setting == HALF else 0 :, _EARLY:] = False
    return seen, ~seen


def draw(allowed: np.ndarray, n: int, fillers: int, rng: np.random.Generator) -> tuple:
    """Draw sentences of random words and one year: words (T, n), years and positions (n,).

    ``allowed`` (years, T) gives the positions that each year may have. The other words are drawn
    from ``fillers`` words.
    """
    years, places = np.nonzero(allowed)
    one = rng.integers(len(years), size=n)
    words = rng.integers(fillers, size=(allowed.shape[1], n))
    words[places[one], np.arange(n)] = fillers + years[one]
    return words, years[one], places[one]


def train(kind: str, seen: np.ndarray, shortest: int, n_places: int, each, config: dict) -> tuple:
    """Train networks side by side, one for each (learning rate, seed): (network, parameters).

    Sentences have at least ``shortest`` words, and at most one for each column of ``seen``.
    """
    from rnn_helpers.nets.readers import Reader  # pages read results without torch

    etas, seeds = zip(*each, strict=True)
    n_years, longest = seen.shape
    net = Reader(kind, config["fillers"] + n_years, config["n_h"], n_years, seeds, n_places)
    lengths = np.random.default_rng(0)  # shared by all networks
    rngs = [np.random.default_rng([seed, 1]) for seed in seeds]

    def batches():
        while True:
            may = seen[:, : int(lengths.integers(shortest, longest + 1))]
            drawn = [draw(may, config["batch_size"], config["fillers"], rng)[:2] for rng in rngs]
            words, years = (np.stack(part, axis=-2) for part in zip(*drawn, strict=True))
            yield _at_the_end(words, years)

    made = fit(
        net.loss_and_grads,
        net.params(),
        batches(),
        steps=config["steps"],
        optimizer=AdamEach(etas, config["steps"]),
        clip=1.0,
    )
    return net, made.params


def _at_the_end(words, years):
    """Return a minibatch of sentences (T, S, B) whose years are due after the last word."""
    mask = np.zeros((len(words), words.shape[-1]), bool)
    mask[-1] = True
    return words, np.broadcast_to(years, words.shape), mask


def measure(net, params: dict, allowed: np.ndarray, config: dict) -> np.ndarray:
    """Return the share of right answers at each position, NaN where no year may be: (S, T)."""
    words, years, places = draw(
        allowed, config["test"], config["fillers"], np.random.default_rng(0)
    )
    right = net.outputs(params, words)[-1].argmax(axis=-1) == years
    at = np.equal.outer(np.arange(len(words)), places)
    with np.errstate(invalid="ignore"):
        return (right[:, None] & at).sum(axis=-1) / at.sum(axis=-1)


def numbers(rows):
    """Return each network's share of right answers, and its lead over the MLP seed by seed.

    ``right``, ``at`` and ``range`` are by setting and network: the mean share in cases that
    training left out, the same at each position, and the lowest and highest share of a network.
    """
    by_setting = {
        setting: {row["network"]: row for row in each}
        for setting, each in grouped(rows, "setting").items()
    }
    gained = {
        (setting, name): Estimate.mean(
            np.subtract(networks[name]["each"], networks[MLP]["each"]), SIGNED
        )
        for setting, networks in by_setting.items()
        for name in SHARING
        if name in networks
    }
    not_learned = [
        f"{name} {by_setting[setting][name]['new']:.2f} ({setting})"
        for setting, name in gained
        if by_setting[setting][name]["new"] < _LEARNED
    ]
    edges = [f"{row['network']} ({row['setting']})" for row in rows if _at_an_edge(row["tried"])]
    return {
        "rnn": gained[HALF, RNN],
        "least_gained": min(one.low for one in gained.values()),
        "not_learned": ", ".join(not_learned),
        "chance": 1 / YEARS,
        "beyond": _beyond(by_setting.get(LENGTH, {}).get(MLP)),
        "least_seen": AtLeast(min(row["seen"] for row in rows)),
        "edges": ", ".join(edges),
        "right": _by_keys(by_setting, lambda row: row["new"]),
        "at": _by_keys(by_setting, _at_each_position),
        "range": _by_keys(by_setting, lambda row: (min(row["each"]), max(row["each"]))),
    }


def _by_keys(by_setting: dict, value) -> dict:
    """Return a value of each row by the short names of its setting and network."""
    return {
        _SETTING_KEYS[setting]: {_NETWORK_KEYS[name]: value(row) for name, row in networks.items()}
        for setting, networks in by_setting.items()
    }


def _at_each_position(row: dict) -> dict[int, float]:
    """Return the mean share of right answers at each position that was tested."""
    return {place: share[0] for place, share in enumerate(row["by_place"], 1) if share}


def _beyond(row: dict | None) -> float | None:
    """Return an MLP's share of right answers at positions without words in training."""
    return row and float(np.mean([share for share, *_ in row["by_place"][PLACES:]]))


def table(rows):
    """Tabulate each network's share of right answers, by setting."""
    return crossed(
        rows,
        "network",
        "setting",
        lambda some: f"{Estimate.mean(some[0]['each'], SHARE):.2f}",
    )


def _at_an_edge(tried: Sequence[float]) -> bool:
    """Return whether the first or the last of the rates was clearly the best."""
    neighbours = {0: 1, len(tried) - 1: len(tried) - 2} if len(tried) > 1 else {}
    best = int(np.argmax(tried)) if neighbours else None
    return best in neighbours and tried[best] - tried[neighbours[best]] > _CLEARLY


def plot(rows):
    """Draw the share of right answers by the position of the year.

    The MLP on embedded words is only in the table: its lines would cover those of the other MLP.
    """
    networks, told = list(grouped(rows, "network")), []
    by_setting = grouped([row for row in rows if row["network"] != EMBEDDED], "setting")
    with style():
        figure, grid = subplots(1, len(by_setting), height=3.4, sharey=True, squeeze=False)
        for axes, (setting, each) in zip(grid[0], by_setting.items(), strict=True):
            said = []
            for row in each:
                asked = [(t, share) for t, share in enumerate(row["by_place"], 1) if share]
                places = np.array([place for place, _ in asked])
                # an interval must not leave the range of a share
                mean, low, high = np.clip([share for _, share in asked], 0, 1).T
                look = _LOOKS[networks.index(row["network"])]
                axes.fill_between(places, low, high, color=look["color"], alpha=BAND, linewidth=0)
                axes.plot(places, mean, **look, markersize=4.5, label=row["network"])
                said.append(f"{row['network']} {number(mean[0])} to {number(mean[-1])}")
            axes.set_title(textwrap.fill(_TITLES[setting], 16))
            axes.xaxis.set_major_locator(
                FixedLocator(places if len(places) < 7 else places[[0, *range(4, len(places), 5)]])
            )
            axes.set_ylim(-0.04, 1.04)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            told.append(
                f"{_TITLES[setting].capitalize()}, positions {places[0]} to {places[-1]}: "
                f"{', '.join(said)}"
            )
        grid[0][0].set_ylabel("right answers")
        figure.supxlabel("position of the year", size=11)
        named = grid[0][0].get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=4, columnspacing=1.2)
    return Plot(figure, f"Right answers by the position of the year. {'. '.join(told)}.")


_SETTINGS = {"fillers": 30, "n_h": 50, "batch_size": 64, "test": 4000}


@experiment(
    claim="Weights that are shared by all positions let a model generalize to positions and to "
    "lengths that it has not seen; with separate weights for each position, it must learn the "
    "rule again at each.",
    source="Goodfellow et al. 10.0, Favaro slide 3 (P1)",
    quick={
        "seeds": 3,
        "choosing": 0,
        **_SETTINGS,
        "steps": 250,
        "etas": {MLP: [0.03], RNN: [0.03]},
        "settings": [HALF],
    },
    full={
        "seeds": 10,
        "choosing": 3,
        **_SETTINGS,
        "steps": 500,
        "etas": {kind: [0.003, 0.01, 0.03, 0.1] for kind in (MLP, EMBEDDED, CONV, RNN, GRU)},
        "settings": [HALF, ALL, LENGTH],
    },
    numbers=numbers,
    headline=(
        "rnn",
        "difference in the share of right answers, RNN minus MLP, years later in the sentence than "
        "in training",
    ),
    finding="At positions and lengths that they never saw, networks with shared weights beat an "
    "MLP, but not all of them learn the rule.",
    verdict=[
        (
            lambda n: n.least_gained > 0 and n.not_learned,
            "Holds if it means that sharing makes generalization possible, not that it makes it "
            "certain.",
        )
    ],
    saw=[
        "Chance is {chance:g}. On new sentences of the kind they were trained on, all networks are "
        "right in at least {least_seen:.1%} of the cases. Of the networks with shared weights, "
        f"these are right in fewer than {_LEARNED:.0%} of the cases that training left out: "
        f"{{not_learned}}.",
        (
            lambda n: n.beyond is not None,
            f"In longer sentences, the MLP has no trained weights beyond position {PLACES}, and "
            "there it is right in {beyond:.0%} of the cases.",
        ),
        (lambda n: n.edges, "A rate beyond those that we tried might be better for {edges}."),
    ],
    table={"Share of right answers where training had none": table},
    caveats=[
        "Each rate was chosen on separate seeds, but by a test like the reported one, at positions "
        "or lengths that training left out. So these are shares that a network can reach. Somebody "
        "who may look only at the positions of training might choose a worse rate. Recurrent "
        "matrices start small, as PyTorch's do. We didn't try an initialization that preserves "
        "norms, which might help the RNN."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks to name the year in a sentence, and move the year.

    There are 20 years and 30 other words. In two settings, sentences have ten words. All years, or
    only half of them, are restricted to the first five positions in training and are tested at the
    other five. In the third setting, networks are trained on 5 to 10 words and tested on 15.
    The networks have 50 tanh units: an MLP on all words at once, an MLP on embedded words, a
    convolution over three words with max pooling, an RNN, and a GRU. Each uses the one of four
    learning rates that is best in the same kind of test on 3 other seeds.
    """
    return [
        _row(kind, setting, etas, config, seeds)
        for setting in config["settings"]
        for kind, etas in config["etas"].items()
    ]


def _row(kind: str, setting: str, etas: Sequence[float], config: dict, seeds) -> dict:
    """Choose a learning rate on other seeds, and measure the networks trained with it."""
    seen, new = pairs(setting)
    lengths = _SHORTEST if setting == LENGTH else PLACES, max(seen.shape[1], new.shape[1])
    choosing_seeds = separate(config["choosing"])
    eta = etas[0]
    tried = []
    if choosing_seeds:
        net, params = train(kind, seen, *lengths, list(product(etas, choosing_seeds)), config)
        found = np.nanmean(measure(net, params, new, config), axis=1)
        tried = found.reshape(len(etas), -1).mean(axis=1)
        eta = etas[int(tried.argmax())]
    net, params = train(kind, seen, *lengths, [(eta, seed) for seed in seeds], config)
    known, by_place = (measure(net, params, allowed, config) for allowed in (seen, new))
    each = np.nanmean(by_place, axis=1)
    mean, low, high = mean_interval(each)
    return {
        "setting": setting,
        "network": kind,
        "eta": eta,
        "parameters": sum(p[0].size for p in params.values()),
        "seen": float(np.nanmean(known)),
        "new": mean,
        "low": low,
        "high": high,
        "each": each,
        "by_place": [
            None if np.isnan(shares).any() else mean_interval(shares) for shares in by_place.T
        ],
        "tried": tried,
    }
