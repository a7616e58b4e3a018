"""Does explosion keep a network with Omega from learning if nothing is clipped? (10.11.2)"""

import numpy as np
from matplotlib.ticker import PercentFormatter

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.omega import EXPLODED, TASKS, best, grid, trained
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.success import SUCCESS, Attempts
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, legend, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number

_WAYS = {"not clipped": None, "clipped": 1.0}
FREE, CLIPPED = _WAYS
MOST = 0.5  # a judgment: a network doesn't learn if most of its kind don't


def numbers(rows):
    """Count who learns without clipping: at its own best rate, at the one that is best with
    clipping, and after an explosion.
    """
    cells = [_cell(mine) for mine in grouped(rows, *_CASE).values()]
    return {
        "success": Estimate.stored(where(rows, way=FREE, chosen=True)[0]),
        "fewer_at_best": sum(cell["own"]["high"] < cell["held"]["low"] for cell in cells),
        "fewer_at_same": sum(cell["fast"]["high"] < cell["held"]["low"] for cell in cells),
        "slower": all(cell["own"]["eta"] < cell["held"]["eta"] for cell in cells),
        "cases": len(cells),
        **{
            name: Estimate.rate(
                right > SUCCESS for cell in cells for right in cell[which]["accuracy"]
            )
            for name, which in {"at_own": "own", "at_same": "fast"}.items()
        },
        "free": _sums(where(rows, way=FREE)),
    }


_CASE = ("task", "length", "radius", "alpha")


def _cell(rows) -> dict:
    """Return rows at the best rates without and with clipping, and unclipped at the latter."""
    own, held = (where(rows, way=way, chosen=True)[0] for way in (FREE, CLIPPED))
    (fast,) = where(rows, way=FREE, eta=held["eta"])
    return {"own": own, "held": held, "fast": fast}


def _sums(rows) -> dict:
    return {
        count: sum(row[count] for row in rows)
        for count in ("successes", "exploded", "learned_after", "diverged", "of")
    }


def table(rows):
    """Tabulate how many networks learn at three learning rates of each case."""

    def told(row):
        return "{successes} of {of}, rate {eta:g}".format(**row)

    return [
        dict(zip(("task", "steps", "spectral radius", "weight of Ω"), case, strict=True))
        | {
            "not clipped, best rate": told(cell["own"]),
            "clipped, best rate": told(cell["held"]),
            "not clipped, rate that is best with clipping": told(cell["fast"]),
        }
        for case, mine in grouped(rows, *_CASE).items()
        for cell in [_cell(mine)]
    ]


def table_exploded(rows):
    """Tabulate how many networks learn with and without an explosion, over all rates."""

    def line(way):
        of = _sums(where(rows, way=way))
        calm, learned = of["of"] - of["exploded"], of["successes"] - of["learned_after"]
        return {
            "training": way,
            "learn": f"{of['successes']} of {of['of']}",
            f"learn, of those whose gradient exceeded {EXPLODED:g}": (
                f"{of['learned_after']} of {of['exploded']}"
            ),
            "learn, of the others": f"{learned} of {calm}",
            "diverged": of["diverged"],
        }

    return [line(way) for way in _WAYS]


def plot(rows):
    """Draw how many networks with Omega learn at each learning rate, clipped and not."""
    cells, told = grouped(rows, *_CASE), []
    columns = min(len(cells), 2)
    lines = -(-len(cells) // columns)
    looks = {FREE: ("ink", "o", DASHES[1]), CLIPPED: ("gradient", "D", DASHES[0])}
    with style():
        figure, panels = subplots(
            lines, columns, height=1.2 + 1.3 * lines, sharex=True, sharey=True,
            squeeze=False,
        )  # fmt: skip
        for axes, ((task, length, radius, alpha), mine) in zip(
            panels.flat, cells.items(), strict=False
        ):
            name = f"{task}, T = {length:g}, ρ = {radius:g}, α = {alpha:g}"
            for way, (ink, mark, dash) in looks.items():
                these = sorted(where(mine, way=way), key=lambda row: row["eta"])
                etas, rates, lows, highs = (
                    [row[key] for row in these] for key in ("eta", "rate", "low", "high")
                )
                axes.fill_between(etas, lows, highs, color=colour(ink), alpha=0.16, linewidth=0)
                axes.plot(etas, rates, color=colour(ink), marker=mark, linestyle=dash, label=way,
                          clip_on=False)  # fmt: skip
                each = [f"{100 * r:.0f} % at {number(e)}" for e, r in zip(etas, rates, strict=True)]
                told.append(f"{name}, {way}: {', '.join(each)}")
            axes.set(ylim=(0, 1), yticks=[0, 0.5, 1])
            axes.set_title(name, size=10)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            logarithmic(axes, "x")
        for axes in panels.flat[len(cells) :]:
            axes.set_visible(False)
        figure.supxlabel("learning rate", size=11)
        figure.supylabel("networks that learn", size=11)
        legend(figure, *panels.flat[0].get_legend_handles_labels())
    return Plot(figure, f"Networks that learn, by learning rate. {'. '.join(told)}.")


_SETTINGS = {"n_h": 20, "batch_size": 16}


@experiment(
    claim="A network that is trained with the regularizer Ω does not learn without clipping, "
    "because gradients explode.",
    source="Goodfellow et al. 10.11.2 (P36, E-54)",
    quick={
        "seeds": 5,
        "choosing": 0,
        **_SETTINGS,
        "etas": [0.01],
        "cells": [["latch", 50, 80, 1.2, 0.5]],
    },
    full={
        "seeds": 20,
        "choosing": 4,
        **_SETTINGS,
        "etas": [0.003, 0.01, 0.03, 0.1, 0.3],
        "cells": [
            ["latch", 50, 150, 1.2, 0.5],
            ["latch", 50, 150, 1.2, 4.0],
            ["latch", 50, 150, 2.0, 4.0],
            ["order", 20, 400, 1.5, 4.0],
        ],
    },
    numbers=numbers,
    headline=(
        "success",
        "share of networks that learn with Ω and without clipping, in the first case",
    ),
    finding={
        "holds": "Most networks that are trained with the regularizer Ω don't learn without "
        "clipping.",
        "holds if": "With a learning rate of their own, networks that are trained with the "
        "regularizer Ω learn about as often without clipping as with it.",
        "does not hold": "Most networks that are trained with the regularizer Ω learn without "
        "clipping, even at the learning rate that is best with it.",
    },
    verdict=Verdict(
        holds=(
            lambda n: n.at_own.high < MOST,
            "Holds. Even with a learning rate of their own, most networks don't learn without "
            "clipping.",
        ),
        holds_if=(
            lambda n: n.at_own.low > MOST > n.at_same.high,
            "Holds if the learning rate is the one that is best with clipping. At that rate, fewer "
            "networks learn without clipping in {fewer_at_same} of {cases} cases.",
        ),
        fails=(
            lambda n: n.at_own.low > MOST and n.at_same.low > MOST,
            "Does not hold. Most networks learn without clipping, even at the learning rate that "
            "is best with it.",
        ),
    ),
    saw=[
        (lambda n: n.slower, "Without clipping, the best learning rate is always smaller."),
        (
            lambda n: n.free["learned_after"],
            "An explosion doesn't rule out learning: without clipping, the norm of the gradient "
            f"exceeded {EXPLODED:g} in {{free[exploded]}} networks, and {{free[learned_after]}} of "
            "them learned.",
        ),
    ],
    table={
        "Networks that learn, with Ω": table,
        "Networks that learn, at all learning rates together": table_exploded,
    },
    plot=plot,
)
def run(config, seeds):
    """Train tanh networks of 20 units by gradient descent with Ω, from Gaussian weights whose
    spectral radius is above 1, without clipping and with gradients clipped at norm 1, at each of
    five learning rates. Count the networks that get more than 95 % of new sequences right, at all
    rates and at the one that is best on 4 other seeds.
    """
    return [
        row
        for task, length, steps, radius, alpha in config["cells"]
        for way, threshold in _WAYS.items()
        for row in _at_each_rate(
            {"task": task, "length": length, "radius": radius, "alpha": alpha, "way": way},
            grid({"threshold": [threshold], "alpha": [alpha], "eta": config["etas"]}),
            {**config, "steps": steps},
            seeds,
        )
    ]


def _at_each_rate(case, settings, config, seeds):
    """Return a row for each learning rate; one is marked as the best on other seeds."""
    task = TASKS[case["task"]]
    kind = ("gaussian", case["radius"])
    choosing_seeds = separate(config["choosing"])
    chosen = settings[0]
    if choosing_seeds:
        tried = trained(task, case["length"], kind, settings, choosing_seeds, config)["accuracy"]
        chosen = best(settings, tried)
    found = trained(task, case["length"], kind, settings, seeds, config)
    learned = found["accuracy"] > SUCCESS
    return [
        case
        | {"eta": setting["eta"], "chosen": setting is chosen}
        | {event: int(found[event][k].sum()) for event in ("diverged", "exploded")}
        | {"learned_after": int((learned & found["exploded"])[k].sum())}
        | Attempts(np.array([config["steps"]]), found["accuracy"][None, k], {}).row()
        for k, setting in enumerate(settings)
    ]
