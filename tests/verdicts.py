"""Estimates, rows of quick runs, and verdicts on rows, for the tests of claims."""

from dataclasses import replace

from rnn_helpers.experiments import find
from rnn_helpers.experiments.store import run
from rnn_helpers.experiments.words import Estimate, Unforeseen


def about(value, half=0.1):
    """Return an estimate whose interval extends by `half` on each side."""
    return Estimate(value, value - half, value + half)


def rows_of(slug, **change):
    """Return the rows of a quick run with some settings changed, as they would be stored."""
    experiment = find(slug)
    return run(replace(experiment, quick=experiment.quick | change), quick=True).rows


def verdict(slug, rows):
    """Return the verdict on rows, or None if all of its conditions fail."""
    try:
        return find(slug).sum_up(rows).verdict
    except Unforeseen:
        return None


def kind(slug, rows):
    """Return the kind of the verdict on rows."""
    return find(slug).sum_up(rows).kind
