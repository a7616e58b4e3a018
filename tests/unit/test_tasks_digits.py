"""Pictures of handwritten digits."""

import subprocess
import sys

import pytest

from rnn_helpers.tasks import handwritten_digits

pytestmark = pytest.mark.chapter("16")


def test_a_fifth_is_held_out_and_no_picture_is_in_both():
    (train, labels), (test, others) = handwritten_digits(), handwritten_digits(held_out=True)
    assert (len(train), len(test)) == (len(labels), len(others)) == (1437, 360)
    assert not {picture.tobytes() for picture in train} & {picture.tobytes() for picture in test}
    assert (train.min(), train.max()) == (0, 1)
    assert set(labels) == set(others) == set(range(10))


@pytest.mark.slow
def test_pictures_and_dates_need_no_library():
    code = (
        "import sys; sys.modules |= dict.fromkeys(['sklearn', 'scipy', 'babel'])\n"
        "from rnn_helpers import experiments, explore, plots, tasks\n"
        "next(tasks.TwoDigits().batches(1, 0))\n"
        "print(len(tasks.handwritten_digits()[0]), tasks.Dates().readings('4. april 2005'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1437 {'2005-04-04': 1.0}\n"


REFUSALS = {handwritten_digits: ({"held_out": True}, {"held_out": [1, None, "a"]})}
