"""Variants of one cell match their equations, and networks don't affect one another."""

from functools import partial

import numpy as np
import pytest
from networks import BATCH, NO_PERIODS
from refusals import (
    COUNT,
    INF,
    NAME,
    NAN,
)

torch = pytest.importorskip("torch")

from rnn_helpers.nets import Gated  # noqa: E402
from rnn_helpers.reference import gru_forward, lstm_forward, time_scale_forward  # noqa: E402
from rnn_helpers.tasks import CountSinceReset  # noqa: E402
from rnn_helpers.training import Adam, fit  # noqa: E402

pytestmark = pytest.mark.chapter("16")

N_X, N_H, N_Y, T, B, SEEDS = 3, 5, 2, 6, 4, [0, 7]
VARIANTS = [
    {},
    {"input_gate": False},
    {"forget_gate": False},
    {"output_gate": False},
    {"coupled": True},
    {"peephole": True},
    {"shared": "layer"},
    {"shared": "product"},
    {"squash": "sigmoid"},
    {"squash": None},
    {"output_squash": None},
    {"shared": "product", "coupled": True, "output_gate": False},
]
KINDS = [
    *[("lstm", parts) for parts in VARIANTS],
    ("gru", {}),
    ("gru", {"reset": "after"}),
    ("gru", {"squash": "sigmoid"}),
    ("leaky", {"start": "orthogonal"}),
    ("leaky", {"alpha": 0.9}),
    ("leaky", {"alpha": [0.1, 0.2, 0.5, 0.9, 0.99], "learned": True}),
    ("leaky", {"skip": 2, "alpha": 0.3}),
    ("leaky", {"skip": T + 1, "direct": False}),
    ("leaky", {"periods": [1, 1, 2, 4, 4]}),
]


def sigma(a):
    return 1 / (1 + np.exp(-a))


SQUASH = {"tanh": np.tanh, "sigmoid": sigma, None: lambda a: a}


def gated(unit="lstm", n_layers=1, n_y=N_Y, **parts):
    return Gated(N_X, N_H, n_y, SEEDS, unit, n_layers, **parts).double()


def inputs(seed=0, n_x=N_X):
    return np.random.default_rng(seed).normal(size=(T, B, n_x))


def of_seed(params, s, layer=0):
    """Return one network's parameters by their names in the reference."""
    return {name.removeprefix(f"layers.{layer}."): p[s] for name, p in params.items()}


def by_hand(P, x, input_gate=True, forget_gate=True, output_gate=True, coupled=False,
            peephole=False, shared="no", squash="tanh", output_squash="tanh", **_):  # fmt: skip
    """(G 10.40)-(G 10.44) for one network and one sequence, one product at a time."""

    def gate(k, there, s):
        if not there:
            return 1.0
        a = P[f"b{k}"] + P[f"U{k}"] @ x_t + P[f"W{k}"] @ h
        a = a + P[f"p{k}"] * s if peephole else a
        if shared != "product":
            return sigma(a)
        return sigma(a) * sigma(P[f"b{k}l"] + P[f"U{k}l"] @ x_t + P[f"W{k}l"] @ h)

    h = s = np.zeros(N_H)
    outputs = []
    for x_t in x:
        f = gate("f", forget_gate, s)
        g = 1 - f if coupled else gate("g", input_gate, s)
        s = f * s + g * SQUASH[squash](P["b"] + P["U"] @ x_t + P["W"] @ h)
        h = SQUASH[output_squash](s) * gate("o", output_gate, s)
        outputs.append(P["c"] + P["V"] @ h)
    return np.array(outputs)


@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
@pytest.mark.parametrize("parts", VARIANTS, ids=str)
def test_each_variant_of_the_lstm_is_its_equations(parts):
    net, x = gated(**parts), inputs()
    params = net.params()
    o = net.outputs(params, x)
    for s in range(len(SEEDS)):
        for b in range(B):
            expected = by_hand(of_seed(params, s), x[:, b], **parts)
            np.testing.assert_allclose(o[:, s, b], expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("parts", [{}, {"peephole": True}, {"squash": "sigmoid"}], ids=str)
def test_the_reference_takes_the_parameters_of_an_lstm_as_they_are(parts):
    net, x = gated(**parts), inputs()
    params = {name.removeprefix("layers.0."): p for name, p in net.params().items()}
    run = lstm_forward(params, x, squash=parts.get("squash", "tanh"))
    np.testing.assert_allclose(net.outputs(net.params(), x), run.o, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("squash", ["tanh", "sigmoid"])
def test_the_reference_takes_the_parameters_of_a_gru_as_they_are(reset, squash):
    net, x = gated("gru", reset=reset, squash=squash), inputs()
    params = {name.removeprefix("layers.0."): p for name, p in net.params().items()}
    run = gru_forward(params, x, reset=reset, squash=squash)
    np.testing.assert_allclose(net.outputs(net.params(), x), run.o, rtol=1e-12, atol=1e-14)


def torchs(layer, P, order, biases):
    """Give a layer of PyTorch the parameters of one network."""
    with torch.no_grad():
        for kind, name in (("U", "weight_ih_l0"), ("W", "weight_hh_l0"), ("b", "bias_ih_l0")):
            stacked = np.concatenate([P[kind + part] for part in order])
            getattr(layer, name).copy_(torch.tensor(stacked))
        layer.bias_hh_l0.copy_(torch.tensor(biases))
    return layer


@pytest.mark.parametrize("s", range(len(SEEDS)))
def test_the_whole_lstm_is_torchs(s):
    net, x = gated(), inputs()
    P = of_seed(net.params(), s)
    layer = torchs(torch.nn.LSTM(N_X, N_H).double(), P, ["g", "f", "", "o"], np.zeros(4 * N_H))
    h = layer(torch.tensor(x))[0].detach().numpy()
    o = net.outputs(net.params(), x)[:, s]
    np.testing.assert_allclose(o, P["c"] + h @ P["V"].T, atol=1e-14)


@pytest.mark.parametrize("s", range(len(SEEDS)))
def test_the_gru_that_resets_after_the_product_is_torchs(s):
    net, x = gated("gru", reset="after"), inputs()
    P = of_seed(net.params(), s)
    biases = np.concatenate([np.zeros(2 * N_H), P["bh"]])
    layer = torchs(torch.nn.GRU(N_X, N_H).double(), P, ["r", "u", ""], biases)
    h = layer(torch.tensor(x))[0].detach().numpy()
    o = net.outputs(net.params(), x)[:, s]
    np.testing.assert_allclose(o, P["c"] + h @ P["V"].T, atol=1e-14)


@pytest.mark.equation("10.45", "10.46", "10.47")
@pytest.mark.parametrize("squash", ["tanh", "sigmoid"])
def test_the_gru_that_resets_before_the_product_is_the_sources_with_its_times_put_right(squash):
    net, x = gated("gru", squash=squash), inputs()
    params = net.params()
    P, h = of_seed(params, 1), np.zeros(N_H)
    for t in range(T):
        x_t = x[t, 0]
        u = sigma(P["bu"] + P["Uu"] @ x_t + P["Wu"] @ h)
        r = sigma(P["br"] + P["Ur"] @ x_t + P["Wr"] @ h)
        h = u * h + (1 - u) * SQUASH[squash](P["b"] + P["U"] @ x_t + P["W"] @ (r * h))
        np.testing.assert_allclose(
            net.outputs(params, x)[t, 1, 0], P["c"] + P["V"] @ h, rtol=1e-12, atol=1e-14
        )


TIME_SCALES = [
    {},
    {"alpha": 0.9},
    {"alpha": [0, 0.2, 0.5, 0.9, 0.99]},
    {"alpha": 0.8, "learned": True},
    {"skip": 1},
    {"skip": 3, "alpha": 0.5},
    {"skip": 3, "direct": False},
    {"periods": [1, 1, 2, 4, 4]},
    {"periods": [1, 1, 2, 4, 4], "skip": 2},
]


@pytest.mark.chapter("15")
@pytest.mark.parametrize("parts", TIME_SCALES, ids=str)
def test_each_time_scale_is_its_equation(parts):
    """The frame of section 10.9, for one network and one sequence."""
    net, x = gated("leaky", **parts), inputs()
    params = net.params()
    P, past = of_seed(params, 1), [np.zeros(N_H)]
    alpha, d = np.array(parts.get("alpha", 0.0), np.float32).astype(float), parts.get("skip", T)
    p = np.array(parts.get("periods", [1] * N_H))
    hears = p >= p[:, None]
    for t in range(1, T + 1):
        a = P["b"] + P["U"] @ x[t - 1, 2] + P.get("W", np.zeros((N_H, N_H))) * hears @ past[-1]
        if t >= d and "Wd" in P:
            a = a + P["Wd"] * hears @ past[-d]
        kept = np.where(t % p == 0, alpha, 1)
        past.append(kept * past[-1] + (1 - kept) * np.tanh(a))
    expected = P["c"] + np.array(past[1:]) @ P["V"].T
    np.testing.assert_allclose(net.outputs(params, x)[:, 1, 2], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.chapter("15")
@pytest.mark.parametrize("parts", TIME_SCALES, ids=str)
def test_the_reference_takes_the_parameters_of_each_time_scale(parts):
    net, x = gated("leaky", **parts), inputs()
    params = {name.removeprefix("layers.0."): p for name, p in net.params().items()}
    given = {name: parts[name] for name in ("skip", "periods") if name in parts}
    alpha = np.array(parts.get("alpha", 0.0), np.float32).astype(float)
    if "learned" in parts:
        alpha = sigma(params["alpha_logit"])
    h = time_scale_forward(params, x, alpha=alpha, **given)
    o = h @ params["V"].mT + params["c"][:, None]
    np.testing.assert_allclose(net.outputs(net.params(), x), o, rtol=1e-12, atol=1e-14)


@pytest.mark.chapter("15")
def test_shares_are_learned_from_their_initial_values():
    alpha = [0.1, 0.2, 0.5, 0.9, 0.99]
    params = gated("leaky", alpha=alpha, learned=True).params()
    np.testing.assert_allclose(sigma(params["layers.0.alpha_logit"]), [alpha, alpha], rtol=1e-6)


@pytest.mark.chapter("15")
def test_weights_from_disconnected_units_have_no_gradient():
    net = gated("leaky", periods=[1, 1, 2, 4, 4], skip=1)
    y = np.random.default_rng(0).integers(N_Y, size=(T, B))
    _, grads = net.loss_and_grads(net.params(), (inputs(), y))
    for name in ("W", "Wd"):
        unheard = grads[f"layers.0.{name}"][:, [2, 3, 3, 4], [1, 0, 2, 2]]
        assert (unheard == 0).all()
        assert (grads[f"layers.0.{name}"][:, :2] != 0).all()


@pytest.mark.chapter("15")
def test_removed_connections_leave_no_parameter_and_the_others_begin_as_asked():
    whole = gated("leaky", skip=3).params()
    net = gated("leaky", skip=3, direct=False, start="orthogonal").params()
    assert whole.keys() - net.keys() == {"layers.0.W"}
    np.testing.assert_allclose(
        net["layers.0.Wd"] @ net["layers.0.Wd"].mT, np.broadcast_to(np.eye(N_H), (2, N_H, N_H)),
        atol=1e-6,
    )  # fmt: skip


def test_layers_are_fed_by_the_one_below():
    net, x = gated(n_layers=2), inputs()
    params = net.params()
    assert params["layers.1.U"].shape == (2, N_H, N_H)
    below = of_seed(params, 0) | {"V": np.eye(N_H), "c": np.zeros(N_H)}
    expected = by_hand(of_seed(params, 0, layer=1), by_hand(below, x[:, 0]))
    np.testing.assert_allclose(net.outputs(params, x)[:, 0, 0], expected, rtol=1e-12)


def test_a_shared_gate_has_one_unit_and_a_coupled_or_missing_gate_has_no_unit():
    shapes = {name: p.shape[1:] for name, p in gated(shared="layer").params().items()}
    assert shapes["layers.0.Uf"] == (1, N_X)
    assert shapes["layers.0.bo"] == (1,)
    for parts in ({"coupled": True}, {"input_gate": False}):
        assert "layers.0.Ug" not in gated(**parts).params()
    peepholes = [n for n in gated(peephole=True).params() if n.startswith("layers.0.p")]
    assert len(peepholes) == 3


@pytest.mark.parametrize(("unit", "parts"), KINDS, ids=str)
def test_shared_parameters_have_equal_initial_values(unit, parts):
    whole, net = gated(unit).params(), gated(unit, **parts).params()
    for name in whole.keys() & net.keys():
        same_size = whole[name].shape == net[name].shape
        if same_size and not ("start" in parts and name == "layers.0.W"):
            np.testing.assert_array_equal(whole[name], net[name])
    drawn = {name: p for name, p in net.items() if "bf" not in name and "alpha" not in name}
    assert all((p[0] != p[1]).any() for p in drawn.values())


def test_a_network_begins_as_it_always_has():
    """Stored results depend on it."""
    params = Gated(2, 3, 1, [7], "leaky", start="orthogonal").params()
    first = [params[name].flat[0] for name in ("layers.0.U", "layers.0.W", "layers.0.b", "V", "c")]
    np.testing.assert_allclose(
        first, [0.24446882, 0.00137814, 0.11283121, 0.35819343, 0.16315071], atol=1e-8
    )


def test_the_forget_bias_has_its_given_initial_value():
    assert (gated(forget_bias=3.0).params()["layers.0.bf"] == 3).all()
    assert (gated().params()["layers.0.bf"] == 1).all()


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "parts"), KINDS, ids=str)
def test_gradients_are_finite_differences(unit, parts):
    net = gated(unit, n_layers=2, n_y=1, **parts)
    params, rng = net.params(), np.random.default_rng(1)
    batch = inputs(), rng.normal(size=(T, B)), rng.random((T, B)) < 0.5
    _, grads = net.loss_and_grads(params, batch)
    for name in params:
        direction = rng.normal(size=params[name].shape)
        ahead, behind = (
            net.loss_and_grads(params | {name: params[name] + step * direction}, batch)[0]
            for step in (1e-6, -1e-6)
        )
        along = (grads[name] * direction).reshape(2, -1).sum(axis=1)
        np.testing.assert_allclose((ahead - behind) / 2e-6, along, rtol=1e-5, atol=1e-8)


def test_each_network_is_trained_by_its_own_data_as_if_alone():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(T, 2, B, N_X)), rng.integers(N_Y, size=(T, 2, B))
    both = gated()
    loss, grads = both.loss_and_grads(both.params(), (x, y))
    for s, seed in enumerate(SEEDS):
        alone = Gated(N_X, N_H, N_Y, [seed]).double()
        one, own = alone.loss_and_grads(alone.params(), (x[:, s], y[:, s]))
        assert one[0] == pytest.approx(loss[s], rel=1e-12)
        for name in own:
            np.testing.assert_allclose(own[name][0], grads[name][s], rtol=1e-9, atol=1e-14)


def test_the_loss_is_the_cross_entropy_of_the_steps_that_count():
    net, rng = gated(), np.random.default_rng(3)
    y, mask = rng.integers(N_Y, size=(T, B)), rng.random((T, B)) < 0.5
    loss, _ = net.loss_and_grads(net.params(), (inputs(), y, mask))
    o = torch.tensor(net.outputs(net.params(), inputs())[:, 1])
    expected = torch.nn.functional.cross_entropy(o[mask], torch.tensor(y)[mask])
    assert loss[1] == pytest.approx(expected.item(), rel=1e-12)


def test_the_accuracy_counts_only_unmasked_outputs():
    net, rng = gated(n_y=3), np.random.default_rng(3)
    params, x = net.params(), inputs()
    said = net.outputs(params, x).argmax(axis=-1)
    y, mask = rng.integers(3, size=(T, B)), rng.random((T, B)) < 0.5
    for s in range(len(SEEDS)):
        right = [said[t, s, b] == y[t, b] for t in range(T) for b in range(B) if mask[t, b]]
        assert net.accuracy(params, (x, y, mask))[s] == sum(right) / len(right)
    last = np.zeros((T, B))
    last[-1] = 1
    at_last = (said[-1] == y[-1]).mean(axis=-1)
    np.testing.assert_array_equal(net.accuracy(params, (x, y, last)), at_last)
    np.testing.assert_array_equal(net.accuracy(params, (x, said[:, 0]))[0], 1)
    own = x[:, None] * np.array([[[1.0]], [[2.0]]]), said  # for each network its own
    assert net.accuracy(params, own).shape == (2,)
    with pytest.raises(TypeError, match="batch holds numbers"):
        gated(n_y=1).accuracy(gated(n_y=1).params(), (x, y.astype(float)))


def test_integers_are_tokens():
    tokens = np.random.default_rng(1).integers(N_X, size=(T, B))
    net = gated()
    np.testing.assert_array_equal(
        net.outputs(net.params(), tokens), net.outputs(net.params(), np.eye(N_X)[tokens])
    )


def test_it_learns_to_count():
    task = CountSinceReset(reset=0.1)
    net = Gated(2, 6, 1, [0, 1])
    trained = fit(
        net.loss_and_grads,
        net.params(),
        task.batches(10, 16, seed=0),
        steps=60,
        optimizer=Adam(0.03),
    )
    assert (trained.loss[-10:].mean(axis=0) < 0.25 * task.baseline(10)).all()


@pytest.mark.parametrize(
    "stored",
    [lambda p: p[::-1].copy()[::-1], lambda p: p.tolist(), lambda p: p.astype("longdouble")],
)
def test_parameters_may_be_stored_in_any_way(stored):
    x = np.ones((2, 2, 2))
    params = {name: stored(array) for name, array in GATED.params().items()}
    np.testing.assert_array_equal(GATED.outputs(params, x), GATED.outputs(GATED.params(), x))


GATED = Gated(2, 3, 2, [0])

REFUSALS = {
    Gated: (
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "unit": NAME,
            "n_layers": COUNT,
            "forget_gate": [None, 3, "no"],
            "coupled": [3, "no"],
            "peephole": [3, "no"],
            "shared": NAME,
            "squash": ["no such", 3],
            "output_squash": ["no such", 3],
            "forget_bias": [None, "a", NAN, INF],
            "alpha": [0.5],
        },
    ),
    partial(Gated, 2, 3, 2, [0], "gru"): (
        {},
        {"reset": NAME, "squash": ["no such", 3, None], "forget_gate": [False]},
    ),
    partial(Gated, 2, 3, 2, [0], "leaky"): (
        {},
        {
            "alpha": [None, "a", NAN, -0.1, 1, [0.1, 0.2]],
            "learned": [None, 1, "a", True],  # the lowest share is 0
            "skip": [value for value in COUNT if value is not None],
            "direct": [None, 1, "a", False],  # there is no skip connection
            "periods": NO_PERIODS,
            "start": NAME,
        },
    ),
    GATED.loss_and_grads: (
        {"params": GATED.params(), "batch": BATCH},
        {
            "params": [None, {}, 3, {"V": 3}, GATED.params() | {"V": np.zeros(3)}],
            "batch": [None, (), 3, (BATCH[0],)],
        },
    ),
    GATED.accuracy: (
        {"params": GATED.params(), "batch": BATCH},
        {
            "params": [None, {}, 3, {"V": 3}, GATED.params() | {"V": np.zeros(3)}],
            "batch": [None, (), 3, (BATCH[0],)],
        },
    ),
    GATED.outputs: (
        {"params": GATED.params(), "x": np.zeros((2, 2, 2))},
        {"x": [None, "a", 3, np.zeros((2, 2, 3)), [[0, 2]], [[-1]], np.zeros((0, 2, 2))]},
    ),
}
