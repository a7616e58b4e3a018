"""A folder for each figure: its JavaScript, its Python, its data, its bundle and its test.

``figure.py`` is the Python part, if the figure needs one:

``fallback(state)``
    Returns HTML that replaces the figure where no script runs, if words serve better than its
    picture.
``check(state, given)``
    Raises ValueError for a state that the manifest lets through and that the figure cannot take;
    ``given`` is the part of the state that was given. Only a figure with such states has it.
``derived(state)``
    Returns further entries of the state that the script needs and can't compute itself. Few figures
    have it.

Python and JavaScript share two files. ``constants.json`` is written by hand; a constant can also be
the range of a control. ``trained.json`` takes long to make: trained networks, experiments' results,
sentences. ``make`` in ``trained.py`` computes it, and ``python -m rnn_helpers.figures NAME ...``
writes it again. ``model.py`` has a figure's computations that only tests and the prose need.

The folders ``boats``, ``characters`` and ``manual`` are no figures, but figures use their networks.
The installed package has only what runs there: ``figure.py``, the data and the folder ``built``.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

FIGURES = Path(__file__).parent


def module(name):
    """Return the Python part of a figure; None if it needs none."""
    exists = (FIGURES / name / "figure.py").exists()
    return import_module(f"{__name__}.{name}.figure") if exists else None


@cache
def constants(name):
    """Return the constants of a figure, as attributes."""
    return SimpleNamespace(**json.loads((FIGURES / name / "constants.json").read_text("utf-8")))


@cache
def stored(name):
    """Return the data that a figure's ``trained.py`` made, as read from JSON."""
    return json.loads((FIGURES / name / "trained.json").read_text("utf-8"))
