"""What does squared error say where the next value may go two ways? (section 10.2.3)"""

from collections.abc import Sequence
from math import log, pi

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import character_model, number_model
from rnn_helpers.training import fit

T = 20
NOISE = 0.05
ENTROPY = log(2) + (log(2 * pi * NOISE**2) + 1) / 2  # of two branches that hardly overlap, in nats
EDGES = np.linspace(-1.25, 1.25, 51)  # of the classes
NEAR = 3 * NOISE
MEAN = "squared error, its prediction"
UNIT = "squared error, drawn with variance 1"
FITTED = "squared error, drawn with the variance that fits"
CLASSES = "50 classes, drawn"
WAYS = [MEAN, UNIT, FITTED, CLASSES]


def numbers(rows):
    """Values that could have followed, what the true ones cost, and what a prediction is."""
    ways = grouped(rows, "way")
    near = {way: Estimate.mean((row["near"] for row in mine), (0, 1)) for way, mine in ways.items()}
    return {
        "entropy": ENTROPY,
        "prediction": near[MEAN],
        "says": Estimate.mean(row["between"] for row in ways[MEAN]),
        "gain": near[CLASSES],
        "best": near[FITTED],
        "edges": listed(
            "{0} ({1[0][eta]:g})", ((w, m) for w, m in ways.items() if m[0]["at_edge"])
        ),
    }


def table(rows):
    """Tabulate the share of values that could have followed, and what the true ones cost."""
    return [
        {
            "method": way,
            "could have followed": f"{Estimate.mean((r['near'] for r in mine), (0, 1)):.2f}",
        }
        | ({} if way == MEAN else {"nats": f"{Estimate.mean(row['nats'] for row in mine):.2f}"})
        for way, mine in grouped(rows, "way").items()
    ]


def plot(rows):
    """Draw the share of values that could have followed, by what they are drawn from."""
    return claim_intervals(
        {
            way: Estimate.mean((row["near"] for row in mine), (0, 1))
            for way, mine in grouped(rows, "way").items()
        },
        xlabel="share of values that could have followed",
    )


@experiment(
    claim="Squared error is the loss of a Gaussian: if the next value can go two ways, the "
    "prediction lies between them, where no value ever follows. Probabilities of classes can "
    "represent both ways.",
    source="ours, prompted by Goodfellow et al. 10.2.3 (P60, E-66)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "n_h": 12,
        "batch_size": 16,
        "steps": 150,
        "sequences": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.003, 0.01, 0.03, 0.1],
        "n_h": 16,
        "batch_size": 16,
        "steps": 600,
        "sequences": 200,
    },
    numbers=numbers,
    headline=("prediction", "share of predictions by squared error that could have followed"),
    finding=[
        (
            lambda n: n.prediction.value == 0,
            "If the next value may go two ways, the prediction by squared error lies between them, "
            "where no value ever follows.",
        ),
        (
            lambda n: True,
            "If the next value may go two ways, the prediction by squared error lies between them, "
            "and {prediction.value:.0%} of these predictions could have followed.",
        ),
    ],
    verdict=[
        (
            lambda n: n.prediction.high < 0.1 and n.gain.low > max(0.8, n.best.high),
            "Holds. Of the numbers drawn from 50 classes, {gain.value:.0%} could have followed.",
        ),
    ],
    saw=[
        "One branch lies half above and the other half below a point between them, and the "
        "prediction is {says:.3f} from that point. Nats of a density may be negative, and the "
        "entropy of a true number is {entropy:.2f} nats.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Values that could have followed, and the cost of the true ones": table},
    caveats=[
        "A class doesn't say where in it a number lies, which costs the rest. A mixture of "
        "Gaussians would give both branches too; we didn't try it."
    ],
    plot=plot,
)
def run(config, seeds):
    """Draw series of 20 numbers: half of the one before, plus or minus a half by a fair coin, and a
    little noise of deviation 0.05. Train networks of 16 tanh units with Adam for 600 steps to say
    the next number, by squared error; or in which of 50 classes of equal width it lies, by
    cross-entropy, each at the rate with which a new number costs least on 2 other seeds. The first
    is charged, and draws, as a Gaussian of variance 1, which is what squared error means, or of
    that variance which suits its errors best; the second evenly within a class. What is said, or
    drawn, could have followed if it lies within three deviations of one of the two branches.
    """

    def score(tries, others):
        found = {}
        for way, mine in grouped(({"way": w, "eta": eta} for w, eta in tries), "way").items():
            etas = [row["eta"] for row in mine]
            cost = _tested(way, etas, others, config)[0]["nats"].reshape(len(etas), -1)
            found |= zip(((way, eta) for eta in etas), -cost, strict=True)
        return [found[one] for one in tries]

    ladders = dict.fromkeys((FITTED, CLASSES), config["etas"])
    chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
    rows = []
    for way, choice in chosen.items():
        rows += [
            {"way": name, "seed": seed, "eta": choice.setting, "at_edge": choice.at_edge}
            | {column: values[s] for column, values in found.items() if column != "way"}
            for found in _tested(way, [choice.setting], seeds, config)
            for name in [found["way"]]
            for s, seed in enumerate(seeds)
        ]
    return sorted(rows, key=lambda row: WAYS.index(row["way"]))


def series(n_steps: int, size: int, seed) -> np.ndarray:
    """Series (n_steps + 1, size) that go one way or the other at every step, from 0."""
    rng = np.random.default_rng(seed)
    y = np.zeros((n_steps + 1, size))
    for t in range(n_steps):
        turn = rng.choice([-0.5, 0.5], size)
        y[t + 1] = y[t] / 2 + turn + NOISE * rng.normal(size=size)
    return y


def _several(size, seeds):
    while True:
        yield np.stack([series(T, size, rng) for rng in seeds], axis=1).astype(np.float32)


def _class(y):
    return np.clip(np.searchsorted(EDGES, y) - 1, 0, len(EDGES) - 2)


def _tested(way: str, etas: Sequence[float], seeds: Sequence[int], config: dict) -> list[dict]:
    """What networks of each rate and seed say, charge and draw: a dict for each way to read it."""
    each = [seed for _ in etas for seed in seeds]
    classes = way == CLASSES
    model = character_model() if classes else number_model()
    rngs = [np.random.default_rng([seed, 2]) for seed in each]
    made = fit(
        model,
        init_rnn(
            1,
            config["n_h"],
            len(EDGES) - 1 if classes else 1,
            seed=[np.random.default_rng([seed, 1]) for seed in each],
            dtype=np.float32,
        ),
        (
            (y[:-1, ..., None], _class(y[1:]) if classes else y[1:])
            for y in _several(config["batch_size"], rngs)
        ),
        steps=config["steps"],
        optimizer=AdamEach(np.repeat(etas, len(seeds)), config["steps"]),
        clip=1.0,
    )
    test = next(_several(config["sequences"], [[seed, 3] for seed in each]))
    o = rnn_forward(made.params, test[:-1, ..., None]).o.astype(float)
    rng = np.random.default_rng(0)
    before, after = test[:-1].astype(float), test[1:].astype(float)
    return _of_classes(o, before, after, rng) if classes else _of_means(o, before, after, rng)


def _of_classes(o, before, after, rng):
    p = np.exp(o - o.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    width = EDGES[1] - EDGES[0]
    chosen = np.take_along_axis(p, _class(after)[..., None], axis=-1)[..., 0]
    place = (rng.random((*p.shape[:-1], 1)) > p.cumsum(axis=-1)).sum(axis=-1)
    drawn = EDGES[np.minimum(place, len(EDGES) - 2)] + width * rng.random(place.shape)
    return [
        {
            "way": CLASSES,
            "near": near(drawn, before),
            "nats": -np.log(chosen / width).mean(axis=(0, 2)),
            "between": _off(drawn, before),
        }
    ]


def _of_means(o, before, after, rng):
    said = o[..., 0]
    squares = ((after - said) ** 2).mean(axis=(0, 2))
    noise = rng.normal(size=said.shape)
    rows = [{"way": MEAN, "near": near(said, before), "nats": np.full(len(squares), np.nan)}]
    for way, variance in {UNIT: np.ones_like(squares), FITTED: squares}.items():
        drawn = said + np.sqrt(variance)[:, None] * noise
        charged = squares / variance / 2 + np.log(2 * pi * variance) / 2
        rows.append({"way": way, "near": near(drawn, before), "nats": charged})
    for row in rows:
        row["between"] = _off(said, before)
    return rows[::-1]  # the one that a rate is chosen by comes first


def near(said: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Share of values (T, S, B) that could have followed those before them, for each of S."""
    off = np.abs(np.abs(said - before / 2) - 0.5)
    return (off < NEAR).mean(axis=(0, 2))


def _off(said, before):
    """Mean distance of what is said from the middle between the two branches."""
    return np.abs(said - before / 2).mean(axis=(0, 2))
