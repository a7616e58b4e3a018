"""How large must the bias of the forget gate be at first? (section 10.10.2)"""

from itertools import product
from math import ceil, log

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.tasks import Latch
from rnn_helpers.training import Adam, fit

# The value to hold may come at any of the first steps, and a second input marks it.
TASKS = {"first": Latch(), "marked": Latch(onset=4, marker=True)}
_TEST_SEQUENCES = 500


def summarise(rows):
    """Take the success with a bias of 1 at length 20, and the least bias for each length."""
    (zero, twenty) = (next(row for row in rows if _at(row) == ("first", 20, b)) for b in (0, 1))
    said, enough, by_rule = [], {}, []
    for task, length in dict.fromkeys((row["task"], row["length"]) for row in rows):
        rates = {row["bias"]: row["rate"] for row in rows if _at(row)[:2] == (task, length)}
        by_rule.append(rates.get(ceil(log(length)), 0) > 0.5)
        if task == "first":
            enough[length] = rates[1] > 0.5
        counts = ", ".join(f"{rate * rows[0]['of']:.0f} with {b:g}" for b, rate in rates.items())
        marked = ", marked" if task == "marked" else ""
        said.append(f"{length} steps{marked} (ln T is {log(length):.1f}): {counts}")
    text = f"Of {rows[0]['of']} networks learned, by the bias at first: {'; '.join(said)}."
    beyond = [length for length, is_enough in enough.items() if not is_enough]
    text += f" All had one learning rate, {_SETTINGS['eta']:g}."
    if twenty["low"] <= zero["high"]:
        verdict = "does not hold"
    elif not beyond:
        verdict = f"holds if all have one learning rate, {_SETTINGS['eta']:g}"
    else:
        verdict = (
            f"holds if all have one learning rate, {_SETTINGS['eta']:g}, and the span is short: "
            f"for {min(beyond)} steps a bias of 1 is too small in turn"
        )
        if all(by_rule):
            verdict += (
                "; one of ln T, rounded up, is enough for more than half at every length tried"
            )
    return Summary(
        twenty["rate"], twenty["low"], twenty["high"], "success at length 20, bias 1", verdict, text
    )


def _at(row: dict) -> tuple:
    return row["task"], row["length"], row["bias"]


_SETTINGS = {"n_h": 8, "batch_size": 16, "eta": 0.01}


@experiment(
    "forget-bias",
    claim="To begin with a forget gate's bias of 1 makes an LSTM learn what it otherwise does not.",
    source="ours, prompted by Goodfellow et al. 10.10.2, where a bias of 1 makes an LSTM as strong "
    "as any variant (P29)",
    chapter="16",
    quick={
        "seeds": 5,
        **_SETTINGS,
        "steps": 250,
        "series": [["first", 20, [0, 1]]],
    },
    full={
        "seeds": 10,
        **_SETTINGS,
        "steps": 400,
        "series": [
            ["first", 10, [-2, 0, 1, 2, 3, 4, 5]],
            ["first", 20, [-2, 0, 1, 2, 3, 4, 5]],
            ["first", 50, [-2, 0, 1, 2, 3, 4, 5]],
            ["first", 100, [0, 1, 2, 3, 4, 5, 6]],
            ["marked", 10, [-2, 0, 1, 2, 3, 4, 5]],
            ["marked", 20, [-2, 0, 1, 2, 3, 4, 5]],
            ["marked", 50, [-2, 0, 1, 2, 3, 4, 5]],
        ],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam for 400 steps to hold one bit, the sign of the first input,
    through noise of deviation 0.2, for several lengths; they begin alike but for the bias of their
    forget gates; count those that get more than 95 % of new sequences right.
    """
    return [
        row
        for task, length, biases in config["series"]
        for row in _rates(task, length, biases, config, seeds)
    ]


def _rates(task: str, length: int, biases: list, config: dict, seeds: list) -> list[dict]:
    """Train a network for each bias and each seed, all side by side, and count."""
    from rnn_helpers.nets import Gated

    kind, pairs = TASKS[task], list(product(biases, seeds))
    net = Gated(kind.n_x, config["n_h"], kind.n_y, [seed for _, seed in pairs])
    params = net.params()
    params["layers.0.bf"][:] = np.array([[bias] for bias, _ in pairs])
    data = [np.random.default_rng(seed).spawn(1)[0] for _, seed in pairs]
    made = fit(
        net.loss_and_grads,
        params,
        kind.batches(length, config["batch_size"], data),
        steps=config["steps"],
        optimizer=Adam(config["eta"]),
    )
    test = next(kind.batches(length, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
    right = net.accuracy(made.params, test)
    rows = []
    for bias, accuracy in zip(biases, right.reshape(len(biases), -1), strict=True):
        successes = int((accuracy > SUCCESS).sum())
        rate, low, high = rate_interval(successes, len(seeds))
        rows.append(
            {
                "task": task,
                "length": length,
                "bias": bias,
                "successes": successes,
                "of": len(seeds),
                "rate": rate,
                "low": low,
                "high": high,
                "accuracy": accuracy,
            }
        )
    return rows
