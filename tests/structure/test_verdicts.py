"""The verdict of every contest can come out each way, and rests on intervals."""

import pytest
from verdict_cases import CASES

from rnn_helpers.experiments import Verdict, experiments, load
from rnn_helpers.experiments.margins import margin
from rnn_helpers.experiments.selection import PROTOCOL, selection
from rnn_helpers.experiments.words import Numbers

ALL = experiments()
CONTESTS = [slug for slug, entry in ALL.items() if selection(entry.function) == PROTOCOL]
KINDS = {"holds", "holds if", "does not hold", "not tested here"}
# their rows have no initialization that preserves norms, so they can't hold without a condition
ONE_INITIALIZATION = {"longer-path", "where-to-be-deep"}


@pytest.mark.parametrize(("slug", "kind"), [(slug, kind) for slug in CASES for kind in CASES[slug]])
def test_every_kind_of_verdict_is_reached(slug, kind):
    numbers = CASES[slug][kind]
    assert ALL[slug].verdict.kind(Numbers(**numbers)) == kind
    assert numbers.keys() <= ALL[slug].numbers(load(slug).rows).keys()


@pytest.mark.parametrize("slug", CONTESTS)
def test_a_contest_can_hold_fail_and_stay_undecided(slug):
    assert isinstance(ALL[slug].verdict, Verdict)
    kinds = KINDS - ({"holds"} if slug in ONE_INITIALIZATION else set())
    assert set(CASES.get(slug, {})) == kinds
    finding = ALL[slug].finding
    assert not isinstance(finding, str), "it would be said of any outcome"
    assert not isinstance(finding, dict) or kinds - {"not tested here"} <= set(finding)


@pytest.mark.parametrize("slug", ALL)
def test_the_conditions_are_those_from_before_the_last_block_of_seeds(slug):
    blocks = load(slug).blocks
    if len(blocks) > 1:
        assert blocks[-1].conditions == ALL[slug].conditions, "new conditions need new seeds"


@pytest.mark.parametrize("slug", CONTESTS)
def test_the_verdict_of_a_contest_rests_on_an_interval(slug):
    stored = load(slug)
    assert margin(ALL[slug], stored.rows, stored.seeds).distance is not None
