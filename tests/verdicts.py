"""Verdicts of made rows, for tests of the conditions under which a claim's words are said."""

from rnn_helpers.experiments import find
from rnn_helpers.experiments.words import Unforeseen


def verdict(slug, rows):
    """What is said of the rows; None where no words are written for what they say."""
    try:
        return find(slug).sum_up(rows).verdict
    except Unforeseen:
        return None
