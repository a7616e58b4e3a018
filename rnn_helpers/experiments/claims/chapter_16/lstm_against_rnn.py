"""Do LSTMs learn long spans more often than well-initialized simple networks? (section 10.10.1)"""

from collections.abc import Sequence
from itertools import product
from math import log

import numpy as np

from rnn_helpers.experiments import Attempts, experiment, rate_interval
from rnn_helpers.experiments.rates import AdamEach, separate
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, crossed, grouped, where
from rnn_helpers.plots import claim_intervals
from rnn_helpers.reference import init_recurrent
from rnn_helpers.tasks import Latch, TemporalOrder
from rnn_helpers.training import fit

TASKS = {"marked bit": Latch(onset=4, marker=True), "order": TemporalOrder()}
# kind of unit, number of units (so that the numbers of parameters are similar), the bias that opens
# the gate that keeps the state, and its initial values
NETWORKS = {
    "simple": ("leaky", 17, "", ["0"]),
    "LSTM": ("lstm", 8, "bf", ["0", "1", "ln T"]),
    "GRU": ("gru", 9, "bu", ["0", "ln T"]),
}
_TEST_SEQUENCES = 500


def numbers(rows):
    """Count the networks that learn, and the tasks on which open LSTMs beat orthogonal networks."""
    ways = grouped(rows, "network", "start", "bias")
    opened = ways["LSTM", "default", "ln T"]
    orthogonal = ways.get(("simple", "orthogonal", "0"), [])
    far = where(opened, length=max(row["length"] for row in rows))
    of = rows[0]["of"]
    return {
        "of": of,
        "success": Estimate(*rate_interval(_sum(far), of * len(far))),
        "spans": len(opened),
        "tries": of * len(opened),
        "won": [
            f"{ours['task']} over {ours['length']} steps"
            for ours, other in zip(opened, orthogonal, strict=False)
            if ours["low"] > other["high"]
        ],
        "closed": _sum(ways["LSTM", "default", "0"]),
        "orthogonal": _sum(orthogonal),
        "plain": _sum(ways.get(("simple", "default", "0"), [])),
        "learns": {
            name: {f"{row['task']} {row['length']}": row["successes"] for row in mine}
            for name, mine in grouped([row | {"name": _name(row)} for row in rows], "name").items()
        },
    }


def _sum(rows: list) -> int:
    return sum(row["successes"] for row in rows)


def _name(row: dict) -> str:
    orthogonal = " orthogonal" if row["start"] == "orthogonal" else ""
    bias = "" if row["network"] == "simple" else f", bias {row['bias']}"
    return row["network"] + orthogonal + bias


def table(rows):
    """Tabulate how many networks learn, by task and length."""
    named = [
        row | {"name": _name(row), "span": f"{row['task']}, {row['length']} steps"} for row in rows
    ]
    return crossed(
        named,
        "name",
        "span",
        lambda some: "{successes} of {of}".format(**some[0]),
        heading="network",
    )


def plot(rows):
    """Draw the share that learns the hardest task. Gated networks have PyTorch's initialization."""
    return claim_intervals(
        [
            {
                "label": _name(row).replace(" orthogonal", ", orthogonal"),
                **Estimate.stored(row)._asdict(),
            }
            for row in where(rows, task="order", length=50)
            if row["network"] == "simple" or row["start"] == "default"
        ],
        xlabel="share that learn the order over 50 steps",
    )


@experiment(
    claim="LSTMs learn long-term dependencies more easily than simple recurrent networks, on tasks "
    "made for the purpose.",
    source="Goodfellow et al. 10.10.1, after Hochreiter and Schmidhuber 1997 (P64)",
    quick={
        "seeds": 4,
        "choosing": 0,
        "etas": [0.01],
        "batch_size": 16,
        "steps": 120,
        "networks": ["LSTM"],
        "spans": [["marked bit", 20]],
    },
    full={
        "seeds": 15,
        "choosing": 4,
        "etas": [0.001, 0.003, 0.01, 0.03],
        "batch_size": 16,
        "steps": 600,
        "networks": list(NETWORKS),
        "spans": [["marked bit", 20], ["marked bit", 50], ["order", 20], ["order", 50]],
    },
    numbers=numbers,
    headline=("success", "share of LSTMs with bias ln T that learn over the longest span"),
    finding="LSTMs with a forget bias of ln T learn {won[0]} more often than simple networks with "
    "orthogonal weights, but on the other tasks the two learn about as often.",
    verdict=[
        (
            lambda n: n.closed <= n.orthogonal and len(n.won) == 1 < n.spans,
            "Holds if the forget gate starts open and the task is {won[0]}. With a bias of 0, "
            "LSTMs learn in only {closed} of {tries} runs.",
        )
    ],
    saw=[
        "Over all tasks and lengths, simple networks with orthogonal weights learn in {orthogonal} "
        "of {tries} runs. With PyTorch's initialization they learn in {plain}."
    ],
    table={"Networks that learn": table},
    plot=plot,
)
def run(config, seeds):
    """Train tanh networks, LSTMs and GRUs of about the same size with Adam for 600 steps. There are
    two tasks, each over 20 and over 50 steps: hold a bit that a second input marks, and tell
    the order of two tokens. Recurrent weights have PyTorch's initialization or are orthogonal. The
    bias of the gate that keeps the state starts at 0, 1 or the logarithm of the span. Each
    initialization has the best of four learning rates, chosen on 4 other seeds. Count the networks
    that get more than 95 % of new sequences right.
    """
    return [
        row
        for task, length in config["spans"]
        for name in config["networks"]
        for row in _compare(name, task, length, config, seeds)
    ]


def _compare(name: str, task: str, length: int, config: dict, seeds: list) -> list[dict]:
    """Choose a learning rate for each initialization, and count the networks that learn with it."""
    ways = list(product(("default", "orthogonal"), NETWORKS[name][-1]))
    etas = config["etas"]
    choosing_seeds = separate(config["choosing"])
    if choosing_seeds:
        tries = list(product(ways, etas, choosing_seeds))
        tried = _accuracy(name, task, length, tries, config).reshape(len(ways), len(etas), -1)
        good = (tried > SUCCESS).sum(axis=-1) + tried.mean(axis=-1)  # the mean breaks ties
        chosen = [etas[k] for k in good.argmax(axis=-1)]
    else:
        chosen = [etas[0]] * len(ways)
    each = [(way, eta, s) for way, eta in zip(ways, chosen, strict=True) for s in seeds]
    accuracy = _accuracy(name, task, length, each, config).reshape(len(ways), -1)
    return [
        {
            "task": task,
            "length": length,
            "network": name,
            "start": start,
            "bias": bias,
            "eta": eta,
            **Attempts(np.array([config["steps"]]), right[None], {}).row(),
        }
        for (start, bias), eta, right in zip(ways, chosen, accuracy, strict=True)
    ]


def _accuracy(name: str, task: str, length: int, each: Sequence[tuple], config: dict) -> np.ndarray:
    """Train a network for each initialization, learning rate and seed, all side by side."""
    from rnn_helpers.nets import Gated

    kind, (unit, n_h, gate, _) = TASKS[task], NETWORKS[name]
    seeds = [seed for _, _, seed in each]
    net = Gated(kind.n_x, n_h, kind.n_y, seeds, unit)
    params = net.params()
    for k, part in enumerate(p for p in params if p.startswith("layers.0.W")):
        rngs = [np.random.default_rng([seed, k]) for seed in seeds]
        orthogonal = init_recurrent("orthogonal", n_h, rngs, dtype=np.float32)
        chosen = [start == "orthogonal" for (start, _), _, _ in each]
        params[part][chosen] = orthogonal[chosen]
    if gate:
        biases = [log(length) if bias == "ln T" else float(bias) for (_, bias), _, _ in each]
        params[f"layers.0.{gate}"][:] = np.array(biases)[:, None]
    made = fit(
        net.loss_and_grads,
        params,
        kind.batches(length, config["batch_size"], [_data(seed) for seed in seeds]),
        steps=config["steps"],
        optimizer=AdamEach([eta for _, eta, _ in each], config["steps"]),
    )
    x, y, _ = next(kind.batches(length, _TEST_SEQUENCES, seed=0))  # the same new sequences for all
    return (net.outputs(made.params, x)[-1].argmax(axis=-1) == y[-1]).mean(axis=-1)


def _data(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed).spawn(1)[0]
