"""Runs the math of the interactive figures in a JavaScript engine, without Node or a page."""

import atexit
import json
import re
from functools import cache
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from rnn_helpers.explore import static_path

LIB = Path(__file__).parents[2] / "explorables/lib"


class Module:
    """JavaScript functions that take and give JSON (NaN and infinities would become None)."""

    def __init__(self, source, module="globalThis"):
        self._engine = MiniRacer()
        atexit.register(self._engine.close)  # its threads may outlive the interpreter otherwise
        self._engine.eval(source)
        self._module = module

    def __call__(self, function, *arguments):
        """Call a function that the module exports."""
        return self.eval(f"M.{function}(...{json.dumps(arguments, allow_nan=False)})")

    def eval(self, expression):
        """Value of an expression, in which M is the module."""
        return json.loads(
            self._engine.eval(f"JSON.stringify(((M) => {expression})({self._module}))")
        )


@cache
def _figure(name):
    source = (static_path() / f"figures/{name}.js").read_text("utf-8")
    return Module(source, f"unfoldedHost.figures.{name}.math")


@pytest.fixture(scope="session")
def figure_math():
    """``figure_math("unfold")("unfold", circuit, T)`` calls what the figure's math.js exports."""
    return _figure


@cache
def _lib(name):
    source = (LIB / f"{name}.js").read_text("utf-8")
    # As a script, its declarations are global; `const` would not be a property of globalThis.
    return Module(re.sub(r"^export (const )?", "", source, flags=re.M))


@pytest.fixture(scope="session")
def lib():
    """``lib("scales")("ticks", 0, 1)`` calls a module of explorables/lib that imports nothing."""
    return _lib
