"""Who still finds the other end, when the picture is larger? (section 10.3)"""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, at_edges, crossed, grouped
from rnn_helpers.tasks import Joined

SWEEPS, EQUAL, DEEP = "sweeps", "as many convolutions as sweeps", "twice as many convolutions"
METHODS = {SWEEPS: 0, EQUAL: 1, DEEP: 2}
"""How many convolutions stand for a sweep; 0 for the sweeps themselves."""


def numbers(rows):
    """Answers that are right, by method: longest paths of training, and longer ones."""
    sizes = sorted({row["size"] for row in rows})
    trained_on = max(row["length"] for row in rows if row["size"] == sizes[0])
    near = [row for row in rows if row["size"] == sizes[0] and row["length"] == trained_on]
    far = [row for row in rows if row["size"] == sizes[-1] and row["length"] > trained_on]
    longest = [row for row in far if row["length"] == max(row["length"] for row in far)]

    def means(rows):
        """Mean over the lengths, for each network of each method."""
        groups = grouped(rows, "method", "seed")
        each = {key: sum(r["right"] for r in mine) / len(mine) for key, mine in groups.items()}
        return {
            method: [share for (name, _), share in each.items() if name == method]
            for method in METHODS
        }

    def estimates(rows):
        return {method: Estimate.mean(each, (0, 1)) for method, each in means(rows).items()}

    beyond = means(far)
    rows_near, near, at_longest = near, estimates(near), estimates(longest)
    pairs = list(zip(beyond[SWEEPS], beyond[DEEP], strict=True))
    return {
        "length": trained_on,
        "longest": longest[0]["length"],
        "small": sizes[0],
        "large": sizes[-1],
        "near_sweeps": near[SWEEPS],
        "least": min(means(rows_near)[SWEEPS]),
        "near_equal": near[EQUAL],
        "near_deep": near[DEEP],
        "far_sweeps": Estimate.mean(beyond[SWEEPS], (0, 1)),
        "far_deep": Estimate.mean(beyond[DEEP], (0, 1)),
        "last_sweeps": at_longest[SWEEPS],
        "last_deep": at_longest[DEEP],
        "ahead": Estimate.mean((one - other for one, other in pairs), (-1, 1)),
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
    verdict=[
        (
            lambda n: n.near_sweeps.low < 0.8 or n.near_deep.low < 0.8,
            "Not tested here. The networks don't learn the paths of training well enough.",
        ),
        (
            lambda n: n.ahead.low > 0.1 and n.far_deep.high < 0.6 and n.last_sweeps.low > 0.6,
            "Holds. On the longest paths, of {longest} cells, sweeps are right in "
            "{last_sweeps.value:.0%} of the cases.",
        ),
        (
            lambda n: n.ahead.low > 0,
            "Holds if it is enough to be ahead. On the longest paths, of {longest} cells, sweeps "
            "are right in {last_sweeps.value:.0%} of the cases.",
        ),
        (
            lambda n: n.ahead.high < 0.05,
            "Does not hold. The difference is {ahead.value:.2f} of the answers.",
        ),
        (lambda n: True, "Not tested here. The difference is too uncertain."),
    ],
    saw=[
        "The networks learn from pictures of {small} by {small} cells with paths of up to "
        "{length}. On these, the worst network with sweeps is right in {least:.0%} of the cases. "
        "Pictures of {large} by {large} cells are new to all networks, and a guess is right in "
        "half of the cases.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
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

    def score(method, etas, others):
        return _right(method, etas, others, config, [(config["size"], config["lengths"][-1])])

    chosen = choose(
        {
            method: config["etas"]["convolutions" if depth else "sweeps"]
            for method, depth in METHODS.items()
        },
        by_method(score),
        first=config["first"],
        seeds=config["choosing"],
    )
    shown = [(config["size"], length) for length in config["lengths"]]
    shown += [(config["larger"], length) for length in config["longer"]]
    rows = []
    for method, choice in chosen.items():
        found = _right(method, [choice.setting], seeds, config, shown)
        rows += [
            {"method": method, "size": size, "length": length, "seed": seed}
            | {"right": float(right), "eta": choice.setting, "at_edge": choice.at_edge}
            for (size, length), each in zip(shown, found, strict=True)
            for seed, right in zip(seeds, each, strict=True)
        ]
    return rows


def _right(method: str, etas, seeds, config: dict, shown):
    """Share of right answers of networks of each rate and seed, for each size and length."""
    task = Joined(config["size"], config["lengths"])
    net, params = trained(
        lambda each: _network(method, task, config, each),
        lambda each: task.batches(config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )
    rngs = [[seed, 3] for _ in etas for seed in seeds]
    return [
        net.right(params, next(Joined(size, [length]).batches(config["tested"], rngs))).mean(axis=1)
        for size, length in shown
    ]


def _network(method: str, task: Joined, config: dict, seeds):
    from rnn_helpers.nets.four_ways import Convolutions, FourWays
    from rnn_helpers.nets.sizes import units_within

    sizes = task.n_x, config["n_h"], task.n_y
    if method == SWEEPS:
        return FourWays(*sizes, seeds, config["n_layers"])
    most = sum(p.numel() for p in FourWays(*sizes, [0], config["n_layers"]).parameters())
    depth = 2 * config["n_layers"] * METHODS[method]

    def make(n_h, seeds=(0,)):
        return Convolutions(task.n_x, n_h, task.n_y, seeds, depth)

    return make(units_within(make, most), seeds)
