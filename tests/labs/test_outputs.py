"""The committed outputs of notebooks are those of the build, which has run them."""

from copy import deepcopy

import pytest
from books import ROOT, cells, every_chapter, tags
from jupyter_cache import get_cache
from myst_nb.core.utils import coalesce_streams

from press.build import contents, is_fresh
from press.internals import kept_record


@pytest.fixture(scope="module")
def ran():
    """Return a function that returns a notebook's cells as the build has run them."""
    cache, now = get_cache(ROOT / "_build" / ".jupyter_cache"), contents(ROOT)

    def ran(path):
        record = kept_record(cache, path)
        assert is_fresh(record, now), "files that it reads have changed: run `make book`"
        return cache.get_cache_bundle(record.pk).nb.cells

    return ran


def outputs(cell):
    """Return a cell's outputs without the counts that nbstripout clears."""
    hidden = {"execution_count", "metadata"}
    whole = coalesce_streams(deepcopy(cell["outputs"]))  # committed text may be in pieces
    return [{k: v for k, v in each.items() if k not in hidden} for each in whole]


def differing(committed, ran):
    """Return the names of the compared cells whose outputs are no longer the committed ones."""
    now = [cell for cell in ran if cell["cell_type"] == "code"]
    then = [cell for cell in committed if cell["cell_type"] == "code"]
    assert [cell["source"] for cell in now] == [cell["source"] for cell in then]
    return [
        cell["id"]
        for cell, again in zip(then, now, strict=True)
        if "nbval-check-output" in tags(cell) and outputs(cell) != outputs(again)
    ]


@every_chapter
def test_the_committed_outputs_are_those_of_the_last_run(path, ran):
    assert any(cell.get("outputs") for cell in cells(path))
    assert differing(cells(path), ran(path)) == []


@every_chapter
def test_another_output_would_be_noticed(path, ran):
    other = ran(path)
    compared = [cell for cell in other if "nbval-check-output" in tags(cell)]
    for cell in compared:
        cell.outputs[-1] = {"output_type": "stream", "name": "stdout", "text": "another\n"}
    assert differing(cells(path), other) == [cell.id for cell in compared]
