"""A quick run of every experiment agrees with its stored result.

By day, only the stale ones run: as long as the code is the one behind the stored rows, another
quick run could come only from other versions of Python and of packages, which the night tries.
"""

from statistics import fmean

import pytest

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.store import run

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


def convolutions_learn_before_sweeps(rows):
    """On paths of the training length, every convolution beats every sweep."""
    length = min(row["length"] for row in rows)
    near = [row for row in rows if row["length"] == length]
    sweeps = [row["right"] for row in near if row["method"] == "sweeps"]
    convolutions = [row["right"] for row in near if row["method"] != "sweeps"]
    assert 0.55 < fmean(sweeps) < max(sweeps) < min(convolutions)


SHOWN = {
    "edge-to-edge": convolutions_learn_before_sweeps,
    "held-out-captions": networks_begin_to_learn,
}


@pytest.mark.parametrize("slug", each(in_seconds=True))
def test_the_quick_run_shows_its_stated_result(slug):
    SHOWN[slug](run(ALL[slug], quick=True).rows)
