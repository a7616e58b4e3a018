"""Do convolutions help an LSTM to predict the next frame? (convolutional LSTMs)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.plots import lines
from rnn_helpers.tasks import MovingDigits
from rnn_helpers.training import Adam, fit

CONV, SAME, LARGE, LONGER = "convolutional", "same size", "large", "large, longer"
# cells (of the convolutional network: per pixel), width of kernels, factor on minibatches
NETWORKS = {CONV: (8, 5, 1), SAME: (5, None, 1), LARGE: (128, None, 1), LONGER: (128, None, 3)}
FREE = MovingDigits()
TRAINED, NEW = range(4), range(5, 9)  # columns in which a digit starts and stays
ELSEWHERE = 1.1  # a judgment: elsewhere, an error may be at most a tenth larger
_GRID_SEEDS = 1000  # the first seed for choosing learning rates


def columns(first, last):
    """Return films of digits that move up and down in these columns."""
    return MovingDigits(columns=(first, last), vertical=True)


def _errors(rows, task):
    """Estimate each network's error on a task."""
    return {
        name: Estimate.geometric(row[task] for row in mine)
        for name, mine in grouped(rows, "network").items()
    }


def table_free(rows):
    """Tabulate the errors on digits that move freely."""
    sizes = {row["network"]: row["parameters"] for row in rows}
    return [
        {"network": name, "parameters": sizes[name], "error": f"{error:.2g}"}
        for name, error in _errors(rows, "free").items()
    ]


def table_columns(rows):
    """Tabulate the errors of networks that were trained on some columns only."""
    rows = [row for row in rows if row["network"] != LONGER]
    seen = {
        f"columns {places[0] + 1} to {places[-1] + 1} ({words})": _errors(rows, task)
        for places, words, task in ((TRAINED, "training", "trained"), (NEW, "new", "new"))
    }
    networks = dict.fromkeys(row["network"] for row in rows)
    return [
        {"network": name, **{columns: f"{errors[name]:.2g}" for columns, errors in seen.items()}}
        for name in networks
    ]


def numbers(rows):
    """Return errors on digits that move freely, in the columns of training, and in new columns."""
    free, trained, new = (_errors(rows, task) for task in ("free", "trained", "new"))
    return {
        "free": free,
        "trained": trained,
        "new": new,
        "moved": Estimate.geometric(
            row["new"] / row["trained"] for row in where(rows, network=CONV)
        ),
        "times": NETWORKS[LONGER][2],
    }


def plot(rows):
    """Draw the errors by column. The bounds contain all networks of a kind."""
    networks = grouped(rows, "network")
    names = [name for name in networks if name != LONGER]
    errors = np.array([[row["columns"] for row in networks[name]] for name in names])
    return lines(
        range(1, errors.shape[-1] + 1),
        errors.mean(axis=1),
        names,
        low=errors.min(axis=1),
        high=errors.max(axis=1),
        xlabel="column in which the digit moves "
        f"(trained on {TRAINED[0] + 1} to {TRAINED[-1] + 1})",
        ylabel="error, as a share of a copy's",
        points=True,
    )


@experiment(
    claim="If its matrix products are replaced by convolutions, an LSTM can process pictures, "
    "which are large inputs.",
    source="Favaro, convolutional LSTMs, after Shi et al. 2015 (P48, E-19)",
    quick={
        "seeds": 2,
        "length": 5,
        "batch_size": 4,
        "films": 20,
        "steps": 15,
        "networks": [CONV, SAME],
        "grid": {"seeds": 1, "etas": [0.03]},
    },
    full={
        "seeds": 10,
        "length": 8,
        "batch_size": 8,
        "films": 100,
        "steps": 250,
        "networks": list(NETWORKS),
        "grid": {"seeds": 2, "etas": [0.003, 0.01, 0.03]},
    },
    numbers=numbers,
    headline=(
        "moved",
        "error in new columns, as a multiple of the error in the columns of training",
    ),
    finding={
        "holds": "A convolutional LSTM predicts moving digits better than an LSTM of the same "
        "size, and it does equally well in columns where it was never trained.",
        "holds if": "A convolutional LSTM predicts moving digits better than an LSTM of the same "
        "size, but it does worse in columns where it was never trained.",
        "does not hold": "A convolutional LSTM predicts moving digits no better than an LSTM of "
        "the same size, or no better than a copy of the last frame.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.free[CONV].high < n.free[SAME].low
                and n.moved.high < ELSEWHERE
                and n.new[CONV].high < 1
            ),
            "Holds. In columns where it was never trained, its error is {moved.value:.2f} times "
            "the error in the columns of training.",
        ),
        holds_if=(
            lambda n: (
                n.free[CONV].high < n.free[SAME].low
                and n.trained[CONV].high < 1
                and n.moved.low > ELSEWHERE
            ),
            "Holds if the network is tested in the columns where it was trained. Elsewhere, its "
            "error is {moved.value:.2f} times as large.",
        ),
        fails=(
            lambda n: n.free[CONV].low > n.free[SAME].high or n.free[CONV].low > 1,
            "Does not hold. An LSTM of the same size without convolutions, or a copy of the last "
            "frame, does better.",
        ),
    ),
    saw=[
        "An error is the squared error on held-out digits, as a share of the error of a copy of "
        "the last frame.",
        (
            lambda n: LONGER in n.free,
            f"The network “{LONGER}” had {{times}} times as many minibatches as the others.",
        ),
    ],
    table={
        "Error on digits that move freely": table_free,
        "Error on digits that stay in some columns": table_columns,
    },
    plot=plot,
)
def run(config, seeds):
    """Train LSTMs to predict the next of eight frames, in which a digit of 8 x 8 pixels moves
    across 16 x 16. The convolutional network has 8 cells at each pixel and kernels of 5 x 5. Fully
    connected networks have 5 cells, which gives about as many parameters, or 128. All are trained
    with Adam on 250 minibatches of 8 films, and each has the best of three learning rates, found
    with other seeds. Train them again on digits that move up and down in the first columns only,
    and test them in all columns.
    """
    return [row for name in config["networks"] for row in _rows(name, config, seeds)]


def _rows(name: str, config: dict, seeds: list) -> list[dict]:
    """Train a network for each seed on both tasks, at the rate that is best on other seeds."""
    etas = config["grid"]["etas"]
    choosing_seeds = range(_GRID_SEEDS, _GRID_SEEDS + config["grid"]["seeds"])

    def error(eta):
        net, made = _trained(name, FREE, eta, config, choosing_seeds)
        return np.log(_error(net, made, FREE, config, held_out=False)).mean()

    eta = min(etas, key=error) if len(etas) > 1 else etas[0]
    net, made = _trained(name, FREE, eta, config, seeds)
    size = sum(array[0].size for array in made.params.values())
    rows = [
        {"network": name, "parameters": size, "eta": eta, "seed": seed, "free": error}
        for seed, error in zip(seeds, _error(net, made, FREE, config), strict=True)
    ]
    net, made = _trained(name, columns(TRAINED[0], TRAINED[-1]), eta, config, seeds)
    everywhere = range(NEW[-1] + 1)
    by_column = [_error(net, made, columns(first, first), config) for first in everywhere]
    for row, errors in zip(rows, np.transpose(by_column), strict=True):
        row["trained"], row["new"] = errors[TRAINED].mean(), errors[NEW].mean()
        row["columns"] = errors
    x, _, _ = film(config["length"])
    rows[0]["film"] = net.outputs(made.params, x)[:, 0, 0].round(3)
    return rows


def film(length):
    """Return frames, next frames and a mask: one film of a held-out digit in a new column."""
    return next(columns(7, 7).batches(length, 1, 0, held_out=True))


def _trained(name, task, eta, config, seeds):
    """Train a network for each seed, side by side."""
    from rnn_helpers.nets import NextFrame

    n_h, kernel, times = NETWORKS[name]
    net = NextFrame(FREE.size, n_h, seeds, kernel)
    steps = times * config["steps"]
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    return net, fit(
        net.loss_and_grads,
        net.params(),
        task.batches(config["length"], config["batch_size"], data),
        steps=steps,
        optimizer=Adam(lambda step: eta * (1 - (step - 1) / steps)),
    )


def _error(net, made, task, config, held_out=True):
    """Return each network's error on the same new films, as a share of a copy's error."""
    x, y, mask = next(task.batches(config["length"], config["films"], 0, held_out))
    wrong = ((net.outputs(made.params, x) - y[:, None]) ** 2).mean(axis=(-2, -1))
    return np.moveaxis(wrong, 1, 0)[:, mask].mean(axis=-1, dtype=float) / task.baseline(held_out)
