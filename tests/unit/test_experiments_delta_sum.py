"""What is said of the delta rule and the sum follows from the values that they find."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_18 import delta_sum
from rnn_helpers.experiments.claims.chapter_18.delta_sum import (
    DELTA,
    ONCE,
    REBOUND,
    SOFTMAX,
    SUM,
    TWICE,
    WHOLE,
)

pytestmark = pytest.mark.chapter("18")


def shares(rebound=0.99, once_whole=0.9, once=0.99, crowded=0.8, softmax=1.0):
    """Rows of ten seeds, in which sums find .99 of 4 or 8 pairs, .8 of 16, .5 of those rebound."""
    rows = []
    for case in (ONCE, REBOUND, TWICE):
        for pairs in (4, 8, 16):
            total = 0.5 if case == REBOUND else 0.8 if pairs == 16 else 0.99
            delta = rebound if case == REBOUND else crowded if pairs == 16 else once
            found = {SUM: total, DELTA: delta, WHOLE: rebound, SOFTMAX: softmax}
            if case == ONCE:
                found[WHOLE] = once_whole
            rows += [
                {"case": case, "pairs": pairs, "width": 8, "method": method, "seed": seed}
                | {"right": right, "first": right, "last": right}
                | {"setting": 0.25, "at_edge": False}
                for method, right in found.items()
                for seed in range(10)
            ]
    return rows


def test_it_holds_for_keys_that_come_again():
    some = find("delta-sum").sum_up(shares())
    assert some.verdict.startswith(
        "Holds in part, if keys come again with other values. If each of 8"
    )
    assert some.value == pytest.approx(0.49)
    assert "lowest or highest" not in some.text


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"softmax": 0.94}, "Undecided."),
        ({"rebound": 0.5}, "Does not hold."),
        ({"rebound": 0.4}, "Does not hold."),
        ({"once_whole": 0.98, "crowded": 0.83}, "Holds."),
    ],
)
def test_what_the_delta_rule_finds_decides(changed, expected):
    assert verdict("delta-sum", shares(**changed)).startswith(expected)


@pytest.mark.parametrize(
    "changed", [{"once_whole": 0.96, "crowded": 0.83}, {"once_whole": 0.98, "crowded": 0.81}]
)
def test_keys_that_come_once_must_be_found_at_any_strength_and_better_where_they_crowd(changed):
    assert verdict("delta-sum", shares(**changed)).startswith("Holds in part, if keys come again")


def drawn(case, pairs=6, width=40):
    return delta_sum._drawn(case, pairs, {"draws": 3, "width": width}, [0, 7])


def test_half_of_the_keys_come_again_and_their_new_values_are_asked_for():
    keys, values, asked, passes = drawn(REBOUND)
    assert keys.shape == values.shape == (9, 2, 3, 40)
    np.testing.assert_array_equal(keys[6:], keys[:3])
    assert (np.abs(values[6:] - values[:3]).sum(axis=-1) > 0).all()
    np.testing.assert_array_equal(asked, [6, 7, 8])
    np.testing.assert_allclose((keys**2).sum(axis=-1), 1)
    assert passes == 1
    assert drawn(TWICE)[3] == 2
    np.testing.assert_array_equal(drawn(ONCE)[2], range(6))


def test_a_seed_draws_the_same_beside_others():
    alone = delta_sum._drawn(ONCE, 6, {"draws": 3, "width": 40}, [7])
    np.testing.assert_array_equal(drawn(ONCE)[0][:, 1:], alone[0])


def test_few_pairs_are_found_by_all_and_new_values_by_correction_alone():
    once, rebound = drawn(ONCE), drawn(REBOUND)
    for method, setting in {SUM: 1.0, WHOLE: 1.0, DELTA: 0.5, SOFTMAX: 30.0}.items():
        assert delta_sum._found(method, setting, *once)["right"].min() > 0.9
    assert delta_sum._found(WHOLE, 1.0, *rebound)["right"].min() > 0.9
    assert delta_sum._found(SUM, 1.0, *rebound)["right"].mean() < 0.9


def test_what_is_written_last_disturbs_what_was_first_and_more_passes_repair_it():
    keys, values, asked, _ = drawn(ONCE, pairs=20, width=20)
    once, often = (delta_sum._found(WHOLE, 1.0, keys, values, asked, n) for n in (1, 10))
    assert once["last"].mean() > 0.9 > once["first"].mean()
    assert often["first"].mean() > once["first"].mean()
