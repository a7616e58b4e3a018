"""Problem sets: each template's solution is right, its mistakes are recognized, its seeds count."""

import contextlib
import csv
import re

import nbformat
import numpy as np
import pytest
from books import ROOT

from course import assignment, grade
from course.assignment import SETS, Unusable, literal, load_set, notebook, problems
from course.problem import Mistake, Problem, Proof, Stop, draw, generator, judge
from course.results import REPORT, cases, reported

NUMBERS = sorted(int(path.stem.partition("_")[2]) for path in SETS.glob("set_*.py"))
TEMPLATES = {
    f"set_{n}-{template.__name__}": template for n in NUMBERS for template in load_set(n).TEMPLATES
}
every_template = pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
every_set = pytest.mark.parametrize("number", NUMBERS)
SEEDS = "autumn", "spring", "winter"


def code_problems(template):
    drawn = [draw(template, seed, "secret", student) for seed in SEEDS for student in ("", "ada")]
    if isinstance(drawn[0], Proof):
        pytest.skip("a person grades a proof")
    return drawn


@pytest.fixture
def shown(monkeypatch):
    """Return a function that gives the outputs of a test cell, as a submission's kernel does."""
    outputs = []
    monkeypatch.setattr(
        "IPython.display.display",
        lambda data, raw: outputs.append(nbformat.v4.new_output("display_data", data=data)),
    )

    def run(problem, code):
        outputs.clear()
        _, *_, test = assignment.cells(problem, 1)
        space = {"np": np}
        with contextlib.suppress(SyntaxError):
            exec(f"{code}\n{REPORT}\n{test.source}", space)
        assert literal(cases(test.source)) == literal([*problem.cases])
        return reported(outputs)

    return run


@every_template
def test_the_solution_gets_all_points(template, shown):
    for problem in code_problems(template):
        verdict = judge(problem, shown(problem, problem.code))
        assert (verdict.points, verdict.mistake) == (problem.points, None), verdict.message


@every_template
def test_a_named_mistake_is_recognized_and_gets_its_credit(template, shown):
    for problem in code_problems(template):
        assert len(problem.mistakes) >= 2
        for name, mistake in problem.mistakes.items():
            code = problem.code.replace(mistake.old, mistake.new)
            verdict = judge(problem, shown(problem, code))
            assert verdict.mistake == name
            assert problem.points > verdict.points >= round(mistake.credit * problem.points, 2)
            assert verdict.message.startswith(f"Hint: {mistake.hint}")


@every_template
def test_an_unanswered_stub_gets_nothing(template, shown):
    for problem in code_problems(template):
        stub = problem.code.partition("    ### BEGIN")[0] + "    raise NotImplementedError()"
        verdict = judge(problem, shown(problem, stub))
        assert verdict.points == 0
        assert verdict.message.startswith("Not answered yet.")


@every_template
def test_the_example_runs_with_the_solution(template):
    for problem in code_problems(template):
        exec(f"import numpy as np\n{problem.code}\n{problem.example}", {})


def seen(problem):
    """Return what students see of a problem."""
    return problem.text, getattr(problem, "example", "")


def whole(problem):
    """Return all that a seed changes."""
    return *seen(problem), literal([*getattr(problem, "cases", ())])


@every_template
def test_seeds_and_students_get_different_versions(template):
    versions = {
        whole(draw(template, f"{seed}", "secret", student))
        for seed in range(8)
        for student in ("", "ada")
    }
    assert len(versions) >= 2
    assert whole(draw(template, "0", "secret")) in versions


@every_template
def test_the_secret_changes_only_what_students_do_not_see(template):
    one, other = (draw(template, "spring", secret) for secret in ("one", "two"))
    assert seen(one) == seen(other)
    if isinstance(one, Problem) and [*one.cases] != [()]:
        assert literal([*one.cases]) != literal([*other.cases])
        for case in one.cases:
            assert literal(case)[1:-1] not in one.example


@every_set
def test_a_set_has_three_to_five_problems_for_60_to_90_minutes(number):
    drawn = problems(load_set(number), "spring", "secret")
    assert 3 <= len(drawn) <= 5
    assert 60 <= sum(problem.minutes for problem in drawn) <= 90


def test_names_are_unique_in_the_course():
    names = [template.__name__ for n in NUMBERS for template in load_set(n).TEMPLATES]
    assert len(set(names)) == len(names)


@every_set
def test_a_notebook_has_valid_cells_and_no_stray_marks(number):
    module = load_set(number)
    book = notebook(number, module, problems(module, "spring", "secret"))
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"\\$|\{\{|\}\}\}\}", cell.source, re.M), cell.source


def test_a_right_answer_in_another_type_passes(shown):
    problem = draw(TEMPLATES["set_1-gradients"], "spring", "secret")
    in_lists = problem.code.replace("dW / total, g / total", "[(dW / total).tolist(), g / total]")
    assert judge(problem, shown(problem, in_lists)).points == problem.points


@pytest.mark.parametrize(
    ("name", "line", "other"),
    [
        (
            "set_2-display",
            "    return {",  # the same display with its symbols numbered from the end, but for 0
            "    after, answer = (part[:1] + part[:0:-1] for part in (after, answer))\n"
            "    after = [[s and len(after) - s for s in row] for row in after]\n"
            "    return {",
        ),
        ("set_3-where_to_look", "return 60 *", "return 500 *"),
    ],
)
def test_another_right_answer_passes(name, line, other, shown):
    for problem in code_problems(TEMPLATES[name]):
        verdict = judge(problem, shown(problem, problem.code.replace(line, other)))
        assert verdict.points == problem.points, verdict.message


@pytest.mark.parametrize(
    "forged", ["", "[", "{}", "[1]", "[{}]", '[{"value": {"x": 1}}]', "[" * 9999]
)
def test_a_forged_report_gets_nothing(forged):
    output = nbformat.v4.new_output("display_data", data={"application/x-unfolded": forged})
    problem = draw(TEMPLATES["set_1-rounds"], "spring", "secret")
    assert judge(problem, reported([output])).points == 0


def test_an_answer_that_stops_is_told_the_error():
    problem = draw(TEMPLATES["set_1-rounds"], "spring", "secret")
    verdict = judge(problem, [Stop("KeyError", "'h'")] * len(problem.cases))
    assert verdict.points == 0
    assert "KeyError" in verdict.message


def test_a_mistake_must_change_the_solution():
    with pytest.raises(ValueError, match="expected a part of the code"):
        Problem("f", "F", "", 5, 5, "def f(): pass", {"a": Mistake("g", "h", "?")}, "", "")


def test_generators_depend_on_all_words():
    assert generator("a", "b").random() == generator("a", "b").random()
    assert generator("a", "b").random() != generator("b", "a").random()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "77"], "SET is 77; expected one of"),
        (["--set", "1", "--student", "../x"], "a student's id is '../x'; expected letters"),
        (["--set", "1", "--due", "Monday"], "DUE is 'Monday'; expected a time"),
    ],
)
def test_a_wrong_argument_is_refused_and_nothing_is_written(tmp_path, arguments, told):
    said = assignment.main(["--folder", str(tmp_path / "new"), "--seed", "1", *arguments])
    assert told in said
    assert not [*tmp_path.rglob("*.ipynb")]


@pytest.mark.parametrize("folder", ["", ".", str(ROOT / "dist/course")])
def test_a_folder_within_the_project_is_refused(folder):
    said = assignment.main(["--folder", folder, "--seed", "1", "--set", "1"])
    assert f"FOLDER is {folder!r}; expected a folder outside" in said
    assert not (ROOT / "secret.txt").exists()


def test_an_empty_seed_is_refused(tmp_path):
    assert "SEED is empty" in assignment.main(
        ["--folder", str(tmp_path), "--seed", "", "--private"]
    )
    assert not [*tmp_path.iterdir()]


def test_own_templates_are_kept(tmp_path):
    first = assignment.private(tmp_path, "a secret")
    first[0].write_text("# mine", "utf-8")
    assert assignment.private(tmp_path, "a secret") == []
    assert first[0].read_text("utf-8") == "# mine"
    with pytest.raises(Unusable, match="another secret seed"):
        assignment.private(tmp_path, "another")
    assert (tmp_path / "secret.txt").stat().st_mode & 0o077 == 0


def test_a_list_of_students_needs_unique_ids(tmp_path):
    path = tmp_path / "students.csv"
    path.write_text("id,email\nada,a@b\nada,a@b\n", "utf-8")
    with pytest.raises(Unusable, match="lists 'ada' 2 times"):
        assignment.read_students(path)
    path.write_text("name\nada\n", "utf-8")
    with pytest.raises(Unusable, match="expected one named 'id'"):
        assignment.read_students(path)


def test_a_table_holds_no_formula():
    text = grade.table(["id", "points"], [["=1+1", "3"], ["ada, b", "-1"]])
    assert [*csv.reader(text.splitlines())] == [["id", "points"], ["'=1+1", "3"], ["ada, b", "-1"]]


def test_nothing_that_students_get_names_the_course():
    """Sites and archives are made by the press from the book and the package."""
    for folder in "press", "rnn_helpers", "book":
        for path in (ROOT / folder).rglob("*.py"):
            assert not re.search(r"^\s*(from|import) course\b", path.read_text("utf-8"), re.M)
