"""The figure result words and places estimates as the package does."""

import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from press.still import draw
from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.data import INTERVAL, claim_intervals, sentence, spelled
from rnn_helpers.experiments.show import figure

CLAIMS = [
    pytest.param(slug, which, marks=pytest.mark.chapter(entry.chapter), id=f"{slug}-{which}")
    for slug in (*experiments(), *sorted(archived_slugs()))
    for entry in [load(slug).experiment]
    for which in entry.data
]
NUMBERS = st.floats(-1e12, 1e12, allow_subnormal=False)
COUNT = {"count": [9, 24]}


@given(NUMBERS, st.booleans())
def test_numbers_are_written_as_in_the_package(math, value, share):
    assert math("spelled", value, share) == spelled(value, share)


@pytest.mark.parametrize(
    ("value", "share", "words"),
    [
        (0, False, "0"),
        (0.9166, True, "91.7 %"),
        (0.5, True, "50 %"),
        (-12.345, False, "−12.3"),
        (149000, False, "149,000"),
        (1e-7, False, "10⁻⁷"),
        (-2.5e-16, False, "−2.5 × 10⁻¹⁶"),
    ],
)
def test_numbers_have_three_digits_and_readable_powers(math, value, share, words):
    assert math("spelled", value, share) == spelled(value, share) == words


@pytest.mark.parametrize(("slug", "which"), CLAIMS)
def test_every_estimate_of_a_claim_has_the_same_sentence_in_both_languages(math, slug, which):
    data = load(slug).data(which)
    told = math.eval(
        "M.parts(data).flatMap((part) =>"
        " part.points.map(([name, point]) => M.sentence(name, point, part)))",
        data=data.state,
    )
    assert told == [
        sentence(name, point, part) for part in data.parts for name, point in part["points"]
    ]
    assert math("description", data.state) == data.description


@pytest.mark.parametrize(("slug", "which"), CLAIMS)
def test_the_axis_of_a_claim_holds_its_estimates_and_has_ticks(math, slug, which):
    data = load(slug).data(which)
    shown = math.eval(
        "M.parts(data).map((part) => ({ ends: M.ends(part), ticks: M.ticksOf(part) }))",
        data=data.state,
    )
    for part, axis in zip(data.parts, shown, strict=True):
        low, high = axis["ends"]
        assert low < high
        assert 2 <= len(axis["ticks"]) <= 7, axis
        assert all(low - 1e-9 <= value <= high + 1e-9 for value, _ in axis["ticks"])
        if not part["limits"]:
            assert low <= min(point["low"] for _, point in part["points"])
            assert high >= max(point["high"] for _, point in part["points"])


def shares(*counts):
    return {
        f"network {k}": (n / 24, max(n / 24 - 0.1, 0), min(n / 24 + 0.1, 1))
        for k, n in enumerate(counts)
    }


def data(*counts):
    return claim_intervals(
        shares(*counts),
        question="How many learn?",
        xlabel="networks that learn",
        unit="of the networks learn",
        spread=INTERVAL,
        share=True,
    )


def test_a_guess_is_a_count_a_percentage_or_two_digits(math):
    assert math("snap", 0.37, COUNT, {"share": True}) == 9 / 24
    assert math("snap", 1.2, COUNT, {"share": True}) == 1
    assert math("snap", 0.374, {}, {"share": True}) == 0.37
    assert math("snap", 1234, {}, {"share": False}) == 1200


@given(st.floats(0, 1))
def test_a_typed_guess_comes_back_as_it_was(math, value):
    for point, part in ((COUNT, {"share": True}), ({}, {"share": True}), ({}, {"share": False})):
        snapped = math("snap", value, point, part)
        typed = math("typed", snapped, point, part)
        assert math("untyped", typed, point, part) == pytest.approx(snapped)


def test_a_guess_is_judged_by_the_interval_and_the_axis(math):
    (part,) = math("parts", data(12, 0).state)
    for guess, verdict in ((0.5, "inside"), (0.6, "inside"), (0.65, "close"), (0.8, "far")):
        assert math("judge", guess, {"low": 0.4, "high": 0.6}, part) == verdict


def test_shares_that_differ_little_are_drawn_apart(math):
    (near,) = math("parts", data(20, 21).state)
    (far,) = math("parts", data(2, 21).state)
    assert math("ends", far) == [0, 1]
    low, high = math("ends", near)
    assert low > 0.5
    assert high <= 1


ERRORS = {"shown": (2, 1, 3), "also shown": (5, 4, 6)}


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("shown", [ERRORS, {}], ids=["some shown", "all asked"])
def test_the_axis_does_not_give_away_the_answer(math, shown, log):
    def ends(value, **state):
        given = shown | {"asked": (value, 0.9 * value, 1.1 * value)}
        words = {"question": "How large?", "xlabel": "error", "unit": "bits", "spread": INTERVAL}
        made = claim_intervals(given, log=log, **words)
        (part,) = math("parts", made.state | {"ask": made.asking("asked")})
        return math("ends", part | state)

    assert ends(2) == ends(7)
    if shown:
        assert ends(2) == ends(900)
    low, high = ends(2)
    assert low <= 0.7
    assert high >= 9
    assert ends(900, open=True)[1] >= 990


@pytest.mark.parametrize(("low", "high"), [(0.0005, 0.07), (2, 90), (0.3, 4), (1, 9)])
def test_numbers_on_a_short_logarithmic_axis_are_few(math, low, high):
    values = math("round", [low, high], True, 5)
    assert 2 <= len(values) <= 5


def test_a_figure_with_a_question_states_it_without_the_result():
    shown = data(12, 23)
    state = figure(shown, shown.asking("network 1", question="How many of 24?"))["state"]
    before = draw("result", state)
    assert status("result", **shown.state) == shown.description
    assert before.status.startswith("A prediction. How many of 24?")
    assert "95.8 %" in draw("result", shown.state).markup
    for telling in ("95.8 %", "95.8", "23 of 24"):
        assert telling not in before.markup + before.status


def test_the_whole_line_that_is_asked_is_hidden():
    result = load("length-success")
    shown = result.data("late")
    name = "default, value may come late"
    asked = draw("result", figure(shown, shown.asking(name, [20]))["state"]).markup
    assert asked.count('class="curve ') == len(shown.labels) - 1
    assert draw("result", shown.state).markup.count('class="curve ') == len(shown.labels)


def test_further_lines_are_hidden_until_the_result_is_shown():
    shown = load("longer-path").data()
    one, other = (f"{start}: hidden layer" for start in ("small start", "orthogonal start"))
    asked = figure(shown, shown.asking(one, [30], hidden=[other]))["state"]
    assert draw("result", asked).markup.count('class="curve ') == len(shown.labels) - 2
