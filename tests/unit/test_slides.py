"""The deck format and its rendering."""

import base64
import hashlib
import io
import re

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from press import render, slides
from press.deck import Deck, DeckError
from press.policy import InlineCode
from press.renderers import FIGURE, PLOT
from rnn_helpers import explore

HEADER = """---
chapter: 02_loop
title: A loop
question: How long is it?
---
"""
NOTES = """
::: notes
minutes: {minutes}

Ask: how long?

Expect: "long".
:::
"""


def slide(body="Words.", title="A title", minutes="2", part="# A part\n\n"):
    return f"{part}## {title}\n\n{body}\n{NOTES.format(minutes=minutes)}"


def read(tmp_path, *given, header=HEADER):
    path = tmp_path / "02_loop.md"
    path.write_text(header + "\n---\n\n".join(given), "utf-8")
    return Deck.read(path)


@pytest.fixture(scope="module")
def chapter(pixels):
    figure = explore.show("unfold", T=3)._repr_mimebundle_()
    plot = {"alt": "a line", "light": pixels, "dark": pixels, "width": 540, "height": 320}
    plot["smallest"] = 13.9
    equation = (
        "Once per step:\n\n$$\ns^{(2)} = f(s^{(1)}) \\tag{G 10.1}\n$$\n\nso [(G 10.1)](#eq-10.1)."
    )
    failed = new_output("error", ename="ValueError", evalue="no", traceback=[])
    return new_notebook(
        cells=[
            new_markdown_cell(equation, id="eq-10-1"),
            new_code_cell("silent = 1", id="silent"),
            new_code_cell("raise ValueError('no')", id="broken", outputs=[failed]),
            new_code_cell(
                "# fmt: skip\na = 1\nb = 2\nprint(a < b)",
                id="count",
                outputs=[
                    new_output("stream", name="stdout", text="a <b>\n"),
                    new_output("stream", name="stderr", text="100%"),
                ],
            ),
            new_code_cell("show()", id="fig", outputs=[new_output("display_data", data=figure)]),
            new_markdown_cell("```{solution} ex-1\nThree.\n```", id="answer"),
            new_code_cell("p", id="plot", outputs=[new_output("display_data", data={PLOT: plot})]),
            new_code_cell(
                "print('holds')\np",
                id="verdict",
                outputs=[
                    new_output("stream", name="stdout", text="holds"),
                    new_output("display_data", data={PLOT: plot}),
                ],
            ),
        ]
    )


def html(tmp_path, chapter, body, **kwargs):
    page = slides.page(read(tmp_path, slide(body, **kwargs)), chapter)
    return page.partition("<h2>")[2]


# ---- reading


def test_the_plan_is_added_up_from_the_slides(tmp_path):
    deck = read(
        tmp_path,
        slide(minutes="2.5", part="# First\n\n"),
        slide(minutes="3", part=""),
        slide(minutes="4", part="# Second\n\n"),
        slide(minutes="0", part="# Spare\n\n"),
    )
    assert deck.plan == [("First", "2–3", 5.5), ("Second", "4", 4), ("Spare", "5", 0)]
    assert deck.minutes == 9.5


def test_a_bound_number_is_read_as_the_number(tmp_path):
    number = '<span data-number="reach: {learned} of {of}">7 of 9</span>'
    given = slide(f"Learned: {number}").replace('Expect: "long".', f'Expect: "all". **{number}**.')
    (read_slide,) = read(tmp_path, given).slides
    assert read_slide.columns[0] == ("Learned: 7 of 9",)
    assert read_slide.answers(before=False) == ["7 of 9"]


def test_a_rule_in_a_code_fence_does_not_end_a_slide(tmp_path):
    deck = read(tmp_path, slide("```\n---\n# not a part\n|||\n```"))
    assert len(deck.slides) == 1
    assert len(deck.slides[0].columns) == 1


@pytest.mark.parametrize("body", ["a\n\n||| 3:2\n\nb", "||| 3:2\n\na\n\n|||\n\nb"])
def test_a_bar_splits_a_slide_in_columns(tmp_path, body):
    only = read(tmp_path, slide(body)).slides[0]
    assert only.columns == (("a",), ("b",))
    assert only.widths == (3, 2)


def test_a_cell_declares_the_part_that_it_shows(tmp_path):
    body = "{.fragment}\n{from: fig, T: 8}\n\nWords.\n\n{from: count, show: code, lines: 2-3}"
    first, words, second = read(tmp_path, slide(body)).slides[0].columns[0]
    assert (first.id, first.state, first.fragment) == ("fig", {"T": 8}, True)
    assert words == "Words."
    assert (second.show, second.lines, second.fragment) == ("code", (2, 3), False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([slide(minutes="30"), slide(minutes="12.5", part="")], "add up to 42.5"),
        ([slide(minutes="four")], "slide 2 (A title): the notes begin with 'minutes: N'"),
        (["# P\n\n## T\n\nno notes\n"], "slide 2 (T): a slide ends with its notes"),
        ([slide().replace("Ask: how", "Ask: $h$ how")], "notes hold no formulas"),
        ([slide().replace("Ask: how", "How")], "a note begins with one of Before:"),
        ([slide().replace("Ask: how", "Ask: before you show it: how")], "begins with Before:"),
        ([slide().replace("Ask: how", "Ask: cover the left. How")], "comes with a fragment"),
        ([slide(minutes="0").replace("Ask: how", "Before: how")], "nobody comes to a spare slide"),
        ([slide() + "\nmore\n"], "nothing follows them"),
        ([slide(), "## One\n\n" + slide(part="")], "slide 3: a slide has one title"),
        ([slide(part="")], "begins a part of the plan"),
        ([slide("a\n\n|||\n\nb\n\n|||\n\nc")], "at most two columns, not 3"),
        ([slide("{from: fig, show: figure}")], "show is one of code, output, plot, both, math"),
        ([slide("{from: fig, lines: 1-2}")], "lines: '1-2' is a line or a range"),
        ([slide("{from: [fig}")], "is not a YAML mapping"),
    ],
)
def test_a_malformed_deck_is_reported_with_its_line(tmp_path, given, message):
    with pytest.raises(DeckError, match=re.escape(message)) as raised:
        read(tmp_path, *given)
    assert str(raised.value).startswith("02_loop.md")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "begins with a YAML header"),
        ("---\nchapter: 02\n---\n", "the header gives"),
        ("---\nchapter: [\n---\n", "the header is not YAML"),
        (HEADER.removesuffix("---\n") + "length: 60\n---\n", "the length is 60, not minutes"),
    ],
)
def test_a_malformed_header_is_reported(tmp_path, header, message):
    with pytest.raises(DeckError, match=message):
        read(tmp_path, slide(), header=header)


def test_a_short_chapter_sets_the_length_of_its_deck(tmp_path):
    header = HEADER.removesuffix("---\n") + "length: 21\n---\n"
    assert read(tmp_path, slide(minutes="20"), header=header).length == 21
    with pytest.raises(DeckError, match="more than a lesson's 21"):
        read(tmp_path, slide(minutes="22"), header=header)


# ---- showing


def test_an_unknown_cell_is_reported_with_deck_slide_and_near_ids(tmp_path, chapter):
    deck = read(tmp_path, slide("{from: eq-10-2}", title="Of $f$"))
    with pytest.raises(DeckError) as raised:
        slides.assemble(deck, chapter)
    for words in ("02_loop.md", "slide 2 (Of $f$)", "'eq-10-2'", "near ids: eq-10-1"):
        assert words in str(raised.value)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("{from: silent}", "it has no output to show"),
        ("{from: broken}", "it ended in ValueError: no"),
        ("{from: count, show: code, lines: 2-9}", "it has lines 1 to 4"),
        ("{from: eq-10-1, show: math, lines: 2}", "it has lines 1 to 1"),
        ("{from: count, show: math}", "asks for a Markdown cell"),
        ("{from: eq-10-1, show: code}", "a Markdown cell takes only show: math"),
        ("{from: count, T: 3}", "it shows no figure"),
        ("{from: fig, T: 0}", "T"),
        ("{from: fig, speed: 3}", "speed"),
        ("{from: count, show: plot}", "it shows no plot"),
        ("{from: answer}", "it is a solution, and students are given the decks"),
    ],
)
def test_unsupported_outputs_of_a_cell_are_reported(tmp_path, chapter, cell, message):
    deck = read(tmp_path, slide(cell))
    with pytest.raises(DeckError, match=message) as raised:
        slides.assemble(deck, chapter)
    assert str(raised.value).startswith("02_loop.md, slide 2 (A title), cell ")


def test_equations_are_set_when_the_deck_is_built_and_keep_their_numbers(tmp_path, chapter):
    page = html(tmp_path, chapter, "Of $h$.\n\n{from: eq-10-1, show: math}")
    assert '<span class="katex" dir="ltr" translate="no">' in page
    assert '<span class="number">(G 10.1)</span>' in page
    assert "Once per step" not in page
    assert r"\tag" not in page


def test_text_of_the_chapter_is_flattened(tmp_path, chapter):
    page = html(tmp_path, chapter, "{from: eq-10-1}")
    assert "Once per step" in page
    assert "so (G 10.1)." in page


def test_code_in_the_text_of_a_slide_is_highlighted(tmp_path, chapter):
    page = html(tmp_path, chapter, "```python\ndef f(): ...\n```")
    assert 'class="highlight"><span class="k">def</span>' in page


def test_a_figure_keeps_its_state_or_takes_the_slides(tmp_path, chapter):
    assembled = slides.assemble(read(tmp_path, slide("{from: fig}\n\n{from: fig, T: 6}")), chapter)
    states = [cell.outputs[0].data[FIGURE]["state"]["T"] for cell in assembled.cells]
    assert states == [3, 6]


def test_only_the_scripts_of_a_decks_own_figures_are_loaded(tmp_path, chapter):
    plain = slides.page(read(tmp_path, slide()), chapter)
    living = slides.page(read(tmp_path, slide("{from: fig}")), chapter)
    assert "figures/" not in plain
    assert "host.js" not in plain
    assert living.count('src="../../_static/figures/') == 1
    assert "host.js" in living


def test_code_and_output_are_shown_as_asked_and_escaped(tmp_path, chapter):
    code = html(tmp_path, chapter, "{from: count, show: code}")
    assert "fmt:" not in code
    assert "&lt;b&gt;" not in code
    both = html(tmp_path, chapter, "{from: count, show: both}")
    assert '<div class="code">' in both
    assert 'class="result">a &lt;b&gt;</pre>' in both
    assert "100%" not in both
    line = html(tmp_path, chapter, "{from: count, show: output, lines: 1}")
    assert 'class="result">a &lt;b&gt;</pre>' in line
    for n in (2, 3):  # a = 1, b = 2
        some = html(tmp_path, chapter, f"{{from: count, show: code, lines: {n}}}")
        assert re.sub(r"<[^>]+>", "", some.partition("highlight")[2]).count("=") == 1


@pytest.mark.parametrize("cell", ["eq-10-1, show: math", "count, show: code", "plot"])
def test_content_of_a_step_is_absent_before_it(tmp_path, chapter, cell):
    assert "fragment" not in html(tmp_path, chapter, f"{{from: {cell}}}")
    assert "fragment" in html(tmp_path, chapter, f"{{.fragment}}\n{{from: {cell}}}")


def test_a_plot_is_there_for_both_themes_with_its_words(tmp_path, chapter):
    page = html(tmp_path, chapter, "{from: plot}")
    assert page.count('alt="a line"') == 2
    assert 'class="only-light"' in page
    assert 'class="only-dark"' in page


def test_a_plot_is_shown_without_its_cells_printed_text(tmp_path, chapter):
    assert "holds" in html(tmp_path, chapter, "{from: verdict}")
    page = html(tmp_path, chapter, "{from: verdict, show: plot}")
    assert "holds" not in page
    assert page.count('alt="a line"') == 2


def test_steps_colours_and_emphasis(tmp_path, chapter):
    page = html(
        tmp_path,
        chapter,
        "{.fragments}\n- [h]{.state}\n- two\n\n"
        "{.fragment}\n$$x \\tag{G 10.5}$$\n\n{.takeaway}\nDone.",
    )
    assert page.count('<li class="fragment">') == 2
    assert '<span class="state">h</span>' in page
    assert '<div class="math-display fragment">' in page
    assert '<p class="takeaway">Done.</p>' in page


def test_notes_hold_minutes_words_and_the_figures_question(tmp_path, chapter):
    page = html(tmp_path, chapter, "{from: fig}", minutes="2.5")
    notes = page.partition('<aside class="notes">')[2].partition("</aside>")[0]
    assert "2.5 min" in notes
    assert "<strong>Ask:</strong> how long?" in notes
    assert explore.manifest()["unfold"]["question"] in notes
    assert 'data-timing="150"' in slides.page(read(tmp_path, slide(minutes="2.5")), chapter)


@pytest.mark.slow
def test_notes_leave_out_a_prediction_that_does_not_fit_the_state(tmp_path):
    figure = explore.show("cell")._repr_mimebundle_()
    output = new_output("display_data", data=figure)
    chapter = new_notebook(cells=[new_code_cell("show()", id="fig", outputs=[output])])
    predicted = explore.manifest()["cell"]["prediction"]["why"]
    first = html(tmp_path, chapter, "{from: fig}")
    later = html(tmp_path, chapter, "{from: fig, stage: forget, gate: 1}")
    assert predicted in first
    assert predicted not in later
    assert explore.show("cell", stage="forget").payload["question"] in later


def test_a_slides_question_is_in_the_notes_of_the_previous_slide(tmp_path, chapter):
    asked = slide(part="", minutes="1").replace("Ask: how", "Before: how")
    deck = read(tmp_path, slide().replace("how long", "what now"), asked, slide(part=""))
    page = slides.page(deck, chapter)
    title, first, second, third = re.findall(r'<aside class="notes">(.*?)</aside>', page, re.S)
    assert "how long?" in first.partition("Before the next slide, ask:")[2]
    assert not any("Before" in notes for notes in (title, second, third))
    assert "how long?" not in second
    assert "Expect:" in second
    (only,) = read(tmp_path, asked.replace("## ", "# A part\n\n## ")).slides
    opening = slides.page(read(tmp_path, asked.replace("## ", "# A part\n\n## ")), chapter)
    assert only.before == "how long?"
    assert "how long?" in opening.partition("</aside>")[0]


def test_a_deck_makes_no_network_requests(tmp_path, chapter):
    page = slides.page(read(tmp_path, slide("{from: fig}\n\n{from: plot}")), chapter)
    assert "Content-Security-Policy" in page.partition("</head>")[0]
    assert "darkreader-lock" in page.partition("</head>")[0]
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert sources
    assert not [source for source in sources if re.match(r"(?:https?:)?//", source)]
    slides.write_assets(tmp_path)
    for source in sources:
        if source.startswith(("reveal/", "../../_static/")):
            assert (tmp_path / slides.DECKS / source).is_file(), source
    for sheet in tmp_path.rglob("*.css"):
        for url in re.findall(r"url\(([^)]+)\)", sheet.read_text("utf-8")):
            file = sheet.parent / url.strip("\"'")
            assert url.startswith("data:") or file.suffix in (".ttf", ".woff") or file.is_file()


def test_a_decks_policy_allows_the_presenters_inline_code(tmp_path, chapter):
    deck = slides.page(read(tmp_path, slide()), chapter)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', deck)
    presenter = InlineCode()
    presenter.feed(slides._speaker_view())
    assert presenter.found
    for code in presenter.found:
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_bad_math_is_reported(tmp_path, chapter):
    with pytest.raises(ValueError, match="frac"):
        slides.page(read(tmp_path, slide(r"$\frac{1}$")), chapter)


@pytest.mark.slow
def test_a_chapter_that_is_not_in_the_cache_is_run(tmp_path, capsys):
    path = tmp_path / "02_loop.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("print(1 + 1)", id="sum")]), path)
    notebook = slides.executed(path, tmp_path / "no-cache")
    assert notebook.cells[0].outputs[0].text == "2\n"
    assert notebook.cells[0].id == "sum"
    assert "running it" in capsys.readouterr().out


@pytest.mark.slow
def test_a_decks_pictures_are_files_of_the_site(tmp_path, monkeypatch):
    noise = np.random.default_rng(0).integers(256, size=(8, 9, 4), dtype=np.uint8)
    noise[:4, :, 3] = 255
    drawn, png = Image.fromarray(noise), io.BytesIO()
    drawn.save(png, "png")
    address = f"data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}"
    monkeypatch.setattr(slides, "page", lambda *args: f'<img src="{address}"><img src="{address}">')
    (tmp_path / "slides").mkdir()
    nbformat.write(new_notebook(), tmp_path / "02_loop.ipynb")
    path = tmp_path / "slides/02_loop.md"
    path.write_text(HEADER + slide(), "utf-8")
    deck = slides.write(path, tmp_path / "site", tmp_path / "no-cache")
    first, second = re.findall(r'src="([^"]+)"', deck.read_text("utf-8"))
    assert first == second
    with Image.open(deck.parent / first) as kept:
        assert kept.format == "WEBP"
        pixels = np.asarray(kept.convert("RGBA"))
    nearest = 19  # eight levels of opacity are 36 apart
    seen = noise[..., 3] > nearest
    np.testing.assert_array_equal(pixels[:4], noise[:4])  # opaque pixels are exact
    np.testing.assert_array_equal(pixels[seen][:, :3], noise[seen][:, :3])
    np.testing.assert_allclose(pixels[..., 3], noise[..., 3].astype(int), atol=nearest)


@pytest.mark.parametrize(
    ("note", "wrong", "right"),
    [
        ('"All". One.', "“All”.", "One."),
        ('"half, for 0.5 is half", or "none", I hear. It is 0.2. So.', "I hear.", "It is 0.2. So."),
        ('"yes. Of course". No: "no".', "“yes. Of course”.", "No: “no”."),
    ],
)
def test_a_wrong_answer_does_not_run_into_the_right_one(note, wrong, right):
    first, second = re.findall(r"<p>(.*?)</p>", render.notes(f"Expect: {note}"))
    assert first.endswith(wrong)
    assert second == f"→ {right}"
    assert render.notes("Expect: silence.").count("<p>") == 1


def test_a_line_on_paper_needs_no_math_fonts():
    line = render.mathml("Of $h^{(t)}$")
    assert "<math" in line
    assert "katex-html" not in line


def test_plain_words_are_not_taken_for_html():
    assert render.inline("a < b & *c*") == "a &lt; b &amp; <em>c</em>"


def test_a_file_that_is_no_notebook_is_named(tmp_path):
    path = tmp_path / "04_bptt.ipynb"
    path.write_text("{", "utf-8")
    with pytest.raises(slides.DeckError, match=r"04_bptt\.ipynb is not a notebook"):
        slides.executed(path, tmp_path / "no-cache")


@pytest.mark.slow
@pytest.mark.parametrize("database", [b"", b"x" * 5000])
def test_a_damaged_cache_is_reported_with_a_remedy(tmp_path, database):
    path = tmp_path / "04_bptt.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), path)
    cache = tmp_path / ".jupyter_cache"
    cache.mkdir()
    (cache / "global.db").write_bytes(database)
    with pytest.raises(slides.DeckError, match="damaged: make book"):
        slides.executed(path, cache)


def test_irreplaceable_assets_are_reported_with_the_disks_error(tmp_path, monkeypatch):
    def refuse(path, **_):
        raise OSError(30, "Read-only file system", str(path))

    slides.write_assets(tmp_path)
    monkeypatch.setattr(slides.shutil, "rmtree", refuse)
    with pytest.raises(OSError, match="Read-only"):
        slides.write_assets(tmp_path)
