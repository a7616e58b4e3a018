"""Data of experiments is complete, and refuses what a reader could misread."""

import pytest
from estimates import bounds, by_line

from rnn_helpers import experiments
from rnn_helpers.experiments.data import (
    ALL,
    INTERVAL,
    Data,
    claim_curves,
    claim_dots,
    claim_groups,
    claim_intervals,
    claim_panels,
    counted,
    estimate,
    lines,
    ranged,
)
from rnn_helpers.experiments.shares import shares_over, tabulate_right
from rnn_helpers.experiments.show import MIME, Shown
from rnn_helpers.experiments.words import Estimate
from rnn_helpers.explore import show

WORDS = {"question": "How many bits?", "unit": "bits", "spread": INTERVAL}
LEARN = {"question": "How many learn?", "unit": "networks learn", "spread": INTERVAL, "share": True}
ROW = {"label": "a", "value": 1.0, "low": 0.5, "high": 2.0}
POINTS = [{"n": n, "kept": 2 * n, "low": n, "high": 3 * n} for n in (4, 1, 2)]
AXES = {"xlabel": "units", "ylabel": "bits"}


def test_rows_are_given_as_dicts_or_by_their_labels():
    by_label = claim_intervals({"a": (1.0, 0.5, 2.0)}, xlabel="bits", **WORDS)
    by_row = claim_intervals([ROW], xlabel="bits", **WORDS)
    assert by_label.rows == [ROW]
    assert by_row.rows == [ROW | {"group": ""}]
    assert by_label.description == by_row.description == "How many bits? bits: a, 1."


def test_a_count_is_kept_with_its_interval():
    some = counted([True, False, True])
    assert (some.counts, tuple(some)) == ((2, 3), tuple(Estimate.rate([True, False, True])))
    data = claim_intervals({"a": some}, xlabel="networks that learn", **LEARN)
    assert data.rows[0]["count"] == (2, 3)
    assert data.description == "How many learn? networks that learn: a, 2 of 3."
    curve = [{"n": 1, **some._asdict()}, {"n": 2, **counted([True] * 3)._asdict()}]
    points = claim_curves({"a": curve}, "n", "value", xlabel="n", ylabel="learn", **LEARN)
    assert [point["count"] for point in points.panels[0]["lines"][0]["points"]] == [(2, 3), (3, 3)]


def test_a_range_reaches_from_the_smallest_to_the_largest():
    assert ranged([1, 2, 6]) == (3, 1, 6)
    assert estimate(ranged([1, 2, 6]), x=4) == {"x": 4, "value": 3, "low": 1, "high": 6}


def test_points_of_a_line_are_in_the_order_of_x():
    data = claim_curves({"long": POINTS}, "n", "kept", **AXES, **WORDS)
    (line,) = data.panels[0]["lines"]
    assert [(p["x"], p["value"], p["low"], p["high"]) for p in line["points"]] == [
        (1, 2, 1, 3),
        (2, 4, 2, 6),
        (4, 8, 4, 12),
    ]
    assert data.description == "How many bits? bits: long, 2 at units 1 and 8 at 4."


def test_groups_and_panels_keep_their_headings():
    groups = claim_groups({"easy": {"one": (0.5, 0.2, 0.7)}}, xlabel="learn", **LEARN)
    assert list(groups.labels) == ["easy: one"]
    panels = claim_panels({"small": {"deep": POINTS}}, "n", "kept", **AXES, **WORDS)
    assert panels.labels == {"small: deep": [1, 2, 4]}


def test_dots_need_no_spread_and_may_share_a_place():
    dots = [{"x": 1, "y": 0.5}, {"x": 1, "y": 0.7}]
    words = WORDS | {"spread": ""}
    data = claim_dots({"a": dots}, "x", "y", dots="network", **AXES, **words)
    assert data.description == "How many bits? bits: a, 2 dots from 0.5 to 0.7."
    marked = claim_dots({"a": dots}, "x", "y", dots="network", mark="x", **AXES, **words)
    assert [point["mark"] for point in marked.panels[0]["lines"][0]["points"]] == ["x = 1"] * 2


def test_lines_have_the_same_x():
    data = lines([1, 2], [[3, 4], [5, 6]], ["a", "b"], **AXES, **WORDS)
    assert [len(line["points"]) for line in data.panels[0]["lines"]] == [2, 2]
    with pytest.raises(ValueError, match="high is None; expected both low and high"):
        lines([1], [[3]], ["a"], low=[[2]], **AXES, **WORDS)
    with pytest.raises(ValueError, match="labels has 1 names; expected 2"):
        lines([1], [[3], [4]], ["a"], **AXES, **WORDS)


def test_a_table_has_a_line_for_each_row_or_x():
    rows = claim_intervals([ROW], xlabel="bits", **WORDS)
    assert rows.tables == {f"bits ({INTERVAL})": [{"": "a", "estimate": "1 (0.5 to 2)"}]}
    curves = claim_curves({"long": POINTS, "short": POINTS[1:2]}, "n", "kept", **AXES, **WORDS)
    (lines,) = curves.tables.values()
    assert lines[0] == {"units": "1", "long": "2 (1 to 3)", "short": "2 (1 to 3)"}
    assert lines[1] == {"units": "2", "long": "4 (2 to 6)"}


def test_what_the_bounds_are_is_never_assumed():
    with pytest.raises(ValueError, match="spread is ''; expected what the bounds are, such as '95"):
        claim_intervals([ROW], xlabel="bits", question="How?", unit="bits")
    assert claim_intervals({"a": (1, 1, 1)}, xlabel="bits", question="How?", unit="bits").rows
    assert claim_intervals([ROW], xlabel="bits", **WORDS | {"spread": ALL}).spread == ALL


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": "Bits"}, "question is 'Bits'; expected a question that ends in '\\?'"),
        ({"measure": ""}, "measure is ''; expected words at the axis"),
        ({"rows": []}, "there are 0 rows and 0 panels; expected either"),
        ({"panels": [{"title": "", "lines": []}]}, "1 rows and 1 panels; expected either"),
        ({"rows": [ROW, ROW]}, "'a', None.* occurs twice; expected different names"),
        ({"rows": [ROW | {"low": 1.5}]}, "a: value is 1.0; expected it from low, 1.5"),
        ({"rows": [ROW | {"value": float("nan")}]}, "a: value is nan"),
        ({"rows": [ROW | {"low": -1}], "log": "x"}, "a: low is -1; expected a number > 0"),
        ({"log": "z"}, "log is 'z'"),
        ({"share": True}, "a: the share is from 0.5 to 2.0; expected it from 0 to 1"),
        ({"marks": [3]}, "marks holds 3; expected a number and its name"),
        (
            {"rows": [ROW | {"value": 0.5, "high": 1, "count": (1, 2)}]},
            "share is False; expected True, as the estimates have counts",
        ),
        (
            {"rows": [ROW | {"value": 0.5, "high": 1, "count": (2, 2)}], "share": True},
            "a: value is 0.5; expected the share of 2 in 2",
        ),
        (
            {"rows": [ROW | {"value": 0.5, "high": 1, "count": (3, 2)}], "share": True},
            "a: count is 3; expected an integer of at most 2",
        ),
        (
            {"rows": [ROW | {"value": 0.5, "high": 1}], "share": True, "unit": ""},
            "unit is ''; expected words after a count or a percentage",
        ),
    ],
)
def test_bad_rows_are_named(change, message):
    good = {"measure": "bits", "rows": [ROW], **WORDS}
    assert Data(**good)
    with pytest.raises(ValueError, match=message):
        Data(**good | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": ""}, "x is ''; expected the quantity on the horizontal axis"),
        ({"log": "x"}, "a: x is 0; expected a number > 0, as log is 'x'"),
        ({"panels": [{"title": "", "lines": []}]}, "a panel has 0 lines; expected from 1 to 6"),
        (
            {"panels": [{"title": "", "lines": [{"label": "a", "points": []}]}]},
            "the line 'a' has no points",
        ),
        ({"panels": [{"title": "", "lines": [], "colour": 1}]}, r"a panel has \['colour'\]"),
    ],
)
def test_bad_panels_are_named(change, message):
    points = [{"x": 0, "value": 1, "low": 1, "high": 1}]
    panel = {"title": "", "lines": [{"label": "a", "points": points}]}
    good = {"measure": "bits", "panels": [panel], "x": "n", **WORDS}
    assert Data(**good)
    with pytest.raises(ValueError, match=message):
        Data(**good | change)


def test_a_question_asks_about_existing_rows_and_lines():
    rows = claim_intervals([ROW], xlabel="bits", **WORDS)
    asked = {"question": "How many bits?", "labels": ["a"], "x": [], "why": "", "hidden": ["a"]}
    assert rows.asking("a") == asked
    with pytest.raises(ValueError, match=r"ask is \['b'\]; expected some of a"):
        rows.asking("b")
    with pytest.raises(ValueError, match=r"x is \[1\]; expected none, as the estimates are rows"):
        rows.asking("a", [1])
    line = claim_curves({"long": POINTS}, "n", "kept", **AXES, **WORDS)
    assert line.asking("long", [2], "How many?")["x"] == [2]
    assert line.asking("long")["x"] == [1, 2, 4]
    with pytest.raises(ValueError, match=r"x is \[3\]; expected some of \[1, 2, 4\]"):
        line.asking("long", [3])
    assert line.answer(line.asking("long", [2])) == "long, units 2: 4 bits; 95 % interval: 2 to 6."
    assert line.asking("long", [2], hidden=["long"])["hidden"] == ["long"]
    with pytest.raises(ValueError, match=r"hidden is \['short'\]; expected names of lines"):
        line.asking("long", hidden=["short"])
    many = [row | {"n": n} for n, row in enumerate(POINTS * 2)]
    with pytest.raises(ValueError, match="ask for more than 5 guesses"):
        claim_curves({"long": many}, "n", "kept", **AXES, **WORDS).asking("long")


def test_the_figure_refuses_a_state_that_isnt_data():
    with pytest.raises(ValueError, match="spread is ''"):
        show("result", rows=[ROW], share=False, spread="")


def test_a_notebook_does_not_reveal_a_result_before_the_guess():
    said = "Of {of} networks, {learned[leaky, 0.99][50]} learn."
    question = "How many of {of}?"
    shown = experiments.show("time-scales", says=said, ask="leaky, α = 0.99", question=question)
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == "How many of 24?"
    assert bundle[MIME]["figure"]["question"] == ""
    output = (
        bundle["text/html"].partition("<script>")[0] + bundle["text/html"].split("</script>")[-1]
    )
    folded = output[output.index("<details><summary>What we found") :]
    assert shown.says == "Of 24 networks, 23 learn."
    assert shown.says in folded
    assert shown.says not in output.replace(folded, "")
    with pytest.raises(ValueError, match="expected None, as hessian-free shows a plot"):
        Shown(experiments.load("hessian-free"), ask="a")


def test_shares_of_typical_networks_are_medians_and_say_so():
    rows = [
        {"way": "a", "length": 5, "seed": seed, "right": right}
        for seed, right in enumerate([0, 0.8, 0.9, 0.9, 1, 1, 1])
    ]
    words = {"question": "How many?", "unit": "are right", "xlabel": "length", "ylabel": "right"}
    means, medians = (
        shares_over(rows, "way", "length", typical=one, **words) for one in (False, True)
    )
    assert by_line(means) == {"a": [(5, 0.8)]}
    assert by_line(medians) == {"a": [(5, 0.9)]}
    assert bounds(medians, "a") == [(0, 1)]
    assert (means.spread, medians.spread) == ("95 % interval", "95 % interval of the median")
    (line,) = tabulate_right(rows, "way", "length", typical=True)
    assert line == {"way": "a", "5": "0.90 (0.00 to 1.00)"}
