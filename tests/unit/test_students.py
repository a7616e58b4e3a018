"""Check the handouts: students' notebooks, and instructors' with solutions and notes."""

import nbformat
import pytest
from nbconvert.exporters import ScriptExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from press.deck import Deck
from press.flatten import Context, flatten, labels
from press.students import instructor, student

BIBLIOGRAPHY = """@book{deep, author={Goodfellow, Ian and Bengio, Yoshua and Courville, Aaron},
title={Deep Learning}, year={2016}}
@misc{notes, author={Chiang, David}, title={Notes}, year={2024}}"""


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("(sec-loop)=\n# A loop", "# A loop"),
        ("see [(G 10.9)](#eq-10.9)", "see (G 10.9)"),
        ("see {eq}`eq-10.9`", "see (G 10.9)"),
        ("see [the table](notation.md#x)", "see the table"),
        ('the <a href="slides/02.html">deck</a>', "the deck"),
        ("see [the web](https://example.org/a)", "see [the web](https://example.org/a)"),
        ('drag to <span data-set="unfold?T=8">eight steps</span>', "drag to eight steps"),
        ('<span data-number="free-run: {n[a b]:.0f} of {of}">7 of 9</span> do', "7 of 9 do"),
        ("$$\nx\n$$ (eq-x)", "$$\nx\n$$"),
        ("$$\nx \\tag{G 10.9}\n$$", "$$\nx \\tag{G 10.9}\n$$"),
        ("{math}`x_t` and {ref}`words <there>`", "$x_t$ and words"),
        ("a `{eq}` and ``{ref}`x` `` stay", "a `{eq}` and ``{ref}`x` `` stay"),
        ("% a comment\nwords\n\n+++\n\nmore", "words\n\nmore"),
        ("```{note}\nwords\n```", "> **Note**\n>\n> words"),
        ("```{note} words\nmore\n```", "> **Note**\n>\n> words\n> more"),
        (
            ":::{admonition} Misprint in the source\n:class: misprint\nwords\n:::",
            "> **Misprint in the source**\n>\n> words",
        ),
        (
            "::::{tip}\nouter\n\n:::{note}\ninner\n:::\n::::",
            "> **Tip**\n>\n> outer\n>\n> > **Note**\n> >\n> > inner",
        ),
        (
            "```{dropdown} Why $x$\nwords\n```",
            "<details><summary>Why $x$</summary>\n\nwords\n\n</details>",
        ),
        ("```{exercise} Count\n:label: ex-1\nHow many?\n```", "How many?"),
        ("### Count\n\n```{exercise} Count\nHow many?\n```", "### Count\n\nHow many?"),
        ("```python\n(label)=\n{eq}`x`\n```", "```python\n(label)=\n{eq}`x`\n```"),
        ("- item\n\n  ```{tip}\n  words\n  ```", "- item\n\n  > **Tip**\n  >\n  > words"),
        ("```{code-block} python\nx = 1\n```", "```python\nx = 1\n```"),
        ("```{math}\n:label: eq-x\nx\n```", "$$\nx\n$$"),
    ],
)
def test_myst_becomes_plain_markdown(given, plain):
    assert flatten(given) == plain


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("```{plotly}\n```", "the directive 'plotly' has no plain form"),
        ("{frob}`x`", "the role 'frob' has no plain form"),
        ("```{note}\nwords", "a fence is never closed"),
    ],
)
def test_markup_without_a_plain_form_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        flatten(given)


@pytest.mark.parametrize("break_", [" ", "\n"])
def test_a_source_directive_becomes_a_folded_listing(break_):
    plain = flatten(f"```{{source}}{break_}rnn_helpers.palette.colour\n```")
    assert plain.startswith(
        "<details><summary>Read <code>colour</code></summary>\n\n```python\ndef"
    )


def test_references_show_the_titles_of_their_targets():
    titles = labels("(sec-a)=\n## The *loop*\n\n```{exercise} Count\n:label: ex-1\n```")
    assert titles == {"sec-a": "The *loop*", "ex-1": "Count"}
    text = flatten("{ref}`sec-a` and {ref}`ex-1`", Context(titles=titles))
    assert text == "The *loop* and Count"


@pytest.fixture
def chapter(tmp_path):
    (tmp_path / "references.bib").write_text(BIBLIOGRAPHY, "utf-8")
    cells = [
        new_markdown_cell("# A loop\n\nAfter {cite:t}`deep` {cite}`notes`.", id="title"),
        new_code_cell("x = 1", id="one", execution_count=1),
        new_markdown_cell("## Count\n\n```{exercise} Count\n:label: ex-1\nHow many?\n```", id="ex"),
        new_code_cell("y = 2", id="folded", metadata={"tags": ["hide-input"]}),
        new_code_cell("def count():\n    raise NotImplementedError", id="stub"),
        new_code_cell("check('02-count', count)", id="check"),
        new_markdown_cell("```{solution} ex-1\n:class: dropdown\nTHREE\n```", id="solution"),
        new_markdown_cell("Before.\n\n```{solution-start} ex-2\n```\n\nFOUR", id="start"),
        new_code_cell("FIVE = 5", id="inside"),
        new_markdown_cell("SIX\n\n```{solution-end}\n```\n\nAfter.", id="end"),
        new_code_cell("SEVEN = 7", id="tagged", metadata={"tags": ["solution"]}),
        new_markdown_cell("```{admonition} All\n:class: dropdown solution\nEIGHT\n```", id="box"),
    ]
    path = tmp_path / "02_loop.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return path


def add(path, cell):
    notebook = nbformat.read(path, 4)
    notebook.cells.append(cell)
    nbformat.write(notebook, path)


def test_the_welcome_cell_states_whether_a_chapter_needs_torch(chapter):
    def welcome():
        return next(cell.source for cell in student(chapter).cells if cell.id == "welcome")

    assert "Nothing\n> here needs a network or PyTorch." in welcome()
    add(chapter, new_code_cell("net = nets.RNN(2, 3, 1)", metadata={"tags": ["torch"]}))
    assert "cells that train networks, or compare with PyTorch's, need PyTorch" in welcome()


def test_run_all_continues_after_a_cell_that_needs_torch(chapter):
    add(chapter, new_code_cell("net = nets.RNN(2, 3, 1)", metadata={"tags": ["torch"]}))
    *others, net = student(chapter).cells
    assert "raises-exception" in net.metadata.tags
    assert not any("raises-exception" in cell.metadata.get("tags", []) for cell in others)


@pytest.mark.parametrize("copy", [student, instructor])
def test_a_copy_converts_to_a_program(copy, chapter):
    notebook = copy(chapter)
    nbformat.validate(notebook)
    script, resources = ScriptExporter().from_notebook_node(notebook)
    assert resources["output_extension"] == ".py"
    assert "# # A loop" in script
    assert "x = 1" in script


def test_a_student_gets_stubs_and_checks_but_no_solutions(chapter):
    notebook = student(chapter)
    text = "\n".join(cell.source for cell in notebook.cells)
    for word in ("THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT"):
        assert word not in text
    for words in ("raise NotImplementedError", "check('02-count', count)", "Before.", "After."):
        assert words in text
    assert "After Goodfellow et al. (2016) (Chiang, 2024)." in text
    ids = [cell.id for cell in notebook.cells]
    assert ids[:3] == ["title", "welcome", "install"]
    assert notebook.cells[ids.index("folded")].metadata == {"jupyter": {"source_hidden": True}}
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_a_student_gets_a_removed_cell_only_if_a_later_cell_needs_it(chapter):
    removed = {"tags": ["remove-cell"]}
    add(chapter, new_code_cell("used = 1", id="used", metadata=removed))
    add(chapter, new_code_cell("for x in [used]:\n    print(x)", id="verdict", metadata=removed))
    add(chapter, new_code_cell("for x in [used]:\n    print(2 * x)", id="shown"))
    ids = {cell.id for cell in student(chapter).cells}
    assert {"used", "shown"} <= ids
    assert "verdict" not in ids
    assert "verdict" in {cell.id for cell in instructor(chapter).cells}


def test_a_student_sees_the_stub_of_an_exercise_that_is_answered_on_the_page(chapter):
    box = {"jupyter": {"source_hidden": True}, "tags": ["remove-input"]}
    add(chapter, new_code_cell("explore.show('answer')", id="box", metadata=box))
    add(chapter, new_code_cell("many = ...", id="typed", metadata={"tags": ["notebook-only"]}))
    *_, box, stub = student(chapter).cells
    assert box.metadata == {"jupyter": {"source_hidden": True}}
    assert (stub.id, stub.metadata) == ("typed", {})


def test_an_instructor_gets_solutions_and_notes_after_the_cells(chapter, tmp_path):
    deck = tmp_path / "02_loop.md"
    deck.write_text(
        "---\nchapter: 02_loop\ntitle: A loop\nquestion: How long?\n---\n# Part\n\n## First\n\n"
        "{from: one, show: code}\n\n::: notes\nminutes: 4\n\nAsk: why?\n:::\n\n---\n\n## Second\n\n"
        "Words.\n\n::: notes\nminutes: 0\n\nSay: so.\n:::\n",
        "utf-8",
    )
    cells = {cell.id: cell.source for cell in instructor(chapter, Deck.read(deck)).cells}
    assert "**Solution**\n\nTHREE" in cells["solution"]
    assert "<summary>All</summary>\n\nEIGHT" in cells["box"]
    assert "FIVE = 5" in cells["inside"]
    assert "| Part | 2–3 | 4 |" in cells["plan"]
    order = list(cells)
    assert order[order.index("one") :][:3] == ["one", "slide-2", "slide-3"]
    assert cells["slide-2"] == "> **Slide 2: First** (4 min)\n>\n> **Ask:** why?"


def test_an_unknown_citation_is_reported_with_its_cell(chapter):
    notebook = nbformat.read(chapter, as_version=4)
    notebook.cells[0].source = "# A loop\n\n{cite}`nobody`"
    nbformat.write(notebook, chapter)
    with pytest.raises(ValueError, match=r"02_loop.ipynb, cell 'title': .* no entry 'nobody'"):
        student(chapter)


def test_a_citation_shows_accents_instead_of_latex(chapter):
    accents = r"@misc{clocks, author={Koutn{\'i}k, Jan and {\v{C}}apek, Karel}, year={2014}}"
    (chapter.parent / "references.bib").write_text(BIBLIOGRAPHY + accents, "utf-8")
    notebook = nbformat.read(chapter, as_version=4)
    notebook.cells[0].source = "# A loop\n\n{cite:t}`clocks` and {cite}`deep`"
    nbformat.write(notebook, chapter)
    written = "\n".join(cell.source for cell in student(chapter).cells)
    assert "Koutník and Čapek (2014)" in written
    assert "Goodfellow et al., 2016" in written


def test_a_gated_solution_without_an_end_is_reported(chapter):
    notebook = nbformat.read(chapter, as_version=4)
    notebook.cells = notebook.cells[:8]
    nbformat.write(notebook, chapter)
    with pytest.raises(ValueError, match="a solution-start has no solution-end"):
        student(chapter)
