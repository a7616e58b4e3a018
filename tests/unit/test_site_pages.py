"""The pages of a small book have the content that the extension should produce."""

import html
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from press.citation import Citation
from press.claims import CHOSEN, condition_of
from press.renderers import _least
from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.selection import FIXED, PROTOCOL
from rnn_helpers.experiments.store import stored_slugs
from rnn_helpers.experiments.tables import separated

pytestmark = pytest.mark.slow  # for the book it builds

ROOT = Path(__file__).parents[2]
NOTEBOOK = r'<a href="notebooks/02_one\.ipynb" download title="[^"]*">'
TAGGED = "$$\nh = \\tanh(a) \\tag{G 10.9}\n$$"

SAYS = "{still} networks rest, {moving} oscillate."
ASKED = """experiments.show(
    "length-success",
    ask="default",
    x=[200],
    says="{first[default][200]} of {of} learn it.",
    question="How many learn it?",
    why="It is easy.",
)"""

CHAPTER = [
    ("md", "title", "# One\n\nWhat is it? See [(G 10.9)](#eq-10.9) and [(C 5.4)](#eq-5.4)."),
    ("md", "eq-10-9", TAGGED),
    ("md", "source", "```{source} rnn_helpers.reference.activations.sigmoid\n```"),
    (
        "code",
        "fig-unfold",
        "from rnn_helpers import explore\nexplore.show('unfold', T=3)",
    ),
    (
        "code",
        "plot",
        "from rnn_helpers import circuits, explore, plots\n"
        "explore.lab(lambda T: plots.unfolded_graph(circuits.FIGURES['10.3'], T), T=(1, 5))",
    ),
    (
        "md",
        "ex-try",
        "```{exercise} Try\n:label: ex-02-try\n*code.* Do. See {ref}`ex-02-try`.\n```",
    ),
    (
        "code",
        "exp-reach",
        "from rnn_helpers import experiments",
    ),
    ("code", "exp-shown", f'experiments.show("gradient-reach", says="{SAYS}")'),
    ("code", "stub", "from rnn_helpers.checks import check\ncheck('02-run', ...)"),
    ("code", "typed", "seen = ...  # only notebooks show this"),
    ("md", "number", 'Of <span data-number="gradient-reach: {learned} of {of}">97</span> networks'),
    ("md", "terms", "An early gate.\n\n(sec-gates)=\n## Gates\n\nWhat is a gate?"),
    ("code", "exp-asked", ASKED),
    ("md", "told", "This tells it."),
    ("code", "also-told", "print('and this')"),
    ("md", "after", "## After it\n\nThis is shown."),
]
TAGS = {"typed": ["notebook-only"]}
PAGES = {
    "index": "# Start\n\n```{explorable} unfold\nT: 2\n```\n",
    "plain": f"# Plain\n\n{TAGGED.replace('G 10.9', 'C 5.4')}\n\nNo [](#fig-nowhere), $z$; or.\n",
    "index2": "# Index\n\n```{equation-index}\n```\n",
    "glossary": "# Glossary\n\n```{glossary-entries}\n```\n",
    "slips": "# Slips\n\n## Misprints\n\n```{misprints} misprints\n```\n\n"
    "## Notes\n\n```{misprints} notes\n```\n",
    "ledger": "# Claims\n\n```{claims-ledger}\n```\n",
    "one": "# Rates\n\n```{claim} learning-rate\n```\n",
    "reach": "# Reach\n\n```{claim} gradient-reach\n```\n",
    "loops": "# Loops\n\n```{claim} greedy-loops\n```\n",
    "descents": "# Descents\n\n```{claim} omega-gradient\n```\n",
    "about": "# About\n\n```{how-to-cite}\n```\n",
    "names": "# Names\n\n```{notation} table\n```\n\n```{notation} blocks\n```\n\n"
    "```{notation} collisions\n```\n",
    "bad": "# Bad\n\n$\\foo$\n\n```{source} rnn_helpers.nothing\n```\n\n"
    "```{explorable} nothing\n```\n\n```{explorable} unfold\nT: 9999\n```\n",
}
TERM = {"term": "gate", "also": ["sluice"], "meaning": "It opens.", "section": "sec-gates"}
MISPRINT = {
    "slug": "a-slip",
    "title": "A slip in $x$",
    "source": "Somebody",
    "place": "(G 10.9)",
    "printed": "$x = y$",
    "correct": "$x = z$",
    "why": "Because.",
    "severity": "slip",
    "chapter": "02",
    "cell": "eq-10-9",
}
NOTE = MISPRINT | {"slug": "a-note", "title": "A condition", "severity": "note"}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Build the book; return the folder of its pages and the messages of the build."""
    root = tmp_path_factory.mktemp("book")
    (root / "book").mkdir()
    for name in ("rnn_helpers", "press", "tests"):
        (root / name).symlink_to(ROOT / name)
    for name, text in PAGES.items():
        (root / "book" / f"{name}.md").write_text(text, "utf-8")
    make = {"md": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    cells = [
        make[kind](text, id=i, metadata={"tags": TAGS.get(i, [])}) for kind, i, text in CHAPTER
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, root / "book/02_one.ipynb")
    (root / "book/misprints.yml").write_text(yaml.safe_dump([NOTE, MISPRINT]), "utf-8")
    (root / "book/glossary.yml").write_text(yaml.safe_dump([TERM]), "utf-8")
    (root / "book/references.bib").write_text("", "utf-8")
    (root / "_config.yml").write_text((ROOT / "_config.yml").read_text("utf-8"), "utf-8")
    files = ["book/02_one", *(f"book/{name}" for name in PAGES if name != "index")]
    toc = {
        "format": "jb-book",
        "root": "book/index",
        "parts": [{"caption": "All", "chapters": [{"file": file} for file in files]}],
    }
    (root / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    (root / "_build/html/book").mkdir(parents=True)
    (root / "_build/html/book/gone.html").write_text("An earlier build made it.", "utf-8")
    code = f"""from pathlib import Path
from press.internals import build_pages
build_pages(Path({str(root)!r}), 2)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return root / "_build/html/book", done.stderr


@pytest.fixture
def page(book):
    return lambda name: (book[0] / f"{name}.html").read_text("utf-8")


def test_an_equation_tag_becomes_a_number_and_an_anchor(page):
    assert 'id="equation-eq-10-9"' in page("02_one")
    assert re.search(r'<span class="eqno">\(G 10\.9\)', page("02_one"))
    assert "\\tag" not in page("02_one")


def test_punctuation_stays_with_its_formula(page):
    assert re.search(r'<span class="kept">.*?;</span></span> or\.', page("plain"))


def test_a_number_links_to_its_equation_on_any_page(page):
    assert 'href="#equation-eq-10-9"' in page("02_one")
    assert 'href="plain.html#equation-eq-5-4"' in page("02_one")


def test_the_page_shows_a_bound_number_without_its_template(page):
    assert "Of 97 networks" in page("02_one")


def test_every_cell_has_an_anchor(page):
    for _, name, _ in CHAPTER[:1] + CHAPTER[3:]:
        if name in TAGS:
            continue
        assert f'id="{name}"' in page("02_one")


def test_an_exercise_without_an_answer_links_to_the_notebook(page):
    assert "Not answered yet" not in page("02_one")
    after = page("02_one").partition("02-run")[2]
    assert re.search(rf"{NOTEBOOK}Write it in the notebook</a>", after)


def test_a_line_below_the_introduction_explains_how_to_run_the_chapter(page, book):
    line = rf'<p class="unf-run">Run this chapter: {NOTEBOOK}download the notebook</a>'
    (found,) = re.finditer(line, page("02_one"))
    assert (book[0] / "notebooks/unfolded-notebooks.zip").is_file()
    opening = page("02_one")[: found.start()]
    assert "What is it?" in opening
    assert "unfolded-figure" not in opening
    assert "unf-run" not in page("plain")
    copy = nbformat.read(book[0] / "notebooks/02_one.ipynb", as_version=4)
    assert "Student notebook: chapter 02" in copy.cells[1].source


def test_the_download_button_offers_only_the_student_notebook(page, book):
    def offered(name):
        group = page(name).partition("dropdown-download-buttons")[2].partition("</ul>")[0]
        return re.findall(r'href="([^"]*)"', group)

    assert offered("02_one") == ["notebooks/02_one.ipynb"]
    assert offered("plain") == []
    assert "window.print()" in page("plain")
    assert not (book[0].parent / "_sources").exists()


def test_a_stub_that_only_notebooks_show_is_not_on_the_page(page):
    assert "only notebooks show this" not in page("02_one")


def test_the_source_of_a_function_can_be_expanded(page):
    folded = re.search(r"<details class=\"unf-source.*?</details>", page("02_one"), re.S)[0]
    text = html.unescape(re.sub("<[^>]+>", "", folded))
    assert "def sigmoid(" in text
    assert "rnn_helpers/reference/activations.py" in text


def test_chapters_and_plain_pages_have_figures(page):
    assert 'data-module="unfold" data-state=\'{"T":3}\'' in page("02_one")
    assert 'data-module="unfold" data-state=\'{"T":2}\'' in page("index")
    assert 'class="unfolded-still"' in page("index")


def test_only_pages_with_figures_load_the_scripts_of_figures(page):
    for name, wanted in (("02_one", True), ("index", True), ("plain", False)):
        assert ("host.js" in page(name)) == wanted
        assert ("figures.css" in page(name)) == wanted


def test_a_lab_has_pictures_what_they_show_and_a_link_to_the_notebook(page):
    lab = re.search(r'<div class="unf-plot.*?unf-lab-note.*?</p>', page("02_one"), re.S)[0]
    assert len(re.findall(r"<img", lab)) == 2
    assert all(alt.strip() for alt in re.findall(r'alt="([^"]*)"', lab))
    assert "only-light" in lab
    assert "only-dark" in lab
    assert "its unfolded graph for T = 3, with" in re.sub('alt="[^"]*"', "", lab)
    assert "settings: T = 3." in lab
    assert re.search(rf"{NOTEBOOK}download the notebook</a>", lab)
    assert "widget-view" not in page("02_one")
    assert "widget-state" not in page("02_one")


@pytest.mark.parametrize(
    ("width", "panels", "words", "least"),
    [(540, 1, 11, 0), (540, 2, 22, 270), (540, 2, 11, 540), (640, 1, 22, 320), (640, 1, 0, 0)],
)
def test_a_wide_plot_does_not_shrink_until_its_words_are_illegible(width, panels, words, least):
    assert _least({"width": width, "panels": panels, "smallest": words}) == least


def test_exercises_are_numbered_by_chapter(page):
    assert len(re.findall(r"Exercise 2\.1", page("02_one"))) == 2


def test_the_equation_index_lists_place_function_and_test(page):
    index = page("index2")
    assert 'href="02_one.html#equation-eq-10-9"' in index
    assert "rnn.hidden_state" in index
    assert "held by" in index


def test_a_misprint_shows_both_forms_and_its_place(page):
    slips = page("slips")
    assert 'id="a-slip"' in slips
    assert "In the text we worked from" in slips
    assert 'href="02_one.html#eq-10-9"' in slips


def test_notes_on_the_sources_are_listed_apart_from_misprints(page):
    slips = page("slips")
    misprints, notes = (slips.index(f'<section id="{name}"') for name in ("misprints", "notes"))
    shown, added = (slips.index(f'id="{name}"') for name in ("a-slip", "a-note"))
    assert misprints < shown < notes < added
    assert slips.index("Read instead") < notes < slips.index("What can be added today")


def test_notation_and_claims_come_from_the_package(page):
    assert "weight_ih_l0" in page("names")
    assert "log-likelihood" in page("names")
    assert "cell input, without a letter" in page("names")


def lines(text):
    """Return the lines of the ledger by slug, the archived claims last."""
    found = re.findall(r'<li class="chapter-[^"]*" id="([^"]+)">(.*?)</li>', text, re.S)
    return {slug: re.sub(r"<[^>]+>", "", html.unescape(line)) for slug, line in found}


def test_the_ledger_has_a_line_for_each_claim_and_an_anchor(page):
    found = lines(page("ledger"))
    assert list(found)[: len(experiments())] == list(experiments())
    assert set(found) == stored_slugs() | archived_slugs()
    for slug, entry in experiments().items():
        assert entry.short in found[slug].replace("’", "'")
    assert page("ledger").index("archived claims") < page("ledger").index('id="greedy-loops"')


def test_a_line_of_the_ledger_has_the_verdict_and_its_condition(page):
    found = lines(page("ledger"))
    for slug, line in found.items():
        assert load(slug).summary.kind.capitalize() in line
    assert found["free-run"].endswith("if gradients pass through the outputs that a network is fed")
    assert found["accumulate-forget"].endswith("gated networks learn when to forget")
    assert found["recall"].endswith("if states of the same form are compared")


@pytest.mark.parametrize(
    ("verdict", "condition"),
    [
        ("Holds. It costs 0.08 bits.", ""),
        ("Holds in part, if it is small. It costs 0.08 bits.", "if it is small"),
        ("Holds in part, if it is small: 0.8 of 1 learn.", "if it is small"),
        ("Holds in part: small ones learn. It leaves 0.96 %.", "small ones learn"),
        ("Does not hold.", ""),
    ],
)
def test_the_condition_is_the_verdicts_text_before_its_reason(verdict, condition):
    assert condition_of(verdict) == condition


def test_the_ledger_and_the_page_explain_the_choice_of_settings(page):
    ways = [entry.selection for entry in experiments().values()]
    assert f"{ways.count(PROTOCOL)} experiments chose settings <em>by" in page("ledger")
    assert f"In the other {ways.count(FIXED)}" in page("ledger").replace("\n", " ")
    assert "How we chose its settings" in page("one")
    assert CHOSEN[experiments()["learning-rate"].selection] in page("one")


def test_the_page_of_a_claim_shows_its_result(page):
    result, text = load("learning-rate"), html.unescape(page("one"))
    shown = re.sub(r"<[^>]+>", "", text).replace("’", "'")
    (block,) = result.blocks
    for words in (result.method, result.verdict, str(result.headline), block.date):
        assert words in shown, words
    assert re.search(r">Holds in part</span>, if the rate is fixed", text)  # the badge is short
    assert result.summary.caveats in shown
    assert "run learning-rate --quick" in shown
    assert "with seeds 0 to 19" in shown
    assert "steps: 300" in shown
    assert len(re.findall(r'<figure[^>]+data-module="result"', text)) == 1
    assert result.data().question in shown


def test_the_page_of_an_archived_claim_keeps_its_result_and_offers_no_run(page):
    result, text = load("greedy-loops"), html.unescape(page("loops"))
    shown = re.sub(r"<[^>]+>", "", text).replace("’", "'")
    claim, (block,) = result.experiment, result.blocks
    assert shown.count(f"archived this experiment on {claim.date}") == 1
    assert claim.code in shown
    assert "rnn_helpers.experiments run" not in shown
    parts = result.method, result.summary.finding, str(result.headline), block.date, "Its settings"
    for words in (*parts, *result.tables):
        assert words in shown, words
    assert len(re.findall(r'<figure[^>]+data-module="result"', text)) == len(claim.data)
    assert "archived" not in page("one")


@pytest.mark.parametrize(("name", "slug"), [("one", "learning-rate"), ("loops", "greedy-loops")])
def test_the_page_of_a_claim_offers_its_rows_as_a_file(book, page, name, slug):
    (link,) = re.findall(rf'href="([^"]+/{slug}\.zip)"', page(name))
    with zipfile.ZipFile(book[0] / link) as archive:
        rows = archive.read(f"{slug}.csv").decode()
    assert rows == load(slug).table(layout=separated)
    assert f"Its {len(rows.splitlines()) - 1} rows" in page(name)


def test_the_page_of_an_archived_claim_shows_its_pictures_and_blocks(page):
    result, text = load("omega-gradient"), html.unescape(page("descents"))
    assert text.count('<img class="only-light"') == text.count('<img class="only-dark"') == 1
    assert result.plot().alt in text
    for block in result.blocks:
        assert f"seeds {block.seeds[0]} to {block.seeds[-1]}: {result.of(block)}" in text


def test_an_experiment_is_a_figure_and_the_chapters_sentence(page):
    text = html.unescape(page("02_one"))
    shown = text[text.index('class="claim-shown') :]
    parts = 'data-module="result"', load("gradient-reach").say(SAYS)
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)


def test_everything_up_to_the_next_heading_waits_until_a_guess(page):
    text = page("02_one")
    asked, folded = (text.index(f'class="{name}') for name in ("claim-shown asks", "unf-discussed"))
    assert re.search(r'class="finding">.*learn it\.', text[asked:folded])
    told = text[folded : text.index('id="after-it"')]
    assert "This tells it." in told
    assert "and this" in told


def test_a_chapter_has_no_badge_and_no_sentence_of_the_source(page):
    result, text = load("gradient-reach"), html.unescape(page("02_one"))
    for words in (result.experiment.source, result.claim, result.summary.finding, "verdict"):
        assert words not in text


def test_the_call_that_shows_an_experiment_is_not_on_the_page(page):
    assert "experiments.show" not in re.sub(r"<[^>]+>", "", page("02_one"))
    assert "from rnn_helpers import experiments" in re.sub(r"<[^>]+>", "", page("02_one"))


def test_the_page_of_a_claim_shows_its_finding_and_its_tables(page):
    result, text = load("gradient-reach"), html.unescape(page("reach"))
    assert f'<p class="finding">{result.summary.finding}</p>' in text
    headings = re.findall(r"<th[^>]*><p>(.*?)</p></th>", text)
    assert headings[:2] == ["initialization", "factor per step back"]
    assert text.count("<table") == len(result.tables) == 2
    assert "0.44 (0.37 to 0.51)" in text


def test_the_ledger_counts_verdicts_and_intervals(page):
    results = [load(slug) for slug in stored_slugs()]
    counted = re.findall(r'class="verdict verdict-([a-z-]+)">([^<:]+): (\d+)<', page("ledger"))
    kinds = [result.summary.kind for result in results]
    four = "holds", "holds in part", "does not hold", "undecided"
    assert [(kind, int(n)) for _, kind, n in counted] == [(k, kinds.count(k)) for k in four]
    assert all(colour == kind.replace(" ", "-") for colour, kind, _ in counted)
    sums = [kinds.count(kind) for kind in four]
    assert f"Of {len(results)} claims, {sums[0]} hold in the case" in page("ledger")
    assert f"and {sums[1]} hold in the part" in page("ledger")
    about = {len(results) // 20, -(-len(results) // 20)}
    missed = f"of {len(results)} intervals, expect about {' or '.join(map(str, sorted(about)))} to"
    assert missed in page("ledger")
    several = sum(len(result.blocks) > 1 for result in results)
    assert f"{several} of the {len(results)} verdicts rest on several blocks" in page("ledger")


def test_no_page_loads_anything_from_another_site(book):
    for path in book[0].glob("*.html"):
        asked = re.findall(
            r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:|//)', path.read_text("utf-8")
        )
        assert asked == [], path.name
        assert "Content-Security-Policy" in path.read_text("utf-8")


@pytest.mark.parametrize(
    "complaint",
    [
        r"book/plain\.md.*fig-nowhere",
        r"book/bad\.md.*\\\\foo.*cannot be set",
        r"book/bad\.md.*name is 'rnn_helpers\.nothing'",
        r"book/bad\.md.*name is 'nothing'",
        r"book/bad\.md.*T is 9999",
    ],
)
def test_a_warning_names_the_page_of_the_mistake(book, complaint):
    assert re.search(complaint, book[1].replace("\n", " ")), book[1]


def test_pages_are_read_in_parallel(book):
    assert "serial read" not in book[1]


def test_there_are_no_other_warnings(book):
    blamed = set(re.findall(r"book/(\w+)\.(?:md|ipynb)", book[1]))
    assert blamed == {"plain", "bad"}, book[1]


def test_a_term_links_to_its_glossary_entry_and_the_entry_to_its_section(page):
    chapter, glossary = page("02_one"), page("glossary")
    (link,) = re.findall(r'<a class="[^"]*term[^>]*>', chapter)
    assert 'title="It opens."' in link
    assert 'href="glossary.html#term-gate"' in link
    assert all(f'<dt id="term-{name}">' in glossary for name in ("gate", "sluice"))
    assert 'href="02_one.html#sec-gates"' in glossary


def test_search_finds_each_name_of_a_term(book):
    index = (book[0].parent / "searchindex.js").read_text("utf-8")
    assert all(f'"{name}":[[' in index and f'"term-{name}"' in index for name in ("gate", "sluice"))


def test_the_root_is_a_copy_of_the_first_page(page, book):
    root = (book[0].parent / "index.html").read_text("utf-8")
    assert "refresh" not in root
    assert 'data-content_root="./"' in root
    assert 'src="_static/host.js' in root
    assert 'href="book/plain.html"' in root
    assert root.count("Content-Security-Policy") == 1


def test_the_page_for_missing_addresses_looks_like_the_book(book):
    missing = (book[0].parent / "404.html").read_text("utf-8")
    assert "There is no such page" in missing
    assert 'href="book/index.html"' in missing
    assert "Content-Security-Policy" in missing
    assert 'id="pst-primary-sidebar"' in missing


def test_the_foot_of_each_page_has_the_version_and_says_how_to_cite(page, book):
    cited = Citation.read()
    for name, link in (("02_one", "about.html"), ("about", "#"), ("../index", "book/about.html")):
        foot = page(name).rpartition('class="extra_footer"')[2]
        assert f"Unfolded {cited.version}, {cited.day}" in foot
        assert f'<a href="{link}">Cite and reuse</a>' in foot
        assert "Accessibility" not in foot  # this book has no such page


def test_a_page_has_the_entry_for_bibtex(page):
    shown = BeautifulSoup(page("about"), "html.parser").pre.get_text()
    assert shown == Citation.read().bibtex()


def test_the_page_of_a_removed_source_is_deleted(book):
    assert not (book[0] / "gone.html").exists()
