"""Check that every public function refuses bad input and names the argument.

``REFUSALS`` in a module of tests contains, for each public function, a call that works, or None if
it must not be made, and values to refuse for its arguments; then any names that an error about an
argument uses instead.
"""

import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import (
    ABSURD,
    assert_converts_counts,
    assert_refused,
    finite,
    gathered,
    name_of,
    public,
    words_of,
)

from rnn_helpers import checks, circuits, experiments, explore, palette, plots, reference, tasks
from rnn_helpers import training as tr
from rnn_helpers.reference import trees

ENTRIES = gathered(__file__)
CALLED = [entry for entry in ENTRIES if entry.good]
OF_REFERENCE = [entry for entry in CALLED if name_of(entry).startswith("reference.")]
# The package creates these objects and returns them. Readers never call the constructors.
RESULTS = {
    checks: "Checklist Exercise Outcome Wrong",
    circuits: "Arrow Graph",
    experiments: "Attempts Choice Experiment Result",
    explore: "Figure Lab",
    palette: "Colour",
    plots: "",
    reference: "AddressRun AttentionRun BidirectionalRun DeepRun Filled Found FourRun GRURun"
    " HessianFreeStep LSTMRun MatrixRun Modes OutputRun PowerDerivatives ReadAllRun RecursiveRun"
    " Run Translation TwoSpans TwoSteps",
    tasks: "Corpus",
    tr: "History",
    trees: "Forest Level Node",
}


def for_each(entries):
    return pytest.mark.parametrize("entry", entries, ids=name_of)


@pytest.mark.parametrize("module", RESULTS)
def test_every_public_function_is_listed(module):
    own = [n for n, o in vars(module).items() if getattr(o, "__module__", "") == module.__name__]
    listed = {public(entry.function) for entry in ENTRIES}
    for name in getattr(module, "__all__", own):
        if callable(getattr(module, name)) and not name.startswith("_"):
            assert public(getattr(module, name)) in listed or name in RESULTS[module].split(), name


@pytest.mark.slow
@for_each([entry for entry in ENTRIES if entry.good is not None])
def test_the_good_call_returns_finite_numbers(entry, capsys):
    assert finite(entry.function(**entry.good))


@pytest.mark.filterwarnings("error")
@for_each([entry for entry in ENTRIES if entry.bad])
def test_an_error_names_the_bad_argument(entry):
    assert_refused(entry)


@for_each(CALLED)
def test_a_count_of_any_integer_type_is_converted(entry):
    assert_converts_counts(entry)


def hiding(value):
    """Return an array that hides its first entry."""
    return np.ma.array(value, mask=np.arange(value.size).reshape(value.shape) == 0)


@for_each(CALLED)
def test_an_array_that_hides_an_entry_is_refused(entry):
    for argument, value in entry.good.items():
        if type(value) is np.ndarray and value.size:
            assert words_of(entry, argument, hiding(value))


# A word may be any object, an iterator too.
@for_each([entry for entry in CALLED if entry.function != trees.places])
def test_a_sequence_that_can_be_read_only_once_is_enough_or_refused(entry):
    for argument, value in entry.good.items():
        if type(value) in (list, tuple) and value:
            try:
                result = entry.function(**entry.good | {argument: iter(value)})
            except (TypeError, ValueError):
                continue
            assert inspect.isgenerator(result) or str(result) == str(entry.function(**entry.good))


@pytest.mark.parametrize("name", reference.__all__)
def test_a_function_can_be_sent_to_another_process(name):
    whole = getattr(reference, name)
    if callable(whole):
        assert pickle.loads(pickle.dumps(whole)) is whole


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@for_each(OF_REFERENCE)
@given(st.data())
def test_absurd_arguments_are_accepted_or_refused(entry, data):
    """Allow no other error, no endless loop and no exit of the process."""
    argument = data.draw(st.sampled_from(sorted(entry.good.keys() | entry.bad.keys())), "argument")
    words_of(entry, argument, data.draw(st.sampled_from(ABSURD), "value"))


IN_WORDS = ("reference.", "tasks.", "training.", "optimizers.", "circuits.")
LARGE = ["a" * 10**4, ["a" * 1000] * 10, {"a" * 10**4: 1}, 10**5000]


@pytest.mark.slow
@for_each([entry for entry in CALLED if name_of(entry).startswith(IN_WORDS)])
def test_a_message_stays_short_for_huge_inputs(entry):
    for argument in entry.good.keys() & entry.bad.keys():
        for value in LARGE:
            assert len(words_of(entry, argument, value)) < 500


# These functions compute single equations. A wrapper checks their arguments.
@for_each([entry for entry in OF_REFERENCE if ".checked." in entry.function.__module__])
def test_an_integer_for_an_array_is_refused_if_a_float_is(entry):
    """Accept both where a scalar can be broadcast to an array."""
    for argument, value in entry.good.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            refused = [argument in words_of(entry, argument, number) for number in (3, 3.0)]
            assert refused != [False, True]


@for_each([entry for entry in OF_REFERENCE if public(entry.function).__name__.startswith("grad")])
def test_gradient_functions_keep_their_signature_and_docstring(entry):
    arguments = list(inspect.signature(entry.function).parameters)
    assert arguments[: len(entry.good)] == list(entry.good)
    assert entry.function.__doc__ == inspect.unwrap(entry.function).__doc__
