"""An exam on paper: ``make exam SEED=… CHAPTERS="02 03 04"``.

The questions come from templates, five for each chapter: one reads the state of a figure, two
compute, one diagnoses a run, and one proves. A minute is worth a point.
"""

import argparse
import base64
import importlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bs4 import BeautifulSoup
from jinja2 import Environment, StrictUndefined

from course.assignment import Unusable, outside
from course.problem import generator
from press import browser, render, still
from press.still.defaults import height, measured, picture
from press.whole import replacing
from rnn_helpers.commands import run_program

QUESTIONS = Path(__file__).parent / "questions"
KINDS = {
    "read": "Read a figure",
    "compute": "Compute",
    "diagnose": "Diagnose",
    "prove": "Prove",
}
MINUTES, LEAST = 90, 80
# Formulas and code, which stay as they are, and the minus signs of numbers elsewhere.
LITERAL = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|```.*?```|`[^`]*`|(?<![\w-])-(?=[\d.])", re.DOTALL)
TRIES = 500
PAGE = Path(__file__).with_name("paper.html.j2")


@dataclass
class Question:
    """A question of an exam.

    Parameters
    ----------
    kind : {"read", "compute", "diagnose", "prove"}
        What it asks for.
    title, text : str
        The heading, and the question in Markdown.
    minutes : int
        The time it takes, and its points.
    key : str
        The answer in Markdown, with the points of its parts.
    figure : tuple of str and dict, optional
        The name and the state of a figure that is shown below.
    """

    kind: str
    title: str
    text: str
    minutes: int
    key: str
    figure: tuple[str, dict] | None = None
    chapter: str = ""

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r}; expected one of {[*KINDS]}")


def load(chapter: str) -> list:
    """Return the templates of a chapter."""
    if not (QUESTIONS / f"chapter_{chapter}.py").is_file():
        known = sorted(path.stem[-2:] for path in QUESTIONS.glob("chapter_*.py"))
        raise Unusable(f"CHAPTERS has {chapter!r}; expected some of {' '.join(known)}")
    return importlib.import_module(f"course.questions.chapter_{chapter}").TEMPLATES


def draw(chapter: str, template, seed: str) -> Question:
    """Return the question that a template makes of a seed."""
    question = template(generator("exam", seed, template.__name__))
    question.chapter = chapter
    return question


def choose(questions: list[Question], rng: np.random.Generator) -> list[Question]:
    """Choose questions for at most 90 minutes: one proof, one run to diagnose, and a figure.

    Among the random choices that have all of this and every chapter, the longest wins.
    """
    chapters = {question.chapter for question in questions}
    best: list[Question] = []
    for _ in range(TRIES):
        chosen, left = [], MINUTES
        for i in rng.permutation(len(questions)):
            one = questions[i]
            single = one.kind in ("prove", "diagnose")
            if one.minutes <= left and not (single and any(one.kind == q.kind for q in chosen)):
                chosen.append(one)
                left -= one.minutes
        complete = {q.kind for q in chosen} == {*KINDS} and {q.chapter for q in chosen} == chapters
        if complete and _length(chosen) > _length(best):
            best = chosen
    if _length(best) < LEAST:
        raise Unusable(
            f"CHAPTERS is {' '.join(sorted(chapters))!r}, which have questions for {_length(best)} "
            f"minutes; expected at least {LEAST}: name more chapters"
        )
    order = [*KINDS]
    return sorted(best, key=lambda q: (order.index(q.kind) == 3, q.chapter, order.index(q.kind)))


def _length(questions: list[Question]) -> int:
    return sum(question.minutes for question in questions)


def paper(questions: list[Question], title: str, key: bool = False) -> str:
    """Return the paper, or its key, as a page that needs no other file."""
    names = [question.figure for question in questions if question.figure]
    sizes = [height(name) for name, _ in names]
    if browser.find() and names:
        sizes = measured([picture(name, 600, state) for name, state in names])
    tall = dict(zip(map(repr, names), sizes, strict=True))
    told = []
    for question in questions:
        image = status = ""
        if question.figure:
            name, state = question.figure
            drawn = picture(name, tall[repr(question.figure)], state)
            image = f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"
            status = still.draw(name, state).status
        set_as_html = {"markup": markup(question.text), "solved": markup(question.key)}
        told.append(vars(question) | set_as_html | {"image": image, "status": status})
    template = Environment(undefined=StrictUndefined).from_string(PAGE.read_text("utf-8"))
    minutes = _length(questions)
    return template.render(
        questions=told, title=title, key=key, minutes=minutes, kinds=KINDS, room=55
    )


def markup(text: str) -> str:
    """Return Markdown as HTML that needs no style sheet: its formulas as MathML."""
    text = LITERAL.sub(lambda found: "−" if found[0] == "-" else found[0], text)
    soup = BeautifulSoup(render.markdown(text), "html.parser")
    for drawn in soup.select(".katex-html"):
        drawn.decompose()
    return str(soup)


def write(folder: Path, seed: str, chapters: list[str]) -> list[Path]:
    """Write the paper and the key of an exam, as HTML, and as PDF if Chromium is here."""
    if not chapters:
        raise Unusable("CHAPTERS is empty; expected some, such as '02 03 04'")
    repeated = [chapter for chapter, count in Counter(chapters).items() if count > 1]
    if repeated:
        raise Unusable(f"CHAPTERS has {repeated[0]} more than once; expected different ones")
    drawn = [draw(chapter, one, seed) for chapter in chapters for one in load(chapter)]
    chosen = choose(drawn, generator("exam", seed, *chapters))
    title = "Recurrent neural networks"
    written = []
    for name, key in (("paper", False), ("key", True)):
        path = folder / f"{name}.html"
        with replacing(path) as part:
            part.write_text(paper(chosen, title, key), "utf-8")
        written.append(path)
        if browser.find():
            with replacing(path.with_suffix(".pdf")) as part:
                browser.browse(path, "--no-pdf-header-footer", f"--print-to-pdf={part}")
            written.append(path.with_suffix(".pdf"))
    return written


def main(arguments: list[str] | None = None) -> str | None:
    """Write an exam and its key."""
    parser = argparse.ArgumentParser(prog="python -m course.exam", description=main.__doc__)
    parser.add_argument("--folder", required=True, help="where the files go")
    parser.add_argument("--seed", required=True, help="another seed gives another paper")
    parser.add_argument("--chapters", required=True, help="'02 03 04'")
    given = parser.parse_args(arguments)
    try:
        for path in write(outside(given.folder), given.seed, given.chapters.split()):
            print(path)
    except Unusable as error:
        return f"error: {error}"
    return None


if __name__ == "__main__":
    run_program(main)
