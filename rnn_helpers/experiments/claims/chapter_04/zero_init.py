"""Can training start with all parameters at zero? (Chiang's section 5.4)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment, mean_interval
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import bits_per_character, character_model, characters, minibatches
from rnn_helpers.training import SGD, fit


def summarise(rows):
    """Take the bits that starting at zero costs, and say which parameters it leaves in place."""
    cost, low, high = mean_interval(
        [row["tanh_zero_bits"] - row["tanh_random_bits"] for row in rows]
    )
    sigmoid = mean_interval([row["sigmoid_zero_bits"] - row["sigmoid_random_bits"] for row in rows])
    spread = max(row[f"{kind}_zero_spread"] for row in rows for kind in ("tanh", "sigmoid"))
    moved = {kind: rows[0][f"{kind}_zero_moved"] or "none" for kind in ("tanh", "sigmoid")}
    return Summary(
        cost,
        low,
        high,
        unit="bits per character lost by a tanh network",
        verdict="does not hold" if low > 0 and sigmoid[1] > 0 else "holds",
        text=(
            f"Started at zero, the hidden units stay copies of each other (spread {spread:.0g} at "
            f"most). With tanh only {moved['tanh']} ever moves, and the network ends {cost:.2f} "
            f"bits per character ({low:.2f} to {high:.2f}) above one started at random; with "
            f"sigmoid units {moved['sigmoid']} move, all units alike, and it ends "
            f"{sigmoid[0]:.2f} ({sigmoid[1]:.2f} to {sigmoid[2]:.2f}) above."
        ),
    )


def _train(config: dict, seeds: list, nonlinearity: str, scale: float | None) -> list[dict]:
    """Train one network for each seed, side by side."""
    corpus = characters("topics")
    n = len(corpus.alphabet)
    start = init_rnn(n, config["n_h"], n, seed=seeds, scale=scale)
    history = fit(
        character_model(nonlinearity),
        start,
        minibatches(corpus.train, config["n_steps"], config["batch_size"], seeds),
        steps=config["steps"],
        optimizer=SGD(config["eta"]),
        clip=config["clip"],
    )
    held_out = corpus.held_out[: config["held_out"]]
    bits = bits_per_character(history.params, held_out, nonlinearity)
    states = rnn_forward(history.params, held_out[:200, None], nonlinearity=nonlinearity).h
    spread = np.ptp(states, axis=-1).max(axis=(0, 2))
    return [
        {
            "bits": bits[s],
            "spread": spread[s],
            "moved": ", ".join(
                name for name in "UWVbc" if (history.params[name][s] != start[name][s]).any()
            ),
        }
        for s in range(len(seeds))
    ]


_SETTINGS = {
    "n_h": 16,
    "n_steps": 25,
    "batch_size": 8,
    "steps": 300,
    "eta": 1.0,
    "clip": 1.0,
    "held_out": 2000,
}


@experiment(
    "zero-init",
    claim="Training may begin with all the parameters at zero.",
    source="Chiang 5.4 (P61, E-55)",
    chapter="04",
    quick={"seeds": 3, **_SETTINGS},
    full={"seeds": 20, **_SETTINGS},
    summarise=summarise,
)
def run(config, seeds):
    """Train character networks on the same minibatches from parameters at zero and from random
    ones, with tanh and with sigmoid units, and look at the spread of the hidden units.
    """
    rows = [{"seed": seed} for seed in seeds]
    for nonlinearity in ("tanh", "sigmoid"):
        for start, scale in (("zero", 0.0), ("random", None)):
            for row, seen in zip(rows, _train(config, seeds, nonlinearity, scale), strict=True):
                row |= {f"{nonlinearity}_{start}_{key}": value for key, value in seen.items()}
    return rows
