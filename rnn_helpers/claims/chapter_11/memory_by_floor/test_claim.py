"""What is said of the memory of stacked layers follows from the rows."""

import numpy as np
from verdicts import about, kind, verdict

from rnn_helpers.claims.chapter_11 import memory_by_floor
from rnn_helpers.experiments import find

CASES = {
    "holds": {"now": about(0.2), "next": about(0.2), "long": about(0.2)},
    "does not hold": {"now": about(0.2), "next": about(0.2), "long": about(-0.2)},
    "undecided": {"now": about(0.2), "next": about(0.2), "long": about(0)},
}
SEEDS = range(10)


def floor_rows(now=0.0, next_=0.0, long=0.0):
    rows = []
    for trained in (True, False):
        for k, floor in enumerate(memory_by_floor.FLOORS):
            for back in memory_by_floor.BACK:
                more = {0: -now, -1: next_}.get(back, long if back >= 2 else 0) * k / 2
                rows += [
                    {"trained": trained, "floor": floor, "back": back, "seed": seed, "guess": 0.2}
                    | {"right": 0.5 + more + 0.001 * (seed % 2)}
                    for seed in SEEDS
                ]
    return rows


def test_layers_divide_the_labor_and_keep_longer_or_not():
    assert verdict("memory-by-floor", floor_rows(0.2, 0.1, 0.1)).startswith("Holds. Over 2 to 12")
    said = find("memory-by-floor").sum_up(floor_rows(0.2, 0.1, -0.05))
    assert said.verdict.startswith("Does not hold. The layers serve different purposes, but")
    assert "minus the share from the bottom layer is -0.050" in said.text
    assert kind("memory-by-floor", floor_rows(0, 0.1, 0.1)) == "undecided"
    assert kind("memory-by-floor", floor_rows()) == "undecided"
    assert kind("memory-by-floor", floor_rows(0.2, -0.1, 0.1)) == "does not hold"


def test_the_character_to_recover_has_its_distance_from_the_last_one():
    x = np.arange(40)[:, None]
    for back in memory_by_floor.BACK:
        states, target = memory_by_floor._pairs(x[:, :, None].astype(float), x, back)
        assert (states[:, 0] - target == back).all()
