"""What is said of networks that are told something follows from the runs."""

import itertools

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.claims.chapter_08 import exact_optima, held_out_captions, three_doors
from rnn_helpers.experiments import find
from rnn_helpers.reference import expected_losses, rule_joint

pytestmark = pytest.mark.chapter("08")
SEEDS = range(10)


# ---- exact-optima ----


def test_what_a_step_hears_is_what_it_is_said_to_hear():
    rng = np.random.default_rng(0)
    x, y = rng.integers(2, size=(2, 6, 3))
    for hears, all_of_x, of_y in (
        ("inputs", False, False),
        ("outputs", False, True),
        ("all inputs", True, False),
        ("all", True, True),
    ):
        told = exact_optima.heard(x, y, hears)
        for k in range(6):
            other_x, other_y = x.copy(), y.copy()
            other_x[k], other_y[k] = 1 - x[k], 1 - y[k]
            moved = (exact_optima.heard(other_x, y, hears) != told).any(axis=(1, 2))
            assert moved.tolist() == [all_of_x or t == k for t in range(6)]
            moved = (exact_optima.heard(x, other_y, hears) != told).any(axis=(1, 2))
            assert moved.tolist() == [of_y and t == k + 1 for t in range(6)]


@pytest.mark.parametrize("world", exact_optima.WORLDS)
def test_pairs_that_are_possible_have_all_the_probability(world):
    pairs, p = exact_optima._pairs(world)
    assert p.sum() == pytest.approx(1)
    joint = rule_joint(exact_optima.WORLDS[world])
    np.testing.assert_array_equal(joint[tuple(pairs)], p)


def optima_rows(above=0.001):
    return [
        {"world": world, "hears": hears, "seed": seed, "eta": 0.01, "at_edge": hears == "all of x"}
        | {"nats": float(least + above * (1 + seed / 10)), "optimum": float(least)}
        for world, rules in exact_optima.WORLDS.items()
        for hears, kind in exact_optima.HEARS.items()
        for least in [expected_losses(rule_joint(rules), kind).sum()]
        for seed in SEEDS
    ]


def test_networks_come_to_their_optimum_or_not_quite_or_below_it():
    said = find("exact-optima").sum_up(optima_rows())
    assert said.verdict.endswith("the loss stays at 4.16 nats.")
    assert "loss of 0.69 nats" in said.text or "loss of 0.70 nats" in said.text
    assert "lowest or highest that we tried" in said.text
    assert verdict("exact-optima", optima_rows(0.2)).startswith("Holds in part, if networks reach")
    assert verdict("exact-optima", optima_rows(0.5)).startswith("Does not hold.")
    assert verdict("exact-optima", optima_rows(-0.1)).startswith("Does not hold.")


# ---- three-doors ----


def doors_rows(**right):
    return [
        {"door": door, "length": length, "seed": seed, "eta": 0.01, "at_edge": False}
        | {"right": right[name] + 0.001 * seed}
        for door, name in three_doors.DOORS.items()
        for length in (10, 30)
        for seed in SEEDS
    ]


@pytest.mark.parametrize(
    ("both", "expected"),
    [
        (0.6, "Holds."),
        (0.525, "Holds."),
        (0.515, "Undecided."),  # a lead of less than 0.02 counts as none
        (0.5, "Does not hold."),
        (0.3, "Does not hold."),
    ],
)
def test_both_doors_are_better_than_either_or_they_are_not(both, expected):
    assert verdict("three-doors", doors_rows(step=0.4, start=0.5, both=both)).startswith(expected)


@pytest.mark.parametrize(
    ("both", "expected"),
    [(0.53, "Undecided."), (0.46, "Undecided."), (0.45, "Does not hold.")],
)
def test_leads_that_differ_from_lesson_to_lesson_may_not_tell(both, expected):
    rows = doors_rows(step=0.5, start=0.5, both=both)
    for row in rows:
        if row["door"] == three_doors.BOTH:
            row["right"] += 0.03 * (row["seed"] - 4.5)
    assert verdict("three-doors", rows).startswith(expected)


def test_doors_are_compared_on_the_same_lessons():
    """Lessons differ more than doors do: intervals overlap, and each lesson says the same."""
    rows = doors_rows(step=0.5, start=0.5, both=0.45)
    for row in rows:
        row["right"] += 0.05 * (row["seed"] - 4.5)
    said = find("three-doors").sum_up(rows)
    assert said.verdict.startswith("Does not hold.")
    assert "ahead of every step by -0.05" in said.text


# ---- held-out-captions ----


def caption_rows(seen=0.9, new=0.9, step=None):
    cells = itertools.product(held_out_captions.DOORS, ["left out"], ("seen", "new"))
    more = [(held_out_captions.BOTH, "all", asked) for asked in ("seen", "new")]
    rows = []
    for door, trained, asked in [*cells, *more]:
        right = seen if asked == "seen" or trained == "all" else new
        if step is not None and door == held_out_captions.STEP and asked == "new":
            right = step
        rows += [
            {
                "door": door,
                "trained": {
                    "left out": held_out_captions.LEFT_OUT,
                    "all": held_out_captions.NOTHING,
                }[trained],
                "asked": {"seen": held_out_captions.SEEN, "new": held_out_captions.NEW}[asked],
                "seed": seed,
                "right": right + 0.001 * (seed - 5),
                "words": 0.95,
                "eta": 0.002,
                "at_edge": door == held_out_captions.START,
            }
            for seed in SEEDS
        ]
    return rows


def test_sentences_never_heard_are_said_as_well_or_less_well_or_not():
    said = find("held-out-captions").sum_up(caption_rows())
    assert said.verdict == "Holds. 90% of the new sentences are right."
    assert said.value == pytest.approx(0.9, abs=0.01)
    assert "that we tried for as the first state (0.002)" in said.text
    assert verdict("held-out-captions", caption_rows(new=0.7)).startswith("Holds.")
    few = verdict("held-out-captions", caption_rows(step=0.1))
    assert few.startswith("Holds in part, if the vector enters in both ways: 90%")
    assert verdict("held-out-captions", caption_rows(new=0.1)).startswith("Does not hold.")
