"""Is Omega's gradient with parts held constant close to its exact gradient? (10.11.2)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.rates import SGDEach, separate
from rnn_helpers.experiments.stats import SIGNED
from rnn_helpers.experiments.success import start
from rnn_helpers.experiments.words import Estimate, grouped, where
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
_BATCH, _TEST = 16, 200


def numbers(rows):
    """Compare the approximations with the exact gradient, in direction and after descent."""
    cosines = where(rows, measure="cosine", net="random", constant="gradients")
    n_h, length, radius = _MIDDLE
    (middle,) = where(cosines, n_h=n_h, length=length, radius=radius)
    fell = {constant: [each <= FALLEN for each in left] for constant, left in _left(rows).items()}
    return {
        "cosine": Estimate.mean(middle["each"], SIGNED),
        "networks": sum(len(row["each"]) for row in cosines),
        "uphill": _uphill(cosines),
        "fell": sum(fell["gradients"]),
        "descents": len(fell["gradients"]),
        "ahead": Estimate.paired(fell["gradients"], fell[EXACT]),
    }


def _left(rows) -> dict:
    """Return the shares of Omega that are left after descents along each gradient."""
    return {
        constant: [share for row in mine for share in row["each"]]
        for constant, mine in grouped(where(rows, measure="left of Omega"), "constant").items()
    }


def _uphill(rows) -> int:
    return sum(cosine <= 0 for row in rows for cosine in row["each"])


def table_cosines(rows):
    """Tabulate the mean cosines with the exact gradient by kind of network."""

    def line(name, rows):
        told = {"networks": name}
        for constant, mine in grouped(rows, "constant").items():
            means = [np.mean(row["each"]) for row in mine]
            ends = dict.fromkeys(f"{end:.2f}" for end in (min(means), max(means)))
            told[_LOOKS[constant][0]] = " to ".join(ends)
            told[f"{_LOOKS[constant][0]}, uphill"] = (
                f"{_uphill(mine)} of {sum(len(row['each']) for row in mine)}"
            )
        return told

    cosines = where(rows, measure="cosine")
    return [
        *(
            line(f"random, radius {radius:g}", mine)
            for radius, mine in grouped(where(cosines, net="random"), "radius").items()
        ),
        *(
            line(f"trained {net.replace('Omega', 'Ω')}", mine)
            for net, mine in grouped(cosines, "net").items()
            if net != "random"
        ),
    ]


def table_left(rows):
    """Tabulate the share of Omega that descents leave, by radius and by gradient."""
    left = where(rows, measure="left of Omega")
    fell = {
        _LOOKS[constant][0]: f"{sum(each <= FALLEN for each in shares)} of {len(shares)}"
        for constant, shares in _left(rows).items()
    }
    return [
        {"at the start": f"radius {radius:g}"}
        | {_LOOKS[row["constant"]][0]: f"{100 * np.median(row['each']):.2g}%" for row in mine}
        for radius, mine in grouped(left, "radius").items()
    ] + [{"at the start": f"runs that leave at most {FALLEN:.0%}"} | fell]


_LOOKS = {
    EXACT: ("exact", "ink", "o", DASHES[1]),
    "gradients": ("gradients constant", "gradient", "D", DASHES[0]),
    "states": ("states too", "accent", "^", DASHES[3]),
}


def plot(rows):
    """Draw the cosines of Omega's approximate gradients, and the Omega left after descents.

    On the left are the cosines with the exact gradient in random networks, with a dot for each kind
    of network and a line through the means. On the right is the share of Omega that is left after
    descents along the exact gradient and along each approximation.
    """
    radii, told = sorted(grouped(rows, "radius")), []
    with style():
        figure, (left, right) = subplots(1, 2, height=3.4)
        for k, (constant, (name, ink, mark, dash)) in enumerate(_LOOKS.items()):
            side = 0.16 * (k - 1)
            look = {"color": colour(ink), "marker": mark}
            for axes, what, middle in (
                (left, "cosine", np.mean),
                (right, "left of Omega", np.median),
            ):
                these = where(rows, measure=what, net="random", constant=constant)
                points, means = [], []
                for x, radius in enumerate(radii):
                    values = [
                        value
                        for row in where(these, radius=radius)
                        for value in ([np.mean(row["each"])] if axes is left else row["each"])
                    ]
                    if values:
                        points += [(x + side, value) for value in values]
                        means.append((x + side, middle(values)))
                        told.append(
                            f"{what}, {name}, radius {number(radius)}: {number(means[-1][1])}"
                        )
                if points:
                    axes.scatter(*np.transpose(points), 9, alpha=0.45, linewidths=0, **look)
                    axes.plot(
                        *np.transpose(means), linestyle=dash, markersize=7, label=name, **look
                    )
        left.axhline(0, color=colour("edge"), linewidth=1)
        left.set(ylim=(-0.1, 1), title="cosine with the exact")
        right.set(title="Ω left by a descent")
        logarithmic(right, "y")
        for axes in (left, right):
            axes.set_xticks(range(len(radii)), [number(radius) for radius in radii])
            axes.tick_params(axis="x", length=0)
        figure.supxlabel("spectral radius at the start", size=11)
        figure.legend(*right.get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return Plot(figure, f"Means and medians. {'; '.join(told)}.")


_MIDDLE = (20, 30, 0.9)


@experiment(
    claim="For the gradient of the regularizer Ω, it is a good enough approximation to treat the "
    "back-propagated gradients as constants.",
    source="Goodfellow et al. 10.11.2, after Pascanu et al. 2013 (E-54)",
    quick={
        "seeds": 8,
        "choosing": 0,
        "n_h": [20],
        "lengths": [30],
        "radii": [0.9, 1.5],
        "trained": 10,
        "descents": [0.9],
        "etas": [0.1],
        "steps": 30,
    },
    full={
        "seeds": 20,
        "choosing": 5,
        "n_h": [5, 20, 50],
        "lengths": [10, 30, 100],
        "radii": [0.5, 0.9, 1.2, 1.5],
        "trained": 300,
        "descents": [0.5, 0.9, 1.2, 1.5],
        "etas": [0.01, 0.03, 0.1, 0.3],
        "steps": 100,
    },
    numbers=numbers,
    headline=(
        "cosine",
        "cosine between the exact gradient of Ω and that with constant back-propagated gradients, "
        f"{_MIDDLE[0]} units, {_MIDDLE[1]} steps, radius {_MIDDLE[2]}",
    ),
    finding={
        "holds": "If the back-propagated gradients are treated as constants, the gradient of the "
        "regularizer Ω points nearly in the same direction.",
        "holds if": "If the back-propagated gradients are treated as constants, the gradient of "
        "the regularizer Ω points in another direction, but descent along it brings Ω down all the "
        "same.",
        "does not hold": "If the back-propagated gradients are treated as constants, descent along "
        "the gradient of the regularizer Ω brings Ω down less often.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.cosine.low > CLOSE and n.ahead.low > FEWER,
            "Holds. The mean cosine of the two gradients is {cosine.value:.2f}.",
        ),
        holds_if=(
            lambda n: n.cosine.high < CLOSE and n.ahead.low > FEWER,
            "Holds if the approximation only has to bring Ω down. It doesn't point where the exact "
            "gradient points: the mean cosine of the two is {cosine.value:.2f}.",
        ),
        fails=(
            lambda n: n.ahead.high < FEWER,
            "Does not hold. Descent along the approximation brings Ω down less often than descent "
            "along the exact gradient.",
        ),
    ),
    saw=[
        "With the back-propagated gradients held constant, the approximate gradient would send "
        "{uphill} of {networks} random networks uphill on Ω. Descent along it brings Ω down to a "
        "tenth or less in {fell} of {descents} networks.",
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
    steps of gradient descent along each, at the one of four learning rates that is best on other
    seeds, bring Ω down.
    """
    rows = [
        row
        for n_h, length, radius in product(config["n_h"], config["lengths"], config["radii"])
        for row in _cosines(
            "random",
            *start(LATCH, "gaussian", seeds, n_h=n_h, radius=radius),
            {"n_h": n_h, "length": length, "radius": radius},
        )
    ]
    n_h, length, radius = _MIDDLE
    for net, model in {"without Omega": character_model(), "with Omega": flow_model(1.0)}.items():
        params, data = start(LATCH, "gaussian", seeds, n_h=n_h, radius=radius)
        made = fit(
            model,
            params,
            LATCH.batches(length, _BATCH, data),
            steps=config["trained"],
            optimizer=SGD(0.1),
            clip=1.0,
        )
        where = {"n_h": n_h, "length": length, "radius": radius}
        rows += _cosines(net, made.params, data, where)
    for radius, constant in product(config["descents"], (EXACT, *APPROXIMATIONS)):
        eta = config["etas"][0]
        choosing_seeds = separate(config["choosing"])
        if choosing_seeds:
            tried = [
                np.log(_descent(radius, constant, eta, choosing_seeds, config["steps"])).mean()
                for eta in config["etas"]
            ]
            eta = config["etas"][int(np.argmin(tried))]
        left = _descent(radius, constant, eta, seeds, config["steps"])
        where = {"n_h": n_h, "length": length, "radius": radius}
        rows.append(_row("left of Omega", "random", where, constant, eta, left))
    return rows


def _row(measure, net, where, constant, eta, each):
    """Return a row, whose columns are the same for cosines and for descents."""
    mean = np.mean(each)
    return {
        "measure": measure,
        "net": net,
        **where,
        "constant": constant,
        "eta": eta,
        "mean": mean,
        "each": each,
    }


def _cosines(net, params, data, where):
    """Return rows with the cosines between each approximation and the exact gradient."""
    # in double precision, because the question is mathematical
    params = {name: p.astype(float) for name, p in params.items()}
    x, y, mask = next(LATCH.batches(where["length"], _BATCH, data))
    run = rnn_forward(params, x)
    vectors = {}
    for constant in (EXACT, *APPROXIMATIONS):
        value, grads = omega_gradient(params, run, y, mask, constant=constant)
        rows = np.concatenate([grads[name].reshape(len(value), -1) for name in params], axis=1)
        vectors[constant] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for constant in APPROXIMATIONS:
        cosine = (vectors[constant] * vectors[EXACT]).sum(axis=1)
        yield _row("cosine", net, where, constant, None, cosine)


def _descent(radius, constant, eta, seeds, steps):
    """Return the share of Omega that is left after descent on it alone, for new sequences."""
    n_h, length, _ = _MIDDLE
    params, data = start(LATCH, "gaussian", seeds, n_h=n_h, radius=radius)
    test = next(LATCH.batches(length, _TEST, seed=0))

    def only_omega(params, batch, constant=constant):
        return omega_gradient(params, rnn_forward(params, batch[0]), *batch[1:], constant=constant)

    made = fit(
        only_omega,
        params,
        LATCH.batches(length, _BATCH, data),
        steps=steps,
        optimizer=SGDEach([eta] * len(seeds), steps),
        clip=1.0,
    )
    before, after = (only_omega(p, test, "states")[0] for p in (params, made.params))
    return after / before
