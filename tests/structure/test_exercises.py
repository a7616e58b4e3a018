"""Every exercise can be handed in, checked, and compared with a solution."""

import re

import numpy as np
import pytest
from books import (
    BOOK,
    DECKS,
    NOTEBOOKS,
    PAGES,
    ROOT,
    answered_on,
    cells,
    code,
    directives,
    every_chapter,
    tags,
)

from press.exercises import NOTEBOOK_ONLY
from press.times import EXERCISE
from rnn_helpers.checks import exercises
from rnn_helpers.checks.core import Checklist
from rnn_helpers.checks.instance import instance
from rnn_helpers.checks.typed import typed

CHECK = re.compile(r"\bcheck\(\s*[\"']([\w-]+)[\"']")
NAMED = re.compile(r"\[?\bexercises?\s+(?P<number>\d+\.\d+)(?:\]\(#(?P<target>[\w.-]+)\))?", re.I)
HEADING = re.compile(r"^#+ Exercise \d+\.\d+:.*$", re.M)
WRITTEN = [
    *NOTEBOOKS,
    *DECKS,
    *PAGES,
    *BOOK.glob("*.yml"),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
]

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


def numbered(path):
    """Return the number of each exercise of a chapter, by its label."""
    return {
        exercise.options["label"]: f"{int(path.stem[:2])}.{count}"
        for count, exercise in enumerate(directives(path, "exercise", "exercise-start"), start=1)
    }


NUMBERS = {label: number for path in NOTEBOOKS for label, number in numbered(path).items()}


def misnamed(text):
    """Return the exercises that a text names by a number without a link, or by a wrong one."""
    return [
        found[0]
        for found in NAMED.finditer(HEADING.sub("", text))
        if NUMBERS.get(found["target"]) != found["number"]
    ]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_an_exercise_that_is_named_by_its_number_is_the_one_that_the_link_leads_to(path):
    notebook = path.suffix == ".ipynb"
    text = "\n".join(cell.source for cell in cells(path)) if notebook else path.read_text("utf-8")
    assert not misnamed(text), "write [exercise 4.12](#ex-04-h0), with the number of that exercise"


def test_a_number_that_has_moved_or_has_no_link_is_noticed():
    label, number = next(iter(NUMBERS.items()))
    assert not misnamed(f"### Exercise {number}: Title\n\nSee [Exercise {number}](#{label}).")
    assert misnamed(f"as [exercise {number}9](#{label}) shows") == [
        f"[exercise {number}9](#{label})"
    ]
    assert misnamed(f"as exercise {number} shows") == [f"exercise {number}"]
    assert misnamed(f"see [exercise {number}](#sec-exercises)")


@every_chapter
def test_the_core_exercises_that_are_listed_are_those_that_are_marked(path):
    core = [
        NUMBERS[exercise.options["label"]]
        for exercise in directives(path, "exercise", "exercise-start")
        if EXERCISE.search(exercise.body)["core"]
    ]
    [intro] = [
        cell.source for cell in cells(path) if re.search("^## Exercises$", cell.source, re.M)
    ]
    listed = re.findall(rf"\b{int(path.stem[:2])}\.\d+", intro)
    assert listed in ([], core)


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


@every_chapter
def test_an_exercise_whose_answer_is_a_function_has_lines_to_run_or_a_reason(path):
    stubs = {
        name: cell.source
        for cell in code(path)
        for name in CHECK.findall(cell.source)
        if not isinstance(exercises()[name], Checklist) and exercises()[name].cases
    }
    for name, stub in stubs.items():
        entry = exercises()[name]
        assert entry.off_page or instance(name).lines
        function = re.search(r"^def (\w+)", stub, re.M)[1]
        assert entry.solution.__name__ == function, f"the lines of {name} call another function"


# printed solutions --------------------------------------------------------------------------------

PYTHON = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
HANDED_IN = re.compile(r"\bcheck\(\s*\"(?P<name>[\w-]+)\",\s*(?P<answer>\w+)")
WRITTEN_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:/[1-9]\d*)?")


def solved(path):
    """Yield each exercise's check, the name of its answer in the stub, and its printed solution."""
    printed = {each.argument: each.body for each in directives(path, "solution", "solution-start")}
    asked = directives(path, "exercise", "exercise-start")
    ends = [exercise.cell for exercise in asked[1:]] + [len(cells(path))]
    for exercise, end in zip(asked, ends, strict=True):
        source = "\n".join(cell.source for cell in cells(path)[exercise.cell : end])
        yield *HANDED_IN.search(source).groups(), printed[exercise.options["label"]]


def run(source, space):
    """Run a cell whose names may be used by those below it."""
    exec(compile(source, "printed solution", "exec"), space)


def written(text):
    """Return the numbers that a text contains, each with the error of rounding it."""
    found = []
    for match in WRITTEN_NUMBER.findall(text.replace("{,}", ",").replace(" ", " ")):
        over, _, under = match.replace(",", "").replace("−", "-").partition("/")
        places = len(over.partition(".")[2])
        found.append((float(over) / float(under or 1), 0.0 if under else 0.51 * 10.0**-places))
    return found


def says(text, answer):
    """Return whether a solution's text contains an answer: every number, string and pair."""
    if isinstance(answer, dict):
        return all(re.search(f"{re.escape(key)}.*{answer[key]}", text) for key in answer)
    if isinstance(answer, set):
        return all(f"`{each}`" in text for each in answer)
    numbers = np.ravel(answer)
    return all(any(abs(x - y) <= off + 1e-9 for y, off in written(text)) for x in numbers)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@every_chapter
def test_each_printed_solution_passes_its_check(path):
    """The code as it is printed, or in the text the numbers that are asked for."""
    known, space = exercises(), {"__name__": "printed"}
    run(next(cell.source for cell in code(path) if cell.id == "setup"), space)
    failed = {}
    for name, answer, text in solved(path):
        entry, printed = known[name], PYTHON.findall(text)
        if printed and not isinstance(entry, Checklist):
            answers = [bool(re.search(rf"^(def )?{answer}\b", lines, re.M)) for lines in printed]
            run("\n".join(printed[: answers.index(True) + 1]), space)
            outcome = entry.grade(space[answer], own=True)
            failed |= {} if outcome else {name: outcome.message}
        elif isinstance(entry, Checklist):
            failed |= {} if len(text.split()) > 30 else {name: "hardly a proof"}
        elif not says(text, entry.answer):
            failed[name] = f"the text doesn't contain {entry.answer}"
    assert not failed


def test_a_number_that_a_solution_gets_wrong_is_noticed():
    assert says("two for each of the 30,000 entries: 60{,}000", 60_000)
    assert not says("two for each of the 12,500 entries: 25,000", 60_000)
    assert says("The share is 2/3, and h is 0.577.", (2 / 3, 3**-0.5))
    assert not says("The share is 2/3, and h is 0.576.", (2 / 3, 3**-0.5))
    assert says("It loses 10 to the −11.1", -11.09)
    assert not says("`x(t)`", {"x(t)", "x(t)^2"})
