"""What a network writes that is fed its most likely character, or one that is drawn. (E-62)"""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments import SHARE, Summary, experiment, mean_interval, rate_interval
from rnn_helpers.experiments.texts import Learned
from rnn_helpers.tasks import characters

GRAM = 4  # characters of the pieces of which it is counted how many are distinct
ROUNDS = 3  # times that a cycle must have been gone through to count as one
READ = 50  # characters of a prompt


def cycle(text: np.ndarray) -> tuple[int, int]:
    """Length of the cycle in which a text ends, and the characters before it; 0 and all for none.

    A cycle fills the second half of the text, three times at least.
    """
    tail = text[len(text) // 2 :]
    for length in range(1, len(tail) // ROUNDS + 1):
        if (tail[length:] == tail[:-length]).all():
            differ = np.flatnonzero(text[length:] != text[:-length])
            return length, int(differ[-1]) + 1 if len(differ) else 0
    return 0, len(text)


def distinct(text: Sequence[int]) -> float:
    """Share of a text's pieces of four characters that are distinct."""
    pieces = list(zip(*(text[at:] for at in range(GRAM)), strict=False))
    return len(set(pieces)) / len(pieces)


def summarise(rows):
    """Count the networks whose likeliest texts mostly end in cycles, and say what drawing does."""
    cells = {(row["network"], row["temperature"]): row for row in rows}
    said, caught = [], []
    for network in dict.fromkeys(row["network"] for row in rows):
        likeliest, drawn = cells[network, 0.0], cells[network, 1.0]
        caught += [share > 0.5 for share in likeliest["loops"]]
        lengths = [length for each in likeliest["cycles"] for length in each if length]
        said.append(
            f"{network}: {np.mean(likeliest['loops']):.0%} of the likeliest texts end in a cycle"
            + (f" of {np.median(lengths):g} characters (median)" if lengths else "")
            + f", {np.mean(drawn['loops']):.0%} of those drawn at temperature 1; distinct are "
            f"{_share(likeliest)} and {_share(drawn)} of their pieces of {GRAM} characters"
        )
    share = rate_interval(sum(caught), len(caught))
    return Summary(
        *share,
        "share of networks most of whose likeliest texts end in a cycle",
        "does not hold" if share[0] > 0.5 else "holds",
        f"{'; '.join(said)}; of the text itself, {rows[0]['text']:.2f}.",
    )


def _share(row):
    return "{:.2f} ({:.2f} to {:.2f})".format(*mean_interval(row["distinct"], SHARE))


@experiment(
    "greedy-loops",
    claim="A network that is fed its most likely character writes on like the text it learned.",
    source="ours, prompted by Favaro's example I, which feeds back the most likely character at "
    "test time, and shows texts that are like their models (P45, E-62)",
    chapter="05",
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
    summarise=summarise,
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
