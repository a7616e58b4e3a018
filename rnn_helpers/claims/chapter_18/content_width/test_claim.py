"""What is said of cells found by a part of what they hold follows from how many are found."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_18 import content_width
from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "gain": about(0.99, 0.01),
        "most": about(0.99, 0.01),
        "least": about(0.01, 0.01),
        "drop": about(0, 0.01),
    },
    "holds in part": {
        "gain": about(0.99, 0.01),
        "most": about(0.99, 0.01),
        "least": about(0.01, 0.01),
        "drop": about(0.3),
    },
    "does not hold": {"gain": about(0, 0.01), "most": about(0.5)},
    "undecided": {"gain": about(0), "most": about(0.5)},
}
NOT_MORE = "Does not hold. Cells with 64 signs are found in"
CONFIG = {"cells": 30, "draws": 200, "betas": [1.0, 20.0]}


def found_rows(narrow=0, middle=600, wide=1000):
    """Rows of two seeds, 1000 keys each, of which so many are found for cells of 1, 16 and 64."""
    return [
        {"cells": 128, "width": width, "known": max(1, width // 2), "seed": seed}
        | {"of": 1000, "found": count, "lot": 0.5, "betas": [1, 20], "weights": [0.02, 0.9]}
        for width, count in {1: narrow, 16: middle, 64: wide}.items()
        for seed in range(2)
    ]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "Holds. Cells with 1 sign are found in 0% of the cases."),
        ({"wide": 970, "narrow": 30}, "Holds. Cells with 1 sign are found in 3% of the cases."),
        ({"narrow": 1000, "middle": 1000}, f"{NOT_MORE} 100% of the cases, and cells"),
        ({"narrow": 500, "middle": 500, "wide": 500}, NOT_MORE),
    ],
)
def test_more_must_be_found_in_wider_cells(changed, expected):
    assert verdict("content-width", found_rows(**changed)).startswith(expected)


@pytest.mark.parametrize(
    "changed",
    [
        {"wide": 950},
        {"narrow": 50},
        {"middle": 0, "narrow": 49},
        {"narrow": 20, "wide": 949},
        {"wide": 600},
    ],
)
def test_weaker_results_hold_in_part(changed):
    assert verdict("content-width", found_rows(**changed)).startswith(
        "Holds in part, if cells with 64"
    )


def test_what_finding_costs_is_weights_and_products():
    summary = find("content-width").sum_up(found_rows())
    assert (
        "128 for each number that it reads if cells have 1, and 2 if they have 64" in summary.text
    )
    assert "256 for each number, however wide" in summary.text
    assert (summary.value, summary.unit) == (
        0.6,
        "share of cells with 16 signs that are found by half of them",
    )


@pytest.mark.parametrize("width", [1, 2, 5, 10, 16])
def test_the_share_of_found_cells_matches_the_probability(width):
    looked = content_width._looked_up(width, CONFIG, np.random.default_rng(0))
    miss = 0.5 ** content_width._known(width)
    assert looked["found"] / 200 == pytest.approx((1 - miss) ** 29, abs=0.1)
    by_lot = (1 - (1 - miss) ** 30) / (30 * miss)
    assert looked["lot"] == pytest.approx(by_lot, abs=0.07)


def test_a_tie_is_not_a_find():
    """Of 30 cells of one sign about half are as like the key as the one that is sought."""
    looked = content_width._looked_up(1, CONFIG, np.random.default_rng(1))
    assert looked["found"] == 0
    assert looked["lot"] < 0.1
    blunt, sharp = looked["weights"]
    assert 1 / 30 < blunt < sharp < 0.1
