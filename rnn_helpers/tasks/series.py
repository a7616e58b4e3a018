"""Series to predict: two standard ones, one with two time scales, and the reader's own.

A series has shape (T,), or (T, S) for S of them side by side. A network reads vectors, so a task
is a pair of arrays of shape (T, 1) or (T, S, 1): the inputs and the targets.
"""

import csv
import io
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rnn_helpers.validate import (
    as_count,
    as_generators,
    as_kind,
    as_positive,
    as_real,
    as_result,
    brief,
    is_file,
)

LEAST = 100
"""Fewest values a file's column must have: with less, nothing is left to learn and to test from."""

_NO_RETURN = 14  # 0.3 y + 0.05 y^2 + 0.1 > y from here on, so NARMA-10 then grows forever
_DRAWS = 10

_DECAY, _PRODUCTION, _POWER = 0.1, 0.2, 10  # of Mackey and Glass

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


def narma10(n_steps: int, seed: Seeds = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw inputs and compute a recursion of tenth order from them (Atiya and Parlos, 2000).

    The inputs are uniform from 0 to 0.5, and ::

        y(t) = 0.3 y(t-1) + 0.05 y(t-1) (y(t-1) + ... + y(t-10)) + 1.5 x(t) x(t-9) + 0.1

    with zeros before the first step. To predict y(t), a model has to keep the input of 9 steps ago
    and multiply it by the current one. A constant prediction of the mean has a `normalised_error`
    of 1, and the best weighted sum of the last 20 inputs about 0.4.

    The recursion isn't stable: if the inputs are large for long enough, it grows forever. This
    happens in about one of 60 series of 3000 steps. Such a series is drawn again, from the same
    generator.

    Parameters
    ----------
    n_steps : int
        Time steps T.
    seed : int, Generator, or sequence of these
        Draws the inputs. A sequence of S seeds gives S series side by side.

    Returns
    -------
    x, y : ndarray of float, shape (T, 1); (T, S, 1) with S seeds
        Inputs and targets.

    Raises
    ------
    ValueError
        If ten series in a row grew forever, as they do if `n_steps` is very large.
    """
    n_steps = as_count("n_steps", n_steps)
    rngs, several = as_generators(seed)
    pairs = np.array([_bounded(n_steps, rng) for rng in rngs])  # (S, 2, T)
    x, y = pairs.transpose(1, 2, 0)[..., None]
    return (x, y) if several else (x[:, 0], y[:, 0])


def _bounded(n_steps, rng):
    """Inputs and outputs of a series that stays small."""
    for _ in range(_DRAWS):
        x = rng.uniform(0, 0.5, n_steps)
        if y := _narma10(x.tolist()):
            return x, y
    raise ValueError(
        f"n_steps is {n_steps}, in which NARMA-10 grew without bound {_DRAWS} times in a row; "
        "expected fewer steps"
    )


def _narma10(x):
    """The recursion, for a list of inputs; an empty list if it grows without bound."""
    y = []
    last = deque([0.0] * 10, 10)
    inputs = deque([0.0] * 10, 10)
    for now in x:
        inputs.append(now)
        grown = 0.3 * last[-1] + 0.05 * last[-1] * sum(last) + 1.5 * now * inputs[0] + 0.1
        if grown > _NO_RETURN:
            return []
        last.append(grown)
        y.append(grown)
    return y


def mackey_glass(
    n_steps: int,
    start: float | Sequence[float] | np.ndarray = 1.2,
    tau: int = 17,
    washout: int = 1000,
    per_unit: int = 10,
) -> np.ndarray:
    """Solve the equation of Mackey and Glass (1977), whose production depends on an earlier value.

    ``dx/dt = 0.2 x(t-tau) / (1 + x(t-tau)^10) - 0.1 x(t)``, one value for each unit of time. With
    a delay of 17 the series is mildly chaotic. The production depends only on values one delay
    earlier, so the rest of the equation is linear: the decay is solved exactly, the production is
    integrated by Simpson's rule, and values between the steps come from cubic Hermite
    interpolation. The error falls with the fourth power of the step.

    Parameters
    ----------
    n_steps : int
        Values T of the series.
    start : float or array_like of shape (S,)
        The constant from which it starts, up to time 0; from 0 to 10. Several give S series side
        by side. At 1 production and decay balance, but not in a stable way.
    tau : int
        Delay, in units of time.
    washout : int
        Units of time that pass before the first value returned.
    per_unit : int
        Steps of integration in a unit of time.

    Returns
    -------
    ndarray of float, shape (T,); (T, S) for several starts
        The series at the times `washout`, `washout` + 1, ...
    """
    n_steps, tau = as_count("n_steps", n_steps), as_count("tau", tau)
    washout, per_unit = as_count("washout", washout, 0), as_count("per_unit", per_unit)
    start = as_real("start", start).astype(float)
    if start.ndim > 1 or not start.size or not ((start >= 0) & (start <= 10)).all():
        raise ValueError(f"start is {brief(start)}; expected one or more numbers from 0 to 10")
    h = 1 / per_unit
    half = np.exp(-_DECAY * h / 2)  # the share left by decay after half a step
    x = np.broadcast_to(start, (tau * per_unit + 1, *start.shape))  # one delay, both ends
    slope = np.zeros_like(x)
    units = [x[-1:]]
    for _ in range((washout + n_steps - 1 + tau - 1) // tau):
        between = (x[:-1] + x[1:]) / 2 + h / 8 * (slope[:-1] - slope[1:])
        produced = _produced(x)
        added = half**2 * produced[:-1] + 4 * half * _produced(between) + produced[1:]
        now = [x[-1]]
        for one in h / 6 * added:
            now.append(half**2 * now[-1] + one)
        x = np.array(now)
        slope = produced - _DECAY * x
        units.append(x[per_unit::per_unit])
    return np.concatenate(units)[washout : washout + n_steps]


def _produced(x):
    return _PRODUCTION * x / (1 + x**_POWER)


def two_scales(n_steps: int, seed: Seeds = 0, fast: float = 8.0, slow: float = 96.0) -> np.ndarray:
    """Draw a fast and a slow wave; their sum is a signal of two time scales.

    Each is a sine of amplitude 1 and variance 1/2, with its own phase. Predicting the current value
    of a wave of period p for the next step has a mean squared error of ``1 - cos(2 pi / p)``.

    Parameters
    ----------
    n_steps : int
        Time steps T.
    seed : int, Generator, or sequence of these
        Draws the phases. A sequence of S seeds gives S pairs side by side.
    fast, slow : float
        Periods in time steps, above 2 because faster waves are indistinguishable from slower ones;
        `slow` above `fast`.

    Returns
    -------
    ndarray of float, shape (T, 2); (T, S, 2) with S seeds
        The fast wave and the slow one; ``.sum(axis=-1)`` is the signal.
    """
    n_steps = as_count("n_steps", n_steps)
    fast, slow = as_positive("fast", fast), as_positive("slow", slow)
    if not 2 < fast < slow:
        raise ValueError(f"fast is {fast} and slow is {slow}; expected 2 < fast < slow")
    rngs, several = as_generators(seed)
    phases = np.array([rng.uniform(0, 2 * np.pi, 2) for rng in rngs])
    angle = 2 * np.pi * np.arange(n_steps)[:, None] / np.array([fast, slow])
    waves = np.sin(angle[:, None] + phases)
    return waves if several else waves[:, 0]


def from_csv(path: str | Path, column: str) -> np.ndarray:
    """Read a series from a column of a file of comma-separated values.

    Parameters
    ----------
    path : str or pathlib.Path
        The file, in UTF-8. Its first row names the columns; empty rows are passed over.
    column : str
        Name of the column.

    Returns
    -------
    ndarray of float, shape (T,)
        The column's numbers, from the top.

    Raises
    ------
    ValueError
        If the file is not UTF-8 or no table, not exactly one column has the name, a row of
        it holds no finite number, or it has fewer than `LEAST` rows.
    """
    path = Path(as_kind("path", path, str | Path, "a string or a path"))
    as_kind("column", column, str, "a string")
    if not is_file(path):
        raise ValueError(
            f"path is {brief(str(path), 300)}; expected a file of comma-separated values"
        )
    try:
        rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        numbered = [(rows.line_num, row) for row in rows if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"path is {str(path)!r}, which cannot be read ({error}); "
            "expected a file of comma-separated values in UTF-8"
        ) from None
    names = [name.strip() for name in numbered[0][1]] if numbered else []
    if names.count(column) != 1:
        raise ValueError(
            f"column is {brief(column)}, which {path.name!r} has {names.count(column)} times; "
            f"expected one of the names in its first row, {brief(names)}"
        )
    place = names.index(column)
    series = [_number(row, place, line, column) for line, row in numbered[1:]]
    if len(series) < LEAST:
        raise ValueError(
            f"column {column!r} of {path.name!r} has {len(series)} values; "
            f"expected at least {LEAST}"
        )
    return np.array(series)


def _number(row, place, line, column):
    """The number of a row, or an error that names the row without one."""
    cell = row[place].strip() if place < len(row) else ""
    try:
        number = float(cell)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise ValueError(
            f"column {column!r} holds {brief(cell) if cell else 'nothing'} in row {line}, "
            "counting the row of names as 1; expected a finite number"
        )
    return number


def forecast(series: np.ndarray, ahead: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a series and the same series `ahead` steps later, as inputs and targets.

    Parameters
    ----------
    series : array_like of float, shape (T,) or (T, S)
        One series, or several side by side.
    ahead : int
        Steps from an input to its target.

    Returns
    -------
    x, y : ndarray of float, shape (T - ahead, 1) or (T - ahead, S, 1)
        Inputs and targets. ``normalised_error(y, x)`` is the error of repeating
        the last value.
    """
    series = as_real("series", series)
    ahead = as_count("ahead", ahead)
    if series.ndim not in (1, 2) or not series.size:
        raise ValueError(f"series has shape {series.shape}; expected (T,) or (T, S)")
    if len(series) <= ahead:
        raise ValueError(f"ahead is {ahead}; expected less than the {len(series)} steps of series")
    return series[:-ahead, ..., None], series[ahead:, ..., None]


def normalised_error(y: np.ndarray, guess: np.ndarray | float) -> float | np.ndarray:
    """Return the root mean squared error over time, divided by the standard deviation of `y`.

    A constant prediction of the mean of `y` has an error of 1.

    Parameters
    ----------
    y : array_like of float, shape (T,) or (T, 1); (T, S, 1) for S series
        Targets.
    guess : array_like of float, of the shape of `y`, or float
        Predictions.

    Returns
    -------
    float, or ndarray of shape (S,)

    Raises
    ------
    ValueError
        If `y` does not change over time.
    """
    y, guess = as_real("y", y), as_real("guess", guess)
    if y.ndim not in (1, 2, 3) or not y.size or (y.ndim > 1 and y.shape[-1] != 1):
        raise ValueError(f"y has shape {y.shape}; expected (T,), (T, 1) or (T, S, 1)")
    if guess.shape not in ((), y.shape):
        raise ValueError(f"guess has shape {guess.shape}; expected {y.shape}, as y has")
    if (y == y[0]).all(axis=0).any():
        raise ValueError("y has a series that does not change; expected one that does")
    with np.errstate(over="ignore", invalid="ignore"):
        error = np.sqrt(((y - guess) ** 2).mean(axis=0)) / y.std(axis=0)
    as_result("normalised_error", error, "y and guess")
    return error[:, 0] if y.ndim == 3 else error.item()
