"""The time limit of an answer, and the cleanup after it."""

import contextlib
import cProfile
import subprocess
import sys
import threading
import time

import pytest

from rnn_helpers.checks import Wrong, check, core, exercise
from rnn_helpers.checks.guard import OutOfTime, supervised

pytestmark = pytest.mark.slow


def endless():
    while True:
        pass


def stubborn():
    while True:
        with contextlib.suppress(Exception):
            sum(range(1000))


@pytest.mark.parametrize("call", [endless, stubborn])
def test_an_endless_answer_is_stopped(call):
    with pytest.raises(OutOfTime):
        supervised(call, 0.05)


def test_it_is_stopped_in_any_thread():
    caught = []

    def run():
        try:
            supervised(endless, 0.05)
        except OutOfTime as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(caught) == 1


def test_endless_recursion_is_an_error_even_with_a_raised_limit():
    program = """if True:
        import sys
        from rnn_helpers.checks.guard import supervised
        sys.setrecursionlimit(10**6)
        def deeper(): return deeper()
        try:
            supervised(deeper, 60)
        except RecursionError:
            print(sys.getrecursionlimit())
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "1000000", done.stderr


def test_waiting_is_not_computing():
    assert supervised(lambda: time.sleep(0.3) or "awake", 0.1) == "awake"


def test_the_guard_cleans_up():
    def profiler(*event):
        pass

    before = threading.active_count()
    sys.setprofile(profiler)
    try:
        with pytest.raises(OutOfTime):
            supervised(endless, 0.05, lambda *call: None)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    while threading.active_count() > before:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_a_profiler_that_cannot_be_put_back_is_left_alone(monkeypatch):
    called = []
    monkeypatch.setattr(sys, "getprofile", object)  # as cProfile's is in Python 3.11
    monkeypatch.setattr(sys, "setprofile", called.append)
    assert supervised(lambda: 3, 1, lambda *call: None) == 3
    assert called == []


def test_an_answer_is_graded_under_a_profiler(short):
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        assert check("99-short", lambda n: n)
        assert not check("99-short", lambda n: -n)
    finally:
        profiler.disable()
    profiler.create_stats()
    assert any(name == "grade" for _, _, name in profiler.stats)


def test_an_answer_that_ends_in_time_is_never_interrupted_afterwards():
    def just_in_time():
        end = time.thread_time() + 0.002
        while time.thread_time() < end:
            pass

    for _ in range(100):
        try:
            supervised(just_in_time, 0.002)
        except OutOfTime:
            continue
    sum(range(1000000))


def test_an_answer_runs_where_no_thread_can_be_started(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert supervised(lambda: 3, 0.05) == 3


def test_the_limit_ends_with_the_call_even_if_the_cleanup_is_interrupted(monkeypatch):
    given, limit = [], sys.setrecursionlimit

    def interrupted(depth):
        given.append(depth)
        if len(given) == 2:  # in the cleanup
            raise KeyboardInterrupt
        limit(depth)

    depth = sys.getrecursionlimit()
    monkeypatch.setattr(sys, "setrecursionlimit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        supervised(lambda: 3, 0.05)
    limit(depth)
    end = time.process_time() + 0.5
    while time.process_time() < end:  # an OutOfTime would come now
        pass


@pytest.fixture
def short(monkeypatch):
    """An exercise whose answers have a twentieth of a second."""
    entries = {}
    monkeypatch.setattr(core, "_REGISTRY", entries)
    monkeypatch.setattr(core, "exercises", lambda: entries)
    exercise(
        "99-short",
        cases=lambda: [(1,)],
        hint="?",
        success="It ended in time.",
        seconds=0.05,
        wrong={"zero": Wrong(lambda n: 0, "?"), "two": Wrong(lambda n: 2, "!")},
    )(lambda n: n)


def test_an_answer_that_never_ends_gets_a_hint(short):
    def answer(n):
        while n:
            n += 1

    outcome = check("99-short", answer)
    assert not outcome
    assert outcome.message.startswith("Your answer was still running after 0.05 seconds")


def test_a_result_that_never_ends_gets_a_hint(short):
    class Endless(dict):
        def items(self):
            while True:
                yield from ()

    outcome = check("99-short", lambda n: Endless())
    assert outcome.message.startswith("Your answer was still running")


def test_an_interruption_by_hand_goes_through(short):
    def answer(n):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("99-short", answer)
