"""What is said of hidden layers in three places follows from the rows."""

import numpy as np
from verdicts import about, verdict

from rnn_helpers.claims.chapter_11 import where_to_be_deep
from rnn_helpers.claims.chapter_11.where_to_be_deep import BOXES, OUTPUT
from rnn_helpers.experiments import find
from rnn_helpers.reference import deep_shapes

CASES = {
    "holds": {"gains": dict.fromkeys(BOXES, about(0.3)), "all": about(0.3)},
    "holds in part": {"gains": dict.fromkeys(BOXES, about(-0.3)) | {OUTPUT: about(0.3)}},
    "does not hold": {"gains": dict.fromkeys(BOXES, about(-0.3))},
    "undecided": {"gains": dict.fromkeys(BOXES, about(0))},
}
SEEDS = range(10)


def depth_rows(**gains):
    by = {where_to_be_deep.OUTPUT: "output", where_to_be_deep.INPUT: "read"}
    by |= {where_to_be_deep.TRANSITION: "between", where_to_be_deep.ALL: "all"}
    return [
        {"depth": name, "seed": seed, "bits": 2.2 - gains.get(by.get(name), 0) + 0.001 * (seed % 2)}
        | {"eta": 0.01, "at_edge": name == where_to_be_deep.STACK, "n_h": 60, "weights": 30000}
        | {"start": where_to_be_deep.SMALL}
        for name in where_to_be_deep.DEPTHS
        for seed in SEEDS
    ]


def test_depth_helps_in_every_place_in_one_or_in_none():
    every = verdict("where-to-be-deep", depth_rows(output=0.1, read=0.1, between=0.1, all=0.2))
    assert every == (
        "Holds. In all three places together, hidden layers save 0.200 bits per character."
    )
    two = find("where-to-be-deep").sum_up(depth_rows(output=0.1, read=0.1))
    assert two.finding == (
        "Of hidden layers in three places, only a hidden layer after the input or a hidden layer "
        "before the output saves bits."
    )
    one = find("where-to-be-deep").sum_up(depth_rows(output=0.1, read=-0.1))
    assert one.verdict.startswith(
        "Holds in part, if the added layer is before the output. It saves"
    )
    assert "more bits than one without depth: hidden layer after the input." in one.text
    assert "lowest or highest that we tried for two states" in one.text
    assert verdict("where-to-be-deep", depth_rows(read=-0.1)).startswith("Does not hold.")


def test_the_units_bring_the_weights_closest_to_the_budget():
    for depth in where_to_be_deep.DEPTHS.values():
        n_h = where_to_be_deep.n_units(depth, 96, 30_000)

        def off(n_h, depth=depth):
            return abs(sum(np.prod(s) for s in deep_shapes(depth, 96, n_h, 96).values()) - 30_000)

        assert off(n_h) <= min(off(n_h - 1), off(n_h + 1))
