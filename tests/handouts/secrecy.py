"""Solutions and notes, and how to find them in a text that students can read."""

import html
import re
from functools import cache
from pathlib import Path

import nbformat
from books import NOTEBOOKS

import rnn_helpers
from press.deck import Deck
from press.flatten import Block, blocks
from press.slides import BOOK
from rnn_helpers.checks import exercises
from rnn_helpers.checks.guard import EXERCISES

PACKAGE = Path(rnn_helpers.__file__).parent
PHRASE = 8  # words: two texts share no run of this length by chance


def words(text):
    """Return a text's words and ends of sentences, with a space between them and without links."""
    text = re.sub(r"</?(?:a|span)\b[^>]*>|\]\([^)\s]*\)", "", text)
    return " ".join(re.findall(r"\w+|[.:;?!]", text.lower()))


def phrases(markdown):
    """Return long runs of words without a formula, code or a sentence's end, and lines of code."""
    code = re.findall(r"```\w*\n(.*?)```", markdown, re.DOTALL)
    prose = re.sub(
        r"```.*?```|\$\$.*?\$\$|\$[^$]+\$|`[^`]+`|\{[^}]+\}", "\n\n", markdown, flags=re.S
    )
    pieces = re.split(r"[.:;?!]\s|\n\s*\n", prose) + "\n".join(code).splitlines()
    return {phrase for piece in pieces if len((phrase := words(piece)).split()) >= PHRASE}


def read(name, content):
    """Return the words that a person can read in a file; none if it isn't a text file or pickle."""
    try:
        text = content.decode("latin-1" if name.endswith(".pickle") else "utf-8")
    except UnicodeDecodeError:
        return ""
    if name.endswith(".ipynb"):
        cells = nbformat.reads(text, as_version=4).cells
        return words("\n\n".join(cell.source for cell in cells))
    if name.endswith(".html"):  # a word may span elements, and elements may touch
        text = "\n".join(html.unescape(re.sub(r"<[^>]*>", gap, text)) for gap in ("", " "))
    return words(text)


def secrets_and_rest(path):
    """Return a chapter's solutions, its deck's notes, and the rest of both, which students see."""
    solutions, rest = [], []
    for cell in nbformat.read(path, as_version=4).cells:
        for piece in blocks(cell.source) if cell.cell_type == "markdown" else [cell.source]:
            if isinstance(piece, Block):
                (solutions if piece.name == "solution" else rest).append("\n".join(piece.body))
            else:
                rest.append(piece)
    deck = path.parent / "slides" / f"{path.stem}.md"
    slides = re.sub(r"::: notes.*?\n:::", "", deck.read_text("utf-8"), flags=re.DOTALL)
    notes = [slide.notes for slide in Deck.read(deck).slides]
    return "\n\n".join(solutions), "\n\n".join(notes), "\n\n".join([*rest, slides])


def printed_by_checks():
    """Return all that the checks of the exercises print."""
    for entry in exercises().values():
        yield from (entry.success, getattr(entry, "hint", ""), *entry.wrong)
        yield from (wrong.hint for wrong in entry.wrong.values())


@cache
def public():
    """Return the words that everybody may read.

    They are in chapters, decks, misprints, the package without its exercises, and checks' messages.
    """
    package = [path for kind in ("py", "json") for path in PACKAGE.rglob(f"*.{kind}")]
    files = [path for path in package if EXERCISES not in path.parents]
    texts = [path.read_text("utf-8") for path in [*files, BOOK / "misprints.yml"]]
    texts += [secrets_and_rest(path)[-1] for path in NOTEBOOKS]
    return words("\n".join([*texts, *printed_by_checks()]))


def secret_phrases(markdown):
    """Return the phrases of solutions or notes that `public` doesn't contain."""
    return {phrase for phrase in phrases(markdown) if phrase not in public()}
