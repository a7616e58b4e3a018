"""How far from the truth is a network that hears itself, by how it was taught? (section 10.2.1)"""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.words import Estimate, at_edges, grouped
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.tasks import Oscillator, with_coins
from rnn_helpers.training import fit

FORCED = "teacher forcing"
AHEAD = "several steps ahead"
SCHEDULED = "scheduled sampling"
STOPPED = "scheduled, no gradient through outputs"
OWN = "its own outputs alone"
WAYS = [FORCED, AHEAD, SCHEDULED, STOPPED, OWN]
WARM_UP = 10  # steps that are fed the truth before the network is on its own
RUN = 10  # steps in a row that are fed the truth, or its own outputs, in turn
UNTIL = 0.7  # share of the training after which scheduled sampling feeds no truth
FAR = 200  # steps after which the error is compared
_TASK = Oscillator()
_PHASES = 2 * np.pi * np.arange(16) / 16


def numbers(rows):
    """Errors on its own and fed the truth, and how many times those of teacher forcing they are."""
    ways = grouped(rows, "way")
    others = [way for way in ways if way != FORCED]
    return {
        "far": FAR,
        "variance": _TASK.variance,
        "warm_up": WARM_UP,
        "early": Estimate.geometric(
            one["errors"][0] / other["errors"][0]
            for one, other in zip(ways[FORCED], ways[AHEAD], strict=True)
        ),
        "ratio": _times(ways, FORCED, SCHEDULED, "far"),
        "penalty": {way: _times(ways, FORCED, way, "far") for way in others},
        "cost": {way: _times(ways, way, FORCED, "one_step") for way in others},
        "grows": Estimate.geometric(row["far"] / row["one_step"] for row in ways[FORCED]),
        "edges": at_edges(rows, "way"),
    }


def _times(ways, one, other, column):
    """How many times as large a column is for one way as for another, seed by seed."""
    pairs = zip(ways[one], ways[other], strict=True)
    return Estimate.geometric(first[column] / second[column] for first, second in pairs)


def table_errors(rows):
    """Tabulate the errors of each way to train."""
    return [
        {
            "training": way,
            f"over {FAR} steps on its own": f"{Estimate.geometric(r['far'] for r in mine):.2g}",
            "at the next step, given the truth": (
                f"{Estimate.geometric(row['one_step'] for row in mine):.2g}"
            ),
            "learning rate": f"{mine[0]['eta']:g}",
        }
        for way, mine in grouped(rows, "way").items()
    ]


def table_times(rows):
    """Tabulate the errors of teacher forcing against those of the other ways."""
    seen = numbers(rows)
    return [
        {
            "compared with": way,
            "error of teacher forcing on its own": f"{seen['penalty'][way]:.2g} times",
            "error of the other, given the truth": f"{seen['cost'][way]:.2g} times",
        }
        for way in seen["penalty"]
    ]


def plot(rows):
    """Draw the error over the steps on its own, for all ways to teach a network."""
    curves = {
        way: [
            dict(zip(("error", "low", "high"), Estimate.geometric(each), strict=True))
            | {"steps": steps}
            for steps, *each in zip(mine[0]["steps"], *(row["errors"] for row in mine), strict=True)
        ]
        for way, mine in grouped(rows, "way").items()
    }
    return claim_curves(
        curves,
        "steps",
        "error",
        xlabel="steps on its own",
        ylabel="mean squared error",
        log="xy",
        marks=[(_TASK.variance, "who says 0")],
    )


@experiment(
    claim="A network that was trained by teacher forcing alone goes astray when it is fed its own"
    " outputs; one that was fed some of them in training finds its way back.",
    source="Goodfellow et al. 10.2.1, after Bengio and others 2015; Favaro's slides on teacher "
    "forcing (P8, E-39)",
    quick={
        "seeds": 2,
        "choosing": 1,
        "first": 1,
        "etas": [0.01],
        "n_h": 16,
        "length": 30,
        "batch_size": 4,
        "steps": 60,
        "ways": WAYS,
    },
    full={
        "seeds": 10,
        "choosing": 2,
        "first": 3,
        "etas": [0.001, 0.003, 0.01, 0.03, 0.1],
        "n_h": 32,
        "length": 60,
        "batch_size": 8,
        "steps": 800,
        "ways": WAYS,
    },
    numbers=numbers,
    headline=("ratio", "squared error of teacher forcing, as a multiple of scheduled sampling's"),
    finding="Over {far} steps on its own, a network trained by teacher forcing has "
    "{ratio.value:.1f} times the squared error of one trained by scheduled sampling.",
    verdict=[
        (
            lambda n: (
                n.grows.low > 1
                and min(n.penalty[AHEAD].low, n.penalty[SCHEDULED].low)
                > 1
                >= n.penalty[STOPPED].low
            ),
            "Holds if gradients pass through the outputs that a network is fed.",
        )
    ],
    saw=[
        "On its own, the network trained by teacher forcing has {grows.value:.0f} times its error "
        "with true inputs. A network that always outputs 0 has an error of {variance:.2g}. After "
        "only {warm_up} true inputs, teacher forcing already leaves {early.value:.1f} times the "
        "error of predicting several steps ahead.",
        (
            lambda n: n.edges,
            "The chosen learning rate is the lowest or highest that we tried for {edges}, so "
            "another rate might be better there.",
        ),
    ],
    table={
        "Mean squared error": table_errors,
        "Teacher forcing, compared with the other ways": table_times,
    },
    caveats=[
        "This is one signal without noise, with networks of one size. The rates were chosen by the "
        "error on its own, for teacher forcing too. The outputs here are numbers, so that a "
        "gradient can pass; through a sampled symbol none does."
    ],
    plot=plot,
)
def run(config, seeds):
    """Train networks of 32 tanh units that hear their state and their last output, with Adam for
    800 steps, to continue a wave of period 23 and its overtone, in sequences of 60 of which the
    first 10 steps are fed the truth. The others are fed the truth too; the truth and their own
    outputs, ten steps each in turn; the truth by coins, whose share falls to 0 in seven tenths of
    the training; or their own outputs alone. The rate of each is that with which it is the nearest
    to the truth over 200 steps on its own, on 2 other seeds.
    """

    def score(tries, others):
        made = _train([way for way, _ in tries], [eta for _, eta in tries], others, config)
        return -np.log([[row["far"] for row in mine] for mine in made])

    ladders = dict.fromkeys(config["ways"], config["etas"])
    chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
    made = _train(list(chosen), [choice.setting for choice in chosen.values()], seeds, config)
    return [
        {"way": way, "seed": seed, "eta": choice.setting, "at_edge": choice.at_edge, **row}
        for (way, choice), mine in zip(chosen.items(), made, strict=True)
        for seed, row in zip(seeds, mine, strict=True)
    ]


def _train(
    ways: Sequence[str], etas: Sequence[float], seeds: Sequence[int], config: dict
) -> list[list[dict]]:
    """Train a network for each way and its rate and each seed, and measure them."""
    made = [None] * len(ways)
    for stopped in (False, True):  # these alone differ in the network
        places = [place for place, way in enumerate(ways) if (way == STOPPED) == stopped]
        if places:
            rows = _side_by_side(
                [ways[p] for p in places], [etas[p] for p in places], seeds, config, stopped
            )
            for place, mine in zip(places, rows, strict=True):
                made[place] = mine
    return made


def _side_by_side(ways, etas, seeds, config, stopped):
    from rnn_helpers.nets import OutputRecurrent

    each = [seed for _ in ways for seed in seeds]
    net = OutputRecurrent(0, config["n_h"], _TASK.n_y, each, through=not stopped)
    data = [np.random.default_rng(seed).spawn(2) for seed in each]
    waves = _TASK.batches(config["length"], config["batch_size"], [waves for waves, _ in data])

    def share(step):
        return np.repeat([truth(way, step / config["steps"]) for way in ways], len(seeds))

    made = fit(
        net.loss_and_grads,
        net.params(),
        _in_turn(with_coins(waves, share, [coins for _, coins in data], WARM_UP), ways, len(seeds)),
        steps=config["steps"],
        optimizer=AdamEach(np.repeat(etas, len(seeds)), config["steps"]),
        clip=1.0,
    )
    return _measured(net, made.params, len(ways))


def truth(way: str, done: float) -> float:
    """Share of the steps that are fed the truth by coins, when so much of the training is done."""
    if way in (SCHEDULED, STOPPED):
        return max(0.0, 1 - done / UNTIL)
    return 0.0 if way == OWN else 1.0


def _in_turn(batches, ways, n_seeds):
    """Feed those that predict several steps ahead the truth and their own outputs in turn."""
    ahead = np.repeat([way == AHEAD for way in ways], n_seeds)
    for x, y, own in batches:
        after = np.arange(len(own)) - WARM_UP
        own[:, ahead] = ((after >= 0) & (after // RUN % 2 == 0))[:, None, None]
        yield x, y, own


def _measured(net, params, n_ways):
    """Errors of each network, fed the truth and on its own, a list for each way."""
    wave = _TASK.wave(WARM_UP + 2 * FAR, _PHASES)
    own = np.zeros(wave.shape[:2], bool)
    forced = _squares(net.outputs(params, (None, wave, own)), wave)[WARM_UP:].mean(axis=0)
    own[WARM_UP:] = True
    alone = _squares(net.outputs(params, (None, wave, own)), wave)[WARM_UP:]
    ends = [1, 2, 5, 10, 20, 50, 100, 200, 400]
    errors = [alone[end // 2 : end].mean(axis=0) for end in ends]
    rows = [
        {"one_step": one, "far": far, "steps": ends, "errors": each}
        for one, far, *each in zip(forced, alone[:FAR].mean(axis=0), *errors, strict=True)
    ]
    count = len(rows) // n_ways
    return [rows[k * count : (k + 1) * count] for k in range(n_ways)]


def _squares(o, wave):
    """Squared errors, the mean over phases: (T, S)."""
    return ((o - wave[:, None]) ** 2).mean(axis=(2, 3), dtype=float)
