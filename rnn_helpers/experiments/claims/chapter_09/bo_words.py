"""Which word was it? One way, waiting, and both ways (section 10.3, Favaro's slides)."""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.listening import network
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import Estimate, at_edges, grouped
from rnn_helpers.tasks import Lexicon

TASK = Lexicon()
ONE, BOTH = "one way", "both ways"
WAYS = {ONE: 0} | {f"one way, waits {d}": d for d in range(1, TASK.wait + 1)} | {BOTH: None}


def numbers(rows):
    """Letters of which the word is named, by each way, and how far that is below the optimum."""
    first = [row for row in rows if row["place"] == 1]  # a row for each network
    by_way = grouped(first, "way")
    whole = {way: Estimate.mean((r["whole"] for r in mine), (0, 1)) for way, mine in by_way.items()}
    gaps = {
        way: Estimate.mean((r["best"] - r["whole"] for r in mine), (-1, 1))
        for way, mine in by_way.items()
    }
    at_first = {
        way: Estimate.mean((r["right"] for r in mine), (0, 1)) for way, mine in by_way.items()
    }
    pairs = zip(by_way[BOTH], by_way[ONE], strict=True)
    furthest = max(gaps, key=lambda way: gaps[way].high)
    near = [WAYS[way] for way, one in whole.items() if one.value > whole[BOTH].value - 0.01]
    return {
        "one": whole[ONE],
        "both": whole[BOTH],
        "one_best": by_way[ONE][0]["best"],
        "both_best": by_way[BOTH][0]["best"],
        "ahead": Estimate.mean((b["whole"] - a["whole"] for b, a in pairs), (-1, 1)),
        "first_one": at_first[ONE],
        "first_both": at_first[BOTH],
        "furthest": furthest,
        "gap": gaps[furthest],
        "enough": min((d for d in near if d is not None), default=None),
        "edges": at_edges(rows, "way"),
    }


def table(rows):
    """Tabulate the share of right answers next to the most that is possible."""
    first = [row for row in rows if row["place"] == 1]
    return [
        {
            "network": way,
            "right": f"{Estimate.mean((row['whole'] for row in mine), (0, 1)):.3f}",
            "possible": f"{mine[0]['best']:.3f}",
            "right at a word's first letter": (
                f"{Estimate.mean((row['right'] for row in mine), (0, 1)):.3f}"
            ),
        }
        for way, mine in grouped(first, "way").items()
    ]


def plot(rows):
    """Draw the share of letters of which the word is named, by their place in it."""
    shown = (ONE, "one way, waits 2", "one way, waits 4", BOTH)
    return shares_over(
        [row for row in rows if row["way"] in shown],
        "way",
        "place",
        xlabel="letter of the word",
        ylabel="share of answers right",
    )


@experiment(
    claim="Of words that begin alike, a bidirectional network names the right one from its first "
    "letter on, as often as is possible; a network that reads only the past has to guess.",
    source="Favaro's slides on bidirectional RNNs, and Goodfellow et al. 10.3",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.02],
        "delays": [],
        "n_h": 24,
        "n_letters": 24,
        "batch_size": 16,
        "steps": 150,
        "tested": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.006, 0.012, 0.025, 0.05],
        "delays": [1, 2, 3, 4],
        "n_h": 24,
        "n_letters": 24,
        "batch_size": 16,
        "steps": 400,
        "tested": 500,
    },
    numbers=numbers,
    headline=("ahead", "difference in the share of right answers, bidirectional minus one way"),
    finding={
        **dict.fromkeys(
            ("holds", "holds if"),
            "At the first letter of a word, a bidirectional network names it in "
            "{first_both.value:.0%} of the cases, and one that reads one way in "
            "{first_one.value:.0%}.",
        ),
        "does not hold": "A bidirectional network doesn't name words better than one that reads "
        "one way.",
        "not tested here": "We can't tell whether a bidirectional network names words better.",
    },
    verdict=[
        (
            lambda n: n.gap.high < 0.02 and n.ahead.low > 0.05,
            "Holds. Over all letters, the bidirectional network is right in {both.value:.0%} of "
            "the cases, nearly the most that is possible.",
        ),
        (
            lambda n: n.ahead.low > 0.05,
            "Holds if networks learn what is possible. One network, “{furthest}”, ends "
            "{gap.value:.3f} below that.",
        ),
        (
            lambda n: n.ahead.high < 0.05,
            "Does not hold. The difference is {ahead.value:.3f} of the answers.",
        ),
        (lambda n: True, "Not tested here. The difference is too uncertain."),
    ],
    saw=[
        "Even the bidirectional network can't be right everywhere, because the last word of a text "
        "is cut short.",
        (
            lambda n: n.enough is not None,
            "A network that reads one way and waits {enough} letters comes within 0.01 of the "
            "bidirectional one.",
        ),
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Share of right answers": table},
    caveats=[
        "There are ten words, which all begin with the same two letters and are spelled without "
        "mistakes. In speech, sounds are unclear, and no wait is sure to be long enough. We "
        "decided after a look that a wait is enough within 0.01. At first it was 0.02, and then "
        "three letters would have been enough."
    ],
    plot=plot,
)
def run(config, seeds):
    """Run words together without spaces, drawn from ten that begin with bo, until 24 letters are
    spoken; at each letter a network says which word it is in. Gated networks (GRU) of 24 units
    read one way and answer at once, or up to four letters later; others read both ways, with as
    many parameters, or a few less. Adam for 400 steps, each on 16 new utterances; the rate of
    each is that with which most answers are right on 2 other seeds. Then 500 new utterances are
    read. What is possible is exact: of the words that go with all that has been heard, one is
    named.
    """
    ways = [ONE, *(way for way, delay in WAYS.items() if delay in config["delays"]), BOTH]

    def score(way, etas, others):
        return _tested(way, etas, others, config)[1]

    ladders = dict.fromkeys(ways, config["etas"])
    chosen = choose(ladders, by_method(score), first=config["first"], seeds=config["choosing"])
    rows = []
    for way, choice in chosen.items():
        by_place, whole = _tested(way, [choice.setting], seeds, config)
        best = TASK.optimum(config["n_letters"], WAYS[way])
        rows += [
            {"way": way, "place": place, "seed": seed, "right": float(right)}
            | {"whole": float(one), "best": best}
            | {"eta": choice.setting, "at_edge": choice.at_edge}
            for place, each in enumerate(by_place, 1)
            for seed, right, one in zip(seeds, each, whole, strict=True)
        ]
    return rows


def places(x, y) -> np.ndarray:
    """The place that each letter has in its word, from 1 on."""
    lengths = np.array([len(word) for word in TASK.words])
    place = np.ones(y.shape, int)
    for t in range(1, len(y)):
        place[t] = np.where(place[t - 1] == lengths[y[t - 1]], 1, place[t - 1] + 1)
    return place


def _tested(way: str, etas, seeds, config: dict) -> tuple:
    """Share of right answers by place (places, S), and of all (S,), for each rate and seed."""
    net, params = trained(
        lambda each: network(WAYS[way], TASK.n_x, config["n_h"], TASK.n_y, each),
        lambda each: TASK.batches(config["n_letters"], config["batch_size"], each),
        etas,
        seeds,
        config["steps"],
    )
    rngs = [[seed, 3] for _ in etas for seed in seeds]
    x, y = next(TASK.batches(config["n_letters"], config["tested"], rngs))
    right = net.outputs(params, x).argmax(axis=-1) == y
    place = places(x, y)
    by_place = [
        (right & (place == k)).sum(axis=(0, 2)) / (place == k).sum(axis=(0, 2))
        for k in range(1, 1 + max(map(len, TASK.words)))
    ]
    return np.array(by_place), right.mean(axis=(0, 2))
