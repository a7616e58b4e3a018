"""Experiments are declared, run, stored, read and summed up as promised."""

import ast
import html
import json
import re
import types
from dataclasses import replace
from decimal import Decimal
from functools import partial, wraps

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, FUNCTION, INF, NAN

from press.claims import again, in_each_block
from rnn_helpers import experiments
from rnn_helpers.experiments import Summary, Verdict, each_seed, load, save, schema, store
from rnn_helpers.experiments.__main__ import main
from rnn_helpers.experiments.fingerprint import canonical
from rnn_helpers.experiments.plain import digest
from rnn_helpers.experiments.show import MIME, Shown
from rnn_helpers.experiments.tables import cells, separated
from rnn_helpers.experiments.words import (
    AtLeast,
    AtMost,
    Estimate,
    Numbers,
    Unforeseen,
    at_edges,
    crossed,
    either,
    grouped,
    listed,
    where,
)


def numbers(rows):
    return {"mean": Estimate.mean(row["square"] for row in rows), "seeds": len(rows)}


WORDS = {
    "numbers": numbers,
    "headline": ("mean", "mean square of {seeds}"),
    "verdict": Verdict(
        holds=(lambda n: n.mean.low > 0, "Holds."),
        in_part=(lambda n: n.mean.low < 0, "Holds in part, if they are few."),
    ),
    "finding": [
        (lambda n: n.seeds > 3, "All {seeds} squares are positive."),
        (lambda n: True, "Few squares were taken."),
    ],
    "saw": [
        "The mean square is {mean:.1f}.",
        (lambda n: n.seeds > 3, "All {seeds} are squares."),
        (lambda n: n.seeds > 30, "There are many."),
    ],
    "caveats": ["Roots were not taken."],
}


def run(config, seeds):
    """Square each seed.

    More about it.
    """
    return each_seed(
        lambda c, s: {"seed": s, "square": np.float64((s + c["plus"]) ** 2)}, config, seeds
    )


def endless(config, seeds):
    """Return numbers that JSON does not have."""
    return [{"seed": 0, "square": 1.0, "path": np.array([1.0, np.inf, np.nan])}] * 2


def register(run=run):
    experiments.experiment(
        claim="Squares are positive.",
        source="arithmetic",
        quick={"seeds": 3, "plus": 1},
        full={"seeds": 10, "plus": 1},
        plot={"few": lambda rows: rows[:1], "all": lambda rows: rows},
        table={"Squares": lambda rows: [{"root": row["seed"]} for row in rows[:1]] + [{"sum": 5}]},
        **WORDS,
    )(run)


@pytest.fixture
def squares(monkeypatch, tmp_path):
    """One registered experiment, and an empty folder of results."""
    entries = {}
    monkeypatch.setattr(schema, "_REGISTRY", entries)
    monkeypatch.setattr(schema, "CLAIMS", tmp_path)

    monkeypatch.setattr(run, "__module__", "claims.chapter_02.squares")
    register()
    entries["squares"].path.parent.mkdir(parents=True)
    return entries["squares"]


def test_a_module_that_is_loaded_again_replaces_its_experiment(squares, monkeypatch):
    register()
    assert schema._REGISTRY["squares"] is not squares
    other = types.FunctionType(run.__code__, run.__globals__)
    other.__doc__, other.__module__ = run.__doc__, "claims.chapter_03.squares"
    with pytest.raises(ValueError, match="declared already"):
        register(other)


def test_a_saved_result_is_loaded_unchanged(squares):
    result = store.run(squares)
    save(result)
    assert load("squares") == result
    assert result.seeds == list(range(10))
    assert result.config == {"plus": 1}
    assert result.method == "Square each seed."
    assert result.blocks[0].versions["numpy"] == np.__version__


def test_a_saved_file_is_plain_json_and_leaves_nothing_beside_it(squares):
    path = save(store.run(squares))
    assert [*path.parent.iterdir()] == [path]
    assert set(json.loads(path.read_text("utf-8"))) == {
        *("config", "fingerprint", "digest", "blocks", "rows")
    }


def test_a_run_that_cannot_be_stored_leaves_the_old_result(squares, monkeypatch):
    save(store.run(squares))
    before = load("squares")
    monkeypatch.setattr(store.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        save(store.run(squares, quick=True))
    assert load("squares") == before


def test_a_result_is_printed_with_its_number_and_its_interval(squares):
    result = store.run(squares)
    number = str(result.headline)
    assert re.fullmatch(r"mean square of 10: [\d.]+ \([\d.]+ to [\d.]+\)", number)
    assert number in str(result)


def test_a_second_block_has_new_seeds_and_is_pooled_with_the_first(squares):
    first = store.run(squares)
    save(store.run_again(first))
    both = load("squares")
    assert [block.seeds for block in both.blocks] == [list(range(10)), list(range(10, 20))]
    assert both.seeds == [row["seed"] for row in both.rows] == list(range(20))
    assert both.rows[:10] == first.rows
    assert both.fill("{seeds}") == "20"
    assert not both.stale
    assert both.of(both.blocks[0]) == first.headline
    assert both.of(both.blocks[1]).value == pytest.approx(np.mean(np.arange(11, 21) ** 2))


def test_a_page_gives_the_number_of_each_block(squares):
    first = store.run(squares)
    both = store.run_again(first)
    assert in_each_block(first) == ""
    assert in_each_block(both).startswith(f"seeds 0 to 9: {first.headline}; seeds 10 to 19: ")
    assert "run squares --block 2` took" in again(both)
    assert "--block" not in again(first)


def test_blocks_of_other_code_or_without_seeds_are_not_pooled(squares):
    first = store.run(squares)
    with pytest.raises(ValueError, match="'squares' is stale"):
        store.run_again(replace(first, fingerprint="other"))
    with pytest.raises(ValueError, match="have no seed"):
        store.run_again(replace(first, rows=[{"square": 1}]))


def test_a_file_without_blocks_is_read_as_one_block(squares):
    path = save(result := store.run(squares))
    parts = json.loads(path.read_text("utf-8"))
    (block,) = parts.pop("blocks")
    del parts["digest"], block["conditions"]
    parts |= block
    path.write_text(json.dumps(parts | {"digest": digest(parts)}), "utf-8")
    assert load("squares") == result


def test_the_table_shows_every_row(squares):
    result = store.run(squares, quick=True)
    assert result.table().splitlines() == [
        "seed  square",
        "   0       1",
        "   1       4",
        "   2       9",
    ]
    assert result.table(["square"]).split() == ["square", "1", "4", "9"]
    assert result.table(layout=separated) == "seed,square\n0,1\n1,4\n2,9\n"
    with pytest.raises(ValueError, match="cube"):
        result.table(["cube"])


def test_stored_rows_contain_no_infinity(squares):
    result = store.run(replace(squares, function=endless), quick=True)
    assert result.rows[0]["path"] == [1.0, None, None]


def test_the_text_of_a_result_is_made_from_its_rows_when_it_is_read(squares, monkeypatch):
    save(store.run(squares))
    entry = replace(squares, claim="Other words.", saw=["Other words."], caveats=[])
    monkeypatch.setitem(schema._REGISTRY, "squares", entry)
    stored = load("squares")
    assert (stored.claim, stored.summary.text) == ("Other words.",) * 2
    assert not stored.stale


def test_a_result_fills_a_template_with_its_numbers(squares):
    few = store.run(squares, quick=True)
    assert few.fill("{mean.value:.1f}, from {seeds} seeds") == "4.7, from 3 seeds"


def test_the_verdict_has_one_sentence_and_the_text_all_that_hold(squares):
    few, many = store.run(squares, quick=True), store.run(squares)
    assert (few.verdict, many.verdict) == ("Holds in part, if they are few.", "Holds.")
    assert few.summary.text == "The mean square is 4.7 (-5.4 to 14.7). Roots were not taken."
    assert many.summary.text.endswith("All 10 are squares. Roots were not taken.")
    assert str(few.headline) == "mean square of 3: 4.67 (-5.37 to 14.7)"


def test_an_outcome_without_words_is_named_and_keeps_its_numbers(squares, capsys, monkeypatch):
    findings = [(lambda n: n.seeds < 50, "There are few squares.")]
    squares = replace(squares, full={"seeds": 99, "plus": 1}, finding=findings)
    monkeypatch.setitem(schema._REGISTRY, "squares", squares)
    save(result := store.run(squares))
    with pytest.raises(Unforeseen, match=r"squares: .*no words are written for: mean 3\S+ \("):
        str(load("squares").verdict)
    assert result.headline.value == pytest.approx(3316.7, rel=1e-3)
    assert result.plot("all")[-1]["square"] == 99**2
    assert "squares: an outcome that no words are written for\n  mean square of 99" in str(result)
    assert main(["list"]) == 0
    assert "no words are written for" in capsys.readouterr().out


def test_a_result_draws_its_rows(squares):
    result = store.run(squares, quick=True)
    assert (result.plot(), result.plot("all")) == (result.rows[:1], result.rows)
    with pytest.raises(ValueError, match=r"which is 'some'.*few.*all"):
        result.plot("some")
    with pytest.raises(ValueError, match="squares has no picture"):
        store.run(replace(squares, pictures={}), quick=True).plot()


def test_the_finding_is_the_first_that_holds(squares):
    few, many = store.run(squares, quick=True), store.run(squares)
    assert few.summary.finding == "Few squares were taken."
    assert many.summary.finding == "All 10 squares are positive."
    assert "All 10 squares are positive." in str(many)


def test_a_finding_without_a_condition_goes_with_any_verdict(squares):
    result = store.run(replace(squares, finding="We took {seeds} squares."), quick=True)
    assert result.summary.finding == "We took 3 squares."


def test_findings_may_be_given_by_the_kind_of_the_verdict(squares):
    findings = {"holds in part": "Only {seeds}.", "holds": "All {seeds}."}
    squares = replace(squares, finding=findings)
    assert store.run(squares, quick=True).summary.finding == "Only 3."
    assert store.run(squares).summary.finding == "All 10."
    with pytest.raises(Unforeseen):
        _ = store.run(replace(squares, finding={"holds in part": "Only {seeds}."})).summary


def test_a_table_has_every_column_that_one_of_its_lines_has(squares):
    result = store.run(squares, quick=True)
    assert result.tables == {"Squares": [{"root": 0}, {"sum": 5}]}
    assert cells(result.tables["Squares"]) == [["root", "sum"], ["0", "–"], ["–", "5"]]
    assert str(result).endswith("\nSquares\nroot  sum\n   0    –\n   –    5")


def test_rows_are_crossed_by_two_of_their_columns():
    rows = [{"a": 1, "b": 2, "c": 5}, {"a": 1, "b": 2, "c": 7}, {"a": 3, "b": 4, "c": 9}]
    table = crossed(rows, "a", "b", lambda some: max(row["c"] for row in some), each="b = {}")
    assert table == [{"a": 1, "b = 2": 7}, {"a": 3, "b = 4": 9}]
    assert crossed(rows[:1], "a", "b", len, heading="first") == [{"first": 1, "2": 1}]


def test_a_chapters_sentence_must_agree_with_the_rows(squares):
    def shown(taught):
        entry = replace(squares, pictures={}, taught=taught)
        return Shown(store.run(entry), says="There are {seeds} squares.").says

    assert shown(lambda n: n.seeds == 10) == "There are 10 squares."
    with pytest.raises(Unforeseen, match="squares: the rows no longer show what the chapter says"):
        shown(lambda n: n.seeds > 10)
    with pytest.raises(Unforeseen, match="squares has no condition `taught`"):
        shown(None)


@pytest.mark.slow
def test_an_experiment_is_shown_as_a_figure_with_the_chapters_sentence(pixels):
    result = load("learning-rate")
    shown = experiments.show("learning-rate", says="At {eta:g}, all <b>learn</b>.")
    bundle = shown._repr_mimebundle_()
    told = bundle[MIME]
    assert told["says"] == "At 1, all <b>learn</b>."
    assert "At 1, all &lt;b&gt;learn&lt;/b&gt;." in bundle["text/html"]
    assert 'How we know: <code>experiments.load("learning-rate")</code>' in bundle["text/html"]
    assert "At 1, all" in bundle["text/plain"]
    assert told["plot"] is None
    assert told["figure"]["alt"] == result.data().description
    assert result.data().description in bundle["text/plain"]
    for words in (result.claim, result.experiment.source, result.summary.finding, result.verdict):
        assert words not in html.unescape(bundle["text/html"]) + bundle["text/plain"]
    recall = experiments.show("truncated-gradient", "recall")
    assert recall.plot.alt == load("truncated-gradient").plot("recall").alt


def test_a_claim_without_a_picture_is_shown_without_one(squares):
    bare = store.run(replace(squares, pictures={}), quick=True)
    assert Shown(bare).plot is None
    with pytest.raises(ValueError, match="squares has no picture"):
        Shown(bare, "any")


def test_an_estimate_is_written_with_its_interval_wherever_it_stands():
    one = Estimate(0.8123, 0.78, 0.845)
    assert f"{one:.2f}" == "0.81 (0.78 to 0.84)"
    assert f"{one}" == str(one) == "0.812 (0.78 to 0.845)"
    assert listed("{} {:+.1f}", {"tanh": one, "ReLU": one}.items(), "; ").startswith("tanh +0.8 (")
    assert listed("{a}", [{"a": 1}, {"a": 2}]) == "1, 2"


def test_a_cell_with_a_comma_stays_one_cell():
    lines = [["seed", "right"], ["0", "0.5"], ["1", "0.5, or so"]]
    assert separated(lines) == 'seed,right\n0,0.5\n1,"0.5, or so"\n'


@pytest.mark.parametrize(
    ("alternatives", "form", "joined"),
    [([], "", ""), (["GRU"], "", "GRU"), ([0.5, 20], "g", "0.5 or 20"),
     ([1000, 2000, 3000], ",", "1,000, 2,000 or 3,000")],
)  # fmt: skip
def test_alternatives_are_joined_by_commas_and_one_or(alternatives, form, joined):
    assert either(alternatives, form) == joined
    assert Estimate.mean([1, 0, 1], (0, 1)).high == 1
    assert Estimate.rate([True, False]).value == 0.5
    assert Estimate.paired([True, True], [False, True]).value == 0.5


@given(st.floats(0, 1))
def test_a_bound_still_holds_when_it_is_written_with_few_digits(share):
    below, above = (
        Decimal(f"{bound:.1%}".rstrip("%")) / 100 for bound in (AtLeast(share), AtMost(share))
    )
    assert below <= Decimal(repr(share)) <= above
    assert above - below <= Decimal("0.001")


def test_a_bound_is_rounded_down_or_up():
    assert f"{AtLeast(0.999655):.1%}" == "99.9%"
    assert f"{AtMost(3.4e-15):.0e}" == "4e-15"
    assert f"{AtLeast(0.29):.0%} {AtMost(0.29):.0%} {AtLeast(1):.0%}" == "29% 29% 100%"


def test_rates_at_the_edge_are_named_once_for_all_seeds():
    rows = [
        {"way": way, "reach": reach, "seed": seed, "eta": 0.04, "at_edge": way == "a"}
        for way in "ab"
        for reach in (1, 2)
        for seed in range(3)
    ]
    assert at_edges(rows, "way") == "a (0.04)"
    assert at_edges(rows, "way", "reach") == "a, 1 (0.04), a, 2 (0.04)"
    assert at_edges(rows, "reach", "way", each="{} by {}") == "1 by a (0.04), 2 by a (0.04)"
    assert at_edges(rows[6:], "way") == ""


def test_rows_are_grouped_and_chosen_by_their_columns():
    rows = [{"a": 1, "b": 2, "c": 0}, {"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 4, "c": 2}]
    assert grouped(rows, "a") == {1: [rows[0], rows[2]], 3: [rows[1]]}
    assert list(grouped(rows, "a", "b")) == [(1, 2), (3, 2), (1, 4)]
    assert where(rows, a=1, b=4) == [rows[2]]


@pytest.mark.parametrize(
    ("damage", "wrong"),
    [
        (lambda text: text[: len(text) // 2], "delimiter|Expecting|Unterminated"),
        (lambda text: "", "Expecting value"),
        (lambda text: "{}", "config"),
        (lambda text: "[]", "a list"),
        (lambda text: re.sub('"fingerprint": .*', "", text), "fingerprint"),
        (lambda text: re.sub('"date": "[^"]*"', '"date": "1926-11-27"', text), "edited"),
        (lambda text: text.replace("{", '{"more": 1, ', 1), "more"),
        (lambda text: text.replace('"square": 4.0', '"square": 4.1'), "edited"),
        (lambda text: re.sub(',\n[^\n]*"square": 100.0}', "", text), "edited"),
        (lambda text: text.replace('"plus": 1', '"plus": 2'), "edited"),
    ],
)
def test_a_damaged_or_edited_result_names_itself_and_what_is_wrong(squares, damage, wrong, capsys):
    path = save(store.run(squares))
    text = path.read_text("utf-8")
    assert damage(text) != text
    path.write_text(damage(text), "utf-8")
    with pytest.raises(ValueError, match=rf"'squares' is damaged: .*({wrong})"):
        load("squares")
    assert main(["list"]) == 0
    assert "'squares' is damaged" in capsys.readouterr().out


def test_the_layout_of_a_file_does_not_change_its_result(squares):
    path = save(store.run(squares))
    before = load("squares")
    path.write_text(
        json.dumps(json.loads(path.read_text("utf-8")), indent=4, sort_keys=True), "utf-8"
    )
    assert load("squares") == before


def test_a_result_has_the_fingerprint_from_before_its_run(squares, monkeypatch):
    codes = iter(["before", "after"])
    monkeypatch.setattr(schema, "fingerprint", lambda *_: next(codes))
    assert store.run(squares, quick=True).fingerprint == "before"


def test_another_backend_of_joblib_gives_the_same_rows(squares):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert store.run(squares, quick=True).rows == store.run(squares, quick=True).rows


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("def f(x):\n    return x + 1", 'def f( x ):\n  "Doc."\n  # why\n  return (x+1)', True),
        ("@experiment(1)\ndef f(x):\n    return x", "def f(x):\n    return x", True),
        ("@d(1)\ndef f(x):\n    return x", "@d(2)\ndef f(x):\n    return x", False),
        ("def f(x: int) -> int:\n    return x", "def f(x):\n    return x", True),
        ("def f(x):\n    return x + 1", "def f(x):\n    return x - 1", False),
        ("def f(x):\n    return x + 1", "def f(x):\n    return x + 2", False),
        ("a = None", "a = 0", False),
    ],
)
def test_the_fingerprint_depends_on_the_computation_and_not_on_the_layout(before, after, same):
    trees = (canonical(ast.parse(code)) for code in (before, after))
    assert (next(trees) == next(trees)) is same


def test_the_fingerprint_depends_on_the_settings(squares):
    other = replace(squares, full={"seeds": 10, "plus": 2})
    assert other.fingerprint != squares.fingerprint


def test_an_unknown_name_lists_the_near_ones(squares):
    with pytest.raises(ValueError, match=r"sqares.*squares"):
        load("sqares")
    with pytest.raises(ValueError, match="run squares"):
        load("squares")


DECLARED = WORDS | {"claim": "", "source": "", "quick": {"seeds": 2}, "full": {"seeds": 10}}


@pytest.mark.parametrize("change", [{"quick": {"seeds": 1}}, {"full": {"seeds": 9}}])
def test_too_few_seeds_are_refused(change, monkeypatch):
    monkeypatch.setattr(run, "__module__", "claims.chapter_02.cubes")
    with pytest.raises(ValueError, match=f"the number of seeds in {next(iter(change))}"):
        experiments.experiment(**DECLARED | change)(run)


@pytest.mark.parametrize("module", ["claims.chapter_02", "chapter_2.cubes", "chapter_02.Cubes"])
def test_a_claim_that_lies_elsewhere_is_refused(module, monkeypatch):
    monkeypatch.setattr(run, "__module__", module)
    with pytest.raises(ValueError, match=rf"{module}.*chapter_NN"):
        experiments.experiment(**DECLARED)(run)


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (1, 2, 3, "Holds."),
        (1, 0, float("inf"), "Holds."),
        *((1, 0, 2, bad) for bad in ("perhaps", "", "holds", "holds if small", "It holds.")),
        *(
            (1, 0, 2, bad)
            for bad in ("Holds", "Holds in part, if small", "Holds: always.", "Holds, mostly.")
        ),
    ],
)
def test_a_bad_summary_is_refused(value, low, high, verdict):
    with pytest.raises(ValueError):
        Summary(value, low, high, "", verdict, "")


@pytest.mark.parametrize(
    ("verdict", "kind"),
    [
        ("Holds in part, if the input is small,\nor large.", "holds in part"),
        ("Holds in part, if the input is small.", "holds in part"),
        ("Holds.", "holds"),
        ("Holds. All 10 networks learn it.", "holds"),
        ("Does not hold. None learns it.", "does not hold"),
        ("Undecided. The interval is too wide.", "undecided"),
    ],
)
def test_a_verdict_is_of_one_of_four_kinds(verdict, kind):
    assert Summary(1, 0, 2, "", verdict, "").kind == kind


def test_a_verdict_is_the_first_condition_that_is_met_or_undecided(squares):
    verdict = Verdict(
        holds=(lambda n: n.mean.low > 30, "Holds."),
        in_part=(lambda n: n.seeds < 3, "Holds in part, if there are few."),
        fails=(lambda n: n.mean.high < 10, "Does not hold. It is {mean.value}."),
    )
    few = store.run(replace(squares, verdict=verdict, finding={"holds": "Many."}), quick=True)
    assert few.verdict == "Undecided. The numbers don't decide."
    assert few.summary.finding == "These runs don't decide the question."
    for kind, mean, seeds in (
        ("holds", 40, 2),
        ("holds in part", 20, 2),
        ("does not hold", 5, 3),
        ("undecided", 15, 3),
    ):
        numbers = {"mean": Estimate(mean, mean - 5, mean + 4), "seeds": seeds}
        assert verdict.kind(Numbers(**numbers)) == kind


def test_numbers_that_also_meet_the_condition_of_failure_decide_nothing():
    """A lead that is clear but too small to matter neither holds nor fails."""
    verdict = Verdict(
        holds=(lambda n: n.ahead.low > 0, "Holds."),
        fails=(lambda n: n.ahead.high < 0.05, "Does not hold."),
    )
    for ahead, kind in ((0.1, "holds"), (0.02, "undecided"), (-0.1, "does not hold")):
        numbers = Numbers(ahead=Estimate(ahead, ahead - 0.01, ahead + 0.01))
        assert verdict.kind(numbers) == kind


def test_a_claim_that_holds_only_in_a_case_its_source_does_not_mean_fails(squares):
    verdict = Verdict(restricted=(lambda n: True, "Does not hold. Only small squares are small."))
    finding = {"restricted": "Small squares are small.", "does not hold": "No square is small."}
    said = store.run(replace(squares, verdict=verdict, finding=finding), quick=True).summary
    assert said.kind == "does not hold"
    assert said.finding == "Small squares are small."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [("holds", "Holds in part, if it is small."), ("in_part", "Holds."), ("fails", "It fails.")],
)
def test_a_verdict_with_a_sentence_of_another_kind_is_refused(kind, sentence):
    with pytest.raises(ValueError, match=sentence):
        Verdict(**{kind: (lambda n: True, sentence)})


def test_a_verdict_can_say_why_nothing_was_tested():
    verdict = Verdict(otherwise="Undecided. The text is too short.")
    assert verdict.kind(Numbers()) == "undecided"
    assert verdict.sentence(Numbers()) == "Undecided. The text is too short."
    with pytest.raises(ValueError, match="Too short"):
        Verdict(otherwise="Too short.")


def test_intervals_overlap_when_they_share_a_point():
    a, b, c = (Summary(v, v - 1, v + 1, "", "Holds.", "") for v in (0, 2, 3))
    assert a.overlaps(b)
    assert b.overlaps(a)
    assert not a.overlaps(c)


def test_the_command_line_lists_runs_and_stores(squares, capsys, monkeypatch):
    assert main(["run", "squares", "--quick"]) == 0
    assert "mean square" in capsys.readouterr().out
    assert main(["list"]) == 0
    assert "not run yet" in capsys.readouterr().out
    assert main(["run", "squares"]) == 0
    assert str(squares.path) in capsys.readouterr().out
    assert main(["list"]) == 0
    assert "\n    Holds.\n" in capsys.readouterr().out
    monkeypatch.setitem(schema._REGISTRY, "squares", replace(squares, full={"seeds": 11}))
    assert main(["list"]) == 0
    assert "\n    stale" in capsys.readouterr().out


def test_the_command_line_names_an_unknown_experiment(squares, capsys):
    assert main(["run", "cubes"]) == 2
    assert "cubes" in capsys.readouterr().err


def test_save_refuses_anything_but_a_result(tmp_path, monkeypatch):
    monkeypatch.setattr("rnn_helpers.experiments.schema.CLAIMS", tmp_path)
    with pytest.raises(TypeError, match="result is 3"):
        save(3)
    assert list(tmp_path.iterdir()) == []


@wraps(experiments.experiment)
def declare_experiment(module="claims.chapter_02.cubes", **given):
    def run(config, seeds):
        """Do nothing."""

    run.__module__ = module
    return experiments.experiment(**given)(run)


REFUSALS = {
    experiments.each_seed: (
        {"one": lambda config, seed: {}, "config": {}, "seeds": [0]},
        {"one": [None, *FUNCTION], "seeds": [None, 3, []]},
    ),
    partial(
        declare_experiment,
        quick={"seeds": 2},
        full={"seeds": 10},
        claim="",
        source="",
        numbers=abs,
        headline=("right", "share"),
        finding="",
        verdict=experiments.Verdict(),
    ): (
        None,
        {
            "module": [None, "", 3, "A b", "zero_init", "chapter_04.zero_init"],
            "quick": [None, {}, {"seeds": 1}, {"seeds": "a"}],
            "full": [None, {}, {"seeds": 9}],
            "numbers": [None, *FUNCTION],
            "timed": [3, "seconds", ["seconds"]],
        },
    ),
    experiments.experiments: ({}, {}),
    experiments.find: (
        {"slug": "zero-init"},
        {"slug": [None, 3, "", "zero", ["a"], NAN, {}, "a" * 300]},
    ),
    experiments.load: (
        {"slug": "zero-init"},
        {"slug": [None, 3, "", "../registry", "zero", ["a"], NAN, "\0"]},
    ),
    experiments.save: (None, {"result": [None, 3, {}]}),
    experiments.show: (
        {"slug": "learning-rate"},
        {"slug": [None, 3, "", "zero", ["a"], NAN, {}], "which": [3, "", "zero", ["a"], NAN, {}]},
    ),
    experiments.Summary: (
        {"value": 1.0, "low": 0.0, "high": 2.0, "unit": "", "verdict": "Holds.", "text": ""},
        {
            "value": [NAN, 3, "a", None],
            "low": [NAN, 3, "a"],
            "high": [INF, 0, "a"],
            "verdict": ["", "maybe", None, 3],
        },
    ),
    experiments.Verdict: (
        {"fails": (bool, "Does not hold.")},
        {
            name: [3, "Holds.", (bool, 3), (3, "Holds."), (bool, "Perhaps.")]
            for name in ("holds", "in_part", "fails")
        },
    ),
    experiments.load("zero-init").table: ({}, {"columns": [["no"], 3, "seed"], "digits": COUNT}),
}
