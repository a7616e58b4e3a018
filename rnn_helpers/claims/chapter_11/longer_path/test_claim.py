"""What is said of longer paths and skip connections follows from the rows."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_11 import longer_path
from rnn_helpers.claims.chapter_11.longer_path import Paths, path_preserving
from rnn_helpers.experiments import find


def paths(mitigated=0.3, orthogonal=0):
    """Return the cost of a hidden layer and the gain from a skip connection, by initialization."""
    return {
        "hurts": about(0.3),
        "mitigated": about(mitigated),
        "hurts_orthogonal": about(orthogonal, 0.01),
        "mitigated_orthogonal": about(orthogonal, 0.01),
    }


CASES = {
    "holds": paths(orthogonal=0.3),
    "holds in part": paths(orthogonal=0),
    "does not hold": paths(mitigated=-0.1),
    "undecided": paths(mitigated=0),
}
SEEDS = range(10)


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
