"""Numbers with which the claim reaches each verdict."""

from verdicts import about

CASES = {
    "holds": {"tanh": about(0, 0.01), "sigmoid": about(0, 0.01)},
    "holds in part": {"tanh": about(0.5), "sigmoid": about(0, 0.01)},
    "does not hold": {"tanh": about(0.5), "sigmoid": about(0.5)},
    "undecided": {"tanh": about(0.5), "sigmoid": about(0)},
}
