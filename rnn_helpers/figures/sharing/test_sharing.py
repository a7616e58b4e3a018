"""The figure sharing reads its sentence and counts years as the package does."""

import re

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.figures.sharing import figure as sharing
from rnn_helpers.figures.sharing.trained import UNITS
from rnn_helpers.reference import rnn_forward, softmax

pytestmark = pytest.mark.chapter("01")
META = manifest()["sharing"]
RIGHT = stored("sharing")["right"]
DEFAULT = complete("sharing", {})
KINDS = {"mlp": "MLP", "conv": "convolution", "rnn": "RNN"}
THREE = {"view": "three"}
LENGTHS = range(2, sharing.LONGEST + 1)


def params(trained: str, kind: str) -> dict[str, np.ndarray]:
    """Return the weights of one of the figure's networks."""
    return unpacked(stored("sharing")["networks"][trained][kind])


def sentence(place: int, words: int, year: int | None = None) -> np.ndarray:
    """Return the tokens of the figure's sentence with a year at a position, from 1.

    The word *in* comes before the year, or after a year at the first position.
    """
    others = list(range(1, words - 1))
    others.insert(max(place - 2, 0), sharing.WORDS.index("in"))
    year = sharing.YEARS.index(sharing.YEAR) if year is None else year
    others.insert(place - 1, len(sharing.WORDS) + year)
    return np.array(others, dtype=np.intp)


def written(place: int, words: int) -> list[str]:
    """Return the words of the figure's sentence as they are shown."""
    symbols = [*sharing.WORDS, *sharing.YEARS]
    proper = {"i": "I", "nepal": "Nepal"}
    spelled = [proper.get(symbols[token], symbols[token]) for token in sentence(place, words)]
    return [spelled[0][0].upper() + spelled[0][1:], *spelled[1:]]


def answer(kind: str, p: dict, tokens: np.ndarray) -> np.ndarray:
    """Return the probability that a network gives to each year."""
    if kind == "rnn":
        return rnn_forward(p, tokens).yhat[-1]
    if kind == "mlp":
        h = np.tanh(p["b"] + p["U"][np.arange(len(tokens)), :, tokens].sum(axis=0))
    else:
        x = np.pad(np.eye(p["U"].shape[2])[tokens], ((1, 1), (0, 0)))  # 0 beyond the ends
        windows = sum(x[k : k + len(tokens)] @ p["U"][k].T for k in range(3))
        h = np.tanh(p["b"] + windows).max(axis=0)
    return softmax(p["c"] + p["V"] @ h)


def counts(kind: str, p: dict, words: int) -> list[int]:
    """Count the years that a network names with the year at each position of the sentence."""
    return [
        sum(
            int(answer(kind, p, sentence(place, words, year)).argmax()) == year
            for year in range(len(sharing.YEARS))
        )
        for place in range(1, words + 1)
    ]


def run(math, **state):
    return math("compute", DEFAULT | state)


def columns(p, tokens):
    return p["U"][..., tokens]


@pytest.mark.parametrize("words", LENGTHS)
def test_the_sentence_is_the_packages(math, words):
    for place in range(1, words + 1):
        ours = run(math, place=place, words=words)
        assert ours["words"] == written(place, words)
        assert ours["tokens"] == sentence(place, words).tolist()
        assert len(set(ours["tokens"])) == words
        assert ours["words"].index(sharing.YEAR) == place - 1


def test_the_year_takes_its_preposition_along():
    assert written(2, 6) == ["In", "2009", "I", "went", "to", "Nepal"]
    assert written(6, 6) == ["I", "went", "to", "Nepal", "in", "2009"]
    assert written(1, 3) == ["2009", "in", "I"]


def test_a_position_beyond_the_sentence_becomes_the_last(math):
    assert run(math, place=12, words=4)["place"] == 4
    with pytest.raises(ValueError, match="the sentence has the positions 1 to 6"):
        show("sharing", place=7)


@pytest.mark.parametrize("training", sharing.TRAINING)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_and_every_count_is_the_packages(math, training, kind):
    p = params(training, kind)
    for words in (2, 6, 12):
        for place in {1, 2, words}:
            state = {"place": place, "words": words, "trained": training}
            net = run(math, **state, **THREE)["nets"][list(KINDS).index(kind)]
            expected = answer(kind, p, sentence(place, words))
            close(net["said"], expected)
            assert net["says"] == sharing.YEARS[int(expected.argmax())]
        assert net["named"] == counts(kind, p, words)


def test_one_network_is_shown_unless_three_are_asked_for(math):
    assert [net["kind"] for net in run(math)["nets"]] == ["mlp"]
    assert [net["kind"] for net in run(math, **THREE)["nets"]] == list(KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_networks_are_those_of_the_experiment(math, kind):
    torch = pytest.importorskip("torch")
    from rnn_helpers.claims.chapter_01.sharing import CONV, MLP, RNN
    from rnn_helpers.nets.readers import Reader

    made = {"mlp": MLP, "conv": CONV, "rnn": RNN}[kind]
    n_x, n_y = len(sharing.WORDS) + len(sharing.YEARS), len(sharing.YEARS)
    net = Reader(made, n_x, UNITS, n_y, [0], sharing.LONGEST).double()
    own = params("any", kind)
    named = {name: own[name.removeprefix("layers.0.")][None] for name in net.params()}
    assert len(named) == len(own)
    for place, words in ((1, 2), (4, 6), (12, 12)):
        tokens = sentence(place, words)
        o = torch.tensor(net.outputs(named, tokens[:, None])[-1, 0, 0])
        state = {"place": place, "words": words, "trained": "any"}
        ours = run(math, **state, **THREE)["nets"][list(KINDS).index(kind)]
        close(ours["said"], torch.softmax(o, 0))


def parameters(kind: str, words: int) -> int:
    """Return the number of weights that a network needs for a sentence of so many words."""
    sizes = {name: array.size for name, array in params("any", kind).items()}
    if kind == "mlp":  # has weights for each position
        sizes["U"] = sizes["U"] * words // sharing.LONGEST
    return sum(sizes.values())


def test_the_numbers_of_weights_are_those_of_the_page():
    assert [parameters(kind, 6) for kind in KINDS] == [3428, 1892, 1124]
    assert parameters("mlp", 1000) == 512_356


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_follows_from_the_one_before(math, kind):
    """Compute each state from the figure's previous state by the equations of the page."""
    tokens = sentence(6, 6)
    p = params("any", kind)
    lists = {name: array.tolist() for name, array in p.items()}
    states = np.array(math("states", kind, lists, tokens.tolist()))
    read = columns(p, tokens)
    if kind == "mlp":
        expected = np.tanh(p["b"] + sum(read[t, :, t] for t in range(6)))[None]
    elif kind == "rnn":
        before = np.vstack([np.zeros(UNITS), states[:-1]])
        expected = np.tanh(p["b"] + before @ p["W"].T + read.T)
    else:
        last, middle, first = (part.T for part in read)
        none = np.zeros((1, UNITS))
        expected = np.tanh(
            p["b"] + np.vstack([none, last[:-1]]) + middle + np.vstack([first[1:], none])
        )
    close(states, expected)


def test_training_moves_the_mlps_weights_of_years_only_where_years_were():
    for training, (places, *_) in sharing.TRAINING.items():
        U = np.abs(params(training, "mlp")["U"][:, :, len(sharing.WORDS) :])
        never = np.delete(U, list(places), axis=0)
        assert never.max() <= 0.26  # initialized between -1/4 and 1/4, and rounded
        assert U[list(places)].max(axis=(1, 2)).min() > 0.5


def test_the_networks_that_are_shown_are_no_exceptions():
    """The page's statements hold for the mean of ten networks of each kind."""
    right = {t: {k: np.array(v) for k, v in by.items()} for t, by in RIGHT.items()}
    second = right["second"]
    elsewhere = [0, 2, 3, 4, 5]
    for kind in ("mlp", "rnn"):
        assert second[kind][1] > 0.99
        assert second[kind][elsewhere].max() < 0.1
    assert second["conv"].min() > 0.9
    assert min(right["any"][kind].min() for kind in ("conv", "rnn")) > 0.99
    assert right["any"]["mlp"][:10].min() > 0.99
    assert right["any"]["mlp"][10:].max() < 0.1


def test_the_figure_agrees_with_the_page(math):
    mlp, conv, rnn = (net["named"] for net in run(math, **THREE)["nets"])
    assert mlp[1] == rnn[1] == 20
    assert max(np.delete(mlp, 1)) <= 2
    assert max(np.delete(rnn, 1)) <= 2
    assert conv[:5] == [20] * 5
    assert [mlp[5], conv[5], rnn[5]] == [1, 18, 1]  # as in the deck
    assert [net["says"] for net in run(math, place=6, **THREE)["nets"]] == ["2004", "2009", "2004"]
    mlp, conv, rnn = (net["named"] for net in run(math, words=12, trained="any", **THREE)["nets"])
    assert mlp[:10] == [20] * 10
    assert max(mlp[10:]) <= 2
    assert conv == rnn == [20] * 12


def test_a_network_without_trained_weights_is_not_right_by_luck(math):
    for place in (1, 3, 4, 5, 6):
        for net in run(math, place=place, **THREE)["nets"]:
            assert (net["says"] == sharing.YEAR) == (net["kind"] == "conv")
    for place in (11, 12):
        (mlp,) = run(math, place=place, words=12, trained="any")["nets"]
        assert mlp["says"] != sharing.YEAR


def test_the_alternative_text_gives_the_numbers_of_the_untouched_figure(math):
    found = run(math)
    assert " ".join(found["words"]) in META["alt"]
    assert re.search(r"position (\d+)", META["alt"])[1] == str(found["place"])
    (mlp,) = found["nets"]
    assert f"names {mlp['named'][1]} of {len(sharing.YEARS)} years" in META["alt"]
    assert META["prediction"]["answer"].startswith("about one")
    assert run(math, place=6)["nets"][0]["named"][5] == 1


@pytest.mark.parametrize("state", [{}, {"place": 6, **THREE}, {"trained": "any", "words": 10}])
def test_its_words_give_the_counts_and_the_years(math, state):
    told, found = status("sharing", **state), run(math, **state)
    at = found["place"]
    for net in found["nets"]:
        count = f"{net['named'][at - 1]} of {len(sharing.YEARS)} years"
        kind = re.escape(KINDS[net["kind"]])
        words = rf"\bat position {at}, the {kind} names {count}[^,]*, it outputs {net['says']}\b"
        assert re.search(words, told, re.I)
