"""Is Omega's gradient with parts held constant close to its exact gradient? (10.11.2)"""

from functools import partial
from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.experiments.stats import SIGNED
from rnn_helpers.experiments.success import start
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, crossed, grouped, where
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import omega_gradient, rnn_forward
from rnn_helpers.tasks import Latch, character_model, flow_model
from rnn_helpers.training import SGD, fit

LATCH = Latch()
CLOSE = 0.9  # cosine from which two directions are called close: 26 degrees between them
FEWER = -0.05  # a judgment: as far come descents of which at most one in twenty more fails
FALLEN = 0.1  # share of Omega that a descent that works leaves at most
EXACT, APPROXIMATIONS = "nothing", ("gradients", "states")
MIDDLE, RADIUS = (20, 30), 0.9  # units and steps, and the spectral radius of the headline
TRAINED = {"without Ω": character_model(), "with Ω": flow_model(1.0)}
_BATCH, _TEST = 16, 200


def numbers(rows):
    """Compare the approximations with the exact gradient, in direction and after descent."""
    approximate, fell = where(rows, constant="gradients"), _fell(rows)
    cosines = [row["cosines"] for row in approximate]
    return {
        "cosine": Estimate.mean(
            (row["cosine"] for row in where(approximate, radius=RADIUS)), SIGNED
        ),
        "networks": np.size(cosines),
        "uphill": np.sum(np.less_equal(cosines, 0)),
        "fell": sum(fell["gradients"]),
        "descents": len(fell["gradients"]),
        "ahead": Estimate.paired(fell["gradients"], fell[EXACT]),
        "edges": at_edges(rows, "constant", "radius", each="{} constant, radius {}"),
    }


def _fell(rows) -> dict:
    """Tell which descents along each gradient brought Omega down."""
    return {
        constant: [row["left"] <= FALLEN for row in mine]
        for constant, mine in grouped(rows, "constant").items()
    }


def table_cosines(rows):
    """Tabulate the mean cosines with the exact gradient by kind of network."""

    def line(name, rows, cosines):
        told = {"networks": name}
        for constant in APPROXIMATIONS:
            each = [cosines(row) for row in where(rows, constant=constant)]
            means, (label, *_) = np.mean(each, axis=0), _LOOKS[constant]
            told[label] = " to ".join(dict.fromkeys(f"{f(means):.2f}" for f in (min, max)))
            told[f"{label}, uphill"] = f"{np.sum(np.less_equal(each, 0))} of {np.size(each)}"
        return told

    return [
        line(f"random, radius {radius:g}", mine, lambda row: row["cosines"])
        for radius, mine in grouped(rows, "radius").items()
    ] + [
        line(
            f"trained {net}", where(rows, radius=RADIUS), lambda row, net=net: [row["trained"][net]]
        )
        for net in TRAINED
    ]


def table_left(rows):
    """Tabulate the share of Omega that descents leave, by radius and by gradient."""
    shares = crossed(
        [row | {"along": _LOOKS[row["constant"]][0]} for row in rows],
        "radius",
        "along",
        lambda mine: f"{100 * np.median([row['left'] for row in mine]):.2g}%",
        heading="radius at the start",
    )
    fell = {
        _LOOKS[constant][0]: f"{sum(each)} of {len(each)}" for constant, each in _fell(rows).items()
    }
    return [*shares, {"radius at the start": f"runs that leave at most {FALLEN:.0%}"} | fell]


_LOOKS = {
    EXACT: ("exact", "ink", "o", DASHES[1]),
    "gradients": ("gradients constant", "gradient", "D", DASHES[0]),
    "states": ("states too", "accent", "^", DASHES[3]),
}


def plot(rows):
    """Draw the cosines of Omega's approximate gradients, and the Omega left after descents.

    On the left are the cosines with the exact gradient in random networks, with a dot for each
    network and a line through the means. On the right is the share of Omega that is left after
    descents along the exact gradient and along each approximation, with a line through the medians.
    """
    radii, told = sorted(grouped(rows, "radius")), []
    with style():
        figure, (left, right) = subplots(1, 2, height=3.4)
        for axes, column, middle in ((left, "cosine", np.mean), (right, "left", np.median)):
            for k, (constant, (name, ink, mark, dash)) in enumerate(_LOOKS.items()):
                if axes is left and constant == EXACT:
                    continue
                each = [
                    [row[column] for row in where(rows, constant=constant, radius=radius)]
                    for radius in radii
                ]
                x = np.arange(len(radii)) + 0.16 * (k - 1)
                look = {"color": colour(ink), "marker": mark}
                means = [middle(some) for some in each]
                axes.plot(x, each, linestyle="", markersize=3, alpha=0.45, **look)
                axes.plot(x, means, linestyle=dash, markersize=7, label=name, **look)
                told += [
                    f"{column}, {name}, radius {number(radius)}: {number(mean)}"
                    for radius, mean in zip(radii, means, strict=True)
                ]
        left.axhline(0, color=colour("edge"), linewidth=1)
        left.set(ylim=(-0.5, 1), title="cosine with the exact")
        right.set(title="Ω left by a descent")
        logarithmic(right, "y")
        for axes in (left, right):
            axes.set_xticks(range(len(radii)), [number(radius) for radius in radii])
            axes.tick_params(axis="x", length=0)
        figure.supxlabel("spectral radius at the start", size=11)
        figure.legend(*right.get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return Plot(figure, f"Means and medians. {'; '.join(told)}.")


@experiment(
    claim="For the gradient of the regularizer Ω, it is a good enough approximation to treat the "
    "back-propagated gradients as constants.",
    source="Goodfellow et al. 10.11.2, after Pascanu et al. 2013",
    quick={
        "seeds": 8,
        "choosing": 1,
        "first": 1,
        "etas": [0.3],
        "n_h": [20],
        "lengths": [30],
        "radii": [0.9],
        "trained": 10,
        "steps": 30,
    },
    full={
        "seeds": 20,
        "choosing": 5,
        "first": 3,
        "etas": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0],
        "n_h": [5, 20, 50],
        "lengths": [10, 30, 100],
        "radii": [0.5, 0.9, 1.2, 1.5],
        "trained": 300,
        "steps": 100,
    },
    numbers=numbers,
    headline=(
        "cosine",
        "cosine between the exact gradient of Ω and that with constant back-propagated gradients, "
        f"{MIDDLE[0]} units, {MIDDLE[1]} steps, radius {RADIUS}",
    ),
    finding={
        "holds": "If the back-propagated gradients are treated as constants, the gradient of the "
        "regularizer Ω points nearly in the same direction.",
        "holds in part": "If the back-propagated gradients are treated as constants, the gradient "
        "of the regularizer Ω points in another direction, but descent along it brings Ω down all "
        "the same.",
        "does not hold": "If the back-propagated gradients are treated as constants, descent along "
        "the gradient of the regularizer Ω brings Ω down less often.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.cosine.low > CLOSE and n.ahead.low > FEWER,
            "Holds. The mean cosine of the two gradients is {cosine.value:.2f}.",
        ),
        in_part=(
            lambda n: n.cosine.high < CLOSE and n.ahead.low > FEWER,
            "Holds in part: descent along the approximation brings Ω down nearly as often. But it "
            "doesn't point where the exact gradient points: the mean cosine of the two is "
            "{cosine.value:.2f}.",
        ),
        fails=(
            lambda n: n.ahead.high < FEWER,
            "Does not hold. Descent along the approximation brings Ω down less often than descent "
            "along the exact gradient.",
        ),
    ),
    saw=[
        "With the back-propagated gradients held constant, the approximate gradient would send "
        "{uphill} of {networks:,} random networks uphill on Ω. Descent along it brings Ω down to a "
        "tenth or less in {fell} of {descents} networks.",
        AT_EDGES,
    ],
    table={
        "Mean cosine with the exact gradient, from the lowest to the highest of several sizes and "
        "lengths": table_cosines,
        "Median share of Ω that is left after a descent on Ω alone": table_left,
    },
    plot=plot,
)
def run(config, seeds):
    """Compute the gradient of Ω with respect to all parameters of tanh networks: exactly, with the
    back-propagated gradients held constant, and with the states held constant too. Compare their
    directions in random networks and in trained ones that hold one bit. Also measure how far 100
    steps of gradient descent along each bring Ω down. For each gradient and each spectral radius,
    we try up to seven learning rates on 5 other seeds and use the one that brings Ω down furthest.
    """
    sizes, columns = list(product(config["n_h"], config["lengths"])), {}
    for radius in config["radii"]:
        found = [
            _cosines(*start(LATCH, "gaussian", seeds, n_h=n_h, radius=radius), length)
            for n_h, length in sizes
        ]
        for constant, (k, seed) in product(APPROXIMATIONS, enumerate(seeds)):
            each = [cosines[constant][k] for cosines in found]
            columns[radius, constant, seed] = {"cosine": each[sizes.index(MIDDLE)], "cosines": each}
    for net, model in TRAINED.items():
        n_h, length = MIDDLE
        params, data = start(LATCH, "gaussian", seeds, n_h=n_h, radius=RADIUS)
        made = fit(
            model,
            params,
            LATCH.batches(length, _BATCH, data),
            steps=config["trained"],
            optimizer=SGD(0.1),
            clip=1.0,
        )
        for constant, each in _cosines(made.params, data, length).items():
            for seed, cosine in zip(seeds, each, strict=True):
                columns[RADIUS, constant, seed].setdefault("trained", {})[net] = cosine
    return [
        row | columns.get((row["radius"], row["constant"], row["seed"]), {})
        for row in Descents().run(config, seeds)
    ]


def _cosines(params, data, length) -> dict:
    """Return the cosines between each approximation and the exact gradient, for each network."""
    # in double precision, because the question is mathematical
    params = {name: p.astype(float) for name, p in params.items()}
    batch = next(LATCH.batches(length, _BATCH, data))
    vectors = {}
    for constant in (EXACT, *APPROXIMATIONS):
        value, grads = _omega(params, batch, constant)
        rows = np.concatenate([grads[name].reshape(len(value), -1) for name in params], axis=1)
        vectors[constant] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return {
        constant: (vectors[constant] * vectors[EXACT]).sum(axis=1) for constant in APPROXIMATIONS
    }


def _omega(params, batch, constant):
    return omega_gradient(params, rnn_forward(params, batch[0]), *batch[1:], constant=constant)


class Descents(Contest):
    """Descents on Omega alone along its gradients, from several spectral radii."""

    columns = "radius", "constant"
    apart = "radius"

    def cells(self, config):
        """Combine each radius with each gradient, by what is held constant in it."""
        return list(product(config["radii"], (*APPROXIMATIONS, EXACT)))

    def batches(self, config, cell, size, seeds):
        """Draw sequences that begin with the bit to be held."""
        return LATCH.batches(MIDDLE[1], size, generators(seeds))

    def train(self, config, cell, settings, seeds):
        """Return the parameters before and after descent."""
        radius, constant = cell
        each = [seed for _ in settings for seed in seeds]
        params, _ = start(LATCH, "gaussian", each, n_h=MIDDLE[0], radius=radius)
        made = fit(
            partial(_omega, constant=constant),
            params,
            self.batches(config, cell, _BATCH, [[seed, 2] for seed in each]),
            steps=config["steps"],
            optimizer=SGDEach(np.repeat(settings, len(seeds)), config["steps"]),
            clip=1.0,
        )
        return params, made.params

    def score(self, config, cell, made, seeds):
        """Return minus the logarithm of the share of Omega that is left, for new sequences."""
        test = next(self.batches(config, cell, _TEST, [[seed, 3] for seed in seeds]))
        before, after = (_omega(params, test, "states")[0] for params in made)
        return np.nan_to_num(np.log(before / after), nan=-np.inf)

    def rows(self, config, cell, made, seeds, scores):
        """Return the shares of Omega that are left."""
        return [
            {"seed": seed, "left": left} for seed, left in zip(seeds, np.exp(-scores), strict=True)
        ]
