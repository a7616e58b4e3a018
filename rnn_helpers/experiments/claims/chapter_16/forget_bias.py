"""How large should the initial forget bias be? (section 10.10.2)"""

from itertools import product
from math import ceil, log

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.tasks import Latch
from rnn_helpers.training import Adam, fit

# "marked": the value to hold comes at any of the first steps, and a second input marks it.
TASKS = {"first": Latch(), "marked": Latch(onset=4, marker=True)}
_TEST_SEQUENCES = 500


def numbers(rows):
    """Count the networks that learn with each bias, and test the rule ln T, rounded up."""
    spans = {
        span: {row["bias"]: row for row in mine}
        for span, mine in grouped(rows, "task", "length").items()
    }
    by_rule = [
        ceil(log(length)) in span and span[ceil(log(length))]["rate"] > 0.5
        for (_, length), span in spans.items()
    ]
    beyond = [
        length
        for (task, length), span in spans.items()
        if task == "first" and span[1]["rate"] <= 0.5
    ]
    without, success = (Estimate.stored(spans["first", 20][bias]) for bias in (0, 1))
    return {
        "of": rows[0]["of"],
        "eta": _SETTINGS["eta"],
        "without": without,
        "success": success,
        "too_long": min(beyond, default=None),
        "rule_is_enough": all(by_rule),
        "learned": spans["first", 20][1]["successes"],
        "learns": {
            f"{task} {length}": {bias: row["successes"] for bias, row in span.items()}
            for (task, length), span in spans.items()
        },
    }


def table(rows):
    """Tabulate how many networks learn, by bias, span and task."""
    spans = [
        row | {"span": f"{row['length']} steps" + ", marked" * (row["task"] == "marked")}
        for row in rows
    ]
    spans = [row for bias in sorted({r["bias"] for r in rows}) for row in where(spans, bias=bias)]
    return crossed(spans, "bias", "span", lambda some: "{successes} of {of}".format(**some[0]))


def plot(rows):
    """Draw the share that learns with each bias, if the bit is the first input."""
    lengths = sorted(grouped(where(rows, task="first"), "length").items())
    return claim_curves(
        {f"{length} steps": mine for length, mine in lengths if length >= 20},
        "bias",
        "rate",
        xlabel="initial forget bias",
        ylabel="share of networks that learn",
    )


_SETTINGS = {"n_h": 8, "batch_size": 16, "eta": 0.01}


@experiment(
    claim="With an initial forget-gate bias of 1, an LSTM learns tasks that it otherwise doesn't.",
    source="ours, prompted by Goodfellow et al. 10.10.2, where a bias of 1 makes an LSTM as strong "
    "as any variant (P29)",
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
    numbers=numbers,
    headline=("success", "share of LSTMs that learn over 20 steps, with a bias of 1"),
    finding="With a forget bias of 1, {learned} of {of} LSTMs learn to hold a bit over 20 steps, "
    "but over {too_long} steps 1 is too small.",
    verdict=[
        (
            lambda n: n.success.low > n.without.high and n.too_long and n.rule_is_enough,
            "Holds if the span is short and all networks have the same learning rate, {eta:g}.",
        )
    ],
    saw=[
        "A longer span needs a larger bias. At every length T that we tried, a bias of ln T, "
        "rounded up, is enough for more than half of the networks."
    ],
    table={"Networks that learn, by initial forget bias": table},
    caveats=["All networks had the same learning rate, {eta:g}."],
    plot=plot,
)
def run(config, seeds):
    """Train LSTMs of 8 units with Adam for 400 steps to hold one bit, the sign of the first input,
    through noise with a standard deviation of 0.2, for several lengths. The networks of a seed
    differ only in the initial bias of their forget gates. Count those that get more than 95 % of
    new sequences right.
    """
    return [
        row
        for task, length, biases in config["series"]
        for row in _rates(task, length, biases, config, seeds)
    ]


def _rates(task: str, length: int, biases: list, config: dict, seeds: list) -> list[dict]:
    """Train a network for each bias and each seed, all side by side, and count those that learn."""
    from rnn_helpers.nets import Gated

    kind = TASKS[task]
    pairs = list(product(biases, seeds))
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
