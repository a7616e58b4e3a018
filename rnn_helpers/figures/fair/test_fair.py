"""The figure fair counts the starts whose descents find the ravine, as the package follows them."""

import re

import numpy as np
import pytest
from compare import status

from rnn_helpers.claims.chapter_17.clipping_saves import AXES, LOW, descend
from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.fair.trained import starts
from rnn_helpers.reference import cliff_loss

pytestmark = pytest.mark.chapter("17")
META = manifest()["fair"]
FAIR = constants("fair")
FOUND = stored("fair")["found"]


def ends(name):
    """Return whether each start finds the ravine, for each rate."""
    return [
        np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8)) == 1 for text in FOUND[name]
    ]


def counts(name):
    return [int(found.sum()) for found in ends(name)]


def ways(math, rate, v="1"):
    found = math("compare", {"rate": rate, "v": v})
    return {way["kind"]: way for way in found}


def test_the_map_and_the_mark_are_those_of_the_experiment():
    assert {"w": tuple(FAIR.W), "b": tuple(FAIR.B)} == AXES
    assert FAIR.LOW == LOW
    assert META["controls"]["rate"]["max"] == len(FAIR.RATES) - 1


@pytest.mark.parametrize("v", FAIR.THRESHOLDS)
def test_each_way_has_the_stored_ends_at_each_rate(math, v):
    for rate in range(len(FAIR.RATES)):
        for kind, way in ways(math, rate, f"{v:g}").items():
            name = kind if kind == "none" else f"{kind} {v:g}"
            assert way["found"] == ends(name)[rate].tolist()
            assert way["counts"] == counts(name)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "v", "rate"), [("none", None, 0.03), ("norm", 1.0, 0.1)])
def test_the_stored_ends_are_those_of_the_package(kind, v, rate):
    """Few of the ends depend on the last digit, in which processors differ."""
    start = starts()[:, ::8]
    p, *_ = descend(start[None], [(rate, kind, v)], FAIR.UPDATES, np.random.default_rng(0))
    low = cliff_loss(p[0, 0], p[0, 1]) < LOW
    name = kind if v is None else f"{kind} {v:g}"
    held = ends(name)[FAIR.RATES.index(rate)][::8]
    assert (low == held).mean() > 0.9


def test_the_texts_state_the_counts_of_the_default_state():
    default = META["controls"]["rate"]["default"]
    first = [counts(name)[default] for name in ("none", "norm 1", "element 1", "random 1")]
    said = re.findall(r"\d+", META["alt"])
    assert [number for number in said if number in map(str, first)] == [str(n) for n in first]
    assert f"no clipping {first[0]}, by norm {first[1]}" in status("fair")


def test_each_way_to_clip_reaches_the_top_at_its_best_rate():
    """The text says so, and that clipping by norm has the most rates to choose from at 0.1."""
    best = {name: max(counts(name)) for name in FOUND}
    assert min(best[f"{kind} 1"] for kind in FAIR.KINDS[1:]) >= 0.98 * FAIR.SIDE**2
    assert best["none"] < 0.87 * FAIR.SIDE**2
    top = {
        kind: [
            rate
            for rate, n in zip(FAIR.RATES, counts(f"{kind} 0.1"), strict=True)
            if n > 0.98 * FAIR.SIDE**2
        ]
        for kind in ("norm", "element")
    }
    assert len(top["element"]) == 1 < len(top["norm"])
    assert FAIR.RATES[int(np.argmax(counts("none")))] == 3


def test_the_line_is_the_fixed_point_of_the_first_state(math):
    (low, high), (bottom, top) = FAIR.W, FAIR.B
    for x, y in math("wall"):
        w, b = low + x * (high - low), bottom + y * (top - bottom)
        assert b == pytest.approx(0.5 - w / (1 + np.exp(-0.5)))
