"""How a result differs from the expected one, in words that do not give the expected one away."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Misfit:
    """A value of another form than the one that is measured."""

    value: Any


def plain(value: Any) -> Any:
    """Return a value in the types of plain Python and NumPy, whichever library made it.

    An answer is right in whatever types it comes: tensors become arrays; arrays without dimensions
    become numbers; NumPy's strings, truth values and sets that can't change become Python's;
    complex numbers without an imaginary part become real. An iterator becomes a `Misfit`, because
    it may never end.
    """
    if hasattr(value, "detach"):  # a torch tensor
        value = value.detach().cpu()
        value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    if hasattr(type(value), "__array__") or isinstance(value, complex):
        value = np.real_if_close(np.asarray(value))
        if value.dtype.kind in "OSU":
            return plain(value.tolist())
        if value.ndim:
            return value
        return value[()] if value.dtype.kind in "fc" else value.item()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(plain(entry) for entry in value)
    if isinstance(value, Set):
        return {plain(entry) for entry in value}
    return Misfit(value) if isinstance(value, Iterator) else value


def is_coarse(value: Any) -> bool:
    """Whether a plain value holds numbers with fewer digits than Python's own, as float32 does."""
    if isinstance(value, Mapping):
        return any(map(is_coarse, value.values()))
    if isinstance(value, list | tuple):
        return any(map(is_coarse, value))
    kind = getattr(value, "dtype", np.dtype(float))
    return kind.kind in "fc" and np.finfo(kind).eps > np.finfo(float).eps


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
    return _difference(plain(given), plain(expected), tolerance)


def _difference(given: Any, expected: Any, tolerance: float) -> str | None:
    if isinstance(given, Misfit):
        same = isinstance(expected, Misfit)
        return (
            None if same else f"{kind(given.value)} was given, which does not have the form asked."
        )
    if isinstance(given, BaseException) or isinstance(expected, BaseException):
        if type(given) is type(expected):
            return None
        if isinstance(given, BaseException):
            return f"your answer stops with {described(given)}."
        return f"your answer accepts this; expected {type(expected).__name__} to be raised."
    if isinstance(expected, Mapping):
        return _mapping_difference(given, expected, tolerance)
    if isinstance(expected, str | bytes | bool | set | None):
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


def described(error: BaseException) -> str:
    """Return an exception's type and message in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


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
    with np.errstate(all="ignore"):
        far = ~np.isclose(got, wanted, rtol=0.0, atol=allowed, equal_nan=True)
    if not far.any():
        return None
    if far.ndim == 0:
        return f"your answer, {got}, is not the expected one."
    first = tuple(int(i) for i in np.argwhere(far)[0])
    return (
        f"{far.sum()} of {far.size} entries {'is' if far.sum() == 1 else 'are'} not as expected, "
        f"the first at {list(first)}."
    )


def _mapping_difference(given: Any, expected: Mapping, tolerance: float) -> str | None:
    if not isinstance(given, Mapping):
        return f"{kind(given)} was given, expected {kind(expected)}."
    if set(given) != set(expected):
        return f"your answer has the keys {_keys(given)}, expected {_keys(expected)}."
    for key, value in expected.items():
        if fault := _difference(given[key], value, tolerance):
            return f"at {key!r}, {fault}"
    return None


def _keys(mapping: Mapping) -> str:
    return cut(", ".join(sorted(map(repr, mapping))), 150)


def cut(text: str, length: int = 60) -> str:
    """Shorten a text that is longer than `length`."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _sequence_difference(given: Any, expected: Sequence, tolerance: float) -> str | None:
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
        return f"{kind(given)} was given, expected {kind(expected)}."
    if len(given) != len(expected):
        return f"your answer has {len(given)} items, expected {len(expected)}."
    for place, (a, b) in enumerate(zip(given, expected, strict=True)):
        if fault := _difference(a, b, tolerance):
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
