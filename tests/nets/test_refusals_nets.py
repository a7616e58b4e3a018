"""Every public function of nets refuses bad input and names the argument."""

import pytest
from refusals import assert_converts_counts, assert_refused, finite, gathered, name_of, public

from rnn_helpers import nets

pytest.importorskip("torch")
ENTRIES = gathered(__file__)
for_each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=name_of)


def test_every_public_function_is_listed():
    named = (getattr(nets, name) for name in nets.__all__)
    assert {each for each in named if callable(each)} <= {public(e.function) for e in ENTRIES}


@for_each_entry
def test_the_good_call_returns_finite_numbers(entry):
    assert finite(entry.function(**entry.good))


@pytest.mark.filterwarnings("error")
@for_each_entry
def test_an_error_names_the_bad_argument(entry):
    assert_refused(entry)


@for_each_entry
def test_a_count_of_any_integer_type_is_converted(entry):
    assert_converts_counts(entry)
