"""What do sorting by length, padding and masking save, and what do they cost? (section 5.5)"""

import time
from functools import cache
from itertools import islice, product

import numpy as np

from rnn_helpers.experiments import SIGNED, Verdict, each_seed, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import ALL, Data, estimate, ranged
from rnn_helpers.experiments.words import AT_EDGES, Estimate, at_edges, grouped, where
from rnn_helpers.reference import init_rnn, rnn_forward, rnn_loss
from rnn_helpers.reference.clipping import joint_norm
from rnn_helpers.tasks import (
    Vocabulary,
    character_model,
    length_sorted_batches,
    pad,
    padding_share,
    sentences,
)
from rnn_helpers.training import Adam, fit

_SIZE = 32  # of the minibatches that training and the headline use
MIXED, SORTED, UNMASKED = "random", "sorted", "random, unmasked"
_ORDERS = {
    MIXED: "random order",
    SORTED: "sorted by length",
}


def _values(rows):
    """Gather the values of all seeds, by measure, order and size."""
    return {
        key: np.array([row["value"] for row in each])
        for key, each in grouped(rows, "measure", "way", "batch_size").items()
    }


def numbers(rows):
    """Measure the padding that sorting saves, its price, and the effect of the mask."""
    values = _values(rows)

    def at(measure, way):
        return values[measure, way, _SIZE]

    return {
        "size": _SIZE,
        "saved": Estimate.mean(at("padding", MIXED) - at("padding", SORTED), SIGNED),
        "padding": {way: at("padding", way).mean() for way in _ORDERS},
        "faster": Estimate.mean(at("speed", SORTED)),
        "than_mixed": Estimate.mean(at("speed", SORTED) / at("speed", MIXED)),
        "unmasked": Estimate.mean(at("bits", UNMASKED) - at("bits", MIXED)),
        "shown": at("shown", UNMASKED).mean(),
        "mixed": Estimate.mean(at("padding", MIXED), (0, 1)),
        "mean": {
            f"{measure} {way} {size}": each.mean() for (measure, way, size), each in values.items()
        },
        "edges": at_edges(where(rows, measure="bits"), "way"),
    }


def table_sizes(rows):
    """Tabulate padding and speed by the size of a minibatch."""
    values = _values(rows)
    sizes = sorted({row["batch_size"] for row in rows} - {1})
    return [
        {"sentences in a minibatch": size}
        | {
            f"{measure}, {_ORDERS[way]}": f"{values[measure, way, size].mean():{form}}"
            for measure, form in (("padding", ".0%"), ("speed", ".1f"))
            for way in _ORDERS
        }
        for size in sizes
    ]


def table_training(rows):
    """Tabulate the effects of the order and of the mask on training."""
    values = _values(rows)
    usual = values["bits", MIXED, _SIZE]
    lines = []
    for way in (MIXED, SORTED, UNMASKED):
        bits = values["bits", way, _SIZE]
        line = {"minibatches": way, "bits per word": f"{bits.mean():.2f}"}
        more = "–" if way == MIXED else f"{Estimate.mean(bits - usual):+.2f}"
        line["more than in random order"] = more
        line["bits that the loss shows"] = f"{values['shown', way, _SIZE].mean():.2f}"
        if way in _ORDERS:
            line["error of the mean gradient"] = f"{values['bias', way, _SIZE].mean():.3f}"
        lines.append(line)
    return lines


def data(rows):
    """Return padding and speed by the size of a minibatch, in random order and sorted by length."""
    padding, speed = (
        {
            "title": "",
            "lines": [
                {"label": name, "points": _points(where(rows, measure=measure, way=way))}
                for way, name in _ORDERS.items()
            ],
        }
        for measure in ("padding", "speed")
    )
    return Data(
        question="How much padding do minibatches need, and how much faster are they?",
        measure="speed (one at a time: 1)",
        unit="times the speed of one at a time",
        spread=ALL,
        panels=[
            padding | {"measure": "share of padding", "unit": "is padding", "share": True},
            speed,
        ],
        x="sentences in a minibatch",
        log="x",
    )


def _points(rows):
    by_size = sorted(grouped(rows, "batch_size").items())
    return [
        estimate(ranged(row["value"] for row in mine), x=size) for size, mine in by_size if size > 1
    ]


@experiment(
    claim="Minibatches make training much faster. If sentences are sorted by length, they need "
    "little padding, and a mask keeps a model from wasting effort on the padding.",
    source="Chiang 5.5",
    quick={
        "seeds": 4,
        "sentences": 1500,
        "sizes": [32],
        "timed": 64,
        "repeats": 1,
        "n_words": 100,
        "n_h": 10,
        "etas": [0.01],
        "choosing": 1,
        "first": 1,
        "passes": 1,
        "learned": 96,
        "tested": 64,
    },
    full={
        "seeds": 10,
        "sentences": 1500,
        "sizes": [8, 32, 128],
        "timed": 1500,
        "repeats": 2,
        "n_words": 100,
        "n_h": 30,
        "etas": [0.003, 0.01, 0.03, 0.1, 0.3],
        "choosing": 2,
        "first": 3,
        "passes": 4,
        "learned": 1500,
        "tested": 600,
    },
    numbers=numbers,
    headline=(
        "saved",
        f"padding in random order minus padding if sorted, {_SIZE} sentences in a minibatch",
    ),
    finding=[
        (
            lambda n: n.saved.low > 0,
            "In minibatches of {size} sentences, sorting by length lowers the share of padding "
            "from {padding[random]:.0%} to {padding[sorted]:.0%}.",
        ),
        (lambda n: True, "Sorting by length doesn't clearly lower the share of padding."),
    ],
    verdict=Verdict(
        holds=(
            # shuffling the sentences after sorting gives the random order
            lambda n: n.faster.low > 1 and n.unmasked.low > 0 and n.mixed.high < 0.1,
            "Holds. Even in random order, minibatches need little padding.",
        ),
        in_part=(
            lambda n: n.faster.low > 1 and n.unmasked.low > 0 and n.saved.low > 0,
            "Holds in part, if only whole minibatches are shuffled after sorting, not single "
            "sentences. Training is then {faster.value:.1f} times as fast as with one sentence at "
            "a time.",
        ),
        fails=(
            lambda n: n.faster.high < 1 or n.unmasked.high < 0,
            "Does not hold. Training with minibatches takes {faster.value:.1f} times the time, and "
            "without a mask a word costs {unmasked.value:+.2f} bits more.",
        ),
    ),
    saw=[
        "In minibatches of {size}, sorting makes training {than_mixed:.1f} times as fast as random "
        "order does. Each minibatch counts the same, so in sorted minibatches a word of a short "
        "sentence counts more, and the mean gradient differs from that of all words. Without a "
        "mask, the loss also counts the padding, which is easy to predict: it shows {shown:.2f} "
        "bits, while words cost {mean[bits random, unmasked 32]:.2f} bits each.",
        AT_EDGES,
    ],
    table={
        "Share of padding, and speed as a multiple of that of single sentences": table_sizes,
        f"New sentences after training, {_SIZE} sentences in a minibatch": table_training,
    },
    data=data,
    timed={"value": {"measure": "speed"}},
)
def run(config, seeds):
    """Draw 1500 sentences of Python's language reference for each seed, and cut them into
    minibatches in random order and sorted by length. Count the padding, time the forward and the
    backward pass, and compare the mean of the minibatches' gradients with that of all words. Then
    train networks of 30 units to predict the 100 most frequent words: in random order, in sorted
    minibatches, and in random order without a mask, all for as many epochs. Each of the three has
    the one of up to five learning rates with which words of new sentences cost the fewest bits on 2
    other seeds.

    A time is the shorter of two measurements in one thread. The loss of a minibatch is the mean
    over everything that counts in it.
    """
    return each_seed(_one, config, seeds) + Ways().run(config, seeds)


class Ways(Contest):
    """Ways to train: in random order, sorted by length, and without a mask."""

    columns = ("way",)

    def cells(self, config):
        """Name the ways."""
        return [(MIXED,), (SORTED,), (UNMASKED,)]

    def train(self, config, cell, settings, seeds):
        """Train the networks one by one, and measure them; see `_bits`."""
        return np.array([_bits(config, seed, *cell, eta) for eta in settings for seed in seeds])

    def score(self, config, cell, made, seeds):
        """Return minus the bits per word of new sentences."""
        return -made[:, 0]

    def rows(self, config, cell, made, seeds, scores):
        """Return the bits per word, and what the loss of training shows."""
        return [
            {"seed": seed, "measure": measure, "batch_size": _SIZE, "value": float(value)}
            for seed, each in zip(seeds, made, strict=True)
            for measure, value in zip(("bits", "shown"), each, strict=True)
        ]


def _one(config, seed):
    """Return the rows of one seed that need no training."""
    train, _, vocabulary = _drawn(config, seed)
    rng = np.random.default_rng([seed, 1])
    params = _start(config, vocabulary, seed)
    rows = []

    def row(measure, way, size, value):
        where = {"seed": seed, "measure": measure, "way": way, "batch_size": size}
        rows.append({**where, "value": float(value)})

    kinds = [(MIXED, 1), *product((MIXED, SORTED), config["sizes"])]
    for way, size in kinds:
        batches = _pass(train, size, way, rng, vocabulary.pad)
        row("padding", way, size, padding_share(batches))
        if size == _SIZE:
            row("bias", way, size, _bias(params, batches))
    timed = train[: config["timed"]]
    passes = {kind: _pass(timed, kind[1], kind[0], rng, vocabulary.pad) for kind in kinds}
    seconds = _seconds(params, passes, config["repeats"])
    for (way, size), spent in seconds.items():
        row("speed", way, size, seconds[MIXED, 1] / spent)
    return rows


_sentences = cache(sentences)


def _drawn(config, seed):
    """Return sentences for training and for testing, and their vocabulary."""
    everything = _sentences("topics")
    mixed = np.random.default_rng(seed).permutation(len(everything))
    train = [everything[i] for i in mixed[: config["sentences"]]]
    new = [everything[i] for i in mixed[config["sentences"] :][: config["tested"]]]
    vocabulary = Vocabulary.most_frequent(train, config["n_words"])
    return *([vocabulary.encode(one) for one in some] for some in (train, new)), vocabulary


def _pass(sequences, size, way, rng, padding):
    """Return the minibatches of one epoch."""
    if way == SORTED:
        n = -(-len(sequences) // size)
        return list(islice(length_sorted_batches(sequences, size, rng, padding), n))
    mixed = rng.permutation(len(sequences))
    return [
        pad([sequences[i] for i in mixed[first : first + size]], padding)
        for first in range(0, len(sequences), size)
    ]


def _start(config, vocabulary, seed, way=MIXED):
    """Return a new network, with an output for padding if it trains without a mask."""
    n_y = vocabulary.n_x if way == UNMASKED else vocabulary.n_y
    rng = np.random.default_rng([seed, 2])
    return init_rnn(vocabulary.n_x, config["n_h"], n_y, rng, dtype=np.float32)


def _seconds(params, passes, repeats):
    """Time an epoch in every arrangement: the shortest of several runs, taken in turns."""
    model = character_model()
    seconds = dict.fromkeys(passes, np.inf)
    for _ in range(repeats):
        for kind, batches in passes.items():
            start = time.thread_time()
            for batch in batches:
                model(params, batch)
            seconds[kind] = min(seconds[kind], time.thread_time() - start)
    return seconds


def _bits(config, seed, way, eta):
    """Return the bits per word on new sentences, and the bits per step of the training loss."""
    train, new, vocabulary = _drawn(config, seed)
    train = train[: config["learned"]]
    rng = np.random.default_rng([seed, 3])
    parts = 2 if way == UNMASKED else 3

    def forever():
        while True:
            yield from (batch[:parts] for batch in _pass(train, _SIZE, way, rng, vocabulary.pad))

    steps = config["passes"] * -(-len(train) // _SIZE)
    made = fit(
        character_model(),
        _start(config, vocabulary, seed, way),
        forever(),
        steps=steps,
        optimizer=Adam(lambda step: eta * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
    loss, count = np.zeros(2), np.zeros(2)
    for x, y, mask in _pass(new, _SIZE, way, rng, vocabulary.pad):
        run = rnn_forward(made, x)
        trained_for = np.ones_like(mask) if way == UNMASKED else mask
        loss += [rnn_loss(run, y, counted) for counted in (mask, trained_for)]
        count += mask.sum(), trained_for.sum()
    return loss / count / np.log(2)


def _bias(params, batches):
    """Return the relative error of the minibatches' mean gradient against that of all words."""
    params = {name: p.astype(float) for name, p in params.items()}
    each = [character_model()(params, batch)[1] for batch in batches]
    words = [batch[2].sum() for batch in batches]
    whole = {name: np.average([g[name] for g in each], axis=0, weights=words) for name in params}
    off = {name: np.mean([g[name] for g in each], axis=0) - whole[name] for name in params}
    return joint_norm(off) / joint_norm(whole)
