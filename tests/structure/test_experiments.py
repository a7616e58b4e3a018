"""Every stored result belongs to its code and can be summed up."""

import ast
import re
import subprocess
import sys

import pytest
from books import NOTEBOOKS, cells, every_chapter, tags

from press.claims import using
from rnn_helpers.experiments import experiments, find, load
from rnn_helpers.experiments.archived import CODE, archived_slugs
from rnn_helpers.experiments.fingerprint import PACKAGE, reached
from rnn_helpers.experiments.selection import FIXED, PROTOCOL
from rnn_helpers.experiments.store import stored_slugs

ALL = experiments()
ARCHIVED = sorted(archived_slugs())
BOUNDED = "share", "success", "accuracy", "cosine", "correlation", "largest difference of success"


@pytest.mark.parametrize("slug", ALL)
def test_the_stored_result_belongs_to_the_code(slug):
    """The file is also undamaged, and the numbers of its summary are possible."""
    stored = load(slug)
    assert not stored.stale, (
        f"the code that made the rows has changed; if their numbers are the same, "
        f"`python -m rnn_helpers.experiments rehash {slug}` keeps them, else `... run {slug}`"
    )
    summary = stored.summary
    assert summary.low <= summary.value <= summary.high
    if summary.unit.startswith(BOUNDED):
        assert -1 <= summary.low <= summary.high <= 1
    cosines = re.findall(r"cosine[^;]*?\(([\d.-]+) to ([\d.-]+)\)", summary.text)
    assert all(-1 <= float(end) <= 1 for pair in cosines for end in pair), cosines


@pytest.mark.parametrize("slug", ALL)
def test_a_claim_has_a_finding_and_a_verdict_that_is_a_sentence(slug):
    summary = load(slug).summary
    assert summary.finding.endswith(".")
    assert summary.verdict.endswith(".")
    assert "{" not in summary.finding + summary.verdict + summary.text


@pytest.mark.parametrize("slug", ALL)
def test_a_table_names_its_columns_and_has_text_or_numbers_in_them(slug):
    for caption, lines in load(slug).tables.items():
        assert lines, caption
        for line in lines:
            assert all(isinstance(name, str) and name for name in line)
            assert all(isinstance(value, str | int | float) for value in line.values())


def test_every_experiment_has_a_stored_result():
    assert stored_slugs() == set(ALL)


@pytest.mark.parametrize("slug", ALL)
def test_a_claim_has_a_short_form_for_its_line_in_the_ledger(slug):
    short = ALL[slug].short
    assert 0 < len(short) <= 72
    assert not short.endswith(".")
    assert sum(entry.short == short for entry in ALL.values()) == 1


def test_no_archived_claim_can_be_run():
    assert ARCHIVED
    assert set(ARCHIVED).isdisjoint(ALL)
    modules = {path.stem for path in (PACKAGE.parent / CODE).glob("*/*.py")}
    assert modules == {slug.replace("-", "_") for slug in ARCHIVED}


@pytest.mark.parametrize("slug", ARCHIVED)
def test_an_archived_result_can_be_read(slug):
    """Also, that its parts agree with each other."""
    result = load(slug)
    claim, said = result.experiment, result.summary
    assert (PACKAGE.parent / claim.code).is_file()
    assert claim.selection in (PROTOCOL, FIXED)
    assert said.finding.endswith(".")
    assert all((result.claim, result.source, result.method, said.text, claim.shown))
    assert "{" not in said.finding + said.verdict + said.text
    assert all(result.data(name).question for name in claim.data)
    assert all(result.plot(name).alt for name in claim.pictures)
    assert all(result.of(block).unit == said.unit for block in result.blocks)
    with pytest.raises(ValueError, match=f"archived on {claim.date}.*its code is in {claim.code}"):
        find(slug)


@pytest.mark.parametrize("slug", ALL)
def test_every_claim_has_its_text_method_and_outcome_in_the_ledger(slug):
    result = load(slug)
    assert all((result.claim, result.source, result.method, result.summary.text, result.chapter))


@pytest.mark.parametrize("slug", ALL)
def test_a_source_is_a_place_that_a_reader_can_find(slug):
    """A reader can't look up the ids of an internal list."""
    assert not re.search(r"\b[PE]-?\d+", ALL[slug].source)


@pytest.mark.slow
def test_results_are_read_without_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from rnn_helpers import checks\n"
        "from rnn_helpers.experiments import experiments, load\n"
        "from rnn_helpers.experiments.archived import archived_slugs\n"
        "said = [load(slug).summary for slug in (*experiments(), *archived_slugs())]\n"
        "print(len(said), len(checks.exercises()) > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(ALL) + len(ARCHIVED)), "True"]


@pytest.mark.parametrize(
    ("slug", "names"),
    [
        ("learning-rate", {"SGD", "_Loop", "rnn_backward", "clip_by_norm", "init_rnn", "Corpus"}),
        ("accumulate-forget", {"CountSinceReset", "Gated", "LSTMUnit", "AdamEach"}),
        ("gradient-reach", {"hidden_state", "SGD", "Latch", "reach"}),
        ("unit-features", {"Learned", "Corpus", "LSTM"}),
        ("reservoir-memory", {"memory_capacity", "spectral_radius"}),
    ],
)
def test_a_fingerprint_covers_the_code_behind_the_rows(slug, names):
    found = {definition.name for definition in reached(ALL[slug].function)}
    assert names <= found
    assert found.isdisjoint({"numbers", "plot"})


@pytest.mark.parametrize("slug", ALL)
def test_no_fingerprint_covers_plots_or_summaries(slug):
    rooms = {d.path.relative_to(PACKAGE).parts[0] for d in reached(ALL[slug].function)}
    assert rooms.isdisjoint({"plots", "explore", "checks", "exercises", "palette.py"})


SHOWN = [
    (path, cell, call, {word.arg: word.value for word in call.keywords})
    for path in NOTEBOOKS
    for cell in cells(path)
    if cell.cell_type == "code" and "experiments.show" in cell.source
    for call in ast.walk(ast.parse(cell.source))
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "experiments.show"
]
SAID = [
    pytest.param(path, cell, ast.literal_eval(call.args[0]), given["says"], id=cell.id)
    for path, cell, call, given in SHOWN
    if "says" in given
]
ASKED = [
    pytest.param(call, id=ast.unparse(call.args[0]))
    for _, _, call, given in SHOWN
    if "ask" in given
]


@pytest.mark.parametrize(("path", "cell", "slug", "says"), SAID)
def test_the_page_of_a_claim_can_link_to_its_cell(path, cell, slug, says):
    assert using(slug).search(cell.source)


@pytest.mark.parametrize(("path", "cell", "slug", "says"), SAID)
def test_a_chapter_agrees_with_the_rows(path, cell, slug, says):
    said = load(slug).say(ast.literal_eval(says))
    assert said.endswith(".")
    assert "{" not in said
    assert "remove-input" in tags(cell), "the code of the cell would tell the result"


@every_chapter
def test_a_chapter_states_the_result_of_each_experiment_in_its_argument(path):
    names = [cell.id for cell in cells(path)]
    end = names.index(
        next(c.id for c in cells(path) if re.search(r"^## Going further", c.source, re.M))
    )
    silent = [
        cell.id
        for of, cell, _, given in SHOWN
        if of == path and names.index(cell.id) < end and "says" not in given
    ]
    assert silent == []


@pytest.mark.parametrize("call", ASKED)
def test_a_chapters_questions_fit_the_data(call):
    given = {word.arg: word.value for word in call.keywords}
    ask, x = (ast.literal_eval(given.get(key, ast.Tuple([]))) for key in ("ask", "x"))
    which = ast.literal_eval(call.args[1]) if call.args[1:] else None
    data = load(ast.literal_eval(call.args[0])).data(which)
    asked = data.asking(ask, x)
    assert set(asked["labels"]) <= set(data.labels)
    for words in ("question", "why"):
        assert load(ast.literal_eval(call.args[0])).write(ast.literal_eval(given[words]))
