"""How do time and memory of back-propagation through time grow with the length? (section 10.2)"""

import time
import tracemalloc

import numpy as np

from rnn_helpers.experiments import Summary, each_seed, experiment, mean_interval
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward


def summarise(rows):
    """Take the mean exponents of memory and of time in the length.

    The headline is that of memory, which is the same on every machine and under any load.
    """
    memory, low, high = mean_interval([row["memory_exponent"] for row in rows])
    seconds, fast, slow = mean_interval([row["time_exponent"] for row in rows])
    linear = abs(memory - 1) < 0.1 and abs(seconds - 1) < 0.15
    return Summary(
        memory,
        low,
        high,
        unit="exponent of peak memory in the length",
        verdict="holds if every state is kept" if linear else "does not hold",
        text=(
            f"Time grows as the length to the power {seconds:.2f} ({fast:.2f} to {slow:.2f}), peak "
            f"memory to the power {memory:.2f} ({low:.2f} to {high:.2f}); what a call costs at any "
            "length keeps both a little under 1. Every state was kept and the steps were taken one "
            "after the other; checkpoints, which save memory, and parallel work were not measured."
        ),
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
    "linear-cost",
    claim="Back-propagation through time takes time and memory proportional to the length.",
    source="Goodfellow et al. 10.2 (P5, E-41)",
    chapter="03",
    quick={"seeds": 6, "lengths": [100, 200, 400, 800], "repeats": 5},
    full={"seeds": 30, "lengths": [100, 200, 400, 800], "repeats": 20},
    summarise=summarise,
)
def run(config, seeds):
    """Time forward and backward pass of networks of random size, measure their peak memory, and fit
    a power of the length.

    The time is that of the thread, the least of several repetitions; sizes are 16 to 48 units and
    1 to 4 sequences, so the interval covers networks of different sizes.
    """
    return each_seed(_one, config, seeds)
