"""Networks that count: which are compared, and under which conditions gates are needed."""

import pytest
from verdicts import about

from rnn_helpers.claims.chapter_16 import accumulate_forget
from rnn_helpers.experiments import find

CASES = {
    "holds": {"gated": about(0.01, 0.01), "ungated": about(0.3)},
    "holds in part": {
        "gated": about(0.01, 0.01),
        "ungated": about(0.02, 0.01),
        "least_ratio": about(10),
    },
    "does not hold": {
        "gated": about(0.01, 0.01),
        "ungated": about(0.01, 0.01),
        "least_ratio": about(1),
    },
    "undecided": {
        "gated": about(0.01, 0.01),
        "ungated": about(0.02, 0.01),
        "least_ratio": about(2),
    },
}


def counting_rows(errors):
    """Return two networks of each kind, whose errors are 10 % above and below these."""
    return [
        {"network": name, "seed": seed, "eta": 0.1, "at_edge": False, "longer": error}
        | {"error": error * (1 + 0.1 * (-1) ** seed)}
        for name, error in errors.items()
        for seed in range(2)
    ]


def test_gates_are_needed_only_if_every_network_without_them_is_far_behind():
    def said(**left):
        names = accumulate_forget.NETWORKS
        errors = {name: left.get("gated", 0.001) for name in accumulate_forget.GATED}
        errors |= {name: left["others"] for name in names if name not in errors}
        errors["simple"] = left.get("best", left["others"])
        return find("accumulate-forget").sum_up(counting_rows(errors))

    assert said(others=0.02, best=0.01).verdict.startswith(
        "Holds in part: gated networks learn when to forget. But the best network without gates"
    )
    assert said(others=0.02, best=0.01).value == pytest.approx(10)
    assert said(others=0.9).kind == "holds"
    assert said(others=0.02, best=0.001).kind == "does not hold"
    assert said(others=0.9, gated=0.8).kind == "does not hold"


@pytest.mark.slow
def test_networks_that_are_compared_have_about_as_many_parameters():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    sizes = [
        sum(torch.numel(p) for p in Gated(2, n_h, 1, [0], unit, **parts).parameters())
        for unit, n_h, parts in accumulate_forget.NETWORKS.values()
    ]
    assert all(abs(size - 360) < 30 for size in sizes), sizes
