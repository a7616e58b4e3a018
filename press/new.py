"""Write a figure, an exercise, a claim or a chapter that passes its tests: ``make new``.

A figure, a claim and a chapter are copies of a model under another name, to start from. An exercise
is three cells after the chapter's last exercise, its solution and a test. If anything fails,
nothing is left.
"""

from __future__ import annotations

import argparse
import builtins
import json
import keyword
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import nbformat

from press.still.defaults import APPROVED, default_state, height, picture
from rnn_helpers import exercises
from rnn_helpers.commands import run_program
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.schema import CLAIMS
from rnn_helpers.explore.states import SHARED, picture_file
from rnn_helpers.figures import FIGURES

ROOT = Path(__file__).parents[1]
FIGURE = FIGURES / "powers"
CLAIM = CLAIMS / "chapter_13" / "length_success"
CHAPTER = "02_unfolding"  # short, and without claims
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.ipynb"))
WORD = re.compile(r"[a-z][a-z0-9]{1,19}")
SLUG = re.compile(r"(?=.{2,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The model's name, where it isn't that of a function or of the module lib/powers.js.
NAMED = re.compile(r'(fig-|figure |figure\("|manifest\(\)\["|constants\(")powers\b')
LABEL = re.compile(r"\(sec-(?!\d\d-)([\w-]+)\)=")  # without the chapter's number
ENTRY = re.compile(r"^\[\d+\. .*\]\((\w+)\.ipynb\)\n: (?:.+\n)+\n", re.M)
NUMBER = re.compile(r"^#+ Exercise \d+\.(\d+):", re.M)
FINAL = (
    "When all names are final, run .venv/bin/python tests/promises.py and update\n"
    "the counts in CHANGELOG.md. Until then, make check fails."
)

SOLUTION = '''

@exercise(
    "{id}",
    cases=lambda: [(0.0, 4.0), (2.0, 4.0), (-1.0, 0.5)],
    hint="Compute the second case on paper. What remains of the old state?",
    success="`{function}` halves the old state before it adds the input.",
    wrong={{
        "the state not halved": Wrong(lambda h, x: h + x, "How much of the old state remains?"),
        "the input halved too": Wrong(lambda h, x: (h + x) / 2, "Is the input halved?"),
    }},
)
def {function}(h, x):
    """Return half of the old state, plus the input."""
    return h / 2 + x
'''
TEST = """

def test_{function}_halves_the_state_and_adds_the_input():
    assert answers.{function}(3.0, 1.0) == 2.5
"""
ASKED = """### Exercise {number}: {title}

````{{exercise}} {title}
:label: ex-{id}
*code, 5 minutes.* Write `{function}(h, x)`. It returns half of the old state, plus the input.
````"""
STUB = """def {function}(h, x):
    raise NotImplementedError


check("{id}", {function})"""
SOLVED = """````{{solution}} ex-{id}
:label: sol-{id}
:class: dropdown

```python
def {function}(h, x):
    return h / 2 + x
```
````"""


def figure(chapter: str, name: str) -> str:
    """Copy the model figure, bundle the copy and draw it; return what to do next."""
    folder = FIGURES / name
    _refuse_taken(name, "figures", folder.exists())
    built = SHARED / "manifest.json"
    with _whole(folder, built, APPROVED):
        _copy(FIGURE, folder, partial(_figure_text, chapter=chapter, name=name))
        if not (ROOT / "explorables/node_modules").exists():
            _run("npm", "--prefix", "explorables", "ci", "--no-audit", "--no-fund")
        _run("node", "explorables/build.mjs", name)
        picture_file(name).write_text(picture(name, height(FIGURE.name)), "utf-8")
        states = json.loads(APPROVED.read_text("utf-8")) | {name: default_state(name)}
        text = json.dumps(dict(sorted(states.items())), indent=1, ensure_ascii=False)
        APPROVED.write_text(text + "\n", "utf-8")
    return f"""{_shown(folder)} is a copy of {FIGURE.name}, bundled and drawn.
Next: write meta.js, then math.js, view.js, style.css and test_{name}.py; show it in the notebook of
chapter {chapter} with explore.show("{name}"). {FINAL}
Check: make figures && .venv/bin/python -m pytest {_shown(folder)}"""


def _figure_text(text: str, chapter: str, name: str) -> str:
    return NAMED.sub(rf"\g<1>{name}", text).replace('chapter("13")', f'chapter("{chapter}")')


def exercise(chapter: str, name: str) -> str:
    """Add an exercise to a chapter, after its last one; return what to do next."""
    function, id = name.replace("-", "_"), f"{chapter}-{name}"
    [page] = (ROOT / "book").glob(f"{chapter}_*.ipynb")
    module = Path(exercises.__file__).with_name(f"chapter_{chapter}.py")
    tests = module.with_name(f"test_{module.name}")
    notebook = nbformat.read(page, as_version=4)
    code, cells = module.read_text("utf-8"), notebook.cells
    # The function must not replace another one that the page or the module uses.
    used = [code, *(cell.source for cell in cells if cell.cell_type == "code")]
    word = re.compile(rf"\b{function}\b|\b{id}\b")
    taken = function in dir(builtins) or any(map(word.search, used))
    _refuse_taken(name, "exercises", taken or any(c.id == f"ex-{name}" for c in cells), id)
    last = max(place for place, cell in enumerate(cells) if "{solution}" in cell.source)
    numbers = (int(n) for cell in cells for n in NUMBER.findall(cell.source))
    given = {
        "id": id,
        "function": function,
        "title": name.replace("-", " ").capitalize(),
        "number": f"{int(chapter)}.{max(numbers, default=0) + 1}",
    }
    cells[last + 1 : last + 1] = [
        nbformat.v4.new_markdown_cell(ASKED.format(**given), id=f"ex-{name}"),
        nbformat.v4.new_code_cell(STUB.format(**given), id=f"ex-{name}-stub"),
        nbformat.v4.new_markdown_cell(SOLVED.format(**given), id=f"sol-{name}"),
    ]
    with _whole(page, module, tests):
        module.write_text(_formatted(code + SOLUTION.format(**given), module), "utf-8")
        text = tests.read_text("utf-8") + TEST.format(**given)
        tests.write_text(_formatted(text, tests), "utf-8")
        nbformat.write(notebook, page)
    return f"""Exercise {given["number"]} is in {_shown(page)}, {_shown(module)}
and {tests.name}.
Next: write the cells ex-{name}, ex-{name}-stub and sol-{name}, then the solution, its cases, its
wrong answers and its test. {FINAL}
Check: make mutants CHAPTER={chapter} && .venv/bin/python -m pytest {_shown(tests)} \
tests/unit/test_checks_*.py -k "chapter_{chapter} or {id}\""""


def claim(chapter: str, name: str) -> str:
    """Copy the model claim with its result; return what to do next."""
    place = CLAIMS / f"chapter_{chapter}"
    folder = place / name.replace("-", "_")
    taken = any(CLAIMS.glob(f"*/{folder.name}")) or name in archived_slugs()
    _refuse_taken(name, "claims", taken)
    with _whole(folder, *([] if place.exists() else [place])):
        if not place.exists():
            place.mkdir()
            init = CLAIM.with_name("__init__.py").read_text("utf-8")
            (place / "__init__.py").write_text(init.replace("13", chapter), "utf-8")
        _copy(CLAIM, folder, partial(_claim_text, chapter=chapter, name=name))
    return f"""{_shown(folder)} is a copy of {CLAIM.name}, with its rows.
Next: write the claim, its conditions and CASES in test_claim.py, and commit them before you run it:
.venv/bin/python -m rnn_helpers.experiments run {name}
{FINAL}
Check: .venv/bin/python -m pytest {_shown(folder)} tests/structure -k "{folder.name} or {name}\""""


def _claim_text(text: str, chapter: str, name: str) -> str:
    text = text.replace("chapter_13", f"chapter_{chapter}")
    text = text.replace("length_success", name.replace("-", "_")).replace("length-success", name)
    return re.sub(r'short=".*"', f'short="A new claim, {name}"', text)


def chapter(number: str, name: str) -> str:
    """Copy the model chapter with its deck and exercises, and list it; return what to do next."""
    stem, last = f"{number}_{name.replace('-', '_')}", CHAPTERS[-1]
    _refuse_taken(name, "pages", any(stem[3:] == one[3:] for one in CHAPTERS), f"book/{stem}")
    book, solutions = ROOT / "book", Path(exercises.__file__).parent
    page, module = book / f"{CHAPTER}.ipynb", f"chapter_{CHAPTER[:2]}.py"
    model = page, book / f"slides/{CHAPTER}.md", solutions / module, solutions / f"test_{module}"
    title, labels = name.replace("-", " ").capitalize(), LABEL.findall(page.read_text("utf-8"))
    change = partial(_chapter_text, stem=stem, title=title, labels="|".join(labels))
    copies = {path.with_name(change(path.name)): change(path.read_text("utf-8")) for path in model}
    toc, index = ROOT / "_toc.yml", book / "index.md"
    unnumbered = ROOT / "tests/structure/test_equations_held.py"
    lists = {path: path.read_text("utf-8") for path in (toc, index, unnumbered)}
    entries = {found[1]: found[0] for found in ENTRY.finditer(lists[index])}
    lists[toc] = re.sub(rf"(.*/){last}\n", rf"\g<0>\g<1>{stem}\n", lists[toc])
    lists[index] = lists[index].replace(entries[last], entries[last] + change(entries[CHAPTER]))
    lists[unnumbered] = lists[unnumbered].replace("\n}\n", f'\n    "{stem}",\n}}\n', 1)
    with _whole(*copies, *lists):
        for path, text in (copies | lists).items():
            path.write_text(_formatted(text, path) if path.suffix == ".py" else text, "utf-8")
    *_, tests = copies
    return f"""book/{stem}.ipynb, its deck and its exercises are copies of {CHAPTER}.
Next: write its question in the notebook, the deck and {_shown(index)}, then its sections with
their exercises, and its slides. Once it shows a numbered equation of a source, delete it from
UNNUMBERED in {_shown(unnumbered)}. {FINAL}
Check: .venv/bin/python -m pytest {_shown(tests)} tests/structure \
tests/unit/test_checks_*.py -k "{number}_ or {number}- or chapter_{number} or contents\""""


def _chapter_text(text: str, stem: str, title: str, labels: str) -> str:
    number = stem[:2]
    for was, now in {
        r" \\\\tag\{.*?\}": "",  # the model's equations keep their numbers
        "02_unfolding": stem,
        r"\b2\. Unfolding": f"{int(number)}. {title}",
        r"\b02, Unfolding": f"{number}, {title}",
        r"(?<=hapter[ _])02": number,
        r"\b02-": f"{number}-",
        r"(?<=xercise )2\.": f"{int(number)}.",
        rf"\bsec-({labels})\b": rf"sec-{number}-\1",
    }.items():
        text = re.sub(was, now, text)
    return text


KINDS = {"figure": figure, "exercise": exercise, "claim": claim, "chapter": chapter}


def _refuse_taken(name: str, kind: str, taken: bool, full: str = "") -> None:
    """Refuse a name that exists, or that a published version had."""
    promised = json.loads((ROOT / "tests/promises.json").read_text("utf-8"))[kind]
    if taken or (full or name) in promised:
        raise ValueError(f"NAME is {name!r}, which exists or is promised; expected a new name")


def _copy(model: Path, folder: Path, change: Callable[[str], str]) -> None:
    """Copy the files of a model's folder, but not its folders, with their texts changed."""
    folder.mkdir()
    for path in filter(Path.is_file, model.iterdir()):
        made = folder / path.name.replace(model.name, folder.name)
        text = change(path.read_text("utf-8"))
        made.write_text(_formatted(text, made) if made.suffix == ".py" else text, "utf-8")


def _formatted(code: str, path: Path) -> str:
    """Format Python, since names of another length break lines elsewhere."""
    ruff = sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"
    return _run(*ruff, given=code)


def _run(*command: str, given: str | None = None) -> str:
    """Run a program at the top of the tree, and return its output."""
    try:
        return subprocess.run(
            command, cwd=ROOT, input=given, check=True, capture_output=True, text=True
        ).stdout
    except subprocess.CalledProcessError as error:
        raise OSError(f"{' '.join(command[:2])} failed:\n{error.stderr}") from None


@contextmanager
def _whole(*paths: Path) -> Iterator[None]:
    """Restore files, and remove what is new, if anything fails or is interrupted meanwhile."""
    before = {path: path.read_bytes() if path.exists() else None for path in paths}
    try:
        yield
    except BaseException:
        for path, content in before.items():
            if content is not None:
                path.write_bytes(content)
            elif path.is_file():
                path.unlink()
            else:
                shutil.rmtree(path, ignore_errors=True)
        raise


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main(arguments: list[str] | None = None) -> None:
    """Write what passes its tests, to start from, and print what to do next."""
    parser = argparse.ArgumentParser(prog="python -m press.new", description=main.__doc__)
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("chapter", metavar="CHAPTER", help="two digits")
    parser.add_argument("name", metavar="NAME", help="a slug")
    given = parser.parse_args(arguments)
    numbers = [stem[:2] for stem in CHAPTERS]
    wanted = f"one of {' '.join(numbers)}"
    if given.kind == "chapter":
        numbers = [f"{len(CHAPTERS) + 1:02}"]
        wanted = f"{numbers[0]}, the next number"
    pattern, form = (
        (WORD, "one word of 2 to 20 lowercase letters and digits, such as pendulum")
        if given.kind == "figure"
        else (SLUG, "lowercase words joined by hyphens, 40 letters at most, such as two-gates")
    )
    try:
        if given.chapter not in numbers:
            raise ValueError(f"CHAPTER is {given.chapter!r}, expected {wanted}")
        if not pattern.fullmatch(given.name) or keyword.iskeyword(given.name):
            raise ValueError(f"NAME is {given.name!r}, expected {form}")
        print(KINDS[given.kind](given.chapter, given.name))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    run_program(main)
