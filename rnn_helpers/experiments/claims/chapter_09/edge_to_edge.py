"""Who still finds the other end, when the picture is larger? (section 10.3)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import ahead, by_seed
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.sweeping import SWEEPS, Sweeping
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, crossed, where
from rnn_helpers.tasks import Joined

EQUAL, DEEP = "as many convolutions as sweeps", "twice as many convolutions"
METHODS = {SWEEPS: 0, EQUAL: 2, DEEP: 4}
"""How many convolutions replace a layer of sweeps; 0 for the sweeps themselves."""


def numbers(rows):
    """Return the shares of right answers on the longest paths of training and on longer ones."""
    small, large = (end(row["size"] for row in rows) for end in (min, max))
    length = max(row["length"] for row in where(rows, size=small))
    longest = max(row["length"] for row in rows)
    near = where(rows, size=small, length=length)
    far = [row for row in where(rows, size=large) if row["length"] > length]

    def share(rows, method):
        return Estimate.mean(by_seed(where(rows, method=method)), (0, 1))

    return {
        "length": length,
        "longest": longest,
        "small": small,
        "large": large,
        "near": min(share(near, SWEEPS), share(near, DEEP), key=lambda one: one.low),
        "least": min(row["right"] for row in where(near, method=SWEEPS)),
        "far_sweeps": share(far, SWEEPS),
        "far_deep": share(far, DEEP),
        "last_sweeps": share(where(far, length=longest), SWEEPS),
        "ahead": ahead(far, "method", SWEEPS, DEEP),
        "edges": at_edges(rows, "method"),
    }


def table(rows):
    """Tabulate the share of right answers, by size of the picture and length of the path."""
    named = [
        row | {"picture": f"{row['size']} by {row['size']} cells, path of {row['length']}"}
        for row in rows
    ]

    def share(some):
        return f"{Estimate.mean((row['right'] for row in some), (0, 1)):.2f}"

    return crossed(named, "picture", "method", share)


def plot(rows):
    """Draw the share of right answers over the cells of the path, in the larger pictures."""
    large = max(row["size"] for row in rows)
    return shares_over(
        [row for row in rows if row["size"] == large],
        "method",
        "length",
        xlabel="cells of the path, in pictures larger than those of training",
        ylabel="share of answers right",
    )


@experiment(
    claim="Recurrent networks that sweep over a picture in four directions can tell whether a "
    "winding path joins two of its cells even if picture and path are larger than in training; a "
    "stack of convolutions with as many parameters guesses beyond its reach.",
    source="Goodfellow et al. 10.3, after Visin et al. (2015)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": {"sweeps": [0.015], "convolutions": [0.01]},
        "n_h": 8,
        "n_layers": 1,
        "size": 6,
        "lengths": [5],
        "larger": 8,
        "longer": [7, 9],
        "batch_size": 32,
        "steps": 150,
        "tested": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": {"sweeps": [0.006, 0.012, 0.024], "convolutions": [0.003, 0.006, 0.012]},
        "n_h": 12,
        "n_layers": 2,
        "size": 8,
        "lengths": [5, 7, 9, 11],
        "larger": 12,
        "longer": [11, 15, 19, 23],
        "batch_size": 32,
        "steps": 900,
        "tested": 300,
    },
    numbers=numbers,
    headline=(
        "ahead",
        "difference in the share of right answers, sweeps minus twice as many convolutions, "
        "paths longer than in training",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds if"),
            "On paths longer than in training, networks that sweep over the picture are right in "
            "{far_sweeps.value:.0%} of the cases, and a deeper stack of convolutions in "
            "{far_deep.value:.0%}.",
        ),
        "does not hold": "On paths longer than in training, sweeps are no better than a stack of "
        "convolutions.",
        "not tested here": "These runs don't tell whether sweeps reach further than convolutions.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.near.low > 0.8
                and n.ahead.low > 0.1
                and n.far_deep.high < 0.6
                and n.last_sweeps.low > 0.6
            ),
            "Holds. On the longest paths, of {longest} cells, sweeps are right in "
            "{last_sweeps.value:.0%} of the cases.",
        ),
        holds_if=(
            lambda n: n.near.low > 0.8 and n.ahead.low > 0,
            "Holds if it is enough to be ahead. On the longest paths, of {longest} cells, sweeps "
            "are right in {last_sweeps.value:.0%} of the cases.",
        ),
        fails=(
            lambda n: n.near.low > 0.8 and n.ahead.high < 0.05,
            "Does not hold. The difference is {ahead.value:.2f} of the answers.",
        ),
    ),
    saw=[
        "The networks learn from pictures of {small} by {small} cells with paths of up to "
        "{length}. On these, the worst network with sweeps is right in {least:.0%} of the cases. "
        "Pictures of {large} by {large} cells are new to all networks, and a guess is right in "
        "half of the cases.",
        AT_EDGES,
    ],
    table={"Share of right answers": table},
    caveats=[
        "If a stack is deep enough for the pictures it is shown, it learns the task as well or "
        "more reliably, and costs less. The advantage of sweeps is a reach that doesn't depend on "
        "depth. Sweeps along rows receive the output of sweeps along columns, as in Visin et al., "
        "and not the picture. By construction, nothing near a mark helps to answer; in photographs "
        "much that is near does. We chose the sizes of pictures and the rates after trials on "
        "other seeds, in which sweeps did not learn from longer paths within some hundred steps, "
        "and in which the larger pictures had separated the two methods."
    ],
    plot=plot,
)
def run(config, seeds):
    """Draw two winding paths that do not touch into a picture of 8 by 8 cells, one with a gap in
    its middle third, and mark the ends of one: are they joined? In half of the pictures they are;
    walls and floor alone do not tell, nor do the marks. Four sweeps of 12 gated units (GRU) each,
    down and up, then right and left, and four more on top of these: four sweeps deep, for two that
    run at once count as one. Beside them stacks of 3 by 3 convolutions, of four layers, and of
    eight, which are enough to hear all of such a picture; none has more parameters. What is
    known at the two marks decides. Adam for 900 steps, each on 32 new pictures with paths of 5 to
    11 cells; the rate of each is that with which most answers are right on 2 other seeds. Then 300
    new pictures of each length are shown, and 300 of 12 by 12 cells with paths of 11 to 23.
    """
    n_layers, task = config["n_layers"], _task(config)
    depths = {method: n * n_layers for method, n in METHODS.items()}
    return Paths(depths, task.n_x, task.n_y, n_layers).run(config, seeds)


class Paths(Sweeping):
    """Networks that say whether a path joins two cells of a picture."""

    def batches(self, config, cell, size, seeds):
        """Draw pictures with paths of the lengths of training."""
        return _task(config).batches(size, seeds)

    def score(self, config, cell, made, seeds):
        """Return the share of right answers on the longest paths of training."""
        return self.right(made, _test(config, seeds, config["size"], config["lengths"][-1]))

    def rows(self, config, cell, made, seeds, scores):
        """Return the share of right answers for each size and length."""
        shown = [(config["size"], length) for length in config["lengths"]]
        shown += [(config["larger"], length) for length in config["longer"]]
        return [
            {"size": size, "length": length, "seed": seed, "right": float(right)}
            for size, length in shown
            for seed, right in zip(
                seeds, self.right(made, _test(config, seeds, size, length)), strict=True
            )
        ]


def _task(config: dict) -> Joined:
    return Joined(config["size"], config["lengths"])


def _test(config: dict, seeds, size: int, length: int) -> tuple:
    """Draw new pictures of a size, with paths of a length."""
    return next(Joined(size, [length]).batches(config["tested"], [[seed, 3] for seed in seeds]))
