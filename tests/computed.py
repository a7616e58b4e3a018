"""Numbers in the prose that no experiment measures, and how each is computed.

A function returns its numbers by name, like the ``numbers`` of a claim, and is the source of the
numbers that name it: ``<span data-number="folded-line: {turns[1]}">29</span>``.
"""

from functools import cache, partial
from itertools import count
from unittest.mock import patch

import numpy as np

from bench.min_char_rnn import bits, min_char_rnn, program, trained
from rnn_helpers.claims.chapter_07.table_against_state import NETWORK, SOURCE, TABLE, T
from rnn_helpers.experiments import load
from rnn_helpers.experiments.words import grouped, power_of_ten
from rnn_helpers.explore.characters import measured
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.address import model as address
from rnn_helpers.figures.bottleneck import figure as bottleneck
from rnn_helpers.figures.cache import model as letters
from rnn_helpers.figures.caption import figure as caption
from rnn_helpers.figures.clockwork import figure as clockwork
from rnn_helpers.figures.clockwork.trained import waves
from rnn_helpers.figures.context import figure as context
from rnn_helpers.figures.fair import trained as fair
from rnn_helpers.figures.fullstop import figure as stops
from rnn_helpers.figures.fullstop import trained as stops_trained
from rnn_helpers.figures.gates import figure as gates
from rnn_helpers.figures.ntm import figure as machine
from rnn_helpers.figures.phase import model as phase
from rnn_helpers.figures.reservoir import model as untrained
from rnn_helpers.figures.rhyme import figure as verse
from rnn_helpers.reference import (
    cliff_gradient,
    direction_changes,
    gradient_through_time,
    hidden_state,
    init_recurrent,
    init_reservoir,
    memory_capacity,
    output,
    reservoir_states,
    ridge_readout,
    rnn_forward,
    times,
    widest_perturbation,
    write_cells,
)
from rnn_helpers.reference.norms import length as length_of
from rnn_helpers.tasks import characters, narma10, normalised_error

SOURCES = {}
SLOW = set()


def source(function=None, *, slow=False):
    """Register a function under its name with hyphens; ``slow`` if ``make check`` skips it."""
    if function is None:
        return partial(source, slow=slow)
    name = function.__name__.replace("_", "-")
    SOURCES[name] = cache(function)
    if slow:
        SLOW.add(name)
    return function


@source
def two_units():
    """The networks of the figure *path*, and how many of them learned all years (chapter 1)."""
    found = stored("path")
    learned, angles = len(found["turns"]), sorted(found["turns"])
    return {
        "trained": len(found["right"]["second"]),
        "learned": learned,
        "angles": f"{angles[0]} to {angles[-1]}",
    }


@source(slow=True)
def wrong_order():
    """Return the program's bits with (G 10.21) right and with the slopes after W, over 3 seeds."""
    corpus, order = characters("topics"), 'grad_a[t] @ params["W"]'
    orders = {
        "right": program(),
        "wrong": program(order, '(1 - h[t + 1] ** 2) * (grad_h @ params["W"])'),
    }
    return {
        name: np.mean([bits(trained(rnn, corpus, 3000, seed), corpus) for seed in range(3)])
        for name, rnn in orders.items()
    }


@source(slow=True)
def ten_seconds():
    """Return the bits of the program and of min-char-rnn after about ten seconds on one core.

    The numbers of steps come from ``bench/min_char_rnn.py``, which measures them. The training
    itself isn't timed, so a slower machine gets the same bits.
    """
    corpus = characters("topics")
    return {
        "program": bits(trained(program(), corpus, 9000), corpus),
        "min_char_rnn": bits(min_char_rnn(corpus, 10_000), corpus),
    }


@source
def progress():
    """Return what the network of the figure `progress` pays for its sentence at each stage."""
    stages = stored("manual")["stages"]
    return {"whole": {stage["minibatches"]: sum(stage["costs"]) for stage in stages}}


@source
def measured_units():
    """Return each network's two largest correlations with each feature, on unseen code."""
    return {
        net: {
            name: sorted(np.abs(r))[:-3:-1] for name, r in measured(net).items() if name != "bits"
        }
        for net in ("rnn", "lstm")
    }


@source
def rhyme():
    """Count the further mistakes after a slip at each letter of the figure `rhyme`.

    ``noisy`` has the share of right letters of each network if a tenth of its inputs are replaced
    by random letters.
    """
    params, y = verse.network(), verse.truth()
    wrong, practiced = verse.mistakes(params), verse.mistakes(verse.network("practice"))
    _, yhat = verse.write(params, own=False)
    return {
        "slips": len(wrong),
        "recovered": np.count_nonzero(wrong == 0),
        "practiced": np.count_nonzero(practiced == 0),
        "noisy": {training: _right_with_noise(training, 0.1) for training in ("truth", "practice")},
        "wrong": wrong[32],
        "rest": len(y) - 33,
        "least": yhat[range(len(y)), y].min(),
    }


def _right_with_noise(training, share):
    """Return the share of right letters if some of the inputs are replaced by random letters."""
    y, rng = verse.truth()[:, None], np.random.default_rng(0)
    shape = len(y), 100
    noise = (rng.random(shape) < share) & (np.arange(len(y)) > 0)[:, None]
    fed = np.where(noise, rng.integers(len(verse.ALPHABET), size=shape), np.roll(y, 1))
    return np.mean(rnn_forward(verse.network(training), fed).yhat.argmax(axis=-1) == y)


@source
def left_alone():
    """Count the networks of the figure `freerun` trained with the truth that lose the wave."""
    training = stored("freerun")["training"]["truth"]
    alone = training["alone"][str(training["rate"])]
    near = [error for error in alone if error < 0.1]
    return {"of": len(alone), "lost": len(alone) - len(near), "near": max(near)}


@source
def bottleneck_digits():
    """Return the share of digits that each network in the figure writes correctly, by length."""
    return {
        "right": {size: dict(enumerate(bottleneck.measured(size), 1)) for size in bottleneck.SIZES},
        "looks": {
            size: dict(enumerate(bottleneck.measured(size, True), 1)) for size in bottleneck.LOOKS
        },
    }


@source
def translated():
    """Return how many new sentences the figure's network translates, and what ten networks do."""
    found = stored("translation")["measured"]
    rows = found["networks"]
    nouns = [row["noun"] for row in rows]
    return {
        "right": round(rows[found["seed"]]["right"] * found["others"]),
        "others": found["others"],
        "least": min(row["right"] for row in rows),
        "at_the_noun": sum(noun > 0.9 for noun in nouns),
        "of": len(rows),
    }


@source
def clockwork_held():
    """Return the shares of both waves left when the simple network's slowest group is frozen."""
    return _left_without_the_slowest("rnn")


@source
def clockwork_unused():
    """Return the shares of both waves left when the clockwork's slowest group is frozen."""
    return _left_without_the_slowest("clockwork")


@source
def clockwork_ten():
    """Count trained networks by the share of a wave left when their slowest group is frozen."""
    training = stored("clockwork")["training"]
    clocks, simple = (
        [groups[0] for groups in training[net]["left"]] for net in ("clockwork", "rnn")
    )
    return {
        "each": len(clocks),
        "unused": sum(slow > 0.9 for _, slow in clocks),
        "stopped": sum(fast < 0.1 for fast, _ in simple),
    }


def _left_without_the_slowest(net):
    params = arrays(stored("clockwork")["networks"][net])
    state = complete("clockwork", {})
    read = clockwork.read(clockwork.signal(state["seed"]))
    _, o, _ = clockwork.forward(net, params, read, 1, 0, state["since"])
    return {name: 2 * wave.mean() for name, wave in zip(("fast", "slow"), waves(o), strict=True)}


@source
def agreeing_trees():
    """Return the median share of right verbs along each tree, by phrases (figure *agree*)."""
    shares = stored("agree")["right"]
    return {
        "typical": {
            kind: {n: float(np.median(some)) for n, some in enumerate(mine)}
            for kind, mine in shares.items()
        },
        "of": len(shares["chain"][0]),
    }


@source
def evaluated_trees():
    """Return the share of right answers of each network in the figure, by nesting."""
    measured = stored("value")["measured"]
    return {"right": {kind: dict(enumerate(shares, 1)) for kind, shares in measured.items()}}


@source
def held_bit():
    """Return a tanh unit's slope at its fixed point, and the remaining share of a gradient."""
    w, h = 2, 1.0
    for _ in range(200):
        h = np.tanh(w * h)
    slope = w * (1 - h**2)
    noise = np.random.RandomState(0).standard_normal((constants("latch").RUNS, 200))[0]
    noisy, size = 1.0, 0.0
    for e in 0.2 * noise:
        noisy = np.tanh(w * noisy + e)
        size += np.log10(w * (1 - noisy**2))
    return {
        "slope": slope,
        "left": power_of_ten(200 * np.log10(slope)),
        "left_with_noise": power_of_ten(size),
    }


@source
def small_inputs():
    """Return the share of a gradient that T steps leave with orthogonal W and inputs of size 1/T.

    It is the range of the medians over 20 untrained networks, for T = 10, 30 and 100.
    """
    left = [np.median([_left(T, seed) for seed in range(20)]) for T in (10, 30, 100)]
    return {"left": f"{min(left):.2f} to {max(left):.2f}"}


def _left(T, seed, n_h=50):
    """Return the share of the last state's gradient at step 1 of T, with inputs of size 1/T."""
    rng, bias = np.random.default_rng(seed), np.zeros(n_h)
    W = init_recurrent("orthogonal", n_h, seed=seed)
    params = {"U": np.eye(n_h) / T, "W": W, "V": np.zeros((2, n_h)), "b": bias, "c": np.zeros(2)}
    run = rnn_forward(params, rng.normal(size=(T, n_h)))
    last = rng.normal(size=n_h)
    return length_of(gradient_through_time(params, run, last)[1]) / length_of(last)


@source
def folded_line():
    """Return how often a line has turned after each of five layers of gain 10."""
    chance, n = np.random.RandomState(4), 100
    W = chance.standard_normal((n, n))  # gain 10 over the root of 100
    base, direction, seen = (chance.standard_normal(n) for _ in range(3))
    x = np.linspace(-60, 60, 2**14 + 1)[:, None]
    h, turns = base + x * direction / np.linalg.norm(direction), {}
    for layer in range(1, 6):
        h = hidden_state(times(W, h))
        turns[layer] = int(direction_changes(h @ seen))
    return {"turns": turns, "hundreds": {k: round(count, -2) for k, count in turns.items()}}


@source
def gaussian_products():
    """Return the typical factor of a Gaussian weight, and the product of 100 of them."""
    log = -(np.euler_gamma + np.log(2)) / 2  # the mean of ln |w| for variance 1
    left = power_of_ten(100 * log / np.log(10))  # of 100 factors
    return {"log": log, "left": left, "factor": np.exp(log), "square": np.exp(-2 * log)}


@source(slow=True)
def typical_product():
    """Return the median of log10 of the product of the sizes of 100 Gaussian weights."""
    rng, logs = np.random.default_rng(0), np.zeros(10**6)
    for _ in range(100):
        logs += np.log10(np.abs(rng.standard_normal(len(logs))))
    return {"median": np.median(logs)}


@source(slow=True)
def odd_reservoir():
    """Return the error of reservoirs on NARMA-10, by whether inputs are centered and by bias."""
    radius, scale = 0.9, 1
    kinds = {"drawn": (0, 0), "centered": (1, 0), "biased": (1, 1)}
    errors = {
        name: np.mean([_odd(*kind, radius, scale, seed) for seed in range(10)])
        for name, kind in kinds.items()
    }
    return errors | {"radius": radius, "scale": scale}


def _odd(centered, bias, radius, scale, seed):
    rng = np.random.default_rng(seed)
    x, y = narma10(3200, seed)
    params = init_reservoir(1, 200, rng, radius=radius, input_scale=scale)
    params["b"] = bias * rng.uniform(-1, 1, 200)
    h = reservoir_states(params, x - centered * x.mean())
    readout = ridge_readout(h[:2200], y[:2200], 1e-6, 200)
    return normalised_error(y[2200:], output(**readout, h=h[2200:]))


@source
def leaky_echo():
    """Return the share of a clap's echo that is left after 48 steps, with a leak and without."""
    params, *_ = untrained.network()
    pulse = np.eye(49)[0][:, None]
    sizes = {
        name: np.linalg.norm(
            reservoir_states(untrained.scaled(params, 0.9, 0.1), pulse, leak=leak), axis=1
        )
        for name, leak in (("slow", 0.1), ("plain", 1.0))
    }
    return {name: size[-1] / size[0] for name, size in sizes.items()}


@source(slow=True)
def slow_claps():
    """Return how much of a rhythm whose steps last ten each readouts recover 60 steps later."""
    params, *_ = untrained.network()
    params, k = untrained.scaled(params, 0.9, 0.1), 60
    x = np.repeat(np.random.default_rng(1).integers(2, size=600), 10)[:, None].astype(float)
    past = x[200 - k : len(x) - k]
    shares = {}
    for name, leak in (("leaky", 0.3), ("plain", 1.0)):
        h = reservoir_states(params, x, leak=leak)[200:]
        readout = ridge_readout(h[:3000], past[:3000], 1e-10)
        found = output(**readout, h=h[3000:])
        shares[name] = np.corrcoef(found[:, 0], past[3000:, 0])[0, 1] ** 2
    return shares


@source
def weak_input():
    """Return the memory of the page's reservoir at radius 1 and input scale 0.1."""
    weak = init_reservoir(n_x=1, n_h=100, seed=0, radius=1.0, input_scale=0.1)
    return {"one": memory_capacity(weak, max_delay=60)[1:].sum()}


@source(slow=True)
def false_memory():
    """Add up the capacities at delays 101 to 200, on the steps of the fit and on new ones."""
    shares = np.mean([_forgotten(seed) for seed in range(10)], axis=0)
    return dict(zip(("fit", "new"), shares, strict=True))


def _forgotten(seed, n=1000, scale=0.1):
    params = init_reservoir(1, 100, seed, radius=0.9, input_scale=scale)
    x = np.random.default_rng(seed).uniform(-1, 1, (200 + 2 * n, 1))
    h = reservoir_states(params, x)[200:]
    past = np.hstack([x[200 - k : len(x) - k] for k in range(101, 201)])
    readout = ridge_readout(h[:n], past[:n], 1e-8 * scale**2)
    found = output(**readout, h=h)
    return [
        sum(np.corrcoef(found[some, k], past[some, k])[0, 1] ** 2 for k in range(100))
        for some in (slice(n), slice(n, None))
    ]


@source
def widest_start():
    """Return the longest difference and that along the eigenvector, after three steps."""
    J, many = np.array([[0.9, 5.0], [0.0, 0.5]]), 100
    _, widest = widest_perturbation(J, 3)
    _, later = widest_perturbation(J, many)
    return {"widest": widest, "along": 0.9**3, "ratio": later / 0.9**many}


@source
def thrown_descent():
    """Return the length of the gradient at update 33 of the cliff's figure, and of its step."""
    at = np.array([4.9, -1.6])
    for _ in range(33):
        at = at - 0.5 * np.array(cliff_gradient(*at, 50))
    length = np.linalg.norm(cliff_gradient(*at, 50))
    return {"at": at, "length": length, "step": 0.5 * length}


@source
def fair_descents():
    """Count the descents that find the ravine at a rate of 0.1 and a threshold of 1.

    ``longer`` counts, in tens, those that are clipped by norm to the longest steps that clipping by
    element allows. Its last digit depends on how a processor rounds.
    """
    rate = constants("fair").RATES.index(0.1)
    found = stored("fair")["found"]
    names = {"none": "none", "norm": "norm 1", "element": "element 1", "random": "random 1"}
    counts = {kind: int(found[name][rate], 16).bit_count() for kind, name in names.items()}
    return counts | {"longer": round(int(np.sum(fair.found([(0.1, "norm", 2**0.5)]))), -1)}


@source
def eventful_log():
    """Return the median gradient norm and the highest loss of the log without clipping."""
    log = stored("norms")["SGD"]["none"]
    return {"median": float(np.median(log["norm"])), "highest": max(log["loss"])}


@source
def phase_of_two_units():
    """Return the gradient that the oscillation in the figure keeps, and the bits in its noise."""
    runs, steps = phase.CONSTANTS.RUNS, phase.CONSTANTS.STEPS
    draws = np.random.RandomState(0).standard_normal((runs, steps, 2)).swapaxes(0, 1)
    starts = np.repeat(phase.STARTS, runs // 2, axis=0)

    def last(noise):
        return rnn_forward(phase.network(), noise * draws, h0=starts).h[-1]

    gradient = phase.gradient()
    return {
        "least": gradient.min(),
        "most": gradient.max(),
        "kept": {
            name: int(np.sum(np.sum(last(noise) * last(0), axis=1) > 0))
            for name, noise in (("weak", 0.1), ("strong", 0.2))
        },
        "runs": runs,
    }


@source
def highway():
    """Return the median share of the gradient that networks of each kind keep, by distance."""
    measured = stored("highway")
    return {
        when: {
            kind: {i * measured["every"]: 10**log for i, log in enumerate(median)}
            for kind, (_, median, _) in measured[when].items()
        }
        for when in ("new", "trained")
    }


@source
def fullstop():
    """Return how many forget gates of the LSTM that reads text are below one half, by character."""
    tokens = stops.encode(stops.prose(characters("topics").text))
    read = tokens[int(0.9 * len(tokens)) :][: stops_trained.MEASURED]
    forget = stops.forget_gates(stops.weights(stops_trained.UPDATES), read)
    shut = (forget < 0.5).sum(axis=1)
    at = {name: read == stops.ALPHABET.index(mark) for name, mark in stops_trained.MARKS.items()}
    at["letter"] = ~np.any(list(at.values()), axis=0)
    return {name: shut[there].mean() for name, there in at.items()}


@source
def counter():
    """Return the forget gates of the trained LSTM in the figure, and the terms of its answer."""
    trained = stored("gates")
    params = arrays(trained["networks"]["lstm"])
    sequence = complete("gates", {})["sequence"]
    reset = np.array([symbol == "r" for symbol in sequence])
    shut = trained["training"]["shut"]

    def run(symbols, params=params):
        return gates.forward("lstm", params, gates.coded(symbols))

    def answers(symbols, params=params):
        return gates.TEN * run(symbols, params).o[:, 0]

    now, ones = run(sequence), answers(24 * "1")
    zeros = "111" + 17 * "0"
    apart = params | {"W": np.diag(np.diag(params["W"]))}
    last = sequence.index("r") - 1  # the step before the first reset
    return {
        "shut": [now.f[reset].min(), now.f[reset].max()],
        "open": [now.f[~reset].min(), now.f[~reset].max()],
        "gates": f"{sum(shut)} of {len(params['b']) * len(shut)}",
        "terms": gates.TEN * np.append(params["V"][0] * now.h[last], params["c"]),
        "sum": gates.TEN * now.o[last, 0],
        "held": answers(zeros)[-1],
        "apart": answers(zeros, apart)[-1],
        "ones": ones[-1],
        "off": np.abs(ones[:11] - np.arange(1, 12)).max(),
        "bound": gates.TEN * (params["c"] + np.abs(params["V"]).sum()).item(),
    }


@source
def rhymes():
    """Return the largest weights in the figure `address` for some queries."""

    def weights(query, **changed):
        state = complete("address", {"query": query} | changed)
        cells, run = address.find(query, state)
        return dict(zip(cells.texts, run.weights, strict=True))

    clock = weights("clock")
    return {
        "clock": [clock["The clock struck one"], clock["The mouse ran up the clock"]],
        "letter": max(weights("white as", width=1).values()),
    }


@source
def smear():
    """Return by how much the last cell to be read changes, and what that costs of 1,000 bits."""

    def change(length, patterns=200):
        shown = np.random.default_rng(length).integers(2, size=(length, patterns, machine.BITS))
        run, each = machine.run(shown), np.arange(patterns)
        last = run.read[-1].argmax(axis=0)
        before, after = (run.M[t, last, each] for t in (length, 2 * length))
        return np.median(length_of(after - before) / length_of(before))

    def wrong(length, last, patterns=400):
        """Return the share of wrong bits if nothing is written after step `last`."""
        shown = np.random.default_rng(length).integers(2, size=(length, patterns, machine.BITS))
        steps = count(1)

        def write(M, *how):
            return write_cells(M, *how) if next(steps) <= last else M

        with patch.object(machine, "write_cells", write):
            return (machine.said(machine.run(shown).o) != shown).mean()

    return {"far": change(32), "costs": 1000 * (wrong(32, 65) - wrong(32, 33))}


@source
def same_size():
    """Return how many letters a matrix as large as a cache of 12 pairs typically returns."""

    def matrix(keys, rule):
        state = {"t": len(letters.NAMES), "keys": keys, "rule": rule}
        return np.median([letters.counts(state | {"seed": seed})[1] for seed in range(1, 401)])

    return {
        "sum": matrix("new", "sum"),
        "delta": matrix("new", "delta"),
        "again_sum": matrix("again", "sum"),
        "again_delta": matrix("again", "delta"),
    }


@source
def network_against_table():
    """Count networks that beat a table from 1,000 sequences, and give a table's excess from most.

    A network and a table with the same seed learn from the same sequences.
    """
    rows = load("table-against-state").rows
    nats = {
        key: np.array([row["nats"] for row in mine])
        for key, mine in grouped(rows, "model", "examples").items()
    }
    better = nats[NETWORK, 1000] < nats[TABLE, 1000]
    return {
        "better": int(better.sum()),
        "of": len(better),
        "excess": np.median(nats[TABLE, 10000]) - SOURCE.entropy(T),
    }


@source
def clock_networks():
    """Return medians of the excess per step of networks with a clock and without, and count pairs.

    Two networks with the same seed learn from the same 1,000 sequences.
    """
    ways = {"clock": "a network, told the step", "plain": "a network, not told the step"}
    rows = [row for row in load("counting-steps").rows if row["examples"] == 1000]
    cells = grouped(rows, "way", "truth")
    steps = {"within": slice(1, 20), "turned": slice(40, 60), "late": slice(40, 60)}

    def excess(way, part):
        truth = "turns back" if part == "turned" else "stays there"
        return np.array([np.mean(row["excess"][steps[part]]) for row in cells[way, truth]])

    by_part = {part: {name: excess(way, part) for name, way in ways.items()} for part in steps}
    medians = {
        part: {name: float(np.median(all_)) for name, all_ in each.items()}
        for part, each in by_part.items()
    }
    within, late = by_part["within"], by_part["late"]
    return medians | {
        "better": int((within["clock"] < within["plain"]).sum()),
        "worse": int((late["clock"] > late["plain"]).sum()),
        "of": len(within["clock"]),
        "table": float(np.median(excess("a table for each step", "within"))),
    }


@source
def stop_proper():
    """Return the probability that each network of the figure `stop` writes a proper word."""
    return {way: each["proper"] for way, each in stored("stop")["training"].items()}


@source
def captioner():
    """Return the captioner's measured shares, its probabilities, and letters without a picture."""
    encoder, decoder = caption.network("eye"), caption.network("step")

    def probabilities(first, second):
        seen = caption.look(encoder, caption.picture(first, second, "left"))
        return [float(p.max()) for p in caption.says(decoder, "step", seen).p]

    words = probabilities("3", "7")
    gone = {
        way: sum(
            int((np.array(context.says(context.network(way), picture, 4)[0]) == true).sum())
            for picture, true in zip(context.PICTURES, context.SENTENCES.T, strict=True)
        )
        for way in context.DOORS
    }
    measured = stored("caption")["measured"]
    cross = "cc1001cccfc11cfc1cfccfc101cffc1001cffc101cfccfc1cfc11cfccc1001cc"
    x = probabilities(cross, "0")
    numbers = {"words": words, "sentence": np.prod(words), "x": x, "gone": gone}
    return {**measured["step"], "start": measured["start"], **numbers}
