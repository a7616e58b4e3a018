"""How do time and memory of back-propagation through time grow with the length? (section 10.2)"""

import time
import tracemalloc

import numpy as np

from rnn_helpers.experiments import each_seed, experiment
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.plots import lines
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward


def numbers(rows):
    """Exponents of memory and of time in the length.

    That of memory is the same on every machine and under any load.
    """
    return {
        kind: Estimate.mean(row[f"{kind}_exponent"] for row in rows) for kind in ("memory", "time")
    }


def plot(rows):
    """Draw how time and memory grow with the length, beside what is proportional to it."""
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
        [*costs, "in proportion"],
        low=low,
        high=high,
        xlabel="length of the sequence",
        ylabel=f"relative to length {lengths[0]}",
        log="xy",
        points=True,
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
    # The lengths take turns, so that a slow spell of the machine does not hit one of them alone,
    # and the least of several times counts, since other programs can only add.
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
    source="Goodfellow et al. 10.2 (P5, E-41)",
    quick={"seeds": 6, "lengths": [100, 200, 400, 800], "repeats": 5},
    full={"seeds": 30, "lengths": [100, 200, 400, 800], "repeats": 20},
    numbers=numbers,
    headline=("memory", "exponent of peak memory in the length"),
    finding="Back-propagation through time takes time and memory nearly proportional to the length "
    "of the sequence.",
    verdict=[
        (
            lambda n: abs(n.memory.value - 1) < 0.1 and abs(n.time.value - 1) < 0.15,
            "Holds if every state is kept.",
        )
    ],
    saw=[
        "Time grows as the length to the power {time:.2f}. Peak memory grows as the length to the "
        "power {memory:.2f}. A fixed cost per call keeps both powers slightly below 1."
    ],
    caveats=[
        "Every state was kept and the steps were taken one after the other. We didn't measure "
        "checkpoints, which save memory, or parallel work."
    ],
    plot=plot,
    timed={"seconds": {}, "time_exponent": {}},
)
def run(config, seeds):
    """Time forward and backward pass of networks of random size, measure their peak memory, and fit
    a power of the length.

    The time is that of the thread, the least of several repetitions; sizes are 16 to 48 units and
    1 to 4 sequences, so the interval covers networks of different sizes.
    """
    return each_seed(_one, config, seeds)
