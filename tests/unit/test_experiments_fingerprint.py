"""A fingerprint covers only the code that a function uses, directly or indirectly."""

import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments import fingerprint as fp
from rnn_helpers.tasks import corpora

FILES = {
    "__init__.py": "",
    "deep/__init__.py": "from pack.deep.sums import add, take\n",
    "deep/sums.py": "import numpy as np\nHALF = 0.5\n\ndef add(a, b):\n    return a + HALF * b\n\n"
    "def take(a, b):\n    return a - b\n\ndef unused(a):\n    return a\n",
    "deep/words.txt": "one two\n",
    "lazy.py": "from pathlib import Path\n\ndef words():\n"
    '    return Path(__file__).with_name("words.txt").read_text()\n',
    "words.txt": "one two\n",
    "run.py": "from pack import deep\nfrom pack.deep import add as plus, take as minus\n\n"
    "def helper(unused):\n    return minus(unused, 1)\n\n"
    "def run(config, seeds):\n    from pack.lazy import words\n"
    "    return [plus(helper(s), deep.add(s, 1)) for s in seeds if words()]\n\n"
    "def numbers(rows):\n    return rows\n",
}


def forget():
    for remembered in (fp._walk, fp._read, fp._module):
        remembered.cache_clear()


@pytest.fixture
def code(monkeypatch, tmp_path):
    """Return a function that changes a file of a small package and returns the fingerprint."""
    monkeypatch.setattr(fp, "PACKAGE", tmp_path / "pack")
    monkeypatch.setattr(fp.inspect, "getsourcefile", lambda function: tmp_path / "pack/run.py")

    def run(config, seeds):
        """Represent the function of that name in the package."""

    run.__qualname__ = "run"

    def of(file="run.py", before="", after=""):
        for name, text in FILES.items():
            path = tmp_path / "pack" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            assert name != file or before in text
            path.write_text(text.replace(before, after) if name == file else text, "utf-8")
        forget()
        return fp.fingerprint(run, {})

    yield of
    forget()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("deep/sums.py", "HALF = 0.5", "HALF = 0.4"),  # a constant that a re-exported function uses
        ("deep/sums.py", "a - b", "b - a"),
        ("lazy.py", "read_text", "read_bytes"),  # imported within a function
        ("words.txt", "one", "two"),  # a file that is read by name
        ("run.py", "add as plus, take as minus", "add as minus, take as plus"),
        ("run.py", "return minus(unused, 1)", "return minus(unused, 2)"),
        ("deep/__init__.py", "add, take", "add, add as take"),
    ],
)
def test_a_change_of_code_that_computes_the_rows_changes_the_fingerprint(code, file, before, after):
    assert code(file, before, after) != code()


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("deep/sums.py", "def unused(a):\n    return a", "def unused(a):\n    return 7"),
        ("deep/sums.py", "def take(", "# why\ndef take("),
        ("deep/words.txt", "one", "two"),
        ("run.py", "def numbers(rows):\n    return rows", "def numbers(rows):\n    return 7"),
        ("run.py", "def helper(unused):", 'def helper(unused: "int") -> "int":\n    "Say it."'),
    ],
)
def test_a_change_of_other_code_keeps_the_fingerprint(code, file, before, after):
    assert code(file, before, after) == code()


def test_moving_a_module_keeps_the_fingerprint(code, monkeypatch):
    before = code()
    moved = {
        name.replace("deep/", "far/"): text.replace("deep.sums", "far.sums")
        for name, text in FILES.items()
    }
    moved["run.py"] = FILES["run.py"].replace(
        "from pack import deep", "from pack import far as deep"
    )
    moved["run.py"] = moved["run.py"].replace("from pack.deep", "from pack.far")
    monkeypatch.setattr(f"{__name__}.FILES", moved)
    assert code() == before


def test_lazy_and_eager_imports_have_the_same_fingerprint(code):
    eager = FILES["deep/__init__.py"]
    assert code("deep/__init__.py", eager, f"if TYPE_CHECKING:\n    {eager}") == code()


def test_a_nested_function_raises_an_error(code):
    code()

    def inner():
        """Do nothing."""

    with pytest.raises(ValueError, match=r"function is .*inner.*top level"):
        fp.fingerprint(inner, {})


def test_the_fingerprint_covers_the_contents_of_shipped_texts():
    """The table of shipped texts is covered, and its hash depends on their contents."""
    table = fp.Definition(Path(corpora.__file__), "_SHIPPED")
    assert table in fp.reached(find("zero-init").function)
    for name in corpora._SHIPPED.values():
        content = table.path.with_name(name).read_bytes()
        hashes = fp._module(table.path).files(fp._module(table.path).bindings["_SHIPPED"])
        assert hashlib.sha256(content).hexdigest() in hashes


DECLARED = """
def far(n):
    return n.gain > 1

@experiment(claim="It helps.", verdict=Verdict(
    holds=(lambda n: n.gain > 0 and far(n), "Holds."),
    fails=(lambda n: n.gain < 0, "Does not hold."),
    otherwise="Undecided.",
))
def run(config, seeds):
    return []
"""


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("It helps.", "It helps much.", True),
        ("Does not hold.", "Does not hold. Not at all.", True),
        ("Undecided.", "Undecided. Why?", True),
        ("return []", "return [1]", True),
        ("n.gain > 0", "n.gain >= 0", False),
        ("n.gain < 0", "n.gain < -1", False),
        ("n.gain > 1", "n.gain > 2", False),  # in a function that a condition calls
    ],
)
def test_the_hash_depends_only_on_the_conditions(monkeypatch, tmp_path, before, after, same):
    run = SimpleNamespace(__qualname__="run")  # stands for the function of that name in the file

    def conditions(text):
        path = tmp_path / "run.py"
        path.write_text(text, "utf-8")
        monkeypatch.setattr(fp.inspect, "getsourcefile", lambda function: path)
        forget()
        return fp.conditions(run)

    assert DECLARED.count(before) == 1
    assert (conditions(DECLARED.replace(before, after)) == conditions(DECLARED)) is same
    assert conditions("def run():\n    return []") == ""
    forget()


def test_stated_conditions_have_a_hash():
    hashes = [find(slug).conditions for slug in ("longer-path", "tree-reach", "recall")]
    assert all(hashes)
    assert len(set(hashes)) == 3
