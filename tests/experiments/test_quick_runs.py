"""A quick run of every experiment agrees with its stored result.

By day, only the stale ones run: as long as the code is the one behind the stored rows, another
quick run could come only from other versions of Python and of packages, which the night tries.
"""

from statistics import fmean

import pytest

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.store import run
from rnn_helpers.experiments.words import grouped

ALL = experiments()


def each(*, in_seconds):
    """The experiments whose quick run shows something else than the stored number, or the rest."""
    return [
        pytest.param(
            slug,
            marks=[pytest.mark.chapter(one.chapter)]
            + [pytest.mark.nightly("length-success")] * (not load(slug).stale),
        )
        for slug, one in ALL.items()
        if bool(one.in_seconds) == in_seconds
    ]


@pytest.mark.parametrize("slug", each(in_seconds=False))
def test_the_quick_run_agrees_with_the_stored_one(slug):
    quick, stored = run(ALL[slug], quick=True).headline, load(slug).headline
    assert quick.unit == stored.unit
    assert quick.overlaps(stored), (quick, stored)


def networks_begin_to_learn(rows):
    """The order of the digits, which determines three words of five."""
    keys = "door", "trained", "asked"
    assert {tuple(map(row.get, keys)) for row in rows} == {
        tuple(map(row.get, keys)) for row in load("held-out-captions").rows
    }
    assert min(row["words"] for row in rows) > 0.55


def all_begin_to_learn(rows):
    """On paths of the training length, every kind of network is better than a guess."""
    length = min(row["length"] for row in rows)
    for mine in grouped([row for row in rows if row["length"] == length], "method").values():
        assert fmean(row["right"] for row in mine) > 0.55


SHOWN = {
    "edge-to-edge": all_begin_to_learn,
    "held-out-captions": networks_begin_to_learn,
}


@pytest.mark.parametrize("slug", each(in_seconds=True))
def test_the_quick_run_shows_its_stated_result(slug):
    SHOWN[slug](run(ALL[slug], quick=True).rows)
