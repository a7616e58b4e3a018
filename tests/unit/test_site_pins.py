"""Pins of what students install serve every system, and are complete."""

import pytest
from packaging.requirements import Requirement

from rnn_helpers.site import pins


def names(lines):
    return {Requirement(line).name for line in lines}


def test_each_line_pins_one_version():
    assert all(len(Requirement(line).specifier) == 1 for line in pins.pinned(pins.NOTEBOOKS))
    assert all("==" in line for line in pins.pinned(pins.NOTEBOOKS))


def test_what_extras_and_other_systems_need_is_listed():
    listed = names(pins.pinned(pins.NOTEBOOKS))
    assert {"numpy", "jupyterlab", "ipykernel"} <= listed
    assert "fqdn" in listed  # jupyter-events needs jsonschema[format-nongpl]
    assert {"pywinpty", "appnope"} <= listed  # for Windows, for macOS
    assert "overrides" in listed  # for Python 3.11


def test_what_authors_need_is_not_listed():
    assert names(pins.pinned()) < names(pins.pinned(pins.NOTEBOOKS))
    large = {"scikit-learn", "scipy", "torch", "jupyter-book", "sphinx"}
    assert names(pins.pinned(pins.NOTEBOOKS)).isdisjoint(large)
    assert "babel" not in names(pins.pinned())  # only JupyterLab's own server needs it


@pytest.mark.parametrize("extra", [(), ("scikit-learn",)])
def test_a_package_brings_what_it_needs(extra):
    assert ("scipy" in names(pins.pinned(*extra))) == bool(extra)
