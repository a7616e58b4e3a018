"""Steps of nbgrader's autograder: run a submission, and judge it outside its kernel.

The kernel gets the hidden cases and gives back results. The expected results and the mistakes stay
in this process, so a submission can't find them, redefine them or print its own verdict.
"""

import json
import re
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Unicode

from course.assignment import cells, load_set, problems, read_secret
from course.problem import NO_REPORT, Problem, judge
from course.results import REPORT, cases, reported

LEFT_OUT = (
    "This cell ended Python or couldn't be stopped. It was left out, and the rest ran without it."
)


def planned(resources: dict) -> tuple[dict[str, Problem], str]:
    """Return a submission's problems by name, and the student's id if the version is personal."""
    given = resources["nbgrader"]
    folder = Path(given["db_url"].removeprefix("sqlite:///")).parent
    plan = json.loads((folder / f"{given['assignment']}.json").read_text("utf-8"))
    student = given["student"] if given["student"] in plan["personal"] else ""
    module = load_set(plan["set"], folder)
    chosen = problems(module, plan["seed"], read_secret(folder), student)
    return {problem.name: problem for problem in chosen}, student


class Personalize(NbGraderPreprocessor):
    """Put a student's own tasks and tests in the place of the class's."""

    def preprocess(self, nb, resources):
        """Replace the locked cells if the student has a personal version."""
        chosen, student = planned(resources)
        if not student:
            return nb, resources
        own = {
            cell.metadata.nbgrader.grade_id: cell
            for number, problem in enumerate(chosen.values(), 1)
            for cell in cells(problem, number)
            if "nbgrader" in cell.metadata and cell.metadata.nbgrader.locked
        }
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name in own:
                cell.source = own[name].source
        return nb, resources


def is_test(cell: Any) -> bool:
    """Whether a cell holds the tests of a problem."""
    known = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and known.get("grade", False) and known.get("locked", False)


class Run(Execute):
    """Run a submission in a folder of its own; leave out a cell that ends or blocks its kernel."""

    def preprocess(self, nb, resources, km=None):
        """Run all cells; keep what each shows."""
        self.left_out: set[int] = set()
        origin = Path(resources["metadata"]["path"])
        while True:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as base:
                # As deep as in the course's folder, so that ../.. leads to nothing else.
                folder = Path(base, "autograded", "student", "assignment")
                shutil.copytree(origin, folder, ignore=shutil.ignore_patterns("*.ipynb"))
                resources["metadata"]["path"] = str(folder)
                try:
                    return super().preprocess(nb, resources, km)
                except (DeadKernelError, CellTimeoutError):
                    self.left_out.add(self.here)
                finally:
                    resources["metadata"]["path"] = str(origin)

    def preprocess_cell(self, cell, resources, index):
        """Run a cell; a test comes with the function that reports."""
        if cell.cell_type != "code":
            return cell, resources
        cell.outputs, self.here, self.exits = [], index, False
        if index in self.left_out:
            cell.outputs = [new_output("error", ename="Ended", evalue="", traceback=[LEFT_OUT])]
            return cell, resources
        source = cell.source
        try:
            if is_test(cell):
                cell.source = f"{REPORT}\n\n{source}"
            super().preprocess_cell(cell, resources, index)
        finally:
            cell.source = source
        if self.exits:
            raise DeadKernelError("the cell asked Python to end")
        return cell, resources

    def on_cell_executed(self, **told):
        """Notice `exit()`, which ends the kernel a moment after the cell."""
        super().on_cell_executed(**told)
        payload = told["execute_reply"]["content"].get("payload", [])
        self.exits = any(part.get("source") == "ask_exit" for part in payload)


class Judge(NbGraderPreprocessor):
    """Turn the results that each test reports into points and feedback."""

    reason = Unicode(NO_REPORT, help="what a student is told about tests that didn't run").tag(
        config=True
    )

    def preprocess(self, nb, resources):
        """Judge every test of the notebook."""
        chosen, _ = planned(resources)
        for cell in filter(is_test, nb.cells):
            problem = chosen.get(cell.metadata.nbgrader.get("grade_id", "").removesuffix("-test"))
            if problem is not None:
                self._judge(cell, replace(problem, cases=cases(cell.source)))
        return nb, resources

    def _judge(self, cell, problem):
        results = reported(cell.outputs)
        stops = [output for output in cell.outputs if output.output_type == "error"]
        reason = self.reason
        if results is None and stops:
            shown = stops[-1]
            last = re.sub(r"\x1b\[[\d;]*m", "", shown.traceback[-1] if shown.traceback else "")
            reason = f"The tests of this problem stopped. {last or shown.ename}"
        verdict = judge(problem, results, reason)
        named = f" Recognized: {verdict.mistake}." if verdict.mistake else ""
        # Feedback pages show the cell. Without the cases, the same tests serve again.
        cell.source = cell.source.partition("### BEGIN HIDDEN")[0].rstrip()
        text = f"{verdict.points:g} of {problem.points} points.{named}\n{verdict.message}"
        cell.outputs = [
            new_output("stream", name="stdout", text=text),
            new_output(
                "execute_result",
                data={"text/plain": f"{verdict.points:g}"},
                metadata={"mistake": verdict.mistake or ""},
                execution_count=cell.execution_count or 1,
            ),
        ]
