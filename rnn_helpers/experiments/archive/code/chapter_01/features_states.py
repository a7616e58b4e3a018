"""Features: an automaton needs a state for each combination, a network a unit for each. (5.1)"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import INTERVAL, Data, estimate
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, at_edges, crossed, either, grouped
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.reference.automata import (
    Automaton,
    bigram_automaton,
    bracket_automaton,
    intersect,
)
from rnn_helpers.tasks import character_model, minibatches
from rnn_helpers.training import fit

NETWORK, NGRAM, COUNTED = "network", "n-gram", "counted automaton"
LETTERS = "abcd"
OPEN, CLOSE = 0.06, 0.2  # weights of a bracket that may come; all letters together have 1
_FIRST = 2  # kinds of brackets of the headline
_CONTEXT = 5  # symbols before the first that is predicted, so that every model has seen enough
_TEST = 1000, 20
_NAMES = {NGRAM: "best n-gram"}  # of another order, it may have fewer numbers


def source(n_kinds: int, seed: int) -> Automaton:
    """Return an automaton of letters with k kinds of brackets among them.

    It is the intersection of k bracket automata and a bigram automaton whose distributions depend
    on the seed. Its texts never end.
    """
    brackets = [f"{side}{kind}" for kind in range(1, n_kinds + 1) for side in "()"]
    alphabet = [*LETTERS, *brackets]
    weights = np.ones((len(alphabet) + 1, len(alphabet)))
    rows = np.random.default_rng(seed).dirichlet(np.full(len(LETTERS), 0.5), len(weights))
    weights[:, : len(LETTERS)] = rows
    features = [
        bracket_automaton(*brackets[at : at + 2], alphabet, OPEN, CLOSE)
        for at in range(0, len(brackets), 2)
    ]
    return reduce(intersect, features, bigram_automaton(alphabet, weights)).normalised()


def ngram_loss(train: np.ndarray, test: np.ndarray, n: int, orders: Sequence[int]) -> np.ndarray:
    """Mean loss of n-grams in nats, for each order.

    Interpolated as Witten and Bell do: a context seen N times, followed by D different symbols,
    gives the share ``D / (N + D)`` to the next lower order, the lowest of which is uniform.
    """
    p = np.full(test.shape, 1 / n)
    losses = {}
    for order in range(1, max(orders) + 1):
        seen = np.bincount(_contexts(train, order, n) * n + train[order - 1 :], minlength=n**order)
        seen = seen.reshape(-1, n)
        context = _contexts(test, order, n)
        now = test[order - 1 :]
        times = seen.sum(axis=1)
        kinds = (seen > 0).sum(axis=1)
        backed = kinds[context] * p[order - 1 :] + seen[context, now]
        among = (times + kinds)[context]
        p[order - 1 :] = np.where(among, backed / np.maximum(among, 1), p[order - 1 :])
        losses[order] = -np.log(p[_CONTEXT:]).mean()
    return np.array([losses[order] for order in orders])


def _contexts(tokens, order, n):
    """Return the index of the context, ``order - 1`` symbols, of each symbol that has one."""
    steps = len(tokens) - order + 1
    return sum(
        (tokens[j : j + steps] * n ** (order - 2 - j) for j in range(order - 1)),
        np.zeros((steps, *tokens.shape[1:]), dtype=np.intp),
    )


def counted_loss(
    truth: Automaton, train: np.ndarray, test: np.ndarray, added: Sequence[float]
) -> np.ndarray:
    """Mean loss in nats of the source's own automaton with probabilities that are counted.

    It is given states and transitions, so all features and what may come in each state; `added` are
    numbers added to each count, a loss for each.
    """
    counts = np.zeros(truth.weights.shape)
    np.add.at(counts, (_states(truth, train[:, None])[:, 0], train), 1)
    visited = _states(truth, test)
    losses = []
    for more in added:
        smoothed = np.where(truth.weights > 0, counts + more, 0)
        p = (smoothed / smoothed.sum(axis=1, keepdims=True))[visited, test]
        losses.append(-np.log(p[_CONTEXT:]).mean())
    return np.array(losses)


def _states(truth, tokens):
    """Return the state before each symbol of sequences (T, B)."""
    state = np.full(tokens.shape[1], truth.start)
    visited = []
    for now in tokens:
        visited.append(state)
        state = truth.following[state, now]
    return np.array(visited)


def network_loss(
    n_kinds: int, etas: Sequence[float], seeds: Sequence[int], config: dict
) -> np.ndarray:
    """Mean loss in nats of tanh networks, one for each learning rate and seed, side by side.

    The state is carried from minibatch to minibatch; the gradient is not.
    """
    n = len(LETTERS) + 2 * n_kinds
    networks = list(product(etas, seeds))
    texts = {seed: draws(n_kinds, seed, config) for seed in seeds}

    def batches() -> Iterator[tuple[np.ndarray, ...]]:
        streams = [
            minibatches(texts[seed][1], config["T"], config["batch_size"], seed, contiguous=True)
            for _, seed in networks
        ]
        for pieces in zip(*streams, strict=True):
            yield tuple(np.stack(part, axis=1) for part in zip(*pieces, strict=True))

    history = fit(
        character_model(carry_state=True),
        init_rnn(n, config["n_h"], n, seed=[seed for _, seed in networks], dtype=np.float32),
        batches(),
        steps=config["steps"],
        optimizer=AdamEach([eta for eta, _ in networks], config["steps"]),
        clip=1.0,
        carry_state=True,
    )
    test = np.stack([texts[seed][2] for _, seed in networks], axis=1)
    yhat = rnn_forward(history.params, test[:-1]).yhat
    p_next = np.take_along_axis(yhat, test[1:, ..., None], axis=-1)[_CONTEXT - 1 :, ..., 0]
    return -np.log(p_next.astype(float)).mean(axis=(0, 2)).reshape(len(etas), len(seeds))


def draws(n_kinds: int, seed: int, config: dict) -> tuple[Automaton, np.ndarray, np.ndarray]:
    """Return the source of a seed, a training sequence, and test sequences (T, B)."""
    truth = source(n_kinds, seed)
    learn, measure = np.random.default_rng([seed, 1]).spawn(2)
    return truth, truth.sample(config["symbols"], seed=learn), truth.sample(*_TEST, seed=measure)


def excess(model: str, n_kinds: int, settings: Sequence, seeds, config: dict) -> np.ndarray:
    """Return bits per symbol above the source's own loss on the same symbols: (settings, seeds)."""
    drawn = [draws(n_kinds, seed, config) for seed in seeds]
    if model == NETWORK:
        losses = network_loss(n_kinds, settings, seeds, config)
    elif model == NGRAM:
        losses = [
            ngram_loss(train, test, len(truth.alphabet), settings) for truth, train, test in drawn
        ]
        losses = np.transpose(losses)
    else:
        losses = np.transpose([counted_loss(*own, settings) for own in drawn])
    least = [truth.loss(test)[_CONTEXT:].mean() for truth, _, test in drawn]
    return (losses - np.array(least)) / np.log(2)


def parameters(model: str, n_kinds: int, setting, config: dict) -> int:
    """Count the numbers that a model learns; a distribution over n symbols has n - 1."""
    n = len(LETTERS) + 2 * n_kinds
    if model == NGRAM:
        return n ** (setting - 1) * (n - 1)
    if model == COUNTED:
        truth = source(n_kinds, 0)
        return int((truth.weights > 0).sum()) - len(truth)
    return config["n_h"] * (config["n_h"] + 2 * n + 1) + n


def numbers(rows):
    """Return the bits that the network saves compared with the counted automaton and n-grams."""
    by_kinds = {kinds: grouped(mine, "model") for kinds, mine in grouped(rows, "kinds").items()}
    saved = {
        rival: {kinds: _saved(models, rival) for kinds, models in by_kinds.items()}
        for rival in (COUNTED, NGRAM)
    }
    not_fewer = [kinds for kinds, bits in saved[COUNTED].items() if bits.low <= 0]
    most = max(by_kinds)
    return {
        "symbols": rows[0]["symbols"],
        "saved": saved[NGRAM][_FIRST],
        "counted": [saved[COUNTED][kinds] for kinds in sorted(by_kinds)],
        "ngram": list(saved[NGRAM].values()),
        "few": either(not_fewer),
        "many": either([kinds for kinds in by_kinds if kinds not in not_fewer]),
        "most": most,
        "probabilities": by_kinds[most][COUNTED][0]["parameters"],
        "parameters": by_kinds[most][NETWORK][0]["parameters"],
        "edges": at_edges(rows, "model", "kinds", each="{}, {} kinds", setting="setting"),
    }


def _saved(models, rival):
    """Estimate the bits that the network saves, seed by seed."""
    pairs = zip(models[rival], models[NETWORK], strict=True)
    return Estimate.mean(other["excess"] - row["excess"] for other, row in pairs)


def _excess(rows):
    return Estimate.mean(row["excess"] for row in rows)


def table_bits(rows):
    """Tabulate the bits that each model needs beyond the least."""
    named = [row | {"model": _NAMES.get(row["model"], row["model"])} for row in rows]
    heading = "kinds of brackets"
    return crossed(named, "kinds", "model", lambda some: f"{_excess(some):.3f}", heading=heading)


def table_sizes(rows):
    """Tabulate how large each model is."""
    models = {kinds: grouped(mine, "model") for kinds, mine in grouped(rows, "kinds").items()}
    return [
        {
            "kinds of brackets": kinds,
            "parameters of the network": mine[NETWORK][0]["parameters"],
            "states of the automaton": mine[COUNTED][0]["states"],
            "probabilities of the automaton": mine[COUNTED][0]["parameters"],
            "best n": mine[NGRAM][0]["setting"],
        }
        for kinds, mine in models.items()
    ]


def data(rows):
    """Return each model's excess loss and its numbers to learn, by kinds of brackets."""
    excess = {"title": "predictions", "measure": "excess bits per symbol", "unit": "excess bits"}
    learned = {"title": "size", "measure": "numbers to learn", "unit": "numbers"}
    cells = grouped(rows, "model", "kinds")
    for panel, cell in ((excess, _excess), (learned, lambda some: [some[0]["parameters"]] * 3)):
        lines = {}
        for model, kinds in sorted(cells, key=lambda one: one[1]):
            point = estimate(cell(cells[model, kinds]), x=kinds)
            lines.setdefault(_NAMES.get(model, model), []).append(point)
        panel["lines"] = [{"label": name, "points": points} for name, points in lines.items()]
    return Data(
        question="How well do the three models predict, and how many numbers do they learn?",
        measure="excess bits per symbol",
        unit="excess bits",
        spread=INTERVAL,
        panels=[excess, learned],
        x="kinds of brackets",
        log="y",
    )


@experiment(
    claim="Each on/off feature doubles the states of an automaton, and most of its many "
    "probabilities are then estimated badly; a recurrent network has as many states with far "
    "fewer parameters, which are estimated much better.",
    source="Chiang 5.1",
    quick={
        "seeds": 3,
        "choosing": 1,
        "first": 1,
        "kinds": [2],
        "symbols": 20_000,
        "n_h": 30,
        "T": 50,
        "batch_size": 20,
        "steps": 200,
        "etas": {NETWORK: [0.02], NGRAM: [3], COUNTED: [1.0]},
    },
    full={
        "seeds": 10,
        "choosing": 3,
        "first": 3,
        "kinds": [1, 2, 3, 4, 5, 6, 8],
        "symbols": 20_000,
        "n_h": 30,
        "T": 50,
        "batch_size": 20,
        "steps": 1600,
        "etas": {
            NETWORK: [0.001, 0.003, 0.006, 0.01, 0.02],
            NGRAM: [1, 2, 3, 4, 5],
            COUNTED: [0.03, 0.1, 0.3, 1.0, 3.0],
        },
    },
    numbers=numbers,
    headline=(
        "saved",
        f"bits per symbol that the network saves compared with n-grams, {_FIRST} kinds of brackets",
    ),
    finding={
        "holds": "With any number of on/off features, a recurrent network predicts better than an "
        "automaton whose probabilities are counted.",
        "holds in part": "With {many} on/off features, a recurrent network predicts better than an "
        "automaton whose probabilities are counted, but with {few} it doesn't.",
        "does not hold": "Even with {most} on/off features, an automaton whose probabilities are "
        "counted predicts better than a recurrent network.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(bits.low > 0 for bits in [*n.counted, *n.ngram]),
            "Holds. The network predicts better than the counted automaton with any number of "
            "features.",
        ),
        in_part=(
            lambda n: (
                n.counted[0].high < 0 < n.counted[-1].low and all(bits.low > 0 for bits in n.ngram)
            ),
            "Holds in part, if there are many features: with {few}, the counted automaton is no "
            "worse.",
        ),
        fails=(
            lambda n: n.counted[-1].high < 0,
            "Does not hold. Even with {most} features, the counted automaton predicts better.",
        ),
    ),
    saw=[
        "Each model learns from {symbols:,} symbols. The automaton is given its states and counts "
        "how often each symbol follows each state. With any number of features, the network "
        "predicts better than n-grams.",
        (
            lambda n: n.edges,
            "The chosen setting is the lowest or highest that we tried for {edges}.",
        ),
    ],
    table={
        "Bits per symbol above the least possible": table_bits,
        "Sizes of the models": table_sizes,
    },
    data=data,
)
def run(config, seeds):
    """Compare three models of texts with 1 to 8 kinds of brackets.

    For each seed, a bigram automaton is intersected with the automata of the brackets, and 20,000
    symbols are drawn from it. They train a tanh network of 30 units, n-grams with Witten-Bell
    interpolation, and the source's own automaton with probabilities estimated from counts. The
    learning rate, the order, and the number added to each count are each the best on 3 other
    seeds. Each model's loss on 20,000 new symbols is given in bits per symbol above the
    source's own loss.
    """
    return Models().run(config, seeds)


class Models(Contest):
    """A network, n-grams and a counted automaton that learn texts with brackets."""

    columns = "model", "kinds"
    setting = "setting"
    apart = "kinds"

    def cells(self, config):
        """Pair each model with each number of kinds."""
        return [(model, kinds) for kinds in config["kinds"] for model in config["etas"]]

    def train(self, config, cell, settings, seeds):
        """Return the settings, and the excess of models that learn with them."""
        return settings, excess(*cell, settings, seeds, config)

    def score(self, config, cell, made, seeds):
        """Return minus the excess."""
        _, bits = made
        return -bits.ravel()

    def rows(self, config, cell, made, seeds, scores):
        """Return the excess of each model, and its size."""
        model, kinds = cell
        (setting,), (bits,) = made
        size = {
            "symbols": config["symbols"],
            "states": len(source(kinds, 0)),
            "parameters": parameters(model, kinds, setting, config),
        }
        return [
            {"seed": seed, "excess": float(one)} | size
            for seed, one in zip(seeds, bits, strict=True)
        ]
