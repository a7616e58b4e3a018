"""A right answer passes in any type: the solution's results, converted."""

import math
from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from declared import each

from rnn_helpers.checks import Exercise, exercises

CODE = {name: entry for name, entry in exercises().items() if isinstance(entry, Exercise)}
# float32 can't tell a right answer from a wrong one that students give
NEEDS_DIGITS = {"17-clip", "17-pytorch"}


def inside(convert):
    """Return a conversion of every number, string, set and array inside an answer."""

    def converted(answer):
        if isinstance(answer, Mapping):
            return {key: converted(entry) for key, entry in answer.items()}
        if isinstance(answer, list | tuple):
            return type(answer)(converted(entry) for entry in answer)
        return convert(answer)

    return converted


def is_real(entry):
    """Return whether an entry is a real number, or an array of them, and no count."""
    return isinstance(entry, float | np.floating) or (
        isinstance(entry, np.ndarray) and entry.dtype.kind == "f"
    )


def is_number(entry):
    return is_real(entry) or (isinstance(entry, int | np.integer) and not isinstance(entry, bool))


def in_single_precision(entry):
    if not is_real(entry):
        return entry
    with np.errstate(over="ignore"):
        return np.float32(entry)


def as_numpys_scalars(entry):
    if isinstance(entry, bool):
        return np.bool_(entry)
    if isinstance(entry, str):
        return np.str_(entry)
    if isinstance(entry, int) and abs(entry) < 2**62:
        return np.int64(entry)
    return np.float64(entry) if isinstance(entry, float) else entry


def as_arrays_without_dimensions(entry):
    scalar = as_numpys_scalars(entry)
    return np.asarray(scalar) if isinstance(scalar, np.generic) else entry


def as_complex(entry):
    return entry + 0j if is_real(entry) else entry


def as_frozensets(entry):
    return frozenset(entry) if isinstance(entry, set) else entry


def as_nested_lists(entry):
    return entry.tolist() if isinstance(entry, np.ndarray) else entry


def in_fortran_order(entry):
    return np.asfortranarray(entry) if isinstance(entry, np.ndarray) else entry


def with_gaps_in_memory(entry):
    if not isinstance(entry, np.ndarray) or not entry.ndim:
        return entry
    return np.repeat(entry, 2, axis=-1)[..., ::2]


def as_matrices(entry):
    two_dimensional = isinstance(entry, np.ndarray) and entry.ndim == 2
    return entry.view(np.matrix) if two_dimensional else entry


def as_fractions(entry):
    if isinstance(entry, np.ndarray) and entry.dtype.kind in "iuf" and np.isfinite(entry).all():
        return np.vectorize(Fraction, otypes=[object])(entry.astype(float))
    exact = is_number(entry) and math.isfinite(entry) and not isinstance(entry, np.floating)
    return Fraction(entry) if exact else entry


def as_decimals(entry):
    entry = as_fractions(entry)
    if isinstance(entry, np.ndarray) and entry.dtype == object:
        return [as_decimals(part) for part in entry.tolist()] if entry.ndim else entry
    if isinstance(entry, list):
        return [as_decimals(part) for part in entry]
    if isinstance(entry, Fraction):
        with localcontext(prec=1000):  # no digit is lost
            return Decimal(entry.numerator) / Decimal(entry.denominator)
    return entry


def as_lists(answer):
    if isinstance(answer, tuple):
        return list(answer)
    return {k: as_lists(v) for k, v in answer.items()} if isinstance(answer, dict) else answer


def as_tuples(answer):
    return tuple(answer) if isinstance(answer, list) else answer


def as_array_of_strings(answer):
    strings = isinstance(answer, list | tuple) and all(isinstance(entry, str) for entry in answer)
    return np.array(answer, dtype=str) if strings and answer else answer


STYLES = {
    "single precision": inside(in_single_precision),
    "NumPy's scalars": inside(as_numpys_scalars),
    "arrays without dimensions": inside(as_arrays_without_dimensions),
    "complex numbers": inside(as_complex),
    "fractions": inside(as_fractions),
    "decimals": inside(as_decimals),
    "frozensets": inside(as_frozensets),
    "nested lists": inside(as_nested_lists),
    "Fortran order": inside(in_fortran_order),
    "gaps in memory": inside(with_gaps_in_memory),
    "matrices": inside(as_matrices),
    "lists": as_lists,
    "tuples": as_tuples,
    "arrays of strings": as_array_of_strings,
}


def written(entry, answer, style):
    """An answer whose result is converted, in the form in which it is handed in."""
    if not entry.cases:
        return style(answer)
    return lambda *case: style(answer(*case))


@pytest.mark.nightly("02-", "05-")
@each(CODE)
@pytest.mark.parametrize("style", STYLES)
def test_a_right_answer_passes_in_every_style(name, style):
    entry = CODE[name]
    outcome = entry.grade(written(entry, entry.answer, STYLES[style]))
    if style == "single precision" and name in NEEDS_DIGITS:
        assert "float32" in outcome.message
    else:
        assert outcome, outcome.message


@pytest.mark.nightly("02-", "05-")
@each(CODE)
def test_a_wrong_answer_stays_wrong_in_single_precision(name):
    entry = CODE[name]
    for mistake, wrong in entry.wrong.items():
        outcome = entry.grade(written(entry, wrong.answer, STYLES["single precision"]))
        assert not outcome, mistake


@pytest.mark.slow
@each(CODE)
def test_a_right_answer_passes_as_tensors(name):
    torch = pytest.importorskip("torch")

    def as_tensor(entry):
        numbers = is_number(entry) or (isinstance(entry, np.ndarray) and entry.dtype.kind in "biuf")
        return torch.tensor(entry) if numbers and np.all(np.abs(entry) < 2**62) else entry

    entry = CODE[name]
    outcome = entry.grade(written(entry, entry.answer, inside(as_tensor)))
    assert outcome or name in NEEDS_DIGITS, outcome.message


@pytest.mark.parametrize("digits", [np.float16, lambda result: np.round(result, 6)])
def test_a_right_answer_with_too_few_digits_gets_a_hint(digits):
    entry = CODE["13-power"]
    outcome = entry.grade(lambda *case: digits(entry.solution(*case)))
    assert not outcome
    assert outcome.message.startswith("Hint: Your numbers are nearly right")
