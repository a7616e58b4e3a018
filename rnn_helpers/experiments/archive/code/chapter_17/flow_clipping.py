"""Does explosion keep a network with Omega from learning if nothing is clipped? (10.11.2)"""

from dataclasses import replace

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.archive.code.omega import EXPLODED, TABLES, Flows, by_task, data
from rnn_helpers.experiments.lengths import learned, n_learned
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where

FREE, CLIPPED, SAME = "not clipped", "clipped", "not clipped, same rate"
MOST = 0.5  # a judgment: a network doesn't learn if most of its kind don't


def numbers(rows):
    """Count the networks that learn without clipping.

    They have their own best rate, or the one that is best with clipping. Some learn after an
    explosion.
    """
    cells = by_task(rows)
    ways = {method: learned(mine) for method, mine in grouped(rows, "method").items()}
    exploded = [row for row in rows if row["method"] != CLIPPED and row["exploded"]]
    behind = [
        Estimate.paired(learned(cell[SAME]), learned(cell[CLIPPED])) for cell in cells.values()
    ]
    return {
        "success": Estimate.rate(learned(next(iter(cells.values()))[FREE])),
        "at_own": Estimate.rate(ways[FREE]),
        "at_same": Estimate.rate(ways[SAME]),
        "fewer_at_same": sum(lead.high < 0 for lead in behind),
        "cases": len(cells),
        "slower": all(cell[FREE][0]["eta"] < cell[CLIPPED][0]["eta"] for cell in cells.values()),
        "exploded": len(exploded),
        "learned_after": n_learned(exploded),
        "edges": at_edges(where(rows, method=FREE) + where(rows, method=CLIPPED), "task", "method"),
    }


_SETTINGS = {"n_h": 20, "batch_size": 16}
_LATCH = {"task": "latch", "length": 50, "steps": 150}


@experiment(
    claim="A network that is trained with the regularizer Ω does not learn without clipping, "
    "because gradients explode.",
    source="Goodfellow et al. 10.11.2",
    quick={
        "seeds": 5,
        "choosing": 1,
        **_SETTINGS,
        "grids": {FREE: [[None], [0.01]], CLIPPED: [[1.0], [0.3]]},
        "first": {FREE: [1, 1], CLIPPED: [1, 1]},
        "tasks": {"latch, ρ = 1.2, α = 0.5": {**_LATCH, "steps": 80, "radius": 1.2, "alpha": 0.5}},
    },
    full={
        "seeds": 20,
        "choosing": 4,
        **_SETTINGS,
        "grids": {
            FREE: [[None], [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]],
            CLIPPED: [[1.0], [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]],
        },
        "first": {FREE: [1, 3], CLIPPED: [1, 3]},
        "tasks": {
            "latch, ρ = 1.2, α = 0.5": {**_LATCH, "radius": 1.2, "alpha": 0.5},
            "latch, ρ = 1.2, α = 4": {**_LATCH, "radius": 1.2, "alpha": 4.0},
            "latch, ρ = 2, α = 4": {**_LATCH, "radius": 2.0, "alpha": 4.0},
            "order, ρ = 1.5, α = 4": {
                "task": "order",
                "length": 20,
                "steps": 400,
                "radius": 1.5,
                "alpha": 4.0,
            },
        },
    },
    numbers=numbers,
    headline=(
        "success",
        "share of networks that learn with Ω and without clipping, in the first case",
    ),
    finding={
        "holds": "Most networks that are trained with the regularizer Ω don't learn without "
        "clipping.",
        "does not hold": "At a learning rate of their own, most networks that are trained with the "
        "regularizer Ω learn without clipping. At the rate that is best with clipping, "
        "{at_same.value:.0%} of them do.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.at_own.high < MOST,
            "Holds. Even with a learning rate of their own, most networks don't learn without "
            "clipping.",
        ),
        fails=(
            lambda n: n.at_own.low > MOST,
            "Does not hold. Without clipping, {at_own.value:.0%} of the networks learn at a "
            "learning rate of their own. At the rate that is best with clipping, fewer networks "
            "learn without it in {fewer_at_same} of {cases} cases.",
        ),
    ),
    saw=[
        (lambda n: n.slower, "Without clipping, the best learning rate is always smaller."),
        (
            lambda n: n.learned_after,
            "An explosion doesn't rule out learning: without clipping, the norm of the gradient "
            f"exceeded {EXPLODED:g} in {{exploded}} networks, and {{learned_after}} of them "
            "learned.",
        ),
        AT_EDGES,
    ],
    caveats=[
        "In an earlier version, we chose each rate by hand on a fixed grid, and with clipping the "
        "highest rate was always the best. Now higher rates can be chosen, but the choices stayed "
        "the same, and so did the verdict.",
    ],
    table=TABLES,
    data=data,
)
def run(config, seeds):
    """Train tanh networks of 20 units by gradient descent with Ω of weight α, from Gaussian weights
    whose spectral radius ρ is above 1, to hold one bit for 50 steps (latch) or two for 20 (order).
    Gradients are clipped at norm 1 or not at all, and the learning rate is the best one on 4 other
    seeds. Other networks train without clipping at the rate that is best with it. Count the
    networks that get more than 95 % of new sequences right.
    """
    return Explosive().run(config, seeds)


class Explosive(Flows):
    """Networks with Omega whose gradients can explode, clipped or not."""

    def initialization(self, config, cell):
        """Draw Gaussian weights of a radius above 1."""
        return "gaussian", config["tasks"][cell[1]]["radius"]

    def grid(self, config, cell):
        """Give all methods the weight of Omega that a task names."""
        ladders, first = super().grid(config, cell)
        return [*ladders, [config["tasks"][cell[1]]["alpha"]]], [*first, 1]

    def choices(self, config):
        """Add networks that are not clipped, at the rate that is best with clipping."""
        chosen = super().choices(config)
        return chosen | {
            (SAME, task): replace(choice, setting=(None, *choice.setting[1:]))
            for (method, task), choice in chosen.items()
            if method == CLIPPED
        }
