"""What can a network remember that receives its outputs, but not its state? (section 10.2.1)"""

import numpy as np

from rnn_helpers.experiments import SHARE, Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.success import SUCCESS, Attempts
from rnn_helpers.experiments.words import Estimate, crossed, grouped, listed, where
from rnn_helpers.tasks import DelayedBit
from rnn_helpers.training import fit

STATE = "its state"
FORCED = "its output, taught by the truth"
PROBABILITIES = "its probabilities"
LOGITS = "its two outputs as they are"
WHOLE = "its output, which tells the whole state"
# What is fed back, what it contains if it is an output, whether it is the network's own output in
# training, and whether the targets describe the whole state.
WAYS = {
    STATE: ("state", "likeliest", False, False),
    FORCED: ("output", "likeliest", False, False),
    PROBABILITIES: ("output", "probabilities", True, False),
    LOGITS: ("output", "output", True, False),
    WHOLE: ("output", "likeliest", False, True),
}
_LABELS = {
    STATE: "the state",
    FORCED: "the output (in training, the true one)",
    PROBABILITIES: "the two probabilities",
    LOGITS: "both logits",
    WHOLE: "the output, if targets describe the whole state",
}
_TEST_SEQUENCES = 300


def numbers(rows):
    """Count and estimate the networks that learned, by what is fed back and delay."""
    delayed = [row for row in rows if row["delay"]]
    learned = {
        way: {row["delay"]: row["successes"] for row in mine}
        for way, mine in grouped(delayed, "way").items()
    }
    logits = where(delayed, way=LOGITS)
    return {
        "of": rows[0]["of"],
        "forced": _learned(where(delayed, way=FORCED)),
        "whole": _learned(where(delayed, way=WHOLE)),
        "logits": _learned([max(logits, key=lambda row: row["rate"])]),
        "learned": learned,
        "least": {way: min(counts.values()) for way, counts in learned.items()},
        "most_forced": max(learned[FORCED].values()),
        "most_logits": max(learned[LOGITS].values()),
        "sums": listed(
            "{:.0%} at a delay of {}", ((np.mean(r["sum_tells"]), r["delay"]) for r in logits)
        ),
        "edges": listed(
            "{way} with a delay of {delay} ({eta:g})",
            (
                row | {"way": _LABELS[row["way"]]}
                for row in rows
                if row["at_edge"] and row["rate"] < 1
            ),
        ),
    }


def _learned(rows):
    """Estimate the share of networks that learn."""
    return Estimate.rate(right > SUCCESS for row in rows for right in row["accuracy"])


def table_learned(rows):
    """Tabulate how many networks learned, by what is fed back and delay."""
    return _by_delay(rows, lambda some: "{successes} of {of}".format(**some[0]))


def table_right(rows):
    """Tabulate the share of right bits, by what is fed back and delay."""
    return _by_delay(rows, lambda some: f"{np.mean(some[0]['accuracy']):.2f}")


def _by_delay(rows, cell):
    rows = [row | {"way": _LABELS[row["way"]]} for row in rows]
    return crossed(rows, "way", "delay", cell, heading="fed back", each="delay {}")


def data(rows):
    """Return the share of bits that are right over the delay, by what is fed back."""
    right = [row | Estimate.mean(row["accuracy"], SHARE)._asdict() for row in rows]
    return claim_curves(
        {_LABELS[way]: mine for way, mine in grouped(right, "way").items()},
        "delay",
        "value",
        question="Over which delays can a network remember, by what is fed back?",
        xlabel="delay",
        ylabel="bits that are right",
        unit="of the bits are right",
        spread=INTERVAL,
        share=True,
        marks=[(0.5, "a coin")],
    )


def _mean(shares):
    """Return the mean of shares and its interval, as `claim_curves` takes them."""
    return dict(zip(("right", "low", "high"), Estimate.mean(shares, SHARE), strict=True))


@experiment(
    claim="A network whose only recurrence is from its output to its hidden units lacks "
    "information about the past that it needs, unless its targets describe the whole state.",
    source="Goodfellow et al. 10.2.1 and figure 10.4",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.02],
        "delays": [0, 1],
        "n_h": 16,
        "length": 8,
        "batch_size": 16,
        "steps": 60,
        "ways": list(WAYS),
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0],
        "delays": [0, 1, 2, 3],
        "n_h": 16,
        "length": 10,
        "batch_size": 16,
        "steps": 500,
        "ways": list(WAYS),
    },
    numbers=numbers,
    headline=("forced", "share of networks that learn a delay, with the true output fed back"),
    finding=[
        (
            lambda n: not n.most_forced and n.least[WHOLE] == n.of,
            "With the true outputs fed back, none of {of} networks learns a delay; if the targets "
            "describe the whole state, all do.",
        ),
        (
            lambda n: True,
            "With the true outputs fed back, at most {most_forced} of {of} networks learn a delay; "
            "if the targets describe the whole state, at least "
            "{least[its output, which tells the whole state]} do.",
        ),
    ],
    verdict=Verdict(
        holds=(
            lambda n: n.whole.low > 0.5 > n.forced.high and n.logits.high < 1 / 3,
            "Holds. Even if both logits are fed back as numbers, at most {most_logits} of {of} "
            "networks learn a delay.",
        ),
        in_part=(
            lambda n: n.whole.low > 0.5 > n.forced.high and n.logits.low > n.forced.high,
            "Holds in part, if the output is fed back as a symbol or as probabilities. If both "
            "logits are fed back as numbers, up to {most_logits} of {of} networks learn a delay.",
        ),
        fails=(
            lambda n: n.forced.low > 0.5 or n.whole.high < 0.5,
            "Does not hold. {forced.value:.0%} of the networks learn a delay with the true outputs "
            "fed back, and {whole.value:.0%} if the targets describe the whole state.",
        ),
    ),
    saw=[
        "A softmax depends only on the difference of the two logits, so their sum is free to carry "
        "the past. The bits that will be needed later explain this much of the variance of that "
        "sum: {sums}.",
        (
            lambda n: n.edges,
            "Not all networks learn, and the chosen learning rate is the lowest or highest that we "
            "tried, with these fed back: {edges}.",
        ),
    ],
    table={
        "Networks that learn": table_learned,
        "Share of bits that are right": table_right,
    },
    caveats=[
        "The networks have 16 units and train for 500 steps. A larger network or longer training "
        "might learn more, except if the true output is fed back, because it doesn't contain the "
        "bit that is needed. We wrote the conditions of the verdict when we knew the results."
    ],
    data=data,
)
def run(config, seeds):
    """Train networks of 16 tanh units with Adam for 500 steps to repeat the input bit of 0 to 3
    steps ago, in sequences of 10. The units receive one of five things from the step before: the
    state; the output, which is the true one in training; the two probabilities, or both logits
    before the softmax, which are the network's own in training; or an output that describes the
    whole state, which is the true one in training. In the test, each network receives its own
    outputs, and a symbol is the most likely one. Each has the learning rate with which most bits
    are right on 2 other seeds. A network has learned the task if it gets 95 % of the bits right.
    """
    return Feedback().run(config, seeds)


class Feedback(Contest):
    """Networks that differ in what is fed back, on delays of several lengths."""

    columns = "way", "delay"
    limit = SUCCESS
    apart = "delay"

    def cells(self, config):
        """Pair each way to feed back with each delay."""
        return [(way, delay) for delay in config["delays"] for way in config["ways"]]

    def train(self, config, cell, settings, seeds):
        """Train networks, and return their inputs, targets and outputs in new sequences."""
        from rnn_helpers.nets import OutputRecurrent

        hears, says, own, _ = WAYS[cell[0]]
        task = _task(*cell)
        each = [seed for _ in settings for seed in seeds]
        net = OutputRecurrent(task.n_x, config["n_h"], task.n_y, each, hears, says)
        data = [np.random.default_rng(seed).spawn(1)[0] for seed in each]
        batches = task.batches(config["length"], config["batch_size"], data)
        made = fit(
            net.loss_and_grads,
            net.params(),
            ((x, y, own, mask) for x, y, mask in batches),
            steps=config["steps"],
            optimizer=AdamEach(np.repeat(settings, len(seeds)), config["steps"]),
        )
        # the same for all networks, but others when a rate is chosen
        x, y, _ = next(task.batches(config["length"], _TEST_SEQUENCES, seeds[0]))
        return x, y, net.outputs(made.params, (x, y, True))

    def score(self, config, cell, made, seeds):
        """Return the share of bits that each network gets right."""
        _, y, o = made
        task = _task(*cell)
        right = task.bit(o.argmax(axis=-1)) == task.bit(y)[:, None]
        return right[task.delay :].mean(axis=(0, 2))

    def rows(self, config, cell, made, seeds, scores):
        """Count the networks that learned in one row for all seeds."""
        way, delay = cell
        row = Attempts(np.array([config["steps"]]), scores[None], {}).row()
        return [row | {"sum_tells": _sum_tells(delay, *made) if way == LOGITS and delay else None}]


def _task(way: str, delay: int) -> DelayedBit:
    return DelayedBit(delay, WAYS[way][3])


def _sum_tells(delay: int, x, y, o) -> list[float]:
    """Return the share of the variance of the sum of outputs that later targets explain."""
    later = np.stack([x[delay - k : len(x) - k].ravel() for k in range(delay)], axis=1) - 0.5
    later = np.concatenate([later, np.ones((len(later), 1))], axis=1)
    shares = []
    for total in o[delay:].sum(axis=-1, dtype=float).transpose(1, 0, 2):
        total = total.ravel()
        left = total - later @ np.linalg.lstsq(later, total, rcond=None)[0]
        shares.append(float(1 - left.var() / total.var()))
    return shares
