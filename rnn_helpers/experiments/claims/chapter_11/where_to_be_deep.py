"""Which of the three boxes should be deep? (section 10.5, figure 10.13)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import by_method, choose
from rnn_helpers.experiments.rates import trained
from rnn_helpers.experiments.words import Estimate, at_edges, grouped, listed
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import Depth, deep_shapes
from rnn_helpers.tasks import characters, minibatches

SHALLOW, ALL, SKIP = "shallow", "hidden layer in each box (b)", "and a skip connection (c)"
STACK, INPUT = "two states, one above the other (a)", "hidden layer from the input"
TRANSITION, OUTPUT = "hidden layer between states", "hidden layer to the output"
DEPTHS = {
    SHALLOW: Depth(),
    STACK: Depth(2),
    INPUT: Depth(input=1),
    TRANSITION: Depth(transition=1),
    OUTPUT: Depth(output=1),
    ALL: Depth(1, 1, 1, 1),
    SKIP: Depth(1, 1, 1, 1, skip=True),
}


def numbers(rows):
    """Bits a character, and by how many each depth is better than none, seed by seed."""
    bits, gains = _by_seed(rows), _gains(rows)
    boxes = [name for name in (INPUT, TRANSITION, OUTPUT) if name in gains]
    better = [name for name in boxes if gains[name].low > 0]
    return {
        "shallow": Estimate.mean(bits[SHALLOW].values()),
        "gains": gains,
        "stack": gains[STACK],
        "all": gains[ALL],
        "skip": gains[SKIP],
        "mitigated": _ahead(bits, SKIP, ALL),
        "better": better,
        "which": listed("a {}", ((name,) for name in better), " or "),
        "worse": "; ".join(name for name, gain in gains.items() if gain.high < 0),
        "each": all(name in better for name in boxes),
        "edges": at_edges(rows, "depth"),
    }


def _by_seed(rows):
    """Group the bits by depth and seed."""
    return {name: {row["seed"]: row["bits"] for row in mine} for name, mine in _by(rows).items()}


def _ahead(bits, name, other):
    return Estimate.mean(bits[other][seed] - bits[name][seed] for seed in bits[other])


def _gains(rows):
    """Estimate by how many bits each depth is better than none."""
    bits = _by_seed(rows)
    return {name: _ahead(bits, name, SHALLOW) for name in bits if name != SHALLOW}


def table(rows):
    """Tabulate the bits that each depth saves, and its size."""
    gains = _gains(rows)
    return [
        {"network": name}
        | ({"bits saved": f"{gains[name]:.3f}"} if name in gains else {})
        | {"units in a layer": mine[0]["n_h"], "weights": mine[0]["weights"]}
        for name, mine in _by(rows).items()
    ]


def _by(rows) -> dict:
    return grouped(rows, "depth")


def plot(rows):
    """Draw the bits a character of each depth."""
    bits = {name: Estimate.mean(row["bits"] for row in mine) for name, mine in _by(rows).items()}
    shallow = bits.pop(SHALLOW)
    return claim_intervals(
        bits, xlabel="bits a held-out character", reference=(shallow.value, SHALLOW)
    )


@experiment(
    claim="It is advantageous to introduce depth in each of the three operations of a recurrent "
    "network: from the input to the state, from state to state, from the state to the output.",
    source="Goodfellow et al. 10.5 (P17)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.01],
        "weights": 4000,
        "T": 16,
        "batch_size": 8,
        "steps": 20,
        "measured": 2000,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.002, 0.005, 0.01, 0.02],
        "weights": 30_000,
        "T": 50,
        "batch_size": 16,
        "steps": 4000,
        "measured": 35_000,
    },
    numbers=numbers,
    headline=("all", "bits per character saved by hidden layers in all three places"),
    finding={
        "holds": "Each of the three hidden layers saves bits, and so do all three together.",
        "holds if": "Of hidden layers in three places, only {which} saves bits.",
        "does not hold": "No place for a hidden layer saves bits here.",
    },
    verdict=[
        (
            lambda n: n.each and n.all.low > 0,
            "Holds. All three together save {all.value:.3f} bits per character.",
        ),
        (lambda n: n.better, "Holds if what is added is {which}."),
        (
            lambda n: True,
            "Does not hold. Hidden layers in all three places save {all.value:.3f} bits per "
            "character.",
        ),
    ],
    saw=[
        "Without depth, the network needs {shallow.value:.3f} bits per held-out character. A skip "
        "connection past the hidden layer between states saves {mitigated:.3f} bits.",
        (lambda n: n.worse, "These networks need more bits than one without depth: {worse}."),
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={"Bits saved per held-out character, on the same pieces of text": table},
    caveats=[
        "Six depths are compared on the same ten seeds, so one interval that ends near 0 settles "
        "nothing by itself.",
        "This is one text, with tanh units that start small, as PyTorch's do, and with about the "
        "same number of weights. Deeper networks have fewer units in each layer. The networks of "
        "the papers that the source cites were larger, with gated units (Graves et al. 2013), or "
        "had one more hidden layer beside all their units (Pascanu et al. 2014).",
    ],
    plot=plot,
)
def run(config, seeds):
    """Let tanh networks of 30,000 weights guess the next character of Python's language reference,
    which they read in pieces of 50. The depths differ, and with them the number of units in each
    layer, so that all have equally many weights. Adam for 4000 steps, each on 16 pieces; the rate
    of each is that with which 2 other seeds, trained on nine tenths of the training part, guess the
    rest best. Measured are the last 25 characters of pieces of 50 from the held-out tenth, together
    all of it.
    """
    corpus = characters("topics")
    n, cut = len(corpus.alphabet), len(corpus.train) * 9 // 10

    def score(name, etas, others):
        text = corpus.train[:cut]
        return -_bits(*_trained(name, n, text, etas, others, config), corpus.train[cut:], config)

    ladders = dict.fromkeys(DEPTHS, config["etas"])
    chosen = choose(ladders, by_method(score), first=config["first"], seeds=config["choosing"])
    rows = []
    for name, choice in chosen.items():
        net, params = _trained(name, n, corpus.train, [choice.setting], seeds, config)
        size = {"n_h": len(params["W1"][0]), "weights": sum(p[0].size for p in params.values())}
        rows += [
            {"depth": name, "seed": seed, "bits": float(bits), "eta": choice.setting}
            | {"at_edge": choice.at_edge, **size}
            for seed, bits in zip(seeds, _bits(net, params, corpus.held_out, config), strict=True)
        ]
    return rows


def n_units(depth: Depth, n: int, weights: int) -> int:
    """Units in each layer with which a network over `n` symbols comes nearest so many weights."""

    def off(n_h):
        shapes = deep_shapes(depth, n, n_h, n).values()
        return abs(sum(int(np.prod(shape)) for shape in shapes) - weights)

    return min(range(2, 400), key=off)


def _trained(name: str, n: int, text, etas, seeds, config: dict) -> tuple:
    """Networks that learned a text, of each rate and seed, and their parameters."""
    from rnn_helpers.nets.deep import Deep

    depth = DEPTHS[name]
    n_h = n_units(depth, n, config["weights"])
    return trained(
        lambda each: Deep(depth, n, n_h, n, each),
        lambda each: minibatches(
            text, config["T"], config["batch_size"], [np.random.default_rng(one) for one in each]
        ),
        etas,
        seeds,
        config["steps"],
    )


def _bits(net, params: dict, text, config: dict) -> np.ndarray:
    """Bits for each character of a text, each guessed from at least half a piece before it."""
    T, half = config["T"], config["T"] // 2
    starts = np.arange(0, min(len(text), config["measured"]) - T, half)
    total = 0
    for some in np.array_split(starts, -(-len(starts) // 64)):
        piece = text[some + np.arange(T + 1)[:, None]]
        o = net.outputs(params, piece[:-1])[half:]
        o = o - o.max(-1, keepdims=True)
        log_p = o - np.log(np.exp(o).sum(-1, keepdims=True))
        target = np.broadcast_to(piece[1 + half :, None], log_p.shape[:-1])[..., None]
        total = total + -np.take_along_axis(log_p, target, -1)[..., 0].sum((0, 2))
    return total / (len(starts) * (T - half) * np.log(2))
