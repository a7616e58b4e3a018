"""The classroom's archive, read by a student who looks for answers."""

import io
import zipfile

import pytest
from books import every_chapter
from secrecy import read, secret_phrases, secrets_and_rest, words
from sphinx.search.en import SearchEnglish

from course.assignment import SETS, load_set, problems
from press.classroom import DIST
from press.internals import read_index
from press.search import GREEK
from press.slides import BOOK

pytestmark = pytest.mark.xdist_group("handouts")


@pytest.fixture(scope="module")
def archive():
    """Return the words of each text in the archive and its wheel."""
    path = DIST / "unfolded-classroom.zip"
    assert path.is_file(), "run `make classroom` first"
    with zipfile.ZipFile(path) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    (wheel,) = (name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files.pop(wheel))) as opened:
        files |= {f"{wheel}/{name}": opened.read(name) for name in opened.namelist()}
    return {name: read(name, content) for name, content in files.items()}


@pytest.mark.parametrize("kind", [0, 1], ids=["solutions", "notes"])
@every_chapter
def test_the_archive_contains_no_solution_and_no_note(path, kind, archive):
    phrases = secret_phrases(secrets_and_rest(path)[kind])
    assert len(phrases) > 10
    assert not [
        (name, phrase) for name, text in archive.items() for phrase in phrases if phrase in text
    ]


def test_the_archive_contains_no_problem_of_the_course(archive):
    drawn = [
        one
        for path in SETS.glob("set_*.py")
        for one in problems(load_set(int(path.stem[4:])), "seed", "secret")
    ]
    texts = [words(text) for one in drawn for text in (one.text, getattr(one, "hint", one.title))]
    assert len(texts) >= 6
    assert not [(name, text) for name, held in archive.items() for text in texts if text in held]


def test_the_search_finds_no_solution(archive):
    with zipfile.ZipFile(DIST / "unfolded-classroom.zip") as opened:
        index = read_index(opened.read("unfolded/site/searchindex.js").decode())
    assert not [title for title in index["alltitles"] if title.startswith("Solution to")]
    stem = SearchEnglish({}).stem
    signs = set(map(stem, GREEK.values()))  # the index names the Greek letters of formulas
    for number, name in enumerate(index["docnames"]):
        if not (path := BOOK.parent / f"{name}.ipynb").is_file():
            continue
        solutions, *_ = secrets_and_rest(path)
        page = archive[f"unfolded/site/{name}.html"].split()
        shown = {*page, *map(stem, page), *signs}
        secrets = set(map(stem, words(solutions).split())) - shown
        indexed = {word for word, places in index["terms"].items() if number in listed(places)}
        secrets = {word for word in secrets if len(word) > 1}  # a single letter is no secret
        assert secrets
        assert not secrets & indexed, name


def listed(places):
    return places if isinstance(places, list) else [places]
