"""What is said of networks that look facts up follows from the runs."""

import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_18.told_addresses import ALONE, METHODS, TOLD, Looking

pytestmark = pytest.mark.chapter("18")


def drawn_rows(soft=(20, 20), hard=(20, 12), late=2, turned=3):
    """Rows of 20 networks of each kind, by one fact and by two, of which so many learn.

    Hard ones take `late` times the steps; of those that do not learn from two facts, so many
    always look at a wrong one first.
    """
    rows = []
    for address, counts in (("soft", soft), ("hard", hard)):
        for hops, count in enumerate(counts, start=1):
            for seed in range(20):
                learned, lost = seed < count, seed >= 20 - turned
                rows.append(
                    {"address": address, "hops": hops, "seed": seed, "eta": 0.02}
                    | {"right": 1.0 if learned else 0.33 if lost else 0.9}
                    | {"first": 0.0 if lost else 1.0, "missed": 0 if learned else 1}
                    | {"learned_at": 100 * (late if address == "hard" else 1) if learned else None}
                    | {"steps": [100, 200], "course": [0.5, 1.0], "at_edge": False}
                )
    return rows


def test_decisions_are_harder_where_fewer_learn_or_where_they_learn_later():
    said = find("soft-or-hard").sum_up(drawn_rows())
    assert said.verdict.startswith("Holds. With any number of facts")
    assert "hard networks take 2.0 times as many steps as soft ones." in said.text
    assert said.value == pytest.approx(8 / 20)
    assert verdict("soft-or-hard", drawn_rows(hard=(12, 12), late=1)).startswith(
        "Holds. With any number"
    )


def test_one_decision_alone_may_be_no_harder():
    said = verdict("soft-or-hard", drawn_rows(late=1))
    assert said.startswith("Holds in part, if 2 facts lead to the answer")


def test_learning_later_is_harder_but_learning_as_often_and_as_soon_is_not():
    assert verdict("soft-or-hard", drawn_rows(hard=(20, 20))).startswith("Holds. With any number")
    assert verdict("soft-or-hard", drawn_rows(hard=(20, 20), late=1)).startswith("Does not hold.")
    # 4 of 20 more are too few to tell, 6 are enough
    assert verdict("soft-or-hard", drawn_rows(hard=(20, 17), late=1)).startswith("Undecided.")
    assert verdict("soft-or-hard", drawn_rows(hard=(20, 14), late=1)).startswith(
        "Holds in part, if 2"
    )


def test_where_the_soft_do_not_learn_nothing_is_compared():
    assert verdict("soft-or-hard", drawn_rows(soft=(20, 14), hard=(20, 0))).startswith("Undecided")
    assert verdict("soft-or-hard", drawn_rows(soft=(20, 15), hard=(20, 0))).startswith("Holds. ")


def test_the_lost_and_those_that_go_around_are_counted_apart():
    found = find("soft-or-hard").numbers(drawn_rows())
    assert (found["turned"], found["others"], found["around"]) == (3, 5, 3)
    assert found["turned_right"] == pytest.approx(0.33)
    assert found["missed"] == 1
    text = find("soft-or-hard").sum_up(drawn_rows()).text
    assert "3 read a wrong fact first" in text
    assert "Another 5 answer wrong" in text


def test_who_learned_after_the_last_test_has_no_step_to_compare():
    rows = drawn_rows()
    for row in rows:
        row["learned_at"] = row["learned_at"] if row["seed"] < 2 else None
    found = find("soft-or-hard").numbers(rows)
    assert found["later"][1].value == pytest.approx(2)
    assert found["learned"][1]["hard"].value == 1


def told_rows(learned=20, told=1.0, around=5, against=1.0):
    """Rows of 20 networks each, from few questions and many, of which `around` look elsewhere."""
    rows = []
    for method in METHODS:
        for questions in (800, 6400, 25600):
            for seed in range(20):
                alone = method == ALONE
                elsewhere = alone and seed < around
                right = 0.2 if questions == 800 else 1.0 if seed < learned else 0.4
                rows.append(
                    {"method": method, "questions": questions, "seed": seed}
                    | {"right": right if alone else told, "second": 1.0}
                    | {"first": 1.0 - elsewhere, "others": 0.97 * elsewhere, "weight": 1.0}
                    | {"against_first": 1.0 * elsewhere, "against_second": against * elsewhere}
                    | {"eta": 0.04, "at_edge": False}
                )
    return rows


def test_answers_can_be_right_after_a_look_at_the_other_facts():
    said = find("told-addresses").sum_up(told_rows())
    assert said.verdict == (
        "Holds in part, if it is enough that the answers are right: 20 of 20 networks learn, but "
        "only 15 of them look at the right fact first."
    )
    assert said.value == 1
    found = find("told-addresses").numbers(told_rows())
    assert (found["few"], found["fewest"], found["times"]) == (800, 6400, 8)
    assert (found["around"], found["others"]) == (5, 0.97)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"told": 0.89, "learned": 5}, "Undecided."),
        ({"around": 0}, "Holds. After 25,600 questions, 100% of the answers are right, and 20 of"),
        ({"around": 1}, "Holds in part, if it is enough that the answers"),
        ({"learned": 19}, "Undecided."),
        ({"learned": 10}, "Undecided."),
        ({"learned": 5}, "Does not hold."),
    ],
)
def test_who_learns_without_being_told_decides(changed, expected):
    assert verdict("told-addresses", told_rows(**changed)).startswith(expected)


def test_fewest_questions_are_none_where_some_never_learn():
    found = find("told-addresses").numbers(told_rows(learned=19))
    assert (found["fewest"], found["times"]) == (None, None)


def test_where_names_turn_from_their_facts_it_is_said_that_they_do():
    assert "smallest product" in find("told-addresses").sum_up(told_rows()).text
    assert "smallest product" not in find("told-addresses").sum_up(told_rows(against=0.98)).text
    text = find("told-addresses").sum_up(told_rows(around=0)).text
    assert "smallest product" not in text
    assert "never goes" not in text


@pytest.mark.slow
def test_each_number_of_questions_has_its_own_training():
    pytest.importorskip("torch")
    config = {"n_names": 8, "n_facts": 3, "width": 6, "batch_size": 4, "steps": [2, 3], "tested": 5}
    contest = Looking()
    assert contest.cells(config) == [(name, n) for n in (8, 12) for name in METHODS]
    short, long, told = (
        contest.train(config, cell, [0.03], [0, 1])[1]
        for cell in [(ALONE, 8), (ALONE, 12), (TOLD, 8)]
    )
    assert (short["V"] != long["V"]).any()
    assert (short["V"] != told["V"]).any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "rows"), [("soft-or-hard", drawn_rows()), ("told-addresses", told_rows())]
)
def test_all_pictures_are_drawn(slug, rows):
    for draw in find(slug).pictures.values():
        assert draw(rows).alt
