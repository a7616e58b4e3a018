"""The reference network as a model of characters."""

import numpy as np
import pytest
from networks import PARAMS, SEEDED, P, X, Y, assert_gradients
from refusals import (
    COUNT,
    NAME,
    NAN,
    POSITIVE,
    SEED,
    TOKENS,
)

from rnn_helpers.reference import init_rnn, joint_norm, rnn_forward, rnn_loss
from rnn_helpers.tasks import (
    Adding,
    bits_per_character,
    character_model,
    characters,
    minibatches,
    number_model,
    sample,
)

CORPUS = characters("topics")
N = len(CORPUS.alphabet)


@pytest.fixture
def params():
    return init_rnn(N, 8, N, seed=0)


def batch(n_steps=6, size=4, seed=0):
    return next(minibatches(CORPUS.train, n_steps, size, seed))


def test_the_loss_is_the_mean_of_the_characters_losses(params):
    x, y = batch()
    loss, _ = character_model()(params, (x, y))
    assert loss == pytest.approx(rnn_loss(rnn_forward(params, x), y) / 24)


@pytest.mark.parametrize("nonlinearity", ["tanh", "sigmoid"])
def test_the_gradients_are_those_of_the_mean(params, nonlinearity):
    model, one = character_model(nonlinearity), batch()
    assert_gradients(lambda moved: model(moved, one)[0], params, model(params, one)[1])


def test_length_and_size_of_a_minibatch_do_not_change_the_scale(params):
    small, large = (
        joint_norm(character_model()(params, batch(*size))[1]) for size in ((6, 50), (60, 50))
    )
    assert 0.5 < small / large < 2


def test_a_single_sequence_is_a_minibatch_of_one(params):
    x, y = batch(size=1)
    one, grads = character_model()(params, (x[:, 0], y[:, 0]))
    same, same_grads = character_model()(params, (x, y))
    assert one == pytest.approx(same)
    np.testing.assert_allclose(grads["W"], same_grads["W"])


def test_a_masked_step_counts_neither_in_the_sum_nor_in_the_mean(params):
    x, y = batch()
    mask = np.ones((6, 4), bool)
    mask[4:] = False
    cut, cut_grads = character_model()(params, (x[:4], y[:4]))
    loss, grads = character_model()(params, (x, y, mask))
    assert loss == pytest.approx(cut)
    np.testing.assert_allclose(grads["U"], cut_grads["U"])
    with pytest.raises(ValueError, match="counts no step"):
        character_model()(params, (x, y, np.zeros((6, 4), bool)))


def test_each_seed_gives_the_same_result_as_alone():
    both = init_rnn(N, 8, N, seed=[1, 2])
    x, y = next(minibatches(CORPUS.train, 6, 4, seed=[1, 2]))
    mask = np.random.default_rng(0).random(x.shape) < 0.7
    for batches in ((x, y), (x, y, mask)):
        losses, grads = character_model()(both, batches)
        bits = bits_per_character(both, CORPUS.held_out[:300])
        assert losses.shape == bits.shape == (2,)
        for s in range(2):
            alone = {name: p[s] for name, p in both.items()}
            loss, each = character_model()(alone, tuple(part[:, s] for part in batches))
            assert losses[s] == pytest.approx(loss)
            assert bits[s] == pytest.approx(bits_per_character(alone, CORPUS.held_out[:300]))
            np.testing.assert_allclose(grads["V"][s], each["V"])


def test_a_carried_state_joins_two_pieces_into_one(params):
    x, y = batch(n_steps=10)
    model = character_model(carry_state=True)
    whole, _, end = model(params, (x, y), None)
    first, _, state = model(params, (x[:5], y[:5]), None)
    second, _, state = model(params, (x[5:], y[5:]), state)
    assert (first + second) / 2 == pytest.approx(whole)
    np.testing.assert_allclose(state, end)


def test_bits_are_those_of_one_long_run(params, monkeypatch):
    tokens = CORPUS.held_out[:101]
    expected = rnn_loss(rnn_forward(params, tokens[:-1]), tokens[1:]) / 100 / np.log(2)
    assert bits_per_character(params, tokens) == pytest.approx(expected)
    for piece in (1, 7, 100):
        monkeypatch.setattr("rnn_helpers.tasks.language._PIECE", piece)
        assert bits_per_character(params, tokens) == pytest.approx(expected)


def test_a_uniform_network_needs_the_logarithm_of_the_alphabet():
    blank = init_rnn(N, 3, N, scale=0.0)
    assert bits_per_character(blank, CORPUS.held_out[:50]) == pytest.approx(np.log2(N))


@pytest.mark.parametrize("tokens", [[], [1], [[1, 2]], [0, N]])
def test_a_text_that_cannot_be_measured_is_refused(params, tokens):
    with pytest.raises(ValueError, match="token"):
        bits_per_character(params, np.array(tokens, dtype=int))


def test_samples_repeat_with_the_seed(params):
    one, again, other = (sample(params, CORPUS, 40, seed=s) for s in (1, 1, 2))
    assert one == again != other
    assert len(one) == 40
    assert set(one) <= set(CORPUS.alphabet)


def test_samples_follow_the_probabilities(params):
    params["c"][:] = -30
    params["c"][CORPUS.encode("ab")] = 5, 5 + np.log(3)
    params["V"][:] = 0
    text = sample(params, CORPUS, 2000, seed=0)
    assert set(text) == {"a", "b"}
    assert text.count("b") / 2000 == pytest.approx(0.75, abs=0.04)


def test_cold_samples_are_the_most_likely_and_hot_ones_are_uniform(params):
    cold = {sample(params, CORPUS, 30, seed=s, temperature=1e-300, prompt="The") for s in range(3)}
    assert len(cold) == 1
    assert len(set(sample(params, CORPUS, 500, temperature=1e300))) > 0.9 * N


def test_the_prompt_is_read_and_not_written(params):
    params["W"] *= 5
    texts = {sample(params, CORPUS, 30, prompt=prompt) for prompt in ("a", "b", "ab", "")}
    assert len(texts) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"length": 0}, "length is 0"),
        ({"temperature": 0}, "temperature is 0"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"prompt": "щ"}, "щ"),
        ({"params": init_rnn(N, 3, N, seed=[0, 1])}, "one network"),
    ],
)
def test_bad_requests_for_a_sample_are_refused(params, change, message):
    with pytest.raises(ValueError, match=message):
        sample(**{"params": params, "corpus": CORPUS, "length": 5, **change})


# numbers ------------------------------------------------------------------------------------------


def test_the_loss_of_numbers_is_the_mean_squared_error():
    params, (x, y, mask) = init_rnn(2, 5, 1, seed=0), next(Adding().batches(8, 3, seed=0))
    loss, _ = number_model()(params, (x, y, mask))
    o = rnn_forward(params, x).o[..., 0]
    assert loss == pytest.approx(((o[-1] - y[-1]) ** 2).mean())
    loss, _ = number_model()(params, (x, y))
    assert loss == pytest.approx(((o - y) ** 2).mean())


def test_masked_steps_are_ignored():
    params, (x, y, mask) = init_rnn(2, 5, 1, seed=0), next(Adding().batches(8, 3, seed=0))
    hidden = np.where(mask, y, np.nan)
    assert number_model()(params, (x, hidden, mask))[0] == number_model()(params, (x, y, mask))[0]


@pytest.mark.parametrize("nonlinearity", ["tanh", "sigmoid"])
@pytest.mark.parametrize("masked", [False, True])
def test_the_gradients_of_numbers_are_those_of_finite_differences(nonlinearity, masked):
    params, one = init_rnn(2, 5, 1, seed=0), next(Adding().batches(8, 3, seed=0))
    model, one = number_model(nonlinearity), one if masked else one[:2]
    assert_gradients(lambda moved: model(moved, one)[0], params, model(params, one)[1])


def test_numeric_networks_give_the_same_results_as_alone():
    both = init_rnn(2, 5, 1, seed=[1, 2])
    x, y, mask = next(Adding().batches(8, 3, seed=[1, 2]))
    losses, grads = number_model(clip_hidden=0.01)(both, (x, y, mask))
    assert losses.shape == (2,)
    for s in range(2):
        alone = {name: p[s] for name, p in both.items()}
        loss, each = number_model(clip_hidden=0.01)(alone, (x[:, s], y[:, s], mask))
        assert losses[s] == pytest.approx(loss)
        for name, g in each.items():
            np.testing.assert_allclose(grads[name][s], g, atol=1e-14)


# the gradient on the states -----------------------------------------------------------------------


def recalled(size, n_steps, copies):
    """Return equivalent minibatches, one of them `copies` times as large."""
    x, y = batch(n_steps, size)
    return np.tile(x, copies), np.tile(y, copies)


def test_a_threshold_on_the_states_means_the_same_for_any_size_of_a_minibatch(params):
    model = character_model(clip_hidden=0.05)
    (loss, small), (same, large) = (model(params, recalled(4, 6, copies)) for copies in (1, 3))
    free = character_model()(params, recalled(4, 6, 1))[1]
    assert loss == pytest.approx(same)
    np.testing.assert_allclose(small["W"], large["W"])
    assert np.abs(small["W"] - free["W"]).max() > 1e-3


def test_a_mask_that_counts_no_step_is_refused():
    with pytest.raises(ValueError, match="counts no step"):
        character_model()(P, (X, Y, np.zeros(3)))


FRAME = np.zeros((2, 9, 9))

REFUSALS = {
    bits_per_character: (
        {"params": P, "tokens": X, "nonlinearity": "tanh"},
        {"params": PARAMS, "tokens": TOKENS, "nonlinearity": NAME},
    ),
    character_model: (
        {"nonlinearity": "tanh", "clip_hidden": 1.0},
        {"nonlinearity": NAME, "clip_hidden": [0, -1, NAN, "a", [1]]},
    ),
    character_model(): (
        {"params": P, "batch": (X[:, None], Y[:, None])},
        {"params": PARAMS, "batch": [None, 3, (), (X,), (X, Y, None, None)]},
    ),
    number_model: (
        {"nonlinearity": "tanh", "clip_hidden": 1.0},
        {"nonlinearity": NAME, "clip_hidden": [0, -1, NAN, "a", [1]]},
    ),
    number_model(): (
        {"params": init_rnn(2, 4, 1), "batch": next(Adding().batches(3, 2, 0))},
        {
            "params": [*PARAMS, init_rnn(2, 4, 2)],
            "batch": [None, 3, (), (FRAME,), (FRAME, Y, None, None)],
        },
    ),
    sample: (
        {
            "params": init_rnn(N, 4, N),
            "corpus": CORPUS,
            "length": 3,
            "seed": 0,
            "temperature": 1.0,
            "prompt": "",
            "nonlinearity": "tanh",
        },
        {
            "params": [*PARAMS, P, SEEDED],
            "corpus": [None, 3, "topics"],
            "length": COUNT,
            "seed": SEED,
            "temperature": POSITIVE,
            "prompt": [None, 3, ["a"]],
            "nonlinearity": NAME,
        },
    ),
}
