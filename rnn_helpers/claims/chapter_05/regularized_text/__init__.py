"""Do early stopping, dropout and weight decay bring a network closer to a table of counts?"""

from dataclasses import dataclass, replace

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import MEDIAN_INTERVAL, claim_intervals
from rnn_helpers.experiments.texts import Learned, TextContest, three_parts
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped
from rnn_helpers.optimizers import Adam
from rnn_helpers.tasks import NGram, characters, minibatches
from rnn_helpers.training import fit

PLAIN, EARLY, DROPOUT, DECAY = "LSTM", "early stopping", "dropout", "weight decay"
REMEDIES = EARLY, DROPOUT, DECAY
SMALL, RIVAL = "3-gram", "5-gram"
_PIECE = 500
"""Characters of each piece on which early stopping measures."""


@dataclass(frozen=True)
class Decayed(Adam):
    """Adam whose steps also shrink each matrix, by the learning rate times `decay` (AdamW)."""

    decay: float = 0.0

    def update(self, params, grads, memory, step):
        """Return the parameters after one step."""
        lost = self.lr(step) * self.decay
        made = super().update(params, grads, memory, step)
        return {name: p - lost * params[name] if p.ndim > 1 else p for name, p in made.items()}


class Regularized(Learned):
    """An LSTM that learned the training part of a text with one of the remedies.

    Parameters
    ----------
    cell : (str, float)
        The remedy and its strength: the share of the cells' outputs that dropout sets to 0, or the
        weight decay.
    corpus, eta, seed, config
        As of `Learned`; the held-out part decides when early stopping stops, which measures every
        ``every`` steps.
    """

    def __init__(self, cell, corpus, eta, seed, config):
        import torch  # results are read where there is no torch

        from rnn_helpers import nets

        remedy, strength = cell
        n, steps, stops = len(corpus.alphabet), config["steps"], remedy == EARLY
        pieces = corpus.held_out[: len(corpus.held_out) // _PIECE * _PIECE].reshape(-1, _PIECE).T
        best = {}  # parameters by their bits

        def keep_best(step, params, _):
            if step % config["every"] == 0:
                self.params = params
                bits = self._bits_of_pieces(pieces)
                if bits < min(best, default=np.inf):
                    best[bits] = {name: p.copy() for name, p in params.items()}

        def drop(layer, _, after):
            h, state = after
            return torch.nn.functional.dropout(h, strength, layer.training), state

        self.net = nets.LSTM(n, config["n_h"], n, seed=seed)
        if remedy == DROPOUT:
            self.net.recurrent.register_forward_hook(drop)
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            made = fit(
                self.net.loss_and_grads,
                self.net.params(),
                minibatches(corpus.train, config["T"], config["batch_size"], seed, contiguous=True),
                steps=steps,
                optimizer=Decayed(
                    lambda step: eta * (1 - (step - 1) / steps),
                    decay=strength if remedy == DECAY else 0.0,
                ),
                clip=1.0,
                carry_state=True,
                on_step=keep_best if stops else None,
            )
        self.net.eval()
        self.params = best[min(best)] if stops else made.params

    def _bits_of_pieces(self, pieces):
        """Return the bits per character of pieces (T, B) that are read side by side."""
        o, _ = self.outputs(pieces[:-1])
        o = o - o.max(axis=-1, keepdims=True)
        log_p = np.take_along_axis(o, pieces[1:, :, None], -1)[..., 0]
        log_p = log_p - np.log(np.exp(o).sum(axis=-1))
        return float(-log_p.mean(dtype=float) / np.log(2))


def _score(scored):
    return scored[0] if scored else -np.inf


class Remedies(TextContest):
    """An LSTM without a remedy against memorizing, and with each remedy in several strengths."""

    columns = "remedy", "strength"

    def cells(self, config):
        """Compare each strength of each remedy."""
        strengths = {PLAIN: [0.0], EARLY: [0.0]} | config["strengths"]
        return [(remedy, strength) for remedy, each in strengths.items() for strength in each]

    def choices(self, config):
        """Choose a learning rate for each strength, and then a strength for each remedy."""
        best = {}
        for cell, choice in super().choices(config).items():
            score = max(choice.tried.values())
            best[cell[0]] = max(best.get(cell[0], ()), (score, cell, choice), key=_score)
        return {cell: choice for _, cell, choice in best.values()}

    def corpora(self, config, cell):
        """Return the last part of the text for training, as long as ``share`` says."""
        both = three_parts(characters(config["text"]))
        return tuple(
            replace(part, train=part.train[-(len(part.train) // config["share"]) :])
            for part in both
        )

    def train(self, config, cell, settings, seeds):
        """Train the networks one by one."""
        corpus, _ = self.corpora(config, cell)
        return [Regularized(cell, corpus, eta, seed, config) for eta in settings for seed in seeds]

    def rows(self, config, cell, made, seeds, scores):
        """Return the bits per character on all three parts of the text."""
        corpus, _ = self.corpora(config, cell)
        learned = self.bits(config, cell, made, corpus.train[: len(corpus.held_out)])
        return [
            row | {"choosing": -float(score), "learned": bits}
            for row, score, bits in zip(
                super().rows(config, cell, made, seeds, scores), scores, learned, strict=True
            )
        ]


def numbers(rows):
    """Compare each remedy with none, and all networks with tables."""
    networks, counted = grouped(rows, "remedy"), rows[0]["counted"]
    bits = {
        remedy: Estimate.median([row["bits"] for row in mine]) for remedy, mine in networks.items()
    }

    def gain(remedy):
        pairs = zip(networks[PLAIN], networks[remedy], strict=True)
        return Estimate.median(plain["bits"] - row["bits"] for plain, row in pairs)

    gains = {remedy: gain(remedy) for remedy in REMEDIES}
    first = min(REMEDIES, key=lambda remedy: bits[remedy].value)
    return {
        "of": len(networks[PLAIN]),
        "characters": rows[0]["characters"],
        "steps": rows[0]["steps"],
        "passes": rows[0]["passes"],
        "bits": counted | {remedy: each.value for remedy, each in bits.items()},
        "learned": Estimate.median([row["learned"] for row in networks[PLAIN]]),
        "plain": bits[PLAIN],
        "gains": gains,
        "least_gain": min(gains.values(), key=lambda each: each.low),
        "most_gain": max(gains.values(), key=lambda each: each.low),
        "helped": " and ".join(remedy for remedy in REMEDIES if gains[remedy].low > 0),
        "best": first,
        "best_bits": bits[first],
        "ahead": Estimate.median(counted[RIVAL] - row["bits"] for row in networks[first]),
        "strengths": {remedy: mine[0]["strength"] for remedy, mine in networks.items()},
        "edges": at_edges(rows, "remedy", "strength"),
    }


def table(rows):
    """Tabulate the bits of every table, remedy and strength."""
    return [
        {"model": model, "bits": f"{bits:.3f}"} for model, bits in rows[0]["counted"].items()
    ] + [
        {
            "model": remedy,
            "strength": f"{strength:g}" if strength else "",
            "bits": f"{Estimate.median(row['bits'] for row in mine):.3f}",
            "for the choice": f"{np.mean([row['choosing'] for row in mine]):.3f}",
            "in training": f"{np.mean([row['learned'] for row in mine]):.3f}",
            "learning rate": f"{mine[0]['eta']:g}",
        }
        for (remedy, strength), mine in grouped(rows, "remedy", "strength").items()
    ]


def data_plain(rows):
    """Return the bits of tables and of the LSTM without a remedy."""
    return data_remedies([row for row in rows if row["remedy"] == PLAIN])


def data_remedies(rows):
    """Return the bits of tables, of the LSTM and of the LSTM with each remedy."""
    names = {PLAIN: "LSTM"} | {remedy: f"LSTM, {remedy}" for remedy in REMEDIES}
    return claim_intervals(
        [
            {"label": model, "value": bits, "low": bits, "high": bits, "kind": "table"}
            for model, bits in rows[0]["counted"].items()
        ]
        + [
            {
                "label": names[remedy],
                **Estimate.median([row["bits"] for row in mine])._asdict(),
                "kind": "network",
            }
            for remedy, mine in grouped(rows, "remedy").items()
        ],
        question="How many bits does a character cost each model?",
        xlabel="bits for each held-out character",
        unit="bits per character",
        spread=MEDIAN_INTERVAL,
    )


@experiment(
    claim="Early stopping, dropout and weight decay each help a network that reads a short text "
    "many times to predict unseen text.",
    short="Early stopping, dropout and weight decay help on a short text",
    source="our own claim, prompted by Chiang 5",
    quick={
        "text": "topics",
        "share": 64,
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.02],
        "strengths": {DROPOUT: [0.5], DECAY: [0.1]},
        "orders": [3, 5],
        "n_h": 16,
        "T": 32,
        "batch_size": 8,
        "steps": 40,
        "every": 10,
    },
    full={
        "text": "topics",
        "share": 16,
        "seeds": 10,
        "choosing": 1,
        "first": 2,
        "etas": [0.0025, 0.005, 0.01, 0.02, 0.04],
        "strengths": {DROPOUT: [0.2, 0.5], DECAY: [0.1, 1.0]},
        "orders": [2, 3, 5],
        "n_h": 64,
        "T": 32,
        "batch_size": 16,
        "steps": 500,
        "every": 50,
    },
    numbers=numbers,
    headline=("most_gain", "bits per character gained by the most reliable of three remedies"),
    finding={
        **dict.fromkeys(
            ("holds", "holds in part", "does not hold"),
            "On {characters:,} characters, an LSTM needs {plain.value:.2f} bits per unseen "
            "character, and with {best}, the best of three remedies, {best_bits.value:.2f}.",
        ),
    },
    verdict=Verdict(
        holds=(
            lambda n: n.least_gain.low > 0,
            "Holds. Each of the three lowers the bits per unseen character, and {best} lowers them "
            "most, from {plain:.2f} to {best_bits:.2f}.",
        ),
        in_part=(
            lambda n: n.most_gain.low > 0 >= n.least_gain.low,
            "Holds in part: {helped} lower the bits per unseen character. For the rest, the "
            "interval contains 0.",
        ),
        fails=(
            lambda n: all(gain.high < 0 for gain in n.gains.values()),
            "Does not hold. Each of the three raises the bits per unseen character.",
        ),
    ),
    taught=lambda n: n.most_gain.low > 0 and n.ahead.high < 0,
    saw=[
        "The networks read the text {passes:.0f} times. On text from their training they need "
        "{learned:.2f} bits.",
        AT_EDGES,
    ],
    table={"Bits per character": table},
    data={"plain": data_plain, "remedies": data_remedies},
)
def run(config, seeds):
    """Train LSTMs of 64 cells on a sixteenth of the first 80% of Python's language reference, and
    measure how many bits they need per character of the last 10%. They have no remedy against
    memorizing, or one of three: early stopping keeps the weights that were best on the other 10%,
    measured every 50 minibatches; dropout sets a share of the cells' outputs to 0 in training; and
    weight decay is that of AdamW. We train each network with Adam on 500 minibatches of 512
    characters, with a learning rate that falls to 0. Each remedy has two strengths. We choose
    a learning rate for each of them, and then the strength, on another seed, by the bits per
    character of the other 10%.
    """
    contest = Remedies()
    _, corpus = contest.corpora(config, ())
    size = len(corpus.alphabet)
    known = {
        "steps": config["steps"],
        "characters": len(corpus.train),
        "passes": config["steps"] * config["T"] * config["batch_size"] / len(corpus.train),
        "counted": {
            f"{order}-gram": NGram(order, corpus.train, size).bits(corpus.held_out)
            for order in config["orders"]
        },
    }
    return [row | known for row in contest.run(config, seeds)]
