"""Sharing: the networks that are compared, their sentences, and the stored result. (10.0)"""

import numpy as np
import pytest
from estimates import bounds, by_line
from verdicts import about

from rnn_helpers.claims.chapter_01 import sharing as sh
from rnn_helpers.experiments import find, load

CASES = {
    "holds": {"worst_shared": about(0.99, 0.01), "best_separate": about(0.1)},
    "holds in part": {
        "worst_shared": about(0.5),
        "convolution": about(0.99, 0.01),
        "best_separate": about(0.1),
    },
    "does not hold": {
        "worst_shared": about(0.2),
        "convolution": about(0.3),
        "best_separate": about(0.1),
    },
    "undecided": {
        "worst_shared": about(0.5),
        "convolution": about(0.8),
        "best_separate": about(0.1),
    },
}
KINDS = sh.MLP, sh.EMBEDDED, sh.CONV, sh.RNN, sh.GRU
YEAR = 4  # the first of two years, after four other words


def reader(kind, n_places=7):
    pytest.importorskip("torch")
    from rnn_helpers.nets.readers import Reader

    return Reader(kind, YEAR + 2, 3, 2, [0, 1], n_places)


def logits(net, params, words):
    """Outputs (S, B, n_y) after the last word of sentences (T, B)."""
    return net.outputs(params, np.array(words))[-1]


@pytest.mark.parametrize("setting", [sh.HALF, sh.ALL, sh.LENGTH])
def test_the_test_has_only_cases_that_training_left_out(setting):
    seen, new = sh.pairs(setting)
    if setting == sh.LENGTH:
        assert (seen.shape[1], new.shape[1]) == (10, 15)
        return
    assert not (seen & new).any()
    assert (seen | new).all()
    assert seen[:, :5].all()
    restricted = 10 if setting == sh.HALF else 20
    assert new.any(axis=1).sum() == restricted


def test_each_sentence_has_one_year_at_an_allowed_position():
    allowed = np.zeros((2, 5), bool)
    allowed[0, 1] = allowed[1, 3:] = True
    words, years, places = sh.draw(allowed, 500, YEAR, np.random.default_rng(0))
    assert ((words >= YEAR).sum(axis=0) == 1).all()
    at = np.arange(500)
    np.testing.assert_array_equal(words[places, at], YEAR + years)
    found = set(zip(years.tolist(), places.tolist(), strict=True))
    assert found == {(0, 1), (1, 3), (1, 4)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_only_an_mlp_has_weights_without_a_gradient_at_positions_without_years(kind):
    """Compute the gradient with each year second or last of four words."""
    net = reader(kind)
    words = np.array([[0, 1, 4, 2], [4, 0, 1, 3], [2, 2, 3, 0], [1, 5, 0, 5]])
    year = np.array([0, 1, 0, 1])
    _, grads = net.loss_and_grads(net.params(), sh._at_the_end(words[:, None].repeat(2, 1), year))
    U = np.abs(grads["layers.0.U"])
    if kind == sh.MLP:
        met = U[..., YEAR:].sum(axis=(0, 2))  # by position and year
        np.testing.assert_array_equal(met > 0, [[1, 0], [1, 0], [0, 0], [0, 1], *[[0, 0]] * 3])
    elif kind == sh.EMBEDDED:
        np.testing.assert_array_equal(U.sum(axis=(0, 2, 3)) > 0, [1, 1, 1, 1, 0, 0, 0])
    else:
        assert (U[..., YEAR:].reshape(-1, 2).sum(axis=0) > 0).all()


@pytest.mark.slow
def test_the_mlp_sums_over_the_positions():
    net = reader(sh.MLP)
    p = net.params()
    words = [[4], [2], [1]]
    h = np.tanh(p["layers.0.b"] + sum(p["layers.0.U"][:, t, :, w] for t, (w,) in enumerate(words)))
    expected = np.einsum("syh,sh->sy", p["V"], h) + p["c"]
    np.testing.assert_allclose(logits(net, p, words)[:, 0], expected, atol=1e-6)


@pytest.mark.slow
def test_the_convolution_is_torchs_with_max_pooling():
    torch = pytest.importorskip("torch")
    net = reader(sh.CONV)
    p = net.params()
    words = np.array([[4], [2], [1], [3], [0]])
    x = torch.eye(YEAR + 2)[torch.tensor(words[:, 0])].T[None]
    for s in range(2):
        kernel = torch.tensor(p["layers.0.U"][s]).permute(1, 2, 0)
        h = torch.conv1d(x, kernel, torch.tensor(p["layers.0.b"][s]), padding=1)
        pooled = torch.tanh(h)[0].amax(dim=1).numpy()
        expected = p["V"][s] @ pooled + p["c"][s]
        np.testing.assert_allclose(logits(net, p, words)[s, 0], expected, atol=1e-6)


@pytest.mark.slow
def test_the_convolution_gives_the_same_answer_at_any_position():
    """Away from the ends, the same three words give the same output."""
    net = reader(sh.CONV)
    around = [[0, 0, 4, 1, 0, 0, 0, 0], [0, 0, 0, 0, 4, 1, 0, 0]]
    early, late = (logits(net, net.params(), np.array(words)[:, None]) for words in around)
    np.testing.assert_allclose(early, late, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [sh.MLP, sh.EMBEDDED])
def test_a_short_sentence_doesnt_use_the_weights_of_later_positions(kind):
    net = reader(kind)
    changed = net.params()
    changed["layers.0.U"][:, 3:] = 100
    words = [[4], [2], [1]]
    np.testing.assert_array_equal(logits(net, net.params(), words), logits(net, changed, words))


@pytest.mark.slow
def test_right_answers_are_counted_by_the_position_of_the_year():
    """A network that always outputs the first year is right at that year's only position."""
    net = reader(sh.MLP, n_places=3)
    p = {name: 0 * array for name, array in net.params().items()}
    p["c"][:, 0] = 1
    allowed = np.array([[True, False, False], [False, True, False]])
    share = sh.measure(net, p, allowed, {"test": 100, "fillers": YEAR})
    np.testing.assert_array_equal(share, [[1, 0, np.nan]] * 2)


def rows_of(setting, network, each, at_edge=False):
    """Return a row for each network's share, which is the same at positions 6 to 10."""
    return [
        {
            "setting": setting,
            "network": network,
            "seed": seed,
            "seen": 1.0,
            "by_place": [None] * 5 + [share] * 5,
            "eta": 0.1,
            "at_edge": at_edge,
        }
        for seed, share in enumerate(each)
    ]


def sum_up(rnn, mlp=(0.05, 0.06), convolution=(1.0, 0.99), **columns):
    rows = rows_of(sh.HALF, sh.MLP, mlp) + rows_of(sh.HALF, sh.CONV, convolution)
    return find("sharing").sum_up(rows + rows_of(sh.HALF, sh.RNN, rnn, **columns))


def test_the_verdict_depends_on_the_worst_network_with_shared_weights():
    said = sum_up([0.5, 0.51], convolution=[1.0, 1.0])
    assert said.verdict.startswith("Holds in part, if the network treats all positions alike")
    assert "training left out: RNN 0.51 (half of the years early)." in said.text
    assert said.value == pytest.approx(0.45)
    assert sum_up([1.0, 1.0], convolution=[1.0, 1.0]).kind == "holds"
    assert sum_up([0.5, 0.51], convolution=[0.2, 0.21]).kind == "does not hold"
    assert sum_up([0.5, 0.51], mlp=[0.9, 0.91]).kind == "does not hold"


def test_numbers_are_given_by_setting_and_network():
    rows = rows_of(sh.HALF, sh.MLP, [0.05, 0.07]) + rows_of(sh.HALF, sh.RNN, [0.2, 0.6])
    numbers = sh.numbers(rows)
    assert numbers["right"]["half"] == {"mlp": pytest.approx(0.06), "rnn": pytest.approx(0.4)}
    assert numbers["at"]["half"]["rnn"] == dict.fromkeys(range(6, 11), pytest.approx(0.4))
    assert numbers["range"]["half"]["rnn"] == pytest.approx((0.2, 0.6))


def test_in_longer_sentences_an_mlp_is_judged_where_it_has_no_weights():
    rows = rows_of(sh.LENGTH, sh.MLP, [0, 0]) + rows_of(sh.LENGTH, sh.RNN, [1, 1])
    for row in rows:
        row["by_place"] = [1.0] * 10 + row["by_place"][5:]
    half = rows_of(sh.HALF, sh.MLP, [0, 0]) + rows_of(sh.HALF, sh.RNN, [1, 1])
    numbers = sh.numbers(rows + half)
    assert (numbers["beyond"], numbers["best_separate"].high) == (0, 0)


@pytest.mark.parametrize("at_edge", [True, False])
def test_a_best_rate_at_the_edge_of_those_tried_is_reported(at_edge):
    said = sum_up([0.5, 0.51], at_edge=at_edge).text
    assert ("tried for RNN, half of the years early (0.1), so another rate" in said) == at_edge


def test_there_is_a_line_for_each_network_but_the_embedded_mlp():
    rows = [
        {"setting": setting, "network": network, "by_place": [None, *(share + more,) * 3]}
        for setting in (sh.HALF, sh.LENGTH)
        for network, share in ((sh.MLP, 0.2), (sh.EMBEDDED, 0.3), (sh.RNN, 0.7))
        for more in (-0.02, 0.02)
    ]
    data = sh.data(rows)
    assert len(data.panels) == 2
    for panel in (0, 1):
        assert list(by_line(data, panel)) == ["MLP", "RNN"]
        assert by_line(data, panel)["RNN"] == [(2, 0.7), (3, 0.7), (4, 0.7)]
        low, high = bounds(data, "MLP", panel)[0]
        assert low < 0.2 < high


@pytest.mark.slow
def test_the_orthogonal_start_changes_the_recurrent_matrix_alone():
    pytest.importorskip("torch")
    config = {"fillers": YEAR, "n_h": 3, "batch_size": 2, "steps": 1, "test": 10}
    seen = np.ones((2, 4), bool)
    (_, plain), (_, other) = (
        sh.train(kind, seen, 4, 4, [(0.0, 0), (0.0, 1)], config) for kind in (sh.RNN, sh.ORTHOGONAL)
    )
    W = other.pop("layers.0.W")
    np.testing.assert_allclose(W @ W.swapaxes(1, 2), [np.eye(3)] * 2, atol=1e-6)
    del plain["layers.0.W"]
    for name, p in other.items():
        np.testing.assert_array_equal(p, plain[name])


def test_the_stored_result_supports_the_chapter():
    """Sharing makes generalization possible, not certain."""
    result = load("sharing")
    numbers = sh.numbers(result.rows)
    right, at = numbers["right"], numbers["at"]
    assert len(result.seeds) >= 10
    assert numbers["least_seen"] > 0.99
    for setting in ("half", "early"):
        assert right[setting]["mlp"] < 0.1
        assert right[setting]["conv"] > 0.99
    longer = at["longer"]["mlp"]
    assert min(longer[t] for t in range(1, 11)) > 0.9 > 0.1 > max(longer[t] for t in range(11, 16))
    parameters = {row["network"]: row["parameters"] for row in result.rows}
    assert parameters[sh.RNN] < parameters[sh.MLP] / 6
    assert not result.stale
