"""The training loop, its optimizers, its clipping, and its reaction to diverging training."""

import subprocess
import sys
from itertools import islice, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from networks import P, quadratic
from refusals import (
    COUNT,
    FUNCTION,
    NAN,
    NO_SEED,
    POSITIVE,
    finite,
    first,
)

from rnn_helpers.plots import Plot
from rnn_helpers.reference import clip_by_norm, init_rnn, joint_norm
from rnn_helpers.tasks import (
    bits_per_character,
    character_model,
    characters,
    minibatches,
    sample,
)
from rnn_helpers.training import (
    SGD,
    Adam,
    ByElement,
    ByNorm,
    Nesterov,
    RandomStep,
    fit,
    fit_in_parts,
)

TOKENS = np.random.default_rng(0).integers(5, size=400)
OPTIMIZERS = [SGD(0.5), Adam(0.02), SGD(lambda t: 1 / t), Nesterov(0.1)]
RULES = [ByNorm(0.1), ByElement(0.02), RandomStep(0.1), ByNorm(0.1, rescue=3), ByElement(0.02, 4)]


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
    assert history.params["p"] == 0  # the first step, at rate 1, reaches the minimum


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_repeats_to_the_last_digit(optimizer):
    def train():
        batches = minibatches(TOKENS, 6, 3, seed=1)
        return fit(character_model(), small(), batches, steps=8, optimizer=optimizer)

    one, two = train(), train()
    np.testing.assert_array_equal(one.loss, two.loss)
    np.testing.assert_array_equal(one.params["W"], two.params["W"])


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("clip", [None, 0.1, ByElement(0.02)])
@pytest.mark.parametrize("carry", [False, True])
def test_seeds_together_equal_each_alone(optimizer, clip, carry):
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_nesterov_takes_the_steps_of_torchs():
    torch = pytest.importorskip("torch")
    p = torch.tensor([3.0, -2.0], dtype=torch.float64, requires_grad=True)
    theirs = torch.optim.SGD([p], lr=0.1, momentum=0.8, nesterov=True)
    for _ in range(20):
        theirs.zero_grad()
        (0.5 * (p**2).sum()).backward()
        theirs.step()
    optimizer = Nesterov(0.1, momentum=0.8)
    ours = fit(bowl, {"p": np.array([3.0, -2.0])}, repeat(0.0), steps=20, optimizer=optimizer)
    np.testing.assert_allclose(ours.params["p"], p.detach().numpy(), rtol=1e-12)


def test_nesterovs_parameters_are_the_point_looked_ahead_to():
    """Sutskever et al. 2013, their equations, with a rate that changes."""
    rate, momentum, steps = (lambda t: 0.3 / t), 0.9, 10
    position, velocity = np.array([4.0, -1.0]), np.zeros(2)
    for t in range(1, steps + 1):
        velocity = momentum * velocity - rate(t) * (position + momentum * velocity)
        position = position + velocity
    history = fit(
        bowl,
        {"p": np.array([4.0, -1.0])},
        repeat(0.0),
        steps=steps,
        optimizer=Nesterov(rate, momentum),
    )
    np.testing.assert_allclose(history.params["p"], position + momentum * velocity, rtol=1e-12)


def test_training_lowers_the_loss():
    x = np.random.default_rng(0).integers(3, size=(8, 16))
    batches = repeat((x, x))
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


@pytest.mark.slow
def test_training_needs_no_torch():
    code = "import sys; sys.modules['torch'] = None; import rnn_helpers.training, rnn_helpers.tasks"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_many_batches_are_drawn_only_when_needed():
    batches = iter(range(10))
    fit(bowl, {"p": np.ones(1)}, batches, steps=3, optimizer=SGD(0.1))
    assert list(islice(batches, 1)) == [3]


# what goes wrong ----------------------------------------------------------------------------------


def test_divergence_stops_the_training_and_is_reported_with_its_step():
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
def test_nonfinite_gradients_are_never_followed(broken, where):
    def model(params, batch):
        loss, grads = bowl(params, 0.0)
        if batch == 2:
            return (broken, grads) if where == "loss" else (loss, {"p": grads["p"] * broken})
        return loss, grads

    history = fit(model, {"p": np.ones(2)}, iter(range(5)), steps=5, optimizer=SGD(0.5), clip=1.0)
    assert history.diverged_at == 2
    assert bowl(history.params, 0.0)[0] == history.loss[1]


def test_a_huge_learning_rate_leaves_numbers():
    for optimizer in (SGD(1e308), Nesterov(1e308), Adam(1e308)):
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
    for optimizer in (SGD, Nesterov, Adam):
        with pytest.raises(ValueError, match="lr is"):
            optimizer(lr)
    with pytest.raises(ValueError, match="beta2 is 1"):
        Adam(0.1, beta2=1)


# clipping -----------------------------------------------------------------------------------------


def steps_of(clip, steps=4, start=(3.0, 4.0), rate=1.0):
    """Return the history of the first steps on a constant slope."""
    slope = np.array(start)
    return fit(
        lambda params, batch: (1.0, {"p": slope}),
        {"p": np.zeros(2)},
        repeat(0),
        steps=steps,
        optimizer=SGD(rate),
        clip=clip,
    )


def test_a_number_clips_by_norm():
    for clip in (2.5, ByNorm(2.5)):
        history = steps_of(clip, 2)
        np.testing.assert_allclose(history.params["p"], [-3, -4])
        np.testing.assert_array_equal(history.clipped, [True, True])
        np.testing.assert_array_equal(history.grad_norm, [5, 5])


@pytest.mark.parametrize("rule", [ByNorm, ByElement, RandomStep])
def test_a_rule_leaves_gradients_below_its_threshold_alone(rule):
    history = steps_of(rule(6.0), 2)
    np.testing.assert_array_equal(history.params["p"], [-6, -8])
    assert not history.clipped.any()


@pytest.mark.parametrize("rule", [ByNorm, ByElement, RandomStep])
def test_a_gradient_as_long_as_the_threshold_is_left_alone(rule):
    """(G 10.48) asks for more: its sizes are 5 in all, and 0 and 5 by element."""
    history = steps_of(rule(5.0), 1, start=(0.0, -5.0))
    np.testing.assert_array_equal(history.params["p"], [0, 5])
    assert not history.clipped.any()


@given(arrays(float, (3, 2), elements=st.sampled_from([-4, -2.5, -2, 0, 1, 2, 3])))
def test_a_network_counts_as_clipped_if_an_entry_of_its_own_is_beyond(entries):
    grads = {"p": entries, "q": entries[::-1, 0]}
    beyond = [max(np.abs(entries[s]).max(), abs(entries[2 - s, 0])) > 2 for s in range(3)]
    clipped, _, changed = ByElement(2.0).apply(grads, np.zeros(3), 1, seed_axis=True)
    np.testing.assert_array_equal(changed, beyond)
    np.testing.assert_array_equal(clipped["p"], np.clip(entries, -2, 2))


def test_a_random_step_also_replaces_a_step_with_a_nonfinite_loss():
    grads = {"p": np.full((2, 3), 0.1)}
    steps, _, changed = RandomStep(1.0).apply(grads, np.array([1.0, np.nan]), 1, seed_axis=True)
    np.testing.assert_array_equal(changed, [False, True])
    np.testing.assert_array_equal(steps["p"][0], grads["p"][0])
    assert np.linalg.norm(steps["p"][1]) == pytest.approx(1)


def test_elements_are_clipped_each_by_itself():
    history = steps_of(ByElement(3.5), 1)
    np.testing.assert_allclose(history.params["p"], [-3, -3.5])
    assert history.clipped.all()


def test_random_steps_have_the_thresholds_length_and_new_directions():
    history = steps_of(RandomStep(2.0, seed=1), 1, rate=0.5)
    assert joint_norm(history.params) == pytest.approx(1.0)  # 0.5 * 2
    assert history.clipped.all()
    other, more = steps_of(RandomStep(2.0, seed=2), 1), steps_of(RandomStep(2.0, seed=1), 2)
    assert abs(other.params["p"] @ history.params["p"]) < 1.9
    assert joint_norm(more.params) < 3.9  # two steps in one direction would lead to 4


def broken_at_two(broken, where):
    def model(params, batch):
        loss, grads = bowls(params, 0.0)
        if batch != 2:
            return loss, grads
        # the second network alone
        hurt = np.array([1.0, broken, 1.0])
        return (
            (loss * hurt, grads) if where == "loss" else (loss, {"p": grads["p"] * hurt[:, None]})
        )

    return model


@pytest.mark.parametrize("broken", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["loss", "gradient"])
@pytest.mark.parametrize(
    "clip", [ByNorm(0.5, rescue=7), ByElement(0.5, rescue=7), RandomStep(0.5, seed=7)]
)
def test_a_rescue_makes_a_random_step_of_the_thresholds_length(broken, where, clip):
    seen = [np.ones((3, 2))]
    history = fit(
        broken_at_two(broken, where),
        {"p": seen[0]},
        iter(range(5)),
        steps=5,
        optimizer=SGD(0.1),
        clip=clip,
        on_step=lambda step, params, loss: seen.append(params["p"]),
    )
    np.testing.assert_array_equal(history.diverged_at, [-1, -1, -1])
    assert history.clipped[2, 1]
    np.testing.assert_array_equal(np.isinf(history.loss), np.isinf(history.grad_norm))
    np.testing.assert_array_equal(np.argwhere(np.isinf(history.loss)), [[2, 1]])
    assert np.linalg.norm(seen[3][1] - seen[2][1]) == pytest.approx(0.1 * 0.5)
    assert np.isfinite(history.params["p"]).all()


def test_without_a_rescue_training_ends_there():
    for clip in (None, ByNorm(0.5), ByElement(0.5)):
        history = fit(
            broken_at_two(np.nan, "gradient"),
            {"p": np.ones((3, 2))},
            iter(range(5)),
            steps=5,
            optimizer=SGD(0.1),
            clip=clip,
        )
        np.testing.assert_array_equal(history.diverged_at, [-1, 2, -1])
        assert not history.clipped[2:, 1].any()


def test_a_step_too_long_for_numbers_ends_training_with_a_rescue_too():
    history = steps_of(ByNorm(1e300, rescue=0), rate=1e300, start=(1e200, 0.0))
    assert history.diverged_at == 0
    np.testing.assert_array_equal(history.params["p"], [0, 0])


@pytest.mark.parametrize(
    "rule", [lambda seed: RandomStep(0.05, seed), lambda seed: ByNorm(1, seed)]
)
def test_seeded_networks_draw_the_same_samples_as_alone(rule):
    def train(seed):
        def model(params, batch):
            loss, grads = character_model()(params, batch[:2])
            return loss * np.where(batch[2], np.nan, 1), grads

        batches = ((x, y, i in (1, 3)) for i, (x, y) in enumerate(minibatches(TOKENS, 6, 3, seed)))
        return fit(model, small(seed), batches, steps=6, optimizer=SGD(0.5), clip=rule(seed))

    together = train([1, 2, 3])
    assert together.clipped.any()
    for place, seed in enumerate([1, 2, 3]):
        alone = train(seed)
        np.testing.assert_array_equal(together.clipped[:, place], alone.clipped)
        for name, p in alone.params.items():
            np.testing.assert_allclose(together.params[name][place], p, atol=1e-12)


def test_networks_with_one_seed_take_different_paths():
    history = fit(
        lambda params, batch: (np.ones(3), {"p": np.ones((3, 2))}),
        {"p": np.zeros((3, 2))},
        repeat(0),
        steps=1,
        optimizer=SGD(1.0),
        clip=RandomStep(1.0),
    )
    a, b, c = history.params["p"]
    assert max(a @ b, a @ c, b @ c) < 0.999


@pytest.mark.parametrize("rule", RULES)
def test_clipped_training_repeats_to_the_last_digit(rule):
    one, two = (
        fit(
            character_model(),
            small([0, 1]),
            minibatches(TOKENS, 6, 3, 1),
            steps=5,
            optimizer=SGD(0.5),
            clip=rule,
        )
        for _ in range(2)
    )
    assert one.clipped.any()
    np.testing.assert_array_equal(one.params["W"], two.params["W"])


@pytest.mark.chapter("17")
def test_one_explosion_throws_adam_by_32_learning_rates_and_then_almost_stops_it():
    rng, adam, begun = np.random.default_rng(0), Adam(1.0), 10**6  # in the midst of training
    p, memory, steps = {"p": np.zeros(2000)}, {"p": (np.zeros(2000), np.ones(2000))}, []
    for step in range(1250):
        g = rng.normal(size=2000) if step != 100 else np.full(2000, 1e4)
        after = adam.update(p, {"p": g}, memory, begun + step)
        steps.append(p["p"] - after["p"])
        p = after
    usual, throw, still, later = (abs(steps[step]).mean() for step in (99, 100, 200, 1100))
    assert usual == pytest.approx(0.18, rel=0.03)
    assert throw == pytest.approx(3.2, rel=0.02)
    assert np.sum(steps[100:160], axis=0).mean() == pytest.approx(32, rel=0.01)
    assert usual / still == pytest.approx(300, rel=0.1)
    assert usual / later == pytest.approx(190, rel=0.1)


@pytest.mark.equation("10.48", "10.49")
def test_the_mean_of_clipped_gradients_is_not_the_clipped_mean():
    """The heuristic bias: an example with a large gradient counts less."""
    examples = np.array([[0.3, 0.0], [0.0, 30.0]])
    clipped = np.mean([clip_by_norm({"g": g}, 1.0)[0]["g"] for g in examples], axis=0)
    whole = clip_by_norm({"g": examples.mean(axis=0)}, 1.0)[0]["g"]
    assert clipped[0] / clipped[1] == pytest.approx(0.3)
    assert whole[0] / whole[1] == pytest.approx(0.01)


@pytest.mark.parametrize("optimizer", [SGD(1e20), SGD(1e300), Adam(1e30), Adam(1e300)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_parameters_stay_finite_at_a_huge_learning_rate(optimizer, dtype):
    """Allow huge parameters and an infinite loss, but no NaN."""
    corpus = characters("topics")
    n = len(corpus.alphabet)
    pieces = minibatches(corpus.train, 5, 2, seed=0)
    start = init_rnn(n, 4, n, dtype=dtype)
    trained = fit(character_model(), start, pieces, steps=10, optimizer=optimizer)
    assert finite(trained.params)
    assert not np.isnan(trained.loss).any()
    assert not np.isnan(bits_per_character(trained.params, corpus.held_out[:50]))
    assert len(sample(trained.params, corpus, 5)) == 5


REFUSALS = {
    SGD: ({"lr": 0.1}, {"lr": POSITIVE}),
    Nesterov: ({"lr": 0.1, "momentum": 0.9}, {"lr": POSITIVE, "momentum": [1, -1, NAN, "a", None]}),
    Adam: (
        {"lr": 0.1, "beta1": 0.9, "beta2": 0.9, "epsilon": 1e-8},
        {
            "lr": POSITIVE,
            "beta1": [1, -1, NAN, "a", None],
            "beta2": [1, 2, NAN, "a", None],
            "epsilon": POSITIVE,
        },
    ),
    ByNorm: ({"threshold": 1.0, "rescue": 0}, {"threshold": POSITIVE, "rescue": [*NO_SEED, []]}),
    ByElement: (
        {"threshold": 1.0, "rescue": [0, 1]},
        {"threshold": POSITIVE, "rescue": [*NO_SEED, []]},
    ),
    RandomStep: (
        {"threshold": 1.0, "seed": 0},
        {"threshold": POSITIVE, "seed": [*NO_SEED, None, []]},
    ),
    fit: (
        {
            "loss_and_grads": quadratic,
            "params": P,
            "batches": [0] * 5,
            "steps": 2,
            "optimizer": SGD(0.1),
        },
        {
            "loss_and_grads": [
                None,
                3,
                lambda params, batch: None,
                lambda params, batch: (1,),
                lambda params, batch: ("a", params),
                lambda params, batch: (np.ones(2), params),
                lambda params, batch: (np.ones((2, 2)), params),
            ],
            "params": [None, {}, 3, {"a": "b"}, {"a": NAN}, {"a": None}],
            "batches": [None, 3, [], [0]],
            "steps": COUNT,
            "optimizer": [None, 3, "sgd", SGD, {}, set()],
            "clip": [0, -1, NAN, "a", ByNorm],
            "on_step": FUNCTION,
        },
    ),
    first(fit_in_parts): (
        {
            "loss_and_grads": quadratic,
            "params": P,
            "batches": [0] * 5,
            "steps": 2,
            "every": 1,
            "optimizer": SGD(0.1),
        },
        {"steps": COUNT, "every": COUNT},
    ),
}
