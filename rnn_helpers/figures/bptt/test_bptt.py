"""The figure bptt computes the same numbers as the reference, forward and backward."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import constants
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.reference.bptt import grad_state

pytestmark = pytest.mark.chapter("04")
META = manifest()["bptt"]
CONSTANTS = constants("boats")
PARAMS = arrays(CONSTANTS.PARAMS)
IDS = META["controls"]["at"]["options"]
every_setting = [
    pytest.mark.parametrize("T", [3, 4, 5]),
    pytest.mark.parametrize("loss", ["last", "every"]),
]


def settings_of_the_figure(test):
    for mark in every_setting:
        test = mark(test)
    return test


def task(T, loss):
    tokens = np.array(CONSTANTS.SENTENCES[str(T)])
    mask = np.array([loss == "every" or t == T - 1 for t in range(T)])
    return tokens, np.full(T, CONSTANTS.VERB), mask


@st.composite
def runs(draw):
    T, n_x, n_h, n_y = (draw(st.integers(1, 5)) for _ in range(4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    params = init_rnn(n_x, n_h, n_y, seed=rng, scale=draw(st.sampled_from([0.1, 1.0, 5.0])))
    params["b"], params["c"] = rng.normal(size=n_h), rng.normal(size=n_y)
    x, y = rng.integers(n_x, size=T), rng.integers(n_y, size=T)
    mask = np.append(rng.integers(2, size=T - 1), 1)
    return params, x, y, mask, rng.normal(size=n_h)


@given(runs())
@pytest.mark.equation("10.12", "10.13", "10.14", "10.18", "10.19", "10.20", "10.21")
@pytest.mark.equation("10.22", "10.23", "10.24", "10.25", "10.26", "10.27", "10.28")
def test_losses_and_gradients_of_every_copy_equal_the_reference(math, lib, case):
    params, x, y, mask, h0 = case
    steps = lib("rnn")("forward", params, x, "tanh", h0)
    run = rnn_forward(params, x, h0)

    losses = math("losses", steps, y, mask)
    close(losses["total"], rnn_loss(run, y, mask))
    close(losses["each"], np.where(mask, -run.log_yhat[range(len(y)), y], 0))

    back = math("backward", params, steps, y, mask)
    copies = rnn_backward(params, run, y, mask, per_step=True)
    grads = rnn_backward(params, run, y, mask)
    for name in params:
        close(back["copies"][name], copies[name])
        close(back["grads"][name], grads[name])
    close(back["gradA"], copies["b"])


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
@pytest.mark.equation("10.21")
def test_one_step_back_equals_the_reference(math, n_h, seed):
    rng = np.random.default_rng(seed)
    W, gradient, h = (
        rng.normal(size=(n_h, n_h)),
        rng.normal(size=n_h),
        np.tanh(rng.normal(size=n_h)),
    )
    close(math("chained", W, gradient, h), grad_state(W, gradient, 1 - h**2, 0))


@settings_of_the_figure
def test_all_numbers_of_the_figure_equal_the_reference(math, T, loss):
    x, y, mask = task(T, loss)
    shown = math("compute", T, loss)
    run = rnn_forward(PARAMS, x)
    close([step["h"] for step in shown["run"]], run.h)
    close([step["yhat"] for step in shown["run"]], run.yhat)
    close(shown["loss"]["total"], rnn_loss(run, y, mask))
    grads = rnn_backward(PARAMS, run, y, mask)
    for name in PARAMS:
        close(shown["back"]["grads"][name], grads[name])


@settings_of_the_figure
def test_all_copies_of_w_but_the_first_get_a_share_of_its_gradient(math, T, loss):
    back = math("compute", T, loss)["back"]
    close(np.sum(back["copies"]["W"], axis=0), back["grads"]["W"])
    sizes = np.linalg.norm(back["copies"]["W"], axis=(1, 2))
    assert sizes[0] == 0
    assert np.all(sizes[1:] > 0.01)
    assert np.linalg.norm(back["gradH"][0]) > 0.01  # the gradient does reach the first state


@pytest.mark.parametrize("T", [3, 4, 5])
def test_the_gradient_shrinks_at_every_step_back(math, T):
    gradients = math("compute", T, "last")["back"]["gradH"]
    sizes = np.linalg.norm(gradients, axis=1)
    assert np.all(sizes[:-1] < 0.75 * sizes[1:])


def test_the_numbers_are_those_of_the_chapter(math):
    shown = math("compute", 3, "last")
    close([h for step in shown["run"] for h in step["h"]], [0.8, 0.5, 0.6], atol=1e-4)
    close([row[0] for row in shown["back"]["gradH"]], [0.18, 0.48, 1.5], atol=1e-4)
    close([row[0] for row in shown["back"]["gradA"]], [0.0648, 0.36, 0.96], atol=1e-4)
    close(np.ravel(shown["back"]["copies"]["W"]), [0, 0.288, 0.48], atol=1e-4)
    for number in ("1.5", "0.48", "0.18"):
        assert number in META["prediction"]["why"]


@pytest.mark.parametrize(("T", "left"), [(4, 0.0675), (5, 0.0253)])
def test_a_longer_sentence_ends_alike_and_leaves_less_for_its_first_word(math, T, left):
    shown, three = math("compute", T, "last"), math("compute", 3, "last")
    close(shown["loss"]["total"], three["loss"]["total"], atol=1e-4)
    close(shown["back"]["gradH"][0][0], left, atol=1e-4)


def test_the_figure_starts_with_the_loss():
    assert META["controls"]["at"]["default"] == "L3"
    assert not re.search(r"gradient", status("bptt"))


@settings_of_the_figure
def test_every_step_comes_after_the_steps_it_depends_on(math, T, loss):
    steps = [step["id"] for step in math("steps", T, loss)]
    at = {name: place for place, name in enumerate(steps)}
    assert len(at) == len(steps)
    assert set(steps) <= set(IDS)
    assert steps[0] == "start"
    for t in range(1, T + 1):
        scored = loss == "every" or t == T
        assert scored == (f"o{t}" in at) == (f"L{t}" in at) == (f"do{t}" in at)
        chain = ["start", f"h{t}", *[f"o{t}", f"L{t}"] * scored, *["L", "dL"] * (loss == "every")]
        chain += [*[f"do{t}"] * scored, f"dh{t}", f"da{t}", f"dW{t}", "dU"]
        assert sorted(chain, key=at.get) == chain
        if t > 1:
            assert at[f"h{t - 1}"] < at[f"h{t}"]
            assert at[f"dh{t}"] < at[f"dh{t - 1}"]


@pytest.mark.slow
@settings_of_the_figure
@pytest.mark.parametrize("name", [*IDS, "nonsense", ""])
def test_a_step_in_an_address_is_found_or_replaced_by_one_of_its_kind(math, T, loss, name):
    steps = math("steps", T, loss)
    found = steps[math("find", steps, name)]
    if name in [step["id"] for step in steps]:
        assert found["id"] == name
    elif name in IDS:
        assert found["kind"] == ("do" if name == "dL" else re.sub(r"\d", "", name))


@pytest.mark.parametrize("state", [{"at": "dh5"}, {"at": "o2"}, {"T": 6}, {"loss": "none"}])
def test_a_step_that_does_not_exist_is_refused(state):
    with pytest.raises(ValueError, match=next(iter(state))):
        show("bptt", **state)


def test_the_total_is_the_last_loss_if_there_is_only_one(math):
    steps = math("steps", 4, "last")
    assert steps[math("find", steps, "L")]["id"] == "L4"
    assert steps[math("find", steps, "dL")]["id"] == "do4"


def test_a_length_alone_is_shown():
    assert show("bptt", T=5)


def test_its_words_give_the_gradient_on_the_last_state(math):
    last = math("compute", 4, "last")["back"]["gradH"][-1][0]
    assert f"the gradient was {last:.1f}" in status("bptt", T=4, at="dh1")
