"""The verdict on sweeps and other networks over larger images follows from the runs."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_09 import edge_to_edge
from rnn_helpers.experiments import find

LEARNED = {"of": 10, "learned": {"sweeps": 8}}
CASES = {
    "holds": LEARNED | {"ahead": about(0.3), "last": {"sweeps": about(0.95)}},
    "holds in part": LEARNED | {"ahead": about(0.3), "last": {"sweeps": about(0.6)}},
    "does not hold": LEARNED | {"ahead": about(-0.1)},
    "undecided": LEARNED | {"learned": {"sweeps": 4}},
}


def looked_rows(near=0.95, far=0.9, last=0.85, beyond=0.5, best=0.5):
    """Rows of runs in which sweeps have `far` right on longer paths, `last` on the longest.

    The repeated convolution has `best` right on longer paths, and the other networks `beyond`.
    """
    rows = []
    for method in edge_to_edge.METHODS.values():
        sweeps = method == edge_to_edge.SWEEPS
        other = best if method == edge_to_edge.REPEATED else beyond
        shares = {(8, 5): 1.0, (8, 11): near if sweeps else 0.95, (12, 11): 0.9}
        shares |= {(12, length): far if sweeps else other for length in (15, 19)}
        shares[12, 23] = last if sweeps else other
        rows += [
            {"method": method, "size": size, "length": length, "seed": seed, "right": right}
            | {"eta": 0.01, "at_edge": False}
            for (size, length), right in shares.items()
            for seed in range(10)
        ]
    return rows


def test_sweeps_are_compared_with_the_best_of_the_others():
    said = find("edge-to-edge").sum_up(looked_rows(best=0.6))
    assert said.verdict.startswith("Holds. On the longest paths, of 23 cells")
    assert "The best of the others, one convolution, repeated, is right in 60%" in said.finding
    (shares,) = find("edge-to-edge").tabulate(looked_rows()).values()
    (longest,) = (line for line in shares if line["image"].endswith("path of 23"))
    assert longest["sweeps"] == "0.85 (0.85 to 0.85)"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"near": 0.79}, "Undecided."),
        ({"far": 0.5, "last": 0.5}, "Does not hold."),
        ({"best": 0.95}, "Does not hold."),
    ],
)
def test_sweeps_that_have_not_learned_or_are_not_ahead_do_not_hold(changed, expected):
    assert verdict("edge-to-edge", looked_rows(**changed)).startswith(expected)


@pytest.mark.parametrize("changed", [{"last": 0.79}, {"far": 0.8, "last": 0.59, "best": 0.6}])
def test_if_sweeps_fail_on_the_longest_paths_it_holds_in_part(changed):
    assert verdict("edge-to-edge", looked_rows(**changed)).startswith(
        "Holds in part: on paths longer than in training, sweeps are right more often than"
    )


@pytest.mark.slow
def test_no_network_has_more_parameters_than_the_sweeps_and_all_reach_across(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(edge_to_edge.Paths, "run", lambda self, config, seeds: self)
    experiment = find("edge-to-edge")
    config = experiment.full
    paths = experiment.function(config, [0])
    sizes = {}
    for name, method in edge_to_edge.METHODS.items():
        net = paths.net(config, (method,), [0])
        sizes[name] = sum(p.numel() for p in net.parameters())
        size = config["larger"]
        x = torch.tensor(np.random.default_rng(0).normal(size=(1, 1, size, size, 3)))
        x.requires_grad_()
        net.double().look(x)[0, 0, 0, 0].square().sum().backward()
        assert (x.grad.abs().sum(dim=-1) > 0).all(), name
    assert max(sizes.values()) == sizes["sweeps"]
