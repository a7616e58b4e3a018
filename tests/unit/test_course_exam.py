"""Exams: every question has a key, its formulas are set, and a paper takes 90 minutes."""

import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup

from course import exam
from course.assignment import SETS, load_set, problems
from course.exam import QUESTIONS, Question, choose, draw, generator, load, markup
from course.questions import (
    chapter_06,
    chapter_08,
    chapter_10,
    chapter_11,
    chapter_12,
    chapter_13,
    chapter_16,
    chapter_17,
    chapter_18,
)
from press import still

CHAPTERS = sorted(path.stem[-2:] for path in QUESTIONS.glob("chapter_*.py"))
TEMPLATES = {
    f"{chapter}-{one.__name__}": (chapter, one) for chapter in CHAPTERS for one in load(chapter)
}
every_template = pytest.mark.parametrize(("chapter", "template"), TEMPLATES.values(), ids=TEMPLATES)


def unset(text):
    """Return what is left of formulas and lists that Markdown didn't understand."""
    soup = BeautifulSoup(markup(text), "html.parser")
    for tag in soup.select("math, .katex, code, pre"):
        tag.decompose()
    return re.findall(r"\$|\\\w+|[{}]|\*\*", soup.get_text())


@every_template
def test_a_question_has_a_key_whose_points_add_up(chapter, template):
    for seed in "abcdefgh":
        question = draw(chapter, template, seed)
        worth = [int(found) for found in re.findall(r"\((\d+)\s+points?\b", question.key)]
        assert sum(worth) == question.minutes, question.key
        assert 5 <= question.minutes <= 15
        assert not unset(question.text), question.text
        assert not unset(question.key), question.key
        assert not re.search(r"^\d+\)", f"{question.text}\n{question.key}", re.M), "a list"
        parts = re.findall(r"^\d\. ", question.text, re.M)
        assert len(re.findall(r"^\d\. ", question.key, re.M)) in (len(parts), 0)


@every_template
def test_seeds_vary_a_question(chapter, template):
    drawn = [draw(chapter, template, str(seed)) for seed in range(8)]
    assert len({(one.text, str(one.figure), one.key) for one in drawn}) > 1
    assert draw(chapter, template, "0").text == drawn[0].text


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_five_templates_of_all_kinds(chapter):
    kinds = Counter(draw(chapter, one, "a").kind for one in load(chapter))
    assert kinds == {"read": 1, "compute": 2, "diagnose": 1, "prove": 1}


@pytest.mark.parametrize("seed", "abcd")
def test_keys_agree_with_what_the_figures_show(seed):
    question = draw("08", chapter_08.four_bounds, seed)
    name, state = question.figure
    status = still.draw(name, state | {"shown": True}).status
    losses = re.findall(r"([\d.]+) nats", status)[1:]
    assert re.findall(r"= ([\d.]+) nats", question.key)[:3] == losses

    question = draw("06", chapter_06.elevator, seed)
    name, state = question.figure
    apart = int(re.search(r"before step (\d)", question.text)[1])
    for part, flips in enumerate((127, 127 - (1 << (apart - 2))), start=1):
        status = still.draw(name, state | {"flips": flips}).status
        wrong, rounds = re.search(r"(\d) of 8 outputs \w+ wrong.* (\d) rounds", status).groups()
        listed = re.search(rf"^{part}\. \D*([\d, ]+)", question.key, re.M)[1]
        assert len(re.findall(r"\d", listed)) == int(wrong)
        assert f"{rounds} rounds" in question.key

    question = draw("13", chapter_13.grip, seed)
    slope = re.search(r"= ([\d.]+)\.$", still.draw(*question.figure).status)[1]
    assert f"about {slope}, the slope at rest" in question.key

    question = draw("16", chapter_16.half_closed, seed)
    name, state = question.figure
    for part, gate in enumerate((state["gate"], 1), start=1):
        status = still.draw(name, state | {"gate": gate}).status
        ends = re.search(r"state is ([\d.]+), .* it is ([\d.]+)\.", status).groups()
        key = re.search(rf"^{part}\. (.*?)^{part + 1}\. ", question.key, re.M | re.S)[1]
        told = [float(found) for found in re.findall(r"[\d.]*\d", key)]
        for one, end in zip((3, 1), ends, strict=True):
            assert pytest.approx(float(end) - one, abs=0.006) in told

    for line, longer in chapter_17.LONGER.items():
        status = still.draw("norms", {"line": line}).status
        assert (
            f" {longer} are longer than {line:g}, and the median is {chapter_17.MEDIAN}" in status
        )

    question = draw("18", chapter_18.next_write, seed)
    name, state = question.figure
    status = still.draw(name, state | {"t": 2}).status.replace("−", "-")
    now = float(re.search(r"now it returns ([-\d.]+\d)", status)[1])
    key = " ".join(question.key.split())
    assert f"= {now:g} (3 points)" in key
    status = still.draw(name, state | {"t": 2, "rule": "delta"}).status.replace("−", "-")
    error = float(re.search(r"the error was ([-\d.]+\d)", status)[1])
    assert f"= {error:g}. The first key" in key


@pytest.mark.parametrize("seed", "abcd")
def test_keys_count_as_many_arrows_as_the_figures(seed):
    question = draw("10", chapter_10.half_drawn, seed)
    name, state = question.figure
    n = state.pop("done") - 1
    for part, door in enumerate(("start", "step"), start=1):
        counted = [
            re.search(r"(\d+) arrows", still.draw(name, state | {"door": door, "pair": i}).status)[
                1
            ]
            for i in range(1, n + 1)
        ]
        assert re.search(rf"^{part}\. ([\d, ]+)", question.key, re.M)[1] == ", ".join(counted)

    question = draw("11", chapter_11.how_many_paths, seed)
    name, state = question.figure
    steps = int(re.search(r"line of (\d+)", question.text)[1]) - 1
    for part, step in enumerate((state["transition"] + 1, 1), start=1):
        status = still.draw(name, state | {"skip": step == 1}).status
        found = re.search(rf"^{part}\..*?(\d+) arrows", question.key, re.M | re.DOTALL)[1]
        assert int(found) == int(re.search(r"(\d+) arrows", status)[1]) + (steps - 4) * step

    question = draw("12", chapter_12.rounds_and_shares, seed)
    status = still.draw(*question.figure).status
    rounds = re.search(r"^1\. (.*) \(", question.key, re.M)[1].split(", then ")
    assert len(rounds) == int(re.search(r"(\d+) deep", status)[1])
    assert sum(map(int, rounds)) == int(re.search(r"line of (\d)", question.text)[1]) - 1


@pytest.mark.parametrize("number", [int(path.stem[4:]) for path in SETS.glob("set_*.py")])
def test_the_formulas_of_a_set_are_set(number):
    for seed in "abcd":
        for problem in problems(load_set(number), seed, "secret"):
            texts = [problem.text, problem.hint] if hasattr(problem, "hint") else [problem.solution]
            assert [*map(unset, texts)] == [[]] * len(texts), texts


@pytest.mark.parametrize("seed", ["spring", "autumn", "7"])
def test_a_paper_has_one_proof_one_run_to_diagnose_and_a_figure(seed):
    drawn = [draw(chapter, one, seed) for chapter in ("02", "03", "04") for one in load(chapter)]
    chosen = choose(drawn, generator(seed))
    kinds = Counter(question.kind for question in chosen)
    assert kinds["prove"] == kinds["diagnose"] == 1
    assert kinds["read"] >= 1
    assert 80 <= sum(question.minutes for question in chosen) <= 90
    assert {question.chapter for question in chosen} == {"02", "03", "04"}


@pytest.mark.slow
def test_a_paper_is_a_page_that_needs_no_other_file(tmp_path, monkeypatch):
    monkeypatch.setattr("press.browser.find", lambda: None)
    paper, key = exam.write(tmp_path, "spring", ["02", "03", "04"])
    text = paper.read_text("utf-8")
    assert "<math" in text
    assert "data:image/svg+xml" in text
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert 'class="key"' not in text
    assert 'class="key"' in key.read_text("utf-8")


@pytest.mark.parametrize(
    ("chapters", "told"),
    [
        ("02 99", "CHAPTERS has '99'; expected some of"),
        ("02 02", "CHAPTERS has 02 more than once"),
        ("", "CHAPTERS is empty"),
        ("02", "name more chapters"),
    ],
)
def test_chapters_that_make_no_paper_are_refused(tmp_path, chapters, told):
    said = exam.main(["--folder", str(tmp_path / "new"), "--seed", "1", "--chapters", chapters])
    assert told in said
    assert not (tmp_path / "new").exists()


def test_a_question_needs_a_known_kind():
    with pytest.raises(ValueError, match="kind is 'guess'; expected one of"):
        Question("guess", "", "", 5, "")


def test_minus_signs_are_set_outside_of_code_and_formulas():
    assert "−2 and" in markup("-2 and `x-1`")
    assert "x-1" in markup("-2 and `x-1`")
    assert "2026-11" in markup("2026-11")
    assert not unset("$a-1$")
