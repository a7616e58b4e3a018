"""The small networks that figures run in the page: rounded weights, and the text about them."""

import numpy as np
import pytest

from rnn_helpers.explore import characters as networks
from rnn_helpers.figures.characters import trained
from rnn_helpers.reference import rnn_loss
from rnn_helpers.tasks import FEATURES, characters, text_features, unit_correlations

pytestmark = pytest.mark.chapter("05")
LENGTH = trained.MEASURED


@pytest.fixture(scope="module", params=networks.UNITS)
def reading(request):
    """A network's kind, a text it did not learn from, and its run over all but the last of it."""
    corpus = characters("code")
    text = corpus.decode(corpus.held_out[:LENGTH])
    return request.param, text, networks.run(request.param, text[:-1])


@pytest.mark.slow
def test_they_are_as_good_as_stated(reading):
    kind, text, made = reading
    tokens = networks.encode(text)
    bits = rnn_loss(made, tokens[1:]) / (LENGTH - 1) / np.log(2)
    said = networks.measured(kind)
    assert bits == pytest.approx(said["bits"], abs=0.001)
    h = networks.shown(made)
    for name, feature in text_features(text[:-1]).items():
        found = np.abs(unit_correlations(h, feature))
        assert found.max() == pytest.approx(np.abs(said[name]).max(), abs=0.005)


def test_they_agree_with_the_page():
    """One cell of the LSTM follows brackets, one quotes; no unit of the tanh network does."""
    best = {
        kind: {name: np.abs(networks.measured(kind)[name]).max() for name in FEATURES}
        for kind in networks.UNITS
    }
    assert best["lstm"]["brackets"] > 0.8 > 0.7 < best["lstm"]["quotes"]
    assert best["rnn"]["brackets"] < 0.4 > best["rnn"]["quotes"]
    assert networks.measured("lstm")["bits"] < networks.measured("rnn")["bits"]


@pytest.mark.slow
def test_the_first_unit_is_the_steadiest(reading):
    h = networks.shown(reading[2])
    change = np.abs(np.diff(h, axis=0)).mean(axis=0)
    assert (np.diff(change) > -0.01).all()


def test_a_strange_character_is_read_as_the_bullet():
    known = networks.alphabet()
    assert networks.encode("a\u2026").tolist() == [known.index("a"), known.index("\u2022")]
    with pytest.raises(TypeError, match="text"):
        networks.encode(3)
    with pytest.raises(ValueError, match="kind is 'gru'"):
        networks.params("gru")


@pytest.mark.slow
def test_they_come_from_a_recipe_that_runs(monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr(trained, "MEASURED", 300)
    made = trained.make(steps=2)
    assert list(made["networks"]) == list(networks.UNITS)
    monkeypatch.setattr(networks, "stored", lambda name: made)
    for kind, n_h in networks.UNITS.items():
        assert networks.shown(networks.run(kind, "for i in")).shape == (8, n_h)
        sizes = {name: np.abs(p).max() for name, p in networks.params(kind).items()}
        assert all(0 < size < 10 for size in sizes.values())
