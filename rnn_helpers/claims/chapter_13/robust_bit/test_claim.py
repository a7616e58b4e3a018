"""Single units that hold a bit: measurements, and conditions of the verdict."""

import numpy as np
import pytest
from verdicts import about, rows_of, verdict

from rnn_helpers.experiments import find

CASES = {
    "holds": {"largest_bounded": about(-70), "largest_unbounded": about(-70)},
    "holds in part": {"largest_bounded": about(-70), "largest_unbounded": about(16)},
    "does not hold": {"largest_bounded": about(0)},
    "undecided": {"largest_bounded": about(-5)},
}


def test_single_units_hold_bits_and_gradients_as_theory_predicts():
    rows = {(row["unit"], row["w"]): row for row in rows_of("robust-bit", seeds=2)}
    assert rows["linear", 1.0]["log10_gradient"] == 0
    assert rows["linear", 1.0]["kept"] / 400 == pytest.approx(0.64, abs=0.07)  # random walk
    assert rows["tanh", 3.0]["kept"] == 400
    assert rows["tanh", 3.0]["log10_gradient"] == pytest.approx(-303, abs=2)


def test_the_verdict_on_bits_depends_on_the_gradients_of_robust_units():
    rows = rows_of("robust-bit", seeds=2)
    said = "Holds in part, if the network is a single unit whose state stays bounded."
    assert verdict("robust-bit", rows) == said
    weakest = [r["log10_gradient"] for r in rows if (r["unit"], r["w"]) == ("tanh", 1.5)]
    assert find("robust-bit").measure(rows).value == pytest.approx(np.mean(weakest))  # 1.2 is not
    for unit, gradient, other in (
        ("tanh", -10.1, said),
        ("tanh", -9.9, "Undecided."),
        ("tanh", -0.9, "Does not hold."),
        ("linear", -0.9, said),
        ("linear", -1.1, "Undecided."),
        ("linear", -10.1, "Holds. The gradient of every unit"),
    ):
        changed = [r | {"log10_gradient": gradient} if r["unit"] == unit else r for r in rows]
        assert verdict("robust-bit", changed).startswith(other)
