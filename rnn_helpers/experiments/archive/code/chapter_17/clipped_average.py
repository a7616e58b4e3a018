"""Where does the mean of clipped minibatch gradients point, and does it matter? (10.11.1)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import SIGNED, Verdict, experiment, rate_interval
from rnn_helpers.experiments.data import Data, estimate
from rnn_helpers.experiments.success import SUCCESS, start
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.reference import clip_by_element, clip_by_norm, init_rnn, joint_norm
from rnn_helpers.tasks import Latch, accuracy, character_model, characters, minibatches
from rnn_helpers.training import SGD, fit

AT = ("characters", "early", 1, "norm", 0.5)  # task, stage, batch size, kind, share left alone
STRAIGHT = 0.99  # a judgment: cosine from which the direction is the same, to 8 degrees
PARTITIONS = 8  # how often the pool is dealt into minibatches anew
PIECE = 25  # characters of a piece of text
RADIUS = 1.5  # at which networks that are to learn with clipped gradients start
LEARNING = 0.1  # nats; a step whose loss is larger counts as one that was needed to learn


def numbers(rows):
    """Measure how far clipping turns the mean gradient, and whether networks learn more."""
    measured, learned = where(rows, part="mean"), where(rows, part="learned")
    cases = grouped(measured, "task", "stage", "batch", "kind", "left")
    sizes = list(grouped(measured, "batch"))
    one, many = (
        [_cosines(mine).value for case, mine in cases.items() if case[2:] == (size, *AT[3:])]
        for size in (sizes[0], sizes[-1])
    )
    weights = [
        Estimate.mean(row["weight"] for row in mine)
        for case, mine in cases.items()
        if case[2:4] == (1, "norm")
    ]
    saved = [_saved(*pair) for pair in _pairs(learned)]
    return {
        "turned": _cosines(cases[AT]),
        "turned_many": _cosines(cases[*AT[:2], sizes[-1], *AT[3:]]),
        "own": max(row["own"] for row in measured),
        "heaviest": max(weight.high for weight in weights),
        "one": (min(one), max(one)),
        "many": (min(many), max(many)),
        "largest": sizes[-1],
        "saved": saved,
        "useful": "In some trainings, the bias saved steps"
        if any(steps.low > 0 for steps in saved)
        else "We saw no sign that the bias is useful",
        "settings": len(saved),
    }


def _nets(rows) -> dict:
    """Group the measurements by task and stage, where half of the minibatches are left alone."""
    return grouped(where(rows, part="mean", left=AT[4]), "task", "stage")


_KINDS = {"norm": "by norm", "element": "by element"}


def table_cosines(rows):
    """Tabulate the cosine between the mean clipped gradient and the true one."""
    return [
        {"task": task, "stage": stage, "clipped": words}
        | {
            f"minibatches of {size}": f"{_cosines(same):.3f}"
            for size, same in grouped(where(mine, kind=kind), "batch").items()
        }
        for (task, stage), mine in _nets(rows).items()
        for kind, words in _KINDS.items()
    ]


def table_weights(rows):
    """Tabulate the weight of large gradients and their neighbors relative to the others."""

    def ratio(rows, key):
        return f"{np.mean([row[key] for row in rows]):.2f}"

    lines = []
    for (task, stage), mine in _nets(rows).items():
        sizes = grouped(where(mine, kind="norm"), "batch")
        line = {"task": task, "stage": stage}
        line |= {f"minibatches of {size}": ratio(same, "weight") for size, same in sizes.items()}
        line |= {
            f"their neighbors in minibatches of {size}": ratio(same, "beside")
            for size, same in sizes.items()
            if "beside" in same[0]
        }
        lines.append(line)
    return lines


def table_uphill(rows):
    """Tabulate the share of minibatches whose gradient points uphill on the true loss."""
    return [
        {"task": task, "stage": stage, "clipped": words}
        | {
            f"minibatches of {size}": f"{np.mean([row[key] for row in same]):.1%}"
            for size, same in grouped(where(mine, kind=kind), "batch").items()
        }
        for (task, stage), mine in _nets(rows).items()
        for kind, key, words in (
            ("norm", "uphill_plain", "not, or by norm"),
            ("element", "uphill", "by element"),
        )
    ]


def table_learned(rows):
    """Tabulate how many networks learn, by learning rate and threshold."""
    learned = where(rows, part="learned")

    def count(row):
        return "{successes} of {of}".format(**row)

    return [
        {
            "learning rate": each["lr"],
            "threshold": each["threshold"],
            "not clipped": count(where(learned, how="not clipped", lr=each["lr"])[0]),
            "average clipped": count(mean),
            "each example clipped": count(each),
            "steps saved by clipping each example": f"{_saved(each, mean):.0f}",
        }
        for each, mean in _pairs(learned)
    ]


def _cosines(rows) -> Estimate:
    return Estimate.mean((row["cosine"] for row in rows), SIGNED)


def _pairs(learned) -> list[tuple]:
    """Return the rows with per-example clipping and their matched controls."""
    return [
        (row, other)
        for row in where(learned, how="each clipped")
        for other in where(learned, how="mean clipped", lr=row["lr"], threshold=row["threshold"])
    ]


def _saved(each, mean) -> Estimate:
    """Return the steps that clipping each example saves, seed by seed."""
    return Estimate.mean(np.subtract(mean["needed"], each["needed"]).astype(float))


def data(rows):
    """Return the direction of the mean clipped gradient, and the weight of the largest gradients.

    The threshold leaves half of the minibatches alone. The estimates are the angle between the mean
    clipped gradient and the true one, and the relative weight of the tenth of the examples with the
    largest gradients, as medians over the networks.
    """
    rows = where(rows, part="mean", left=AT[4])
    angle = {"measure": "angle with the true gradient, in degrees", "unit": "degrees"}
    panels = [
        _panel(rows, "norm", "clipped by norm", _angle) | angle,
        _panel(rows, "element", "clipped by element", _angle) | angle,
        _panel(rows, "norm", "clipped by norm", lambda row: row["weight"]),
    ]
    top = 1.06 * max(
        point["high"] for panel in panels[:2] for line in panel["lines"] for point in line["points"]
    )
    for panel in panels[:2]:
        panel["limits"] = (0, top)
    return Data(
        question="How does clipping change the direction of the mean gradient?",
        measure="weight of the tenth with the largest gradients",
        unit="times the weight of the others",
        spread="half of the networks",
        panels=panels,
        x="examples in a minibatch",
        log="x",
    )


def _panel(rows, kind, title, value):
    """Return medians and quartiles over the networks, by the size of a minibatch."""
    lines = {}
    for (task, stage, batch), mine in grouped(
        where(rows, kind=kind), "task", "stage", "batch"
    ).items():
        low, middle, high = np.quantile([value(row) for row in mine], [0.25, 0.5, 0.75])
        point = estimate((middle, low, high), x=batch)
        lines.setdefault(f"{task}, {stage}", []).append(point)
    return {
        "title": title,
        "lines": [{"label": name, "points": points} for name, points in lines.items()],
    }


def _angle(row):
    """Return the angle with the true gradient, in degrees."""
    return np.degrees(np.arccos(np.clip(row["cosine"], -1, 1)))


@experiment(
    claim="The average of norm-clipped minibatch gradients is not the clipped true gradient, "
    "because examples with large gradients count less. This bias is known to be useful. A gradient "
    "that is clipped element by element is still a descent direction.",
    source="Goodfellow et al. 10.11.1",
    quick={
        "seeds": 3,
        "pool": 256,
        "tasks": ["characters"],
        "stages": {"early": 20},
        "batches": [1, 16, 64],
        "left": [0.5],
        "learn": {},
    },
    full={
        "seeds": 12,
        "pool": 1024,
        "tasks": ["latch", "characters"],
        "stages": {"early": 20, "late": 600},
        "batches": [1, 16, 64],
        "left": [0.1, 0.5, 0.9],
        "learn": {"rates": [0.5, 1.0], "thresholds": [0.1, 1.0, 10.0], "steps": 500, "seeds": 20},
    },
    numbers=numbers,
    headline=(
        "turned",
        "cosine between the true gradient and the average of single examples' clipped gradients "
        f"({AT[0]}, {AT[1]} in training, {AT[4]:.0%} of the gradients left alone)",
    ),
    finding={
        "holds": "Clipping turns the average of the minibatch gradients away from the true "
        "gradient, with large minibatches too.",
        "holds in part": "Clipping turns the average of the minibatch gradients away from the true "
        "gradient, and it does so less if the minibatches are larger.",
        "does not hold": "Clipping hardly turns the average of the minibatch gradients, or clipped "
        "gradients point uphill.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.own <= 0
                and n.heaviest < 1
                and n.turned.high < STRAIGHT
                and n.turned_many.high < STRAIGHT
                and any(steps.low > 0 for steps in n.saved)
            ),
            "Holds. The average is turned, whatever the size of the minibatches. {useful}.",
        ),
        in_part=(
            lambda n: (
                n.own <= 0 and n.heaviest < 1 and n.turned.high < STRAIGHT < n.turned_many.low
            ),
            "Holds in part, if minibatches are small. With {largest} examples, the average of the "
            "clipped gradients points along the true gradient. {useful}.",
        ),
        fails=(
            lambda n: n.own > 0 or n.turned.low > STRAIGHT,
            "Does not hold. The average of the clipped gradients of single examples points along "
            "the true gradient, or a clipped gradient points uphill on its own loss.",
        ),
    ),
    saw=[
        "Clipping single examples turns the average most: the mean cosine with the true gradient "
        "is {one[0]:.2f} to {one[1]:.2f}, depending on the task and the stage of training. With "
        "minibatches of {largest} it is {many[0]:.2f} to {many[1]:.2f}.",
        (
            lambda n: n.own <= 0,
            "No clipped gradient points uphill on the loss of its own minibatch.",
        ),
        (
            lambda n: n.saved and not any(steps.low > 0 for steps in n.saved),
            "Clipping each example's gradient instead of the average doesn't reliably save steps "
            "with any of the {settings} pairs of learning rate and threshold.",
        ),
    ],
    table={
        "Cosine between the true gradient and the average of the clipped ones, if half of the "
        "minibatches are left alone": table_cosines,
        "Weight in that average of the tenth of the examples with the largest gradients, divided "
        "by the others' weight": table_weights,
        "Share of minibatches whose gradient points uphill on the true loss": table_uphill,
        "Networks that learn the latch": table_learned,
    },
    data=data,
)
def run(config, seeds):
    """Compute the gradient of each of 1024 examples in tanh networks that learn the latch (to hold
    one bit over 50 steps) or to predict characters, early and late in training. Deal the examples
    into minibatches, clip the minibatch gradients at quantiles of their sizes, and compare the
    average of the clipped gradients with that of all gradients, the true gradient. Also train
    networks on the latch, with clipping of the average gradient or of each example's gradient.
    """
    rows = []
    for task in config["tasks"]:
        rows += _stages(config, seeds, task)
    return rows + (_learned(**config["learn"]) if config["learn"] else [])


def _stages(config, seeds, task) -> list[dict]:
    """Train networks to each stage and measure them there."""
    model = character_model()
    if task == "latch":
        params, data = start(Latch(), "sparse", seeds, n_h=20)
        batches, pools = (Latch().batches(50, n, data) for n in (16, config["pool"]))
        lr = 0.1
    else:
        corpus = characters("topics")
        data = [np.random.default_rng(seed) for seed in seeds]
        params = init_rnn(len(corpus.alphabet), 32, len(corpus.alphabet), data, dtype=np.float32)
        batches, pools = (minibatches(corpus.train, PIECE, n, data) for n in (16, config["pool"]))
        lr = 0.5
    rows = []
    done = 0
    for stage, steps in config["stages"].items():
        params = fit(model, params, batches, steps=steps - done, optimizer=SGD(lr), clip=1.0).params
        done = steps
        pool = next(pools)
        for s, seed in enumerate(seeds):
            one = {name: p[s] for name, p in params.items()}
            G = gradients(model, one, tuple(a if a.ndim == 2 else a[:, s] for a in pool))
            found = means(G, config["batches"], config["left"], np.random.default_rng(seed))
            rows += [
                {"part": "mean", "task": task, "stage": stage, "seed": seed} | r for r in found
            ]
    return rows


def gradients(model, params, batch) -> np.ndarray:
    """Return the gradient of each sequence of a minibatch, one per row.

    It runs copies of the network side by side, each with one sequence.
    """
    n = batch[0].shape[1]
    alike = {name: np.broadcast_to(p, (n, *p.shape)) for name, p in params.items()}
    _, grads = model(alike, tuple(_alone(part) for part in batch))
    return np.concatenate([g.reshape(n, -1) for g in grads.values()], axis=1)


def _alone(part):
    """Give each sequence a minibatch of its own: (T, B[, n]) -> (T, B, 1[, n])."""
    return np.expand_dims(part, 2)


def means(G, batches, left, rng) -> list[dict]:
    """Compare means of clipped minibatch gradients with the mean of all examples' gradients.

    Parameters
    ----------
    G : ndarray, shape (N, P)
        Gradient of each example.
    batches : sequence of int
        Sizes of minibatches, divisors of N.
    left : sequence of float
        Shares of minibatches that the threshold leaves alone.
    rng : numpy.random.Generator
        It deals the examples into minibatches.

    Returns
    -------
    list of dict
        For each size, kind and share: the ``cosine`` between the mean clipped gradient and the true
        one; the shares of minibatches whose gradient points uphill on the true loss, clipped
        (``uphill``) or not (``uphill_plain``), and on their ``own`` loss; and, by norm, the
        relative ``weight`` of the tenth of the examples with the largest gradients, and of the
        examples ``beside`` one of them.
    """
    true = G.mean(axis=0)
    sizes = np.linalg.norm(G, axis=1)
    large = sizes >= np.quantile(sizes, 0.9)
    seen = {}
    for size in batches:
        for _ in range(PARTITIONS if size > 1 else 1):
            order = rng.permutation(len(G)).reshape(-1, size)
            dealt = G[order].mean(axis=1)
            spans = {"norm": joint_norm({"g": dealt}, True), "element": np.abs(dealt).max(axis=1)}
            plain = np.mean(dealt @ true <= 0)
            for (kind, span), share in product(spans.items(), left):
                v = float(np.quantile(span, share))
                clip = clip_by_norm if kind == "norm" else clip_by_element
                clipped = clip({"g": dealt}, v, seed_axis=True)[0]["g"]
                row = {
                    "cosine": _cosine(clipped.mean(axis=0), true),
                    "uphill": np.mean(clipped @ true <= 0),
                    "uphill_plain": plain,
                    "own": np.mean(np.sum(clipped * dealt, axis=1) < 0),
                }
                if kind == "norm":
                    row |= _counted(np.minimum(1, v / span)[:, None], large[order])
                seen.setdefault((size, kind, share), []).append(row)
    return [
        {"batch": size, "kind": kind, "left": share}
        | {key: np.nanmean([row[key] for row in rows]) for key in rows[0]}
        for (size, kind, share), rows in seen.items()
    ]


def _counted(factor, large) -> dict:
    """Return the relative weights of large examples and their neighbors; rows are minibatches."""
    factor = np.broadcast_to(factor, large.shape)
    counted = {"weight": factor[large].mean() / factor[~large].mean()}
    if 1 < large.shape[1] < 20:  # almost every larger minibatch has one
        beside = np.broadcast_to(large.any(axis=1, keepdims=True), large.shape) & ~large
        apart = ~large & ~beside
        counted["beside"] = (
            factor[beside].mean() / factor[apart].mean() if beside.any() and apart.any() else np.nan
        )
    return counted


def _cosine(a, b) -> float:
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


def _learned(rates, thresholds, steps, seeds) -> list[dict]:
    """Train networks on the latch, with the mean or each example's gradient clipped."""
    model = character_model()
    task = Latch()

    def each(threshold):
        def loss_and_grads(params, batch):
            x, y, mask = batch
            n = x.shape[2]
            apart = {name: np.repeat(p, n, axis=0) for name, p in params.items()}
            x = x.reshape(len(x), -1, 1, x.shape[-1])
            y = y.reshape(len(y), -1, 1)
            loss, grads = model(apart, (x, y, mask[:, :1]))
            grads, _ = clip_by_norm(grads, threshold, seed_axis=True)
            return loss.reshape(-1, n).mean(axis=1), {
                name: g.reshape(-1, n, *g.shape[1:]).mean(axis=1) for name, g in grads.items()
            }

        return loss_and_grads

    methods = [("not clipped", None, model, None)]
    methods += [("mean clipped", v, model, v) for v in thresholds]
    methods += [("each clipped", v, each(v), None) for v in thresholds]
    test = next(task.batches(50, 500, seed=0))
    rows = []
    for lr, (how, threshold, function, clip) in product(rates, methods):
        params, data = start(task, "sparse", range(seeds), n_h=20, radius=RADIUS)
        batches = task.batches(50, 16, data)
        history = fit(function, params, batches, steps=steps, optimizer=SGD(lr), clip=clip)
        right = accuracy(history.params, test)
        successes = int(np.sum(right > SUCCESS))
        rate, low, high = rate_interval(successes, seeds)
        rows.append(
            {"part": "learned", "task": "latch", "how": how, "threshold": threshold, "lr": lr}
            | {"successes": successes, "of": seeds, "rate": rate, "low": low, "high": high}
            | {"accuracy": right, "diverged": int(np.sum(history.diverged_at >= 0))}
            | {"needed": np.sum(history.loss > LEARNING, axis=0)}
        )
    return rows
