"""A chapter has the shape that CONTRIBUTING describes, from its title to *Going further*."""

import re
from itertools import pairwise

from books import cells, directives, every_chapter, prose, tags

from press.times import EXERCISE, FURTHER, HEADING, sections

PYTORCH, REMEMBER = "The same in PyTorch", "What to remember"
# What follows the argument.
AFTER = "Exercises", PYTORCH, REMEMBER, "Common mistakes", "Terms", "Today", FURTHER
EVIDENCE = re.compile(r"\bexperiments\.(?:show|load)\(\s*[\"']([\w-]+)")
FIGURE = re.compile(r"\bexplore\.show\(")
ANSWER = re.compile(r"\bexplore\.show\(\s*[\"']answer[\"']")
BULLET = re.compile(r"^- ", re.M)


def parts(path):
    """Each section's cells, from its heading to the next; without a title, the opening."""
    found = {"": []}
    for cell in cells(path):
        heading = cell.cell_type == "markdown" and HEADING.search(cell.source)
        if heading:
            found[heading[1]] = []
        found[heading[1] if heading else list(found)[-1]].append(cell)
    return found


def argument(path):
    """The sections of the argument, without the opening."""
    titles = list(parts(path))
    assert "Exercises" in titles, f"{path.stem} has no section «Exercises»"
    return {title: parts(path)[title] for title in titles[1 : titles.index("Exercises")]}


def text(held):
    return "\n\n".join(cell.source for cell in held if cell.cell_type == "markdown")


def calls(pattern, held):
    return [
        found
        for cell in held
        if cell.cell_type == "code" and "remove-cell" not in tags(cell)
        for found in pattern.findall(cell.source)
    ]


@every_chapter
def test_the_argument_has_at_most_six_sections_before_the_closing_ones(path):
    found = tuple(HEADING.findall(prose(path)))
    assert found[len(argument(path)) :] == AFTER
    assert 3 <= len(argument(path)) <= 6


@every_chapter
def test_the_text_up_to_the_summary_has_at_most_3000_words(path):
    counted = sections(path)
    before = counted[: [part.title for part in counted].index(REMEMBER)]
    assert sum(part.words for part in before) <= 3000


@every_chapter
def test_at_most_three_pieces_of_evidence_are_in_view(path):
    held = [*parts(path)[""], *(cell for section in argument(path).values() for cell in section)]
    assert len(set(calls(EVIDENCE, held))) <= 3


@every_chapter
def test_an_exercise_comes_after_every_second_section_at_the_latest(path):
    practised = [*("{exercise" in text(held) for held in argument(path).values()), True]
    assert all(one or other for one, other in pairwise(practised))


@every_chapter
def test_the_title_is_followed_by_a_hook_that_ends_in_a_question_and_by_the_sources(path):
    _, *hook, sources = cells(path)[0].source.strip().split("\n\n")
    assert hook[-1].rstrip("*_").endswith("?")
    assert re.fullmatch(r"<small>.+</small>", sources)


@every_chapter
def test_the_opening_has_one_figure_and_then_an_overview(path):
    opening = parts(path)[""]
    assert len(calls(FIGURE, opening)) == 1
    shown = next(k for k, cell in enumerate(opening) if calls(FIGURE, [cell]))
    (listed,) = directives(path, "admonition")[:1]
    assert listed.argument == "In this chapter"
    assert shown < listed.cell < len(opening)


@every_chapter
def test_each_section_has_something_to_practice(path):
    idle = [
        title
        for title, held in argument(path).items()
        if "{exercise" not in text(held) and not calls(ANSWER, held)
    ]
    assert idle == []


@every_chapter
def test_three_exercises_are_marked_core_and_take_half_an_hour_together(path):
    asked = directives(path, "exercise", "exercise-start")
    marked = [EXERCISE.search(exercise.body) for exercise in asked]
    minutes = [int(found["minutes"]) for found in marked if found["core"]]
    assert len(minutes) == 3
    assert sum(minutes) <= 30


@every_chapter
def test_the_same_network_is_written_in_pytorch(path):
    assert calls(re.compile(r"^import torch\b", re.M), parts(path)[PYTORCH])


@every_chapter
def test_five_things_to_remember_and_three_to_five_mistakes_are_listed(path):
    held = parts(path)
    assert len(BULLET.findall(text(held[REMEMBER]))) == 5
    assert 3 <= len(BULLET.findall(text(held["Common mistakes"]))) <= 5


@every_chapter
def test_going_further_is_at_most_half_as_long_as_the_chapter(path):
    *chapter, further = sections(path)
    assert further.title == FURTHER
    assert further.words <= sum(part.words for part in chapter) / 2
