"""The classroom's archive, read by a student who looks for answers.

One place holds them and must: the package's checks, in the wheel, compare with them. That handing
one of those back passes for no answer is tested with the checks.
"""

import html
import io
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from sphinx.search.en import SearchEnglish

import rnn_helpers
from rnn_helpers.site.classroom import DIST, decks
from rnn_helpers.site.deck import Deck
from rnn_helpers.site.flatten import Block, blocks
from rnn_helpers.site.internals import read_index
from rnn_helpers.site.search import GREEK
from rnn_helpers.site.slides import BOOK
from rnn_helpers.site.students import chapters

pytestmark = pytest.mark.xdist_group("handouts")

CHAPTERS = [
    pytest.param(path, id=path.stem, marks=pytest.mark.chapter(path.name[:2]))
    for path in chapters(BOOK)
]
PACKAGE = Path(rnn_helpers.__file__).parent
PHRASE = 8  # words in a row that nobody writes by chance


def words(text):
    """A text's words and the ends of its sentences, one blank between them; no marks of a link."""
    text = re.sub(r"</?(?:a|span)\b[^>]*>|\]\([^)\s]*\)", "", text)
    return " ".join(re.findall(r"\w+|[.:;?!]", text.lower()))


def phrases(markdown):
    """Runs of words between formulas, code and the ends of sentences; the lines of code apart."""
    code = re.findall(r"```\w*\n(.*?)```", markdown, re.DOTALL)
    prose = re.sub(
        r"```.*?```|\$\$.*?\$\$|\$[^$]+\$|`[^`]+`|\{[^}]+\}", "\n\n", markdown, flags=re.S
    )
    pieces = re.split(r"[.:;?!]\s|\n\s*\n", prose) + "\n".join(code).splitlines()
    return {phrase for piece in pieces if len((phrase := words(piece)).split()) >= PHRASE}


def read(name, content):
    """The words that a person can read in a file; none in what is no text."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return ""
    if name.endswith(".ipynb"):
        cells = nbformat.reads(text, as_version=4).cells
        return words("\n\n".join(cell.source for cell in cells))
    if name.endswith(".html"):  # a word may go through several elements, and two may touch
        text = "\n".join(html.unescape(re.sub(r"<[^>]*>", gap, text)) for gap in ("", " "))
    return words(text)


@pytest.fixture(scope="module")
def archive():
    """The words of every text in the archive and in its wheel, but for the package's checks."""
    path = DIST / "unfolded-classroom.zip"
    assert path.is_file(), "run `make classroom` first"
    with zipfile.ZipFile(path) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    (wheel,) = (name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files.pop(wheel))) as opened:
        files |= {f"{wheel}/{name}": opened.read(name) for name in opened.namelist()}
    return {
        name: read(name, content)
        for name, content in files.items()
        if "/rnn_helpers/checks/" not in name
    }


def told_and_rest(path):
    """A chapter's solutions and its deck's notes, which students are not shown, and the rest."""
    solutions, rest = [], []
    for cell in nbformat.read(path, as_version=4).cells:
        for piece in blocks(cell.source) if cell.cell_type == "markdown" else [cell.source]:
            if isinstance(piece, Block):
                (solutions if piece.name == "solution" else rest).append("\n".join(piece.body))
            else:
                rest.append(piece)
    (deck,) = (deck for deck in decks(BOOK) if deck.stem == path.stem)
    slides = re.sub(r"::: notes.*?\n:::", "", deck.read_text("utf-8"), flags=re.DOTALL)
    notes = [slide.notes for slide in Deck.read(deck).slides]
    return "\n\n".join(solutions), "\n\n".join(notes), "\n\n".join([*rest, slides])


@pytest.fixture(scope="module")
def public():
    """The words of all that is no secret: the rest of chapters and decks, and the package."""
    package = [path for kind in ("py", "json") for path in PACKAGE.rglob(f"*.{kind}")]
    texts = [path.read_text("utf-8") for path in [*package, BOOK / "misprints.yml"]]
    return words("\n".join([*texts, *(told_and_rest(path)[-1] for path in chapters(BOOK))]))


def leaks(secrets, archive):
    return {
        (name, phrase) for name, text in archive.items() for phrase in secrets if phrase in text
    }


@pytest.mark.parametrize("what", ["solution", "note"])
@pytest.mark.parametrize("path", CHAPTERS)
def test_nothing_is_found_of_what_is_not_told(path, what, archive, public):
    solutions, notes, _ = told_and_rest(path)
    told = {"solution": solutions, "note": notes}[what]
    secrets = {phrase for phrase in phrases(told) if phrase not in public}
    assert len(secrets) > 10
    assert not leaks(secrets, archive)


def test_the_search_finds_no_solution(archive):
    with zipfile.ZipFile(DIST / "unfolded-classroom.zip") as opened:
        index = read_index(opened.read("unfolded/site/searchindex.js").decode())
    assert not [title for title in index["alltitles"] if title.startswith("Solution to")]
    stem = SearchEnglish({}).stem
    signs = set(map(stem, GREEK.values()))  # the index names the Greek letters of formulas
    for number, name in enumerate(index["docnames"]):
        if not (path := BOOK.parent / f"{name}.ipynb").is_file():
            continue
        told, *_ = told_and_rest(path)
        page = archive[f"unfolded/site/{name}.html"].split()
        shown = {*page, *map(stem, page), *signs}
        secrets = set(map(stem, words(told).split())) - shown
        indexed = {word for word, places in index["terms"].items() if number in listed(places)}
        secrets = {word for word in secrets if len(word) > 1}  # a letter tells nothing
        assert secrets
        assert not secrets & indexed, name


def listed(places):
    return places if isinstance(places, list) else [places]
