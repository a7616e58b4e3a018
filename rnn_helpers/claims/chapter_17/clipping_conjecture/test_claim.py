"""Check how the comparison of clipping methods pairs, chooses and judges."""

import joblib
import numpy as np
import pytest
from verdicts import about

from rnn_helpers.claims.chapter_17 import clipping_conjecture as conjecture
from rnn_helpers.claims.chapter_17.clipping_conjecture import (
    CLIPPINGS,
    KINDS,
    MARGIN,
    METHODS,
    almost_as_good,
    data,
    judged,
    train,
)
from rnn_helpers.experiments import find
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.success import start
from rnn_helpers.experiments.words import where
from rnn_helpers.tasks import bigram_bits, unigram_bits


def clippings(norm_element, norm_hidden, random_step):
    """Return differences on one task between clipping methods, and for the random step."""
    pairs = {"norm, element": about(norm_element, 0.08), "norm, hidden": about(norm_hidden, 0.08)}
    return {
        "pairs": {"latch": pairs},
        "random": {"latch": about(random_step, 0.08)},
        "on_half": about(max(norm_element, norm_hidden, -random_step), 0.08),
    }


CASES = {
    "holds": clippings(norm_element=0, norm_hidden=0, random_step=0),
    "holds in part": clippings(norm_element=0, norm_hidden=0, random_step=-0.3),
    "does not hold": clippings(norm_element=0, norm_hidden=0.3, random_step=-0.3),
    "undecided": clippings(norm_element=0.06, norm_hidden=0.06, random_step=0),
}
TINY = {"start": "gaussian", "radius": 1.3, "length": 6, "batch_size": 4, "steps": 12}
ONE_EACH = {
    "none": [[0.1]],
    "norm": [[0.1], [0.05]],
    "element": [[0.1], [0.01]],
    "hidden": [[0.1], [0.01]],
    "random step": [[0.1], [0.05]],
}
CONFIG = {
    "n_h": 5,
    "choosing": 2,
    "methods": list(METHODS),
    "first": {method: [1] * len(ladders) for method, ladders in ONE_EACH.items()},
    "tasks": {name: TINY | {"grids": ONE_EACH} for name in KINDS},
}


def rows_of(task="latch", n=100, **learned):
    """Return made-up rows, in which the first networks of each method have learned the task."""
    return [
        {"task": task, "method": method, "seed": seed, "learned": int(seed < count)}
        | {"diverged": 0, "exceeded": 0.5, "lr": 0.1, "threshold": 1.0, "at_edge": False}
        for method, count in learned.items()
        for seed in range(n)
    ]


# the verdict --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (-MARGIN, MARGIN, "alike"),
        (0.01, 0.09, "alike"),  # a difference, but a small one
        (-0.02, MARGIN + 0.01, "undecided"),
        (-MARGIN - 0.01, 0.02, "undecided"),
        (0.01, 0.3, "apart"),
        (-0.3, -0.01, "apart"),
    ],
)
def test_two_methods_are_alike_within_the_margin_alone(low, high, kind):
    assert judged(low, high) == kind


GOOD = {"none": 10, "norm": 98, "element": 97, "hidden": 99, "random step": 97}
WORSE = GOOD | {"random step": 30}
APART = GOOD | {"hidden": 60}


def summed(*tasks, n=100):
    rows = [
        row
        for name, learned in zip("abcd", tasks, strict=False)
        for row in rows_of(name, n, **learned)
    ]
    return find("clipping-conjecture").sum_up(rows)


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ((GOOD, GOOD), "Holds. On all 2 tasks"),
        (
            (GOOD, WORSE),
            "Holds in part, if random steps are left out. They do worse than clipping by norm on 1 "
            "of 2",
        ),
        ((GOOD, APART), "Does not hold. The three ways to clip differ on 1 of 2 tasks, and"),
        ((APART | {"random step": 30}, GOOD), "Does not hold. The three ways to clip differ on 1"),
        ((GOOD, GOOD, APART), "Undecided."),  # on one task in three
        ((GOOD, GOOD, APART, WORSE), "Does not hold."),
    ],
)
def test_the_conjecture_is_about_all_tasks_and_about_the_random_step(tasks, expected):
    assert summed(*tasks).verdict.startswith(expected)


def test_an_undecided_difference_does_not_make_methods_alike():
    few = {"norm": 18, "element": 18, "hidden": 18, "random step": 17}
    assert summed(few, n=20).verdict.startswith("Undecided.")


def test_the_largest_difference_decides():
    rows = rows_of("order", norm=20, element=50, hidden=50) + rows_of(
        norm=98, element=97, hidden=60
    )
    found = find("clipping-conjecture").measure(rows)
    assert found.value == pytest.approx(0.38)
    assert found.low > 0.25


def test_the_finding_names_the_methods_that_fall_behind():
    assert summed(GOOD, WORSE).finding.startswith("All three ways to clip work about equally well")
    assert summed(GOOD, GOOD).finding.startswith("We found no clear difference")
    behind = "work about equally well on every task, but clipping on the states "
    assert behind + "and random steps do worse" in summed(GOOD, WORSE, APART).finding
    assert behind + "does worse" in summed(GOOD, APART).finding
    assert summed(GOOD | {"element": 50}).finding.startswith(
        "Clipping on the states and random steps"
    )


def test_one_table_counts_networks_that_learn_and_one_judges_differences():
    rows = rows_of(**GOOD) + rows_of("letters", **WORSE)
    for row in where(rows, task="latch", method="hidden")[:2]:
        row["diverged"] = 1
    lines = {line["method"]: line for line in conjecture.table(rows)}
    assert lines["none"] == {"method": "none", "latch": "10 of 100", "letters": "10 of 100"}
    assert lines["hidden"]["latch"] == "99 of 100 (2 diverged)"
    *pairs, random_step = conjecture.table_differences(rows)
    assert [line["methods"] for line in pairs] == [
        "norm minus element",
        "norm minus hidden",
        "element minus hidden",
    ]
    assert all(line["latch"].endswith(", alike") for line in pairs)
    assert random_step["methods"] == "random step minus norm"
    assert random_step["latch"].endswith(", almost as well")
    assert random_step["letters"].startswith("-0.68 (")
    assert random_step["letters"].endswith(", worse")


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (-MARGIN, 0.3, "almost as well"),  # better is good enough
        (-MARGIN - 0.01, 0.0, "undecided"),
        (-0.3, -0.01, "worse"),
    ],
)
def test_almost_as_well_means_no_worse_than_the_margin(low, high, kind):
    assert almost_as_good(low, high) == kind


# the data ----------------------------------------------------------------------------------------


def test_the_networks_that_learn_are_counted_by_task_and_method():
    shown = data(rows_of(**GOOD) + rows_of("order", **WORSE))
    assert list(dict.fromkeys(row["under"] for row in shown.rows)) == [
        "hold a bit (50\u00a0steps)",
        "tell the order of two symbols (20\u00a0steps)",
    ]
    assert [row["value"] for row in shown.rows][:5] == [0.98, 0.97, 0.99, 0.97, 0.1]
    assert [row["count"] for row in shown.rows][:2] == [(98, 100), (97, 100)]


# the runs -----------------------------------------------------------------------------------------


@pytest.fixture
def seen(monkeypatch):
    """The seeds, initial weights and minibatches of every network that is trained."""
    seen, plain = [], conjecture.fit

    def watched(model, params, batches, **settings):
        batches = [next(batches) for _ in range(settings["steps"])]
        seen.append((params, batches))
        return plain(model, params, batches, **settings)

    monkeypatch.setattr(conjecture, "fit", watched)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("task", KINDS)
def test_methods_start_from_the_same_weights_and_receive_the_same_minibatches(task, seen):
    for method in METHODS:
        train(task, method, 0.1, 0.05, [3, 4], CONFIG)
    (params, batches), *others = seen
    for same, equal in others:
        for name, p in params.items():
            np.testing.assert_array_equal(p, same[name])
        for one, two in zip(batches, equal, strict=True):
            for a, b in zip(one, two, strict=True):
                np.testing.assert_array_equal(a, b)


def test_settings_are_chosen_on_seeds_that_are_not_reported(monkeypatch):
    used, plain = [], conjecture.train

    def watched(name, method, lr, threshold, seeds, config):
        used.append((list(seeds), lr, threshold))
        return plain(name, method, lr, threshold, seeds, config) | {"lr": lr}

    monkeypatch.setattr(conjecture, "train", watched)
    # the second rate alone is good
    good = lambda config, cell, made, seeds, part: np.full(len(seeds), made["lr"] == 0.2)  # noqa: E731
    monkeypatch.setattr(conjecture, "_measured", good)
    grid = {"norm": [[0.1, 0.2, 0.4], [0.5, 1.0, 2.0]]}
    config = CONFIG | {"methods": ["norm"], "tasks": {"latch": TINY | {"grids": grid}}}
    rows = conjecture.run(config | {"first": {"norm": [2, 3]}}, [0, 1, 2])
    assert [seeds for seeds, *_ in used] == [separate(2)] * (len(used) - 1) + [[0, 1, 2]]
    assert {(row["lr"], row["threshold"]) for row in rows} == {used[-1][1:]} == {(0.2, 1.0)}


def test_letters_are_chosen_on_another_part_of_the_text():
    task = conjecture.Letters()
    params, _ = start(task, "gaussian", [3, 4], n_h=5, radius=1.3)
    chosen, told = (conjecture._bits(params, task, 6, [3, 4], part) for part in (1, 0))
    assert (chosen != told).all()


def test_every_method_tries_equally_many_settings_and_can_extend_its_grid():
    full = find("clipping-conjecture").full
    assert {np.prod(first) for first in full["first"].values()} == {9}
    for name, settings in full["tasks"].items():
        for method, ladders in settings["grids"].items():
            for ladder, first in zip(ladders, full["first"][method], strict=True):
                assert ladder == sorted(set(ladder)), (name, method)
                assert len(ladder) >= first + 4


def test_a_value_at_the_edge_of_its_grid_is_named():
    rows = rows_of(**GOOD)
    assert "lowest or highest" not in find("clipping-conjecture").sum_up(rows).text
    rows[0] |= {"at_edge": True}
    said = "highest that we tried for none (latch), so another"
    assert said in find("clipping-conjecture").sum_up(rows).text


@pytest.mark.slow
@pytest.mark.parametrize("task", KINDS)
def test_every_method_changes_what_is_learned(task):
    made = {method: train(task, method, 0.1, 0.01, [0, 1], CONFIG) for method in METHODS}
    assert made["none"]["exceeded"] == 0
    for method in METHODS[1:]:
        assert made[method]["exceeded"] > 0
        assert (made[method]["params"]["W"] != made["none"]["params"]["W"]).any()


def test_divergence_is_counted_and_is_no_success():
    config = CONFIG | {
        "methods": ["none"],
        "tasks": {"adding": TINY | {"grids": {"none": [[1e6]]}}},
    }
    rows = conjecture.run(config, [0, 1])
    assert [(row["diverged"], row["learned"]) for row in rows] == [(1, 0)] * 2


def test_the_mark_of_the_letters_lies_between_two_tables():
    learned, text = KINDS["letters"].learned, conjecture.text()
    assert len(text.alphabet) == conjecture.Letters.n_x
    assert learned(bigram_bits(text))
    assert not learned(unigram_bits(text))


def test_all_three_clippings_are_compared_in_the_quick_run():
    assert find("clipping-conjecture").quick["methods"] == list(CLIPPINGS)


# a cluster ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_rows():
    distributed = pytest.importorskip("distributed")
    config = CONFIG | {"methods": ["none", "norm"], "tasks": {"latch": CONFIG["tasks"]["latch"]}}
    serial = conjecture.run(config, [0, 1])
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        clustered = conjecture.run(config, [0, 1])
    assert len(serial) == 4
    assert clustered == serial
