"""The figure agree builds sentences and runs its networks on their trees as Python does."""

from functools import partial
from itertools import product

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.agree.trained import (
    AGREE,
    KINDS,
    MOST,
    NAMES,
    VERBS,
    WORDS,
    Shape,
    lay,
    make,
    network,
    right,
    shown,
    tree_of,
)
from rnn_helpers.reference import recursive_forward, trees
from rnn_helpers.reference.recursive import node

pytestmark = pytest.mark.chapter("12")
close = partial(compare.close, atol=1e-9)
STORED, META = stored("agree"), manifest()["agree"]
DEFAULT = complete("agree", {})
NETWORKS = {kind: network(STORED, kind) for kind in KINDS}
states = st.fixed_dictionaries(
    {
        "phrases": st.integers(0, MOST),
        "front": st.booleans(),
        "plural": st.integers(0, 2 ** (MOST + 1) - 1),
    }
)
every_kind = pytest.mark.parametrize("kind", KINDS)


def as_lists(branch):
    return [as_lists(child) for child in branch] if isinstance(branch, tuple) else branch


def run(kind, state):
    """Return the probabilities of the verbs at each of `reference.trees.nodes`."""
    shape, words = shown(**state)
    tree = tree_of(kind, lay(shape))
    made = recursive_forward(NETWORKS[kind], [WORDS.index(word) for word in words], tree)
    at = {span: i for i, span in enumerate(zip(made.forest.start, made.forest.stop, strict=True))}
    return np.exp(made.log_yhat[[at[one.start, one.stop] for one in trees.nodes(tree)]])


def wrong(kind, phrases, front):
    """Return the settings of the nouns for which a network chooses the wrong verb."""
    numbers = range(2 ** (phrases + 1))
    states = ({"phrases": phrases, "front": front, "plural": plural} for plural in numbers)
    return [s["plural"] for s in states if run(kind, s)[-1].argmax() != s["plural"] & 1]


@given(states)
def test_the_sentence_and_its_parse_tree_match_python(math, state):
    shape, words = shown(**state)
    made = math("sentence", state)
    assert [word["text"] for word in made["words"]] == words
    assert made["tree"] == as_lists(lay(shape).parse)
    assert made["verb"] == state["plural"] & 1


@every_kind
@given(state=states)
def test_the_output_of_every_node_matches_python(math, kind, state):
    ours = math.eval("M.choose(kind, M.sentence(state))", kind=kind, state=state)
    close([one["yhat"] for one in ours], run(kind, state))
    assert ours[-1]["truth"] == state["plural"] & 1


@every_kind
def test_every_step_matches_the_reference(math, kind):
    left, right = np.tanh(np.random.default_rng(0).normal(size=(2, AGREE.UNITS)))
    params = {name: array.tolist() for name, array in NETWORKS[kind].items()}
    close(math("step", params, left, right), node(NETWORKS[kind], left, right))


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("the keys", 1),
        ("the old cabinets to the hall", 2),
        ("in the hall the keys to the doors", 4),
        ("the", None),
        ("the keys to", None),
        ("to the hall", None),
        ("keys to the hall", None),
        ("in the hall the keys to the", None),
        ("old cabinet", None),
    ],
)
def test_a_verb_agrees_with_the_noun_outside_of_the_phrases(math, words, place):
    roles = {"the": "the", "old": "old"} | dict.fromkeys(AGREE.PREPOSITIONS, "preposition")
    row = [{"text": word, "role": roles.get(word, "noun")} for word in words.split()]
    assert math("subject", row) == place


def test_networks_have_equally_many_weights_of_eight_bits():
    sizes = {sum(array.size for array in params.values()) for params in NETWORKS.values()}
    assert len(sizes) == 1
    assert all(set(params) == set(NAMES) for params in NETWORKS.values())


def test_the_shown_network_is_the_median_of_its_kind():
    """It is chosen by its share on longer sentences than in training; it is rounded a little."""
    for kind in KINDS:
        longer = np.mean(STORED["right"][kind][AGREE.LEARNED + 1 :], axis=0)
        shares = [right(NETWORKS[kind], kind, n) for n in range(AGREE.LEARNED + 1, MOST + 1)]
        assert abs(np.mean(shares) - np.median(longer)) < 0.05


def test_only_the_balanced_tree_goes_wrong_and_only_beyond_training():
    for phrases, front in product(range(MOST + 1), (False, True)):
        for kind in KINDS:
            mistakes = wrong(kind, phrases, front)
            assert not mistakes or (kind == "balanced" and phrases > AGREE.LEARNED)
    assert any(wrong("balanced", MOST, front) for front in (False, True))


def test_no_balanced_tree_in_training_has_a_node_over_the_right_half_of_the_longest_sentence():
    """The text explains the mistake by this piece, which has three phrases and no subject."""

    def pieces(shape):
        roles = [role for role, _ in lay(shape).roles]
        found = trees.nodes(trees.balanced(len(roles)))
        return {tuple(roles[node.start : node.stop]): node for node in found}

    longest, words = shown(MOST, True, 1)
    half = len(words) // 2
    assert " ".join(words[half:]) == "in the hall near the door of the house"
    roles = tuple(role for role, _ in lay(longest).roles)
    assert roles[half:] in pieces(longest)
    learned = [
        Shape(n, front, old)
        for n in range(AGREE.LEARNED + 1)
        for front in (False, True)
        for old in product((False, True), repeat=n + 1)
    ]
    assert not any(roles[half:] in pieces(shape) for shape in learned)
    assert 1 in wrong("balanced", MOST, True)


def test_the_texts_state_the_numbers_of_the_figure():
    why = META["prediction"]["why"]
    shares = [np.median(STORED["right"][kind][MOST]) for kind in KINDS]
    chain, balanced, parse = (f"{500 * share:.0f}" for share in shares)
    assert chain == parse == "500"
    assert f"gets {balanced} of 500" in why


def test_the_state_that_answers_the_question_shows_a_mistake_of_the_balanced_tree_alone():
    said = compare.status("agree", tree="balanced", phrases=5, front=True, plural=1)
    assert "so the verb is are. The networks choose are (chain), is (balanced tree), are" in said
    assert "The networks choose are (chain), are (balanced tree), are" in compare.status("agree")


def test_the_default_sentence_is_that_of_the_opening():
    state = {name: DEFAULT[name] for name in ("phrases", "front", "plural")}
    assert " ".join(shown(**state)[1]) == "the keys to the old cabinet in the hall"
    assert VERBS[run("chain", state)[-1].argmax()] == "are"


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(seeds=range(3), steps=2, tested=5)
    for kind, kept in made["networks"].items():
        assert kept["shapes"] == STORED["networks"][kind]["shapes"]
