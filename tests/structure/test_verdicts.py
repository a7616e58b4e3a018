"""Check that claims can reach each kind of verdict, and that contests are judged by intervals."""

import pytest
from verdict_cases import CASES

from rnn_helpers.experiments import Verdict, experiments, load
from rnn_helpers.experiments.margins import margin
from rnn_helpers.experiments.selection import PROTOCOL, selection
from rnn_helpers.experiments.words import Numbers

ALL = experiments()
CONTESTS = [slug for slug, entry in ALL.items() if selection(entry.function) == PROTOCOL]
KINDS = {"holds", "holds if", "does not hold", "undecided"}
# These claims can't hold without a condition, because their rows don't vary it.
ALWAYS_IF = {
    "linear-cost": "every state is kept in every run",
    "lossy-summary": "only linear readouts are fitted",
    "clockwork-wave": "the claim is about several benchmarks, and drawing a wave is the only one",
    "tensor-node": "all matrices start small, and all networks are trained for 1,500 steps",
}
# These claims have only one possible verdict, because their counts are exact.
EXACT = {
    "unfolding-agrees": "the loop and the graph are the same function, so only rounding or a "
    "mistake in the code could make them differ",
}
# These claims are not tested whatever comes out, because a condition of theirs isn't met.
UNTESTED = {"flow-against-lstm": "the claim is about abundant data, and the text is short"}


@pytest.mark.parametrize(("slug", "kind"), [(slug, kind) for slug in CASES for kind in CASES[slug]])
def test_each_case_reaches_its_verdict(slug, kind):
    numbers = CASES[slug][kind]
    assert ALL[slug].verdict.kind(Numbers(**numbers)) == kind
    assert numbers.keys() <= ALL[slug].numbers(load(slug).rows).keys()


@pytest.mark.parametrize("slug", sorted(ALL.keys() - EXACT.keys()))
def test_a_claim_can_hold_hold_conditionally_and_fail(slug):
    kinds = KINDS - {"undecided"} - ({"holds"} if slug in ALWAYS_IF else set())
    assert isinstance(ALL[slug].verdict, Verdict)
    assert kinds <= set(CASES.get(slug, {})), "some kind of verdict has no case"


def test_the_exceptions_name_existing_claims():
    assert ALL.keys() >= {*ALWAYS_IF, *EXACT, *UNTESTED}
    summaries = (ALL[slug].sum_up(load(slug).rows) for slug in UNTESTED)
    assert all(said.kind == "not tested here" for said in summaries)
    assert all(ALL[slug].verdict.holds is None for slug in ALWAYS_IF)


@pytest.mark.parametrize("slug", CONTESTS)
def test_a_contest_can_hold_fail_and_stay_undecided(slug):
    assert isinstance(ALL[slug].verdict, Verdict)
    kinds = KINDS - ({"holds"} if slug in ALWAYS_IF else set())
    if slug in UNTESTED:
        kinds = kinds - {"undecided"} | {"not tested here"}
    assert set(CASES.get(slug, {})) == kinds
    finding = ALL[slug].finding
    assert not isinstance(finding, str), "the finding is the same for every outcome"
    assert not isinstance(finding, dict) or kinds - {"undecided"} <= set(finding)


@pytest.mark.parametrize("slug", sorted(ALL.keys() - EXACT.keys()))
def test_no_claim_holds_conditionally_on_rows_on_which_it_fails(slug):
    verdict = ALL[slug].verdict
    numbers = Numbers(**ALL[slug].numbers(load(slug).rows))
    if verdict.fails and verdict.kind(numbers) == "holds if":
        assert not verdict.fails[0](numbers)


@pytest.mark.parametrize("slug", ALL)
def test_the_last_block_of_seeds_was_run_under_the_current_conditions(slug):
    blocks = load(slug).blocks
    if len(blocks) > 1:
        assert blocks[-1].conditions == ALL[slug].conditions, "new conditions need new seeds"


@pytest.mark.parametrize("slug", [slug for slug in CONTESTS if slug not in UNTESTED])
def test_the_verdict_of_a_contest_rests_on_an_interval(slug):
    stored = load(slug)
    assert margin(ALL[slug], stored.rows, stored.seeds).distance is not None
