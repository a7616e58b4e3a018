"""The classroom's archive, read by a student who looks for answers.

One place holds them and must: the package's checks, in the wheel, compare with them. That handing
one of those back passes for no answer is tested with the checks.
"""

import io
import zipfile

import pytest
from secrecy import read, secret_phrases, told_and_rest, words
from sphinx.search.en import SearchEnglish

from rnn_helpers.site.classroom import DIST
from rnn_helpers.site.internals import read_index
from rnn_helpers.site.search import GREEK
from rnn_helpers.site.slides import BOOK
from rnn_helpers.site.students import chapters

pytestmark = pytest.mark.xdist_group("handouts")

CHAPTERS = [
    pytest.param(path, id=path.stem, marks=pytest.mark.chapter(path.name[:2]))
    for path in chapters(BOOK)
]


@pytest.fixture(scope="module")
def archive():
    """The words of every text in the archive and in its wheel, but for the package's checks."""
    path = DIST / "unfolded-classroom.zip"
    assert path.is_file(), "run `make classroom` first"
    with zipfile.ZipFile(path) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    (wheel,) = (name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files.pop(wheel))) as opened:
        files |= {f"{wheel}/{name}": opened.read(name) for name in opened.namelist()}
    return {
        name: read(name, content)
        for name, content in files.items()
        if "/rnn_helpers/checks/" not in name
    }


def leaks(phrases, archive):
    return {
        (name, phrase) for name, text in archive.items() for phrase in phrases if phrase in text
    }


@pytest.mark.parametrize("what", ["solution", "note"])
@pytest.mark.parametrize("path", CHAPTERS)
def test_nothing_is_found_of_what_is_not_told(path, what, archive):
    solutions, notes, _ = told_and_rest(path)
    told = {"solution": solutions, "note": notes}[what]
    assert len(secret_phrases(told)) > 10
    assert not leaks(secret_phrases(told), archive)


def test_the_search_finds_no_solution(archive):
    with zipfile.ZipFile(DIST / "unfolded-classroom.zip") as opened:
        index = read_index(opened.read("unfolded/site/searchindex.js").decode())
    assert not [title for title in index["alltitles"] if title.startswith("Solution to")]
    stem = SearchEnglish({}).stem
    signs = set(map(stem, GREEK.values()))  # the index names the Greek letters of formulas
    for number, name in enumerate(index["docnames"]):
        if not (path := BOOK.parent / f"{name}.ipynb").is_file():
            continue
        told, *_ = told_and_rest(path)
        page = archive[f"unfolded/site/{name}.html"].split()
        shown = {*page, *map(stem, page), *signs}
        secrets = set(map(stem, words(told).split())) - shown
        indexed = {word for word, places in index["terms"].items() if number in listed(places)}
        secrets = {word for word in secrets if len(word) > 1}  # a letter tells nothing
        assert secrets
        assert not secrets & indexed, name


def listed(places):
    return places if isinstance(places, list) else [places]
