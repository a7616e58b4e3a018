"""Solutions and notes, and how to find them in a text that students can read."""

import html
import re
from functools import cache
from pathlib import Path

import nbformat

import rnn_helpers
from rnn_helpers.site.classroom import decks
from rnn_helpers.site.deck import Deck
from rnn_helpers.site.flatten import Block, blocks
from rnn_helpers.site.slides import BOOK
from rnn_helpers.site.students import chapters

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


@cache
def public():
    """The words of all that is no secret: the rest of chapters and decks, and the package."""
    package = [path for kind in ("py", "json") for path in PACKAGE.rglob(f"*.{kind}")]
    texts = [path.read_text("utf-8") for path in [*package, BOOK / "misprints.yml"]]
    return words("\n".join([*texts, *(told_and_rest(path)[-1] for path in chapters(BOOK))]))


def secret_phrases(told):
    """The phrases of solutions or notes that nobody could have read elsewhere."""
    return {phrase for phrase in phrases(told) if phrase not in public()}
