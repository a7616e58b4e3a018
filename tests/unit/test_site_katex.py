"""Math is set when the book is built."""

import re

import pytest
from docutils import nodes
from docutils.utils import new_document

from press.katex import BOX, TakePunctuation, keep, render


def test_a_formula_is_html_and_mathml_without_a_script():
    html = render(r"\boldsymbol{h}^{(t)} = \tanh(\boldsymbol{a}^{(t)})")
    assert "<math" in html
    assert 'class="katex-html" aria-hidden="true"' in html
    assert "<script" not in html


def test_display_is_another_style():
    assert render("x", display=True).startswith('<span class="katex-display">')
    assert not render("x").startswith('<span class="katex-display">')


def test_lines_without_an_environment_are_aligned():
    assert render(r"a &= b \\ &= c", display=True) == render(
        r"\begin{aligned}a &= b \\ &= c\end{aligned}", display=True
    )


@pytest.mark.parametrize("tex", [r"\foo{x}", r"\frac{1}", "x_", r"\begin{matrix} 1"])
def test_math_unknown_to_katex_is_refused_and_quoted(tex):
    with pytest.raises(ValueError, match="cannot be set") as caught:
        render(tex)
    assert repr(tex) in str(caught.value)


@pytest.mark.parametrize("tex", ["x", "a + b = c"])
def test_punctuation_stays_with_the_last_box_of_a_formula(tex):
    formula = render(tex)
    kept = keep(formula, ".")
    assert kept.count("<span") == kept.count("</span>")
    assert kept.count(BOX) == formula.count(BOX)
    tied = kept.partition('<span class="kept">')[2]
    assert tied.count(BOX) == 1
    assert tied.endswith(".</span>")
    assert keep(formula, "") == formula


def test_a_formula_takes_the_punctuation_after_it_and_no_equal_text_before_it():
    semicolon, formula = nodes.Text("; "), nodes.math("h", "h")
    paragraph = nodes.paragraph("", "state", semicolon, formula, nodes.Text("; "))
    document = new_document("page")
    document += paragraph
    TakePunctuation(document).run()
    assert formula["after"] == ";"
    assert paragraph.astext() == "state; h "


def test_lengths_have_a_short_form():
    html = render(r"\frac{a}{b} - \hspace{0.0002em} x").partition('class="katex-html"')[2]
    assert re.search(r":-?\.\d+em", html)
    assert not re.search(r":-?0\.|\.\d{4,}em|:-?em", html)
