"""The deck format: ``book/slides/NN_name.md``, which names the chapter's cells.

A deck owns titles, questions, notes and minutes; equations, figures, code and results come from the
chapter, by cell id::

    ---
    chapter: 02_unfolding
    title: Unfolding a loop
    question: How does one small loop become a network as long as the sentence?
    ---

    # A loop that reads

    ## One loop, many words

    {from: fig-unfold, T: 6}

    {.fragment}
    The *same* three matrices, six times.

    ::: notes
    minutes: 4

    Ask: how many weights does the net for eight words have?

    Expect: "eight times as many", from counting arrows. **It is one W**: hover it, all light up.

    Cut: the hover.
    :::

    ---

    ## The next slide

Slides are separated by ``---``. ``# Part`` above a slide's ``## Title`` begins a part; the plan
is added up from the slides' minutes, by part, and a slide of 0 minutes is a spare
one. A chapter that takes half a lesson says so in the header, ``length: 21``.

``|||`` splits a slide in two columns; ``||| 3:2``, there or above the first, gives
their widths. ``{.fragment}`` above a block shows it
at the next key press, ``{.fragments}`` above a list one item at a time; ``{.question}`` and
``{.takeaway}`` set a paragraph large or boxed, and ``[h]{.state}`` colors words.

``{from: ID}`` sets a cell: the output of a code cell, the text of a Markdown cell. ``show:`` asks
for ``code``, ``output``, ``plot`` (the output without printed text), ``both`` or ``math`` (the
displayed equations of a Markdown cell), ``lines: 2-6`` for some lines of the code, of its printed
text (``show: output``) or for some of the equations (``show: math``); any other key sets the
state of an interactive figure. If the cell shows an experiment whose result is guessed, the title
of the slide is the question, and the next key press shows the result.

Notes end every slide: its minutes, then paragraphs that begin with ``Before:``, ``Say:``, ``Ask:``,
``Expect:``, ``Do:`` or ``Cut:``. ``Before:`` is a question to ask before the slide is shown: the
presenter reads it with the notes of the slide before, and so a spare slide has none. Notes hold no
formulas, for the presenter's window has no fonts for them. ``Expect:`` gives a usual wrong answer
in quotes and sets the words of the right one in **bold**. A test checks that no slide shows those
words together while their question is asked. A number may be bound to its result, as in a
chapter: ``<span data-number="SLUG: {NAME}">97</span>`` is read as ``97``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

import yaml
from nbformat import NotebookNode

from press.flatten import BOUND, FENCE

LESSON = 42  # minutes; a lecture of 50 has questions in it
ANSWERS = 1.5  # minutes for the audience's answers to a question
SHOW = ("code", "output", "plot", "both", "math")
BEFORE = "Before"
CUES = (BEFORE, "Say", "Ask", "Expect", "Do", "Cut")
RULE = re.compile(r"^-{3,}\s*$")
COLUMNS = re.compile(r"^\|\|\|\s*(?:(\d+)\s*:\s*(\d+))?\s*$")
CELL = re.compile(r"^\{\s*from\s*:.*\}\s*$")
LINES = re.compile(r"^(\d+)(?:-(\d+))?$")
TOO_LATE = re.compile(r"before you show|\A\w+: cover\b", re.I)  # it is on the screen by then


class DeckError(ValueError):
    """A deck that cannot be shown, with its file and slide."""


@dataclass(frozen=True)
class Cell:
    """A cell of the chapter, as a slide shows it.

    Parameters
    ----------
    id
        The cell's id in the chapter's notebook.
    show
        ``"code"``, ``"output"``, ``"both"``, ``"plot"`` (of the output the pictures alone) or
        ``"math"``; empty means a code cell's output or a Markdown cell's text.
    lines
        First and last line of the code shown (of its printed text with ``show="output"``, first and
        last equation with ``"math"``), counted from 1; ``None`` shows all.
    state
        The state that the slide sets in an interactive figure.
    fragment
        Whether it appears at a key press.
    """

    id: str
    show: str
    lines: tuple[int, int] | None
    state: dict
    fragment: bool


@dataclass(frozen=True)
class Slide:
    """One slide.

    Parameters
    ----------
    number
        Its place in the deck. The title slide is 1, and the first of these is 2.
    part
        The part of the plan it belongs to.
    title
        In Markdown.
    columns
        One or two columns of Markdown and cells.
    widths
        The columns' relative widths.
    minutes
        Planned for it; 0 on a spare slide.
    notes
        In Markdown.
    """

    number: int
    part: str
    title: str
    columns: tuple[tuple[str | Cell, ...], ...]
    widths: tuple[int, ...]
    minutes: float
    notes: str

    @property
    def cells(self) -> list[Cell]:
        """The chapter's cells on this slide, in order."""
        return [piece for column in self.columns for piece in column if isinstance(piece, Cell)]

    @property
    def before(self) -> str:
        """The question to ask before the slide is shown, in Markdown, without its cue."""
        asked = [text for text in paragraphs(self.notes) if text.startswith(f"{BEFORE}:")]
        return "\n\n".join(text.removeprefix(f"{BEFORE}:").strip() for text in asked)

    def answers(self, before: bool) -> list[str]:
        """List the answers that its notes set in bold.

        Parameters
        ----------
        before
            Whether to list the answers to the question before the slide is shown, or the others.

        Returns
        -------
        list
            The words in bold, as the notes give them.
        """
        found, early = [], False
        for text in paragraphs(self.notes):
            cue = text.partition(":")[0]
            if cue in (BEFORE, "Ask"):
                early = cue == BEFORE
            if cue == "Expect" and early == before:
                found += re.findall(r"\*\*(.+?)\*\*", text)
        return found

    @property
    def during(self) -> str:
        """The notes for the time when it is shown, in Markdown."""
        shown = [text for text in paragraphs(self.notes) if not text.startswith(f"{BEFORE}:")]
        return "\n\n".join(shown)


@dataclass(frozen=True)
class Deck:
    """A deck, read from its Markdown.

    Parameters
    ----------
    name
        The file's name, for messages.
    chapter
        The stem of the chapter's notebook.
    title, question
        Of the title slide.
    slides
        All others.
    length
        Minutes that the plan may take.
    """

    name: str
    chapter: str
    title: str
    question: str
    slides: tuple[Slide, ...]
    length: float = LESSON

    @classmethod
    def read(cls, path: Path) -> "Deck":
        """Read a deck.

        Parameters
        ----------
        path
            A file ``NN_name.md``.

        Returns
        -------
        Deck
            Its content.

        Raises
        ------
        DeckError
            If something is missing or malformed, or if the minutes exceed a lesson's.
        """
        path = Path(path)
        header, body = _header(path)
        body = BOUND.sub(r"\1", body)
        slides, part = [], ""
        for number, lines in enumerate(_split(body.splitlines(), RULE), start=2):
            slide = _Reader(path.name, number, lines).slide(part)
            slides.append(slide)
            part = slide.part
        deck = cls(path.name, **header, slides=tuple(slides))
        if deck.minutes > deck.length:
            raise DeckError(
                f"{deck.name}: the slides' minutes add up to {deck.minutes:g}, "
                f"more than a lesson's {deck.length:g}: "
                + ", ".join(f"{part} {minutes:g}" for part, _, minutes in deck.plan)
            )
        return deck

    @property
    def minutes(self) -> float:
        """All slides' minutes."""
        return sum(slide.minutes for slide in self.slides)

    @property
    def discussed(self) -> float:
        """All slides' minutes, and those in which the audience answers the questions."""
        asked = [
            text
            for slide in self.slides
            if slide.minutes
            for text in paragraphs(slide.notes)
            if text.startswith((f"{BEFORE}:", "Ask:"))
        ]
        return self.minutes + ANSWERS * len(asked)

    @cached_property
    def plan(self) -> list[tuple[str, str, float]]:
        """The lesson's plan: each part, its slides (``"1–4"``) and its minutes."""
        rows: dict[str, list[Slide]] = {}
        for slide in self.slides:
            rows.setdefault(slide.part, []).append(slide)
        return [
            (
                part,
                f"{group[0].number}–{group[-1].number}" if len(group) > 1 else str(group[0].number),
                sum(slide.minutes for slide in group),
            )
            for part, group in rows.items()
        ]

    def find(self, cell: Cell, slide: Slide, cells: dict[str, NotebookNode]) -> NotebookNode:
        """Look up a cell of the chapter.

        Parameters
        ----------
        cell
            The slide's reference to the cell.
        slide
            The slide, for the message.
        cells
            The chapter's cells by id.

        Returns
        -------
        NotebookNode
            The chapter's cell.

        Raises
        ------
        DeckError
            If the chapter has no such cell, naming the near ids.
        """
        if cell.id in cells:
            return cells[cell.id]
        near = get_close_matches(cell.id, cells, n=4, cutoff=0.4)
        raise DeckError(
            f"{self.name}, slide {slide.number} ({slide.title}): {self.chapter}.ipynb has no cell "
            f"{cell.id!r}; near ids: {', '.join(near) or 'none'}"
        )


def paragraphs(text: str) -> list[str]:
    """Split Markdown at its empty lines."""
    return re.split(r"\n\s*\n", text)


def _header(path: Path) -> tuple[dict, str]:
    text = path.read_text("utf-8")
    match = re.match(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if not match:
        raise DeckError(f"{path.name}: begins with a YAML header between two lines ---")
    try:
        header = yaml.safe_load(match[1])
    except yaml.YAMLError as error:
        raise DeckError(f"{path.name}: the header is not YAML: {error}") from None
    wanted = {"chapter", "title", "question"}
    if not isinstance(header, dict) or set(header) - {"length"} != wanted:
        given = sorted(header) if isinstance(header, dict) else header
        raise DeckError(f"{path.name}: the header gives {sorted(wanted)}, not {given}")
    length = header.pop("length", LESSON)
    if not isinstance(length, int) or not 0 < length <= LESSON:
        raise DeckError(f"{path.name}: the length is {length}, not minutes, {LESSON} at most")
    return {key: str(value) for key, value in header.items()} | {"length": length}, match[2]


def _outside_fences(lines: list[str]) -> Iterator[tuple[int, str]]:
    closing = None
    for k, line in enumerate(lines):
        fence = FENCE.match(line)
        if closing:
            closing = None if re.match(closing, line) else closing
        elif fence and fence["mark"][0] in "`~":
            closing = rf"^\s*{re.escape(fence['mark'])}[`~]*\s*$"
        else:
            yield k, line


def _split(lines: list[str], at: re.Pattern) -> list[list[str]]:
    cuts = [k for k, line in _outside_fences(lines) if at.match(line)]
    edges = zip([-1, *cuts], [*cuts, len(lines)], strict=True)
    return [lines[start + 1 : end] for start, end in edges]


class _Reader:
    """Reads one slide's lines; every complaint names deck and slide."""

    def __init__(self, deck: str, number: int, lines: list[str]):
        self.deck, self.number, self.lines, self.title = deck, number, lines, ""

    def fail(self, message: str) -> DeckError:
        title = f" ({self.title})" if self.title else ""
        return DeckError(f"{self.deck}, slide {self.number}{title}: {message}")

    def slide(self, part: str) -> Slide:
        heads = {"#": [], "##": []}
        outside = dict(_outside_fences(self.lines))
        for k, line in outside.items():
            if head := re.match(r"^(#{1,2})\s+(.+?)\s*$", line):
                heads[head[1]].append((k, head[2]))
        if len(heads["##"]) != 1:
            raise self.fail(f"a slide has one title (## …), not {len(heads['##'])}")
        at, self.title = heads["##"][0]
        if heads["#"]:
            part = heads["#"][0][1]
        if not part:
            raise self.fail("the first slide begins a part of the plan (# …)")
        body, minutes, notes = self.notes(self.lines[at + 1 :])
        columns, widths = self.columns(body)
        return Slide(self.number, part, self.title, columns, widths, minutes, notes)

    def notes(self, lines: list[str]) -> tuple[list[str], float, str]:
        start = next((k for k, line in enumerate(lines) if line.strip() == "::: notes"), None)
        if start is None:
            raise self.fail("a slide ends with its notes (::: notes … :::)")
        end = next((k for k in range(start, len(lines)) if lines[k].strip() == ":::"), None)
        if end is None or any(line.strip() for line in lines[end + 1 :]):
            raise self.fail("the notes are closed by ::: and nothing follows them")
        first, *rest = lines[start + 1 : end] or [""]
        given = re.fullmatch(r"minutes:\s*(\d+(?:\.5)?)\s*", first)
        if not given:
            raise self.fail(f"the notes begin with 'minutes: N' (whole or .5), not {first!r}")
        notes, minutes = "\n".join(rest).strip(), float(given[1])
        if "$" in notes:
            raise self.fail("notes hold no formulas ($): say it in words")
        for paragraph in paragraphs(notes):
            if TOO_LATE.search(paragraph):
                raise self.fail(
                    "what is asked before something is shown begins with Before:, or what is shown "
                    f"comes with a fragment, not {paragraph[:40]!r}"
                )
            if not re.match(rf"(?:{'|'.join(CUES)}): ", paragraph):
                cues = ", ".join(f"{cue}:" for cue in CUES)
                raise self.fail(f"a note begins with one of {cues} not {paragraph[:40]!r}")
            if paragraph.startswith(f"{BEFORE}:") and not minutes:
                raise self.fail(
                    "nobody comes to a spare slide from the one before: Ask:, not Before:"
                )
        return lines[:start], minutes, notes

    def columns(self, body: list[str]) -> tuple[tuple, tuple[int, ...]]:
        columns = _split(body, COLUMNS)
        if not any(line.strip() for line in columns[0]):  # the widths may precede both columns
            columns = columns[1:] or columns
        if len(columns) > 2:
            raise self.fail(f"a slide has at most two columns, not {len(columns)}")
        widths: tuple[int, ...] = (1,) * len(columns)
        for _, line in _outside_fences(body):
            if (rule := COLUMNS.match(line)) and rule[1]:
                widths = (int(rule[1]), int(rule[2]))
        return tuple(tuple(self.pieces(lines)) for lines in columns), widths

    def pieces(self, lines: list[str]) -> Iterator[str | Cell]:
        cells = [k for k, line in _outside_fences(lines) if CELL.match(line)]
        start = 0
        for k in [*cells, len(lines)]:
            text = "\n".join(lines[start:k])
            fragment = k < len(lines) and bool(re.search(r"^\{\.fragment\}\s*\Z", text, re.M))
            if fragment:
                text = re.sub(r"\{\.fragment\}\s*\Z", "", text)
            if text.strip():
                yield text.strip("\n")
            if k < len(lines):
                yield self.cell(lines[k], fragment)
            start = k + 1

    def cell(self, line: str, fragment: bool) -> Cell:
        try:
            given = yaml.safe_load(line)
        except yaml.YAMLError:
            raise self.fail(f"{line.strip()!r} is not a YAML mapping") from None
        show = given.pop("show", "")
        if show not in ("", *SHOW):
            raise self.fail(f"show is one of {', '.join(SHOW)}, not {show!r}")
        lines = given.pop("lines", None)
        if lines is not None:
            span = LINES.match(str(lines))
            if not span or not show:
                raise self.fail(f"lines: {lines!r} is a line or a range (2-6) of what show: names")
            lines = (int(span[1]), int(span[2] or span[1]))
        return Cell(str(given.pop("from")), show, lines, given, fragment)
