"""Finished trainings as files, so that an interrupted run resumes after them.

Fingerprints of contests include this module's code, so changing it makes stored results stale.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import joblib

from rnn_helpers.experiments.plain import digest, plain


@dataclass
class Trainings:
    """The trainings of one run.

    Attributes
    ----------
    folder : pathlib.Path
        Has one file for each finished training.
    code : str
        Fingerprint of the experiment: trainings of other code are not used.
    rounds : int
        How many times trainings were asked for. In a resumed run the n-th round is the same as
        before, so its number tells apart trainings that have the same arguments.
    seconds : float
        CPU time of all trainings, whichever run made them.
    """

    folder: Path
    code: str
    rounds: int = 0
    seconds: float = 0


_KEPT: ContextVar[Trainings | None] = ContextVar("kept", default=None)


@contextmanager
def kept(folder: Path, code: str) -> Iterator[Trainings]:
    """Keep each finished training in a folder, and don't repeat those that are there."""
    trainings = Trainings(folder, code)
    token = _KEPT.set(trainings)
    try:
        yield trainings
    finally:
        _KEPT.reset(token)


def each_training(tasks: Iterable[tuple]) -> list:
    """Call each method with its arguments through joblib, unless its result is kept."""
    trainings = _KEPT.get()
    if trainings is None:
        return joblib.Parallel()(joblib.delayed(method)(*rest) for method, *rest in tasks)
    trainings.rounds += 1
    folder, run = trainings.folder, [trainings.code, trainings.rounds]
    found = joblib.Parallel()(joblib.delayed(_read_or_train)(folder, run, *task) for task in tasks)
    trainings.seconds += sum(one["seconds"] for one in found)
    return [one["gave"] for one in found]


def _read_or_train(folder: Path, run: list, method: Callable, *arguments) -> dict:
    path = folder / f"{digest([*run, method.__name__, plain(arguments, float)])}.json"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        start = time.process_time()
        gave = plain(method(*arguments), float)
        part = path.with_suffix(f".{os.getpid()}")  # an interrupted write leaves no result
        part.write_text(json.dumps({"seconds": time.process_time() - start, "gave": gave}), "utf-8")
        part.replace(path)
    return json.loads(path.read_text("utf-8"))
