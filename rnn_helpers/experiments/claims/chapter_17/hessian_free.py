"""Do second-order methods learn more than first-order ones with a careful start? (10.11)"""

import time
from collections.abc import Sequence
from itertools import product
from math import ceil

import numpy as np
from matplotlib.ticker import MaxNLocator

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.success import SUCCESS, Attempts, start
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.reference import hessian_free_step
from rnn_helpers.tasks import Latch, accuracy, character_model
from rnn_helpers.training import SGD, Adam, Nesterov, fit_in_parts

BAD, CAREFUL = "Gaussian 0.5", "sparse 1.2"
STARTS = {BAD: ("gaussian", 0.5), CAREFUL: ("sparse", 1.2)}
SECOND, SIMPLE, PLAIN = "Hessian-free", "Nesterov", "gradient descent"
# Optimizers of first order, from their settings; the learning rate falls linearly to 0.
FIRST = {
    PLAIN: lambda left, eta: SGD(lambda step: eta * left(step)),
    SIMPLE: lambda left, eta, momentum: Nesterov(lambda step: eta * left(step), momentum),
    "Adam": lambda left, eta: Adam(lambda step: eta * left(step)),
}
_TASK = Latch()


class _Each:
    """Optimizers for networks side by side: one for each group of as many as there are seeds."""

    def __init__(self, optimizers: Sequence, seeds: int):
        groups = [slice(k * seeds, (k + 1) * seeds) for k in range(len(optimizers))]
        self.parts = [(*part, {}) for part in zip(groups, optimizers, strict=True)]

    def update(self, params: dict, grads: dict, memory: dict, step: int) -> dict:
        """Return the parameters after one step, as the optimizers of `training` do."""

        def of(arrays, group):
            return {name: array[group] for name, array in arrays.items()}

        moved = [
            optimizer.update(of(params, group), of(grads, group), own, step)
            for group, optimizer, own in self.parts
        ]
        return {name: np.concatenate([part[name] for part in moved]) for name in params}


def _begin(kind, n_h, seeds):
    """Return the initial networks and the generators of their minibatches."""
    name, radius = STARTS[kind]
    return start(_TASK, name, seeds, n_h=n_h, radius=radius)


def _first_order(method, settings, kind, length, config, seeds):
    """Train a network for each setting and seed; return the cost and the accuracy (n, S)."""
    size, tests = config["batch_size"], config["tests"]
    steps = tests * ceil(config["budget"] / size / tests)

    def left(step):
        return 1 - (step - 1) / steps

    params, data = _begin(kind, config["n_h"], [s for _ in settings for s in seeds])
    parts = fit_in_parts(
        character_model(),
        params,
        _TASK.batches(length, size, data),
        steps=steps,
        every=steps // tests,
        optimizer=_Each([FIRST[method](left, *each) for each in settings], len(seeds)),
        clip=1.0,
    )
    test = next(_TASK.batches(length, 500, seed=0))
    right = [accuracy(history.params, test) for history in parts]
    spent = size * steps // tests * np.arange(1, tests + 1)
    return spent, np.array(right), {"gradients": steps, "products": 0, "losses": 0}


def _second_order(kind, length, config, seeds):
    """Train a network for each seed; return the cost, the accuracy (n, S) and the counts."""
    params, data = _begin(kind, config["n_h"], seeds)
    size = config["hf_batch_size"]
    batches = _TASK.batches(length, config["hf_batch_size"], data)
    test = next(_TASK.batches(length, 500, seed=0))
    counts = {"gradients": 0, "products": 0, "losses": 0}
    spent = [0]
    right = []
    step = None
    while spent[-1] < config["budget"]:
        x, y, mask = next(batches)
        x = x.astype(np.float32)
        step = hessian_free_step(params, x, y, mask, previous=step, cg_steps=config["cg_steps"])
        params = step.params
        counts["gradients"] += 1
        counts["products"] += step.products
        counts["losses"] += step.losses
        # A product goes forward and backward like a gradient; a loss alone costs a third of that.
        spent.append(size * (counts["gradients"] + counts["products"] + counts["losses"] / 3))
        right.append(accuracy(params, test))
    return np.array(spent[1:]), np.array(right), counts


def _point(kind, length, method, config, seeds):
    """Choose a setting, train a network for each seed, side by side, and count."""
    began = time.process_time()
    setting, tried = [], []
    if method == SECOND:
        spent, right, counts = _second_order(kind, length, config, seeds)
    else:
        settings = list(product(*config["settings"][kind][method]))
        setting = settings[0]
        if others := separate(config["choosing"]):
            _, found, _ = _first_order(method, settings, kind, length, config, others)
            found = found[-1].reshape(len(settings), -1)
            good = (found > SUCCESS).sum(axis=1) + found.mean(
                axis=1
            )  # the mean decides between equals
            setting = settings[good.argmax()]
            tried = (found > SUCCESS).sum(axis=1)
        began = time.process_time()
        spent, right, counts = _first_order(method, [setting], kind, length, config, seeds)
    seconds = time.process_time() - began
    return {
        "start": kind,
        "length": length,
        "method": method,
        "setting": list(setting),
        "tried": tried,
        "choosing": config["choosing"],
        **counts,
        "seconds": seconds / len(seeds),
        **Attempts(spent, right, {}).row(),
        "spent": spent,
        "learned": (right > SUCCESS).sum(axis=1),
    }


def numbers(rows):
    """Compare the first-order methods with the second-order one from both initializations."""
    longest = max(row["length"] for row in rows)
    (last,), (plain,) = (
        where(rows, length=longest, start=BAD, method=method) for method in (SECOND, PLAIN)
    )
    shares = {
        start: {
            length: {row["method"]: Estimate.stored(row) for row in some}
            for length, some in grouped(mine, "length").items()
        }
        for start, mine in grouped(rows, "start").items()
    }
    return {
        "of": last["of"],
        "learned": {"{start} {length} {method}".format(**row): row["successes"] for row in rows},
        "success": Estimate.stored(last),
        "budget": max(row["spent"][-1] for row in rows),
        "longest": longest,
        "seconds": last["seconds"],
        "seconds_plain": plain["seconds"],
        "bad": shares[BAD],
        "careful": shares[CAREFUL],
    }


def _others_fail(n) -> bool:
    """Return whether no first-order method does as well from small weights, at any length."""
    return all(
        shares[SECOND].low > share.high
        for shares in n.bad.values()
        for method, share in shares.items()
        if method != SECOND
    )


def _rivalled(n) -> bool:
    """Return whether a first-order method does as well from small weights, at every length."""
    return all(
        any(
            share.high >= shares[SECOND].low for method, share in shares.items() if method != SECOND
        )
        for shares in n.bad.values()
    )


def _made_up(n) -> bool:
    """Return whether Nesterov momentum does as well from the careful initialization."""
    return all(shares[SIMPLE].high >= shares[SECOND].low for shares in n.careful.values())


def table(rows):
    """Tabulate how many networks learn, by initialization, length and method."""

    def count(some):
        return "{successes} of {of}".format(**some[0])

    return [
        {"initialization": kind, "steps": length}
        | {method: count(some) for method, some in grouped(mine, "method").items()}
        for (length, kind), mine in grouped(rows, "length", "start").items()
    ]


def table_settings(rows):
    """Tabulate how many tried settings teach more than half of the networks."""
    return [
        {"initialization": kind, "steps": length}
        | {
            row["method"]: f"{sum(2 * n > row['choosing'] for n in tried)} of {len(tried)}"
            for row in mine
            if (tried := row["tried"])
        }
        for (length, kind), mine in grouped(rows, "length", "start").items()
    ]


def plot(rows):
    """Draw how many networks have learned, by computation and initialization, at the longest span.

    The 95 % intervals are at the right.
    """
    rows = where(rows, length=max(row["length"] for row in rows))
    kinds = {kind: i for i, kind in enumerate(grouped(rows, "method"))}
    most, lines = max(row["of"] for row in rows), {}
    end = max(row["spent"][-1] for row in rows) / 1000
    series = grouped(rows, "start")
    with style():
        figure, axes = subplots(
            1, len(series), width=6.4, height=3, sharex=True, sharey=True, squeeze=False
        )
        for one, (kind, mine) in zip(axes[0], series.items(), strict=True):
            for row in mine:
                method, i = row["method"], kinds[row["method"]]
                look = _look(method, i)
                spent = np.append(0, row["spent"]) / 1000
                learned = np.append(0, row["learned"])
                (lines[method],) = one.plot(spent, learned, label=method, **look)
                x = end * (1.08 + 0.08 * i)
                one.plot([x, x], [most * row["low"], most * row["high"]], color=look["color"],
                         linewidth=1.6)  # fmt: skip
                one.plot(x, row["learned"][-1], look["marker"], color=look["color"], markersize=5)
            one.set_title(kind)
        axes[0, 0].set_ylabel(f"learned, of {most}")
        axes[0, 0].set_ylim(-0.05 * most, 1.06 * most)
        axes[0, 0].yaxis.set_major_locator(MaxNLocator(4, integer=True))
        figure.supxlabel(f"sequences of {rows[0]['length']} steps, in thousands", size=11)
        legend(figure, list(lines.values()), list(lines))
    counts = listed(
        "{}: {}",
        (
            (kind, listed("{} {}", ((row["method"], row["learned"][-1]) for row in mine)))
            for kind, mine in series.items()
        ),
        "; ",
    )
    return Plot(figure, f"Networks that have learned at the end, of {most}, from {counts}.")


def _look(method, i):
    look = {"marker": "osD^"[i % 4], "markevery": [], "markersize": 5}  # at the end only
    if method == SECOND:
        return look | {"color": colour("ink"), "linewidth": 2.4}
    line = DASHES[i % len(DASHES)]
    return look | {"color": colour("gradient"), "linestyle": line, "linewidth": 1.6}


# Small weights need longer steps than careful ones. Both grids have the same size.
_SETTINGS = {
    BAD: {
        PLAIN: [[0.3, 1.0, 3.0, 10.0]],
        SIMPLE: [[0.03, 0.1, 0.3], [0.9, 0.98]],
        "Adam": [[0.003, 0.01, 0.03]],
    },
    CAREFUL: {
        PLAIN: [[0.03, 0.1, 0.3, 1.0]],
        SIMPLE: [[0.003, 0.01, 0.03], [0.9, 0.98]],
        "Adam": [[0.001, 0.003, 0.01]],
    },
}
_QUICK = {PLAIN: [[1.0]], SIMPLE: [[0.1], [0.9]], "Adam": [[0.01]]}


@experiment(
    claim="Second-order methods learn long-term dependencies where other methods fail. Nesterov "
    "momentum with a careful initialization achieves as much.",
    source='Goodfellow et al. 10.11, after Sutskever et al. 2013; "where other methods fail" is '
    'ours, for the "promising results" of Martens and Sutskever 2011 (P32)',
    quick={
        "seeds": 4,
        "choosing": 0,
        "n_h": 20,
        "lengths": [8],
        "budget": 3200,
        "tests": 4,
        "batch_size": 16,
        "hf_batch_size": 50,
        "cg_steps": 20,
        "settings": dict.fromkeys(STARTS, _QUICK),
    },
    full={
        "seeds": 12,
        "choosing": 3,
        "n_h": 20,
        "lengths": [20, 50],
        "budget": 48_000,
        "tests": 12,
        "batch_size": 16,
        "hf_batch_size": 100,
        "cg_steps": 30,
        "settings": _SETTINGS,
    },
    numbers=numbers,
    headline=(
        "success",
        f"share of networks that learn with the Hessian-free method from {BAD}, longest span",
    ),
    finding={
        "holds": "From small weights, only the Hessian-free method learns long spans. From a "
        "careful initialization, Nesterov momentum learns about as often.",
        "holds if": "Given as much computation and a learning rate of their own, first-order "
        "methods learn about as often as the Hessian-free method, even from small weights.",
        "does not hold": "From small weights, first-order methods learn about as often as the "
        "Hessian-free method, but from a careful initialization Nesterov momentum doesn't.",
    },
    verdict=Verdict(
        holds=(
            lambda n: _others_fail(n) and _made_up(n),
            "Holds. From small weights, no first-order method learns as often as the Hessian-free "
            "method. From a careful initialization, Nesterov momentum does.",
        ),
        holds_if=(
            lambda n: _rivalled(n) and _made_up(n),
            "Holds if only the second half is meant. From small weights too, first-order methods "
            "learn about as often as the Hessian-free method.",
        ),
        fails=(
            lambda n: _rivalled(n) and not _made_up(n),
            "Does not hold. From small weights, first-order methods learn about as often as the "
            "Hessian-free method. From a careful initialization, Nesterov momentum doesn't.",
        ),
    ),
    saw=[
        "Each network processes up to {budget:.0f} sequences, forward and backward. Over {longest} "
        "steps, the Hessian-free method takes {seconds:.1f} s of processor time for a network, and "
        "gradient descent {seconds_plain:.1f} s. The number after an initialization is its "
        "spectral radius.",
    ],
    caveats=[
        "With 12 networks of each kind, only large differences can be seen. The conditions of the "
        "verdict are from after the run.",
    ],
    table={
        "Networks that learn": table,
        "Tried settings with which more than half of the networks learn": table_settings,
    },
    plot=plot,
    timed={"seconds": {}},
)
def run(config, seeds):
    """Train tanh networks of 20 units to hold one bit through noise of standard deviation 0.2, from
    a small and from a careful initialization, by the Hessian-free method (minibatches of 100, no
    setting to choose) and by three first-order methods (minibatches of 16, gradients clipped at
    norm 1, learning rate and momentum chosen on 3 other seeds). All process as many sequences,
    forward and backward. Count the networks that get more than 95 % of new sequences right.
    """
    return [
        _point(kind, length, method, config, seeds)
        for length in config["lengths"]
        for kind in STARTS
        for method in (*FIRST, SECOND)
    ]
