"""Every exercise can be handed in, checked, and compared with a solution."""

import re

import pytest
from books import answered_on, cells, code, directives, every_chapter, tags

from rnn_helpers.checks import exercises
from rnn_helpers.checks.core import Checklist
from rnn_helpers.checks.typed import typed
from rnn_helpers.site.exercises import NOTEBOOK_ONLY
from rnn_helpers.site.times import EXERCISE

CHECK = re.compile(r"\bcheck\(\s*[\"']([\w-]+)[\"']")

# Exercises whose answer is a value, but not one that a page can compare.
TRIED = "many answers are right, and only a program that tries them can tell"
NOT_ON_THE_PAGE = {
    "01-seen": f"{TRIED}; the figure `loop` does so",
    "03-latch": TRIED,
    "14-never-meet": TRIED,
    "16-placement": TRIED,
}


@every_chapter
def test_there_are_enough(path):
    assert len(directives(path, "exercise", "exercise-start")) >= 6


@every_chapter
def test_each_has_a_label_a_kind_minutes_and_a_heading_with_its_number_and_title(path):
    asked = directives(path, "exercise", "exercise-start")
    for count, exercise in enumerate(asked, start=1):
        label = exercise.options.get("label", "")
        assert label.startswith(f"ex-{path.stem[:2]}-"), (
            f"label of «{exercise.argument}»: {label!r}"
        )
        assert EXERCISE.search(exercise.body), f"{label}: *code, 10 minutes.*, or another kind"
        above = "\n".join(
            cell.source for cell in cells(path)[exercise.cell - 1 : exercise.cell + 1]
        )
        heading = (
            rf"^#{{3,}} Exercise {int(path.stem[:2])}\.{count}: {re.escape(exercise.argument)}\s*$"
        )
        assert re.search(heading, above, re.M), f"{label}: no heading like {heading} above it"


@every_chapter
def test_each_has_a_folded_solution(path):
    asked = {e.options["label"] for e in directives(path, "exercise", "exercise-start")}
    solutions = directives(path, "solution", "solution-start")
    assert {solution.argument for solution in solutions} == asked
    for solution in solutions:
        assert "dropdown" in solution.options.get("class", ""), f"{solution.argument} is not folded"
        assert solution.options.get("label", "").startswith("sol-"), solution.argument


@every_chapter
def test_each_has_a_check_that_exists(path):
    known = exercises()
    asked = directives(path, "exercise", "exercise-start")
    ends = [exercise.cell for exercise in asked[1:]] + [len(cells(path))]
    for exercise, end in zip(asked, ends, strict=True):
        code = "\n".join(
            cell.source for cell in cells(path)[exercise.cell : end] if cell.cell_type == "code"
        )
        named = CHECK.findall(code)
        assert named, f"{exercise.options['label']} has no check"
        assert [name for name in named if name not in known] == []


@every_chapter
def test_no_check_of_the_chapter_is_left_out(path):
    used = {name for cell in cells(path) for name in CHECK.findall(cell.source)}
    declared = {name for name in exercises() if name.startswith(path.stem[:2])}
    without = ", ".join(sorted(declared - used))
    assert not without, f"{path.name} has no cell that calls check with {without}"


@every_chapter
def test_a_proof_is_handed_in_as_text_that_is_empty_on_the_page(path):
    known = exercises()
    for cell in code(path):
        for name in CHECK.findall(cell.source):
            if isinstance(known[name], Checklist):
                handed_in = re.search(rf"check\(\"{name}\", (\w+)\)", cell.source)
                assert handed_in, cell["id"]
                assert re.search(rf'^{handed_in[1]} = ""', cell.source, re.M), cell["id"]


@every_chapter
def test_an_exercise_whose_answer_is_a_value_can_be_answered_on_the_page(path):
    values = {
        name
        for name, entry in exercises().items()
        if name.startswith(path.stem[:2])
        and not isinstance(entry, Checklist)
        and not entry.cases
        and name not in NOT_ON_THE_PAGE
    }
    boxes = answered_on(path)
    assert set(boxes) == values
    for name, (index, state) in boxes.items():
        assert typed(name, state.get("labels", ()), state.get("options", ()))
        box, stub = cells(path)[index : index + 2]
        assert "remove-input" in tags(box)
        assert f'check("{name}"' in stub.source, f"{box.id} isn't above its stub"
        assert NOTEBOOK_ONLY in tags(stub), f"the page shows {stub.id} and the box"


@pytest.mark.parametrize("name", NOT_ON_THE_PAGE)
def test_only_exercises_that_the_page_cannot_judge_are_left_to_the_notebook(name):
    with pytest.raises(ValueError, match="whose only right answer is a value"):
        typed(name)
