"""What is said of networks that wait, or hear both ways, follows from the runs."""

import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_09 import delay_both_ways
from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "able": about(0.99, 0.01),
        "blind": about(0.5, 0.01),
        "behind": about(0, 0.01),
    },
    "holds in part": {
        "able": about(0.99, 0.01),
        "blind": about(0.5, 0.01),
        "behind": about(0.1),
        "behind_longer": about(0, 0.01),
    },
    "does not hold": {
        "able": about(0.99, 0.01),
        "blind": about(0.5, 0.01),
        "behind": about(0.1),
        "behind_longer": about(0.1, 0.01),
    },
    "undecided": {"able": about(0.6)},
}
SEEDS = range(10)


def sums_rows(late=1.0, longer=1.0, early=0.5, both=1.0, wide=1.0, narrow=0.5):
    """Rows of runs in which networks that wait as long as the reach of 5 have `late` right."""
    rows = []
    for reach in (1, 3, 5):
        for way in (*delay_both_ways.WAITS, delay_both_ways.BOTH, delay_both_ways.WINDOW):
            if (way, reach) == ("1 short", 1):
                continue
            delay = delay_both_ways.delay(way, reach)
            right = {
                delay_both_ways.BOTH: both,
                delay_both_ways.WINDOW: wide if reach < 3 else narrow,
            }.get(way)
            if right is None:
                right = early if delay < reach else late if reach == 5 else 1.0
            rows += [(way, reach, delay, right)]
    rows += [(delay_both_ways.LONGER, 5, 5, longer)]
    return [
        {"way": way, "reach": reach, "delay": delay, "seed": seed, "right": right}
        | {"eta": 0.01, "at_edge": False}
        for way, reach, delay, right in rows
        for seed in SEEDS
    ]


def test_to_wait_as_long_as_the_reach_is_enough_or_is_learned_more_slowly():
    said = find("delay-both-ways").sum_up(sums_rows())
    assert said.verdict.startswith("Holds. With the bits 5 steps away")
    assert "by distance, 1: 1; 3: 3; 5: 5." in said.text
    assert verdict("delay-both-ways", sums_rows(late=0.985)).startswith("Holds. With the bits")
    slower = verdict("delay-both-ways", sums_rows(late=0.9))
    assert slower.startswith("Holds in part, if the network with a delay is trained for longer")
    less = verdict("delay-both-ways", sums_rows(late=0.9, longer=0.95))
    assert less.startswith("Does not hold.")
    assert less.endswith("twice the training, 95% are right.")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"early": 0.56}, "Does not hold."),
        ({"narrow": 0.56}, "Does not hold."),
        ({"both": 0.85}, "Undecided."),
        ({"wide": 0.85}, "Undecided."),
    ],
)
def test_what_is_early_or_narrow_guesses_and_the_others_have_learned(changed, expected):
    assert verdict("delay-both-ways", sums_rows(**changed)).startswith(expected)


def test_delays_depend_on_the_reach():
    delays = [delay_both_ways.delay(way, 3) for way in delay_both_ways.WAITS]
    assert delays == [0, 2, 3, 4, 5]
    assert delay_both_ways.delay(delay_both_ways.LONGER, 3) == 3
    assert delay_both_ways.delay(delay_both_ways.BOTH, 3) is None


def test_the_delays_at_the_distance_between_the_others_are_compared():
    rows = delay_both_ways.data_between(sums_rows()).rows
    assert {row["label"]: row["value"] for row in rows} == {
        "one way, delay 0": 0.5,
        "one way, delay 2": 0.5,
        "one way, delay 3": 1,
        "one way, delay 4": 1,
        "one way, delay 5": 1,
        "both ways": 1,
    }
