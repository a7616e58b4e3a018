"""Time constants of leaky units: fixed, sampled once, or learned? (section 10.9.2)"""

from collections.abc import Sequence
from itertools import product
from math import inf, log

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import running_average, sigmoid
from rnn_helpers.training import fit

SHORTEST, LONGEST = 1.5, 100.0  # time constants, in steps
CLOSE = 0.1  # a constant is found if what was learned is within a tenth of it
SPREAD, SAMPLED = "spread evenly", "sampled"
_LITTLE = 0.01  # share of the variance
_MOST = 0.9  # share of the constants that counts as having found them


def constants(kind: str, n: int, seed: int) -> np.ndarray:
    """Time constants of n units: spread on a logarithmic scale, sampled, or all the same.

    Those of the targets, ``"true"``, are sampled one from each of n equal parts of the scale, so
    that they differ.
    """
    rng = np.random.default_rng([seed, n])
    places = {
        SPREAD: (np.arange(n) + 0.5) / n,
        SAMPLED: rng.random(n),
        "true": (np.arange(n) + rng.spawn(1)[0].random(n)) / n,
    }
    if kind not in places:
        return np.full(n, float(kind.removeprefix("all ")))
    return SHORTEST * (LONGEST / SHORTEST) ** places[kind]


def targets(x: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Running averages (T, S, B, K) of inputs (T, S, B), each scaled to a variance of about 1."""
    alpha = np.exp(-1 / tau)[:, None]
    return running_average(x[..., None], alpha) * np.sqrt((1 + alpha) / (1 - alpha))


def loss_and_grads(params: dict, batch: tuple) -> tuple:
    """Return the loss of a readout ``V`` of leaky units, which receive only the input."""
    x, y = batch
    alpha = sigmoid(params["alpha_logit"])[:, None]
    mu = running_average(x[..., None], alpha)
    V = params["V"]
    error = np.einsum("tsbi,ski->tsbk", mu, V) - y
    share = 2 / error[:, 0].size
    before = np.concatenate([np.zeros_like(mu[:1]), mu[:-1]])
    # the derivative of a running average by its alpha is a running average too
    by_alpha = running_average((before - x[..., None]) / (1 - alpha), alpha)
    on_mu = np.einsum("tsbk,ski->tsbi", error, V)
    grad_alpha = share * np.einsum("tsbi,tsbi->si", on_mu, by_alpha)
    return (error**2).mean(axis=(0, 2, 3)), {
        "V": share * np.einsum("tsbk,tsbi->ski", error, mu),
        "alpha_logit": grad_alpha * (alpha * (1 - alpha))[:, 0],
    }


def numbers(rows):
    """Share of the variance left by learned and by fixed constants; how many were found."""
    learned = grouped(where(rows, how="learned"), "start")
    fixed = {
        start: grouped(mine, "units")
        for start, mine in grouped(where(rows, how="fixed"), "start").items()
    }
    n = learned[SAMPLED][0]["units"]
    sampled = {row["seed"]: row["left"] for row in learned[SAMPLED]}
    better = [k for k, mine in fixed[SAMPLED].items() if _mean(mine) < _mean(learned[SAMPLED])]
    ahead = {
        start: {
            k: sum(row["left"] < sampled[row["seed"]] for row in mine) for k, mine in sizes.items()
        }
        for start, sizes in fixed.items()
    }
    return {
        "n": n,
        "decades": Estimate.mean(
            log(row["left"] / sampled[row["seed"]]) / log(10) for row in fixed[SAMPLED][n]
        ),
        "largest_learned": max(sampled.values()),
        "enough": {
            start: min((k for k, mine in sizes.items() if _all_little(mine)), default=inf)
            for start, sizes in fixed.items()
        },
        "few": Estimate.geometric(row["left"] for row in fixed[SAMPLED][n]),
        "many": Estimate.geometric(row["left"] for row in fixed[SAMPLED][max(fixed[SAMPLED])]),
        "learned": Estimate.geometric(sampled.values()),
        "found": np.mean([row["found"] / n for row in where(rows, how="learned")]),
        "left": _left(learned[SAMPLED]),
        "seeds": len(sampled),
        "ahead": ahead,
        "wins": ahead[SAMPLED][better[0]] if better else 0,
        "better": better,
    }


def table_learned(rows):
    """Tabulate how many constants were found and what is left, by where learning began."""
    learned = grouped(where(rows, how="learned"), "start")
    return [
        {
            "constants start": start,
            "constants found": f"{sum(row['found'] for row in mine)} of "
            f"{sum(row['units'] for row in mine)}",
            "variance left": _left(mine),
            "learning rate": mine[0]["eta"],
        }
        for start, mine in learned.items()
    ]


def table_fixed(rows):
    """Tabulate what fixed constants leave, by how many there are."""
    fixed = where(rows, how="fixed")
    return crossed(fixed, "start", "units", _left, heading="constants", each="{} units")


def plot(rows):
    """Draw the share of the variance left by constants that learned, and by fixed ones."""
    fixed = grouped(where(rows, how="fixed"), "start", "units")
    names = {f"{n} fixed, {start}": mine for (start, n), mine in fixed.items()}
    for start, mine in grouped(where(rows, how="learned"), "start").items():
        names[f"{mine[0]['units']} learned, from {start}"] = mine
    return claim_intervals(
        {name: Estimate.geometric(row["left"] for row in mine) for name, mine in names.items()},
        xlabel="share of the variance left",
        reference=(_LITTLE, f"{_LITTLE:.0%}"),
        log=True,
    )


def _mean(rows: Sequence[dict]) -> float:
    """Geometric mean of the share of the variance left."""
    return float(np.exp(np.mean([log(row["left"]) for row in rows])))


def _all_little(rows: Sequence[dict]) -> bool:
    """Whether little of the variance is left, whatever the seed."""
    return max(row["left"] for row in rows) < _LITTLE


def _left(rows: Sequence[dict]) -> str:
    return f"{100 * _mean(rows):.2g}%"


_SETTINGS = {"true": 4, "length": 200, "batch_size": 4}


@experiment(
    claim="The time constants of leaky units can be fixed, say sampled once, or learned.",
    source="Goodfellow et al. 10.9.2 (P26)",
    quick={
        "seeds": 4,
        "choosing": 0,
        **_SETTINGS,
        "steps": 150,
        "etas": [0.1],
        "starts": [SAMPLED],
        "units": [4, 16],
    },
    full={
        "seeds": 12,
        "choosing": 3,
        **_SETTINGS,
        "steps": 1500,
        "etas": [0.03, 0.1],
        "starts": [SPREAD, SAMPLED, "all 1.5", "all 10", "all 100"],
        "units": [4, 8, 16],
    },
    numbers=numbers,
    headline=("decades", "powers of ten by which learning lowers the error of sampled constants"),
    finding="Fixed time constants do as well as learned ones if there are enough of them; learned "
    "ones give the right averages without being the true constants.",
    verdict=Verdict(
        holds=(
            lambda n: n.few.high < _LITTLE and n.learned.high < _LITTLE,
            "Holds. {n} constants give the averages, sampled once or learned.",
        ),
        holds_if=(
            lambda n: n.many.high < _LITTLE and n.learned.high < _LITTLE,
            "Holds if there are enough fixed constants. Learning finds the averages with {n}, but "
            "over all starts only {found:.0%} of the true constants.",
        ),
        fails=(
            lambda n: n.many.low > _LITTLE or n.learned.low > _LITTLE,
            f"Does not hold. Sampled or learned constants leave more than {_LITTLE:.0%} of the "
            "variance.",
        ),
    ),
    saw=[
        f"With {{enough[{SPREAD}]}} evenly spread constants or {{enough[{SAMPLED}]}} sampled ones, "
        f"less than {_LITTLE:.0%} of the variance is left, with every seed. {{n}} learned "
        "constants that start from sampled ones leave {left} (a geometric mean).",
        (
            lambda n: n.better,
            "{better[0]} sampled ones leave less than that, in {wins} of {seeds} seeds.",
        ),
    ],
    table={
        "Learned constants": table_learned,
        "Share of the variance that fixed constants leave": table_fixed,
    },
    plot=plot,
)
def run(config, seeds):
    """Compute four running averages of noise from leaky units that receive only the noise. The time
    constants of the averages, between 1.5 and 100 steps, differ from seed to seed. The units'
    constants are fixed, either spread evenly or sampled on a logarithmic scale. Or Adam learns them
    together with the readout, starting from such constants or from equal ones. Each start uses the
    better of two learning rates, chosen on 3 other seeds. At the end, least squares finds the best
    readout.
    """
    rows = []
    for start, units, seed in product((SPREAD, SAMPLED), config["units"], seeds):
        (left,) = _left_over(constants(start, units, seed)[None], config, [seed])
        rows.append({"how": "fixed", "start": start, "units": units, "seed": seed, "left": left})
    return rows + _learn(config, seeds)


def _learn(config: dict, seeds: Sequence[int]) -> list[dict]:
    """Learn the constants from every start, at all rates side by side, and keep the best rate."""
    n = config["true"]
    choosing_seeds = separate(config["choosing"])
    networks = list(product(config["starts"], config["etas"], [*choosing_seeds, *seeds]))
    starts, etas, drawn = zip(*networks, strict=True)
    true = np.array([constants("true", n, seed) for seed in drawn])
    begin = np.exp(
        -1 / np.array([constants(start, n, s) for start, s in zip(starts, drawn, strict=True)])
    )
    V = [np.random.default_rng([seed, 1]).standard_normal((n, n)) / np.sqrt(n) for seed in drawn]
    history = fit(
        loss_and_grads,
        {"alpha_logit": np.log(begin / (1 - begin)), "V": np.array(V)},
        _batches(true, drawn, config),
        steps=config["steps"],
        optimizer=AdamEach(etas, config["steps"]),
    )
    tau = np.sort(-1 / np.log(sigmoid(history.params["alpha_logit"])), axis=-1)
    left = _left_over(tau, config, drawn)
    found = (np.abs(np.log(tau / true)) < np.log(1 + CLOSE)).sum(axis=-1)
    rows = [
        {"how": "learned", "start": start, "units": n, "seed": seed, "eta": eta}
        | {"left": left[k], "found": int(found[k]), "learned": tau[k], "true": true[k]}
        for k, (start, eta, seed) in enumerate(networks)
    ]
    best = []
    for start in config["starts"]:
        of_start = [row for row in rows if row["start"] == start]
        tries = [row for row in of_start if row["seed"] in choosing_seeds] or of_start
        eta = min(config["etas"], key=lambda eta: _mean([r for r in tries if r["eta"] == eta]))
        best += [row for row in of_start if row["eta"] == eta and row["seed"] in seeds]
    return best


def _batches(tau, seeds, config):
    """Noise and its running averages, without end; each seed has its own."""
    rngs = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    while True:
        x = np.stack(
            [rng.standard_normal((config["length"], config["batch_size"])) for rng in rngs], axis=1
        )
        yield x, targets(x, tau)


def _left_over(tau, config, seeds) -> list[float]:
    """Share of the targets' variance that is left on new noise by the best readout."""
    shares = []
    for own, seed in zip(tau, seeds, strict=True):
        true = constants("true", config["true"], seed)
        rng = np.random.default_rng([seed, 2])
        (x, y), (new_x, new_y) = (
            (x, targets(x, true[None])) for x in rng.standard_normal((2, 1000, 1, 4))
        )
        alpha = np.exp(-1 / own)
        mu, new_mu = (running_average(x[:, 0, :, None], alpha) for x in (x, new_x))
        # columns of equal size, or what is read off slow units would be lost in rounding
        scale = np.sqrt((1 + alpha) / (1 - alpha))
        features = (mu * scale).reshape(-1, len(alpha))
        target = y.reshape(-1, y.shape[-1])
        V = np.linalg.lstsq(features, target, rcond=1e-10)[0]
        squared_error = ((new_mu * scale) @ V - new_y[:, 0]) ** 2
        shares.append(float(squared_error.mean() / (new_y**2).mean()))
    return shares
