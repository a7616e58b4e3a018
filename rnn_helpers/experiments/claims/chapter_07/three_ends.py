"""Which generators end where their sequences end? (section 10.2.3)"""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.plots import claim_intervals
from rnn_helpers.tasks import Ends
from rnn_helpers.training import fit

SOURCE = Ends()
SYMBOL = "a symbol for the end"
COIN = "a coin at every step"
EARLY = "a coin, thrown before the symbol is heard"
LENGTH = "the length first, not told"
TOTAL = "the length first, told it"
LEFT = "the length first, told what is left"
WAYS = {
    SYMBOL: "symbol",
    COIN: "coin",
    EARLY: "early coin",
    LENGTH: "length",
    TOTAL: "total",
    LEFT: "left",
}
MOST = 40  # symbols after which a sequence is given up


def numbers(rows):
    """Sequences that end properly, what they cost, and how far their lengths are from the true."""
    ways = grouped(rows, "way")
    proper = {
        way: Estimate.mean((row["proper"] for row in mine), (0, 1)) for way, mine in ways.items()
    }
    good = [way for way in ways if way not in (LENGTH, EARLY)]
    return {
        "entropy": SOURCE.entropy,
        "proper": proper,
        "abrupt": proper[LENGTH],
        "early": proper[EARLY],
        "worst": min((proper[way] for way in good), key=lambda one: one.low),
        "edges": listed(
            "{0} ({1[0][eta]:g})", ((w, m) for w, m in ways.items() if m[0]["at_edge"])
        ),
    }


def table(rows):
    """Tabulate how sequences end, what they cost, and how far their lengths are from the true."""
    return [
        {
            "way to end": way,
            "end properly": f"{Estimate.mean((row['proper'] for row in mine), (0, 1)):.3f}",
            "nats per sequence": f"{Estimate.mean(row['nats'] for row in mine):.2f}",
            "divergence of the lengths in nats": f"{Estimate.mean(row['kl'] for row in mine):.3f}",
        }
        for way, mine in grouped(rows, "way").items()
    ]


def plot(rows):
    """Draw the share of sequences that end properly, for all ways to stop."""
    return claim_intervals(
        {
            way: Estimate.mean((row["proper"] for row in mine), (0, 1))
            for way, mine in grouped(rows, "way").items()
        },
        xlabel="share of sequences that end properly",
    )


@experiment(
    claim="If the length of a sequence is drawn first, the generator must be given it, or its "
    "sequences end abruptly; with a symbol for the end, or a coin at every step, the generator "
    "itself decides when to stop.",
    source="Goodfellow et al. 10.2.3 (P54, E-73)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "ways": list(WAYS),
        "n_h": 12,
        "batch_size": 16,
        "steps": 120,
        "written": 500,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.01, 0.03, 0.1, 0.3],
        "ways": list(WAYS),
        "n_h": 16,
        "batch_size": 32,
        "steps": 600,
        "written": 2000,
    },
    numbers=numbers,
    headline=(
        "abrupt",
        "share of sequences that end properly if the length is drawn first and not given",
    ),
    finding="If the length is drawn first and the network isn't given it, {abrupt.value:.0%} of "
    "the sequences end properly; with a symbol for the end, "
    "{proper[a symbol for the end].value:.0%} do.",
    verdict=[
        (
            lambda n: max(n.abrupt.high, n.early.high) < 0.5 and n.worst.low > 0.9,
            "Holds if the coin is thrown after the last symbol has been read. Otherwise only "
            "{early.value:.0%} of the sequences end properly.",
        ),
    ],
    saw=[
        "With all other ways, {worst:.2f} or more of the sequences end properly. The entropy of a "
        "sequence is {entropy:.2f} nats.",
        (
            lambda n: n.abrupt.high < 0.25,
            "A network that isn't given the length outputs z where a sequence may end, and is "
            "stopped somewhere else: of eight lengths it hits one. A coin that is thrown together "
            "with a symbol doesn't depend on that symbol, and does no better.",
        ),
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"How the sequences end": table},
    caveats=[
        "The sequences are so simple that every network learns them, so they don't show which way "
        "is best for harder ones. The source doesn't say whether the coin is thrown before or "
        "after the symbol is read. That it matters is our result."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks of 16 tanh units with Adam, 600 steps on minibatches of 32, on sequences of
    two letters that take turns and a z that ends them, all lengths from 3 to 10 equally likely:
    with a symbol for the end; with a coin at every step, thrown after the last symbol is heard or
    before; and with the length drawn first, of which the steps hear nothing, how much it is, or
    how much is left. The rate of each is that with which a sequence costs least on 2 other seeds.
    Each network writes 2000 sequences; one ends properly if its letters take turns and its z is the
    last.
    """

    def score(tries, others):
        by_way = grouped(({"way": way, "eta": eta} for way, eta in tries), "way")
        found = {}
        for way, mine in by_way.items():
            etas = [row["eta"] for row in mine]
            costs = _nats(*_train(way, etas, others, config)).reshape(len(etas), -1)
            found |= zip(((way, eta) for eta in etas), -costs, strict=True)
        return [found[one] for one in tries]

    ladders = dict.fromkeys(config["ways"], config["etas"])
    chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
    rows = []
    for way, choice in chosen.items():
        net, params = _train(way, [choice.setting], seeds, config)
        y, lengths = net.write(params, config["written"], [[seed, 3] for seed in seeds], MOST)
        ended = lengths <= MOST
        proper = ended & SOURCE.proper(y, np.minimum(lengths, MOST))
        for seed, *each in zip(
            seeds, _nats(net, params), proper.mean(axis=1), ended.mean(axis=1), lengths, strict=True
        ):
            rows.append(
                {"way": way, "seed": seed, "eta": choice.setting, "at_edge": choice.at_edge}
                | dict(zip(("nats", "proper", "ended"), each, strict=False))
                | {"kl": divergence(each[-1])}
            )
    return rows


def _train(way: str, etas: Sequence[float], seeds: Sequence[int], config: dict) -> tuple:
    """A network for each rate and seed, and its parameters."""
    from rnn_helpers.nets import Stopping

    each = [seed for _ in etas for seed in seeds]
    net = Stopping(SOURCE.n_y, config["n_h"], each, WAYS[way], SOURCE.longest)
    made = fit(
        net.loss_and_grads,
        net.params(),
        SOURCE.batches(config["batch_size"], [[seed, 2] for seed in each]),
        steps=config["steps"],
        optimizer=AdamEach(np.repeat(etas, len(seeds)), config["steps"]),
        clip=1.0,
    )
    return net, made.params


def _nats(net, params) -> np.ndarray:
    """What a sequence costs each network, its end included: the mean over all that there are."""
    y, lengths, p = SOURCE.sequences()
    return -(net.log_probability(params, y, lengths) * p).sum(axis=1)


def divergence(lengths: np.ndarray) -> float:
    """Kullback-Leibler divergence of the lengths that were written from the true ones, in nats.

    Half a sequence is added to each count, so that a length that was never written costs much, but
    not everything.
    """
    counts = np.bincount(lengths, minlength=SOURCE.longest + 1) + 0.5
    p, q = SOURCE.probabilities, (counts / counts.sum())[SOURCE.lengths]
    return float((p * np.log(p / q)).sum())
