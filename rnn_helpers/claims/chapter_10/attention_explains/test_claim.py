"""Numbers with which the claim reaches each verdict."""

from verdicts import about

CASES = {
    "holds": {
        "right": about(0.99, 0.01),
        "permuted": about(0.2),
        "matters": about(0.95),
        "agree": about(0.95),
    },
    "does not hold": {
        "right": about(0.99, 0.01),
        "permuted": about(0.2),
        "matters": about(0.5),
        "agree": about(0.95),
    },
    "undecided": {"right": about(0.8)},
}
