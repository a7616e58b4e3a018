"""Does a captioner write sentences that it was never trained on? (Favaro's slides, captions)"""

from itertools import islice

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, ahead, generators
from rnn_helpers.experiments.data import INTERVAL, claim_groups
from rnn_helpers.experiments.shares import share_right, tabulate_right
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where
from rnn_helpers.tasks import TwoDigits

TASK = TwoDigits()
STEP, START, BOTH = "at every step", "as the first state", "both"
EYE = {"channels": (16, 32), "n_c": 64}
DOORS = {STEP: "step", START: "start", BOTH: "both"}
SEEN, NEW = "sentences of the training", "sentences never heard"
SHOWN = {SEEN: "trained sentences", NEW: "held-out sentences"}  # in the plot and the table
WAYS = {STEP: "every step", START: "first state", BOTH: "both"}
LEFT_OUT, NOTHING = "without the twenty", "with all sentences"


def numbers(rows):
    """Estimate the share of sentences that are right in every word, by training and question."""
    cells = {
        key: share_right(mine) for key, mine in grouped(rows, "door", "trained", "asked").items()
    }
    names = {"seen": SEEN, "new": NEW}
    return {
        f"{DOORS[door]}_{name}": cells[door, LEFT_OUT, asked]
        for door in DOORS
        for name, asked in names.items()
    } | {
        "lost": ahead(where(rows, door=BOTH, trained=LEFT_OUT), "asked", SEEN, NEW),
        "ceiling": cells[BOTH, NOTHING, NEW],
        "others": cells[BOTH, NOTHING, SEEN],
        "words": Estimate.mean(
            (row["words"] for row in where(rows, door=BOTH, trained=LEFT_OUT, asked=NEW)), (0, 1)
        ),
        "edges": at_edges(rows, "door"),
    }


def table(rows):
    """Tabulate the share of sentences that are right in every word."""
    named = [
        row | {"training": f"{row['door']}, trained {row['trained']}", "asked": SHOWN[row["asked"]]}
        for row in rows
    ]

    return tabulate_right(named, "training", "asked", digits=3, heading="where the vector enters")


def data(rows):
    """Return the share of sentences that are right, on pictures that no network has seen."""
    return claim_groups(
        {
            WAYS[door]: {
                SHOWN[asked]: share_right(some) for asked, some in grouped(mine, "asked").items()
            }
            for door, mine in grouped(where(rows, trained=LEFT_OUT), "door").items()
        },
        question="How many sentences about new pictures are right?",
        xlabel="right sentences, on new pictures",
        unit="of the sentences are right",
        spread=INTERVAL,
        share=True,
    )


@experiment(
    claim="A network that has learned captions describes most new pictures correctly even if it "
    "was never trained on their sentences, wherever the vector enters.",
    short="A network describes pictures whose captions it has never seen",
    source="our own claim, prompted by Favaro's slides on captions",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.004],
        "n_h": 32,
        "batch_size": 32,
        "steps": 200,
        "pictures": 100,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.002, 0.004, 0.008, 0.016],
        "n_h": 48,
        "batch_size": 32,
        "steps": 2500,
        "pictures": 500,
    },
    numbers=numbers,
    headline=(
        "both_new",
        "share of new sentences that are right, vector at every step and as first state",
    ),
    finding={
        "holds": "A captioner describes most new combinations of digits correctly, wherever the "
        "vector enters.",
        "holds in part": "If the picture enters in both ways, a captioner gets "
        "{both_new.value:.0%} of the sentences right on which it was never trained, and "
        "{both_seen.value:.0%} of the others.",
        "does not hold": "A captioner gets only {both_new.value:.0%} of the sentences right that "
        "it was never trained on.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.step_new.low > 0.5 and n.start_new.low > 0.5 and n.both_new.low > 0.5,
            "Holds. {both_new.value:.0%} of the new sentences are right.",
        ),
        in_part=(
            lambda n: n.both_new.low > 0.5 and min(n.step_new.high, n.start_new.high) < 0.5,
            "Holds in part, if the vector enters in both ways: {both_new.value:.0%} of the "
            "held-out sentences are right. With every step alone, {step_new.value:.0%} are, and "
            "with the first state alone, {start_new.value:.0%}.",
        ),
        fails=(
            lambda n: n.both_new.high < 0.5,
            "Does not hold. At most half of the new sentences are right.",
        ),
    ),
    taught=lambda n: n.step_new.low > 0.5 and n.step_new.high < n.step_seen.low,
    saw=[
        "These numbers are for a vector that enters at every step and as the first state. The "
        "share of right sentences is {lost.value:.2f} larger for trained sentences than for "
        "held-out ones. Trained on all sentences, such networks get {ceiling} of the same twenty "
        "sentences right, and {others} of the others. Of the symbols of held-out "
        "sentences, including the ends, {words.value:.0%} are right.",
        AT_EDGES,
    ],
    table={"Share of sentences that are right in every word": table},
    caveats=[
        "We left out twenty of two hundred sentences, so that every digit occurs in every place in "
        "nine others. These runs don't show how few would be enough. The digits are small, and "
        "some are hard to read for anybody. We made the convolutional part larger, and training "
        "longer, after a first look at how slowly a small one learns. We chose learning rates on "
        "other pictures of the same test digits, and always without the twenty sentences. In "
        "training, the loss of a short sentence also counts a second end. We wrote the claim and "
        "the conditions of the verdict when we knew the results."
    ],
    in_seconds="that networks begin to learn: how the digits stand, and hardly a whole sentence",
    data=data,
)
def run(config, seeds):
    """Show a network pictures of two digits, 20 x 20 pixels. Two layers of convolutions and a
    linear one turn a picture into 64 numbers, and a gated network (GRU) of 48 units writes a
    sentence. The numbers enter as the first state through one extra step, whose only input they
    are. Both parts are trained together with Adam for 2500 steps, each on 32 new pictures of
    training digits, for all sentences except twenty. Networks in which the numbers enter in both
    ways are also trained on all sentences. Each way has the learning rate with which most sentences
    are right on 2 other seeds. Then each network describes about 500 pictures of digits that it has
    not seen, by the same people, for sentences of the training and for the twenty. At each step it
    writes the most likely word.
    """
    return Captions().run(config, seeds)


class Captions(Contest):
    """Captioners that receive a picture in different ways, trained with and without sentences."""

    columns = "door", "trained"

    def cells(self, config):
        """Name each way to receive a picture, trained without the twenty sentences."""
        return [(door, LEFT_OUT) for door in DOORS]

    def choices(self, config):
        """Choose a rate for each way, which is also used if all sentences are trained."""
        chosen = super().choices(config)
        return chosen | {(BOTH, NOTHING): chosen[BOTH, LEFT_OUT]}

    def net(self, config, cell, seeds):
        """Make captioners that receive a picture in one way."""
        from rnn_helpers.nets import Captioner

        return Captioner(TASK.SIDE, config["n_h"], len(TASK.WORDS), seeds, DOORS[cell[0]], **EYE)

    def batches(self, config, cell, size, seeds):
        """Draw pictures, of all sentences or without the twenty."""
        return TASK.batches(size, seeds, combinations="seen" if cell[1] == LEFT_OUT else "all")

    def score(self, config, cell, made, seeds):
        """Return the share of right sentences, of those that all networks were trained on."""
        return _tested(*made, "seen", seeds, config)[0]

    def rows(self, config, cell, made, seeds, scores):
        """Return the shares of right sentences and words, for trained and for new sentences."""
        return [
            {"asked": asked, "seed": seed, "right": float(right), "words": float(words)}
            for asked, kind in ((SEEN, "seen"), (NEW, "new"))
            for seed, right, words in zip(seeds, *_tested(*made, kind, seeds, config), strict=True)
        ]


def _tested(net, params, kind: str, seeds, config: dict) -> tuple:
    """Return the shares of sentences and of words that each network gets right."""
    rngs = generators([seed, 3] for seed in seeds)
    batches = TASK.batches(config["pictures"] // 10, rngs, held_out=True, combinations=kind)
    right, words = [], []
    for pictures, y in islice(batches, 10):
        written = net.write(params, pictures, TASK.end, most=TASK.longest)
        padded = np.full(y.shape, TASK.end)
        padded[: len(written)] = written
        right.append((padded == y).all(axis=0).mean(axis=-1))
        words.append((padded == y).mean(axis=(0, 2)))
    return np.mean(right, axis=0), np.mean(words, axis=0)
