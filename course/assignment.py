"""Assignments: ``make assignment SET=1 SEED=… FOLDER=…`` and ``make private FOLDER=… SEED=…``.

A course's folder is one of nbgrader: ``source`` has the notebooks with solutions and hidden tests,
``release`` those for students. In ``personal`` each student named has a version of their own. The
secret seed, from which the hidden cases are drawn, is in ``secret.txt``.
"""

import argparse
import csv
import importlib.util
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import numpy as np
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.problem import Problem, Proof, draw
from press.whole import replacing
from rnn_helpers.commands import run_program

ROOT = Path(__file__).parents[1]
SETS = Path(__file__).parent / "sets"
STUDENT = re.compile(r"[A-Za-z0-9][\w.@-]*")
CONFIG = """# Read by nbgrader and by its pages in JupyterLab, when they are started in this folder.
import os
import sys
from pathlib import Path

# The graders of Unfolded. Kernels of submissions don't get this path.
sys.path.insert(0, os.environ.pop("UNFOLDED", {root!r}))
c = get_config()
c.CourseDirectory.root = str(Path(__file__).parent)
c.CourseDirectory.course_id = "unfolded"
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "course.grader.Personalize",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "course.grader.Run",
    "course.grader.Judge",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 30  # seconds for each cell; `make grade` also limits the whole submission
c.LateSubmissionPlugin.penalty_method = "none"  # "zero": no points for late work
"""
RULES = """# {title}

Set {number}, chapters {chapters}. {points} points, about {minutes} minutes.

Write each answer in its cell, in place of `raise NotImplementedError()`, and keep the name of the
function. You may add cells. Before you hand in, choose *Restart Kernel and Run All Cells*: your
notebook is graded in this way, and each function is also tried on other cases than those you see.
A typical mistake gets part of the points, and the feedback names it."""


class Unusable(ValueError):
    """An argument that the command can't use."""


def outside(text: str) -> Path:
    """Return a folder that somebody names, which must be outside of the project."""
    folder = Path(text).expanduser().resolve()
    if not text or folder == ROOT or ROOT in folder.parents:
        raise Unusable(
            f"FOLDER is {text!r}; expected a folder outside of this project, because it will hold "
            "solutions and grades"
        )
    return folder


def load_set(number: int, folder: Path | None = None) -> ModuleType:
    """Return the module of a set: the instructor's own copy if the course's folder has one."""
    places = [SETS / f"set_{number}.py"]
    if folder:
        places.insert(0, folder / "templates" / f"set_{number}.py")
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        known = sorted(int(path.stem.partition("_")[2]) for path in SETS.glob("set_*.py"))
        raise Unusable(f"SET is {number}; expected one of {known}")
    spec = importlib.util.spec_from_file_location(f"set_{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def problems(module: ModuleType, seed: str, secret: str, student: str = "") -> list:
    """Return the problems of a set, for the class or for one student."""
    return [draw(template, seed, secret, student) for template in module.TEMPLATES]


def literal(value: Any) -> str:
    """Return the code of a value."""
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()})" if value.ndim else repr(value.item())
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return repr(value.item() if isinstance(value, np.generic) else value)


def graded(name: str, **kind: Any) -> dict:
    """Return the metadata by which nbgrader knows a cell."""
    plain = {"schema_version": 3, "grade": False, "solution": False, "locked": True, "task": False}
    return {"nbgrader": {**plain, "grade_id": name, **kind}}


def cells(problem: Problem | Proof, number: int) -> list:
    """Return the cells of a problem: the task, the answer, the example and the tests."""
    name, points = problem.name, problem.points
    heading = f"## {number}. {problem.title}\n\n*{points} points, {problem.minutes} minutes.*"
    text = new_markdown_cell(
        f"{heading} {problem.text}", id=f"{name}-text", metadata=graded(f"{name}-text")
    )
    if isinstance(problem, Proof):
        rubric = "\n".join(f"- {worth}: {point}" for point, worth in problem.rubric.items())
        answer = new_markdown_cell(
            f"{problem.solution}\n\n**Points**\n\n{rubric}",
            id=name,
            metadata=graded(name, grade=True, solution=True, locked=False, points=points),
        )
        return [text, answer]
    answer = new_code_cell(
        problem.code.strip(), id=name, metadata=graded(name, solution=True, locked=False)
    )
    cases = "".join(f"    {literal(case)},\n" for case in problem.cases)
    tests = new_code_cell(
        f"# The tests of {name} run when your notebook is graded.\n### BEGIN HIDDEN TESTS\n"
        f'report("{name}", {name}, [\n{cases}])\n### END HIDDEN TESTS',
        id=f"{name}-test",
        metadata=graded(f"{name}-test", grade=True, points=points),
    )
    example = [new_code_cell(problem.example, id=f"{name}-example")] if problem.example else []
    return [text, answer, *example, tests]


def notebook(number: int, module: ModuleType, chosen: Sequence) -> nbformat.NotebookNode:
    """Return the source version of a set's notebook."""
    names = [problem.name for problem in chosen]
    if len(set(names)) < len(names):
        raise Unusable(f"the names of set {number} are {names}; expected different ones")
    rules = RULES.format(
        title=module.TITLE,
        number=number,
        chapters=", ".join(module.CHAPTERS),
        points=sum(problem.points for problem in chosen),
        minutes=sum(problem.minutes for problem in chosen),
    )
    setup = new_code_cell("import numpy as np", id="setup", metadata=graded("setup"))
    return new_notebook(
        cells=[
            new_markdown_cell(rules, id="rules", metadata=graded("rules")),
            setup,
            *(cell for n, problem in enumerate(chosen, 1) for cell in cells(problem, n)),
        ],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
    )


def released(source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook without its solutions and hidden tests, as nbgrader makes it."""
    from nbgrader import preprocessors as steps

    for step in (
        steps.LockCells(),
        steps.ClearSolutions(),
        steps.ClearHiddenTests(),
        steps.ComputeChecksums(),
    ):
        source, _ = step.preprocess(source, {})
    return source


def prepare(folder: Path, secret: str = "") -> str:
    """Make a course's folder, and return its secret."""
    config, kept = folder / "nbgrader_config.py", folder / "secret.txt"
    if kept.is_file():
        known = kept.read_text("utf-8").strip()
        if secret and secret != known:
            raise Unusable(f"{kept} has another secret seed; expected a new FOLDER, or no SEED")
        secret = known
    if not secret:
        secret = secrets.token_hex(16)
    for path, text in ((kept, f"{secret}\n"), (config, CONFIG.format(root=str(ROOT)))):
        if not path.is_file():
            with replacing(path) as part:
                part.touch(mode=0o600)
                part.write_text(text, "utf-8")
    return secret


def read_secret(folder: Path) -> str:
    """Return the secret seed of a course."""
    return (folder / "secret.txt").read_text("utf-8").strip()


def private(folder: Path, secret: str) -> list[Path]:
    """Copy the templates to a course's folder, where an instructor can change them.

    A template that is there already stays as it is.
    """
    prepare(folder, secret)
    written = []
    for path in sorted(SETS.glob("set_*.py")):
        own = folder / "templates" / path.name
        if not own.exists():
            own.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, own)
            written.append(own)
    return written


def read_students(path: Path) -> list[dict[str, str]]:
    """Return the rows of a list of students, with at least the column ``id``."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if rows and "id" not in rows[0]:
        raise Unusable(f"{path} has the columns {[*rows[0]]}; expected one named 'id'")
    names = [row["id"] for row in rows]
    for name in names:
        check_student(name)
        if names.count(name) > 1:
            raise Unusable(f"{path} lists {name!r} {names.count(name)} times; expected once")
    return rows


def check_student(name: str) -> None:
    """Refuse an id that can't be the name of a folder."""
    if not STUDENT.fullmatch(name):
        raise Unusable(f"a student's id is {name!r}; expected letters, digits and . _ @ -")


def gradebook(folder: Path):
    """Open nbgrader's database of a course."""
    from nbgrader.api import Gradebook

    # nbgrader makes its tables with the program `alembic`, which is beside this Python.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "unfolded")


def environment() -> dict[str, str]:
    """Return the environment of nbgrader's processes, and of the kernels that they start."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "UNFOLDED": str(ROOT)}


def nbgrader(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess:
    """Run nbgrader in a course's folder."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, **options
    )


def assign(
    folder: Path,
    number: int,
    seed: str,
    students: Sequence[str] = (),
    due: str = "",
) -> None:
    """Write the source and the release version of a set, for the class or for students.

    Parameters
    ----------
    folder
        The course's folder.
    number
        The set.
    seed
        The seed of the class.
    students
        The ids of those who get a version of their own.
    due
        The date and time in ISO's form; without an offset, in UTC.
    """
    module = load_set(number, folder)
    deadline = moment(due)
    secret = prepare(folder)
    name, plan = f"set{number}", folder / f"set{number}.json"
    known = json.loads(plan.read_text("utf-8")) if plan.is_file() else {}
    if known and known["seed"] != seed:
        raise Unusable(
            f"SEED is {seed!r}; expected {known['seed']!r}, with which {folder} has {name} already"
        )
    with replacing(folder / "source" / name / f"{name}.ipynb") as part:
        nbformat.write(notebook(number, module, problems(module, seed, secret)), part)
    for student in students:
        own = notebook(number, module, problems(module, seed, secret, student))
        with replacing(folder / "personal" / student / name / f"{name}.ipynb") as part:
            nbformat.write(released(own), part)
    told = {
        "set": number,
        "title": module.TITLE,
        "seed": seed,
        "due": deadline or known.get("due", ""),
        "personal": sorted({*known.get("personal", []), *students}),
    }
    with replacing(plan) as part:
        part.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    generate(folder, name, told["due"])


def moment(due: str) -> str:
    """Return a deadline in UTC, in the form that nbgrader reads; empty if there is none."""
    if not due:
        return ""
    try:
        when = datetime.fromisoformat(due)
    except ValueError:
        raise Unusable(f"DUE is {due!r}; expected a time such as 2027-03-01T18:00+01:00") from None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def generate(folder: Path, name: str, due: str) -> None:
    """Let nbgrader write the release version of an assignment, and enter it into its database."""
    with gradebook(folder) as book:
        book.update_or_create_assignment(name, course_id="unfolded", duedate=due or None)
    done = nbgrader(folder, "generate_assignment", name, "--force", "--create")
    if done.returncode:
        raise Unusable(f"nbgrader couldn't generate {name}:\n{done.stderr}")


def main(arguments: list[str] | None = None) -> str | None:
    """Write an assignment, or an instructor's own templates."""
    parser = argparse.ArgumentParser(prog="python -m course.assignment", description=main.__doc__)
    parser.add_argument("--folder", required=True, help="the course's folder")
    parser.add_argument("--seed", required=True, help="the class's seed, or the secret one")
    parser.add_argument("--private", action="store_true", help="copy the templates to the folder")
    parser.add_argument("--set", type=int, default=0, help="the number of the set")
    parser.add_argument("--student", default="", help="an id, for a version of their own")
    parser.add_argument("--students", type=Path, help="a CSV with the column id, for all of them")
    parser.add_argument("--due", default="", help="2027-03-01T18:00+01:00")
    given = parser.parse_args(arguments)
    try:
        folder = outside(given.folder)
        if not given.seed:
            raise Unusable("SEED is empty; expected a word or a phrase")
        if given.private:
            for path in private(folder, given.seed):
                print(path)
            return None
        students = []
        if given.students:
            students = [row["id"] for row in read_students(given.students)]
            with replacing(folder / "students.csv") as part:
                part.write_bytes(given.students.read_bytes())
        if given.student:
            check_student(given.student)
            students.append(given.student)
        assign(folder, given.set, given.seed, students, given.due)
    except Unusable as error:
        return f"error: {error}"
    place = folder / ("personal" if students else f"release/set{given.set}")
    print(
        f"for students: {place}\nto be handed in: submitted/ID/set{given.set}/set{given.set}.ipynb"
    )
    return None


if __name__ == "__main__":
    run_program(main)
