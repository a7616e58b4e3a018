"""Can networks follow a path across an image larger than those of training? (section 10.3)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import by_seed, typically_ahead
from rnn_helpers.experiments.shares import shares_over, tabulate_right
from rnn_helpers.experiments.sweeping import SWEEPS, Sweeping
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, where
from rnn_helpers.tasks import Joined

EQUAL, DEEP = "as many convolutions as sweeps", "twice as many convolutions"
METHODS = {SWEEPS: 0, EQUAL: 2, DEEP: 4}
"""How many convolutions replace a layer of sweeps; 0 for the sweeps themselves."""
_LABELS = {
    SWEEPS: "sweeps",
    EQUAL: "convolutions, as deep as the sweeps",
    DEEP: "convolutions, twice as deep",
}
"""Names that count layers, because two sweeps of a layer run side by side."""


def numbers(rows):
    """Return the shares of right answers on the longest paths of training and on longer ones."""
    small, large = (end(row["size"] for row in rows) for end in (min, max))
    length = max(row["length"] for row in where(rows, size=small))
    longest = max(row["length"] for row in rows)
    near = where(rows, size=small, length=length)
    wide = where(rows, size=large)
    far = [row for row in wide if row["length"] > length]
    short, longer = min(row["length"] for row in wide), min(row["length"] for row in far)

    def share(rows, method):
        return Estimate.median(by_seed(where(rows, method=method)))

    return {
        "of": len(where(near, method=SWEEPS)),
        "length": length,
        "longest": longest,
        "small": small,
        "large": large,
        "near": min(share(near, SWEEPS), share(near, DEEP), key=lambda one: one.low),
        "least": min(row["right"] for row in where(near, method=SWEEPS)),
        "far_sweeps": share(far, SWEEPS),
        "far_deep": share(far, DEEP),
        "short_deep": share(where(wide, length=short), DEEP),
        "longer": longer,
        "longer_sweeps": share(where(far, length=longer), SWEEPS),
        "last_sweeps": share(where(far, length=longest), SWEEPS),
        "ahead": typically_ahead(far, "method", SWEEPS, DEEP),
        "edges": at_edges(rows, "method"),
    }


def table(rows):
    """Tabulate the median share of right answers, by size of the image and length of the path."""
    named = [
        row | {"image": f"{row['size']} by {row['size']} cells, path of {row['length']}"}
        for row in _labeled(rows)
    ]
    return tabulate_right(named, "image", "method", typical=True)


def _labeled(rows):
    return [row | {"method": _LABELS[row["method"]]} for row in rows]


def data(rows):
    """Return the share of right answers over the cells of the path, in the larger images."""
    large = max(row["size"] for row in rows)
    return shares_over(
        [row for row in _labeled(rows) if row["size"] == large],
        "method",
        "length",
        typical=True,
        question="How far does each network follow a path in images larger than those of training?",
        unit="of the answers are right",
        xlabel="cells on the path, in images larger than those of training",
        ylabel="right answers",
    )


@experiment(
    claim="Recurrent networks that sweep over an image in four directions can tell whether a "
    "winding path joins two of its cells even if image and path are larger than in training; "
    "on such paths, a stack of convolutions with as many parameters guesses.",
    short="Sweeps in four directions follow long paths better than convolutions",
    source="Goodfellow et al. 10.3, after Visin et al. (2015)",
    quick={
        "seeds": 3,
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
        "etas": {
            "sweeps": [0.0015, 0.003, 0.006, 0.012, 0.024, 0.048, 0.096],
            "convolutions": [0.00075, 0.0015, 0.003, 0.006, 0.012, 0.024, 0.048],
        },
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
        "difference in the share of right answers, sweeps minus convolutions twice as deep, paths "
        "longer than in training",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds in part"),
            "On paths longer than in training, a typical network that sweeps over the image is "
            "right in {far_sweeps.value:.0%} of the cases, and a stack of convolutions twice as "
            "deep in {far_deep.value:.0%}.",
        ),
        "does not hold": "On paths longer than in training, sweeps are no better than a stack of "
        "convolutions.",
        "undecided": "These runs don't tell whether sweeps reach further than convolutions.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                min(n.near.low, n.last_sweeps.low) > 0.8
                and n.ahead.low > 0.05
                and n.far_deep.high < 0.6
            ),
            "Holds. On the longest paths, of {longest} cells, sweeps are right in "
            "{last_sweeps.value:.0%} of the cases.",
        ),
        in_part=(
            lambda n: (
                n.near.low > 0.8
                and n.ahead.low > 0.05
                and (n.last_sweeps.high < 0.8 or n.far_deep.low > 0.6)
            ),
            "Holds in part: on paths longer than in training, sweeps are right more often than "
            "convolutions. On paths of {longer} cells, a typical network is right in "
            "{longer_sweeps.value:.0%} of the cases. On the longest, of {longest}, the median "
            "share is {last_sweeps:.2f}, and a guess is right in half of the cases.",
        ),
        fails=(
            lambda n: n.near.low > 0.8 and n.ahead.high < 0.05,
            "Does not hold. The difference is {ahead.value:.2f} of the answers.",
        ),
    ),
    taught=lambda n: n.near.low > 0.8 and n.ahead.low > 0 and n.far_deep.high < 0.6,
    saw=[
        "The networks were trained on images of {small} by {small} cells with paths of up to "
        "{length}. On these, the worst of {of} networks with sweeps is right in {least:.0%} of the "
        "cases. Images of {large} by {large} cells are new to all networks, and a guess is right "
        "in half of the cases.",
        AT_EDGES,
    ],
    table={"Share of right answers, median of the networks": table},
    caveats=[
        "Eight layers of 3 by 3 convolutions reach eight cells in each direction, and the larger "
        "images are 12 cells wide. So the comparison on these images favors the sweeps by "
        "construction. On paths as short as in training, eight convolutions are at least as "
        "reliable as sweeps, in the larger images, too, and they cost less. On longer paths, they "
        "fail even where the gap is never more than eight cells from the nearer mark, so reach "
        "alone doesn't explain the failure. Sweeps along rows receive the output of sweeps along "
        "columns, as in Visin et al., and not the image itself.",
        "In this task, nothing near a mark helps to answer. In photographs, much of the useful "
        "information is near.",
        "We chose the sizes of the images and the rates after trials on other seeds. In those "
        "trials, sweeps didn't learn from longer paths within some hundred steps, and the larger "
        "images already separated the two methods. In an earlier version, the best of three rates "
        "for convolutions was the highest. We tried up to seven, and higher rates were no better.",
        "We fixed the first conditions of the verdict before the second block of seeds. Under "
        "these, 60% of right answers on the longest paths were enough to hold, although a guess is "
        "right in half of the cases. Before the third block, we raised this share to 80%, as on "
        "the paths of training. Now the claim holds in part only if sweeps are shown to miss it, "
        "or convolutions to be better than a guess. The verdict stayed the same.",
    ],
    in_seconds="that networks begin to learn, and that convolutions do so sooner than sweeps",
    data=data,
)
def run(config, seeds):
    """We drew two winding paths that don't touch into an image of 8 by 8 cells, one of them with a
    gap in its middle third, and marked the ends of one path. The network has to tell whether a path
    joins the marks, which is so in half of the images. Neither the cells without the marks nor
    the marks alone contain the answer. The networks with sweeps have two layers, each of four
    sweeps of 12 gated units (GRU): down and up, and then right and left. Since two sweeps run side
    by side, this network is four sweeps deep. It competes with stacks of four and of eight 3 by 3
    convolutions, none of which has more parameters; eight are enough to cover such an image. The
    answer is computed from the states at the two marks. Training took 900 steps of Adam, each on 32
    new images with paths of 5 to 11 cells. Each network has the rate with which most answers are
    right on 2 other seeds. We tested on 300 new images of each length, and on 300 images of 12
    by 12 cells with paths of 11 to 23.
    """
    n_layers, task = config["n_layers"], _task(config)
    depths = {method: n * n_layers for method, n in METHODS.items()}
    return Paths(depths, task.n_x, task.n_y, n_layers).run(config, seeds)


class Paths(Sweeping):
    """Networks that say whether a path joins two cells of an image."""

    def batches(self, config, cell, size, seeds):
        """Draw images with paths of the lengths of training."""
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
    """Draw new images of a size, with paths of a length."""
    return next(Joined(size, [length]).batches(config["tested"], [[seed, 3] for seed in seeds]))
