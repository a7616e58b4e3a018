"""Numbers with which the claim reaches each verdict."""

from verdicts import about

CASES = {
    "holds in part": {"ahead": about(0.2), "ahead_furthest": about(0.4)},
    "does not hold": {"ahead": about(0.2), "ahead_furthest": about(-0.1)},
    "undecided": {"ahead": about(0.2), "ahead_furthest": about(0)},
}
