"""Answers just inside and just outside of a check's tolerance."""

import copy
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rnn_helpers.checks import exercises

ALL = exercises()


class Line(NamedTuple):
    """Answers on either side of a check's tolerance."""

    passes: list
    refused: list


def moved(name, inside=5e-9, outside=2e-8):
    """Return answers that differ from the solution's in one number, just inside and just outside.

    A fraction is moved up and down by a share of its size, and a count by one.
    """
    entry = ALL[name]

    def each_moved(move):
        example = entry.solution(*(entry.cases()[0] if entry.cases else ()))
        return [
            changed(name, lambda answer, place=place, sign=sign: at(answer, place, move, sign))
            for place in places(example)
            for sign in (1, -1)
        ]

    def by(share):
        return lambda number, sign: number + sign * share * max(1, abs(number))

    def inside_the_line(number, sign):
        return float(number) if is_whole(number) else by(inside)(number, sign)

    def outside_the_line(number, sign):
        return number + sign if is_whole(number) else by(outside)(number, sign)

    return Line(each_moved(inside_the_line), each_moved(outside_the_line))


def changed(name, change):
    """Return the solution's answer after a change, in the form that a check accepts."""
    entry = ALL[name]
    if not entry.cases:
        return change(entry.answer)
    return lambda *case: change(entry.solution(*case))


def places(answer, path=()):
    """Return the places of an answer's numbers; of a large array, the first and the last."""
    if isinstance(answer, Mapping):
        return [place for key in answer for place in places(answer[key], (*path, key))]
    if isinstance(answer, list | tuple):
        return [place for i, part in enumerate(answer) for place in places(part, (*path, i))]
    if isinstance(answer, np.ndarray):
        entries = [(*path, *entry) for entry in np.ndindex(answer.shape)]
        return entries if len(entries) <= 4 else [entries[0], entries[-1]]
    return [path] if isinstance(answer, int | float | np.number) else []


def at(answer, place, move, sign):
    """Return an answer with one number moved; unchanged in cases without a number there."""
    if not place:
        return move(answer, sign) if isinstance(answer, int | float | np.number) else answer
    if not isinstance(answer, Mapping) and place[0] >= len(answer):
        return answer
    answer = list(answer) if isinstance(answer, tuple) else copy.copy(answer)
    answer[place[0]] = at(answer[place[0]], place[1:], move, sign)
    return answer


def is_whole(number):
    return isinstance(number, int | np.integer)
