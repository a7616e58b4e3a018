"""Choose the tests that changes affect: ``python -m tests.affected [BASE]``, for `make check`.

Changes are those since the merge base with BASE (``main``, or else ``origin/main``), and what isn't
committed. A file depends on others by these rules; in doubt, they choose more.

- It depends on the modules that it imports (but a package's `setup` for Sphinx) and on those whose
  full names its strings contain. If a package only passes a name on, that is the module that
  defines it, and the package itself.
- A module depends on the data files whose names are strings in it; if it belongs to a figure or a
  claim, on those of others whose names are. Tests and their helpers depend on all files that their
  strings name: by the file, a folder, or a figure, claim or exercise.
- Tests and the press, where they call ``figures()`` or ``manifest()``, depend on all figures; where
  ``experiments()`` or ``stored_slugs()``, on all claims; where ``exercises()``, on all exercises.
- ``test_x_NAME.py`` depends on the files and folders called ``NAME`` and, if it is the only test in
  its folder, on the whole folder. Every test depends on the ``conftest.py`` above it.
- A data file that no module names belongs to the modules of its folder or, if it has none, of the
  nearest folder above that has some. JavaScript belongs to all tests of figures.
- If anything changes, all tests of the structure run; texts affect only these and what names them.
- All tests run if a file changes that everything depends on, or one that no rule knows.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
MANY = 12  # lines
# The folders of `make check`: whatever else is affected is left to `make test`.
QUICK = re.compile(r"(tests/(unit|structure)|rnn_helpers)/")
ALL = re.compile(r"Makefile|pyproject\.toml|requirements\.txt|(tests/)?conftest\.py")
TEXT = re.compile(r"(book|bench|\.github|\.ci)/|_\w+\.yml|(.*/)?[A-Z]+(\.md|\.cff)?$")
STRUCTURE = re.compile(r"tests/structure/")
OF_FIGURES = re.compile(r"rnn_helpers/figures/")
# How the path of a file names the thing that it belongs to, and the functions that list the things.
THINGS = [
    (re.compile(r"rnn_helpers/figures/(\w+)/"), {"figures", "manifest"}),
    (re.compile(r".*claims/chapter_\d\d/(\w+)/"), {"experiments", "stored_slugs"}),
    (re.compile(r".*exercises/(chapter_\d\d)"), {"exercises"}),
]
MODULE = re.compile(r"\b((?:rnn_helpers|press|course|tests|bench)(?:\.\w+)*)\.(\w+)")
EXERCISE = re.compile(r"(\d\d)-\w")


class Source:
    """What a module imports, the words of its strings, and the functions that it calls."""

    def __init__(self, text: str, package: bool = False):
        tree = ast.parse(text)
        typing = {
            statement
            for branch in tree.body
            if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
            for statement in branch.body
        }
        # The module of each name that a package passes on when it is first used, or at once if the
        # module has that name.
        self.lazy = {name: module for node in typing for module, name in _imports(node)}
        nodes = [node for node in ast.walk(tree) if node not in typing]
        docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
        strings = [n.value for n in nodes if isinstance(n, ast.Constant) and n not in docstrings]
        texts = [text for text in strings if isinstance(text, str)]
        # What Sphinx runs to set up an extension isn't run by an import.
        inner = {
            node
            for function in tree.body
            if isinstance(function, ast.FunctionDef) and package and function.name == "setup"
            for node in ast.walk(function)
        }
        self.imports = {pair for node in nodes if node not in inner for pair in _imports(node)}
        self.imports |= {
            (module, name) for name, module in self.lazy.items() if name in module.split(".")
        }
        self.imports |= {pair for text in texts for pair in MODULE.findall(text)}
        words = {word for text in texts if len(text) < 200 for word in re.split(r"[\s/]", text)}
        self.words = words | {word.partition(".")[0] for word in words}
        self.words |= {f"chapter_{found[1]}" for word in words if (found := EXERCISE.match(word))}
        self.words.discard("")
        # `manifest()["step"]` is about one figure, which the words have.
        entries = [node for node in nodes if isinstance(node, ast.Subscript)]
        one = {node.value for node in entries if isinstance(node.slice, ast.Constant)}
        calls = [n for n in nodes if isinstance(n, ast.Call) and not n.args and n not in one]
        self.calls = {ast.unparse(call.func).rpartition(".")[2] for call in calls}


def _imports(node: ast.AST) -> set[tuple[str, str]]:
    """Return the modules that a statement imports, each with a name, or "" for all of it."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module, alias.name) for alias in node.names}
    if isinstance(node, ast.Import):
        return {(alias.name, "") for alias in node.names}
    return set()


class Project:
    """The files of a project, and which depend on which.

    Parameters
    ----------
    root : Path
    paths : iterable of str
        Relative to the root. Those of deleted files count, since tests may still import them.
    """

    def __init__(self, root: Path, paths: Iterable[str]):
        self.root = root
        self.paths = set(paths)
        self.tests = {path for path in self.paths if re.search(r"(^|/)test_\w+\.py$", path)}
        self.sources = {
            path: Source(
                file.read_text("utf-8") if (file := root / path).exists() else "",
                package=path.endswith("__init__.py"),
            )
            for path in self.paths
            if path.endswith(".py") and "/archive/" not in path
        }

    def affected(self, changed: str) -> set[str]:
        """Return the tests that a changed file affects."""
        if ALL.fullmatch(changed):
            return self.tests
        found = [path for path in self.sources if self._depends(path, changed)]
        if changed.startswith("explorables/"):
            found += filter(OF_FIGURES.match, self.tests)
        elif not (changed.endswith(".py") or _thing(changed) or any(map(self._is_module, found))):
            found += self._owners(changed)
        seen = set(found)
        for path in found:
            new = self.importers[path] - seen
            seen |= new
            found += new
        chosen = seen & self.tests
        if not chosen and not TEXT.match(changed):
            return self.tests
        return chosen | set(filter(STRUCTURE.match, self.tests))

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """The files that import each module, or find it by the name of its figure or claim."""
        found = defaultdict(set)
        for module in self.sources.keys() - self.tests:
            # What the fixtures of all tests import, the tests of pages import as well.
            fixtures = module.endswith("/conftest.py") and not ALL.fullmatch(module)
            if fixtures or _thing(module):
                found[module] = {path for path in self.sources if self._depends(path, module)}
            if _thing(module):
                for folder in PurePosixPath(module).parents:
                    found[f"{folder}/__init__.py"].add(module)
        for path, source in self.sources.items():
            for pair in source.imports:
                for module in self._modules(path, *pair):
                    found[module].add(path)
        return found

    def _modules(self, path: str, module: str, name: str) -> set[str]:
        """Return the files that are read to import a name, or all of a module, in a file."""
        for base in ("", "tests/", f"{PurePosixPath(path).parent}/"):
            found, last = set(), set()
            stem = base.removesuffix("/")
            for part in module.split("."):
                stem = f"{stem}/{part}".removeprefix("/")
                here = self.sources.keys() & {f"{stem}.py", f"{stem}/__init__.py"}
                found |= here
                last = here or last
            inner = self.sources.keys() & {f"{stem}/{name}.py", f"{stem}/{name}/__init__.py"}
            if found or inner:
                break
        lazy = {n: m for file in inner or last for n, m in self.sources[file].lazy.items()}
        names = lazy if inner or name in ("", "*") else lazy.keys() & {name}
        for each in names:
            if lazy[each] != module:
                found |= self._modules(path, lazy[each], each)
        return found | inner

    def _depends(self, path: str, changed: str) -> bool:
        """Whether a file depends on a changed one by itself, not by what it imports."""
        source, place = self.sources[path], PurePosixPath(changed)
        if path == changed:
            return True
        thing, lists = _thing(changed) or ("", set())
        module = self._is_module(path)
        if lists & source.calls and (not module or path.startswith("press/")):
            return True
        if module and thing:  # one figure may read the constants of another
            return bool(_thing(path)) and thing in source.words
        if module:
            return place.name in source.words and place.suffix != ".py"
        folders = {name for name in place.parts[:-1] if not name.startswith("chapter_")}
        stems = {place.stem, *folders, thing}
        names = {thing, thing.replace("_", "-")}
        if path in self.tests or not thing:  # a helper that finds things mentions their folder
            names |= {place.name, *folders}
        if not thing and place.suffix != ".py":
            names.add(place.stem)
        if names & source.words:
            return True
        folder = PurePosixPath(path).parent
        if place.name == "conftest.py" and place.parent in (folder, *folder.parents):
            return True
        if path not in self.tests:
            return False
        words = PurePosixPath(path).stem.split("_")
        if not stems.isdisjoint("_".join(words[start:]) for start in range(1, len(words))):
            return True
        beside = (test for test in self.tests if test.startswith(f"{folder}/"))
        return folder in place.parents and [*beside] == [path]

    def _is_module(self, path: str) -> bool:
        return not path.startswith("tests/") and path not in self.tests

    def _owners(self, changed: str) -> set[str]:
        """Return the modules of the nearest folder that has some."""
        for folder in PurePosixPath(changed).parents[:-1]:
            found = {
                p for p in self.sources.keys() - self.tests if PurePosixPath(p).parent == folder
            }
            if found:
                return found
        return set()


def _thing(path: str) -> tuple[str, set[str]] | None:
    """Return the name of the thing that a file belongs to, and the functions that list its kind."""
    for pattern, lists in THINGS:
        if found := pattern.match(path):
            return found[1], lists
    return None


def git(*arguments: str, root: Path = ROOT) -> list[str]:
    """Return the paths that a command of git prints; none if it fails or there is no git."""
    if not shutil.which("git"):
        return []
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    return done.stdout.rstrip("\n\0").split("\0") if done.stdout and not done.returncode else []


def changes(base: str = "", root: Path = ROOT) -> set[str] | None:
    """Return the files that have changed since the branch left a base; None if there is no base."""
    for name in (base,) if base else ("main", "origin/main"):
        if since := git("merge-base", name, "HEAD", root=root):
            changed = git("diff", "--name-only", "--no-renames", "-z", *since, root=root)
            return {*changed, *git("ls-files", "--others", "--exclude-standard", "-z", root=root)}
    return None


def names(changed: Iterable[str], root: Path = ROOT) -> set[str]:
    """Return how the ids of tests begin the names of what changed files belong to.

    These are figures, claims, chapters, and exercises as ``02-``; the chapters that show a changed
    figure or claim; and all figures or exercises if code changes that they share.
    """
    found, shared = set(), set()
    for path in changed:
        if chapter := re.match(r"book/(?:slides/)?(\d\d_\w+)\.", path):
            found.add(chapter[1])
        elif path.startswith(("rnn_helpers/figures/lib/", "explorables/")):
            shared |= {folder.name for folder in (root / "rnn_helpers/figures").glob("*/")}
        elif path.startswith("rnn_helpers/checks/"):
            shared |= {f"{number:02}-" for number in range(1, 100)}
        elif thing := _thing(path):
            exercises = re.fullmatch(r"chapter_(\d\d)", thing[0])
            slugs = thing[0], thing[0].replace("_", "-")  # of folders and of parameters
            found |= {f"{exercises[1]}-"} if exercises else {*slugs}
    for notebook in (root / "book").glob("*_*.ipynb"):
        shows = set(re.findall(r'show\(\\"([\w-]+)\\"', notebook.read_text("utf-8")))
        if shows & found:
            shared.add(notebook.stem)
    return found | shared


def choose(project: Project, changed: set[str] | None) -> tuple[set[str], list[str]]:
    """Return the chosen tests, and a few lines that say why."""
    if changed is None:
        return project.tests, ["no base to compare with: all test files"]
    chosen, lines = set(), []
    for path in sorted(changed):
        affected = project.affected(path)
        chosen |= affected
        lines.append(f"{path}: {'all' if affected == project.tests else len(affected)} test files")
    return chosen, lines


def main(base: str = "") -> None:
    """Print the affected tests of `make check`, and to stderr why there are so many."""
    changed = changes(base)
    project = Project(ROOT, {*git("ls-files", "-z"), *(changed or ())})
    chosen, lines = choose(project, changed)
    there = {path for path in project.tests if (ROOT / path).exists()}
    quick = set(filter(QUICK.match, there))
    if len(lines) > MANY:
        lines[MANY - 1 :] = [f"and {len(lines) - MANY + 1} other files"]
    if lines:
        lines.append(f"make check runs {len(quick & chosen)} of {len(quick)} test files")
    else:
        lines.append("nothing has changed, so make check ran lint alone; ALL=yes runs all tests")
    if rest := sorted(chosen & there - quick):
        lines.append(f"make test also runs {len(rest)} that are affected, such as {rest[0]}")
    print(*lines, sep="\n", file=sys.stderr)
    print(*sorted(quick & chosen))


if __name__ == "__main__":
    main(*sys.argv[1:])
