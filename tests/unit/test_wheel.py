"""The exercises in the students' wheel: checked as in the sources, but without the solutions."""

import ast
import json
import os
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest
from books import NOTEBOOKS, answered_on

from press import wheel
from press.classroom import ROOT, build_wheel
from rnn_helpers.checks import Checklist, Exercise, Wrong, exercises
from rnn_helpers.checks.core import Recorded
from rnn_helpers.checks.guard import EXERCISES
from rnn_helpers.checks.instance import instance
from rnn_helpers.checks.typed import typed

ALL = exercises()
LONG = 40  # characters: two modules share no statement of this length by chance


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(built):
    """The wheel, unpacked where the repository is not."""
    folder = built.parent / "unpacked"
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder)
    return folder


def run(unpacked, script):
    """Return what a script prints as JSON, run with the wheel's package."""
    env = os.environ | {"PYTHONPATH": str(unpacked), "MPLBACKEND": "agg"}
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)]
    ran = subprocess.run(command, cwd=unpacked, env=env, capture_output=True, text=True)
    assert not ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def doubled(x):
    return 2 * x


def exercise(name="99-double", cases=lambda: [(1.0,), (np.arange(3),)]):
    """Return an exercise with two named wrong answers."""
    return Exercise(
        name=name,
        solution=doubled,
        wrong={
            "squared": Wrong(lambda x: x**2, "Is the double of 3 a 9?"),
            "one of them": Wrong(lambda x: x, "How many do you add up?"),
        },
        hint="What is the double of 1?",
        success="Two of them are the double.",
        cases=cases,
    )


# ---- recording -----------------------------------------------------------------------------------


def test_a_recorded_exercise_judges_as_the_one_with_code():
    entry = exercise()
    known = wheel.recorded(entry)
    answers = [doubled, lambda x: x, lambda x: x**2, lambda x: 3 * x, lambda: 1, None, 7, len]
    for answer in answers:
        assert known.grade(answer) == entry.grade(answer)
    assert known.grade(lambda x: x).recognised == "one of them"
    assert known.parameters == ("x",)


def test_a_recorded_exercise_has_no_code():
    known = wheel.recorded(exercise())
    functions = [known.solution, *(wrong.answer for wrong in known.wrong.values())]
    assert all(isinstance(each, Recorded) for each in functions)
    assert not isinstance(known.answer, type(doubled))


def test_a_page_can_not_derive_lines_from_a_recorded_exercise(monkeypatch):
    known = wheel.recorded(exercise())
    monkeypatch.setattr("rnn_helpers.checks.instance.require_exercise", lambda *_: known)
    with pytest.raises(ValueError, match=r"99-double.*can't run its solution"):
        instance("99-double")


def test_an_exercise_that_can_not_be_pickled_is_named():
    known = wheel.recorded(exercise(cases=lambda: [(lambda x: x,)]))
    with pytest.raises(ValueError, match=r"99-double can't be recorded.*KEPT"):
        wheel.pickled([known], __name__)


def test_a_reduced_module_has_only_what_is_needed():
    source = '''
        """A module."""
        import numpy as np
        from math import cos, sin

        SIZE, other = 3, 4

        def first(x):
            return second(x) + cos(x)

        def second(sin):
            other = SIZE
            return sin

        def third(x):
            return np.sin(x)
    '''
    reduced = wheel.reduced(textwrap.dedent(source), {"first"})
    names = {"first", "second", "SIZE", "cos"}
    tree = ast.parse(reduced)
    assert ast.get_docstring(tree) == "A module."
    assert {name for node in tree.body for name in wheel._defined(node)} == names | {"other"}


def test_only_what_later_cells_run_keeps_its_code():
    assert set(wheel.KEPT) == {name for name, each in ALL.items() if getattr(each, "lends", 0)}
    assert all(wheel.KEPT.values())


@pytest.mark.parametrize("guide", ["README.md", "course/INSTRUCTORS.md"])
def test_the_guides_say_how_many_exercises_have_no_code_in_the_wheel(guide):
    computed = sum(isinstance(each, Exercise) for each in ALL.values())
    said = f"{computed - len(wheel.KEPT)} of the {computed} exercises that compute something"
    assert said in (ROOT / guide).read_text("utf-8")


# ---- the wheel -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_sources_give_the_same_wheel(built, tmp_path):
    assert build_wheel(tmp_path).read_bytes() == built.read_bytes()


def code_of(path):
    """Return the syntax trees of a module's solutions and wrong answers, by exercise."""
    code = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call) and call.func.id == "exercise":
                (wrong,) = (each.value.values for each in call.keywords if each.arg == "wrong")
                node.decorator_list = []
                answers = [each.args[0] for each in wrong]
                code[call.args[0].value] = [node, *(ast.Expr(each) for each in answers)]
    return code


def reached(path, trees):
    """Return the names of a module's definitions that some of its code uses."""
    body = ast.parse(path.read_text("utf-8")).body
    for node in body:
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
    names, left = set(), {name for tree in trees for name in wheel._used(tree)}
    while left:
        names |= left
        users = [node for node in body if wheel._defined(node) & left]
        left = {name for node in users for name in wheel._used(node)} - names
    return names


def stripped(code):
    return "\n".join(line.strip() for line in code.splitlines())


@pytest.mark.slow
def test_the_wheel_has_no_solution(unpacked):
    inside = unpacked / "rnn_helpers" / "exercises"
    modules = sorted(EXERCISES.glob("chapter_*.py"))
    assert {path.name for path in inside.iterdir()} == {
        "__init__.py",
        *(path.name for path in modules),
        *(f"{path.stem}.pickle" for path in modules),
    }
    content = "\n".join(stripped(path.read_text("latin-1")) for path in inside.iterdir())
    seen = set()
    for path in modules:
        code = code_of(path)
        hidden = {name: trees for name, trees in code.items() if name not in wheel.KEPT}
        for name, (solution, *wrong) in hidden.items():
            answers = [tree.value.body for tree in wrong if isinstance(tree.value, ast.Lambda)]
            texts = [stripped(ast.unparse(each)) for each in (*solution.body[1:], *answers)]
            found = [text for text in texts if len(text) >= LONG and text in content]
            assert not found, name
        stay = ast.parse((inside / path.name).read_text("utf-8")).body
        defined = {
            name
            for node in stay
            if not isinstance(node, ast.Import | ast.ImportFrom)
            for name in wheel._defined(node)
        }
        trees = [tree for each in hidden.values() for tree in each]
        assert not defined & (reached(path, trees) | {each[0].name for each in hidden.values()})
        seen |= code.keys()
    assert seen == {name for name, each in ALL.items() if isinstance(each, Exercise)}


@pytest.mark.slow
def test_the_wheel_knows_each_right_answer_and_each_mistake(unpacked):
    known, failures = run(
        unpacked,
        f"""
        import contextlib, importlib.util, io, json, pathlib, sys
        from rnn_helpers.checks import Checklist, check, core

        recorded = dict(core.exercises())
        core._REGISTRY.clear()
        for path in sorted(pathlib.Path({str(EXERCISES)!r}).glob("chapter_*.py")):
            spec = importlib.util.spec_from_file_location(f"sources.{{path.stem}}", path)
            sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        sources = dict(core._REGISTRY)
        core._REGISTRY.clear()
        core._REGISTRY.update(recorded)

        failures = []
        for name, entry in sources.items():
            with contextlib.redirect_stdout(io.StringIO()):
                if isinstance(entry, Checklist):
                    passed = check(name, *entry.answer)
                else:
                    passed = check(name, entry.answer)
            if not passed or entry.success not in passed.message:
                failures.append([name, "solution", passed.message])
            for mistake, wrong in entry.wrong.items():
                outcome = recorded[name].grade(wrong.answer)
                if outcome.recognised != mistake or wrong.hint not in outcome.message:
                    failures.append([name, mistake, outcome.message])
        print(json.dumps([sorted(recorded), failures]))
        """,
    )
    assert known == sorted(ALL)
    assert not failures


@pytest.mark.slow
def test_the_wheel_gives_the_general_hint_and_refuses_the_books_functions(unpacked):
    said = run(
        unpacked,
        """
        import contextlib, io, json
        import numpy as np
        from rnn_helpers import reference
        from rnn_helpers.checks import check

        def stub(h0, h, g):
            raise NotImplementedError

        answers = [
            ("04-grad-W", lambda h0, h, g: g.T @ h + 0.1),
            ("04-grad-W", lambda h0, h, g: g @ h),
            ("04-grad-W", lambda h0: h0),
            ("04-grad-W", stub),
            ("04-grad-output", lambda o, y: reference.softmax(o) - np.eye(o.shape[1])[y]),
            ("13-typical", reference.spectral_radius),
            ("04-runs", 5),
        ]
        with contextlib.redirect_stdout(io.StringIO()):
            said = [check(name, answer).message for name, answer in answers]
        print(json.dumps(said))
        """,
    )
    parts = [
        ALL["04-grad-W"].hint,
        "Which line stops?",
        "called with (h0, h, g)",
        "Not answered yet",
        ALL["04-grad-output"].success,
        "leaves the work to the book's own `spectral_radius`",
        ALL["04-runs"].hint,
    ]
    for message, part in zip(said, parts, strict=True):
        assert part in message


@pytest.mark.slow
def test_the_wheel_judges_typed_answers_as_the_pages_do(unpacked):
    boxes = [
        (name, state.get("labels", []), state.get("options", []))
        for path in NOTEBOOKS
        for name, (_, state) in answered_on(path).items()
        if not isinstance(ALL[name], Checklist) and not ALL[name].cases
    ]
    assert len(boxes) > 40
    theirs = run(
        unpacked,
        f"""
        import json
        from rnn_helpers.checks.typed import typed
        print(json.dumps([typed(*box) for box in json.loads({json.dumps(boxes)!r})]))
        """,
    )
    assert theirs == json.loads(json.dumps([typed(*box) for box in boxes]))
    assert ROOT not in unpacked.parents
