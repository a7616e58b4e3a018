"""Check the structure that all chapters share."""

import builtins
import re
import subprocess
import sys

import pytest
from books import (
    BOOK,
    NOTEBOOKS,
    ROOT,
    cells,
    code,
    directives,
    every_chapter,
    prose,
    tags,
)

from press.dependencies import binds, reads
from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.explore import manifest

CHECKED = "nbval-check-output"  # nbval compares the outputs of cells with this tag
VISIBLE_LINES = 25
REMOVED = {"remove-input", "remove-cell", "remove_input", "remove_cell"}
HIDDEN = {"hide-input", "hide-cell", *REMOVED}
NOT_OURS = re.compile(r"(?<![\w.])/(?:work|tmp|home|root|Users)/|C:\\\\")


@every_chapter
def test_cells_have_readable_names(path):
    names = [cell["id"] for cell in cells(path)]
    assert len(set(names)) == len(names)
    assert [
        name for name in names if not re.fullmatch(r"[a-z][A-Za-z0-9-]*[A-Za-z0-9]", name)
    ] == []
    assert [name for name in names if re.fullmatch(r"(?:md|code)-\d+|[0-9a-f]{8}", name)] == []


@every_chapter
def test_only_compared_outputs_are_committed(path):
    for cell in code(path):
        kept = "keep_output" in tags(cell)
        assert kept or not cell.outputs, f"{cell['id']} has outputs; `make setup` strips them"
        assert kept == (CHECKED in tags(cell)), (
            f"{cell['id']}: the tags keep_output and {CHECKED} go together"
        )
        assert "NBVAL_" not in cell.source, f"{cell['id']}: write nbval's mark as a tag"
        if kept:
            assert cell.outputs, f"{cell['id']} is compared but has no stored output"


@every_chapter
def test_the_notebook_contains_no_details_of_this_machine(path):
    notebook = path.read_text("utf-8")
    assert '"language_info"' not in notebook
    assert NOT_OURS.findall(notebook) == []


@pytest.fixture(scope="module")
def stripped():
    """Return each notebook as the filter of `make setup` writes it, from a single process."""
    options = re.search(r"-m nbstripout (.*)\"", (ROOT / "Makefile").read_text("utf-8"))[1].split()
    command = [sys.executable, "-m", "nbstripout", *options, "--textconv", *map(str, NOTEBOOKS)]
    done = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8")
    # The outputs are concatenated. Only the outer braces of each are at the start of a line.
    return dict(zip(NOTEBOOKS, re.findall(r"^\{.*?^\}", done, re.M | re.S), strict=True))


@pytest.mark.slow
@every_chapter
def test_the_make_setup_filter_leaves_a_committed_notebook_unchanged(path, stripped):
    assert stripped[path].rstrip() == path.read_text("utf-8").rstrip()


@every_chapter
def test_at_least_five_outputs_are_compared(path):
    assert sum("keep_output" in tags(cell) for cell in code(path)) >= 5


@every_chapter
def test_no_visible_cell_is_long(path):
    long = {
        cell["id"]: len(cell.source.splitlines())
        for cell in code(path)
        if not HIDDEN & set(tags(cell)) and len(cell.source.splitlines()) > VISIBLE_LINES
    }
    assert long == {}


@every_chapter
def test_code_on_a_page_uses_only_names_defined_earlier_on_the_page(path):
    """Include folded imports, because a reader can open them and copy them with the cell."""
    known = set(dir(builtins))
    for cell in code(path):
        if not REMOVED & set(tags(cell)):
            assert reads(cell.source) - known == set(), cell["id"]
            known |= binds(cell.source)


@every_chapter
def test_it_opens_with_a_question_a_figure_and_three_goals(path):
    first = cells(path)
    number = int(path.stem[:2])
    assert re.match(rf"# {number}\. \S", first[0].source), "the first cell is the numbered title"
    _, *lead, source = first[0].source.split("\n\n")
    assert any("?" in paragraph for paragraph in lead), "the lead asks a question"
    assert re.fullmatch(r"<small>.+</small>", source), "a small line on the sources ends the cell"
    opening = first[
        : next(k for k, cell in enumerate(first) if cell.source.startswith(("## ", "(sec")))
    ]
    assert any("explore.show(" in cell.source for cell in opening), "no figure in the opening"
    text = "\n".join(cell.source for cell in opening if cell.cell_type == "markdown")
    assert len(re.findall(r"^- ", text, re.M)) == 3, "three goals for the reader"
    assert re.search(r"\byou need\b", text, re.I), "prerequisites: «You need: …»"


@every_chapter
def test_it_has_a_lab_and_two_predictions(path):
    on_page = [cell for cell in code(path) if "remove-cell" not in cell.metadata.get("tags", [])]
    source = "\n".join(cell.source for cell in on_page)
    assert source.count("explore.lab(") >= 1
    asked = r"explore\.show\(\s*[\"']predict[\"']|experiments\.show\([^)]*?\bask="
    assert len(re.findall(asked, source)) >= 2


@every_chapter
def test_figures_and_sentences_refer_to_existing_figures(path):
    shown = re.findall(
        r"explore\.show\(\s*[\"'](\w+)[\"']", "\n".join(c.source for c in code(path))
    )
    assert set(shown) <= set(manifest())
    setting = re.findall(r'data-set="([\w]+)(?:-\d+)?\?([^"]*)"', prose(path))
    for name, query in setting:
        assert name in shown, f"a sentence sets {name}, which this chapter does not show"
        controls = manifest()[name]["controls"]
        for pair in query.replace("&amp;", "&").split("&"):
            key = pair.partition("=")[0]
            assert key in controls, f"a sentence sets {key} of {name}: {', '.join(controls)}"
            assert not controls[key].get("fixed"), f"a sentence cannot set {key} of {name}"


@every_chapter
def test_a_sentence_that_sets_a_figure_contains_no_formula(path):
    # The sentence becomes a button with its plain text, in which each formula appears three times.
    sentences = re.findall(r"<span data-set=[^>]*>(.*?)</span>", prose(path), re.S)
    assert [words for words in sentences if "$" in words] == []


@every_chapter
def test_experiments_are_loaded_by_names_that_exist(path):
    source = "\n".join(cell.source for cell in code(path))
    loaded = re.findall(r"(?:load|experiments\.show)\(\s*[\"']([\w-]+)[\"']", source)
    known = experiments().keys() | archived_slugs()
    assert [slug for slug in loaded if slug not in known] == []
    assert not loaded or path.stem[:2] in {load(slug).chapter for slug in loaded}


@every_chapter
def test_the_summary_cites_sources_and_links_to_the_deck(path):
    _, _, last = prose(path).partition("\n## What to remember\n")
    last, _, _ = last.partition("\n## Going further\n")
    assert re.search(r"\{cite(?::\w+)?\}`", last)
    assert f"slides/{path.stem}.html" in last, "a link to the deck"
    assert (BOOK / "slides" / f"{path.stem}.md").exists(), "the deck"


@every_chapter
def test_citations_are_in_the_bibliography(path):
    known = set(re.findall(r"^@\w+\{([^,]+),", (BOOK / "references.bib").read_text("utf-8"), re.M))
    cited = ",".join(re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", prose(path))).split(",")
    assert {key.strip() for key in cited} - known - {""} == set()


@every_chapter
def test_links_point_to_existing_chapters(path):
    linked = re.findall(r"\]\((\d\d_\w+)\.(?:ipynb|md)(?:#[\w.-]+)?\)", prose(path))
    assert [name for name in linked if not (BOOK / f"{name}.ipynb").exists()] == []


@every_chapter
def test_equations_have_tags_instead_of_labels(path):
    """Forbid labels, because JupyterLab prints a label on top of the tag."""
    assert re.findall(r"\$\$[ \t]*\([\w.:-]+\)[ \t]*$", prose(path), re.M) == []
    assert directives(path, "math") == []


def test_all_figure_sources_are_bundled():
    sources = {path.parent.name for path in (ROOT / "rnn_helpers/figures").glob("*/meta.js")}
    assert sources == set(manifest())
