"""Which names a piece of code needs, and which cells define them."""

import pytest

from press.dependencies import binds, needed, reads


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("y = x", {"x"}),
        ("x = 1\ny = x", set()),
        ("x = x + 1", {"x"}),
        ("y = x\nx = 1", {"x"}),
        ("for k in things:\n    print(k)", {"things", "print"}),
        ("def f(a):\n    return a + b", {"b"}),
        ("def f(n):\n    return n and f(n - 1)", set()),
        ("[k for k in things]", {"things"}),
        ("{k: v for k, v in things if {w for w in v}}", {"things"}),
    ],
)
def test_a_name_is_read_unless_the_code_binds_it_first(code, names):
    assert reads(code) == names


def test_imports_functions_and_loops_bind_names():
    assert binds("import a.b\nfrom c import d as e\ndef f(): g = 1\nfor h in []: pass") == {*"aefh"}


def test_a_cell_is_needed_where_a_later_one_reads_what_it_binds():
    cells = ["a = 1", "b = 2", "a = 3", "for a in []: pass", "print(a, b)"]
    assert needed(cells[:3] + cells[4:], [3]) == [1, 2, 3]
    assert needed([cells[0], cells[3], "for a in [0]: print(a)"], [2]) == [2]
