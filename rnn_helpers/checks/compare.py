"""How a result differs from the expected one, in words that do not give the expected one away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Misfit:
    """A value of another form than the one that is measured."""

    value: Any


def difference(given: Any, expected: Any, tolerance: float = 1e-8) -> str | None:
    """Say how two results differ, without giving the expected numbers away.

    Numbers and arrays (of NumPy, torch, or nested lists) are compared by value, containers item by
    item, exceptions by type, everything else with ``==``.

    Parameters
    ----------
    given, expected : object
        The results.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal; two
        whole numbers are equal if they are one number.

    Returns
    -------
    str or None
        A sentence about the first difference; None if there is none.
    """
    given, expected = _plain(given), _plain(expected)
    if isinstance(given, Misfit):
        same = isinstance(expected, Misfit)
        return (
            None if same else f"{kind(given.value)} was given, which does not have the form asked."
        )
    if isinstance(given, BaseException) or isinstance(expected, BaseException):
        if type(given) is type(expected):
            return None
        if isinstance(given, BaseException):
            return f"your answer raises {type(given).__name__}: {str(given)[:200]}"
        return f"your answer accepts this; expected {type(expected).__name__} to be raised."
    if isinstance(expected, Mapping):
        return _mapping_difference(given, expected, tolerance)
    if isinstance(expected, str | bytes | bool | set | frozenset | None):
        if type(given) is not type(expected):
            return f"{kind(given)} was given, expected {kind(expected)}."
        return None if given == expected else "your answer is not the expected one."
    try:
        wanted = np.asarray(expected)
    except ValueError:  # a ragged list
        wanted = None
    if wanted is not None and wanted.dtype.kind in "biufc":
        return _array_difference(given, wanted, tolerance)
    if isinstance(expected, Sequence):
        return _sequence_difference(given, expected, tolerance)
    return None if given == expected else "your answer is not the expected one."


def _plain(value: Any) -> Any:
    """Bring torch tensors and zero-dimensional booleans into plain NumPy and Python."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return bool(value) if isinstance(value, np.bool_) else value


def _array_difference(given: Any, wanted: np.ndarray, tolerance: float) -> str | None:
    try:
        got = np.asarray(given)
    except Exception:  # whatever the conversion of a strange object raises
        got = np.empty(0, dtype=object)
    if got.dtype.kind not in "biufc":
        return f"{kind(given)} was given, expected {kind(wanted)}."
    if got.shape != wanted.shape:
        if not got.ndim or not wanted.ndim:
            return f"{kind(got)} was given, expected {kind(wanted)}."
        return f"your answer has shape {got.shape}, expected {wanted.shape}."
    if np.isnan(got).any() and not np.isnan(wanted).any():
        return "your answer contains NaN (not a number)."
    allowed = tolerance * np.maximum(1.0, np.nan_to_num(np.abs(wanted), posinf=0.0))
    if wanted.dtype.kind in "biu":
        allowed = np.minimum(allowed, 0.4)  # a count is not one off, however large
    far = ~np.isclose(got, wanted, rtol=0.0, atol=allowed, equal_nan=True)
    if not far.any():
        return None
    if far.ndim == 0:
        return f"your answer, {got}, is not the expected one."
    first = tuple(int(i) for i in np.argwhere(far)[0])
    return (
        f"{far.sum()} of {far.size} entries are not the expected ones, the first at {list(first)}."
    )


def _mapping_difference(given: Any, expected: Mapping, tolerance: float) -> str | None:
    if not isinstance(given, Mapping):
        return f"{kind(given)} was given, expected {kind(expected)}."
    if set(given) != set(expected):
        return f"your answer has the keys {sorted(given)}, expected {sorted(expected)}."
    for key, value in expected.items():
        if fault := difference(given[key], value, tolerance):
            return f"at {key!r}, {fault}"
    return None


def _sequence_difference(given: Any, expected: Sequence, tolerance: float) -> str | None:
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
        return f"{kind(given)} was given, expected {kind(expected)}."
    if len(given) != len(expected):
        return f"your answer has {len(given)} items, expected {len(expected)}."
    for place, (a, b) in enumerate(zip(given, expected, strict=True)):
        if fault := difference(a, b, tolerance):
            return f"at item {place}, {fault}"
    return None


def kind(value: Any) -> str:
    """Name the kind of a value as a student would."""
    kinds = {
        str: "a string",
        bool: "True or False",
        dict: "a dictionary",
        list: "a list",
        tuple: "a tuple",
        type(None): "nothing (None)",
    }
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape}"
    if isinstance(value, np.ndarray | np.number | int | float) and not isinstance(value, bool):
        return "a number"
    return kinds.get(type(value), f"a {type(value).__name__}")
