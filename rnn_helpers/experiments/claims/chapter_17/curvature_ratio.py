"""Does the second derivative vanish along with the first, and their ratio stay? (section 10.11)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.reference import init_recurrent, init_rnn, rnn_forward
from rnn_helpers.reference.rnn import NONLINEARITIES

STATE, WEIGHTS = "the first state", "all weights"
_VANISHES = 0.95  # factor per step below which a derivative is said to vanish; to grow, above 1/it
_SLOWLY = 0.2  # a ratio stays "about constant" if its logarithm moves by less than this share


def jets(params, run, d_state, d_weights):
    """First and second derivatives, at s = 0, of all outputs of networks with tanh units.

    The first state is ``h0 + s d_state`` and the recurrent weights are ``W + s d_weights``; both
    derivatives go forward through time with the states.

    Parameters
    ----------
    params : dict of ndarray
        Networks on a leading axis of S seeds.
    run : Run
        Of these networks, states of shape (T + 1, S, B, n_h).
    d_state : ndarray, shape (S, B, n_h)
        Direction of the first state.
    d_weights : ndarray, shape (S, n_h, n_h)
        Direction of the weights.

    Returns
    -------
    first, second : ndarray, shape (T, S, B, n_y)
    """
    W, V, turn = (M.mT for M in (params["W"], params["V"], d_weights))
    slopes = NONLINEARITIES["tanh"].slope(run.h)
    dh, ddh, first, second = d_state, np.zeros_like(d_state), [], []
    for h_prev, h, slope in zip(run.h_prev, run.h, slopes, strict=True):
        da, dda = dh @ W + h_prev @ turn, ddh @ W + 2 * dh @ turn
        dh, ddh = slope * da, slope * dda - 2 * h * slope * da**2
        first.append(dh @ V)
        second.append(ddh @ V)
    return np.array(first), np.array(second)


def derivatives(params, run, y, d_state, d_weights):
    """Derivatives, along a direction, of the loss at each step as if it were the last.

    Parameters
    ----------
    params, run, d_state, d_weights
        As for `jets`.
    y : int
        Target.

    Returns
    -------
    dict of ndarray, shape (T, S, B)
        The ``first`` and the ``second`` derivative, and the part of the second that the
        ``gauss_newton`` matrix keeps: it leaves out how the outputs bend.
    """
    do, ddo = jets(params, run, d_state, d_weights)
    grad = run.yhat - np.eye(run.o.shape[-1])[y]
    mean = (run.yhat * do).sum(axis=-1)
    kept = (run.yhat * (do - mean[..., None]) ** 2).sum(axis=-1)
    return {
        "first": (grad * do).sum(axis=-1),
        "second": kept + (grad * ddo).sum(axis=-1),
        "gauss_newton": kept,
    }


def _rows(what, radius, config, seeds):
    """Measure networks of one radius, one for each seed, side by side."""
    n_h, T, B = config["n_h"], config["length"], config["sequences"]
    parts = [np.random.default_rng(seed).spawn(3) for seed in seeds]
    others, recurrent, data = map(list, zip(*parts, strict=True))
    params = init_rnn(1, n_h, 2, seed=others)
    params["W"] = init_recurrent("gaussian", n_h, recurrent, radius=radius)
    x = np.stack([rng.normal(size=(T, B, 1)) for rng in data], axis=1)
    h0, d_state = np.tanh([rng.normal(size=(2, B, n_h)) for rng in data]).swapaxes(0, 1)
    if what == STATE:
        d_state = d_state / np.linalg.norm(d_state, axis=-1, keepdims=True)
        d_weights = np.zeros_like(params["W"])
    else:  # larger or smaller weights, as in w^tau; nothing comes in later, on any shorter way
        x, d_state, d_weights = 0 * x, 0 * d_state, params["W"]
    found = derivatives(params, rnn_forward(params, x, h0), 0, d_state, d_weights)
    logs = {name: np.log10(np.abs(each)).mean(axis=-1) for name, each in found.items()}
    steps = np.arange(1, T + 1)
    late = steps >= config["from"]

    def slope(along, curve):
        return np.polyfit(along[late], curve[late], 1)[0]

    rates = {name: slope(steps, curve) for name, curve in logs.items()}
    ratio = logs["first"] - logs["second"]
    power = slope(np.log10(steps), ratio)
    return [
        {
            "what": what,
            "radius": radius,
            "seed": seed,
            **{name: 10 ** rate[s] for name, rate in rates.items()},
            "ratio": 10 ** (rates["first"] - rates["second"])[s],
            "ratio_gauss_newton": 10 ** (rates["first"] - rates["gauss_newton"])[s],
            "power": power[s],
            "negative": (found["second"][late, s] < 0).mean(),
            **{f"log10_{name}": curve[9::10, s] for name, curve in logs.items()},
        }
        for s, seed in enumerate(seeds)
    ]


def summarise(rows):
    """See whether the ratio stays where both derivatives vanish, and what it does elsewhere."""
    groups = {}
    for row in rows:
        groups.setdefault((row["what"], row["radius"]), []).append(row)
    factors = {
        key: {
            name: mean_interval([row[name] for row in group])
            for name in ("first", "second", "gauss_newton", "ratio", "ratio_gauss_newton")
        }
        for key, group in groups.items()
    }
    vanishing = [
        key for key, of in factors.items() if max(of["first"][2], of["second"][2]) < _VANISHES
    ]
    growing = [
        key for key, of in factors.items() if min(of["first"][1], of["second"][1]) > 1 / _VANISHES
    ]

    def moves(key, name):
        """How fast a ratio moves, against the gradient, at most."""
        of = factors[key]
        return np.abs(np.log(of[name][1:])).max() / abs(np.log(of["first"][0]))

    def says(keys):
        return "; ".join(
            f"radius {key[1]}: gradient {of['first'][0]:.3f}, second derivative "
            f"{of['second'][0]:.3f}, ratio "
            + "{:.3f} ({:.3f} to {:.3f})".format(*of["ratio"])
            + f", Gauss-Newton part {of['gauss_newton'][0]:.3f}"
            for key in keys
            for of in [factors[key]]
        )

    text = "Factors per step."
    for what in dict.fromkeys(key[0] for key in groups):
        for how, keys in (("vanish", vanishing), ("grow", growing)):
            if here := [key for key in keys if key[0] == what]:
                text += f" Along {what}, both {how} at {says(here)}."
    power = [row["power"] for key in vanishing if key[0] == WEIGHTS for row in groups[key]]
    if power:
        text += (
            " Where both vanish along all weights, the ratio falls like T to the power "
            "{:.2f} ({:.2f} to {:.2f}).".format(*mean_interval(power))
        )
    negative = np.mean([row["negative"] for key in vanishing for row in groups[key]])
    text += f" Where both vanish, {negative:.0%} of all second derivatives are negative."
    verdict = "does not hold"
    if vanishing and max(moves(key, "ratio") for key in vanishing) < _SLOWLY:
        conditions = ["the gradient vanishes, not where it grows"] if growing else []
        if min(moves(key, "ratio_gauss_newton") for key in vanishing) > 1 - _SLOWLY:
            conditions.append("the whole second derivative is meant, not its Gauss-Newton part")
        verdict = "holds if " + ", and if ".join(conditions) if conditions else "holds"
    key = next(iter(groups))
    unit = f"factor per step of gradient by second derivative, {key[0]}, radius {key[1]}"
    return Summary(*factors[key]["ratio"], unit, verdict, text)


@experiment(
    "curvature-ratio",
    claim="Second derivatives may vanish along with the first; then their ratio may stay about "
    "constant.",
    source="Goodfellow et al. 10.11, after Martens and Sutskever 2011 (E-70)",
    chapter="17",
    quick={
        "seeds": 6,
        "n_h": 50,
        "length": 60,
        "sequences": 10,
        "from": 20,
        "radii": [0.5],
        "what": [STATE],
    },
    full={
        "seeds": 20,
        "n_h": 50,
        "length": 100,
        "sequences": 20,
        "from": 20,
        "radii": [0.5, 0.8, 1.0, 1.2, 1.5, 2.0],
        "what": [STATE, WEIGHTS],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Follow the first and the second derivative of the loss at step T, exactly, in untrained tanh
    networks of 50 units of several spectral radii, as T grows to 100: along a random direction of
    the first state, with noise of deviation 1 coming in, and along W itself, with none. Fit the
    factor per step, from step 20 on, to the mean logarithms of 20 sequences.
    """
    return [
        row
        for what in config["what"]
        for radius in config["radii"]
        for row in _rows(what, radius, config, seeds)
    ]
