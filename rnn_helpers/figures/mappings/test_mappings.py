"""The figure mappings runs its networks as the reference does, and its statements are true."""

import itertools
import re
from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.mappings.figure import GAIN, SCORES, SHAPES, task
from rnn_helpers.reference import bracket_automaton, intersect, rnn_forward

pytestmark = pytest.mark.chapter("01")
close = partial(compare.close, atol=1e-9)
META = manifest()["mappings"]
DEFAULT = complete("mappings", {})
PATTERNS = [option["value"] for option in META["controls"]["pattern"]["options"]]
reviews = st.lists(st.sampled_from([*SCORES, "film", "a"]), min_size=1, max_size=9).map(" ".join)


@st.composite
def states(draw):
    return {
        "pattern": draw(st.sampled_from(PATTERNS)),
        "image": draw(st.text("01", min_size=9, max_size=9)),
        "n": draw(st.integers(1, 5)),
        "review": draw(reviews)[:60],
        "letters": draw(st.text("ab", min_size=1, max_size=6)),
        "k": draw(st.integers(0, 5)),
        "code": draw(st.text("ab()[]", min_size=1, max_size=11)),
    }


def answers(pattern, **state):
    made = task(pattern, **state)
    return made.answers(rnn_forward(made.params, made.x).o)


@given(states())
@pytest.mark.equation("10.8", "10.9", "10.10")
def test_every_step_of_every_network_matches_the_reference(math, state):
    ours = task(**state)
    theirs = math("run", state)
    for name, array in ours.params.items():
        close(theirs["net"][name], array)
    close(theirs["x"], ours.x)
    assert theirs["reads"] == ours.reads
    assert theirs["writes"] == ours.writes
    run = rnn_forward(ours.params, ours.x)
    for name, array in (("a", run.a), ("h", run.h), ("o", run.o)):
        close([now[name] for now in theirs["steps"]], array)
    assert [now["says"] for now in theirs["steps"]] == ours.answers(run.o)
    assert theirs["early"] == ours.early
    assert np.isin(run.h, [-1, 0, 1]).all()


@given(states())
def test_the_parts_shown_of_a_sum_add_up_to_it(math, state):
    params = task(**state).params
    for now in math("run", state)["steps"]:
        parts = {
            name: [part[name] for part in now["parts"]] for name in ("input", "before", "bias")
        }
        close(np.sum(list(parts.values()), axis=0), [part["sum"] for part in now["parts"]])
        close(GAIN * np.array(parts["input"]), params["U"] @ now["x"])
        close(GAIN * np.array(parts["before"]), params["W"] @ now["hPrev"])
        close(GAIN * np.sum(list(parts.values()), axis=0), now["a"])


@given(states())
def test_the_arrows_are_those_of_the_unfolded_circuit(math, state):
    theirs = math("run", state)
    ours = task(**state)
    T = len(ours.reads)
    loop = [Edge("h", "h", "W", delay=1)] * (T > 1)  # a single step has no recurrence
    graph = Circuit(["x", "h", "o"], [Edge("x", "h", "U"), Edge("h", "o", "V"), *loop]).unfold(T)
    there = {("h", t + 1) for t in range(T)}
    there |= {("x", t + 1) for t, word in enumerate(ours.reads) if word is not None}
    there |= {("o", t + 1) for t, due in enumerate(ours.writes) if due}
    assert [tuple(node) for node in theirs["graph"]["nodes"]] == [
        node for node in graph.nodes if node in there
    ]
    assert [
        (tuple(e["source"]), tuple(e["target"]), e["parameter"]) for e in theirs["graph"]["edges"]
    ] == [tuple(edge) for edge in graph.edges if {edge.source, edge.target} <= there]


def test_a_picture_is_its_shape_up_to_one_pixel():
    for name, shape in SHAPES.items():
        assert answers("one-one", image=shape) == [name]
        for i in range(9):
            other = shape[:i] + str(1 - int(shape[i])) + shape[i + 1 :]
            assert answers("one-one", image=other) == [name]
    assert answers("one-one", image="0" * 9) == ["none"]


def test_the_countdown_stops_by_itself():
    for n in range(1, 6):
        assert answers("one-many", n=n) == [*map(str, range(n, 0, -1)), "stop"]


@given(st.lists(st.sampled_from(list(SCORES)), min_size=1, max_size=7))
def test_a_review_is_weighed_by_a_count_that_is_held_within_three(math, words):
    count = 0
    for word in words:
        count = max(-3, min(3, count + SCORES[word]))
    verdict = {1: "good", -1: "bad", 0: "so-so"}
    assert answers("many-one", review=" ".join(words)[:60])[-1] == verdict[np.sign(count)]
    last = math("run", DEFAULT | {"pattern": "many-one", "review": " ".join(words)})
    total = sum(SCORES[word] for word in words)
    assert last["right"][-1] == verdict[np.sign(total)]
    assert last["steps"][-1]["wrong"] == (np.sign(count) != np.sign(total))


@pytest.mark.parametrize("k", range(6))
def test_a_delay_repeats_the_letters_and_needs_the_stated_number_of_states(math, k):
    texts = ["".join(letters) for letters in itertools.product("ab", repeat=6)]
    held = set()
    for text in texts:
        assert answers("delayed", letters=text, k=k) == [*[None] * k, *text]
        made = task("delayed", letters=text, k=k)
        held.add(tuple(rnn_forward(made.params, made.x).h[5]))
    assert len(held) == 2 ** (k + 1)


@given(st.text("ab()[]", min_size=1, max_size=11))
def test_the_units_of_the_brackets_walk_as_the_automata_intersected(code):
    alphabet, kept, inside = "ab()[]", "", {"()": False, "[]": False}
    for letter in code:  # the automata accept it: no bracket opens or closes twice
        pair = next((pair for pair in inside if letter in pair), None)
        if pair is None or inside[pair] == (letter == pair[1]):
            kept += letter
        if pair is not None and inside[pair] == (letter == pair[1]):
            inside[pair] = not inside[pair]
    if not kept:
        return
    automata = [bracket_automaton(*pair, alphabet) for pair in inside]
    made = task("aligned", code=kept)
    units = rnn_forward(made.params, made.x).h > 0
    for automaton, unit in zip(automata, units.T, strict=True):
        assert [state == "q1" for state in automaton.walk(kept)[1:]] == unit.tolist()
    walked = intersect(*automata).walk(kept)[1:]
    pairs = set(zip(walked, map(tuple, units.tolist()), strict=True))
    assert len(pairs) == len(set(walked)) == len({unit for _, unit in pairs})


def test_the_rule_handles_any_depth_and_the_units_do_not(math):
    state = DEFAULT | {"pattern": "aligned", "code": "((a)b)"}
    run = math("run", state)
    assert run["right"] == ["(", "(", "(", "(", "(", "–"]
    assert [now["wrong"] for now in run["steps"]] == [False, False, False, True, True, False]


def test_the_alternative_text_and_the_prediction_are_right(math):
    run = math("run", DEFAULT)
    t = DEFAULT["t"] - 1
    assert run["steps"][t]["h"] == [-1, -1, 1]  # b, b, a
    assert run["steps"][t]["says"] == "a"
    assert run["writes"].index(True) + 1 == DEFAULT["t"] == 3
    assert [int(n) for n in re.findall(r"Of (\d) answers (\d)", META["alt"])[0]] == [
        run["outputs"],
        run["early"],
    ]
    assert f"letters {' '.join(DEFAULT['letters'])} in" in META["alt"]
    assert META["prediction"]["answer"] == str(2 ** (4 + 1))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"t": 8}, "steps 1 to 7"),
        ({"pattern": "one-one", "t": 2}, "steps 1 to 1"),
        ({"letters": ""}, "at least 1"),
        ({"image": "0101"}, "at least 9"),
        ({"code": "a{b}"}, "expected only"),
        ({"pattern": "one-none"}, "pattern"),
    ],
)
def test_a_state_that_cannot_be_shown_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        show("mappings", **state)
