"""Do hidden layers between states make long memories harder to learn? (section 10.5)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, ahead, by_seed, generators
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.reference import Depth, deep_backward, deep_forward
from rnn_helpers.tasks import TemporalOrder

TASK = TemporalOrder()
SHALLOW, ONE, TWO = "no hidden layer between states", "one", "two"
ONE_SKIP, TWO_SKIP = "one, and a skip connection", "two, and a skip connection"
DEPTHS = {
    SHALLOW: (Depth(), 32),
    ONE: (Depth(transition=1), 24),
    TWO: (Depth(transition=2), 20),
    ONE_SKIP: (Depth(transition=1, skip=True), 20),
    TWO_SKIP: (Depth(transition=2, skip=True), 17),
}
"""Where each is deep, and how many units a layer has, for nearly equally many weights."""


def table(rows):
    """Tabulate the share of right answers, and the gradient before training."""
    longest = max(row["length"] for row in rows)
    return [
        {
            "hidden layers between states": name,
            "right answers": f"{Estimate.mean(by_seed(mine), (0, 1)):.2f}",
            f"gradient over {longest} steps": (
                f"{Estimate.geometric(row['gradient'] for row in where(mine, length=longest)):.1g}"
            ),
        }
        for name, mine in grouped(rows, "depth").items()
    ]


def numbers(rows):
    """Answers that are right, averaged over lengths, and gradients before the first step."""
    hurts, mitigated = ahead(rows, "depth", SHALLOW, ONE), ahead(rows, "depth", ONE_SKIP, ONE)
    cells = grouped(rows, "depth", "length")
    return {
        "longest": max(row["length"] for row in rows),
        "hurts": hurts,
        "hurts_points": 100 * hurts.value,
        "hurts_more": ahead(rows, "depth", ONE, TWO),
        "mitigated": mitigated,
        "mitigated_points": 100 * mitigated.value,
        "mitigated_two": ahead(rows, "depth", TWO_SKIP, TWO),
        "left": ahead(rows, "depth", SHALLOW, ONE_SKIP),
        "weights": listed("{1}", grouped(rows, "depth", "weights")),
        "edges": listed(
            "{depth}, {length} steps ({eta:g})",
            where((mine[0] for mine in cells.values()), at_edge=True),
        ),
    }


def plot(rows):
    """Draw the share of answers that are right over the length of the sequences."""
    return shares_over(
        rows, "depth", "length", xlabel="steps of a sequence", ylabel="share that is right"
    )


@experiment(
    claim="A hidden layer from state to state doubles the shortest path between two steps and "
    "makes long-term dependencies harder to learn; a skip connection past it mitigates this.",
    source="Goodfellow et al. 10.5 (P17)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.01],
        "lengths": [10],
        "units": 0.5,
        "batch_size": 16,
        "steps": 40,
        "measured": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.0003, 0.001, 0.003, 0.01, 0.03],
        "lengths": [10, 20, 30, 50],
        "units": 1,
        "batch_size": 32,
        "steps": 2000,
        "measured": 500,
    },
    numbers=numbers,
    headline=("hurts", "share of right answers lost through one hidden layer between states"),
    finding=[
        (
            lambda n: n.hurts.low > 0 and n.mitigated.low > 0,
            "A hidden layer between states lowers the share of right answers by {hurts_points:.0f} "
            "percentage points; a skip connection past it raises the share by "
            "{mitigated_points:.0f}.",
        ),
        (
            lambda n: n.hurts.low > 0,
            "A hidden layer between states lowers the share of right answers by {hurts_points:.0f} "
            "percentage points.",
        ),
        (
            lambda n: True,
            "A hidden layer between states doesn't clearly lower the share of right answers.",
        ),
    ],
    verdict=Verdict(
        holds_if=(
            lambda n: n.hurts.low > 0 and n.mitigated.low > 0,
            "Holds if the matrices start small, as PyTorch's do.",
        ),
        fails=(
            lambda n: n.hurts.high < 0.05 or n.mitigated.high < 0.05,
            "Does not hold. The hidden layer costs {hurts_points:.0f} percentage points, and the "
            "skip connection brings back {mitigated_points:.0f}.",
        ),
    ),
    saw=[
        "Answers are averaged over lengths up to {longest} steps, and a guess is right in 25% of "
        "the cases. Without hidden layers, {left:.2f} more of the answers are right than with one "
        "hidden layer and a skip connection.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={
        "Right answers, and the gradient before training on the state before the first step": table
    },
    caveats=[
        "This is one task, which asks for two events in their order and nothing that a deep "
        "transition might be good at. The networks have tanh units and {weights} weights. Each "
        "matrix starts as PyTorch's do, with a spectral radius near 0.6, so two of them in a step "
        "shrink a gradient twice as often.",
        "With orthogonal W and T and biases of 0, the hidden layer doesn't hurt. In trials on five "
        "other seeds with 30 letters, all five networks with one hidden layer had every answer "
        "right, at rates of 0.001 and 0.003.",
    ],
    plot=plot,
)
def run(config, seeds):
    """Let tanh networks read random letters, among which are two that count, each an X or a Y: one
    near the beginning, one past the middle. At the end they say which came in which order. Their
    transitions differ, and the number of units in each layer, so that all have nearly equally many
    weights. Adam for 2000 steps, each on 32 sequences; the rate of each, for each length, is that
    with which most answers are right on 2 other seeds. Measured on 500 new sequences.
    """
    return Paths().run(config, seeds)


class Paths(Contest):
    """Networks with and without hidden layers between states, on sequences of several lengths."""

    columns = "depth", "length"
    test_size = "measured"

    def cells(self, config):
        """Pair each depth with each length."""
        return [(name, length) for length in config["lengths"] for name in DEPTHS]

    def net(self, config, cell, seeds):
        """Make tanh networks with the depth of a cell."""
        from rnn_helpers.nets.deep import Deep

        depth, n_h = DEPTHS[cell[0]]
        return Deep(depth, TASK.n_x, int(n_h * config["units"]), TASK.n_y, seeds)

    def batches(self, config, cell, size, seeds):
        """Draw sequences of the length of a cell."""
        return TASK.batches(cell[1], size, generators(seeds))

    def rows(self, config, cell, made, seeds, scores):
        """Add the number of weights, and the gradient before training."""
        net, params = made
        weights = sum(array[0].size for array in params.values())
        return [
            row | {"weights": weights, "gradient": _gradient(net, k, cell[1], row["seed"])}
            for k, row in enumerate(super().rows(config, cell, made, seeds, scores))
        ]


def _gradient(net, k: int, length: int, seed: int) -> float:
    """Return the norm of the loss's gradient on the first state, before training."""
    params = {name: array[k].astype(float) for name, array in net.params().items()}
    x, y, mask = next(TASK.batches(length, 16, [np.random.default_rng(seed)]))
    run = deep_forward(params, net.depth, x[:, 0])
    (grad,) = deep_backward(params, run, y[:, 0], mask)["h0"]
    return float(np.linalg.norm(grad, axis=-1).mean())
