"""Packages that import their modules when a name is first used."""

import subprocess
import sys
from importlib import import_module

import pytest

LAZY = ["experiments", "plots", "reference", "tasks"]


def run(code):
    """Return the output of a new process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def imported(code):
    """Return the modules of the book that a new process has imported after running code."""
    code += "\nimport sys; print(*(name for name in sys.modules if 'rnn_helpers.' in name))"
    return {name.removeprefix("rnn_helpers.") for name in run(code).split()}


@pytest.mark.slow
def test_only_the_modules_behind_the_names_that_are_used_are_imported():
    found = imported("from rnn_helpers.reference import sigmoid, update_gate")
    assert {"reference.activations", "reference.checked.gru", "reference.gru"} <= found
    assert not found & {"reference.checked.lstm", "reference.bptt", "reference.attention"}


@pytest.mark.parametrize("name", LAZY)
def test_a_lazy_package_has_all_its_names(name):
    package = import_module(f"rnn_helpers.{name}")
    assert {*package.__all__} <= {*dir(package)}
    assert all(getattr(package, each) is not None for each in package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = package.nosuch
    with pytest.raises(ImportError, match="nosuch"):
        exec(f"from rnn_helpers.{name} import nosuch")


@pytest.mark.slow
@pytest.mark.parametrize("name", LAZY)
def test_no_module_hides_a_name_of_its_package(name):
    code = f"""from importlib import import_module
from pkgutil import iter_modules
from rnn_helpers import {name} as package
for module in iter_modules(package.__path__):
    if module.name != "__main__":
        import_module(f"{{package.__name__}}.{{module.name}}")
print(*(each for each in package.__all__ if type(getattr(package, each)) is type(package)))"""
    assert run(code) == ""
