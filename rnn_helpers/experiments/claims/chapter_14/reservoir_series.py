"""How well do reservoirs of several spectral radii imitate and foretell series? (section 10.8)"""

from functools import cache
from itertools import product

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.experiments.rates import separate
from rnn_helpers.reference import init_reservoir, output, reservoir_states, ridge_readout
from rnn_helpers.tasks import forecast, mackey_glass, narma10, normalised_error

LARGE = 3.0  # the radius that the source names
TASKS = {
    "narma": "NARMA-10",
    "next": "Mackey-Glass one step ahead",
    "far": "Mackey-Glass 84 steps ahead, on its own predictions",
}
AHEAD = 84


def summarise(rows):
    """Compare radius 3 with the best of the others, each as its settings are best."""
    text, ratios = [], {}
    for task in dict.fromkeys(row["task"] for row in rows):
        these = [row for row in rows if row["task"] == task]
        best = {radius: _at_best_scale(these, radius) for radius in _radii(these)}
        top = min((r for r in best if r != LARGE), key=lambda radius: best[radius]["tried"])
        ratios[task] = _times(best[LARGE], best[top])
        text.append(
            f"{TASKS[task]}: "
            + ", ".join(
                f"{_said(row)} at radius {radius:g} (input scale {row['scale']:g}, leak "
                f"{row['leak']:g})"
                for radius, row in best.items()
            )
            + "".join(f"; with {row['n_h']} units at radius {row['radius']:g} {_said(row)}"
                      for row in these if row["radius"] and row["n_h"] != best[top]["n_h"])
            + "".join(f"; a weighted sum of the last {row['n_h']} inputs makes {_said(row)}"
                      for row in these if row["radius"] is None)
        )  # fmt: skip
    first, *_ = ratios
    worse = [task for task, (_, low, _) in ratios.items() if low > 1]
    return Summary(
        *ratios[first],
        unit=f"times the {TASKS[first]} error of the best smaller radius, at radius 3",
        verdict=(
            "holds"
            if not worse
            else "does not hold"
            if len(worse) == len(ratios)
            else f"holds if the task is not {' or '.join(TASKS[task] for task in worse)}"
        ),
        text=f"Normalised errors. {'. '.join(text)}.",
    )


def _radii(rows):
    return sorted({row["radius"] for row in rows if row["radius"]})


def _at_best_scale(rows, radius):
    """The row of the input scale that did best on the seeds for choosing."""
    units = min(row["n_h"] for row in rows if row["radius"])
    these = [row for row in rows if (row["radius"], row["n_h"]) == (radius, units)]
    return min(these, key=lambda row: row["tried"])


def _times(row, other):
    """Geometric mean of the ratios of two rows' errors, seed by seed, with its interval."""
    return np.exp(mean_interval(np.log(np.divide(row["errors"], other["errors"]))))


def _said(row):
    return "{error:.2g} ({low:.2g} to {high:.2g})".format(**row)


_SETTINGS = {
    "n_h": 200, "training": 2000, "washout": 200, "testing": 1000, "runs": 50, "memory": 20,
}  # fmt: skip


@experiment(
    "reservoir-series",
    claim="A reservoir may have a spectral radius much larger than 1, such as 3: saturation keeps "
    "it stable, and it serves as well as one with a radius near 1.",
    source="ours, prompted by Goodfellow et al. 10.8, which fixes the radius and names no series "
    "(P23, E-43)",
    chapter="14",
    quick={
        "seeds": 3, "choosing": 1, **_SETTINGS, "large": [], "tasks": ["narma"],
        "radii": [0.9, 3.0], "scales": [0.01, 3.0], "biases": [0.5], "leaks": [0.4, 1.0],
        "penalties": [1e-10],
    },
    full={
        "seeds": 10, "choosing": 2, **_SETTINGS, "large": [400], "tasks": list(TASKS),
        "radii": [0.8, 0.9, 1.1, 1.4, 2.0, 3.0], "scales": [0.01, 0.1, 1.0, 3.0],
        "biases": [0.0, 0.5], "leaks": [0.4, 1.0], "penalties": [1e-15, 1e-10, 1e-5],
    },
    summarise=summarise,
)  # fmt: skip
def run(config, seeds):
    """Fit readouts of sparse tanh reservoirs of 200 units on 2000 steps, after 200 of washout, and
    test them on 1000 new ones; inputs have variance 1. For each radius and input scale, the bias (0
    or 0.5), leak (0.4 or 1) and penalty (1e-15, 1e-10 or 1e-5) are chosen on 2 other seeds, then
    the scale.
    """
    rows = []
    for task in config["tasks"]:
        for radius, scale in product(config["radii"], config["scales"]):
            tried = {}
            for bias, leak in product(config["biases"], config["leaks"]):
                settings = {"radius": radius, "scale": scale, "bias": bias, "leak": leak}
                errors = [
                    _errors(task, settings, config["n_h"], config["penalties"], config, seed)
                    for seed in separate(config["choosing"])
                ]
                means = np.exp(np.log(errors).mean(axis=0))
                for penalty, mean in zip(config["penalties"], means, strict=True):
                    tried[bias, leak, penalty] = mean
            bias, leak, penalty = min(tried, key=tried.get)
            settings = {"radius": radius, "scale": scale, "bias": bias, "leak": leak}
            settings |= {"penalty": penalty, "tried": tried[bias, leak, penalty]}
            rows.append(_row(task, settings, config["n_h"], config, seeds))
        best = min((row for row in rows if row["task"] == task), key=lambda row: row["tried"])
        rows += [_row(task, best, n_h, config, seeds) for n_h in config["large"]]
        if task != "far":
            rows.append(_row(task, dict.fromkeys(settings), config["memory"], config, seeds))
    return rows


def _row(task, settings, n_h, config, seeds):
    """Errors of one setting, or of a sum of inputs where the radius is None, over the seeds."""
    settings = {name: settings[name]
                for name in ("radius", "scale", "bias", "leak", "penalty", "tried")}  # fmt: skip
    penalties = [settings["penalty"] or config["penalties"][0]]
    errors = [_errors(task, settings, n_h, penalties, config, seed)[0] for seed in seeds]
    error, low, high = np.exp(mean_interval(np.log(errors)))
    shown = {"error": error, "low": low, "high": high, "errors": errors}
    return {"task": task, "n_h": n_h, **settings, **shown}


def _errors(task, settings, n_h, penalties, config, seed):
    """Normalised error on new steps, for each penalty."""
    weights = np.random.default_rng(seed).spawn(1)[0]
    fitted = config["washout"] + config["training"]
    x, y = _task(task, fitted + config["testing"], seed)
    if settings["radius"] is None:
        past = np.pad(x[:, 0], (n_h - 1, 0))
        states = np.lib.stride_tricks.sliding_window_view(past, n_h)
    else:
        params = init_reservoir(
            1, n_h, weights, radius=settings["radius"], input_scale=settings["scale"]
        )
        params["b"] = settings["bias"] * weights.uniform(-1, 1, n_h)
        states = reservoir_states(params, x, leak=settings["leak"])
    errors = []
    for penalty in penalties:
        readout = ridge_readout(states[:fitted], y[:fitted], penalty, config["washout"])
        if task == "far":
            begins = np.linspace(fitted, len(x) - AHEAD, config["runs"], dtype=int)
            said = _run_free(params, readout, states[begins], settings["leak"])
            errors.append(np.sqrt(np.mean((said - y[begins + AHEAD - 1]) ** 2)) / y.std())
        else:
            errors.append(normalised_error(y[fitted:], output(**readout, h=states[fitted:])))
    return errors


@cache
def _task(task, n_steps, seed):
    """Inputs of mean 0 and variance 1, and what is to be said."""
    rng = np.random.default_rng(seed).spawn(2)[1]
    if task == "narma":
        x, y = narma10(n_steps, rng)
        return (x - x.mean()) / x.std(), y
    series = mackey_glass(n_steps + 1, rng.uniform(0.5, 1.5))
    return forecast((series - series.mean()) / series.std())


def _run_free(params, readout, h, leak):
    """What the network says 84 steps ahead when it reads its own predictions of one step."""
    said = output(**readout, h=h)
    for _ in range(AHEAD - 1):
        (h,) = reservoir_states(params, said[None], h0=h, leak=leak)
        said = output(**readout, h=h)
    return said
