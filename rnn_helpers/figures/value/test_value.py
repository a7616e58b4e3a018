"""The figure value parses expressions and runs its networks on their trees as Python does."""

from functools import partial
from typing import NamedTuple

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.figures.value.trained import (
    LARGEST,
    NAMES,
    UNITS,
    expressions,
    laid,
    make,
    right,
    run,
)
from rnn_helpers.reference import softmax, trees
from rnn_helpers.reference.recursive import node
from rnn_helpers.tasks import (
    expression_symbols,
    expression_value,
    lay_out,
    nesting,
    parse_expression,
    random_expression,
)
from rnn_helpers.tasks.expressions import MODULUS, SYMBOLS

pytestmark = pytest.mark.chapter("12")


class Evaluated(NamedTuple):
    """The outputs at the nodes of an expression, in the order of `reference.trees.nodes`.

    Attributes
    ----------
    words : list of str
        The inputs of its leaves.
    tree : nested tuple
    yhat : ndarray, shape (N, 5)
        Probabilities of all values at every node.
    truths : list of int or None
    The value of each node whose leaves form an expression.
    """

    words: list
    tree: tuple
    yhat: np.ndarray
    truths: list


def evaluated(kind, expression):
    """Return the outputs of a network for an expression."""
    tree, words = lay_out(expression, laid(kind))
    made, found = run(NETWORKS[kind], kind, [expression]), trees.nodes(tree)
    where = {
        span: i for i, span in enumerate(zip(made.forest.start, made.forest.stop, strict=True))
    }
    yhat = np.exp(made.log_yhat[[where[node.start, node.stop] for node in found]])
    worth = {}
    _note(expression, 0, laid(kind) == "parse", worth, True)
    return Evaluated(words, tree, yhat, [worth.get((node.start, node.stop)) for node in found])


def _note(expression, start, bare, worth, top=False):
    """Note the value of each part by the range of its symbols, and return where it ends.

    ``bare``: brackets are no symbols.
    """
    if isinstance(expression, str):
        stop = start + 1
    elif expression[0] == "-":
        stop = _note(expression[1], start + 1, bare, worth)
    else:
        bracket = 0 if bare or top else 1
        middle = _note(expression[0][0], start + bracket, bare, worth)
        stop = _note(expression[1], middle + 1, bare, worth) + bracket
    worth[start, stop] = expression_value(expression)
    return stop


close = partial(compare.close, atol=1e-9)
META = manifest()["value"]
DEFAULT = complete("value", {})
NETWORKS = {kind: unpacked(stored("value")["networks"][kind]) for kind in UNITS}
MEASURED = stored("value")["measured"]
every_kind = pytest.mark.parametrize("kind", UNITS)
some = st.builds(random_expression, st.integers(0, 4), st.integers(0, 999))


def test_the_figure_has_the_symbols_of_the_task():
    assert (stored("value")["symbols"], stored("value")["modulus"]) == (SYMBOLS, MODULUS)


@every_kind
def test_the_weights_are_integers_of_eight_bits(kind):
    kept = stored("value")["networks"][kind]
    assert set(kept["shapes"]) == set(NAMES) - ({"T"} if kind != "tensor" else set())
    for array, scale in zip(NETWORKS[kind].values(), kept["scales"], strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@given(some)
def test_an_expression_has_the_same_value_as_in_python(math, expression):
    written = "".join(expression_symbols(expression))
    read = math("read", written)
    assert "".join(read["tokens"]) == written
    assert read["truth"] == expression_value(expression)
    assert read["depth"] == nesting(expression)
    assert parse_expression(written) == expression


@given(st.text("034+-()", max_size=9))
def test_a_text_that_is_no_expression_is_refused_as_in_python(math, text):
    read = math("read", text)
    if "problem" in read:
        with pytest.raises(ValueError, match="expression"):
            parse_expression(text)
    else:
        assert read["tokens"] == expression_symbols(parse_expression(text))


@every_kind
@given(seed=st.integers(0, 99))
def test_every_step_matches_the_reference(math, kind, seed):
    params = NETWORKS[kind]
    left, right = np.tanh(np.random.default_rng(seed).normal(size=(2, UNITS[kind])))
    net = {name: array.tolist() for name, array in params.items()}
    h = node(params, left, right)
    close(math("step", net, left, right), h)
    close(math("say", net, h), softmax(params["c"] + params["R"] @ h))


@every_kind
@settings(max_examples=10, deadline=None)
@given(expression=some)
def test_the_output_of_every_node_matches_python(math, kind, expression):
    made = evaluated(kind, expression)
    written = "".join(expression_symbols(expression))
    ours = math.eval("M.evaluate(kind, M.read(written))", kind=kind, written=written)
    close([one["yhat"] for one in ours], made.yhat)
    assert [one["truth"] for one in ours] == made.truths
    assert made.truths[-1] == expression_value(expression)


def test_numbers_of_parameters_differ_by_at_most_six_percent_and_accuracies_are_as_stated():
    sizes = [sum(array.size for array in NETWORKS[kind].values()) for kind in UNITS]
    assert max(sizes) / min(sizes) < 1.06
    for kind, said in MEASURED.items():
        for deep in (1, 3, 6):
            new = expressions(150, deep, seed=100 + deep)
            assert abs(right(NETWORKS[kind], kind, new) - said[deep - 1]) < 0.12


def test_the_texts_state_the_numbers_of_the_figure():
    question, why = META["prediction"]["question"], META["prediction"]["why"]
    parse = MEASURED["parse"]
    assert "all but 4 in 1,000" in question
    assert parse[2] == 0.996
    said = [MEASURED[kind][2] for kind in ("balanced", "chain")]
    balanced, chain = (round(100 * share) for share in said)
    assert why.startswith(f"{balanced}, and the network along the chain gets {chain} right;")
    assert f"nested five deep, it gets {100 * parse[4]:.0f} of 100 right" in why
    assert f"nested eight deep {100 * parse[7]:.0f}." in why
    assert MEASURED["tensor"] == [1.0] * 8
    assert "".join(expression_symbols(parse_expression(DEFAULT["text"]))) == DEFAULT["text"]


def test_the_deeper_example_goes_wrong_at_one_node_and_stays_wrong():
    made = evaluated("parse", parse_expression("4-((((3+(1+4))+1)-0)-(4+0))"))
    found = zip(trees.nodes(made.tree), made.yhat, made.truths, strict=True)
    wrong = {
        node.height: yhat.argmax() != truth
        for node, yhat, truth in found
        if truth is not None and node.height
    }
    assert [height for height, so in wrong.items() if so] == [7, 9, 10]


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    for kind, kept in made["networks"].items():
        assert kept["shapes"] == stored("value")["networks"][kind]["shapes"]


def test_the_status_states_the_answer_of_each_network():
    expression = parse_expression(DEFAULT["text"])
    said = compare.status("value", level=META["controls"]["level"]["max"])
    assert f"is {expression_value(expression)}. The networks' answers are" in said
    labels = {each["value"]: each["label"] for each in META["controls"]["tree"]["options"]}
    for kind in UNITS:
        assert f"{evaluated(kind, expression).yhat[-1].argmax()} ({labels[kind]})" in said
