"""Which word was it? One way, waiting, and both ways (section 10.3, Favaro's slides)."""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.listening import network
from rnn_helpers.experiments.shares import shares_over
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped
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
    verdict=Verdict(
        holds=(
            lambda n: n.gap.high < 0.02 and n.ahead.low > 0.05,
            "Holds. Over all letters, the bidirectional network is right in {both.value:.0%} of "
            "the cases, nearly the most that is possible.",
        ),
        holds_if=(
            lambda n: n.ahead.low > 0.05,
            "Holds if networks learn what is possible. One network, “{furthest}”, ends "
            "{gap.value:.3f} below that.",
        ),
        fails=(
            lambda n: n.ahead.high < 0.05,
            "Does not hold. The difference is {ahead.value:.3f} of the answers.",
        ),
    ),
    saw=[
        "Even the bidirectional network can't be right everywhere, because the last word of a text "
        "is cut short.",
        (
            lambda n: n.enough is not None,
            "A network that reads one way and waits {enough} letters comes within 0.01 of the "
            "bidirectional one.",
        ),
        AT_EDGES,
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
    return Words().run(config, seeds)


class Words(Contest):
    """Networks that name the word of each letter, with more or less of the text at hand."""

    columns = ("way",)

    def cells(self, config):
        """Name the ways with the delays of the settings."""
        return [(way,) for way, delay in WAYS.items() if delay in (0, None, *config["delays"])]

    def net(self, config, cell, seeds):
        """Make networks that read in the way of a cell."""
        return network(WAYS[cell[0]], TASK.n_x, config["n_h"], TASK.n_y, seeds)

    def batches(self, config, cell, size, seeds):
        """Draw texts of words without spaces."""
        return TASK.batches(config["n_letters"], size, seeds)

    def rows(self, config, cell, made, seeds, scores):
        """Return the share of right answers at each place in a word, and over all letters."""
        net, params = made
        streams = [[seed, 3] for seed in seeds]
        x, y = next(self.batches(config, cell, config["tested"], streams))
        right = net.outputs(params, x).argmax(axis=-1) == y
        best = TASK.optimum(config["n_letters"], WAYS[cell[0]])
        rows = []
        for k in range(1, 1 + max(map(len, TASK.words))):
            at = places(x, y) == k
            each = (right & at).sum(axis=(0, 2)) / at.sum(axis=(0, 2))
            rows += [
                {"place": k, "seed": seed, "right": float(share), "whole": float(whole)}
                | {"best": best}
                for seed, share, whole in zip(seeds, each, scores, strict=True)
            ]
        return rows


def places(x, y) -> np.ndarray:
    """Return the place of each letter in its word, from 1 on."""
    lengths = np.array([len(word) for word in TASK.words])
    place = np.ones(y.shape, int)
    for t in range(1, len(y)):
        place[t] = np.where(place[t - 1] == lengths[y[t - 1]], 1, place[t - 1] + 1)
    return place
