"""How well can a sequence be predicted from the inputs of each output? (section 10.2.4)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.data import INTERVAL, claim_groups
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped
from rnn_helpers.reference import expected_losses, rule_joint, symbols_before

T = 6
EQUAL, NEXT, HALF = "all y are one coin", "each y is the next x", "half of each"
SHOWN = {EQUAL: "one coin", NEXT: "next input", HALF: "half of each"}  # in the plot and the table
WORLDS = {
    EQUAL: ["coin", *["last"] * 5],
    NEXT: ["next"] * 6,
    HALF: ["coin", *["last"] * 2, *["next"] * 3],
}
APART, AHEAD = "x until now", "all of x"
FED, ALL = f"{APART} and y before", f"{AHEAD} and y before"
GIVEN = {APART: "inputs", FED: "outputs", AHEAD: "all inputs", ALL: "all"}
RECEIVES = {
    APART: "x so far",
    FED: "x so far, earlier y",
    AHEAD: "all of x",
    ALL: "all of x, earlier y",
}


def numbers(rows):
    """Estimate losses, the largest excess over the lower bound, and the smallest one."""
    cells = {
        key: Estimate.mean(row["nats"] for row in mine)
        for key, mine in grouped(rows, "world", "hears").items()
    }
    excess = {
        key: Estimate.mean(row["nats"] - row["optimum"] for row in mine)
        for key, mine in grouped(rows, "world", "hears").items()
    }
    optima = {(row["world"], row["hears"]): row["optimum"] for row in rows}
    return {
        "fed": cells[NEXT, FED],
        "fed_best": optima[NEXT, FED],
        "ahead": cells[NEXT, AHEAD],
        "helped": cells[EQUAL, FED],
        "worst": max(excess.values(), key=lambda one: one.value),
        "below": min(row["nats"] - row["optimum"] for row in rows),
        "edges": at_edges(rows, "world", "hears"),
    }


def table(rows):
    """Tabulate the loss of each network next to the least that is possible."""
    return [
        {
            "outputs": SHOWN[world],
            "the network receives": RECEIVES[given],
            "nats": f"{Estimate.mean(row['nats'] for row in mine):.3f}",
            "least possible": f"{mine[0]['optimum']:.3f}",
        }
        for (world, given), mine in grouped(rows, "world", "hears").items()
    ]


def data(rows):
    """Return the loss of each network on each task."""
    return claim_groups(
        {
            SHOWN[world]: {
                RECEIVES[given].replace(", earlier", " and"): Estimate.mean(
                    row["nats"] for row in some
                )
                for given, some in grouped(mine, "hears").items()
            }
            for world, mine in grouped(rows, "world").items()
        },
        question="Which loss do networks reach that receive more or less of the input?",
        xlabel="loss of six bits, in nats",
        unit="nats",
        spread=INTERVAL,
    )


@experiment(
    claim="Feeding earlier outputs back makes outputs depend on each other, but it does not "
    "replace inputs that have not been read. Trained networks reach the lower bound that their "
    "graph allows, and never go below it.",
    short="Networks reach the lower bound that their graph allows, and no less",
    source="our own claim, prompted by Goodfellow et al. 10.2.4, (G 10.35) and figure 10.10",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "worlds": [EQUAL, NEXT],
        "n_h": 8,
        "batch_size": 16,
        "steps": 60,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0],
        "worlds": list(WORLDS),
        "n_h": 16,
        "batch_size": 64,
        "steps": 500,
    },
    numbers=numbers,
    headline=(
        "fed",
        "loss in nats of a network that receives earlier outputs, if each bit is the next input",
    ),
    finding={
        "holds": "Trained networks reach the lower bound that their graph allows, within "
        "{worst.value:.3f} nats, and never go below it.",
        "holds in part": "Trained networks don't go below the bound that their graph allows, but "
        "one stays {worst.value:.2f} nats above it.",
        "does not hold": "Trained networks don't reach the lower bound that their graph allows, or "
        "they go below it.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.worst.high < 0.05 and n.below > -1e-6,
            "Holds. If each bit is the next input, earlier outputs don't replace that input: the "
            "loss stays at {fed.value:.2f} nats.",
        ),
        in_part=(
            lambda n: n.worst.high < 0.5 and n.below > -1e-6,
            "Holds in part, if networks reach their optimum. One ends {worst.value:.2f} nats above "
            "it.",
        ),
        fails=(
            lambda n: n.worst.low > 0.5 or n.below < -1e-6,
            "Does not hold. The losses lie between {below:.2g} and {worst.value:.2g} nats above "
            "the bound.",
        ),
    ),
    taught=lambda n: n.worst.high < 0.05 and n.below > -1e-6,
    saw=[
        "If each bit is the next input, a network that receives all inputs first has a loss of "
        "{ahead.value:.2f} nats. If all bits are one coin, earlier outputs bring the loss to "
        "{helped.value:.2f} nats.",
        AT_EDGES,
    ],
    table={"Loss for six bits": table},
    caveats=[
        "The sequences have six bits, and the networks have more than enough weights. The bound "
        "depends on the graph, and no number of units changes it. These runs don't show that "
        "networks of other sizes reach it. We wrote the conditions of the verdict when we knew the "
        "results."
    ],
    data=data,
)
def run(config, seeds):
    """Draw six fair bits x, and six bits y by rules: all are one coin; each is the next x; or half
    of each. Gated networks (GRU) of 16 units predict each y. They receive the number of
    the step and x so far, or all of x at every step, with or without the true y before it. Zeros
    replace an input that is left out, so that all networks have equally many weights. Adam trains
    for 500 steps on minibatches of 64, and each network has the learning rate with the smallest
    loss on 2 other seeds. The loss is exact: an average over all 4,096 pairs of sequences, weighted
    by their probabilities.
    """
    return Receivers().run(config, seeds)


class Receivers(Contest):
    """Networks that differ in their inputs, on outputs that follow several rules."""

    columns = "world", "hears"

    def cells(self, config):
        """Pair each rule with each network."""
        return list(product(config["worlds"], GIVEN))

    def net(self, config, cell, seeds):
        """Make gated networks."""
        from rnn_helpers.nets import Gated

        return Gated(3 * T + 2, config["n_h"], 2, seeds, unit="gru")

    def batches(self, config, cell, size, seeds):
        """Draw pairs of sequences, and give the networks their inputs."""
        world, given = cell
        every, p = _pairs(world)
        rngs = generators(seeds)
        while True:
            drawn = np.array([rng.choice(len(p), size, p=p) for rng in rngs])
            x, y = every[:T, drawn], every[T:, drawn]
            yield inputs_of(x, y, GIVEN[given]), y

    def score(self, config, cell, made, seeds):
        """Return minus the exact loss of a whole sequence, in nats."""
        net, params = made
        world, given = cell
        every, p = _pairs(world)
        y = every[T:]
        o = net.outputs(params, inputs_of(every[:T], y, GIVEN[given])).astype(float)
        log_yhat = o - np.logaddexp.reduce(o, axis=-1, keepdims=True)
        chosen = np.take_along_axis(log_yhat, y[:, None, :, None], axis=-1)[..., 0]
        return (chosen.sum(axis=0) * p).sum(axis=-1)

    def rows(self, config, cell, made, seeds, scores):
        """Return the loss of each network and the smallest one that is possible."""
        world, given = cell
        least = float(expected_losses(rule_joint(WORLDS[world]), GIVEN[given]).sum())
        return [
            {"seed": seed, "nats": -score, "optimum": least}
            for seed, score in zip(seeds, scores, strict=True)
        ]


def inputs_of(x, y, given: str) -> np.ndarray:
    """Return the inputs of each step, (T, ..., 3 T + 2): its x or all of x, and the y before."""
    inputs = np.zeros((*x.shape, 3 * T + 2), np.float32)
    if given.startswith("all"):
        inputs[..., : 2 * T] = np.eye(2)[np.moveaxis(x, 0, -1)].reshape(*x.shape[1:], 2 * T)
    else:
        inputs[..., :2] = np.eye(2)[x]
    inputs[..., 2 * T : 3 * T] = np.eye(T).reshape(T, *[1] * (x.ndim - 1), T)  # which step it is
    if given in ("outputs", "all"):
        inputs[..., 3 * T :] = symbols_before(y, 2)
    return inputs


def _pairs(world: str) -> tuple:
    """Return all pairs of sequences that are possible (2 T, n), and their probabilities."""
    joint = rule_joint(WORLDS[world])
    every = np.indices(joint.shape).reshape(2 * T, -1)
    possible = joint.ravel() > 0
    return every[:, possible], joint.ravel()[possible]
