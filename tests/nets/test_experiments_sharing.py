"""Sharing: the networks that are compared, their sentences, and the stored result. (10.0)"""

import numpy as np
import pytest

from rnn_helpers.experiments import find, load
from rnn_helpers.experiments.claims.chapter_01 import sharing as sh
from rnn_helpers.experiments.words import Unforeseen

pytest.importorskip("torch")
import torch

from rnn_helpers.nets.readers import Reader

pytestmark = pytest.mark.chapter("01")

KINDS = sh.MLP, sh.EMBEDDED, sh.CONV, sh.RNN, sh.GRU
YEAR = 4  # the first of two years, after four other words


def reader(kind, n_places=7):
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


def test_the_mlp_sums_over_the_positions():
    net = reader(sh.MLP)
    p = net.params()
    words = [[4], [2], [1]]
    h = np.tanh(p["layers.0.b"] + sum(p["layers.0.U"][:, t, :, w] for t, (w,) in enumerate(words)))
    expected = np.einsum("syh,sh->sy", p["V"], h) + p["c"]
    np.testing.assert_allclose(logits(net, p, words)[:, 0], expected, atol=1e-6)


def test_the_convolution_is_torchs_with_max_pooling():
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


def test_the_convolution_gives_the_same_answer_at_any_position():
    """Away from the ends, the same three words give the same output."""
    net = reader(sh.CONV)
    around = [[0, 0, 4, 1, 0, 0, 0, 0], [0, 0, 0, 0, 4, 1, 0, 0]]
    early, late = (logits(net, net.params(), np.array(words)[:, None]) for words in around)
    np.testing.assert_allclose(early, late, atol=1e-6)


@pytest.mark.parametrize("kind", [sh.MLP, sh.EMBEDDED])
def test_a_short_sentence_doesnt_use_the_weights_of_later_positions(kind):
    net = reader(kind)
    changed = net.params()
    changed["layers.0.U"][:, 3:] = 100
    words = [[4], [2], [1]]
    np.testing.assert_array_equal(logits(net, net.params(), words), logits(net, changed, words))


def test_right_answers_are_counted_by_the_position_of_the_year():
    """A network that always outputs the first year is right at that year's only position."""
    net = reader(sh.MLP, n_places=3)
    p = {name: 0 * array for name, array in net.params().items()}
    p["c"][:, 0] = 1
    allowed = np.array([[True, False, False], [False, True, False]])
    share = sh.measure(net, p, allowed, {"test": 100, "fillers": YEAR})
    np.testing.assert_array_equal(share, [[1, 0, np.nan]] * 2)


def row(setting, network, each, seen=1.0, tried=()):
    by_place = [[0.5, 0.4, 0.6]] * 15
    return {
        "setting": setting,
        "network": network,
        "new": np.mean(each),
        "each": each,
        "seen": seen,
        "by_place": by_place,
        "tried": tried,
    }


def sum_up(rnn, tried=()):
    rows = [row(sh.HALF, sh.MLP, [0.05, 0.06]), row(sh.HALF, sh.RNN, rnn, tried=tried)]
    return find("sharing").sum_up(rows)


def test_the_verdict_is_conditional_if_sharing_wins_but_sometimes_fails():
    said = sum_up([0.5, 0.51])
    assert said.verdict.startswith("Holds if it means that sharing makes generalization possible")
    assert "training left out: RNN 0.51 (half of the years early)." in said.text
    assert said.value == pytest.approx(0.45)
    for rnn in ([1.0, 0.99], [0.1, 0.0]):  # never fails; no better than the MLP
        with pytest.raises(Unforeseen):
            sum_up(rnn)


def test_numbers_are_given_by_setting_and_network():
    rows = [row(sh.HALF, sh.MLP, [0.05, 0.07]), row(sh.HALF, sh.RNN, [0.2, 0.6])]
    rows[1]["by_place"] = [None, [0.3, 0.2, 0.4]]
    numbers = sh.numbers(rows)
    assert numbers["right"]["half"] == {"mlp": pytest.approx(0.06), "rnn": pytest.approx(0.4)}
    assert numbers["at"]["half"]["rnn"] == {2: 0.3}
    assert numbers["range"]["half"]["rnn"] == (0.2, 0.6)


@pytest.mark.parametrize(
    ("tried", "reported"),
    [([0.5, 0.7, 0.9], True), ([0.9, 0.7], True), ([0.5, 0.9, 0.7], False), ([1.0, 1.0], False),
     ([0.9], False)],
)  # fmt: skip
def test_a_best_rate_at_the_edge_of_those_tried_is_reported(tried, reported):
    said = sum_up([0.5, 0.51], tried).text
    assert ("beyond those that we tried might be better for RNN" in said) == reported


def test_the_plot_has_a_line_for_each_network_but_the_embedded_mlp():
    rows = [
        {"setting": setting, "network": network, "by_place": [None, *([share, 0.1, 0.9],) * 3]}
        for setting in (sh.HALF, sh.LENGTH)
        for network, share in ((sh.MLP, 0.2), (sh.EMBEDDED, 0.3), (sh.RNN, 0.7))
    ]
    picture = sh.plot(rows)
    assert len(picture.figure.axes) == 2
    for axes in picture.figure.axes:
        assert [line.get_label() for line in axes.lines] == ["MLP", "RNN"]
        np.testing.assert_allclose(axes.lines[1].get_xydata(), [[2, 0.7], [3, 0.7], [4, 0.7]])
        corners = axes.collections[0].get_paths()[0].vertices
        assert (corners[:, 1].min(), corners[:, 1].max()) == (0.1, 0.9)
    assert (
        "Shorter sentences in training, positions 2 to 4: MLP 0.2 to 0.2, RNN 0.7 to 0.7"
        in picture.alt
    )


def test_the_stored_result_supports_the_chapter():
    """Sharing makes generalization possible, not certain: P1."""
    result = load("sharing")
    new = {(row["setting"], row["network"]): row for row in result.rows}
    assert len(result.seeds) == 10
    assert min(row["seen"] for row in result.rows) > 0.99
    for setting in (sh.HALF, sh.ALL):
        assert new[setting, sh.MLP]["high"] < 0.1
        assert new[setting, sh.CONV]["low"] > 0.99
        assert new[setting, sh.MLP]["high"] < new[setting, sh.RNN]["low"]
        assert new[setting, sh.RNN]["high"] < new[setting, sh.GRU]["low"]
    longer = [share for share, *_ in new[sh.LENGTH, sh.MLP]["by_place"]]
    assert min(longer[:10]) > 0.9 > 0.1 > max(longer[10:])
    assert new[sh.LENGTH, sh.RNN]["low"] > 0.99
    assert new[sh.LENGTH, sh.RNN]["parameters"] < new[sh.LENGTH, sh.MLP]["parameters"] / 6
    assert not result.stale
