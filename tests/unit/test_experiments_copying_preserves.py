"""What is said of gradients through a memory follows from what is measured."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_18 import copying_preserves as cp
from rnn_helpers.experiments.store import run
from rnn_helpers.reference import address_forward, write_cells

pytestmark = pytest.mark.chapter("18")
LEFT = {cp.ELSEWHERE: 0.99, cp.BLURRED: 0.3, cp.EVEN: 0.006, cp.LOT: 1e-4}
LEFT |= {cp.CONTENT: 5000, cp.SOFT: 0.4, cp.APART: 1.0, cp.LSTM: 1e-11, cp.TANH: 1e-25}


def preserved_rows(copied=0.97, most=1.0, **left):
    """Rows in which so much of each way's gradient is left, the cell copied so often by lot."""
    changed = {getattr(cp, name.upper()): value for name, value in left.items()}
    steps = {cp.ELSEWHERE: 1.0, cp.APART: 1.0, cp.LOT: copied}
    return [
        {"way": way, "seed": seed, "cells": 40, "copied": steps.get(way, 0.5), "left": kept}
        | {"most": most, "distances": [0, 200], "kept": [1.0, kept]}
        for way, kept in (LEFT | changed).items()
        for seed in range(20)
    ]


def test_copied_at_most_steps_is_not_enough():
    said = find("copying-preserves").sum_up(preserved_rows())
    assert said.verdict == (
        "Does not hold. A cell that is copied at 97.0% of the steps keeps 0.01% of its gradient. "
        "If content chooses the cells sharply, the gradient grows to 5,000 times its size. Only a "
        "cell that is copied at all steps keeps its gradient."
    )
    assert said.finding.endswith("if each write goes to a random cell, 0.01% is left.")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"copied": 0.89}, "Undecided."),
        ({"elsewhere": 0.9}, "Undecided."),
        ({"elsewhere": 0.89}, "Does not hold."),
        ({"apart": 0.89}, "Does not hold."),
        ({"apart": 1.11}, "Does not hold."),
        ({"most": 1.01}, "Undecided."),
        ({"lot": 0.91, "content": 1.09}, "Holds."),
        ({"lot": 0.09, "content": 9}, "Does not hold. A cell that is copied"),
        ({"lot": 0.91, "content": 11}, "Does not hold. A cell that is copied"),
        ({"lot": 0.1, "content": 9}, "Undecided."),
    ],
)
def test_a_gradient_that_lasts_neither_vanishes_nor_explodes(changed, expected):
    assert verdict("copying-preserves", preserved_rows(**changed)).startswith(expected)


def test_along_the_memory_a_gradient_falls_as_the_content_does():
    rows = run(find("copying-preserves"), quick=True).rows
    for row in rows:
        assert row["kept"][0] == pytest.approx(1)
        if row["way"] in cp.WRITES:
            assert row["left"] == pytest.approx(row["kept"][-1])
            assert row["most"] <= 1.001


def test_where_content_chooses_the_gradient_is_that_by_all_paths():
    config = {"n_cells": 5, "width": 3, "T": 3}
    beta, apart = cp.FOUND[cp.SOFT]

    def again():
        return [np.random.default_rng(0)]

    norms, _, _ = cp._by_content(beta, apart, config, again())
    rngs = again()
    M0, a = cp._draw(config, rngs, 5), np.tanh(cp._draw(config, rngs, 3))
    keys, read = cp._draw(config, rngs, 3), cp._reads(config, rngs)
    still = np.array([[0.0], [1.0], [0.0]])

    def said(M):
        for k, new in zip(keys, a, strict=True):
            head = {"k": k, "beta": beta, "g": 1.0, "s": still, "gamma": 1.0}
            found = address_forward(M, head, np.zeros(M.shape[:-1])).weights
            M = write_cells(M, found, np.ones((1, 3)), new)
        return (read * M).sum()

    nudges = 1e-6 * np.eye(M0.size).reshape(-1, *M0.shape)
    slopes = [(said(M0 + nudge) - said(M0 - nudge)) / 2e-6 for nudge in nudges]
    assert norms[-1, 0] == pytest.approx(np.linalg.norm(slopes), rel=1e-6)
