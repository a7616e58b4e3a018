"""Do time and memory of back-propagation through time grow in proportion to the length? (10.2)"""

import time
import tracemalloc

import numpy as np

from rnn_helpers.experiments import Verdict, each_seed, experiment
from rnn_helpers.experiments.data import lines
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward

# A judgment: how far a power may be from 1. Times vary more than sizes.
FAR = {"memory": 0.1, "time": 0.15}


def numbers(rows):
    """Return the powers of the length with which memory and time grow.

    The power of memory is the same on every machine.
    """
    powers = {
        kind: Estimate.mean(row[f"{kind}_exponent"] for row in rows) for kind in ("memory", "time")
    }
    return {"of": len(rows), **powers}


def _proportional(n, kind):
    """Whether a cost grows with about the first power of the length."""
    power = getattr(n, kind)
    return 1 - FAR[kind] < power.low and power.high < 1 + FAR[kind]


def _disproportional(n, kind):
    """Whether a cost clearly grows with another power."""
    power = getattr(n, kind)
    return power.high < 1 - FAR[kind] or power.low > 1 + FAR[kind]


def data(rows):
    """Return time and memory by length, with a proportional line for comparison."""
    lengths = rows[0]["lengths"]
    costs = {"time": "seconds", "memory": "peak_bytes"}
    growth = [
        np.array([np.divide(row[key], row[key][0]) for row in rows]) for key in costs.values()
    ]
    proportion = np.divide(lengths, lengths[0])
    low, high = ([*(np.percentile(g, p, axis=0) for g in growth), proportion] for p in (5, 95))
    return lines(
        lengths,
        [*(each.mean(axis=0) for each in growth), proportion],
        [*costs, "proportional to the length"],
        low=low,
        high=high,
        question="How do time and memory grow with the length?",
        xlabel="length of the sequence",
        ylabel=f"cost, relative to length {lengths[0]}",
        unit=f"times the cost at length {lengths[0]}",
        spread="90 % of the networks",
        log="xy",
    )


def _one(config: dict, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    n_h, B = int(rng.integers(16, 49)), int(rng.integers(1, 5))
    params = init_rnn(8, n_h, 8, rng)
    lengths = config["lengths"]
    data = [(rng.integers(8, size=(T, B)), rng.integers(8, size=(T, B))) for T in lengths]

    def work(x, y):
        rnn_backward(params, rnn_forward(params, x), y)

    seconds = np.full(len(lengths), np.inf)
    # Measure the lengths in turn, so that a slow moment of the machine affects all of them. Keep
    # the smallest of several times, because other programs can only add to it.
    for _ in range(config["repeats"]):
        for place, (x, y) in enumerate(data):
            start = time.thread_time()
            work(x, y)
            seconds[place] = min(seconds[place], time.thread_time() - start)
    peaks = []
    for x, y in data:
        tracemalloc.start()
        work(x, y)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    time_exponent, memory_exponent = (
        np.polyfit(np.log(lengths), np.log(values), 1)[0] for values in (seconds, peaks)
    )
    return {
        "seed": seed,
        "n_h": n_h,
        "B": B,
        "time_exponent": time_exponent,
        "memory_exponent": memory_exponent,
        "lengths": lengths,
        "seconds": seconds,
        "peak_bytes": peaks,
    }


@experiment(
    claim="Back-propagation through time takes time and memory proportional to the length.",
    source="Goodfellow et al. 10.2",
    quick={"seeds": 6, "lengths": [100, 200, 400, 800], "repeats": 5},
    full={"seeds": 30, "lengths": [100, 200, 400, 800], "repeats": 20},
    numbers=numbers,
    headline=("memory", "exponent of peak memory in the length"),
    finding={
        "holds": "If a sequence is twice as long, back-propagation through time takes about twice "
        "the time and twice the memory.",
        "holds in part": "If a sequence is twice as long, back-propagation through time takes "
        "about twice the memory, but not twice the time.",
        "does not hold": "Back-propagation through time doesn't cost twice as much if a sequence "
        "is twice as long.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(_proportional(n, kind) for kind in FAR),
            "Holds. If every state is kept, as usual, time grows as the length to the power "
            "{time.value:.2f}, and peak memory as the length to the power {memory.value:.2f}.",
        ),
        in_part=(
            lambda n: _proportional(n, "memory") and _disproportional(n, "time"),
            "Holds in part, for memory, which grows as the length to the power {memory.value:.2f}. "
            "Time grows as the length to the power {time.value:.2f}.",
        ),
        fails=(
            lambda n: _disproportional(n, "memory"),
            "Does not hold. Time grows as the length to the power {time.value:.2f}, and peak "
            "memory as the length to the power {memory.value:.2f}.",
        ),
    ),
    saw=[
        "The 95 % intervals of the two powers are {time.low:.2f} to {time.high:.2f} and "
        "{memory.low:.2f} to {memory.high:.2f}.",
        (
            lambda n: n.time.high < 1 and n.memory.high < 1,
            "On average, both powers are slightly below 1.",
        ),
    ],
    caveats=[
        "All steps were computed one after the other, and every state was kept. We measured "
        "neither checkpointing, which saves memory, nor parallel computation."
    ],
    data=data,
    timed={"seconds": {}, "time_exponent": {}},
)
def run(config, seeds):
    """Measure the time and the peak memory of one forward and one backward pass for networks of
    random size, and fit a power of the length.

    Time is the thread's CPU time, the smallest of several repetitions. The networks have 16 to 48
    units and process 1 to 4 sequences at once, so the intervals cover different sizes.
    """
    return each_seed(_one, config, seeds)
