"""The figure sharing reads sentences as the experiment's networks do, and counts as they have."""

import re

import numpy as np
import pytest
from compare import close

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import sharing
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.trained.sharing import UNITS

pytestmark = pytest.mark.chapter("01")
META = manifest()["sharing"]
NETWORKS, RIGHT = stored("sharing").values()
DEFAULT = complete("sharing", {})
KINDS = list(sharing.KINDS)
SENTENCES = [
    "I went to Nepal in 2009",
    "In 2009, I went to Nepal.",
    "2010",
    "Zebras; 2008!  two\told friends . by train, to Nepal in with I",
    "train by friends old two with in Nepal to went I 2010 and more that nobody reads",
]


def params(training, kind):
    return {name: np.array(p) for name, p in NETWORKS[training][kind].items()}


def run(math, sentence, trained="second"):
    return math("compute", {"sentence": sentence, "trained": trained})


@pytest.mark.parametrize("sentence", [*SENTENCES, "", " ., !", "a b c"])
def test_words_are_read_as_the_package_reads_them(math, sentence):
    ours = run(math, sentence)
    words = sharing.split(sentence)
    assert ours["words"] == words
    assert ours["tokens"] == sharing.read(words).tolist()


@pytest.mark.parametrize("training", sharing.TRAINING)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_the_packages(math, training, kind):
    for sentence in SENTENCES:
        net = run(math, sentence, training)["nets"][KINDS.index(kind)]
        tokens = sharing.read(sharing.split(sentence))
        expected = sharing.said(kind, params(training, kind), tokens)
        close(net["said"], expected)
        assert net["named"] == sharing.found(kind, params(training, kind), tokens)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_networks_are_those_of_the_experiment(math, kind):
    torch = pytest.importorskip("torch")
    from rnn_helpers.experiments.claims.chapter_01.sharing import CONV, MLP, RNN
    from rnn_helpers.nets.readers import Reader

    made = {"mlp": MLP, "conv": CONV, "rnn": RNN}[kind]
    n_x, n_y = len(sharing.WORDS) + len(sharing.YEARS), len(sharing.YEARS)
    net = Reader(made, n_x, UNITS, n_y, [0], sharing.LONGEST).double()
    own = params("short", kind)
    named = {name: own[name.removeprefix("layers.0.")][None] for name in net.params()}
    assert len(named) == len(own)
    for sentence in SENTENCES:
        tokens = sharing.read(sharing.split(sentence))
        o = torch.tensor(net.outputs(named, tokens[:, None])[-1, 0, 0])
        ours = run(math, sentence, "short")["nets"][KINDS.index(kind)]
        close(ours["said"], torch.softmax(o, 0))
    # for T words the figure counts the weights of as many places
    for T in (1, 6, 12):
        sizes = {name: array[0].size for name, array in named.items()}
        if kind == "mlp":
            sizes["layers.0.U"] = sizes["layers.0.U"] * T // sharing.LONGEST
        assert math("parameters", kind, T) == sum(sizes.values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_follows_from_the_one_before(math, kind):
    """Each state from the figure's own last one, by the equations of the page."""
    tokens = sharing.read(SENTENCES[0].split())
    p = params("any", kind)
    states = np.array(math("states", kind, NETWORKS["any"][kind],
                                             tokens.tolist()))  # fmt: skip
    columns = p["U"][..., tokens]
    if kind == "mlp":
        expected = np.tanh(p["b"] + sum(columns[t, :, t] for t in range(6)))[None]
    elif kind == "rnn":
        before = np.vstack([np.zeros(UNITS), states[:-1]])
        expected = np.tanh(p["b"] + before @ p["W"].T + columns.T)
    else:
        last, middle, first = (np.vstack([columns[k].T]) for k in (0, 1, 2))
        none = np.zeros((1, UNITS))
        expected = np.tanh(
            p["b"] + np.vstack([none, last[:-1]]) + middle + np.vstack([first[1:], none])
        )
    close(states, expected)


def test_weights_are_said_to_have_met_a_year_where_training_had_one(math):
    for training, (places, _, longest) in sharing.TRAINING.items():
        described = math.eval(f"M.TRAINING.{training}")
        assert described["places"] == [place + 1 for place in places]
        assert described["words"][1] == longest
        mlp, conv, rnn = run(math, SENTENCES[-1], training)["nets"]
        assert mlp["met"] == [t in places for t in range(12)]
        assert conv["met"] == rnn["met"] == [True] * 12


def test_weights_of_the_mlp_that_no_year_met_are_as_small_as_they_began():
    for training, (places, *_) in sharing.TRAINING.items():
        U = np.abs(params(training, "mlp")["U"][:, :, len(sharing.WORDS) :])
        never = np.delete(U, list(places), axis=0)
        assert never.max() <= 0.5  # they began within 1 / sqrt(4)
        assert U[list(places)].max(axis=(1, 2)).min() > 0.9


def test_a_word_is_moved_and_sentences_are_cut_without_losing_the_year(math):
    words = SENTENCES[0].split()
    moved = math("moved", words, 5, 0)
    assert moved == ["2009", "I", "went", "to", "Nepal", "in"]
    assert math("moved", moved, 0, 5) == words
    for n in range(1, 13):
        resized = math("resized", words, n)
        assert len(resized) == n
        assert "2009" in resized
        assert len(set(resized)) == n
        assert n < 6 or resized[:6] == words


def test_without_a_year_nothing_is_right_or_wrong(math):
    for sentence in ("", "I went to Nepal"):
        found = run(math, sentence)
        assert found["year"] == -1
        assert all(net["named"] == [None] * len(found["words"]) for net in found["nets"])
        with pytest.raises(ValueError, match="expected one of the years 2008, 2009, 2010"):
            show("sharing", sentence=sentence)
    assert run(math, "in 2009 or 2010")["several"]


def test_the_networks_that_are_shown_are_no_exceptions():
    """Of ten of each kind: what the prediction and the prose rely on holds for their mean."""
    right = {t: {k: np.array(v) for k, v in by.items()} for t, by in RIGHT.items()}
    second = right["second"]
    assert second["mlp"][1] == 1
    assert second["rnn"][1] > 0.9
    assert second["mlp"][5] < 0.5 > second["rnn"][5]  # by chance: one in three
    assert second["conv"].min() > 0.9
    assert min(right["short"]["rnn"].min(), right["short"]["conv"].min()) > 0.99
    assert right["short"]["mlp"][:4].min() > 0.99 > 0.5 > right["short"]["mlp"][4:].max()
    assert min(by.min() for by in right["any"].values()) > 0.99


def test_the_alternative_text_says_the_numbers_of_the_untouched_figure(math):
    mlp, conv, rnn = run(math, DEFAULT["sentence"])["nets"]
    assert [net["named"].index(3) + 1 for net in (mlp, rnn)] == [2, 2]
    assert conv["named"] == [3] * 6
    assert max(mlp["named"][5], rnn["named"][5]) < 3  # the sixth place, which is asked for
    said = re.findall(r"says (\d+) with probability (\d\.\d+)", META["alt"])
    assert said == [
        (sharing.YEARS[int(np.argmax(net["said"]))], f"{max(net['said']):.2f}")
        for net in (mlp, conv, rnn)
    ]
    assert [net["parameters"] for net in (mlp, conv, rnn)] == [379, 199, 95]
    assert "379, 199 and 95 numbers" in META["alt"]
    assert META["prediction"]["answer"] == "the convolution"


@pytest.mark.parametrize(
    "state", [{}, {"trained": "short", "sentence": SENTENCES[-1]}, {"sentence": "2010"}]
)
def test_the_poster_draws_the_figures_numbers(math, state):
    figure = show("sharing", **state)
    found = run(math, **complete("sharing", state))
    for net, name in zip(found["nets"], sharing.KINDS.values(), strict=True):
        year = sharing.YEARS[int(np.argmax(net["said"]))]
        assert f"says {year}, {max(net['said']):.2f}" in figure.alt
        # how it goes elsewhere than in training is for the reader to predict
        told = [state.get("trained", "second") != "second" or t == found["year"] for t in range(12)]
        all_three = [str(t + 1) for t, n in enumerate(net["named"]) if n == 3 and told[t]]
        assert f"{name} finds all 3 at {', '.join(all_three) or 'no place'} " in figure.alt
