"""Who finds a cell by a part of what it holds, when cells are narrow or wide? (section 10.12)"""

import numpy as np

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.words import Estimate, grouped, listed
from rnn_helpers.plots.curves import claim_curves
from rnn_helpers.reference import attention_weights, content_scores

_TIE = 1e-9  # weights that differ by a smaller share differ by rounding


def numbers(rows):
    """Cells found alone, by width; the weight of the right cell; and what a number read costs."""
    widths = grouped(rows, "width")
    found = {width: _found(mine) for width, mine in widths.items()}
    first = rows[0]
    narrow, wide = min(widths), max(widths)
    half = min(found, key=lambda width: abs(found[width].value - 0.5))
    cells = first["cells"]
    weights = {
        f"{beta:g}": Estimate.mean((row["weights"][i] for row in widths[wide]), (0, 1))
        for i, beta in enumerate(first["betas"])
    }
    lot = {width: np.mean([row["lot"] for row in mine]) for width, mine in widths.items()}
    return {
        "cells": cells,
        "others": cells - 1,
        "draws": sum(row["of"] for row in widths[wide]),
        "narrow": narrow,
        "wide": wide,
        "half_width": half,
        "half": found[half],
        "least": found[narrow],
        "most": found[wide],
        "rises": list(found.values()) == sorted(found.values()),
        "told": listed("{} {:.3f}", ((width, one.value) for width, one in found.items())),
        "lot": listed("{} {:.2f}", ((width, one) for width, one in lot.items() if width <= half)),
        "exact": max(
            abs(found[width].value - (1 - 0.5 ** mine[0]["known"]) ** (cells - 1))
            for width, mine in widths.items()
        ),
        "weights": listed("{1:.3f} with {0}", weights.items()),
        "products": 2 * cells,
        "weights_narrow": cells / narrow,
        "weights_wide": cells / wide,
    }


def _found(rows):
    return Estimate(*rate_interval(sum(r["found"] for r in rows), sum(r["of"] for r in rows)))


def plot(rows):
    """Draw the share that is found, and the weight of the right cell, over the width."""
    curves = {"found": []}
    for width, mine in grouped(rows, "width").items():
        curves["found"].append({"width": width, **_found(mine)._asdict()})
        for i, beta in enumerate(mine[0]["betas"]):
            weight = Estimate.mean((row["weights"][i] for row in mine), (0, 1))
            name = f"weight, sharpness {beta:g}"
            curves.setdefault(name, []).append({"width": width, **weight._asdict()})
    return claim_curves(
        curves,
        "width",
        "value",
        xlabel="numbers in a cell, half of them known",
        ylabel="share found, or weight",
    )


@experiment(
    claim="Content-based addressing is more useful when the objects to be retrieved are large.",
    source="Goodfellow et al. 10.12 (P38)",
    quick={"seeds": 3, "widths": [1, 4, 16, 64], "cells": 128, "draws": 40, "betas": [1, 5, 20]},
    full={
        "seeds": 20,
        "widths": [1, 2, 4, 8, 12, 16, 24, 32, 64],
        "cells": 128,
        "draws": 500,
        "betas": [1, 5, 20],
    },
    numbers=numbers,
    headline=("half", "share of cells of {half_width} signs found by half of them"),
    verdict=[
        (lambda n: n.most.low > 0.95 and n.least.high < 0.05 and n.rises, "holds"),
        (
            lambda n: n.most.low > n.least.high,
            "holds if cells of {wide} numbers are compared with those of {narrow}: found are "
            "{most:.2f} against {least:.2f}",
        ),
        (lambda n: True, "does not hold"),
    ],
    saw=[
        "Found alone, by half of the signs, by signs in a cell: {told}. Where the lot decides "
        "between cells that tie, the right one is read, by signs in a cell: {lot}. That is what "
        "counting says: k known signs leave no other of {cells} cells with probability (1 - 2^-k) "
        "to the power {others}, at most {exact:.3f} from what was found; twice as many cells ask "
        "for one more known sign.",
        "How much of what is read is the cell that is sought depends on the sharpness: its mean "
        "weight, in cells of {wide}, is {weights}; for half a key has a cosine of 0.71 with its "
        "cell, not of 1.",
        "A read makes {cells} weights: {weights_narrow:g} for each number that is read from cells "
        "of {narrow}, {weights_wide:g} from cells of {wide}. The products do not become fewer: "
        "{products} for each number at any width, half of them for the scores. A place, such as "
        "the cell after the one before, names one of any width.",
    ],
    caveats=[
        "The cells are independent of each other: songs that have lines in common, or keys of "
        "which a part is wrong, ask for more. The largest weight does not depend on the sharpness, "
        "which is given, not chosen. Numbers of a pilot were known when the conditions of the "
        "verdict were written."
    ],
    plot=plot,
)
def run(config, seeds):
    """Fill 128 cells with random signs, 1 to 64 in each, and look one up by half of its signs,
    drawn by lot (by its only one, where it has no more); the others are 0 in the key. Cells are
    scored by their cosine with the key, times a sharpness, and a softmax makes weights. A cell is
    found if its weight is the largest, and no other cell's is as large: a tie is not a find. For
    each of 20 seeds and each width this is done 500 times, each time with new cells.
    """
    return [
        {"cells": config["cells"], "width": width, "known": _known(width), "seed": seed}
        | {"of": config["draws"], "betas": config["betas"]}
        | _looked_up(width, config, np.random.default_rng([seed, width]))
        for width in config["widths"]
        for seed in seeds
    ]


def _known(width):
    return max(1, width // 2)


def _looked_up(width, config, rng):
    """How often the right cell has the largest weight, alone; and its mean weights."""
    n, B = config["cells"], config["draws"]
    M = rng.choice([-1.0, 1.0], (n, B, width))
    right, each = rng.integers(n, size=B), np.arange(B)
    known = rng.permuted(np.tile(np.arange(width), (B, 1)), axis=1) < _known(width)
    k = np.where(known, M[right, each], 0)
    weights = [attention_weights(content_scores(M, k, beta)) for beta in config["betas"]]
    as_large = (weights[0] > (1 - _TIE) * weights[0].max(axis=0)).sum(axis=0)
    # no cell is more like the key than the one it is taken from
    return {
        "found": int((as_large == 1).sum()),
        "lot": float((1 / as_large).mean()),  # who draws one of the tied cells is right
        "weights": [float(each_beta[right, each].mean()) for each_beta in weights],
    }
