"""Two networks that read against each other, and four over a picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import PARAMS, RUN, SEEDED, P, X, Y
from refusals import (
    COUNT,
    MASK,
    NAME,
    NAN,
    NO_SEED,
    RAGGED,
    TOKENS,
)

from rnn_helpers.reference import (
    bidirectional_forward,
    bidirectional_loss,
    four_directions,
    init_bidirectional,
    init_four_directions,
    init_rnn,
    rnn_forward,
    turned,
)

pytestmark = pytest.mark.chapter("09")
LENGTHS = np.array([4, 7, 1, 6])
SEEDS = st.integers(0, 10**6)
NAMES = "UWVbc"


def several(seed=0, n_h=5):
    """Parameters with biases, four sequences of unequal lengths, and targets."""
    rng = np.random.default_rng(seed)
    params = init_bidirectional(3, n_h, 4, rng)
    for net in params.values():
        net["b"], net["c"] = rng.normal(size=n_h), rng.normal(size=4)
    return params, rng.integers(3, size=(7, 4)), rng.integers(4, size=(7, 4))


def test_each_sequence_is_read_from_its_own_end():
    params, x, _ = several()
    run = bidirectional_forward(params, x, LENGTHS)
    for b, n in enumerate(LENGTHS):
        own = x[:n, b]
        ahead, back = rnn_forward(params["ahead"], own), rnn_forward(params["back"], own[::-1])
        np.testing.assert_allclose(run.h[:n, b], ahead.h, atol=1e-14)
        np.testing.assert_allclose(run.g[:n, b], back.h[::-1], atol=1e-14)
        np.testing.assert_allclose(run.o[:n, b], ahead.o + back.o[::-1], atol=1e-14)
        alone = bidirectional_forward(params, own)
        np.testing.assert_allclose(alone.yhat, run.yhat[:n, b], atol=1e-14)
    np.testing.assert_array_equal(run.counts.sum(axis=0), LENGTHS)


def test_a_minibatch_of_equal_lengths_needs_no_mask():
    params, x, y = several()
    run, same = bidirectional_forward(params, x), bidirectional_forward(params, x, [7] * 4)
    np.testing.assert_array_equal(run.o, same.o)
    assert run.counts.shape == (7, 4)
    assert bidirectional_loss(run, y) == bidirectional_loss(same, y)


def test_one_hot_vectors_give_the_same_result_as_tokens():
    params, x, _ = several()
    run = bidirectional_forward(params, x, LENGTHS)
    same = bidirectional_forward(params, np.eye(3)[x], LENGTHS)
    np.testing.assert_array_equal(run.o, same.o)


@given(seed=SEEDS)
def test_padding_changes_no_output(seed):
    params, x, y = several(seed)
    run = bidirectional_forward(params, x, LENGTHS)
    rng = np.random.default_rng(seed)
    other, told = np.where(run.counts, x, rng.integers(3, size=x.shape)), np.where(run.counts, y, 9)
    again = bidirectional_forward(params, other, LENGTHS)
    assert bidirectional_loss(again, told) == bidirectional_loss(run, y)


@given(seed=SEEDS, n=st.integers(1, 9))
def test_twice_turned_is_as_it_was(seed, n):
    rng = np.random.default_rng(seed)
    steps, lengths = rng.normal(size=(n, 5, 2)), rng.integers(1, n + 1, size=5)
    np.testing.assert_array_equal(turned(turned(steps, lengths), lengths), steps)
    np.testing.assert_array_equal(turned(steps), steps[::-1])


@given(seed=SEEDS, t=st.integers(0, 6))
def test_every_output_depends_on_every_input_of_its_sequence_and_no_other(seed, t):
    params, x, _ = several(seed)
    x = np.eye(3)[x]
    moved = x.copy()
    moved[t, 1] += 0.3
    change = bidirectional_forward(params, moved, LENGTHS).o
    change -= bidirectional_forward(params, x, LENGTHS).o
    assert (np.abs(change[:, 1]).max(axis=-1) > 0).all()
    np.testing.assert_array_equal(change[:, [0, 2, 3]], 0)


def torch_two_way(params):
    """`torch.nn.RNN(bidirectional=True)` and the layer that reads both its states."""
    import torch

    n_h, n_x = params["ahead"]["U"].shape
    net = torch.nn.RNN(n_x, n_h, bidirectional=True, dtype=torch.float64)
    with torch.no_grad():
        for way, ending in (("ahead", ""), ("back", "_reverse")):
            for theirs, ours in (("weight_ih", "U"), ("weight_hh", "W"), ("bias_ih", "b")):
                getattr(net, f"{theirs}_l0{ending}").copy_(torch.tensor(params[way][ours]))
            getattr(net, f"bias_hh_l0{ending}").zero_()
    return net


@pytest.mark.slow
def test_it_is_the_network_of_pytorch():
    import torch

    params, x, y = several(seed=3)
    run = bidirectional_forward(params, x, LENGTHS)
    net = torch_two_way(params)
    vectors = torch.tensor(np.eye(3)[x])
    packed = torch.nn.utils.rnn.pack_padded_sequence(vectors, LENGTHS, enforce_sorted=False)
    states, _ = torch.nn.utils.rnn.pad_packed_sequence(net(packed)[0])
    counts = run.counts[..., None]
    ours = np.concatenate([run.h, run.g], axis=-1) * counts
    np.testing.assert_allclose(states.detach(), ours, atol=1e-12)

    V = torch.tensor(np.hstack([params["ahead"]["V"], params["back"]["V"]]))
    c = torch.tensor(params["ahead"]["c"] + params["back"]["c"])
    o = states @ V.T + c
    targets = torch.tensor(np.where(run.counts, y, -100))
    loss = torch.nn.functional.cross_entropy(o.reshape(-1, 4), targets.ravel(), reduction="sum")
    assert bidirectional_loss(run, y) == pytest.approx(loss.item(), abs=1e-12)


def by_the_book(net, row):
    """Return one sweep's outputs, step by step."""
    h, o = np.zeros(len(net["b"])), []
    for x in row:
        h = np.tanh(net["b"] + net["W"] @ h + net["U"] @ x)
        o.append(net["c"] + net["V"] @ h)
    return np.array(o)


def picture(seed=0, shape=(4, 5)):
    rng = np.random.default_rng(seed)
    params = init_four_directions(2, 3, 2, rng)
    for net in params.values():
        net["b"], net["c"] = rng.normal(size=3), rng.normal(size=2)
    return params, rng.normal(size=(*shape, 2))


def test_four_sweeps_are_added_at_every_place():
    params, x = picture()
    O = four_directions(params, x).o
    for i in range(4):
        for j in range(5):
            parts = [
                by_the_book(params["down"], x[: i + 1, j])[-1],
                by_the_book(params["up"], x[i:, j][::-1])[-1],
                by_the_book(params["right"], x[i, : j + 1])[-1],
                by_the_book(params["left"], x[i, j:][::-1])[-1],
            ]
            np.testing.assert_allclose(O[i, j], sum(parts), atol=1e-13)


def test_tokens_give_a_picture_the_same_result_as_vectors():
    params, _ = picture()
    x = np.array([[0, 1, 1], [1, 0, 0]])
    run, same = four_directions(params, x), four_directions(params, np.eye(2)[x])
    np.testing.assert_array_equal(run.o, same.o)


@given(seed=SEEDS)
def test_a_picture_turned_over_exchanges_the_directions(seed):
    params, x = picture(seed)
    O = four_directions(params, x).o
    left, up = params["left"], params["up"]
    mirrored = params | {"left": params["right"], "right": left}
    np.testing.assert_allclose(four_directions(mirrored, x[:, ::-1]).o, O[:, ::-1], atol=1e-13)
    flipped = params | {"up": params["down"], "down": up}
    np.testing.assert_allclose(four_directions(flipped, x[::-1]).o, O[::-1], atol=1e-13)


@given(seed=SEEDS, i=st.integers(0, 3), j=st.integers(0, 4))
def test_one_layer_covers_a_cross_and_two_the_whole_image(seed, i, j):
    params, x = picture(seed)
    moved = x.copy()
    moved[i, j] += 0.3
    first, other = four_directions(params, x), four_directions(params, moved)
    heard = np.abs(first.o - other.o).max(axis=-1) > 0
    cross = (np.arange(4)[:, None] == i) | (np.arange(5) == j)
    np.testing.assert_array_equal(heard, cross)
    change = four_directions(params, first.o).o - four_directions(params, other.o).o
    assert (np.abs(change).max(axis=-1) > 0).all()


TWO = init_bidirectional(3, 4, 3)
TWO_RUN = bidirectional_forward(TWO, X)
FOUR = init_four_directions(3, 4, 3)
UNFIT_WAYS = [None, 3, {}, {"ahead": P}, *(dict.fromkeys((*TWO, *FOUR), bad) for bad in PARAMS)]
UNFIT_WAYS += [dict.fromkeys((*TWO, *FOUR), SEEDED)]

REFUSALS = {
    turned: (
        {"steps": np.array([[0.0, 1.0], [2.0, 3.0]]), "lengths": [1, 2]},
        {"steps": [3, [], RAGGED], "lengths": [0, 3, [1], [0, 1], [1, 3], 1.5, "a", NAN]},
    ),
    init_bidirectional: (
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    bidirectional_forward: (
        {"params": TWO, "x": X, "lengths": 2, "nonlinearity": "tanh"},
        {
            "params": [*UNFIT_WAYS, TWO | {"back": init_rnn(2, 4, 3)}],
            "x": TOKENS,
            "lengths": [0, 4, [1], [1, 2, 3], 1.5, "a", NAN],
            "nonlinearity": NAME,
        },
    ),
    bidirectional_loss: (
        {"run": TWO_RUN, "y": Y, "mask": None},
        {"run": [None, 3, {}, RUN], "y": TOKENS, "mask": MASK},
    ),
    init_four_directions: (
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    four_directions: (
        {"params": FOUR, "x": [X, Y], "nonlinearity": "tanh"},
        {
            "params": UNFIT_WAYS,
            "x": [*TOKENS, X, np.zeros((2, 3)), np.full((2, 2, 3), NAN)],
            "nonlinearity": NAME,
        },
    ),
}
