"""A whole cycle of a problem set: generate, hand in, grade, feedback, tables, grade again."""

import csv
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing

import nbformat
import pytest
from books import ROOT
from nbformat.v4 import new_code_cell

from course.assignment import load_set, problems
from course.problem import Problem

pytestmark = [
    pytest.mark.slow,
    pytest.mark.nightly(files=["course/", "requirements-course.txt"]),
    pytest.mark.xdist_group("course"),
]
SEED, NAME = "spring", "set1"
SECONDS = 120
READY = ".venv-course/.ready"
# Within `make`, another one would get its variables.
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
STUDENTS = """id,first_name,last_name,email
right,Ada,Right,ada@example.org
half,Ben,Half,ben@example.org
absent,Cleo,Away,cleo@example.org
"""
HANG = "    while True:\n        pass\n"
STUBBORN = """    import time
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
"""
OVERWRITE = """import pathlib, shutil
for path in [*pathlib.Path().rglob("*"), *pathlib.Path("../..").rglob("*")]:
    path.is_dir() or path.write_text("mine")
shutil.rmtree(pathlib.Path().resolve(), ignore_errors=True)
"""
SOURCE = """    import importlib, inspect
    template = importlib.import_module("course.sets.set_1").rounds
    exec(inspect.getsource(template))
    return locals()["rounds"](edges, node, T)
"""
ANSWER = """    from rnn_helpers.checks import exercises
    from rnn_helpers.checks.core import _REGISTRY
    exercises()
    return _REGISTRY["rounds"].answer(edges, node, T)
"""
THREAD = """    import threading
    found = []
    def look():
        from course.assignment import load_set, problems
        (one,) = [p for p in problems(load_set(1), "spring", "") if p.name == "rounds"]
        found.append(one.exercise.solution(edges, node, T))
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return found[0]
"""
REDEFINE = """import IPython, builtins, json
def check(*arguments):
    print("Correct.")
    return True
def report(*arguments):
    IPython.display.display({"application/x-unfolded": json.dumps([{"value": 1}] * 9)}, raw=True)
builtins.report = report
def rounds(edges, node, T):
    report()
    print("6 of 6 points.")
    return 6
6.0
"""


def run(*command, ok=True, **options):
    """Run a command at the top of the project, and return what it prints."""
    done = subprocess.run(
        command, cwd=ROOT, env=OUTSIDE, capture_output=True, text=True, timeout=1800, **options
    )
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def make():
    """Return a function that runs a target of the course, in an environment with nbgrader."""
    python = os.environ.get("COURSE_PYTHON")  # an environment that is there already
    more = ["COURSE_READY=", f"COURSE_PYTHON={python}"] if python else []

    def make(*arguments, ok=True):
        return run("make", *more, *arguments, ok=ok)

    if not python:
        try:
            make(READY)
        except AssertionError as error:
            pytest.skip(f"nbgrader can't be installed here: {str(error)[-200:]}")

    return make


def chosen(secret="", student=""):
    """Return the problems of the set that a function answers, by name."""
    drawn = problems(load_set(1), SEED, secret, student)
    return {problem.name: problem for problem in drawn if isinstance(problem, Problem)}


class Folder:
    """A course's folder, and the submissions in it."""

    def __init__(self, path):
        self.path = path

    def hand_in(self, student, answers=(), before=(), time="2027-02-28 12:00:00 UTC"):
        """Hand in the released notebook with some answers, and cells before all of them."""
        own = self.path / "personal" / student / NAME / f"{NAME}.ipynb"
        released = self.path / "release" / NAME / f"{NAME}.ipynb"
        work = nbformat.read(own if own.is_file() else released, as_version=4)
        for cell in work.cells:
            cell.source = dict(answers).get(cell.id, cell.source)
        work.cells[2:2] = [new_code_cell(source) for source in before]
        place = self.path / "submitted" / student / NAME
        place.mkdir(parents=True, exist_ok=True)
        (place / "timestamp.txt").write_text(time, "utf-8")
        nbformat.write(work, place / f"{NAME}.ipynb")

    def table(self, end=""):
        with (self.path / "grades" / f"{NAME}{end}.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def points(self, student):
        """Return a student's points for each problem that a function answers."""
        (row,) = (row for row in self.table() if row["id"] == student)
        return {name: float(row[f"{name}-test"]) for name in FULL}

    def row(self, student):
        (row,) = (row for row in self.table() if row["id"] == student)
        return row

    def page(self, student):
        text = (self.path / f"feedback/{student}/{NAME}/{NAME}.html").read_text("utf-8")
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


FULL = {name: problem.points for name, problem in chosen().items()}
RIGHT = {name: problem.code for name, problem in chosen().items()}
NOTHING = dict.fromkeys(FULL, 0)


def stub(name, body):
    """Return an answer with the right first lines and another body."""
    return RIGHT[name].partition("    ### BEGIN")[0] + body


def with_one(answer):
    """Return right answers, except to the first problem."""
    return {**RIGHT, "rounds": answer}


def slips():
    """Return an answer with a named mistake for each problem, and its name."""
    for name, problem in chosen().items():
        mistake, change = next(iter(problem.mistakes.items()))
        yield name, mistake, problem.code.replace(change.old, change.new)


@pytest.fixture(scope="module")
def course(make, tmp_path_factory):
    """A course's folder whose submissions are graded."""
    path = tmp_path_factory.mktemp("course") / "a course"
    roster = path.with_name("students.csv")
    roster.write_text(STUDENTS, "utf-8")
    make("private", f"FOLDER={path}", "SEED=a secret")
    make("assignment", f"FOLDER={path}", "SET=1", f"SEED={SEED}", "DUE=2027-03-01T18:00+01:00")
    folder = Folder(path)
    config = path / "nbgrader_config.py"
    config.write_text(config.read_text("utf-8").replace("timeout = 30", "timeout = 20"), "utf-8")
    make("assignment", f"FOLDER={path}", "SET=1", f"SEED={SEED}", "STUDENT=own")
    shutil.copy(roster, path / "students.csv")

    folder.hand_in("right", {**RIGHT, "same_outputs": "A proof."})
    folder.hand_in("half", {name: code for name, _, code in slips()})
    folder.hand_in("wrong", {name: stub(name, "    return -3") for name in RIGHT})
    folder.hand_in("empty")
    folder.hand_in("own", {name: p.code for name, p in chosen(student="own").items()})
    folder.hand_in("late", RIGHT, time="2027-03-02 17:00:00 UTC")
    folder.hand_in("hanging", with_one(stub("rounds", HANG)))
    folder.hand_in("slow", RIGHT, before=["import time\ntime.sleep(14)"] * 20)
    folder.hand_in("stubborn", with_one(stub("rounds", STUBBORN)))
    folder.hand_in("ending", with_one("import os\nos._exit(0)"), before=["exit()"])
    folder.hand_in("overwriting", RIGHT, before=[OVERWRITE])
    folder.hand_in("greedy", with_one(stub("rounds", "    return len([0] * 10**13)")))
    folder.hand_in("cheat-source", with_one(stub("rounds", SOURCE)))
    folder.hand_in("cheat-answer", with_one(stub("rounds", ANSWER)))
    folder.hand_in("cheat-thread", with_one(stub("rounds", THREAD)))
    folder.hand_in("cheat-check", with_one(REDEFINE))
    shown = int(chosen()["rounds"].example.rpartition("# ")[2])
    folder.hand_in("cheat-table", with_one(stub("rounds", f"    return {shown}")))
    folder.hand_in("broken")
    (path / f"submitted/broken/{NAME}/{NAME}.ipynb").write_text("no notebook", "utf-8")
    folder.told = make("grade", f"FOLDER={path}", f"SECONDS={SECONDS}")
    return folder


def test_students_get_neither_solutions_nor_hidden_cases(course):
    for place in "release", "personal/own":
        text = (course.path / place / NAME / f"{NAME}.ipynb").read_text("utf-8")
        assert "NotImplementedError" in text
        assert not re.search(r"SOLUTION|HIDDEN|report\(|Points", text)
    own = nbformat.read(course.path / f"personal/own/{NAME}/{NAME}.ipynb", as_version=4)
    all_of_us = nbformat.read(course.path / f"release/{NAME}/{NAME}.ipynb", as_version=4)
    assert [cell.id for cell in own.cells] == [cell.id for cell in all_of_us.cells]
    assert own != all_of_us


@pytest.mark.parametrize("student", ["right", "own", "late", "overwriting"])
def test_a_right_answer_gets_all_points(course, student):
    assert course.points(student) == FULL


def test_a_typical_mistake_gets_part_of_the_points_and_a_hint(course):
    page = course.page("half")
    for name, mistake, _ in slips():
        credit = chosen()[name].mistakes[mistake].credit
        assert course.points("half")[name] >= round(credit * FULL[name], 2) > 0
        assert f"Recognized: {mistake}." in page.replace("&#39;", "'")
    assert {(row["mistake"], row["who"]) for row in course.table("-mistakes")} >= {
        (mistake, "half") for _, mistake, _ in slips()
    }


def test_an_empty_or_wrong_answer_gets_no_points(course):
    assert course.points("empty") == NOTHING
    assert course.points("wrong") == NOTHING
    assert "Not answered yet." in course.page("empty")
    assert "report(" not in course.page("empty")


@pytest.mark.parametrize(
    "student",
    [
        "hanging",
        "stubborn",
        "ending",
        "greedy",
        *(f"cheat-{way}" for way in ["source", "answer", "thread", "check", "table"]),
    ],
)
def test_only_the_problem_concerned_loses_points(course, student):
    got = course.points(student)
    assert got.pop("rounds") <= 0.4 * FULL["rounds"] * (student == "cheat-table")
    assert got == {name: points for name, points in FULL.items() if name != "rounds"}


def test_a_submission_that_takes_too_long_gets_nothing(course):
    assert course.points("slow") == NOTHING
    assert "more than" in course.row("slow")["remark"]
    assert "was stopped" in course.page("slow")


def test_unusual_code_is_pointed_out(course):
    assert course.row("right")["look_at"] == ""
    assert "inspect" in course.row("cheat-source")["look_at"]


def test_the_tables_have_a_row_for_everybody(course):
    assert course.row("broken")["remark"].startswith("no notebook")
    assert course.row("broken")["points"] == ""
    assert course.row("absent")["remark"] == "nothing handed in"
    assert float(course.row("late")["hours_late"]) == 24
    assert course.row("right")["to_grade_by_hand"] == "1"
    (ben,) = (row for row in course.table("-moodle") if row["ID number"] == "half")
    assert ben["Email address"] == "ben@example.org"
    assert ben["Feedback"] == course.row("half")["mistakes"] != ""
    points, *rows = course.table("-canvas")
    title = "Set 1: Unfolding, recurrent networks, back-propagation"
    assert (points["Student"], points[title]) == (
        "    Points Possible",
        f"{sum(FULL.values()) + 10}",
    )
    (ada,) = (row for row in rows if row["SIS User ID"] == "right")
    assert ada["Student"] == "Right, Ada"
    assert ada[title] == f"{sum(FULL.values())}"  # the proof isn't graded yet


GRADE = """update grade set manual_score = 7 where id in (
    select grade.id from grade join base_cell on grade.cell_id = base_cell.id
    join submitted_notebook on grade.notebook_id = submitted_notebook.id
    join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
    where base_cell.name = 'same_outputs' and submitted_assignment.student_id = 'right')"""


def test_a_changed_test_changes_the_points_and_keeps_those_given_by_hand(course, make):
    with closing(sqlite3.connect(course.path / "gradebook.db")) as database:
        assert database.execute(GRADE).rowcount == 1
        database.commit()
    template = course.path / "templates/set_1.py"
    before, before_it = template.read_text("utf-8"), course.row("half")["points"]
    template.write_text(before.replace("points=6", "points=12"), "utf-8")
    make("assignment", f"FOLDER={course.path}", "SET=1", f"SEED={SEED}")
    make("grade", f"FOLDER={course.path}", "STUDENT=right")
    assert course.points("right")["rounds"] == 12
    assert float(course.row("right")["points"]) == 3 * 12 + 10 + 7
    assert course.row("right")["to_grade_by_hand"] == "0"
    assert course.row("half")["points"] == before_it
    template.write_text(before, "utf-8")


def test_the_secret_is_never_replaced(course, make):
    told = make("private", f"FOLDER={course.path}", "SEED=another", ok=False)
    assert "has another secret seed" in told
    told = make("assignment", f"FOLDER={course.path}", "SET=1", "SEED=autumn", ok=False)
    assert "SEED is 'autumn'; expected 'spring'" in told
