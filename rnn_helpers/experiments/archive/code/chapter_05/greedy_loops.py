"""Does greedy decoding end in a cycle, and does sampling?"""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments import SHARE, Verdict, experiment
from rnn_helpers.experiments.data import ALL, Data, estimate, ranged
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.experiments.words import Estimate, either, grouped, where
from rnn_helpers.tasks import characters

GRAM = 4  # characters of a piece
ROUNDS = 3  # repetitions that make a cycle
READ = 50  # characters of a prompt
MOSTLY = 0.5  # a judgment: text with a cycle at its end isn't like the text that was learned


def cycle(text: np.ndarray) -> tuple[int, int]:
    """Return the length of a text's final cycle, and the characters before it; (0, all) if none.

    A cycle fills the second half of the text, at least three times.
    """
    tail = text[len(text) // 2 :]
    for length in range(1, len(tail) // ROUNDS + 1):
        if (tail[length:] == tail[:-length]).all():
            differ = np.flatnonzero(text[length:] != text[:-length])
            return length, int(differ[-1]) + 1 if len(differ) else 0
    return 0, len(text)


def distinct(text: Sequence[int]) -> float:
    """Return the share of distinct pieces among all pieces of four characters."""
    pieces = list(zip(*(text[at:] for at in range(GRAM)), strict=False))
    return len(set(pieces)) / len(pieces)


def numbers(rows):
    """Count the texts that end in a cycle, with greedy decoding and at each temperature."""
    likeliest = {row["network"]: row for row in where(rows, temperature=0.0)}
    return {
        "caught": Estimate.rate(
            share > 0.5 for row in likeliest.values() for share in row["loops"]
        ),
        "of": sum(len(row["loops"]) for row in likeliest.values()),
        "loops": sum(share > 0.5 for row in likeliest.values() for share in row["loops"]),
        "shares": {
            network: Estimate.mean(row["loops"], SHARE) for network, row in likeliest.items()
        },
        "spared": either(
            network
            for network, row in likeliest.items()
            if Estimate.mean(row["loops"], SHARE).high < MOSTLY
        ),
        "text": rows[0]["text"],
        "texts": sum(len(each) for row in likeliest.values() for each in row["cycles"]),
        "cycles": {
            network: {f"at {row['temperature']:g}": np.mean(row["loops"]) for row in mine}
            for network, mine in grouped(rows, "network").items()
        },
        "start": {
            network: {"median": np.median(row["before"]), "last": np.max(row["before"])}
            for network, row in likeliest.items()
        },
    }


def table(rows):
    """Tabulate cycles and distinct pieces, for greedy decoding and for sampling."""
    return [
        {
            "network": row["network"],
            "decoding": how,
            "texts that end in a cycle": f"{np.mean(row['loops']):.0%}",
            f"distinct pieces of {GRAM} characters": f"{Estimate.mean(row['distinct'], SHARE):.2f}",
        }
        | _median_length(row)
        for heat, how in ((0.0, "greedy"), (1.0, "sampling at temperature 1"))
        for row in where(rows, temperature=heat)
    ]


def _median_length(row: dict) -> dict:
    lengths = [length for each in row["cycles"] for length in each if length]
    return {"median length of a cycle": f"{np.median(lengths):g}"} if lengths else {}


def data(rows):
    """Return the shares of texts with a cycle and of distinct pieces at each temperature."""
    return Data(
        question="How often does a text end in a cycle, and how many of its pieces are distinct?",
        measure="share",
        unit="of the texts",
        spread=ALL,
        share=True,
        panels=[
            _panel(rows, "loops", "texts that end in a cycle", "of the texts end in a cycle"),
            _panel(rows, "distinct", "distinct pieces of 4", "of the pieces are distinct")
            | {"marks": [(rows[0]["text"], "the text")]},
        ],
        x="temperature",
    )


def _panel(rows, key, measure, unit):
    lines = [
        {
            "label": network,
            "points": [estimate(ranged(row[key]), x=row["temperature"]) for row in mine],
        }
        for network, mine in grouped(rows, "network").items()
    ]
    return {"title": "", "measure": measure, "unit": unit, "lines": lines}


@experiment(
    claim="A network that is fed its own most likely character keeps writing text like the text "
    "that it learned.",
    source="our own claim, prompted by Favaro's example I, which feeds back the most likely "
    "character at test time, and shows texts that are like their models",
    quick={
        "seeds": 2,
        "eta": {"LSTM": 0.03},
        "n_h": 32,
        "T": 32,
        "batch_size": 16,
        "steps": 80,
        "prompts": 4,
        "length": 200,
        "temperatures": [0.0, 1.0],
    },
    full={
        "seeds": 10,
        "eta": {"RNN": 0.012, "LSTM": 0.03},
        "n_h": 96,
        "T": 32,
        "batch_size": 32,
        "steps": 400,
        "prompts": 10,
        "length": 1500,
        "temperatures": [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0],
    },
    numbers=numbers,
    headline=("caught", "share of networks whose greedy texts mostly end in a cycle"),
    finding="With greedy decoding, {loops} of {of} networks mostly write texts that end in a "
    "cycle.",
    verdict=Verdict(
        holds=(
            lambda n: n.caught.high < MOSTLY,
            "Holds. In only {caught.value:.0%} of the networks, most greedy texts end in a cycle.",
        ),
        in_part=(
            lambda n: (
                any(share.high < MOSTLY for share in n.shares.values())
                and any(share.low > MOSTLY for share in n.shares.values())
            ),
            "Holds in part, if the network is the {spared}. The other network's greedy texts "
            "mostly end in a cycle.",
        ),
        fails=(
            lambda n: n.caught.low > MOSTLY,
            "Does not hold. In {caught.value:.0%} of the networks, most greedy texts end in a "
            "cycle.",
        ),
    ),
    saw=[f"Of the pieces of {GRAM} characters in the real text, {{text:.0%}} are distinct."],
    table={"Texts that networks write": table},
    data=data,
)
def run(config, seeds):
    """Train RNNs and LSTMs of 96 units on the characters of Python's language reference, 400
    minibatches. Let each go on from 10 places of unseen text for 1500 characters: at temperature 0
    it is fed the likeliest character, above 0 one that is drawn. Look for a cycle that fills the
    second half, three times round at least, and count the distinct pieces of four characters.
    """
    corpus = characters("topics")
    places = np.linspace(0, len(corpus.held_out) - config["length"], config["prompts"], dtype=int)
    prompts = np.stack([corpus.held_out[at : at + READ] for at in places], axis=1)
    true = np.mean([distinct(corpus.held_out[at : at + config["length"]]) for at in places])
    rows = []
    for network, eta in config["eta"].items():
        learned = [Learned(network, corpus, eta, seed, config) for seed in seeds]
        texts = np.stack(
            [
                one.write(prompts, config["temperatures"], config["length"], [seed, 1])
                for seed, one in zip(seeds, learned, strict=True)
            ]
        )
        bits = [one.bits(corpus.held_out) for one in learned]
        for i, temperature in enumerate(config["temperatures"]):
            found = [[cycle(text) for text in each.T] for each in texts[:, :, i]]
            rows.append(
                {
                    "network": network,
                    "temperature": temperature,
                    "loops": [np.mean([length > 0 for length, _ in each]) for each in found],
                    "distinct": [
                        np.mean([distinct(text.tolist()) for text in each.T])
                        for each in texts[:, :, i]
                    ],
                    "cycles": [[length for length, _ in each] for each in found],
                    "before": [[before for _, before in each] for each in found],
                    "bits": bits,
                    "text": true,
                    "samples": [corpus.decode(text[:200, i, 0]) for text in texts[:2]],
                }
            )
    return rows
