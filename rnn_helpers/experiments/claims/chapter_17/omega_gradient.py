"""Is Omega's gradient with parts held constant anything like its exact gradient? (10.11.2)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.own_rates import SGDEach
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.stats import SIGNED, mean_interval
from rnn_helpers.experiments.success import start
from rnn_helpers.reference import omega_gradient, rnn_forward
from rnn_helpers.tasks import Latch, character_model, flow_model
from rnn_helpers.training import SGD, fit

LATCH = Latch()
CLOSE = 0.9  # cosine from which two directions are called close: 26 degrees between them
FALLEN = 0.1  # share of Omega that a descent that works leaves at most
EXACT, APPROXIMATIONS = "nothing", ("gradients", "states")
_BATCH, _TEST = 16, 200


def summarise(rows):
    """Judge the direction by its cosine, and the descent by what it leaves of Omega."""
    cosines = {constant: {} for constant in APPROXIMATIONS}
    descents = []
    for row in rows:
        if row["measure"] == "cosine":
            kind = row["net"], row["n_h"], row["length"], row["radius"]
            cosines[row["constant"]][kind] = row["each"]
        else:
            descents.append(row)
    value, low, high = mean_interval(cosines["gradients"]["random", *_MIDDLE], SIGNED)
    random, trained, uphill = {}, {}, {}
    for constant, kinds in cosines.items():
        random[constant] = [np.mean(each) for (net, *_), each in kinds.items() if net == "random"]
        every = [cosine for (net, *_), each in kinds.items() if net == "random" for cosine in each]
        uphill[constant] = sum(cosine <= 0 for cosine in every)
        for (net, *_), each in kinds.items():
            if net != "random":
                trained.setdefault(net, []).append(f"{np.mean(each):.2f}")
    held, immediate = random.values()
    after = [f"{net} {' and '.join(two)}" for net, two in trained.items()]
    fell = {constant: [] for constant in (EXACT, *APPROXIMATIONS)}
    for row in descents:
        fell[row["constant"]] += list(np.less_equal(row["each"], FALLEN))
    works = np.mean(fell["gradients"]) > np.mean(fell[EXACT]) - 0.05
    by_radius = {}
    for row in descents:
        by_radius.setdefault(row["radius"], []).append(f"{100 * np.median(row['each']):.2g}%")
    left = "; ".join(f"radius {radius:g}: {', '.join(each)}" for radius, each in by_radius.items())
    return Summary(
        value,
        low,
        high,
        f"cosine of the gradient with back-propagated gradients held constant and the exact one, "
        f"{_MIDDLE[0]} units, {_MIDDLE[1]} steps, radius {_MIDDLE[2]}",
        "holds"
        if low > CLOSE
        else "holds if all that is asked of it is to bring Omega down, not to point where the "
        "exact gradient points"
        if works
        else "does not hold",
        f"Mean cosine with the exact gradient over {len(held)} kinds of random network: from "
        f"{min(held):.2f} to {max(held):.2f} with the back-propagated gradients held constant, "
        f"from {min(immediate):.2f} to {max(immediate):.2f} with the states as well; in "
        f"networks trained {'; '.join(after)}. Of {len(every)} random networks, "
        f"{uphill['gradients']} and {uphill['states']} would be sent uphill. A descent "
        f"on Omega alone brings it to a tenth or less in {_counts(fell)}; median of "
        f"what is left, in this order, {left}.",
    )


def _counts(fell):
    return ", ".join(f"{sum(each)} of {len(each)} ({name} constant)" for name, each in fell.items())


_MIDDLE = (20, 30, 0.9)


@experiment(
    "omega-gradient",
    claim="For the gradient of the regulariser Omega, the back-propagated gradients may be treated "
    "as constants: that is a good enough approximation.",
    source="Goodfellow et al. 10.11.2, after Pascanu et al. 2013 (E-54)",
    chapter="17",
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
    summarise=summarise,
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
        eta, others = config["etas"][0], separate(config["choosing"])
        if others:
            tried = [
                np.log(_descent(radius, constant, eta, others, config["steps"])).mean()
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
