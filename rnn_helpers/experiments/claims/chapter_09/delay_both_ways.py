"""How long must one wait to do what both ways do? (section 10.3)"""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.listening import network
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, at_edges, crossed, grouped, listed
from rnn_helpers.tasks import BothSides

WIDTH = 5
BOTH, WINDOW = "both ways", "convolution of width 5"
WAITS = {"at once": None, "1 short": -1, "the reach": 0, "1 more": 1, "2 more": 2}
"""For how long a network waits that reads one way: at once, or so much beside the reach."""
LONGER = "the reach, twice the steps"


def delay(way: str, reach: int) -> int | None:
    """Steps that a network waits; None if it hears both ways, or a window."""
    if way in (BOTH, WINDOW):
        return None
    past = WAITS["the reach" if way == LONGER else way]
    return 0 if past is None else reach + past


def numbers(rows):
    """Sums that are right, by way and reach, and the first delay that does what both ways do."""
    cells = {
        key: Estimate.mean((row["right"] for row in mine), (0, 1))
        for key, mine in grouped(rows, "way", "reach").items()
    }
    reaches = sorted({row["reach"] for row in rows})
    furthest = reaches[-1]
    enough, early = {}, []
    for reach in reaches:
        waits = {
            row["delay"]: cells[row["way"], reach]
            for row in rows
            if row["reach"] == reach and row["way"] in WAITS
        }
        near = [d for d, one in waits.items() if one.value > cells[BOTH, reach].value - 0.02]
        enough[reach] = min(near, default=None)
        early += [one for d, one in waits.items() if d < reach]
    windows = {reach: cells[WINDOW, reach] for reach in reaches}
    wide = [one for reach, one in windows.items() if reach <= WIDTH // 2]
    narrow = [one for reach, one in windows.items() if reach > WIDTH // 2]
    by_seed = {(row["way"], row["reach"], row["seed"]): row["right"] for row in rows}
    seeds = sorted({row["seed"] for row in rows})
    return {
        "furthest": furthest,
        "both": cells[BOTH, furthest],
        "at_reach": cells["the reach", furthest],
        "longer": cells[LONGER, furthest],
        "early": max(early, key=lambda one: one.high),
        "ahead": Estimate.mean(
            (by_seed[BOTH, reaches[0], k] - by_seed["at once", reaches[0], k] for k in seeds),
            (-1, 1),
        ),
        "late": [reach for reach, d in enough.items() if d is None or d > reach],
        "wide": min(wide, key=lambda one: one.low, default=None),
        "narrow": max(narrow, key=lambda one: one.high, default=None),
        "enough": listed(
            "{}: {}", ((k, "none" if d is None else d) for k, d in enough.items()), "; "
        ),
        "edges": at_edges(rows, "way", "reach"),
    }


def table(rows):
    """Tabulate the share of sums that are right, by network and reach."""

    def share(some):
        return f"{Estimate.mean((row['right'] for row in some), (0, 1)):.3f}"

    return crossed(rows, "way", "reach", share, heading="network or wait", each="reach {}")


def plot(rows):
    """Draw the share of sums that are right over the delay, for each reach."""
    waits = [row for row in rows if row["way"] in WAITS]
    return shares_over(
        [row | {"reach": f"{row['reach']} to either side"} for row in waits],
        "reach",
        "delay",
        xlabel="steps waited",
        ylabel="share of sums right",
    )


def _too_early(n) -> bool:
    """Whether who hears one of the two bits, or neither, is right half of the time."""
    return n.early.high < 0.55 and (n.narrow is None or n.narrow.high < 0.55)


@experiment(
    claim="A network that reads one way and answers some steps late does as well as a "
    "bidirectional one if the delay is long enough for it to receive what it needs. A "
    "bidirectional network needs no such delay, and a window that is too narrow never does as "
    "well.",
    source="Goodfellow et al. 10.3 (P14)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "reaches": [1],
        "n_h": 16,
        "n_steps": 12,
        "batch_size": 32,
        "steps": 120,
        "tested": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.005, 0.01, 0.02, 0.04, 0.08],
        "reaches": [1, 3, 5],
        "n_h": 24,
        "n_steps": 24,
        "batch_size": 32,
        "steps": 800,
        "tested": 500,
    },
    numbers=numbers,
    headline=(
        "ahead",
        "difference in the share of sums that are right, bidirectional minus one way without a "
        "wait, bits one step away",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds if"),
            "A network that reads one way matches a bidirectional one if it waits until it has "
            "both bits of the sum; with a shorter wait, at most {early.value:.0%} of the sums are "
            "right.",
        ),
        "does not hold": "A wait doesn't let a network that reads one way match a bidirectional "
        "one.",
        "not tested here": "The bidirectional network itself gets only {both.value:.0%} of the "
        "sums right.",
    },
    verdict=[
        (
            lambda n: n.both.low < 0.9 or (n.wide and n.wide.low < 0.9),
            "Not tested here. A network that receives everything it needs doesn't learn the task.",
        ),
        (
            lambda n: not n.late and _too_early(n),
            "Holds. With {furthest} steps to either side and a wait of {furthest}, "
            "{at_reach.value:.1%} of the sums are right.",
        ),
        (
            lambda n: _too_early(n) and n.longer.low > n.both.low - 0.02,
            "Holds if the network that waits is trained for longer. After twice as many steps, "
            "{longer.value:.0%} of its sums are right.",
        ),
        (
            _too_early,
            "Holds if it is enough that {longer.value:.0%} of the sums are right, even after twice "
            "the training.",
        ),
        (
            lambda n: True,
            "Does not hold. With a wait that is too short, {early.value:.0%} of the sums are "
            "right.",
        ),
    ],
    saw=[
        "The first delays that come within 0.02 of the bidirectional network are, by reach, "
        "{enough}. A guess is right in half of the cases.",
        (
            lambda n: n.narrow,
            f"The convolution of width {WIDTH} is too narrow for the larger reaches, and there it "
            "gets at most {narrow.value:.0%} of the sums right.",
        ),
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Share of sums that are right": table},
    caveats=[
        "The sum is constructed so that no other bit helps to guess it. In speech, later sounds "
        "help more or less, at no fixed distance. We planned to train one network twice as long "
        "when trials on other seeds had shown that networks that wait learn more slowly."
    ],
    plot=plot,
)
def run(config, seeds):
    """Draw 24 fair bits; at each step, say how many are 1 of the two that stand 1, 3 or 5 steps to
    either side: who hears but one of the two, or none, is right half of the time. Gated networks
    (GRU) of 24 units read one way and answer at once, or with a delay: one step less than the
    reach, the reach, one step more and two more. Others read both ways, or are a layer of units
    that see a window of five steps; none has more parameters. Adam for 800 steps, each on 32 new
    sequences; the rate of each, at each reach, is that with which most sums are right on 2 other
    seeds. A network that waits as long as the farthest reach is trained twice as long besides.
    Then 500 new sequences are read.
    """
    cells = [
        (way, reach)
        for reach in config["reaches"]
        for way in (*WAITS, BOTH, WINDOW)
        if (way, reach) != ("1 short", 1)  # which is at once
    ]

    def score(cell, etas, others):
        return _right(*cell, etas, others, config)

    chosen = choose(
        dict.fromkeys(cells, config["etas"]),
        by_method(score),
        first=config["first"],
        seeds=config["choosing"],
    )
    runs = [(way, reach, choice, config) for (way, reach), choice in chosen.items()]
    longer = config | {"steps": 2 * config["steps"]}
    furthest = config["reaches"][-1]
    runs.append((LONGER, furthest, chosen["the reach", furthest], longer))
    return [
        {"way": way, "reach": reach, "delay": delay(way, reach), "seed": seed}
        | {"right": float(right), "eta": choice.setting, "at_edge": choice.at_edge}
        for way, reach, choice, how in runs
        for seed, right in zip(seeds, _right(way, reach, [choice.setting], seeds, how), strict=True)
    ]


def _right(way: str, reach: int, etas, seeds, config: dict):
    """Share of sums that networks of each rate and seed have right, of new sequences."""
    task = BothSides(reach)
    net, params = trained(
        lambda each: network(
            delay(way, reach),
            task.n_x,
            config["n_h"],
            task.n_y,
            each,
            WIDTH if way == WINDOW else 0,
        ),
        lambda each: task.batches(config["n_steps"], config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )
    rngs = [[seed, 3] for _ in etas for seed in seeds]
    return net.accuracy(params, next(task.batches(config["n_steps"], config["tested"], rngs)))
