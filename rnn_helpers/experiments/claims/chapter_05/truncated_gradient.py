"""What does a gradient cut off at blocks miss, and what is learned without it? (Favaro)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval, rate_interval
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.reference import (
    init_recurrent,
    init_rnn,
    rnn_backward,
    rnn_forward,
    truncated_gradient,
)
from rnn_helpers.tasks import character_model, characters, minibatches
from rnn_helpers.training import Adam, fit

_MIDDLE = ("radius 1", 10)  # network and block of the headline
_LEFT = 0.1  # relative error from which on a gradient is called approximate
_CUT = "UWb"  # the others are exact, whatever the block
_TOLD = 1, 10, 100
_READ = 50  # steps of a minibatch of text
_NEW = 99_999  # seed of the stream they are tested on
_TOKENS = 512  # that a training step reads, whatever the block


def summarise(rows):
    """Take the error of the gradient at radius 1, and count what is learned beyond a block."""
    errors = [row for row in rows if row["measure"] == "error"]
    recalls = [row for row in rows if row["measure"] == "recall"]
    (middle,) = (row for row in errors if (row["net"], row["block"]) == _MIDDLE)
    value, low, high = mean_interval(middle["each"])
    by_net = {}
    for row in errors:
        if row["block"] in _TOLD:
            by_net.setdefault(row["net"], []).append(
                f"{np.mean(row['each']):.2f} ({np.mean(row['cosines']):.2f}) at {row['block']}"
            )
    missed = "; ".join(f"{net}: {', '.join(each)}" for net, each in by_net.items())
    beyond = [row for row in recalls if row["carried"] and row["block"] <= row["delay"]]
    learned, of = (sum(row[key] for row in beyond) for key in ("successes", "of"))
    without = [row for row in recalls if not row["carried"]]
    # the best that a network can do that starts every block anew
    over = max(row["as_trained"] - row["bound"] for row in without)
    counts = {}
    for row in recalls:
        how = f"{row['net']}, state {'' if row['carried'] else 'not '}carried, delay {row['delay']}"
        counts.setdefault(how, []).append(
            f"{row['successes']} ({np.mean(row['each']):.2f}) at {row['block']}"
        )
    told = "; ".join(f"{how}: {', '.join(each)}" for how, each in counts.items())
    approximate = low > _LEFT
    return Summary(
        value,
        low,
        high,
        "relative error of the gradient, blocks of 10 steps, radius 1",
        "does not hold"
        if not approximate
        else "holds"
        if rate_interval(learned, of)[2] < 0.05
        else "holds if it is said of the gradient: what lies further back than a block can still "
        "be learned where the carried state already holds it",
        "Relative error (and cosine with the exact gradient) on U, W and b, by length of block: "
        f"{missed}. Of {recalls[0]['of']} networks, so many learned to recall (with their mean "
        f"accuracy), by length of block: {told}. With the state "
        f"carried, {learned} of {of} learned delays no shorter than their block; with none, "
        "accuracy in blocks exceeded what such a network can know by at most "
        f"{over:.3f}.",
    )


@experiment(
    "truncated-gradient",
    claim="Propagating back through blocks while the state is carried forward is an approximation: "
    "the gradient is limited to the length of a block.",
    source="Favaro, RNN example I (P40, E-71)",
    chapter="05",
    quick={
        "seeds": 8,
        "choosing": 0,
        "radii": [1.0],
        "trained": 10,
        "length": 200,
        "batch_size": 8,
        "blocks": [10],
        "n_h": 20,
        "delays": [3],
        "recall_blocks": [2],
        "starts": ["orthogonal"],
        "etas": [0.003],
        "steps": 60,
    },
    full={
        "seeds": 12,
        "choosing": 3,
        "radii": [0.5, 0.9, 1.0, 1.2, None],
        "trained": 500,
        "length": 200,
        "batch_size": 8,
        "blocks": [1, 2, 5, 10, 20, 50, 100],
        "n_h": 20,
        "delays": [3, 8],
        "recall_blocks": [2, 8, 16],
        "starts": ["default", "orthogonal"],
        "etas": [0.0003, 0.001, 0.003],
        "steps": 1000,
    },
    summarise=summarise,
)
def run(config, seeds):
    """Compare the gradient of tanh networks that predict the characters of a text, new ones and
    trained ones, back-propagated within blocks, with the exact one over 200 steps; and train
    networks to recall one of two symbols after a delay, in blocks of a stream, their state carried
    from block to block or not, each way at the one of three learning rates that suits it best on
    other seeds.

    Accuracy is that on a new stream through which the state is carried, and that in blocks as they
    were trained; a training step reads 512 symbols, whatever the block.
    """
    rows = [row for radius in config["radii"] for row in _errors(config, radius, seeds)]
    for delay, block, carried in product(config["delays"], config["recall_blocks"], [True, False]):
        rows += _recall(config, delay, block, carried, seeds)
    return rows


def _errors(config, radius, seeds):
    """Rows with the error of the gradient for every length of block, for each network."""
    corpus = characters("topics")
    n = len(corpus.alphabet)
    params = _start(["gaussian"] * len(seeds), config["n_h"], seeds, n, radius or 1.0)
    data = [np.random.default_rng([seed, 1]) for seed in seeds]
    if radius is None:
        params = fit(
            character_model(carry_state=True),
            params,
            minibatches(corpus.train, _READ, 2 * config["batch_size"], data, contiguous=True),
            steps=config["trained"],
            optimizer=Adam(0.003),
            clip=1.0,
            carry_state=True,
        ).params
    x, y = next(minibatches(corpus.train, config["length"], config["batch_size"], data))
    exact = _joined(rnn_backward(params, rnn_forward(params, x), y))
    for block in config["blocks"]:
        cut = _joined(truncated_gradient(params, x, y, block))
        sizes = np.linalg.norm(exact, axis=1)
        error = np.linalg.norm(cut - exact, axis=1) / sizes
        yield _row(
            measure="error",
            net="trained" if radius is None else f"radius {radius:g}",
            block=block,
            mean=error.mean(),
            each=error,
            cosines=(cut * exact).sum(axis=1) / np.linalg.norm(cut, axis=1) / sizes,
        )


def _row(**given):
    """One row of the table: its columns are the same for gradients and for recall."""
    return dict.fromkeys(_COLUMNS) | given


_COLUMNS = (
    *("measure", "net", "delay", "block", "carried", "eta", "mean", "as_trained", "bound"),
    *("successes", "of", "rate", "low", "high", "each", "cosines"),
)


def _joined(grads):
    return np.concatenate([grads[name].reshape(len(grads[name]), -1) for name in _CUT], axis=1)


def _start(kinds, n_h, seeds, n_symbols, radius=None, dtype=float):
    """Networks side by side; of two with one seed, nothing but ``W`` differs."""
    parts = [np.random.default_rng(seed).spawn(2) for seed in seeds]
    params = init_rnn(n_symbols, n_h, n_symbols, seed=[one for one, _ in parts], dtype=dtype)
    W = [
        init_recurrent(kind, n_h, rng, radius=radius, dtype=dtype)
        for kind, (_, rng) in zip(kinds, parts, strict=True)
    ]
    return params | {"W": np.stack(W)}


def _recall(config, delay, block, carried, seeds):
    """A row for each way to start, its networks trained side by side with those of the others."""
    starts, etas = config["starts"], config["etas"]
    chosen, others = [etas[0]] * len(starts), separate(config["choosing"])
    if others:
        tries = list(product(starts, etas, others))
        tried, _ = _accuracy(config, delay, block, carried, tries)
        chosen = [etas[k] for k in tried.reshape(len(starts), len(etas), -1).mean(-1).argmax(-1)]
    each = [(kind, eta, s) for kind, eta in zip(starts, chosen, strict=True) for s in seeds]
    accuracy, as_trained = (
        right.reshape(len(starts), -1) for right in _accuracy(config, delay, block, carried, each)
    )
    # a network that starts every block anew has not heard what the first `delay` steps ask for
    known = 1 if carried else max(0, block - delay) / block
    for place, kind in enumerate(starts):
        successes = int((accuracy[place] > SUCCESS).sum())
        rate, low, high = rate_interval(successes, len(seeds))
        yield _row(
            measure="recall",
            net=kind,
            delay=delay,
            block=block,
            carried=carried,
            eta=chosen[place],
            mean=accuracy[place].mean(),
            as_trained=as_trained[place].mean(),
            bound=known + (1 - known) / 2,
            successes=successes,
            of=len(seeds),
            rate=rate,
            low=low,
            high=high,
            each=accuracy[place],
        )


def _accuracy(config, delay, block, carried, each):
    """Share of right answers of trained networks, state carried at the test and as in training."""
    kinds, etas, seeds = zip(*each, strict=True)
    made = fit(
        character_model(carry_state=carried),
        _start(kinds, config["n_h"], seeds, 2, dtype=np.float32),
        _stream(delay, (block, _TOKENS // block), seeds),
        steps=config["steps"],
        optimizer=AdamEach(etas, config["steps"]),
        clip=1.0,
        carry_state=carried,
    ).params
    x, y = next(_stream(delay, (delay + 192, 50), [_NEW]))
    whole = (rnn_forward(made, x[:, 0]).o.argmax(-1) == y)[delay:].mean(axis=(0, 2))
    if carried:
        return whole, whole
    # the same symbols in blocks side by side, each from a state of 0
    x, y = (
        part[delay:, 0].reshape(-1, block, 50).swapaxes(0, 1).reshape(block, -1) for part in (x, y)
    )
    return whole, (rnn_forward(made, x).o.argmax(-1) == y[:, None]).mean(axis=(0, 2))


def _stream(delay, shape, seeds):
    """Blocks (K, S, B) of streams of two symbols, and the symbol of `delay` steps before each."""
    rngs = [np.random.default_rng([seed, 2]) for seed in seeds]
    heard = np.zeros((delay, len(seeds), shape[1]), dtype=np.intp)
    while True:
        new = np.stack([rng.integers(2, size=shape) for rng in rngs], axis=1)
        heard = np.concatenate([heard, new])
        yield new, heard[: shape[0]]
        heard = heard[shape[0] :]
