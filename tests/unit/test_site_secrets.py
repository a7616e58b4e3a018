"""A student's site loses the secrets and only those."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from press.secrets import for_students, forget, take_out

PAGE = """<html><body>
<div class="exercise admonition" id="ex-1"><p>How many ways?</p></div>
<div class="solution dropdown admonition" id="sol-1"><div class="in"><p>Two &lt; three
ways, <code><span>np</span><span>.</span><span>cumsum</span></code>.</p></div></div>
<p>After.</p>
<aside class="notes"><p>Ask: nothing.</p></aside></body></html>
"""


def test_solutions_and_notes_are_taken_out_and_all_else_stays_to_the_letter():
    kept, taken = take_out(PAGE)
    for words in ("Two", "cumsum", "Ask", "solution", "notes"):
        assert words not in kept
        assert words in taken
    solution = PAGE[PAGE.index('<div class="solution') : PAGE.index("\n<p>After.")]
    notes = PAGE[PAGE.index("<aside") : PAGE.index("</body>")]
    assert kept == PAGE.replace(solution, "").replace(notes, "")


@given(
    st.lists(
        st.sampled_from(
            ["<div>", "</div>", "<div class='solution'>", "<br>", "a\n", "é", "<p class=x>", "</p>"]
        )
    )
)
def test_a_page_keeps_everything_but_its_secrets(pieces):
    page = "".join(pieces)
    try:
        kept, taken = take_out(page)
    except ValueError:
        assert "solution" in page
        return
    assert "solution" not in kept
    assert len(kept) + len(taken) == len(page)
    assert "solution" in page or kept == page


def test_an_unclosed_secret_is_reported():
    with pytest.raises(ValueError, match=r'<div> is never closed: \'<div class="solution"><p>all'):
        take_out('<p>no</p><div class="solution"><p>all the rest')


def script(**tables):
    return f"Search.setIndex({json.dumps(tables)})"


def test_the_search_index_loses_words_that_only_a_solution_has():
    kept, taken = take_out(PAGE)
    index = script(
        docnames=["book/01", "book/02"],
        terms={"way": [0, 1], "cumsum": 0, "np": [0, 1], "after": 0},
        titleterms={"cumsum": [0], "mani": 0},
        alltitles={"Solution": [[0, "sol-1"]], "Count": [[0, "ex-1"], [1, "sol-1"]]},
    )
    left = forget(index, {"book/01": kept}, {"book/01": taken})
    assert json.loads(left.removeprefix("Search.setIndex(").removesuffix(")")) == {
        "docnames": ["book/01", "book/02"],
        "terms": {"way": [0, 1], "np": 1, "after": 0},
        "titleterms": {"mani": 0},
        "alltitles": {"Count": [[0, "ex-1"], [1, "sol-1"]]},
    }


def test_the_line_on_the_speakers_keys_is_taken_out():
    line = '<p><span class="for-speaker"><kbd>S</kbd> notes · </span><kbd>D</kbd> dark</p>'
    assert take_out(line)[0] == "<p><kbd>D</kbd> dark</p>"


def test_the_search_index_forgets_the_stems_of_a_solutions_words():
    """The index has stems: "explod" stands for "exploding" and "explodes"."""
    kept, taken = take_out("<p>vanishes</p><p class='solution'>exploding, vanishing</p>")
    index = script(
        docnames=["book/01"], terms={"explod": 0, "vanish": 0}, titleterms={}, alltitles={}
    )
    left = forget(index, {"book/01": kept}, {"book/01": taken})
    assert '"terms":{"vanish":0}' in left


def test_a_search_index_of_another_shape_is_reported():
    with pytest.raises(ValueError, match="not one that Sphinx writes: 'let index"):
        forget("let index = 1", {}, {})


def test_a_page_offers_the_students_copy_for_download(tmp_path):
    names = ("book/01.html", "book/notebooks/01.ipynb", "book/notebooks/02.ipynb", "x.css")
    pages = {name: tmp_path / name.replace("/", "-") for name in names}
    for path in pages.values():
        path.write_text(PAGE, "utf-8")
    pages["book/notebooks/01.ipynb"] = tmp_path / "elsewhere" / "01.ipynb"
    copy = tmp_path / "student" / "01.ipynb"
    files = for_students(pages, {"01.ipynb": copy})
    assert files["book/notebooks/01.ipynb"] == copy
    assert "book/notebooks/02.ipynb" not in files
    assert files["x.css"] == pages["x.css"]
    assert b"Two" not in files["book/01.html"]


def test_downloads_only_in_a_solution_are_removed_with_it(tmp_path):
    offer = '<a href="../_downloads/{0}">{0}</a>'
    solution = f'<div class="solution">{offer.format("a/rnn.py")}</div>'
    (tmp_path / "page.html").write_text(f"<p>{offer.format('b/data.txt')}</p>{solution}", "utf-8")
    pages = {"page.html": tmp_path / "page.html"}
    pages |= {f"_downloads/{name}": tmp_path / name for name in ("a/rnn.py", "b/data.txt")}
    assert set(for_students(pages, {})) == {"page.html", "_downloads/b/data.txt"}
