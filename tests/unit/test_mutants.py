"""The mutants of toy solutions, and the recorded mutants of the book's own."""

import mutants
import numpy as np
import pytest
from declared import declared, each

from rnn_helpers.checks import Exercise, exercises

RECORDS = declared("EQUIVALENT")


def total(x, bias=0.5):
    return weighted(x) + bias


def weighted(x, *, by=2, sign=1):
    return by * sign * x.sum(axis=0) if by else -x


def halved(x):
    return half(x)


def half(x, by=None):
    by = by or 2
    return x / by


def first_above(x, bound):
    i = 0
    while x[i] < bound:
        i += 1
    return i


def names(solution):
    return [name for name, _ in mutants.code_mutants(solution)]


def toy(solution, *cases):
    return Exercise("00-toy", solution, {}, "", "", cases=lambda: list(cases))


def test_a_term_a_call_and_an_axis_are_changed():
    found = names(total)
    assert "return weighted(x) + bias -> return weighted(x)" in found
    assert "return weighted(x) + bias -> return bias" in found
    assert "return weighted(x) + bias -> return x + bias" in found
    assert "weighted: return 2 * x.sum(axis=0) -> return 2 * x.sum(axis=1)" in found


def test_names_are_unique():
    assert len(set(names(first_above))) == len(names(first_above))


def test_branches_that_only_wrong_answers_take_are_left_alone():
    assert not [name for name in names(total) if "by" in name or "sign" in name or "-x" in name]


def test_a_mutant_is_compiled_with_its_change():
    made = dict(mutants.code_mutants(total))
    without_bias = made["return weighted(x) + bias -> return weighted(x)"]()
    assert without_bias(np.ones(3)) == 6
    assert total(np.ones(3)) == 6.5


def test_a_zero_in_every_case_hides_a_forgotten_term():
    ones = np.ones((3, 2))
    _, hidden = mutants.survivors(toy(total, (ones, 0.0), (2 * ones, 0.0)))
    _, shown = mutants.survivors(toy(total, (ones, 0.7), (2 * ones, 0.3)))
    forgotten = "return weighted(x) + bias -> return weighted(x)"
    assert {forgotten, "(bias is zero)", "(bias is always the first case's)"} <= set(hidden)
    assert not {forgotten, "(bias is zero)", "(bias is always the first case's)"} & set(shown)


def test_one_case_hides_a_constant():
    _, hidden = mutants.survivors(toy(total, (np.ones(3), 0.7)))
    _, shown = mutants.survivors(toy(total, (np.ones(3), 0.7), (np.ones(2), 0.3)))
    assert "(always the first case's answer)" in hidden
    assert "(always the first case's answer)" not in shown


def test_the_recompiled_solution_passes_before_its_mutants_are_judged(monkeypatch):
    entry = toy(halved, (1.0,), (3.0,))
    assert mutants.survivors(entry)[0]
    monkeypatch.setattr(mutants, "compiled", lambda text, solution: lambda x: x)
    with pytest.raises(AssertionError, match="recompiled"):
        mutants.survivors(entry)


def test_a_mutant_that_never_ends_is_refused():
    made = dict(mutants.code_mutants(first_above))
    entry = toy(first_above, ([1, 2, 3], 3))
    assert mutants.passes(entry, lambda: first_above, limit=0.1)
    assert not mutants.passes(entry, made["without i += 1"], limit=0.1)


def test_every_record_belongs_to_an_exercise():
    assert set(RECORDS) <= set(exercises())


@each(RECORDS)
def test_recorded_mutants_still_exist_and_still_pass(name):
    records = set(RECORDS[name])
    made, passing = mutants.survivors(exercises()[name], only=records)
    assert records - made == set(), "these mutants are gone: take their records out"
    assert records - set(passing) == set(), "a check refuses these now: take their records out"


@pytest.mark.nightly
@each(
    name
    for name, entry in exercises().items()
    if isinstance(entry, Exercise) and entry.cases and not entry.off_page
)
def test_the_page_accepts_hardly_any_mutant_that_is_wrong(name):
    wrong, accepted = mutants.accepted_by_page(exercises()[name], RECORDS.get(name, ()))
    assert len(accepted) <= 2 + wrong / 10, accepted
