"""Notebooks to hand out: the student's, without solutions, and the instructor's, with notes.

Both are made from ``book/NN_name.ipynb``. Their text is plain Markdown (by `flatten`),
so that they read well in JupyterLab and in Colab alike; they carry no outputs.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from press import edition, left_out
from press.deck import Deck, Slide
from press.dependencies import needed
from press.downloads import ARCHIVE
from press.flatten import Block, Context, blocks, flatten, labels
from press.times import count

SOLUTION = "solution"  # the tag of a code cell with a solution that isn't gated
PROJECT = Path(__file__).parents[1] / "pyproject.toml"
TORCH = "torch"  # the tag of a code cell that needs PyTorch
FOLDED = {"hide-cell", "hide-input", "remove-cell", "remove-input"}  # tags of folded code
UNSEEN = "remove-cell"  # the tag of a cell that no page shows
INSTALL = """\
# Once rnn_helpers is installed, this cell does nothing. Elsewhere it needs the file
# {wheel} beside this notebook: on Colab, upload it first.
try:
    import rnn_helpers
except ModuleNotFoundError:
    %pip install --quiet ./{wheel}"""
LAUNCHED = """\
# On Binder rnn_helpers is installed, and this cell does nothing. On Colab it installs the package.
try:
    import rnn_helpers
except ModuleNotFoundError:
    %pip install --quiet {address}"""
WELCOME = """\
> **{whose}: {which}**
>
> Run the cells from top to bottom with Shift+Enter. The figures and sliders are interactive. Each
> exercise has a cell for your answer: run it, and it checks the answer and gives a hint. This
> takes {times}."""
ON_YOUR_MACHINE = """
>
> This notebook uses the package `rnn_helpers`, which is in the file
> {wheel}. That file and `requirements.txt` come with the classroom
> download, and with {archive}, which every chapter's page offers. Put this notebook
> beside them, unless it is there already. Then run
> `pip install --no-deps -r requirements.txt ./{wheel}` in this folder,
> and `jupyter lab`. {needs}"""
ON_ANOTHERS = """
>
> The first code cell installs the package where it is missing; that alone uses the network.
> {needs}"""
NEEDS = {
    False: "Nothing\n> here needs a network or PyTorch.",
    True: "The\n> cells that train networks, or compare with PyTorch's, need PyTorch and say so;\n"
    "> all others do without.",
}
NEEDS_THERE = NEEDS | {False: "Nothing here needs PyTorch."}


def wheel_name() -> str:
    """Return the name that hatchling gives the package's wheel."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    return f"rnn_helpers-{project['version']}-py3-none-any.whl"


def trains(notebook: NotebookNode) -> bool:
    """Whether a chapter has cells that need PyTorch."""
    return any(TORCH in cell.metadata.get("tags", []) for cell in notebook.cells)


def student(path: Path, address: str = "") -> NotebookNode:
    """Make the student's copy of a chapter.

    Parameters
    ----------
    path
        The chapter's notebook.
    address
        Where a launched notebook finds the package's wheel; without one, it lies in its folder.

    Returns
    -------
    NotebookNode
        The cells of the page in plain Markdown. Stubs and checks stay. Solutions are out, and so
        are the cells that the page doesn't show, unless a later cell uses a name they define.

    Raises
    ------
    ValueError
        If a directive has no plain form, or a solution is never ended; the cell is named.
    """
    notebook = _notebook(path, "Student notebook", solutions=False, address=address)
    notebook.cells = _without_unseen(notebook.cells, nbformat.read(path, as_version=4).cells)
    return notebook


def _without_unseen(cells: list[NotebookNode], chapter: list[NotebookNode]) -> list[NotebookNode]:
    """Drop the cells that the chapter's page doesn't show and that no other cell needs."""
    unseen = {cell.id for cell in chapter if UNSEEN in cell.metadata.get("tags", [])}
    code = [cell for cell in cells if cell.cell_type == "code" and cell.id != "install"]
    shown = [place for place, cell in enumerate(code) if cell.id not in unseen]
    unseen -= {code[place].id for place in needed([cell.source for cell in code], shown)}
    return [cell for cell in cells if cell.id not in unseen]


def instructor(path: Path, deck: Deck | None = None) -> NotebookNode:
    """Make the instructor's copy of a chapter.

    Parameters
    ----------
    path
        The chapter's notebook.
    deck
        The chapter's deck, whose plan and notes are added to the cells that its slides show.

    Returns
    -------
    NotebookNode
        The same cells in plain Markdown, with solutions in their places.

    Raises
    ------
    ValueError
        As `student` does.
    """
    notebook = _notebook(path, "Instructor notebook", solutions=True)
    if deck is None:
        return notebook
    by_cell: dict[str, list[Slide]] = {}
    known = {cell.id for cell in notebook.cells}
    place = notebook.cells[0].id
    for slide in deck.slides:
        place = next((cell.id for cell in slide.cells if cell.id in known), place)
        by_cell.setdefault(place, []).append(slide)
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        cells += [_note(slide) for slide in by_cell.get(cell.id, [])]
    notebook.cells = [cells[0], _plan(deck), *cells[1:]]
    return notebook


def _plan(deck: Deck) -> NotebookNode:
    rows = [f"| {part} | {slides} | {minutes:g} |" for part, slides, minutes in deck.plan]
    text = [
        f"## The plan of the lesson: {deck.minutes:g} minutes",
        "",
        "| part | slides | minutes |",
        "|---|---|---|",
        *rows,
    ]
    return nbformat.v4.new_markdown_cell("\n".join(text), id="plan")


def _note(slide: Slide) -> NotebookNode:
    minutes = f"{slide.minutes:g} min" if slide.minutes else "spare"
    title = re.sub(r"\[([^\]]*)\]\{[^}]*\}", r"\1", slide.title)
    notes = re.sub(r"^(\w+):", r"**\1:**", slide.notes, flags=re.M)
    text = [f"**Slide {slide.number}: {title}** ({minutes})", "", notes]
    quoted = "\n".join(f"> {line}".rstrip() for line in "\n".join(text).splitlines())
    return nbformat.v4.new_markdown_cell(quoted, id=f"slide-{slide.number}")


def _notebook(path: Path, whose: str, solutions: bool, address: str = "") -> NotebookNode:
    chapter = nbformat.read(path, as_version=4)
    is_chapter = edition.CHAPTER.fullmatch(path.stem)
    context = plain_words(path.parent if is_chapter else path.parents[1], solutions)
    cells, inside = [], False
    for cell in chapter.cells:
        try:
            text, inside = _without_solutions(cell, inside, solutions)
            if text is None:
                continue
            if cell.cell_type == "markdown":
                text = flatten(text, context)
        except ValueError as error:
            raise ValueError(f"{path.name}, cell {cell.id!r}: {error}") from None
        if text.strip():
            cells.append(_plain(cell, text))
    if inside:
        raise ValueError(f"{path.name}: a solution-start has no solution-end")
    wheel = wheel_name()
    install = nbformat.v4.new_code_cell(
        (LAUNCHED if address else INSTALL).format(address=address, wheel=wheel), id="install"
    )
    way, needs = (ON_ANOTHERS, NEEDS_THERE) if address else (ON_YOUR_MACHINE, NEEDS)
    welcome = (WELCOME + way).format(
        whose=whose,
        which=f"chapter {path.stem[:2]}" if is_chapter else edition.page_title(path),
        times=count(path),
        needs=needs[trains(chapter)],
        archive=ARCHIVE,
        wheel=wheel,
    )
    notebook = nbformat.v4.new_notebook(cells=[cells[0], _text(welcome), install, *cells[1:]])
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    notebook.metadata["language_info"] = {  # for programs that convert the notebook without Jupyter
        "name": "python",
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "pygments_lexer": "ipython3",
        "nbconvert_exporter": "python",
        "codemirror_mode": {"name": "ipython", "version": 3},
    }
    nbformat.validate(notebook)
    return notebook


def _text(text: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(text, id="welcome")


def _without_solutions(
    cell: NotebookNode, inside: bool, solutions: bool
) -> tuple[str | None, bool]:
    """Return the part of a cell's source that stays, and whether a gated solution is still open."""
    if solutions:
        return cell.source, inside
    if cell.cell_type != "markdown":
        hidden = inside or SOLUTION in cell.metadata.get("tags", [])
        return (None if hidden else cell.source), inside
    kept = []
    for piece in blocks(cell.source):
        name = piece.name if isinstance(piece, Block) else ""
        if name == "solution-start":
            inside = True
        elif name == "solution-end":
            inside = False
        elif not inside:
            kept.append(piece if isinstance(piece, str) else "\n".join(piece.source))
    return "\n".join(kept), inside


def _plain(cell: NotebookNode, text: str) -> NotebookNode:
    if cell.cell_type == "markdown":
        return nbformat.v4.new_markdown_cell(text, id=cell.id)
    plain = nbformat.v4.new_code_cell(text, id=cell.id)
    tags = set(cell.metadata.get("tags", []))
    if FOLDED & tags:
        plain.metadata["jupyter"] = {"source_hidden": True}
    if TORCH in tags:  # without PyTorch, "Run all" continues after it
        plain.metadata["tags"] = [TORCH, "raises-exception"]
    return plain


def plain_words(book: Path, solutions: bool = True) -> Context:
    """Return the replacements of references, citations and links in plain Markdown.

    Parameters
    ----------
    book
        The folder of the chapters and of ``references.bib``.
    solutions
        Whether solutions stay.

    Returns
    -------
    Context
        For `flatten`: links to other chapters' notebooks stay, those to pages become words.
    """
    titles: dict[str, str] = {}
    for path in [*edition.chapters(book), *edition.left_out(book)]:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                titles |= labels(cell.source)
    siblings = {path.name for path in edition.chapters(book)}
    missing, complete = left_out.places(book), edition.complete_book(book.parent)

    def link(text: str, target: str) -> str:
        if place := missing.get(target.removeprefix("#")):
            return f"[{text}]({complete}{place.address})" if complete else place.words(text)
        return f"[{text}]({target})" if target.partition("#")[0] in siblings else text

    return Context(
        titles=titles, cite=_citer(book / "references.bib"), link=link, solutions=solutions
    )


@cache
def _bibliography(path: Path) -> dict:
    from pybtex.database import parse_file

    return dict(parse_file(str(path)).entries) if path.is_file() else {}


def _citer(path: Path):
    """Cite as ``Goodfellow et al., 2016`` or, in a sentence, ``Goodfellow et al. (2016)``."""

    def cite(key: str, textual: bool) -> str:
        entry = _bibliography(path).get(key)
        if entry is None:
            raise ValueError(f"{path.name} has no entry {key!r}")
        people = entry.persons.get("author", [])
        # The rich names are the plain ones with accents in place of LaTeX.
        names = [" ".join(map(str, person.rich_last_names)) for person in people]
        who = _enumerate(names) or entry.fields.get("title", key)
        year = entry.fields.get("year", "n.d.")
        return f"{who} ({year})" if textual else f"{who}, {year}"

    return cite


def _enumerate(names: Iterable[str]) -> str:
    names = [name.strip("{}") for name in names]
    return f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
