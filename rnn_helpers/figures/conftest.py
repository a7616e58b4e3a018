"""Runs the math of the interactive figures in a JavaScript engine, without Node or a page."""

import atexit
import json
import re
from functools import cache
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from rnn_helpers.explore.states import static_file

LIB = Path(__file__).with_name("lib")
# Arrays of NumPy and of JavaScript cross as lists.
PLAIN = "(_, value) => ArrayBuffer.isView(value) ? Array.from(value) : value"


class Module:
    """JavaScript functions that take and return JSON (NaN and infinities would become None)."""

    def __init__(self, source, module="globalThis"):
        self._engine = MiniRacer()
        atexit.register(self._engine.close)  # without this, its threads may outlive the interpreter
        self._engine.eval(source)
        self._module = module

    def __call__(self, function, *arguments):
        """Call a function that the module exports."""
        return self.eval(f"M.{function}(...arguments)", arguments=arguments)

    def eval(self, expression, **given):
        """Return an expression's value, where M is the module and the other names are given."""
        sent = json.dumps(given, allow_nan=False, default=lambda array: array.tolist())
        call = f"((M, {{{', '.join(given)}}}) => {expression})({self._module}, {sent})"
        return json.loads(self._engine.eval(f"JSON.stringify({call}, {PLAIN})"))


@cache
def _figure(name):
    source = static_file(f"figures/{name}.js").read_text("utf-8")
    return Module(source, f"unfoldedHost.figures.{name}.math")


@pytest.fixture(scope="module")
def math(request):
    """``math("step", x)`` calls an export of ``math.js`` in the test's folder."""
    return _figure(request.path.parent.name)


@cache
def _lib(name):
    # As a script, its declarations are global; `const` would not be a property of globalThis.
    return Module(re.sub(r"^export (const )?", "", _with_imports(name), flags=re.M))


def _with_imports(name):
    """Return a module's source after the sources of the modules that it imports from lib."""
    source = (LIB / f"{name}.js").read_text("utf-8")
    source = re.sub(
        r'^import .* from "\./(\w+)\.js";$', lambda m: _with_imports(m[1]), source, flags=re.M
    )
    return re.sub(
        r'^import (.*) from "(.*\.json)";$',
        lambda m: f"var {m[1]} = {(LIB / m[2]).read_text('utf-8')};",
        source,
        flags=re.M,
    )


@pytest.fixture(scope="session")
def lib():
    """``lib("scales")("ticks", 0, 1)`` calls a module of ``lib``."""
    return _lib
