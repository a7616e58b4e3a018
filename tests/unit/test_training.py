"""The training loop, its optimizers, its clipping, and what it does when training goes wrong."""

import math
import subprocess
import sys
from itertools import islice, repeat

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.plots import Plot
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import DelayedRecall, character_model, minibatches
from rnn_helpers.training import SGD, Adam, clip_by_norm, fit, fit_in_parts, joint_norm

TOKENS = np.random.default_rng(0).integers(5, size=400)
OPTIMIZERS = [SGD(0.5), Adam(0.02), SGD(lambda t: 1 / t)]


def bowl(params, batch):
    """A quadratic loss whose least value is 0, at ``p = batch``."""
    return 0.5 * ((params["p"] - batch) ** 2).sum(), {"p": params["p"] - batch}


def bowls(params, batch):
    """The same for seeds: each its own."""
    off = params["p"] - batch
    return 0.5 * (off**2).sum(axis=1), {"p": off}


def small(seed=0):
    return init_rnn(5, 4, 5, seed=seed)


# the loop -----------------------------------------------------------------------------------------


def test_gradient_descent_takes_the_steps_of_its_formula():
    history = fit(bowl, {"p": np.array([4.0])}, repeat(0.0), steps=3, optimizer=SGD(0.5))
    assert history.params["p"] == pytest.approx(0.5)
    np.testing.assert_allclose(history.loss, [8, 2, 0.5])
    np.testing.assert_allclose(history.grad_norm, [4, 2, 1])
    assert history.diverged_at is None


def test_a_learning_rate_may_be_a_function_of_the_step():
    history = fit(
        bowl, {"p": np.array([4.0])}, repeat(0.0), steps=2, optimizer=SGD(lambda t: 1 / t)
    )
    assert history.params["p"] == 0  # the first step, at rate 1, goes all the way


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_repeats_to_the_last_digit(optimizer):
    def train():
        batches = minibatches(TOKENS, 6, 3, seed=1)
        return fit(character_model(), small(), batches, steps=8, optimizer=optimizer)

    one, two = train(), train()
    np.testing.assert_array_equal(one.loss, two.loss)
    np.testing.assert_array_equal(one.params["W"], two.params["W"])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("clip", [None, 0.1])
@pytest.mark.parametrize("carry", [False, True])
def test_seeds_together_are_what_each_is_alone(optimizer, clip, carry):
    def train(seed):
        batches = minibatches(TOKENS, 6, 3, seed, contiguous=carry)
        model = character_model(carry_state=carry)
        return fit(
            model,
            small(seed),
            batches,
            steps=8,
            optimizer=optimizer,
            clip=clip,
            carry_state=carry,
        )

    together = train([1, 2, 3])
    for place, seed in enumerate([1, 2, 3]):
        alone = train(seed)
        np.testing.assert_allclose(together.loss[:, place], alone.loss, rtol=1e-10)
        np.testing.assert_allclose(together.grad_norm[:, place], alone.grad_norm, rtol=1e-10)
        np.testing.assert_array_equal(together.clipped[:, place], alone.clipped)
        for name, p in alone.params.items():
            np.testing.assert_allclose(together.params[name][place], p, atol=1e-12)
    np.testing.assert_array_equal(together.diverged_at, [-1, -1, -1])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("carry", [False, True])
def test_the_reference_and_torch_train_alike(optimizer, carry):
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import RNN

    names = {
        "U": "recurrent.weight_ih_l0",
        "W": "recurrent.weight_hh_l0",
        "b": "recurrent.bias_ih_l0",
        "V": "output.weight",
        "c": "output.bias",
    }
    net = RNN(5, 4, 5).double()
    # torch has two biases for one of ours: its second stays where it is, at zero
    torch.nn.init.zeros_(net.recurrent.bias_hh_l0)
    params = small()
    settings = {"steps": 10, "optimizer": optimizer, "clip": 0.5, "carry_state": carry}
    ours, theirs = (
        fit(model, start, minibatches(TOKENS, 6, 3, 1, contiguous=carry), **settings)
        for model, start in (
            (character_model(carry_state=carry), params),
            (net.loss_and_grads, {names[name]: p for name, p in params.items()}),
        )
    )
    np.testing.assert_allclose(ours.loss, theirs.loss, rtol=1e-10)
    np.testing.assert_allclose(ours.grad_norm, theirs.grad_norm, rtol=1e-10)
    for name, p in ours.params.items():
        np.testing.assert_allclose(p, theirs.params[names[name]], atol=1e-10)


def test_adam_takes_the_steps_of_torchs():
    torch = pytest.importorskip("torch")
    p = torch.tensor([3.0, -2.0], dtype=torch.float64, requires_grad=True)
    theirs = torch.optim.Adam([p], lr=0.1)
    for _ in range(20):
        theirs.zero_grad()
        (0.5 * (p**2).sum()).backward()
        theirs.step()
    ours = fit(bowl, {"p": np.array([3.0, -2.0])}, repeat(0.0), steps=20, optimizer=Adam(0.1))
    np.testing.assert_allclose(ours.params["p"], p.detach().numpy(), rtol=1e-12)


def test_a_step_leaves_the_other_cores_alone():
    torch = pytest.importorskip("torch")
    before, during = torch.get_num_threads(), set()

    def loss_and_grads(params, batch):
        during.add(torch.get_num_threads())
        return 1.0, {"w": np.ones(1)}

    torch.set_num_threads(2)
    try:
        fit(loss_and_grads, {"w": np.zeros(1)}, repeat(0), steps=2, optimizer=SGD(0.1))
        assert during == {1}
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_training_lowers_the_loss():
    task = DelayedRecall(n_symbols=3, delay=1)
    batches = task.batches(8, 16, seed=0)
    history = fit(
        character_model(), init_rnn(3, 8, 3), batches, steps=150, optimizer=Adam(0.03), clip=1.0
    )
    assert history.loss[-10:].mean() < 0.3 * history.loss[0]
    assert history.seconds > 0
    assert "150 steps" in repr(history)


def test_the_parameters_given_are_left_as_they_are():
    params = small()
    before = {name: p.copy() for name, p in params.items()}
    fit(character_model(), params, minibatches(TOKENS, 6, 3, 1), steps=2, optimizer=SGD(1))
    for name, p in params.items():
        np.testing.assert_array_equal(p, before[name])


def test_an_optimizer_used_twice_starts_afresh():
    adam = Adam(0.1)
    one, two = (fit(bowl, {"p": np.ones(1)}, repeat(0), steps=5, optimizer=adam) for _ in range(2))
    np.testing.assert_array_equal(one.loss, two.loss)


def test_the_parameters_keep_their_floating_type():
    for optimizer in OPTIMIZERS:
        params = init_rnn(5, 4, 5, dtype=np.float32)
        batches = minibatches(TOKENS, 6, 3, 1)
        history = fit(character_model(), params, batches, steps=2, optimizer=optimizer, clip=0.01)
        assert {p.dtype for p in history.params.values()} == {np.dtype(np.float32)}


def test_a_hook_sees_every_step():
    seen = []
    fit(
        bowl,
        {"p": np.array([4.0])},
        repeat(0.0),
        steps=3,
        optimizer=SGD(0.5),
        on_step=lambda step, params, loss: seen.append((step, float(params["p"][0]), float(loss))),
    )
    assert seen == [(1, 2.0, 8.0), (2, 1.0, 2.0), (3, 0.5, 0.5)]


def test_training_in_parts_is_the_same_training():
    settings = {"steps": 7, "optimizer": Adam(0.1)}
    whole = fit(bowl, {"p": np.ones(2)}, repeat(0), **settings)
    parts = list(fit_in_parts(bowl, {"p": np.ones(2)}, repeat(0), every=3, **settings))
    assert [len(part.loss) for part in parts] == [3, 6, 7]
    np.testing.assert_array_equal(parts[-1].loss, whole.loss)
    np.testing.assert_array_equal(parts[-1].params["p"], whole.params["p"])


def test_training_in_parts_stops_when_no_more_is_asked_for():
    calls = []

    def counted(params, batch):
        calls.append(1)
        return bowl(params, batch)

    parts = fit_in_parts(
        counted, {"p": np.ones(2)}, repeat(0), steps=100, every=5, optimizer=SGD(0.1)
    )
    next(parts)
    parts.close()
    assert len(calls) == 5


def test_progress_is_text_on_standard_error_and_off_by_default(capsys):
    for progress in (False, True):
        fit(bowl, {"p": np.ones(1)}, repeat(0), steps=2, optimizer=SGD(0.1), progress=progress)
        out, err = capsys.readouterr()
        assert out == ""
        assert ("2/2" in err) is progress


@pytest.mark.parametrize("rate", [0.1, 1e6])
def test_a_history_plots_itself(rate):
    history = fit(bowl, {"p": np.ones(1)}, repeat(0), steps=99, optimizer=SGD(rate))
    plot = history.plot()
    assert isinstance(plot, Plot)
    assert ("diverge" in plot.alt) is (rate > 1)


def test_training_needs_no_torch():
    code = "import sys; sys.modules['torch'] = None; import rnn_helpers.training, rnn_helpers.tasks"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# what goes wrong ----------------------------------------------------------------------------------


def test_divergence_stops_the_training_and_says_when():
    history = fit(bowl, {"p": np.ones(2)}, repeat(0.0), steps=5000, optimizer=SGD(1e6))
    assert 0 < history.diverged_at < 100
    assert len(history.loss) == history.diverged_at + 1
    assert np.isfinite(history.loss[:-1]).all()
    assert history.loss[-1] == np.inf
    assert np.isfinite(history.params["p"]).all()
    assert bowl(history.params, 0.0)[0] == history.loss[-2]
    assert "diverged at step" in repr(history)


def test_one_seed_diverges_alone():
    params = {"p": np.array([[1.0, 1.0], [1e200, 1.0], [2.0, 0.0]])}
    history = fit(bowls, params, repeat(0.0), steps=4, optimizer=SGD(0.5))
    np.testing.assert_array_equal(history.diverged_at, [-1, 0, -1])
    np.testing.assert_array_equal(np.isfinite(history.loss), [[True, False, True]] * 4)
    np.testing.assert_array_equal(history.params["p"][1], params["p"][1])
    np.testing.assert_allclose(history.params["p"][[0, 2]], params["p"][[0, 2]] / 16)
    assert "1 of 3 seeds diverged" in repr(history)


@pytest.mark.parametrize("broken", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_nothing_that_is_not_finite_is_stepped_along(broken, where):
    def model(params, batch):
        loss, grads = bowl(params, 0.0)
        if batch == 2:
            return (broken, grads) if where == "loss" else (loss, {"p": grads["p"] * broken})
        return loss, grads

    history = fit(model, {"p": np.ones(2)}, iter(range(5)), steps=5, optimizer=SGD(0.5), clip=1.0)
    assert history.diverged_at == 2
    assert bowl(history.params, 0.0)[0] == history.loss[1]


def test_a_huge_learning_rate_leaves_numbers():
    for optimizer in (SGD(1e308), Adam(1e308)):
        history = fit(
            character_model(),
            small([0, 1]),
            minibatches(TOKENS, 6, 3, 1),
            steps=5,
            optimizer=optimizer,
        )
        assert all(np.isfinite(p).all() for p in history.params.values())
        assert not np.isnan(history.loss).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps is 0"),
        ({"clip": 0}, "clip is 0"),
        ({"clip": float("nan")}, "clip is nan"),
        ({"batches": [0.0]}, "batches ended after 1, expected 2"),
        ({"loss_and_grads": lambda params, batch: (0.0, {})}, r"grads lack \['p'\]"),
        ({"loss_and_grads": lambda params, batch: (0.0, {"p": np.ones(3)})}, r"shape \(3,\)"),
        ({"optimizer": SGD(lambda step: -1.0)}, "lr is -1.0"),
    ],
)
def test_bad_settings_are_refused(change, message):
    settings = {
        "loss_and_grads": bowl,
        "params": {"p": np.ones(2)},
        "batches": repeat(0.0),
        "steps": 2,
        "optimizer": SGD(0.1),
    }
    with pytest.raises(ValueError, match=message):
        fit(**{**settings, **change})


@pytest.mark.parametrize("lr", [0, -1, float("nan"), float("inf")])
def test_impossible_rates_are_refused(lr):
    for optimizer in (SGD, Adam):
        with pytest.raises(ValueError, match="lr is"):
            optimizer(lr)
    with pytest.raises(ValueError, match="beta2 is 1"):
        Adam(0.1, beta2=1)


# clipping -----------------------------------------------------------------------------------------


@settings(derandomize=True, max_examples=50, deadline=None)
@given(
    st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4),
    st.floats(1e-3, 1e3),
)
@pytest.mark.equation("10.48", "10.49")
def test_clipping_keeps_the_direction_and_bounds_the_norm(entries, threshold):
    g = {"W": np.array(entries[:2]), "b": np.array(entries[2:])}
    clipped, norm = clip_by_norm(g, threshold)
    assert norm == pytest.approx(math.hypot(*entries), rel=1e-9)
    assert joint_norm(clipped) <= threshold * (1 + 1e-12) or norm <= threshold
    if norm <= threshold:
        assert all((clipped[name] == g[name]).all() for name in g)
    else:
        assert joint_norm(clipped) == pytest.approx(threshold)
        for name in g:
            np.testing.assert_allclose(clipped[name], g[name] / norm * threshold, 1e-9, 1e-12)


def test_each_seed_is_clipped_by_itself():
    g = {"W": np.array([[3.0, 4.0], [0.3, 0.4]]), "b": np.zeros((2, 1))}
    clipped, norm = clip_by_norm(g, 1.0, seed_axis=True)
    np.testing.assert_allclose(norm, [5.0, 0.5])
    np.testing.assert_allclose(clipped["W"], [[0.6, 0.8], [0.3, 0.4]])


@pytest.mark.parametrize("broken", [np.nan, np.inf, -np.inf])
def test_a_gradient_without_direction_becomes_no_step_and_its_norm_tells(broken):
    g = {"W": np.array([[1.0, broken], [3.0, 4.0]]), "b": np.ones((2, 1))}
    clipped, norm = clip_by_norm(g, 1.0, seed_axis=True)
    assert not np.isfinite(norm[0])
    np.testing.assert_array_equal(clipped["W"][0], [0, 0])
    np.testing.assert_array_equal(clipped["b"][0], [0])
    assert joint_norm({name: g[1] for name, g in clipped.items()}) == pytest.approx(1)


@pytest.mark.parametrize("threshold", [0, -1, float("nan")])
def test_an_impossible_threshold_is_refused(threshold):
    with pytest.raises(ValueError, match="threshold"):
        clip_by_norm({"W": np.ones(2)}, threshold)


def test_many_batches_are_drawn_only_when_needed():
    batches = iter(range(10))
    fit(bowl, {"p": np.ones(1)}, batches, steps=3, optimizer=SGD(0.1))
    assert list(islice(batches, 1)) == [3]
