"""Is Omega's gradient with parts held constant anything like its exact gradient? (10.11.2)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.own_rates import SGDEach
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.stats import SIGNED
from rnn_helpers.experiments.success import start
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import omega_gradient, rnn_forward
from rnn_helpers.tasks import Latch, character_model, flow_model
from rnn_helpers.training import SGD, fit

LATCH = Latch()
CLOSE = 0.9  # cosine from which two directions are called close: 26 degrees between them
FALLEN = 0.1  # share of Omega that a descent that works leaves at most
EXACT, APPROXIMATIONS = "nothing", ("gradients", "states")
_BATCH, _TEST = 16, 200


def numbers(rows):
    """Cosines of the approximations with the exact gradient, and what descents leave of Omega."""
    cosines, descents = where(rows, measure="cosine"), where(rows, measure="left of Omega")
    random = grouped(where(cosines, net="random"), "constant")
    means = {constant: [np.mean(row["each"]) for row in mine] for constant, mine in random.items()}
    each = {
        constant: [cosine for row in mine for cosine in row["each"]]
        for constant, mine in random.items()
    }
    fell = {
        constant: [share <= FALLEN for row in mine for share in row["each"]]
        for constant, mine in grouped(descents, "constant").items()
    }
    n_h, length, radius = _MIDDLE
    (middle,) = where(random["gradients"], n_h=n_h, length=length, radius=radius)
    return {
        "cosine": Estimate.mean(middle["each"], SIGNED),
        "kinds": len(means["gradients"]),
        "from": {constant: min(mine) for constant, mine in means.items()},
        "to": {constant: max(mine) for constant, mine in means.items()},
        "networks": len(each["gradients"]),
        "uphill": {name: sum(cosine <= 0 for cosine in mine) for name, mine in each.items()},
        "as_far": np.mean(fell["gradients"]) > np.mean(fell[EXACT]) - 0.05,
        "trained": listed(
            "{} {}",
            (
                (net, listed("{mean:.2f}", mine, " and "))
                for net, mine in grouped(cosines, "net").items()
                if net != "random"
            ),
            "; ",
        ),
        "fell": listed(
            "{} of {} ({} constant)",
            ((sum(mine), len(mine), constant) for constant, mine in fell.items()),
        ),
        "left": listed(
            "radius {:g}: {}",
            (
                (radius, listed("{:.2g}%", ((100 * np.median(r["each"]),) for r in mine)))
                for radius, mine in grouped(descents, "radius").items()
            ),
            "; ",
        ),
    }


_LOOKS = {
    EXACT: ("exact", "ink", "o", DASHES[1]),
    "gradients": ("gradients constant", "gradient", "D", DASHES[0]),
    "states": ("states too", "accent", "^", DASHES[3]),
}


def plot(rows):
    """Draw how far Omega's approximate gradients are from the exact one, and how far they lead.

    To the left, the cosine of each approximation with the exact gradient in random networks, a dot
    for each kind of network and a line through the mean at each radius. To the right, the share of
    Omega that is left after descents along the exact gradient and along each approximation.
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
    claim="For the gradient of the regulariser Omega, the back-propagated gradients may be treated "
    "as constants: that is a good enough approximation.",
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
        "cosine of the gradient with back-propagated gradients held constant and the exact one, "
        f"{_MIDDLE[0]} units, {_MIDDLE[1]} steps, radius {_MIDDLE[2]}",
    ),
    verdict=[
        (
            lambda n: n.cosine.low <= CLOSE and n.as_far,
            "holds if all that is asked of it is to bring Omega down, not to point where the exact "
            "gradient points",
        )
    ],
    saw=[
        "Mean cosine with the exact gradient over {kinds} kinds of random network: from "
        "{from[gradients]:.2f} to {to[gradients]:.2f} with the back-propagated gradients held "
        "constant, from {from[states]:.2f} to {to[states]:.2f} with the states as well; in "
        "networks trained {trained}. Of {networks} random networks, {uphill[gradients]} and "
        "{uphill[states]} would be sent uphill. A descent on Omega alone brings it to a tenth or "
        "less in {fell}; median of what is left, in this order, {left}.",
    ],
    plot=plot,
)
def run(config, seeds):
    """Compare Omega's gradient on all parameters of tanh networks, exact and with the
    back-propagated gradients, or these and the states, held constant: its cosine in random and in
    trained networks that hold one bit, and how far 100 steps of gradient descent along each, at
    the one of four rates that suits it best on other seeds, bring Omega down.
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
    """One row of the table: its columns are the same for cosines and for descents."""
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
    """Rows with the cosine of each approximation with the exact gradient, for each network."""
    # in double precision: the question is one of mathematics
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
    """Go down Omega alone: the share of it that is left, for new sequences."""
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
