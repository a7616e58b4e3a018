"""The figures and the states that they can have, from the manifest that their build writes."""

import json
import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from numbers import Integral
from pathlib import Path

from rnn_helpers.figures import FIGURES
from rnn_helpers.validate import as_number, brief

SHARED = Path(__file__).parent / "static"


def static_file(path):
    """Return the file behind a path that `scripts_for` and `styles_for` return."""
    own = path.startswith("figures/")
    return FIGURES / Path(path).stem / "built" / Path(path).name if own else SHARED / path


def picture_file(name):
    """Return the path of the picture of a figure's default state, an SVG file."""
    return static_file(f"figures/{name}.svg")


def picture_size(name):
    """Return the width and the height of that picture as the attributes of an image."""
    return re.search(r'width="\S+" height="\S+"', picture_file(name).read_text("utf-8"))[0]


@cache
def manifest():
    """Return, for each figure, its question, story, prediction, alternative text and controls.

    Returns
    -------
    dict of str to dict
        What each figure's ``meta.js`` exports. Its ``words`` are the questions and stories of views
        that the figure's own don't fit: each entry has the values ``when`` it holds. If a view asks
        another question, a deck's notes leave out the prediction.
    """
    return json.loads((SHARED / "manifest.json").read_text("utf-8"))


def scripts_for(modules):
    """Return the classic scripts that a page with these figures needs.

    Parameters
    ----------
    modules : iterable of str
        Names of figures; repeated ones count once.

    Returns
    -------
    list of str
        Paths in the folder of assets, in any page order; empty without figures.
    """
    return _files(["host.js"], modules, "js")


def styles_for(modules):
    """Return the style sheets that a page with these figures needs.

    Parameters
    ----------
    modules : iterable of str
        Names of figures; repeated ones count once.

    Returns
    -------
    list of str
        Paths in the folder of assets, in the order that a page needs; empty without figures.
    """
    return _files(["sans.css", "figures.css"], modules, "css")


def _files(shared, modules, suffix):
    if isinstance(modules, str) or not isinstance(modules, Iterable):
        raise TypeError(f"modules is {brief(modules)}; expected a list of figures' names")
    names = sorted(set(map(str, modules)))
    for name in names:
        require_figure(name)
    return [*shared, *(f"figures/{name}.{suffix}" for name in names)] if names else []


def require_figure(name):
    """Return a figure's entry in the manifest."""
    figures = manifest()
    if not isinstance(name, str) or name not in figures:
        raise ValueError(
            f"name is {brief(name)}; {_near(name, figures)}the figures are {', '.join(figures)}"
        )
    return figures[name]


def validate(name, state):
    """Check a state against the figure's controls.

    Parameters
    ----------
    name : str
        Name of a figure.
    state : dict
        Values of some of its controls.

    Returns
    -------
    dict
        The state, ready for JSON. A value with a ``to_dict`` method is replaced by its result.
    """
    controls = require_figure(name)["controls"]
    for key in state:
        if key not in controls:
            raise ValueError(
                f"{key} is no control of {name!r}; {_near(key, controls)}"
                f"its controls are {', '.join(controls)}"
            )
    return {key: _CHECKS[controls[key]["type"]](key, controls[key], state[key]) for key in state}


def complete(name, state):
    """Return a figure's state with the defaults of the controls that it leaves out."""
    controls = manifest()[name]["controls"]
    return {key: spec["default"] for key, spec in controls.items()} | state


def is_default(name, state):
    """Return whether a figure's state, complete or not, is the default one."""
    return complete(name, state) == complete(name, {})


def require_place(key, state, given, last, what):
    """Check that a figure has the place that a control names, if the reader chose this place.

    Parameters
    ----------
    key : str
        The control; it counts from 1.
    state, given : dict
        The complete state, and the part that was chosen. A default may exceed the last place.
    last : int
        The last place of the figure.
    what : str
        The beginning of a sentence about the places, such as ``"x has the steps"``.
    """
    if key in given and state[key] > last:
        raise ValueError(f"{key} is {state[key]}; {what} 1 to {last}")


def _near(word, known):
    # Ignore the case, because T and t are easily confused.
    names = {name.lower(): name for name in known}
    near = get_close_matches(brief(word).strip("'").lower(), names, n=1)
    return f"did you mean {names[near[0]]!r}? " if near else ""


def _int(key, spec, value):
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{key} is {brief(value)}; expected an integer")
    return int(_in_range(key, spec, value))


def _float(key, spec, value):
    return float(_in_range(key, spec, value))


def _in_range(key, spec, value):
    least, most = spec["min"], spec["max"]
    return as_number(key, value, f"a number from {least} to {most}", lambda v: least <= v <= most)


def _choice(key, spec, value):
    options = [
        option["value"] if isinstance(option, dict) else option for option in spec["options"]
    ]
    if value not in options:
        known = ", ".join(map(repr, options))
        raise ValueError(f"{key} is {brief(value)}; expected one of {known}")
    return value


def _bool(key, spec, value):
    if not isinstance(value, bool):
        raise TypeError(f"{key} is {brief(value)}; expected True or False")
    return value


def _text(key, spec, value):
    if not isinstance(value, str):
        raise TypeError(f"{key} is {brief(value)}; expected a string")
    if len(value) > spec.get("maxLength", math.inf):
        raise ValueError(f"{key} has {len(value)} characters; expected at most {spec['maxLength']}")
    strange = sorted(set(value) - set(spec.get("alphabet", value)))
    if strange:
        raise ValueError(
            f"{key} is {brief(value)}, with {brief(''.join(strange))}; "
            f"expected only characters of {spec['alphabet']!r}"
        )
    return value


def _json(key, spec, value):
    value = value.to_dict() if hasattr(value, "to_dict") else value
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{key} is {brief(value)}; expected what JSON can hold: {error}"
        ) from error


_CHECKS = {
    "int": _int,
    "float": _float,
    "choice": _choice,
    "bool": _bool,
    "text": _text,
    "json": _json,
}
