"""What do sorting by length, padding and masking save, and what do they cost? (section 5.5)"""

import time
from functools import cache
from itertools import islice, product

import numpy as np

from rnn_helpers.experiments import SIGNED, Summary, each_seed, experiment, mean_interval
from rnn_helpers.experiments.rates import separate
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


def summarise(rows):
    """Take the padding that sorting saves, and say what it costs and what the mask is worth."""

    def values(measure, way, size=_SIZE):
        chosen = {"measure": measure, "way": way, "batch_size": size}
        return np.array([row["value"] for row in rows if chosen.items() <= row.items()])

    def told(measure, way, form):
        means = (format(values(measure, way, size).mean(), form) for size in sizes)
        return ", ".join(f"{mean} at {size}" for mean, size in zip(means, sizes, strict=True))

    sizes = sorted({row["batch_size"] for row in rows} - {1})
    value, low, high = mean_interval(values("padding", MIXED) - values("padding", SORTED), SIGNED)
    faster = mean_interval(values("speed", SORTED))
    gain = mean_interval(values("speed", SORTED) / values("speed", MIXED))
    bias = mean_interval(values("bias", SORTED) - values("bias", MIXED))
    bits = values("bits", MIXED)
    worse = {way: mean_interval(values("bits", way) - bits) for way in (SORTED, UNMASKED)}
    return Summary(
        value,
        low,
        high,
        f"share of padding saved by sorting, {_SIZE} sentences in a minibatch",
        "does not hold"
        if low <= 0 or faster[1] <= 1 or gain[1] <= 1
        else "holds if the minibatches are shuffled, and not the sentences once they are sorted"
        + ("" if worse[UNMASKED][1] > 0 else "; what the mask keeps right is the loss one reads"),
        f"Padding, as a share of all steps: random order {told('padding', MIXED, '.2f')}; sorted "
        f"{told('padding', SORTED, '.2f')}; to shuffle the sentences after sorting is random order "
        "again. Sentences in a second, as multiples of one at a time: random order "
        f"{told('speed', MIXED, '.1f')}; sorted {told('speed', SORTED, '.1f')}; at {_SIZE}, "
        f"sorting makes {_between('.2f', gain)} times as many. Each minibatch counts the same, so "
        "a word among short sentences counts more: in a new network, the mean of the minibatches' "
        f"gradients is off that of all words by {values('bias', MIXED).mean():.3f} of its length "
        f"in random order; sorted, by {_between('.3f', bias)} more. Bits a word on new sentences "
        f"after as many passes: random order {bits.mean():.2f}; sorted "
        f"{_between('+.2f', worse[SORTED])}; random order without the mask "
        f"{_between('+.2f', worse[UNMASKED])}, though the loss such a network shows, the mean over "
        f"all steps with the padding, is {values('shown', UNMASKED).mean():.2f} bits.",
    )


def _between(form, interval):
    mean, low, high = (format(one, form) for one in interval)
    return f"{mean} ({low} to {high})"


@experiment(
    "padding",
    claim="Minibatches make training much faster; sorted by length, sentences need little padding; "
    "a mask keeps a model from wasting effort on it.",
    source="Chiang 5.5 (P41, E-58, E-74)",
    chapter="05",
    quick={
        "seeds": 4,
        "sentences": 1500,
        "sizes": [32],
        "timed": 64,
        "repeats": 1,
        "n_words": 100,
        "n_h": 10,
        "etas": [0.01],
        "choosing": 0,
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
        "etas": [0.01, 0.03, 0.1],
        "choosing": 2,
        "passes": 4,
        "learned": 1500,
        "tested": 600,
    },
    summarise=summarise,
    timed={"value": {"measure": "speed"}},
)
def run(config, seeds):
    """Draw 1500 sentences of Python's language reference for each seed; cut them into minibatches
    in random order and sorted by length; count the padding, time forward and backward pass, compare
    the mean of the minibatches' gradients with that of all words, and train a network of 30 units
    to predict the 100 most frequent words for as many passes in either order, and in random order
    without a mask, each at the one of three learning rates that suits it best on other seeds.

    Times are those of the thread, the least of several; minibatches' losses are means over what
    counts in them.
    """
    etas = dict.fromkeys((MIXED, SORTED, UNMASKED), config["etas"][0])
    if config["choosing"]:
        for way in etas:
            tried = [
                np.mean([_bits(config, s, way, eta)[0] for s in separate(config["choosing"])])
                for eta in config["etas"]
            ]
            etas[way] = config["etas"][int(np.argmin(tried))]
    return each_seed(lambda config, seed: _one(config, seed, etas), config, seeds)


def _one(config, seed, etas):
    """All rows of a seed."""
    train, _, vocabulary = _drawn(config, seed)
    rng = np.random.default_rng([seed, 1])
    params = _start(config, vocabulary, seed)
    rows = []

    def row(measure, way, size, value, eta=None):
        where = {"seed": seed, "measure": measure, "way": way, "batch_size": size}
        rows.append({**where, "value": float(value), "eta": eta})

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
    for way, eta in etas.items():
        for measure, value in zip(("bits", "shown"), _bits(config, seed, way, eta), strict=True):
            row(measure, way, _SIZE, value, eta=eta)
    return rows


_sentences = cache(sentences)


def _drawn(config, seed):
    """Sentences to learn from and to test on, and their vocabulary."""
    everything = _sentences("topics")
    mixed = np.random.default_rng(seed).permutation(len(everything))
    train = [everything[i] for i in mixed[: config["sentences"]]]
    new = [everything[i] for i in mixed[config["sentences"] :][: config["tested"]]]
    vocabulary = Vocabulary.most_frequent(train, config["n_words"])
    return *([vocabulary.encode(one) for one in some] for some in (train, new)), vocabulary


def _pass(sequences, size, way, rng, padding):
    """The minibatches of one pass."""
    if way == SORTED:
        n = -(-len(sequences) // size)
        return list(islice(length_sorted_batches(sequences, size, rng, padding), n))
    mixed = rng.permutation(len(sequences))
    return [
        pad([sequences[i] for i in mixed[first : first + size]], padding)
        for first in range(0, len(sequences), size)
    ]


def _start(config, vocabulary, seed, way=MIXED):
    """A new network; to learn without a mask, it needs an output for padding."""
    n_y = vocabulary.n_x if way == UNMASKED else vocabulary.n_y
    rng = np.random.default_rng([seed, 2])
    return init_rnn(vocabulary.n_x, config["n_h"], n_y, rng, dtype=np.float32)


def _seconds(params, passes, repeats):
    """Time of a pass in every arrangement, the least of several; they take turns."""
    model, seconds = character_model(), dict.fromkeys(passes, np.inf)
    for _ in range(repeats):
        for kind, batches in passes.items():
            start = time.thread_time()
            for batch in batches:
                model(params, batch)
            seconds[kind] = min(seconds[kind], time.thread_time() - start)
    return seconds


def _bits(config, seed, way, eta):
    """Bits a word on new sentences after training, and bits a step of what it was trained for."""
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
        run, trained_for = rnn_forward(made, x), np.ones_like(mask) if way == UNMASKED else mask
        loss += [rnn_loss(run, y, counted) for counted in (mask, trained_for)]
        count += mask.sum(), trained_for.sum()
    return loss / count / np.log(2)


def _bias(params, batches):
    """How far the mean of the minibatches' gradients is from that of all words, by its length."""
    params = {name: p.astype(float) for name, p in params.items()}
    each = [character_model()(params, batch)[1] for batch in batches]
    words = [batch[2].sum() for batch in batches]
    whole = {name: np.average([g[name] for g in each], axis=0, weights=words) for name in params}
    off = {name: np.mean([g[name] for g in each], axis=0) - whole[name] for name in params}
    return joint_norm(off) / joint_norm(whole)
