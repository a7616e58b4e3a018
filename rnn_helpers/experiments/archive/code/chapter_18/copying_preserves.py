"""Is the gradient of a cell kept if the cell is copied at most steps? (section 10.12)"""

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import Estimate, grouped
from rnn_helpers.reference import (
    address_backward,
    address_forward,
    attention_weights,
    grad_write_cells,
    gradient_through_time,
    init_lstm,
    init_rnn,
    lstm_forward,
    lstm_gradient_through_time,
    rnn_forward,
    write_cells,
)

ELSEWHERE, BLURRED, EVEN, LOT = "elsewhere", "elsewhere, blurred", "evenly", "by lot"
CONTENT, SOFT, APART = "by content", "by content, blurred", "by content, elsewhere"
LSTM, TANH = "LSTM", "tanh units"
WRITES = {ELSEWHERE: (10, 1), BLURRED: (5, 1), EVEN: (0, 0), LOT: (10, 0)}
"""Sharpness of each way of writing, and the first cell that it may choose; cell 0 is read."""
FOUND = {CONTENT: (20, 0), SOFT: (5, 0), APART: (20, 4)}
"""Sharpness of each choice by content, and the first number of keys (negative in cell 0)."""
_SAID = {
    ELSEWHERE: "other cells are written to",
    BLURRED: "other cells are written to, less sharply",
    EVEN: "all cells are written to evenly",
    LOT: "each write goes to a random cell",
    CONTENT: "content chooses the cells",
    SOFT: "content chooses the cells, less sharply",
    APART: "content chooses the cells, and no key is like the cell that is read",
    LSTM: "the cells of a new LSTM",
    TANH: "new tanh units",
}
_COPIED = 0.999  # a step copies a cell if it leaves more than this share
_FLOOR = 1e-9  # curves end here


def numbers(rows):
    """Return the share of the gradient left after all steps, and of steps that copy the cell."""
    ways = grouped(rows, "way")
    ends = {way: [row["kept"][-1] for row in mine] for way, mine in ways.items()}
    kept = {way: Estimate.mean(np.clip(ends[way], 0, 1), (0, 1)) for way in WRITES}  # but rounding
    typical = {way: Estimate.geometric(each) for way, each in ends.items()}
    return {
        "T": rows[0]["distances"][-1],
        "alone": kept[ELSEWHERE],
        "apart": typical[APART],
        "lot": kept[LOT],
        "content": typical[CONTENT],
        "copied": {way: np.mean([r["copied"] for r in ways[way]]) for way in (*WRITES, *FOUND)},
        "most": max(row["most"] for way in WRITES for row in ways[way]),
    }


def table(rows):
    """Tabulate the share of steps that copy the cell, and the share of its gradient left."""
    lines = []
    for way, mine in grouped(rows, "way").items():
        ends = [row["kept"][-1] for row in mine]
        left = (
            Estimate.mean(np.clip(ends, 0, 1), (0, 1))
            if way in WRITES
            else Estimate.geometric(ends)
        )
        form = ",.0f" if left.value > 1000 else ".3g"
        copied = [row["copied"] for row in mine if row["copied"] is not None]
        lines.append(
            {
                "way of writing": _SAID[way],
                "steps at which the cell is copied": f"{np.mean(copied):.1%}" if copied else "–",
                "gradient that is left": format(left, form),
            }
        )
    return lines


def data(rows):
    """Return the geometric mean of the size of the gradient, with its interval, by steps back."""
    curves = {}
    ways = grouped(rows, "way")
    for way in (CONTENT, ELSEWHERE, EVEN, LOT, LSTM, TANH):
        mine = ways[way]
        kept = [row["kept"] for row in mine]
        for distance, *each in zip(mine[0]["distances"], *kept, strict=True):
            left = Estimate.geometric(each)
            if left.value < _FLOOR:
                break
            shown = left._replace(low=max(left.low, _FLOOR))
            name = "at random" if way == LOT else way
            curves.setdefault(name, []).append({"back": distance, **shown._asdict()})
    return claim_curves(
        curves,
        "back",
        "value",
        question="How much of a gradient is left, by the number of steps back?",
        xlabel="steps back",
        ylabel="size of the gradient, geometric mean",
        unit="",
        spread=INTERVAL,
        log="y",
    )


def _lasts(left):
    """Return whether a gradient has neither vanished nor exploded."""
    return left.low > 0.9 and left.high < 1.1


def _copied(n):
    """Return whether the cell is copied at most steps wherever the claim says so."""
    return min(n.copied[way] for way in (ELSEWHERE, APART, LOT)) >= 0.9


def _tested(n):
    """Return whether a gradient lasts if only other cells are written to."""
    return _copied(n) and _lasts(n.alone) and _lasts(n.apart) and n.most <= 1.001


@experiment(
    claim="Gradients pass back through a memory cell without vanishing or exploding if its content "
    "is copied at most time steps.",
    source="Goodfellow et al. 10.12",
    quick={"seeds": 4, "T": 200, "every": 10, "n_cells": 40, "width": 12},
    full={"seeds": 20, "T": 200, "every": 10, "n_cells": 40, "width": 12},
    numbers=numbers,
    headline=("alone", "share of the gradient that is left if other cells are written to"),
    finding={
        "holds": "A cell that is copied at most steps keeps its gradient over {T} steps.",
        "restricted": "If only other cells are written to, {alone.value:.0%} of a cell's "
        "gradient is left after {T} steps; if each write goes to a random cell, {lot.value:.2%} is "
        "left.",
        "does not hold": "Even if only other cells are written to, {alone.value:.0%} of a cell's "
        "gradient is left after {T} steps.",
    },
    verdict=Verdict(
        holds=(
            lambda n: _tested(n) and _lasts(n.lot) and _lasts(n.content),
            "Holds. A cell that is copied at {copied[by lot]:.1%} of the steps keeps "
            "{lot.value:.0%} of its gradient.",
        ),
        restricted=(
            lambda n: _tested(n) and (n.lot.high < 0.1 or n.content.low > 10),
            "Does not hold. A cell that is copied at {copied[by lot]:.1%} of the steps keeps "
            "{lot.value:.2%} of its gradient. If content chooses the cells sharply, the gradient "
            "grows to {content.value:,.0f} times its size. Only a cell that is copied at all steps "
            "keeps its gradient.",
        ),
        fails=(
            lambda n: (
                _copied(n) and (n.alone.high < 0.9 or n.apart.high < 0.9 or n.apart.low > 1.1)
            ),
            "Does not hold. Gradients vanish or explode even if only other cells are written to.",
        ),
    ),
    saw=[
        "Each write multiplies the gradient by the share of the cell that it leaves, so along the "
        "memory a gradient can vanish but not explode. If content chooses the cells, the gradient "
        "also flows through the weights, and on this path it can explode. A step copies the cell "
        "if it leaves more than 99.9 % of it, and sizes are relative to the gradient at the last "
        "step."
    ],
    table={"Gradient left after all steps": table},
    caveats=[
        "Nothing is trained here: the addresses of the writes are given or random. In a trained "
        "machine, gradients also pass through the network that controls the heads. An LSTM whose "
        "forget gates have learned to stay open copies too. We chose how sharply content selects "
        "cells in trials, before we wrote the conditions of the verdict: with factors of 1, 5, 10, "
        "20 and 50, gradients exploded from 10 on."
    ],
    data=data,
)
def run(config, seeds):
    """Write for 200 steps into a memory of 40 cells, each of 12 numbers. Then read one cell, and
    follow the gradient of the result back through the memory. A write erases as much of a cell as
    its weight says. The weights are a softmax of scores that are 0 except for one cell. At each
    step this cell is drawn from all cells but the one that is read, with a score of 10
    ("elsewhere") or 5 ("blurred"); or from all cells, with a score of 10 ("by lot") or 0
    ("evenly"). In other runs, content chooses the cells: the scores are the cosines with a random
    key, times 20 or times 5 ("blurred"), or times 20 with keys that are all unlike the cell that is
    read ("elsewhere"). In these runs the gradient includes the paths through the weights. A step
    copies the cell if it leaves more than 99.9 % of it. For comparison, we measure the gradient on
    the cells of new LSTMs of 40 units with forget biases of 1, and on new tanh units, all with
    noise as input. All sizes are relative to the size at the last step.
    """
    rngs = [np.random.default_rng(seed).spawn(8) for seed in seeds]
    drawn = list(zip(*rngs, strict=True))
    found = {
        way: _written(_weights(*how, config, mine), config, mine)
        for (way, how), mine in zip(WRITES.items(), drawn, strict=False)
    }
    for (way, how), mine in zip(FOUND.items(), drawn[4:], strict=False):
        found[way] = _by_content(*how, config, mine)
    found |= _recurrent(config, drawn[7])
    distances = list(range(0, config["T"] + 1, config["every"]))
    return [
        {"way": way, "seed": seed, "cells": config["n_cells"]}
        | {"copied": copied[s], "left": left[s], "most": norms[:, s].max()}
        | {"distances": distances, "kept": norms[distances, s]}
        for way, (norms, copied, left) in found.items()
        for s, seed in enumerate(seeds)
    ]


def _weights(beta, first, config, rngs):
    """Return weights (T, n_cells, S) of writes, each focused on a random cell."""
    n = config["n_cells"]
    cells = np.stack([rng.integers(first, n, config["T"]) for rng in rngs], axis=-1)
    scores = beta * (cells[:, None] == np.arange(n)[:, None])
    return np.stack([attention_weights(step) for step in scores.astype(float)])


def _draw(config, rngs, *lead):
    """Return standard normal numbers (*lead, S, width)."""
    return np.stack([rng.normal(size=(*lead, config["width"])) for rng in rngs], axis=-2)


def _reads(config, rngs):
    """Return a gradient of length 1 on cell 0, which the read head reads: (n, S, width)."""
    v = _draw(config, rngs)
    grad = np.zeros((config["n_cells"], *v.shape))
    grad[0] = v / np.linalg.norm(v, axis=-1, keepdims=True)
    return grad


def _written(weights, config, rngs):
    """Return norms of the gradient on the memory, steps back, for writes that erase fully."""
    M, a = _draw(config, rngs, config["n_cells"]), np.tanh(_draw(config, rngs, len(weights)))
    content, e = M, np.ones(M.shape[1:])
    before = []
    for w, new in zip(weights, a, strict=True):
        before.append(M)
        M = write_cells(M, w, e, new)
        content = write_cells(content, w, e, 0 * new)  # what is left of the first content
    grads = [_reads(config, rngs)]
    for M, w, new in zip(before[::-1], weights[::-1], a[::-1], strict=True):
        grads.append(grad_write_cells(M, w, e, new, grads[-1])["M"])
    first = before[0][0]
    left = np.linalg.norm(content[0], axis=-1) / np.linalg.norm(first, axis=-1)
    return _norms(grads), (1 - weights[:, 0] > _COPIED).mean(axis=0), left


def _by_content(beta, apart, config, rngs):
    """Return the same for writes to cells chosen by content, along all paths."""
    T = config["T"]
    M, a = _draw(config, rngs, config["n_cells"]), np.tanh(_draw(config, rngs, T))
    keys, e = _draw(config, rngs, T), np.ones(M.shape[1:])
    if apart:
        M[..., 0], a[..., 0], keys[..., 0] = apart, apart, apart
        M[0, :, 0] = -apart
    still = np.repeat([[0.0], [1.0], [0.0]], len(rngs), axis=1)
    before = np.zeros(M.shape[:-1])
    steps = []
    for k, new in zip(keys, a, strict=True):
        head = {"k": k, "beta": beta, "g": 1.0, "s": still, "gamma": 1.0}
        found = address_forward(M, head, before)
        steps.append((M, head, found, new))
        M = write_cells(M, found.weights, e, new)
    grads = [_reads(config, rngs)]
    for M, head, found, new in steps[::-1]:
        on = grad_write_cells(M, found.weights, e, new, grads[-1])
        grads.append(on["M"] + address_backward(M, head, before, found, on["w"])["M"])
    copied = np.mean([1 - found.weights[0] > _COPIED for _, _, found, _ in steps], axis=0)
    return _norms(grads), copied, [None] * len(rngs)


def _recurrent(config, rngs):
    """Return the same for new LSTM cells and new tanh units with noise as input."""
    n, width = config["n_cells"], config["width"]
    x = _draw(config, rngs, config["T"])[:, :, None]
    last = np.stack([rng.normal(size=(1, n)) for rng in rngs])
    lstm, tanh = (init(width, n, 1, seed=list(rngs)) for init in (init_lstm, init_rnn))
    _, cells = lstm_gradient_through_time(lstm, lstm_forward(lstm, x), last)
    states = gradient_through_time(tanh, rnn_forward(tanh, x), last)
    none = [None] * len(rngs)
    return {
        way: (norms / norms[0], none, none)
        for way, grads in {LSTM: cells, TANH: states}.items()
        for norms in [np.linalg.norm(grads[::-1, :, 0], axis=-1)]
    }


def _norms(grads):
    """Return the norms (T + 1, S) of gradients on the memory, (n, S, width) each."""
    return np.stack([np.sqrt((grad**2).sum(axis=(0, 2))) for grad in grads])
