"""The plan of a course: what chapters need, where the map shows them, and what they take."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from press.deck import Deck
from press.edition import chapters
from press.plan import Chapter, behind, edges, places, rows

BOOK = Path(__file__).parents[2] / "book"


@st.composite
def prerequisites(draw):
    """Draw what each of up to nine chapters needs, among those before it."""
    count = draw(st.integers(1, 9))
    return {
        k: frozenset(draw(st.sets(st.integers(1, k - 1)))) if k > 1 else frozenset()
        for k in range(1, count + 1)
    }


def _of(pairs, numbers):
    return {k: frozenset(first for first, second in pairs if second == k) for k in numbers}


@given(prerequisites())
def test_the_lines_of_the_map_lead_to_all_that_a_chapter_needs(needs):
    assert behind(_of(edges(needs), needs)) == behind(needs)


@given(prerequisites())
def test_no_line_of_the_map_can_be_left_out(needs):
    pairs = edges(needs)
    for pair in pairs:
        fewer = _of([other for other in pairs if other != pair], needs)
        assert behind(fewer) != behind(needs)


@given(prerequisites())
def test_each_chapter_stands_once_and_after_what_it_needs(needs):
    table = rows(needs)
    order = [number for row in table for number in row]
    assert sorted(order) == sorted(needs)
    for number, at_once in needs.items():
        assert all(order.index(other) < order.index(number) for other in at_once)
    assert len(set(places(needs).values())) == len(needs)


@pytest.mark.parametrize("path", chapters(BOOK), ids=lambda path: path.stem)
def test_a_chapter_needs_only_earlier_ones_and_has_three_core_exercises(path):
    chapter = Chapter.read(path)
    assert all(other < chapter.number for other in chapter.needs)
    assert chapter.needs or chapter.number == 1
    assert len(chapter.core) == 3
    assert sum(core.minutes for core in chapter.core) <= 30
    assert all(core.number.startswith(f"{chapter.number}.") for core in chapter.core)


def test_answers_take_a_minute_and_a_half_a_question_except_on_spare_slides(tmp_path):
    notes = '::: notes\nminutes: {minutes}\n\nAsk: why?\n\nExpect: "no idea". **Because.**\n:::\n'
    header = "---\nchapter: 02_unfolding\ntitle: A\nquestion: Q?\n---\n\n# Part\n\n"
    slides = ["## One\n\n" + notes.format(minutes=4), "## Two\n\n" + notes.format(minutes=0)]
    path = tmp_path / "deck.md"
    path.write_text(header + "\n---\n\n".join(slides), "utf-8")
    deck = Deck.read(path)
    assert (deck.minutes, deck.discussed) == (4, 5.5)
