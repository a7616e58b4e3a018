"""Does it help to read the source backwards? (section 10.4)"""

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest, ahead
from rnn_helpers.experiments.shares import share_right, shares_over
from rnn_helpers.experiments.translating import SYMBOLS
from rnn_helpers.experiments.words import AT_EDGES, at_edges, grouped, where
from rnn_helpers.tasks import Reversal

FORWARDS, BACKWARDS = "read forwards", "read backwards"


def numbers(rows):
    """Return the shares of correct sequences and digits, by the direction of reading."""
    wholes = [row | {"right": row["whole"]} for row in where(rows, place=1)]
    whole = {way: share_right(mine) for way, mine in grouped(wholes, "way").items()}
    cells = {key: share_right(mine) for key, mine in grouped(rows, "way", "place").items()}
    last = max(row["place"] for row in rows)
    return {
        "n_digits": last,
        "forwards": whole[FORWARDS],
        "backwards": whole[BACKWARDS],
        "ahead": ahead(wholes, "way", BACKWARDS, FORWARDS),
        "first_forwards": cells[FORWARDS, 1],
        "first_backwards": cells[BACKWARDS, 1],
        "last_forwards": cells[FORWARDS, last],
        "last_backwards": cells[BACKWARDS, last],
        "edges": at_edges(rows, "way"),
    }


def table(rows):
    """Tabulate the shares of correct sequences and digits, by the direction of reading."""
    seen = numbers(rows)
    return [
        {"source": words}
        | {
            heading: f"{seen[key + way]:.3f}"
            for heading, key in {
                "correct sequences": "",
                "correct first digits": "first_",
                "correct last digits": "last_",
            }.items()
        }
        for way, words in {"backwards": BACKWARDS, "forwards": FORWARDS}.items()
    ]


def data(rows):
    """Return the share of correct digits over their position in the output."""
    return shares_over(
        rows,
        "way",
        "place",
        question="Which digits of the output are correct, if the input is reversed or not?",
        unit="of the digits are correct",
        xlabel="position of the digit",
        ylabel="correct digits",
    )


@experiment(
    claim="A network that reads the source backwards and writes it in its original order learns "
    "the task better: a few short paths at the beginning help more than long paths at the "
    "end harm.",
    source="our own claim, prompted by Goodfellow et al. 10.4 and Sutskever et al. 2014",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.03],
        "longest": 2,
        "n_h": 16,
        "n_c": 8,
        "batch_size": 16,
        "steps": 120,
        "written": 40,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.003, 0.01, 0.03, 0.06, 0.1],
        "longest": 8,
        "n_h": 32,
        "n_c": 32,
        "batch_size": 32,
        "steps": 1500,
        "written": 500,
    },
    numbers=numbers,
    headline=(
        "ahead",
        "difference in the share of correct sequences, read backwards minus forward",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds in part"),
            "A network that reads the source backwards copies more sequences correctly: "
            "{backwards.value:.0%} instead of {forwards.value:.0%}.",
        ),
        "does not hold": "A network that reads the source backwards doesn't copy clearly more "
        "sequences correctly.",
        "undecided": "We can't tell whether a network that reads the source backwards copies "
        "more sequences correctly.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.ahead.low > 0 and n.first_backwards.low > n.first_forwards.high,
            "Holds. When the source is read backwards, {first_backwards.value:.0%} of the first "
            "digits are correct, more than when it is read forward.",
        ),
        in_part=(
            lambda n: n.ahead.low > 0,
            "Holds in part: the network learns the task better. Whether the short paths are the "
            "reason is open: the first digits, whose paths are short when the source is read "
            "backwards, are correct in {first_backwards.value:.0%} of the sequences, and in "
            "{first_forwards.value:.0%} when it is read forward.",
        ),
        fails=(
            lambda n: n.ahead.high < 0.05,
            "Does not hold. The shares of correct sequences differ by {ahead.value:.3f}.",
        ),
    ),
    saw=[
        "On the same test sequences of {n_digits} digits, the shares of correct ones differ by "
        "{ahead.value:.2f}.",
        (
            lambda n: n.last_backwards.low > n.last_forwards.high,
            "The last digits gain from reading backwards, although their path doesn't get shorter.",
        ),
        AT_EDGES,
    ],
    table={"Shares of correct sequences and digits": table},
    caveats=[
        "The digits are random and copied in order, so each digit keeps its place, roughly as "
        "words do between languages with a similar word order. The result says nothing about tasks "
        "that change the order. We added the condition about the first digits only after a look at "
        "the numbers."
    ],
    data=data,
)
def run(config, seeds):
    """We trained a gated network (GRU) with 32 units to read two to eight random digits, forward or
    backwards, and another one of the same size to write them in order, then an end symbol. The
    second network receives a vector of 32 numbers at every step. Training took 1,500 steps of Adam,
    each on 32 sequences of one length. For each direction we chose the learning rate, of five, with
    which most sequences of eight digits are correct on two other seeds. Then each network wrote 500
    new sequences of eight digits, with the most likely symbol at each step.
    """
    return Directions().run(config, seeds)


class Directions(Contest):
    """Encoders that read digits forward or backwards, and decoders that write them in order."""

    columns = ("way",)

    def cells(self, config):
        """Name both directions."""
        return [(FORWARDS,), (BACKWARDS,)]

    def net(self, config, cell, seeds):
        """Make pairs of networks."""
        from rnn_helpers.nets import Translator

        return Translator(SYMBOLS, config["n_h"], config["n_c"], SYMBOLS + 1, seeds, looks=False)

    def batches(self, config, cell, size, seeds, shortest=2):
        """Draw digits that are read in the direction of a cell and written in their order."""
        # the task reverses its source, so a source that is read backwards is copied in order
        task = Reversal(shortest, config["longest"], SYMBOLS)
        return task.batches(size, seeds, backwards=cell[0] == FORWARDS)

    def score(self, config, cell, made, seeds):
        """Return the share of correct sequences."""
        return self._right(config, cell, made, seeds).all(axis=0).mean(axis=-1)

    def rows(self, config, cell, made, seeds, scores):
        """Return the share of correct digits at each position, and of correct sequences."""
        right = self._right(config, cell, made, seeds)[: config["longest"]].mean(axis=-1)
        return [
            {"place": place, "seed": seed, "right": float(share), "whole": float(whole)}
            for place, each in enumerate(right, 1)
            for seed, share, whole in zip(seeds, each, scores, strict=True)
        ]

    def _right(self, config, cell, made, seeds):
        """Return whether each symbol of new sequences of the full length is correct: (T, S, B)."""
        net, params = made
        streams = [[seed, 3] for seed in seeds]
        x, y = next(self.batches(config, cell, config["written"], streams, config["longest"]))
        return net.write(params, x, len(y)) == y
