"""Limits of each check: answers just inside pass, answers just outside are refused.

``LINES`` holds both kinds for each exercise; the last test tries all of them. Where an answer
is more than numbers, or a check sets another tolerance, ``OWN`` gives its limits.
"""

import copy
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from rnn_helpers.checks import Exercise, exercises

CODE = {name: entry for name, entry in exercises().items() if isinstance(entry, Exercise)}


class Line(NamedTuple):
    """Answers on either side of a check's tolerance."""

    passes: list
    refused: list


def numbers(name, inside=5e-9, outside=2e-8):
    """The line of an answer in numbers: a fraction moved by a share of its size, or a count by one.

    Each number of an answer is moved by itself, in every case, up and down.
    """
    entry = CODE[name]

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
    """The solution's answer, changed, in the form in which an answer is handed in."""
    entry = CODE[name]
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


# answers that are not numbers alone --------------------------------------------------------------


def of_ways():
    right = CODE["01-ways"].answer
    other = [right | {problem: "many-many"} for problem in right]
    backwards = dict(reversed(right.items()))
    return Line([backwards], [*other, right | {"another": "one-one"}, dict([*right.items()][1:])])


def of_targets():
    right = CODE["14-signs"].answer
    every = CODE["14-signs"].wrong["all of them"].answer
    return Line([{*reversed([*right])}], [right ^ {target} for target in every])


def of_intersections():
    def without_one(transitions):
        return dict([*transitions.items()][1:])

    def with_one_more(transitions):
        return transitions | {(("nowhere", "nowhere"), "a"): ("nowhere", "nowhere")}

    def with_another_end(transitions):
        return transitions | {next(iter(transitions)): ("nowhere", "nowhere")}

    def as_lists(transitions):
        return {where: [*after] for where, after in reversed(transitions.items())}

    name = "01-intersect"
    wrong = (without_one, with_one_more, with_another_end)
    return Line([changed(name, as_lists)], [changed(name, change) for change in wrong])


def of_arrows():
    def as_lists(arrows):
        return [[[*here], [*there]] for here, there in reversed(arrows)]

    def twice(arrows):
        return [*arrows, arrows[0]]

    def one_earlier(arrows):
        (source, s), there = arrows[0]
        return [((source, s - 1), there), *arrows[1:]]

    name = "02-unfold"
    wrong = (twice, one_earlier, lambda arrows: arrows[1:])
    return Line([changed(name, as_lists)], [changed(name, change) for change in wrong])


def of_places():
    line = numbers("01-unmoved")
    return Line(line.passes, [*line.refused, changed("01-unmoved", lambda places: [*places, 9])])


def of_loops():
    """Any numbers do whose sums are above 0 at the right steps, and 0 is not above 0."""

    def with_bias(b):
        return CODE["01-seen"].answer | {"b": [b, b]}

    return Line(
        [with_bias(-0.001), with_bias(0), with_bias(-0.999)], [with_bias(0.001), with_bias(-1)]
    )


def of_quotes():
    """Inside, the two units differ by 2; outside, by 0."""

    def told_from(c):
        return changed("01-quotes", lambda net: net | {"c": np.array([c])})

    return Line([told_from(-1.999), told_from(-0.001)], [told_from(-2.001), told_from(0.001)])


def of_runs():
    line = numbers("02-run")
    one_more = changed("02-run", lambda states: [*states, states[-1] if states else 0.0])
    return Line(line.passes, [*line.refused, one_more])


def of_bits():
    line = numbers("02-recall")
    return Line(line.passes, [*line.refused, changed("02-recall", lambda bits: [*bits, 0])])


def of_strings_read():
    name = "03-read-and-predicted"
    swapped = changed(name, lambda pair: pair[::-1])
    longer = changed(name, lambda pair: (pair[0], [*pair[1], "</s>"]))
    other_end = changed(name, lambda pair: ([*pair[0][:-1], "</s>"], pair[1]))
    return Line([changed(name, list)], [swapped, longer, other_end])


def of_latches():
    """A rest of 1/2 needs w = arctanh(1/2) / (1/2) = 1.0986; a turn to -1/2, u = w h + 0.549."""
    refused = [(1.09, 3.0), (2.0, 2.54), (2.0, 3.01), (-1.11, 3.0), (1.11, -3.0)]
    return Line([(1.11, 3.0), (2.0, 2.56)], refused)


def of_brackets():
    name = "03-may-close"
    tiny = Fraction(1, 4**99)

    def unless_refused(change):
        return changed(name, lambda answer: answer and change(*answer))

    return Line(
        [unless_refused(lambda q, closing: [q, closing])],
        [
            unless_refused(lambda q, closing: (q + tiny, closing)),
            unless_refused(lambda q, closing: (q, closing or ")")),
            unless_refused(lambda q, closing: (q, closing.replace("]", ")"))),
            changed(name, lambda answer: answer or (Fraction(0), "")),
        ],
    )


def of_a_dictionary():
    line = numbers("17-clip")
    return Line(line.passes, [*line.refused, changed("17-clip", lambda grads: grads | {"c": 0.0})])


def of_directions():
    line = numbers("14-widest", 1e-7, 5e-6)
    turned_round = changed("14-widest", np.negative)
    return Line([*line.passes, turned_round], line.refused)


def of_radii():
    """Give the solution's matrix a spectral radius of r by adding r to both zero eigenvalues."""
    W, *starts = CODE["14-never-meet"].answer

    def of_radius(r):
        return (W + r * np.eye(2), *starts)

    together = (W, starts[1], starts[1])
    return Line([of_radius(0.89)], [of_radius(0.91), of_radius(1.05), together])


def of_counters():
    """A one that is written as tanh(U) = 0.99 makes every count one per cent too low."""

    def that_writes(one):
        return changed("16-counter", lambda net: net | {"U": np.array([[np.arctanh(one), 0.0]])})

    return Line([that_writes(0.992)], [that_writes(0.985), that_writes(0.97)])


def of_placements():
    """The second unit keeps a share of its old state: the targets, 2 apart, are nearer."""

    def that_keeps(share):
        right = CODE["16-placement"].answer
        return right | {"bu": np.array([-20.0, np.log(share / (1 - share))])}

    return Line([that_keeps(0.04)], [that_keeps(0.06)])


def of_reversals():
    """Tilt the large gradient, so that the mean is reversed up to an angle."""

    def leaning(by):
        return lambda n: np.array([[-float(n), by]] + [[1.0, 0.0]] * (n - 1))

    along = changed("17-reversed", lambda gradients: -gradients)
    one_less = changed("17-reversed", lambda gradients: gradients[1:])
    return Line([leaning(0.02), along], [leaning(0.1), one_less, lambda n: leaning(0)(n) / n])


def of_captions():
    """Words in a list or a tuple, but neither one too few nor the end as well."""
    in_a_tuple = changed("08-caption", tuple)
    one_less = changed("08-caption", lambda said: said[:-1])
    with_end = changed("08-caption", lambda said: [*said, "<END>"])
    return Line([in_a_tuple], [one_less, with_end])


def of_programs():
    """Shifts that add up to a little more than 1, and to too much."""

    def that_reads(more):
        return changed("18-copier", lambda parts: (parts[0], more * parts[1], parts[2]))

    return Line([that_reads(1.00001)], [that_reads(1.01), that_reads(0.99)])


# the others have only numbers and the default tolerance
OWN = {
    "01-ways": of_ways(),
    "01-intersect": of_intersections(),
    "01-quotes": of_quotes(),
    "01-seen": of_loops(),
    "01-unmoved": of_places(),
    "01-fade": numbers("01-fade", 0.004, 0.006),
    "02-cup": numbers("02-cup", 0.004, 0.006),
    "02-run": of_runs(),
    "02-unfold": of_arrows(),
    "02-pushed": numbers("02-pushed", 9e-4, 1.1e-3),
    "02-recall": of_bits(),
    "03-read-and-predicted": of_strings_read(),
    "03-two-steps": numbers("03-two-steps", 0.0055, 0.0065),
    "03-logits": numbers("03-logits", 0.0045, 0.0055),
    "03-latch": of_latches(),
    "03-to-tanh": numbers("03-to-tanh", 1e-10, 1e-6),
    "03-may-close": of_brackets(),
    "03-through-output": numbers("03-through-output", 5e-7, 2e-6),
    "04-net-quotients": numbers("04-net-quotients", 5e-7, 2e-6),
    "05-charge": numbers("05-charge", 0.009, 0.011),
    "05-reach": numbers("05-reach", 9e-4, 1.1e-3),
    "06-error": numbers("06-error", 1e-4, 4e-4),
    "06-future": numbers("06-future", 0.004, 0.006),
    "07-product": numbers("07-product", 0.0015, 0.0025),
    "07-gauss": numbers("07-gauss", 0.004, 0.006),
    "09-prefix": numbers("09-prefix", 0.0015, 0.0025),
    "08-caption": of_captions(),
    "08-even": numbers("08-even", 0.0045, 0.0055),
    "08-lookup": numbers("08-lookup", 5e-7, 2e-6),
    "08-reversed": numbers("08-reversed", 0.004, 0.006),
    "10-cost": numbers("10-cost", 0.004, 0.006),
    "10-mode": numbers("10-mode", 0.004, 0.006),
    "10-other": numbers("10-other", 0.004, 0.006),
    "10-readings": numbers("10-readings", 0.004, 0.006),
    "13-left": numbers("13-left", 4e-4, 6e-4),
    "13-attractor": numbers("13-attractor", 5e-7, 2e-6),
    "14-chance": numbers("14-chance", 0.004, 0.006),
    "14-slopes": numbers("14-slopes", 0.004, 0.006),
    "14-start": numbers("14-start", 0.009, 0.011),
    "14-readout": numbers("14-readout", 5e-8, 2e-7),
    "14-capacity": numbers("14-capacity", 5e-7, 2e-6),
    "14-widest": of_directions(),
    "14-never-meet": of_radii(),
    "14-signs": of_targets(),
    "14-bounded": numbers("14-bounded", 5e-7, 2e-6),
    "15-ages": numbers("15-ages", 5e-7, 2e-6),
    "15-loudest": numbers("15-loudest", 5e-5, 2e-4),
    "15-share": numbers("15-share", 5e-5, 2e-4),
    "16-kept": numbers("16-kept", 0.004, 0.006),
    "16-by-hand": numbers("16-by-hand", 0.009, 0.011),
    "16-counter": of_counters(),
    "16-placement": of_placements(),
    "17-factor": numbers("17-factor", 0.009, 0.011),
    "17-clip": of_a_dictionary(),
    "17-pytorch": numbers("17-pytorch", 5e-11, 2e-10),
    "17-how-far": numbers("17-how-far", 5e-7, 2e-6),
    "17-reversed": of_reversals(),
    "17-states": numbers("17-states", 0.004, 0.006),
    "17-ratios": numbers("17-ratios", 0.0015, 0.0025),
    "17-steepness": numbers("17-steepness", 0.009, 0.011),
    "18-read": numbers("18-read", 0.004, 0.006),
    "18-blur": numbers("18-blur", 0.004, 0.006),
    "18-copier": of_programs(),
    "18-sharpness": numbers("18-sharpness", 0.0004, 0.0006),
}
LINES = {name: OWN.get(name) or numbers(name) for name in CODE}
every_line = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.chapter(name[:2])) for name in LINES]
)


@every_line
def test_answers_just_inside_pass(name):
    outcomes = [CODE[name].grade(answer) for answer in LINES[name].passes]
    assert [outcome.message for outcome in outcomes if not outcome] == []


@every_line
def test_answers_just_outside_are_refused(name):
    for answer in LINES[name].refused:
        assert not CODE[name].grade(answer), answer


def test_every_check_has_a_line_with_answers_on_both_sides():
    assert set(OWN) <= set(CODE)
    assert [name for name, line in LINES.items() if not line.passes or not line.refused] == []
