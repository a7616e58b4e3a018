"""What stood in a gap, and what does it cost to know? (section 10.2.3)"""

from collections.abc import Callable, Sequence

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.sequences import learned, log_probabilities
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.tasks import NoisyParity
from rnn_helpers.training import fit

SOURCE = NoisyParity()
T = 16
BEST = "all ways to fill it, by the source"
EXACT = "all ways to fill it"
FORWARD = "from left to right"
GIBBS = "drawn again and again"
BOTH = "a network that reads both ways"
WAYS = [BEST, EXACT, FORWARD, GIBBS, BOTH]
_NAMES = {EXACT: "all ways", FORWARD: FORWARD, GIBBS: "Gibbs sampling", BOTH: "reads both ways"}
_TEST = 500  # sequences on which a rate is chosen


def numbers(rows):
    """Bits that are right, by the way to fill a gap and its length, and what each way costs."""
    cells = grouped(rows, "way", "gap")
    gaps = sorted({gap for _, gap in cells})
    right = {
        way: {gap: Estimate.mean((row["right"] for row in cells[way, gap]), (0, 1)) for gap in gaps}
        for way in WAYS
    }

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
        "told": listed(
            "{} {}",
            (
                (way, "/".join(f"{each.value:.3f}" for each in by_gap.values()))
                for way, by_gap in right.items()
            ),
            "; ",
        ),
        "gaps": listed("{}", ([gap] for gap in gaps), "/"),
        "edges": listed(
            "{} ({:g})",
            {(row["way"], row["eta"]) for row in rows if row["at_edge"] and row["gap"] == longest},
        ),
    }


def plot(rows):
    """Draw the share of bits that are right over the length of the gap, for each way to fill it.

    What can be known at most is left out, where it cannot be told from all ways to fill a gap.
    """
    curves = {
        _NAMES[way]: [
            {"gap": gap}
            | dict(
                zip(
                    ("right", "low", "high"),
                    Estimate.mean((row["right"] for row in each), (0, 1)),
                    strict=True,
                )
            )
            for gap, each in grouped(mine, "gap").items()
        ]
        for way, mine in grouped(rows, "way").items()
        if way != BEST
    }
    return claim_curves(
        curves,
        "gap",
        "right",
        xlabel="bits that are missing",
        ylabel="share that is right",
        marks=[(0.5, "a coin")],
    )


@experiment(
    claim="It is hard for a recurrent network to tell what is missing in the middle of a sequence.",
    source="Goodfellow et al. 10.2.3 (P11)",
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
        "of {longest} missing bits, the share that more are right by all ways than from the left",
    ),
    verdict=[
        (
            lambda n: min(n.lost.low, n.gibbs.low) > 0.05 > n.both.high,
            "holds if the network reads one way: of {longest} missing bits "
            "{right[all ways to fill it]:.2f} are right by the probabilities of all "
            "{cost[all ways to fill it]} ways, which is as many as can be, and "
            "{right[from left to right]:.2f} from left to right; a network that reads both ways, "
            "and has learned to fill gaps, reads once and has "
            "{right[a network that reads both ways]:.2f}",
        ),
        (lambda n: min(n.lost.low, n.gibbs.low, n.both.low) > 0.05, "holds"),
    ],
    saw=[
        "Share of bits that are right if {gaps} are missing: {told}. A sequence costs the networks "
        "{nats:.2f} nats, of an entropy of {entropy:.2f}.",
        (
            lambda n: n.gibbs.low > n.lost.high,
            "Gibbs sampling, with {cost[drawn again and again]} probabilities for {longest} bits, "
            "is the worst: one bit alone can hardly turn where four others would have to turn with "
            "it, so that it seldom leaves where it began.",
        ),
        (
            lambda n: n.single.low > 0.05,
            "Of single bits the network that reads both ways has {single:.2f} fewer right: it has "
            "to learn for itself what the other works out.",
        ),
        (lambda n: n.edges, "Best at the edge of what was tried: {edges}."),
    ],
    caveats=[
        "One source, in which every bit depends on others so strongly that Gibbs sampling has it "
        "hard; with more sweeps it would come nearer, at a cost that soon is that of all ways. The "
        "networks have learned the source almost exactly: what filling costs one that has not, "
        "this does not say. The conditions of the verdict were written after a first look."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks of 24 tanh units with Adam, 1500 steps on minibatches of 50, to say the next
    of 16 bits, each the parity of the four before it but for a tenth; take out 1 to 10 bits in the
    middle of 100 new sequences, and let each network fill them: by the probabilities of all ways to
    do so; from left to right, each bit the likelier after what stands before it; and by Gibbs
    sampling, 50 times over all bits. Others of 24 units in each direction read what is there from
    both sides, and were trained to fill gaps of 1 to 10 bits. Rates are those with which a
    sequence, or a gap, costs least on 2 other seeds. How much can be known at most, the source
    says.
    """

    def score(tries, others):
        found = {}
        for way, mine in grouped(({"way": w, "eta": eta} for w, eta in tries), "way").items():
            etas = [row["eta"] for row in mine]
            costs = _TRAIN[way](etas, others, config)[1].reshape(len(etas), -1)
            found |= zip(((way, eta) for eta in etas), -costs, strict=True)
        return [found[one] for one in tries]

    ladders = dict.fromkeys([EXACT, BOTH], config["etas"])
    chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
    made = {way: _TRAIN[way]([choice.setting], seeds, config) for way, choice in chosen.items()}
    (params, nats), (both, _) = made[EXACT], made[BOTH]
    y = next(SOURCE.batches(T, config["sequences"], [[seed, 4] for seed in seeds]))

    def network(sequences):
        return log_probabilities(params, sequences).sum(axis=0)

    rows = []
    for gap in config["gaps"]:
        missing = (T - gap) // 2 + np.arange(gap)
        fills = {
            BEST: (enumerated(SOURCE.log_probability, y, missing), 2**gap),
            EXACT: (enumerated(network, y, missing), 2**gap),
            FORWARD: (from_left(params, y, missing), 2 * gap),
            GIBBS: (
                drawn_again(network, y, missing, config["sweeps"], 0),
                2 * gap * config["sweeps"],
            ),
            BOTH: (both(y, missing), 1),
        }
        for way, (said, evaluations) in fills.items():
            right = (said == y[missing]).mean(axis=(0, 2))
            choice = chosen[BOTH if way == BOTH else EXACT]
            rows += [
                {"way": way, "gap": gap, "seed": seed, "right": share, "evaluations": evaluations}
                | {"nats": cost, "eta": choice.setting, "at_edge": choice.at_edge}
                for seed, share, cost in zip(seeds, right, nats, strict=True)
            ]
    return sorted(rows, key=lambda row: WAYS.index(row["way"]))


def _one_way(etas: Sequence[float], seeds: Sequence[int], config: dict) -> tuple:
    """Networks that say the next bit, for each rate and seed, and what a sequence costs them."""
    each = [seed for _ in etas for seed in seeds]
    batches = SOURCE.batches(T, config["batch_size"], [[seed, 2] for seed in each])
    params = learned(batches, np.repeat(etas, len(seeds)), each, config)
    test = SOURCE.sample(T, _TEST, np.random.default_rng([seeds[0], 3]))
    return params, -log_probabilities(params, test).sum(axis=0).mean(axis=-1)


def _both_ways(etas: Sequence[float], seeds: Sequence[int], config: dict) -> tuple:
    """What fills gaps by networks that read both ways, and what a bit costs these."""
    from rnn_helpers.nets import BothWays

    each = [seed for _ in etas for seed in seeds]
    net = BothWays(3, config["n_h"], 2, each, "leaky")
    rngs = [np.random.default_rng([seed, 5]) for seed in each]
    sequences = SOURCE.batches(T, config["batch_size"], [[seed, 2] for seed in each])
    made = fit(
        net.loss_and_grads,
        net.params(),
        (_with_gaps(y, rngs, config) for y in sequences),
        steps=config["steps"],
        optimizer=AdamEach(np.repeat(etas, len(seeds)), config["steps"]),
        clip=1.0,
    )
    test = next(SOURCE.batches(T, _TEST, [[seeds[0], 3]] * len(each)))
    others = [np.random.default_rng([seeds[0], 6]) for _ in each]
    cost, _ = net.loss_and_grads(made.params, _with_gaps(test, others, config))

    def fill(y, missing):
        x = y.copy()
        x[missing] = 2
        return net.outputs(made.params, x).argmax(axis=-1)[missing]

    return fill, cost


_TRAIN: dict[str, Callable] = {EXACT: _one_way, BOTH: _both_ways}


def _with_gaps(y, rngs, config):
    """A minibatch for those who read both ways: gaps of every length, anywhere; the bits; where."""
    longest = max(config["gaps"])
    gap = np.stack([rng.integers(1, longest + 1, size=y.shape[2]) for rng in rngs])
    first = np.stack([rng.random(y.shape[2]) for rng in rngs]) * (T - gap + 1) // 1
    t = np.arange(T)[:, None, None]
    missing = (t >= first) & (t < first + gap)
    return np.where(missing, 2, y), y, missing


def enumerated(log_probability: Callable, y: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Fill the same gaps in sequences (T, S, B), each bit by the probabilities of all ways.

    As `rnn_helpers.reference.exact_filling`, for many networks at once; a log-probability takes
    sequences (T, S, n) to (S, n). Of equals, 0 is said. Returns bits (m, S, B).
    """
    ways = np.indices((2,) * len(missing)).reshape(len(missing), 1, -1)
    said = np.empty((len(missing), *y.shape[1:]), int)
    for k in range(y.shape[2]):
        whole = np.repeat(y[:, :, k, None], ways.shape[2], axis=2)
        whole[missing] = ways
        log_p = log_probability(whole)
        p = np.exp(log_p - log_p.max(axis=-1, keepdims=True))
        said[..., k] = (p * (2 * ways - 1)).sum(axis=-1) > 0
    return said


def from_left(params: dict, y: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Fill gaps in sequences (T, S, B), each with the likelier bit after what stands before it."""
    y = y.copy()
    for place in missing:
        y[place] = 1
        y[place] = log_probabilities(params, y[: place + 1])[place] > np.log(0.5)
    return y[missing]


def drawn_again(
    log_probability: Callable, y: np.ndarray, missing: np.ndarray, sweeps: int, seed: int
) -> np.ndarray:
    """Fill gaps in sequences (T, S, B) by Gibbs sampling: what was drawn in most of the sweeps.

    As `rnn_helpers.reference.gibbs_filling`, for many networks at once; the first tenth does not
    count.
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
