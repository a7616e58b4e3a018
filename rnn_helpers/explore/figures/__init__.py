"""The Python part of a figure: a module of the figure's name, if the figure needs one.

``fallback(state)``
    Returns HTML that stands for the figure where no script runs, if words serve better than its
    picture.
``check(state, given)``
    Raises ValueError for a state that the manifest lets through and that the figure cannot take;
    ``given`` is what of the state was given. Only a figure with such states has it.
``derived(state)``
    Returns what the script needs besides the controls and can't compute itself: more entries of
    the state. Few figures have it.
What is fixed in a figure, here and in its JavaScript, stands once: in ``NAME.json`` beside the
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
    """Return what is fixed in a figure, as attributes."""
    file = Path(__file__).with_name(f"{name}.json")
    return SimpleNamespace(**json.loads(file.read_text("utf-8")))
