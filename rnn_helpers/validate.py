"""Checks made once, where values enter the package; each error names the argument."""

import math
import operator
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from typing import NamedTuple

import numpy as np

MOST = 10**9  # no size, length or token of this book comes near it; beyond, it is a slip
MOST_SEED = 2**63 - 1
FLOATS = np.dtype(np.float32), np.dtype(np.float64)


def brief(value, most=80):
    """`value` for a message, in one line of at most `most` characters."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes, or something that holds one
        text = f"a {type(value).__name__} of more digits than can be written"
    return cut(" ".join(text.split()), most)


def cut(text, most=80):
    """`text`, or its beginning if it has more than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def as_count(name, value, least=1, most=MOST):
    """Integer from `least` to `most`, or an error that names the argument."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {brief(value)}; expected an integer") from None
    if value < least:
        raise ValueError(f"{name} is {brief(value)}; expected an integer of at least {least}")
    if value > most:
        raise ValueError(f"{name} is {brief(value)}; expected an integer of at most {most}")
    return value


def convert_count(instance, name, least=1, most=MOST):
    """Replace a field of a frozen dataclass by Python's integer, which never wraps around."""
    object.__setattr__(instance, name, as_count(name, getattr(instance, name), least, most))


def as_switch(name, value):
    """True or False, or an error that names the argument."""
    return bool(as_kind(name, value, bool | np.bool_, "True or False"))


def as_number(name, value, expected="a finite number", fits=math.isfinite):
    """Real number that `fits`, or an error that says `expected`.

    NumPy's integers and floats become Python's, which never wrap around.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {brief(value)}; expected {expected}")
    if isinstance(value, Integral):
        value = int(value)
    elif isinstance(value, np.floating):
        value = float(value)
    if not (_is_a_float(value) and fits(value)):
        raise ValueError(f"{name} is {brief(value)}; expected {expected}")
    return value


def _is_a_float(value):
    """Whether a number is one that a float can be, as integers beyond 10^308 are not."""
    try:
        float(value)
    except OverflowError:
        return False
    return True


def as_positive(name, value):
    """Finite number above 0, or an error that names the argument."""
    return as_number(name, value, "a finite number above 0", lambda v: 0 < v < math.inf)


def as_single(name, value):
    """Finite number that float32 can hold, or an error that names the argument."""
    most = float(np.finfo(np.float32).max)
    return float(as_number(name, value, "a number in float32", lambda v: abs(v) <= most))


def as_choice(name, value, choices):
    """String that is one of `choices`, or an error that lists them."""
    if not isinstance(value, str) or value not in choices:
        known = ", ".join(map(repr, choices))
        raise ValueError(f"{name} is {brief(value)}; expected one of {known}")
    return value


def as_known(name, value, known, kind):
    """Entry of `known` under the name `value`, or an error that lists similar names."""
    if not isinstance(value, str) or value not in known:
        near = get_close_matches(str(value), known, n=3, cutoff=0.4) or list(known)
        raise ValueError(f"{name} is {value!r}, which is no {kind}; expected one like {near}")
    return known[value]


def as_function(name, value):
    """Callable `value`, or an error that names the argument."""
    if not callable(value):
        raise TypeError(f"{name} is {brief(value)}; expected a function")
    return value


def as_kind(name, value, kind, expected):
    """`value`, an instance of `kind`, or an error that says `expected`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {brief(value)}; expected {expected}")
    return value


def as_list(name, value):
    """List of the items of `value`, in order, or an error that names the argument."""
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{name} is {brief(value)}; expected a sequence") from None


def as_generator(seed):
    """NumPy generator for an integer of at least 0, or the generator that `seed` is."""
    if isinstance(seed, np.random.Generator):
        return seed
    expected = "an integer of at least 0 or a numpy Generator"
    several_in_one = isinstance(seed, list | tuple)  # as experiments derive a seed from another
    try:  # NumPy takes much more, and a matrix ends the process
        integers = [operator.index(one) for one in (seed if several_in_one else [seed])]
    except TypeError:
        raise TypeError(f"seed is {brief(seed)}; expected {expected}") from None
    if not integers or min(integers) < 0:
        raise ValueError(f"seed is {brief(seed)}; expected {expected}")
    return np.random.default_rng(integers if several_in_one else integers[0])


def several(seed, name="seed"):
    """Whether `seed` is a sequence of seeds, or an error that names the argument if it is empty."""
    if isinstance(seed, np.ndarray):
        found = seed.ndim == 1
    else:
        found = isinstance(seed, Sequence) and not isinstance(seed, str | bytes)
    if found and len(seed) == 0:
        raise ValueError(f"{name} is empty; expected at least one seed")
    return found


def as_generators(seed):
    """Generators for a seed or a sequence of seeds, and whether it was a sequence."""
    many = several(seed)
    return [as_generator(one) for one in (seed if many else [seed])], many


def as_dtype(name, value):
    """Floating type, or an error that names the argument."""
    try:
        kind = np.dtype(value).kind
    except TypeError:
        kind = None
    if kind != "f":
        raise TypeError(f"{name} is {brief(value)}; expected a floating type such as np.float32")
    return np.dtype(value)


def as_array(name, value):
    """Array of `value`, or an error that names the argument."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} hides some of its entries; expected an array without a mask")
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        raise ValueError(
            f"{name} is {brief(value)}; expected an array, its rows of one length"
        ) from None


def as_real(name, value, dtype=None):
    """Floating-point array of finite numbers, or an error that names the argument."""
    array = value if type(value) is np.ndarray else as_array(name, value)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{name} has dtype {array.dtype}, being {brief(value)}; expected real numbers"
        )
    if array.dtype is not dtype and (dtype or array.dtype not in FLOATS):
        array = array.astype(dtype or np.result_type(array.dtype, np.float32), copy=False)
    # One product shows that no entry is infinite or NaN; if it overflows, look at each entry.
    if not math.isfinite(np.vdot(array, array)) and not np.isfinite(array).all():
        bad = array[~np.isfinite(array)][0]
        raise ValueError(f"{name} contains {bad}; expected finite numbers")
    return array


def as_square(name, value, stacked=False):
    """Square floating-point matrix, or several of one size if `stacked`."""
    array = as_real(name, value)
    ranked = array.ndim >= 2 if stacked else array.ndim == 2
    if not ranked or array.shape[-1] != array.shape[-2] or not array.size:
        raise ValueError(f"{name} has shape {array.shape}; expected a square matrix")
    return array


def as_floating(name, arrays):
    """Dictionary of floating-point arrays, infinities and NaN allowed, or an error."""
    as_kind(name, arrays, Mapping, "a mapping from names to arrays")
    floating = {}
    for key, value in arrays.items():
        array = as_array(f"{name}[{brief(key)}]", value)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"{name}[{brief(key)}] is {brief(value)}; expected real numbers")
        floating[key] = array if array.dtype.kind == "f" else array.astype(float)
    return floating


def as_like(name, arrays, like):
    """Finite arrays of the names and shapes of those of `like`, or an error; others are left out.

    Each has the floating type of its counterpart in `like`.
    """
    as_kind(name, arrays, Mapping, "a mapping from names to arrays")
    if missing := [key for key in like if key not in arrays]:
        raise ValueError(f"{name} lacks {', '.join(missing)}; expected {', '.join(like)}")
    alike = {}
    for key, array in like.items():
        dtype, shape = np.result_type(np.asarray(array).dtype, np.float32), np.shape(array)
        alike[key] = as_real(f"{name}[{brief(key)}]", arrays[key], dtype)
        if alike[key].shape != shape:
            raise ValueError(f"{name}[{brief(key)}] has shape {alike[key].shape}; expected {shape}")
    return alike


def as_tokens(name, value, n):
    """Integer array with entries in ``0 .. n-1``, or an error that names the argument."""
    array = as_array(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; expected integer tokens")
    tokens = array.astype(np.int64, copy=False)  # PyTorch takes small ones for a mask
    # As unsigned integers, negative ones are the largest.
    if array.size and tokens.view(np.uint64).max() >= n:
        bad = array[(array < 0) | (array >= n)][0]
        raise ValueError(f"{name} contains token {bad}; expected tokens in 0..{n - 1}")
    return tokens


class Weights(NamedTuple):
    """Parameters of a network; with seeds, the biases have an axis for the minibatch."""

    U: np.ndarray
    W: np.ndarray
    V: np.ndarray
    b: np.ndarray
    c: np.ndarray


def as_params(params):
    """`Weights` of one floating type whose shapes fit, or an error that names the array."""
    return Weights(**as_cell(params))


def as_cell(params, gates="", optional=(), own="UWVbc"):
    """Parameters of a network whose cell has gates, by name, or an error that names the array.

    For each letter in `gates` there are ``U``, ``W`` and ``b`` followed by it, in addition to those
    of the cell input; `optional` names vectors of one number for each cell. If a network has no
    readout, `own` lacks ``V`` and ``c``. All arrays have one floating type; with seeds, the vectors
    have an axis for the minibatch.
    """
    names = [*own, *(part + gate for gate in gates for part in "UWb")]
    if not isinstance(params, Mapping) or not all(name in params for name in names):
        expected = f"{', '.join(names[:-1])} and {names[-1]}"
        as_kind("params", params, Mapping, f"a mapping with {expected}")
        missing = ", ".join(name for name in names if name not in params)
        raise ValueError(f"params lacks {missing}; expected {expected}")
    names += [name for name in optional if name in params]
    arrays = {name: as_real(f"params['{name}']", params[name]) for name in names}
    if len({array.dtype for array in arrays.values()}) > 1:
        dtype = np.result_type(*arrays.values())
        arrays = {name: array.astype(dtype) for name, array in arrays.items()}
    W = arrays["W"]
    if W.ndim not in (2, 3):
        raise ValueError(f"params['W'] has shape {W.shape}; expected (n_h, n_h) or (S, n_h, n_h)")
    seeds, n_h = W.shape[:-2], W.shape[-1]
    n_x, n_y = arrays["U"].shape[-1:], arrays["c"].shape[-1:] if "c" in arrays else ()
    matrices = {"U": (n_h, *n_x), "W": (n_h, n_h), "V": (*n_y, n_h)}
    for name, array in arrays.items():
        shape = (*seeds, *matrices.get(name[0], n_y if name == "c" else (n_h,)))
        if array.shape != shape or 0 in shape:
            raise ValueError(f"params[{name!r}] has shape {array.shape}; expected {shape}")
        if seeds and name[0] not in matrices:
            arrays[name] = array[:, None]
    return arrays


def as_params_of(run, params):
    """`Weights` that could have made `run`, or an error that says which array could not."""
    return Weights(**as_cell_of(run, params))


def as_cell_of(run, params, gates="", optional=()):
    """Return `as_cell`'s parameters if they could have made `run`; else name the wrong array.

    The arrays that made the run were checked by the forward pass and aren't checked again.
    """
    if isinstance(params, Mapping) and _made(run, params, optional):
        return run.params
    arrays = as_cell(params, gates, optional)
    n_y, n_h = run.o.shape[-1], run.h.shape[-1]
    seeds = run.h.shape[1:2] if run.h.ndim == 4 else ()
    for name, shape in {"W": (*seeds, n_h, n_h), "V": (*seeds, n_y, n_h)}.items():
        found = arrays[name].shape
        if found != shape:
            raise ValueError(f"params[{name!r}] has shape {found}; expected {shape}, as in run")
    U = arrays["U"]
    if run.x.dtype.kind in "iu":
        as_tokens("x", run.x, U.shape[-1])
    elif run.x.shape[-1] != U.shape[-1]:
        raise ValueError(
            f"params['U'] has shape {U.shape}; expected {run.x.shape[-1]} inputs, as in run"
        )
    return arrays


def _made(run, params, optional):
    """Return whether a run was made by these very arrays."""
    same = run.params and all(params.get(name) is run.params[name] for name in run.params)
    return same and all(name in run.params for name in optional if name in params)


def as_inputs(x, U):
    """Tokens or vectors that fit ``U``, with an axis for seeds if it has one, and batch shape."""
    x = as_array("x", x)
    tokens = x.dtype.kind in "iu"
    n_x, seeds = U.shape[-1], U.shape[:-2]
    x = as_tokens("x", x, n_x) if tokens else as_real("x", x, U.dtype)
    lead = x.shape if tokens else x.shape[:-1]
    if len(lead) not in ((2, 3) if seeds else (1, 2)) or (not tokens and x.shape[-1] != n_x):
        times = "(T, B{0}) or (T, S, B{0})" if seeds else "(T{0}) or (T, B{0})"
        wanted = times.format("").replace("(T)", "(T,)") + " integer tokens, or "
        wanted += times.format(f", {n_x}") + " vectors"
        raise ValueError(f"x has shape {x.shape} and dtype {x.dtype}; expected {wanted}")
    if 0 in lead:
        raise ValueError(f"x has shape {x.shape}; expected at least one time step and sequence")
    if not seeds:
        return x, lead[1:]
    if len(lead) == 2:
        x, lead = x[:, None], (lead[0], 1, lead[1])
    if lead[1] not in (1, *seeds):
        raise ValueError(f"x has shape {x.shape}; expected {seeds[0]} seeds on its second axis")
    return x, (*seeds, lead[2])


def as_initial_state(name, h0, shape, dtype):
    """Initial state broadcast to `shape`, or an error with the shapes that fit."""
    h0 = as_real(name, h0, dtype)
    try:
        if h0.shape[-1:] != shape[-1:]:
            raise ValueError
        return np.broadcast_to(h0, shape)
    except ValueError:
        raise ValueError(
            f"{name} has shape {h0.shape}; expected it to broadcast to {shape}"
        ) from None


def as_drawn(name, value, weights):
    """`weights` of finite numbers, or an error that names the argument that made them too large."""
    if not all(np.isfinite(array).all() for array in weights.values()):
        dtype = next(iter(weights.values())).dtype
        raise ValueError(f"{name} is {brief(value)}; expected weights that {dtype} can hold")
    return weights


def as_result(name, value, arguments):
    """`value`, which `name` computed, or an error if the arguments made it overflow."""
    if not _is_finite(value):
        raise ValueError(f"{name} overflows; expected smaller numbers in {arguments}")
    return value


def _is_finite(value):
    """Whether no floating-point number in a value, or in a dict or tuple, is infinite or NaN."""
    if isinstance(value, Mapping | tuple):
        return all(map(_is_finite, value.values() if isinstance(value, Mapping) else value))
    array = np.asarray(value)
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def is_file(path):
    """Whether there is a file of that name; False for names that no file can have."""
    try:
        return Path(path).is_file()
    except OSError:
        return False


def as_mask(mask, shape):
    """Boolean mask of `shape`, or None; an error unless it holds only 0 and 1."""
    if mask is None:
        return None
    mask = _with_seeds("mask", as_array("mask", mask), shape)
    if not ((mask == 0) | (mask == 1)).all():
        bad = mask[(mask != 0) & (mask != 1)][0]
        raise ValueError(f"mask contains {cut(str(bad))}; expected 0 or 1")
    return mask.astype(bool)


def as_targets(y, shape, mask):
    """Target tokens for outputs of `shape`; masked entries are replaced by 0."""
    y = _with_seeds("y", as_array("y", y), shape[:-1])
    return as_tokens("y", y if mask is None else np.where(mask, y, 0), shape[-1])


def as_numbers(name, value, shape, mask, dtype):
    """Finite numbers of `shape`; masked entries are replaced by 0."""
    array = _with_seeds(name, as_array(name, value), shape)
    return as_real(name, array if mask is None else np.where(mask, array, 0), dtype)


def _with_seeds(name, array, shape):
    """`array` broadcast over the axis of seeds, if `shape` has one and `array` has not."""
    if len(shape) == 3 and array.ndim == 2:
        array = array[:, None]
    if array.shape != shape and array.shape != (shape[0], 1, *shape[2:]):
        fits = f"{shape}" if len(shape) < 3 else f"{(shape[0], shape[2])} or {shape}"
        raise ValueError(f"{name} has shape {array.shape}; expected {fits}")
    return array if array.shape == shape else np.broadcast_to(array, shape)
