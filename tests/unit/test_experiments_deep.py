"""The statements about deep recurrent networks follow from the rows."""

import numpy as np
import pytest
from verdicts import kind, verdict

from rnn_helpers.claims.chapter_11 import longer_path, memory_by_floor, where_to_be_deep
from rnn_helpers.claims.chapter_11.longer_path import Paths, path_preserving
from rnn_helpers.experiments import find
from rnn_helpers.reference import deep_shapes

pytestmark = pytest.mark.chapter("11")
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
        "Of hidden layers in three places, only a hidden layer from the input or a hidden layer to "
        "the output saves bits."
    )
    one = find("where-to-be-deep").sum_up(depth_rows(output=0.1, read=-0.1))
    assert one.verdict.startswith(
        "Holds in part, if the added layer is a hidden layer to the output. It saves"
    )
    assert "more bits than one without depth: hidden layer from the input." in one.text
    assert "lowest or highest that we tried for two states" in one.text
    assert verdict("where-to-be-deep", depth_rows(read=-0.1)).startswith("Does not hold.")


def test_the_units_bring_the_weights_closest_to_the_budget():
    for depth in where_to_be_deep.DEPTHS.values():
        n_h = where_to_be_deep.n_units(depth, 96, 30_000)

        def off(n_h, depth=depth):
            return abs(sum(np.prod(s) for s in deep_shapes(depth, 96, n_h, 96).values()) - 30_000)

        assert off(n_h) <= min(off(n_h - 1), off(n_h + 1))


def path_rows(small, orthogonal=(0.9, 0.9, 0.9)):
    """Make rows with the shares right of each depth, for each start."""
    starts = {longer_path.SMALL: small, longer_path.ORTHOGONAL: orthogonal}
    return [
        {"depth": name, "length": length, "start": start, "seed": seed, "gradient": 1e-9}
        | {"right": right + 0.001 * (seed % 3), "weights": 1400, "eta": 0.01, "at_edge": False}
        for start, shares in starts.items()
        for name, right in zip(longer_path.DEPTHS, shares, strict=True)
        for length in (10, 20)
        for seed in SEEDS
    ]


def test_a_layer_between_states_hurts_and_a_skip_connection_repairs_it_or_not():
    repaired = verdict("longer-path", path_rows((0.8, 0.5, 0.8)))
    assert repaired.startswith("Holds in part, if the matrices start small, as PyTorch's do.")
    always = verdict("longer-path", path_rows((0.8, 0.5, 0.8), (0.9, 0.7, 0.9)))
    assert always.startswith("Holds. Even if the matrices start orthogonal")
    hurts = find("longer-path").sum_up(path_rows((0.8, 0.5, 0.5)))
    assert hurts.verdict == (
        "Does not hold. The hidden layer lowers accuracy by 30 percentage points, and the skip "
        "connection adds 0."
    )
    assert verdict("longer-path", path_rows((0.5, 0.5, 0.5))).startswith("Does not hold.")


@pytest.mark.parametrize("depth", longer_path.DEPTHS)
def test_the_shortest_path_from_state_to_state_starts_orthogonal(depth):
    made, seeds = Paths().net({"units": 0.25}, (depth, 10, ""), [0, 1]), [0, 1]
    net = made.params()
    started = path_preserving(made.depth, net, seeds)
    path = {"S1"} if made.depth.skip else {"W1"} | net.keys() & {"T1_1"}
    for name in path:
        for matrix in started[name]:
            np.testing.assert_allclose(matrix @ matrix.T, np.eye(len(matrix)), atol=1e-6)
    biases = {"b1"} | net.keys() & {"t1_1"}
    assert all((started[name] == 0).all() for name in biases)
    np.testing.assert_array_equal(started["U1"], net["U1"] / 5)
    others = net.keys() - path - biases - {"U1"}
    assert all((started[name] == net[name]).all() for name in others)


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
