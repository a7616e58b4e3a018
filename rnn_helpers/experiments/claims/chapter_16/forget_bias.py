"""How large must the bias of the forget gate be at first? (section 10.10.2)"""

from itertools import product
from math import ceil, log

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.tasks import Latch
from rnn_helpers.training import Adam, fit

# The value to hold may come at any of the first steps, and a second input marks it.
TASKS = {"first": Latch(), "marked": Latch(onset=4, marker=True)}
_TEST_SEQUENCES = 500


def numbers(rows):
    """How many learn with each bias, and how far a bias of 1, or of ln T rounded up, is enough."""
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
        "counts": listed(
            "{} steps{} (ln T is {:.1f}): {}",
            (
                (
                    length,
                    ", marked" if task == "marked" else "",
                    log(length),
                    listed("{successes} with {bias:g}", span.values()),
                )
                for (task, length), span in spans.items()
            ),
            "; ",
        ),
    }


def plot(rows):
    """Draw how many learn with each bias, for three lengths, where all have the bit first."""
    lengths = sorted(grouped(where(rows, task="first"), "length").items())
    return claim_curves(
        {f"{length} steps": mine for length, mine in lengths if length >= 20},
        "bias",
        "rate",
        xlabel="forget bias at the start",
        ylabel="share that learn",
    )


_SETTINGS = {"n_h": 8, "batch_size": 16, "eta": 0.01}


@experiment(
    claim="To begin with a forget gate's bias of 1 makes an LSTM learn what it otherwise does not.",
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
    headline=("success", "success at length 20, bias 1"),
    verdict=[
        (
            lambda n: n.success.low > n.without.high and n.too_long and n.rule_is_enough,
            "holds if all have one learning rate, {eta:g}, and the span is short: for {too_long} "
            "steps a bias of 1 is too small in turn; one of ln T, rounded up, is enough for more "
            "than half at every length tried",
        )
    ],
    saw=["Of {of} networks learned, by the bias at first: {counts}."],
    caveats=["All had one learning rate, {eta:g}."],
    plot=plot,
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
