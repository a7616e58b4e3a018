"""Numbers with which the claim reaches each verdict."""

from verdicts import about

CASES = {
    "holds": {
        "ahead": about(0.6),
        "ahead_twice": about(0.6),
        "parse_twice": about(0.8),
    },
    "holds in part": {
        "ahead": about(0.6),
        "ahead_twice": about(0.3),
        "parse_twice": about(0.3),
    },
    "does not hold": {"ahead": about(-0.1)},
    "undecided": {"ahead": about(0)},
}
