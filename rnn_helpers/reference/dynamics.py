"""Dynamical systems, autonomous and driven: equations (G 10.1)-(G 10.7)."""

from collections.abc import Callable, Sequence, Sized
from functools import reduce
from itertools import accumulate
from typing import Any

from rnn_helpers.reference.equations import equation
from rnn_helpers.validate import as_count, as_function, as_kind


@equation("10.1", "10.2", "10.3")
def iterate(f: Callable[[Any], Any], s1: Any, tau: int) -> Any:
    """Return the state at time ``tau`` of the system ``s^(t) = f(s^(t-1))``.

    The recurrence starts at ``s^(1)``, so it applies `f` ``tau - 1`` times. A recurrent network
    (G 10.8) starts at ``h^(0)`` and applies it ``tau`` times; see `drive`.

    Parameters
    ----------
    f : callable
        Function from one state to the next, with its parameters fixed.
    s1 : object
        State ``s^(1)``, of any type that `f` accepts.
    tau : int
        Time of the state to return, at least 1. At time 1 the state is `s1`.
    """
    as_function("f", f)
    s = s1
    for _ in range(as_count("tau", tau) - 1):
        s = f(s)  # (G 10.1); written out for tau = 3: (G 10.2), (G 10.3)
    return s


@equation("10.4", "10.5", "10.7")
def drive(f: Callable[[Any, Any], Any], h0: Any, xs: Sequence) -> list:
    """Return every state ``[h^(1), ...]`` of the driven system ``h^(t) = f(h^(t-1), x^(t))``.

    Parameters
    ----------
    f : callable
        Function from the previous state and the current input to the current state.
    h0 : object
        State ``h^(0)``, of any type that `f` accepts.
    xs : sequence
        Inputs ``x^(1), ..., x^(tau)`` in order of time, at least one.
    """
    as_function("f", f)
    if len(_sized(xs)) == 0:
        raise ValueError("xs is empty; a driven system needs at least one input")
    return list(accumulate(xs, f, initial=h0))[1:]  # (G 10.4), (G 10.5), (G 10.7)


@equation("10.6")
def unfolded(f: Callable[[Any, Any], Any], t: int) -> Callable[[Sequence, Any], Any]:
    """Return the function ``g^(t)`` of all inputs up to time `t`.

    Parameters
    ----------
    f : callable
        Function from the previous state and the current input to the current state.
    t : int
        Number of inputs that ``g^(t)`` takes, at least 1.

    Returns
    -------
    callable
        ``g(xs, h0)``, where ``xs`` contains ``x^(1), ..., x^(t)`` in order of time (*Deep Learning*
        writes them newest first) and ``h0`` is ``h^(0)``. It raises ``ValueError`` unless ``xs``
        has exactly `t` entries, because every length has its own ``g``.
    """
    as_function("f", f)
    t = as_count("t", t)

    def g(xs, h0):
        if len(_sized(xs)) != t:
            raise ValueError(f"xs has {len(xs)} inputs; g^({t}) takes exactly {t}")
        return reduce(f, xs, h0)  # (G 10.6)

    return g


def _sized(xs):
    return as_kind("xs", xs, Sized, "a sequence of inputs")
