"""Does the second derivative vanish at the same rate as the first? (section 10.11)"""

from functools import partial

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import Data, estimate
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.reference import init_recurrent, init_rnn, rnn_forward
from rnn_helpers.reference.rnn import NONLINEARITIES

STATE, WEIGHTS = "the first state", "all weights"
_VANISHES = 0.95  # factor per step below which a derivative is said to vanish; to grow, above 1/it
_SLOWLY = (
    0.2  # a judgment: a ratio stays "about constant" if its logarithm moves by less than this share
)


def jets(params, run, d_state, d_weights):
    """Return the first and second derivatives, at s = 0, of all outputs of tanh networks.

    The first state is ``h0 + s d_state`` and the recurrent weights are ``W + s d_weights``. Both
    derivatives are computed forward in time, with the states.

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
    dh = d_state
    ddh = np.zeros_like(d_state)
    first = []
    second = []
    for h_prev, h, slope in zip(run.h_prev, run.h, slopes, strict=True):
        da, dda = dh @ W + h_prev @ turn, ddh @ W + 2 * dh @ turn
        dh, ddh = slope * da, slope * dda - 2 * h * slope * da**2
        first.append(dh @ V)
        second.append(ddh @ V)
    return np.array(first), np.array(second)


def derivatives(params, run, y, d_state, d_weights):
    """Return derivatives along a direction of the loss at each step, as if it were the last.

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
        x = 0 * x
        d_state = 0 * d_state
        d_weights = params["W"]
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


def numbers(rows):
    """Return the factors per step of both derivatives, and of their ratios."""
    groups = grouped(rows, "what", "radius")
    factors = {key: _factors(mine) for key, mine in groups.items()}
    vanish, grow = (
        [key for key, of in factors.items() if _trend(of) == trend] for trend in (VANISH, GROW)
    )
    first = next(iter(groups))
    bent = [row["power"] for key in vanish if key[0] == WEIGHTS for row in groups[key]]
    return {
        "ratio": factors[first]["ratio"],
        "what": first[0],
        "radius": first[1],
        "vanish": vanish,
        "grow": grow,
        "moves": [_relative(groups[key], "ratio") for key in vanish],
        "moves_kept": [_relative(groups[key], "ratio_gauss_newton") for key in vanish],
        "fastest": max((_moves(factors[key], "ratio") for key in vanish), default=None),
        "slowest_kept": min(
            (_moves(factors[key], "ratio_gauss_newton") for key in vanish), default=None
        ),
        "power": Estimate.mean(bent) if bent else None,
        "negative": np.mean([row["negative"] for key in vanish for row in groups[key]]),
    }


_FACTORS = {
    "first": "gradient",
    "second": "second derivative",
    "ratio": "gradient / second derivative",
    "gauss_newton": "Gauss–Newton part",
    "ratio_gauss_newton": "gradient / Gauss–Newton part",
}
VANISH, GROW = "vanish", "grow"


def _factors(rows) -> dict:
    return {name: Estimate.mean(row[name] for row in rows) for name in _FACTORS}


def _trend(of) -> str:
    """Say whether both derivatives vanish or both grow."""
    if max(of["first"].high, of["second"].high) < _VANISHES:
        return VANISH
    return GROW if min(of["first"].low, of["second"].low) > 1 / _VANISHES else "neither"


def table(what, rows):
    """Tabulate the factors per step of both derivatives and of their ratios in one direction."""

    def told(name, of):
        return f"{of[name]:.3f}" if "ratio" in name else f"{of[name].value:.3f}"

    return [
        {"spectral radius": radius, "both derivatives": _trend(of)}
        | {words: told(name, of) for name, words in _FACTORS.items()}
        for radius, mine in grouped(where(rows, what=what), "radius").items()
        for of in [_factors(mine)]
    ]


def _moves(of, name):
    """Return the largest rate of a ratio relative to the gradient's."""
    return np.abs(np.log(of[name][1:])).max() / abs(np.log(of["first"].value))


def _relative(rows, name) -> Estimate:
    """Estimate the rate of a ratio relative to the gradient's."""
    return Estimate.mean(np.log(row[name]) / abs(np.log(row["first"])) for row in rows)


def _constant(rate) -> bool:
    """Return whether a ratio stays about constant while the gradient vanishes."""
    return rate.low > -_SLOWLY and rate.high < _SLOWLY


def _changing(rate) -> bool:
    """Return whether a ratio clearly changes while the gradient vanishes."""
    return rate.high < -_SLOWLY or rate.low > _SLOWLY


_DRAWN = 0.8  # both vanish at this radius, slowly enough to draw
_SPREAD = 10, 90  # percentiles of the networks at the edges of the band
_SIZES = {"first": "gradient", "second": "second derivative", "gauss_newton": "Gauss-Newton part"}
_BY = "second", "gauss_newton"


def data(rows):
    """Return how the loss's first and second derivative change with the length, and their ratio.

    The estimates are geometric means over the networks of one radius.
    """
    panels = []
    for what, mine in grouped(where(rows, radius=_DRAWN), "what").items():
        logs = {key: np.array([row[f"log10_{key}"] for row in mine]) for key in _SIZES}
        ratios = {f"gradient / {_SIZES[key]}": logs["first"] - logs[key] for key in _BY}
        sizes = {name: logs[key] for key, name in _SIZES.items()}
        for measure, each in (("size", sizes), ("ratio", ratios)):
            lines = [{"label": name, "points": _points(log)} for name, log in each.items()]
            panels.append({"title": f"{measure} along {what}", "measure": measure, "lines": lines})
    return Data(
        question="Do the first and the second derivative of the loss vanish at the same rate?",
        measure="size",
        unit="",
        spread="four fifths of the networks",
        panels=panels,
        x="steps T",
        log="y",
    )


def _points(logs):
    """Return the geometric mean and the bounds of four fifths of the networks, every ten steps."""
    low, high = np.percentile(logs, _SPREAD, axis=0)
    each = zip(*(10.0**part for part in (logs.mean(axis=0), low, high)), strict=True)
    return [estimate(point, x=10 * k) for k, point in enumerate(each, 1)]


@experiment(
    claim="Second derivatives may vanish together with first derivatives. Then the ratio of the "
    "two may stay about constant.",
    source="Goodfellow et al. 10.11, after Martens and Sutskever 2011",
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
    numbers=numbers,
    headline=(
        "ratio",
        "factor per step of the ratio of gradient to second derivative, along {what}, spectral "
        "radius {radius}",
    ),
    finding={
        "holds": "Where the gradient vanishes, the second derivative and its Gauss–Newton part "
        "vanish at about the same rate.",
        "holds in part": "Where the gradient vanishes, the second derivative vanishes at about the "
        "same rate; where the gradient grows, the second derivative grows faster.",
        "does not hold": "Where the gradient vanishes, the second derivative vanishes at another "
        "rate.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.moves and all(map(_constant, [*n.moves, *n.moves_kept])),
            "Holds. The ratio to the Gauss–Newton part stays about constant too.",
        ),
        in_part=(
            lambda n: (
                n.moves and all(map(_constant, n.moves)) and all(map(_changing, n.moves_kept))
            ),
            "Holds in part, if the whole second derivative is meant. The ratio of the gradient to "
            "the Gauss–Newton part changes exponentially.",
        ),
        fails=(
            lambda n: n.moves and all(map(_changing, n.moves)),
            "Does not hold. Where the gradient vanishes, its ratio to the second derivative "
            "changes exponentially.",
        ),
    ),
    saw=[
        "The Gauss–Newton part is the second derivative without the curvature of the outputs.",
        (
            lambda n: n.power,
            "Along all weights, the ratio isn't quite constant where both derivatives vanish: it "
            "falls like T to the power {power:.2f}.",
        ),
        "Where both vanish, {negative:.0%} of all second derivatives are negative.",
    ],
    table={
        f"Factors per step along {what}, from step 20 on": partial(table, what)
        for what in (STATE, WEIGHTS)
    },
    data=data,
)
def run(config, seeds):
    """Compute the first and the second derivative of the loss at step T exactly, in untrained tanh
    networks of 50 units with several spectral radii, as T grows to 100. Take the derivatives along
    a random direction of the first state, with input noise of standard deviation 1, and along W
    itself, without input. Fit the factor per step to the mean logarithms of 20 sequences, from
    step 20 on.
    """
    return [
        row
        for what in config["what"]
        for radius in config["radii"]
        for row in _rows(what, radius, config, seeds)
    ]
