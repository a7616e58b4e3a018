"""The figure ntm computes the reference's steps, and states its numbers."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.ntm import figure as ntm
from rnn_helpers.figures.ntm.trained import LARGEST, TASK, UNITS, make, names
from rnn_helpers.reference import address_forward

pytestmark = pytest.mark.chapter("18")
close = partial(compare.close, atol=1e-9)
META = manifest()["ntm"]
DEFAULT = complete("ntm", {})
KEPT, MEASURED = stored("ntm")["networks"], stored("ntm")["measured"]
NETWORKS = {way: ntm.network(way) for way in UNITS}
MOST = META["controls"]["length"]["max"]
every_way = pytest.mark.parametrize("way", UNITS)
patterns = st.text("0123456789abcdef", min_size=1, max_size=MOST)


@every_way
def test_the_weights_are_integers_of_eight_bits(way):
    assert list(KEPT[way]["shapes"]) == names(way)
    for array, scale in zip(NETWORKS[way].values(), KEPT[way]["scales"], strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@given(patterns, st.integers(1, MOST))
def test_inputs_are_pythons_and_the_tasks(math, pattern, length):
    shown = ntm.columns(pattern, length)
    assert math("columns", pattern, length) == shown.tolist()
    x = ntm.inputs(shown)
    assert math("inputs", shown) == x.tolist()
    close(x, TASK._parts(shown[:, None, None])[0][:, 0, 0])


@given(patterns, st.integers(0, MOST - 1), st.integers(0, 3), st.booleans())
def test_painting_changes_one_bit(math, pattern, column, row, bit):
    changed = math("painted", pattern, column, row, bit)
    wanted = ntm.columns(pattern, MOST)
    wanted[column, row] = bit
    assert ntm.columns(changed, MOST).tolist() == wanted.tolist()


def state_of(rng):
    """Return a random state, possibly one that the machine never reaches."""
    weights = rng.dirichlet(np.full(ntm.CELLS, 0.1), size=2) + 1e-6
    weights /= weights.sum(axis=1, keepdims=True)
    h, s = np.tanh(rng.normal(size=(2, UNITS["machine"])))
    M = rng.normal(size=(ntm.CELLS, ntm.WIDTH)) * (rng.random((ntm.CELLS, 1)) < 0.7)
    return ntm.State(h, s, M, weights[1] @ M, *weights)


@given(st.integers(0, 2**32 - 1))
def test_a_head_chooses_cells_as_that_of_the_reference(math, seed):
    rng = np.random.default_rng(seed)
    before = state_of(rng)
    k, s = np.tanh(rng.normal(size=ntm.WIDTH)), rng.dirichlet(np.ones(3))
    head = {"k": k, "beta": rng.gamma(2), "g": rng.random(), "s": s, "gamma": 1 + rng.gamma(2)}
    ours = math("address", before.M, head, before.written)
    theirs = address_forward(before.M, head, before.written)
    for name in ("found", "gated", "shifted", "weights"):
        close(ours[name], getattr(theirs, name))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_step_from_any_state_matches_the_reference(math, seed):
    rng = np.random.default_rng(seed)
    before, x = state_of(rng), rng.integers(2, size=ntm.BITS + 1)
    ours = math("step", x, before._asdict())
    after, o = ntm.step(NETWORKS["machine"], x, before)
    for name, theirs in after._asdict().items():
        close(ours[name], theirs)
    close(ours["o"], o)


@pytest.mark.parametrize("length", [1, 8, MOST])
def test_every_step_of_a_run_matches_the_reference(math, length):
    shown = ntm.columns(DEFAULT["pattern"], length)
    state = ntm.start(UNITS["machine"])
    for x, ours in zip(ntm.inputs(shown), math("run", shown), strict=True):
        state, o = ntm.step(NETWORKS["machine"], x, state)
        for name, theirs in state._asdict().items():
            close(ours[name], theirs)
        close(ours["o"], o)
        state = ntm.State(*(np.array(ours[name]) for name in state._fields))
    close(math("lstm", shown), ntm.lstm(NETWORKS["lstm"], ntm.inputs(shown)))


@given(patterns, st.integers(1, MOST))
def test_outputs_match_python(math, pattern, length):
    shown = ntm.columns(pattern, length)
    o = {"machine": ntm.run(shown).o, "lstm": ntm.lstm(NETWORKS["lstm"], ntm.inputs(shown))}
    ours = {"machine": [step["o"] for step in math("run", shown)], "lstm": math("lstm", shown)}
    for way in UNITS:
        bits = ntm.said(o[way])
        assert math("said", ours[way]) == bits.tolist()
        assert math("right", bits, shown) == (bits == shown).sum()


def test_the_twelfth_digit_changes_no_output():
    shown = ntm.columns(DEFAULT["pattern"], MOST)
    near = shown[:, None] + 1e-12 * np.random.default_rng(0).normal(size=(MOST, 100, ntm.BITS))
    o, o_near = ntm.run(shown).o, ntm.run(near).o
    assert np.abs(o_near - o[:, None]).max() < 1e-6
    assert (ntm.said(o) == shown).all()


@pytest.mark.slow
def test_the_machine_of_the_package_computes_the_same():
    pytest.importorskip("torch")
    from rnn_helpers.nets.machine import Machine

    net = Machine(TASK.n_x, UNITS["machine"], TASK.n_y, [0], ntm.CELLS, ntm.WIDTH).double()
    shown = ntm.columns(DEFAULT["pattern"], MOST)
    params = {name: array[None] for name, array in NETWORKS["machine"].items()}
    did, made = net.does(params, ntm.inputs(shown)[:, None]), ntm.run(shown)
    for name in ("o", "written", "read", "M"):
        # the package keeps weights from being 0 for the sake of the gradient
        np.testing.assert_allclose(getattr(did, name)[:, 0, 0], getattr(made, name), atol=1e-4)


def test_the_lstm_has_a_few_more_parameters():
    sizes = [MEASURED[way]["parameters"] for way in UNITS]
    assert sizes == [sum(p.size for p in NETWORKS[way].values()) for way in UNITS]
    assert 1 < sizes[1] / sizes[0] < 1.03


@pytest.mark.slow
@every_way
def test_both_networks_have_their_recorded_accuracy(way):
    for n, share in MEASURED[way]["right"].items():
        shown = np.random.default_rng([3, int(n)]).integers(2, size=(int(n), 200, ntm.BITS))
        o = ntm.run(shown).o if way == "machine" else ntm.lstm(NETWORKS[way], ntm.inputs(shown))
        assert abs((ntm.said(o) == shown).mean() - share) < 0.015


def right_of(length):
    """Count the bits of the default pattern that machine and LSTM output right."""
    shown = ntm.columns(DEFAULT["pattern"], length)
    lstm = ntm.lstm(NETWORKS["lstm"], ntm.inputs(shown))
    return [int((ntm.said(o) == shown).sum()) for o in (ntm.run(shown).o, lstm)]


def test_the_alt_text_describes_the_first_step():
    assert (DEFAULT["length"], DEFAULT["t"]) == (5, 1)
    made = ntm.run(ntm.columns(DEFAULT["pattern"], DEFAULT["length"]))
    wrote, looked = (head[0].argmax() + 1 for head in (made.written, made.read))
    assert f"a pattern of {ntm.BITS} rows and 5 columns" in META["alt"]
    assert f"at step 1 of {len(made.o)} and has no output yet" in META["alt"]
    assert f"{ntm.CELLS} cells: a square in cell {wrote}, a disc in cell {looked}." in META["alt"]


def test_sixteen_columns_are_too_many_for_the_lstm_alone():
    assert right_of(5) == [20, 20]
    assert right_of(16) == [64, 37]


def test_the_pattern_and_the_measurement_answer_the_prediction():
    assert right_of(MOST)[0] == 128
    assert META["prediction"]["answer"] == "all 128"
    why = META["prediction"]["why"]
    machine, lstm = (MEASURED[way] for way in UNITS)
    assert f"it outputs {machine['right']['32']:.1%}".replace("%", " %") in why
    for share, at in ((lstm["right"]["8"], "at eight"), (lstm["right"]["32"], "at 32")):
        assert f"{share:.0%} {at}".replace("%", " %") in why
    assert [len(kind["every"]["32"]) for kind in (machine, lstm)] == [6, 18]
    assert "six machines and 18 LSTMs for this figure, and it shows the best of each kind" in why


@pytest.mark.slow
def test_nearly_empty_patterns_make_it_lose_its_place():
    assert "Nearly empty patterns" in META["prediction"]["why"]
    shown = (np.random.default_rng(0).random((MOST, 200, ntm.BITS)) < 0.1).astype(int)
    wrong = (ntm.said(ntm.run(shown).o) != shown).sum(axis=(0, 2))
    assert np.median(wrong) > 4


def test_the_default_gives_no_hint_of_the_prediction():
    assert DEFAULT["length"] < MOST / 2
    assert "128" not in META["alt"] + META["story"] + META["question"]


def test_a_step_after_the_last_is_refused():
    with pytest.raises(ValueError, match="7"):
        show("ntm", length=3, t=8)
    assert show("ntm", length=3).state == {"length": 3}


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(seeds=[0], steps=2, tested=2)
    for way, kept in made["networks"].items():
        assert kept["shapes"] == KEPT[way]["shapes"]
    assert len(made["measured"]["lstm"]["every"]["8"]) == 3


@pytest.mark.parametrize("state", [{}, {"t": 9}, {"length": 32, "pattern": "", "t": 65}])
def test_the_status_counts_the_output_so_far(state):
    whole = complete("ntm", state)
    shown = ntm.columns(whole["pattern"], whole["length"])
    k, said = max(0, whole["t"] - whole["length"] - 1), compare.status("ntm", **state)
    right = (ntm.said(ntm.run(shown).o) == shown)[:k].sum()
    assert (
        f"machine has {right} of {k * ntm.BITS} bits right" in said if k else "output yet" in said
    )
