"""The Python part of a figure: a module of the figure's name, if the figure needs one.

``fallback(state)``
    Returns HTML that replaces the figure where no script runs, if words serve better than its
    picture.
``check(state, given)``
    Raises ValueError for a state that the manifest lets through and that the figure cannot take;
    ``given`` is the part of the state that was given. Only a figure with such states has it.
``derived(state)``
    Returns further entries of the state that the script needs and can't compute itself. Few figures
    have it.
Constants that a figure's Python and JavaScript share are defined once: in ``NAME.json`` next to the
module, which `constants` reads and ``math.js`` imports; or as the range of a control.
"""

import json
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace


def module(name):
    """Return the module of a figure; None if it needs none."""
    path = f"{__name__}.{name}"
    return import_module(path) if find_spec(path) else None


@cache
def constants(name):
    """Return the constants of a figure, as attributes."""
    file = Path(__file__).with_name(f"{name}.json")
    return SimpleNamespace(**json.loads(file.read_text("utf-8")))
