"""Check that claims can reach each kind of verdict, and that contests are judged by intervals."""

import random
from importlib import import_module

import numpy as np
import pytest

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.margins import _branch, _distance, margin
from rnn_helpers.experiments.selection import PROTOCOL, selection
from rnn_helpers.experiments.stats import mean_interval, median_interval, t_quantile
from rnn_helpers.experiments.words import Estimate, Numbers

ALL = experiments()
# For each claim and each kind of verdict, numbers that lead to it; only those that conditions use.
CASES = {
    slug: import_module(f"{entry.function.__module__}.test_claim").CASES
    for slug, entry in ALL.items()
}
CONTESTS = [slug for slug, entry in ALL.items() if selection(entry.function) == PROTOCOL]
KINDS = {"holds", "holds in part", "does not hold", "undecided"}
# These claims can't hold without a condition, because their rows don't vary it.
ALWAYS_IF = {
    "tensor-node": "all matrices start small",
}
# These claims have no condition under which they would hold, because their rows vary none.
NEVER_IF = {
    "attention-explains": "all networks are alike, and the tests ask about all of their digits",
    "memory-by-floor": "all stacks are alike",
}
# The conditions of these claims' parts require that the rest is shown to fail.
EXCLUSIVE = ["edge-to-edge", "held-out-captions", "longer-path"]


def reachable(slug):
    """Return the kinds of verdict that a claim can reach.

    If it would hold only in a case that its source doesn't mean, that case counts as a part.
    """
    if getattr(ALL[slug].verdict, "restricted", None):
        return KINDS - {"holds in part"} | {"restricted"}
    unreachable = (
        {"holds"} if slug in ALWAYS_IF else {"holds in part"} if slug in NEVER_IF else set()
    )
    return KINDS - unreachable


@pytest.mark.parametrize(("slug", "kind"), [(slug, kind) for slug in CASES for kind in CASES[slug]])
def test_each_case_reaches_its_verdict(slug, kind):
    stored, case = ALL[slug].numbers(load(slug).rows), CASES[slug][kind]
    verdict = ALL[slug].verdict
    numbers = Numbers(**stored | case)
    assert kind in (verdict.kind(numbers), verdict.part(numbers))
    assert case.keys() <= stored.keys()


@pytest.mark.parametrize("slug", ALL)
def test_a_claim_can_hold_hold_conditionally_and_fail(slug):
    kinds = reachable(slug) - {"undecided"}
    assert kinds <= set(CASES[slug]), "some kind of verdict has no case"


def test_the_exceptions_name_existing_claims():
    assert ALL.keys() >= {*ALWAYS_IF, *NEVER_IF}
    assert all(ALL[slug].verdict.holds is None for slug in ALWAYS_IF)
    assert all(ALL[slug].verdict.in_part is None for slug in NEVER_IF)
    assert not any(ALL[slug].verdict.restricted for slug in (*ALWAYS_IF, *NEVER_IF))


@pytest.mark.parametrize("slug", CONTESTS)
def test_a_contest_can_hold_fail_and_stay_undecided(slug):
    kinds = reachable(slug)
    assert set(CASES[slug]) == kinds
    finding = ALL[slug].finding
    assert not isinstance(finding, str), "the finding is the same for every outcome"
    assert not isinstance(finding, dict) or kinds - {"undecided"} <= set(finding)


GRID = -1, -0.2, -0.05, 0, 0.005, 0.03, 0.2, 0.5, 0.8, 0.93, 0.97, 1, 1.2, 3, 30
HALF_WIDTHS = 0.001, 0.04, 0.3


def elsewhere(numbers, rng):
    """Return numbers of the same form with every estimate drawn from a grid."""
    if isinstance(numbers, Estimate):
        value, half = rng.choice(GRID), rng.choice(HALF_WIDTHS)
        return Estimate(value, value - half, value + half)
    if isinstance(numbers, dict):
        return {name: elsewhere(one, rng) for name, one in numbers.items()}
    return [elsewhere(one, rng) for one in numbers] if isinstance(numbers, list) else numbers


@pytest.mark.parametrize("slug", ALL)
def test_numbers_that_meet_the_condition_of_failure_never_hold(slug):
    verdict, rng = ALL[slug].verdict, random.Random(0)
    stored = ALL[slug].numbers(load(slug).rows)
    for numbers in (stored, *(elsewhere(stored, rng) for _ in range(100))):
        given = Numbers(**numbers)
        if verdict.fails and verdict.fails[0](given):
            assert verdict.kind(given) in {"does not hold", "undecided"}


@pytest.mark.parametrize("slug", [slug for slug in ALL if ALL[slug].taught])
def test_a_chapter_can_be_contradicted(slug):
    """Some other outcome, such as one with another verdict, contradicts the chapter."""
    stored, rng = ALL[slug].numbers(load(slug).rows), random.Random(0)
    others = [stored | case for case in CASES[slug].values()]
    others += [elsewhere(stored, rng) for _ in range(100)]
    assert ALL[slug].taught(Numbers(**stored))
    assert not all(ALL[slug].taught(Numbers(**numbers)) for numbers in others)


@pytest.mark.parametrize("slug", EXCLUSIVE)
def test_a_part_holds_only_if_the_rest_fails(slug):
    """The conditions exclude one another by themselves, not only by their order."""
    verdict, rng = ALL[slug].verdict, random.Random(0)
    stored = ALL[slug].numbers(load(slug).rows)
    pairs = verdict.holds, verdict.in_part, verdict.fails
    for _ in range(2000):
        given = Numbers(**elsewhere(stored, rng))
        assert sum(bool(condition(given)) for condition, _ in pairs) <= 1


@pytest.mark.parametrize("slug", ALL)
def test_stored_rows_meet_no_contradictory_conditions(slug):
    verdict = ALL[slug].verdict
    given = Numbers(**ALL[slug].numbers(load(slug).rows))
    if verdict.fails and verdict.fails[0](given):
        assert verdict.part(given) == "fails"


@pytest.mark.parametrize("slug", ALL)
def test_the_last_block_of_seeds_was_run_under_the_current_conditions(slug):
    blocks = load(slug).blocks
    if len(blocks) > 1:
        assert blocks[-1].conditions == ALL[slug].conditions, "new conditions need new seeds"


@pytest.mark.parametrize("slug", CONTESTS)
def test_the_verdict_of_a_contest_rests_on_an_interval(slug):
    stored = load(slug)
    assert margin(ALL[slug], stored.rows, stored.seeds).distance is not None


@pytest.mark.parametrize("slug", ALL)
def test_a_claim_that_medians_decide_shows_medians_or_counts(slug, monkeypatch):
    medians = set()

    def recorded(*given):
        medians.add(found := median_interval(*given))
        return found

    monkeypatch.setattr("rnn_helpers.experiments.words.median_interval", recorded)
    stored = load(slug)
    _, notes = _branch(ALL[slug], ALL[slug].numbers(stored.rows))
    decide = medians & {tuple(map(float, estimate)) for estimate, _ in notes}
    if decide and ALL[slug].data:
        shown = stored.data()
        points = [point for part in shown.parts for _, point in part["points"]]
        assert "median" in shown.spread or all("count" in point for point in points)


def coverage(values, reps=2000):
    """Simulate how often a t interval covers the mean if networks are drawn from these values."""
    n = len(values)
    draws = np.random.default_rng(0).choice(values, (reps, n))
    half = t_quantile(n - 1) * draws.std(axis=1, ddof=1) / np.sqrt(n)
    return np.mean(np.abs(draws.mean(axis=1) - np.mean(values)) <= half)


@pytest.mark.parametrize("slug", ALL)
def test_a_t_interval_near_a_threshold_covers_its_mean(slug, monkeypatch):
    """Means of networks that sometimes fail may decide only if no threshold is near."""
    values_of = {}

    def recorded(values, *bounds):
        found = mean_interval(values, *bounds)
        values_of[found] = values_of[tuple(map(float, np.exp(np.clip(found, -700, 700))))] = values
        return found

    monkeypatch.setattr("rnn_helpers.experiments.words.mean_interval", recorded)
    numbers = ALL[slug].numbers(load(slug).rows)
    part, notes = _branch(ALL[slug], numbers)
    for k, (estimate, threshold) in enumerate(notes):
        values = values_of.get(tuple(map(float, estimate)))
        if values is None or _branch(ALL[slug], numbers, reverse=k)[0] == part:
            continue
        distance = _distance(estimate, threshold)
        assert distance is None or distance > 3 or coverage(values) >= 0.92
