"""Exercises that a reader can answer on a page, where no Python runs.

The page compares the typed text only with values: the solution's and those of the named wrong
answers. So an exercise qualifies if its answer is a value of a simple form.
"""

from collections.abc import Mapping, Sequence, Set
from numbers import Real
from typing import Any

import numpy as np

from rnn_helpers.checks.core import Exercise, itself, require_exercise

MOST = 9  # numbers in one answer: more belong in a notebook


def typed(name: str, labels: Sequence[str] = (), options: Sequence[str] = ()) -> dict:
    """Return the data with which a page asks for an exercise's answer and judges it.

    Parameters
    ----------
    name : str
        The exercise's name.
    labels : sequence of str, optional
        A label for each number of the answer. The fields of a dictionary are labeled by its keys.
    options : sequence of str, optional
        The strings to choose from, where the answer is made of strings. By default they are those
        of the solution and the wrong answers, and a single string is typed.

    Returns
    -------
    dict
        ``kind`` (``"number"``, ``"text"``, ``"choice"``, ``"menu"`` or ``"set"``), ``labels``,
        ``options``, ``right`` (a list of values), ``wrong`` (a list of ``values`` and ``hint``),
        ``tolerance``, ``hint`` and ``success``.

    Raises
    ------
    ValueError
        If the answer can't be typed, or if the labels or the options don't fit it.
    """
    entry = require_exercise("exercise", name)
    if not isinstance(entry, Exercise) or entry.cases or entry.measure is not itself:
        raise ValueError(f"exercise is {name!r}; expected one whose only right answer is a value")
    right = entry.answer
    values = [right, *(wrong.answer for wrong in entry.wrong.values())]
    kind = _kind(name, right, options)
    if kind in ("menu", "set"):
        known = sorted({text for one in values for text in _strings(one)})
        options = list(options or known)
        if missing := set(known) - set(options):
            raise ValueError(f"options is {options!r}; expected {sorted(missing)} among them")
    elif kind == "choice" and right not in options:
        raise ValueError(f"options is {options!r}; expected the right answer among them")
    elif kind in ("number", "text") and options:
        raise ValueError(f"options is {options!r}; expected none, because the answer is typed")
    if kind == "menu":
        labels = list(right)
    fields = {"number": np.size(right), "menu": len(labels), "text": 1}.get(kind, 0)
    labels = list(labels) or ["Your answer"] * (fields == 1)
    if len(labels) != fields:
        raise ValueError(f"labels is {labels!r}; expected {fields} labels for {name}")
    right, *wrong = (_values(kind, one, labels, options) for one in values)
    hints = [one.hint for one in entry.wrong.values()]
    return {
        "kind": kind,
        "labels": labels,
        "options": list(options),
        "right": right,
        "wrong": [{"values": v, "hint": h} for v, h in zip(wrong, hints, strict=True)],
        "tolerance": entry.tolerance,
        "hint": entry.hint,
        "success": entry.success,
    }


def _kind(name: str, right: Any, options: Sequence[str]) -> str:
    """Return the kind of input for an answer of this form."""
    if isinstance(right, str):
        return "choice" if options else "text"
    if isinstance(right, Mapping | Set) and all(isinstance(s, str) for s in _strings(right)):
        return "menu" if isinstance(right, Mapping) else "set"
    if isinstance(right, Real | Sequence | np.ndarray) and not isinstance(right, bool):
        numbers = np.asarray(right)
        if numbers.dtype.kind in "iuf" and 1 <= numbers.size <= MOST:
            return "number"
    raise ValueError(
        f"exercise is {name!r}; expected one whose answer is a string, a set of strings, a "
        f"dictionary of strings, or at most {MOST} numbers"
    )


def _strings(value: Any) -> list:
    return list(value.values() if isinstance(value, Mapping) else value)


def _values(kind: str, value: Any, labels: Sequence[str], options: Sequence[str]) -> list:
    """Return an answer as a list: the numbers, or the strings that are chosen."""
    if kind == "number":
        return np.ravel(value).tolist()
    if kind == "menu":
        return [value[label] for label in labels]
    return [text for text in options if text in value] if kind == "set" else [value]
