"""How well can a network fill a gap in a sequence, and at what cost? (section 10.2.3)"""

from collections.abc import Callable

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.sequences import learned, log_probabilities
from rnn_helpers.experiments.shares import share_right, tabulate_right
from rnn_helpers.experiments.words import AT_EDGES, Estimate, grouped, listed, where
from rnn_helpers.tasks import NoisyParity

SOURCE = NoisyParity()
T = 16
BEST = "all ways to fill it, by the source"
EXACT = "all ways to fill it"
FORWARD = "from left to right"
GIBBS = "drawn again and again"
BOTH = "a network that reads both ways"
WAYS = [BEST, EXACT, FORWARD, GIBBS, BOTH]
_NAMES = {EXACT: "all ways", FORWARD: FORWARD, GIBBS: "Gibbs sampling", BOTH: "bidirectional"}
_LABELS = {
    BEST: "all ways, true probabilities",
    EXACT: "all ways",
    FORWARD: FORWARD,
    GIBBS: "Gibbs sampling",
    BOTH: "bidirectional",
}
_TEST = 500  # sequences on which a rate is chosen


def numbers(rows):
    """Estimate the share of bits that are right, by the way to fill a gap and its length."""
    cells = grouped(rows, "way", "gap")
    gaps = sorted({gap for _, gap in cells})
    right = {way: {gap: share_right(cells[way, gap]) for gap in gaps} for way in WAYS}

    def more(one, other, gap):
        pairs = zip(cells[one, gap], cells[other, gap], strict=True)
        return Estimate.mean((a["right"] - b["right"] for a, b in pairs), (-1, 1))

    longest = gaps[-1]
    return {
        "longest": longest,
        "right": {way: by_gap[longest] for way, by_gap in right.items()},
        "lost": more(EXACT, FORWARD, longest),
        "below": more(BEST, EXACT, longest),
        "gibbs": more(EXACT, GIBBS, longest),
        "both": more(EXACT, BOTH, longest),
        "single": more(EXACT, BOTH, gaps[0]),
        "cost": {way: cells[way, longest][0]["evaluations"] for way in WAYS},
        "nats": Estimate.mean(row["nats"] for row in cells[EXACT, longest]),
        "entropy": SOURCE.entropy(T),
        "edges": listed(
            "{} ({:g})",
            {(row["way"], row["eta"]) for row in rows if row["at_edge"] and row["gap"] == longest},
        ),
    }


def table(rows):
    """Tabulate the share of missing bits that are right, by way and size of the gap."""

    rows = [row | {"way": _LABELS[row["way"]]} for row in rows]
    return tabulate_right(
        rows, "way", "gap", digits=3, heading="way to fill the gap", each="{} missing"
    )


def data(rows):
    """Return the share of bits filled correctly over the length of the gap, by way to fill it.

    The curve for the true source would cover the one for all ways to fill a gap, so it is left out.
    """
    curves = {
        _NAMES[way]: [
            {"gap": gap, **share_right(each)._asdict()}
            for gap, each in grouped(mine, "gap").items()
        ]
        for way, mine in grouped(rows, "way").items()
        if way != BEST
    }
    return claim_curves(
        curves,
        "gap",
        "value",
        question="How many missing bits does each way fill correctly?",
        xlabel="missing bits",
        ylabel="bits filled correctly",
        unit="of the bits are right",
        spread=INTERVAL,
        share=True,
        marks=[(0.5, "guessing")],
    )


@experiment(
    claim="It is hard for a recurrent network to fill in the missing middle of a sequence.",
    short="It is hard to fill in the missing middle of a sequence",
    source="Goodfellow et al. 10.2.3",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "n_h": 16,
        "batch_size": 40,
        "steps": 500,
        "gaps": [1, 10],
        "sequences": 40,
        "sweeps": 10,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.01, 0.03, 0.1, 0.3],
        "n_h": 24,
        "batch_size": 50,
        "steps": 1500,
        "gaps": [1, 4, 7, 10],
        "sequences": 100,
        "sweeps": 50,
    },
    numbers=numbers,
    headline=(
        "lost",
        "difference in the share of {longest} missing bits that are right, all ways to fill the "
        "gap weighed minus left to right",
    ),
    finding={
        "holds in part": "A network that fills a gap of {longest} bits from left to right gets "
        "{right[from left to right].value:.0%} of the bits right; a bidirectional network gets "
        "{right[a network that reads both ways].value:.0%}.",
        "holds": "No network fills a gap of {longest} bits as well as if all ways to fill it are "
        "weighed.",
        "does not hold": "A network that reads in one direction fills a gap of {longest} bits as "
        "well as if all ways to fill it are weighed.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.lost.low > 0.05 and n.gibbs.low > 0.05 and n.both.low > 0.05,
            "Holds. From left to right, {right[from left to right].value:.0%} of the missing bits "
            "are right.",
        ),
        in_part=(
            lambda n: n.lost.low > 0.05 and n.gibbs.low > 0.05 > n.both.high,
            "Holds in part, if the network reads in one direction. To do as well as possible, it "
            "has to weigh all {cost[all ways to fill it]:,} ways to fill the gap.",
        ),
        fails=(
            lambda n: n.lost.high < 0.05 or n.gibbs.high < 0.05,
            "Does not hold. From left to right, {right[from left to right].value:.0%} of the "
            "missing bits are right, and {right[drawn again and again].value:.0%} by Gibbs "
            "sampling.",
        ),
    ),
    taught=lambda n: n.lost.low > 0.05,
    saw=[
        "The networks have learned the source well. Their loss is {nats.value:.2f} nats per "
        "sequence, and the entropy of a sequence is {entropy:.2f} nats.",
        (
            lambda n: n.gibbs.low > n.lost.high,
            "Gibbs sampling, which computes {cost[drawn again and again]:,} probabilities for "
            "{longest} bits, is the worst. A single bit can hardly change unless other bits change "
            "with it, so the sampler seldom leaves its first values.",
        ),
        (
            lambda n: n.single.low > 0.05,
            "If a single bit is missing, the bidirectional network's share of correct bits is "
            "{single:.2f} lower.",
        ),
        AT_EDGES,
    ],
    table={"Share of missing bits that are right": table},
    caveats=[
        "In this one source, every bit depends on others so strongly that Gibbs sampling is hard. "
        "With more sweeps it would come closer, but its cost would soon equal that of all ways. "
        "The networks have learned the source almost exactly, so this says nothing about networks "
        "that haven't. We wrote the conditions of the verdict when we knew the results."
    ],
    data=data,
)
def run(config, seeds):
    """Train networks of 24 tanh units to predict the next of 16 bits. The first four are fair
    coins, and each later bit equals the parity of the four before it with probability 0.9. Take 1
    to 10 bits out of the middle of 100 new sequences. Each network fills this gap in three ways:
    by the probabilities of all ways to fill it; from left to right, each time with the bit that is
    more likely after those before it; and by Gibbs sampling in 50 sweeps over the gap. Other
    networks, with 24 units in each direction, receive the known bits on both sides of the gap and
    were trained to fill gaps of 1 to 10 bits. Adam trains for 1500 steps on minibatches of 50. Each
    learning rate is the one with the smallest loss per sequence, or per gap, on 2 other seeds. The
    true probabilities of the source give the largest possible share of correct bits.
    """
    rows = Fillers().run(config, seeds)
    nats = {row["seed"]: row["nats"] for row in where(rows, way=EXACT)}
    return [row | {"nats": nats[row["seed"]]} for row in rows]


class Fillers(Contest):
    """Networks that predict the next bit, and bidirectional networks that fill gaps."""

    columns = ("way",)

    def cells(self, config):
        """Name each kind of network by one way in which it fills a gap."""
        return [(EXACT,), (BOTH,)]

    def net(self, config, cell, seeds):
        """Make bidirectional networks."""
        from rnn_helpers.nets import BothWays

        return BothWays(3, config["n_h"], 2, seeds, "leaky")

    def batches(self, config, cell, size, seeds):
        """Draw sequences with gaps."""
        rngs = generators([seed, 5] for seed, _ in seeds)
        return (_with_gaps(y, rngs, config) for y in SOURCE.batches(T, size, seeds))

    def train(self, config, cell, settings, seeds):
        """Train networks of either kind."""
        if cell == (BOTH,):
            return super().train(config, cell, settings, seeds)
        each = [seed for _ in settings for seed in seeds]
        batches = SOURCE.batches(T, config["batch_size"], [[seed, 2] for seed in each])
        return learned(batches, np.repeat(settings, len(seeds)), each, config)

    def score(self, config, cell, made, seeds):
        """Return minus the mean loss per sequence, or per bit in a gap."""
        if cell == (EXACT,):
            test = SOURCE.sample(T, _TEST, np.random.default_rng([seeds[0], 3]))
            return log_probabilities(made, test).sum(axis=0).mean(axis=-1)
        net, params = made
        test = next(SOURCE.batches(T, _TEST, [[seeds[0], 3]] * len(seeds)))
        rngs = generators([[seeds[0], 6]] * len(seeds))
        return -net.loss_and_grads(params, _with_gaps(test, rngs, config))[0]

    def rows(self, config, cell, made, seeds, scores):
        """Return the share of correct bits in gaps of each length, way by way."""
        y = next(SOURCE.batches(T, config["sequences"], [[seed, 4] for seed in seeds]))
        fill = _both_ways if cell == (BOTH,) else _one_way
        found = [
            {"way": way, "gap": gap, "seed": seed, "right": right, "evaluations": evaluations}
            | {"nats": -score}
            for gap in config["gaps"]
            for missing in [(T - gap) // 2 + np.arange(gap)]
            for way, (filled, evaluations) in fill(made, y, missing, config["sweeps"]).items()
            for seed, right, score in zip(
                seeds, (filled == y[missing]).mean(axis=(0, 2)), scores, strict=True
            )
        ]
        return sorted(found, key=lambda row: WAYS.index(row["way"]))


def _one_way(params, y, missing, sweeps):
    """Fill gaps by the source or by networks that predict the next bit, and count evaluations."""

    def network(sequences):
        return log_probabilities(params, sequences).sum(axis=0)

    gap = len(missing)
    return {
        BEST: (enumerated(SOURCE.log_probability, y, missing), 2**gap),
        EXACT: (enumerated(network, y, missing), 2**gap),
        FORWARD: (from_left(params, y, missing), 2 * gap),
        GIBBS: (drawn_again(network, y, missing, sweeps, 0), 2 * gap * sweeps),
    }


def _both_ways(made, y, missing, sweeps):
    """Fill gaps by bidirectional networks, with one evaluation."""
    net, params = made
    x = y.copy()
    x[missing] = 2
    return {BOTH: (net.outputs(params, x).argmax(axis=-1)[missing], 1)}


def _with_gaps(y, rngs, config):
    """Return a minibatch with gaps of all lengths in any place: inputs, targets and a mask."""
    longest = max(config["gaps"])
    gap = np.stack([rng.integers(1, longest + 1, size=y.shape[2]) for rng in rngs])
    first = np.stack([rng.random(y.shape[2]) for rng in rngs]) * (T - gap + 1) // 1
    t = np.arange(T)[:, None, None]
    missing = (t >= first) & (t < first + gap)
    return np.where(missing, 2, y), y, missing


def enumerated(log_probability: Callable, y: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Fill the same gaps in sequences (T, S, B), each bit by the probabilities of all ways.

    Like `rnn_helpers.reference.exact_filling`, but for many networks at once. A log-probability
    maps sequences (T, S, n) to (S, n). If both bits are equally likely, the result is 0. Return
    bits (m, S, B).
    """
    ways = np.indices((2,) * len(missing)).reshape(len(missing), 1, -1)
    filled = np.empty((len(missing), *y.shape[1:]), int)
    for k in range(y.shape[2]):
        whole = np.repeat(y[:, :, k, None], ways.shape[2], axis=2)
        whole[missing] = ways
        log_p = log_probability(whole)
        p = np.exp(log_p - log_p.max(axis=-1, keepdims=True))
        filled[..., k] = (p * (2 * ways - 1)).sum(axis=-1) > 0
    return filled


def from_left(params: dict, y: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Fill gaps in sequences (T, S, B), each with the more likely bit, given those before it."""
    y = y.copy()
    for place in missing:
        y[place] = 1
        y[place] = log_probabilities(params, y[: place + 1])[place] > np.log(0.5)
    return y[missing]


def drawn_again(
    log_probability: Callable, y: np.ndarray, missing: np.ndarray, sweeps: int, seed: int
) -> np.ndarray:
    """Fill gaps in sequences (T, S, B) by Gibbs sampling, with the bits drawn in most sweeps.

    Many networks are handled at once. The first tenth of the sweeps doesn't count.
    """
    rng = np.random.default_rng(seed)
    y, ones = y.copy(), np.zeros((len(missing), *y.shape[1:]))
    y[missing] = rng.integers(2, size=ones.shape)
    n = y.shape[2]
    for sweep in range(sweeps):
        for place in missing:
            both = np.concatenate([y, y], axis=2)
            both[place, :, :n], both[place, :, n:] = 0, 1
            log_p = log_probability(both)
            zero = 1 / (1 + np.exp(log_p[:, n:] - log_p[:, :n]))
            y[place] = rng.random(zero.shape) >= zero
        if sweep >= sweeps // 10:
            ones += y[missing]
    return ones > (sweeps - sweeps // 10) / 2
