"""Tables that a deck types, because the chapter's own do not fit a slide, say what was stored."""

import re
from pathlib import Path

from rnn_helpers import experiments

DECK = Path(__file__).parents[2] / "book/slides/17_optimization.md"


def typed(heading):
    """Numbers of the table whose first heading is this, row by row."""
    text = DECK.read_text("utf-8")
    table = text[text.index(f"| {heading} |") :].split("\n\n")[0]
    return {
        name: [int(number) for number in re.findall(r"\d+", numbers)]
        for name, numbers in re.findall(r"^\| ([^|]+) \|(.*)\|$", table, re.M)[1:]
    }


def stored(slug, wanted=lambda row: True):
    """Successes of each method, in the order of the experiment's rows."""
    counts = {}
    for row in filter(wanted, experiments.load(slug).rows):
        counts.setdefault(row["method"], []).append(row["successes"])
    return counts


def test_who_learns_a_span_of_50_steps_by_method_and_start():
    assert typed("one bit over 50 steps, of 12") == stored(
        "hessian-free", lambda row: row["length"] == 50
    )


def test_who_learns_with_omega():
    kept = {"Omega", "Omega, clipped", "clipped"}
    names = {"SGD": "gradient descent", "orthogonal start, clipped": "clipped, orthogonal start"}
    counts = stored("information-flow-span")
    assert kept | names.keys() == counts.keys()
    assert typed("learn, of 20") == {names.get(name, name): n for name, n in counts.items()}
