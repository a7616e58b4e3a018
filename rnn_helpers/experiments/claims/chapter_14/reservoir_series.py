"""How well do reservoirs of several spectral radii predict series? (section 10.8)"""

from functools import cache
from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment, mean_interval
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.reference import init_reservoir, output, reservoir_states, ridge_readout
from rnn_helpers.tasks import forecast, mackey_glass, narma10, normalised_error

LARGE = 3.0  # the radius that the source names
TASKS = {
    "narma": "NARMA-10",
    "next": "Mackey-Glass one step ahead",
    "far": "Mackey-Glass 84 steps ahead, on its own predictions",
}
AHEAD = 84
AS_WELL = 1.1  # a judgment: as good is an error that is at most a tenth larger


def numbers(rows):
    """Return the error at radius 3 as a multiple of the best smaller radius's, and all errors."""
    tasks = grouped(rows, "task")
    times = {task: _times_at_large(_at_best_scale(mine)) for task, mine in tasks.items()}
    return {
        "times": next(iter(times.values())),
        "first": TASKS[next(iter(times))],
        "least": min(ratio.low for ratio in times.values()),
        "ratios": list(times.values()),
        "served": " and ".join(TASKS[task] for task in times if times[task].high < AS_WELL),
        "errors": {task: _errors_of(mine) for task, mine in tasks.items()},
    }


def _errors_of(rows):
    """Return one task's errors: at the best smaller radius, at the large one, and of the others."""
    best = _at_best_scale(rows)
    shown = {"best": _best_smaller(best), "large": best[LARGE]}
    for row in rows:
        if row["radius"] is None:
            shown["sum"] = row
        elif row["n_h"] != _SETTINGS["n_h"]:
            shown["more"] = row
    return {name: Estimate.stored(row, "error") for name, row in shown.items()}


def plot(rows):
    """Draw the errors on each task over the radius, at the input scale other seeds chose."""
    names = {"narma": "NARMA-10", "next": "Mackey–Glass, 1 step", "far": "Mackey–Glass, 84 steps"}
    return claim_curves(
        {name: _at_best_scale(where(rows, task=task)).values() for task, name in names.items()},
        "radius",
        "error",
        xlabel="spectral radius",
        ylabel="normalized error",
        log="y",
    )


def _at_best_scale(rows):
    """Return each radius's row of the input scale that did best on the seeds for choosing."""
    radii = sorted(grouped(where(rows, n_h=_SETTINGS["n_h"]), "radius").items())
    return {radius: min(mine, key=lambda row: row["tried"]) for radius, mine in radii}


def _times_at_large(best):
    """Estimate the ratio of the errors at the large and the best smaller radius, seed by seed."""
    return Estimate.geometric(np.divide(best[LARGE]["errors"], _best_smaller(best)["errors"]))


def _best_smaller(best):
    """Return the row of the smaller radius that did best on the seeds for choosing."""
    return min((best[r] for r in best if r != LARGE), key=lambda row: row["tried"])


def table_errors(rows):
    """Tabulate the errors at each radius, of more units, and of a weighted sum of inputs."""
    shown = [
        row | {"name": name}
        for mine in grouped(rows, "task").values()
        for name, row in [
            *((f"radius {radius:g}", row) for radius, row in _at_best_scale(mine).items()),
            *(
                (f"{row['n_h']} units, best radius", row)
                for row in mine
                if row["radius"] and row["n_h"] != _SETTINGS["n_h"]
            ),
            *(
                (f"weighted sum of the last {row['n_h']} inputs", row)
                for row in where(mine, radius=None)
            ),
        ]
    ]
    return _by_task(shown, lambda some: f"{Estimate.stored(some[0], 'error'):.2g}")


def table_settings(rows):
    """Tabulate the settings that were chosen for each radius."""
    shown = [
        row | {"name": f"{radius:g}"}
        for mine in grouped(rows, "task").values()
        for radius, row in _at_best_scale(mine).items()
    ]
    return _by_task(shown, lambda some: "{scale:g} and {leak:g}".format(**some[0]), "radius")


def _by_task(rows, cell, heading="reservoir"):
    named = [row | {"task": TASKS[row["task"]]} for row in rows]
    return crossed(named, "name", "task", cell, heading=heading)


_SETTINGS = {
    "n_h": 200, "training": 2000, "washout": 200, "testing": 1000, "runs": 50, "memory": 20,
}  # fmt: skip


@experiment(
    claim="A reservoir may have a spectral radius much larger than 1, such as 3: saturation keeps "
    "it stable, and it serves as well as one with a radius near 1.",
    source="ours, prompted by Goodfellow et al. 10.8, which fixes the radius and names no series "
    "(P23, E-43)",
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
    numbers=numbers,
    headline=("times", "{first} error at radius 3, as a multiple of the best smaller radius's"),
    finding="At radius 3, the error on {first} is {times.value:.1f} times the error at the best "
    "smaller radius.",
    verdict=Verdict(
        holds=(
            lambda n: all(ratio.high < AS_WELL for ratio in n.ratios),
            "Holds. On every series, the error at radius 3 is at most a tenth larger than at the "
            "best smaller radius.",
        ),
        holds_if=(
            lambda n: all(
                ratio.high < AS_WELL or ratio.low > AS_WELL for ratio in n.ratios
            )
            and any(ratio.high < AS_WELL for ratio in n.ratios),
            "Holds if the series is {served}. On the others, the error is larger at radius 3.",
        ),
        fails=(
            lambda n: all(ratio.low > AS_WELL for ratio in n.ratios),
            "Does not hold. On every series, the error is larger at radius 3 than at the best "
            "smaller radius.",
        ),
    ),
    saw=["Errors are normalized, so that a constant prediction of the mean has an error of 1."],
    table={
        "Normalized errors": table_errors,
        "Chosen input scale and leak": table_settings,
    },
    plot=plot,
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
    """Return the errors of a setting over the seeds; without a radius, of a sum of inputs."""
    settings = {name: settings[name]
                for name in ("radius", "scale", "bias", "leak", "penalty", "tried")}  # fmt: skip
    penalties = [settings["penalty"] or config["penalties"][0]]
    errors = [_errors(task, settings, n_h, penalties, config, seed)[0] for seed in seeds]
    error, low, high = np.exp(mean_interval(np.log(errors)))
    shown = {"error": error, "low": low, "high": high, "errors": errors}
    return {"task": task, "n_h": n_h, **settings, **shown}


def _errors(task, settings, n_h, penalties, config, seed):
    """Return the normalized error on new steps, for each penalty."""
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
            prediction = _run_free(params, readout, states[begins], settings["leak"])
            errors.append(np.sqrt(np.mean((prediction - y[begins + AHEAD - 1]) ** 2)) / y.std())
        else:
            errors.append(normalised_error(y[fitted:], output(**readout, h=states[fitted:])))
    return errors


@cache
def _task(task, n_steps, seed):
    """Return inputs of mean 0 and variance 1, and the targets."""
    rng = np.random.default_rng(seed).spawn(2)[1]
    if task == "narma":
        x, y = narma10(n_steps, rng)
        return (x - x.mean()) / x.std(), y
    series = mackey_glass(n_steps + 1, rng.uniform(0.5, 1.5))
    return forecast((series - series.mean()) / series.std())


def _run_free(params, readout, h, leak):
    """Predict 84 steps ahead by feeding predictions back."""
    prediction = output(**readout, h=h)
    for _ in range(AHEAD - 1):
        (h,) = reservoir_states(params, prediction[None], h0=h, leak=leak)
        prediction = output(**readout, h=h)
    return prediction
