"""The figure freerun runs its networks as the reference does, and its texts state their numbers."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import scaled
from rnn_helpers.figures import stored
from rnn_helpers.figures.freerun import figure as freerun
from rnn_helpers.figures.freerun.trained import error, make

pytestmark = pytest.mark.chapter("06")
close = partial(compare.close, atol=1e-9)
META = manifest()["freerun"]
CONTROLS = META["controls"]
DEFAULT = complete("freerun", {})
NAMES = {
    "truth": "fed the truth",
    "mixed": "fed a mixture",
    "itself": "fed its own outputs",
}
TRAINING = stored("freerun")["training"]
NETWORKS = {name: freerun.network(name) for name in freerun.NETWORKS}
LENGTH = freerun.LENGTH
every_network = pytest.mark.parametrize("name", NETWORKS)

hands = st.fixed_dictionaries(
    {
        "since": st.integers(CONTROLS["since"]["min"], CONTROLS["since"]["max"]),
        "push": st.floats(CONTROLS["push"]["min"], CONTROLS["push"]["max"]),
        "seed": st.integers(0, 99),
    }
)


def run(name, since=DEFAULT["since"], push=0.0, seed=DEFAULT["seed"]):
    return freerun.run(NETWORKS[name], freerun.signal(seed), since, push)


def wrong(made, seed=DEFAULT["seed"]):
    return made.o - freerun.signal(seed)[1:]


def test_the_weights_are_the_stored_ones(math):
    for name, params in NETWORKS.items():
        ours = math("network", name)
        for key, array in params.items():
            np.testing.assert_array_equal(ours[key], array)
        assert sum(array.size for array in params.values()) == 461


@given(st.sampled_from(list(NETWORKS)), hands)
def test_every_step_matches_the_reference(math, name, hand):
    steps = math.eval("M.run(M.network(name), hand)", name=name, hand=hand)
    values = freerun.signal(hand["seed"])
    close([now["y"] for now in steps], values[1:])
    since = hand["since"]
    assert [now["own"] for now in steps] == [t >= since for t in range(LENGTH)]
    close([now["fed"] for now in steps[:since]], values[:since])
    outputs = np.array([now["o"] for now in steps])
    pushed = hand["push"] * (np.arange(since, LENGTH) == since)
    close([now["fed"] for now in steps[since:]], outputs[since - 1 : -1] + pushed)
    states = np.array([now["h"] for now in steps])
    before = np.concatenate([np.zeros_like(states[:1]), states[:-1]])
    fed = np.array([now["fed"] for now in steps])
    made = freerun.step(NETWORKS[name], fed[None, :, None], before)  # all steps side by side
    close(states, made.h[0])
    close(outputs, made.o[0, :, 0])


@pytest.mark.parametrize("push", [0.0, -0.6])
@every_network
def test_a_whole_run_and_its_errors_match_python(math, name, push):
    hand = {"since": 60, "push": push, "seed": 3}
    steps = math.eval("M.run(M.network(name), hand)", name=name, hand=hand)
    made = run(name, **hand)
    compare.close([now["o"] for now in steps], made.o, atol=1e-6)
    off = np.array([now["o"] - now["y"] for now in steps])
    close(math("errors", steps, 60), freerun.errors(off, 60))


@every_network
def test_the_stated_errors_do_not_depend_on_the_last_digits(name):
    """A set of 100 waves that differ by 1e-12 from the one that is drawn."""
    wave = freerun.signal(DEFAULT["seed"])
    nudged = wave[:, None] + np.random.default_rng(0).normal(0, 1e-12, (len(wave), 100))
    many = freerun.run(NETWORKS[name], nudged, DEFAULT["since"]).o
    close(many, np.repeat(run(name).o[:, None], 100, axis=1), atol=1e-6)


@every_network
def test_the_networks_are_as_good_as_stated(name):
    stated = TRAINING[name]
    assert error(NETWORKS[name]) == pytest.approx(stated["kept"], abs=1e-4)
    assert error(NETWORKS[name], told=True) == pytest.approx(stated["told"], abs=1e-4)
    for errors in stated["alone"].values():
        assert errors == sorted(errors)
    middle = {float(rate): errors[2] for rate, errors in stated["alone"].items()}
    assert stated["rate"] == min(middle, key=middle.get)
    assert stated["kept"] == pytest.approx(min(middle.values()), abs=1e-3)


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(seeds=[0, 1], steps=2)
    assert made["training"].keys() == TRAINING.keys()
    for kept in made["networks"].values():
        shapes = {key: array.shape for key, array in scaled(kept, freerun.ARRAYS).items()}
        assert shapes == {key: array.shape for key, array in NETWORKS["truth"].items()}


@pytest.mark.slow
@every_network
def test_every_setting_gives_finite_numbers(math, name):
    for push in (-1, 1):
        for since in (CONTROLS["since"]["min"], CONTROLS["since"]["max"]):
            hand = {"since": since, "push": push, "seed": 5}
            steps = math.eval("M.run(M.network(name), hand)", name=name, hand=hand)
            assert max(abs(now["o"]) for now in steps) < 5


@pytest.mark.slow
def test_the_status_states_the_errors():
    words = compare.status("freerun", since=50, t=200)
    for name, called in NAMES.items():
        off = freerun.errors(wrong(run(name, since=50)), 50)[199]
        assert f"{off:.3f} ({called})" in words


def ends(push=0.0):
    """Return the three networks' errors before they run free and at the end."""
    since = DEFAULT["since"]
    runs = [freerun.errors(wrong(run(name, push=push)), since) for name in NETWORKS]
    return np.array([(row[since - 1], row[-1]) for row in runs])


def test_the_texts_state_the_numbers_of_the_figure():
    assert DEFAULT == {"t": 46, "since": 46, "push": 0, "seed": 4}
    forced, free = ends().T
    numbers = "{:.3f}, {:.3f} and {:.3f}.".format(*forced)
    assert f"fall to {numbers}" in META["alt"]
    assert f"errors of {numbers}" in META["prediction"]["question"]
    assert f"{LENGTH - 46} steps later" in META["prediction"]["question"]
    why = META["prediction"]["why"]
    assert f"then {free[0]:.1f}," in why
    assert f"against {free[1]:.3f} and {free[2]:.3f}." in why
    assert np.abs(freerun.signal(4)).max() == pytest.approx(1.3, abs=0.01)
    assert sum(error < 0.03 for error in TRAINING["truth"]["alone"]["0.003"]) == 2
    assert TRAINING["truth"]["rate"] == 0.003


def test_only_the_network_trained_on_its_own_outputs_recovers_from_a_push():
    free = ends(push=0.3)[:, 1]
    assert free[0] > 1
    assert free[1] > 5 * ends()[1, 1]
    assert free[2] < ends()[2, 1]
