"""Does Omega, together with clipping, extend the span that a recurrent network learns? (10.11.2)"""

import numpy as np
from matplotlib.ticker import PercentFormatter

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.omega import EXPLODED, TASKS, best, grid, trained
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.success import SUCCESS, Attempts
from rnn_helpers.experiments.words import Estimate, crossed, grouped, listed, where
from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots

CONSIDERABLE = 0.25  # a judgment: of the networks, the share that has to gain
PLAIN, CLIPPED, OMEGA, BOTH = "SGD", "clipped", "Omega", "Omega, clipped"
RIVAL = "orthogonal start, clipped"


def numbers(rows):
    """Find the tasks on which Omega helps, beside clipping and a better initialization."""
    cells = {
        cell: {row["method"]: row for row in mine}
        for cell, mine in grouped(rows, "task", "length").items()
    }
    gains = {cell: _gain(ways[BOTH], ways[CLIPPED]) for cell, ways in cells.items()}
    won = {cell: ways for cell, ways in cells.items() if gains[cell].low > 0}
    rivalled = {
        cell: ways
        for cell, ways in won.items()
        if RIVAL in ways and ways[RIVAL]["high"] >= ways[BOTH]["low"]
    }
    totals = {
        way: sum(row["successes"] for row in where(rows, method=way)) for way in (CLIPPED, BOTH)
    }
    return {
        "each": rows[0]["of"],
        "learned": {"{task} {length} {method}".format(**row): row["successes"] for row in rows},
        "success": Estimate.stored(cells[_FIRST][BOTH]),
        "gains": list(gains.values()),
        "won": _spans(won, "or"),
        "also_won": _spans(won, "and"),
        "lost": _spans([cell for cell in cells if cell not in won], "or"),
        "rivalled": _spans(rivalled, "and"),
        "beside": ". With an orthogonal initialization, about as many networks learn "
        f"{_spans(rivalled, 'and')} without Ω"
        if rivalled
        else "",
        "clipped": totals[CLIPPED],
        "both": totals[BOTH],
        "of": sum(row["of"] for row in where(rows, method=BOTH)),
    }


_WORDS = {"latch": "to hold a bit", "order": "the order of two symbols"}


def _gain(one, other) -> Estimate:
    """Estimate by how much the share of networks that learn is larger, seed by seed."""
    return Estimate.paired(
        *([right > SUCCESS for right in row["accuracy"]] for row in (one, other))
    )


def _spans(cells, joint) -> str:
    """Name tasks with their lengths: ``to hold a bit over 20, 50 or 100 steps``."""

    def joined(words):
        *others, last = words
        return f"{', '.join(others)} {joint} {last}" if others else last

    lengths = {}
    for task, length in cells:
        lengths.setdefault(task, []).append(f"{length}")
    spans = [f"{_WORDS[task]} over {joined(mine)} steps" for task, mine in lengths.items()]
    return joined(spans) if spans else ""


def table(rows):
    """Tabulate how many networks learn, by way of training, task and length."""
    named = [row | {"cell": "{task}, {length} steps".format(**row)} for row in rows]

    def count(some):
        return f"{sum(row['successes'] for row in some)} of {sum(row['of'] for row in some)}"

    ways = grouped(rows, "method")
    lines = crossed(named, "method", "cell", count, heading="training")
    return [line | {"all": count(ways[line["training"]])} for line in lines]


def table_exploded(rows):
    """Tabulate how many gradients exploded, by way of training, over all tasks and lengths."""
    return [
        {"training": method}
        | {
            words: f"{sum(row[event] for row in mine)} of {sum(row['of'] for row in mine)}"
            for event, words in (
                ("exploded", f"gradient exceeded {EXPLODED:g}"),
                ("diverged", "diverged"),
            )
        }
        for method, mine in grouped(rows, "method").items()
    ]


# Ways to train with Omega are magenta.
_LOOKS = {
    PLAIN: ("muted", "s"),
    CLIPPED: ("ink", "o"),
    OMEGA: ("gradient", "v"),
    BOTH: ("gradient", "D"),
    RIVAL: ("accent", "^"),
}


def plot(rows):
    """Draw how many networks learn at each length, for each task and each way to train."""
    methods, tasks = (list(grouped(rows, key)) for key in ("method", "task"))
    lengths = [sorted(grouped(where(rows, task=task), "length")) for task in tasks]
    told = []
    with style():
        figure, panels = subplots(
            1, len(tasks), height=3.4, sharey=True, squeeze=False,
            width_ratios=[len(each) for each in lengths],
        )  # fmt: skip
        for axes, task, places in zip(panels[0], tasks, lengths, strict=True):
            for i, method in enumerate(methods):
                (ink, mark), name = _LOOKS[method], method.replace("Omega", "Ω")
                side = 0.13 * (
                    i - (len(methods) - 1) / 2
                )  # beside each other, so that none hides another
                these = where(rows, task=task, method=method)
                for row in these:
                    x = places.index(row["length"]) + side
                    axes.plot([x, x], [row["low"], row["high"]], linewidth=2, color=colour(ink))
                    axes.plot(x, row["rate"], color=colour(ink), marker=mark, linestyle="",
                              markersize=7, clip_on=False, zorder=3,
                              label=name if row is these[0] else None)  # fmt: skip
            axes.set(xlim=(-0.5, len(places) - 0.5), ylim=(0, 1), title=task)
            axes.set_xticks(range(len(places)), places)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.tick_params(axis="x", length=0)
            for length in places:
                each = listed(
                    "{} {:.0f} %",
                    (
                        (row["method"], 100 * row["rate"])
                        for row in where(rows, task=task, length=length)
                    ),
                    "; ",
                )
                told.append(f"{task} of {length} steps: {each}")
        panels[0][0].set_ylabel("networks that learn")
        figure.supxlabel("time steps", size=11)
        named = panels[0][0].get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=3)
    return Plot(figure, f"Networks that learn, with intervals. {'. '.join(told)}.")


_FIRST = ("latch", 50)
_RATES = [0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0]
_GRIDS = {  # twelve settings each
    PLAIN: {"eta": _RATES},
    CLIPPED: {"threshold": [0.3, 1.0, 3.0], "eta": [0.3, 1.0, 3.0, 10.0]},
    OMEGA: {"alpha": [0.1, 0.5, 2.0], "eta": [0.01, 0.03, 0.1, 0.3]},
    BOTH: {"threshold": [0.3, 1.0], "alpha": [0.5, 2.0], "eta": [0.1, 0.3, 1.0]},
    RIVAL: {"threshold": [0.3, 1.0, 3.0], "eta": [0.03, 0.1, 0.3, 1.0]},
}
_DEFAULT = ("default", None)
_STARTS = {RIVAL: ("orthogonal", None)}
_SETTINGS = {"n_h": 20, "batch_size": 16}


@experiment(
    claim="Together with clipping, the regularizer Ω considerably increases the span of the "
    "dependencies that a recurrent network can learn.",
    source="Goodfellow et al. 10.11.2, after Pascanu et al. 2013 (P36)",
    quick={
        "seeds": 6,
        "choosing": 0,
        **_SETTINGS,
        "cells": [["latch", 50, 80]],
        "grids": {
            CLIPPED: {"threshold": [1.0], "eta": [1.0]},
            BOTH: {"threshold": [1.0], "alpha": [0.5], "eta": [1.0]},
        },
    },
    full={
        "seeds": 20,
        "choosing": 5,
        **_SETTINGS,
        "cells": [
            ["latch", 20, 200],
            ["latch", 50, 200],
            ["latch", 100, 200],
            ["order", 20, 500],
            ["order", 50, 1000],
        ],
        "grids": _GRIDS,
    },
    numbers=numbers,
    headline=(
        "success",
        f"share of networks that learn with Ω and clipping, {_FIRST[0]} over {_FIRST[1]} steps",
    ),
    finding=[
        (
            lambda n: n.lost,
            "With the regularizer Ω and clipping, more networks learn {also_won} than with "
            "clipping alone, but no more learn {lost}.",
        ),
        (
            lambda n: True,
            "With the regularizer Ω and clipping, more networks learn every task than with "
            "clipping alone, but an orthogonal initialization sometimes does as well.",
        ),
    ],
    verdict=Verdict(
        holds=(
            lambda n: all(gain.low > 0 for gain in n.gains) and not n.rivalled,
            "Holds. On every task, more networks learn with Ω, and a better initialization doesn't "
            "do as well.",
        ),
        holds_if=(
            lambda n: any(gain.low > 0 for gain in n.gains),
            "Holds if the task is to learn {won}{beside}.",
        ),
        fails=(
            lambda n: all(gain.high < CONSIDERABLE for gain in n.gains),
            "Does not hold. On no task does Ω considerably increase the share of networks that "
            "learn.",
        ),
    ),
    saw=[
        "Over all tasks and lengths, {both} of {of} networks learn with Ω and clipping, and "
        "{clipped} with clipping alone.",
    ],
    table={
        "Networks that learn": table,
        "Networks whose gradient exploded, at all tasks and lengths together": table_exploded,
    },
    plot=plot,
)
def run(config, seeds):
    """Train tanh networks of 20 units by gradient descent from PyTorch's initialization, whose
    spectral radius is near 0.6, to hold one bit (latch) or two (temporal order): plainly, with
    clipping, with Ω, and with both; also with clipping from an orthogonal initialization. Each way
    has its own learning rate, threshold and weight of Ω, the best of twelve settings on 5 other
    seeds. Count the networks that get more than 95 % of new sequences right.
    """
    return [
        _point(task, length, method, {**config, "steps": steps}, seeds)
        for task, length, steps in config["cells"]
        for method in config["grids"]
    ]


def _point(name, length, method, config, seeds):
    """Choose a setting, train a network for each seed with it, and count."""
    task = TASKS[name]
    kind = _STARTS.get(method, _DEFAULT)
    settings = grid(config["grids"][method])
    choosing_seeds = separate(config["choosing"])
    tried = (
        trained(task, length, kind, settings, choosing_seeds, config)["accuracy"]
        if choosing_seeds
        else None
    )
    chosen = settings[0] if tried is None else best(settings, tried)
    found = trained(task, length, kind, [chosen], seeds, config)
    return {
        "task": name,
        "length": length,
        "steps": config["steps"],
        "method": method,
        **chosen,
        **{event: int(found[event].sum()) for event in ("diverged", "exploded")},
        **Attempts(np.array([config["steps"]]), found["accuracy"], {}).row(),
        "tried": [] if tried is None else tried.mean(axis=-1),
    }
