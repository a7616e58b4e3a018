"""Do hidden layers between states make long memories harder to learn? (section 10.5)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.reference import Depth, deep_backward, deep_forward
from rnn_helpers.tasks import TemporalOrder

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


def _means(rows):
    """Average the share of right answers over lengths, for each depth and seed."""
    return {
        name: [np.mean([row["right"] for row in each]) for each in grouped(mine, "seed").values()]
        for name, mine in grouped(rows, "depth").items()
    }


def table(rows):
    """Tabulate the share of right answers, and the gradient before training."""
    longest = max(row["length"] for row in rows)
    last = grouped(where(rows, length=longest), "depth")
    return [
        {
            "hidden layers between states": name,
            "right answers": f"{Estimate.mean(each, (0, 1)):.2f}",
            f"gradient over {longest} steps": (
                f"{Estimate.geometric(row['gradient'] for row in last[name]):.1g}"
            ),
        }
        for name, each in _means(rows).items()
    ]


def numbers(rows):
    """Answers that are right, averaged over lengths, and gradients before the first step."""
    by_depth = grouped(rows, "depth")
    right = _means(rows)

    def ahead(name, other):
        pairs = zip(right[name], right[other], strict=True)
        return Estimate.mean((float(one - two) for one, two in pairs), (-1, 1))

    longest = max(row["length"] for row in rows)
    return {
        "longest": longest,
        "hurts": ahead(SHALLOW, ONE),
        "hurts_points": 100 * ahead(SHALLOW, ONE).value,
        "hurts_more": ahead(ONE, TWO),
        "mitigated": ahead(ONE_SKIP, ONE),
        "mitigated_points": 100 * ahead(ONE_SKIP, ONE).value,
        "mitigated_two": ahead(TWO_SKIP, TWO),
        "left": ahead(SHALLOW, ONE_SKIP),
        "weights": listed("{}", ((mine[0]["weights"],) for mine in by_depth.values())),
        "edges": listed(
            "{0[0]}, {0[1]} steps ({1[0][eta]:g})",
            (
                (key, mine)
                for key, mine in grouped(rows, "depth", "length").items()
                if mine[0]["at_edge"]
            ),
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
    verdict=[
        (
            lambda n: n.hurts.low > 0 and n.mitigated.low > 0,
            "Holds if the matrices start small, as PyTorch's do.",
        ),
        (
            lambda n: n.hurts.low > 0,
            "Holds if the matrices start small and only the cost of the layer is meant. These runs "
            "don't show that a skip connection helps.",
        ),
        (
            lambda n: n.hurts.high < 0.05,
            "Does not hold. The hidden layer costs {hurts.value:.0%} of the answers.",
        ),
        (lambda n: True, "Not tested here. The cost of the hidden layer is too uncertain."),
    ],
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

    def right(cell, etas, others):
        name, length = cell
        net, params = _trained(name, length, etas, others, config)
        return _right(net, params, length, others * len(etas), config)

    cells = [(name, length) for length in config["lengths"] for name in DEPTHS]
    chosen = choose(
        dict.fromkeys(cells, config["etas"]),
        by_method(right),
        first=config["first"],
        seeds=config["choosing"],
    )
    rows = []
    for (name, length), choice in chosen.items():
        net, params = _trained(name, length, [choice.setting], seeds, config)
        weights = sum(array[0].size for array in params.values())
        rows += [
            {"depth": name, "length": length, "seed": seed, "right": float(one)}
            | {"gradient": _gradient(net, length, k, seed, config), "weights": weights}
            | {"eta": choice.setting, "at_edge": choice.at_edge}
            for k, (seed, one) in enumerate(
                zip(seeds, _right(net, params, length, seeds, config), strict=True)
            )
        ]
    return rows


def _drawn(length: int, size: int, seeds):
    return TemporalOrder().batches(length, size, [np.random.default_rng(seed) for seed in seeds])


def _trained(name: str, length: int, etas, seeds, config: dict) -> tuple:
    """Networks of each rate and seed, and their parameters."""
    from rnn_helpers.nets.deep import Deep

    depth, n_h = DEPTHS[name]
    task = TemporalOrder()
    return trained(
        lambda each: Deep(depth, task.n_x, int(n_h * config["units"]), task.n_y, each),
        lambda each: _drawn(length, config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )


def _right(net, params: dict, length: int, seeds, config: dict) -> np.ndarray:
    """Share of new sequences that each network answers right."""
    batch = next(_drawn(length, config["measured"], [[seed, 3] for seed in seeds]))
    return net.accuracy(params, batch)


def _gradient(net, length: int, k: int, seed: int, config: dict) -> float:
    """Norm of the loss's gradient on the first state, at the weights that training began with."""
    params = {name: array[k].astype(float) for name, array in net.params().items()}
    x, y, mask = (
        part[:, 0] if part.ndim > 2 else part for part in next(_drawn(length, 16, [seed]))
    )
    run = deep_forward(params, net.depth, x)
    (grad,) = deep_backward(params, run, y, mask)["h0"]
    return float(np.linalg.norm(grad, axis=-1).mean())
