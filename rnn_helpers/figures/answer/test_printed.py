"""The figure answer recognizes printed results, in the styles of Python, NumPy and torch."""

import re

import numpy as np
import pytest

from rnn_helpers.checks import Exercise, exercises
from rnn_helpers.checks.instance import Stop, asked, instance, leaves

CODE = [
    name
    for name, entry in exercises().items()
    if isinstance(entry, Exercise) and entry.cases and not entry.off_page
]
FEW_DIGITS = "too few digits"


@pytest.fixture(scope="module")
def judge(lib):
    """``judge(texts, asked)`` judges several pasted texts."""
    printed = lib("printed")
    return lambda texts, asked: printed.eval(
        "texts.map((text) => M.judgePrinted(text, asked))", texts=texts, asked=asked
    )


def special(value):
    """Return a printed value with the numbers that JSON lacks."""
    if isinstance(value, dict):
        return {key: special(part) for key, part in value.items()}
    if isinstance(value, list):
        return [special(part) for part in value]
    return float(value) if value in ("nan", "inf", "-inf") else value


def each(value, write, mark="[]"):
    """Write a value, each leaf in its own way."""
    if isinstance(value, dict):
        parts = ", ".join(f"{key!r}: {each(part, write, mark)}" for key, part in value.items())
        return f"{{{parts}}}"
    if isinstance(value, list):
        comma = "," * (mark == "()" and len(value) == 1)
        return f"{mark[0]}{', '.join(each(part, write, mark) for part in value)}{comma}{mark[1]}"
    return "None" if value == "None" else write(value)


def number(form):
    """Return a function that writes floats in a form, and other leaves as Python does."""
    return lambda leaf: form(leaf) if isinstance(leaf, float) else repr(leaf)


def arrays(value, write):
    """Write the parts of a value that are arrays of floats."""
    if isinstance(value, dict):
        parts = ", ".join(f"{key!r}: {arrays(part, write)}" for key, part in value.items())
        return f"{{{parts}}}"
    if isinstance(value, list):
        try:
            array = np.array(value)
        except ValueError:  # ragged
            array = np.array("")
        mixed = any(isinstance(leaf, bool) for leaf in leaves(value))
        if array.dtype.kind == "f" and array.size and not mixed:
            return write(array)
        return f"[{', '.join(arrays(part, write) for part in value)}]"
    return each(value, repr)


def tensor(array):
    """Write an array as torch prints it, with four decimals."""
    text = each(array.tolist(), lambda x: f"{x:.4f}")
    return f"tensor({text}, dtype=torch.float64)"


def as_numpy(leaf):
    if isinstance(leaf, bool):
        return f"np.{leaf}_"
    return f"np.float64({leaf!r})" if isinstance(leaf, float) else f"np.int64({leaf!r})"


STYLES = {
    "lists": lambda value: each(value, repr),
    "tuples": lambda value: each(value, repr, "()"),
    "scalars of NumPy": lambda value: each(
        value, lambda leaf: repr(leaf) if isinstance(leaf, str) else as_numpy(leaf)
    ),
    "arrays": lambda value: arrays(value, repr),
    "arrays without commas": lambda value: arrays(value, str),
    "float32": lambda value: each(
        value, number(lambda x: str(np.float32(x)) if abs(x) < 1e38 else repr(x))
    ),
    "tensors": lambda value: arrays(value, tensor),
    "four digits": lambda value: each(value, number(lambda x: f"{x:.4g}")),
}


def texts(value):
    if isinstance(value, str):
        return [value]
    # A notebook's cell that another test ran may have changed how arrays are printed.
    with np.errstate(over="ignore"), np.printoptions(precision=8, suppress=False):
        return [write(special(value)) for write in STYLES.values()]


@pytest.mark.parametrize("name", CODE)
def test_each_answer_is_recognized_in_each_style(judge, name):
    data, found, entry = asked(name), instance(name), exercises()[name]
    for text, judged in zip(texts(found.right), judge(texts(found.right), data), strict=True):
        few = FEW_DIGITS in judged["told"] and text.startswith("tensor")
        assert few or judged == {"right": True, "told": entry.success}, text
    for slip, value in found.wrong.items():
        if isinstance(value, Stop):
            text = f"Traceback (most recent call last):\n  f(x)\n{value}: in words"
            assert judge([text], data)[0]["told"] == entry.wrong[slip].hint
            continue
        written = texts(value)
        for text, judged in zip(written, judge(written, data), strict=True):
            own = judged["told"] == entry.wrong[slip].hint
            assert not judged["right"], (slip, text)
            assert own or (FEW_DIGITS in judged["told"] and text in written[5:]), (slip, text)


def one(right, *wrong, calls=1):
    return {
        "right": right,
        "wrong": [{"value": value, "hint": f"like {value}"} for value in wrong],
        "calls": calls,
        "tolerance": 1e-8,
        "hint": "Think.",
        "success": "So.",
    }


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("0.25", 0.25),
        (" 25 %", 0.25),
        ("1/4", 0.25),
        ("Fraction(1, 4)", 0.25),
        ("0,25", 0.25),
        ("2.5e-1", 0.25),
        (">>> f(1)\n0.25", 0.25),
        ("Out[3]: 0.25", 0.25),
        ("−0.25", -0.25),
        ("[np.float64(nan)]", ["nan"]),
        ("[nan, -inf]", ["nan", "-inf"]),
        ("True", True),
        ("tensor(True, device='cuda:0')", True),
        ("a b", "a b"),
        ("'a b'", "a b"),
        ("None", "None"),
        ("{'b': [2], 'a': 1}", {"a": 1, "b": [2]}),
        ("defaultdict(<class 'list'>, {'a': 1})", None),
        ("{3, 1}", [1, 3]),
        ("set()", []),
        ("[[1. 2.]\n [3. 4.]]", [[1.0, 2.0], [3.0, 4.0]]),
        ("1 2 3", [1, 2, 3]),
        ("array([1, 2], dtype=int32)", [1, 2]),
        ("tensor([0.5000, 0.3333], grad_fn=<MulBackward0>)", [0.5, 1 / 3]),
        ("['a', \"b'c\"]", ["a", "b'c"]),
    ],
)
def test_results_are_read_as_programs_and_people_write_them(judge, text, right):
    judged = judge([text], one(right))[0]
    assert judged["right"] == (right is not None), judged


@pytest.mark.parametrize(
    ("text", "right", "told"),
    [
        ("", 1, "Paste the printed result first."),
        ("[1, 2", [1, 2], "A bracket is open"),
        ("1)", 1, "too many"),
        ("[1 ... 2]", [1, 2], "Print the whole array"),
        ("§", 1, "can’t be read from “§”"),
        ("ValueError: no", 1, "Python stops with ValueError"),
        ("[1, 2, 4]", [1, 2, 3], "first difference is in the result at [2]."),
        ("[[1, 2], [5, 4]]", [[1, 2], [3, 4]], "in the result at [1, 0]."),
        ("{'W': [[1, 5]]}", {"W": [[1, 2]]}, "in the result at ['W'][0, 1]."),
        ("[1, 2]", [1, 2, 3], "the form of the result: it should have length 3, not 2."),
        ("7", [7], "it should be a list, not one value"),
        ("{'a': 1}", {"b": 1}, "its keys should be b."),
        ("0.0002", 0.00021234, FEW_DIGITS),
        ("8", 7, "Think."),
    ],
)
def test_a_wrong_result_is_told_where_it_differs(judge, text, right, told):
    judged = judge([text], one(right))[0]
    assert not judged["right"]
    assert told in judged["told"]


def test_the_nearest_value_wins_and_several_calls_have_their_own_scales(judge):
    near = one([1000.0, 0.1235], [1000.0, 0.1234], calls=2)
    wrong, right, far = judge(["[1000., 0.1234]", "[1000., 0.1235]", "[1000., 0.2]"], near)
    assert right["right"]
    assert wrong["told"] == "like [1000.0, 0.1234]"
    assert "in the 2nd result." in far["told"]
    assert re.search("count", judge(["11"], one(12, calls=1))[0]["told"]) is None
