"""Pictures read a pixel at a time: gated and simple networks (sections 10.5 and 10.10)."""

from math import ceil, log

import numpy as np

from rnn_helpers.experiments import SHARE, SIGNED, Summary, experiment, mean_interval
from rnn_helpers.tasks import SequentialDigits
from rnn_helpers.training import Adam, fit

READ = {"pixels": SequentialDigits(), "rows": SequentialDigits(by_row=True)}
_RULE = ceil(log(READ["pixels"].n_steps))  # for the forget bias
RULED = f"LSTM, bias {_RULE}"
# kind of unit, times the number of units, and parts; a wide one has about the LSTM's parameters
NETWORKS = {
    "simple": ("leaky", 1, {}),
    "simple, orthogonal": ("leaky", 1, {"start": "orthogonal"}),
    "simple, orthogonal, wide": ("leaky", 2, {"start": "orthogonal"}),
    "LSTM, bias 1": ("lstm", 1, {}),
    RULED: ("lstm", 1, {"forget_bias": _RULE}),
    "GRU": ("gru", 1, {}),
}
GATED = ("LSTM, bias 1", RULED, "GRU")
WIDE, AS_LARGE = "simple, orthogonal, wide", "LSTM, bias 1"  # about as many parameters
_GRID_SEEDS = 1000  # the first of them, apart from those of the result
ETAS = (0.003, 0.01, 0.03, 0.1)


def summarise(rows):
    """Take what the best gated network gets right beyond the best simple one, pixel by pixel."""
    right = {}
    for row in rows:
        right.setdefault((row["read"], row["network"]), []).append(row["accuracy"])
    at = {key: mean_interval(values, SHARE) for key, values in right.items()}
    pixels = {name: share for (read, name), share in at.items() if read == "pixels"}
    gated = max((name for name in pixels if name in GATED), key=lambda name: pixels[name])
    plain = max((name for name in pixels if name not in GATED), key=lambda name: pixels[name])
    size = {row["network"]: row["parameters"] for row in rows if row["read"] == "pixels"}
    narrow = [name for name in pixels if name not in (*GATED, WIDE)]

    def beyond(one, other):
        return mean_interval(np.subtract(right["pixels", one], right["pixels", other]), SIGNED)

    more = beyond(gated, plain)
    of_units = beyond(gated, max(narrow, key=pixels.get)) if narrow else more
    said, signed = "{:.3f} ({:.3f} to {:.3f})".format, "{:+.3f} ({:+.3f} to {:+.3f})".format
    text = "; ".join(
        f"{how}: "
        + ", ".join(f"{name} {said(*share)}" for (read, name), share in at.items() if read == key)
        for key, how in (("pixels", "Right on held-out digits, pixel by pixel"), ("rows", "by row"))
        if any(read == key for read, _ in at)
    )
    text += (
        f". Pixel by pixel, the best gated network, {gated}, with {size[gated]} parameters, has "
        f"{signed(*more)} beyond the best simple one, {plain}, with {size[plain]}."
    )
    if {WIDE, AS_LARGE} <= pixels.keys():
        text += (
            f" Of networks with about as many parameters, {AS_LARGE}, {size[AS_LARGE]}, has "
            f"{signed(*beyond(AS_LARGE, WIDE))} beyond {WIDE}, {size[WIDE]}. That one was added, "
            "with the highest rate, after a first run on the same seeds, in which gated networks "
            f"were ahead: {gated} has {signed(*of_units)} beyond the best simple one of as many "
            "units."
        )
    at_edge = {
        f"{row['network']} ({row['eta']:g})"
        for row in rows
        if row["read"] == "pixels" and row["eta"] in (ETAS[0], ETAS[-1])
    }
    if at_edge:
        text += f" At an end of the grid of rates: {', '.join(sorted(at_edge))}."
    verdict = "does not hold"
    if more[1] > 0:
        verdict = "holds"
    elif of_units[1] > 0:
        verdict = (
            f"holds if units are counted, not parameters: {gated} is ahead of simple networks of "
            f"as many units, not of {plain}"
        )
    elif "simple" in pixels and pixels[gated][1] > pixels["simple"][2]:
        verdict = (
            "holds if the simple network's weights begin as PyTorch's do; no gated network "
            "surpasses the best that are begun orthogonal"
        )
    return Summary(*more, "accuracy of the best gated network less the best simple", verdict, text)


_SETTINGS = {"n_h": 32, "batch_size": 32}


@experiment(
    "sequential-digits",
    claim="Where many steps count, gated networks do better than simple ones: a picture read a "
    "pixel at a time.",
    source="ours, prompted by Goodfellow et al. 10.10.1, on the task of Le et al. 2015 (P59)",
    chapter="16",
    quick={
        "seeds": 2,
        "n_h": 8,
        "batch_size": 16,
        "series": [["pixels", 16, ["simple, orthogonal, wide", "GRU"]]],
        "grid": {"seeds": 1, "etas": [0.01]},
    },
    full={
        "seeds": 10,
        **_SETTINGS,
        "series": [["pixels", 400, list(NETWORKS)], ["rows", 200, list(NETWORKS)]],
        "grid": {"seeds": 2, "etas": list(ETAS)},
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train networks of 32 units with Adam to say which digit a picture of 8 x 8 pixels shows: read
    a pixel at a time, in 64 steps, for 400 minibatches of 32, or a row at a time, in 8, for 200;
    and a simple one of 64 units, which has about as many parameters as an LSTM of 32. Each has the
    best of four learning rates, which falls linearly to 0 and was found with other seeds; gradients
    are clipped at norm 1. The forget bias is 1, or ln 64 rounded up.
    """
    return [
        row
        for read, steps, names in config["series"]
        for name in names
        for row in _rows(read, name, steps, config, seeds)
    ]


def _rows(read: str, name: str, steps: int, config: dict, seeds: list) -> list[dict]:
    """Train a network for each seed at the learning rate that other seeds find best."""
    etas, others = config["grid"]["etas"], range(_GRID_SEEDS, _GRID_SEEDS + config["grid"]["seeds"])

    def loss(eta):
        _, made = _trained(read, name, eta, steps, config, others)
        return made.loss[-steps // 10 :].mean()

    eta = min(etas, key=loss) if len(etas) > 1 else etas[0]
    net, made = _trained(read, name, eta, steps, config, seeds)
    size = sum(array[0].size for array in made.params.values())
    x, y, _ = READ[read].test()
    right = net.outputs(made.params, x)[-1].argmax(axis=-1) == y[-1]
    return [
        {"read": read, "network": name, "parameters": size, "eta": eta, "seed": seed}
        | {"accuracy": share}
        for seed, share in zip(seeds, right.mean(axis=-1), strict=True)
    ]


def _trained(read, name, eta, steps, config, seeds):
    """Train a network for each seed, side by side."""
    from rnn_helpers.nets import Gated

    task, (unit, times, parts) = READ[read], NETWORKS[name]
    net = Gated(task.n_x, times * config["n_h"], task.n_y, seeds, unit, **parts)
    data = [np.random.default_rng(seed).spawn(1)[0] for seed in seeds]
    return net, fit(
        net.loss_and_grads,
        net.params(),
        task.batches(config["batch_size"], data),
        steps=steps,
        optimizer=Adam(lambda step: eta * (1 - (step - 1) / steps)),
        clip=1.0,
    )
