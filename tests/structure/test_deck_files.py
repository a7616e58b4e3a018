"""Each deck fits into its lecture."""

import re

import nbformat
import pytest
from books import DECKS, ROOT

from press.deck import LESSON, Cell, Deck, paragraphs
from press.slides import BOOK

QUESTIONS, WORDS = 15, 1000  # in the notes of the slides that are shown

each_deck = pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)


@each_deck
def test_the_notes_fit_into_the_lessons_time(path):
    shown = "\n\n".join(slide.notes for slide in Deck.read(path).slides if slide.minutes)
    assert len(re.findall(r"^(?:Ask|Before):", shown, re.M)) <= QUESTIONS
    assert len(shown.split()) <= WORDS


@each_deck
def test_the_plan_leaves_time_for_questions_and_no_slide_is_read_aloud(path):
    deck = Deck.read(path)
    assert deck.length in (LESSON, LESSON / 2), "a lesson, or half of one"
    assert deck.length - 3 <= deck.minutes <= deck.length, "the minutes of all notes, added up"
    assert all(len(slide.notes.split()) <= 200 for slide in deck.slides)
    assert [not slide.minutes for slide in deck.slides] == sorted(
        not slide.minutes for slide in deck.slides
    ), "spare slides come last"


@each_deck
def test_a_result_is_a_plot_and_never_a_printout(path):
    deck = Deck.read(path)
    code = {cell.id: cell.source for cell in nbformat.read(BOOK / f"{deck.chapter}.ipynb", 4).cells}
    parts = [part for slide in deck.slides for column in slide.columns for part in column]
    shown = [part.id for part in parts if isinstance(part, Cell) and part.show != "plot"]
    results = [id for id in shown if re.search(r"experiments\.(load|find)|\.rows", code[id])]
    assert [id for id in results if "print(" in code[id]] == []


@each_deck
def test_every_expected_answer_is_marked(path):
    unmarked = [
        (slide.number, text)
        for slide in Deck.read(path).slides
        for text in paragraphs(slide.notes)
        if text.startswith("Expect:") and not re.search(r"\*\*.+?\*\*", text)
    ]
    assert unmarked == []


@each_deck
def test_the_last_slide_of_a_lesson_is_its_summary(path):
    last = [slide for slide in Deck.read(path).slides if slide.minutes][-1]
    assert last.title == "What to remember"
    points = re.findall(r"^- .+[.:]", "\n".join(last.columns[0]), re.M)
    assert 3 <= len(points) <= 5


@each_deck
def test_its_title_has_the_number_of_the_chapter(path):
    assert Deck.read(path).title.startswith(f"{int(path.name[:2])}. ")


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", BOOK / "index.md"], ids=lambda page: page.name
)
def test_a_page_for_teachers_gives_the_length_of_the_lessons(page):
    """Short decks are the exception, and each is named."""
    short = [str(int(path.stem[:2])) for path in DECKS if Deck.read(path).length < LESSON]
    chapters = f"{', '.join(short[:-1])} and {short[-1]}"
    told = f"a plan for {LESSON:g} minutes ({LESSON / 2:g} minutes in chapters {chapters})"
    assert told in " ".join((ROOT / page).read_text("utf-8").split())
