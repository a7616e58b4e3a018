"""Grade submissions: ``make grade FOLDER=…`` runs nbgrader's autograder on ``submitted``.

Each submission runs in a separate process, with limits of time and memory, so a crash doesn't
affect the others. The folder ``feedback`` gets a page for each student, and ``grades`` gets the
tables.
"""

import argparse
import contextlib
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import nbformat
import psutil

from course.assignment import (
    Unusable,
    environment,
    generate,
    gradebook,
    nbgrader,
    outside,
    read_students,
)
from press.whole import replacing
from rnn_helpers.commands import run_program

MINUTE = 60
SLOW = "Your notebook ran for more than {} seconds, so it was stopped. Does a loop never end?"
UNREADABLE = "no notebook {}.ipynb that can be read"
BROKEN = "Your notebook couldn't be run."
# Names that an answer seldom needs, but a search for the solution does.
UNUSUAL = re.compile(
    r"\b(?:inspect|importlib|subprocess|sys\.(?:modules|path|prefix|executable)|exec|eval|open|"
    r"__import__|globals|ctypes|os\.\w+|pathlib|_REGISTRY|course\.\w+)\b"
)


def limited(megabytes: int):
    """Return a function that limits the memory and files of the process that calls it."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return None

    def limit():
        for kind, most in (
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_FSIZE, 2**28),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):  # macOS refuses some
                resource.setrlimit(kind, (most, most))

    return limit


def run(folder: Path, command: list[str], seconds: float, megabytes: int) -> tuple[int | None, str]:
    """Run a command with limits; after `seconds`, end it with all processes that it started.

    Returns
    -------
    tuple
        The exit status, or None after a timeout, and the printed text.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment(),
        preexec_fn=limited(megabytes),
    ) as process:
        try:
            told, _ = process.communicate(timeout=seconds)
            return process.returncode, told
        except subprocess.TimeoutExpired:
            started = psutil.Process(process.pid).children(recursive=True)
            for one in (process, *started):
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            told, _ = process.communicate()
            return None, told


def autograde(folder: Path, name: str, student: str, seconds: float, megabytes: int) -> str:
    """Grade one submission; return a remark for the instructor, or nothing.

    If the submission can't be run to its end, none of its tests counts.
    """
    command = ["autograde", name, "--student", student, "--force"]
    status, told = run(folder, command, seconds, megabytes)
    if status == 0:
        return ""
    reason = BROKEN if status is not None else SLOW.format(f"{seconds:g}")
    with replacing(folder / "grades" / f"{name}-{student}.log") as part:
        part.write_text(told, "utf-8")
    command += ["--Run.enabled=False", f"--Judge.reason={reason}"]
    status, told = run(folder, command, MINUTE, 8192)
    if status == 0:
        return reason
    return UNREADABLE.format(name)


def grade(folder: Path, seconds: float, megabytes: int, only: str = "") -> list[Path]:
    """Grade the submissions of a course, and write pages and tables.

    Parameters
    ----------
    folder
        The course's folder.
    seconds, megabytes
        The limits of each submission.
    only
        The id of a single student; all if it is empty.

    Returns
    -------
    list of Path
        The tables.
    """
    plans = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("set*.json")}
    if not plans:
        raise Unusable(f"FOLDER is {str(folder)!r}; expected one that `make assignment` has made")
    database = folder / "gradebook.db"
    shutil.copyfile(database, folder / "gradebook.before.db")
    roster = folder / "students.csv"
    enrolled = read_students(roster) if roster.is_file() else []
    enter(folder, enrolled)
    tables = []
    for name, plan in sorted(plans.items()):
        found = sorted(path.parent.name for path in folder.glob(f"submitted/*/{name}"))
        chosen = [student for student in found if only in ("", student)]
        if not chosen:
            continue
        generate(folder, name, plan["due"])  # the tests may have changed
        remarks = {}
        for number, student in enumerate(chosen, 1):
            begun = time.monotonic()
            remarks[student] = autograde(folder, name, student, seconds, megabytes)
            took = time.monotonic() - begun
            print(f"{name} {number}/{len(chosen)} {student} {took:.0f} s {remarks[student]}")
        done = nbgrader(folder, "generate_feedback", name, "--student", only or "*", "--force")
        if done.returncode:
            print(f"some feedback of {name} is missing:\n{done.stderr}")
        kept = folder / "grades" / f"{name}-remarks.json"
        known = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
        write(kept, json.dumps(known | remarks, indent=1, ensure_ascii=False) + "\n")
        tables += report(folder, name, plan, enrolled, known | remarks)
    return tables


def enter(folder: Path, enrolled: list[dict[str, str]]) -> None:
    """Enter the students' names into nbgrader's database."""
    with gradebook(folder) as book:
        for row in enrolled:
            known = {key: row.get(key) or None for key in ("first_name", "last_name", "email")}
            book.update_or_create_student(row["id"], **known)


def report(
    folder: Path, name: str, plan: dict, enrolled: list[dict[str, str]], remarks: dict[str, str]
) -> list[Path]:
    """Write the tables of an assignment: all points, those to import, and the mistakes."""
    students = sorted({*remarks, *(row["id"] for row in enrolled)})
    with gradebook(folder) as book:
        most = book.find_assignment(name).max_score
        rows = [
            row(book, folder, name, student, remarks.get(student, "nothing handed in"))
            for student in students
        ]
    for one in rows:
        one["of"] = f"{most:g}"
    columns = [*max(rows, key=len)]
    title = f"Set {plan['set']}: {plan['title']}"
    moodle = "first_name", "last_name", "id", "email", "points"
    made = defaultdict(list)
    for student in students:
        for slip in mistakes(folder, name, student):
            made[slip].append(student)
    files = {
        "": (columns, [[one.get(column, "") for column in columns] for one in rows]),
        "-moodle": (
            ["First name", "Last name", "ID number", "Email address", title, "Feedback"],
            [[*map(one.get, moodle), told(one)] for one in rows],
        ),
        "-canvas": (
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title],
            [
                ["    Points Possible", "", "", "", "", f"{most:g}"],
                *([named(one), "", one["id"], one["email"], "", one["points"]] for one in rows),
            ],
        ),
        "-mistakes": (
            ["problem", "mistake", "students", "who"],
            [[*slip, len(who), " ".join(who)] for slip, who in sorted(made.items())],
        ),
    }
    place = folder / "grades"
    return [write(place / f"{name}{end}.csv", table(*file)) for end, file in files.items()]


def row(book, folder: Path, name: str, student: str, remark: str) -> dict[str, str]:
    """Return what is known about a student's submission; no points if it can't be read."""
    from nbgrader.api import MissingEntry

    person = book.update_or_create_student(student)
    known = {
        "id": student,
        "first_name": person.first_name or "",
        "last_name": person.last_name or "",
        "email": person.email or "",
        "points": "",
        "of": "",
        "to_grade_by_hand": "",
        "hours_late": "",
        "remark": remark,
        "mistakes": "; ".join(": ".join(slip) for slip in mistakes(folder, name, student)),
        "look_at": unusual(folder, name, student),
    }
    if remark == UNREADABLE.format(name):
        return known
    with contextlib.suppress(MissingEntry):
        work = book.find_submission(name, student)
        graded = [one for notebook in work.notebooks for one in notebook.grades]
        by_hand = [one for one in graded if one.needs_manual_grade and one.manual_score is None]
        known["points"] = f"{max(0, work.score - (work.late_submission_penalty or 0)):g}"
        known["to_grade_by_hand"] = f"{len(by_hand)}"
        known["hours_late"] = f"{work.total_seconds_late / 3600:.1f}"
        known |= {one.name: f"{one.score:g}" for one in graded}
    return known


def unusual(folder: Path, name: str, student: str) -> str:
    """Return what is unusual in the code of a submission, for somebody to look at."""
    path = folder / "submitted" / student / name / f"{name}.ipynb"
    try:
        cells = nbformat.read(path, as_version=4).cells
    except Exception:  # a file that is no notebook can be anything
        return ""
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    found = sorted(set(UNUSUAL.findall(code)))
    return f"unusual code: {', '.join(found)}" if found else ""


def told(row: dict[str, str]) -> str:
    """Return what a student is told beside the points."""
    return "; ".join(filter(None, [row["remark"], row["mistakes"]]))


def named(row: dict[str, str]) -> str:
    """Return a student's name as Canvas writes it; the id if there is none."""
    return ", ".join(filter(None, [row["last_name"], row["first_name"]])) or row["id"]


def mistakes(folder: Path, name: str, student: str) -> Iterable[tuple[str, str]]:
    """Yield each problem and the mistake that was recognized in a graded submission."""
    path = folder / "autograded" / student / name / f"{name}.ipynb"
    if not path.is_file():
        return
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", ()):
            if mistake := output.get("metadata", {}).get("mistake"):
                yield cell.metadata.nbgrader.grade_id.removesuffix("-test"), mistake


def table(columns: list[str], rows: Iterable[list]) -> str:
    """Return a table as CSV. A cell that a spreadsheet would run as a formula is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{one}" if str(one)[:1] in tuple("=+@") else one for one in row])
    return file.getvalue()


def write(path: Path, text: str) -> Path:
    """Write a text in the place of an old one."""
    with replacing(path) as part:
        part.write_text(text, "utf-8")
    return path


def main(arguments: list[str] | None = None) -> str | None:
    """Grade the submissions in a course's folder."""
    parser = argparse.ArgumentParser(prog="python -m course.grade", description=main.__doc__)
    parser.add_argument("--folder", required=True, help="the course's folder")
    parser.add_argument("--seconds", type=float, default=180, help="the most for a submission")
    parser.add_argument("--megabytes", type=int, default=8192, help="the most for a submission")
    parser.add_argument("--student", default="", help="grade this one alone")
    given = parser.parse_args(arguments)
    try:
        tables = grade(outside(given.folder), given.seconds, given.megabytes, given.student)
    except Unusable as error:
        return f"error: {error}"
    if not tables:
        return f"error: no submission in {given.folder}/submitted/ID/setN/"
    print(*tables, sep="\n")
    return None


if __name__ == "__main__":
    run_program(main)
