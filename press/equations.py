r"""Numbers of the sources' equations: ``\tag{G 10.9}``, ``[(G 10.9)](#eq-10.9)``.

The tag sets a number and the link refers to it. The letter names the source, so that equation
(G 10.9) can't be confused with exercise 10.9. Written this way an equation shows its number on a
page, in JupyterLab and in a student's notebook alike. On a page the number becomes an anchor,
``#equation-eq-10-9``, that any page can link to.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from press import internals

logger = logging.getLogger(__name__)

TAG = re.compile(r"\s*\\tag\{([^{}]+)\}")
REWRITE = "gathers_from_all_chapters"  # set in the metadata of such a page
SOURCES = {"G": "Goodfellow, Bengio and Courville, chapter 10", "C": "Chiang, chapter 5"}
LETTERS = {"10": "G", "5": "C"}  # by the chapter of the source


def tagged(number: str) -> str:
    """Return an equation's number with the letter of its source: ``G 10.9`` for ``10.9``."""
    return f"{LETTERS[number.partition('.')[0]]} {number}"


def find_numbers(text: str) -> list[str]:
    """Return the numbers, without letters, of the equations that a Markdown text sets."""
    return [tag.rpartition(" ")[2] for tag in TAG.findall(text)]


def numbered(env) -> dict[str, tuple[str, str]]:
    """Return the document and the tag of each equation of the sources, by its number."""
    return {
        label.removeprefix("eq-"): (docname, tag)
        for label, (docname, tag) in internals.equations(env).items()
        if label == f"eq-{str(tag).rpartition(' ')[2]}"
    }


class NumberEquations(SphinxTransform):
    r"""Give each displayed formula that carries a ``\tag`` its number and its anchor."""

    default_priority = 400  # before Sphinx collects labels

    def apply(self, **kwargs) -> None:
        """Read the tags of one document."""
        for block in self.document.findall(nodes.math_block):
            tex = block.astext()
            tags = TAG.findall(tex)
            if not tags:
                continue
            if len(tags) > 1:
                logger.warning("one \\tag per displayed formula, not %s", tags, location=block)
            number = tags[0].rpartition(" ")[2]
            if tags[0] != tagged(number):
                logger.warning("write \\tag{%s}, not %s", tagged(number), tags[0], location=block)
            label = f"eq-{number}"
            anchor = nodes.make_id(f"equation-{label}")
            block.children = [nodes.Text(TAG.sub("", tex))]
            block["label"], block["number"] = label, tagged(number)
            block["docname"], block["nowrap"] = self.env.docname, False
            block["ids"].append(anchor)
            self.document.note_explicit_target(block)
            internals.note_equation(self.env, label, tagged(number), block)


class Held(NamedTuple):
    """A test that holds an equation: its file, relative to the repository, and its name."""

    path: str
    test: str


def list_tests(root: Path) -> list[Path]:
    """List the files of tests that may hold an equation; none where the package is installed."""
    folders = (root / "tests", root / "rnn_helpers/exercises", root / "rnn_helpers/figures")
    return [path for folder in folders for path in sorted(folder.rglob("test_*.py"))]


def find_tests(root: Path) -> dict[str, list[Held]]:
    """Find which tests hold which equation, by reading their markers (nothing is run).

    Parameters
    ----------
    root : Path
        The repository.

    Returns
    -------
    dict
        Equation number to the tests marked ``@pytest.mark.equation(number, …)``, in file order.
    """
    held: dict[str, list[Held]] = {}
    for path in list_tests(root):
        text = path.read_text("utf-8")
        for function, numbers in _marked(ast.parse(text)) if "mark.equation" in text else ():
            for number in numbers:
                held.setdefault(number, []).append(
                    Held(path.relative_to(root).as_posix(), function)
                )
    return held


def _marked(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.equation":
                yield node.name, [ast.literal_eval(number) for number in mark.args]


def functions_by_equation() -> dict[str, list]:
    """Give, per equation number, the functions of `rnn_helpers.reference` that compute it."""
    from rnn_helpers.reference import EQUATIONS

    return EQUATIONS


def order(number: str) -> tuple:
    """Sort key that puts (5.4) before (5.10) and (10.8)."""
    return tuple(int(part) for part in re.findall(r"\d+", number))


class equation_index(nodes.General, nodes.Element):
    """Placeholder for the equation index until every chapter has been read."""


class EquationIndex(SphinxDirective):
    """``{equation-index}``: each numbered equation, its place, its function, its test."""

    def run(self) -> list[nodes.Node]:
        """Leave a placeholder; `FillEquationIndex` fills it."""
        for path in list_tests(Path(self.env.srcdir)):
            self.env.note_dependency(str(path))
        self.env.metadata[self.env.docname][REWRITE] = True
        return [equation_index()]


class FillEquationIndex(SphinxPostTransform):
    """Fill ``{equation-index}`` from the equations of all chapters."""

    default_priority = 5

    def run(self, **kwargs) -> None:
        """Replace each placeholder by one section per source."""
        for placeholder in list(self.document.findall(equation_index)):
            placeholder.replace_self(
                self._lists() or nodes.paragraph(text="No equation is set yet.")
            )

    def _lists(self) -> list[nodes.Node]:
        equations = numbered(self.env)
        numbers = sorted(equations, key=order)
        formulas = {
            block.get("label"): block.astext()
            for docname in {docname for docname, _ in equations.values()}
            for block in internals.doctree(self.env, docname).findall(nodes.math_block)
        }
        tests = find_tests(Path(self.env.srcdir))
        functions = functions_by_equation()
        result = []
        for letter, title in SOURCES.items():
            of_source = [number for number in numbers if tagged(number).startswith(letter)]
            if of_source:
                result.append(nodes.rubric(text=title))
            for number in of_source:
                result.append(
                    nodes.container(
                        "",
                        self._link(number),
                        _formula(formulas[f"eq-{number}"]),
                        _line("computed by", *_computed_by(functions.get(number, ()))),
                        _line("held by", nodes.Text(_held_by(tests.get(number, ())))),
                        classes=["equation-entry"],
                    )
                )
        return result

    def _link(self, number: str) -> nodes.paragraph:
        docname, tag = numbered(self.env)[number]
        page = self.app.builder.get_relative_uri(self.env.docname, docname)
        uri = f"{page}#{nodes.make_id(f'equation-eq-{number}')}"
        link = nodes.reference("", f"({tag})", refuri=uri, internal=True)
        return nodes.paragraph("", "", link)


def _formula(tex: str) -> nodes.math_block:
    return nodes.math_block(tex, tex, nowrap=False, number=None)


def _line(label: str, *parts: nodes.Node) -> nodes.paragraph:
    if not any(part.astext() for part in parts):
        return nodes.paragraph()
    return nodes.paragraph("", f"{label} ", *parts, classes=["equation-names"])


def _computed_by(functions) -> Iterator[nodes.Node]:
    for k, function in enumerate(functions):
        yield nodes.Text(", " if k else "")
        yield nodes.literal(text=f"{function.__module__.rpartition('.')[2]}.{function.__name__}")


def _held_by(tests: Iterable[Held]) -> str:
    """List the tests by their names, which are sentences."""
    names = dict.fromkeys(held.test.removeprefix("test_").replace("_", " ") for held in tests)
    return ", ".join(f"\u201c{name}\u201d" for name in names)


def rewrite_pages(app, env) -> list[str]:
    """Have the pages that gather from all chapters written again at every build."""
    return [docname for docname, metadata in env.metadata.items() if metadata.get(REWRITE)]


def setup(app) -> None:
    """Register numbers and index."""
    app.add_transform(NumberEquations)
    app.add_node(equation_index)
    app.add_directive("equation-index", EquationIndex)
    app.add_post_transform(FillEquationIndex)
    app.connect("env-updated", rewrite_pages)
