"""Success by length: conditions of the verdict, tables and rates."""

from verdicts import about, verdict

from rnn_helpers.claims.chapter_13 import length_success
from rnn_helpers.experiments import find
from rnn_helpers.experiments.words import where

CASES = {
    "holds": {"easiest": about(0.2)},
    "holds in part": {
        "easiest": about(1),
        "hardest": about(0.8),
        "late": {10: about(0.8), 20: about(0.2)},
        "late_orthogonal": {20: about(0.8)},
    },
    "does not hold": {
        "easiest": about(1),
        "hardest": about(0.8),
        "late": {10: about(1), 20: about(0.8)},
    },
    "undecided": {"easiest": about(0.8), "hardest": about(0.5)},
}


def learned(successes, **others):
    """Make rows of 20 networks, so many of which learned the task."""
    return [{"seed": seed, "right": float(seed < successes)} | others for seed in range(20)]


def rows_by_length(lengths, **successes):
    """Make rows by length, from the number of successes out of 20 for each initialization."""
    return [
        row
        for start, each in successes.items()
        for length, made in zip(lengths, each, strict=True)
        for row in learned(made, start=start, length=length, eta=3, at_edge=False)
    ]


def length_rows(default=(20, 16), orthogonal=(19, 15), late=(15, 5), late_orthogonal=(20, 17)):
    """Make rows for both tasks: lengths 20 and 200 for early values, 10 and 20 for late ones."""
    first = rows_by_length((20, 200), default=default, orthogonal=orthogonal)
    marked = rows_by_length((10, 20), default=late, orthogonal=late_orthogonal)
    return [row | {"task": "first"} for row in first] + [row | {"task": "marked"} for row in marked]


def test_the_claim_on_lengths_in_part_networks_must_learn_when_to_listen():
    said = verdict("length-success", length_rows())
    assert said.startswith(
        "Holds in part, if the network has to find out when to listen and its recurrent"
    )
    assert said.endswith("then 5 of 20 networks learn the task over 20 steps.")
    text = find("length-success").sum_up(length_rows()).text
    assert "at least 15 of 20 networks learn to hold it over 20 to 200 steps" in text
    assert "17 of 20 networks with orthogonal weights learn the task" in text
    assert find("length-success").measure(length_rows()).value == 1
    for other in (
        {"default": (14, 20)},  # the interval would contain 0.5
        {"orthogonal": (20, 14)},
        {"late": (14, 5)},
        {"late": (15, 6)},
        {"late_orthogonal": (20, 14)},
    ):
        assert verdict("length-success", length_rows(**other)).startswith("Undecided.")
    assert verdict("length-success", length_rows(late=(18, 18))).startswith(
        "Does not hold. Over 20"
    )
    hard = length_rows(default=(5, 5), orthogonal=(0, 0))
    assert verdict("length-success", hard).startswith("Holds. Over 20 steps, at most 5 of 20")


def test_tables_show_all_learning_rates_and_the_text_names_extreme_ones():
    experiment, rows = find("length-success"), length_rows()
    first, late, rates, _ = experiment.tabulate(rows).values()
    assert first[0] == {
        "initialization": "default",
        "20 steps": "20 of 20",
        "200 steps": "16 of 20",
    }
    assert late[1] == {
        "initialization": "orthogonal",
        "10 steps": "20 of 20",
        "20 steps": "17 of 20",
    }
    assert rates[0] == {"initialization": "default", "20 steps": "3", "200 steps": "3"}
    assert "another rate might be better" not in experiment.sum_up(rows).text
    for row in where(rows, task="first", start="default", length=200):
        row |= {"at_edge": True, "eta": 30}
    assert "that we tried for first, default, 200 steps (30)," in experiment.sum_up(rows).text
    fixed = learned(7, task="first", start=length_success.FIXED, length=20, eta=0.1)
    first, _, rates, _ = experiment.tabulate([*rows, *fixed]).values()
    assert first[-1] == {"initialization": length_success.FIXED, "20 steps": "7 of 20"}
    assert len(rates) == 2
