"""The workflow that checks and publishes the book runs the commands that contributors run."""

import os
import re
import shlex

import pytest
import yaml
from books import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))
VARIABLES = set(re.findall(r"^([A-Z]+) \?=", MAKEFILE, re.M))
PYTHON = re.search(r'requires-python = ">=(3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))

every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def jobs(path):
    return yaml.safe_load(path.read_text("utf-8"))["jobs"].values()


@every_workflow
def test_each_command_is_a_target_of_make_or_a_program_of_the_project(path):
    commands = [step["run"] for job in jobs(path) for step in job["steps"] if "run" in step]
    assert commands
    for command in commands:
        program, *goals = shlex.split(command)
        if program == "make":
            assert set(goals) <= TARGETS, command
        else:
            assert os.access(ROOT / program, os.X_OK), command


@every_workflow
def test_a_step_sets_only_variables_of_the_makefile(path):
    for job in jobs(path):
        for step in job["steps"]:
            assert set(step.get("env", ())) <= VARIABLES


@every_workflow
def test_an_expression_reads_only_outputs_of_steps_in_its_job(path):
    for job in jobs(path):
        named = set(re.findall(r"steps\.(\w+)\.outputs", str(job)))
        assert named <= {step.get("id") for step in job["steps"]}


def test_the_book_is_tested_on_the_oldest_python_and_on_a_newer_one():
    versions = [
        version
        for path in WORKFLOWS
        for job in jobs(path)
        for version in job.get("strategy", {}).get("matrix", {}).get("python", ())
    ]
    assert PYTHON[1] in versions
    assert len(set(versions)) > 1


def test_only_checked_sites_are_published_and_only_from_main():
    (job,) = (
        job for path in WORKFLOWS for job in jobs(path) if "pages" in job.get("permissions", ())
    )
    assert job["needs"] == "check"
    assert job["if"] == "github.ref == 'refs/heads/main'"
    (folder,) = (step["with"]["path"] for step in job["steps"] if "path" in step.get("with", ()))
    assert folder == "dist/site"
