"""What does a network remember that hears its outputs, and not its state? (section 10.2.1)"""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments import SHARE, experiment
from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.success import SUCCESS, Attempts
from rnn_helpers.experiments.words import Estimate, crossed, grouped, listed, where
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.tasks import DelayedBit
from rnn_helpers.training import fit

STATE = "its state"
FORCED = "its output, taught by the truth"
PROBABILITIES = "its probabilities"
LOGITS = "its two outputs as they are"
WHOLE = "its output, which tells the whole state"
# what comes round: what the units hear, of an output they hear what, whether it is the network's
# own in training, and whether the targets tell the whole state
WAYS = {
    STATE: ("state", "likeliest", False, False),
    FORCED: ("output", "likeliest", False, False),
    PROBABILITIES: ("output", "probabilities", True, False),
    LOGITS: ("output", "output", True, False),
    WHOLE: ("output", "likeliest", False, True),
}
_SHORT = {
    STATE: "state",
    FORCED: "output, told the truth",
    PROBABILITIES: "probabilities",
    LOGITS: "both outputs as they are",
    WHOLE: "output, target the whole state",
}
_TEST_SEQUENCES = 300


def numbers(rows):
    """Networks that learned, by what comes round and delay."""
    ways = grouped(rows, "way")
    learned = {
        way: {row["delay"]: row["successes"] for row in mine if row["delay"]}
        for way, mine in ways.items()
    }
    forced = where(rows, way=FORCED)
    return {
        "of": rows[0]["of"],
        "longest": max(learned[FORCED]),
        "forced": Estimate.rate(
            right > SUCCESS for row in forced if row["delay"] for right in row["accuracy"]
        ),
        "least": {way: min(counts.values()) for way, counts in learned.items()},
        "most_forced": max(learned[FORCED].values()),
        "most_logits": max(learned[LOGITS].values()),
        "most": {way: max(counts.values()) for way, counts in learned.items()},
        "sums": listed(
            "{:.0%} at a delay of {}",
            ((np.mean(r["sum_tells"]), r["delay"]) for r in where(rows, way=LOGITS) if r["delay"]),
        ),
        "edges": listed(
            "{way} over {delay} ({eta:g})",
            (row for row in rows if row["at_edge"] and row["rate"] < 1),
        ),
    }


def table_learned(rows):
    """Tabulate how many networks learned, by what is fed back and delay."""
    return _by_delay(rows, lambda some: "{successes} of {of}".format(**some[0]))


def table_right(rows):
    """Tabulate the share of right bits, by what is fed back and delay."""
    return _by_delay(rows, lambda some: f"{np.mean(some[0]['accuracy']):.2f}")


def _by_delay(rows, cell):
    return crossed(rows, "way", "delay", cell, heading="fed back", each="delay {}")


def plot(rows):
    """Draw the share of bits that is right over the delay, for all that can come round."""
    right = [row | _mean(row["accuracy"]) for row in rows]
    return claim_curves(
        {_SHORT[way]: mine for way, mine in grouped(right, "way").items()},
        "delay",
        "right",
        xlabel="delay",
        ylabel="share of bits right",
        marks=[(0.5, "a coin")],
    )


def _mean(shares):
    """Mean of shares and its interval, as `claim_curves` takes them."""
    return dict(zip(("right", "low", "high"), Estimate.mean(shares, SHARE), strict=True))


@experiment(
    claim="A network whose only recurrence is from its output to its hidden units lacks "
    "information about the past that it needs, unless its targets describe the whole state.",
    source="Goodfellow et al. 10.2.1 and figure 10.4 (P7, E-33, E-34)",
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
        "etas": [0.003, 0.01, 0.03, 0.1],
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
            lambda n: not n.most_forced,
            "With the true outputs fed back, none of {of} networks learns a delay; if the targets "
            "describe the whole state, all do.",
        ),
        (
            lambda n: True,
            "With the true outputs fed back, at most {most_forced} of {of} networks learn a delay; "
            "if the targets describe the whole state, all do.",
        ),
    ],
    verdict=[
        (
            lambda n: (
                n.forced.high < 0.5
                and n.least[WHOLE] == n.least[STATE] == n.of
                and n.most[LOGITS] > n.of / 2
            ),
            "Holds if only what the target says is fed back. If both outputs are fed back as they "
            "are, up to {most_logits} of {of} networks learn a delay.",
        )
    ],
    saw=[
        "A softmax depends only on the difference of the two outputs, so their sum is free to "
        "carry the past. Bits that are asked for later explain this much of the variance of that "
        "sum: {sums}.",
        (
            lambda n: n.edges,
            "Not all networks learn, and the chosen rate is the lowest or highest that we tried, "
            "for {edges}.",
        ),
    ],
    table={
        "Networks that learn": table_learned,
        "Share of bits that are right": table_right,
    },
    caveats=[
        "The networks have 16 units and train for 500 steps. A larger network or longer training "
        "might learn more, except if the truth is fed back, which doesn't contain what is asked "
        "for."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks of 16 tanh units with Adam for 500 steps to say again the bit that was heard
    0 to 3 steps ago, in sequences of 10. From one step to the next there comes round the state;
    the output, taught by feeding the true one; the two probabilities, or the two outputs before
    the softmax, taught by feeding the network its own; or an output that names the whole state,
    taught by the truth. Each is tested on its own outputs, of which a symbol is the likeliest. The
    rate of each is chosen on 2 other seeds; a network learned it if 95 % of the bits are right.
    """
    rows = []
    for delay in config["delays"]:

        def score(tries, others, delay=delay):
            by_way = grouped(({"way": way, "eta": eta} for way, eta in tries), "way")
            found = {
                (way, row["eta"]): each
                for way, mine in by_way.items()
                for row, each in zip(mine, _tried(way, delay, mine, others, config), strict=True)
            }
            return np.minimum([found[one] for one in tries], SUCCESS)  # learned is learned

        ladders = dict.fromkeys(config["ways"], config["etas"])
        chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
        for way, choice in chosen.items():
            said = _said(way, delay, [choice.setting], seeds, config)
            right = _right(way, delay, *said)[None]
            told = Attempts(np.array([config["steps"]]), right, {}).row()
            chose = {"eta": choice.setting, "at_edge": choice.at_edge}
            told |= {"sum_tells": _sum_tells(delay, *said) if way == LOGITS and delay else None}
            rows.append({"way": way, "delay": delay, **chose, **told})
    return rows


def _tried(way, delay, rows, seeds, config):
    """Shares of bits that are right, for the rates of some rows: (rates, seeds)."""
    said = _said(way, delay, [row["eta"] for row in rows], seeds, config)
    return _right(way, delay, *said).reshape(len(rows), -1)


def _said(
    way: str, delay: int, etas: Sequence[float], seeds: Sequence[int], config: dict
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Train a network for each rate and seed; what is heard, asked and said in new sequences."""
    from rnn_helpers.nets import OutputRecurrent

    hears, says, own, whole = WAYS[way]
    task = DelayedBit(delay, whole)
    each = [seed for _ in etas for seed in seeds]
    net = OutputRecurrent(task.n_x, config["n_h"], task.n_y, each, hears, says)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in each]
    batches = task.batches(config["length"], config["batch_size"], data)
    made = fit(
        net.loss_and_grads,
        net.params(),
        ((x, y, own, mask) for x, y, mask in batches),
        steps=config["steps"],
        optimizer=AdamEach(np.repeat(etas, len(seeds)), config["steps"]),
    )
    # the same for all, and others where a rate is chosen
    x, y, _ = next(task.batches(config["length"], _TEST_SEQUENCES, seeds[0]))
    return x, y, net.outputs(made.params, (x, y, True))


def _right(way: str, delay: int, x, y, o) -> np.ndarray:
    """Share of bits that each network has right."""
    task = DelayedBit(delay, WAYS[way][3])
    right = task.bit(o.argmax(axis=-1)) == task.bit(y)[:, None]
    return right[delay:].mean(axis=(0, 2))


def _sum_tells(delay: int, x, y, o) -> list[float]:
    """Share of the variance of the sum of outputs that is due to bits that are asked for later."""
    later = np.stack([x[delay - k : len(x) - k].ravel() for k in range(delay)], axis=1) - 0.5
    later = np.concatenate([later, np.ones((len(later), 1))], axis=1)
    shares = []
    for total in o[delay:].sum(axis=-1, dtype=float).transpose(1, 0, 2):
        total = total.ravel()
        left = total - later @ np.linalg.lstsq(later, total, rcond=None)[0]
        shares.append(float(1 - left.var() / total.var()))
    return shares
