"""The decks: ``python -m press.slides [NN …]``.

Reads ``book/slides/NN_name.md`` (its syntax: `press.deck`) and the chapter's executed
notebook, and writes ``_build/html/book/slides/NN_name.html``, to which the chapter's page links as
``slides/NN_name.html``. All decks share one folder of scripts, fonts and style sheets next to them.
A deck works without a network, also over ``file://``.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from press import edition, render
from press.deck import Cell, Deck, DeckError, Slide
from press.flatten import Block, Context, blocks, flatten
from press.internals import kept_outputs
from press.policy import META, content_security_policy, left_to_right, unbroken
from press.render import TEMPLATES
from press.renderers import CLAIM, FIGURE, copy_figures, write_picture
from press.students import plain_words
from press.whole import replacing
from rnn_helpers import palette
from rnn_helpers.commands import run_program
from rnn_helpers.explore import html as figure_html
from rnn_helpers.explore import manifest, scripts_for, show, styles_for
from rnn_helpers.figures.result import figure as result

ROOT = Path(__file__).parents[1]
BOOK, SITE, CACHE = ROOT / "book", ROOT / "_build/html", ROOT / "_build/.jupyter_cache"
DECKS = "book/slides"  # below the site, as the sources are below the repository
ASSETS = "reveal"  # below DECKS
REVEAL = Path(__file__).parent / "vendor/reveal"  # reveal.js 5.2.0
STATIC = "_static"  # below the site: files that its pages and the decks both load
PICTURES = "_images"  # below the site: the pages' own files
# The end of the presenter's page in the script that writes it, with a sheet and a script added.
PRESENTER_END = r"\n\t</body>"
PRESENTER = (
    f"<link rel='stylesheet' href='{ASSETS}/presenter.css'>"
    f"<script src='{ASSETS}/presenter.js'></script>{PRESENTER_END}"
)
# On phones, reveal.js shows the slides in one column, and keeps them as text for that time. When a
# phone is turned, it shows copies, whose figures don't answer. So keep the slides themselves. Also
# find slides by links, which have no vertical index, show all of a slide that a link leads to, and
# begin where the column was left only after a reload.
COLUMN = {
    "this.slideHTMLBeforeActivation=this.Reveal.getSlidesElement().innerHTML": (
        "this.slidesBeforeActivation=[...this.Reveal.getSlidesElement().children]"
    ),
    "this.Reveal.getSlidesElement().innerHTML=this.slideHTMLBeforeActivation": (
        "this.Reveal.getSlidesElement().replaceChildren(...this.slidesBeforeActivation)"
    ),
    "this.slideHTMLBeforeActivation=null": "this.slidesBeforeActivation=null",
    "i.indexh===e&&i.indexv===t": "i.indexh===e&&i.indexv===(t??0)",
    "t.range[0]*(this.viewportElement.scrollHeight-this.viewportElement.offsetHeight)": (
        "t.range[0]/(1-t.range[1]+t.range[0])"
        "*(this.viewportElement.scrollHeight-this.viewportElement.offsetHeight)"
    ),
    "this.activatedCallbacks=[],this.restoreScrollPosition()": (
        "this.activatedCallbacks=[],e.indexh??this.restoreScrollPosition()"
    ),
}
EMBEDDED = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")
UNSEEN = re.compile(r"^#\s*(?:fmt|ruff):.*\n", re.M)


class DeckExporter(TemplateExporter):
    """Writes a deck's notebook (`assemble`) as a reveal.js page."""

    output_mimetype = "text/html"

    def _file_extension_default(self) -> str:
        return ".html"

    def _template_name_default(self) -> str:
        return "deck"

    def _extra_template_basedirs_default(self) -> list[str]:
        return [str(TEMPLATES)]

    def default_filters(self):
        """Add the filters that set Markdown, notes, code and outputs."""
        yield from super().default_filters()
        yield "deck_markdown", render.markdown
        yield "deck_inline", render.inline
        yield "deck_notes", render.notes
        yield "deck_output", render.output
        yield "figure_words", figure_html.inline
        yield "highlight_code", Highlight2HTML(pygments_lexer="python", parent=self)


def executed(path: Path, cache: Path = CACHE) -> NotebookNode:
    """Give a chapter with its outputs: those the book's build kept, or else fresh ones.

    Parameters
    ----------
    path
        The chapter's notebook.
    cache
        The folder of jupyter-cache.

    Returns
    -------
    NotebookNode
        The executed notebook, with the ids of the file.

    Raises
    ------
    DeckError
        If the file is no notebook, or the cache is damaged.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
    except ValueError as error:
        raise DeckError(f"{path.name} is not a notebook: {error}") from None
    if cache.is_dir():
        try:
            return kept_outputs(cache, notebook)
        except KeyError:
            pass
        except ValueError:
            raise DeckError(f"what was kept in {cache} is damaged: make book mends it") from None
    from nbclient import NotebookClient

    print(f"{path.name} is not in the cache of `make book`: running it", flush=True)
    resources = {"metadata": {"path": str(path.parent)}}
    # If the cell failed, the slide that shows it reports that.
    client = NotebookClient(notebook, timeout=300, allow_errors=True, resources=resources)
    return client.execute()


def assemble(deck: Deck, chapter: NotebookNode, context: Context | None = None) -> NotebookNode:
    """Collect the contents of a deck, slide by slide.

    Parameters
    ----------
    deck
        What is to be shown.
    chapter
        The executed chapter.
    context
        Replacements for references and citations in its text.

    Returns
    -------
    NotebookNode
        One cell per piece of Markdown or cell of the chapter, whose metadata hold ``slide``,
        ``column``, ``show`` and ``fragment``.

    Raises
    ------
    DeckError
        If a cell is unknown, empty or cannot be shown as asked.
    """
    cells = {cell.id: cell for cell in chapter.cells}
    assembled = nbformat.v4.new_notebook()
    for slide in deck.slides:
        for column, pieces in enumerate(slide.columns):
            for piece in pieces:
                if isinstance(piece, str):
                    cell = nbformat.v4.new_markdown_cell(piece)
                else:
                    source = deck.find(piece, slide, cells)
                    try:
                        _require_no_solution(source)
                        cell = _shown(piece, source, context)
                    except ValueError as error:
                        where = f"{deck.name}, slide {slide.number} ({slide.title})"
                        raise DeckError(f"{where}, cell {piece.id!r}: {error}") from None
                cell.metadata |= {"slide": slide.number, "column": column}
                assembled.cells.append(cell)
    return assembled


def _require_no_solution(source: NotebookNode) -> None:
    pieces = blocks(source.source) if source.cell_type == "markdown" else []
    if any(isinstance(piece, Block) and piece.is_solution for piece in pieces):
        raise ValueError("it is a solution, and students are given the decks")


def _shown(asked: Cell, source: NotebookNode, context: Context | None) -> NotebookNode:
    if source.cell_type == "markdown":
        return _shown_text(asked, source.source, context)
    if asked.show == "math":
        raise ValueError("show: math asks for a Markdown cell, and this is code")
    code = (
        source.source if asked.show in ("output", "plot") else _excerpt(asked.lines, source.source)
    )
    cell = nbformat.v4.new_code_cell(code, outputs=source.outputs)
    cell.metadata |= {"show": asked.show or "output", "fragment": asked.fragment, "from": asked.id}
    failed = next((out for out in cell.outputs if out.output_type == "error"), None)
    if failed:
        raise ValueError(f"it ended in {failed.ename}: {failed.evalue}")
    if cell.metadata.show != "code" and not any(render.output(out) for out in cell.outputs):
        raise ValueError("it has no output to show (show: code shows its source)")
    if asked.lines and asked.show == "output":
        cell.outputs = [_printed(asked.lines, cell.outputs)]
    if asked.show == "plot":
        cell.metadata.show = "output"
        cell.outputs = [out for out in cell.outputs if out.output_type != "stream"]
        if not cell.outputs:
            raise ValueError("it shows no plot")
    if asked.state:
        cell.outputs = [_reset(asked.state, cell.outputs)]
    return cell


def _shown_text(asked: Cell, text: str, context: Context | None) -> NotebookNode:
    if asked.show not in ("", "math") or asked.state:
        raise ValueError(f"a Markdown cell takes only show: math, not {asked.show or asked.state}")
    text = flatten(text, context)
    if asked.show == "math":
        equations = re.findall(r"\$\$.+?\$\$", text, re.DOTALL)
        text = "\n\n".join(_some(asked.lines, equations))
    if not text.strip():
        raise ValueError("there is nothing to show in it")
    cell = nbformat.v4.new_markdown_cell(text)
    cell.metadata |= {"fragment": asked.fragment, "from": asked.id}
    return cell


def _some(span: tuple[int, int] | None, lines: list[str]) -> list[str]:
    first, last = span or (1, len(lines))
    if span and not 1 <= first <= last <= len(lines):
        raise ValueError(f"lines: {first}-{last}, but it has lines 1 to {len(lines)}")
    return lines[first - 1 : last]


def _printed(span: tuple[int, int], outputs: list[NotebookNode]) -> NotebookNode:
    printed = "".join(out.text for out in outputs if out.get("name") == "stdout")
    return nbformat.v4.new_output(
        "stream", name="stdout", text="\n".join(_some(span, printed.splitlines()))
    )


def _excerpt(span: tuple[int, int] | None, source: str) -> str:
    source = "\n".join([*_some(span, source.splitlines()), ""])
    source = UNSEEN.sub("", source).strip("\n")
    return re.sub(r"\n{3,}", "\n\n", source)  # a slide has no room for two empty lines


def _reset(state: dict, outputs: list[NotebookNode]) -> NotebookNode:
    figure = next((out.data[FIGURE] for out in outputs if FIGURE in out.get("data", {})), None)
    if figure is None:
        raise ValueError(f"{', '.join(state)} would set a figure's state, and it shows no figure")
    payload = show(figure["module"], **(figure["state"] | state)).payload
    return nbformat.v4.new_output("display_data", data={FIGURE: payload})


def _outputs(cells: list[NotebookNode], kind: str) -> list[dict]:
    """List the outputs of a MIME type."""
    outputs = (out.get("data", {}) for cell in cells for out in cell.get("outputs", []))
    return [data[kind] for data in outputs if kind in data]


def _results(cells: list[NotebookNode]) -> list[dict]:
    """List the figures of experiments."""
    return [claim["figure"] for claim in _outputs(cells, CLAIM) if claim["figure"]]


def _modules(cells: list[NotebookNode]) -> list[str]:
    """Name the figures whose scripts a deck needs."""
    return [figure["module"] for figure in [*_outputs(cells, FIGURE), *_results(cells)]]


def _figure_notes(slide: Slide, cells: list[NotebookNode]) -> list[tuple[str, str]]:
    shown = [cell for cell in cells if cell.metadata.slide == slide.number]
    asked = [figure["state"] for figure in _results(shown) if figure["state"]["ask"]]
    return [
        *((figure["question"], _prediction(figure)) for figure in _outputs(shown, FIGURE)),
        *(("", result.answer(state)) for state in asked),
    ]


def _prediction(figure: dict) -> str:
    own, asked = manifest()[figure["module"]], figure["state"]
    if "answer" not in asked and figure["question"] == own["question"]:
        asked = own.get("prediction", {})
    if "answer" not in asked:
        return ""
    return f"{asked['question']} Answer: {asked['answer']}. {asked.get('why', '')}"


def write_assets(site: Path) -> None:
    """Write the files that all decks share: reveal.js, style sheets, the figures' scripts.

    Parameters
    ----------
    site
        The site's folder; `ASSETS` and `STATIC` are made where they are missing, and files that
        are already there replaced.
    """
    own = Path(__file__).parent / "static"
    folder, static = site / DECKS / ASSETS, site / STATIC
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    shutil.copytree(own / "katex", static / "katex", dirs_exist_ok=True)
    shutil.copyfile(own / "copy.js", static / "copy.js")
    copy_figures(static)
    for path in (
        REVEAL / "LICENSE",
        TEMPLATES / "deck/deck.css",
        TEMPLATES / "deck/deck.js",
        TEMPLATES / "deck/lecturer.js",
        TEMPLATES / "deck/presenter.css",
        TEMPLATES / "deck/presenter.js",
    ):
        shutil.copyfile(path, folder / path.name)
    for name, changes in {"reveal.js": COLUMN, "notes.js": {PRESENTER_END: PRESENTER}}.items():
        script = (REVEAL / name).read_text("utf-8")
        for old, new in changes.items():
            assert script.count(old) == 1, f"another {name} than the one that we change: {old}"
            script = script.replace(old, new)
        (folder / name).write_text(script, "utf-8")
    # Its print sheet undoes every layout; deck.css has one that keeps the slides as they are.
    sheet = (REVEAL / "reveal.css").read_text("utf-8").partition("@media print{")[0]
    (folder / "reveal.css").write_text(sheet, "utf-8")
    (folder / "palette.css").write_text(palette.css(), "utf-8")
    light = HtmlFormatter(style="a11y-high-contrast-light").get_style_defs(".highlight")
    dark = HtmlFormatter(style="a11y-high-contrast-dark").get_style_defs(
        'html[data-theme="dark"] .highlight'
    )
    code = f"{light}\n@media screen {{\n{dark}\n}}\n"
    (folder / "code.css").write_text(code, "utf-8")


def _speaker_view() -> str:
    return (REVEAL / "speaker-view.html").read_text("utf-8")


def _own(*names: str) -> list[str]:
    return [f"{ASSETS}/{name}" for name in names]


def _shared(*names: str) -> list[str]:
    return [f"../../{STATIC}/{name}" for name in names]


def page(deck: Deck, chapter: NotebookNode, link: str = "", context: Context | None = None) -> str:
    """Write a deck as HTML.

    Parameters
    ----------
    deck
        What is to be shown.
    chapter
        The executed chapter.
    link
        The address of the chapter's page, relative to the deck; empty if there is no page.
    context
        What references and citations in the chapter's text become.

    Returns
    -------
    str
        The page, with a Content-Security-Policy that blocks other origins.
    """
    notebook = assemble(deck, chapter, context)
    modules = _modules(notebook.cells)
    scripts = _own("reveal.js", "notes.js", "deck.js", "lecturer.js")
    scripts += _shared("copy.js", *scripts_for(modules))
    shared = _shared("katex/katex.min.css", *(styles_for(modules) or ["sans.css"]))
    sheets = [*_own("reveal.css", "palette.css"), *shared, *_own("code.css", "deck.css")]
    resources: dict[str, Any] = {
        "deck": deck,
        "book": edition.title(ROOT),
        "page": link,
        "sheets": sheets,
        "scripts": scripts,
        "figure_notes": _figure_notes,
    }
    html, _ = DeckExporter().from_notebook_node(notebook, resources)
    html = unbroken(left_to_right(html))
    # The presenter's window takes its page from a script and its policy from the deck.
    policy = content_security_policy(html + _speaker_view())
    return html.replace("<head>", f"<head>\n{META.format(policy=policy)}", 1)


def write(path: Path, site: Path = SITE, cache: Path = CACHE) -> Path:
    """Write one deck into a site.

    Parameters
    ----------
    path
        The deck's Markdown, in ``slides/`` below the chapters.
    site
        The site's folder; the deck goes to `DECKS` below it, next to its `ASSETS`.
    cache
        The folder of jupyter-cache.

    Returns
    -------
    Path
        The deck.

    Raises
    ------
    DeckError
        If the deck or a cell it names is at fault.
    """
    deck = Deck.read(path)
    notebook = path.parents[1] / f"{deck.chapter}.ipynb"
    if not notebook.is_file():
        raise DeckError(f"{deck.name}: its chapter, {notebook.name}, does not exist")
    folder = site / DECKS
    page_of_chapter = folder.parent / f"{deck.chapter}.html"
    link = f"../{page_of_chapter.name}" if page_of_chapter.is_file() else ""
    target = folder / f"{path.stem}.html"
    html = page(deck, executed(notebook, cache), link, plain_words(notebook.parent))
    html = EMBEDDED.sub(
        lambda found: f"../../{PICTURES}/{write_picture(site / PICTURES, found[1])}", html
    )
    with replacing(target) as part:
        part.write_text(html, "utf-8")
    return target


def main(arguments: list[str] | None = None) -> int:
    """Write the decks of some chapters, or all."""
    parser = argparse.ArgumentParser(prog="python -m press.slides", description=main.__doc__)
    parser.add_argument("chapters", nargs="*", metavar="NN", help="02, say; all decks without any")
    wanted = parser.parse_args(arguments).chapters
    try:
        decks = edition.decks(BOOK)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    known = {path.name[:2]: path for path in decks}
    if unknown := [number for number in wanted if number not in known]:
        print(
            f"no deck {', '.join(unknown)} in book/slides; there are: {', '.join(known)}",
            file=sys.stderr,
        )
        return 2
    write_assets(SITE)
    for built in (SITE / DECKS).glob("*.html"):
        if built.stem not in {path.stem for path in decks}:
            built.unlink()  # its source is gone, and it would be handed out
    for number in wanted or known:
        try:
            print(write(known[number]).as_uri())
        except (DeckError, ValueError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    run_program(main)
