"""Which tests a change affects, in a small project of the same layout and in this one."""

import subprocess

import pytest
from affected import ROOT, Project, changes, choose, git, names

STRUCTURE = "tests/structure/test_rules.py"
SMALL = {
    "pyproject.toml": "",
    "book/index.md": "",
    "explorables/host/host.js": "",
    "press/site.py": "from rnn_helpers.explore import words\n",
    "press/templates/page.html": "",
    "rnn_helpers/__init__.py": "",
    "rnn_helpers/palette.json": "{}",
    "rnn_helpers/palette.py": 'NAME = "palette.json"\n',
    "rnn_helpers/claims/chapter_01/long_way/__init__.py": "import rnn_helpers.contest\n",
    "rnn_helpers/claims/chapter_01/long_way/result.json": "{}",
    "rnn_helpers/claims/chapter_01/long_way/test_claim.py": "",
    "rnn_helpers/contest.py": "",
    "rnn_helpers/exercises/chapter_01.py": "",
    "rnn_helpers/exercises/test_chapter_01.py": "",
    "rnn_helpers/exercises/test_chapter_02.py": "",
    "rnn_helpers/explore/__init__.py": "",
    "rnn_helpers/explore/words.py": "",
    "rnn_helpers/figures/conftest.py": "",
    "rnn_helpers/figures/wave/math.js": "",
    "rnn_helpers/figures/wave/built/wave.svg": "",
    "rnn_helpers/figures/wave/test_wave.py": "",
    "rnn_helpers/reference/__init__.py": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from rnn_helpers.reference.gru import update\n"
        "    from rnn_helpers.reference.rnn import forward\n"
    ),
    "rnn_helpers/reference/gru.py": "from rnn_helpers.reference.rnn import forward\n",
    "rnn_helpers/reference/rnn.py": "",
    "tests/helper.py": "from press.site import words\n",
    STRUCTURE: "",
    "tests/unit/test_all_claims.py": "from rnn_helpers.store import experiments\nexperiments()\n",
    "tests/unit/test_answers.py": 'check("01-short", 1)\n',
    "tests/unit/test_colors.py": "import rnn_helpers.palette\n",
    "tests/unit/test_command.py": 'run("-m", "press.site")\n',
    "tests/unit/test_forward.py": "from rnn_helpers.reference import forward\n",
    "tests/unit/test_gru.py": "def test():\n    from rnn_helpers.reference import update\n",
    "tests/unit/test_long.py": 'load("long-way")\n',
    "tests/unit/test_pages.py": "from helper import words\n",
}
CLAIM = "rnn_helpers/claims/chapter_01/long_way"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("rnn_helpers/figures/wave/math.js", {"wave", "01_state"}),
        (f"{CLAIM}/result.json", {"long_way", "long-way"}),
        ("rnn_helpers/exercises/chapter_01.py", {"01-"}),
        ("book/slides/01_state.md", {"01_state"}),
        ("book/index.md", set()),
        ("explorables/host/host.js", {"wave"}),
    ],
)
def test_a_changed_file_has_the_names_of_what_it_belongs_to(small, changed, expected):
    (small / "book").mkdir(exist_ok=True)
    (small / "book/01_state.ipynb").write_text(r'"source": "explore.show(\"wave\")"', "utf-8")
    assert names([changed], small) == expected


@pytest.fixture
def small(tmp_path):
    for path, content in SMALL.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("rnn_helpers/reference/gru.py", {"unit/test_gru"}),
        ("rnn_helpers/reference/rnn.py", {"unit/test_forward", "unit/test_gru"}),
        ("rnn_helpers/reference/__init__.py", {"unit/test_forward", "unit/test_gru"}),
        ("rnn_helpers/explore/words.py", {"unit/test_command", "unit/test_pages"}),
        ("tests/helper.py", {"unit/test_pages"}),
        ("tests/unit/test_pages.py", {"unit/test_pages"}),
        ("rnn_helpers/figures/conftest.py", {"rnn_helpers/figures/wave/test_wave"}),
        ("rnn_helpers/palette.json", {"unit/test_colors"}),
        ("press/templates/page.html", {"unit/test_command", "unit/test_pages"}),
        ("rnn_helpers/figures/wave/math.js", {"rnn_helpers/figures/wave/test_wave"}),
        ("rnn_helpers/figures/wave/built/wave.svg", {"rnn_helpers/figures/wave/test_wave"}),
        ("explorables/host/host.js", {"rnn_helpers/figures/wave/test_wave"}),
        (
            f"{CLAIM}/result.json",
            {f"{CLAIM}/test_claim", "unit/test_all_claims", "unit/test_long"},
        ),
        (
            "rnn_helpers/contest.py",
            {f"{CLAIM}/test_claim", "unit/test_all_claims", "unit/test_long"},
        ),
        (
            "rnn_helpers/exercises/chapter_01.py",
            {"rnn_helpers/exercises/test_chapter_01", "unit/test_answers"},
        ),
        ("book/index.md", set()),
    ],
)
def test_a_change_affects_the_structure_and_what_depends_on_it(small, changed, tests):
    names = {f"{name}.py" if name.startswith("rnn_") else f"tests/{name}.py" for name in tests}
    assert Project(small, SMALL).affected(changed) == names | {STRUCTURE}


@pytest.mark.parametrize("changed", ["pyproject.toml", "tests/conftest.py", "notes.txt", "new.py"])
def test_everything_is_affected_by_what_all_depends_on_and_by_an_unknown_file(small, changed):
    project = Project(small, {*SMALL, changed})
    assert project.affected(changed) == project.tests


def test_a_deleted_module_affects_the_tests_that_still_import_it(small):
    (small / "rnn_helpers/reference/gru.py").unlink()
    project = Project(small, SMALL)
    assert project.affected("rnn_helpers/reference/gru.py") == {
        "tests/unit/test_gru.py",
        STRUCTURE,
    }


def test_each_changed_file_is_named_with_the_number_of_its_tests(small):
    project = Project(small, {*SMALL, "notes.txt"})
    assert choose(project, {"tests/unit/test_pages.py"})[1] == [
        "tests/unit/test_pages.py: 2 test files"
    ]
    chosen, lines = choose(project, {"notes.txt", "book/index.md"})
    assert (chosen, lines) == (
        project.tests,
        ["book/index.md: 1 test files", "notes.txt: all test files"],
    )
    assert choose(project, None)[0] == project.tests
    assert choose(project, set()) == (set(), [])


@pytest.mark.slow
def test_changes_are_those_of_the_branch_with_uncommitted_moved_and_new_files(small):
    def run(*arguments):
        who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "core.hooksPath=/dev/null")
        subprocess.run(["git", *who, *arguments], cwd=small, check=True, capture_output=True)

    def commit():
        run("add", ".")
        run("commit", "--quiet", "--message", "as it is")

    run("init", "--quiet", "--initial-branch", "trunk")
    commit()
    assert changes(root=small) is None
    run("branch", "main")
    assert changes(root=small) == set()
    (small / "press/site.py").write_text("", "utf-8")
    commit()
    run("mv", "book/index.md", "book/ünde x.md")
    (small / "new.py").touch()
    found = {"press/site.py", "book/index.md", "book/ünde x.md", "new.py"}
    assert changes(root=small) == found
    assert changes("trunk", small) == found - {"press/site.py"}


@pytest.mark.nightly(files=["tests/affected.py"])
@pytest.mark.slow
def test_in_this_project_a_change_affects_few_tests_and_a_figure_its_own():
    project = Project(ROOT, git("ls-files", "-z"))
    few = project.affected("rnn_helpers/reference/gru.py")
    assert "tests/unit/test_reference_gru.py" in few
    assert len(few) < len(project.tests) * 2 / 3
    (own,) = (path for path in project.tests if path.endswith("/test_gates.py"))
    bundles = [path for path in project.paths if path.endswith("/gates.js")]
    assert bundles
    for path in bundles:
        assert own in project.affected(path)
