"""Does explosion keep a network with Omega from learning if nothing is clipped? (10.11.2)"""

import numpy as np

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.claims.chapter_17.information_flow_span import (
    EXPLODED,
    TASKS,
    best,
    grid,
    trained,
)
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.success import SUCCESS, Attempts

_WAYS = {"not clipped": None, "clipped": 1.0}


def summarise(rows):
    """Count who learns without clipping: at its own best rate, at the one that is best with
    clipping, and after an explosion.
    """
    cells = {}
    for row in rows:
        cell = row["task"], row["length"], row["radius"], row["alpha"]
        cells.setdefault(cell, {}).setdefault(row["way"], {})[row["eta"]] = row
    own, same, said = [], [], []
    for (task, length, radius, alpha), (free, held) in (
        (cell, ways.values()) for cell, ways in cells.items()
    ):
        place = f"{task} at length {length}, radius {radius:g}, alpha {alpha:g}"
        alone, clipped = (
            next(row for row in way.values() if row["chosen"]) for way in (free, held)
        )
        fast = free[clipped["eta"]]
        if alone["high"] < clipped["low"]:
            own.append(f"{place} ({alone['successes']} and {clipped['successes']})")
        if fast["high"] < clipped["low"]:
            same.append(f"{place} ({fast['successes']} and {clipped['successes']})")
        said.append(
            f"{place}: {alone['successes']} at {alone['eta']:g} and {clipped['successes']} at "
            f"{clipped['eta']:g}"
        )
    conditions = [f"it is {' or '.join(own)}"] if own else []
    if same:
        conditions.append(
            f"the learning rate is the one that is best with clipping: {'; '.join(same)}"
        )
    learned, exploded, after, of = (
        {
            way: sum(row[count] for ways in cells.values() for row in ways[way].values())
            for way in _WAYS
        }
        for count in ("successes", "exploded", "learned_after", "of")
    )
    free = "not clipped"
    first = next(row for row in rows if row["chosen"] and row["way"] == free)
    return Summary(
        first["rate"],
        first["low"],
        first["high"],
        "success with Omega and without clipping, in the first case",
        "holds"
        if len(own) == len(cells)
        else f"holds if {', or if '.join(conditions)}"
        if conditions
        else "does not hold",
        f"Of {first['of']} networks learn without clipping and with it, each at its best rate: "
        f"{'; '.join(said)}. Over all rates {learned[free]} of {of[free]} learn without clipping "
        f"and {learned['clipped']} with it. Without clipping, the norm of the gradient exceeded "
        f"{EXPLODED:g} in {exploded[free]}; of these {after[free]} learned, of the others "
        f"{learned[free] - after[free]} of {of[free] - exploded[free]}. Gradients or losses that "
        f"were not finite: {sum(row['diverged'] for row in rows)}.",
    )


_SETTINGS = {"n_h": 20, "batch_size": 16}


@experiment(
    "flow-clipping",
    claim="A network trained with the regulariser Omega does not learn without clipping: "
    "explosion prevents it.",
    source="Goodfellow et al. 10.11.2 (P36, E-54)",
    chapter="17",
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
    summarise=summarise,
)
def run(config, seeds):
    """Train tanh networks of 20 units with gradient descent and Omega from Gaussian starts whose
    radius is above 1, without clipping and with gradients of norm at most 1, at each of five
    learning rates; count those that get more than 95 % of new sequences right, at all rates and
    at the one that is best on 4 other seeds.
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
    """A row for each learning rate, and which of them is the best on other seeds."""
    task, kind = TASKS[case["task"]], ("gaussian", case["radius"])
    others = separate(config["choosing"])
    chosen = settings[0]
    if others:
        tried = trained(task, case["length"], kind, settings, others, config)["accuracy"]
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
