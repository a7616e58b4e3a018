"""Do convolutions help an LSTM to predict the next frame? (convolutional LSTMs)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, generators
from rnn_helpers.experiments.data import ALL, claim_curves, ranged
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where
from rnn_helpers.tasks import MovingDigits

CONV, SAME, LARGE, LONGER = "convolutional", "same size", "large", "large, longer"
# cells (of the convolutional network: per pixel), width of kernels, factor on minibatches
NETWORKS = {CONV: (8, 5, 1), SAME: (5, None, 1), LARGE: (128, None, 1), LONGER: (128, None, 3)}
TRAINED, NEW = range(4), range(5, 9)  # columns in which a digit starts and stays


def column(first, last):
    """Return films of digits that move up and down in these columns."""
    return MovingDigits(columns=(first, last), vertical=True)


FREE, COLUMNS = "free", "columns"
TASKS = {FREE: MovingDigits(), COLUMNS: column(TRAINED[0], TRAINED[-1])}
ELSEWHERE = 1.1  # a judgment: elsewhere, an error may be at most a tenth larger
_RATES = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3]


def _errors(rows, task, places):
    """Estimate each network's error on a task, averaged over some columns."""
    return {
        name: Estimate.geometric(_each(mine, places))
        for name, mine in grouped(where(rows, task=task), "network").items()
    }


def _each(rows, places):
    return [float(np.mean([row["errors"][place] for place in places])) for row in rows]


def table_free(rows):
    """Tabulate the errors on digits that move freely."""
    sizes = {row["network"]: row["parameters"] for row in rows}
    return [
        {"network": name, "parameters": sizes[name], "error": f"{error:.2g}"}
        for name, error in numbers(rows)["free"].items()
    ]


def table_columns(rows):
    """Tabulate the errors of networks that were trained on some columns only."""
    seen = numbers(rows)
    return [
        {
            "network": name,
            f"columns {TRAINED[0] + 1} to {TRAINED[-1] + 1} (training)": f"{error:.2g}",
            f"columns {NEW[0] + 1} to {NEW[-1] + 1} (new)": f"{seen['new'][name]:.2g}",
        }
        for name, error in seen["trained"].items()
    ]


def numbers(rows):
    """Return errors on digits that move freely, in the columns of training, and in new columns."""
    conv = where(rows, task=COLUMNS, network=CONV)
    return {
        "free": _errors(rows, FREE, [0]),
        "trained": _errors(rows, COLUMNS, TRAINED),
        "new": _errors(rows, COLUMNS, NEW),
        "moved": Estimate.geometric(np.divide(_each(conv, NEW), _each(conv, TRAINED))),
        "times": NETWORKS[LONGER][2],
        "edges": at_edges(rows, "network"),
    }


def data(rows):
    """Return the errors by column."""
    return claim_curves(
        {
            network: [
                {"column": column, **ranged(each)._asdict()}
                for column, each in enumerate(zip(*(row["errors"] for row in mine), strict=True), 1)
            ]
            for network, mine in grouped(where(rows, task=COLUMNS), "network").items()
        },
        "column",
        "value",
        question="How large is the error in columns where no digit moved during training?",
        xlabel="column in which the digit moves "
        f"(trained on {TRAINED[0] + 1} to {TRAINED[-1] + 1})",
        ylabel="error, as a share of a copy's",
        unit="of a copy's error",
        spread=ALL,
    )


@experiment(
    claim="If its matrix products are replaced by convolutions, an LSTM can process pictures, "
    "which are large inputs.",
    source="Favaro, convolutional LSTMs, after Shi et al. 2015",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "length": 5,
        "batch_size": 4,
        "films": 20,
        "steps": 15,
        "networks": [CONV, SAME],
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": {CONV: _RATES, SAME: [*_RATES[1:], 1.0], LARGE: _RATES, LONGER: _RATES},
        "length": 8,
        "batch_size": 8,
        "films": 100,
        "steps": 250,
        "networks": list(NETWORKS),
    },
    numbers=numbers,
    headline=(
        "moved",
        "error in new columns, as a multiple of the error in the columns of training",
    ),
    finding={
        "holds": "A convolutional LSTM predicts moving digits better than an LSTM of the same "
        "size, and it does equally well in columns where it was never trained.",
        "holds in part": "A convolutional LSTM predicts moving digits better than an LSTM of the "
        "same size, but it does worse in columns where it was never trained.",
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
        in_part=(
            lambda n: (
                n.free[CONV].high < n.free[SAME].low
                and n.trained[CONV].high < 1
                and n.moved.low > ELSEWHERE
            ),
            "Holds in part, if the network is tested in the columns where it was trained. "
            "Elsewhere, its error is {moved.value:.2f} times as large.",
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
        AT_EDGES,
    ],
    table={
        "Error on digits that move freely": table_free,
        "Error on digits that stay in some columns": table_columns,
    },
    data=data,
)
def run(config, seeds):
    """Train LSTMs to predict the next of eight frames, in which a digit of 8 x 8 pixels moves
    across 16 x 16. The convolutional network has 8 cells at each pixel and kernels of 5 x 5. Fully
    connected networks have 5 cells, which gives about as many parameters, or 128. All are trained
    with Adam on 250 minibatches of 8 films, and one kind on three times as many. Each kind has one
    of up to seven learning rates, which falls linearly to 0. It is chosen by the error of 2 other
    networks on new films of the training digits. Gradients are clipped at norm 1. Train all but the
    last kind again on digits that move up and down in the first columns only, and test them in all
    columns.
    """
    return Films().run(config, seeds)


class Films(Contest):
    """Networks that predict the next frame of films in which a digit moves."""

    columns = "network", "task"

    def cells(self, config):
        """Name the networks. All choose their rates on digits that move freely."""
        return [(name, FREE) for name in config["networks"]]

    def choices(self, config):
        """Choose a rate for each network, and use it on both tasks."""
        free = super().choices(config)
        again = {(name, COLUMNS): choice for (name, _), choice in free.items() if name != LONGER}
        return free | again

    def net(self, config, cell, seeds):
        """Make networks of a kind."""
        from rnn_helpers.nets import NextFrame

        n_h, kernel, _ = NETWORKS[cell[0]]
        return NextFrame(TASKS[FREE].size, n_h, seeds, kernel)

    def batches(self, config, cell, size, seeds):
        """Draw films of the training digits."""
        return TASKS[cell[1]].batches(config["length"], size, generators(seeds))

    def train(self, config, cell, settings, seeds):
        """Train networks, one kind for longer than the others."""
        steps = NETWORKS[cell[0]][2] * config["steps"]
        return super().train(config | {"steps": steps}, cell, settings, seeds)

    def score(self, config, cell, made, seeds):
        """Return minus the logarithm of the error on new films of the training digits."""
        return -np.log(error(made, TASKS[cell[1]], config, held_out=False))

    def rows(self, config, cell, made, seeds, scores):
        """Return the error on films of other digits, or one for each column."""
        films = [TASKS[FREE]] if cell[1] == FREE else [column(k, k) for k in range(NEW[-1] + 1)]
        errors = np.transpose([error(made, task, config) for task in films])
        size = sum(array[0].size for array in made[1].values())
        return [
            {"seed": seed, "parameters": size, "errors": each.tolist()}
            for seed, each in zip(seeds, errors, strict=True)
        ]


def error(made, task, config, held_out=True):
    """Return each network's error on the same new films, as a share of a copy's error."""
    net, params = made
    x, y, mask = next(task.batches(config["length"], config["films"], 0, held_out))
    wrong = ((net.outputs(params, x) - y[:, None]) ** 2).mean(axis=(-2, -1))
    return np.moveaxis(wrong, 1, 0)[:, mask].mean(axis=-1, dtype=float) / task.baseline(held_out)
