"""Argument checks for the functions of single equations, for readers who call them directly.

`rnn_forward` and `rnn_backward` check their arguments once and then call these functions many
times, so the functions themselves don't check them. The versions that the package exports do.
"""

import functools
import inspect
from collections.abc import Callable
from numbers import Real

import numpy as np

from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_mask,
    as_number,
    as_positive,
    as_real,
    as_result,
    as_tokens,
    brief,
)


def guarded(function: Callable, **kinds: Callable) -> Callable:
    """Return a function that checks its arguments, then calls `function`.

    Parameters
    ----------
    function : callable
        Takes arrays, and is defined by an equation.
    **kinds : callable
        How to check an argument that is not an array of real numbers:
        ``kind(name, value, arguments)`` returns the argument for `function`.

    Returns
    -------
    callable
        With the signature, documentation and equations of `function`. It raises ``TypeError`` or
        ``ValueError``, naming the argument, if it isn't finite real numbers or doesn't fit.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args, **kwargs):
        given = signature.bind(*args, **kwargs).arguments
        for name, value in given.items():
            given[name] = kinds[name](name, value, given) if name in kinds else _real(name, value)
        try:
            with np.errstate(all="ignore"):
                result = function(**given)
        except (ValueError, IndexError, TypeError, AttributeError, OverflowError) as error:
            shapes = ", ".join(f"{name} {np.shape(value)}" for name, value in given.items())
            raise ValueError(
                f"{function.__name__} got the shapes {shapes}; expected those of its docstring, "
                f"which fit: {error}"
            ) from None
        return as_result(function.__name__, result, ", ".join(given))

    # The module that exports it, so that the function can be pickled.
    checked.__module__ = f"{__package__}.checked.{function.__module__.rpartition('.')[2]}"
    return checked


def tokens_of(scores: str) -> Callable:
    """Return a check for tokens below the number of entries in each row of `scores`."""

    def check(name, value, given):
        return as_tokens(name, value, _last_axis(given[scores]))

    return check


def cells_of(weights: str) -> Callable:
    """Return a check for indices of cells, which are the rows of `weights`."""

    def check(name, value, given):
        return as_tokens(name, value, len(np.atleast_1d(given[weights])))

    return check


def inputs(name, value, given):
    """Check tokens or vectors for the columns of ``U``."""
    array = as_array(name, value)
    if array.dtype.kind in "iu":
        return as_tokens(name, array, _last_axis(given["U"]))
    return _real(name, array)


def choice_of(choices) -> Callable:
    """Return a check for one of `choices`."""
    return lambda name, value, given: as_choice(name, value, choices)


def time(name, value, given):
    """Check a time, an integer of at least 0."""
    return as_count(name, value, 0)


def positive(name, value, given):
    """Check a finite number above 0."""
    return as_positive(name, value)


def direction(name, value, given):
    """Check that no vector along the last axis is 0."""
    array = _real(name, value)
    if np.ndim(array) and not np.any(array, axis=-1).all():
        raise ValueError(f"{name} is {brief(value)}; expected no vector of zeros")
    return array


def mask(name, value, given):
    """Check a mask of any shape, or None."""
    return as_mask(value, np.shape(value))


def _last_axis(array):
    return np.shape(array)[-1] if np.ndim(array) else 0


def _real(name, value):
    """Array of finite real numbers, or of exact ones such as fractions."""
    if isinstance(value, int):
        return as_number(name, value)  # a Python number, without a floating type
    array = as_array(name, value)
    exact = array.dtype == object and all(isinstance(entry, Real) for entry in array.flat)
    if exact and array.size:
        for entry in array.flat:
            as_number(name, entry)
        return array
    if array.ndim and not array.size:
        raise ValueError(f"{name} is {brief(value)}; expected at least one number")
    return as_real(name, array)
