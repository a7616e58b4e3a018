"""Supervision of an answer while a check runs it: a time limit, and a record of the book's help."""

import contextlib
import ctypes
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

_CHECKS = Path(__file__).parent
_BOOK = _CHECKS.parent
EXERCISES = _BOOK / "exercises"
RECURSION = (
    3000  # deep enough for any answer; far deeper, Python crashes instead of raising an error
)


class OutOfTime(BaseException):
    """An answer has used up its time.

    Not an ``Exception``, so that an answer that catches every ``Exception`` is stopped as well.
    """


def supervised(
    call: Callable[[], Any],
    seconds: float,
    note: Callable[[CodeType, str, Any], None] | None = None,
) -> Any:
    """Return what `call` returns, unless it computes for too long.

    The limit is enforced by a second thread, which works on every system and in every thread. It
    interrupts Python code, but no single long operation of NumPy or of another C library, and no
    loop that catches every ``BaseException``.

    Parameters
    ----------
    call : callable
        The function to run.
    seconds : float
        The CPU time after which `OutOfTime` is raised in `call`.
    note : callable, optional
        Called as ``note(code, name, result)`` each time code from outside the book, or a solution,
        gets a result from a function of the book. A profiler written in C, such as cProfile's in
        Python 3.11, can't be put back. While one runs, it is left alone, and nothing is noted.

    Returns
    -------
    object
    """
    clock = _clock()
    end = clock() + seconds
    thread, frame = threading.get_ident(), sys._getframe()
    lock, over, raised = threading.Lock(), threading.Event(), []

    def watch():
        pause = seconds
        while not over.wait(pause):
            late = clock() > end
            if not _runs(frame, thread):  # the cleanup was interrupted
                return
            with lock:
                if late and not over.is_set():
                    raised.append(OutOfTime)
                    _raise_in(thread, OutOfTime)
            # an answer may catch the first OutOfTime: keep raising
            pause = 0.3 if late else min(1.0, max(0.01, end - clock()))

    def stop():
        if notes:
            sys.setprofile(profiler)
        sys.setrecursionlimit(depth)
        with lock:
            over.set()
        for _ in range(1000 * len(raised)):  # the last one may still be on its way
            pass

    profiler, depth = sys.getprofile(), sys.getrecursionlimit()
    notes = note and (profiler is None or callable(profiler))
    with contextlib.suppress(RecursionError):  # we are deeper already
        sys.setrecursionlimit(min(depth, RECURSION))
    with contextlib.suppress(RuntimeError):  # without threads, as in a browser, there is no limit
        threading.Thread(target=watch, daemon=True).start()
    try:
        if notes:
            sys.setprofile(functools.partial(_profile, note))
        return call()
    finally:
        while True:
            try:
                stop()
                break
            except OutOfTime:  # it came while stop was running
                continue


def _runs(frame: FrameType, thread: int) -> bool:
    """Return whether a frame is on the stack of a thread."""
    now = sys._current_frames().get(thread)
    while now and now is not frame:
        now = now.f_back
    return now is frame


def _clock() -> Callable[[], float]:
    """Return a clock for the CPU time of this thread, which other threads can read.

    Where the system has none (macOS, Windows), it measures the CPU time of the whole process.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    return functools.partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


class Helpers(set):
    """The functions of the book that a solution calls, which are part of its exercise."""

    def note(self, code: CodeType, name: str, value: Any) -> None:
        """Remember a function that the solution calls, unless it is part of the solution."""
        if _role(code.co_filename) == "book":
            self.add(place(code))


class Aid:
    """The functions of the book that an answer calls, and those that do its work.

    A function does an answer's work if it is the solution, or if it gives the right result on most
    cases. The functions that the solution calls are part of the exercise and don't count.

    Parameters
    ----------
    solution : code or None
        The code of the exercise's solution, if it is there to be called.
    helpers : set of str
        The functions that the solution calls, as `place` names them.
    is_result : callable
        ``is_result(value, case)`` says whether a value holds the right result of a case.
    """

    def __init__(
        self,
        solution: CodeType | None,
        helpers: Set[str],
        is_result: Callable[[Any, int], bool],
    ):
        self.case = 0
        self._solution = solution
        self._helpers = helpers
        self._is_result = is_result
        self._worked: dict[str, set[int]] = {}

    def note(self, code: CodeType, name: str, value: Any) -> None:
        """Look at the result of a function that the answer calls."""
        cases = self._worked.setdefault(name, set())
        is_solution = code is self._solution
        if self.case in cases or (place(code) in self._helpers and not is_solution):
            return
        if is_solution or self._is_result(value, self.case):
            cases.add(self.case)

    def does_the_work(self, count: int) -> str | None:
        """Return the name of a function that does the work on most of `count` cases."""
        return next((name for name, cases in self._worked.items() if 2 * len(cases) > count), None)


@functools.lru_cache(maxsize=1000)
def place(code: CodeType) -> str:
    """Name a function of the package by its file and line, the same in each copy of the package."""
    file = Path(code.co_filename).relative_to(_BOOK).as_posix()
    return f"{file}:{code.co_firstlineno}"


def pieces(value: Any, depth: int = 2) -> Iterator[Any]:
    """Yield a value and what an answer may pick from it: entries, attributes, the last step."""
    yield value
    if isinstance(value, np.ndarray):
        if value.ndim:
            yield from (value.T, np.squeeze(value), value[-1:].squeeze())
        return
    if isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value[:50]
    else:
        parts = getattr(value, "__dict__", {}).values()
    if depth:
        for part in parts:
            yield from pieces(part, depth - 1)


def _profile(note, frame, event, result):
    if event != "return":
        return
    callee = _role(frame.f_code.co_filename)
    if callee == "outside" or (callee == "exercise" and "<locals>" in frame.f_code.co_qualname):
        return
    caller = _role(frame.f_back.f_code.co_filename) if frame.f_back else "outside"
    if caller == "book" or caller == callee:
        return  # the book, or a solution, calls itself
    wrapped = frame.f_locals.get("function")  # of the checks around a function of one equation
    name = getattr(wrapped, "__name__", frame.f_code.co_qualname.rpartition("<locals>.")[2])
    note(frame.f_code, name, result)


@functools.lru_cache(maxsize=1000)
def _role(file: str) -> str:
    """Return whether a file holds an "exercise", is in the rest of the "book", or is "outside".

    The engine of the checks and the tests of exercises run answers, so they are outside as well.
    """
    path = Path(file)
    if path.parent == _CHECKS or path.name.startswith("test_"):
        return "outside"
    if path.parent == EXERCISES:
        return "exercise"
    return "book" if _BOOK in path.parents else "outside"
