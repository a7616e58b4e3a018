"""The figure scales computes the same as the package, and its texts state its numbers."""

import itertools
import re
from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from press.still import draw
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import clock_moves, running_average, skip_gradient, ways_back

pytestmark = pytest.mark.chapter("15")
close = partial(compare.close, atol=1e-300)  # below it, numbers have fewer digits
META = manifest()["scales"]
SPEC = META["controls"]
NOW, LONGEST = constants("scales").NOW, SPEC["back"]["max"]
DEFAULT = complete("scales", {})
OPTIONS = {
    key: [option["value"] for option in spec["options"]]
    for key, spec in SPEC.items()
    if spec["type"] == "choice"
}
weights = st.floats(SPEC["w"]["min"], SPEC["w"]["max"])
lengths = st.integers(SPEC["d"]["min"], SPEC["d"]["max"])
periods = st.integers(SPEC["p"]["min"], SPEC["p"]["max"])
shares = st.floats(SPEC["alpha"]["min"], SPEC["alpha"]["max"])
values = st.floats(-3, 3)


# ---- leak
@given(shares, values, values)
def test_a_step_of_a_leak_is_the_running_average_s(math, alpha, before, value):
    ours = math("leak", alpha, before, value)
    np.testing.assert_allclose(ours, running_average([value], alpha, before)[0], atol=1e-15)


@given(shares)
def test_the_share_of_a_value_is_that_of_one_pulse_in_the_running_average(math, alpha):
    state = DEFAULT | {"alpha": alpha, "span": LONGEST}
    line = math("compute", state)["front"]["line"]
    close(line, running_average(np.append(1.0, np.zeros(LONGEST)), alpha))


@pytest.mark.parametrize("k", [1, 10, 24, 100])
def test_the_best_share_for_a_distance_is_better_than_its_neighbours(math, k):
    best = math("best", k)
    assert best == pytest.approx(k / (k + 1))
    grid = np.linspace(0, 1, 4001)
    held = (1 - grid) * grid**k
    assert math("left", best, k) >= held.max()
    assert abs(grid[held.argmax()] - best) < 1e-3
    limit = math("compute", DEFAULT | {"span": LONGEST})["limit"]
    assert limit[k] == pytest.approx(math("left", best, k))


def test_the_sources_time_scale_is_nearly_the_time_to_one_in_e(math):
    """Compare 1/(1 - α) with -1/ln α."""
    lengths = [math("length", alpha) for alpha in (0.9, 0.99, 0.0)]
    np.testing.assert_allclose(lengths, [9.4912, 99.4992, 0], atol=1e-4)
    close(0.99 ** lengths[1], np.exp(-1))


@given(st.floats(0.05, 0.999), st.floats(0.05, 0.999))
def test_two_leaks_keep_the_same_share_where_their_lines_cross(math, a, b):
    k = math("meeting", a, b)
    assert (k is None) == (a == b)  # the unit that takes in more forgets faster
    if k is not None:
        logs = [np.log(1 - alpha) + k * np.log(alpha) for alpha in (a, b)]
        assert logs[0] == pytest.approx(logs[1], rel=1e-6)


def test_leaks_that_never_cross_have_no_crossing(math):
    assert math("meeting", 0.9, 0.9) is None
    assert math("meeting", 0.0, 0.9) is None
    assert math("meeting", 0.9, 0.99) == pytest.approx(24.159, abs=1e-3)


# ---- skip
@given(weights, weights, lengths)
def test_the_gradient_of_a_skip_matches_the_reference(math, w, skip, d):
    ours = math("reach", w, skip, d)
    # whole numbers come as integers, which are longer here than any of NumPy's
    close(np.array(ours, float), skip_gradient(w, skip, d, LONGEST))
    assert ours[0] == 1
    for k in range(1, LONGEST + 1):
        farther = ours[k - d] if k >= d else 0
        assert ours[k] == math("step", w, skip, ours[k - 1], farther, 0)
        if k > 20:
            break


def paths(d, k):
    """Return every path over k steps, as the tuple of its edges' lengths."""
    if k == 0:
        return [()]
    return [(e, *rest) for e in (1, d) if e <= k for rest in paths(d, k - e)]


@pytest.mark.parametrize(
    ("w", "skip", "d", "k"),
    [
        (0.5, 0.4, 5, 17),
        (0.9, 1.2, 2, 13),
        (0, 0.9, 3, 12),
        (0.7, 0, 4, 9),
        (0, 0.9, 5, 12),
        (0, 0, 2, 4),
    ],
)
def test_the_paths_are_all_paths(math, w, skip, d, k):
    groups = math("ways", w, skip, d, k)
    product = {path: w ** path.count(1) * skip ** path.count(d) for path in paths(d, k)}
    alive = {path: value for path, value in product.items() if value > 0}
    assert sum(group["count"] for group in groups) == len(alive)
    for group in groups:
        same = [value for path, value in alive.items() if path.count(d) == group["skips"]]
        assert len(same) == group["count"]
        close(same, group["each"])
        close(sum(same), group["together"])
    total = sum(group["together"] for group in groups)
    assert total == pytest.approx(skip_gradient(w, skip, d, k)[k], rel=1e-9)

    # The share of an edge is that of the paths that contain it.
    flow = math("shares", w, skip, d, k)
    steps, skips = np.zeros(k), np.zeros(k)
    for path, value in alive.items():
        at = np.cumsum((0, *path[:-1]))
        for place, edge in zip(at, path, strict=True):
            (steps if edge == 1 else skips)[place] += value / total
    np.testing.assert_allclose(flow["steps"], steps, atol=1e-12)
    np.testing.assert_allclose(flow["skips"], skips, atol=1e-12)


@given(lengths, st.integers(1, LONGEST))
def test_the_number_of_paths_matches_the_reference(math, d, k):
    groups = math("ways", 1, 1, d, k)
    close(float(sum(group["count"] for group in groups)), float(ways_back(d, k)))


def test_without_edges_of_one_step_the_exponent_is_divided_and_most_steps_are_not_reached(
    math,
):
    """The factor is exactly τ/d if w = 0, and then only multiples of d are reached."""
    line = math("compute", DEFAULT | {"kind": "skip", "w": 0, "skip": 0.9, "span": 100})["front"][
        "line"
    ]
    assert line[100] == pytest.approx(0.9**20)
    assert f"{line[100]:.4f}" == "0.1216"
    assert [k for k, size in enumerate(line) if size] == list(range(0, 101, 5))


# ---- clock
@given(periods, weights, values, values, st.integers(1, NOW))
def test_a_unit_with_a_clock_moves_at_the_references_steps(math, p, w, before, x, t):
    moves = bool(clock_moves([p], t)[-1, 0])
    assert math("moves", p, t) == moves
    close(math("tick", w, p, t, before, x), w * before + x if moves else before)


@given(periods, weights)
def test_the_gradient_and_the_inputs_of_a_clock_are_those_of_its_steps(math, p, w):
    run = math("compute", DEFAULT | {"kind": "clock", "p": p, "w": w, "span": LONGEST})
    moves, g = clock_moves([p], NOW)[:, 0], [1.0]
    for t in range(NOW, NOW - LONGEST, -1):
        g.append(g[-1] * (w if moves[t - 1] else 1))
    close(run["front"]["line"], g)
    close(run["beside"]["line"], w ** np.arange(LONGEST + 1))
    assert run["front"]["heard"] == moves[::-1][: LONGEST + 1].tolist()


# ---- the figure


def test_every_setting_gives_finite_numbers(math):
    ends = {key: [spec["min"], spec["max"]] for key, spec in SPEC.items() if "min" in spec}
    for kind, span in itertools.product(*(OPTIONS[key] for key in ("kind", "span"))):
        keys = ["alpha", "other"] if kind == "leak" else ["w", "skip", "d", "p"]
        for values in itertools.product(*(ends[key] for key in keys)):
            state = DEFAULT | {"kind": kind, "span": span} | dict(zip(keys, values, strict=True))
            run = math("compute", state)
            lines = [run["front"]["line"], run["beside"]["line"], run["limit"] or []]
            assert all(None not in line for line in lines)
            low, high = math("decades", lines)
            assert -12 <= low < 0 <= high <= 28


def test_the_alternative_text_states_the_numbers_of_the_default_settings(math):
    run = math("compute", DEFAULT)
    k, (a, b) = run["k"], (DEFAULT["alpha"], DEFAULT["other"])
    met = math("meeting", a, b)
    held = [run[unit]["line"] for unit in ("front", "beside")]
    said = re.findall(r"\d+(?:\.\d+)?", META["alt"])
    starts = [f"{line[0]:.3g}" for line in held]
    assert said == ["40", str(a), starts[0], str(b), starts[1], f"{met:.1f}", str(k),
                    f"{held[0][k]:.3g}", f"{held[1][k]:.3g}"]  # fmt: skip
    assert int(met) == 24  # the story's


def test_the_unit_with_more_input_keeps_more_as_predicted(math):
    run = math("compute", DEFAULT | {"back": 10})
    ours, theirs = (run[unit]["line"][10] for unit in ("front", "beside"))
    assert META["prediction"]["answer"] == f"α = {DEFAULT['other']}"
    assert f"{theirs:.4f}" in META["prediction"]["why"]
    assert f"{ours:.5f}" in META["prediction"]["why"]
    assert ours / theirs == pytest.approx(1 / 4, abs=0.01)
    longer = run["front"]["line"][30] / run["beside"]["line"][30]
    assert 1 < longer < 2


def test_the_status_states_the_numbers_at_the_distance(math):
    run = math("compute", DEFAULT | {"back": 10})
    said = compare.status("scales", back=10)
    assert "At 10 steps back, " in said
    assert all(f" {run[unit]['line'][10]:.3g}" in said for unit in ("front", "beside"))
    assert "At 40 steps back, " in compare.status("scales", back=100, span=40)


@pytest.mark.parametrize(("kind", "name"), [("leak", "v"), ("skip", "x"), ("clock", "x")])
def test_the_rule_of_each_unit_that_has_one_names_its_input(kind, name):
    markup = draw("scales", {"kind": kind}).markup
    rules = re.findall(r'class="rule"[^>]*>(.*?)</text>', markup)
    named = [name in re.findall(r"<tspan[^>]*>(\w+)</tspan>", rule) for rule in rules]
    assert named == [True, kind != "clock"]
