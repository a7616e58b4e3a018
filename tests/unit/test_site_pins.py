"""The pins for students serve every system, and are complete."""

import tomllib

import pytest
from packaging.requirements import Requirement

from press import pins


def names(lines):
    return {Requirement(line).name for line in lines}


def test_each_line_pins_one_version():
    assert all(len(Requirement(line).specifier) == 1 for line in pins.pinned(pins.NOTEBOOKS))
    assert all("==" in line for line in pins.pinned(pins.NOTEBOOKS))


def test_each_requirement_and_each_extra_is_pinned_to_a_version_that_it_allows():
    project = tomllib.loads(pins.PROJECT.read_text("utf-8"))["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    lines = [line for line in pins.PINS.read_text("utf-8").splitlines() if line[0] != "#"]
    pinned = [Requirement(line) for line in lines]
    for requirement in map(Requirement, wanted):
        versions = [
            next(iter(one.specifier)).version for one in pinned if one.name == requirement.name
        ]
        assert versions, f"{requirement.name} has no pin: run `make lock`"
        assert all(map(requirement.specifier.contains, versions)), requirement


def test_requirements_of_extras_and_other_systems_are_listed():
    listed = names(pins.pinned(pins.NOTEBOOKS))
    assert {"numpy", "jupyterlab", "ipykernel"} <= listed
    assert "fqdn" in listed  # jupyter-events needs jsonschema[format-nongpl]
    assert {"pywinpty", "appnope"} <= listed  # for Windows, for macOS
    assert "overrides" in listed  # for Python 3.11


def test_requirements_of_authors_are_not_listed():
    assert names(pins.pinned()) < names(pins.pinned(pins.NOTEBOOKS))
    large = {"scikit-learn", "scipy", "torch", "jupyter-book", "sphinx"}
    assert names(pins.pinned(pins.NOTEBOOKS)).isdisjoint(large)
    assert "babel" not in names(pins.pinned())  # only JupyterLab's own server needs it


@pytest.mark.parametrize("extra", [(), ("scikit-learn",)])
def test_a_package_brings_its_requirements(extra):
    assert ("scipy" in names(pins.pinned(*extra))) == bool(extra)
