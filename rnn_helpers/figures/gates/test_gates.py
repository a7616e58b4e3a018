"""Tests that the figure gates matches the reference, and that its texts state its numbers."""

import re
from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import stored
from rnn_helpers.figures.gates.figure import coded, forward
from rnn_helpers.figures.gates.trained import LENGTH, UNITS, error, make
from rnn_helpers.reference import init_gru, init_lstm
from rnn_helpers.tasks import CountSinceReset

pytestmark = pytest.mark.chapter("16")
close = partial(compare.close, rtol=1e-12, atol=1e-12)
META = manifest()["gates"]
TRAINING = stored("gates")["training"]
NETWORKS = {net: arrays(params) for net, params in stored("gates")["networks"].items()}
DEFAULT = complete("gates", {})
LONGEST = META["controls"]["sequence"]["maxLength"]
NAMES = {"lstm": ["f", "g", "q", "s", "h"], "gru": ["u", "r", "h"]}
every_network = pytest.mark.parametrize("net", NETWORKS)
sequences = st.text("01r", min_size=1, max_size=LONGEST)


def run(net, sequence):
    x = coded(sequence)
    return forward(net, NETWORKS[net], x), 10 * CountSinceReset.counts(x)


def answers(net, sequence):
    return 10 * run(net, sequence)[0].o[:, 0]


@given(st.sampled_from(list(NETWORKS)), sequences)
@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44", "10.45", "10.46", "10.47")
def test_gates_states_and_answers_match_the_reference(math, net, sequence):
    steps = math("run", {"net": net, "sequence": sequence})
    reference, counts = run(net, sequence)
    for name in NAMES[net]:
        close([now[name] for now in steps], getattr(reference, name))
    candidate = reference.cell_input if net == "lstm" else reference.target
    close([now["c"] for now in steps], candidate)
    close([now["answer"] for now in steps], 10 * reference.o[:, 0])
    params = NETWORKS[net]
    close([now["terms"][:-1] for now in steps], 10 * params["V"][0] * reference.h)
    close([now["terms"][-1] for now in steps], np.tile(10 * params["c"], len(steps)))
    assert [now["count"] for now in steps] == counts.tolist()


@given(st.sampled_from(list(NETWORKS)), st.integers(0, 2**32 - 1), sequences)
def test_any_network_matches_the_reference(math, net, seed, sequence):
    params = (init_lstm if net == "lstm" else init_gru)(2, 3, 1, seed)
    steps = math("run", {"net": net, "sequence": sequence}, params)
    close([now["answer"] for now in steps], 10 * forward(net, params, coded(sequence)).o[:, 0])


def test_a_click_changes_a_symbol_to_the_next(math):
    assert [math("turned", symbol) for symbol in "01r"] == ["1", "r", "0"]
    assert math("put", "0110", 2, "r") == "0r10"


@every_network
def test_the_stored_errors_are_those_of_the_networks(net):
    stated = TRAINING["errors"][net]
    assert error(net, NETWORKS[net], LENGTH) == pytest.approx(stated["within"], abs=1e-3)
    assert error(net, NETWORKS[net], 3 * LENGTH) == pytest.approx(stated["beyond"], abs=1e-3)
    assert stated["within"] < 0.15 < stated["beyond"]


@every_network
def test_units_are_sorted_by_their_share_in_the_answer(net):
    x, _ = next(CountSinceReset(reset=0.1).batches(LENGTH, 500, seed=0))
    moves = NETWORKS[net]["V"][0] * forward(net, NETWORKS[net], x).h.std(axis=(0, 1))
    assert (np.diff(np.abs(moves)) < 0).all()


@pytest.mark.slow
def test_the_recipe_makes_networks_of_the_same_shapes():
    pytest.importorskip("torch")
    made, training = make(seeds=[0, 1], steps=2).values()
    shapes = {net: {name: p.shape for name, p in params.items()} for net, params in made.items()}
    assert shapes == {
        net: {name: p.shape for name, p in params.items()} for net, params in NETWORKS.items()
    }
    assert [training[key] for key in ("length", "usual")] == [TRAINING["length"], TRAINING["usual"]]
    assert training["errors"]["lstm"]["within"] > TRAINING["errors"]["lstm"]["within"]


def test_forget_gates_close_at_resets_as_the_texts_state():
    at = np.array(list(DEFAULT["sequence"])) == "r"
    shut = TRAINING["shut"]
    assert "median of ten" in META["story"]
    assert f"the ten close {sum(shut)} of their {UNITS * len(shut)}" in META["story"]
    assert len(shut) == 10
    reference, counts = run("lstm", DEFAULT["sequence"])
    f, g, alt = reference.f, reference.g, META["alt"]
    spans = [f[~at].min(), f[~at].max(), f[at].min(), f[at].max(), g[at, 2].max()]
    before = np.flatnonzero(at)[0] - 1
    terms = 10 * np.append(NETWORKS["lstm"]["V"][0] * reference.h[before], NETWORKS["lstm"]["c"])
    stated = [float(number) for number in re.findall(r"\d\.\d\d", alt)]
    assert stated == [round(float(value), 2) for value in [*terms, *spans]]
    assert f"At step {before + 1} the answer is the sum" in alt
    assert DEFAULT["t"] == before + 1
    assert (np.flatnonzero(at) + 1).tolist() == [8, 17]
    assert [counts[6], counts[15], counts[-1]] == [5, 5, 3]
    assert np.abs(10 * reference.o[:, 0] - counts).max() < 0.15  # "lie on the count"


def test_answers_to_many_ones_are_those_of_the_prediction():
    ones = answers("lstm", "1" * LONGEST)
    assert f"after {LONGEST} ones without a reset" in META["prediction"]["question"]
    assert META["prediction"]["answer"] == f"about {ones[-1]:.0f}"
    usual = TRAINING["usual"]
    assert f"above {usual}" in META["story"]
    assert f"Up to {usual}" in META["prediction"]["why"]
    assert np.abs(ones - np.arange(1, LONGEST + 1))[:usual].max() < 0.3
    assert (np.diff(ones) > 0).all()
    assert answers("lstm", "1" * 1000)[-1] < 18


@pytest.mark.slow
@pytest.mark.parametrize("net", NETWORKS)
def test_extreme_sequences_give_finite_numbers(math, net):
    for sequence in ("r", "0", "r" * LONGEST, "1" * LONGEST):
        for now in math("run", {"net": net, "sequence": sequence}):
            assert None not in [now["answer"], *now["h"], *now["c"]]


@pytest.mark.parametrize(
    ("key", "value"),
    [("sequence", ""), ("sequence", "012"), ("sequence", "1" * 25), ("t", 21), ("unit", UNITS + 1)],
)
def test_a_state_that_the_figure_cannot_show_is_refused(key, value):
    with pytest.raises(ValueError, match=key):
        show("gates", **{key: value})


@every_network
def test_the_status_states_the_count_and_the_answer(net):
    answer, count = answers(net, "11r1")[-1], run(net, "11r1")[1][-1]
    said = compare.status("gates", net=net, sequence="11r1", t=4)
    assert f"Step 4, a one: the count is {count:.0f}." in said
    assert f"from the bias, which is {answer:.2f}." in said
