"""How a result differs from the expected one, in words that do not give the expected one away."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from numbers import Number, Rational
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Misfit:
    """A value of another form than the one that is measured."""

    value: Any


class FormFault(str):
    """A fault in the form of an answer, such as its shape, before any of its numbers matters."""


def plain(value: Any) -> Any:
    """Return a value in the types of plain Python and NumPy, for values of any library.

    The types of an answer don't matter: tensors become arrays; arrays without dimensions
    become numbers; NumPy's strings, truth values and sets that can't change become Python's;
    complex numbers without an imaginary part become real. An iterator becomes a `Misfit`, because
    it may never end. Arrays and containers are copied, because a function may go on using its own.
    """
    if hasattr(value, "detach"):  # a torch tensor
        value = value.detach().cpu()
        value = (value.float() if str(value.dtype) == "torch.bfloat16" else value).numpy()
    if hasattr(type(value), "__array__") or isinstance(value, complex):
        value = np.real_if_close(np.array(value))
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


def inexact(value: Any) -> Any:
    """Return a plain value with floats for the numbers that no array of numbers can hold."""
    if isinstance(value, Mapping):
        return {key: inexact(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(inexact, value))
    if not isinstance(value, Rational | Decimal) or (isinstance(value, int) and value < 2**63):
        return value
    try:
        return float(value)
    except (OverflowError, ValueError):  # too large, or a signaling NaN
        return math.inf


def holds_dots(value: Any) -> bool:
    """Whether a plain value is, or contains, the dots of an empty stub."""
    if isinstance(value, Mapping):
        value = [*value.values()]
    return any(map(holds_dots, value)) if isinstance(value, list | tuple) else value is ...


def changed(before: Any, after: Any) -> bool:
    """Whether the numbers and strings in an argument differ from those it had before a call.

    Objects of other kinds don't count: drawing from a random generator changes it, too.
    """
    if type(before) is not type(after):
        return True
    if isinstance(before, np.ndarray):
        same = before.shape == after.shape and before.tobytes() == after.tobytes()
        return before.dtype != object and not same
    if isinstance(before, Mapping):
        return set(before) != set(after) or any(changed(before[key], after[key]) for key in before)
    if isinstance(before, list | tuple):
        return len(before) != len(after) or any(map(changed, before, after))
    return isinstance(before, Set | Number | str) and before != after


def is_coarse(value: Any) -> bool:
    """Whether a plain value holds numbers with fewer digits than Python's own, as float32 does."""
    if isinstance(value, Mapping):
        return any(map(is_coarse, value.values()))
    if isinstance(value, list | tuple):
        return any(map(is_coarse, value))
    kind = getattr(value, "dtype", np.dtype(float))
    return kind.kind in "fc" and np.finfo(kind).eps > np.finfo(float).eps


def difference(
    given: Any, expected: Any, tolerance: float = 1e-8, rounded: bool = False
) -> str | None:
    """Describe how two results differ, without giving the expected numbers away.

    Numbers and arrays (of NumPy, torch, or nested lists) are compared by value, containers item by
    item, exceptions by type, everything else with ``==``.

    Parameters
    ----------
    given, expected : object
        The results.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal; two
        whole numbers are equal if they are one number.
    rounded : bool
        Whether a given number also equals numbers that round or truncate to it.

    Returns
    -------
    str or None
        A sentence about the first difference, a `FormFault` if the forms differ; None if there is
        none.
    """

    def allowed(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        slack = tolerance * np.maximum(1.0, np.nan_to_num(np.abs(wanted), posinf=0.0))
        if wanted.dtype.kind in "biu":
            return np.minimum(slack, 0.4)  # a count is not one off, however large
        return np.maximum(slack, _left_out(got, wanted)) if rounded else slack

    return _difference(plain(given), plain(expected), allowed)


def _left_out(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return how far the given numbers may be off because their last digits were left out."""
    got, unit = got + 0.0, np.zeros(got.shape)
    for digits in range(5, -1, -1):
        unit[np.round(got, digits) == got] = 1 / 10**digits
    unit[(unit == 1) & (np.abs(got) < 10)] = 0  # a single digit is too little evidence
    unit[np.round(wanted) == wanted] = 0
    return np.where(np.abs(got) < np.abs(wanted), 0.99, 0.5) * unit


def _difference(given: Any, expected: Any, allowed: Callable) -> str | None:
    if isinstance(given, Misfit):
        same = isinstance(expected, Misfit)
        said = f"{kind(given.value)} was given, which does not have the form asked."
        return None if same else FormFault(said)
    if isinstance(given, BaseException) or isinstance(expected, BaseException):
        if type(given) is type(expected):
            return None
        if isinstance(given, BaseException):
            return f"your answer stops with {described(given)}."
        return f"your answer accepts this; expected {type(expected).__name__} to be raised."
    if isinstance(expected, Mapping):
        return _mapping_difference(given, expected, allowed)
    if isinstance(expected, str | bytes | bool | set | None):
        if type(given) is not type(expected):
            return _another_kind(given, expected)
        return None if given == expected else "your answer is not the expected one."
    wanted = _numbers(expected)
    if wanted is not None and wanted.dtype.kind in "biufc":
        return _array_difference(given, expected, wanted, allowed)
    if isinstance(expected, Sequence):
        return _sequence_difference(given, expected, allowed)
    return None if given == expected else "your answer is not the expected one."


def _numbers(value: Any) -> np.ndarray | None:
    """Return a value as an array; None if it isn't one, such as a ragged list."""
    try:
        return np.asarray(value)
    except Exception:  # the conversion of a strange object may raise anything
        return None


def _another_kind(given: Any, expected: Any) -> FormFault:
    length = f" of length {len(expected)}" if isinstance(expected, list | tuple) else ""
    return FormFault(f"{kind(given)} was given, expected {kind(expected)}{length}.")


def described(error: BaseException) -> str:
    """Return an exception's type and message in one line."""
    text = in_a_line(str(error))
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _array_difference(
    given: Any, expected: Any, wanted: np.ndarray, allowed: Callable
) -> str | None:
    got = _numbers(inexact(given))
    if got is None or got.dtype.kind not in "biufc":
        parts = isinstance(given, list | tuple) and wanted.ndim
        fault = parts and _sequence_difference(given, expected, allowed)
        return fault or _another_kind(given, expected)
    if isinstance(given, bool) and wanted.dtype.kind in "fc":
        return _another_kind(given, expected)
    if got.ndim != wanted.ndim and not (got.ndim and wanted.ndim):
        return _another_kind(given, expected)
    if got.shape != wanted.shape:
        fault = f"your answer has shape {got.shape}, expected {wanted.shape}."
        # the length of a list is often part of the answer
        is_form = got.ndim != wanted.ndim or not isinstance(expected, list)
        return FormFault(fault) if is_form else fault
    if np.isnan(got).any() and not np.isnan(wanted).any():
        return "your answer contains NaN (not a number)."
    with np.errstate(all="ignore"):
        far = ~np.isclose(got, wanted, rtol=0.0, atol=allowed(got, wanted), equal_nan=True)
    if not far.any():
        return None
    if far.ndim == 0:
        return f"your answer, {got}, is not the expected one."
    first = tuple(int(i) for i in np.argwhere(far)[0])
    return (
        f"{far.sum()} of {far.size} entries {'is' if far.sum() == 1 else 'are'} not as expected, "
        f"the first at {list(first)}."
    )


def _mapping_difference(given: Any, expected: Mapping, allowed: Callable) -> str | None:
    if not isinstance(given, Mapping):
        return _another_kind(given, expected)
    if set(given) != set(expected):
        return f"your answer has the keys {_keys(given)}, expected {_keys(expected)}."
    for key, value in expected.items():
        if fault := _difference(given[key], value, allowed):
            return type(fault)(f"at {key!r}, {fault}")
    return None


def _keys(mapping: Mapping) -> str:
    return cut(", ".join(sorted(map(repr, mapping))), 150)


def in_a_line(text: str) -> str:
    """Join the lines of a text and leave out addresses in memory."""
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", " ".join(text.split()))


def cut(text: str, length: int = 60) -> str:
    """Shorten a text that is longer than `length`."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _sequence_difference(given: Any, expected: Sequence, allowed: Callable) -> str | None:
    if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str):
        return _another_kind(given, expected)
    if len(given) != len(expected):
        fault = f"your answer has {len(given)} items, expected {len(expected)}."
        return fault if isinstance(expected, list) else FormFault(fault)
    for place, (a, b) in enumerate(zip(given, expected, strict=True)):
        if fault := _difference(a, b, allowed):
            return type(fault)(f"at item {place}, {fault}")
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
    if isinstance(value, np.ndarray | Number | Decimal) and not isinstance(value, bool):
        return "a number"
    return kinds.get(type(value), f"a {type(value).__name__}")
